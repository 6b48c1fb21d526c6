// The tile engine: copies between drawn layouts against the definition, for every element width, number of
// threads and instruction set, with small and huge caches.
#include <gtest/gtest.h>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#include <hwy/targets.h>

#include <array>
#include <cstring>

#include "cpu/kernels/loops/tile_plan.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/movement/interleave_kernels.hpp"
#include "cpu/kernels/movement/streaming.hpp"
#include "support/instruction_sets.hpp"
#include "support/machines.hpp"
#include "unit/cpu/contract_support.hpp"

namespace tenferro::testing { namespace {

/// Copies bytes that tell elements apart, and checks elements and the gaps between them.
template <class T>
void check_copy(Generator& random, Strided<T> from, Strided<T> to) {
    const Dims& shape = to.shape;
    auto* bytes = reinterpret_cast<unsigned char*>(from.memory.data());
    for (std::size_t i = 0; i < from.memory.size() * sizeof(T); ++i)
        bytes[i] = static_cast<unsigned char>(random());
    std::memset(static_cast<void*>(to.memory.data()), 0x5a, to.memory.size() * sizeof(T));
    auto expected = to;
    for_each_index(
        shape, [&](const std::vector<Index>& i) { std::memcpy(&expected.at(i), &from.at(i), sizeof(T)); });
    const auto before = to;
    for (const auto& [threads, caches] : {std::pair{1, kHugeCaches}, {1, kSmallCaches}, {2, kSmallCaches}}) {
        to = before;
        CpuContext context(threads);
        context.set_stream_bytes(caches);
        cpu::copy(from.read(), to.write(), context);
        ASSERT_EQ(std::memcmp(to.memory.data(), expected.memory.data(), to.memory.size() * sizeof(T)), 0)
            << list_text(shape) << " strides " << list_text(from.strides) << " to " << list_text(to.strides)
            << ", " << threads << " threads, caches of " << caches;
    }
}

template <class T>
void check_copy(Generator& random, const Dims& shape, LayoutKind from_kind, LayoutKind to_kind) {
    to_kind.repeated = false;
    auto from = draw_layout<T>(random, shape, from_kind);
    check_copy<T>(random, std::move(from), draw_layout<T>(random, shape, to_kind));
}

/// The target's fastest axis repeats elements; the others of the source are drawn.
template <class T>
void check_fill(Generator& random, Index run, const Dims& others, LayoutKind to_kind) {
    auto from = draw_layout<T>(random, others, {true, true, true, true});
    from.shape.insert(0, run);
    from.strides.insert(0, 0);
    auto to = draw_layout<T>(random, from.shape, to_kind);
    check_copy<T>(random, std::move(from), std::move(to));
}

Dims draw_extents(Generator& random) {
    constexpr Index kExtents[] = {1, 2, 2, 2, 3, 3, 4, 5, 7, 8, 16, 17, 33, 64, 100, 257};
    Dims shape;
    Index size = 1;
    for (Index left = draw(random, 0, 12); left > 0; --left) {
        const Index extent = kExtents[draw(random, 0, 15)];
        if (size * extent > 60000) continue;
        shape.push_back(extent);
        size *= extent;
    }
    if (!shape.empty() && draw(random, 0, 20) == 0) shape[0] = 0;
    return shape;
}

using Words = ::testing::Types<float, double, std::complex<double>>;

template <class T>
class TileCopy : public ::testing::Test {
protected:
    const unsigned seed_ = std::random_device{}();
    Generator random_{seed_};
};
TYPED_TEST_SUITE(TileCopy, Words);

TYPED_TEST(TileCopy, DrawnLayouts) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (int i = 0; i < 300 && !this->HasFatalFailure(); ++i)
        check_copy<TypeParam>(this->random_, draw_extents(this->random_),
                              {i % 4 != 0, i % 3 == 0, i % 5 == 0, i % 7 == 0},
                              {i % 2 == 0, i % 6 == 0, i % 8 == 0, false});
}

/// Single bytes, through boolean views of byte memory.
TEST(TileCopyBytes, DrawnPermutations) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    Generator random(seed);
    for (int round = 0; round < 200; ++round) {
        const Dims shape = draw_extents(random);
        const auto layout = draw_layout<float>(random, shape, {true, true, round % 2 == 0, false});
        std::vector<unsigned char> from(layout.memory.size()),
            to(static_cast<std::size_t>(element_count(shape, "test")), 9);
        for (auto& byte : from) byte = static_cast<unsigned char>(random() & 1);
        CpuContext context(1 + round % 2);
        cpu::copy({DType::Bool, from.data() + layout.origin, shape, layout.strides},
                  {DType::Bool, to.data(), shape, column_major_strides(shape)}, context);
        std::size_t n = 0, wrong = 0;
        for_each_index(shape, [&](const std::vector<Index>& index) {
            Index offset = layout.origin;
            for (std::size_t k = 0; k < index.size(); ++k) offset += index[k] * layout.strides[k];
            wrong += to[n++] != from[static_cast<std::size_t>(offset)];
        });
        ASSERT_EQ(wrong, 0u) << list_text(shape);
    }
}

