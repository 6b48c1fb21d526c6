// Place: a value inside a JSON document that knows where it is, so that every complaint names the place. Its
// readers check.
#pragma once

#include <initializer_list>

#include "tenferro/base/error.hpp"
#include "tenferro/base/json.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

inline constexpr std::string_view kJsonOp = "graph_json";

/// Refers to its document and to the place that it was reached from.
class Place {
public:
    explicit Place(const Json& document) : json_(document) {}

    /// "nodes[3].inputs[0]".
    [[nodiscard]] std::string where() const;
    /// InvalidArgument "<where>: <message>".
    [[noreturn]] void fail(std::string_view message) const;

    /// The value must be an object with these keys, and no others but those in `optional`.
    void check_keys(std::initializer_list<std::string_view> required,
                    std::initializer_list<std::string_view> optional = {}) const;
    [[nodiscard]] bool has(std::string_view key) const { return json_.find(key) != nullptr; }
    /// A member of an object that has it.
    [[nodiscard]] Place at(std::string_view key) const { return {*json_.find(key), this, key, 0}; }

    /// The number of elements of an array.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] Place at(std::size_t index) const {
        return {(*json_.as<Json::List>())[index], this, {}, index};
    }

    [[nodiscard]] bool is_number() const { return json_.type_name() == "number"; }
    [[nodiscard]] std::int64_t integer() const;
    /// An integer from 0 to below `end`; `what` names it.
    [[nodiscard]] std::uint32_t index(std::size_t end, std::string_view what) const;
    [[nodiscard]] const std::string& string() const;
    [[nodiscard]] bool boolean() const;

private:
    Place(const Json& json, const Place* outer, std::string_view key, std::size_t index)
        : json_(json), outer_(outer), key_(key), index_(index) {}
    /// The value as a T, or an error that says what was wanted.
    template <class T>
    [[nodiscard]] const T& as(std::string_view wanted) const;

    const Json& json_;
    const Place* outer_ = nullptr;
    std::string_view key_;  // in the outer object; empty in an array
    std::size_t index_ = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
