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

using S = BackendSession;
using ReduceOwned = Tensor (S::*)(Tensor&&, DimsView);
using ReduceRead = Tensor (S::*)(const TensorRead&, DimsView);
using ReduceInto = void (S::*)(const TensorRead&, DimsView, const TensorWrite&);

template <ReduceOwned owned, ReduceRead read, ReduceInto into>
std::vector<Tensor> reduction(Draw& draw, DType dtype, BackendSession& s) {
    const auto rank = static_cast<std::size_t>(draw.integer(0, 5));
    const Operand a(draw, dtype, draw.shape(rank, 0, 6));
    const Dims axes = drawn_axes(draw, rank);
    std::vector<Tensor> results;
    results.push_back((s.*read)(a, axes));
    results.push_back((s.*owned)(a.owned(s), axes));
    results.push_back(s.zeros(dtype, results[0].shape()));
    (s.*into)(a, axes, results[2].write());
    return results;
}

using ArgOwned = Tensor (S::*)(Tensor&&, Index);
using ArgRead = Tensor (S::*)(const TensorRead&, Index);
using ArgInto = void (S::*)(const TensorRead&, Index, const TensorWrite&);

template <ArgOwned owned, ArgRead read, ArgInto into>
std::vector<Tensor> arg_extreme(Draw& draw, DType dtype, BackendSession& s) {
    Dims shape = draw.shape(static_cast<std::size_t>(draw.integer(1, 4)), 0, 6);
    const Index axis = draw.integer(0, static_cast<Index>(shape.size()) - 1);
    shape[static_cast<std::size_t>(axis)] = draw.integer(1, 6);
    const Operand a(draw, dtype, shape);
    std::vector<Tensor> results;
    results.push_back((s.*read)(a, axis));
    results.push_back((s.*owned)(a.owned(s), axis));
    results.push_back(s.zeros(DType::I64, results[0].shape()));
    (s.*into)(a, axis, results[2].write());
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
    results.push_back(s.dot_general(lhs.owned(s), rhs.owned(s), config));
    return results;
}

#define TENFERRO_REDUCTION_SAMPLE(Name, method, ulps)                                  \
    Sample {                                                                           \
        OpId::Name, ulps, reduction<&S::method, &S::method##_read, &S::method##_into>, \
            OpId::Name != OpId::ReduceProd                                             \
    }

}  // namespace

const std::vector<Sample>& reduction_samples() {
    static const std::vector<Sample> samples{
        TENFERRO_REDUCTION_SAMPLE(ReduceSum, reduce_sum, 0),
        TENFERRO_REDUCTION_SAMPLE(ReduceProd, reduce_prod, 1000),
        TENFERRO_REDUCTION_SAMPLE(ReduceMax, reduce_max, 0),
        TENFERRO_REDUCTION_SAMPLE(ReduceMin, reduce_min, 0),
        TENFERRO_REDUCTION_SAMPLE(ReduceAny, reduce_any, 0),
        TENFERRO_REDUCTION_SAMPLE(ReduceAll, reduce_all, 0),
        {OpId::Argmax, 0, arg_extreme<&S::argmax, &S::argmax_read, &S::argmax_into>},
        {OpId::Argmin, 0, arg_extreme<&S::argmin, &S::argmin_read, &S::argmin_into>},
        {OpId::DotGeneral, 0, dot_general, false},
    };
    return samples;
}

}  // namespace tenferro::conformance
