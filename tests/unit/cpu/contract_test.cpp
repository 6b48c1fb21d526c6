// The contraction engine against the loop that defines it: every element type, kind, number of threads and
// instruction set, over drawn shapes and layouts and over shapes that lead to each engine.
#include <gtest/gtest.h>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#include <hwy/targets.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/instruction_sets.hpp"
#include "support/machines.hpp"
#include "support/sanitized.hpp"
#include "unit/cpu/contract_check.hpp"

namespace tenferro::testing { namespace {

template <class T>
void check_groups(Generator& random, const GroupShapes& groups, bool shuffled, LayoutKind layout) {
    for (const bool integers : {true, false}) {
        if (test::kSanitized && !integers) continue;       // the same memory
        if (std::is_integral_v<T> && !integers) continue;  // the same run
        // Sums of one repeated value round all in one direction, so no useful tolerance holds for them.
        layout.repeated = layout.repeated && integers;
        auto made = make_case<T>(random, groups, shuffled, layout, integers);
        const Strided<T> expected = defined(made);
        for (const CpuKind kind : {CpuKind::Builtin, CpuKind::Blas}) {
            if (std::is_integral_v<T> && kind == CpuKind::Blas) continue;  // the same run
            check(made, expected, integers, kind);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

template <class T>
class Contract : public ::testing::Test {
protected:
    Contract() { RecordProperty("seed", std::to_string(seed_)); }
    const unsigned seed_ = std::random_device{}();
    Generator random_{seed_};
};
using ContractedTypes =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Contract, ContractedTypes);

TYPED_TEST(Contract, DrawnShapesAndLayouts) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (int i = 0; i < 150 && !this->HasFatalFailure(); ++i) {
        GroupShapes groups{draw_shape(this->random_, 2, 7), draw_shape(this->random_, 2, 7),
                           draw_shape(this->random_, 2, 7), draw_shape(this->random_, 2, 5)};
        if (i % 10 == 0 && !groups.k.empty()) groups.k[0] = 0;
        if (i % 17 == 0 && !groups.m.empty()) groups.m[0] = 0;
        const LayoutKind layout{i % 2 == 1, i % 3 == 1, i % 5 == 1, i % 7 == 1};
        check_groups<TypeParam>(this->random_, groups, i % 4 != 0, layout);
    }
}

TYPED_TEST(Contract, ShapesOfEachEngine) {
    SCOPED_TRACE(text("seed ", this->seed_));
    const GroupShapes listed[] = {
        {{97}, {103}, {131}, {}},        // packed, several edge tiles
        {{97}, {17}, {700}, {}},         // several blocks of K
        {{17}, {220}, {630}, {}},        // and of columns, all of which meet the same packed rows
        {{40, 3}, {5, 7}, {2, 50}, {}},  // fused and unfused groups
        {{60, 9}, {17}, {19, 2}, {}},    // each step along K is on another page of A
        {{17}, {60, 9}, {19, 2}, {}},    // of B
        {{11}, {300}, {140}, {}},        // few rows, B is read in place in blocks of steps
        {{11}, {1100}, {29}, {}},        // few rows, each step along K on another page of B
        {{10}, {300}, {140}, {}},        // few rows, which become columns
        {{150}, {50}, {330}, {}},        // rows in place beside many columns, in blocks of K
        {{256}, {8}, {130}, {}},         // few columns, steps along K through few sets of the caches
        {{90}, {400}, {30}, {}},         // columns of C that follow each other
        {{9, 40}, {2}, {70}, {}},        // short inner products, bands of rows
        {{33, 4}, {13}, {90}, {2}},      // the same with tiles of columns
        {{66}, {7}, {50, 4}, {}},        // in several runs
        {{48}, {48}, {300}, {}},         // both sides contiguous along K
        {{}, {}, {13}, {70}},            // dot products side by side
        {{3}, {2}, {9}, {5, 8}},         // the same of few rows
        {{2}, {3}, {16500}, {3}},        // in several pieces
        {{4}, {4}, {6}, {20}},           // of a tile
        {{2, 4}, {5}, {40}, {9}},        // of tiles
        {{400}, {20}, {50}, {}},         // columns that are contiguous along K
        {{5}, {30, 4}, {4, 4}, {}},      // the same with few rows
        {{6, 30}, {2}, {90}, {2}},       // rows in the order of A
        {{40}, {48}, {64}, {3}},         // BLAS where it is asked for
        {{300}, {1}, {150}, {}},         // matrix times vector
        {{203}, {1}, {700}, {}},         // the same in blocks of K, with a part of a vector of rows
        {{1}, {300}, {200}, {}},         // vector times matrix
        {{4}, {3}, {17000}, {}},         // inner products in several pieces
        {{1}, {1}, {40001}, {}},         // dot product
        {{4}, {200}, {64}, {3}},         // few rows
        {{700}, {100}, {}, {}},          // outer product
        {{}, {}, {}, {123, 45}},         // element-wise product
        {{16}, {18}, {}, {31}},          // outer products of short lines
        {{3}, {2}, {2}, {1000}},         // many tiny slices
        {{8}, {8}, {8}, {50}},           // many small slices
        {{64}, {64}, {256}, {}},         // one that the first caches hold, of several threads
        {{33}, {70}, {180}, {}},         // rows stay near for all tiles of columns
        {{24}, {77}, {9}, {}},           // K is short
        {{20}, {140}, {260}, {}},        // contiguous along K, too few for a copy of the others
        {{90}, {70}, {3}, {}},           // tiles below each other, of few steps
        {{35}, {75}, {150}, {}},         // columns along K are read where they lie, half a tile of rows
        {{4}, {300}, {90}, {}},          // a vector of rows
        {{300}, {5}, {90}, {}},          // the same of columns, which become rows
        {{16}, {10002}, {4}, {}},        // a small matrix, parted among threads at any column
        {{13}, {10002}, {5}, {}},       {{2, 3, 2}, {3, 2}, {2, 2, 3}, {3, 2}},
    };
    for (const GroupShapes& groups : listed)
        for (const bool permuted : {false, true}) {
            check_groups<TypeParam>(this->random_, groups, false, {permuted, false, false, false});
            if (this->HasFatalFailure()) return;
            check_groups<TypeParam>(this->random_, groups, true, {permuted, true, true, permuted});
            if (this->HasFatalFailure()) return;
        }
}

/// A of 9 MiB, each of whose columns is a page and more, beside one or two tiles of columns; rows of C follow
/// each other, or its columns do, or all axes are turned.
TYPED_TEST(Contract, ColumnsBesideManyPages) {
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr Index kRows = 103, kGroups = 10, kBytes = 9 << 20;
    constexpr Index kDepth = kBytes / kRows / kGroups / static_cast<Index>(sizeof(TypeParam));
    for (const Index columns : {1, 2, 3, 5, 8}) {
        const GroupShapes groups{{kRows, kGroups}, {columns}, {kDepth}, {}};
        auto made = make_case<TypeParam>(this->random_, groups, false, {}, true);
        check(made, defined(made), true, CpuKind::Builtin);
        made.out.strides = {columns, columns * kRows, 1};
        check(made, defined(made), true, CpuKind::Builtin);
        made.out.strides = {kGroups * columns, columns, 1};
        check(made, defined(made), true, CpuKind::Builtin);
        if (this->HasFatalFailure()) return;
    }
}

/// C of 2 MiB and more, whose lines are joined from columns that lie apart in B, of which each step along K
/// is on another page. Of the last axis the blocks of lines are not full.
TYPED_TEST(Contract, LinesOfFewRowsJoined) {
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr Index kRows = 13, kApart = 71, kJoined = 83, kSize = (2 << 20) / sizeof(TypeParam);
    constexpr Index kSlabs = kSize / kRows / kApart / kJoined + 1;
    for (const Index depth : {43, 150}) {
        auto made = make_case<TypeParam>(this->random_, {{kRows}, {kApart, kJoined, kSlabs}, {depth}, {}},
                                         false, {}, true);
        made.out.strides = {1, kRows * kJoined, kRows, kRows * kJoined * kApart};
        check(made, defined(made), true, CpuKind::Builtin);
        if (this->HasFatalFailure() || test::kSanitized) return;
    }
}

/// A of 9 MiB, runs of rows with all their steps along K one after the other, or one run with blocks of K.
TYPED_TEST(Contract, RunsFromFar) {
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr Index kRun = 51, kSteps = 90, kSize = (9 << 20) / sizeof(TypeParam);
    auto made = make_case<TypeParam>(this->random_, {{kRun, kSize / kRun / kSteps}, {5}, {kSteps}, {}}, false,
                                     {}, true);
    made.lhs.strides = {1, kRun * kSteps, kRun};
    check(made, defined(made), true, CpuKind::Builtin);
    made = make_case<TypeParam>(this->random_, {{kRun}, {8}, {kSize / kRun}, {}}, false, {}, true);
    check(made, defined(made), true, CpuKind::Builtin);
}

/// A of 17 MiB or slices of 25: what comes next is asked for, below a tile, behind a panel that is packed, in
/// the next lines along K and in the next slice.
TYPED_TEST(Contract, OperandsFromMemory) {
    if (test::kSanitized && !std::is_same_v<TypeParam, double>)
        GTEST_SKIP() << "the tables are those of doubles";
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr Index kRows = 4099, kSize = (17 << 20) / static_cast<Index>(sizeof(TypeParam));
    constexpr Index kDepth = kSize / kRows + 1, kSlices = kSize / 40 / 40 / 2 + 1;
    const auto checked = [this](const GroupShapes& groups, bool along_k) {
        auto made = make_case<TypeParam>(this->random_, groups, false, {}, true);
        if (along_k) made.lhs.strides = {groups.k[0], 1};
        check(made, defined(made), true, CpuKind::Builtin);
    };
    checked({{kRows}, {3}, {kDepth}, {}}, true);
    checked({{kRows}, {5}, {kDepth}, {}}, false);
    checked({{kRows}, {13}, {kDepth}, {}}, false);
    checked({{kDepth}, {50}, {kRows}, {}}, true);
    checked({{40}, {40}, {40}, {kSlices}}, false);
}

/// Runs of rows that one tile covers, beside a few columns, near and from far; more steps than gates have.
TYPED_TEST(Contract, ColumnsOneByOne) {
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr Index kVector = 32 / static_cast<Index>(sizeof(TypeParam)), kDepth = 61;
    for (const Index run : {9 * kVector - 1, 12 * kVector, 15 * kVector})
        for (const Index columns : {2, 5}) {
            if (columns == 5 && (run != 12 * kVector || test::kSanitized)) continue;
            const Index bytes = columns == 2 ? 1 << 18 : 37 << 20;
            const Index runs = bytes / static_cast<Index>(sizeof(TypeParam)) / run / kDepth + 1;
            auto made =
                make_case<TypeParam>(this->random_, {{run, runs}, {columns}, {kDepth}, {}}, false, {}, true);
            made.lhs.strides = {1, run * kDepth, run};
            check(made, defined(made), true, CpuKind::Builtin);
            if (this->HasFatalFailure()) return;
        }
}

/// More pages than the processor follows, in one run and in several, beside one row and beside a few.
TYPED_TEST(Contract, SmallMatricesTimesManyColumns) {
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr Index kSteps = 17, kColumns = (9 << 20) / sizeof(TypeParam) / kSteps, kRun = 1024;
    for (const Index rows : {1, 3}) {
        auto made = make_case<TypeParam>(this->random_, {{rows}, {kColumns}, {kSteps}, {}}, false, {}, true);
        made.out.strides = {kColumns, 1};
        check(made, defined(made), true, CpuKind::Builtin);
    }
    constexpr Index kRuns = (25 << 20) / sizeof(TypeParam) / kSteps / kRun + 1;
    auto made = make_case<TypeParam>(this->random_, {{2}, {kRun, kRuns}, {kSteps}, {}}, false, {}, true);
    made.rhs.strides = {1, kRun * kSteps, kRun};
    made.out.strides = {kRun, 1, 2 * kRun};
    check(made, defined(made), true, CpuKind::Builtin);
}

/// Few columns, alone or beside whole tiles of them, and rows that several tiles cover below each other,
/// which follow each other in C or lie apart.
TYPED_TEST(Contract, TilesBelowEachOther) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (const Index rows : {16, 24, 40, 67, 96, 4099})
        for (const Index columns : {1, 2, 3, 8, 9, 17}) {
            const GroupShapes groups{{rows}, {columns}, {23}, {2}};
            auto made = make_case<TypeParam>(this->random_, groups, false, {}, true);
            check(made, defined(made), true, CpuKind::Builtin);
            made.out.strides = {columns, 1, columns * rows};
            check(made, defined(made), true, CpuKind::Builtin);
            if (this->HasFatalFailure()) return;
        }
}

/// A matrix times a vector: rows in one run or in three, of a part of a vector to tiles and a rest, K shorter
/// and longer than what is summed side by side, and than a block.
TYPED_TEST(Contract, OneColumn) {
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr bool kIntegers = std::is_integral_v<TypeParam>;  // whose order does not matter
    for (const Index rows : {2, 3, 7, 8, 9, 13, 17, 30, 33, 38, 49, 66, 97, 200, 4500})
        for (const Index depth : {70, 131, 330})
            for (const Index runs : {1, 3}) {
                if (rows * runs > 5000) continue;
                const GroupShapes groups{{rows, runs}, {}, {depth}, {}};
                auto made = make_case<TypeParam>(this->random_, groups, false, {}, kIntegers);
                made.lhs.strides = {1, rows * depth, rows};
                check(made, defined(made), kIntegers, CpuKind::Builtin);
                made.out.strides = {runs, 1};
                check(made, defined(made), kIntegers, CpuKind::Builtin);
                if (this->HasFatalFailure()) return;
            }
    // Of nine vectors of rows the last would be a tile of its own if the last of four threads began there.
    constexpr Index kRows = 9 * 32 / static_cast<Index>(sizeof(TypeParam));
    auto made = make_case<TypeParam>(this->random_, {{kRows}, {}, {20000}, {}}, false, {}, kIntegers);
    Strided<TypeParam> one = made.out, four = made.out;
    run(made, one, 1, kHugeCaches, CpuKind::Builtin);
    run(made, four, 4, kHugeCaches, CpuKind::Builtin);
    EXPECT_EQ(std::memcmp(one.memory.data(), four.memory.data(), sizeof(TypeParam) * one.memory.size()), 0);
}

/// Lines along K, of parts of a vector to many, one step apart in A: whole tiles of them and a rest, a slice
/// or three, B and C in either order.
TYPED_TEST(Contract, RunsOfLines) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (const Index depth : {2, 3, 5, 8, 13, 31, 61, 130})
        for (const Index rows : {4, 13, 40, 1301})
            for (const Index columns : {1, 2, 3, 4, 10}) {
                const Index slices = rows < 100 ? 3 : 1;
                const GroupShapes groups{{rows}, {columns}, {depth}, {slices}};
                constexpr bool kIntegers = std::is_integral_v<TypeParam>;  // whose order does not matter
                auto made = make_case<TypeParam>(this->random_, groups, false, {}, kIntegers);
                made.lhs.strides = {depth, 1, depth * rows};
                check(made, defined(made), kIntegers, CpuKind::Builtin);
                made.rhs.strides = {depth, 1, depth * columns};
                made.out.strides = {columns, 1, columns * rows};
                check(made, defined(made), kIntegers, CpuKind::Builtin);
                if (this->HasFatalFailure()) return;
            }
}

/// Between rows of C that are adjacent lie columns; K is two axes, the first in many short runs, in one block
/// or in several that are added up.
TYPED_TEST(Contract, RowsOfCInGroups) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (const Index group : {1, 2, 3, 4, 6, 8, 9, 12, 16, 24})
        for (const Index runs : {10, 130}) {
            const GroupShapes groups{{group, 24}, {50}, {3, runs}, {}};
            auto made = make_case<TypeParam>(this->random_, groups, false, {}, true);
            made.rhs.strides = {1, 50 * runs, 50};
            made.out.strides = {1, 50 * group, group};
            check(made, defined(made), true, CpuKind::Builtin);
            if (this->HasFatalFailure()) return;
        }
}

