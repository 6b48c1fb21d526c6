// Values: applying operations to eager and traced ones.
#include "value.hpp"

#include "tenferro/base/error.hpp"

namespace tenferro::python {

namespace {
thread_local Capture* innermost = nullptr;
}

const Tensor& Value::tensor(std::string_view op) const {
    if (is_traced())
        throw Error(ErrorKind::InvalidArgument, op,
                    "this tensor is being traced and has no elements yet; use functions of tenferro on it");
    return eager().value();
}

TracedTensor Value::traced() const {
    if (is_traced()) return std::get<TracedTensor>(held_);
    if (Capture* capture = Capture::current()) return capture->input_for(eager());
    return TracedTensor::constant(eager().value());
}

std::vector<Value> Value::apply_all(const StdTensorOp& op, std::span<const Value> inputs) const {
    bool traced_flow = inputs.empty() && is_traced();
    for (const Value& input : inputs) traced_flow = traced_flow || input.is_traced();
    std::vector<Value> results;
    const auto apply_to = [&]<class H>(std::vector<H> handles, const auto& call) {
        for (H& handle : call(std::span<const H>(handles))) results.emplace_back(std::move(handle));
    };
    if (traced_flow) {
        std::vector<TracedTensor> handles;
        for (const Value& input : inputs) handles.push_back(input.traced());
        apply_to(std::move(handles),
                 [&](std::span<const TracedTensor> list) { return TracedTensor::apply_all(op, list); });
    } else {
        std::vector<EagerTensor> handles;
        for (const Value& input : inputs) handles.push_back(input.eager());
        apply_to(std::move(handles),
                 [&](std::span<const EagerTensor> list) { return eager().apply_all(op, list); });
    }
    return results;
}

Capture::Capture() : outer_(innermost) { innermost = this; }
Capture::~Capture() { innermost = outer_; }
Capture* Capture::current() noexcept { return innermost; }

const EagerTensor* Capture::value_of(const GlobalValKey& input) noexcept {
    for (std::size_t i = 0; innermost != nullptr && i < innermost->inputs_.size(); ++i)
        if (innermost->inputs_[i].key().node() == input.node()) return &innermost->values_[i];
    return nullptr;
}

TracedTensor Capture::input_for(const EagerTensor& value) {
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (&values_[i].value() == &value.value()) return inputs_[i];
    inputs_.push_back(TracedTensor::input(value.dtype(), value.value().shape()));
    values_.push_back(value);
    return inputs_.back();
}

Dims shape_numbers(const Value& value, std::string_view op) {
    Dims shape;
    for (std::size_t axis = 0; axis < value.rank(); ++axis) {
        const auto number = value.extent(axis).constant();
        if (!number)
            throw Error(ErrorKind::Unsupported, op, "needs extents that are known when the graph is traced");
        shape.push_back(*number);
    }
    return shape;
}

}  // namespace tenferro::python
