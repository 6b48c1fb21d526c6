// Running slices: parts that are shared by all of them first, then the slices. The derivatives follow the
// same loop: a tangent is sliced like its operand; a gradient is added up over the slices that its operand
// takes part in.
#include <algorithm>
#include <utility>

#include "einsum/extents.hpp"
#include "einsum/session_executor.hpp"
#include "einsum/slicing/at_values.hpp"
#include "einsum/slicing/slicing.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Adds `term` to the part of `sum` at the given values; an absent sum is zero.
void add_at(BackendSession& session, std::optional<Tensor>& sum, const Network& network,
            const LabelIds& labels, const std::vector<Index>& values, Tensor term) {
    const bool whole = term.rank() == labels.size();
    if (whole) {
        sum = sum ? session.add(std::move(*sum), std::move(term)) : std::move(term);
        return;
    }
    if (!sum) sum = session.zeros(term.dtype(), shape_of(labels, network.extents));
    const TensorWrite place = at_values(sum->write(), labels, values);
    const Tensor added = session.add_read(place, term);
    session.to_contiguous_into(added, place);
}

/// Runs a program on views that may be absent.
std::vector<std::optional<Tensor>> run_on(const Program& program,
                                          const std::vector<std::optional<TensorRead>>& views,
                                          PairwiseExecutor& executor, const CancellationToken& cancellation) {
    std::vector<const TensorRead*> inputs;
    for (const auto& view : views) inputs.push_back(view ? &*view : nullptr);
    std::vector<std::optional<Tensor>> outputs(program.outputs.size());
    tensor_network::run(program, inputs, outputs, executor, {.cancellation = cancellation});
    return outputs;
}

/// A tensor of the executor's zeros, which are its sums of nothing.
Tensor zeros(PairwiseExecutor& executor, DType dtype, const Dims& shape) {
    Dims nothing = shape;
    nothing.push_back(0);
    const Index last = static_cast<Index>(shape.size());
    const Tensor none = executor.allocate(dtype, nothing);
    Tensor result = executor.allocate(dtype, shape);
    executor.sum(none, {&last, 1}, result.write());
    return result;
}

}  // namespace

SlicedPrograms::SlicedPrograms(const Network& network, const SlicedTree& sliced)
    : network_(network),
      sliced_(slice(network, sliced.tree, sliced.labels)),
      inner_(lower(sliced_.inner, sliced_.tree)),
      concurrent_(sliced.concurrent) {
    for (const SlicedNetwork::Part& part : sliced_.parts) parts_.push_back(lower(part.network, part.tree));
    summed_slices_ = element_count(shape_of(sliced_.summed, network_.extents), "einsum");
    slices_ = element_count(shape_of(sliced.labels, network_.extents), "einsum");
}

SlicedPrograms::Views SlicedPrograms::part_inputs(std::size_t part, Inputs operands) const {
    Views inputs;
    for (const int operand : sliced_.parts[part].operands)
        inputs.push_back(operands[static_cast<std::size_t>(operand)]);
    return inputs;
}

SlicedPrograms::Views SlicedPrograms::source_views(Inputs operands, const Values& parts) const {
    Views views;
    for (const SlicedNetwork::Source& source : sliced_.sources) {
        if (source.operand >= 0) {
            views.push_back(operands[static_cast<std::size_t>(source.operand)]);
            continue;
        }
        const std::optional<Tensor>& value = parts[static_cast<std::size_t>(source.part)];
        views.push_back(value ? std::optional<TensorRead>(value->read()) : std::nullopt);
    }
    return views;
}

SlicedPrograms::Values SlicedPrograms::run_parts(PairwiseExecutor& executor, Inputs operands,
                                                 const CancellationToken& cancellation) const {
    Values values;
    for (std::size_t p = 0; p < parts_.size(); ++p)
        values.push_back(std::move(run_on(parts_[p], part_inputs(p, operands), executor, cancellation)[0]));
    return values;
}

