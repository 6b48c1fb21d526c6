// EinsumPlan: checks operands against the plan, runs the programs, and puts conjugations and broadcast axes
// where the programs do not want to know about them.
#include "tenferro/einsum/plan.hpp"

#include <algorithm>
#include <list>
#include <new>

#include "base/immortal.hpp"
#include "einsum/program_cost.hpp"
#include "einsum/scaled_run.hpp"
#include "einsum/session_executor.hpp"
#include "einsum/slicing/slicing.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

constexpr std::string_view kOp = "einsum";

/// The inputs of a run: pointers to what the caller gave, or to views made of it. A few cost no allocation.
class Inputs {
public:
    Inputs() = default;
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;
    ~Inputs() = default;

    /// Null is a zero.
    void append(const TensorRead* view) { pointers_.push_back(view); }
    void append_made(TensorRead view) { pointers_.push_back(&made_.emplace_back(std::move(view))); }
    [[nodiscard]] std::span<const TensorRead* const> get() const noexcept { return pointers_; }
    [[nodiscard]] std::vector<std::optional<TensorRead>> views() const {
        std::vector<std::optional<TensorRead>> views(pointers_.size());
        for (std::size_t i = 0; i < views.size(); ++i)
            if (pointers_[i] != nullptr) views[i] = *pointers_[i];
        return views;
    }

private:
    SmallVector<const TensorRead*, 16> pointers_;
    std::list<TensorRead> made_;
};

}  // namespace

struct EinsumPlan::State {
    std::vector<Dims> shapes;
    Network network;
    ContractionTree tree;
    ContractionCost cost;
    DType cost_dtype;
    CompactLayout output;
    LabelIds sliced_labels;
    Program forward;
    mutable Lazy<Program> vjp, jvp;  // plans that are never differentiated do not pay for derivatives
    std::optional<SlicedPrograms> sliced;
    const Step* product = nullptr;  ///< of `forward`, where that is one contraction of the operands as given

    State(const Subscripts& subscripts, std::span<const Dims> operand_shapes, DType of_costs)
        : shapes(operand_shapes.begin(), operand_shapes.end()),
          network(resolve(subscripts, operand_shapes)),
          cost_dtype(of_costs) {
        output = {tensor_network::output_shape(network), kOp};
    }

    void follow(SlicedTree chosen) {
        if (chosen.labels.empty())
            take(lower(network, chosen.tree));
        else
            sliced.emplace(network, chosen);
        tree = std::move(chosen.tree);
        cost = chosen.cost;
        sliced_labels = std::move(chosen.labels);
    }

    void take(Program lowered) {
        forward = std::move(lowered);
        const auto is_whole = [](const Dims& dropped) { return dropped.empty(); };
        if (forward.steps.size() == 1 && forward.steps[0].kind == StepKind::Contract &&
            std::all_of(network.dropped_axes.begin(), network.dropped_axes.end(), is_whole))
            product = &forward.steps[0];
    }

    // The one contraction of a plan that has a `product`, without what a run of many steps needs.
    [[nodiscard]] Tensor multiply(BackendSession& session, std::span<const TensorRead> operands) const {
        Tensor result = session.empty_planned(kOp, operands[0].dtype(), output);
        multiply_into(result, operands,
                      [&](const auto&... all) { session.dot_general_planned_into(all...); });
        return result;
    }
    [[nodiscard]] Tensor multiply(PairwiseExecutor& executor, std::span<const TensorRead> operands) const {
        Tensor result = executor.allocate(operands[0].dtype(), output.shape);
        multiply_into(result, operands, [&](const auto&... all) { executor.contract(all...); });
        return result;
    }
    void multiply_into(Tensor& result, std::span<const TensorRead> operands, const auto& contract) const {
        const TensorRead &lhs = operands[static_cast<std::size_t>(product->lhs)],
                         &rhs = operands[static_cast<std::size_t>(product->rhs)];
        if (product->result_axes.empty())
            contract(lhs, rhs, product->config, result.write());
        else
            contract(lhs, rhs, product->config, result.write().transpose_view(product->result_axes));
    }

    [[nodiscard]] const Program& pullback() const {
        return vjp.get([&] { return std::make_unique<Program>(vjp_program(forward)); });
    }

    /// The gradients of the operands in the programs' axes.
    [[nodiscard]] std::vector<std::optional<Tensor>> flows(BackendSession& session, const Inputs& inputs,
                                                           const RunOptions& options) const {
        if (sliced) return sliced->vjp(session, inputs.views(), options);
        SessionExecutor executor(session);
        std::vector<std::optional<Tensor>> result(shapes.size());
        tensor_network::run(pullback(), inputs.get(), result, executor, options);
        return result;
    }

