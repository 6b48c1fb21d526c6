// EinsumPlan: checks operands against the plan, runs the programs, and puts conjugations and broadcast axes where the
// programs do not want to know about them.
#include "tenferro/einsum/plan.hpp"

#include <mutex>

#include "einsum/session_executor.hpp"
#include "einsum/slicing.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

namespace {

constexpr std::string_view kOp = "einsum";

/// A program made when first asked for; plans that are never differentiated do not pay for derivatives.
class LazyProgram {
public:
    template <class Make>
    const Program& get(Make&& make) const {
        std::call_once(once_, [&] { program_ = make(); });
        return program_;
    }

private:
    mutable std::once_flag once_;
    mutable Program program_;
};

}  // namespace

struct EinsumPlan::State {
    std::vector<Dims> shapes;
    Network network;
    ContractionTree tree;
    ContractionCost cost;
    Dims output_shape;
    LabelIds sliced_labels;
    Program forward;
    LazyProgram vjp, jvp;
    std::optional<SlicedPrograms> sliced;

    State(const Subscripts& subscripts, std::span<const Dims> operand_shapes)
        : shapes(operand_shapes.begin(), operand_shapes.end()), network(resolve(subscripts, operand_shapes)) {
        output_shape = einsum::output_shape(network);
        (void)element_count(output_shape, kOp);
    }

    void follow(ContractionTree chosen) {
        tree = std::move(chosen);
        cost = einsum::cost(network, tree);
        forward = lower(network, tree);
    }

    void follow(SlicedTree chosen) {
        tree = std::move(chosen.tree);
        cost = chosen.cost;
        sliced_labels = std::move(chosen.labels);
        if (sliced_labels.empty())
            forward = lower(network, tree);
        else
            sliced.emplace(network, tree, sliced_labels);
    }

    /// The operands as program inputs: checked, and without their broadcast axes.
    void append_inputs(std::span<const TensorRead> operands, std::vector<std::optional<TensorRead>>& inputs) const {
        if (operands.size() != shapes.size())
            throw Error(ErrorKind::InvalidArgument, kOp,
                        text("plan is for ", shapes.size(), " operands but ", operands.size(), " were given"));
        if (operands[0].dtype() == DType::Bool) throw Error(ErrorKind::Unsupported, kOp, "dtype bool has no arithmetic");
        for (std::size_t i = 0; i < operands.size(); ++i) {
            check_dtype(operands[i], operands[0].dtype(), text("operand ", i));
            check_same_shape(operands[i].shape(), shapes[i], kOp, text("operand ", i), "its plan");
            inputs.push_back(without_dropped(operands[i], i));
        }
    }

    void append_tangents(std::span<const std::optional<TensorRead>> tangents, DType dtype,
                         std::vector<std::optional<TensorRead>>& inputs) const {
        if (tangents.size() != shapes.size())
            throw Error(ErrorKind::InvalidArgument, kOp,
                        text(shapes.size(), " primals but ", tangents.size(), " tangents were given"));
        for (std::size_t i = 0; i < tangents.size(); ++i) {
            if (!tangents[i]) {
                inputs.push_back(std::nullopt);
                continue;
            }
            check_dtype(*tangents[i], dtype, text("tangent ", i));
            if (!(tangents[i]->shape() == shapes[i]))
                throw Error(ErrorKind::TangentShapeMismatch, kOp,
                            text("tangent ", i, " has shape ", list_text(tangents[i]->shape()), " but its primal has shape ",
                                 list_text(shapes[i])));
            inputs.push_back(without_dropped(*tangents[i], i));
        }
    }

    static void check_dtype(const TensorRead& view, DType dtype, const std::string& name) {
        if (view.dtype() != dtype)
            throw Error(ErrorKind::DTypeMismatch, kOp,
                        text(name, " has dtype ", info(view.dtype()).name, " but operand 0 has ", info(dtype).name));
    }

    [[nodiscard]] TensorRead without_dropped(TensorRead view, std::size_t operand) const {
        const Dims& dropped = network.dropped_axes[operand];
        for (std::size_t i = dropped.size(); i-- > 0;) view = view.select_view(dropped[i], 0);
        return view;
    }
};