/// K lies between runs of rows that no tile divides; threads part them where one thread does.
TYPED_TEST(Contract, RunsOfRowsBetweenThreads) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (const Index run : {5, 10, 21, 50})
        for (const Index depth : {9, 40}) {
            constexpr bool kIntegers = std::is_integral_v<TypeParam>;  // whose order does not matter
            const GroupShapes groups{{run, run < 50 ? 1501 : 301}, {run < 50 ? 5 : 20}, {depth}, {}};
            auto made = make_case<TypeParam>(this->random_, groups, false, {}, kIntegers);
            made.lhs.strides = {1, run * depth, run};
            check(made, defined(made), kIntegers, CpuKind::Builtin);
            if (this->HasFatalFailure()) return;
        }
}

/// Rows in every number of vectors and rests of them, where nothing is set up and just above.
TYPED_TEST(Contract, SmallProductsInEveryOrderOfMemory) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (const Index m : {1, 2, 3, 4, 5, 7, 8, 9, 14, 15, 16, 23, 64, 260})
        for (const Index n : {1, 2, 3, 8, 31})
            for (const Index k : {1, 2, 4, 5, 8, 64}) {
                if (m * n * k > 3000) continue;
                for (const bool permuted : {false, true}) {
                    const LayoutKind layout{permuted, false, false, false};
                    check_groups<TypeParam>(this->random_, {{m}, {n}, {k}, {}}, permuted, layout);
                    check_groups<TypeParam>(this->random_, {{m}, {n}, {k}, {3}}, permuted, layout);
                    if (this->HasFatalFailure()) return;
                }
            }
}

