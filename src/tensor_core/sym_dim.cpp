// The operators of SymDim, with numbers on a path of their own that allocates nothing, and what walks an
// expression.
#include "tenferro/tensor_core/sym_dim.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "tenferro/base/error.hpp"
#include "tenferro/base/hash.hpp"
#include "tensor_core/sym_dim_polynomial.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

using tfe_detail::Atom;
using tfe_detail::AtomKind;
using tfe_detail::Compound;
using tfe_detail::Polynomial;
using tfe_detail::Term;
using tfe_detail::Terms;

namespace {

// The operands of `dim` where it is an extremum of this kind, else itself.
std::vector<SymDim> operands_of(AtomKind kind, const SymDim& dim) {
    const Atom* const atom = tfe_detail::as_atom(dim);
    if (atom && atom->kind == kind) return atom->compound->operands;
    return {dim};
}

// Whether a - b is known to be negative, zero or positive.
std::optional<std::strong_ordering> known_order(const SymDim& a, const SymDim& b) {
    if (a.constant() && b.constant()) return *a.constant() <=> *b.constant();
    if (const auto difference = (a - b).constant()) return *difference <=> 0;
    return std::nullopt;
}

SymDim extremum(AtomKind kind, const SymDim& a, const SymDim& b) {
    std::vector<SymDim> kept = operands_of(kind, a);
    for (const SymDim& candidate : operands_of(kind, b)) {
        bool needed = true;
        for (std::size_t i = 0; needed && i < kept.size();) {
            const auto order = known_order(candidate, kept[i]);
            const bool wins = order && (kind == AtomKind::Min ? *order < 0 : *order > 0);
            needed = !order || wins;
            wins ? void(kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i))) : void(++i);
        }
        if (needed) kept.push_back(candidate);
    }
    if (kept.size() == 1) return kept.front();
    std::sort(kept.begin(), kept.end(),
              [](const SymDim& x, const SymDim& y) { return tfe_detail::compare(x, y) < 0; });
    return Polynomial::single(tfe_detail::make_atom(kind, std::move(kept)));
}

void collect(const SymDim& dim, std::set<DimSymbol>& symbols, std::set<const Compound*>& visited) {
    const Polynomial* const node = Polynomial::of(dim);
    if (!node) return;
    for (const Term& term : node->terms)
        for (const Atom& atom : term.atoms) {
            if (atom.kind == AtomKind::Symbol) {
                symbols.insert(atom.symbol);
            } else if (visited.insert(atom.compound.get()).second) {
                for (const SymDim& operand : atom.compound->operands) collect(operand, symbols, visited);
            }
        }
}

// Replaces symbols; what occurs more than once is done once.
class Substitution {
public:
    explicit Substitution(FunctionRef<SymDim(DimSymbol)> replacement) : replacement_(replacement) {}

    SymDim of(const SymDim& dim) {
        const Polynomial* const node = Polynomial::of(dim);
        if (!node) return dim;
        Terms terms;
        for (const Term& term : node->terms) {
            SymDim product = term.coefficient;
            for (const Atom& atom : term.atoms) product = product * of(atom);
            for (Term& part : Polynomial::terms_of(product)) terms.push_back(std::move(part));
        }
        return Polynomial::sum(std::move(terms));
    }

private:
    SymDim of(const Atom& atom) {
        if (atom.kind == AtomKind::Symbol) return replacement_(atom.symbol);
        if (const auto found = done_.find(atom.compound.get()); found != done_.end()) return found->second;
        const auto& operands = atom.compound->operands;
        SymDim result = of(operands[0]);
        for (std::size_t i = 1; i < operands.size(); ++i) {
            const SymDim operand = of(operands[i]);
            result = atom.kind == AtomKind::ExactDiv ? exact_div(result, operand)
                                                     : extremum(atom.kind, result, operand);
        }
        done_.emplace(atom.compound.get(), result);
        return result;
    }

    FunctionRef<SymDim(DimSymbol)> replacement_;
    std::map<const Compound*, SymDim> done_;
};

}  // namespace

SymDim SymDim::input(std::uint64_t input, Index axis) try {
    return Polynomial::single(Atom{AtomKind::Symbol, DimSymbol{input, axis}, nullptr});
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

SymDim operator+(const SymDim& a, const SymDim& b) try {
    if (a.constant() == 0) return b;
    if (b.constant() == 0) return a;
    if (a.constant() && b.constant())
        if (const auto sum = checked_add(*a.constant(), *b.constant())) return *sum;
    Terms terms = Polynomial::terms_of(a);
    for (Term& term : Polynomial::terms_of(b)) terms.push_back(std::move(term));
    return Polynomial::sum(std::move(terms));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

SymDim operator-(const SymDim& a, const SymDim& b) try {
    Index difference;
    if (a.constant() && b.constant() && !__builtin_sub_overflow(*a.constant(), *b.constant(), &difference))
        return difference;
    return a == b ? SymDim() : a + SymDim(-1) * b;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

SymDim operator*(const SymDim& a, const SymDim& b) try {
    if (a.constant() == 1 || b.constant() == 0) return b;
    if (b.constant() == 1 || a.constant() == 0) return a;
    if (a.constant() && b.constant())
        if (const auto product = checked_mul(*a.constant(), *b.constant())) return *product;
    if (auto product = tfe_detail::expanded_product(Polynomial::terms_of(a), Polynomial::terms_of(b)))
        return Polynomial::sum(*std::move(product));
    return tfe_detail::factored_product(a, b);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

SymDim exact_div(const SymDim& a, const SymDim& b) try {
    if (a.constant() && b.constant()) {
        const Index dividend = *a.constant(), divisor = *b.constant();
        const bool overflows = divisor == -1 && dividend == std::numeric_limits<Index>::min();
        if (divisor != 0 && !overflows && dividend % divisor == 0) return dividend / divisor;
    }
    return tfe_detail::divide(a, b);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

SymDim min(const SymDim& a, const SymDim& b) try {
    if (a.constant() && b.constant()) return *a.constant() < *b.constant() ? a : b;
    return extremum(AtomKind::Min, a, b);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

SymDim max(const SymDim& a, const SymDim& b) try {
    if (a.constant() && b.constant()) return *a.constant() > *b.constant() ? a : b;
    return extremum(AtomKind::Max, a, b);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

bool operator==(const SymDim& a, const SymDim& b) noexcept {
    if (!a.node_ || !b.node_) return !a.node_ && !b.node_ && a.value_ == b.value_;
    return a.node_ == b.node_ || (a.hash() == b.hash() && tfe_detail::compare(a, b) == 0);
}

std::uint64_t SymDim::hash() const noexcept {
    if (const Polynomial* const node = Polynomial::of(*this)) return node->hash;
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(value_));
    return hasher.value();
}

SymDim SymDim::substitute(FunctionRef<SymDim(DimSymbol)> replacement) const try {
    return Substitution(replacement).of(*this);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

std::vector<DimSymbol> SymDim::symbols() const try {
    std::set<DimSymbol> symbols;
    std::set<const Compound*> visited;
    collect(*this, symbols, visited);
    return {symbols.begin(), symbols.end()};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

}}  // namespace tenferro::TENFERRO_ABI
