// Norms of vectors and matrices, as functions on handles.
#pragma once

#include <cmath>
#include <limits>

#include "tenferro/linalg/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// (sum |a|^p)^(1/p) over `axes`, which are gone from the result, real: for p = inf the largest and for p =
/// -inf the smallest absolute value, for 0 the number of elements that are not 0. NaN where an element is;
/// p itself must be none (InvalidArgument). Of no elements 0, and inf for a negative p. Computed on elements
/// divided by the largest, so it neither overflows nor underflows. The derivative at 0 is 0, and so it is by
/// elements that are 0 where p < 2. Axes may be counted from the end (AxisOutOfBounds, DuplicateAxis);
/// integers have norms for p = 0, 1 and ±inf (else Unsupported).
template <TensorHandle H>
[[nodiscard]] H vector_norm(const H& a, double p, const Dims& axes) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (std::isnan(p))
        throw Error(ErrorKind::InvalidArgument, "vector_norm", "p is NaN but must be a number");
    const H size = abs(a);
    const auto none = [](const H& x) { return full_like(x, 0); };
    if (p == kInfinity) return maximum(reduce_max(size, axes), 0.0);
    if (p == -kInfinity) return reduce_min(size, axes);
    if (p == 0) {
        const H counted = select(equal(size, size), full_like(size, 1), size);  // NaN stays
        return reduce_sum(select(equal(size, none(size)), none(size), counted), axes);
    }
    if (p == 1) return reduce_sum(size, axes);
    const H peak = stop_gradient(p > 0 ? reduce_max(size, axes) : reduce_min(size, axes));
    // Where all are 0, or infinite and p negative, the norm is too; the peak of no elements is infinite.
    const H is_fixed = p > 0 ? less_equal(peak, 0.0) : equal(peak, add(peak, peak)), one = full_like(peak, 1);
    const H unit = select(greater(peak, 0.0), select(less(peak, kInfinity), peak, one), one);
    Dims kept;
    for (const Index axis : tfe_detail::axes_from(0, a.rank()))
        if (const Dims reduced = tensor_ops::from_front(axes, a.rank());
            std::find(reduced.begin(), reduced.end(), axis) == reduced.end())
            kept.push_back(axis);
    const H units = broadcast_in_dim(unit, shape_of(a), std::move(kept));
    const auto power = [&]() -> H {
        if (p == 2 && info(a.dtype()).is_complex) {
            const H re = div(real(a), units), im = div(imag(a), units);
            return add(mul(re, re), mul(im, im));
        }
        if (p == 2) return mul(div(a, units), div(a, units));
        if (p > 2) return pow(div(size, units), p);
        const H zero = equal(size, none(size)), ratio = div(select(zero, units, size), units);
        return select(zero, none(size), pow(ratio, p));
    };
    const H sum = reduce_sum(power(), axes);
    const H safe = select(is_fixed, one, sum);
    const H root = p == 2 ? sqrt(safe) : pow(safe, 1 / p);
    return select(is_fixed, maximum(peak, 0.0), mul(root, unit));
}
/// Over all axes, [].
template <TensorHandle H>
[[nodiscard]] H vector_norm(const H& a, double p = 2) {
    return vector_norm(a, p, tensor_ops::all_axes(a.rank()));
}

namespace tfe_detail {
/// The extreme of numbers `s` along axis 0, and as its derivative the average over those that are equal to it
/// but for rounding. Numbers that are 0 have the derivative 0.
template <TensorHandle H>
[[nodiscard]] H averaged_extreme(const H& s, bool largest) {
    const H positive = select(greater(s, 0.0), s, full_like(s, 0));
    const H value = stop_gradient(largest ? reduce_max(positive, Dims{0}) : reduce_min(positive, Dims{0}));
    const auto repeated = [&](const H& x) {
        return broadcast_in_dim(x, shape_of(s), tfe_detail::axes_from(1, s.rank()));
    };
    const double units = 64 * (s.dtype() == DType::F32 ? 0x1p-23 : 0x1p-52);
    const H values = repeated(value);
    const H equal = less_equal(abs(sub(positive, values)), mul(maximum(positive, values), units));
    const H share = select(equal, full_like(s, 1), full_like(s, 0));
    const H move = mul(share, sub(positive, stop_gradient(positive)));
    return add(value, div(reduce_sum(move, Dims{0}), maximum(reduce_sum(share, Dims{0}), 1.0)));
}
}  // namespace tfe_detail

/// A norm of the matrices [M, N], [], real; for empty ones 0, and of the smallest of no numbers inf. Elements
/// that are NaN or infinite are NonFinite for Two, MinusTwo and Nuclear, which decompose. The derivative at 0
/// is 0; that of the largest or the smallest singular value is the average over those that are equal to it,
/// that of the nuclear norm has no part for those that are 0.
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
        case MatrixNorm::Two: return maximum(tfe_detail::averaged_extreme(svdvals(a), true), 0.0);
        case MatrixNorm::MinusTwo: return tfe_detail::averaged_extreme(svdvals(a), false);
        case MatrixNorm::Nuclear: {
            const H s = svdvals(a);
            return reduce_sum(select(greater(s, 0.0), s, full_like(s, 0)), Dims{0});
        }
    }
    __builtin_unreachable();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
