// Functions of linear algebra and their derivatives as compiled programs with names, for libraries that
// record and differentiate by themselves (tenferro.torch, tenferro.jax).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenferro/runtime/exec_program.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro::python {

/// A name is a function ("svd", "svd_full", "solve", …) behind the derivatives that were taken of it, the
/// last one first: "vjp:101:1 svd" maps the operands, the results and cotangents of the first and the third
/// result to the cotangent of the operand, "jvp:01 solve" the operands, the result and a tangent of the
/// second operand to the tangents of the results. Results are operands of the derivatives of functions only,
/// so that these need not be computed again; derivatives of "vjp:101:1 svd" have its operands, and
/// directions, and so on. "solve_lu", "det_lu" and "slogdet_lu" have the packed LU factors of the matrix,
/// three results without derivatives, behind those of "solve", "det" and "slogdet".
///
/// Arrays have their batch, of one shape for all, in front of the axes of their own, as NumPy has it; only
/// strides say so.
class MatrixProgram {
public:
    /// Compiled once per name, dtype and number of axes of the batch. InvalidArgument for what is no name,
    /// DTypeMismatch for dtypes without linear algebra.
    [[nodiscard]] static std::shared_ptr<const MatrixProgram> get(std::string_view name, DType dtype,
                                                                  std::size_t batch_rank);
    /// The number of the first operand's axes that are a batch: all but those of its own.
    [[nodiscard]] static std::size_t batch_rank(std::span<const TensorRead> operands, std::string_view name);

    /// The results, column-major with the batch reversed behind; `seen` has them as NumPy does. Errors are
    /// those of the operation that failed.
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> operands) const;
    [[nodiscard]] TensorRead seen(const TensorRead& result) const;

    MatrixProgram(std::shared_ptr<const graph_runtime::ExecProgram> program, std::string name,
                  std::size_t batch_rank)
        : program_(std::move(program)), name_(std::move(name)), batch_rank_(batch_rank) {}

private:
    std::shared_ptr<const graph_runtime::ExecProgram> program_;
    std::string name_;
    std::size_t batch_rank_;
};

}  // namespace tenferro::python
