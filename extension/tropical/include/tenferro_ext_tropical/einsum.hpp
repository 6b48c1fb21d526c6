// Einsums over a tropical algebra: the grammar, paths and plans of tenferro, and derivatives by winners.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tenferro/einsum/plan.hpp>

#include "tenferro_ext_tropical/algebra.hpp"

namespace tropical {

using tenferro::BackendSession;
using tenferro::Tensor;
using tenferro::TensorRead;
using tenferro::tensor_network::EinsumPlan;
using tenferro::tensor_network::RunOptions;

/// The einsum of operands of one dtype: F32 or F64, and I32 or I64 but for MaxMul (Unsupported), on the
/// threads of a session of CpuBackend (BackendFailure). An empty contraction gives the algebra's zero, which
/// also stands off the diagonal of an output like "ii". MaxMul of three or more operands throws
/// InvalidArgument where one has a negative number, and names it and its place; of one or two any sign is
/// multiplied as it is. Plans under a memory limit run in slices. Throws what EinsumPlan::run throws.
[[nodiscard]] TROPICAL_API Tensor einsum(Algebra algebra, const EinsumPlan& plan, BackendSession& session,
                                         std::span<const TensorRead> operands,
                                         const RunOptions& options = {});

/// The gradient of every operand, in its shape. The winner of an output element takes its cotangent: of all
/// assignments of the contracted labels that attain the element, the first, where labels count in the order
/// in which the subscripts name them, the first fastest. Where the product is exact it depends on nothing
/// else. An element that is the zero has the first of all assignments as its winner; where there is none,
/// since a contracted label has extent 0, nothing flows. MaxMul multiplies the cotangent by the winning
/// entries of the other operands. `cotangent` has the result's shape (ShapeMismatch) and dtype. Holds one or
/// more I64 per element of an intermediate besides what the einsum holds, and copies of the operands of one
/// contraction in passing; plans in slices run in slices.
[[nodiscard]] TROPICAL_API std::vector<Tensor> einsum_vjp(Algebra algebra, const EinsumPlan& plan,
                                                          BackendSession& session,
                                                          std::span<const TensorRead> operands,
                                                          const TensorRead& cotangent,
                                                          const RunOptions& options = {});

/// On the default engine, with its plans. Strings are those of the strict dialect.
[[nodiscard]] TROPICAL_API Tensor einsum(Algebra algebra, std::string_view subscripts,
                                         std::span<const TensorRead> operands,
                                         const RunOptions& options = {});
[[nodiscard]] TROPICAL_API std::vector<Tensor> einsum_vjp(Algebra algebra, std::string_view subscripts,
                                                          std::span<const TensorRead> operands,
                                                          const TensorRead& cotangent,
                                                          const RunOptions& options = {});

}  // namespace tropical