    [[nodiscard]] const Program& pushforward() const {
        return jvp.get([&] { return std::make_unique<Program>(jvp_program(forward)); });
    }

    /// One of the flows as the gradient of its operand, with the broadcast axes that programs do not know.
    [[nodiscard]] Tensor gradient(BackendSession& session, Tensor flow, std::size_t operand) const {
        if (info(flow.dtype()).is_complex) flow = session.conj(std::move(flow));
        const Dims& shape = shapes[operand];
        return flow.shape() == shape ? std::move(flow) : session.reshape(std::move(flow), shape);
    }

    /// Whether values of a dtype can carry a power of two along this plan.
    void check_scalable(DType dtype) const {
        if (info(dtype).is_integer)
            throw Error(ErrorKind::Unsupported, kOp,
                        text("operand 0 has dtype ", info(dtype).name, ", which cannot be scaled"));
    }

    /// So that sums with the exponents of operands are numbers too.
    static void check_exponent(std::int64_t exponent) {
        constexpr std::int64_t kMost = std::int64_t{1} << 62;
        if (exponent < -kMost || exponent > kMost)
            throw Error(
                ErrorKind::InvalidArgument, kOp,
                text("the cotangent's exponent is ", exponent, " but must be ", -kMost, " to ", kMost));
    }

    [[nodiscard]] std::vector<std::optional<ScaledTensor>> scaled_flows(BackendSession& session,
                                                                        const Inputs& inputs,
                                                                        std::int64_t cotangent_exponent,
                                                                        const RunOptions& options) const {
        if (sliced) return sliced->vjp_scaled(session, inputs.views(), cotangent_exponent, options);
        std::vector<std::int64_t> exponents(shapes.size(), 0);
        exponents.push_back(cotangent_exponent);
        return tensor_network::run_scaled(pullback(), inputs.get(), exponents, session, options);
    }

    [[nodiscard]] std::optional<ScaledTensor> scaled_tangent(BackendSession& session, const Inputs& inputs,
                                                             const RunOptions& options) const {
        if (sliced) return sliced->jvp_scaled(session, inputs.views(), options);
        const std::vector<std::int64_t> exponents(2 * shapes.size(), 0);
        return std::move(
            tensor_network::run_scaled(pushforward(), inputs.get(), exponents, session, options)[0]);
    }

    /// Nothing where it is zero.
    [[nodiscard]] std::optional<Tensor> tangent(BackendSession& session, const Inputs& inputs,
                                                const RunOptions& options) const {
        if (sliced) return sliced->jvp(session, inputs.views(), options);
        SessionExecutor executor(session);
        std::optional<Tensor> result;
        tensor_network::run(pushforward(), inputs.get(), {&result, 1}, executor, options);
        return result;
    }

    void check(std::span<const TensorRead> operands) const {
        if (operands.size() != shapes.size())
            throw Error(
                ErrorKind::InvalidArgument, kOp,
                text("plan is for ", shapes.size(), " operands but ", operands.size(), " were given"));
        check_dtypes(operands);
        for (std::size_t i = 0; i < operands.size(); ++i)
            if (!(operands[i].shape() == shapes[i])) [[unlikely]]
                throw_wrong_shape(operands[i], i);
    }
    static void check_dtypes(std::span<const TensorRead> operands) {
        if (operands[0].dtype() == DType::Bool)
            throw Error(ErrorKind::Unsupported, kOp, "dtype bool has no arithmetic");
        for (std::size_t i = 1; i < operands.size(); ++i)
            check_dtype(operands[i], operands[0].dtype(), "operand ", i);
    }

    /// The operands as program inputs: checked, and without their broadcast axes.
    void append_inputs(std::span<const TensorRead> operands, Inputs& inputs) const {
        check(operands);
        append_checked(operands, inputs);
    }
    void append_checked(std::span<const TensorRead> operands, Inputs& inputs) const {
        for (std::size_t i = 0; i < operands.size(); ++i) append(operands[i], i, inputs);
    }

    void append_tangents(std::span<const std::optional<TensorRead>> tangents, DType dtype,
                         Inputs& inputs) const {
        if (tangents.size() != shapes.size())
            throw Error(ErrorKind::InvalidArgument, kOp,
                        text(shapes.size(), " primals but ", tangents.size(), " tangents were given"));
        for (std::size_t i = 0; i < tangents.size(); ++i) {
            if (!tangents[i]) {
                inputs.append(nullptr);
                continue;
            }
            check_dtype(*tangents[i], dtype, "tangent ", i);
            if (!(tangents[i]->shape() == shapes[i]))
                throw Error(ErrorKind::TangentShapeMismatch, kOp,
                            text("tangent ", i, " has shape ", list_text(tangents[i]->shape()),
                                 " but its primal has shape ", list_text(shapes[i])));
            append(*tangents[i], i, inputs);
        }
    }

