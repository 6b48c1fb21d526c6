// Einsums and their derivatives, on plans of the core.
#include "tenferro_ext_tropical/einsum.hpp"

#include <algorithm>
#include <charconv>
#include <new>
#include <optional>
#include <string>

#include <tenferro/api/engine.hpp>
#include <tenferro/base/text.hpp>

#include "arithmetic.hpp"
#include "winners.hpp"

namespace tropical {

namespace {

constexpr std::string_view kOp = "tropical einsum";

/// An element below 0 and where it is.
struct Negative {
    Dims index;
    double value;

    [[nodiscard]] std::string message() const {
        char digits[32];
        const std::string_view number(digits, std::to_chars(digits, std::end(digits), value).ptr);
        return text(number, " at ", list_text(index));
    }
};

/// The first one, in column-major order.
std::optional<Negative> first_negative(BackendSession& session, const TensorRead& a) {
    const auto of = [&]<class T>() -> std::optional<Negative> {
        const Tensor compact = session.to_contiguous_read(a);
        const T* const data = compact.data_as<T>();
        Index place = std::find_if(data, data + compact.size(), [](T x) { return x < 0; }) - data;
        if (place == compact.size()) return std::nullopt;
        Negative found{{}, static_cast<double>(data[place])};
        for (const Index extent : a.shape()) {
            found.index.push_back(place % extent);
            place /= extent;
        }
        return found;
    };
    return a.dtype() == DType::F32 ? of.template operator()<float>() : of.template operator()<double>();
}

bool contains(const tensor_network::LabelIds& labels, tensor_network::LabelId label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// Labels that operand `i` of two has alone.
tensor_network::LabelIds own_labels(const tensor_network::Network& network, std::size_t i) {
    tensor_network::LabelIds own;
    for (const tensor_network::LabelId label : network.inputs[i])
        if (!contains(network.output, label) && !contains(network.inputs[1 - i], label) &&
            !contains(own, label))
            own.push_back(label);
    return own;
}

void check_operands(const tensor_network::Network& network, std::span<const TensorRead> operands) {
    if (operands.size() != network.inputs.size())
        throw Error(
            ErrorKind::InvalidArgument, kOp,
            text("plan is for ", network.inputs.size(), " operands but ", operands.size(), " were given"));
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (operands[i].dtype() != operands[0].dtype())
            throw Error(ErrorKind::DTypeMismatch, kOp,
                        text("operand ", i, " has dtype ", info(operands[i].dtype()).name,
                             " but operand 0 has ", info(operands[0].dtype()).name));
        const Dims& dropped = network.dropped_axes[i];
        Dims planned;
        for (const tensor_network::LabelId label : network.inputs[i])
            planned.push_back(network.extents[static_cast<std::size_t>(label)]);
        for (const Index axis : dropped) planned.insert(static_cast<std::size_t>(axis), 1);  // they ascend
        check_same_shape(operands[i].shape(), planned, kOp, text("operand ", i), "its plan");
    }
}

}  // namespace

tensor_network::LabelIds contracted_labels(const tensor_network::Network& network) {
    tensor_network::LabelIds labels;
    for (const tensor_network::LabelIds& input : network.inputs)
        for (const tensor_network::LabelId label : input)
            if (!contains(network.output, label) && !contains(labels, label)) labels.push_back(label);
    return labels;
}

bool sums_no_terms(const tensor_network::Network& network) {
    for (const tensor_network::LabelIds& input : network.inputs)
        for (const tensor_network::LabelId label : input)
            if (network.extents[static_cast<std::size_t>(label)] == 0 && !contains(network.output, label))
                return true;
    return false;
}

Tensor run_plan(const EinsumPlan& plan, AlgebraExecutor& executor, std::span<const TensorRead> operands,
                const RunOptions& options) {
    if (!sums_no_terms(plan.network())) return plan.run(executor, operands, options);
    options.cancellation.check(kOp);
    check_operands(plan.network(), operands);
    Tensor result = executor.allocate(operands[0].dtype(), plan.output_shape());
    executor.fill_zero(result.write());
    return result;
}

bool needs_joint_labels(Algebra algebra, const tensor_network::Network& network, BackendSession& session,
                        std::span<const TensorRead> operands) {
    if (algebra != Algebra::MaxMul || operands.size() < 2) return false;
    const bool own =
        operands.size() == 2 && !(own_labels(network, 0).empty() && own_labels(network, 1).empty());
    if (operands.size() == 2 && !own) return false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::optional<Negative> negative = first_negative(session, operands[i]);
        if (!negative) continue;
        if (operands.size() == 2) return true;
        throw Error(ErrorKind::InvalidArgument, kOp,
                    text("operand ", i, " has ", negative->message(),
                         " but max-mul of three or more operands needs numbers that are not negative"));
    }
    return false;
}

