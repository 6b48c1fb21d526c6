// The steps that operations are in a plan on small matrices, whose axes 0 and 1 are those of the matrices.
#include "ops/matrix_steps.hpp"

#include <algorithm>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

using MaybeValue = MatrixPlan::MaybeValue;
using Terms = MatrixPlan::Terms;

/// The elements of a matrix for which `kept`(column - row) holds.
template <class F>
MaybeValue triangle(MatrixPlan& plan, MatrixPlan::Value x, F&& kept) {
    const MatrixExtents e = plan.extents(x);
    if (e.rank != 2) return std::nullopt;
    std::vector<Terms> elements(static_cast<std::size_t>(e.elements()));
    for (Index i = 0; i < e.elements(); ++i)
        if (kept(i / e.rows - i % e.rows))
            elements[static_cast<std::size_t>(i)].first = static_cast<std::int32_t>(i);
    return plan.select(x, e, std::move(elements));
}

/// Whether the axes are those behind the matrices, in order.
bool are_batch(const Dims& axes, const MatrixPlan& plan) {
    if (axes.size() != plan.batch().size()) return false;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] != static_cast<Index>(i + 2)) return false;
    return true;
}

/// Whether `perm` exchanges axes 0 and 1 at most; `swapped` says so.
bool within_matrices(const Dims& perm, bool& swapped) {
    if (perm.size() < 2) return false;
    swapped = perm[0] == 1;
    for (std::size_t i = 0; i < perm.size(); ++i) {
        const std::size_t from = i < 2 && swapped ? 1 - i : i;
        if (perm[i] != static_cast<Index>(from)) return false;
    }
    return true;
}

}  // namespace

MaybeValue Elementwise::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {
    return in.size() > 2 ? std::nullopt : plan.combine(op, in[0], in.back());
}

MaybeValue DotGeneral::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {
    const auto contracted = [](const Dims& axes) { return axes.size() == 1 && axes[0] < 2; };
    bool transposed = false;
    if (!contracted(config.lhs_contract) || !contracted(config.rhs_contract) ||
        !are_batch(config.lhs_batch, plan) || !are_batch(config.rhs_batch, plan) ||
        !(result_axes.empty() || within_matrices(result_axes, transposed)))
        return std::nullopt;
    return plan.multiply(
        {in[0], in[1], config.lhs_contract[0] == 0, config.rhs_contract[0] == 1, transposed});
}

MaybeValue Transpose::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {
    bool swapped = false;
    if (!within_matrices(perm, swapped) || !swapped) return std::nullopt;
    return plan.transpose(in[0]);
}

MaybeValue ExtractDiagonal::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {
    const MatrixExtents e = plan.extents(in[0]);
    if (first != 0 || second != 1 || e.rank != 2 || e.rows != e.columns) return std::nullopt;
    std::vector<Terms> elements;
    for (Index i = 0; i < e.rows; ++i) elements.push_back({static_cast<std::int32_t>(i * (e.rows + 1))});
    return plan.select(in[0], {e.rows, 1, 1}, std::move(elements));
}

MaybeValue step_of(const EmbedDiagonal& op, MatrixPlan& plan, MatrixPlan::Values in) {
    const MatrixExtents e = plan.extents(in[0]);
    if (op.first != 0 || op.second != 1 || e.rank != 1) return std::nullopt;
    std::vector<Terms> elements(static_cast<std::size_t>(e.rows * e.rows));
    for (Index i = 0; i < e.rows; ++i)
        elements[static_cast<std::size_t>(i * (e.rows + 1))].first = static_cast<std::int32_t>(i);
    return plan.select(in[0], {e.rows, e.rows}, std::move(elements));
}
MaybeValue step_of(const Tril& op, MatrixPlan& plan, MatrixPlan::Values in) {
    return triangle(plan, in[0], [&](Index above) { return above <= op.diagonal; });
}
MaybeValue step_of(const Triu& op, MatrixPlan& plan, MatrixPlan::Values in) {
    return triangle(plan, in[0], [&](Index above) { return above >= op.diagonal; });
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
