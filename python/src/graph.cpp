// A graph has inputs like the arguments, and inputs for the eager tensors that the function met on its way,
// whose values it keeps. Derivatives are graphs with the inputs of the function and more.
#include "graph.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arithmetic.hpp"
#include "interrupt.hpp"
#include "replay.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/linalg/operations.hpp"
#include "tenferro/runtime/graph_json.hpp"

namespace tenferro::python {

namespace {

using Tracers = std::vector<TracedTensor>;

std::vector<Value> values_of(nb::handle objects) {
    std::vector<Value> values;
    for (const nb::handle object : objects) values.push_back(as_value(object));
    return values;
}

Tracers inputs_like(const std::vector<Value>& values) {
    Tracers inputs;
    for (const Value& value : values) inputs.push_back(TracedTensor::input(value.dtype(), shape_of(value)));
    return inputs;
}

std::vector<std::optional<TracedTensor>> present(const Tracers& values) {
    return {values.begin(), values.end()};
}

/// `outputs` with each of `inputs` replaced by the value of the same place. Inputs of the graph around stay
/// what they are.
Tracers replaced(const Tracers& outputs, const Tracers& inputs, const Tracers& by) {
    if (outputs.empty()) return {};
    return replayed(outputs, inputs, by, outputs.front(),
                    [](const GlobalValKey& key) { return TracedTensor(key); });
}

/// A compiled graph.
class Program {
public:
    Program(std::shared_ptr<const ExecProgram> program, std::vector<EagerTensor> kept)
        : program_(std::move(program)), kept_(std::move(kept)) {}

    [[nodiscard]] std::vector<Value> run(const std::vector<Value>& values) const {
        std::vector<TensorRead> views;
        bool is_long = false;
        for (const Value& value : values) views.push_back(value.tensor("program").read());
        for (const EagerTensor& value : kept_) views.push_back(value.value().read());
        for (const TensorRead& view : views) is_long = is_long || view.size() >= kLongElements;
        std::vector<Tensor> results = unlocked(is_long || program_->instructions().size() > 50, [&] {
            return program_->run(default_engine().backend(), std::span<const TensorRead>(views));
        });
        std::vector<Value> made;
        for (Tensor& result : results) made.emplace_back(std::move(result));
        return made;
    }
    [[nodiscard]] std::string text() const { return program_->text(); }
    [[nodiscard]] std::size_t inputs() const noexcept { return program_->inputs().size() - kept_.size(); }

private:
    std::shared_ptr<const ExecProgram> program_;
    std::vector<EagerTensor> kept_;
};

nb::list give_all(std::vector<Value> values, Library library) {
    nb::list list;
    for (Value& value : values) list.append(give_own(std::move(value), library));
    return list;
}

class Graph {
public:
    /// f takes and returns a list of tensors.
    Graph(nb::handle f, nb::handle arguments) {
        const std::vector<Value> values = values_of(arguments);
        inputs_ = inputs_like(values);
        std::optional<Capture> own;
        if (Capture::current() == nullptr) own.emplace();
        nb::list handles;
        for (const TracedTensor& input : inputs_) handles.append(nb::cast(Value(input)));
        for (const nb::handle output : f(handles)) outputs_.push_back(as_value(output).traced());
        if (own) {
            captured_ = own->inputs();
            kept_ = own->values();
        }
    }

    /// Of the first output, a real number, with respect to every input; the outputs follow.
    [[nodiscard]] Graph value_and_grad() const {
        Graph made = *this;
        made.outputs_ = grad(outputs_.at(0), std::span<const TracedTensor>(inputs_));
        made.outputs_.insert(made.outputs_.end(), outputs_.begin(), outputs_.end());
        return made;
    }
    /// Inputs: those of the function and a tangent of each. Outputs: their tangents, then themselves.
    [[nodiscard]] Graph jvp() const {
        return with_more_inputs(
            inputs_, [&](const Tracers& more) { return tenferro::jvp(outputs_, inputs_, present(more)); });
    }
    /// Inputs: those of the function and a cotangent of each output. Outputs: the inputs' cotangents, then
    /// the outputs.
    [[nodiscard]] Graph vjp() const {
        return with_more_inputs(
            outputs_, [&](const Tracers& more) { return tenferro::vjp(outputs_, inputs_, present(more)); });
    }
    /// Inputs: those of the function and a vector for each. Outputs: the Hessian of the first output times
    /// the vectors, then the outputs.
    [[nodiscard]] Graph hvp() const {
        return with_more_inputs(inputs_, [&](const Tracers& more) {
            return tenferro::hvp(outputs_.at(0), inputs_, present(more));
        });
    }

