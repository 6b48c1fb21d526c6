// backward(): the recorded computation as a graph, its derivative as a program that takes what was computed
// as residuals, and the accumulation of gradients. Derivatives are kept by the structure of the computation,
// so the next one of the same form only looks its program up.
#include <new>
#include <unordered_map>
#include <unordered_set>

#include "base/lru_cache.hpp"
#include "runtime/eager_node.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/graph/transpose.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

using Flat = graph_runtime::FlatGraph;
using graph_runtime::BackwardProgram;

/// A forward computation, and which of its inputs gradients are wanted for.
struct Recorded {
    Flat graph;
    std::vector<bool> wanted;

    [[nodiscard]] std::uint64_t hash() const noexcept { return graph.hash(); }
    friend bool operator==(const Recorded&, const Recorded&) = default;
};

}  // namespace

struct EagerContext::State {
    GraphCompiler compiler;
    LruCache<Recorded, BackwardProgram> derivatives;

    explicit State(CacheLimits limits) : compiler({}, limits), derivatives(limits) {}
};

EagerContext::EagerContext(TensorBackend& backend, CacheLimits limits) try
    : backend_(backend), state_(std::make_unique<State>(limits)) {
} catch (const std::bad_alloc&) {
    throw_out_of_memory("EagerContext");
}
EagerContext::~EagerContext() = default;
GraphCompiler& EagerContext::compiler() noexcept { return state_->compiler; }
CacheStats EagerContext::backward_stats() const { return state_->derivatives.stats(); }
void EagerContext::clear() {
    state_->compiler.clear();
    state_->derivatives.clear();
}

namespace {

/// The derivative of `forward`, which computes `output` from `leaves`; `computed` are the values that the
/// forward run has.
BackwardProgram differentiate(const GlobalValKey& output, std::span<const GlobalValKey> leaves,
                              const std::vector<bool>& wanted,
                              const op_graph::Materialised<StdTensorOp>& forward,
                              std::span<const GlobalValKey> computed) {
    FragmentBuilder builder;
    ShapeGuardContext context(builder);
    std::vector<std::optional<GlobalValKey>> along;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        along.push_back(wanted[i]
                            ? std::optional(GlobalValKey::input(op_graph::new_input_id(), leaves[i].meta()))
                            : std::nullopt);
    const auto map = op_graph::linearize<StdTensorOp>({&output, 1}, leaves, along, builder, context);
    const GlobalValKey cotangent = GlobalValKey::input(op_graph::new_input_id(), output.meta());
    const std::optional<GlobalValKey> given = cotangent;
    std::vector<GlobalValKey> gradients;
    std::size_t next = 0;
    const auto found = op_graph::transpose<StdTensorOp>(map, {&given, 1}, builder, context);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (!wanted[i]) continue;
        const auto& gradient = found[next++];
        gradients.push_back(gradient ? *gradient : full_like(TracedTensor(leaves[i]), 0).key());
    }
    // By what they are: a rule may have made the node of a value that was recorded once more.
    using Hash = op_graph::KeyHash<StdTensorOp>;
    std::unordered_map<GlobalValKey, std::uint32_t, Hash> known;
    for (const GlobalValKey& key : computed) known.emplace(key, forward.number(key));
    std::unordered_set<GlobalValKey, Hash> used;
    std::vector<GlobalValKey> inputs{cotangent};
    BackwardProgram backward;
    const auto use_if_known = [&](const GlobalValKey& key) {
        const auto recorded = known.find(key);
        if (recorded == known.end()) return false;
        if (used.insert(key).second) {
            inputs.push_back(key);
            backward.residuals.push_back(recorded->second);
        }
        return true;
    };
    static_cast<void>(op_graph::resolve<StdTensorOp>(std::span<const GlobalValKey>(gradients), use_if_known));
    backward.program = graph_runtime::compile_std_to_exec(
        op_graph::materialise<StdTensorOp>(gradients, inputs).graph, context.guards());
    return backward;
}

}  // namespace

