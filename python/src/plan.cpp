// Plans of einsums: called, differentiated, described.
#include "plan.hpp"

#include <algorithm>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "errors.hpp"
#include "interrupt.hpp"
#include "numbers.hpp"
#include "operands.hpp"
#include "planning.hpp"
#include "promotion.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

/// Shapes of what `operands` are: arrays, whose elements `views` gets, or tuples of extents.
std::vector<Dims> shapes_of(nb::handle operands, std::vector<TensorRead>& views) {
    std::vector<Dims> shapes;
    for (const nb::handle operand : operands) {
        if (PyTuple_Check(operand.ptr()) != 0 || PyList_Check(operand.ptr()) != 0) {
            shapes.push_back(integers_from(operand, "plan", "an extent"));
            continue;
        }
        const Value value = as_value(operand);
        shapes.push_back(shape_numbers(value, "plan"));
        if (!value.is_traced()) views.push_back(value.tensor("plan").read());
    }
    return shapes;
}

class Plan {
    template <class Operands>
    [[nodiscard]] static std::vector<Value> take(Arguments& arguments, const Operands& operands) {
        std::vector<Value> values;
        for (const nb::handle operand : operands) values.push_back(arguments.take(operand));
        for (const Value& value : values)
            if (value.is_traced())
                throw Error(ErrorKind::InvalidArgument, "plan",
                            "an operand is being traced: use tenferro.einsum() or contract() there");
        promote(values);
        return values;
    }
    [[nodiscard]] static std::vector<TensorRead> reads(const std::vector<Value>& values) {
        std::vector<TensorRead> views;
        for (const Value& value : values) views.push_back(value.tensor("plan").read());
        return views;
    }
    /// A cotangent or tangent in the dtype of the operands, where that holds it.
    [[nodiscard]] static Value beside(const std::vector<Value>& operands, Value value) {
        const DType dtype = operands.empty() ? value.dtype() : operands.front().dtype();
        return promoted(dtype, value.dtype()) == dtype ? in_dtype(value, dtype) : value;
    }
    /// A tensor with the axes of the caller's result as the engine has them.
    [[nodiscard]] TensorRead forward_axes(const TensorRead& a) const {
        return expression_.is_reversed() ? a.transpose_view(backwards(a.rank())) : a;
    }
    template <class F>
    [[nodiscard]] auto in_session(bool is_long, const F& f) const {
        return unlocked(is_long, [&] { return default_engine().backend().with_backend_session(f); });
    }

public:
    Plan(std::string text, std::vector<Dims> shapes, Expression expression)
        : text_(std::move(text)), shapes_(std::move(shapes)), expression_(std::move(expression)) {}

    [[nodiscard]] nb::object run(std::span<PyObject* const> operands) const {
        if (const std::optional<Borrowed> borrowed = borrow(operands))
            return expression_.give(expression_.run(borrowed->views), borrowed->library);
        Arguments arguments;
        const std::vector<Value> values = take(arguments, operands);
        return expression_.give(expression_.run(reads(values)), arguments.library());
    }

    /// As run, telling progress(done, total) at the beginning and after every step; what it raises ends the
    /// run.
    [[nodiscard]] nb::object watched(const nb::args& operands, nb::handle progress) const {
        if (PyCallable_Check(progress.ptr()) == 0)
            throw Error(ErrorKind::DTypeMismatch, "contract",
                        text("progress is ", shown(progress), " but must be a function"));
        Arguments arguments;
        const std::vector<Value> values = take(arguments, operands);
        const std::vector<TensorRead> views = reads(values);
        bool failed = false;  // or interrupted: then nothing of Python is called any more
        const auto tell = [&](std::size_t done, std::size_t total) {
            const nb::gil_scoped_acquire locked;
            failed = failed || PyErr_Occurred() != nullptr;
            if (failed) return;
            PyObject* answer = PyObject_CallFunction(progress.ptr(), "nn", done, total);
            failed = answer == nullptr;
            Py_XDECREF(answer);
        };
        const tensor_network::Progress watcher(tell);
        const tensor_network::RunOptions options{
            .progress = &watcher, .cancellation = CancellationToken::asking([&] { return failed; })};
        Tensor result = in_session(
            true, [&](BackendSession& session) { return expression_.plan->run(session, views, options); });
        if (failed) throw nb::python_error();
        return expression_.give(std::move(result), arguments.library());
    }