TYPED_TEST(Contract, ManyAxesOfExtentTwo) {
    SCOPED_TRACE(text("seed ", this->seed_));
    const GroupShapes element_wise{{}, {}, {}, Dims(13, 2)};
    const GroupShapes mixed{Dims(5, 2), Dims(4, 2), Dims(5, 2), Dims(2, 2)};
    const GroupShapes high_rank{Dims(7, 2), Dims(2, 2), Dims(2, 2), Dims(12, 1)};
    for (const GroupShapes& groups : {element_wise, mixed, high_rank}) {
        check_groups<TypeParam>(this->random_, groups, true, {true, true, false, false});
        if (this->HasFatalFailure()) return;
    }
    GroupShapes outer{Dims(8, 2), Dims(7, 2), {}, {}};
    auto made = make_case<TypeParam>(this->random_, outer, true, {true, false, false, false}, true);
    check(made, defined(made), true, CpuKind::Builtin);
}

/// Whether an operand is packed depends on where cache lines begin, and no sum on that.
TYPED_TEST(Contract, AddressesChangeNoBits) {
    SCOPED_TRACE(text("seed ", this->seed_));
    const auto run_from = [](const ContractionCase<TypeParam>& made, std::size_t skipped) {
        ContractionCase<TypeParam> moved = made;
        std::vector<TypeParam>& memory = moved.lhs.memory;
        memory.insert(memory.begin(), 64 / sizeof(TypeParam) + skipped, TypeParam{});
        const auto behind_line = reinterpret_cast<std::uintptr_t>(memory.data()) % 64 / sizeof(TypeParam);
        moved.lhs.origin = static_cast<Index>(64 / sizeof(TypeParam) - behind_line + skipped);
        std::copy(made.lhs.memory.begin(), made.lhs.memory.end(), memory.begin() + moved.lhs.origin);
        run(moved, moved.out, 1, kHugeCaches, CpuKind::Builtin);
        return moved.out.memory;
    };
    for (const GroupShapes& groups :
         {GroupShapes{{128}, {72}, {128}, {2}}, GroupShapes{{192}, {96}, {160}, {}},
          GroupShapes{{112}, {97}, {120}, {}}}) {  // a tile of one column
        const auto made = make_case<TypeParam>(this->random_, groups, false, {}, false);
        const auto expected = run_from(made, 0), found = run_from(made, 1);
        EXPECT_EQ(std::memcmp(expected.data(), found.data(), sizeof(TypeParam) * found.size()), 0)
            << made.describe();
    }
}