    /// `what` names the view in the message.
    static void check_dtype(const TensorRead& view, DType dtype, auto... what) {
        if (view.dtype() != dtype) [[unlikely]]
            throw_dtype_mismatch(view.dtype(), dtype, what...);
    }
    [[noreturn, gnu::noinline]] static void throw_dtype_mismatch(DType given, DType dtype, auto... what) {
        throw Error(ErrorKind::DTypeMismatch, kOp,
                    text(what..., " has dtype ", info(given).name, " but operand 0 has ", info(dtype).name));
    }
    [[noreturn, gnu::noinline]] void throw_wrong_shape(const TensorRead& view, std::size_t operand) const {
        throw_different_shapes(view.shape(), shapes[operand], kOp, text("operand ", operand), "its plan");
    }

    void append(const TensorRead& view, std::size_t operand, Inputs& inputs) const {
        const Dims& dropped = network.dropped_axes[operand];
        if (dropped.empty()) return inputs.append(&view);
        append_without(dropped, view, inputs);
    }
    [[gnu::noinline]] static void append_without(const Dims& dropped, const TensorRead& view,
                                                 Inputs& inputs) {
        TensorRead rest = view;
        for (std::size_t i = dropped.size(); i-- > 0;) rest = rest.select_view(dropped[i], 0);
        inputs.append_made(std::move(rest));
    }
};

