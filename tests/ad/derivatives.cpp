// Tracing derivatives of samples and running programs.
#include "ad/derivatives.hpp"

#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro::ad {

namespace {

using Maybes = std::vector<std::optional<TracedTensor>>;

TracedTensor real_part(const TracedTensor& a) {
    if (a.dtype() == DType::C64) return cast(a, DType::F64);
    return a.dtype() == DType::C32 ? cast(a, DType::F32) : a;
}

TracedTensor like(const TracedTensor& a) { return TracedTensor::input(a.dtype(), a.meta().shape); }

struct Memory {
    std::vector<Tensor> tensors;
    std::vector<TensorRead> views;

    explicit Memory(std::span<const Value> values) {
        for (const Value& value : values) tensors.push_back(to_tensor(value));
        for (const Tensor& tensor : tensors) views.push_back(tensor.read());
    }
};

std::vector<Value> values_of(const std::vector<Tensor>& tensors) {
    std::vector<Value> values;
    for (const Tensor& tensor : tensors) values.push_back(to_value(tensor));
    return values;
}

}  // namespace

std::vector<TracedTensor> Derivatives::all_outputs() const {
    std::vector<TracedTensor> all{value, jvp};
    for (const std::vector<TracedTensor>* list : {&vjp, &grad, &hvp})
        all.insert(all.end(), list->begin(), list->end());
    return all;
}

std::vector<TracedTensor> Derivatives::all_inputs() const {
    std::vector<TracedTensor> all = operands;
    all.insert(all.end(), tangents.begin(), tangents.end());
    all.push_back(cotangent);
    all.push_back(weight);
    return all;
}

std::vector<TracedTensor> Derivatives::operands_and(const TracedTensor& more) const {
    std::vector<TracedTensor> inputs = operands;
    inputs.push_back(more);
    return inputs;
}

Derivatives differentiated(const Sample& sample, std::span<const DType> dtypes, std::span<const Dims> shapes,
                           const Active& active, bool symbolic) {
    std::vector<TracedTensor> operands, at, tangents;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        Dims extents = shapes[i];
        for (Index& extent : extents)
            if (symbolic && extent != 1) extent = kAnyExtent;
        operands.push_back(TracedTensor::input(dtypes[i], extents));
    }
    for (const std::size_t i : active) {
        at.push_back(operands[i]);
        tangents.push_back(like(operands[i]));
    }
    const TracedTensor value = sample.function(operands);
    const TracedTensor cotangent = like(value), weight = like(value);
    const TracedTensor loss = reduce_sum(real_part(weight * (value + value * value)));
    const Maybes along(tangents.begin(), tangents.end()), back{cotangent};
    return {operands,
            tangents,
            value,
            cotangent,
            weight,
            jvp({&value, 1}, at, along).front(),
            vjp({&value, 1}, at, back),
            grad(loss, at),
            hvp(loss, at, along)};
}

TracedTensor jvp_by_transposes(const Derivatives& traced) {
    const auto product = [&](std::size_t k) {
        return reduce_sum(real_part(conj(traced.vjp[k]) * traced.tangents[k]));
    };
    TracedTensor sum = product(0);
    for (std::size_t k = 1; k < traced.vjp.size(); ++k) sum = sum + cast(product(k), sum.dtype());
    return grad(sum, traced.cotangent);
}

std::vector<Value> run(const ExecProgram& program, TensorBackend& backend, std::span<const Value> inputs) {
    const Memory memory(inputs);
    return values_of(program.run(backend, memory.views));
}

std::vector<Value> run_unsegmented(const ExecProgram& program, TensorBackend& backend,
                                   std::span<const Value> inputs) {
    const Memory memory(inputs);
    return values_of(backend.with_backend_session(
        [&](BackendSession& session) { return program.run_unsegmented(session, memory.views); }));
}

TensorBackend& cpu() {
    static const auto backend = CpuBackend::with_threads(1);
    return *backend;
}

}  // namespace tenferro::ad
