// weighted_triangles: shape and execution.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "linalg/backend/operand.hpp"
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// w x, where what is multiplied by 0 does not count, not even infinity.
template <class T>
T weighed(RealOf<T> w, T x) noexcept {
    return w == 0 ? T(0) : x * w;
}

/// Matrices [n, n], whose elements are `down` and `across` apart.
template <class T>
class Weighing {
public:
    Weighing(Index n, const TensorRead& x, const TriangleWeights& by)
        : n_(n), down_(x.strides()[0]), across_(x.strides()[1]), by_(by) {}

    /// By squares that fit into the first cache.
    void run(const T* x, T* y) const noexcept {
        constexpr Index kSide = 32;
        for (Index left = 0; left < n_; left += kSide)
            for (Index top = 0; top < n_; top += kSide) {
                const Index right = std::min(left + kSide, n_), bottom = std::min(top + kSide, n_);
                for (Index j = left; j < right; ++j) {
                    const Index diagonal = std::clamp(j, top, bottom),
                                behind = std::clamp(j + 1, top, bottom);
                    column(x, y, j, top, diagonal, by_.above, by_.above_adjoint);
                    column(x, y, j, diagonal, behind, by_.on, by_.on_adjoint);
                    column(x, y, j, behind, bottom, by_.below, by_.below_adjoint);
                }
            }
    }

private:
    /// Rows first to last of column j.
    void column(const T* x, T* y, Index j, Index first, Index last, double w, double v) const noexcept {
        const T *const own = x + j * across_, *const mirrored = x + j * down_;
        const auto by_own = static_cast<RealOf<T>>(w), by_mirrored = static_cast<RealOf<T>>(v);
        if (v == 0)
            for (Index i = first; i < last; ++i) y[i + j * n_] = weighed(by_own, own[i * down_]);
        else
            for (Index i = first; i < last; ++i)
                y[i + j * n_] =
                    weighed(by_own, own[i * down_]) + weighed(by_mirrored, conjugate(mirrored[i * across_]));
    }

    Index n_, down_, across_;
    const TriangleWeights& by_;
};

/// Small matrices: of each number of Y, real and imaginary parts apart, the weights of its two terms, bits
/// that are 0 where a weight is, and the places of the terms.
template <class T>
class SmallWeighing {
    using R = RealOf<T>;
    using Bits = std::conditional_t<sizeof(R) == 8, std::uint64_t, std::uint32_t>;

public:
    static constexpr Index kLargest = 16;

    SmallWeighing(Index n, const TensorRead& x, const TriangleWeights& by, Scratch& scratch)
        : count_(n * n * kParts), own_(scratch, count_), mirrored_(scratch, count_) {
        const Index down = x.strides()[0] * kParts, across = x.strides()[1] * kParts;
        Index at = 0;
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const double w = i < j   ? by.above
                                 : i > j ? by.below
                                         : by.on,
                             v = i < j   ? by.above_adjoint
                                 : i > j ? by.below_adjoint
                                         : by.on_adjoint;
                for (Index part = 0; part < kParts; ++part, ++at) {
                    own_.set(at, i * down + j * across + part, w);
                    mirrored_.set(at, j * down + i * across + part, part == 0 ? v : -v);
                }
            }
    }
    void run(const T* from, T* to) const noexcept {
        const R* const x = reinterpret_cast<const R*>(from);
        R* const __restrict y = reinterpret_cast<R*>(to);
        const Terms own = own_, mirrored = mirrored_;
        if (own.in_order)
            for (Index i = 0; i < count_; ++i) y[i] = own.of(i, x[i]);
        else
            for (Index i = 0; i < count_; ++i) y[i] = own.of(i, x[own.place[i]]);
        if (!mirrored.none)
            for (Index i = 0; i < count_; ++i) y[i] += mirrored.of(i, x[mirrored.place[i]]);
    }

private:
    static constexpr Index kParts = is_complex<T> ? 2 : 1;

    struct Terms {
        R* weight;
        Bits* bits;
        Index* place;
        bool in_order = true, none = true;  ///< number i is at place i; all weights are 0

        Terms(Scratch& scratch, Index count)
            : weight(scratch.take<R>(count)),
              bits(scratch.take<Bits>(count)),
              place(scratch.take<Index>(count)) {}
        void set(Index i, Index from, double by) noexcept {
            weight[i] = static_cast<R>(by);
            bits[i] = by == 0 ? Bits{0} : ~Bits{0};
            place[i] = from;
            in_order = in_order && from == i;
            none = none && by == 0;
        }
        [[nodiscard]] R of(Index i, R x) const noexcept {
            return std::bit_cast<R>(std::bit_cast<Bits>(x * weight[i]) & bits[i]);
        }
    };

    Index count_;
    Terms own_, mirrored_;
};

}  // namespace

std::vector<TensorMeta> WeightedTriangles::infer(std::span<const TensorMeta> in) const {
    static_cast<void>(SquareShape(in[0], kName));
    return {in[0]};
}

std::vector<Tensor> WeightedTriangles::run(BackendSession& session, std::span<const TensorRead> in) const {
    const TensorRead& x = in[0];
    return visit_floating(x.dtype(), [&]<class T>() {
        const Index n = x.shape()[0];
        const Dims batch = batch_extents(x, 2, kName);
        const Slices<T> matrices(x, 2);
        Result<T> y(session, {n, n}, batch);
        const auto each = [&](Index first, Index last, const auto& weighing) {
            for (Index i = first; i < last; ++i) weighing.run(matrices.at(i), y[i]);
            return std::optional<Failure>();
        };
        for_each_range(session, kName, batch, 2.0 * static_cast<double>(n * n),
                       [&](Index first, Index last, Scratch& scratch) {
                           if (n <= SmallWeighing<T>::kLargest)
                               return each(first, last, SmallWeighing<T>(n, x, *this, scratch));
                           return each(first, last, Weighing<T>(n, x, *this));
                       });
        return outputs(std::move(y.tensor));
    });
}

MatrixPlan::MaybeValue WeightedTriangles::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {
    const MatrixExtents e = plan.extents(in[0]);
    if (e.rank != 2) return std::nullopt;
    const Index n = e.rows;
    std::vector<MatrixPlan::Terms> elements;
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
            const auto [w, v] = i < j   ? std::pair(above, above_adjoint)
                                : i > j ? std::pair(below, below_adjoint)
                                        : std::pair(on, on_adjoint);
            MatrixPlan::Terms terms{.by_first = w, .by_second = v};
            if (w != 0) terms.first = static_cast<std::int32_t>(i + j * n);
            if (v != 0) terms.second = static_cast<std::int32_t>(j + i * n);
            elements.push_back(terms);
        }
    return plan.select(in[0], e, std::move(elements));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
