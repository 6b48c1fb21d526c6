// Accumulation types and the splitting of indices into groups of axes, for operations that sum.
#pragma once

#include <complex>

#include "reference/index_loop.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

/// A type in which a sum of T loses little: double for float, complex double for complex float.
template <class T>
struct Wide {
    using type = T;
};
template <>
struct Wide<float> {
    using type = double;
};
template <>
struct Wide<std::complex<float>> {
    using type = std::complex<double>;
};

inline Dims pick(std::span<const Index> values, std::span<const Index> axes) {
    Dims picked;
    for (const Index axis : axes) picked.push_back(values[axis]);
    return picked;
}

/// Writes values[i] to index[axes[i]].
inline void place(Dims& index, std::span<const Index> axes, std::span<const Index> values) {
    for (std::size_t i = 0; i < axes.size(); ++i) index[axes[i]] = values[i];
}

}}}  // namespace tenferro::TENFERRO_ABI::reference
