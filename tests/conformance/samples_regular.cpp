// Samples of the regular rows of the table: parameters are drawn by their kinds, operands have one shape.
#include <map>

#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

Index drawn_axis(Draw& draw, const Dims& shape) {
    return draw.integer(0, static_cast<Index>(shape.size()) - 1);
}

/// Results that need not be equal, or must be the same bits.
double ulps_of(OpId op) {
    static const std::map<OpId, double> exceptions{
        {OpId::Softmax, 8}, {OpId::Sort, kSameBits}, {OpId::Roll, kSameBits}};
    const auto found = exceptions.find(op);
    return found == exceptions.end() ? 0 : found->second;
}

// clang-format off
#define TENFERRO_DRAWN_Axis(name) const Index name = drawn_axis(draw, shape);
#define TENFERRO_DRAWN_Integer(name) const Index name = draw.integer(-7, 7);
#define TENFERRO_DRAWN_Flag(name) const bool name = draw.integer(0, 1) == 1;
#define TENFERRO_DRAWN_OF(Kind, name) TENFERRO_DRAWN_##Kind(name)
#define TENFERRO_DRAWN(parameter) TENFERRO_DRAWN_OF parameter
#define TENFERRO_OPERAND(a) const Operand a(draw, dtype, shape);
#define TENFERRO_CONSUMED(a) a.owned(s)
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters) \
    std::vector<Tensor> draw_##method(Draw& draw, DType dtype, BackendSession& s) { \
        const Dims shape = draw.shape(static_cast<std::size_t>(draw.integer(1, 4)), 0, 6); \
        TENFERRO_LINES(TENFERRO_OPERAND, operands) \
        TENFERRO_LINES(TENFERRO_DRAWN, parameters) \
        std::vector<Tensor> results; \
        results.push_back(s.method##_read(TENFERRO_EACH(TENFERRO_SAME, operands) \
                                          TENFERRO_ARGUMENTS(parameters))); \
        results.push_back(s.method(TENFERRO_EACH(TENFERRO_CONSUMED, operands) \
                                   TENFERRO_ARGUMENTS(parameters))); \
        results.push_back(s.zeros(results[0].dtype(), results[0].shape())); \
        s.method##_into(TENFERRO_EACH(TENFERRO_SAME, operands) TENFERRO_ARGUMENTS(parameters), \
                        results[2].write()); \
        return results; \
    }
TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
// clang-format on

}  // namespace

const std::vector<Sample>& regular_samples() {
#define TENFERRO_ROW(Name, method, ...) {OpId::Name, ulps_of(OpId::Name), draw_##method},
    static const std::vector<Sample> samples{TENFERRO_REGULAR_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW
    return samples;
}

}  // namespace tenferro::conformance
