// Tiles of the result are computed slab by slab with the engine, compared with what they were, and resolved
// while they are in the caches.
#include "two_level.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <tenferro/cpu/contraction/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "two_level.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TROPICAL_TWO_LEVEL
#define TROPICAL_TWO_LEVEL
namespace tropical {

/// Bytes of a slab's line; a depth of 64 for f64.
inline constexpr Index kSlabBytes = 512;
/// Rows and columns of a tile, and rows that are resolved together.
inline constexpr Index kTile = 256, kResolved = 64;

/// A tile of the result: `rows` and `columns` of it, with the operands' lines along K.
struct Tile {
    const void* lhs;   ///< row m at m * depth
    const void* rhs;   ///< column n at n * depth
    void* result;      ///< column n at n * stride
    Index* first;      ///< as result
    const void* slab;  ///< sums over the slab at hand, column n at n * rows
    void* origins;     ///< numbers of slabs, of the width of an element, as slab
    Index rows, columns, depth, stride, slab_depth;
};

/// What is compiled per instruction set.
struct TileFunctions {
    /// Takes the elements of the slab that are better than what there is.
    void (*take_slab)(const Tile& tile, Index slab);
    /// Finds the first terms.
    void (*resolve)(const Tile& tile);
};

}  // namespace tropical
#endif

#include "opaque_one.hpp"
#include "semirings-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tropical::HWY_NAMESPACE {

template <class S>
void take_slab(const Tile& tile, Index slab) {
    using T = typename S::Lane;
    const hn::ScalableTag<T> d;
    const hn::RebindToSigned<decltype(d)> di;
    using Origin = hn::TFromD<decltype(di)>;
    const Index lanes = static_cast<Index>(hn::Lanes(d));
    const auto number = hn::Set(di, static_cast<Origin>(slab));
    for (Index n = 0; n < tile.columns; ++n) {
        T* const HWY_RESTRICT result = static_cast<T*>(tile.result) + n * tile.stride;
        const T* const HWY_RESTRICT sums = static_cast<const T*>(tile.slab) + n * tile.rows;
        Origin* const HWY_RESTRICT origins = static_cast<Origin*>(tile.origins) + n * tile.rows;
        Index m = 0;
        for (; m + lanes <= tile.rows; m += lanes) {
            const auto old = hn::LoadU(d, result + m), made = hn::LoadU(d, sums + m);
            const auto keep = S::keeps(d, old, made);
            hn::StoreU(hn::IfThenElse(keep, old, made), d, result + m);
            hn::StoreU(hn::IfThenElse(hn::RebindMask(di, keep), hn::LoadU(di, origins + m), number), di,
                       origins + m);
        }
        for (; m < tile.rows; ++m) {
            if (S::keeps(result[m], sums[m])) continue;
            result[m] = sums[m];
            origins[m] = static_cast<Origin>(slab);
        }
    }
}

/// The first k at which the term is `value`, which one is.
template <class S, class T>
HWY_INLINE Index first_term(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, Index count, T value) {
    const hn::ScalableTag<T> d;
    const Index lanes = static_cast<Index>(hn::Lanes(d));
    const auto wanted = hn::Set(d, value);
    Index k = 0;
    for (; k + lanes <= count; k += lanes) {
        const auto term = S::times(d, hn::LoadU(d, a + k), hn::LoadU(d, b + k));
        const intptr_t found = hn::FindFirstTrue(d, S::same(d, term, wanted));
        if (found >= 0) return k + found;
    }
    for (; k < count; ++k) {
        const T term = S::times(a[k], b[k]);
        if (term == value || (term != term && value != value)) return k;
    }
    return 0;
}

template <class S>
void resolve(const Tile& tile) {
    using T = typename S::Lane;
    using Origin = hn::TFromD<hn::RebindToSigned<hn::ScalableTag<T>>>;
    for (Index row = 0; row < tile.rows; row += kResolved)
        for (Index n = 0; n < tile.columns; ++n) {
            const T* const rhs = static_cast<const T*>(tile.rhs) + n * tile.depth;
            const T* const result = static_cast<const T*>(tile.result) + n * tile.stride;
            const Origin* const origins = static_cast<const Origin*>(tile.origins) + n * tile.rows;
            Index* const first = tile.first + n * tile.stride;
            for (Index m = row; m < std::min(row + kResolved, tile.rows); ++m) {
                const Index k = origins[m] * tile.slab_depth;
                first[m] =
                    result[m] == S::zero()
                        ? 0
                        : k + first_term<S>(static_cast<const T*>(tile.lhs) + m * tile.depth + k, rhs + k,
                                            std::min(tile.slab_depth, tile.depth - k), result[m]);
            }
        }
}

