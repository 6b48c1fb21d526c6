// The steps of a MatrixPlan on several matrices, one in each lane of the vectors, for one instruction set.
// clang-format off
#if defined(TENFERRO_MATRICES_IN_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_MATRICES_IN_LANES_INL
#undef TENFERRO_MATRICES_IN_LANES_INL
#else
#define TENFERRO_MATRICES_IN_LANES_INL
#endif
// clang-format on

#include <hwy/highway.h>

#include <limits>

#include "cpu/kernels/matrices/matrix_steps.hpp"
#include "tenferro/base/small_vector.hpp"

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

    /// See MatrixSteps.
    static bool run(const MatrixPlan& plan, T* memory, Index begin, Index end, FunctionRef<void(Index)> read,
                    FunctionRef<void(Index)> write) {
        SmallVector<Call, 24> calls;
        for (std::size_t i = 0; i < plan.steps().size(); ++i) calls.push_back(call_of(plan, i, memory));
        for (Index group = begin; group < end; ++group) {
            read(group);
            for (const Call& call : calls)
                if (!call.compute(call)) return false;
            write(group);
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
        V largest, zero;

        HWY_INLINE Sizes() : largest(hn::Zero(d)), zero(largest) {}
        HWY_INLINE void see(V x) {
            largest = hn::Max(largest, hn::Abs(x));
            see_kind(x);
        }
        /// Not its size.
        HWY_INLINE void see_kind(V x) { zero = hn::MulAdd(x, hn::Zero(d), zero); }
        HWY_INLINE M finite() const { return hn::Eq(zero, hn::Zero(d)); }
        /// Neither so large nor so small that the operation scales it.
        HWY_INLINE M moderate() const {
            constexpr double kBound = power_of_two(std::numeric_limits<T>::max_exponent / 8);
            return hn::And(finite(),
                           hn::And(hn::Ge(largest, constant(2 / kBound)), hn::Lt(largest, constant(kBound))));
        }
    };

private:
    static constexpr D d{};
    /// For a block of sums of 4 by 4.
    static constexpr bool kManyRegisters = HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64;

    /// A step with its operands where they are.
    struct Call {
        bool (*compute)(const Call& call);
        Matrix<T> a, b, y;
        const MatrixPlan::Step* step;
        const T* exponent = nullptr;  ///< of a permutation

        template <class S>
        [[nodiscard]] const S& as() const {
            return *std::get_if<S>(step);
        }
    };
    static Call call_of(const MatrixPlan& plan, std::size_t i, T* memory) {
        const auto of = [&](MatrixPlan::Value value) {
            const MatrixExtents& e = plan.extents(value);
            return Matrix<T>{memory + plan.place(value) * kLanes, e.rows, e.columns, 1, e.rows};
        };
        const auto turned = [&](MatrixPlan::Value value, bool transposed) {
            return transposed ? of(value).transposed() : of(value);
        };
        const MatrixPlan::Step& step = plan.steps()[i];
        const MatrixPlan::Value y = plan.result(i);
        if (const auto* selection = std::get_if<MatrixPlan::Selection>(&step))
            return {select, of(selection->x), {}, of(y), &step};
        if (const auto* product = std::get_if<MatrixPlan::Product>(&step))
            return {multiply, turned(product->a, product->a_transposed),
                    turned(product->b, product->b_transposed), turned(y, product->transposed), &step};
        if (const auto* combination = std::get_if<MatrixPlan::Combination>(&step))
            return {combine, of(combination->a), of(combination->b), of(y), &step};
        if (const auto* system = std::get_if<MatrixPlan::Substitution>(&step))  // X A = B is Aᵀ Xᵀ = Bᵀ
            return {substitute, turned(system->a, system->transpose == system->left),
                    turned(system->b, !system->left), turned(y, !system->left), &step};
        if (const auto* permutation = std::get_if<MatrixPlan::Permutation>(&step))
            return {permute, of(permutation->x),          of(permutation->order), of(y),
                    &step,   of(permutation->exponent).at};
        const auto& quotient = std::get<MatrixPlan::Quotient>(step);
        return {divide, of(quotient.x), of(quotient.s), of(y), &step};
    }

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

    static bool combine(const Call& call) {
        combine(call.template as<MatrixPlan::Combination>().op, call.y.rows * call.y.columns, call.a.at,
                call.b.at, call.y.at);
        return true;
    }

    static HWY_NOINLINE bool select(const Call& call) {
        const T* const x = call.a.at;
        Index i = 0;
        for (const MatrixPlan::Terms& terms : call.template as<MatrixPlan::Selection>().elements) {
            V value = hn::Zero(d);
            if (terms.first >= 0) value = hn::Mul(load(x, terms.first), constant(terms.by_first));
            if (terms.second >= 0)
                value = hn::MulAdd(load(x, terms.second), constant(terms.by_second), value);
            store(value, call.y.at, i++);
        }
        return true;
    }

    static HWY_NOINLINE bool multiply(const Call& call) {
        const Matrix<T> a = call.a, b = call.b, y = call.y;
        Index j = 0;
        if constexpr (kManyRegisters)
            for (; j + 4 <= y.columns; j += 4) columns_of_product<4>(a, b, y, j);
        for (; j + 2 <= y.columns; j += 2) columns_of_product<2>(a, b, y, j);
        if (j < y.columns) columns_of_product<1>(a, b, y, j);
        return true;
    }
    template <Index kColumns>
    static HWY_INLINE void columns_of_product(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& y,
                                              Index j) {
        Index i = 0;
        for (; i + 4 <= y.rows; i += 4) block_of_product<4, kColumns>(a, b, y, i, j);
        if (i + 2 <= y.rows) {
            block_of_product<2, kColumns>(a, b, y, i, j);
            i += 2;
        }
        if (i < y.rows) block_of_product<1, kColumns>(a, b, y, i, j);
    }
    template <Index kRows, Index kColumns>
    static HWY_INLINE void block_of_product(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& y,
                                            Index i, Index j) {
        const Index down = a.down * kLanes, beside = b.across * kLanes;
        const T *left = a.at + i * down, *right = b.at + j * beside;
        V sum[kRows][kColumns];
        for (Index r = 0; r < kRows; ++r)
            for (Index c = 0; c < kColumns; ++c) sum[r][c] = hn::Zero(d);
        for (Index k = 0; k < a.columns; ++k) {
            V factor[kColumns];
            for (Index c = 0; c < kColumns; ++c) factor[c] = hn::Load(d, right + c * beside);
            for (Index r = 0; r < kRows; ++r) {
                const V x = hn::Load(d, left + r * down);
                for (Index c = 0; c < kColumns; ++c) sum[r][c] = hn::MulAdd(x, factor[c], sum[r][c]);
            }
            left += a.across * kLanes;
            right += b.down * kLanes;
        }
        for (Index r = 0; r < kRows; ++r)
            for (Index c = 0; c < kColumns; ++c) store(sum[r][c], y, i + r, j + c);
    }

    /// A X = B for the lower or upper triangle of A, row after row of X, some columns at a time.
    static HWY_NOINLINE bool substitute(const Call& call) {
        const auto& system = call.template as<MatrixPlan::Substitution>();
        const bool lower = system.lower != (system.transpose == system.left), unit = system.unit_diagonal;
        const Matrix<T> a = call.a, b = call.b, x = call.y;
        constexpr Index kMost = 16;
        HWY_ALIGN T reciprocals[kMost * kLanes];
        const Index n = a.rows;
        Sizes of_a, of_b, of_x;
        M good = of_a.finite();
        for (Index j = 0; j < n; ++j) {
            const Index first = lower ? j + 1 : 0, behind = lower ? n : j;
            if (unit) {
                for (Index i = first; i < behind; ++i) of_a.see_kind(load(a, i, j));
                continue;
            }
            for (Index i = first; i < behind; ++i) of_a.see(load(a, i, j));
            const V pivot = load(a, j, j);
            of_a.see(pivot);
            good = hn::And(good, hn::Ne(pivot, hn::Zero(d)));
            store(hn::Div(constant(1), pivot), reciprocals, j);
        }
        for (Index j = 0; j < b.columns; ++j)
            for (Index i = 0; i < n; ++i) of_b.see(load(b, i, j));
        good = hn::And(good, unit ? of_a.finite() : of_a.moderate());
        good = hn::And(good, hn::Or(of_b.moderate(), hn::Eq(of_b.largest, hn::Zero(d))));
        if (!hn::AllTrue(d, hn::And(good, of_b.finite()))) return false;
        const T* const scale = unit ? nullptr : reciprocals;
        Index j = 0;
        for (; j + 4 <= b.columns; j += 4) columns_of_solution<4>(a, lower, scale, b, x, j, of_x);
        for (; j < b.columns; ++j) columns_of_solution<1>(a, lower, scale, b, x, j, of_x);
        return hn::AllTrue(d, of_x.finite());
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
                sizes.see_kind(value[c]);
                store(value[c], x, i, j + c);
            }
        }
    }

    static HWY_NOINLINE bool permute(const Call& call) {
        const auto& permutation = call.template as<MatrixPlan::Permutation>();
        const bool inverse = permutation.inverse;
        const T* const order = call.b.at;
        const Matrix<T> x = call.a, y = call.y;
        const auto comes_from = [&](Index to, Index from) HWY_ATTR {
            return inverse ? hn::Eq(load(order, from), constant(static_cast<double>(to)))
                           : hn::Eq(load(order, to), constant(static_cast<double>(from)));
        };
        M good = hn::Eq(load(call.exponent, 0), hn::Zero(d));
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

    static HWY_NOINLINE bool divide(const Call& call) {
        const auto& by = call.template as<MatrixPlan::Quotient>();
        const Matrix<T> x = call.a, y = call.y;
        const T* const s = call.b.at;
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
        return true;
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
