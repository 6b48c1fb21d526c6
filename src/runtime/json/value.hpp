// Json: a JSON value that is destroyed without memory, as values must be where there is none: the readers and
// writers of graphs throw OutOfMemory half way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

inline constexpr std::string_view kJsonOp = "graph_json";

class Json {
public:
    struct Member;
    using List = std::vector<Json>;
    using Members = std::vector<Member>;

    Json() noexcept;
    Json(bool value) noexcept;          // NOLINT(google-explicit-constructor)
    Json(std::int64_t value) noexcept;  // NOLINT(google-explicit-constructor)
    Json(std::string_view value);       // NOLINT(google-explicit-constructor)
    Json(const void*) = delete;         // a literal is no bool
    Json(const Json&) = delete;
    Json(Json&&) noexcept;
    Json& operator=(const Json&) = delete;
    Json& operator=(Json&&) noexcept;
    ~Json();

    [[nodiscard]] static Json list();
    [[nodiscard]] static Json object();
    /// Of a list.
    void add(Json value);
    /// Of an object; returns what has been added.
    Json& add(std::string_view key, Json value);
    [[nodiscard]] Json with(std::string_view key, Json value) && {
        add(key, std::move(value));
        return std::move(*this);
    }

    /// What it is, or null: an integer beyond 64 bits with a sign is another number, as those with a point
    /// are.
    template <class T>
    [[nodiscard]] const T* as() const noexcept {
        return std::get_if<T>(&value_);
    }
    struct OtherNumber {
        std::string digits;
    };
    [[nodiscard]] const Json* find(std::string_view key) const noexcept;
    /// "object", "array", "string", "number", "boolean" or "null".
    [[nodiscard]] std::string_view type_name() const noexcept;

    /// The value that `text` writes down, or InvalidArgument.
    [[nodiscard]] static Json parse(std::string_view text);
    /// Without spaces; InvalidArgument where a string is not UTF-8.
    [[nodiscard]] std::string dump() const;

private:
    class Builder;
    void append_to(std::string& text) const;

    std::variant<std::monostate, bool, std::int64_t, OtherNumber, std::string, List, Members> value_;
};

struct Json::Member {
    std::string key;
    Json value;
};

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
