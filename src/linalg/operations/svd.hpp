// The singular value decomposition, and what is computed by it, as operations of graphs.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [M, N] -> U [M, K], S [K], Vh [K, N]; full: U [M, M] and Vh [N, N]. The fields are those of SvdOptions.
struct Svd final : ExtensionBase<Svd> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.svd.v1", kName = "svd";
    static constexpr std::size_t kInputs = 1, kOutputs = 3;
    bool full;
    bool fix_gauge;
    double derivative_eps;
    static constexpr std::tuple kFields{tensor_ops::Field{"full", &Svd::full},
                                        tensor_ops::Field{"fix_gauge", &Svd::fix_gauge},
                                        tensor_ops::Field{"derivative_eps", &Svd::derivative_eps}};

    Svd(bool the_full, bool the_fix_gauge, double the_derivative_eps) noexcept
        : full(the_full), fix_gauge(the_fix_gauge), derivative_eps(the_derivative_eps) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> S [K]: what programs make of an Svd of which only S is used.
struct Svdvals final : ExtensionBase<Svdvals> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.svdvals.v1", kName = "svdvals";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> its pseudoinverse [N, M].
struct Pinv final : ExtensionBase<Pinv> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.pinv.v1", kName = "pinv";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    double rtol;
    static constexpr std::tuple kFields{tensor_ops::Field{"rtol", &Pinv::rtol}};

    explicit Pinv(double the_rtol) noexcept : rtol(the_rtol) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N], B [M, K] -> X [N, K], rank [], S [min(M, N)].
struct Lstsq final : ExtensionBase<Lstsq> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.lstsq.v1", kName = "lstsq";
    static constexpr std::size_t kInputs = 2, kOutputs = 3;
    double rtol;
    static constexpr std::tuple kFields{tensor_ops::Field{"rtol", &Lstsq::rtol}};

    explicit Lstsq(double the_rtol) noexcept : rtol(the_rtol) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