/// Calls check with a type of 4, of 8 and of 16 bytes.
template <class Check>
void for_each_word(const Check& check) {
    check.template operator()<float>();
    check.template operator()<double>();
    check.template operator()<std::complex<double>>();
}

class TileTargets : public ::testing::TestWithParam<std::int64_t> {
protected:
    void SetUp() override { dispatch_to(GetParam()); }
    void TearDown() override { dispatch_to(0); }
};

TEST_P(TileTargets, CopyTransposes) {
    Generator random(7);
    for (const Dims& shape :
         {Dims{67, 131}, Dims{2, 37, 3, 41}, Dims(13, 2), Dims(8, 3), Dims{16, 9, 65}, Dims{200, 5, 100}})
        for (int round = 0; round < 3; ++round) {
            const LayoutKind kind{true, round == 1, round == 2, false};
            check_copy<float>(random, shape, kind, {});
            check_copy<double>(random, shape, kind, {});
            check_copy<std::complex<double>>(random, shape, kind, {});
            if (HasFatalFailure()) return;
        }
}

/// A tensor whose two fastest axes in memory are the other way round in its shape.
template <class T>
Strided<T> swapped(Generator& random, Dims shape, LayoutKind kind) {
    std::swap(shape[0], shape[1]);
    auto tensor = draw_layout<T>(random, shape, kind);
    std::swap(tensor.shape[0], tensor.shape[1]);
    std::swap(tensor.strides[0], tensor.strides[1]);
    return tensor;
}

/// Two to five words side by side, as long lines as are cut into pieces and too short ones.
template <class T>
void check_groups(Generator& random) {
    for (const Index ways : {2, 3, 4, 5})
        for (const Dims& shape :
             {Dims{ways, 4099}, Dims{ways, 64, 33}, Dims{ways, 63, 40}, Dims{ways, 301, 5, 3}})
            for (const LayoutKind other : {LayoutKind{}, LayoutKind{false, true, true, false}}) {
                check_copy<T>(random, draw_layout<T>(random, shape, {}), swapped<T>(random, shape, other));
                check_copy<T>(random, swapped<T>(random, shape, other), draw_layout<T>(random, shape, {}));
            }
}

TEST_P(TileTargets, GroupsAreTakenApartAndPutTogether) {
    Generator random(13);
    for_each_word([&]<class T> { check_groups<T>(random); });
}

/// Short lines whose neighbours in the target are the next rows of a tile, and lines that begin anywhere.
TEST_P(TileTargets, RowsThatAreOneRunOfTheTarget) {
    Generator random(17);
    for (const Dims& shape : {Dims{15, 31, 33, 9}, Dims{11, 300, 41}, Dims{9, 70, 221}, Dims{401, 353}})
        for (const LayoutKind kind : {LayoutKind{}, LayoutKind{false, true, true, false}}) {
            check_copy<float>(random, swapped<float>(random, shape, kind),
                              draw_layout<float>(random, shape, {}));
            check_copy<double>(random, swapped<double>(random, shape, {}),
                               draw_layout<double>(random, shape, kind));
        }
}

