// Checked reading of JSON values.
#include "runtime/json/place.hpp"

#include <algorithm>

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

template <class T>
const T& Place::as(std::string_view wanted) const {
    const T* const value = json_.as<T>();
    if (value == nullptr) fail(text("expected ", wanted, ", got ", json_.type_name()));
    return *value;
}

void Place::check_keys(std::initializer_list<std::string_view> required,
                       std::initializer_list<std::string_view> optional) const {
    const Json::Members& members = as<Json::Members>("an object");
    for (const std::string_view key : required)
        if (!has(key)) fail(text("'", key, "' is missing"));
    const auto listed = [](std::initializer_list<std::string_view> keys, std::string_view key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const auto& [key, value] : members)
        if (!listed(required, key) && !listed(optional, key)) fail(text("'", key, "' is not expected here"));
}

std::size_t Place::size() const { return as<Json::List>("an array").size(); }

std::int64_t Place::integer() const {
    if (const auto* const other = json_.as<Json::OtherNumber>();
        other != nullptr && other->digits.find_first_not_of("-0123456789") == std::string::npos)
        fail(text(other->digits, " is not a 64-bit integer"));
    return as<std::int64_t>("an integer");
}

std::uint32_t Place::index(std::size_t end, std::string_view what) const {
    const std::int64_t value = integer();
    if (value < 0 || static_cast<std::uint64_t>(value) >= end)
        fail(text(what, " ", value, " is not below ", end));
    return static_cast<std::uint32_t>(value);
}

const std::string& Place::string() const { return as<std::string>("a string"); }

bool Place::boolean() const { return as<bool>("true or false"); }

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
