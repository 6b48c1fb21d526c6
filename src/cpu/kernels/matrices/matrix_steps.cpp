// The steps of a MatrixPlan, compiled once per instruction set.
#include "cpu/kernels/matrices/matrix_steps.hpp"

#include <algorithm>
#include <limits>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/matrices/matrix_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/matrix_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A matrix of a plan, whose rows are `down` and columns `across` elements apart.
template <class T>
struct Matrix {
    T* at;
    Index rows, columns, down, across;

    Matrix transposed() const { return {at, columns, rows, across, down}; }
};

/// Several matrices, one in each lane.
template <class D>
class InLanes {
    using T = hn::TFromD<D>;
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;

public:
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D{}));

    static bool run(const MatrixPlan& plan, T* memory) {
        for (std::size_t i = 0; i < plan.steps().size(); ++i) {
            const MatrixPlan::Step& step = plan.steps()[i];
            const auto of = [&](MatrixPlan::Value value) {
                const MatrixExtents& e = plan.extents(value);
                return Matrix<T>{memory + plan.place(value) * kLanes, e.rows, e.columns, 1, e.rows};
            };
            const Matrix<T> y = of(plan.result(i));
            if (const auto* selection = std::get_if<MatrixPlan::Selection>(&step)) {
                select(of(selection->x).at, selection->elements, y.at);
            } else if (const auto* product = std::get_if<MatrixPlan::Product>(&step)) {
                const Matrix<T> a = of(product->a), b = of(product->b);
                multiply(product->a_transposed ? a.transposed() : a,
                         product->b_transposed ? b.transposed() : b,
                         product->transposed ? y.transposed() : y);
            } else if (const auto* combination = std::get_if<MatrixPlan::Combination>(&step)) {
                combine(combination->op, y.rows * y.columns, of(combination->a).at, of(combination->b).at,
                        y.at);
            } else if (const auto* system = std::get_if<MatrixPlan::Substitution>(&step)) {
                // X op(A) = B is op(A)^T X^T = B^T.
                const Matrix<T> a = of(system->a), b = of(system->b);
                const bool transpose = system->transpose == system->left;
                if (!substitute(transpose ? a.transposed() : a, system->lower != transpose,
                                system->unit_diagonal, system->left ? b : b.transposed(),
                                system->left ? y : y.transposed()))
                    return false;
            } else if (const auto* permutation = std::get_if<MatrixPlan::Permutation>(&step)) {
                if (!permute(permutation->inverse, of(permutation->order).at, of(permutation->exponent).at,
                             of(permutation->x), y))
                    return false;
            } else {
                const auto& quotient = std::get<MatrixPlan::Quotient>(step);
                divide(quotient, of(quotient.x), of(quotient.s).at, y);
            }
        }
        return true;
    }

    static HWY_NOINLINE void combine(OpId op, Index count, const T* a, const T* b, T* y) {
        const auto each = [&](auto&& f) HWY_ATTR {
            for (Index i = 0; i < count; ++i) store(f(load(a, i), load(b, i)), y, i);
        };
        switch (op) {
            case OpId::Neg: return each([](V x, V) HWY_ATTR { return hn::Neg(x); });
            case OpId::Add: return each([](V x, V z) HWY_ATTR { return hn::Add(x, z); });
            case OpId::Sub: return each([](V x, V z) HWY_ATTR { return hn::Sub(x, z); });
            default: return each([](V x, V z) HWY_ATTR { return hn::Mul(x, z); });
        }
    }

    /// Sizes that were seen, and whether all were finite.
    struct Sizes {
        V largest;
        M finite;

        HWY_INLINE Sizes() : largest(hn::Zero(d)), finite(hn::Eq(largest, largest)) {}
        HWY_INLINE void see(V x) {
            const V size = hn::Abs(x);
            finite = hn::And(finite, hn::Le(size, constant(std::numeric_limits<T>::max())));
            largest = hn::Max(largest, size);
        }
        /// Neither so large nor so small that the operation scales it.
        HWY_INLINE M moderate() const {
            constexpr double kBound = power_of_two(std::numeric_limits<T>::max_exponent / 8);
            return hn::And(finite,
                           hn::And(hn::Ge(largest, constant(2 / kBound)), hn::Lt(largest, constant(kBound))));
        }
    };