Problem make_problem(Algebra algebra, const tensor_network::Network& network,
                     const tensor_network::ContractionTree& tree, BackendSession& session,
                     std::span<const TensorRead> operands) {
    check_operands(network, operands);
    Problem problem{network, tree, {}};
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Dims& dropped = network.dropped_axes[i];
        TensorRead view = operands[i];
        for (std::size_t axis = dropped.size(); axis-- > 0;) view = view.select_view(dropped[axis], 0);
        problem.operands.push_back(std::move(view));
    }
    if (!needs_joint_labels(algebra, network, session, operands)) return problem;
    const tensor_network::LabelIds own[] = {own_labels(network, 0), own_labels(network, 1)};
    for (std::size_t i = 0; i < 2; ++i) {
        Dims shape = problem.operands[i].shape(), axes;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) axes.push_back(static_cast<Index>(axis));
        for (const tensor_network::LabelId label : own[1 - i]) {
            shape.push_back(network.extents[static_cast<std::size_t>(label)]);
            problem.network.inputs[i].push_back(label);
        }
        problem.operands[i] = problem.operands[i].broadcast_view(shape, axes);
    }
    return problem;
}

Tensor einsum(Algebra algebra, const EinsumPlan& plan, BackendSession& session,
              std::span<const TensorRead> operands, const RunOptions& options) try {
    const CancellationScope scope(options.cancellation, kOp);
    if (operands.empty()) throw Error(ErrorKind::InvalidArgument, kOp, "there are no operands");
    Executor executor(algebra, operands[0].dtype(), session);
    if (algebra != Algebra::MaxMul || operands.size() == 1)
        return run_plan(plan, executor, operands, options);
    check_operands(plan.network(), operands);
    if (!needs_joint_labels(algebra, plan.network(), session, operands))
        return run_plan(plan, executor, operands, options);
    const Problem problem = make_problem(algebra, plan.network(), plan.tree(), session, operands);
    const TensorRead* const inputs[] = {&problem.operands[0], &problem.operands[1]};
    std::optional<Tensor> out;
    tensor_network::run(tensor_network::lower(problem.network, problem.tree), inputs, {&out, 1}, executor,
                        options);
    return std::move(*out);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kOp);
}

std::vector<Tensor> einsum_vjp(Algebra algebra, const EinsumPlan& plan, BackendSession& session,
                               std::span<const TensorRead> operands, const TensorRead& cotangent,
                               const RunOptions& options) try {
    const CancellationScope scope(options.cancellation, kOp);
    if (operands.empty()) throw Error(ErrorKind::InvalidArgument, kOp, "there are no operands");
    const DType dtype = operands[0].dtype();
    Executor executor(algebra, dtype, session);
    const Problem problem = make_problem(algebra, plan.network(), plan.tree(), session, operands);
    if (cotangent.dtype() != dtype)
        throw Error(ErrorKind::DTypeMismatch, kOp,
                    text("cotangent has dtype ", info(cotangent.dtype()).name, " but operand 0 has ",
                         info(dtype).name));
    check_same_shape(cotangent.shape(), plan.output_shape(), kOp, "cotangent", "the result");
    TensorRead pulled = cotangent;
    tensor_network::LabelIds output = problem.network.output;
    for (std::size_t axis = 0; axis < output.size();) {
        const auto first = std::find(output.begin(), output.begin() + static_cast<Index>(axis), output[axis]);
        if (first == output.begin() + static_cast<Index>(axis)) {
            ++axis;
            continue;
        }
        pulled = pulled.diagonal_view(first - output.begin(), static_cast<Index>(axis));
        output.erase(output.begin() + static_cast<Index>(axis));
    }
    const Numbering numbering(plan.network());
    const tensor_network::LabelIds& sliced = plan.sliced_labels();
    Words winners;
    if (!sums_no_terms(problem.network))
        winners = sliced.empty() ? find_winners(problem, numbering, executor, options).words
                                 : find_sliced_winners(problem, sliced, numbering, executor, options);
    return scatter(problem, numbering, winners, pulled, operands, executor);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kOp);
}

Tensor einsum(Algebra algebra, std::string_view subscripts, std::span<const TensorRead> operands,
              const RunOptions& options) {
    if (operands.empty()) throw Error(ErrorKind::InvalidArgument, kOp, "there are no operands");
    Engine& engine = default_engine();
    const auto plan = engine.plans().get(subscripts, tensor_network::Dialect::Strict, operands, options);
    return engine.backend().with_backend_session(
        [&](BackendSession& session) { return einsum(algebra, *plan, session, operands, options); });
}

std::vector<Tensor> einsum_vjp(Algebra algebra, std::string_view subscripts,
                               std::span<const TensorRead> operands, const TensorRead& cotangent,
                               const RunOptions& options) {
    if (operands.empty()) throw Error(ErrorKind::InvalidArgument, kOp, "there are no operands");
    Engine& engine = default_engine();
    const auto plan = engine.plans().get(subscripts, tensor_network::Dialect::Strict, operands, options);
    return engine.backend().with_backend_session([&](BackendSession& session) {
        return einsum_vjp(algebra, *plan, session, operands, cotangent, options);
    });
}

}  // namespace tropical
