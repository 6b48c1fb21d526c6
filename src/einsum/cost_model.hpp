// The cost model of one pairwise contraction: flops, bytes and predicted seconds from the sizes of the
// tensors alone. All constants of the model are here; they describe one core of a current x86 server and
// matter for path search only through their ratios.
#pragma once

#include <algorithm>

#include "tenferro/base/export.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Element counts of a merge; all positive and below about 1e250, so that their sums and ratios are finite.
struct MergeSizes {
    double left = 1, right = 1, out = 1;
    double involved = 1;  ///< product of the extents of all labels of left and right
    bool sums = false;    ///< whether a label of left and right is not kept
};

/// What the elements of the tensors cost.
struct ElementCost {
    double bytes = 8;
    double flops_per_second = 50e9;  ///< at the peak; a flop is one operation on elements

    ElementCost() = default;
    explicit ElementCost(DType dtype)
        : bytes(static_cast<double>(info(dtype).bytes)), flops_per_second(peak_of(dtype)) {}

private:
    /// Twice as many single as double precision numbers fit into a vector; a complex product and sum take
    /// eight real operations for two; products of integers run without packed kernels of their own.
    static double peak_of(DType dtype) {
        constexpr double kDouble = 50e9, kComplexWork = 4, kIntegerWork = 10;
        const double real = info(dtype).is_integer ? kDouble / kIntegerWork : kDouble;
        const double parts = info(dtype).is_complex ? 2 : 1;
        const double in_vector = 8 * parts / static_cast<double>(info(dtype).bytes);
        return real * in_vector / (info(dtype).is_complex ? kComplexWork : 1);
    }
};

/// Cached traffic, and what traffic of tensors beyond the caches costs on top.
inline constexpr double kCacheBytesPerSecond = 60e9;
inline constexpr double kMemoryBytesPerSecond = 16e9;
inline constexpr double kCacheBytes = 16e6;
/// Checking, planning and allocating one step.
inline constexpr double kStepSeconds = 0.5e-6;
/// A matrix product of extents m x n x k needs 1 + kSmallExtent · (1/m + 1/n + 1/k) times the time that the
/// peak allows: tiles that are not filled, packed blocks that are not reused. Measured: 399 x 4320 x 7290
/// takes 1.2 times as long as the peak allows, 40 x 198288 x 171 1.7 times, 12 x 12 x 144 3.5 times and 9 x
/// 19683 x 27 6 times.
inline constexpr double kSmallExtent = 12;

[[nodiscard]] inline double merge_flops(const MergeSizes& sizes) {
    return sizes.sums ? 2 * sizes.involved : sizes.involved;
}

[[nodiscard]] inline double merge_bytes(const MergeSizes& sizes, const ElementCost& element) {
    return element.bytes * (sizes.left + sizes.right + sizes.out);
}

[[nodiscard]] inline double merge_seconds(const MergeSizes& sizes, const ElementCost& element) {
    if (sizes.involved == 0) return kStepSeconds;
    // Every label is in two or three of the tensors, so the sizes tell m, n and k of the batched matrix
    // product.
    const double m = sizes.involved / sizes.right, n = sizes.involved / sizes.left,
                 k = sizes.involved / sizes.out;
    const double arithmetic =
        merge_flops(sizes) * (1 + kSmallExtent * (1 / m + 1 / n + 1 / k)) / element.flops_per_second;
    const double bytes = merge_bytes(sizes, element);
    const double traffic =
        bytes / kCacheBytesPerSecond + std::max(0.0, bytes - kCacheBytes) / kMemoryBytesPerSecond;
    // In this order a ratio of sizes that overflowed is passed over.
    return kStepSeconds + std::max(traffic, arithmetic);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
