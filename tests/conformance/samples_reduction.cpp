// Samples of the reductions and of dot_general.
#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

Dims drawn_axes(Draw& draw, std::size_t rank) {
    Dims axes;
    for (const Index axis : draw.permutation(rank))
        if (draw.integer(0, 1) == 1) axes.push_back(axis);
    return axes;
}

std::vector<Tensor> reduce_sum(Draw& draw, DType dtype, BackendSession& s) {
    const auto rank = static_cast<std::size_t>(draw.integer(0, 5));
    const Operand a(draw, dtype, draw.shape(rank, 0, 6));
    const Dims axes = drawn_axes(draw, rank);
    std::vector<Tensor> results;
    results.push_back(s.reduce_sum_read(a, axes));
    results.push_back(s.reduce_sum(s.to_contiguous_read(a), axes));
    return results;
}

std::vector<Tensor> dot_general(Draw& draw, DType dtype, BackendSession& s) {
    const Dims batch = draw.shape(static_cast<std::size_t>(draw.integer(0, 2)), 0, 3);
    const Dims contracted = draw.shape(static_cast<std::size_t>(draw.integer(0, 2)), 0, 4);
    DotGeneralConfig config;
    const auto operand_shape = [&](Dims& contract_axes, Dims& batch_axes) {
        Dims shape = draw.shape(static_cast<std::size_t>(draw.integer(0, 2)), 0, 4);
        const std::size_t rank = shape.size() + batch.size() + contracted.size();
        const Dims order = draw.permutation(rank);
        Dims placed(rank, 0);
        std::size_t next = 0;
        for (const Index extent : shape) placed[static_cast<std::size_t>(order[next++])] = extent;
        for (const Index extent : contracted) {
            contract_axes.push_back(order[next]);
            placed[static_cast<std::size_t>(order[next++])] = extent;
        }
        for (const Index extent : batch) {
            batch_axes.push_back(order[next]);
            placed[static_cast<std::size_t>(order[next++])] = extent;
        }
        return placed;
    };
    const Operand lhs(draw, dtype, operand_shape(config.lhs_contract, config.lhs_batch));
    const Operand rhs(draw, dtype, operand_shape(config.rhs_contract, config.rhs_batch));
    std::vector<Tensor> results;
    results.push_back(s.dot_general_read(lhs, rhs, config));
    results.push_back(s.dot_general(s.to_contiguous_read(lhs), s.to_contiguous_read(rhs), config));
    return results;
}

}  // namespace

const std::vector<Sample>& reduction_samples() {
    static const std::vector<Sample> samples{
        {OpId::ReduceSum, 0, reduce_sum},
        {OpId::DotGeneral, 0, dot_general},
    };
    return samples;
}

}  // namespace tenferro::conformance