EinsumPlan::EinsumPlan(const Subscripts& subscripts, std::span<const Dims> shapes, const PathOptions& options) {
    auto state = std::make_unique<State>(subscripts, shapes);
    state->follow(find_sliced_tree(state->network, options));
    state_ = std::move(state);
}

EinsumPlan::EinsumPlan(const Subscripts& subscripts, std::span<const Dims> shapes, std::span<const std::vector<int>> path) {
    auto state = std::make_unique<State>(subscripts, shapes);
    state->follow(tree_from_path(path, shapes.size()));
    state_ = std::move(state);
}

EinsumPlan::~EinsumPlan() = default;

const Network& EinsumPlan::network() const noexcept { return state_->network; }
const ContractionTree& EinsumPlan::tree() const noexcept { return state_->tree; }
const ContractionCost& EinsumPlan::cost() const noexcept { return state_->cost; }
const Dims& EinsumPlan::output_shape() const noexcept { return state_->output_shape; }
const LabelIds& EinsumPlan::sliced_labels() const noexcept { return state_->sliced_labels; }

Tensor EinsumPlan::run(BackendSession& session, std::span<const TensorRead> operands, const Progress* progress) const {
    std::vector<std::optional<TensorRead>> inputs;
    state_->append_inputs(operands, inputs);
    if (state_->sliced) return state_->sliced->run(session, inputs, progress);
    SessionExecutor executor(session);
    return std::move(*einsum::run(state_->forward, inputs, executor, progress)[0]);
}

std::vector<Tensor> EinsumPlan::vjp(BackendSession& session, std::span<const TensorRead> operands,
                                    const TensorRead& cotangent) const {
    std::vector<std::optional<TensorRead>> inputs;
    state_->append_inputs(operands, inputs);
    State::check_dtype(cotangent, operands[0].dtype(), "cotangent");
    check_same_shape(cotangent.shape(), state_->output_shape, kOp, "cotangent", "the result");

    // conj(A) . y = conj(A . conj(y)): conjugating the cotangent and the gradients spares conjugating every operand.
    const bool complex = info(cotangent.dtype()).is_complex;
    std::optional<Tensor> conjugated;
    if (complex) conjugated.emplace(session.conj_read(cotangent));
    inputs.emplace_back(complex ? conjugated->read() : cotangent);

    const auto flows = [&] {
        if (state_->sliced) return state_->sliced->vjp(session, inputs);
        SessionExecutor executor(session);
        return einsum::run(state_->vjp.get([&] { return vjp_program(state_->forward); }), inputs, executor);
    };
    std::vector<Tensor> gradients;
    for (std::optional<Tensor>& flow : flows()) {
        Tensor gradient = complex ? session.conj(std::move(*flow)) : std::move(*flow);
        gradients.push_back(session.reshape(std::move(gradient), state_->shapes[gradients.size()]));
    }
    return gradients;
}

Tensor EinsumPlan::jvp(BackendSession& session, std::span<const TensorRead> primals,
                       std::span<const std::optional<TensorRead>> tangents) const {
    std::vector<std::optional<TensorRead>> inputs;
    state_->append_inputs(primals, inputs);
    const DType dtype = primals[0].dtype();
    state_->append_tangents(tangents, dtype, inputs);
    const auto flow = [&]() -> std::optional<Tensor> {
        if (state_->sliced) return state_->sliced->jvp(session, inputs);
        SessionExecutor executor(session);
        return std::move(einsum::run(state_->jvp.get([&] { return jvp_program(state_->forward); }), inputs, executor)[0]);
    };
    std::optional<Tensor> tangent = flow();
    return tangent ? std::move(*tangent) : session.zeros(dtype, state_->output_shape);
}

Tensor eager_einsum(TensorBackend& backend, const Subscripts& subscripts, std::span<const TensorRead> operands) {
    std::vector<Dims> shapes;
    for (const TensorRead& operand : operands) shapes.push_back(operand.shape());
    const EinsumPlan plan(subscripts, shapes);
    return backend.with_backend_session([&](BackendSession& session) { return plan.run(session, operands); });
}

}  // namespace tenferro::inline TENFERRO_ABI::einsum
