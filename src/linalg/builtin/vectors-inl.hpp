// VectorKernels for one instruction set. Complex numbers are pairs of neighbouring reals: a factor f gives
// re(f) a + im(f) (i a), where i a is a with neighbours exchanged and one sign changed.

// clang-format off
#if defined(TENFERRO_LINALG_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_VECTORS_INL_HPP
#undef TENFERRO_LINALG_VECTORS_INL_HPP
#else
#define TENFERRO_LINALG_VECTORS_INL_HPP
#endif
// clang-format on

#include <hwy/highway.h>

#include "linalg/builtin/vectors.hpp"
#include "tenferro/cpu/contraction/lane_parts-inl.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct Vectors {
    using R = RealOf<T>;
    using D = hn::ScalableTag<R>;
    using V = hn::Vec<D>;
    static constexpr Index kParts = is_complex<T> ? 2 : 1;
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));
    static constexpr int kColumns = 4;

    static HWY_INLINE R* reals(T* x) { return reinterpret_cast<R*>(x); }
    static HWY_INLINE const R* reals(const T* x) { return reinterpret_cast<const R*>(x); }

    /// The whole of a vector of n elements: f(load, store, i) for vectors, of which the last may be part of
    /// one, with zeros behind its end.
    struct Whole {
        HWY_INLINE V load(const R* x) const { return hn::LoadU(D(), x); }
        HWY_INLINE void store(V value, R* x) const { hn::StoreU(value, D(), x); }
    };
    struct Part {
        Index count;
        HWY_INLINE V load(const R* x) const { return cpu::HWY_NAMESPACE::load_part(D(), x, count); }
        HWY_INLINE void store(V value, R* x) const { cpu::HWY_NAMESPACE::store_part(D(), value, x, count); }
    };
    template <class F>
    static HWY_INLINE void each_vector(Index n, F&& f) {
        const Index count = n * kParts;
        Index i = 0;
        for (; i + kLanes <= count; i += kLanes) f(Whole{}, i);
        if (i < count) f(Part{count - i}, i);
    }

    /// (-1, 1, -1, 1, …) times x.
    static HWY_INLINE V alternate(V x) { return hn::OddEven(x, hn::Neg(x)); }
    /// A factor of columns.
    struct Factor {
        V re, im;
        HWY_INLINE explicit Factor(T f) : re(hn::Set(D(), std::real(f))), im(re) {
            if constexpr (is_complex<T>) im = alternate(hn::Set(D(), std::imag(f)));
        }
        HWY_INLINE Factor() : re(hn::Zero(D())), im(re) {}
        HWY_INLINE V add(V a, V sum) const {
            if constexpr (is_complex<T>) sum = hn::MulAdd(hn::Reverse2(D(), a), im, sum);
            return hn::MulAdd(a, re, sum);
        }
    };
    /// sum of conj(a_i) x_i, given x and, for its imaginary part, `turned` x.
    struct Dot {
        V re, im;
        HWY_INLINE Dot() : re(hn::Zero(D())), im(re) {}
        static HWY_INLINE V turned(V x) {
            if constexpr (is_complex<T>)
                return hn::Neg(alternate(hn::Reverse2(D(), x)));
            else
                return x;
        }
        HWY_INLINE void add(V a, V x, V turned_x) {
            re = hn::MulAdd(a, x, re);
            if constexpr (is_complex<T>) im = hn::MulAdd(a, turned_x, im);
        }
        HWY_INLINE T value() const {
            const R real = hn::GetLane(hn::SumOfLanes(D(), re));
            if constexpr (is_complex<T>)
                return {real, hn::GetLane(hn::SumOfLanes(D(), im))};
            else
                return real;
        }
    };

    /// Over kCount columns of A: their products with x, where kDots, and y plus them times factors where
    /// kSums.
    template <int kCount, bool kDots, bool kSums>
    static HWY_INLINE void pass(Index n, const T* a, Index step, const T* x, T* dots, const T* factors,
                                T* y) {
        Dot dot[kCount];
        Factor factor[kCount];
        if constexpr (kSums) {
            TENFERRO_UNROLL
            for (int j = 0; j < kCount; ++j) factor[j] = Factor(factors[j]);
        }
        each_vector(n, [&](const auto& part, Index i) HWY_ATTR {
            V at = hn::Zero(D()), turned = at, sum = at;
            if constexpr (kDots) {
                at = part.load(reals(x) + i);
                turned = Dot::turned(at);
            }
            if constexpr (kSums) sum = part.load(reals(y) + i);
            TENFERRO_UNROLL
            for (int j = 0; j < kCount; ++j) {
                const V column = part.load(reals(a + j * step) + i);
                if constexpr (kDots) dot[j].add(column, at, turned);
                if constexpr (kSums) sum = factor[j].add(column, sum);
            }
            if constexpr (kSums) part.store(sum, reals(y) + i);
        });
        if constexpr (kDots) {
            TENFERRO_UNROLL
            for (int j = 0; j < kCount; ++j) dots[j] = dot[j].value();
        }
    }
    template <bool kDots, bool kSums>
    static HWY_INLINE void passes(Index m, Index n, const T* a, Index step, const T* x, T* dots,
                                  const T* factors, T* y) {
        Index j = 0;
        for (; j + kColumns <= n; j += kColumns)
            pass<kColumns, kDots, kSums>(m, a + j * step, step, x, dots + j, factors + j, y);
        for (; j < n; ++j) pass<1, kDots, kSums>(m, a + j * step, step, x, dots + j, factors + j, y);
    }

    static void project(Index m, Index n, const T* a, Index step, const T* x, T* y) {
        passes<true, false>(m, n, a, step, x, y, y, y);
    }
    static void combine(Index m, Index n, const T* a, Index step, const T* x, T* y) {
        passes<false, true>(m, n, a, step, x, y, x, y);
    }
    static void combine_lower(Index m, Index n, const T* a, Index step, const T* x, T* y) {
        for (Index j = 0; j < n; j += kColumns) {
            const Index width = std::min<Index>(kColumns, n - j);
            for (Index c = j; c < j + width; ++c) {  // the triangle on the diagonal
                const T* const column = a + c * step;
                y[c] += real_part(column[c]) * x[c];
                for (Index i = c + 1; i < j + width; ++i) {
                    y[i] += column[i] * x[c];
                    y[c] += conjugate(column[i]) * x[i];
                }
            }
            const Index below = j + width;
            const T* const block = a + below + j * step;
            T dots[kColumns] = {};
            if (width == kColumns)
                pass<kColumns, true, true>(m - below, block, step, x + below, dots, x + j, y + below);
            else
                for (Index c = 0; c < width; ++c)
                    pass<1, true, true>(m - below, block + c * step, step, x + below, dots + c, x + j + c,
                                        y + below);
            for (Index c = 0; c < width; ++c) y[j + c] += dots[c];
        }
    }
    static void add_outer(Index m, Index n, const T* x, const T* y, T* a, Index step) {
        const auto columns = [&]<int kCount>(Index j) HWY_ATTR {
            Factor factor[kCount];
            TENFERRO_UNROLL
            for (int c = 0; c < kCount; ++c) factor[c] = Factor(y[j + c]);
            each_vector(m, [&](const auto& part, Index i) HWY_ATTR {
                const V at = part.load(reals(x) + i);
                TENFERRO_UNROLL
                for (int c = 0; c < kCount; ++c) {
                    R* const to = reals(a + (j + c) * step) + i;
                    part.store(factor[c].add(at, part.load(to)), to);
                }
            });
        };
        Index j = 0;
        for (; j + kColumns <= n; j += kColumns) columns.template operator()<kColumns>(j);
        for (; j < n; ++j) columns.template operator()<1>(j);
    }
    static void rotate(Index n, R c, R s, T* x, T* y) {
        const V cosine = hn::Set(D(), c), sine = hn::Set(D(), s);
        each_vector(n, [&](const auto& part, Index i) HWY_ATTR {
            R *const to_x = reals(x) + i, *const to_y = reals(y) + i;
            const V u = part.load(to_x), v = part.load(to_y);
            part.store(hn::MulAdd(cosine, u, hn::Mul(sine, v)), to_x);
            part.store(hn::NegMulAdd(sine, u, hn::Mul(cosine, v)), to_y);
        });
    }

    /// Over vectors of moduli, or of their sums of real and imaginary parts, in order.
    template <class F>
    static HWY_INLINE void each_size(Index n, const T* x, F&& f) {
        Index i = 0;
        for (; i + kLanes <= n; i += kLanes)
            if constexpr (is_complex<T>) {
                V re, im;
                hn::LoadInterleaved2(D(), reals(x + i), re, im);
                f(hn::Add(hn::Abs(re), hn::Abs(im)), i);
            } else {
                f(hn::Abs(hn::LoadU(D(), x + i)), i);
            }
        if (i == n) return;
        HWY_ALIGN R sizes[kLanes];
        std::fill_n(sizes, kLanes, R(-1));
        for (Index at = i; at < n; ++at) sizes[at - i] = sum_of_moduli(x[at]);
        f(hn::Load(D(), sizes), i);
    }
    static R largest(Index n, const T* x) {
        constexpr int kChains = 4;
        V most[kChains], lost[kChains];
        std::fill_n(most, kChains, hn::Zero(D()));
        std::fill_n(lost, kChains, hn::Zero(D()));
        const auto take = [&](int chain, V value) HWY_ATTR {
            most[chain] = hn::Max(most[chain], hn::Abs(value));
            lost[chain] = hn::Add(lost[chain], hn::Sub(value, value));  // NaN from where one is
        };
        const Index long_part = n * kParts / (kChains * kLanes) * (kChains * kLanes);
        for (Index i = 0; i < long_part; i += kChains * kLanes) {
            TENFERRO_UNROLL
            for (int chain = 0; chain < kChains; ++chain)
                take(chain, hn::LoadU(D(), reals(x) + i + chain * kLanes));
        }
        each_vector(n - long_part / kParts, [&](const auto& part, Index i)
                                                HWY_ATTR { take(0, part.load(reals(x) + long_part + i)); });
        const V all = hn::Max(hn::Max(most[0], most[1]), hn::Max(most[2], most[3])),
                none = hn::Add(hn::Add(lost[0], lost[1]), hn::Add(lost[2], lost[3]));
        return hn::GetLane(hn::MaxOfLanes(D(), all)) + hn::GetLane(hn::SumOfLanes(D(), none));
    }
    static Index pivot(Index n, const T* x) {
        V most = hn::Set(D(), -1);
        each_size(n, x, [&](V size, Index) HWY_ATTR { most = hn::Max(most, size); });
        const V wanted = hn::MaxOfLanes(D(), most);
        Index found = -1;
        each_size(n, x, [&](V size, Index i) HWY_ATTR {
            if (found >= 0) return;
            const auto at = hn::FindFirstTrue(D(), hn::Eq(size, wanted));
            if (at >= 0) found = i + static_cast<Index>(at);
        });
        return std::max<Index>(found, 0);
    }

    /// Of kVectors vectors of rows. What two reflections have in common stays in registers.
    template <int kVectors, class Rows>
    static HWY_INLINE void reflect_rows(const Rows& part, Index count, const TripleReflection<T>* by,
                                        bool ends, R* at, Index next) {
        V x[kVectors], y[kVectors];
        TENFERRO_UNROLL
        for (int r = 0; r < kVectors; ++r) {
            x[r] = part.load(at + r * kLanes);
            y[r] = part.load(at + next + r * kLanes);
        }
        for (Index k = 0; k < count - (ends ? 1 : 0); ++k, at += next) {
            const Factor dot_1(by[k].dot_1), dot_2(by[k].dot_2), to_0(-by[k].to_0), to_1(-by[k].to_1),
                to_2(-by[k].to_2);
            TENFERRO_UNROLL
            for (int r = 0; r < kVectors; ++r) {
                const V z = part.load(at + 2 * next + r * kLanes), sum = dot_2.add(z, dot_1.add(y[r], x[r]));
                part.store(to_0.add(sum, x[r]), at + r * kLanes);
                x[r] = to_1.add(sum, y[r]);
                y[r] = to_2.add(sum, z);
            }
        }
        if (ends) {
            const TripleReflection<T>& last = by[count - 1];
            const Factor dot_1(last.dot_1), to_0(-last.to_0), to_1(-last.to_1);
            TENFERRO_UNROLL
            for (int r = 0; r < kVectors; ++r) {
                const V sum = dot_1.add(y[r], x[r]);
                x[r] = to_0.add(sum, x[r]);
                y[r] = to_1.add(sum, y[r]);
            }
        }
        TENFERRO_UNROLL
        for (int r = 0; r < kVectors; ++r) {
            part.store(x[r], at + r * kLanes);
            part.store(y[r], at + next + r * kLanes);
        }
    }
    static void reflect(Index m, Index count, const TripleReflection<T>* reflections, bool ends, T* a,
                        Index step) {
        constexpr int kVectors = is_complex<T> ? 2 : 4;
        const Index rows = m * kParts, next = step * kParts;
        Index i = 0;
        for (; i + kVectors * kLanes <= rows; i += kVectors * kLanes)
            reflect_rows<kVectors>(Whole{}, count, reflections, ends, reals(a) + i, next);
        for (; i + kLanes <= rows; i += kLanes)
            reflect_rows<1>(Whole{}, count, reflections, ends, reals(a) + i, next);
        if (i < rows) reflect_rows<1>(Part{rows - i}, count, reflections, ends, reals(a) + i, next);
    }

    static constexpr VectorKernels<T> kKernels{project, combine, combine_lower, add_outer,
                                               rotate,  largest, pivot,         reflect};
};

