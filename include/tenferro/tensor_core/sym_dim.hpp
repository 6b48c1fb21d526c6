// Symbolic extents: integer expressions over the extents of traced inputs. They are kept in a normal form, so
// that extents that are equal as polynomials compare equal, and a program traced once can be evaluated for
// any extents of its inputs.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tenferro/base/checked.hpp"
#include "tenferro/base/error_allocator.hpp"
#include "tenferro/base/export.hpp"
#include "tenferro/base/function_ref.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tfe_detail {
struct Polynomial;
}

/// Which extent of which traced input a symbol stands for.
struct DimSymbol {
    std::uint64_t input;
    Index axis;
    friend auto operator<=>(const DimSymbol&, const DimSymbol&) = default;
};

/// An extent: a number, or an expression of +, -, *, exact_div, min and max over symbols. Immutable, so
/// threads may share it; a number needs no heap.
///
/// The normal form is a sum of integer multiples of products of symbols and of exact_div, min and max of
/// normal forms. Building is total, it throws nothing but OutOfMemory: what has no value (an inexact quotient
/// of numbers, a sum beyond 64 bits) stays in the expression and `evaluate` reports it. Factors that cancel
/// are gone, with the errors they might have caused: exact_div(a * b, b) is a, also where b turns out to be
/// 0. Products that would expand to more than 64 terms or factors stay factored; such extents may compare
/// unequal although they are equal polynomials, never the other way round.
///
/// Sums, products and chains of the same min or max are flat. Functions recurse once per level of exact_div,
/// min, max or factored product inside another, so the stack bounds that depth to some tens of thousands.
class TENFERRO_API SymDim {
public:
    SymDim() noexcept = default;
    /// Implicit, so that numbers and expressions mix.
    SymDim(Index constant) noexcept : value_(constant) {}  // NOLINT(google-explicit-constructor)

    /// The extent of one axis of a traced input.
    [[nodiscard]] static SymDim input(std::uint64_t input, Index axis);

    /// Set when it is a known number.
    [[nodiscard]] std::optional<Index> constant() const noexcept {
        if (node_) return std::nullopt;
        return value_;
    }

    TENFERRO_API friend SymDim operator+(const SymDim& a, const SymDim& b);
    TENFERRO_API friend SymDim operator-(const SymDim& a, const SymDim& b);
    TENFERRO_API friend SymDim operator*(const SymDim& a, const SymDim& b);
    /// a / b where b divides a; evaluation fails elsewhere.
    TENFERRO_API friend SymDim exact_div(const SymDim& a, const SymDim& b);
    TENFERRO_API friend SymDim min(const SymDim& a, const SymDim& b);
    TENFERRO_API friend SymDim max(const SymDim& a, const SymDim& b);

    /// Equality of normal forms.
    TENFERRO_API friend bool operator==(const SymDim& a, const SymDim& b) noexcept;
    /// Equal extents have equal hashes, in every process.
    [[nodiscard]] std::uint64_t hash() const noexcept;

    /// "3", "n0_1^2 + 2", "exact_div(n0_0 * n0_1, 4)": n<input>_<axis> names a symbol.
    [[nodiscard]] std::string text() const;

    /// The extent that a symbol stands for. It may be asked for the same symbol more than once.
    using Bindings = FunctionRef<Index(DimSymbol)>;
    /// The extent under `bindings`. Intermediate values have 128 bits. Throws InvalidConfig for an inexact
    /// division, a division by zero, an overflow and a negative extent, naming the expression and the values
    /// of its symbols.
    [[nodiscard]] Index evaluate(Bindings bindings) const;

    /// Replaces every symbol by an expression.
    [[nodiscard]] SymDim substitute(FunctionRef<SymDim(DimSymbol)> replacement) const;

    /// The distinct symbols in it, sorted.
    [[nodiscard]] std::vector<DimSymbol> symbols() const;

private:
    friend struct tfe_detail::Polynomial;

    Index value_ = 0;                                     // what it is where there is no node
    std::shared_ptr<const tfe_detail::Polynomial> node_;  // set unless it is a number
};

/// The extents of a traced tensor; a lack of memory for them is OutOfMemory.
using SymShape = std::vector<SymDim, ErrorAllocator<SymDim>>;

}}  // namespace tenferro::TENFERRO_ABI
