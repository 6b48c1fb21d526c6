// Checked reading of JSON values.
#include "runtime/json/place.hpp"

#include <algorithm>
#include <limits>

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

std::string Place::where() const {
    if (outer_ == nullptr) return {};
    const std::string outer = outer_->where();
    if (key_.empty()) return text(outer, "[", index_, "]");
    return outer.empty() ? std::string(key_) : text(outer, ".", key_);
}

void Place::fail(std::string_view message) const {
    const std::string place = where();
    throw Error(ErrorKind::InvalidArgument, kJsonOp,
                text(place.empty() ? "the document" : place, ": ", message));
}

void Place::check(bool fits, std::string_view wanted) const {
    if (!fits) fail(text("expected ", wanted, ", got ", json_.type_name()));
}

void Place::check_keys(std::initializer_list<std::string_view> required,
                       std::initializer_list<std::string_view> optional) const {
    check(json_.is_object(), "an object");
    for (const std::string_view key : required)
        if (!has(key)) fail(text("'", key, "' is missing"));
    const auto listed = [](std::initializer_list<std::string_view> keys, std::string_view key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const auto& [key, value] : json_.items())
        if (!listed(required, key) && !listed(optional, key)) fail(text("'", key, "' is not expected here"));
}

std::size_t Place::size() const {
    check(json_.is_array(), "an array");
    return json_.size();
}

std::int64_t Place::integer() const {
    check(json_.is_number_integer(), "an integer");
    if (json_.is_number_unsigned() && json_.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
        fail(text(json_.get<std::uint64_t>(), " is not a 64-bit integer"));
    return json_.get<std::int64_t>();
}

std::uint32_t Place::index(std::size_t end, std::string_view what) const {
    const std::int64_t value = integer();
    if (value < 0 || static_cast<std::uint64_t>(value) >= end)
        fail(text(what, " ", value, " is not below ", end));
    return static_cast<std::uint32_t>(value);
}

const std::string& Place::string() const {
    check(json_.is_string(), "a string");
    return json_.get_ref<const std::string&>();
}

bool Place::boolean() const {
    check(json_.is_boolean(), "true or false");
    return json_.get<bool>();
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
