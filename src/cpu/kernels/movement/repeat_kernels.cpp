// Repeated elements by tables of lanes, compiled once per instruction set: where a vector of the line begins
// among the repetitions of its first element decides which lanes of the source it takes.
#include "cpu/kernels/movement/repeat_kernels.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/movement/repeat_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// For elements of kParts lanes each.
template <class Lane, Index kParts>
struct Repeats {
    using D = hn::ScalableTag<Lane>;
    using Place = hwy::MakeSigned<Lane>;
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D())), kElements = kLanes / kParts;

    /// Which lanes of the source a vector takes that begins with repetition `first` of its first element.
    struct alignas(64) Places {
        Place lane[kMostRepeats + 1][kMostRepeats][static_cast<std::size_t>(kLanes)];
    };
    static constexpr Places places() {
        Places table{};
        for (Index times = 1; times <= kMostRepeats; ++times)
            for (Index first = 0; first < times; ++first)
                for (Index lane = 0; lane < kLanes; ++lane)
                    table.lane[times][first][lane] =
                        static_cast<Place>((first + lane / kParts) / times * kParts + lane % kParts);
        return table;
    }

    static void run(std::byte* to, const std::byte* from, Index count, Index times) {
        constexpr std::size_t kBytes = kParts * sizeof(Lane);
        Index element = 0, first = 0;
        if constexpr (kElements > 1) {
            static constexpr Places table = places();
            const D d;
            const Index whole = kElements / times, rest = kElements % times;
            for (; element + kElements <= count; to += kElements * static_cast<Index>(kBytes)) {
                const auto source = hn::LoadU(d, reinterpret_cast<const Lane*>(from) + element * kParts);
                const auto lanes = hn::SetTableIndices(d, table.lane[times][first]);
                hn::StoreU(hn::TableLookupLanes(source, lanes), d, reinterpret_cast<Lane*>(to));
                element += whole;
                first += rest;
                if (first >= times) {
                    first -= times;
                    ++element;
                }
            }
        }
        for (; element < count; ++element, first = 0)
            for (; first < times; ++first, to += kBytes)
                std::memcpy(to, from + element * static_cast<Index>(kBytes), kBytes);
    }
};

RepeatEach choose_repeater(Index width) {
    switch (width) {
        case 4: return Repeats<std::uint32_t, 1>::run;
        case 8: return Repeats<std::uint64_t, 1>::run;
        case 16: return Repeats<std::uint64_t, 2>::run;
        default: return nullptr;
    }
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(choose_repeater);
RepeatEach repeater(Index width) { return HWY_DYNAMIC_DISPATCH(choose_repeater)(width); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
