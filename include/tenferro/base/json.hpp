// Json: a JSON value that is destroyed without memory, as values must be where there is none: readers and
// writers throw OutOfMemory half way. Members of an object keep their order. What makes, grows or writes a
// value throws OutOfMemory; how deep it nests is bounded where it is parsed, and else by its maker.
#pragma once

#include <concepts>
#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class Json {
public:
    struct Member;
    using List = std::vector<Json>;
    using Members = std::vector<Member>;
    /// One that is no integer of 64 bits with a sign, as it is written down.
    struct OtherNumber {
        std::string digits;
    };

    // NOLINTBEGIN(google-explicit-constructor)
    /// Null, as numbers that are not finite are.
    TENFERRO_API Json() noexcept;
    TENFERRO_API Json(double value);
    TENFERRO_API Json(std::string_view value);
    Json(const std::string& value) : Json(std::string_view(value)) {}
    Json(const char* value) : Json(std::string_view(value)) {}
    template <std::integral T>
    Json(T value);
    Json(const void*) = delete;  // no bool
    // NOLINTEND(google-explicit-constructor)
    Json(const Json&) = delete;
    TENFERRO_API Json(Json&&) noexcept;
    Json& operator=(const Json&) = delete;
    TENFERRO_API Json& operator=(Json&&) noexcept;
    TENFERRO_API ~Json();

    [[nodiscard]] TENFERRO_API static Json list();
    /// Of the elements of a range, which are values or ranges again.
    template <std::ranges::input_range Range>
    [[nodiscard]] static Json list_of(const Range& values) {
        Json json = list();
        for (const auto& value : values)
            if constexpr (std::convertible_to<decltype(value), Json>)
                json.add(value);
            else
                json.add(list_of(value));
        return json;
    }
    [[nodiscard]] TENFERRO_API static Json object();
    /// Of a list; InvalidArgument where this is none.
    TENFERRO_API void add(Json value);
    /// Of an object, which is not searched for the key; returns what has been added, until more is added or
    /// the object is moved. InvalidArgument where this is none.
    TENFERRO_API Json& add(std::string_view key, Json value);
    [[nodiscard]] Json with(std::string_view key, Json value) && {
        add(key, std::move(value));
        return std::move(*this);
    }

    /// What it is, or null: bool, std::int64_t, OtherNumber (all other numbers, doubles too), std::string,
    /// List, Members.
    template <class T>
    [[nodiscard]] const T* as() const noexcept {
        return std::get_if<T>(&value_);
    }
    /// The member of an object, or null.
    [[nodiscard]] TENFERRO_API const Json* find(std::string_view key) const noexcept;
    /// "object", "array", "string", "number", "boolean" or "null".
    [[nodiscard]] TENFERRO_API std::string_view type_name() const noexcept;

    /// The value that `text` writes down. InvalidArgument of `op` where it is no JSON, has a number beyond
    /// the range of a double or a key twice in one object, or is nested more than 512 deep.
    [[nodiscard]] TENFERRO_API static Json parse(std::string_view text, std::string_view op);
    /// Compact: without spaces. Indented: by lines, in ASCII, with U+FFFD for what is not UTF-8.
    enum class Style { Compact, Indented };
    /// The text of the value; InvalidArgument of `op` where it is to be compact and a string is not UTF-8,
    /// which says where ("nodes[0].payload").
    [[nodiscard]] TENFERRO_API std::string dump(std::string_view op, Style style = Style::Compact) const;

private:
    class Builder;
    TENFERRO_API static std::string digits_of(std::uint64_t value);
    void append_to(std::string& text, Style style, std::size_t indent) const;

    std::variant<std::monostate, bool, std::int64_t, OtherNumber, std::string, List, Members> value_;
};

struct Json::Member {
    std::string key;
    Json value;
};

template <std::integral T>
Json::Json(T value) {  // where members are complete
    if constexpr (std::is_same_v<T, bool>)
        value_ = value;
    else if (std::in_range<std::int64_t>(value))
        value_ = static_cast<std::int64_t>(value);
    else
        value_ = OtherNumber{digits_of(static_cast<std::uint64_t>(value))};
}

}}  // namespace tenferro::TENFERRO_ABI
