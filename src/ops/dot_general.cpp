// dot_general: bilinear, so each cotangent is the contraction of the other operand, conjugated, with the
// result's cotangent.
#include <algorithm>

#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

/// first, first + 1, … `count` numbers.
Dims range(std::size_t first, std::size_t count) {
    Dims numbers;
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<Index>(first + i));
    return numbers;
}

bool is_identity(const Dims& result_axes) {
    for (std::size_t i = 0; i < result_axes.size(); ++i)
        if (result_axes[i] != static_cast<Index>(i)) return false;
    return true;
}

/// One side of a contraction.
struct Side {
    std::size_t rank;
    const Dims &contract, &batch;
    Dims free = free_axes(rank, contract, batch);
};

/// The cotangent of the operand `wanted`, given `ct` with axes [lhs_free…, rhs_free…, batch…], where those of
/// the `other` operand begin at `other_at`. The contraction makes [wanted free…, contracted in the other's
/// order…, batch…]: each goes to its place in the operand.
Expr operand_cotangent(const Expr& ct, const Side& wanted, const Expr& other_value, const Side& other,
                       std::size_t other_at) {
    const std::size_t batch_at = wanted.free.size() + other.free.size();
    DotGeneralConfig config{range(other_at, other.free.size()), other.free,
                            range(batch_at, wanted.batch.size()), other.batch};
    Dims result_axes = wanted.free;
    Dims ascending = other.contract;
    std::sort(ascending.begin(), ascending.end());
    for (const Index axis : ascending)
        result_axes.push_back(wanted.contract[static_cast<std::size_t>(
            std::find(other.contract.begin(), other.contract.end(), axis) - other.contract.begin())]);
    result_axes.append(wanted.batch);
    if (is_identity(result_axes)) result_axes.clear();
    return ct.apply(DotGeneral(std::move(config), std::move(result_axes)), {ct, conjugate(other_value)});
}

}  // namespace

TensorMeta DotGeneral::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::dot_general_permuted(in[0], in[1], config, result_axes);
}

Tensor DotGeneral::run(BackendSession& session, std::span<const TensorRead> in) const {
    return result_axes.empty() ? session.dot_general_read(in[0], in[1], config)
                               : session.dot_general_permuted_read(in[0], in[1], config, result_axes);
}

std::optional<Expr> DotGeneral::tangent(const TangentArgs& args) const {
    const auto with = [&](const Expr& lhs, const Expr& rhs) { return lhs.apply(*this, {lhs, rhs}); };
    return sum_of(args.dx[0] ? std::optional(with(*args.dx[0], args.x[1])) : std::nullopt,
                  args.dx[1] ? std::optional(with(args.x[0], *args.dx[1])) : std::nullopt);
}

std::vector<std::optional<Expr>> DotGeneral::cotangents(const CotangentArgs& args) const {
    const Expr &lhs = args.inputs[0], &rhs = args.inputs[1];
    const Expr ct = result_axes.empty() ? args.ct : transpose(args.ct, result_axes);
    const Side left{lhs.rank(), config.lhs_contract, config.lhs_batch},
        right{rhs.rank(), config.rhs_contract, config.rhs_batch};
    const std::size_t split = left.free.size();
    if (args.is_linear(0)) return {operand_cotangent(ct, left, rhs, right, split), std::nullopt};
    return {std::nullopt, operand_cotangent(ct, right, lhs, left, 0)};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
