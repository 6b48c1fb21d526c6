// Order, sums and products of the polynomials behind SymDim.
#include "tensor_core/sym_dim_polynomial.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tenferro/base/hash.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tfe_detail {
namespace {

// Graded: terms of higher degree first, then by the first atom that differs. Products keep this order, as
// long division needs.
std::strong_ordering compare_monomials(const std::vector<Atom>& a, const std::vector<Atom>& b) noexcept {
    if (a.size() != b.size()) return b.size() <=> a.size();
    for (std::size_t i = 0; i < a.size(); ++i)
        if (const auto order = compare(a[i], b[i]); order != 0) return order;
    return std::strong_ordering::equal;
}

std::strong_ordering compare_terms(const Term& a, const Term& b) noexcept {
    const auto order = compare_monomials(a.atoms, b.atoms);
    return order != 0 ? order : a.coefficient <=> b.coefficient;
}

std::uint64_t hash_of(const Terms& terms) noexcept {
    Hasher hasher;
    for (const Term& term : terms) {
        hasher.add(static_cast<std::uint64_t>(term.coefficient));
        hasher.add(term.atoms.size());
        for (const Atom& atom : term.atoms) {
            hasher.add(static_cast<std::uint64_t>(atom.kind));
            hasher.add(atom.compound ? atom.compound->hash : atom.symbol.input);
            hasher.add(static_cast<std::uint64_t>(atom.symbol.axis));
        }
    }
    return hasher.value();
}

bool has_held_factor(const Terms& terms) {
    return std::any_of(terms.begin(), terms.end(), [](const Term& term) {
        return std::any_of(term.atoms.begin(), term.atoms.end(),
                           [](const Atom& atom) { return atom.kind == AtomKind::Held; });
    });
}

SymDim held(Term term) {
    Terms terms;
    terms.push_back(std::move(term));
    return Polynomial::single(make_atom(AtomKind::Held, {Polynomial::sum(std::move(terms))}));
}

// Adds up equal monomials. Where a sum of coefficients overflows, one of the terms is held, and so becomes
// another monomial. Held terms have coefficient 1: a further round can hold a term only where a coefficient
// was next to overflow before, so the rounds end.
Terms summed(Terms terms) {
    for (;;) {
        std::sort(terms.begin(), terms.end(),
                  [](const Term& a, const Term& b) { return compare_terms(a, b) < 0; });
        Terms sums, overflown;
        for (Term& term : terms) {
            if (sums.empty() || compare_monomials(sums.back().atoms, term.atoms) != 0) {
                sums.push_back(std::move(term));
            } else if (const auto sum = checked_add(sums.back().coefficient, term.coefficient)) {
                sums.back().coefficient = *sum;
            } else {
                overflown.push_back(Polynomial::terms_of(held(std::move(term))).front());
            }
        }
        sums.erase(
            std::remove_if(sums.begin(), sums.end(), [](const Term& term) { return term.coefficient == 0; }),
            sums.end());
        if (overflown.empty()) return sums;
        std::move(overflown.begin(), overflown.end(), std::back_inserter(sums));
        terms = std::move(sums);
    }
}

}  // namespace

Atom make_atom(AtomKind kind, std::vector<SymDim> operands) {
    Hasher hasher;
    for (const SymDim& operand : operands) hasher.add(operand.hash());
    const std::uint64_t hash = hasher.value();
    return Atom{kind, {}, std::make_shared<const Compound>(Compound{std::move(operands), hash})};
}

const Atom* as_atom(const SymDim& dim) noexcept {
    const Polynomial* const node = Polynomial::of(dim);
    if (!node || node->terms.size() != 1) return nullptr;
    const Term& term = node->terms.front();
    return term.coefficient == 1 && term.atoms.size() == 1 ? &term.atoms.front() : nullptr;
}

Terms Polynomial::terms_of(const SymDim& dim) {
    if (dim.node_) return dim.node_->terms;
    Terms terms;
    if (dim.value_ != 0) terms.push_back({dim.value_, {}});
    return terms;
}

