// Exact quotients of the polynomials behind SymDim: common factors cancel, then long division, then an
// exact_div atom.
#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "tensor_core/sym_dim_polynomial.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tfe_detail {
namespace {

constexpr Index kLeast = std::numeric_limits<Index>::min();
constexpr Index kMost = std::numeric_limits<Index>::max();

constexpr auto kBefore = [](const Atom& a, const Atom& b) { return compare(a, b) < 0; };

// a / b where it is an integer that 64 bits hold.
std::optional<Index> quotient(Index a, Index b) noexcept {
    if (b == 0 || (a == kLeast && b == -1) || a % b != 0) return std::nullopt;
    return a / b;
}

std::vector<Atom> without(const std::vector<Atom>& atoms, const std::vector<Atom>& removed) {
    std::vector<Atom> rest;
    std::set_difference(atoms.begin(), atoms.end(), removed.begin(), removed.end(), std::back_inserter(rest),
                        kBefore);
    return rest;
}

std::optional<Term> quotient(const Term& a, const Term& b) {
    const auto coefficient = quotient(a.coefficient, b.coefficient);
    if (!coefficient ||
        !std::includes(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(), kBefore))
        return std::nullopt;
    return Term{*coefficient, without(a.atoms, b.atoms)};
}

// Divides all terms of both by their greatest common monomial and integer.
void cancel_common_factors(Terms& a, Terms& b) {
    std::uint64_t divisor = 0;
    std::vector<Atom> atoms = b.front().atoms;
    for (const Terms* terms : {&a, &b})
        for (const Term& term : *terms) {
            const auto bits = static_cast<std::uint64_t>(term.coefficient);
            divisor = std::gcd(divisor, term.coefficient < 0 ? 0 - bits : bits);
            std::vector<Atom> common;
            std::set_intersection(atoms.begin(), atoms.end(), term.atoms.begin(), term.atoms.end(),
                                  std::back_inserter(common), kBefore);
            atoms = std::move(common);
        }
    if (divisor > static_cast<std::uint64_t>(kMost)) divisor /= 2;
    for (Terms* terms : {&a, &b})
        for (Term& term : *terms) {
            term.coefficient /= static_cast<Index>(divisor);
            term.atoms = without(term.atoms, atoms);
        }
}

// The divisor leads with a positive coefficient, so that exact_div(-a, -b) is exact_div(a, b).
void move_sign_to_dividend(Terms& a, Terms& b) {
    const auto negatable = [](const Term& term) { return term.coefficient != kLeast; };
    if (b.front().coefficient > 0 || !std::all_of(a.begin(), a.end(), negatable) ||
        !std::all_of(b.begin(), b.end(), negatable))
        return;
    for (Terms* terms : {&a, &b})
        for (Term& term : *terms) term.coefficient = -term.coefficient;
}

// The polynomial whose product with b is a, if there is one of moderate size.
std::optional<SymDim> long_division(const Terms& a, const Terms& b) {
    SymDim rest = Polynomial::sum(a);
    const SymDim divisor = Polynomial::sum(b);
    Terms terms;
    while (rest.constant() != 0) {
        auto leading = quotient(Polynomial::terms_of(rest).front(), b.front());
        if (!leading || terms.size() == kMaxExpansion) return std::nullopt;
        rest = rest - Polynomial::sum({*leading}) * divisor;
        terms.push_back(*std::move(leading));
    }
    return Polynomial::sum(std::move(terms));
}

}  // namespace

SymDim divide(const SymDim& a, const SymDim& b) {
    if (b.constant() == 0) return Polynomial::single(make_atom(AtomKind::ExactDiv, {a, b}));
    if (a.constant() == 0) return 0;
    Terms dividend = Polynomial::terms_of(a), divisor = Polynomial::terms_of(b);
    cancel_common_factors(dividend, divisor);
    move_sign_to_dividend(dividend, divisor);
    const SymDim reduced = Polynomial::sum(divisor);
    if (reduced.constant() == 1) return Polynomial::sum(std::move(dividend));
    if (auto exact = long_division(dividend, divisor)) return *std::move(exact);
    return Polynomial::single(make_atom(AtomKind::ExactDiv, {Polynomial::sum(std::move(dividend)), reduced}));
}

}}}  // namespace tenferro::TENFERRO_ABI::tfe_detail
