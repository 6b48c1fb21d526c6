// The normal form behind SymDim: polynomials with integer coefficients whose unknowns ("atoms") are symbols
// and the operations that polynomials are not closed under.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tenferro/tensor_core/sym_dim.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tfe_detail {

/// Held wraps a polynomial that takes part unexpanded, since expanding it would overflow a coefficient or
/// grow too large.
enum class AtomKind : std::uint8_t { Symbol, ExactDiv, Min, Max, Held };

/// The operands of an atom that is not a symbol.
struct Compound {
    std::vector<SymDim> operands;
    std::uint64_t hash;
};

struct Atom {
    AtomKind kind;
    DimSymbol symbol;                          // of a Symbol
    std::shared_ptr<const Compound> compound;  // of every other kind
};

/// coefficient * product of atoms; the atoms are sorted, repeated for powers.
struct Term {
    Index coefficient;
    std::vector<Atom> atoms;
};

using Terms = std::vector<Term>;

/// What a SymDim that is not a number points to. The terms are sorted by monomial, no monomial occurs twice
/// and no coefficient is zero.
struct Polynomial {
    Terms terms;
    std::uint64_t hash;

    /// Null for a number.
    static const Polynomial* of(const SymDim& dim) noexcept { return dim.node_.get(); }
    /// The terms of any extent; those of a number are one term without atoms, or none for 0.
    static Terms terms_of(const SymDim& dim);
    /// The extent that terms in any order add up to.
    static SymDim sum(Terms terms);
    /// An extent that is one atom.
    static SymDim single(Atom atom);
};

/// Expanded products have at most this many terms, and a term this many atoms.
inline constexpr std::size_t kMaxExpansion = 64;

[[nodiscard]] Atom make_atom(AtomKind kind, std::vector<SymDim> operands);
/// The atom that `dim` consists of, or null.
[[nodiscard]] const Atom* as_atom(const SymDim& dim) noexcept;

/// A total order of normal forms, numbers first.
[[nodiscard]] std::strong_ordering compare(const SymDim& a, const SymDim& b) noexcept;
[[nodiscard]] std::strong_ordering compare(const Atom& a, const Atom& b) noexcept;

/// The product, not yet summed up; nullopt where it would be too large or a coefficient overflow, and where
/// it would copy held factors into many terms.
[[nodiscard]] std::optional<Terms> expanded_product(const Terms& a, const Terms& b);
/// The product as one term that holds those operands which are not single terms.
[[nodiscard]] SymDim factored_product(const SymDim& a, const SymDim& b);

/// exact_div for operands that are not both numbers with an exact quotient.
[[nodiscard]] SymDim divide(const SymDim& a, const SymDim& b);

}}}  // namespace tenferro::TENFERRO_ABI::tfe_detail
