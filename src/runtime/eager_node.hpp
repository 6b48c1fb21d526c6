// What an EagerTensor refers to: its value and, where a gradient is wanted, how it came about and where the
// gradient is kept.
#pragma once

#include "base/mutex.hpp"
#include "tenferro/runtime/eager_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// The accumulated gradient of a leaf, if there is one. Handles of the leaf own it, but records do not, so a
/// gradient that is recorded itself, and hence refers to the leaf, does not own itself.
struct EagerTensor::Gradient {
    std::shared_ptr<Node> value;  ///< guarded by mutex_of(this)
};

struct EagerTensor::Node {
    EagerContext& context;
    Tensor value;
    bool requires_grad = false;
    std::vector<std::shared_ptr<Node>> inputs;  ///< of the operation that made it, if that was recorded
    /// All outputs of that operation where it has several: derivatives of one may be made of the others,
    /// which must not be computed again.
    std::shared_ptr<const std::vector<Tensor>> siblings;
    mutable std::shared_ptr<Node> next_dead;

    // Guarded by mutex_of(this):
    std::optional<GlobalValKey> key;
    std::weak_ptr<Gradient> gradient;

    Node(EagerContext& where, Tensor&& what, bool wanted)
        : context(where), value(std::move(what)), requires_grad(wanted) {}
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    /// Its name in graphs: for what was not recorded, an input made at first use.
    [[nodiscard]] GlobalValKey graph_key();
    /// Of a leaf that requires one.
    [[nodiscard]] std::shared_ptr<Gradient> gradient_slot();
};

namespace graph_runtime {

/// The derivative of a recorded computation, as a program.
struct BackwardProgram {
    std::shared_ptr<const ExecProgram> program;
    std::vector<std::uint32_t>
        residuals;  ///< its inputs after the cotangent: numbers of values of the forward graph
};

}  // namespace graph_runtime
}}  // namespace tenferro::TENFERRO_ABI