SymDim Polynomial::sum(Terms terms) {
    terms = summed(std::move(terms));
    if (terms.empty()) return 0;
    if (terms.size() == 1 && terms.front().atoms.empty()) return terms.front().coefficient;
    const std::uint64_t hash = hash_of(terms);
    SymDim dim;
    dim.node_ = std::make_shared<const Polynomial>(Polynomial{std::move(terms), hash});
    return dim;
}

SymDim Polynomial::single(Atom atom) {
    Terms terms(1);
    terms.front().coefficient = 1;
    terms.front().atoms.push_back(std::move(atom));
    return sum(std::move(terms));
}

std::strong_ordering compare(const Atom& a, const Atom& b) noexcept {
    if (a.kind != b.kind) return a.kind <=> b.kind;
    if (a.kind == AtomKind::Symbol) return a.symbol <=> b.symbol;
    if (a.compound == b.compound) return std::strong_ordering::equal;
    const auto &left = a.compound->operands, &right = b.compound->operands;
    if (left.size() != right.size()) return left.size() <=> right.size();
    for (std::size_t i = 0; i < left.size(); ++i)
        if (const auto order = compare(left[i], right[i]); order != 0) return order;
    return std::strong_ordering::equal;
}

std::strong_ordering compare(const SymDim& a, const SymDim& b) noexcept {
    const Polynomial *const left = Polynomial::of(a), *const right = Polynomial::of(b);
    if (left == right) return a.constant().value_or(0) <=> b.constant().value_or(0);
    if (!left || !right) return left ? std::strong_ordering::greater : std::strong_ordering::less;
    const std::size_t common = std::min(left->terms.size(), right->terms.size());
    for (std::size_t i = 0; i < common; ++i)
        if (const auto order = compare_terms(left->terms[i], right->terms[i]); order != 0) return order;
    return left->terms.size() <=> right->terms.size();
}

std::optional<Terms> expanded_product(const Terms& a, const Terms& b) {
    if (a.size() > 1 && b.size() > 1 && a.size() * b.size() > kMaxExpansion) return std::nullopt;
    if ((b.size() > 1 && has_held_factor(a)) || (a.size() > 1 && has_held_factor(b))) return std::nullopt;
    Terms product;
    product.reserve(a.size() * b.size());
    for (const Term& left : a) {
        for (const Term& right : b) {
            const auto coefficient = checked_mul(left.coefficient, right.coefficient);
            if (!coefficient || left.atoms.size() + right.atoms.size() > kMaxExpansion) return std::nullopt;
            Term& term = product.emplace_back(Term{*coefficient, {}});
            std::merge(left.atoms.begin(), left.atoms.end(), right.atoms.begin(), right.atoms.end(),
                       std::back_inserter(term.atoms),
                       [](const Atom& x, const Atom& y) { return compare(x, y) < 0; });
        }
    }
    return product;
}

SymDim factored_product(const SymDim& a, const SymDim& b) {
    const auto hold = [](const SymDim& dim) { return Polynomial::single(make_atom(AtomKind::Held, {dim})); };
    // An operand of one term joins in as it is, unless that is what overflows or grows too large.
    const auto is_term = [](const SymDim& dim) { return Polynomial::terms_of(dim).size() == 1; };
    if (is_term(a) != is_term(b))
        if (const auto product =
                is_term(a) ? expanded_product(Polynomial::terms_of(a), Polynomial::terms_of(hold(b)))
                           : expanded_product(Polynomial::terms_of(hold(a)), Polynomial::terms_of(b)))
            return Polynomial::sum(*product);
    const auto factor = [&](const SymDim& dim) { return as_atom(dim) ? dim : hold(dim); };
    const SymDim left = factor(a), right = a == b ? left : factor(b);
    return Polynomial::sum(*expanded_product(Polynomial::terms_of(left), Polynomial::terms_of(right)));
}

}}}  // namespace tenferro::TENFERRO_ABI::tfe_detail
