// Samples of the elementwise operations: one row each.
#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

using UnaryRead = Tensor (TensorOps<BackendSession>::*)(const TensorRead&);
using UnaryInto = void (TensorOps<BackendSession>::*)(const TensorRead&, const TensorWrite&);
using UnaryOwned = Tensor (TensorOps<BackendSession>::*)(Tensor&&);
using BinaryRead = Tensor (TensorOps<BackendSession>::*)(const TensorRead&, const TensorRead&);
using BinaryInto = void (TensorOps<BackendSession>::*)(const TensorRead&, const TensorRead&, const TensorWrite&);
using BinaryOwned = Tensor (TensorOps<BackendSession>::*)(Tensor&&, Tensor&&);

Dims drawn_shape(Draw& draw) { return draw.shape(static_cast<std::size_t>(draw.integer(0, 5)), 0, 4); }

template <UnaryOwned owned, UnaryRead read, UnaryInto into>
std::vector<Tensor> unary(Draw& draw, DType dtype, BackendSession& s) {
    const Operand a(draw, dtype, drawn_shape(draw));
    std::vector<Tensor> results;
    results.push_back((s.*read)(a));
    results.push_back((s.*owned)(s.to_contiguous_read(a)));
    results.push_back(s.zeros(results[0].dtype(), results[0].shape()));
    (s.*into)(a, results[2].write());
    return results;
}

template <BinaryOwned owned, BinaryRead read, BinaryInto into>
std::vector<Tensor> binary(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_shape(draw);
    const Operand a(draw, dtype, shape), b(draw, dtype, shape);
    std::vector<Tensor> results;
    results.push_back((s.*read)(a, b));
    results.push_back((s.*owned)(s.to_contiguous_read(a), s.to_contiguous_read(b)));
    results.push_back(s.zeros(results[0].dtype(), results[0].shape()));
    (s.*into)(a, b, results[2].write());
    return results;
}

using S = TensorOps<BackendSession>;
#define TENFERRO_UNARY_SAMPLE(Name, method, ulps) \
    Sample { OpId::Name, ulps, unary<&S::method, &S::method##_read, &S::method##_into> }
#define TENFERRO_BINARY_SAMPLE(Name, method, ulps) \
    Sample { OpId::Name, ulps, binary<&S::method, &S::method##_read, &S::method##_into> }

}  // namespace

const std::vector<Sample>& elementwise_samples() {
    static const std::vector<Sample> samples{
        TENFERRO_UNARY_SAMPLE(Conj, conj, 0),
        TENFERRO_BINARY_SAMPLE(Add, add, 0),
        TENFERRO_BINARY_SAMPLE(Mul, mul, 0),
    };
    return samples;
}

}  // namespace tenferro::conformance
