// Eigenvalues of LinalgBackend, of Hermitian and of general matrices.
#include <cmath>
#include <new>

#include "linalg/backend/gauge.hpp"
#include "linalg/backend/operand.hpp"
#include "linalg/small/groups.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

Problem no_convergence() { return {ErrorKind::NoConvergence, "the eigenvalues do not converge"}; }

/// Matrix i into `a`, with what is read in the lower triangle, and its eigenvalues.
template <class T>
MaybeProblem hermitian(const MatrixKernels<T>& kernels, const Slices<T>& matrices, Index i, bool lower,
                       bool vectors, T* a, RealOf<T>* w, Scratch& scratch) {
    const Index n = matrices.rows();
    const auto largest = matrices.copy(i, a);
    if (!largest) return matrices.not_finite(i);
    if (!lower)
        for (Index j = 0; j < n; ++j)
            for (Index row = 0; row < j; ++row) a[j + row * n] = conjugate(a[row + j * n]);
    for (Index j = 0; j < n; ++j) a[j + j * n] = real_part(a[j + j * n]);
    const int exponent = scale_exponent(*largest);
    scale(n * n, a, exponent);
    if (!kernels.eigh(n, vectors, a, w, scratch)) return no_convergence();
    scale(n, w, -exponent);
    return std::nullopt;
}

/// The eigenvalues and vectors of a group.
template <class T>
class LaneEigenvalues {
    using R = RealOf<T>;

public:
    LaneEigenvalues(const LaneGroup<T>& group, Index n, bool lower)
        : group_(group), n_(n), w_(group.real_room(n)), v_(group.room(n * n)) {
        for (Index lane = 0; lane < group.kernels.lanes; ++lane)
            for (Index j = 0; j < n; ++j) {
                group.put(real_part(group.get(group.a, j + j * n, lane)), group.a, j + j * n, lane);
                for (Index i = j + 1; i < n; ++i) {
                    const Index below = i + j * n, above = j + i * n;
                    group.put(conjugate(group.get(group.a, lower ? below : above, lane)), group.a,
                              lower ? above : below, lane);
                }
            }
        group.kernels.eigh(n, group.a, w_, v_, group.good);
    }
    /// In ascending order; vectors unless v is null.
    void give(Index lane, R* w, T* v) const {
        const Index lanes = group_.kernels.lanes;
        Index order[kLargestInLanes];
        for (Index j = 0; j < n_; ++j) {
            Index at = j;
            for (; at > 0 && w_[order[at - 1] * lanes + lane] > w_[j * lanes + lane]; --at)
                order[at] = order[at - 1];
            order[at] = j;
        }
        for (Index j = 0; j < n_; ++j) {
            w[j] = w_[order[j] * lanes + lane];
            for (Index i = 0; v != nullptr && i < n_; ++i)
                v[i + j * n_] = group_.get(v_, i + order[j] * n_, lane);
        }
    }

private:
    const LaneGroup<T>& group_;
    Index n_;
    R *w_, *v_;
};

/// By real part, and by imaginary part where real parts are equal but for the square root of the precision
/// beside the largest eigenvalue: a conjugate pair is in one order whatever the rounding of its ends.
template <class C>
void put_in_order(Index n, C* w, C* v) {
    using R = RealOf<C>;
    R largest = 0;
    for (Index i = 0; i < n; ++i) largest = std::max(largest, magnitude(w[i]));
    const R near = std::sqrt(kEps<C>) * largest;
    const auto sort = [&](Index from, Index to, auto&& before) {
        for (Index i = from; i + 1 < to; ++i) {
            const Index first = std::min_element(w + i, w + to, before) - w;
            if (first == i) continue;
            std::swap(w[i], w[first]);
            if (v != nullptr) std::swap_ranges(v + i * n, v + i * n + n, v + first * n);
        }
    };
    sort(0, n, [](const C& x, const C& y) { return x.real() < y.real(); });
    for (Index from = 0, to = 1; from < n; from = to++) {
        while (to < n && w[to].real() - w[from].real() <= near) ++to;
        sort(from, to, [](const C& x, const C& y) {
            return x.imag() != y.imag() ? x.imag() < y.imag() : x.real() < y.real();
        });
    }
}

template <class T>
MaybeProblem general(const MatrixKernels<T>& kernels, const Slices<T>& matrices, Index i, ComplexOf<T>* w,
                     ComplexOf<T>* v, Scratch& scratch) {
    const Index n = matrices.rows();
    T* const a = scratch.take<T>(n * n);
    const auto exponent = copy_scaled(matrices, i, a);
    if (!exponent) return matrices.not_finite(i);
    if (!kernels.eig(n, a, w, v, scratch)) return no_convergence();
    put_in_order(n, w, v);
    scale(n, w, -*exponent);
    return std::nullopt;
}

