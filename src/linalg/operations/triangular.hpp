// triangular_solve as an operation of graphs.
#pragma once

#include "linalg/operations/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A [N, N], B [N, K] (on the right: [K, N]) -> X like B. The fields are those of TriangularOptions.
struct TriangularSolve final : ExtensionBase<TriangularSolve> {
    static constexpr std::string_view kFamilyId = "tenferro-linalg.triangular_solve.v1",
                                      kName = "triangular_solve";
    static constexpr std::size_t kInputs = 2, kOutputs = 1;
    bool left;
    bool lower;
    bool transpose;
    bool conjugate;
    bool unit_diagonal;
    static constexpr std::tuple kFields{tensor_ops::Field{"left", &TriangularSolve::left},
                                        tensor_ops::Field{"lower", &TriangularSolve::lower},
                                        tensor_ops::Field{"transpose", &TriangularSolve::transpose},
                                        tensor_ops::Field{"conjugate", &TriangularSolve::conjugate},
                                        tensor_ops::Field{"unit_diagonal", &TriangularSolve::unit_diagonal}};

    TriangularSolve(bool the_left, bool the_lower, bool the_transpose, bool the_conjugate,
                    bool the_unit_diagonal) noexcept
        : left(the_left),
          lower(the_lower),
          transpose(the_transpose),
          conjugate(the_conjugate),
          unit_diagonal(the_unit_diagonal) {}
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
