// Batches whose slices lie side by side, on every instruction set.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>

#include "support/instruction_sets.hpp"
#include "support/sanitized.hpp"
#include "tenferro/base/cancellation.hpp"
#include "unit/cpu/contract_check.hpp"

namespace tenferro::testing { namespace {

/// Orders a tensor whose last two axes are a batch of `run` slices and one of pages: run, axes, pages.
template <class T>
void put_slices_side_by_side(Strided<T>& tensor, bool reversed) {
    const std::size_t axes = tensor.shape.size() - 2;
    Index step = tensor.shape[axes];
    for (std::size_t i = 0; i < axes; ++i) {
        const std::size_t axis = reversed ? axes - 1 - i : i;
        tensor.strides[axis] = step;
        step *= tensor.shape[axis];
    }
    tensor.strides[axes] = 1;
    tensor.strides[axes + 1] = step;
}

/// Slices that lie side by side in all tensors or in some: parts of vectors, vectors and a rest; tiles that
/// are not full, one tile of columns, several blocks of rows and of K.
template <class T>
void check_slices(Generator& random) {
    struct Run {
        Index extent;
        bool lhs, rhs, out;
    };
    constexpr Run kRuns[] = {{3, true, true, true},    {4, true, true, false},  {7, false, true, true},
                             {8, true, false, false},  {9, true, true, true},   {16, false, false, true},
                             {21, true, false, true},  {24, true, true, false}, {33, true, true, true},
                             {40, false, true, false}, {65, false, true, true}, {160, false, false, true}};
    const GroupShapes listed[] = {
        {{2}, {2}, {2}, {}},   {{5}, {3}, {7}, {}},          {{1}, {9}, {50}, {}},
        {{13}, {7}, {90}, {}}, {{26}, {2}, {170}, {}},       {{8}, {29}, {3}, {}},
        {{9}, {8}, {12}, {}},  {{3, 2}, {4, 5}, {3, 4}, {}}, {{140}, {15}, {90}, {}}};
    for (GroupShapes groups : listed)
        for (const Run& run : kRuns) {
            const bool large = groups.m[0] > 100;
            if (large && run.extent > 9) continue;
            groups.batch = {run.extent, large ? 1 : 2};
            auto made = make_case<T>(random, groups, false, {}, std::is_integral_v<T>);
            const std::size_t multiply_adds = made.out.memory.size() * made.terms;
            if (test::kSanitized && run.extent != 9 && multiply_adds > 300000) continue;  // the same memory
            const bool reversed = run.extent % 2 == 1;
            if (run.lhs) put_slices_side_by_side(made.lhs, reversed);
            if (run.rhs) put_slices_side_by_side(made.rhs, reversed);
            if (run.out) put_slices_side_by_side(made.out, reversed);
            check(made, defined(made), std::is_integral_v<T>, CpuKind::Builtin);
            if (::testing::Test::HasFatalFailure()) return;
        }
}

TEST(Slices, SideBySide) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    Generator random(seed);
    on_every_instruction_set([&] {
        check_slices<float>(random);
        check_slices<double>(random);
        check_slices<std::complex<float>>(random);
        check_slices<std::complex<double>>(random);
        check_slices<std::int32_t>(random);
        check_slices<std::int64_t>(random);
    });
}

/// C of 8 MiB and more in pieces of three numbers, of which those of all slices of a run follow each other;
/// blocks of slices do not fill the run.
template <class T>
ContractionCase<T> slices_in_pieces(Generator& random, Index depth) {
    constexpr Index kRows = 3, kOthers = 5, kColumns = 14, kRuns = 3;
    constexpr Index kSlices = (8 << 20) / sizeof(T) / kRows / kOthers / kColumns / kRuns + 1;
    auto made = make_case<T>(random, {{kRows, kOthers}, {kColumns}, {depth}, {kSlices, kRuns}}, false, {},
                             std::is_integral_v<T>);
    const Index run = kRows * kSlices;
    made.out.strides = {1, run, run * kOthers, kRows, run * kOthers * kColumns};
    return made;
}

/// Sums of products, and products alone.
template <class T>
void check_joined_slices(Generator& random) {
    for (const Index depth : {4, 1}) {
        auto made = slices_in_pieces<T>(random, depth);
        check(made, defined(made), std::is_integral_v<T>, CpuKind::Builtin);
        if (::testing::Test::HasFatalFailure() || test::kSanitized) return;
    }
}

TEST(Slices, InShortPiecesAreJoined) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    Generator random(seed);
    check_joined_slices<double>(random);
    if (test::kSanitized) return;
    check_joined_slices<float>(random);
    check_joined_slices<std::complex<float>>(random);
    check_joined_slices<std::complex<double>>(random);
    check_joined_slices<std::int64_t>(random);
}

TEST(Slices, CanBeCancelled) {
    Generator random(7);
    const auto asked = [](ContractionCase<double>& made, int stop) {
        int count = 0;
        const auto token = CancellationToken::asking([&] { return ++count == stop; });
        const CancellationScope scope(token, "test");
        run(made, made.out, 1, kHugeCaches, CpuKind::Builtin);
        return count;
    };
    auto in_lanes = make_case<double>(random, {{60}, {70}, {80}, {8, 1}}, false, {}, true);
    for (Strided<double>* tensor : {&in_lanes.lhs, &in_lanes.rhs, &in_lanes.out})
        put_slices_side_by_side(*tensor, false);
    auto joined = slices_in_pieces<double>(random, 4);
    for (auto* made : {&in_lanes, &joined}) {
        EXPECT_GE(asked(*made, 0), 4);
        EXPECT_THROW((void)asked(*made, 2), Error);
    }
}

}}  // namespace tenferro::testing
