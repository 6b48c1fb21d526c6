// Fields as hashes and texts, and texts as fields.
#include "tenferro/ops/fields.hpp"

#include <algorithm>
#include <limits>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/tensor_meta.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

void hash_field(Hasher& hasher, const Dims& value) {
    hasher.add(value.size());
    for (const Index i : value) hasher.add(static_cast<std::uint64_t>(i));
}
void hash_field(Hasher& hasher, const SymShape& value) {
    hasher.add(value.size());
    for (const SymDim& dim : value) hasher.add(dim.hash());
}
void hash_field(Hasher& hasher, const DotGeneralConfig& value) {
    for (const Dims* list : {&value.lhs_contract, &value.rhs_contract, &value.lhs_batch, &value.rhs_batch})
        hash_field(hasher, *list);
}
void hash_field(Hasher& hasher, const ScatterConfig& value) {
    for (const Dims* list :
         {&value.update_window_dims, &value.inserted_window_dims, &value.scatter_dims_to_operand_dims})
        hash_field(hasher, *list);
    hash_field(hasher, value.index_vector_dim);
}

std::string field_text(const Dims& value) { return list_text(value); }
std::string field_text(const SymDim& value) { return value.text(); }
std::string field_text(const SymShape& value) { return shape_text(value); }
std::string field_text(const DotGeneralConfig& value) {
    return text("{lhs_contract=", list_text(value.lhs_contract),
                ", rhs_contract=", list_text(value.rhs_contract), ", lhs_batch=", list_text(value.lhs_batch),
                ", rhs_batch=", list_text(value.rhs_batch), "}");
}
std::string field_text(const ScatterConfig& value) {
    return text("{update_window_dims=", list_text(value.update_window_dims),
                ", inserted_window_dims=", list_text(value.inserted_window_dims),
                ", scatter_dims_to_operand_dims=", list_text(value.scatter_dims_to_operand_dims),
                ", index_vector_dim=", value.index_vector_dim, "}");
}
std::string field_text(const std::array<std::uint64_t, 2>& value) { return list_text(value); }
std::string field_text(const ConstantArray& value) {
    return text(info(value.view().dtype()).name, list_text(value.view().shape()));
}
std::string field_text(OpId value) { return std::string(info(value).name); }
std::string field_text(DType value) { return std::string(info(value).name); }
std::string field_text(Index value) { return text(value); }
std::string field_text(bool value) { return value ? "true" : "false"; }
std::string field_text(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}
std::string field_text(const std::string& value) {
    std::string quoted = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

void FieldReader::fail(std::string_view wanted) const {
    throw Error(ErrorKind::InvalidArgument, "payload",
                text("expected ", wanted, " at byte ", text_.size() - rest_.size(), " of '", text_, "'"));
}
bool FieldReader::skip(std::string_view word) noexcept {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
}
void FieldReader::expect(std::string_view word, std::string_view what) {
    if (!skip(word)) fail(what);
}
void FieldReader::name(std::string_view name) {
    if (rest_.size() != text_.size()) expect(", ", "', '");
    expect(name, text("field '", name, "'"));
    expect("=", "'='");
}
void FieldReader::end() const {
    if (!rest_.empty()) fail("the end");
}
void FieldReader::value(bool& value) {
    value = skip("true");
    if (!value) expect("false", "true or false");
}
template <class T>
void FieldReader::number(T& value) {
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failure != std::errc()) fail(std::is_integral_v<T> ? "an integer" : "a number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
}
void FieldReader::value(Index& value) { number(value); }
void FieldReader::value(double& value) { number(value); }
void FieldReader::value(DType& value) {
    for (const DTypeInfo& row : kDTypes)
        if (skip(row.name)) {
            value = row.dtype;
            return;
        }
    fail("a dtype");
}
template <class List>
void FieldReader::list(List& values) {
    expect("[", "'['");
    for (bool first = true; !skip("]"); first = false) {
        if (!first) expect(", ", "', '");
        typename List::value_type entry = 0;
        value(entry);
        values.push_back(std::move(entry));
    }
}
void FieldReader::value(Dims& value) { list(value); }
void FieldReader::value(SymShape& value) { list(value); }
void FieldReader::value(SymDim& value) { value = sum(0); }
SymDim FieldReader::sum(int depth) {
    constexpr int kDeepest = 256;  // the nesting of brackets is that of the call stack
    if (depth == kDeepest) fail("an extent of fewer brackets");
    const auto negative = [&]() -> SymDim {
        if (!skip("9223372036854775808")) return SymDim(0) - product(depth);
        SymDim value = std::numeric_limits<Index>::min();  // which is the negative of no Index
        while (skip(" * ")) value = value * factor(depth);
        return value;
    };
    SymDim value = skip("-") ? negative() : product(depth);
    for (;;) {
        if (skip(" + "))
            value = value + product(depth);
        else if (skip(" - "))
            value = value + negative();
        else
            return value;
    }
}
SymDim FieldReader::product(int depth) {
    SymDim value = factor(depth);
    while (skip(" * ")) value = value * factor(depth);
    return value;
}
SymDim FieldReader::factor(int depth) {
    using Combine = SymDim (*)(const SymDim&, const SymDim&);
    static constexpr std::pair<std::string_view, Combine> kFunctions[] = {
        {"exact_div(", [](const SymDim& a, const SymDim& b) { return exact_div(a, b); }},
        {"min(", [](const SymDim& a, const SymDim& b) { return min(a, b); }},
        {"max(", [](const SymDim& a, const SymDim& b) { return max(a, b); }},
        {"(", nullptr},
    };
    SymDim value;
    if (skip("n")) {
        DimSymbol symbol{};
        number(symbol.input);
        expect("_", "'_'");
        number(symbol.axis);
        value = SymDim::input(symbol.input, symbol.axis);
    } else if (const auto* const function =
                   std::ranges::find_if(kFunctions, [&](const auto& row) { return skip(row.first); });
               function != std::end(kFunctions)) {
        value = sum(depth + 1);
        if (function->second != nullptr)
            while (skip(", ")) value = function->second(value, sum(depth + 1));
        expect(")", "')'");
    } else {
        Index constant = 0;
        number(constant);
        return constant;
    }
    std::uint64_t power = 1;
    constexpr std::uint64_t kHighest = 64;  // of the normal form
    if (skip("^")) number(power);
    if (power < 1 || power > kHighest) fail("a power of at most 64");
    SymDim result = value;
    for (; power > 1; --power) result = result * value;
    return result;
}
void FieldReader::value(std::string& value) {
    expect("\"", "'\"'");
    while (!skip("\"")) {
        if (rest_.size() < 2) fail("'\"'");
        static_cast<void>(skip("\\"));
        value += rest_.front();
        rest_.remove_prefix(1);
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
