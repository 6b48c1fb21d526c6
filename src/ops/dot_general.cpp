// dot_general: bilinear, so each cotangent is the contraction of the other operand, conjugated, with the
// result's cotangent.
#include <algorithm>

#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

namespace {

/// first, first + 1, … `count` numbers.
Dims range(std::size_t first, std::size_t count) {
    Dims numbers;
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<Index>(first + i));
    return numbers;
}

bool is_identity(const Dims& placement) {
    for (std::size_t i = 0; i < placement.size(); ++i)
        if (placement[i] != static_cast<Index>(i)) return false;
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
    Dims placement = wanted.free;
    Dims ascending = other.contract;
    std::sort(ascending.begin(), ascending.end());
    for (const Index axis : ascending)
        placement.push_back(wanted.contract[static_cast<std::size_t>(
            std::find(other.contract.begin(), other.contract.end(), axis) - other.contract.begin())]);
    placement.append(wanted.batch);
    if (is_identity(placement)) placement.clear();
    return ct.apply(DotGeneral(std::move(config), std::move(placement)), {ct, conjugate(other_value)});
}

}  // namespace

TensorMeta DotGeneral::infer_one(std::span<const TensorMeta> in) const {
    const TensorMeta &lhs = in[0], &rhs = in[1];
    check_dtypes(lhs, rhs, name());
    check_defined(OpId::DotGeneral, lhs.dtype);
    // Lists are checked on shapes of ones; extents are compared below.
    static_cast<void>(dot_general_shape(Dims(lhs.rank(), 1), Dims(rhs.rank(), 1), config));
    for (std::size_t i = 0; i < config.lhs_contract.size(); ++i)
        static_cast<void>(common_extent(lhs, static_cast<std::size_t>(config.lhs_contract[i]), rhs,
                                        static_cast<std::size_t>(config.rhs_contract[i]), name()));
    SymShape standard = extents_at(lhs, free_axes(lhs.rank(), config.lhs_contract, config.lhs_batch));
    for (const SymDim& dim : extents_at(rhs, free_axes(rhs.rank(), config.rhs_contract, config.rhs_batch)))
        standard.push_back(dim);
    for (std::size_t i = 0; i < config.lhs_batch.size(); ++i)
        standard.push_back(common_extent(lhs, static_cast<std::size_t>(config.lhs_batch[i]), rhs,
                                         static_cast<std::size_t>(config.rhs_batch[i]), name()));
    if (placement.empty()) return {lhs.dtype, standard};
    check_permutation(placement, standard.size(), name());
    SymShape placed(standard.size());
    for (std::size_t i = 0; i < standard.size(); ++i)
        placed[static_cast<std::size_t>(placement[i])] = standard[i];
    return {lhs.dtype, placed};
}

Tensor DotGeneral::run(BackendSession& session, std::span<const TensorRead> in) const {
    return placement.empty() ? session.dot_general_read(in[0], in[1], config)
                             : session.dot_general_permuted_read(in[0], in[1], config, placement);
}

std::optional<Expr> DotGeneral::tangent(const TangentArgs& args) const {
    const auto with = [&](const Expr& lhs, const Expr& rhs) { return lhs.apply(*this, {lhs, rhs}); };
    return sum_of(args.dx[0] ? std::optional(with(*args.dx[0], args.x[1])) : std::nullopt,
                  args.dx[1] ? std::optional(with(args.x[0], *args.dx[1])) : std::nullopt);
}

std::vector<std::optional<Expr>> DotGeneral::cotangents(const CotangentArgs& args) const {
    const Expr &lhs = args.inputs[0], &rhs = args.inputs[1];
    const Expr ct = placement.empty() ? args.ct : transpose(args.ct, placement);
    const Side left{lhs.rank(), config.lhs_contract, config.lhs_batch},
        right{rhs.rank(), config.rhs_contract, config.rhs_batch};
    const std::size_t split = left.free.size();
    if (args.is_linear(0)) return {operand_cotangent(ct, left, rhs, right, split), std::nullopt};
    return {std::nullopt, operand_cotangent(ct, right, lhs, left, 0)};
}

}}}  // namespace tenferro::TENFERRO_ABI::ops
