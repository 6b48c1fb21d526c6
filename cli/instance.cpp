// Field by field from JSON; every message names the file and the place in it.
#include "cli/instance.hpp"

#include <charconv>
#include <limits>
#include <new>

#include "cli/dtype_names.hpp"
#include "cli/input_file.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/json_place.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli {
namespace {

constexpr std::uint64_t kMaxInstanceBytes = std::uint64_t{256} << 20;

std::string string_or(const JsonPlace& document, std::string_view key, std::string_view otherwise) {
    return document.has(key) ? document.at(key).string() : std::string(otherwise);
}

std::vector<Dims> read_shapes(const JsonPlace& list) {
    std::vector<Dims> shapes;
    for (std::size_t operand = 0; operand < list.size(); ++operand) {
        const JsonPlace extents = list.at(operand);
        Dims shape;
        for (std::size_t axis = 0; axis < extents.size(); ++axis)
            shape.push_back(extents.at(axis).integer_to(std::numeric_limits<Index>::max()));
        (void)element_count(shape, text(list.op(), ": ", extents.where()));
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

DType read_dtype(const JsonPlace& document) {
    const std::string name = string_or(document, "dtype", "float64");
    const auto dtype = dtype_named(name);
    if (dtype && (info(*dtype).is_float || info(*dtype).is_complex)) return *dtype;
    document.at("dtype").fail(
        text("'", name, "' is none of f32, f64, c32, c64 (float32, float64, complex64, complex128)"));
}

Path read_path(const JsonPlace& list) {
    Path path;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace positions = list.at(i);
        std::vector<int> step;
        for (std::size_t k = 0; k < positions.size(); ++k)
            step.push_back(static_cast<int>(positions.at(k).integer_to(std::numeric_limits<int>::max())));
        path.push_back(std::move(step));
    }
    return path;
}

std::map<std::string, Path> read_paths(const JsonPlace& document) {
    std::map<std::string, Path> paths;
    if (!document.has("paths")) return paths;
    const JsonPlace all = document.at("paths");
    for (const auto& [name, entry] : all.members()) {
        const JsonPlace named = all.at(name);
        paths.emplace(name, read_path(named.at("path")));
    }
    return paths;
}

Instance read_instance(const JsonPlace& document, std::string_view name, std::optional<AxisOrder> order) {
    (void)document.members();
    Instance instance;
    instance.name = string_or(document, "name", name);
    const bool has_column_major = document.has("format_string_colmajor");
    instance.order = order.value_or(has_column_major ? AxisOrder::ColumnMajor : AxisOrder::RowMajor);
    const bool column_major = instance.order == AxisOrder::ColumnMajor;
    instance.subscripts = document.at(column_major ? "format_string_colmajor" : "format_string").string();
    instance.shapes = read_shapes(document.at(column_major ? "shapes_colmajor" : "shapes"));
    instance.dtype = read_dtype(document);
    instance.paths = read_paths(document);
    return instance;
}

}  // namespace

Instance parse_instance(std::string_view json, std::string_view name, std::optional<AxisOrder> order) try {
    const Json root = Json::parse(json, name);
    return read_instance(JsonPlace(root, name), name, order);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(name);
}

Instance load_instance(const std::filesystem::path& path, std::optional<AxisOrder> order) {
    const std::string name = path == kStandardInput ? "standard input" : path.string();
    return parse_instance(read_text_file(path, kMaxInstanceBytes), name, order);
}

std::vector<Dims> parse_shapes(std::string_view list) {
    std::vector<Dims> shapes;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string_view item = list.substr(at, end - at);
        Dims shape;
        for (std::size_t i = 0; i < item.size();) {
            Index extent = 0;
            const auto [stop, status] = std::from_chars(item.data() + i, item.data() + item.size(), extent);
            i = static_cast<std::size_t>(stop - item.data());
            const bool separated = i == item.size() || (item[i] == 'x' && i + 1 < item.size());
            if (status != std::errc{} || extent < 0 || !separated)
                throw Error(ErrorKind::InvalidArgument, "shapes",
                            text("operand ", shapes.size(), " is '", item, "', not like 2x3"));
            shape.push_back(extent);
            ++i;
        }
        shapes.push_back(std::move(shape));
        at = end + 1;
    }
    return shapes;
}

}  // namespace tenferro::cli
