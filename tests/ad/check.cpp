// Samples handed to gradcheck, and values of our own compared.
#include "ad/check.hpp"

#include <gtest/gtest.h>

#include "ad/values.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/graph/resolve.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::ad {

TensorBackend& cpu() {
    static const auto backend = CpuBackend::with_threads(1);
    return *backend;
}

void expect_close(const Value& actual, const Value& expected, double tolerance, const char* what) {
    EXPECT_EQ(gradcheck::difference_text(actual, expected, tolerance), "") << what;
}

bool depends_on_operation(const TracedTensor& value, std::string_view name) {
    const GlobalValKey key = value.key();
    for (const GlobalValKey& node : op_graph::resolve<StdTensorOp>(std::span(&key, 1)))
        if (!node.is_input() && node.op().name() == name) return true;
    return false;
}

void check_sample(OpId op, const Sample& sample, DType dtype, std::uint64_t seed, Counts& counts) {
    ReferenceBackend reference;
    TensorBackend* const others[] = {&reference};
    const gradcheck::Sample checked{sample.operands,
                                    [&](Operands x) { return std::vector{sample.function(x)}; },
                                    sample.other_shapes, sample.symbolic, true};
    const gradcheck::Report report = gradcheck::check(checked, cpu(), dtype, seed, others);
    EXPECT_EQ(report.text(), "") << info(op).name;
    counts += report.counts;
}

}  // namespace tenferro::ad