TEST_P(TileTargets, GroupsOfWordsOfEveryWidth) {
    constexpr Index kCount = 150, kPitch = 150 * 32 + 5;
    for (const Index word : {1, 2, 4, 8, 16, 32})
        for (const Index ways : {2, 3, 4}) {
            std::vector<unsigned char> groups(static_cast<std::size_t>(kCount * ways * word)),
                lines(static_cast<std::size_t>(kPitch * ways)), back(groups.size());
            for (std::size_t i = 0; i < groups.size(); ++i)
                groups[i] = static_cast<unsigned char>(i * 7 + i / 251);
            auto* const lines_at = reinterpret_cast<std::byte*>(lines.data());
            cpu::group_splitter(word, ways)(reinterpret_cast<const std::byte*>(groups.data()), lines_at,
                                            kPitch, kCount);
            Index wrong = 0;
            for (Index i = 0; i < kCount * ways * word; ++i) {
                const Index at = i / word % ways * kPitch + i / (word * ways) * word + i % word;
                wrong += groups[static_cast<std::size_t>(i)] != lines[static_cast<std::size_t>(at)];
            }
            EXPECT_EQ(wrong, 0) << ways << " words of " << word << " bytes";
            cpu::group_joiner(word, ways)(lines_at, reinterpret_cast<std::byte*>(back.data()), kPitch,
                                          kCount);
            EXPECT_EQ(back, groups) << ways << " words of " << word << " bytes";
        }
}

TEST_P(TileTargets, Fills) {
    Generator random(5);
    for (const Index run : {7, 8, 16, 33, 100, 2100, 5001})
        for (const Dims& others : {Dims{}, Dims{1}, Dims{9}, Dims{3, 5, 2}}) {
            check_fill<float>(random, run, others, {});
            check_fill<double>(random, run, others, {false, true, true, false});
            check_fill<std::complex<double>>(random, run, others, {false, false, true, false});
            if (HasFatalFailure()) return;
        }
    check_fill<double>(random, 2003, {117}, {false, false, true, false});
    check_fill<float>(random, 400003, {}, {});
}

TEST_P(TileTargets, FillersRepeatWordsOfEveryWidthAtEveryAlignment) {
    std::vector<std::byte> word(32), to(1000);
    for (std::size_t i = 0; i < word.size(); ++i) word[i] = static_cast<std::byte>(i * 5 + 1);
    for (const bool streams : {false, true})
        for (const Index width : {1, 2, 4, 8, 16, 32})
            for (const Index bytes : {32, 64, 96, 128, 800})
                for (std::size_t offset = 1; offset < 66; ++offset) {
                    std::fill(to.begin(), to.end(), std::byte{0});
                    cpu::line_filler(streams)(to.data() + offset, word.data(), width, bytes);
                    cpu::finish_streaming();
                    std::size_t wrong = 0;
                    for (std::size_t i = 0; i < to.size(); ++i) {
                        const bool inside = i >= offset && i < offset + static_cast<std::size_t>(bytes);
                        wrong += to[i] != (inside ? word[(i - offset) % static_cast<std::size_t>(width)]
                                                  : std::byte{0});
                    }
                    ASSERT_EQ(wrong, 0u) << "width " << width << ", " << bytes << " bytes at " << offset;
                }
}

/// Long runs, with lines that begin anywhere.
template <class T>
void check_reversed(Generator& random) {
    for (const Index length : {16, 17, 31, 64, 100, 1000, 9000})
        for (const Dims& others : {Dims{}, Dims{7}, Dims{3, 5}}) {
            Dims shape = others;
            shape.insert(0, length);
            auto from = draw_layout<T>(random, shape, {false, false, true, false});
            from.origin += (length - 1) * from.strides[0];
            from.strides[0] = -from.strides[0];
            check_copy<T>(random, std::move(from), draw_layout<T>(random, shape, {false, true, true, false}));
        }
}

TEST_P(TileTargets, ReversedLines) {
    Generator random(19);
    for_each_word([&]<class T> { check_reversed<T>(random); });
}

/// The first element where a cache line begins.
template <class T>
Strided<T> at_line(Strided<T> tensor) {
    tensor.memory.resize(tensor.memory.size() + cpu::kCacheLine / sizeof(T));
    tensor.origin += cpu::bytes_to_line(tensor.memory.data() + tensor.origin) / static_cast<Index>(sizeof(T));
    return tensor;
}

