// JsonPlace: a value inside a JSON document that knows where it is, so that every complaint names the place:
// "graph_json: nodes[3].inputs[0]: expected an integer, got string". What reads documents, files of graphs
// and of networks, reads them by places.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tenferro/base/json.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Refers to its document, to the name of the operation and to the place that it was reached from, all of
/// which must live as long. Readers throw InvalidArgument of the operation where the value is not what they
/// read.
class JsonPlace {
public:
    explicit JsonPlace(const Json& document, std::string_view op) : json_(document), op_(op) {}

    [[nodiscard]] std::string_view op() const noexcept { return op_; }
    /// "nodes[3].inputs[0]"; nothing for the whole document.
    [[nodiscard]] TENFERRO_API std::string where() const;
    /// InvalidArgument "<where>: <message>".
    [[noreturn]] TENFERRO_API void fail(std::string_view message) const;

    /// The value must be an object with these keys, and no others but those in `optional`.
    TENFERRO_API void check_keys(std::initializer_list<std::string_view> required,
                                 std::initializer_list<std::string_view> optional = {}) const;
    [[nodiscard]] bool has(std::string_view key) const { return json_.find(key) != nullptr; }
    [[nodiscard]] TENFERRO_API const Json::Members& members() const;
    [[nodiscard]] JsonPlace at(std::string_view key) const& { return {member(key), this, key, 0}; }

    /// The number of elements of an array.
    [[nodiscard]] TENFERRO_API std::size_t size() const;
    /// An element of an array that has so many.
    [[nodiscard]] JsonPlace at(std::size_t index) const& {
        return {(*json_.as<Json::List>())[index], this, {}, index};
    }
    // A place that is not kept is none to start from.
    JsonPlace at(std::string_view key) const&& = delete;
    JsonPlace at(std::size_t index) const&& = delete;

    [[nodiscard]] bool is_number() const { return json_.type_name() == "number"; }
    [[nodiscard]] TENFERRO_API std::int64_t integer() const;
    /// An integer from 0 to `most`.
    [[nodiscard]] TENFERRO_API std::int64_t integer_to(std::int64_t most) const;
    /// An integer from 0 to below `end`; `what` names it.
    [[nodiscard]] TENFERRO_API std::uint32_t index(std::size_t end, std::string_view what) const;
    [[nodiscard]] TENFERRO_API const std::string& string() const;
    [[nodiscard]] TENFERRO_API bool boolean() const;

private:
    JsonPlace(const Json& json, const JsonPlace* outer, std::string_view key, std::size_t index)
        : json_(json), op_(outer->op_), outer_(outer), key_(key), index_(index) {}
    [[nodiscard]] TENFERRO_API const Json& member(std::string_view key) const;
    /// The value as a T, or an error that says what was wanted.
    template <class T>
    [[nodiscard]] const T& as(std::string_view wanted) const;

    const Json& json_;
    std::string_view op_;
    const JsonPlace* outer_ = nullptr;
    std::string_view key_;  // in the outer object; of no data in an array
    std::size_t index_ = 0;
};

}}  // namespace tenferro::TENFERRO_ABI
