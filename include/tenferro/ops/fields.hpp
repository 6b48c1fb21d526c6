// Payloads of operations as lists of named fields: what is in `kFields` of a struct is its identity, and all
// that follows from it is here: hash, equality and text, which for an extension is also how it is written
// down.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "tenferro/base/hash.hpp"
#include "tenferro/ops/constant_array.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/gather_scatter.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/sym_dim.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

/// A named member of a payload.
template <class Struct, class T>
struct Field {
    std::string_view name;
    T Struct::*member;
};
template <class Struct, class T>
Field(std::string_view, T Struct::*) -> Field<Struct, T>;

// What can be a field, and what follows for it.
TENFERRO_API void hash_field(Hasher& hasher, const Dims& value);
inline void hash_field(Hasher& hasher, const SymDim& value) { hasher.add(value.hash()); }
TENFERRO_API void hash_field(Hasher& hasher, const SymShape& value);
TENFERRO_API void hash_field(Hasher& hasher, const DotGeneralConfig& value);
TENFERRO_API void hash_field(Hasher& hasher, const ScatterConfig& value);
inline void hash_field(Hasher& hasher, const std::array<std::uint64_t, 2>& value) {
    for (const std::uint64_t word : value) hasher.add(word);
}
inline void hash_field(Hasher& hasher, const ConstantArray& value) { hasher.add(value.hash()); }
template <class T>
requires std::is_integral_v<T> || std::is_enum_v<T>
void hash_field(Hasher& hasher, T value) { hasher.add(static_cast<std::uint64_t>(value)); }
[[nodiscard]] TENFERRO_API std::string field_text(const Dims& value);
[[nodiscard]] TENFERRO_API std::string field_text(const SymDim& value);
[[nodiscard]] TENFERRO_API std::string field_text(const SymShape& value);
[[nodiscard]] TENFERRO_API std::string field_text(const DotGeneralConfig& value);
[[nodiscard]] TENFERRO_API std::string field_text(const ScatterConfig& value);
[[nodiscard]] TENFERRO_API std::string field_text(const std::array<std::uint64_t, 2>& value);
[[nodiscard]] TENFERRO_API std::string field_text(const ConstantArray& value);
inline void hash_field(Hasher& hasher, std::string_view value) { hasher.add(value); }
inline void hash_field(Hasher& hasher, double value) { hasher.add(std::bit_cast<std::uint64_t>(value)); }
[[nodiscard]] TENFERRO_API std::string field_text(OpId value);
[[nodiscard]] TENFERRO_API std::string field_text(DType value);
[[nodiscard]] TENFERRO_API std::string field_text(Index value);
[[nodiscard]] TENFERRO_API std::string field_text(bool value);
/// The shortest digits that are read back as the same number.
[[nodiscard]] TENFERRO_API std::string field_text(double value);
/// In quotes, with quotes and backslashes escaped.
[[nodiscard]] TENFERRO_API std::string field_text(const std::string& value);

/// Numbers are equal where their bits are: a payload with a NaN equals itself.
[[nodiscard]] inline bool field_equal(double a, double b) noexcept {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
template <class T>
[[nodiscard]] bool field_equal(const T& a, const T& b) {
    return a == b;
}

/// Calls f(field) for the fields of a struct in order.
template <class Struct, class F>
void each_field(F&& f) {
    std::apply([&](const auto&... field) { (f(field), ...); }, Struct::kFields);
}
template <class Struct>
void hash_fields(Hasher& hasher, const Struct& value) {
    each_field<Struct>([&](const auto& field) { hash_field(hasher, value.*field.member); });
}
template <class Struct>
[[nodiscard]] bool fields_equal(const Struct& a, const Struct& b) {
    bool equal = true;
    each_field<Struct>(
        [&](const auto& field) { equal = equal && field_equal(a.*field.member, b.*field.member); });
    return equal;
}
/// "axes=[0, 1], keep=true".
template <class Struct>
[[nodiscard]] std::string fields_text(const Struct& value) {
    std::string text;
    each_field<Struct>([&](const auto& field) {
        if (!text.empty()) text += ", ";
        text.append(field.name).append("=").append(field_text(value.*field.member));
    });
    return text;
}

/// Replaces every symbol of a field; whether there was one.
inline bool substitute_field(SymDim& value, FunctionRef<SymDim(DimSymbol)> replacement) {
    if (value.constant()) return false;
    value = value.substitute(replacement);
    return true;
}
inline bool substitute_field(SymShape& value, FunctionRef<SymDim(DimSymbol)> replacement) {
    bool found = false;
    for (SymDim& extent : value) found = substitute_field(extent, replacement) || found;
    return found;
}
/// A copy of `value` with every symbol of its fields replaced, or null where they have none.
template <class Struct>
[[nodiscard]] std::shared_ptr<Struct> substituted_fields(const Struct& value,
                                                         FunctionRef<SymDim(DimSymbol)> replacement) {
    std::shared_ptr<Struct> changed;
    each_field<Struct>([&]<class T>(const Field<Struct, T>& field) {
        if constexpr (std::is_same_v<T, SymShape> || std::is_same_v<T, SymDim>) {
            T copy = value.*field.member;
            if (!substitute_field(copy, replacement)) return;
            if (!changed) changed = std::make_shared<Struct>(value);
            (*changed).*field.member = std::move(copy);
        }
    });
    return changed;
}

/// Reads what fields_text wrote. Each member throws InvalidArgument with the place where the text is another.
class TENFERRO_API FieldReader {
public:
    explicit FieldReader(std::string_view text) noexcept : text_(text), rest_(text) {}

    /// The name of the next field, "=" and what comes between fields.
    void name(std::string_view name);
    void value(bool& value);
    void value(Index& value);
    void value(double& value);
    void value(DType& value);
    void value(Dims& value);
    void value(SymDim& value);
    void value(SymShape& value);
    void value(std::string& value);
    /// Nothing is left.
    void end() const;

private:
    /// A sum, a product and a factor of an extent, inside so many brackets.
    SymDim sum(int depth);
    SymDim product(int depth);
    SymDim factor(int depth);
    template <class T>
    [[gnu::visibility("hidden")]] void number(T& value);
    template <class List>
    [[gnu::visibility("hidden")]] void list(List& values);
    [[nodiscard]] bool skip(std::string_view word) noexcept;
    void expect(std::string_view word, std::string_view what);
    [[noreturn]] void fail(std::string_view wanted) const;

    std::string_view text_, rest_;
};

/// The arguments of Struct's constructor, its fields in order, from fields_text; make(fields...) is returned.
template <class Struct, class Make>
auto read_fields(std::string_view text, Make&& make) {
    return std::apply(
        [&]<class... T>(const Field<Struct, T>&... field) {
            FieldReader reader(text);
            std::tuple<std::remove_const_t<T>...> values;
            std::apply([&](auto&... value) { ((reader.name(field.name), reader.value(value)), ...); },
                       values);
            reader.end();
            return std::apply([&](auto&... value) { return make(std::move(value)...); }, values);
        },
        Struct::kFields);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
