// weighted_triangles: shape and execution.
#include "linalg/backend/operand.hpp"
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// One matrix [n, n], whose elements are `down` and `across` apart, by squares that fit into the first cache.
template <class T>
class Weighing {
public:
    Weighing(Index n, const TensorRead& x, const TriangleWeights& by)
        : n_(n), down_(x.strides()[0]), across_(x.strides()[1]), by_(by) {}

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
    /// Rows first to last of column j. What is multiplied by 0 is not read.
    void column(const T* x, T* y, Index j, Index first, Index last, double w, double v) const noexcept {
        const T *const own = x + j * across_, *const mirrored = x + j * down_;
        const auto each = [&](auto&& value) {
            for (Index i = first; i < last; ++i) y[i + j * n_] = value(i);
        };
        const auto by_own = static_cast<RealOf<T>>(w), by_mirrored = static_cast<RealOf<T>>(v);
        if (w == 0 && v == 0)
            each([](Index) { return T(0); });
        else if (v == 0)
            each([&](Index i) { return own[i * down_] * by_own; });
        else if (w == 0)
            each([&](Index i) { return conjugate(mirrored[i * across_]) * by_mirrored; });
        else
            each([&](Index i) {
                return own[i * down_] * by_own + conjugate(mirrored[i * across_]) * by_mirrored;
            });
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
        for_each_matrix(session, kName, batch, 2.0 * static_cast<double>(n * n),
                        [&](Index i, Scratch&) -> MaybeProblem {
                            weighing.run(matrices.at(i), y[i]);
                            return std::nullopt;
                        });
        return outputs(std::move(y.tensor));
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
