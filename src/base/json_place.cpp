// Checked reading of JSON values.
#include "tenferro/base/json_place.hpp"

#include <algorithm>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

std::string JsonPlace::where() const {
    if (outer_ == nullptr) return {};
    const std::string outer = outer_->where();
    if (key_.data() == nullptr) return text(outer, "[", index_, "]");
    return text(outer, outer.empty() ? "" : ".", key_);
}

void JsonPlace::fail(std::string_view message) const {
    const std::string place = where();
    throw Error(ErrorKind::InvalidArgument, op_, text(place.empty() ? "the document" : place, ": ", message));
}

template <class T>
const T& JsonPlace::as(std::string_view wanted) const {
    const T* const value = json_.as<T>();
    if (value == nullptr) fail(text("expected ", wanted, ", got ", json_.type_name()));
    return *value;
}

const Json::Members& JsonPlace::members() const { return as<Json::Members>("an object"); }

void JsonPlace::check_keys(std::initializer_list<std::string_view> required,
                           std::initializer_list<std::string_view> optional) const {
    const Json::Members& all = members();
    for (const std::string_view key : required) (void)member(key);
    const auto listed = [](std::initializer_list<std::string_view> keys, std::string_view key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const auto& [key, value] : all)
        if (!listed(required, key) && !listed(optional, key)) fail(text("'", key, "' is not expected here"));
}

const Json& JsonPlace::member(std::string_view key) const {
    (void)members();
    const Json* const value = json_.find(key);
    if (value == nullptr) fail(text("'", key, "' is missing"));
    return *value;
}

std::size_t JsonPlace::size() const { return as<Json::List>("an array").size(); }

std::int64_t JsonPlace::integer() const {
    if (const auto* const other = json_.as<Json::OtherNumber>();
        other != nullptr && other->digits.find_first_not_of("-0123456789") == std::string::npos)
        fail(text(other->digits, " is not a 64-bit integer"));
    return as<std::int64_t>("an integer");
}

std::int64_t JsonPlace::integer_to(std::int64_t most) const {
    const std::int64_t value = integer();
    if (value < 0 || value > most) fail(text(value, " is not from 0 to ", most));
    return value;
}

std::uint32_t JsonPlace::index(std::size_t end, std::string_view what) const {
    const std::int64_t value = integer();
    if (value < 0 || static_cast<std::uint64_t>(value) >= end)
        fail(text(what, " ", value, " is not below ", end));
    return static_cast<std::uint32_t>(value);
}

const std::string& JsonPlace::string() const { return as<std::string>("a string"); }

bool JsonPlace::boolean() const { return as<bool>("true or false"); }

}}  // namespace tenferro::TENFERRO_ABI