/// The values of the sliced labels, by label; -1 for all others. Those of summed labels vary fastest.
std::vector<Index> SlicedPrograms::values_of(Index slice) const {
    std::vector<Index> values(network_.extents.size(), -1);
    for (const LabelIds* labels : {&sliced_.summed, &sliced_.kept})
        for (const LabelId label : *labels) {
            const Index extent = network_.extents[static_cast<std::size_t>(label)];
            values[static_cast<std::size_t>(label)] = slice % extent;
            slice /= extent;
        }
    return values;
}

void SlicedPrograms::tell(const RunOptions& options, Index slices, std::size_t steps) const {
    if (options.progress != nullptr)
        (*options.progress)(static_cast<std::size_t>(slices) * steps,
                            static_cast<std::size_t>(slices_) * steps);
}

/// Calls compute(session, values) for every slice, several at once where there is room, and then take(slice,
/// values, result) in order. Each is told as `steps` steps.
template <class Compute, class Take>
void SlicedPrograms::for_each_slice(BackendSession& session, const RunOptions& options, std::size_t steps,
                                    const Compute& compute, const Take& take) const {
    tell(options, 0, steps);
    const Index width = concurrent_ >= session.concurrency() ? session.concurrency() : 1;
    for (Index first = 0; first < slices_; first += width) {
        std::vector<Values> results(static_cast<std::size_t>(std::min(width, slices_ - first)));
        const auto run_one = [&](Index i, BackendSession& own) {
            results[static_cast<std::size_t>(i)] = compute(own, values_of(first + i));
        };
        if (results.size() == 1)
            run_one(0, session);
        else
            session.run_concurrently(static_cast<Index>(results.size()), run_one);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const Index slice = first + static_cast<Index>(i);
            take(slice, values_of(slice), std::move(results[i]));
            tell(options, slice + 1, steps);
        }
    }
}

SlicedPrograms::Views SlicedPrograms::at(const Views& views, const std::vector<Index>& values) const {
    Views sliced;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const LabelIds& labels = sliced_.sources[i % sliced_.sources.size()].labels;
        sliced.push_back(views[i] ? std::optional<TensorRead>(at_values(*views[i], labels, values))
                                  : std::nullopt);
    }
    return sliced;
}

std::optional<Tensor> SlicedPrograms::add_up(BackendSession& session, const Program& program,
                                             const Views& views, const RunOptions& options) const {
    const auto compute = [&](BackendSession& own, const std::vector<Index>& values) {
        SessionExecutor executor(own);
        return run_on(program, at(views, values), executor, options.cancellation);
    };
    std::optional<Tensor> result, sum;
    const auto take = [&](Index slice, const std::vector<Index>& values, Values terms) {
        if (terms[0]) sum = sum ? session.add(std::move(*sum), std::move(*terms[0])) : std::move(terms[0]);
        if ((slice + 1) % summed_slices_ != 0 || !sum) return;
        if (sliced_.kept.empty()) {
            result = std::move(sum);
            return;
        }
        if (!result) result = session.zeros(sum->dtype(), shape_of(network_.output, network_.extents));
        session.to_contiguous_into(*sum, at_values(result->write(), network_.output, values));
        sum.reset();
    };
    for_each_slice(session, options, program.steps.size(), compute, take);
    return result;
}

Tensor SlicedPrograms::run(BackendSession& session, Inputs operands, const RunOptions& options) const {
    SessionExecutor executor(session);
    const Values parts = run_parts(executor, operands, options.cancellation);
    return std::move(*add_up(session, inner_, source_views(operands, parts), options));
}

