// Tensors without elements whose other extents overflow when multiplied: nothing is counted, walked or
// written.
#include <gtest/gtest.h>

#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro { namespace {

TEST(Empty, HugeExtentsBesideAZero) {
    constexpr Index kHuge = Index{1} << 62;
    const auto backend = CpuBackend::with_threads(2);
    for (const Dims& shape : {Dims{kHuge, kHuge, 0}, Dims{0, kHuge, kHuge}, Dims{kHuge, 0, kHuge}}) {
        const Tensor a = backend->zeros(DType::F64, shape);
        EXPECT_EQ(a.size(), 0);
        EXPECT_EQ(backend->add_read(a, a).shape(), shape);
        EXPECT_EQ(backend->exp_read(a).shape(), shape);
        EXPECT_EQ(backend->transpose_read(a, Dims{2, 0, 1}).size(), 0);
        EXPECT_EQ(backend->convert_read(a, DType::C64).size(), 0);
        EXPECT_EQ(a.duplicate().shape(), shape);
        for (Index axis = 0; axis < 3; ++axis) {
            const Dims batch{axis};
            const DotGeneralConfig all_batch{{}, {}, {0, 1, 2}, {0, 1, 2}};
            EXPECT_EQ(backend->dot_general_read(a, a, all_batch).size(), 0);
            EXPECT_EQ(backend->cumulative_sum_read(a, axis, false).size(), 0);
            if (shape[axis] != 0) {
                EXPECT_EQ(backend->reduce_sum_read(a, batch).size(), 0);
            }
        }
    }
}

}}  // namespace tenferro
