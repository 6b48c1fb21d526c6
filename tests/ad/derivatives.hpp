// A sample with its derivatives as traced values, and programs of them run on values.
#pragma once

#include "ad/samples.hpp"
#include "tenferro/runtime/compiler.hpp"

namespace tenferro::ad {

using Active = std::vector<std::size_t>;  ///< operands

/// A sample's function y = f(x) for some active operands, and the real loss Re sum w (y + y y) of second
/// derivatives.
struct Derivatives {
    std::vector<TracedTensor> operands;
    std::vector<TracedTensor> tangents;  ///< of the active operands
    TracedTensor value, cotangent, weight;
    TracedTensor jvp;
    std::vector<TracedTensor> vjp, grad, hvp;  ///< one per active operand

    /// Every output, as functions of every input.
    [[nodiscard]] std::vector<TracedTensor> all_outputs() const;
    [[nodiscard]] std::vector<TracedTensor> all_inputs() const;
    [[nodiscard]] std::vector<TracedTensor> operands_and(const TracedTensor& more) const;
};

/// `dtypes` and `shapes` are of the operands; with `symbolic`, extents other than 1 are not known.
[[nodiscard]] Derivatives differentiated(const Sample& sample, std::span<const DType> dtypes,
                                         std::span<const Dims> shapes, const Active& active, bool symbolic);

/// The JVP once more, by transposing twice: the gradient by the cotangent of the inner product of the VJP
/// with the tangents.
[[nodiscard]] TracedTensor jvp_by_transposes(const Derivatives& traced);

/// Runs a program on values.
[[nodiscard]] std::vector<Value> run(const ExecProgram& program, TensorBackend& backend,
                                     std::span<const Value> inputs);
[[nodiscard]] std::vector<Value> run_unsegmented(const ExecProgram& program, TensorBackend& backend,
                                                 std::span<const Value> inputs);
/// The backend of all checks that name no other.
[[nodiscard]] TensorBackend& cpu();

}  // namespace tenferro::ad