/// Targets whose rows begin with cache lines, some of which end within one.
template <class T>
void check_whole_lines(Generator& random) {
    for (const Dims& shape : {Dims{64, 72}, Dims{48, 5, 100}, Dims(14, 2), Dims{16, 12, 4, 30},
                              Dims{128, 3, 3, 3, 7}, Dims{8, 8, 8, 8, 3}, Dims{160, 17}})
        for (int round = 0; round < 6; ++round) {
            Strided<T> to = at_line(draw_layout<T>(random, shape, {}));
            if (round > 3) to.shape[0] -= draw(random, 0, 1);
            auto from = draw_layout<T>(random, to.shape, {true, round % 2 == 1, round % 3 == 2, false});
            check_copy<T>(random, std::move(from), std::move(to));
        }
}

TEST_P(TileTargets, WholeLinesOfTheTarget) {
    Generator random(23);
    for_each_word([&]<class T> { check_whole_lines<T>(random); });
}

/// Runs that both layouts share, whose order differs.
template <class T>
void check_runs(Generator& random) {
    for (const Index bytes : {32, 64, 112, 128, 192, 256, 320, 1024})
        for (const Dims& others : {Dims{9, 10, 7}, Dims(8, 2), Dims{31, 40}}) {
            const Index run = bytes / static_cast<Index>(sizeof(T));
            auto from = draw_layout<T>(random, others, {true, false, false, false});
            for (Index& stride : from.strides) stride *= run;
            from.memory.resize(from.memory.size() * static_cast<std::size_t>(run));
            from.shape.insert(0, run);
            from.strides.insert(0, 1);
            Strided<T> to = draw_layout<T>(random, from.shape, {});
            check_copy<T>(random, from, to);
            check_copy<T>(random, std::move(from), at_line(std::move(to)));
        }
}

TEST_P(TileTargets, RunsInAnotherOrder) {
    Generator random(29);
    for_each_word([&]<class T> { check_runs<T>(random); });
}

TEST_P(TileTargets, LongCopies) {
    Generator random(11);
    check_copy<double>(random, {1003, 207}, {true, false, false, false}, {});
    check_copy<double>(random, {1003, 207}, {}, {false, false, true, false});
    check_copy<float>(random, {2, 1003, 207}, {true, false, false, false}, {});
    check_copy<double>(random, {1003, 1009}, {true, false, false, false}, {});
    auto to = draw_layout<double>(random, {300011, 2}, {});
    to.shape[0] = 300007;
    check_copy<double>(random, draw_layout<double>(random, to.shape, {}), to);
}
INSTANTIATE_TEST_SUITE_P(Host, TileTargets, ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

TEST(Odometer, KnowsItsNextStep) {
    cpu::Axes<2> axes;
    axes.push_back({3, {5, -7}});
    axes.push_back({1, {100, 1000}});
    axes.push_back({4, {11, 0}});
    cpu::Odometer<2> at(axes, 0, {40, 80});
    for (bool more = true; more;) {
        const Index steps[] = {at.next_step(0), at.next_step(1)}, before[] = {at.in(0), at.in(1)};
        more = at.advance();
        for (const std::size_t tensor : {0, 1}) EXPECT_EQ(at.in(tensor), before[tensor] + steps[tensor]);
    }
    EXPECT_EQ(at.in(0), 40);
    EXPECT_EQ(at.in(1), 80);
}

/// Outer products of 16 by 16: i goes along A and C, j along B, and a slice of the batch along all.
TEST(TilePlan, LinesThatAreLongEnoughGetNoTable) {
    using cpu::Walk;
    cpu::LoopAxes axes;
    axes.push_back({16, {1, 0, 1}});
    axes.push_back({16, {0, 1, 16}});
    axes.push_back({100, {16, 16, 256}});
    const auto walks = [](const cpu::TilePlan& plan) {
        static cpu::OffsetTable<cpu::kMostLine> a, b, c;
        cpu::fill_tables(plan.line, 1, a, b, c);
        return std::array{a.walk, b.walk, c.walk};
    };
    const cpu::TilePlan joined = cpu::plan_tiles(axes, {256, 32}),
                        even = cpu::plan_tiles(axes, {256, 32, 16});
    EXPECT_EQ(joined.line.size, 256);
    EXPECT_EQ(walks(joined), (std::array{Walk::Table, Walk::Table, Walk::Unit}));
    EXPECT_EQ(even.line.size, 16);
    EXPECT_EQ(walks(even), (std::array{Walk::Unit, Walk::Fixed, Walk::Unit}));
    EXPECT_GE(even.line.size * even.rows.size, 1024);
}

}}  // namespace tenferro::testing
