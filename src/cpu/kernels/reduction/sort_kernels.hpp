// Sorting keys in vectors.
#pragma once

#include <cstdint>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Sorts `count` numbers upwards; equal ones are indistinguishable. Nobody is asked whether the result is
/// still wanted.
template <class Key>
using SortKeys = void (*)(Key* keys, Index count);
struct KeySorters {
    SortKeys<std::int32_t> narrow = nullptr;
    SortKeys<std::int64_t> wide = nullptr;
};
/// For the instruction set that Highway chooses; null where that has no vectors.
[[nodiscard]] KeySorters key_sorters();

}}}  // namespace tenferro::TENFERRO_ABI::cpu
