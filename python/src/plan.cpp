// Plans of einsums: made with a path of the caller or a search of ours, called, differentiated.
#include "plan.hpp"

#include <algorithm>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "errors.hpp"
#include "interrupt.hpp"
#include "numpy_arrays.hpp"
#include "operands.hpp"
#include "promotion.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

using Path = std::vector<std::vector<int>>;

/// From left to right.
Path naive_path(std::size_t operands) {
    Path path;
    for (std::size_t step = 1; step < operands; ++step) {
        const int last = static_cast<int>(operands - step);
        path.push_back(step == 1 ? std::vector{0, 1} : std::vector{0, last});
    }
    return path;
}

Path path_of(nb::handle list) {
    Path path;
    for (const nb::handle step : list) {
        if (PyUnicode_Check(step.ptr()) != 0) continue;
        path.push_back(nb::cast<std::vector<int>>(step));
    }
    return path;
}

/// A path from a callable as opt_einsum has them: sets of labels, the output, extents.
Path asked_path(const tensor_network::Network& network, nb::handle callable) {
    const auto set_of = [&](const tensor_network::LabelIds& labels) {
        nb::set set;
        for (const tensor_network::LabelId label : labels)
            set.add(nb::str(network.names[static_cast<std::size_t>(label)].c_str()));
        return set;
    };
    nb::list inputs;
    for (const tensor_network::LabelIds& labels : network.inputs) inputs.append(set_of(labels));
    nb::dict extents;
    for (std::size_t i = 0; i < network.extents.size(); ++i)
        extents[network.names[i].c_str()] = network.extents[i];
    return path_of(callable(inputs, set_of(network.output), extents));
}

struct Einsum {
    tensor_network::Subscripts subscripts;
    std::vector<Dims> shapes;
    Layout layout;

    Einsum(std::string_view text, Layout wanted, std::vector<Dims> the_shapes)
        : subscripts(tensor_network::Subscripts::parse(text, tensor_network::Dialect::NumPy)),
          shapes(std::move(the_shapes)),
          layout(wanted) {
        if (layout == Layout::ColumnMajor) return;
        if (!subscripts.groups().empty()) {
            layout = Layout::ColumnMajor;
            return;
        }
        std::vector<std::size_t> ranks;
        for (const Dims& shape : shapes) ranks.push_back(shape.size());
        subscripts = tensor_network::Subscripts::parse(written_out(subscripts, ranks, layout),
                                                       tensor_network::Dialect::NumPy);
    }

    [[nodiscard]] Expression follow(const Path& path, DType dtype) const {
        return {std::make_shared<const tensor_network::EinsumPlan>(subscripts, shapes, path, dtype), layout};
    }
    [[nodiscard]] Expression search(tensor_network::PathOptions options) const {
        auto plan = unlocked(true, [&] {
            options.cancellation = interrupt_token();
            return std::make_shared<const tensor_network::EinsumPlan>(subscripts, shapes, options);
        });
        return {std::move(plan), layout};
    }
    [[nodiscard]] Expression as(nb::handle optimize, tensor_network::PathOptions options) const {
        if (optimize.is(Py_False)) return follow(naive_path(shapes.size()), options.dtype);
        if (optimize.is(Py_True) || optimize.is_none()) return search(options);
        if (PyUnicode_Check(optimize.ptr()) != 0) {
            if (nb::cast<std::string>(optimize) == "optimal") options.max_exact = 16;
            return search(options);
        }
        if (PyCallable_Check(optimize.ptr()) != 0)
            return follow(asked_path(tensor_network::resolve(subscripts, shapes), optimize), options.dtype);
        return follow(path_of(optimize), options.dtype);
    }
};