/// The eigenvalues and vectors of a group, of which there are none if `v` is null.
template <class T>
void general_in_lanes(const LaneGroup<T>& group, Index n, const Result<ComplexOf<T>>& w,
                      const Result<ComplexOf<T>>* v) {
    auto* const values = group.real_room(2 * n);
    auto* const vectors = v != nullptr ? group.real_room(2 * n * n) : nullptr;
    group.kernels.eig(n, group.a, values, vectors, group.real_room(n * (n + 2)), group.good);
    group.give_complex(values, n, [&](Index i) { return w[i]; });
    if (v != nullptr) group.give_complex(vectors, n * n, [&](Index i) { return (*v)[i]; });
    group.each([&](Index i, Index) { put_in_order(n, w[i], v != nullptr ? (*v)[i] : nullptr); });
}
/// The extent up to which general matrices are computed in lanes: complex ones are not.
template <class T>
constexpr Index kLargestGeneral = is_complex<T> ? 0 : kLargestInLanes;

template <class T>
void fix_gauge(Index n, T* vectors) {
    for (Index j = 0; j < n; ++j) multiply(n, vectors + j * n, gauge_factor(n, vectors + j * n));
}

/// What eigenvalues of the smallest general matrix cost: some microseconds, as so many multiply-adds.
constexpr double kSmallest = 8000;

}  // namespace

EigenTensors LinalgBackend::eigh_read(const TensorRead& a, const EighOptions& options) const try {
    constexpr std::string_view kOp = "eigh";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2, options.lower ? Part::Lower : Part::Upper);
        Result<RealOf<T>> w(session, {n}, batch);
        Result<T> v(session, {n, n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) {
            MaybeProblem problem =
                hermitian<T>(kernels, matrices, i, options.lower, true, v[i], w[i], scratch);
            if (!problem && options.fix_gauge) fix_gauge(n, v[i]);
            return problem;
        };
        const auto in_lanes = [&](const auto& group) {
            const LaneEigenvalues<T> lanes(group, n, options.lower);
            group.each([&](Index i, Index lane) {
                lanes.give(lane, w[i], v[i]);
                if (options.fix_gauge) fix_gauge(n, v[i]);
            });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(9, n, n), matrices, alone, in_lanes,
                       kLargestInLanes, fewest_decomposed_in_lanes<T>(n));
        return EigenTensors{std::move(w.tensor), std::move(v.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eigh");
}

Tensor LinalgBackend::eigvalsh_read(const TensorRead& a, const EighOptions& options) const try {
    constexpr std::string_view kOp = "eigvalsh";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2, options.lower ? Part::Lower : Part::Upper);
        Result<RealOf<T>> w(session, {n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) {
            return hermitian<T>(kernels, matrices, i, options.lower, false, scratch.take<T>(n * n), w[i],
                                scratch);
        };
        const auto in_lanes = [&](const auto& group) {
            const LaneEigenvalues<T> lanes(group, n, options.lower);
            group.each([&](Index i, Index lane) { lanes.give(lane, w[i], static_cast<T*>(nullptr)); });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(2, n, n), matrices, alone, in_lanes,
                       kLargestInLanes, fewest_decomposed_in_lanes<T>(n));
        return std::move(w.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eigvalsh");
}

EigenTensors LinalgBackend::eig_read(const TensorRead& a, const EigOptions& options) const try {
    constexpr std::string_view kOp = "eig";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2);
        Result<ComplexOf<T>> w(session, {n}, batch), v(session, {n, n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) {
            MaybeProblem problem = general<T>(kernels, matrices, i, w[i], v[i], scratch);
            if (!problem && options.fix_gauge) fix_gauge(n, v[i]);
            return problem;
        };
        const auto in_lanes = [&](const auto& group) {
            general_in_lanes(group, n, w, &v);
            if (options.fix_gauge) group.each([&](Index i, Index) { fix_gauge(n, v[i]); });
        };
        for_each_small(session, *kernels_, kOp, batch, kSmallest + cubic(25, n, n), matrices, alone, in_lanes,
                       kLargestGeneral<T>);
        return EigenTensors{std::move(w.tensor), std::move(v.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eig");
}

Tensor LinalgBackend::eigvals_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "eigvals";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2);
        Result<ComplexOf<T>> w(session, {n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) {
            return general<T>(kernels, matrices, i, w[i], nullptr, scratch);
        };
        const auto in_lanes = [&](const auto& group) { general_in_lanes(group, n, w, nullptr); };
        for_each_small(session, *kernels_, kOp, batch, kSmallest + cubic(10, n, n), matrices, alone, in_lanes,
                       kLargestGeneral<T>);
        return std::move(w.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eigvals");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
