// spectral_quotient: the division by gaps of a spectrum, of which the derivatives of svd and eigh consist.
#pragma once

#include "linalg/operations/structs.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// x [M, N] divided element by element by what kind says of the spectrum s [N], real:
///   Difference  s_j - s_i (M = N; the diagonal gives 0)
///   Sum         s_i + s_j (M = N)
///   Column      s_j
/// Instead of x, its Hermitian part (x + xᴴ) / 2 or its antihermitian part (x - xᴴ) / 2 are divided where
/// `part` says so, and of dx the same; not for Column.
/// Quotients whose divisor is at most eps (no less than 8 and 3 sqrt(N) units of rounding, by which computed
/// copies of a repeated value differ) times the largest |s| are 0: no loss that does not depend on the choice
/// of vectors feels them, or it vanishes there with the divisor. With
/// `limit`, a third operand dx of the shape of x is the derivative of x as s moves along (1, 2, 3, …), and
/// they are the limits of x / divisor, dx / (derivative of the divisor), by the rule of l'Hôpital; then so
/// are those across gaps that are small beside both of their ends, where it is the more precise way. Linear
/// in x and dx.
///
/// Its transpose knows the graph of the cotangent. If that depends on s, as that of u * s does, it is
/// differentiated by s, and the transpose is a quotient with `limit`: what is 0/0 by numbers alone is not in
/// reverse mode.
struct SpectralQuotient final : ExtensionBase<SpectralQuotient> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.spectral_quotient.v1",
                                      kName = "spectral_quotient";
    static constexpr Index kDifference = 0, kSum = 1, kColumn = 2;
    static constexpr Index kAntihermitian = -1, kWhole = 0, kHermitian = 1;
    static constexpr std::size_t kOutputs = 1;
    Index kind, part;
    double eps;
    bool limit;
    static constexpr std::tuple kFields{tensor_ops::Field{"kind", &SpectralQuotient::kind},
                                        tensor_ops::Field{"part", &SpectralQuotient::part},
                                        tensor_ops::Field{"eps", &SpectralQuotient::eps},
                                        tensor_ops::Field{"limit", &SpectralQuotient::limit}};

    /// InvalidArgument for another kind or part, or an eps that is negative or NaN.
    SpectralQuotient(Index the_kind, Index the_part, double the_eps, bool the_limit);
    [[nodiscard]] std::size_t inputs() const noexcept { return limit ? 3 : 2; }
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