    /// The string with every label written out.
    [[nodiscard]] std::string equation() const {
        const tensor_network::Network& network = expression_.plan->network();
        std::string written;
        const auto write = [&](const tensor_network::LabelIds& labels) {
            for (const tensor_network::LabelId label : labels)
                written += network.names[static_cast<std::size_t>(label)];
        };
        for (std::size_t i = 0; i < network.inputs.size(); ++i) {
            if (i != 0) written += ',';
            write(network.inputs[i]);
        }
        written += "->";
        tensor_network::LabelIds output = network.output;
        if (expression_.is_reversed()) std::reverse(output.begin(), output.end());
        write(output);
        return written;
    }

    [[nodiscard]] nb::object vjp(const nb::args& operands, nb::handle cotangent) const {
        Arguments arguments;
        const std::vector<Value> values = take(arguments, operands);
        const Value pulled = beside(values, arguments.take(cotangent));
        const TensorRead seen = forward_axes(pulled.tensor("vjp").read());
        const std::vector<TensorRead> views = reads(values);
        std::vector<Tensor> gradients = in_session(expression_.is_long, [&](BackendSession& session) {
            return expression_.plan->vjp(session, views, seen);
        });
        nb::list list;
        for (Tensor& gradient : gradients)
            list.append(python::give(std::move(gradient), arguments.library()));
        return nb::tuple(list);
    }

    [[nodiscard]] nb::object jvp(nb::handle primals, nb::handle tangents) const {
        Arguments arguments;
        const std::vector<Value> values = take(arguments, primals);
        std::vector<std::optional<Value>> moved;
        for (const nb::handle tangent : tangents)
            moved.push_back(tangent.is_none() ? std::nullopt
                                              : std::optional(beside(values, arguments.take(tangent))));
        if (moved.size() != values.size())
            throw Error(ErrorKind::InvalidArgument, "jvp",
                        text("got ", moved.size(), " tangents for ", values.size(), " operands"));
        std::vector<std::optional<TensorRead>> directions(moved.size());
        for (std::size_t i = 0; i < moved.size(); ++i)
            if (moved[i]) directions[i] = moved[i]->tensor("jvp").read();
        const std::vector<TensorRead> views = reads(values);
        return expression_.give(in_session(expression_.is_long,
                                           [&](BackendSession& session) {
                                               return expression_.plan->jvp(session, views, directions);
                                           }),
                                arguments.library());
    }

    [[nodiscard]] const tensor_network::EinsumPlan& plan() const noexcept { return *expression_.plan; }
    [[nodiscard]] const std::string& subscripts() const noexcept { return text_; }
    [[nodiscard]] const std::vector<Dims>& shapes() const noexcept { return shapes_; }

private:
    std::string text_;
    std::vector<Dims> shapes_;
    Expression expression_;
};

PyObject* call_plan(PyObject* self, PyObject* arguments, PyObject* keywords) noexcept {
    try {
        if (keywords != nullptr && PyDict_GET_SIZE(keywords) != 0)
            throw Error(ErrorKind::DTypeMismatch, "plan", "takes operands and no keywords");
        PyObject* const* first = &PyTuple_GET_ITEM(arguments, 0);
        const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(arguments));
        if (!nb::inst_ready(self))
            throw Error(ErrorKind::InvalidArgument, "plan", "this Plan was never made: use tenferro.plan()");
        return nb::inst_ptr<Plan>(self)->run(std::span(first, count)).release().ptr();
    } catch (...) {
        set_current_error();
        return nullptr;
    }
}