private:
    static constexpr D d{};

    static constexpr double power_of_two(int exponent) {
        return exponent == 0 ? 1 : 2 * power_of_two(exponent - 1);
    }
    static HWY_INLINE V constant(double value) { return hn::Set(d, static_cast<T>(value)); }
    static HWY_INLINE V load(const T* from, Index i) { return hn::Load(d, from + i * kLanes); }
    static HWY_INLINE void store(V value, T* to, Index i) { hn::Store(value, d, to + i * kLanes); }
    static HWY_INLINE V load(const Matrix<T>& a, Index i, Index j) {
        return load(a.at, i * a.down + j * a.across);
    }
    static HWY_INLINE void store(V value, const Matrix<T>& a, Index i, Index j) {
        store(value, a.at, i * a.down + j * a.across);
    }

    static HWY_NOINLINE void select(const T* x, const std::vector<MatrixPlan::Terms>& elements, T* y) {
        Index i = 0;
        for (const MatrixPlan::Terms& terms : elements) {
            V value = hn::Zero(d);
            if (terms.first >= 0) value = hn::Mul(load(x, terms.first), constant(terms.by_first));
            if (terms.second >= 0)
                value = hn::MulAdd(load(x, terms.second), constant(terms.by_second), value);
            store(value, y, i++);
        }
    }

    static HWY_NOINLINE void multiply(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& y) {
        constexpr Index kRows = 4;
        for (Index j = 0; j < y.columns; ++j) {
            Index i = 0;
            for (; i + kRows <= y.rows; i += kRows) rows_of_product<kRows>(a, b, y, i, j);
            if (i + 2 <= y.rows) {
                rows_of_product<2>(a, b, y, i, j);
                i += 2;
            }
            if (i < y.rows) rows_of_product<1>(a, b, y, i, j);
        }
    }
    template <Index kRows>
    static HWY_INLINE void rows_of_product(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& y,
                                           Index i, Index j) {
        V sum[kRows];
        for (Index r = 0; r < kRows; ++r) sum[r] = hn::Zero(d);
        for (Index k = 0; k < a.columns; ++k) {
            const V factor = load(b, k, j);
            for (Index r = 0; r < kRows; ++r) sum[r] = hn::MulAdd(load(a, i + r, k), factor, sum[r]);
        }
        for (Index r = 0; r < kRows; ++r) store(sum[r], y, i + r, j);
    }

    /// A X = B for the lower or upper triangle of A, row after row of X, some columns at a time.
    static HWY_NOINLINE bool substitute(const Matrix<T>& a, bool lower, bool unit, const Matrix<T>& b,
                                        const Matrix<T>& x) {
        constexpr Index kMost = 16;
        HWY_ALIGN T reciprocals[kMost * kLanes];
        const Index n = a.rows;
        Sizes of_a, of_b, of_x;
        M good = of_a.finite;
        for (Index j = 0; j < n; ++j) {
            for (Index i = lower ? j + 1 : 0; i < (lower ? n : j); ++i) of_a.see(load(a, i, j));
            if (unit) continue;
            const V pivot = load(a, j, j);
            of_a.see(pivot);
            good = hn::And(good, hn::Ne(pivot, hn::Zero(d)));
            store(hn::Div(constant(1), pivot), reciprocals, j);
        }
        for (Index j = 0; j < b.columns; ++j)
            for (Index i = 0; i < n; ++i) of_b.see(load(b, i, j));
        good = hn::And(good, unit ? of_a.finite : of_a.moderate());
        good = hn::And(good, hn::Or(of_b.moderate(), hn::Eq(of_b.largest, hn::Zero(d))));
        if (!hn::AllTrue(d, hn::And(good, of_b.finite))) return false;
        const T* const scale = unit ? nullptr : reciprocals;
        Index j = 0;
        for (; j + 4 <= b.columns; j += 4) columns_of_solution<4>(a, lower, scale, b, x, j, of_x);
        for (; j < b.columns; ++j) columns_of_solution<1>(a, lower, scale, b, x, j, of_x);
        return hn::AllTrue(d, of_x.finite);
    }
    template <Index kColumns>
    static HWY_INLINE void columns_of_solution(const Matrix<T>& a, bool lower, const T* reciprocals,
                                               const Matrix<T>& b, const Matrix<T>& x, Index j,
                                               Sizes& sizes) {
        for (Index step = 0; step < a.rows; ++step) {
            const Index i = lower ? step : a.rows - 1 - step;
            V value[kColumns];
            for (Index c = 0; c < kColumns; ++c) value[c] = load(b, i, j + c);
            for (Index k = lower ? 0 : i + 1; k < (lower ? i : a.rows); ++k) {
                const V factor = load(a, i, k);
                for (Index c = 0; c < kColumns; ++c)
                    value[c] = hn::NegMulAdd(factor, load(x, k, j + c), value[c]);
            }
            for (Index c = 0; c < kColumns; ++c) {
                if (reciprocals != nullptr) value[c] = hn::Mul(value[c], load(reciprocals, i));
                sizes.see(value[c]);
                store(value[c], x, i, j + c);
            }
        }
    }

    static HWY_NOINLINE bool permute(bool inverse, const T* order, const T* exponent, const Matrix<T>& x,
                                     const Matrix<T>& y) {
        const auto comes_from = [&](Index to, Index from) HWY_ATTR {
            return inverse ? hn::Eq(load(order, from), constant(static_cast<double>(to)))
                           : hn::Eq(load(order, to), constant(static_cast<double>(from)));
        };
        M good = hn::Eq(load(exponent, 0), hn::Zero(d));
        for (Index row = 0; row < x.rows; ++row) {  // is there
            M found = hn::Lt(hn::Zero(d), hn::Zero(d));
            for (Index i = 0; i < x.rows; ++i)
                found = hn::Or(found, inverse ? comes_from(row, i) : comes_from(i, row));
            good = hn::And(good, found);
        }
        if (!hn::AllTrue(d, good)) return false;
        for (Index j = 0; j < x.columns; ++j)
            for (Index i = 0; i < x.rows; ++i) {
                V value = load(x, 0, j);
                for (Index from = 1; from < x.rows; ++from)
                    value = hn::IfThenElse(comes_from(i, from), load(x, from, j), value);
                store(value, y, i, j);
            }
        return true;
    }

    static HWY_NOINLINE void divide(const MatrixPlan::Quotient& by, const Matrix<T>& x, const T* s,
                                    const Matrix<T>& y) {
        V peak = hn::Zero(d);
        for (Index j = 0; j < x.columns; ++j) peak = hn::Max(peak, hn::Abs(load(s, j)));
        const V least = hn::Mul(peak, constant(by.least)), sign = constant(by.sign);
        for (Index j = 0; j < x.columns; ++j)
            for (Index i = 0; i < x.rows; ++i) {
                V above = load(x, i, j), divisor = load(s, j);
                if (by.by_transpose != 0)
                    above = hn::MulAdd(load(x, j, i), constant(by.by_transpose),
                                       hn::Mul(above, constant(by.by_x)));
                if (by.sign != 0) divisor = hn::MulAdd(sign, load(s, i), divisor);
                const M small = hn::Le(hn::Abs(divisor), least);
                store(hn::IfThenZeroElse(small, hn::Div(above, divisor)), y, i, j);
            }
    }
};

