// Norms of vectors and matrices, as functions on handles.
#pragma once

#include <cmath>
#include <limits>

#include "tenferro/linalg/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// (sum |a|^p)^(1/p) over `axes`: for p = inf the largest and for p = -inf the smallest absolute value, for 0
/// the number of elements that are not 0. Computed on elements divided by the largest, so it neither
/// overflows nor underflows. The derivative at 0 is 0.
template <TensorHandle H>
[[nodiscard]] H vector_norm(const H& a, double p, const Dims& axes) {
    const H size = abs(a);
    if (p == std::numeric_limits<double>::infinity()) return reduce_max(size, axes);
    if (p == -std::numeric_limits<double>::infinity()) return reduce_min(size, axes);
    if (p == 0)
        return reduce_sum(select(equal(size, full_like(size, 0)), full_like(size, 0), full_like(size, 1)),
                          axes);
    if (p == 1) return reduce_sum(size, axes);
    const H peak = stop_gradient(p > 0 ? reduce_max(size, axes) : reduce_min(size, axes));
    const H usable = greater(peak, 0.0), unit = select(usable, peak, full_like(peak, 1));
    Dims kept;
    for (const Index axis : tfe_detail::axes_from(0, a.rank()))
        if (const Dims reduced = tensor_ops::from_front(axes, a.rank());
            std::find(reduced.begin(), reduced.end(), axis) == reduced.end())
            kept.push_back(axis);
    const H ratio = div(size, broadcast_in_dim(unit, shape_of(a), std::move(kept)));
    const H sum = reduce_sum(p == 2 ? mul(ratio, ratio) : pow(ratio, p), axes);
    const H safe = select(usable, sum, full_like(sum, 1));
    const H root = p == 2 ? sqrt(safe) : pow(safe, 1 / p);
    return select(usable, mul(root, unit), full_like(sum, 0));
}
template <TensorHandle H>
[[nodiscard]] H vector_norm(const H& a, double p = 2) {
    return vector_norm(a, p, tensor_ops::all_axes(a.rank()));
}

/// A norm of the matrices, [], real; 0 for empty ones.
template <TensorHandle H>
[[nodiscard]] H matrix_norm(const H& a, MatrixNorm kind = MatrixNorm::Frobenius) {
    tfe_detail::check_matrix(a.rank(), "matrix_norm");
    const auto largest = [](const H& x) { return maximum(reduce_max(x, Dims{0}), 0.0); };
    switch (kind) {
        case MatrixNorm::Frobenius: return vector_norm(a, 2, Dims{0, 1});
        case MatrixNorm::One: return largest(reduce_sum(abs(a), Dims{0}));
        case MatrixNorm::MinusOne: return reduce_min(reduce_sum(abs(a), Dims{0}), Dims{0});
        case MatrixNorm::Inf: return largest(reduce_sum(abs(a), Dims{1}));
        case MatrixNorm::MinusInf: return reduce_min(reduce_sum(abs(a), Dims{1}), Dims{0});
        case MatrixNorm::Two: return largest(svdvals(a));
        case MatrixNorm::MinusTwo: return reduce_min(svdvals(a), Dims{0});
        case MatrixNorm::Nuclear: return reduce_sum(svdvals(a), Dims{0});
    }
    __builtin_unreachable();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