Plan make_plan(const std::string& subscripts, const nb::args& operands, nb::handle optimize, nb::handle order,
               nb::handle dtype, std::optional<std::int64_t> memory_limit, double seconds,
               std::uint64_t seed) {
    if (memory_limit && *memory_limit <= 0)
        throw Error(ErrorKind::InvalidArgument, "plan",
                    text("memory_limit is ", *memory_limit, " bytes but must be positive"));
    if (!(seconds >= 0))
        throw Error(ErrorKind::InvalidArgument, "plan",
                    "seconds is " + std::to_string(seconds) + " but must not be negative");
    std::vector<TensorRead> views;
    std::vector<Dims> shapes = shapes_of(operands, views);
    tensor_network::PathOptions options;
    if (!dtype.is_none())
        options.dtype = dtype_of(dtype);
    else if (!views.empty())
        options.dtype = views.front().dtype();
    options.memory_limit_bytes = memory_limit.value_or(0);
    options.deadline = seconds;
    options.seed = seed;
    const char letter = order_letter(order, "plan");
    const bool has_layout = views.size() == shapes.size();
    const Layout layout = layout_of(letter == 'K' && !has_layout ? 'C' : letter, views);
    std::vector<std::size_t> ranks;
    for (const Dims& shape : shapes) ranks.push_back(shape.size());
    Expression expression = planned(spelled(subscripts, ranks, layout), shapes, optimize, options);
    return {subscripts, std::move(shapes), std::move(expression)};
}

nb::tuple sliced_labels(const Plan& plan) {
    nb::list labels;
    for (const tensor_network::LabelId label : plan.plan().sliced_labels())
        labels.append(plan.plan().network().names[static_cast<std::size_t>(label)]);
    return nb::tuple(labels);
}

}  // namespace

void bind_plan(NamingModule& module) {
    static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_plan)}, {0, nullptr}};
    nb::class_<Plan>(module, "Plan", nb::type_slots(slots),
                     "An einsum compiled for shapes; plan(*operands) runs it. Made by tenferro.plan().")
        .def("vjp", &Plan::vjp, nb::arg("operands"), nb::arg("cotangent"),
             "The gradients of every operand for a cotangent of the result's shape, as a tuple of arrays of\n"
             "the operands' shapes and common dtype. ValueError for a cotangent of another shape.")
        .def("jvp", &Plan::jvp, nb::arg("primals"), nb::arg("tangents"),
             "The tangent of the result; a tangent has the shape of its operand, one that is None is zero.\n"
             "ValueError for other shapes and numbers of tangents.")
        .def_prop_ro("subscripts", &Plan::subscripts, "The string.")
        .def_prop_ro(
            "shapes",
            [](const Plan& plan) {
                nb::list shapes;
                for (const Dims& shape : plan.shapes()) shapes.append(tuple_of(shape));
                return nb::tuple(shapes);
            },
            "The shapes of the operands.")
        .def("run", &Plan::watched, nb::arg("operands"), nb::kw_only(), nb::arg("progress"),
             "plan(*operands), calling progress(done, total) before the first step and after each; what it\n"
             "raises ends the run.")
        .def_prop_ro("equation", &Plan::equation, "The string with implicit output and '...' written out.")
        .def_prop_ro(
            "path",
            [](const Plan& plan) {
                return list_of_tuples(tensor_network::path_from_tree(plan.plan().tree()));
            },
            "The contraction path as a list of pairs, as opt_einsum has it.")
        .def_prop_ro(
            "cost", [](const Plan& plan) { return cost_dict(plan.plan().cost()); },
            "flops, bytes, predicted seconds of one thread, largest_intermediate in elements,\n"
            "total_writes, peak_bytes and slices.")
        .def_prop_ro("sliced_labels", sliced_labels, "Labels that are fixed to meet the memory limit.")
        .def("__repr__", [](const Plan& plan) {
            return nb::str("tenferro.Plan('{}', flops={:.4g}, largest={:.4g})")
                .format(plan.subscripts(), plan.plan().cost().flops, plan.plan().cost().largest_intermediate);
        });
    module.def(
        "plan", make_plan, nb::arg("subscripts"), nb::arg("operands"), nb::kw_only(),
        nb::arg("optimize") = true, nb::arg("order") = "K", nb::arg("dtype") = nb::none(),
        nb::arg("memory_limit") = nb::none(), nb::arg("seconds") = 0.0, nb::arg("seed") = 0,
        "An einsum compiled for operands, given as arrays or as tuples of extents.\n\n"
        "optimize: as for einsum. order: of the results, 'C', 'F', or 'K' for that of the arrays given ('C'\n"
        "where shapes are). dtype: the one that costs are predicted for, else that of the first array.\n"
        "memory_limit: the most bytes alive at once; the plan is sliced to meet it (NotImplementedError "
        "where\n"
        "it cannot). seconds: how long to search a path; 0 leaves it to the search, which then always finds\n"
        "the same. Raises ValueError as einsum does, and for limits that are not positive.");
}

}  // namespace tenferro::python
