// Interleaved loads and stores, compiled once per instruction set.
#include "cpu/kernels/movement/interleave_kernels.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/movement/interleave_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <std::size_t kBytes>
using GroupWord =
    std::conditional_t<kBytes == 1, std::uint8_t,
                       std::conditional_t<kBytes == 2, std::uint16_t,
                                          std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>>>;

/// Words that are wider than lanes go one by one; returns how many groups have been moved in vectors.
template <std::size_t kBytes, int kWays, bool kSplits>
HWY_INLINE Index move_group_vectors(const std::byte* from, std::byte* to, Index pitch, Index count) {
    Index i = 0;
    if constexpr (kBytes <= 8) {
        using T = GroupWord<kBytes>;
        const hn::ScalableTag<T> d;
        const auto lanes = static_cast<Index>(hn::Lanes(d));
        constexpr auto kWidth = static_cast<Index>(kBytes);
        for (; i + lanes <= count; i += lanes) {
            using V = hn::Vec<decltype(d)>;
            V a = hn::Undefined(d), b = a, c = a, e = a;
            if constexpr (kSplits) {
                const T* const groups = reinterpret_cast<const T*>(from + i * kWays * kWidth);
                if constexpr (kWays == 2) hn::LoadInterleaved2(d, groups, a, b);
                if constexpr (kWays == 3) hn::LoadInterleaved3(d, groups, a, b, c);
                if constexpr (kWays == 4) hn::LoadInterleaved4(d, groups, a, b, c, e);
                const auto line = [&](Index way) {
                    return reinterpret_cast<T*>(to + way * pitch + i * kWidth);
                };
                hn::StoreU(a, d, line(0));
                hn::StoreU(b, d, line(1));
                if constexpr (kWays > 2) hn::StoreU(c, d, line(2));
                if constexpr (kWays > 3) hn::StoreU(e, d, line(3));
            } else {
                const auto line = [&](Index way) {
                    return hn::LoadU(d, reinterpret_cast<const T*>(from + way * pitch + i * kWidth));
                };
                a = line(0);
                b = line(1);
                if constexpr (kWays > 2) c = line(2);
                if constexpr (kWays > 3) e = line(3);
                T* const groups = reinterpret_cast<T*>(to + i * kWays * kWidth);
                if constexpr (kWays == 2) hn::StoreInterleaved2(a, b, d, groups);
                if constexpr (kWays == 3) hn::StoreInterleaved3(a, b, c, d, groups);
                if constexpr (kWays == 4) hn::StoreInterleaved4(a, b, c, e, d, groups);
            }
        }
    }
    return i;
}

template <std::size_t kBytes, int kWays, bool kSplits>
void move_groups(const std::byte* from, std::byte* to, Index pitch, Index count) {
    constexpr auto kWidth = static_cast<Index>(kBytes);
    for (Index i = move_group_vectors<kBytes, kWays, kSplits>(from, to, pitch, count); i < count; ++i)
        for (Index way = 0; way < kWays; ++way) {
            const Index group = (i * kWays + way) * kWidth, line = way * pitch + i * kWidth;
            std::memcpy(to + (kSplits ? line : group), from + (kSplits ? group : line), kBytes);
        }
}

template <std::size_t kBytes, bool kSplits>
MoveGroups choose_ways(Index ways) {
    return ways == 2   ? move_groups<kBytes, 2, kSplits>
           : ways == 3 ? move_groups<kBytes, 3, kSplits>
                       : move_groups<kBytes, 4, kSplits>;
}

template <bool kSplits>
MoveGroups choose_groups(Index word, Index ways) {
    switch (word) {
        case 1: return choose_ways<1, kSplits>(ways);
        case 2: return choose_ways<2, kSplits>(ways);
        case 4: return choose_ways<4, kSplits>(ways);
        case 8: return choose_ways<8, kSplits>(ways);
        case 16: return choose_ways<16, kSplits>(ways);
        default: return choose_ways<32, kSplits>(ways);
    }
}

MoveGroups choose_splitter(Index word, Index ways) { return choose_groups<true>(word, ways); }
MoveGroups choose_joiner(Index word, Index ways) { return choose_groups<false>(word, ways); }

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(choose_splitter);
HWY_EXPORT(choose_joiner);

MoveGroups group_splitter(Index word, Index ways) {
    return HWY_DYNAMIC_DISPATCH(choose_splitter)(word, ways);
}
MoveGroups group_joiner(Index word, Index ways) { return HWY_DYNAMIC_DISPATCH(choose_joiner)(word, ways); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