/// Every instruction set that the kernels are compiled for and this machine has.
class ContractTargets : public ::testing::TestWithParam<std::int64_t> {
protected:
    void SetUp() override { testing::dispatch_to(GetParam()); }
    void TearDown() override { testing::dispatch_to(0); }

    template <class T>
    void check_type() {
        const GroupShapes listed[] = {
            {{97}, {103}, {131}, {}}, {{50}, {29}, {300}, {2}}, {{7}, {7}, {7}, {3}},
            {{300}, {1}, {100}, {}},  {{5}, {3}, {1001}, {}},   {{61}, {2}, {90}, {}},
            {{101}, {1}, {600}, {}},  {{23}, {5}, {40}, {}},    {{65}, {11}, {70}, {}},
            {{9}, {2}, {20}, {2}},    {{70}, {3}, {25}, {}},    {{33}, {4}, {27}, {}},
        };
        for (const GroupShapes& groups : listed)
            for (const bool permuted : {false, true}) {
                check_groups<T>(random_, groups, permuted, {permuted, false, permuted, false});
                if (HasFatalFailure()) return;
            }
    }

    const unsigned seed_ = std::random_device{}();
    Generator random_{seed_};
};

TEST_P(ContractTargets, MatchTheDefinition) {
    SCOPED_TRACE(text("seed ", seed_, ", target ", hwy::TargetName(GetParam())));
    check_type<float>();
    check_type<double>();
    check_type<std::complex<float>>();
    check_type<std::complex<double>>();
    check_type<std::int32_t>();
    check_type<std::int64_t>();
}

