// The algebras as the contraction engine knows them, scalar and in vectors, compiled once per instruction
// set. All select: the sum is one of its terms, so there are winners.
#if defined(TROPICAL_SEMIRINGS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TROPICAL_SEMIRINGS_INL
#undef TROPICAL_SEMIRINGS_INL
#else
#define TROPICAL_SEMIRINGS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tropical::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The order of a maximum. Of two equal values the first is kept, and a NaN is kept before all.
struct Greatest {
    template <class T>
    static HWY_INLINE bool better(T x, T y) {
        return x > y;
    }
    template <class D, class V>
    static HWY_INLINE hn::Mask<D> not_worse(D, V x, V y) {
        return hn::Ge(x, y);
    }
    // Without NaN.
    template <class D, class V>
    static HWY_INLINE hn::Mask<D> better(D, V x, V y) {
        return hn::Gt(x, y);
    }
    template <class V>
    static HWY_INLINE V best(V x, V y) {
        return hn::Max(x, y);
    }
};
/// That of a minimum.
struct Least {
    template <class T>
    static HWY_INLINE bool better(T x, T y) {
        return x < y;
    }
    template <class D, class V>
    static HWY_INLINE hn::Mask<D> not_worse(D, V x, V y) {
        return hn::Le(x, y);
    }
    template <class D, class V>
    static HWY_INLINE hn::Mask<D> better(D, V x, V y) {
        return hn::Lt(x, y);
    }
    template <class V>
    static HWY_INLINE V best(V x, V y) {
        return hn::Min(x, y);
    }
};

