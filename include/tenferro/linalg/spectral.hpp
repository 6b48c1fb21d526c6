// Functions of matrices by their spectrum, as functions on handles. Their derivatives are by divided
// differences: right in forward and in reverse mode where values are repeated or 0, which U f(S) Vh written
// out is in reverse mode only.
#pragma once

#include "tenferro/linalg/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace tfe_detail {
template <TensorHandle H>
[[nodiscard]] H spectral(bool hermitian, const H& a, const SvdResult<H>& f, const H& values) {
    return apply(operations::spectral_function(hermitian, kDerivativeEps), {a, f.u, f.s, f.vh, values})
        .front();
}
}  // namespace tfe_detail

/// V f(w) Vᴴ [N, N] of a Hermitian matrix A = V diag(w) Vᴴ [N, N], of which the lower triangle is read;
/// `function` maps w [N], real, element by element. Errors are those of eigh.
template <TensorHandle H, class Function>
[[nodiscard]] H hermitian_function(const H& a, Function&& function) {
    const EigenResult<H> f = eigh(a);
    return tfe_detail::spectral(true, a, SvdResult<H>{f.vectors, f.values, adjoint(f.vectors)},
                                function(f.values));
}
/// The exponential.
template <TensorHandle H>
[[nodiscard]] H hermitian_exp(const H& a) {
    return hermitian_function(a, [](const H& w) { return exp(w); });
}
/// The logarithm: NaN where an eigenvalue is negative, as a power that is no integer.
template <TensorHandle H>
[[nodiscard]] H hermitian_log(const H& a) {
    return hermitian_function(a, [](const H& w) { return log(w); });
}
/// A to a real power: 0.5 for the square root, -0.5 for its inverse.
template <TensorHandle H>
[[nodiscard]] H hermitian_power(const H& a, double power) {
    return hermitian_function(a, [=](const H& w) { return pow(w, power); });
}
/// V₁ V₁ᴴ of the eigenvectors to eigenvalues above `threshold`, which must lie in a gap.
template <TensorHandle H>
[[nodiscard]] H spectral_projector(const H& a, double threshold) {
    return hermitian_function(
        a, [=](const H& w) { return select(greater(w, threshold), full_like(w, 1), full_like(w, 0)); });
}

/// The factors of A [M, N] = Q H: Q with orthonormal columns (M >= N) or rows, H [N, N] Hermitian and not
/// negative.
template <class H>
struct PolarResult {
    H unitary, positive;
};
/// Of any matrix; errors are those of svd. Derivatives need min(M, N) singular values that are not 0.
template <TensorHandle H>
[[nodiscard]] PolarResult<H> polar(const H& a) {
    const SvdResult<H> f = svd(a);
    const H q = tfe_detail::spectral(false, a, f, full_like(f.s, 1));
    return {q, product(adjoint(q), a)};
}
/// The best approximation [M, N] of rank `rank`, U₁ diag(s₁) Vh₁ of the largest singular values: zeros for a
/// rank of 0 or less, A itself for min(M, N) or more. Errors are those of svd. Derivatives need a gap behind
/// the values that are kept.
template <TensorHandle H>
[[nodiscard]] H low_rank(const H& a, Index rank) {
    const SvdResult<H> f = svd(a);
    const H number = cumulative_sum(full_like(f.s, 1), 0);
    const H kept =
        select(less_equal(number, static_cast<double>(rank)), full_like(f.s, 1), full_like(f.s, 0));
    return tfe_detail::spectral(false, a, f, mul(f.s, kept));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