    [[nodiscard]] Program compiled() const {
        Tracers all = inputs_;
        all.insert(all.end(), captured_.begin(), captured_.end());
        return {tenferro::compile(outputs_, std::span<const TracedTensor>(all)), kept_};
    }
    /// The outputs at `arguments`: run, or inside another trace put into it. Each is an array of the library
    /// of the one in `like` at its place; further ones are Tensors.
    [[nodiscard]] nb::list at(nb::handle arguments, nb::handle like) const {
        std::vector<Value> values = values_of(arguments);
        if (values.size() != inputs_.size())
            throw Error(ErrorKind::InvalidArgument, "graph",
                        text("got ", values.size(), " arguments for ", inputs_.size(), " inputs"));
        std::vector<Library> libraries;
        for (const nb::handle one : like) libraries.push_back(library_of(one));
        nb::list results;
        const auto append = [&](Value result) {
            const std::size_t place = nb::len(results);
            results.append(
                give_own(std::move(result), place < libraries.size() ? libraries[place] : Library::None));
        };
        if (Capture::current() == nullptr) {
            for (Value& result : compiled().run(values)) append(std::move(result));
            return results;
        }
        Tracers by;
        for (const Value& value : values) by.push_back(value.traced());
        for (TracedTensor& result : replaced(outputs_, inputs_, by)) append(Value(std::move(result)));
        return results;
    }
    /// As JSON; the tensors that it keeps become constants.
    [[nodiscard]] std::string json() const {
        Tracers by = inputs_, from = inputs_;
        from.insert(from.end(), captured_.begin(), captured_.end());
        for (const EagerTensor& value : kept_) by.push_back(TracedTensor::constant(value.value()));
        std::vector<GlobalValKey> wanted, given;
        for (const TracedTensor& output : replaced(outputs_, from, by)) wanted.push_back(output.key());
        for (const TracedTensor& input : inputs_) given.push_back(input.key());
        return graph_runtime::graph_to_json({op_graph::materialise<StdTensorOp>(wanted, given).graph, {}});
    }
    [[nodiscard]] nb::list output_descriptions() const {
        nb::list list;
        for (const TracedTensor& output : outputs_) list.append(nb::cast(Value(output)));
        return list;
    }

private:
    template <class F>
    [[nodiscard]] Graph with_more_inputs(const Tracers& like, const F& derive) const {
        Graph made = *this;
        std::vector<Value> described;
        for (const TracedTensor& value : like) described.emplace_back(value);
        const Tracers more = inputs_like(described);
        made.outputs_ = derive(more);
        made.outputs_.insert(made.outputs_.end(), outputs_.begin(), outputs_.end());
        made.inputs_.insert(made.inputs_.end(), more.begin(), more.end());
        return made;
    }

    Tracers inputs_, outputs_, captured_;
    std::vector<EagerTensor> kept_;
};

Program program_from_json(const std::string& json) {
    linalg::register_operations();  // a process that reads graphs may have made none
    auto read = graph_runtime::graph_from_json(json);
    return {graph_runtime::compile_std_to_exec(std::move(read.graph), std::move(read.guards)), {}};
}

nb::list run_program(const Program& program, const nb::args& operands) {
    Arguments arguments;
    std::vector<Value> values;
    for (const nb::handle operand : operands) values.push_back(arguments.take(operand));
    return give_all(program.run(values), arguments.library());
}

}  // namespace

void bind_graph(nb::module_& module) {
    nb::class_<Program>(module, "Program", "A compiled graph; program(*arrays) returns a list of arrays.")
        .def("__call__", run_program, nb::arg("arrays"))
        .def_static("from_json", program_from_json, nb::arg("text"),
                    "From what Graph.to_json wrote. ValueError for text that is no graph.")
        .def("__str__", &Program::text);
    nb::class_<Graph>(module, "Graph",
                      "A function of tensors as a graph: Graph(f, arrays), where f takes and returns lists.")
        .def(nb::init<nb::handle, nb::handle>(), nb::arg("f"), nb::arg("arrays"))
        .def("__call__", &Graph::at, nb::arg("arrays"), nb::arg("like") = nb::tuple(),
             "The outputs for these inputs, as arrays of the libraries of like; others are Tensors.")
        .def("value_and_grad", &Graph::value_and_grad, "The gradients of the first output, then the outputs.")
        .def("jvp", &Graph::jvp, "Of inputs and tangents: the outputs' tangents, then the outputs.")
        .def("vjp", &Graph::vjp, "Of inputs and cotangents: the inputs' cotangents, then the outputs.")
        .def("hvp", &Graph::hvp, "Of inputs and vectors: the Hessian times them, then the outputs.")
        .def("compile", &Graph::compiled, "The program that computes it.")
        .def("to_json", &Graph::json, "As text, for other processes and languages.")
        .def_prop_ro("outputs", &Graph::output_descriptions, "Traced tensors like the outputs.");
    module.def("_is_tracing", [] { return Capture::current() != nullptr; });
}

}  // namespace tenferro::python