/// What an algebra is made of besides its products: Derived has zero() and times(), scalar and in vectors.
template <class T, class Order, class Derived>
struct Selecting {
    using Lane = T;
    using Element = T;
    static HWY_INLINE T accumulator_identity() { return Derived::zero(); }
    static HWY_INLINE T plus(T x, T y) { return keeps(x, y) ? x : y; }
    static HWY_INLINE T mac(T c, T a, T b) { return plus(c, Derived::times(a, b)); }
    /// Whether plus(x, y) is x.
    static HWY_INLINE bool keeps(T x, T y) { return x != x || !(Order::better(y, x) || y != y); }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE hn::Mask<D> keeps(D d, V x, V y) {
        if constexpr (std::is_floating_point_v<T>)
            return hn::Or(hn::IsNaN(x), Order::not_worse(d, x, y));
        else
            return hn::Not(Order::better(d, y, x));
    }
    /// Equal, or both NaN.
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE hn::Mask<D> same(D, V x, V y) {
        if constexpr (std::is_floating_point_v<T>)
            return hn::Or(hn::Eq(x, y), hn::And(hn::IsNaN(x), hn::IsNaN(y)));
        else
            return hn::Eq(x, y);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V plus(D d, V x, V y) {
        if constexpr (std::is_floating_point_v<T>)
            return hn::IfThenElse(keeps(d, x, y), x, y);
        else
            return Order::best(x, y);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac(D d, V c, V a, V b) {
        return plus(d, c, Derived::times(d, a, b));
    }
};

#undef TROPICAL_FACTORS_IN_MEMORY
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define TROPICAL_FACTORS_IN_MEMORY 1
// Products with AVX-512 that read a factor from memory and fill a vector with it on the way. To fill a
// register takes a pipe on AMD's processors, and a sum that overwrites it a copy for each product. Compilers
// would read the factor once, and of a sum the other one from memory.

/// x + a *b
HWY_INLINE hn::Vec512<double> plus_product(hn::Vec512<double> x, hn::Vec512<double> a, const double* b) {
    asm("vfmadd231pd %2%{1to8%}, %1, %0" : "+v"(x.raw) : "v"(a.raw), "m"(*b));
    return x;
}
HWY_INLINE hn::Vec512<float> plus_product(hn::Vec512<float> x, hn::Vec512<float> a, const float* b) {
    asm("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(x.raw) : "v"(a.raw), "m"(*b));
    return x;
}
/// a *b
HWY_INLINE hn::Vec512<double> product(hn::Vec512<double> a, const double* b) {
    hn::Vec512<double> result;
    asm("vmulpd %2%{1to8%}, %1, %0" : "=v"(result.raw) : "v"(a.raw), "m"(*b));
    return result;
}
HWY_INLINE hn::Vec512<float> product(hn::Vec512<float> a, const float* b) {
    hn::Vec512<float> result;
    asm("vmulps %2%{1to16%}, %1, %0" : "=v"(result.raw) : "v"(a.raw), "m"(*b));
    return result;
}
#endif

/// Sums of floats. Where no element is NaN or the infinity that is not zero, no sum is NaN, and the addition
/// may go to the pipes for products: 1 * b + a, whose one the compiler does not know.
template <class T, class Order, Algebra kAlgebra, bool kByProducts>
struct FloatSums : Selecting<T, Order, FloatSums<T, Order, kAlgebra, kByProducts>> {
    static HWY_INLINE T zero() { return zero_of<T>(kAlgebra); }
    static HWY_INLINE T times(T a, T b) { return a + b; }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V times(D, V a, V b) {
        return hn::Add(a, b);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE hn::Mask<D> regular(D d, V x) {
        return hn::Lt(kAlgebra == Algebra::MaxPlus ? x : hn::Neg(x), hn::Inf(d));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac_regular(D d, V c, V a, V b) {
        if constexpr (kByProducts)
            return Order::best(c, hn::MulAdd(b, hn::Set(d, kOpaqueOne<T>), a));
        else
            return Order::best(c, hn::Add(a, b));
    }
#ifdef TROPICAL_FACTORS_IN_MEMORY
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac_regular(D d, V c, V a, const T* b) requires kByProducts {
        return Order::best(c, plus_product(a, hn::Set(d, kOpaqueOne<T>), b));
    }
#endif
};

/// Products of floats. Products of numbers that are neither NaN nor infinite are not NaN.
template <class T>
struct FloatProducts : Selecting<T, Greatest, FloatProducts<T>> {
    static HWY_INLINE T zero() { return 0; }
    static HWY_INLINE T accumulator_identity() { return -std::numeric_limits<T>::infinity(); }
    static HWY_INLINE T times(T a, T b) { return a * b; }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V times(D, V a, V b) {
        return hn::Mul(a, b);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE hn::Mask<D> regular(D d, V x) {
        return hn::Lt(hn::Abs(x), hn::Inf(d));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac_regular(D, V c, V a, V b) {
        return hn::Max(c, hn::Mul(a, b));
    }
#ifdef TROPICAL_FACTORS_IN_MEMORY
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac_regular(D, V c, V a, const T* b) {
        return hn::Max(c, product(a, b));
    }
#endif
};

/// Sums of integers, which saturate; zero and anything is zero. Sums of numbers of at most half the range
/// need neither.
template <class T, class Order, Algebra kAlgebra>
struct IntegerSums : Selecting<T, Order, IntegerSums<T, Order, kAlgebra>> {
    static constexpr T kLeast = std::numeric_limits<T>::min(), kGreatest = std::numeric_limits<T>::max();
    static constexpr T kZero = zero_of<T>(kAlgebra);
    static HWY_INLINE T zero() { return kZero; }
    static HWY_INLINE T times(T a, T b) {
        if (a == kZero || b == kZero) return kZero;
        T sum;
        if (__builtin_add_overflow(a, b, &sum)) return a < 0 ? kLeast : kGreatest;
        return sum;
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V times(D d, V a, V b) {
        const V zeros = hn::Set(d, kZero), sum = hn::Add(a, b);
        const auto overflows = hn::Lt(hn::AndNot(hn::Xor(a, b), hn::Xor(a, sum)), hn::Zero(d));
        const V limit = hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Set(d, kLeast), hn::Set(d, kGreatest));
        return hn::IfThenElse(hn::Or(hn::Eq(a, zeros), hn::Eq(b, zeros)), zeros,
                              hn::IfThenElse(overflows, limit, sum));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE hn::Mask<D> regular(D d, V x) {
        return hn::And(hn::Gt(x, hn::Set(d, kLeast / 2)), hn::Lt(x, hn::Set(d, kGreatest / 2)));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac_regular(D, V c, V a, V b) {
        return Order::best(c, hn::Add(a, b));
    }
};

}  // namespace tropical::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
