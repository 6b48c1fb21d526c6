// weighted_triangles: shape and execution.
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

/// For each element of y its weights, and the places of its two terms.
template <class T>
struct Term {
    RealOf<T> w, v;
    Index own, mirrored;
};

/// Matrices [n, n], whose elements are `down` and `across` apart.
template <class T>
class Weighing {
public:
    static constexpr Index kSmall = 16;

    Weighing(Index n, const TensorRead& x, const TriangleWeights& by)
        : n_(n), down_(x.strides()[0]), across_(x.strides()[1]), by_(by) {}

    /// What small matrices are computed by.
    [[nodiscard]] const Term<T>* terms(Scratch& scratch) const {
        auto* const terms = scratch.take<Term<T>>(n_ * n_);
        for (Index j = 0; j < n_; ++j)
            for (Index i = 0; i < n_; ++i) {
                const double w = i < j   ? by_.above
                                 : i > j ? by_.below
                                         : by_.on,
                             v = i < j   ? by_.above_adjoint
                                 : i > j ? by_.below_adjoint
                                         : by_.on_adjoint;
                terms[i + j * n_] = {static_cast<RealOf<T>>(w), static_cast<RealOf<T>>(v),
                                     i * down_ + j * across_, j * down_ + i * across_};
            }
        return terms;
    }
    void run_small(const Term<T>* terms, const T* x, T* y) const noexcept {
        for (Index i = 0; i < n_ * n_; ++i) {
            const Term<T>& by = terms[i];
            y[i] = weighed(by.w, x[by.own]) + weighed(by.v, conjugate(x[by.mirrored]));
        }
    }

    /// By squares that fit into the first cache.
    void run_large(const T* x, T* y) const noexcept {
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
        const Weighing<T> weighing(n, x, *this);
        Result<T> y(session, {n, n}, batch);
        for_each_range(session, kName, batch, 2.0 * static_cast<double>(n * n),
                       [&](Index first, Index last, Scratch& scratch) -> std::optional<Failure> {
                           const bool is_small = n <= Weighing<T>::kSmall;
                           const Term<T>* const terms = is_small ? weighing.terms(scratch) : nullptr;
                           for (Index i = first; i < last; ++i)
                               if (is_small)
                                   weighing.run_small(terms, matrices.at(i), y[i]);
                               else
                                   weighing.run_large(matrices.at(i), y[i]);
                           return std::nullopt;
                       });
        return outputs(std::move(y.tensor));
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
