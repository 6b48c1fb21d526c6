// Eigenvalues of general matrices as operations of graphs.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [N, N] -> w [N], V [N, N], both complex.
struct Eig final : ExtensionBase<Eig> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.eig.v1", kName = "eig";
    static constexpr std::size_t kInputs = 1, kOutputs = 2;
    bool fix_gauge;
    static constexpr std::tuple kFields{tensor_ops::Field{"fix_gauge", &Eig::fix_gauge}};

    explicit Eig(bool the_fix_gauge) noexcept : fix_gauge(the_fix_gauge) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N] -> w [N]: what programs make of an Eig of which only w is used.
struct Eigvals final : ExtensionBase<Eigvals> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.eigvals.v1", kName = "eigvals";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
