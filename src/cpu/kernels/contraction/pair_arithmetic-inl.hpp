// What the strided engine makes of two numbers: as scalars, and as vectors of which the second is made ready
// once for many; compiled once per instruction set.
#if defined(TENFERRO_PAIR_ARITHMETIC_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_PAIR_ARITHMETIC_INL
#undef TENFERRO_PAIR_ARITHMETIC_INL
#else
#define TENFERRO_PAIR_ARITHMETIC_INL
#endif

#include <complex>

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

template <class T, std::size_t kMost = kWhole>
struct Sum : Numbers<T, kMost> {
    using Half = Sum<T, kHalf>;
    using V = typename Numbers<T, kMost>::V;
    using Scalar = elementwise::Add;
    using Swapped = Sum;
    static HWY_INLINE V of(V a, V b) { return hn::Add(a, b); }
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

template <class T, std::size_t kMost = kWhole>
struct Difference : Numbers<T, kMost> {
    using Half = Difference<T, kHalf>;
    using V = typename Numbers<T, kMost>::V;
    using Scalar = elementwise::Sub;
    using Swapped = Reversed<Difference>;
    static HWY_INLINE V of(V a, V b) { return hn::Sub(a, b); }
};

template <class T, std::size_t kMost = kWhole>
struct Quotient : Numbers<T, kMost> {
    using Half = Quotient<T, kHalf>;
    using V = typename Numbers<T, kMost>::V;
    using Scalar = elementwise::Div;
    using Swapped = Reversed<Quotient>;
    static HWY_INLINE V of(V a, V b) { return hn::Div(a, b); }
};

template <class T, std::size_t kMost = kWhole>
struct Product : Numbers<T, kMost> {
    using Half = Product<T, kHalf>;
    using V = typename Numbers<T, kMost>::V;
    using Scalar = elementwise::Mul;
    using Swapped = Product;
    static HWY_INLINE V of(V a, V b) { return hn::Mul(a, b); }
};

#if HWY_TARGET != HWY_SCALAR
template <class Real, std::size_t kMost>
struct Product<std::complex<Real>, kMost> : Numbers<std::complex<Real>, kMost> {
    using Half = Product<std::complex<Real>, kHalf>;
    using V = typename Numbers<std::complex<Real>, kMost>::V;
    using D = typename Numbers<std::complex<Real>, kMost>::D;
    using Scalar = elementwise::Mul;
    using Swapped = Product;

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
