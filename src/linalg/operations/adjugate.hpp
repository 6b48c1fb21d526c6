// The adjugate matrix as an operation of graphs: the derivative of det, at singular matrices too.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [N, N], its LuFactors -> adj A [N, N], with A adj A = det A.
struct Adjugate final : ExtensionBase<Adjugate> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.adjugate.v1", kName = "adjugate";
    static constexpr std::size_t kInputs = 4, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], its LuFactors, X [N, N] -> the derivative of adj at A along X, linear in X. Its own derivative
/// by A needs an invertible A (Singular).
struct AdjugateDerivative final : ExtensionBase<AdjugateDerivative> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.adjugate_derivative.v1",
                                      kName = "adjugate_derivative";
    static constexpr std::size_t kInputs = 5, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
