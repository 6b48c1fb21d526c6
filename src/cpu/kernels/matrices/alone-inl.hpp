// The steps of a MatrixPlan on one matrix, of which each column is a vector, for one instruction set.
// clang-format off
#if defined(TENFERRO_MATRICES_ALONE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_MATRICES_ALONE_INL
#undef TENFERRO_MATRICES_ALONE_INL
#else
#define TENFERRO_MATRICES_ALONE_INL
#endif
// clang-format on

#include <hwy/highway.h>

#include "cpu/kernels/matrices/in_lanes-inl.hpp"
#include "tenferro/cpu/contraction/matrix_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One matrix, each column of which is a vector, with zeros behind.
template <class D>
class Alone {
    using T = hn::TFromD<D>;
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;

public:
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D{}));

    /// See MatrixSteps.
    static bool run(const MatrixPlan& plan, T* memory, Index begin, Index end, FunctionRef<void(Index)> read,
                    FunctionRef<void(Index)> write) {
        for (Index matrix = begin; matrix < end; ++matrix) {
            read(matrix);
            if (!compute(plan, memory)) return false;
            write(matrix);
        }
        return true;
    }

private:
    static bool compute(const MatrixPlan& plan, T* memory) {
        for (std::size_t i = 0; i < plan.steps().size(); ++i) {
            const MatrixPlan::Step& step = plan.steps()[i];
            const auto of = [&](MatrixPlan::Value value) {
                const MatrixExtents& e = plan.extents(value);
                return Matrix<T>{memory + plan.place(value) * kLanes, e.rows, e.columns, 1, kLanes};
            };
            const Matrix<T> y = of(plan.result(i));
            if (const auto* selection = std::get_if<MatrixPlan::Selection>(&step)) {
                select(of(selection->x), selection->elements, y);
            } else if (const auto* product = std::get_if<MatrixPlan::Product>(&step)) {
                const Matrix<T> a = product->a_transposed ? of(product->a).transposed() : of(product->a),
                                b = product->b_transposed ? of(product->b).transposed() : of(product->b);
                if (product->transposed)
                    multiply(b.transposed(), a.transposed(), y);
                else
                    multiply(a, b, y);
            } else if (const auto* combination = std::get_if<MatrixPlan::Combination>(&step)) {
                InLanes<D>::combine(combination->op, y.columns, of(combination->a).at, of(combination->b).at,
                                    y.at);
            } else if (const auto* system = std::get_if<MatrixPlan::Substitution>(&step)) {
                if (!substitute(*system, of(system->a), of(system->b), y)) return false;
            } else if (const auto* permutation = std::get_if<MatrixPlan::Permutation>(&step)) {
                if (*of(permutation->exponent).at != 0 ||
                    !permute(permutation->inverse, of(permutation->order).at, of(permutation->x), y))
                    return false;
            } else {
                const auto& quotient = std::get<MatrixPlan::Quotient>(step);
                divide(quotient, of(quotient.x), of(quotient.s).at, y);
            }
        }
        return true;
    }

    using Sizes = typename InLanes<D>::Sizes;
    static constexpr D d{};
    static constexpr Index kElements = kMostMatrixLanes * kMostMatrixLanes;  // of any processor

    static HWY_INLINE V constant(double value) { return hn::Set(d, static_cast<T>(value)); }
    static HWY_INLINE V number(const Matrix<T>& a, Index i, Index j) {
        return hn::Set(d, a.at[i * a.down + j * a.across]);
    }
    static HWY_INLINE V column(const Matrix<T>& a, Index j) { return hn::Load(d, a.at + j * kLanes); }
    static HWY_INLINE void set_column(V value, const Matrix<T>& a, Index j) {
        hn::Store(value, d, a.at + j * kLanes);
    }
    /// a, or its elements in `copy` with its columns as vectors.
    static HWY_INLINE Matrix<T> in_columns(const Matrix<T>& a, T* copy) {
        if (a.down == 1) return a;
        const T* from[kLanes];
        HWY_ALIGN static constexpr T kZeros[kLanes] = {};
        for (Index j = 0; j < kLanes; ++j) from[j] = j < a.rows ? a.at + j * kLanes : kZeros;
        MatrixLanes<T>::gather(kLanes, from, copy);
        return {copy, a.rows, a.columns, 1, kLanes};
    }

    static HWY_NOINLINE void select(const Matrix<T>& x, const std::vector<MatrixPlan::Terms>& elements,
                                    const Matrix<T>& y) {
        std::int16_t places[kElements];
        for (Index j = 0, e = 0; j < x.columns; ++j)
            for (Index i = 0; i < x.rows; ++i) places[e++] = static_cast<std::int16_t>(i + j * kLanes);
        const auto element = [&](std::int32_t number) { return x.at[places[number]]; };
        auto terms = elements.begin();
        for (Index j = 0; j < y.columns; ++j) {
            set_column(hn::Zero(d), y, j);
            for (Index i = 0; i < y.rows; ++i, ++terms) {
                T value = 0;
                if (terms->first >= 0) value = element(terms->first) * static_cast<T>(terms->by_first);
                if (terms->second >= 0) value += element(terms->second) * static_cast<T>(terms->by_second);
                y.at[i + j * kLanes] = value;
            }
        }
    }

    static HWY_NOINLINE void multiply(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& y) {
        HWY_ALIGN T copy[kElements];
        const Matrix<T> left = in_columns(a, copy);
        Index j = 0;
        for (; j + 4 <= y.columns; j += 4) columns_of_product<4>(left, b, y, j);
        for (; j < y.columns; ++j) columns_of_product<1>(left, b, y, j);
    }
    template <Index kColumns>
    static HWY_INLINE void columns_of_product(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& y,
                                              Index j) {
        V sum[kColumns];
        for (Index c = 0; c < kColumns; ++c) sum[c] = hn::Zero(d);
        for (Index k = 0; k < a.columns; ++k)
            for (Index c = 0; c < kColumns; ++c)
                sum[c] = hn::MulAdd(column(a, k), number(b, k, j + c), sum[c]);
        for (Index c = 0; c < kColumns; ++c) set_column(sum[c], y, j + c);
    }

    static HWY_NOINLINE bool substitute(const MatrixPlan::Substitution& system, const Matrix<T>& a,
                                        const Matrix<T>& b, const Matrix<T>& x) {
        HWY_ALIGN T copy[kElements], triangle[kElements], reciprocals[kMostMatrixLanes];
        const Index n = a.rows;
        const V rows = hn::Iota(d, T(0));
        Sizes of_a, of_b, of_x;
        // The triangle off the diagonal, of A as it is.
        const Matrix<T> strict{triangle, n, n, 1, kLanes};
        bool regular = true;
        for (Index j = 0; j < n; ++j) {
            const V diagonal = constant(static_cast<double>(j));
            const M off = hn::And(system.lower ? hn::Gt(rows, diagonal) : hn::Lt(rows, diagonal),
                                  hn::Lt(rows, constant(static_cast<double>(n))));
            const V part = hn::IfThenElseZero(off, column(a, j));
            of_a.see(part);
            set_column(part, strict, j);
            const T pivot = system.unit_diagonal ? T(1) : a.at[j * (kLanes + 1)];
            if (!system.unit_diagonal) of_a.see(hn::Set(d, pivot));
            regular = regular && pivot != 0;
            reciprocals[j] = 1 / pivot;
        }
        for (Index j = 0; j < b.columns; ++j) of_b.see(column(b, j));
        const V largest_a = hn::MaxOfLanes(d, of_a.largest), largest_b = hn::MaxOfLanes(d, of_b.largest);
        of_a.largest = largest_a;
        of_b.largest = largest_b;
        const M good = hn::And(system.unit_diagonal ? of_a.finite() : of_a.moderate(),
                               hn::Or(of_b.moderate(), hn::Eq(of_b.largest, hn::Zero(d))));
        if (!regular || !hn::AllTrue(d, hn::And(good, of_b.finite()))) return false;
        const Matrix<T> effective = system.transpose ? strict.transposed() : strict;
        const bool forward = (system.lower != system.transpose) == system.left;
        if (system.left) {
            const Matrix<T> columns = in_columns(effective, copy);
            Index j = 0;
            for (; j + 4 <= b.columns; j += 4) eliminate<4>(columns, forward, reciprocals, b, x, j, of_x);
            for (; j < b.columns; ++j) eliminate<1>(columns, forward, reciprocals, b, x, j, of_x);
        } else {
            for (Index step = 0; step < n; ++step) {
                const Index j = forward ? step : n - 1 - step;
                V value = column(b, j);
                for (Index k = forward ? 0 : j + 1; k < (forward ? j : n); ++k)
                    value = hn::NegMulAdd(column(x, k), number(effective, k, j), value);
                value = hn::Mul(value, hn::Set(d, reciprocals[j]));
                of_x.see_kind(value);
                set_column(value, x, j);
            }
        }
        return hn::AllTrue(d, of_x.finite());
    }
    /// Columns of the solution, of which each element is eliminated from those behind it.
    template <Index kColumns>
    static HWY_INLINE void eliminate(const Matrix<T>& a, bool forward, const T* reciprocals,
                                     const Matrix<T>& b, const Matrix<T>& x, Index j, Sizes& sizes) {
        const V rows = hn::Iota(d, T(0));
        V value[kColumns];
        for (Index c = 0; c < kColumns; ++c) value[c] = column(b, j + c);
        for (Index step = 0; step < a.columns; ++step) {
            const Index i = forward ? step : a.columns - 1 - step;
            const auto here = hn::SetTableIndices(d, kPlaces[i]);
            const M mask = hn::Eq(rows, constant(static_cast<double>(i)));
            const V scale = hn::Set(d, reciprocals[i]), below = column(a, i);
            for (Index c = 0; c < kColumns; ++c) {
                const V solved = hn::Mul(hn::TableLookupLanes(value[c], here), scale);
                value[c] = hn::IfThenElse(mask, solved, hn::NegMulAdd(below, solved, value[c]));
            }
        }
        for (Index c = 0; c < kColumns; ++c) {
            sizes.see_kind(value[c]);
            set_column(value[c], x, j + c);
        }
    }
    using Number = hwy::MakeSigned<T>;
    /// Each number in all lanes.
    struct Places {
        HWY_ALIGN Number numbers[kLanes][kLanes];
        constexpr Places() : numbers() {
            for (Index i = 0; i < kLanes; ++i)
                for (Index j = 0; j < kLanes; ++j) numbers[i][j] = static_cast<Number>(i);
        }
        constexpr const Number* operator[](Index i) const { return numbers[i]; }
    };
    static constexpr Places kPlaces{};

    static HWY_NOINLINE bool permute(bool inverse, const T* order, const Matrix<T>& x, const Matrix<T>& y) {
        HWY_ALIGN Number from[kLanes];
        for (Index i = 0; i < kLanes; ++i) from[i] = static_cast<Number>(i);
        std::uint32_t seen = 0;  // a bit for each row
        for (Index i = 0; i < x.rows; ++i) {
            if (!(order[i] >= 0 && order[i] < static_cast<T>(x.rows))) return false;
            const auto other = static_cast<Index>(order[i]);
            seen |= std::uint32_t{1} << other;
            from[inverse ? other : i] = static_cast<Number>(inverse ? i : other);
        }
        if (seen + 1 != std::uint32_t{1} << x.rows) return false;
        const auto table = hn::SetTableIndices(d, from);
        for (Index j = 0; j < x.columns; ++j) set_column(hn::TableLookupLanes(column(x, j), table), y, j);
        return true;
    }

    static HWY_NOINLINE void divide(const MatrixPlan::Quotient& by, const Matrix<T>& x, const T* s,
                                    const Matrix<T>& y) {
        HWY_ALIGN T copy[kElements];
        const V spectrum = hn::Load(d, s), sign = constant(by.sign), rows = hn::Iota(d, T(0));
        const V least = hn::Mul(hn::MaxOfLanes(d, hn::Abs(spectrum)), constant(by.least));
        const Matrix<T> turned = by.by_transpose != 0 ? in_columns(x.transposed(), copy) : x;
        const M outside = hn::Ge(rows, constant(static_cast<double>(x.rows)));
        for (Index j = 0; j < x.columns; ++j) {
            V above = column(x, j), divisor = hn::Set(d, s[j]);
            if (by.by_transpose != 0)
                above = hn::MulAdd(column(turned, j), constant(by.by_transpose),
                                   hn::Mul(above, constant(by.by_x)));
            if (by.sign != 0) divisor = hn::MulAdd(sign, spectrum, divisor);
            const M small = hn::Or(outside, hn::Le(hn::Abs(divisor), least));
            set_column(hn::IfThenZeroElse(small, hn::Div(above, divisor)), y, j);
        }
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
