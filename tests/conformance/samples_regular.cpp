// Samples of the regular rows of the table: parameters are drawn by their kinds, operands have one shape.
#include <map>

#include "conformance/samples.hpp"
#include "support/regular_rows.hpp"

namespace tenferro::conformance {

namespace {

Dims drawn_shape(Draw& draw, std::size_t least_rank) {
    return draw.shape(static_cast<std::size_t>(draw.integer(static_cast<Index>(least_rank), 4)), 0, 6);
}

/// What is defined on every dtype only moves elements; other results are equal but for the exceptions.
double ulps_of(const OpInfo& row) {
    static const std::map<OpId, double> exceptions{{OpId::Softmax, 8}, {OpId::Sort, kSameBits}};
    if (row.dtypes.contains(DType::Bool)) return kSameBits;
    const auto found = exceptions.find(row.id);
    return found == exceptions.end() ? 0 : found->second;
}

// clang-format off
#define TENFERRO_OPERAND(a) const Operand a(draw, dtype, shape);
#define TENFERRO_CONSUMED(a) a.owned(s)
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    std::vector<Tensor> draw_##method(Draw& draw, DType dtype, BackendSession& s) { \
        const Dims shape = drawn_shape(draw, TENFERRO_LEAST_RANK(parameters)); \
        test::RegularParameters drawn(shape.size(), \
                                      [&](Index low, Index high) { return draw.integer(low, high); }); \
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
#define TENFERRO_ROW(Name, method, ...) {OpId::Name, ulps_of(info(OpId::Name)), draw_##method},
    static const std::vector<Sample> samples{TENFERRO_REGULAR_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW
    return samples;
}

}  // namespace tenferro::conformance
