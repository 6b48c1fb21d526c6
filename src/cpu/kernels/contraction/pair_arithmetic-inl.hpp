// What the strided engine makes of two numbers: as scalars, and as vectors of which the second is made ready
// once for many; compiled once per instruction set.
#if defined(TENFERRO_PAIR_ARITHMETIC_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_PAIR_ARITHMETIC_INL
#undef TENFERRO_PAIR_ARITHMETIC_INL
#else
#define TENFERRO_PAIR_ARITHMETIC_INL
#endif

#include <complex>
#include <type_traits>

#include "cpu/kernels/contraction/ordinary-inl.hpp"
#include "tenferro/tensor/elementwise/arithmetic.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kWhole = 64, kHalf = 32;

/// Vectors of numbers as they lie in memory.
template <class T, std::size_t kMost>
struct Numbers {
    using Number = T;
    using Lane = typename Ordinary<T>::Lane;
    using D = hn::CappedTag<Lane, kMost / sizeof(Lane)>;
    using V = hn::Vec<D>;
    static constexpr bool kInVectors = true;

    static HWY_INLINE V ready(V numbers) { return numbers; }
    static HWY_INLINE V ready(T number) { return hn::Set(D(), static_cast<Lane>(number)); }
};

/// Pairs of parts.
template <class Real, std::size_t kMost>
struct Numbers<std::complex<Real>, kMost> {
    using Number = std::complex<Real>;
    using Lane = Real;
    using D = hn::CappedTag<Real, kMost / sizeof(Real)>;
    using V = hn::Vec<D>;
    static constexpr bool kInVectors = HWY_TARGET != HWY_SCALAR;

#if HWY_TARGET != HWY_SCALAR
    static HWY_INLINE V ready(V numbers) { return numbers; }
    static HWY_INLINE V ready(Number number) {
        return hn::OddEven(hn::Set(D(), number.imag()), hn::Set(D(), number.real()));
    }
#endif
};

/// b op a, where nothing is made ready.
template <class Op>
struct Reversed : Op {
    using Half = Reversed<typename Op::Half>;
    using Swapped = Op;
    struct Scalar {
        HWY_INLINE typename Op::Number operator()(typename Op::Number a, typename Op::Number b) const {
            return typename Op::Scalar{}(b, a);
        }
    };
    static HWY_INLINE typename Op::V of(typename Op::V a, typename Op::V b) { return Op::of(b, a); }
};

template <class Functor>
inline constexpr bool kCommutes = false;
template <>
inline constexpr bool kCommutes<elementwise::Add> = true;
template <>
inline constexpr bool kCommutes<elementwise::Mul> = true;

template <class V>
HWY_INLINE V apply(elementwise::Add, V a, V b) {
    return hn::Add(a, b);
}
template <class V>
HWY_INLINE V apply(elementwise::Sub, V a, V b) {
    return hn::Sub(a, b);
}
template <class V>
HWY_INLINE V apply(elementwise::Mul, V a, V b) {
    return hn::Mul(a, b);
}
template <class V>
HWY_INLINE V apply(elementwise::Div, V a, V b) {
    return hn::Div(a, b);
}

/// What a functor of scalars makes of numbers of type T, in vectors of at most kMost bytes.
template <class Functor, class T, std::size_t kMost = kWhole>
struct PairOp : Numbers<T, kMost> {
    using Half = PairOp<Functor, T, kHalf>;
    using V = typename Numbers<T, kMost>::V;
    using Scalar = Functor;
    using Swapped = std::conditional_t<kCommutes<Functor>, PairOp, Reversed<PairOp>>;
    static HWY_INLINE V of(V a, V b) { return apply(Functor(), a, b); }
};

#if HWY_TARGET != HWY_SCALAR
template <class Real, std::size_t kMost>
struct PairOp<elementwise::Mul, std::complex<Real>, kMost> : Numbers<std::complex<Real>, kMost> {
    using Half = PairOp<elementwise::Mul, std::complex<Real>, kHalf>;
    using V = typename Numbers<std::complex<Real>, kMost>::V;
    using D = typename Numbers<std::complex<Real>, kMost>::D;
    using Scalar = elementwise::Mul;
    using Swapped = PairOp;

    /// Real parts twice, and imaginary ones with either sign.
    struct Ready {
        V re, im;
    };
    static HWY_INLINE Ready ready(V numbers) {
        const V im = hn::DupOdd(numbers);
        return {hn::DupEven(numbers), hn::OddEven(im, hn::Neg(im))};
    }
    static HWY_INLINE Ready ready(std::complex<Real> number) {
        return {hn::Set(D(), number.real()),
                hn::OddEven(hn::Set(D(), number.imag()), hn::Set(D(), -number.imag()))};
    }
    /// The textbook product, rounded as that of scalars is.
    static HWY_INLINE V of(V a, const Ready& b) {
        return hn::Add(hn::Mul(a, b.re), hn::Mul(hn::Reverse2(D(), a), b.im));
    }
};
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
