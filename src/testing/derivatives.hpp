// A sample with its derivatives as traced values, and programs of them run on values.
#pragma once

#include "tenferro/runtime/compiler.hpp"
#include "testing/value.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace gradcheck {

using Active = std::vector<std::size_t>;  ///< operands
using Traced = std::vector<TracedTensor>;

/// A sample's function y = f(x) for some active operands, and the real loss Re sum w (y + y y) of second
/// derivatives. Of the results only those of floating-point and complex dtype count.
struct Derivatives {
    Traced operands;
    Traced tangents;                     ///< of the active operands
    Traced values, cotangents, weights;  ///< one per result
    Traced jvp;                          ///< one per result
    Traced vjp, grad, hvp;               ///< one per active operand

    /// values, jvp, vjp, grad and hvp, as functions of every input.
    [[nodiscard]] Traced all_outputs() const;
    /// operands, tangents, cotangents and weights.
    [[nodiscard]] Traced all_inputs() const;
    [[nodiscard]] Traced operands_and(const Traced& more) const;
};

/// `dtypes` and `shapes` are of the operands; with `symbolic`, extents other than 1 are not known.
[[nodiscard]] Derivatives differentiated(const Sample& sample, std::span<const DType> dtypes,
                                         std::span<const Dims> shapes, const Active& active, bool symbolic);

/// The JVP once more, by transposing twice: the gradient by the cotangents of the inner product of the VJP
/// with the tangents.
[[nodiscard]] Traced jvp_by_transposes(const Derivatives& traced);

/// Runs a program on values.
[[nodiscard]] std::vector<Value> run(const ExecProgram& program, TensorBackend& backend,
                                     std::span<const Value> inputs);
[[nodiscard]] std::vector<Value> run_unsegmented(const ExecProgram& program, TensorBackend& backend,
                                                 std::span<const Value> inputs);

}}}  // namespace tenferro::TENFERRO_ABI::gradcheck
