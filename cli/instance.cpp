// Field by field from JSON; every message names the file and the field.
#include "cli/instance.hpp"

#include <charconv>
#include <limits>
#include <new>

#include "cli/dtype_names.hpp"
#include "cli/input_file.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/json.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli {
namespace {

constexpr std::uint64_t kMaxInstanceBytes = std::uint64_t{256} << 20;

/// Access to the fields of one file.
class InstanceReader {
public:
    InstanceReader(const Json& root, std::string_view file) : root_(root), file_(file) {
        if (root.as<Json::Members>() == nullptr) fail("is not a JSON object");
    }

    Instance read(std::optional<AxisOrder> order) const {
        Instance instance;
        instance.name = string("name", std::string(file_));
        const bool has_column_major = has("format_string_colmajor");
        instance.order = order.value_or(has_column_major ? AxisOrder::ColumnMajor : AxisOrder::RowMajor);
        const bool column_major = instance.order == AxisOrder::ColumnMajor;
        instance.subscripts = string(column_major ? "format_string_colmajor" : "format_string", std::nullopt);
        instance.shapes = shapes(column_major ? "shapes_colmajor" : "shapes");
        instance.dtype = dtype();
        instance.paths = paths();
        return instance;
    }

private:
    [[noreturn]] void fail(std::string_view message) const {
        throw Error(ErrorKind::InvalidArgument, file_, message);
    }

    bool has(std::string_view key) const { return root_.find(key) != nullptr; }
    const Json& member(std::string_view key) const {
        if (!has(key)) fail(text("field '", key, "' is missing"));
        return *root_.find(key);
    }
    std::string string(std::string_view key, const std::optional<std::string>& otherwise) const {
        if (otherwise && !has(key)) return *otherwise;
        const auto* const value = member(key).as<std::string>();
        if (value == nullptr) fail(text("field '", key, "' is not a string"));
        return *value;
    }
    /// An integer in [0, limit].
    Index integer(const Json& value, Index limit, std::string_view what) const {
        const auto* const number = value.as<std::int64_t>();
        if (number != nullptr && *number >= 0 && *number <= limit) return *number;
        const auto* const other = value.as<Json::OtherNumber>();
        const std::string digits = number != nullptr  ? text(*number)
                                   : other != nullptr ? other->digits
                                                      : "no";
        if (digits.find_first_not_of("0123456789") != std::string::npos)
            fail(text(what, " is not an integer from 0 on"));
        fail(text(what, " is ", digits, " but at most ", limit, " is possible"));
    }
    const Json::List& array(const Json& value, std::string_view what) const {
        const auto* const list = value.as<Json::List>();
        if (list == nullptr) fail(text(what, " is not an array"));
        return *list;
    }
    std::vector<Dims> shapes(std::string_view key) const {
        std::vector<Dims> shapes;
        for (const Json& item : array(member(key), text("field '", key, "'"))) {
            const std::string what = text("field '", key, "', operand ", shapes.size());
            Dims shape;
            for (const Json& extent : array(item, what))
                shape.push_back(
                    integer(extent, std::numeric_limits<Index>::max(), text(what, " axis ", shape.size())));
            (void)element_count(shape, text(file_, ": ", what));
            shapes.push_back(std::move(shape));
        }
        return shapes;
    }
    DType dtype() const {
        const std::string name = string("dtype", "float64");
        const auto dtype = dtype_named(name);
        if (dtype && (info(*dtype).is_float || info(*dtype).is_complex)) return *dtype;
        fail(text("field 'dtype' is '", name,
                  "'; f32, f64, c32, c64 (float32, float64, complex64, complex128) are supported"));
    }
    std::map<std::string, Path> paths() const {
        std::map<std::string, Path> paths;
        if (!has("paths")) return paths;
        const auto* const all = member("paths").as<Json::Members>();
        if (all == nullptr) fail("field 'paths' is not an object");
        for (const auto& [name, entry] : *all) {
            const std::string field = text("field 'paths.", name, ".path'");
            const Json* const found = entry.find("path");
            if (found == nullptr) fail(text(field, " is missing"));
            paths.emplace(name, path(*found, field));
        }
        return paths;
    }
    Path path(const Json& value, std::string_view field) const {
        Path path;
        for (const Json& item : array(value, field)) {
            const std::string what = text(field, ", step ", path.size());
            std::vector<int> step;
            for (const Json& position : array(item, what))
                step.push_back(static_cast<int>(integer(position, std::numeric_limits<int>::max(), what)));
            path.push_back(std::move(step));
        }
        return path;
    }

    const Json& root_;
    std::string_view file_;
};

}  // namespace

Instance parse_instance(std::string_view json, std::string_view name, std::optional<AxisOrder> order) try {
    const Json root = Json::parse(json, name);
    return InstanceReader(root, name).read(order);
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
