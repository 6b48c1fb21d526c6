// spectral_function and spectral_diagonal: functions of Hermitian matrices and of singular values, with
// derivatives by divided differences, and the numbers of which they are made.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [M, N], U [M, K], s [K], Vh [K, N], f [K] -> U diag(f) Vh, where A = U diag(s) Vh is the singular value
/// decomposition or, with `hermitian`, that by eigenvectors, and f was computed from s: for singular values
/// it is taken for an odd function. Derivatives are with respect to A, which U and Vh are taken to follow,
/// and to f. Linear in f.
struct SpectralFunction final : ExtensionBase<SpectralFunction> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.spectral_function.v1",
                                      kName = "spectral_function";
    static constexpr std::size_t kInputs = 5, kOutputs = 1;
    bool hermitian;
    double derivative_eps;
    static constexpr std::tuple kFields{
        tensor_ops::Field{"hermitian", &SpectralFunction::hermitian},
        tensor_ops::Field{"derivative_eps", &SpectralFunction::derivative_eps}};

    SpectralFunction(bool the_hermitian, double the_derivative_eps) noexcept
        : hermitian(the_hermitian), derivative_eps(the_derivative_eps) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// A, U, s, Vh as above, X [M, N] -> the real diagonal of Uᴴ X V, [K]: the derivative of s along X. Linear in
/// X.
struct SpectralDiagonal final : ExtensionBase<SpectralDiagonal> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.spectral_diagonal.v1",
                                      kName = "spectral_diagonal";
    static constexpr std::size_t kInputs = 5, kOutputs = 1;
    bool hermitian;
    double derivative_eps;
    static constexpr std::tuple kFields{
        tensor_ops::Field{"hermitian", &SpectralDiagonal::hermitian},
        tensor_ops::Field{"derivative_eps", &SpectralDiagonal::derivative_eps}};

    SpectralDiagonal(bool the_hermitian, double the_derivative_eps) noexcept
        : hermitian(the_hermitian), derivative_eps(the_derivative_eps) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