EinsumPlan::EinsumPlan(const Subscripts& subscripts, std::span<const Dims> shapes,
                       const PathOptions& options) try {
    auto state = std::make_unique<State>(subscripts, shapes, options.dtype);
    state->follow(find_tree_within_limits(state->network, options));
    state_ = std::move(state);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

EinsumPlan::EinsumPlan(const Subscripts& subscripts, std::span<const Dims> shapes,
                       std::span<const std::vector<int>> path, DType dtype,
                       std::int64_t memory_limit_bytes) try {
    auto state = std::make_unique<State>(subscripts, shapes, dtype);
    state->follow(sliced_tree(state->network, tree_from_path(path, shapes.size()),
                              {.dtype = dtype, .memory_limit_bytes = memory_limit_bytes}));
    state_ = std::move(state);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

EinsumPlan::~EinsumPlan() = default;

const Network& EinsumPlan::network() const noexcept { return state_->network; }
const ContractionTree& EinsumPlan::tree() const noexcept { return state_->tree; }
const ContractionCost& EinsumPlan::cost() const noexcept { return state_->cost; }
ContractionCost EinsumPlan::vjp_cost() const try {
    return state_->sliced ? state_->sliced->vjp_cost(state_->cost_dtype)
                          : program_cost(state_->pullback(), state_->cost_dtype);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}
const Dims& EinsumPlan::output_shape() const noexcept { return state_->output.shape; }
const LabelIds& EinsumPlan::sliced_labels() const noexcept { return state_->sliced_labels; }

Tensor EinsumPlan::run(BackendSession& session, std::span<const TensorRead> operands,
                       const RunOptions& options) const {
    state_->check(operands);
    return run_fitting(session, operands, options);
}

Tensor EinsumPlan::run_fitting(BackendSession& session, std::span<const TensorRead> operands,
                               const RunOptions& options) const try {
    state_->check_dtypes(operands);
    const CancellationScope scope(options.cancellation, kOp);
    options.cancellation.check(kOp);
    if (state_->product != nullptr && options.progress == nullptr) return state_->multiply(session, operands);
    SessionExecutor executor(session);
    Inputs inputs;
    state_->append_checked(operands, inputs);
    if (state_->sliced) return state_->sliced->run(session, inputs.views(), options);
    std::optional<Tensor> result;
    tensor_network::run(state_->forward, inputs.get(), {&result, 1}, executor, options);
    return std::move(*result);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

Tensor EinsumPlan::run(PairwiseExecutor& executor, std::span<const TensorRead> operands,
                       const RunOptions& options) const try {
    const CancellationScope scope(options.cancellation, kOp);
    state_->check(operands);
    options.cancellation.check(kOp);
    if (state_->product != nullptr && options.progress == nullptr)
        return state_->multiply(executor, operands);
    Inputs inputs;
    state_->append_checked(operands, inputs);
    if (state_->sliced) return state_->sliced->run(executor, inputs.views(), options);
    std::optional<Tensor> result;
    tensor_network::run(state_->forward, inputs.get(), {&result, 1}, executor, options);
    return std::move(*result);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

std::vector<Tensor> EinsumPlan::vjp(BackendSession& session, std::span<const TensorRead> operands,
                                    const TensorRead& cotangent, const RunOptions& options) const try {
    const CancellationScope scope(options.cancellation, kOp);
    Inputs inputs;
    state_->append_inputs(operands, inputs);
    State::check_dtype(cotangent, operands[0].dtype(), "cotangent");
    check_same_shape(cotangent.shape(), state_->output.shape, kOp, "cotangent", "the result");

    // conj(A) . y = conj(A . conj(y)): conjugating the cotangent and the gradients spares conjugating every
    // operand.
    const bool complex = info(cotangent.dtype()).is_complex;
    std::optional<Tensor> conjugated;
    if (complex) conjugated.emplace(session.conj_read(cotangent));
    inputs.append(complex ? &conjugated->read() : &cotangent);

    std::vector<Tensor> gradients;
    gradients.reserve(operands.size());
    for (std::optional<Tensor>& flow : state_->flows(session, inputs, options))
        gradients.push_back(state_->gradient(session, std::move(*flow), gradients.size()));
    return gradients;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum_vjp");
}

Tensor EinsumPlan::jvp(BackendSession& session, std::span<const TensorRead> primals,
                       std::span<const std::optional<TensorRead>> tangents, const RunOptions& options) const
    try {
    const CancellationScope scope(options.cancellation, kOp);
    Inputs inputs;
    state_->append_inputs(primals, inputs);
    const DType dtype = primals[0].dtype();
    state_->append_tangents(tangents, dtype, inputs);
    std::optional<Tensor> tangent = state_->tangent(session, inputs, options);
    return tangent ? std::move(*tangent) : session.zeros(dtype, state_->output.shape);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum_jvp");
}

ScaledTensor EinsumPlan::run_scaled(BackendSession& session, std::span<const TensorRead> operands,
                                    const RunOptions& options) const try {
    const CancellationScope scope(options.cancellation, kOp);
    Inputs inputs;
    state_->append_inputs(operands, inputs);
    state_->check_scalable(operands[0].dtype());
    if (state_->sliced) return state_->sliced->run_scaled(session, inputs.views(), options);
    const std::vector<std::int64_t> exponents(operands.size(), 0);
    return std::move(
        *tensor_network::run_scaled(state_->forward, inputs.get(), exponents, session, options)[0]);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

std::vector<ScaledTensor> EinsumPlan::vjp_scaled(BackendSession& session,
                                                 std::span<const TensorRead> operands,
                                                 const ScaledRead& cotangent, const RunOptions& options) const
    try {
    const CancellationScope scope(options.cancellation, kOp);
    Inputs inputs;
    state_->append_inputs(operands, inputs);
    state_->check_scalable(operands[0].dtype());
    State::check_dtype(cotangent.mantissa, operands[0].dtype(), "cotangent");
    check_same_shape(cotangent.mantissa.shape(), state_->output.shape, kOp, "cotangent", "the result");
    State::check_exponent(cotangent.exponent);
    std::optional<Tensor> conjugated;
    if (info(cotangent.mantissa.dtype()).is_complex)
        conjugated.emplace(session.conj_read(cotangent.mantissa));
    inputs.append(conjugated ? &conjugated->read() : &cotangent.mantissa);
    std::vector<ScaledTensor> gradients;
    for (auto& flow : state_->scaled_flows(session, inputs, cotangent.exponent, options))
        gradients.push_back(
            {state_->gradient(session, std::move(flow->mantissa), gradients.size()), flow->exponent});
    return gradients;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum_vjp");
}

ScaledTensor EinsumPlan::jvp_scaled(BackendSession& session, std::span<const TensorRead> primals,
                                    std::span<const std::optional<TensorRead>> tangents,
                                    const RunOptions& options) const try {
    const CancellationScope scope(options.cancellation, kOp);
    Inputs inputs;
    state_->append_inputs(primals, inputs);
    const DType dtype = primals[0].dtype();
    state_->check_scalable(dtype);
    state_->append_tangents(tangents, dtype, inputs);
    std::optional<ScaledTensor> tangent = state_->scaled_tangent(session, inputs, options);
    return tangent ? std::move(*tangent) : ScaledTensor{session.zeros(dtype, state_->output.shape), 0};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum_jvp");
}

Tensor eager_einsum(TensorBackend& backend, const Subscripts& subscripts,
                    std::span<const TensorRead> operands) try {
    std::vector<Dims> shapes;
    for (const TensorRead& operand : operands) shapes.push_back(operand.shape());
    PathOptions options;
    if (!operands.empty()) options.dtype = operands[0].dtype();
    const EinsumPlan plan(subscripts, shapes, options);
    return backend.with_backend_session([&](BackendSession& session) { return plan.run(session, operands); });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