template <class S>
TileFunctions functions() {
    return {take_slab<S>, resolve<S>};
}

template <Algebra kAlgebra, class Order>
TileFunctions sum_functions(tenferro::DType dtype) {
    switch (dtype) {
        case tenferro::DType::F32: return functions<FloatSums<float, Order, kAlgebra>>();
        case tenferro::DType::I32: return functions<IntegerSums<std::int32_t, Order, kAlgebra>>();
        case tenferro::DType::I64: return functions<IntegerSums<std::int64_t, Order, kAlgebra>>();
        default: return functions<FloatSums<double, Order, kAlgebra>>();
    }
}

TileFunctions tile_functions(Algebra algebra, tenferro::DType dtype) {
    if (algebra == Algebra::MaxPlus) return sum_functions<Algebra::MaxPlus, Greatest>(dtype);
    if (algebra == Algebra::MinPlus) return sum_functions<Algebra::MinPlus, Least>(dtype);
    return dtype == tenferro::DType::F32 ? functions<FloatProducts<float>>()
                                         : functions<FloatProducts<double>>();
}

}  // namespace tropical::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tropical {

HWY_EXPORT(tile_functions);

bool prefers_two_levels(Index rows, Index columns, Index depth) noexcept {
    return depth >= 256 && rows >= 64 && columns >= 64;
}

void multiply_two_levels(Executor& executor, const TensorRead& lhs, const TensorRead& rhs,
                         const TensorWrite& result, const TensorWrite& first) {
    const DType dtype = lhs.dtype();
    const TileFunctions functions = HWY_DYNAMIC_DISPATCH(tile_functions)(executor.algebra(), dtype);
    const Index bytes = static_cast<Index>(info(dtype).bytes);
    const Index depth = lhs.shape()[0], rows = lhs.shape()[1], columns = rhs.shape()[1],
                batch = lhs.shape()[2];
    const Index slab_depth = kSlabBytes / bytes, slabs = (depth + slab_depth - 1) / slab_depth;
    const Index row_tiles = (rows + kTile - 1) / kTile, column_tiles = (columns + kTile - 1) / kTile;
    const auto at = [=](auto* memory, Index offset) { return memory + offset * bytes; };
    const auto* const lhs_bytes = static_cast<const std::byte*>(lhs.data());
    const auto* const rhs_bytes = static_cast<const std::byte*>(rhs.data());
    auto* const result_bytes = static_cast<std::byte*>(result.data());
    executor.context().parallel_for(row_tiles * column_tiles * batch, [&](Index task) {
        const Index b = task / (row_tiles * column_tiles), m = task % row_tiles * kTile,
                    n = task / row_tiles % column_tiles * kTile;
        Tile tile{};
        tile.rows = std::min(kTile, rows - m);
        tile.columns = std::min(kTile, columns - n);
        tile.depth = depth;
        tile.stride = rows;
        tile.slab_depth = slab_depth;
        const std::byte* const a = at(lhs_bytes, (b * rows + m) * depth);
        const std::byte* const c = at(rhs_bytes, (b * columns + n) * depth);
        tile.lhs = a;
        tile.rhs = c;
        tile.result = at(result_bytes, (b * columns + n) * rows + m);
        tile.first = first.data_as<Index>() + (b * columns + n) * rows + m;
        const Index size = tile.rows * tile.columns;
        // Elements and numbers of slabs, one after the other.
        std::vector<std::byte> scratch(static_cast<std::size_t>(2 * size * bytes));
        tile.slab = scratch.data();
        tile.origins = scratch.data() + size * bytes;
        const TensorWrite whole(dtype, tile.result, {tile.rows, tile.columns}, {1, rows});
        const TensorWrite part(dtype, scratch.data(), {tile.rows, tile.columns}, {1, tile.rows});
        for (Index slab = 0; slab < slabs; ++slab) {
            const Index k = slab * slab_depth, length = std::min(slab_depth, depth - k);
            const TensorRead left(dtype, at(a, k), {tile.rows, length}, {depth, 1});
            const TensorRead right(dtype, at(c, k), {length, tile.columns}, {1, depth});
            executor.contract(left, right, {{1}, {0}, {}, {}}, slab == 0 ? whole : part);
            if (slab > 0) functions.take_slab(tile, slab);
        }
        functions.resolve(tile);
    });
}

}  // namespace tropical
#endif
