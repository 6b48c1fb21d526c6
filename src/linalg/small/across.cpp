// The kernels across lanes, compiled once per instruction set.
#include "linalg/small/across.hpp"

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/small/across.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "linalg/small/across-inl.hpp"
#include "linalg/small/elimination-inl.hpp"
#include "linalg/small/general_across-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
/// In the fewest lanes that hold the columns.
template <class R>
struct AcrossLanes {
    static constexpr std::size_t kMost = HWY_MIN(hn::MaxLanes(hn::ScalableTag<R>()), 64 / sizeof(R)),
                                 kHalf = HWY_MIN(kMost, HWY_MAX(kMost / 2, 4));

    static bool eigh(Index n, bool vectors, R* a, R* w) {
        if (n <= static_cast<Index>(kHalf)) return Across<R, kHalf>::eigh(n, vectors, a, w);
        return Across<R, kMost>::eigh(n, vectors, a, w);
    }
    static bool svd(Index m, Index n, const R* a, R* u, R* s, R* vh, R* room) {
        if (std::min(m, n) <= static_cast<Index>(kHalf))
            return Across<R, kHalf>::svd(m, n, a, u, s, vh, room);
        return Across<R, kMost>::svd(m, n, a, u, s, vh, room);
    }
    static bool eig(Index n, const R* a, std::complex<R>* w, std::complex<R>* v) {
        if (n <= static_cast<Index>(kHalf)) return GeneralAcross<R, kHalf>::eig(n, a, w, v);
        return GeneralAcross<R, kMost>::eig(n, a, w, v);
    }
};
#endif

template <class R>
struct AcrossTable {
#if HWY_TARGET == HWY_SCALAR
    static constexpr AcrossKernels<R> kKernels{};
#else
    using Jacobi = AcrossLanes<R>;
    using Factors = Elimination<R>;
    static constexpr AcrossKernels<R> kKernels{
        static_cast<Index>(Jacobi::kMost), Jacobi::eigh, Jacobi::svd, Jacobi::eig, Factors::lu, Factors::qr};
#endif
};
const AcrossKernels<float>& across_f32() { return AcrossTable<float>::kKernels; }
const AcrossKernels<double>& across_f64() { return AcrossTable<double>::kKernels; }

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

HWY_EXPORT(across_f32);
HWY_EXPORT(across_f64);
template <>
const AcrossKernels<float>& across_kernels<float>() {
    return HWY_DYNAMIC_DISPATCH(across_f32)();
}
template <>
const AcrossKernels<double>& across_kernels<double>() {
    return HWY_DYNAMIC_DISPATCH(across_f64)();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
#endif
