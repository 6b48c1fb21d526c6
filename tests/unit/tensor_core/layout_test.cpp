// Shape arithmetic and axis checks, messages included.
#include "tenferro/tensor_core/layout.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/expect_error.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { namespace {

constexpr Index kMostElements = std::numeric_limits<Index>::max();

TEST(ElementCount, ProductsZerosAndOverflow) {
    EXPECT_EQ(element_count(Dims{}, "t"), 1);
    EXPECT_EQ(element_count(Dims{2, 3, 4}, "t"), 24);
    EXPECT_EQ(element_count(Dims{kMostElements, kMostElements, 0}, "t"), 0);
    EXPECT_EQ(element_count(Dims(24, 2), "t"), Index{1} << 24);
    EXPECT_ERROR((void)element_count(Dims{kMostElements, 2}, "zeros"), InvalidArgument,
                 "zeros: the number of elements of shape");
    EXPECT_ERROR((void)element_count(Dims{2, -1}, "zeros"), InvalidArgument,
                 "zeros: axis 1 has negative extent -1");
}

TEST(Strides, CompactAndInjective) {
    EXPECT_EQ(column_major_strides(Dims{2, 3, 4}), (Dims{1, 2, 6}));
    EXPECT_TRUE(is_compact(Dims{2, 1, 4}, Dims{1, 77, 2}));
    EXPECT_FALSE(is_compact(Dims{2, 3}, Dims{3, 1}));
    EXPECT_TRUE(is_compact(Dims{0, 3}, Dims{5, 5}));
    EXPECT_TRUE(is_injective(Dims{2, 3}, Dims{3, 1}));
    EXPECT_TRUE(is_injective(Dims{2, 3}, Dims{-3, 1}));
    EXPECT_FALSE(is_injective(Dims{2, 3}, Dims{0, 1}));
    EXPECT_FALSE(is_injective(Dims{2, 3}, Dims{2, 1}));
}

TEST(Axes, ErrorsNameAxisAndRank) {
    EXPECT_NO_THROW(check_axes(Dims{2, 0}, 3, "op", "reduced"));
    EXPECT_ERROR(check_axes(Dims{3}, 3, "op", "reduced"), AxisOutOfBounds,
                 "op: reduced axis 3 is out of bounds for rank 3");
    EXPECT_ERROR(check_axes(Dims{-1}, 3, "op", "reduced"), AxisOutOfBounds, "reduced axis -1");
    EXPECT_ERROR(check_axes(Dims{1, 1}, 3, "op", "reduced"), DuplicateAxis,
                 "reduced axis 1 is listed twice in [1, 1]");
    EXPECT_ERROR(check_permutation(Dims{0}, 2, "transpose"), RankMismatch,
                 "permutation has 1 axes but the operand has rank 2");
    EXPECT_ERROR(check_same_shape(Dims{2, 3}, Dims{2, 4}, "add"), ShapeMismatch,
                 "add: lhs axis 1 has extent 3 but rhs axis 1 has extent 4");
    EXPECT_ERROR(check_same_shape(Dims{2}, Dims{2, 4}, "add"), RankMismatch,
                 "lhs has shape [2] but rhs has shape [2, 4]");
}

TEST(DType, TableMatchesTheScalarTypes) {
    for (const DTypeInfo& row : kDTypes)
        visit_dtype(row.dtype, [&]<class T> {
            EXPECT_EQ(sizeof(T), row.bytes) << row.name;
            EXPECT_EQ(storage_dtype<T>, row.dtype) << row.name;
        });
}

}}  // namespace tenferro
