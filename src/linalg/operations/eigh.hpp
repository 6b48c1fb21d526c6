// Eigenvalues of Hermitian matrices as operations of graphs.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [N, N] -> w [N], V [N, N]. The fields are those of EighOptions.
struct Eigh final : ExtensionBase<Eigh> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.eigh.v1", kName = "eigh";
    static constexpr std::size_t kInputs = 1, kOutputs = 2;
    bool lower;
    bool fix_gauge;
    double derivative_eps;
    static constexpr std::tuple kFields{tensor_ops::Field{"lower", &Eigh::lower},
                                        tensor_ops::Field{"fix_gauge", &Eigh::fix_gauge},
                                        tensor_ops::Field{"derivative_eps", &Eigh::derivative_eps}};

    Eigh(bool the_lower, bool the_fix_gauge, double the_derivative_eps) noexcept
        : lower(the_lower), fix_gauge(the_fix_gauge), derivative_eps(the_derivative_eps) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N] -> w [N]: what programs make of an Eigh of which only w is used.
struct Eigvalsh final : ExtensionBase<Eigvalsh> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.eigvalsh.v1", kName = "eigvalsh";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    bool lower;
    static constexpr std::tuple kFields{tensor_ops::Field{"lower", &Eigvalsh::lower}};

    explicit Eigvalsh(bool the_lower) noexcept : lower(the_lower) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
