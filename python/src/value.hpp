// Value: what a Python Tensor holds, a tensor whose elements are there (eager) or one that is going to be
// computed (traced). It is a handle of ops/functions.hpp, so that every function is bound once; where traced
// and eager ones meet, the eager ones become inputs of the trace.
#pragma once

#include <variant>
#include <vector>

#include "tenferro/api/evaluate.hpp"
#include "tenferro/api/extension.hpp"

namespace tenferro::python {

class Value {
public:
    /// Eager, on the default engine.
    explicit Value(Tensor tensor) : held_(tenferro::eager(std::move(tensor))) {}
    explicit Value(EagerTensor eager) : held_(std::move(eager)) {}
    explicit Value(TracedTensor traced) : held_(std::move(traced)) {}

    [[nodiscard]] bool is_traced() const noexcept { return std::holds_alternative<TracedTensor>(held_); }
    /// The elements. InvalidArgument in the name of `op` for a traced one, which has none yet.
    [[nodiscard]] const Tensor& tensor(std::string_view op) const;
    [[nodiscard]] const EagerTensor& eager() const { return std::get<EagerTensor>(held_); }
    /// As a traced one, see Capture.
    [[nodiscard]] TracedTensor traced() const;

    [[nodiscard]] DType dtype() const noexcept {
        return std::visit([](const auto& held) { return held.dtype(); }, held_);
    }
    [[nodiscard]] std::size_t rank() const noexcept {
        return std::visit([](const auto& held) { return held.rank(); }, held_);
    }
    [[nodiscard]] SymDim extent(std::size_t axis) const {
        return std::visit([&](const auto& held) -> SymDim { return held.extent(axis); }, held_);
    }

    [[nodiscard]] std::vector<Value> apply_all(const StdTensorOp& op, std::span<const Value> inputs) const;
    [[nodiscard]] Value apply(const StdTensorOp& op, std::span<const Value> inputs) const {
        return apply_all(op, inputs).front();
    }
    [[nodiscard]] Value apply(const StdTensorOp& op, std::initializer_list<Value> inputs) const {
        return apply(op, std::span(inputs.begin(), inputs.size()));
    }

private:
    std::variant<EagerTensor, TracedTensor> held_;
};

/// While it lives, eager tensors that meet traced ones on this thread become inputs of the graph, each once,
/// whose values it keeps. Captures nest: the innermost one counts. Without one they become constants.
class Capture {
public:
    Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture();

    [[nodiscard]] TracedTensor input_for(const EagerTensor& value);
    [[nodiscard]] static Capture* current() noexcept;
    /// What the innermost one keeps for an input; null where it is no input of its.
    [[nodiscard]] static const EagerTensor* value_of(const GlobalValKey& input) noexcept;
    [[nodiscard]] const std::vector<TracedTensor>& inputs() const noexcept { return inputs_; }
    [[nodiscard]] const std::vector<EagerTensor>& values() const noexcept { return values_; }

private:
    Capture* outer_;
    std::vector<TracedTensor> inputs_;
    std::vector<EagerTensor> values_;
};

/// The extents as numbers. Unsupported in the name of `op` where one is only known at run time.
[[nodiscard]] Dims shape_numbers(const Value& value, std::string_view op);

}  // namespace tenferro::python

namespace tenferro { inline namespace TENFERRO_ABI { namespace extension {
/// What functions of extensions (linalg/functions.hpp) call on Python's handles.
[[nodiscard]] inline std::vector<python::Value> apply(std::shared_ptr<const ExtensionOp> op,
                                                      std::span<const python::Value> inputs) {
    return inputs.front().apply_all(tensor_ops::Extension(std::move(op)), inputs);
}
}}}  // namespace tenferro::TENFERRO_ABI::extension
