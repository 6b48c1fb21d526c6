// Tracing derivatives of samples and running programs.
#include "testing/derivatives.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace gradcheck {

namespace {

using Maybes = std::vector<std::optional<TracedTensor>>;

TracedTensor real_part(const TracedTensor& a) {
    if (a.dtype() == DType::C64) return cast(a, DType::F64);
    return a.dtype() == DType::C32 ? cast(a, DType::F32) : a;
}

Traced like(const Traced& values) {
    Traced inputs;
    for (const TracedTensor& a : values) inputs.push_back(TracedTensor::input(a.dtype(), a.meta().shape));
    return inputs;
}

/// The sum of f(k) for k < count, which has the dtype of the first.
template <class F>
TracedTensor sum(std::size_t count, F&& f) {
    TracedTensor total = f(std::size_t{0});
    for (std::size_t k = 1; k < count; ++k) total = total + cast(f(k), total.dtype());
    return total;
}

void append(Traced& all, const Traced& more) { all.insert(all.end(), more.begin(), more.end()); }

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
    values.reserve(tensors.size());
    for (const Tensor& tensor : tensors) values.push_back(to_value(tensor));
    return values;
}

}  // namespace

Traced Derivatives::all_outputs() const {
    Traced all;
    for (const Traced* list : {&values, &jvp, &vjp, &grad, &hvp}) append(all, *list);
    return all;
}

Traced Derivatives::all_inputs() const {
    Traced all;
    for (const Traced* list : {&operands, &tangents, &cotangents, &weights}) append(all, *list);
    return all;
}

Traced Derivatives::operands_and(const Traced& more) const {
    Traced inputs = operands;
    append(inputs, more);
    return inputs;
}

Derivatives differentiated(const Sample& sample, std::span<const DType> dtypes, std::span<const Dims> shapes,
                           const Active& active, bool symbolic) {
    Derivatives traced;
    Traced at;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        Dims extents = shapes[i];
        for (Index& extent : extents)
            if (symbolic && extent != 1) extent = kAnyExtent;
        traced.operands.push_back(TracedTensor::input(dtypes[i], extents));
    }
    for (const std::size_t i : active) at.push_back(traced.operands[i]);
    traced.tangents = like(at);
    for (const TracedTensor& result : sample.function(traced.operands))
        if (info(result.dtype()).is_float || info(result.dtype()).is_complex) traced.values.push_back(result);
    if (traced.values.empty())
        throw Error(ErrorKind::InvalidArgument, "gradcheck", "the function has no result with derivatives");
    const Traced& y = traced.values;
    traced.cotangents = like(y);
    traced.weights = like(y);
    const TracedTensor loss = sum(y.size(), [&](std::size_t k) {
        return reduce_sum(real_part(traced.weights[k] * (y[k] + y[k] * y[k])));
    });
    const Maybes along(traced.tangents.begin(), traced.tangents.end()),
        back(traced.cotangents.begin(), traced.cotangents.end());
    traced.jvp = jvp(y, at, along);
    traced.vjp = vjp(y, at, back);
    traced.grad = grad(loss, at);
    traced.hvp = hvp(loss, at, along);
    return traced;
}

Traced jvp_by_transposes(const Derivatives& traced) {
    const TracedTensor product = sum(traced.vjp.size(), [&](std::size_t k) {
        return reduce_sum(real_part(conj(traced.vjp[k]) * traced.tangents[k]));
    });
    return grad(product, traced.cotangents);
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

}}}  // namespace tenferro::TENFERRO_ABI::gradcheck
