// Samples of the operations that keep the shape and work along one axis.
#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

Dims drawn_lines(Draw& draw) { return draw.shape(static_cast<std::size_t>(draw.integer(1, 4)), 0, 6); }
Index drawn_axis(Draw& draw, const Dims& shape) {
    return draw.integer(0, static_cast<Index>(shape.size()) - 1);
}

std::vector<Tensor> cumulative_sum(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_lines(draw);
    const Operand a(draw, dtype, shape);
    const Index axis = drawn_axis(draw, shape);
    const bool reverse = draw.integer(0, 1) == 1;
    std::vector<Tensor> results;
    results.push_back(s.cumulative_sum_read(a, axis, reverse));
    results.push_back(s.cumulative_sum(a.owned(s), axis, reverse));
    results.push_back(s.zeros(dtype, shape));
    s.cumulative_sum_into(a, axis, reverse, results[2].write());
    return results;
}

std::vector<Tensor> softmax(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_lines(draw);
    const Operand a(draw, dtype, shape);
    const Index axis = drawn_axis(draw, shape);
    std::vector<Tensor> results;
    results.push_back(s.softmax_read(a, axis));
    results.push_back(s.softmax(a.owned(s), axis));
    results.push_back(s.zeros(dtype, shape));
    s.softmax_into(a, axis, results[2].write());
    return results;
}

std::vector<Tensor> sort(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_lines(draw);
    const Operand a(draw, dtype, shape);
    const Index axis = drawn_axis(draw, shape);
    const bool descending = draw.integer(0, 1) == 1;
    std::vector<Tensor> results;
    results.push_back(s.sort_read(a, axis, descending));
    results.push_back(s.sort(a.owned(s), axis, descending));
    results.push_back(s.zeros(dtype, shape));
    s.sort_into(a, axis, descending, results[2].write());
    return results;
}

}  // namespace

const std::vector<Sample>& ordering_samples() {
    static const std::vector<Sample> samples{
        {OpId::CumulativeSum, 0, cumulative_sum},
        {OpId::Softmax, 8, softmax},
        {OpId::Sort, kSameBits, sort},
    };
    return samples;
}

}  // namespace tenferro::conformance