template <class R>
struct Secular {
    using Lines = Vectors<R>;
    using D = typename Lines::D;
    using V = typename Lines::V;

    template <bool kSquared>
    static HWY_INLINE SecularSum<R> sums_of(const R* d, Index n, const R* z_squared, R origin, R mu,
                                            R* distance) {
        const V at = hn::Set(D(), origin), further = hn::Set(D(), mu);
        V value = hn::Zero(D()), derivative = value;
        Lines::each_vector(n, [&](const auto& part, Index i) HWY_ATTR {
            const V pole = part.load(d + i);
            V gap = hn::Sub(hn::Sub(pole, at), further);
            if constexpr (kSquared) gap = hn::Mul(gap, hn::Add(hn::Add(pole, at), further));
            part.store(gap, distance + i);
            // Behind the end weights are 0, and gaps what they may be.
            const V weight = part.load(z_squared + i);
            const V inverse =
                hn::IfThenElseZero(hn::Ne(weight, hn::Zero(D())), hn::Div(hn::Set(D(), 1), gap));
            const V term = hn::Mul(weight, inverse);
            value = hn::Add(value, term);
            derivative = hn::MulAdd(term, inverse, derivative);
        });
        return {hn::GetLane(hn::SumOfLanes(D(), value)), hn::GetLane(hn::SumOfLanes(D(), derivative))};
    }
    static SecularSum<R> sums(const Poles<R>& poles, Index first, Index last, const R* z_squared, R origin,
                              R mu, R* distance) {
        return (poles.squared ? sums_of<true> : sums_of<false>)(poles.d + first, last - first,
                                                                z_squared + first, origin, mu,
                                                                distance + first);
    }
    static void gather(const Poles<R>& poles, Index first, Index last, Index i, const R* distance,
                       R* product) {
        const V at = hn::Set(D(), poles.d[i]);
        Lines::each_vector(last - first, [&](const auto& part, Index k) HWY_ATTR {
            const V pole = part.load(poles.d + first + k);
            V gap = hn::Sub(pole, at);
            if (poles.squared) gap = hn::Mul(gap, hn::Add(pole, at));
            const V factor = hn::Div(part.load(distance + first + k), gap);
            part.store(hn::Mul(part.load(product + first + k), factor), product + first + k);
        });
    }
    static R vector(Index n, const R* z, R* distance) {
        V sum = hn::Zero(D());
        Lines::each_vector(n, [&](const auto& part, Index i) HWY_ATTR {
            const V weight = part.load(z + i);
            const V value =
                hn::IfThenElseZero(hn::Ne(weight, hn::Zero(D())), hn::Div(weight, part.load(distance + i)));
            part.store(value, distance + i);
            sum = hn::MulAdd(value, value, sum);
        });
        return hn::GetLane(hn::SumOfLanes(D(), sum));
    }

    static constexpr SecularKernels<R> kKernels{sums, gather, vector};
};

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
