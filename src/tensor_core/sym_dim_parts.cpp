// Taking symbolic extents apart.
#include "tenferro/tensor_core/sym_dim_parts.hpp"

#include <new>

#include "tenferro/base/error.hpp"
#include "tensor_core/sym_dim_polynomial.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

using tfe_detail::Atom;
using tfe_detail::AtomKind;
using tfe_detail::Polynomial;
using tfe_detail::Term;

namespace {

/// Held factors come first: while only they are multiplied, nothing expands.
DimParts product_of(const Term& term) {
    DimParts product{std::nullopt, DimOperator::Product, {}};
    for (const Atom& atom : term.atoms)
        if (atom.kind == AtomKind::Held) product.operands.push_back(atom.compound->operands[0]);
    for (const Atom& atom : term.atoms)
        if (atom.kind != AtomKind::Held) product.operands.push_back(Polynomial::single(atom));
    if (term.coefficient != 1) product.operands.emplace_back(term.coefficient);
    return product;
}

}  // namespace

DimParts parts_of(const SymDim& dim) try {
    const auto& terms = Polynomial::of(dim)->terms;
    if (terms.size() > 1) {
        DimParts sum{std::nullopt, DimOperator::Sum, {}};
        for (const Term& term : terms) sum.operands.push_back(Polynomial::sum({term}));
        return sum;
    }
    const Atom* const atom = tfe_detail::as_atom(dim);
    if (atom == nullptr || atom->kind == AtomKind::Held) return product_of(terms.front());
    if (atom->kind == AtomKind::Symbol) return {atom->symbol, DimOperator::Sum, {}};
    const DimOperator op = atom->kind == AtomKind::ExactDiv ? DimOperator::ExactDiv
                           : atom->kind == AtomKind::Min    ? DimOperator::Min
                                                            : DimOperator::Max;
    return {std::nullopt, op, atom->compound->operands};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

}}  // namespace tenferro::TENFERRO_ABI