/// Shapes of what `operands` are: arrays, or tuples of extents.
std::vector<Dims> shapes_of(nb::handle operands, std::vector<TensorRead>& views) {
    std::vector<Dims> shapes;
    for (const nb::handle operand : operands) {
        if (PyTuple_Check(operand.ptr()) != 0 || PyList_Check(operand.ptr()) != 0) {
            Dims shape;
            for (const nb::handle extent : operand) shape.push_back(nb::cast<Index>(extent));
            shapes.push_back(std::move(shape));
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
        promote(values);
        return values;
    }
    [[nodiscard]] static std::vector<TensorRead> reads(const std::vector<Value>& values) {
        std::vector<TensorRead> views;
        for (const Value& value : values) views.push_back(value.tensor("plan").read());
        return views;
    }
    /// A tensor with the axes of the caller's result as the engine has them.
    [[nodiscard]] TensorRead forward_axes(const TensorRead& a) const {
        return expression_.is_reversed() ? a.transpose_view(backwards(a.rank())) : a;
    }
    [[nodiscard]] static Dims backwards(std::size_t rank) {
        Dims axes;
        for (std::size_t axis = rank; axis-- > 0;) axes.push_back(static_cast<Index>(axis));
        return axes;
    }
    [[nodiscard]] nb::object give(Tensor&& result, Library library) const {
        if (library == Library::NumPy) return ndarray_of(std::move(result), expression_.is_reversed());
        if (!expression_.is_reversed()) return python::give(std::move(result), library);
        Tensor seen = result.share_as(result.read().transpose_view(backwards(result.rank())));
        result = Tensor();  // so that the receiver is the only one that has the memory
        return python::give(std::move(seen), library);
    }
    template <class F>
    [[nodiscard]] auto in_session(const F& f) const {
        return unlocked(expression_.is_long, [&] {
            const tensor_network::RunOptions options{
                .cancellation = expression_.is_long ? interrupt_token() : CancellationToken{}};
            return default_engine().backend().with_backend_session(
                [&](BackendSession& session) { return f(session, options); });
        });
    }

public:
    Plan(const Einsum& einsum, std::string text, Expression expression, DType dtype)
        : text_(std::move(text)), shapes_(einsum.shapes), expression_(std::move(expression)), dtype_(dtype) {}

    [[nodiscard]] nb::object run(std::span<PyObject* const> operands) const {
        if (const std::optional<Borrowed> borrowed = borrow(operands))
            return give(expression_.run(borrowed->views), borrowed->library);
        Arguments arguments;
        const std::vector<Value> values = take(arguments, operands);
        return give(expression_.run(reads(values)), arguments.library());
    }

    /// As run, telling progress(done, total) after every step; what it raises ends the run.
    [[nodiscard]] nb::object watched(const nb::args& operands, nb::handle progress) const {
        Arguments arguments;
        const std::vector<Value> values = take(arguments, operands);
        const std::vector<TensorRead> views = reads(values);
        bool failed = false;
        const auto tell = [&](std::size_t done, std::size_t total) {
            const nb::gil_scoped_acquire locked;
            PyObject* answer = failed ? nullptr : PyObject_CallFunction(progress.ptr(), "nn", done, total);
            failed = answer == nullptr;
            Py_XDECREF(answer);
        };
        const tensor_network::Progress watcher(tell);
        const CancellationToken interrupt = interrupt_token();
        const tensor_network::RunOptions options{
            .progress = &watcher,
            .cancellation = CancellationToken::asking([&] { return failed || interrupt.cancelled(); })};
        Tensor result = unlocked(true, [&] {
            return default_engine().backend().with_backend_session(
                [&](BackendSession& session) { return expression_.plan->run(session, views, options); });
        });
        if (failed) throw nb::python_error();
        return give(std::move(result), arguments.library());
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
        std::vector<Value> values = take(arguments, operands);
        const Value pulled = arguments.take(cotangent);
        const TensorRead seen = forward_axes(pulled.tensor("vjp").read());
        const std::vector<TensorRead> views = reads(values);
        std::vector<Tensor> gradients =
            in_session([&](BackendSession& session, const tensor_network::RunOptions& options) {
                return expression_.plan->vjp(session, views, seen, options);
            });
        nb::list list;
        for (Tensor& gradient : gradients)
            list.append(python::give(std::move(gradient), arguments.library()));
        return nb::tuple(list);
    }

    [[nodiscard]] nb::object jvp(nb::handle primals, nb::handle tangents) const {
        Arguments arguments;
        std::vector<Value> values, moved;
        for (const nb::handle primal : primals) values.push_back(arguments.take(primal));
        std::vector<std::optional<TensorRead>> directions;
        moved.reserve(values.size());
        for (const nb::handle tangent : tangents) {
            if (tangent.is_none()) {
                directions.emplace_back();
            } else {
                moved.push_back(arguments.take(tangent));
                directions.emplace_back(moved.back().tensor("jvp").read());
            }
        }
        if (directions.size() != values.size())
            throw Error(ErrorKind::InvalidArgument, "jvp",
                        text("got ", directions.size(), " tangents for ", values.size(), " operands"));
        const std::vector<TensorRead> views = reads(values);
        return give(in_session([&](BackendSession& session, const tensor_network::RunOptions& options) {
                        return expression_.plan->jvp(session, views, directions, options);
                    }),
                    arguments.library());
    }

    [[nodiscard]] const tensor_network::EinsumPlan& plan() const noexcept { return *expression_.plan; }
    [[nodiscard]] const std::string& subscripts() const noexcept { return text_; }
    [[nodiscard]] const std::vector<Dims>& shapes() const noexcept { return shapes_; }
    [[nodiscard]] DType dtype() const noexcept { return dtype_; }

private:
    std::string text_;
    std::vector<Dims> shapes_;
    Expression expression_;
    DType dtype_;
};

PyObject* call_plan(PyObject* self, PyObject* arguments, PyObject* keywords) noexcept {
    try {
        if (keywords != nullptr && PyDict_GET_SIZE(keywords) != 0)
            throw Error(ErrorKind::DTypeMismatch, "plan", "takes operands and no keywords");
        PyObject* const* first = &PyTuple_GET_ITEM(arguments, 0);
        const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(arguments));
        return nb::inst_ptr<Plan>(self)->run(std::span(first, count)).release().ptr();
    } catch (...) {
        set_current_error();
        return nullptr;
    }
}

