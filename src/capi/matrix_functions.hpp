// The functions of linear algebra that C callers differentiate, each as inputs and results that are batches
// of matrices or vectors; and their derivatives, which are graphs, compiled once for all extents.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// The results that have derivatives are U, S, Vh; Q, R; values, vectors; L, U of lu; L; X.
enum class MatrixFunction : std::uint8_t { Svd, Qr, Eigh, Eig, Lu, Cholesky, Solve };

/// Tangents or cotangents; an absent one is zero.
using Directions = std::vector<std::optional<TensorRead>>;

/// The tangents of the results along `tangents`, one per input and at least one present; of Svd the
/// singular values besides, at the end. Throws what the function throws.
[[nodiscard]] std::vector<Tensor> matrix_jvp(MatrixFunction function, std::span<const TensorRead> inputs,
                                             const Directions& tangents);
/// The cotangents of the inputs for those of the results, at least one present. Those of Svd may be of its
/// first `rank` singular values and their vectors, and it gives the singular values besides, at the end.
[[nodiscard]] std::vector<Tensor> matrix_vjp(MatrixFunction function, std::span<const TensorRead> inputs,
                                             const Directions& cotangents, Index rank = 0);

/// Forgets what was compiled, for tests of its failures.
void forget_matrix_programs();

}}}  // namespace tenferro::TENFERRO_ABI::capi
