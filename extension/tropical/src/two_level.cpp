// The engine tells among which terms a winner is; they are looked at here.
#include "two_level.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <tenferro/cpu/contraction/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "two_level.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TROPICAL_TWO_LEVEL
#define TROPICAL_TWO_LEVEL
namespace tropical {

/// Bytes of rows of the left operand that stay in the caches while all columns pass.
inline constexpr Index kResolvedBytes = 1 << 20;

/// Some rows of the result, all columns, in one slice of the batch.
struct Rows {
    const void* lhs;     ///< row m at m * depth
    const void* rhs;     ///< column n at n * depth
    const void* result;  ///< column n at n * stride
    Index* first;        ///< as result; where to look, then where it is
    Index rows, columns, depth, stride;
};

}  // namespace tropical
#endif

#include "opaque_one.hpp"
#include "semirings-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tropical::HWY_NAMESPACE {

/// One bit per lane, the first lane lowest.
template <class D, class M>
HWY_INLINE std::uint32_t mask_bits(D d, M mask) {
    std::uint8_t bytes[8];
    hn::StoreMaskBits(d, mask, bytes);
    if constexpr (hn::MaxLanes(D()) <= 8) return bytes[0];
    std::uint16_t bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return bits;
}

/// The first of `count` terms that is `value`; 0 where none is.
template <class S, class T>
HWY_INLINE Index first_term(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, Index count, T value) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr Index kDepth = tenferro::cpu::tracked_depth(sizeof(T));
    static_assert(kDepth <= 32, "a bit each");
    if (count == kDepth && kDepth % kLanes == 0 && value == value) {
        // Without a branch on what is found, which nobody can predict.
        const auto wanted = hn::Set(d, value);
        std::uint32_t equal = 1u << (kDepth - 1);
        HWY_UNROLL(4)
        for (Index k = 0; k < kDepth; k += kLanes)
            equal |= mask_bits(d, hn::Eq(S::times(d, hn::LoadU(d, a + k), hn::LoadU(d, b + k)), wanted)) << k;
        return std::countr_zero(equal);
    }
    for (Index k = 0; k < count; ++k) {
        const T term = S::times(a[k], b[k]);
        if (term == value || (term != term && value != value)) return k;
    }
    return 0;
}

/// Asks for memory that is wanted soon.
template <class T>
HWY_INLINE void fetch(const T* memory, Index count) {
    constexpr Index kLine = 64 / sizeof(T);
    for (Index i = 0; i < count; i += kLine) __builtin_prefetch(memory + i, 0, 2);
}

template <class S>
void resolve(const Rows& rows) {
    using T = typename S::Lane;
    constexpr Index kDepth = tenferro::cpu::tracked_depth(sizeof(T)), kRun = 32, kNearBytes = 512 << 10;
    const Index depth = rows.depth, count = rows.rows;
    const T* const lhs = static_cast<const T*>(rows.lhs);
    // Where rows fill the second cache the terms of a few of them are asked for together.
    const bool far = count * depth * static_cast<Index>(sizeof(T)) > kNearBytes;
    for (Index n = 0; n < rows.columns; ++n) {
        const T* const rhs = static_cast<const T*>(rows.rhs) + n * depth;
        const T* const result = static_cast<const T*>(rows.result) + n * rows.stride;
        Index* const first = rows.first + n * rows.stride;
        if (n + 1 < rows.columns) {
            fetch(rhs + depth, depth);
            fetch(result + rows.stride, rows.rows);
            fetch(first + rows.stride, rows.rows);
        }
        for (Index begin = 0; begin < count; begin += kRun) {
            const Index end = std::min(begin + kRun, count);
            if (far)
                for (Index m = begin; m < end; ++m) fetch(lhs + m * depth + first[m], kDepth);
            for (Index m = begin; m < end; ++m) {
                const Index k = first[m];
                const T* const terms = lhs + m * depth + k;
                const Index found = k + first_term<S>(terms, rhs + k, std::min(kDepth, depth - k), result[m]);
                first[m] = result[m] == S::zero() ? 0 : found;
            }
        }
    }
}

using Resolve = void (*)(const Rows&);

template <Algebra kAlgebra, class Order>
Resolve sum_resolve(tenferro::DType dtype) {
    switch (dtype) {
        case tenferro::DType::F32: return resolve<FloatSums<float, Order, kAlgebra, false>>;
        case tenferro::DType::I32: return resolve<IntegerSums<std::int32_t, Order, kAlgebra>>;
        case tenferro::DType::I64: return resolve<IntegerSums<std::int64_t, Order, kAlgebra>>;
        default: return resolve<FloatSums<double, Order, kAlgebra, false>>;
    }
}

Resolve find_resolve(Algebra algebra, tenferro::DType dtype) {
    if (algebra == Algebra::MaxPlus) return sum_resolve<Algebra::MaxPlus, Greatest>(dtype);
    if (algebra == Algebra::MinPlus) return sum_resolve<Algebra::MinPlus, Least>(dtype);
    return dtype == tenferro::DType::F32 ? resolve<FloatProducts<float>> : resolve<FloatProducts<double>>;
}

}  // namespace tropical::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tropical {

HWY_EXPORT(find_resolve);

bool prefers_two_levels(Index rows, Index columns, Index depth) noexcept {
    constexpr Index kSide = 32;
    return depth >= kSide && rows >= kSide && columns >= kSide;
}

bool multiply_two_levels(Executor& executor, const TensorRead& lhs, const TensorRead& rhs,
                         const TensorWrite& result, const TensorWrite& first) {
    const DType dtype = lhs.dtype();
    if (!cpu::contract_tracked(executor.table(), lhs, rhs, {{0}, {0}, {2}, {2}}, result, first,
                               executor.context()))
        return false;
    const auto resolve = HWY_DYNAMIC_DISPATCH(find_resolve)(executor.algebra(), dtype);
    const Index bytes = static_cast<Index>(info(dtype).bytes);
    const Index depth = lhs.shape()[0], rows = lhs.shape()[1], columns = rhs.shape()[1],
                batch = lhs.shape()[2];
    const auto at = [=](const void* memory, Index offset) {
        return static_cast<const std::byte*>(memory) + offset * bytes;
    };
    const Index block = std::clamp<Index>(kResolvedBytes / (depth * bytes), 16, 256);
    const Index parts = (rows + block - 1) / block;
    executor.context().parallel_for(parts * batch, [&](Index task) {
        const Index b = task / parts, m = task % parts * block, place = b * columns * rows + m;
        resolve({at(lhs.data(), (b * rows + m) * depth), at(rhs.data(), b * columns * depth),
                 at(result.data(), place), first.data_as<Index>() + place, std::min(block, rows - m), columns,
                 depth, rows});
    });
    return true;
}

}  // namespace tropical
#endif
