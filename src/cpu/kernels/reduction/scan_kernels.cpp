// Squares of contiguous lines are transposed in registers, so that each lane is a line, and back. Compiled
// once per instruction set.
#include "cpu/kernels/reduction/scan_kernels.hpp"

#include <cstdint>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/reduction/scan_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/unroll.hpp"
#include "tenferro/cpu/contraction/word_square-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
LineScanner find_scanner(DType /*dtype*/) { return {}; }
#else
/// Numbers of kBytes whose parts are of the type Part.
template <class Part, std::size_t kBytes, bool kBefore>
void scan_squares(const ScannedLines& lines) {
    using Square = WordSquare<kBytes>;
    constexpr Index kSide = Square::kSide, kParts = kBytes / sizeof(Part);
    const typename Square::Tag words;
    const hn::Repartition<Part, typename Square::Tag> d;
    using Vec = hn::Vec<decltype(d)>;
    const Part* from = static_cast<const Part*>(lines.from);
    Part* to = static_cast<Part*>(lines.to);
    const Index from_apart = kParts * lines.from_apart, to_apart = kParts * lines.to_apart;
    Vec sum = hn::Zero(d), before = sum;
    if constexpr (kBefore) before = hn::LoadU(d, static_cast<const Part*>(lines.before));
    for (Index at = 0; at < lines.length; at += kSide, from += kSide * kParts, to += kSide * kParts) {
        typename Square::Vec v[kSide];
        TENFERRO_UNROLL
        for (int c = 0; c < kSide; ++c) v[c] = hn::BitCast(words, hn::LoadU(d, from + c * from_apart));
        Square::transpose(v);
        TENFERRO_UNROLL
        for (int k = 0; k < kSide; ++k) {
            const Vec x = hn::BitCast(d, v[k]);
            sum = k == 0 && at == 0 ? x : hn::Add(sum, x);  // 0 + x would lose a negative zero
            v[k] = hn::BitCast(words, kBefore ? hn::Add(before, sum) : sum);
        }
        Square::transpose(v);
        TENFERRO_UNROLL
        for (int c = 0; c < kSide; ++c) hn::StoreU(hn::BitCast(d, v[c]), d, to + c * to_apart);
    }
    hn::StoreU(sum, d, static_cast<Part*>(lines.sums));
}

template <class Part, std::size_t kBytes = sizeof(Part)>
LineScanner scanner() {
    return {WordSquare<kBytes>::kSide, [](const ScannedLines& lines) {
                lines.before == nullptr ? scan_squares<Part, kBytes, false>(lines)
                                        : scan_squares<Part, kBytes, true>(lines);
            }};
}

LineScanner find_scanner(DType dtype) {
    switch (dtype) {
        case DType::F32: return scanner<float>();
        case DType::F64: return scanner<double>();
        case DType::C32: return scanner<float, 8>();
        case DType::C64: return scanner<double, 16>();
        case DType::I32: return scanner<std::int32_t>();
        default: return scanner<std::int64_t>();
    }
}
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(find_scanner);
LineScanner line_scanner(DType dtype) { return HWY_DYNAMIC_DISPATCH(find_scanner)(dtype); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
