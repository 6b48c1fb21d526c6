// Loops in vectors where operands are adjacent or fixed, and plain ones along tables; compiled once per
// instruction set.
#include "cpu/kernels/contraction/strided_loops.hpp"

#include <complex>
#include <utility>

#include "cpu/kernels/contraction/scalar_ops.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/contraction/strided_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/contraction/ordinary-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Walk kWalk>
HWY_INLINE Index at(const Index* offsets, Index i) {
    return kWalk == Walk::Unit ? i : kWalk == Walk::Fixed ? 0 : offsets[i];
}

/// Where a row begins.
template <class T>
struct Row {
    const T *a, *b;
    T* totals;

    Row(const ProductRows& rows, Index r)
        : a(static_cast<const T*>(rows.a) + rows.row_a[r]),
          b(static_cast<const T*>(rows.b) + rows.row_b[r]),
          totals(static_cast<T*>(rows.totals) + rows.row_totals[r]) {}
};

template <class T, Walk kWalkA, Walk kWalkB, bool kAdds>
void loop(const ProductRows& rows) {
    const Index *line_a = rows.line_a, *line_b = rows.line_b, size = rows.size;
    for (Index r = 0; r < rows.rows; ++r) {
        const Row<T> row(rows, r);
        const T *a = row.a, *b = row.b;
        T* __restrict totals = row.totals;
        for (Index i = 0; i < size; ++i) {
            const T value = product(a[at<kWalkA>(line_a, i)], b[at<kWalkB>(line_b, i)]);
            totals[i] = kAdds ? sum(totals[i], value) : value;
        }
    }
}

/// Vectors of numbers as they lie in memory, complex ones as pairs of parts. A factor is what numbers are
/// multiplied by.
template <class T>
struct Numbers {
    using Lane = typename Ordinary<T>::Lane;
    using D = hn::ScalableTag<Lane>;
    using V = hn::Vec<D>;
    using Factor = V;
    static constexpr Index kCount = static_cast<Index>(hn::MaxLanes(D()));
    static constexpr bool kInVectors = true;

    static HWY_INLINE Factor factor(V numbers) { return numbers; }
    static HWY_INLINE Factor factor(T number) { return hn::Set(D(), static_cast<Lane>(number)); }
    static HWY_INLINE V product(V a, Factor b) { return hn::Mul(a, b); }
};

#if HWY_TARGET == HWY_SCALAR
template <class Real>
struct Numbers<std::complex<Real>> {
    static constexpr bool kInVectors = false;
};
#else
template <class Real>
struct Numbers<std::complex<Real>> {
    using Lane = Real;
    using D = hn::ScalableTag<Real>;
    using V = hn::Vec<D>;
    static constexpr Index kCount = static_cast<Index>(hn::MaxLanes(D())) / 2;
    static constexpr bool kInVectors = true;

    /// Real parts twice, and imaginary ones with either sign.
    struct Factor {
        V re, im;
    };
    static HWY_INLINE Factor factor(V numbers) {
        const V im = hn::DupOdd(numbers);
        return {hn::DupEven(numbers), hn::OddEven(im, hn::Neg(im))};
    }
    static HWY_INLINE Factor factor(std::complex<Real> number) {
        return {hn::Set(D(), number.real()),
                hn::OddEven(hn::Set(D(), number.imag()), hn::Set(D(), -number.imag()))};
    }
    /// The textbook product, rounded as that of scalars is.
    static HWY_INLINE V product(V a, const Factor& b) {
        return hn::Add(hn::Mul(a, b.re), hn::Mul(hn::Reverse2(D(), a), b.im));
    }
};
#endif

/// The elements of a row that fill no vector. Not inlined: it takes registers from the others.
template <class T, Walk kWalkB, bool kAdds>
HWY_NOINLINE void finish_row(const Row<T>& row, Index i, Index size) {
    for (; i < size; ++i) {
        const T value = product(row.a[i], row.b[at<kWalkB>(nullptr, i)]);
        row.totals[i] = kAdds ? sum(row.totals[i], value) : value;
    }
}

/// The same where a is adjacent, and b too or one number. `rows` is a copy: what is not would be read again
/// after each store, and a read at the place in a page that was just written waits.
template <class T, Walk kWalkB, bool kAdds>
void vector_loop(const ProductRows& all) {
    using N = Numbers<T>;
    using Lane = typename N::Lane;
    const typename N::D d;
    const ProductRows rows = all;
    for (Index r = 0; r < rows.rows; ++r) {
        const Row<T> row(rows, r);
        const auto fixed = N::factor(*row.b);
        Index i = 0;
        for (; i + N::kCount <= rows.size; i += N::kCount) {
            auto value = hn::LoadU(d, reinterpret_cast<const Lane*>(row.a + i));
            if constexpr (kWalkB == Walk::Unit)
                value = N::product(value, N::factor(hn::LoadU(d, reinterpret_cast<const Lane*>(row.b + i))));
            else
                value = N::product(value, fixed);
            auto* const to = reinterpret_cast<Lane*>(row.totals + i);
            if constexpr (kAdds) value = hn::Add(hn::LoadU(d, to), value);
            hn::StoreU(value, d, to);
        }
        if (i < rows.size) finish_row<T, kWalkB, kAdds>(row, i, rows.size);
    }
}

/// The product the other way round.
template <ProductLoop kSwapped>
void swapped(const ProductRows& rows) {
    ProductRows turned = rows;
    std::swap(turned.a, turned.b);
    std::swap(turned.line_a, turned.line_b);
    std::swap(turned.row_a, turned.row_b);
    kSwapped(turned);
}

template <class T, Walk kWalkA, Walk kWalkB, bool kAdds>
constexpr ProductLoop kLoop = loop<T, kWalkA, kWalkB, kAdds>;
template <class T, Walk kWalkB, bool kAdds>
requires(Numbers<T>::kInVectors&& kWalkB != Walk::Table) constexpr ProductLoop
    kLoop<T, Walk::Unit, kWalkB, kAdds> = vector_loop<T, kWalkB, kAdds>;
template <class T, bool kAdds>
requires(Numbers<T>::kInVectors) constexpr ProductLoop kLoop<T, Walk::Fixed, Walk::Unit, kAdds> =
    swapped<vector_loop<T, Walk::Fixed, kAdds>>;

template <class T, Walk kWalkA, bool kAdds>
ProductLoop choose_b(Walk b) {
    switch (b) {
        case Walk::Unit: return kLoop<T, kWalkA, Walk::Unit, kAdds>;
        case Walk::Fixed: return kLoop<T, kWalkA, Walk::Fixed, kAdds>;
        default: return kLoop<T, kWalkA, Walk::Table, kAdds>;
    }
}

template <class T, bool kAdds>
ProductLoop choose_a(Walk a, Walk b) {
    switch (a) {
        case Walk::Unit: return choose_b<T, Walk::Unit, kAdds>(b);
        case Walk::Fixed: return choose_b<T, Walk::Fixed, kAdds>(b);
        default: return choose_b<T, Walk::Table, kAdds>(b);
    }
}

ProductLoop choose_loop(DType dtype, Walk a, Walk b, bool adds) {
    ProductLoop chosen = nullptr;
    visit_numeric(dtype,
                  [&]<class T>() { chosen = adds ? choose_a<T, true>(a, b) : choose_a<T, false>(a, b); });
    return chosen;
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(choose_loop);
ProductLoop product_loop(DType dtype, Walk a, Walk b, bool adds) {
    return HWY_DYNAMIC_DISPATCH(choose_loop)(dtype, a, b, adds);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
