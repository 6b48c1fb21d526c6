// Running slices whose values carry a power of two each: sums of slices are brought to one exponent first.
#include <utility>

#include "einsum/extents.hpp"
#include "einsum/scaled_run.hpp"
#include "einsum/scaling.hpp"
#include "einsum/slicing/at_values.hpp"
#include "einsum/slicing/slicing.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

std::vector<std::optional<ScaledTensor>> run_on(const Program& program,
                                                const std::vector<std::optional<TensorRead>>& views,
                                                std::span<const std::int64_t> exponents,
                                                BackendSession& session, const RunOptions& options) {
    std::vector<const TensorRead*> inputs;
    for (const auto& view : views) inputs.push_back(view ? &*view : nullptr);
    return run_scaled(program, inputs, exponents, session, {.cancellation = options.cancellation});
}

/// Adds `term` to the part of `whole` at the given values; an absent whole is zero.
void add_at(BackendSession& session, std::optional<ScaledTensor>& whole, const Network& network,
            const LabelIds& labels, const std::vector<Index>& values, ScaledTensor term) {
    if (term.mantissa.rank() == labels.size()) return add_to(session, whole, std::move(term));
    if (!whole)
        whole = {session.zeros(term.mantissa.dtype(), shape_of(labels, network.extents)), term.exponent};
    align(session, *whole, term);
    const TensorWrite place = at_values(whole->mantissa.write(), labels, values);
    const Tensor added = session.add_read(place, term.mantissa);
    session.to_contiguous_into(added, place);
}

}  // namespace

void SlicedPrograms::ScaledParts::push_back(std::optional<ScaledTensor> value) {
    exponents.push_back(value ? value->exponent : 0);
    mantissas.push_back(value ? std::optional<Tensor>(std::move(value->mantissa)) : std::nullopt);
}

SlicedPrograms::ScaledParts SlicedPrograms::scaled_parts(BackendSession& session, Inputs operands,
                                                         const RunOptions& options) const {
    ScaledParts parts;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Views views = part_inputs(p, operands);
        parts.push_back(std::move(run_on(parts_[p], views, Exponents(views.size(), 0), session, options)[0]));
    }
    return parts;
}

void SlicedPrograms::append_exponents(const ScaledParts& parts, Exponents& exponents) const {
    for (const SlicedNetwork::Source& source : sliced_.sources)
        exponents.push_back(source.part < 0 ? 0 : parts.exponents[static_cast<std::size_t>(source.part)]);
}

template <class Take>
void SlicedPrograms::each_scaled_slice(BackendSession& session, const Program& program, const Views& views,
                                       const TensorRead* cotangent, const Exponents& exponents,
                                       const RunOptions& options, const Take& take) const {
    tell(options, 0, program.steps.size());
    for (Index slice = 0; slice < slices_; ++slice) {
        const std::vector<Index> values = values_of(slice);
        Views inputs = at(views, values);
        if (cotangent != nullptr) inputs.emplace_back(at_values(*cotangent, network_.output, values));
        take(values, run_on(program, inputs, exponents, session, options));
        tell(options, slice + 1, program.steps.size());
    }
}

std::optional<ScaledTensor> SlicedPrograms::add_up_scaled(BackendSession& session, const Program& program,
                                                          const Views& views, const Exponents& exponents,
                                                          const RunOptions& options) const {
    std::optional<ScaledTensor> result;
    each_scaled_slice(session, program, views, nullptr, exponents, options,
                      [&](const std::vector<Index>& values, ScaledValues terms) {
                          if (terms[0])
                              add_at(session, result, network_, network_.output, values,
                                     std::move(*terms[0]));
                      });
    if (result) result = normalised(session, std::move(*result));
    return result;
}

ScaledTensor SlicedPrograms::run_scaled(BackendSession& session, Inputs operands,
                                        const RunOptions& options) const {
    const ScaledParts parts = scaled_parts(session, operands, options);
    Exponents exponents;
    append_exponents(parts, exponents);
    return std::move(
        *add_up_scaled(session, inner_, source_views(operands, parts.mantissas), exponents, options));
}

std::optional<ScaledTensor> SlicedPrograms::jvp_scaled(BackendSession& session, Inputs inputs,
                                                       const RunOptions& options) const {
    const std::size_t n = network_.inputs.size();
    const Inputs primals = inputs.first(n), tangents = inputs.subspan(n);
    const ScaledParts parts = scaled_parts(session, primals, options);
    ScaledParts part_tangents;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        Views both = part_inputs(p, primals);
        for (const auto& tangent : part_inputs(p, tangents)) both.push_back(tangent);
        part_tangents.push_back(
            std::move(run_on(jvp_program(parts_[p]), both, Exponents(both.size(), 0), session, options)[0]));
    }
    Views views = source_views(primals, parts.mantissas);
    for (const auto& view : source_views(tangents, part_tangents.mantissas)) views.push_back(view);
    Exponents exponents;
    append_exponents(parts, exponents);
    append_exponents(part_tangents, exponents);
    return add_up_scaled(session, jvp_program(inner_), views, exponents, options);
}

std::vector<std::optional<ScaledTensor>> SlicedPrograms::vjp_scaled(BackendSession& session, Inputs inputs,
                                                                    std::int64_t cotangent_exponent,
                                                                    const RunOptions& options) const {
    const Inputs operands = inputs.first(network_.inputs.size());
    const ScaledParts parts = scaled_parts(session, operands, options);
    Exponents exponents;
    append_exponents(parts, exponents);
    exponents.push_back(cotangent_exponent);
    ScaledValues sources(sliced_.sources.size()), flows(operands.size());
    each_scaled_slice(session, vjp_program(inner_), source_views(operands, parts.mantissas), &*inputs.back(),
                      exponents, options, [&](const std::vector<Index>& values, ScaledValues terms) {
                          for (std::size_t s = 0; s < terms.size(); ++s)
                              add_at(session, sources[s], network_, sliced_.sources[s].labels, values,
                                     std::move(*terms[s]));
                      });
    for (std::size_t s = 0; s < sources.size(); ++s) {
        const SlicedNetwork::Source& source = sliced_.sources[s];
        ScaledTensor flow = normalised(session, std::move(*sources[s]));
        if (source.operand >= 0) {
            flows[static_cast<std::size_t>(source.operand)] = std::move(flow);
            continue;
        }
        const auto part = static_cast<std::size_t>(source.part);
        Views given = part_inputs(part, operands);
        Exponents given_exponents(given.size(), 0);
        given.emplace_back(flow.mantissa.read());
        given_exponents.push_back(flow.exponent);
        ScaledValues gradients = run_on(vjp_program(parts_[part]), given, given_exponents, session, options);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            flows[static_cast<std::size_t>(sliced_.parts[part].operands[i])] = std::move(gradients[i]);
    }
    return flows;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