Tensor SlicedPrograms::run(PairwiseExecutor& executor, Inputs operands, const RunOptions& options) const {
    const Values parts = run_parts(executor, operands, options.cancellation);
    const Views views = source_views(operands, parts);
    const DType dtype = operands[0]->dtype();
    const Dims shape = shape_of(network_.output, network_.extents);
    tell(options, 0, inner_.steps.size());
    Tensor result;
    std::optional<Tensor> sum;
    for (Index slice = 0; slice < slices_; ++slice) {
        const std::vector<Index> values = values_of(slice);
        Values terms = run_on(inner_, at(views, values), executor, options.cancellation);
        if (sum) {
            Tensor joined = executor.allocate(dtype, sum->shape());
            executor.add(*sum, *terms[0], joined.write());
            sum = std::move(joined);
        } else {
            sum = std::move(terms[0]);
        }
        tell(options, slice + 1, inner_.steps.size());
        if ((slice + 1) % summed_slices_ != 0) continue;
        if (sliced_.kept.empty()) return std::move(*sum);
        if (slice < summed_slices_) result = zeros(executor, dtype, shape);
        executor.copy(*sum, at_values(result.write(), network_.output, values));
        sum.reset();
    }
    return result;
}

std::optional<Tensor> SlicedPrograms::jvp(BackendSession& session, Inputs inputs,
                                          const RunOptions& options) const {
    const std::size_t n = network_.inputs.size();
    const Inputs primals = inputs.first(n), tangents = inputs.subspan(n);
    SessionExecutor executor(session);
    const Values parts = run_parts(executor, primals, options.cancellation);
    Values part_tangents;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        Views both = part_inputs(p, primals);
        for (const auto& tangent : part_inputs(p, tangents)) both.push_back(tangent);
        part_tangents.push_back(
            std::move(run_on(jvp_program(parts_[p]), both, executor, options.cancellation)[0]));
    }
    Views views = source_views(primals, parts);
    for (const auto& view : source_views(tangents, part_tangents)) views.push_back(view);
    return add_up(session, jvp_program(inner_), views, options);
}

std::vector<std::optional<Tensor>> SlicedPrograms::vjp(BackendSession& session, Inputs inputs,
                                                       const RunOptions& options) const {
    const Inputs operands = inputs.first(network_.inputs.size());
    const TensorRead& cotangent = *inputs.back();
    SessionExecutor whole(session);
    const Values parts = run_parts(whole, operands, options.cancellation);
    const Views views = source_views(operands, parts);
    const Program program = vjp_program(inner_);
    const auto compute = [&](BackendSession& own, const std::vector<Index>& values) {
        SessionExecutor executor(own);
        Views slices = at(views, values);
        slices.emplace_back(at_values(cotangent, network_.output, values));
        return run_on(program, slices, executor, options.cancellation);
    };
    Values flows(sliced_.sources.size());
    const auto take = [&](Index, const std::vector<Index>& values, Values terms) {
        for (std::size_t s = 0; s < terms.size(); ++s)
            add_at(session, flows[s], network_, sliced_.sources[s].labels, values, std::move(*terms[s]));
    };
    for_each_slice(session, options, program.steps.size(), compute, take);
    return part_flows(session, operands, std::move(flows), options.cancellation);
}

/// From the flows of the sources to those of the operands.
SlicedPrograms::Values SlicedPrograms::part_flows(BackendSession& session, Inputs operands, Values sources,
                                                  const CancellationToken& cancellation) const {
    SessionExecutor executor(session);
    Values flows(network_.inputs.size());
    for (std::size_t s = 0; s < sources.size(); ++s) {
        const SlicedNetwork::Source& source = sliced_.sources[s];
        if (source.operand >= 0) {
            flows[static_cast<std::size_t>(source.operand)] = std::move(sources[s]);
            continue;
        }
        const auto part = static_cast<std::size_t>(source.part);
        Views given = part_inputs(part, operands);
        given.emplace_back(sources[s]->read());
        Values gradients = run_on(vjp_program(parts_[part]), given, executor, cancellation);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            flows[static_cast<std::size_t>(sliced_.parts[part].operands[i])] = std::move(gradients[i]);
    }
    return flows;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
