// Field by field from JSON; every message names the file and the field.
#include "cli/instance.hpp"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/dtype_names.hpp"
#include "cli/input_file.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxInstanceBytes = std::uint64_t{256} << 20;

/// Access to the fields of one file.
class InstanceReader {
public:
    InstanceReader(const Json& root, std::string_view file) : root_(root), file_(file) {
        if (!root.is_object()) fail("is not a JSON object");
    }

    Instance read(std::optional<AxisOrder> order) const {
        Instance instance;
        instance.name = string("name", std::string(file_));
        const bool has_column_major = root_.contains("format_string_colmajor");
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

    const Json& member(std::string_view key) const {
        const auto found = root_.find(key);
        if (found == root_.end()) fail(text("field '", key, "' is missing"));
        return *found;
    }
    std::string string(std::string_view key, const std::optional<std::string>& otherwise) const {
        if (otherwise && !root_.contains(key)) return *otherwise;
        const Json& value = member(key);
        if (!value.is_string()) fail(text("field '", key, "' is not a string"));
        return value.get<std::string>();
    }
    /// An integer in [0, limit].
    Index integer(const Json& value, Index limit, std::string_view what) const {
        if (!value.is_number_unsigned()) fail(text(what, " is not an integer from 0 on"));
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(limit))
            fail(text(what, " is ", number, " but at most ", limit, " is possible"));
        return static_cast<Index>(number);
    }
    const Json& array(const Json& value, std::string_view what) const {
        if (!value.is_array()) fail(text(what, " is not an array"));
        return value;
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
        if (!root_.contains("paths")) return paths;
        const Json& all = member("paths");
        if (!all.is_object()) fail("field 'paths' is not an object");
        for (const auto& [name, entry] : all.items()) {
            const std::string field = text("field 'paths.", name, ".path'");
            const auto found = entry.is_object() ? entry.find("path") : entry.end();
            if (!entry.is_object() || found == entry.end()) fail(text(field, " is missing"));
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

Instance parse_instance(std::string_view json, std::string_view name, std::optional<AxisOrder> order) {
    Json root;
    try {
        root = Json::parse(json);
    } catch (const Json::parse_error& error) {
        throw Error(ErrorKind::InvalidArgument, name, text("is not valid JSON at byte ", error.byte));
    } catch (const Json::out_of_range&) {
        throw Error(ErrorKind::InvalidArgument, name, "has a number that is out of range");
    }
    return InstanceReader(root, name).read(order);
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
