// cholesky as an operation of graphs.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [N, N] -> L [N, N].
struct Cholesky final : ExtensionBase<Cholesky> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.cholesky.v1", kName = "cholesky";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