Plan make_plan(const std::string& subscripts, const nb::args& operands, nb::handle optimize,
               const std::string& order, nb::handle dtype, std::optional<std::int64_t> memory_limit,
               double seconds, std::uint64_t seed) {
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
    const char letter = order.size() == 1 ? order[0] : '?';
    const bool has_layout = views.size() == shapes.size();
    const Layout layout = layout_of(letter == 'K' && !has_layout ? 'C' : letter, views);
    const Einsum einsum(subscripts, layout, std::move(shapes));
    return {einsum, subscripts, einsum.as(optimize, options), options.dtype};
}

nb::list path_list(const Plan& plan) {
    nb::list path;
    for (const std::vector<int>& step : tensor_network::path_from_tree(plan.plan().tree())) {
        nb::list positions;
        for (const int position : step) positions.append(position);
        path.append(nb::tuple(positions));
    }
    return path;
}

nb::dict cost_dict(const Plan& plan) {
    const tensor_network::ContractionCost& cost = plan.plan().cost();
    nb::dict dict;
    dict["flops"] = cost.flops;
    dict["bytes"] = cost.bytes;
    dict["seconds"] = cost.seconds;
    dict["largest_intermediate"] = cost.largest_intermediate;
    dict["total_writes"] = cost.total_writes;
    dict["peak_bytes"] = cost.peak_bytes;
    dict["slices"] = cost.slices;
    return dict;
}

nb::tuple sliced_labels(const Plan& plan) {
    nb::list labels;
    for (const tensor_network::LabelId label : plan.plan().sliced_labels())
        labels.append(plan.plan().network().names[static_cast<std::size_t>(label)]);
    return nb::tuple(labels);
}

}  // namespace

Expression planned_as(std::string_view subscripts, Layout layout, std::span<const TensorRead> operands,
                      nb::handle optimize) {
    std::vector<Dims> shapes;
    for (const TensorRead& operand : operands) shapes.push_back(operand.shape());
    tensor_network::PathOptions options;
    options.dtype = operands.empty() ? DType::F64 : operands.front().dtype();
    return Einsum(subscripts, layout, std::move(shapes)).as(optimize, options);
}

void bind_plan(nb::module_& module) {
    static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_plan)}, {0, nullptr}};
    nb::class_<Plan>(module, "Plan", nb::type_slots(slots),
                     "An einsum compiled for shapes; plan(*operands) runs it. Made by tenferro.plan().")
        .def("vjp", &Plan::vjp, nb::arg("operands"), nb::arg("cotangent"),
             "The gradients of every operand for a cotangent of the result's shape, as a tuple.")
        .def("jvp", &Plan::jvp, nb::arg("primals"), nb::arg("tangents"),
             "The tangent of the result; a tangent that is None is zero.")
        .def_prop_ro("subscripts", &Plan::subscripts, "The string.")
        .def_prop_ro(
            "shapes",
            [](const Plan& plan) {
                nb::list shapes;
                for (const Dims& shape : plan.shapes()) {
                    nb::list extents;
                    for (const Index extent : shape) extents.append(extent);
                    shapes.append(nb::tuple(extents));
                }
                return nb::tuple(shapes);
            },
            "The shapes of the operands.")
        .def("run", &Plan::watched, nb::arg("operands"), nb::kw_only(), nb::arg("progress"),
             "plan(*operands), calling progress(done, total) after every step of the contraction.")
        .def_prop_ro("equation", &Plan::equation, "The string with implicit output and '...' written out.")
        .def_prop_ro("path", path_list, "The contraction path as a list of pairs, as opt_einsum has it.")
        .def_prop_ro("cost", cost_dict,
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
        "memory_limit: the most bytes alive at once; the plan is sliced to meet it (NotImplementedError\n"
        "where it cannot). seconds: how long to search a path; 0 leaves it to the search. order: of the\n"
        "results, 'C', 'F', or 'K' for that of the arrays given ('C' where shapes are).");
}

}  // namespace tenferro::python
