// Highway's quicksort in vectors (vqsort; Bramas 2017 and Blacher et al. 2022 describe its parts), compiled
// once per instruction set.
#include "cpu/kernels/reduction/sort_kernels.hpp"

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

// What hn::Sort does, but for its random numbers, which it has of a second library. Others of Highway's
// versions have other insides: lines are sorted without vectors there.
#if VQSORT_ENABLED && HWY_MAJOR == 1 && HWY_MINOR == 0 && HWY_PATCH == 3
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
KeySorters find_sorters() { return {sort_keys<std::int32_t>, sort_keys<std::int64_t>}; }
#else
KeySorters find_sorters() { return {}; }
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(find_sorters);
KeySorters key_sorters() { return HWY_DYNAMIC_DISPATCH(find_sorters)(); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
