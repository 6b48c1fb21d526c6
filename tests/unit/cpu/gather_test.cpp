// Gather and scatter of so many windows that threads share them: against the reference, element by element
// and bit by bit, since sums must be added up in the order of the batch whatever the number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "support/random_layout.hpp"
#include "support/sanitized.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro { namespace {

using test::Draw;
using test::StridedSample;

struct Case {
    Dims whole, indices, batched;
    GatherConfig gather;

    [[nodiscard]] ScatterConfig scatter() const {
        return {gather.offset_dims, gather.collapsed_slice_dims, gather.start_index_map,
                gather.index_vector_dim};
    }
};

/// Windows of drawn extents at drawn axes; as many as make about `elements` elements.
Case drawn_case(Draw& draw, Index elements) {
    Case c;
    const auto rank = static_cast<std::size_t>(draw.integer(1, 3));
    Index window_size = 1;
    Dims window;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const bool collapsed = draw.integer(0, 1) == 0;
        const Index slice = collapsed ? 1 : draw.integer(1, 12);
        c.whole.push_back(slice + draw.integer(0, 1) * draw.integer(0, 40));
        c.gather.slice_sizes.push_back(slice);
        if (collapsed)
            c.gather.collapsed_slice_dims.push_back(static_cast<Index>(axis));
        else
            window.push_back(slice);
        window_size *= slice;
    }
    for (const Index axis : draw.permutation(rank))
        if (draw.integer(0, 2) != 0) c.gather.start_index_map.push_back(axis);
    const Index count = elements / window_size + 1, inner = draw.integer(1, 3);
    Dims batch{count / inner + 1};
    if (inner > 1) batch.insert(static_cast<std::size_t>(draw.integer(0, 1)), inner);
    c.indices = batch;
    c.gather.index_vector_dim = draw.integer(0, static_cast<Index>(batch.size()));
    c.indices.insert(static_cast<std::size_t>(c.gather.index_vector_dim),
                     static_cast<Index>(c.gather.start_index_map.size()));
    const Dims order = draw.permutation(window.size() + batch.size());
    c.gather.offset_dims.assign(order.begin(), order.begin() + window.size());
    std::sort(c.gather.offset_dims.begin(), c.gather.offset_dims.end());
    c.batched = Dims(order.size(), -1);
    for (std::size_t k = 0; k < window.size(); ++k) c.batched[c.gather.offset_dims[k]] = window[k];
    std::size_t next = 0;
    for (Index& extent : c.batched)
        if (extent < 0) extent = batch[next++];
    return c;
}

template <class T>
void fill_uneven(Draw& draw, const StridedSample<T>& sample) {
    test::for_each_index(sample.view().shape(), [&](const Dims& i) {
        test::element<T>(sample.view(), i) = static_cast<T>(draw.integer(-1000, 1000)) / static_cast<T>(7);
    });
}

Tensor drawn_indices(Draw& draw, const Case& c) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(element_count(c.indices, "test")));
    for (auto& value : values) value = draw.integer(-1, 30);
    return Tensor::from_data<std::int64_t>(values, c.indices);
}

template <class T>
void expect_equal(const Tensor& result, const Tensor& expected, const Case& c, const char* op, int threads) {
    ASSERT_EQ(
        std::memcmp(result.data(), expected.data(), static_cast<std::size_t>(result.size()) * sizeof(T)), 0)
        << op << " on " << list_text(c.whole) << " and " << list_text(c.batched) << ", windows "
        << list_text(c.gather.slice_sizes) << ", map " << list_text(c.gather.start_index_map) << ", "
        << threads << " threads";
}

template <class T>
void check(Draw& draw, Index elements) {
    const Case c = drawn_case(draw, elements);
    const StridedSample<T> whole(draw, c.whole), updates(draw, c.batched);
    fill_uneven(draw, whole);
    fill_uneven(draw, updates);
    const Tensor indices = drawn_indices(draw, c);
    ReferenceBackend reference;
    const Tensor gathered = reference.gather_read(whole.view(), indices, c.gather);
    const Tensor replaced = reference.scatter_read(whole.view(), indices, updates.view(), c.scatter());
    const Tensor added = reference.scatter_add_read(whole.view(), indices, updates.view(), c.scatter());
    for (const int threads : {1, 2, 5}) {
        const auto backend = CpuBackend::with_threads(threads);
        expect_equal<T>(backend->gather_read(whole.view(), indices, c.gather), gathered, c, "gather",
                        threads);
        expect_equal<T>(backend->scatter_read(whole.view(), indices, updates.view(), c.scatter()), replaced,
                        c, "scatter", threads);
        expect_equal<T>(backend->scatter_add_read(whole.view(), indices, updates.view(), c.scatter()), added,
                        c, "scatter_add", threads);
    }
}

TEST(GatherScatter, DrawnWindowsInParallel) {
    const auto seed = static_cast<std::uint64_t>(std::random_device{}());
    SCOPED_TRACE(text("seed ", seed));
    Draw draw(seed);
    for (int round = 0; round < test::draws(60) && !::testing::Test::HasFatalFailure(); ++round) {
        check<double>(draw, 33000);
        check<float>(draw, 700);
    }
}

/// One long window: no batch to share among threads.
TEST(GatherScatter, OneLargeWindow) {
    Draw draw(3);
    const Dims shape{300, 200};
    const StridedSample<double> whole(draw, {310, 203}), updates(draw, shape);
    fill_uneven(draw, whole);
    fill_uneven(draw, updates);
    const Tensor indices = Tensor::from_data<std::int64_t>(std::vector<std::int64_t>{7, 2}, Dims{2});
    const GatherConfig gather{{0, 1}, {}, {0, 1}, 0, shape};
    const ScatterConfig scatter{{0, 1}, {}, {0, 1}, 0};
    Case c;
    c.whole = {310, 203};
    c.batched = shape;
    c.gather = gather;
    ReferenceBackend reference;
    const auto backend = CpuBackend::with_threads(3);
    expect_equal<double>(backend->gather_read(whole.view(), indices, gather),
                         reference.gather_read(whole.view(), indices, gather), c, "gather", 3);
    expect_equal<double>(backend->scatter_add_read(whole.view(), indices, updates.view(), scatter),
                         reference.scatter_add_read(whole.view(), indices, updates.view(), scatter), c,
                         "scatter_add", 3);
}

}}  // namespace tenferro
