// Running and recording eager operations.
#include "tenferro/runtime/eager_tensor.hpp"

#include <new>

#include "runtime/eager_node.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/ops/extension_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// Runs `op` into `outputs`. Extensions execute themselves, without a session.
void run_op(TensorBackend& backend, const StdTensorOp& op, std::span<const TensorRead> inputs,
            std::span<Tensor> outputs) {
    CancellationScope::check_current();
    if (const auto* extension = op.as<tensor_ops::Extension>()) {
        const BackendScope scope(backend);
        std::vector<Tensor> made = extension->execute(inputs);
        std::move(made.begin(), made.end(), outputs.begin());
        return;
    }
    backend.with_backend_session(
        [&](BackendSession& session) { op.operation().execute(session, inputs, outputs); });
}

}  // namespace

// A chain of records may be longer than the stack is deep: nodes that die together form a list.
EagerTensor::Node::~Node() {
    const auto take_inputs = [](Node& node, std::shared_ptr<Node> list) {
        for (std::shared_ptr<Node>& slot : node.inputs) {
            const std::shared_ptr<Node> input = std::move(slot);
            if (input.use_count() != 1) continue;
            input->next_dead = std::move(list);
            list = input;
        }
        return list;
    };
    std::shared_ptr<Node> dead = take_inputs(*this, nullptr);
    while (dead) {
        std::shared_ptr<Node> rest = take_inputs(*dead, std::move(dead->next_dead));
        dead = std::move(rest);
    }
}

GlobalValKey EagerTensor::Node::graph_key() {
    const std::lock_guard lock(mutex_of(this));
    if (!key) key = GlobalValKey::input(op_graph::new_input_id(), {value.dtype(), symbolic(value.shape())});
    return *key;
}

std::shared_ptr<EagerTensor::Gradient> EagerTensor::Node::gradient_slot() {
    if (!requires_grad || !inputs.empty()) return nullptr;
    auto made = std::make_shared<Gradient>();
    const std::lock_guard lock(mutex_of(this));
    if (auto there = gradient.lock()) return there;
    gradient = made;
    return made;
}

EagerTensor::EagerTensor(std::shared_ptr<Node> node)
    : node_(std::move(node)), gradient_(node_->gradient_slot()) {}

void EagerTensor::accumulate(const EagerTensor& part) const {
    for (std::shared_ptr<Node> before, sum = part.node_;;) {
        {
            const std::lock_guard lock(mutex_of(gradient_.get()));
            if (gradient_->value == before) {
                gradient_->value.swap(sum);
                return;
            }
            before = gradient_->value;
        }
        // Not under the lock: it takes as long as it takes.
        sum = before ? add(EagerTensor(before), part).node_ : part.node_;
    }
}

EagerTensor::EagerTensor(EagerContext& context, Tensor value, bool requires_grad) try
    : node_(std::make_shared<Node>(context, std::move(value), requires_grad)) {
    const DTypeInfo& dtype = info(node_->value.dtype());
    if (requires_grad && !dtype.is_float && !dtype.is_complex)
        throw Error(ErrorKind::DTypeMismatch, "requires_grad",
                    text("dtype ", dtype.name, " has no derivatives"));
    gradient_ = node_->gradient_slot();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("EagerTensor");
}

const Tensor& EagerTensor::value() const noexcept { return node_->value; }
EagerContext& EagerTensor::context() const noexcept { return node_->context; }
bool EagerTensor::requires_grad() const noexcept { return node_->requires_grad; }

std::vector<EagerTensor> EagerTensor::apply_all(const StdTensorOp& op,
                                                std::span<const EagerTensor> inputs) const try {
    if (inputs.size() != op.n_inputs())
        throw Error(ErrorKind::InvalidConfig, op.name(), op.arity_text(inputs.size()));
    bool recorded = false;
    std::vector<TensorRead> reads;
    reads.reserve(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (&inputs[i].context() != &context())
            throw Error(ErrorKind::InvalidArgument, op.name(), text("operand ", i, " is of another context"));
        recorded = recorded || inputs[i].requires_grad();
        reads.push_back(inputs[i].value());
    }
    std::vector<Tensor> values(op.n_outputs());
    run_op(context().backend(), op, reads, values);
    std::vector<EagerTensor> outputs;
    outputs.reserve(values.size());
    for (Tensor& value : values)
        outputs.push_back(EagerTensor(std::make_shared<Node>(context(), std::move(value), false)));
    if (!recorded) return outputs;
    std::vector<GlobalValKey> keys;
    std::vector<std::shared_ptr<Node>> nodes;
    for (const EagerTensor& input : inputs) {
        keys.push_back(input.node_->graph_key());
        nodes.push_back(input.node_);
    }
    const GlobalValKey first = GlobalValKey::result(op, std::move(keys), OpMode::primal());
    std::shared_ptr<std::vector<Tensor>> siblings;
    if (outputs.size() > 1) {
        siblings = std::make_shared<std::vector<Tensor>>();
        for (const EagerTensor& output : outputs) siblings->push_back(output.value().share());
    }
    for (std::size_t slot = 0; slot < outputs.size(); ++slot) {
        Node& node = *outputs[slot].node_;
        const DTypeInfo& dtype = info(node.value.dtype());
        node.requires_grad = dtype.is_float || dtype.is_complex;
        node.inputs = nodes;
        node.siblings = siblings;
        node.key = first.sibling(slot);
    }
    return outputs;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op.name());
}

EagerTensor EagerTensor::apply(const StdTensorOp& op, std::span<const EagerTensor> inputs) const {
    return std::move(apply_all(op, inputs).front());
}

bool EagerTensor::has_grad() const {
    if (!gradient_) return false;
    const std::lock_guard lock(mutex_of(gradient_.get()));
    return gradient_->value != nullptr;
}

EagerTensor EagerTensor::grad() const try {
    std::shared_ptr<Node> value;
    if (gradient_) {
        const std::lock_guard lock(mutex_of(gradient_.get()));
        value = gradient_->value;
    }
    if (!value)
        throw Error(ErrorKind::MissingValue, "grad",
                    requires_grad() ? "the tensor has no gradient before backward()"
                                    : "the tensor does not require a gradient");
    return EagerTensor(std::move(value));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("grad");
}

void EagerTensor::clear_grad() {
    std::shared_ptr<Node> dropped;  // after the lock, since it may be a long record
    if (!gradient_) return;
    const std::lock_guard lock(mutex_of(gradient_.get()));
    gradient_->value.swap(dropped);
}

EagerTensor EagerTensor::detach(bool requires_grad) const try {
    return EagerTensor(context(), node_->value.share(), requires_grad);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("detach");
}

}}  // namespace tenferro::TENFERRO_ABI