void EagerTensor::check_loss(std::string_view op) const {
    if (rank() != 0)
        throw Error(ErrorKind::NonScalarLoss, op,
                    text("the loss has shape ", list_text(value().shape()), ", not rank 0"));
    if (!info(dtype()).is_float)
        throw Error(ErrorKind::NonScalarLoss, op,
                    text("the loss has dtype ", info(dtype()).name, ", which is not real"));
}

void EagerTensor::backward(bool create_graph) const try {
    check_loss("backward");
    const EagerTensor one = full_like(detach(), 1);
    backward(one.value(), create_graph);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("backward");
}

void EagerTensor::check_recorded() const {
    if (!requires_grad())
        throw Error(ErrorKind::InvalidArgument, "backward",
                    "the tensor does not depend on a leaf that requires a gradient");
}

void EagerTensor::backward(const TensorRead& cotangent, bool create_graph) const try {
    if (cotangent.dtype() != dtype())
        throw Error(ErrorKind::DTypeMismatch, "backward",
                    text("the cotangent has dtype ", info(cotangent.dtype()).name, " but the tensor has ",
                         info(dtype()).name));
    if (!(cotangent.shape() == value().shape()))
        throw Error(ErrorKind::TangentShapeMismatch, "backward",
                    text("the cotangent has shape ", list_text(cotangent.shape()), " but the tensor has ",
                         list_text(value().shape())));
    check_recorded();
    if (create_graph) {
        const EagerTensor given(context(), context().backend().to_contiguous_read(cotangent));
        const std::vector<EagerTensor> at = leaves();
        const std::vector<EagerTensor> parts = gradients(at, &given, true);
        for (std::size_t i = 0; i < at.size(); ++i) at[i].accumulate(parts[i]);
        return;
    }

    // Everything that was recorded, leaves first in the order in which they are met.
    std::vector<std::shared_ptr<Node>> leaves, made;
    std::unordered_set<const Node*> seen;
    std::vector<std::shared_ptr<Node>> pending{node_};
    while (!pending.empty()) {
        std::shared_ptr<Node> node = std::move(pending.back());
        pending.pop_back();
        if (!seen.insert(node.get()).second) continue;
        pending.insert(pending.end(), node->inputs.rbegin(), node->inputs.rend());
        (node->inputs.empty() ? leaves : made).push_back(std::move(node));
    }
    std::vector<GlobalValKey> leaf_keys, computed;
    std::vector<bool> wanted;
    std::vector<const Tensor*> values;  // of `computed`
    for (const auto& leaf : leaves) {
        leaf_keys.push_back(leaf->graph_key());
        wanted.push_back(leaf->requires_grad);
    }
    computed = leaf_keys;
    for (const auto& leaf : leaves) values.push_back(&leaf->value);
    for (const auto& node : made) {
        const GlobalValKey key = node->graph_key();
        for (std::size_t slot = 0; slot < key.op().n_outputs(); ++slot) {
            computed.push_back(key.sibling(slot));
            values.push_back(node->siblings ? &(*node->siblings)[slot] : &node->value);
        }
    }
    const GlobalValKey output = node_->graph_key();
    const auto forward = op_graph::materialise<StdTensorOp>({&output, 1}, leaf_keys);
    std::unordered_map<std::uint32_t, const Tensor*> by_number;
    for (std::size_t i = 0; i < computed.size(); ++i)
        by_number.emplace(forward.number(computed[i]), values[i]);

    const auto backward = context().state_->derivatives.get(
        Recorded{forward.graph, wanted},
        [&](const Recorded&) {
            return std::make_shared<const BackwardProgram>(
                differentiate(output, leaf_keys, wanted, forward, computed));
        },
        [](const BackwardProgram& derivative) {
            return derivative.program->memory() + 4 * derivative.residuals.size();
        });

    std::vector<TensorRead> inputs{cotangent};
    for (const std::uint32_t number : backward->residuals) inputs.push_back(*by_number.at(number));
    std::vector<Tensor> gradients = backward->program->run(context().backend(), inputs);
    std::size_t next = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (wanted[i])
            EagerTensor(leaves[i]).accumulate(EagerTensor(context(), std::move(gradients[next++])));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("backward");
}

}}  // namespace tenferro::TENFERRO_ABI
