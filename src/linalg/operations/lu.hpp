// LU factorisations, systems and determinants as operations of graphs.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [M, N] -> P [M, M], L [M, K], U [K, N], parity [].
struct Lu final : ExtensionBase<Lu> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.lu.v1", kName = "lu";
    static constexpr std::size_t kInputs = 1, kOutputs = 4;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> the LuFactors of A: packed [M, N], rows [M], exponent []. They are taken for constants by
/// derivatives: operations that use them have A as an operand too, and depend on it.
struct LuFactor final : ExtensionBase<LuFactor> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.lu_factor.v1", kName = "lu_factor";
    static constexpr std::size_t kInputs = 1, kOutputs = 3;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], its LuFactors, B -> X with op(A) X = B, or X op(A) = B on the right.
struct LuSolve final : ExtensionBase<LuSolve> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.lu_solve.v1", kName = "lu_solve";
    static constexpr std::size_t kInputs = 5, kOutputs = 1;
    bool left;
    bool transpose;
    bool conjugate;
    static constexpr std::tuple kFields{tensor_ops::Field{"left", &LuSolve::left},
                                        tensor_ops::Field{"transpose", &LuSolve::transpose},
                                        tensor_ops::Field{"conjugate", &LuSolve::conjugate}};

    LuSolve(bool the_left, bool the_transpose, bool the_conjugate) noexcept
        : left(the_left), transpose(the_transpose), conjugate(the_conjugate) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// A [N, N], its LuFactors -> det [].
struct Det final : ExtensionBase<Det> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.det.v1", kName = "det";
    static constexpr std::size_t kInputs = 4, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], its LuFactors -> sign [], logabsdet [].
struct Slogdet final : ExtensionBase<Slogdet> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.slogdet.v1", kName = "slogdet";
    static constexpr std::size_t kInputs = 4, kOutputs = 2;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N] -> its inverse.
struct Inv final : ExtensionBase<Inv> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.inv.v1", kName = "inv";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> P [M, M], L [M, K], U [K, N], Q [N, N], parity [].
struct FullPivLu final : ExtensionBase<FullPivLu> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.full_piv_lu.v1", kName = "full_piv_lu";
    static constexpr std::size_t kInputs = 1, kOutputs = 5;
    static constexpr std::tuple kFields{};

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], its P, L, U and Q by full_piv_lu, B [N, K] -> X with op(A) X = B. Derivatives are with respect
/// to A and B.
struct FullPivLuSolve final : ExtensionBase<FullPivLuSolve> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.full_piv_lu_solve.v1",
                                      kName = "full_piv_lu_solve";
    static constexpr std::size_t kInputs = 6, kOutputs = 1;
    bool transpose;
    bool conjugate;
    static constexpr std::tuple kFields{tensor_ops::Field{"transpose", &FullPivLuSolve::transpose},
                                        tensor_ops::Field{"conjugate", &FullPivLuSolve::conjugate}};

    FullPivLuSolve(bool the_transpose, bool the_conjugate) noexcept
        : transpose(the_transpose), conjugate(the_conjugate) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
