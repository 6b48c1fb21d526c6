// Highway's quicksort in vectors (vqsort; Bramas 2017 and Blacher et al. 2022 describe its parts), compiled
// once per instruction set. Numbers are sorted as the integers that their bits are.
#include "cpu/kernels/reduction/sort_kernels.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu/kernels/reduction/integer_as.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/reduction/sort_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Others of Highway's versions have other insides: lines are sorted without vectors there.
#if VQSORT_ENABLED && HWY_MAJOR == 1 && HWY_MINOR == 0 && HWY_PATCH == 3
/// What hn::Sort does, but for its random numbers, which it has of a second library.
template <class Key>
void sort_keys(Key* keys, Index count) {
    constexpr std::uint64_t kSeed = 0x9E3779B97F4A7C15;
    const hn::SortTag<Key> d;
    const hn::detail::SharedTraits<hn::detail::TraitsLane<hn::detail::OrderAscending<Key>>> upwards;
    HWY_ALIGN Key memory[hwy::SortConstants::BufNum<Key>(HWY_LANES(Key))];
    const auto size = static_cast<std::size_t>(count);
    hn::detail::Generator random(kSeed);
    const std::size_t most_levels = 2 * hwy::CeilLog2(size) + 4;  // beyond which it sorts by a heap
    hn::detail::Recurse(d, upwards, keys, keys + size, size, memory, random, most_levels);
}

/// Replaces every vector of keys by what `change` makes of it.
template <class Key, class Change>
HWY_INLINE void change_keys(Key* keys, Index count, const Change& change) {
    const hn::ScalableTag<Key> d;
    const Index lanes = static_cast<Index>(hn::Lanes(d)), whole = count / lanes * lanes;
    for (Index i = 0; i < whole; i += lanes) hn::StoreU(change(hn::LoadU(d, keys + i)), d, keys + i);
    if (whole == count) return;
    const auto rest = hn::FirstN(d, static_cast<std::size_t>(count - whole));
    hn::BlendedStore(change(hn::MaskedLoad(rest, d, keys + whole)), rest, d, keys + whole);
}

/// All bits of negative numbers change but the sign, so that integers are in the order of numbers; downwards
/// all bits change once more.
template <class T>
bool sort_line(void* line, Index count, bool descending) {
    using Key = IntegerAs<T>;
    const hn::ScalableTag<Key> d;
    using Vec = hn::Vec<decltype(d)>;
    auto* const keys = static_cast<Key*>(line);
    constexpr bool kFloating = std::is_floating_point_v<T>;
    const Vec turned = hn::Set(d, descending ? Key{-1} : Key{0}),
              magnitude = hn::Set(d, std::numeric_limits<Key>::max());
    const auto in_order = [&](Vec v) HWY_ATTR {
        if constexpr (!kFloating) return v;
        return hn::Xor(v, hn::And(hn::ShiftRight<8 * sizeof(Key) - 1>(v), magnitude));
    };
    const auto back = [&](Vec v) HWY_ATTR { return in_order(hn::Xor(v, turned)); };
    if constexpr (kFloating) {
        const Vec infinity = hn::Set(d, std::bit_cast<Key>(std::numeric_limits<T>::infinity())),
                  negative_zero = hn::Set(d, std::numeric_limits<Key>::min());
        auto tells_apart = hn::FirstN(d, 0);
        change_keys(keys, count, [&](Vec v) HWY_ATTR {
            tells_apart = hn::Or(tells_apart,
                                 hn::Or(hn::Eq(v, negative_zero), hn::Gt(hn::And(v, magnitude), infinity)));
            return hn::Xor(in_order(v), turned);
        });
        if (!hn::AllFalse(d, tells_apart)) {
            change_keys(keys, count, back);
            return false;
        }
    } else if (descending) {
        change_keys(keys, count, back);
    }
    sort_keys(keys, count);
    if (kFloating || descending) change_keys(keys, count, back);
    return true;
}

SortInVectors find_sorter(DType dtype) {
    switch (dtype) {
        case DType::F32: return sort_line<float>;
        case DType::F64: return sort_line<double>;
        case DType::I32: return sort_line<std::int32_t>;
        default: return sort_line<std::int64_t>;
    }
}
#else
SortInVectors find_sorter(DType /*dtype*/) { return nullptr; }
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(find_sorter);
SortInVectors vector_sorter(DType dtype) { return HWY_DYNAMIC_DISPATCH(find_sorter)(dtype); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