/// One matrix, each column of which is a vector, with zeros behind.
template <class D>
class Alone {
    using T = hn::TFromD<D>;
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;

public:
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D{}));

    static bool run(const MatrixPlan& plan, T* memory) {
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

private:
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
        const M good = hn::And(system.unit_diagonal ? of_a.finite : of_a.moderate(),
                               hn::Or(of_b.moderate(), hn::Eq(of_b.largest, hn::Zero(d))));
        if (!regular || !hn::AllTrue(d, hn::And(good, of_b.finite))) return false;
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
                of_x.see(value);
                set_column(value, x, j);
            }
        }
        return hn::AllTrue(d, of_x.finite);
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
            sizes.see(value[c]);
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

template <class T>
MatrixSteps<T> steps_for(const MatrixPlan& plan) {
    using Short = InLanes<hn::CappedTag<T, 16 / sizeof(T)>>;
    using Whole = InLanes<hn::CappedTag<T, kMostMatrixLanes>>;
    using One = Alone<hn::CappedTag<T, kMostMatrixLanes>>;
    static_assert(Whole::kLanes == MatrixLanes<T>::kLanes);
    if (plan.count() >= 4)
        return {Whole::kLanes, false, Whole::run, MatrixLanes<T>::gather, MatrixLanes<T>::scatter};
    if (plan.largest() <= One::kLanes) return {One::kLanes, true, One::run, nullptr, nullptr};
    return {Short::kLanes, false, Short::run, nullptr, nullptr};
}
MatrixSteps<float> steps_f32(const MatrixPlan& plan) { return steps_for<float>(plan); }
MatrixSteps<double> steps_f64(const MatrixPlan& plan) { return steps_for<double>(plan); }

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(steps_f32);
HWY_EXPORT(steps_f64);
template <>
MatrixSteps<float> matrix_steps<float>(const MatrixPlan& plan) {
    return HWY_DYNAMIC_DISPATCH(steps_f32)(plan);
}
template <>
MatrixSteps<double> matrix_steps<double>(const MatrixPlan& plan) {
    return HWY_DYNAMIC_DISPATCH(steps_f64)(plan);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
