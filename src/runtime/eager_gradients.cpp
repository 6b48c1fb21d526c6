// gradients(), and backward() with create_graph: the gradient of a recorded computation as a graph, run as
// eager operations on the tensors that the computation left. Recorded in turn it can be differentiated again.
#include <new>
#include <unordered_map>
#include <unordered_set>

#include "runtime/eager_node.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/graph/resolve.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

std::vector<EagerTensor> EagerTensor::gradients(std::span<const EagerTensor> inputs, bool create_graph) const
    try {
    check_loss("grad");
    return gradients(inputs, nullptr, create_graph);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("grad");
}

std::vector<EagerTensor> EagerTensor::leaves() const try {
    std::vector<EagerTensor> found;
    std::unordered_set<const Node*> seen;
    std::vector<std::shared_ptr<Node>> pending{node_};
    while (!pending.empty()) {
        const std::shared_ptr<Node> node = std::move(pending.back());
        pending.pop_back();
        if (!seen.insert(node.get()).second) continue;
        if (node->inputs.empty() && node->requires_grad) found.push_back(EagerTensor(node));
        pending.insert(pending.end(), node->inputs.begin(), node->inputs.end());
    }
    return found;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("grad");
}

std::vector<EagerTensor> EagerTensor::gradients(std::span<const EagerTensor> inputs,
                                                const EagerTensor* cotangent, bool create_graph) const {
    std::vector<TracedTensor> at;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (&inputs[i].context() != &context())
            throw Error(ErrorKind::InvalidArgument, "grad", text("input ", i, " is of another context"));
        if (!inputs[i].requires_grad())
            throw Error(ErrorKind::InvalidArgument, "grad",
                        text("input ", i, " requires no gradient: what is computed from it is not recorded"));
        at.emplace_back(inputs[i].node_->graph_key());
    }

    // What is known by value: everything that was recorded on the way to the loss, and the inputs.
    std::unordered_map<GlobalValKey, EagerTensor, op_graph::KeyHash<StdTensorOp>> known;
    std::unordered_set<const Node*> seen;
    std::vector<std::shared_ptr<Node>> pending{node_};
    for (const EagerTensor& input : inputs) pending.push_back(input.node_);
    while (!pending.empty()) {
        const std::shared_ptr<Node> node = std::move(pending.back());
        pending.pop_back();
        if (!seen.insert(node.get()).second) continue;
        const EagerTensor value(node);
        known.emplace(node->graph_key(), create_graph ? value : value.detach());
        pending.insert(pending.end(), node->inputs.begin(), node->inputs.end());
    }

    std::vector<GlobalValKey> wanted;
    const TracedTensor output(node_->graph_key());
    std::optional<TracedTensor> given;
    if (cotangent != nullptr) {
        given.emplace(cotangent->node_->graph_key());
        known.emplace(given->key(), *cotangent);
    }
    for (const TracedTensor& gradient :
         given ? vjp({&output, 1}, at, {&given, 1}) : tenferro::grad(output, at))
        wanted.push_back(gradient.key());
    const auto is_known = [&](const GlobalValKey& key) { return known.count(key) != 0; };
    for (const GlobalValKey& key :
         op_graph::resolve<StdTensorOp>(std::span<const GlobalValKey>(wanted), is_known)) {
        std::vector<EagerTensor> operands;
        for (const GlobalValKey& input : key.inputs()) operands.push_back(known.at(input));
        const std::vector<EagerTensor> outputs = apply_all(key.op(), operands);
        for (std::size_t slot = 0; slot < outputs.size(); ++slot)
            known.emplace(key.sibling(slot), outputs[slot]);
    }
    std::vector<EagerTensor> results;
    for (const GlobalValKey& key : wanted) results.push_back(known.at(key));
    return results;
}

}}  // namespace tenferro::TENFERRO_ABI
