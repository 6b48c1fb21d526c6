// A number in each lane of a vector, real or complex, for one instruction set.

// clang-format off
#if defined(TENFERRO_LINALG_NUMBERS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_NUMBERS_INL_HPP
#undef TENFERRO_LINALG_NUMBERS_INL_HPP
#else
#define TENFERRO_LINALG_NUMBERS_INL_HPP
#endif
// clang-format on

#include <hwy/highway.h>

#include "linalg/scalar.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Element i of an array takes kParts vectors: the real parts, then the imaginary
/// ones.
template <class Tag>
struct RealNumbers {
    static constexpr Index kParts = 1;
    using D = Tag;
    using R = hn::TFromD<D>;
    using V = hn::Vec<D>;
    V re;

    static HWY_INLINE RealNumbers load(const R* a, Index i) {
        const D d;
        return {hn::Load(d, a + static_cast<std::size_t>(i) * hn::Lanes(d))};
    }
    HWY_INLINE void store(R* a, Index i) const {
        const D d;
        hn::Store(re, d, a + static_cast<std::size_t>(i) * hn::Lanes(d));
    }
    static HWY_INLINE RealNumbers of(V real) { return {real}; }
    HWY_INLINE RealNumbers conj() const { return *this; }
    HWY_INLINE RealNumbers operator+(RealNumbers y) const { return {hn::Add(re, y.re)}; }
    HWY_INLINE RealNumbers operator-(RealNumbers y) const { return {hn::Sub(re, y.re)}; }
    HWY_INLINE RealNumbers operator*(RealNumbers y) const { return {hn::Mul(re, y.re)}; }
    HWY_INLINE RealNumbers operator*(V y) const { return {hn::Mul(re, y)}; }
    HWY_INLINE RealNumbers operator/(V y) const { return {hn::Div(re, y)}; }
    HWY_INLINE RealNumbers operator/(RealNumbers y) const { return {hn::Div(re, y.re)}; }
    HWY_INLINE RealNumbers plus(RealNumbers x, RealNumbers y) const { return {hn::MulAdd(x.re, y.re, re)}; }
    HWY_INLINE RealNumbers minus(RealNumbers x, RealNumbers y) const {
        return {hn::NegMulAdd(x.re, y.re, re)};
    }
    HWY_INLINE V squared() const { return hn::Mul(re, re); }
    HWY_INLINE V size() const { return hn::Abs(re); }
    HWY_INLINE RealNumbers where(hn::Mask<D> mask, RealNumbers other) const {
        return {hn::IfThenElse(mask, re, other.re)};
    }
    HWY_INLINE hn::Mask<D> is_real() const { return hn::Eq(re, re); }
    /// x / |x| and |x|, the modulus without a sign; of real numbers the rotation takes the sign.
    HWY_INLINE RealNumbers phase(V& modulus) const {
        modulus = re;
        return {hn::Set(D(), R(1))};
    }
};
template <class Tag>
struct ComplexNumbers {
    static constexpr Index kParts = 2;
    using D = Tag;
    using R = hn::TFromD<D>;
    using V = hn::Vec<D>;
    V re, im;

    static HWY_INLINE ComplexNumbers load(const R* a, Index i) {
        const D d;
        const R* const at = a + 2 * static_cast<std::size_t>(i) * hn::Lanes(d);
        return {hn::Load(d, at), hn::Load(d, at + hn::Lanes(d))};
    }
    HWY_INLINE void store(R* a, Index i) const {
        const D d;
        R* const at = a + 2 * static_cast<std::size_t>(i) * hn::Lanes(d);
        hn::Store(re, d, at);
        hn::Store(im, d, at + hn::Lanes(d));
    }
    static HWY_INLINE ComplexNumbers of(V real) { return {real, hn::Zero(D())}; }
    HWY_INLINE ComplexNumbers conj() const { return {re, hn::Neg(im)}; }
    HWY_INLINE ComplexNumbers operator+(ComplexNumbers y) const {
        return {hn::Add(re, y.re), hn::Add(im, y.im)};
    }
    HWY_INLINE ComplexNumbers operator-(ComplexNumbers y) const {
        return {hn::Sub(re, y.re), hn::Sub(im, y.im)};
    }
    HWY_INLINE ComplexNumbers operator*(ComplexNumbers y) const {
        return {hn::NegMulAdd(im, y.im, hn::Mul(re, y.re)), hn::MulAdd(im, y.re, hn::Mul(re, y.im))};
    }
    HWY_INLINE ComplexNumbers operator*(V y) const { return {hn::Mul(re, y), hn::Mul(im, y)}; }
    HWY_INLINE ComplexNumbers operator/(V y) const { return {hn::Div(re, y), hn::Div(im, y)}; }
    HWY_INLINE ComplexNumbers operator/(ComplexNumbers y) const { return *this * y.conj() / y.squared(); }
    HWY_INLINE ComplexNumbers plus(ComplexNumbers x, ComplexNumbers y) const {
        return {hn::NegMulAdd(x.im, y.im, hn::MulAdd(x.re, y.re, re)),
                hn::MulAdd(x.im, y.re, hn::MulAdd(x.re, y.im, im))};
    }
    HWY_INLINE ComplexNumbers minus(ComplexNumbers x, ComplexNumbers y) const {
        return {hn::MulAdd(x.im, y.im, hn::NegMulAdd(x.re, y.re, re)),
                hn::NegMulAdd(x.im, y.re, hn::NegMulAdd(x.re, y.im, im))};
    }
    HWY_INLINE V squared() const { return hn::MulAdd(im, im, hn::Mul(re, re)); }
    HWY_INLINE V size() const { return hn::Add(hn::Abs(re), hn::Abs(im)); }
    HWY_INLINE ComplexNumbers where(hn::Mask<D> mask, ComplexNumbers other) const {
        return {hn::IfThenElse(mask, re, other.re), hn::IfThenElse(mask, im, other.im)};
    }
    HWY_INLINE hn::Mask<D> is_real() const { return hn::Eq(im, hn::Zero(D())); }
    HWY_INLINE ComplexNumbers phase(V& modulus) const {
        modulus = hn::Sqrt(squared());
        const hn::Mask<D> nothing = hn::Eq(modulus, hn::Zero(D()));
        return of(hn::Set(D(), R(1))).where(nothing, *this / modulus);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