/// The largest number times itself is 1 modulo the range of the type.
template <std::integral T>
void check_wrapping(Index m, Index n, Index k) {
    const std::vector<T> lhs(static_cast<std::size_t>(m * k), std::numeric_limits<T>::max());
    const std::vector<T> rhs(static_cast<std::size_t>(k * n), std::numeric_limits<T>::max());
    std::vector<T> out(static_cast<std::size_t>(m * n));
    CpuContext context(1);
    constexpr DType dtype = storage_dtype<T>;
    cpu::contract(TensorRead(dtype, lhs.data(), {m, k}, {1, m}),
                  TensorRead(dtype, rhs.data(), {k, n}, {1, k}), {{1}, {0}, {}, {}},
                  TensorWrite(dtype, out.data(), {m, n}, {1, m}), context, nullptr);
    for (const T value : out) ASSERT_EQ(value, static_cast<T>(k)) << m << " " << n << " " << k;
}

TEST_P(ContractTargets, IntegersWrap) {
    for (const auto& [m, n, k] :
         {std::array<Index, 3>{1, 1, 70}, {8, 8, 8}, {3, 60, 50}, {1, 60, 301}, {97, 103, 131}}) {
        check_wrapping<std::int32_t>(m, n, k);
        check_wrapping<std::int64_t>(m, n, k);
    }
}

INSTANTIATE_TEST_SUITE_P(Host, ContractTargets, ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

/// The free axes of an empty operand have more elements than can be counted.
TEST(Contract, EmptyOperandsOfHugeExtents) {
    constexpr Index kHuge = Index{1} << 40;
    const double one = 1;
    const TensorRead a(DType::F64, &one, Dims{kHuge, kHuge, 0}, Dims{0, 0, 0});
    const TensorRead b(DType::F64, &one, Dims{0, 0}, Dims{0, 0});
    double none = 5;
    const TensorWrite out(DType::F64, &none, Dims{kHuge, kHuge, 0}, Dims{0, 0, 0});
    DotGeneralConfig config;
    config.lhs_contract = {2};
    config.rhs_contract = {0};
    CpuContext context(1);
    cpu::contract(a, b, config, out, context, nullptr);
    EXPECT_EQ(none, 5);
}

}}  // namespace tenferro::testing
