// QR decompositions as operations of graphs.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [M, N] -> Q [M, K], R [K, N]; full: K = M. The fields are those of QrOptions.
struct Qr final : ExtensionBase<Qr> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.qr.v1", kName = "qr";
    static constexpr std::size_t kInputs = 1, kOutputs = 2;
    bool full;
    bool positive;
    static constexpr std::tuple kFields{tensor_ops::Field{"full", &Qr::full},
                                        tensor_ops::Field{"positive", &Qr::positive}};

    Qr(bool the_full, bool the_positive) noexcept : full(the_full), positive(the_positive) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> Q [M, K], R [K, N], columns [N], rank []. It has no derivative.
struct PivotedQr final : ExtensionBase<PivotedQr> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.pivoted_qr.v1", kName = "pivoted_qr";
    static constexpr std::size_t kInputs = 1, kOutputs = 4;
    double tolerance;
    static constexpr std::tuple kFields{tensor_ops::Field{"tolerance", &PivotedQr::tolerance}};

    explicit PivotedQr(double the_tolerance) noexcept : tolerance(the_tolerance) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
