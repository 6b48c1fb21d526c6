// Functions of matrices as operations of graphs.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [N, N] -> exp(A).
struct MatrixExp final : ExtensionBase<MatrixExp> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.matrix_exp.v1", kName = "matrix_exp";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], E [N, N] -> the derivative of exp at A along E, linear in E.
struct MatrixExpDerivative final : ExtensionBase<MatrixExpDerivative> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.matrix_exp_derivative.v1",
                                      kName = "matrix_exp_derivative";
    static constexpr std::size_t kInputs = 2, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
