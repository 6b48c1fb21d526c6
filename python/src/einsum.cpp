// The calls of einsum: a quick way for a string and arrays, and the general one.
#include "einsum.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>

#include "errors.hpp"
#include "interrupt.hpp"
#include "naming.hpp"
#include "operands.hpp"
#include "planning.hpp"
#include "promotion.hpp"
#include "tenferro/api/einsum.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

/// What einsum was called with, besides its operands.
struct Options {
    char order = 'K';
    nb::handle optimize = Py_True;
    std::optional<DType> dtype;
};

/// Recent calls by the identity of their string, which they keep alive. Used with the interpreter's lock.
class RecentCalls {
public:
    struct Call {
        PyObject* subscripts = nullptr;
        Layout layout{};
        std::vector<Dims> shapes;
        std::optional<Expression> expression;
    };

    [[nodiscard]] Call& place(PyObject* subscripts, std::span<const TensorRead> operands) noexcept {
        std::uint64_t hash = reinterpret_cast<std::uintptr_t>(subscripts) >> 4;
        for (const TensorRead& operand : operands)
            for (const Index extent : operand.shape())
                hash = hash * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(extent);
        return calls_[(hash ^ (hash >> 32)) % calls_.size()];
    }
    [[nodiscard]] static bool is_same(const Call& call, PyObject* subscripts, Layout layout,
                                      std::span<const TensorRead> operands) noexcept {
        if (call.subscripts != subscripts || call.layout != layout || call.shapes.size() != operands.size())
            return false;
        for (std::size_t i = 0; i < operands.size(); ++i)
            if (!(call.shapes[i] == operands[i].shape())) return false;
        return true;
    }
    static void keep(Call& call, PyObject* subscripts, Layout layout, std::span<const TensorRead> operands,
                     Expression expression) {
        Py_INCREF(subscripts);
        Py_XDECREF(std::exchange(call.subscripts, subscripts));
        call.layout = layout;
        call.shapes.clear();
        for (const TensorRead& operand : operands) call.shapes.push_back(operand.shape());
        call.expression.emplace(std::move(expression));
    }

private:
    std::array<Call, 512> calls_;
};

RecentCalls& recent_calls() {
    static RecentCalls* const calls = new RecentCalls;  // outlives the interpreter
    return *calls;
}

std::vector<std::size_t> ranks_of(std::span<const TensorRead> operands) {
    std::vector<std::size_t> ranks;
    for (const TensorRead& operand : operands) ranks.push_back(operand.rank());
    return ranks;
}

/// With the plan that the engine keeps.
Expression kept_plan(std::string_view subscripts, Layout layout, std::span<const TensorRead> operands) {
    const Spelling spelling = spelled(subscripts, ranks_of(operands), layout);
    return {unlocked(true,
                     [&] {
                         return default_engine().plans().get(spelling.subscripts,
                                                             tensor_network::Dialect::NumPy, operands);
                     }),
            spelling.layout};
}

/// einsum("...", array...) without options, on arrays of one dtype whose memory can be read as it is; nothing
/// where that is not what the call is.
std::optional<nb::object> quick_einsum(PyObject* const* arguments, std::size_t count) {
    if (count < 2 || PyUnicode_CheckExact(arguments[0]) == 0) return std::nullopt;
    const std::optional<Borrowed> borrowed = borrow(std::span(arguments + 1, count - 1));
    if (!borrowed) return std::nullopt;
    const std::span<const TensorRead> operands = borrowed->views;
    const Layout layout = layout_of('K', operands);
    RecentCalls::Call& call = recent_calls().place(arguments[0], operands);
    if (!RecentCalls::is_same(call, arguments[0], layout, operands)) {
        Expression expression = kept_plan(text_of(arguments[0]), layout, operands);
        RecentCalls::keep(call, arguments[0], layout, operands, std::move(expression));
    }
    const Expression expression = *call.expression;  // another thread may take its place
    return expression.give(expression.run(operands), borrowed->library);
}

/// Any call: operands of any kind and dtype, options, traced tensors.
nb::object general_einsum(std::string_view subscripts, std::vector<Value> operands,
                          const Arguments& arguments, const Options& options) {
    promote(operands, options.dtype);
    bool traced = false;
    for (const Value& operand : operands) traced = traced || operand.is_traced();
    if (traced)
        return nb::cast(
            tenferro::einsum(subscripts, std::span<const Value>(operands), tensor_network::Dialect::NumPy));
    std::vector<TensorRead> views;
    for (const Value& operand : operands) views.push_back(operand.tensor("einsum").read());
    const Layout layout = layout_of(options.order, views);
    const auto made = [&] {
        if (options.optimize.is(Py_True)) return kept_plan(subscripts, layout, views);
        std::vector<Dims> shapes;
        for (const TensorRead& view : views) shapes.push_back(view.shape());
        const DType dtype = views.empty() ? DType::F64 : views.front().dtype();
        return planned(spelled(subscripts, ranks_of(views), layout), shapes, options.optimize,
                       {.dtype = dtype});
    };
    const Expression expression = made();
    return expression.give(expression.run(views), arguments.library());
}

Options read_options(PyObject* const* values, PyObject* names) {
    Options options;
    const Py_ssize_t count = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
    for (Py_ssize_t i = 0; i < count; ++i) {
        const std::string_view name = text_of(PyTuple_GET_ITEM(names, i));
        const nb::handle value = values[i];
        if (name == "optimize") {
            options.optimize = value;
        } else if (name == "order") {
            options.order = order_letter(value, "einsum");
        } else if (name == "dtype") {
            if (!value.is_none()) options.dtype = dtype_of(value);
        } else {
            throw Error(ErrorKind::DTypeMismatch, "einsum",
                        text("got an unexpected keyword '", name, "'; there are optimize, order and dtype"));
        }
    }
    return options;
}

nb::object any_einsum(PyObject* const* values, std::size_t count, PyObject* names) {
    if (names == nullptr || PyTuple_GET_SIZE(names) == 0)
        if (std::optional<nb::object> result = quick_einsum(values, count)) return *std::move(result);
    const Options options = read_options(values + count, names);
    const Call call = read_call(std::span(values, count));
    Arguments arguments;
    std::vector<Value> operands;
    for (const nb::handle operand : call.operands) operands.push_back(arguments.take(operand));
    return general_einsum(call.subscripts, std::move(operands), arguments, options);
}

PyObject* einsum_entry(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) noexcept {
    try {
        return naming("einsum", any_einsum)(values, static_cast<std::size_t>(count), names).release().ptr();
    } catch (...) {
        set_current_error();
        return nullptr;
    }
}

PyMethodDef methods[] = {
    {"einsum", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(einsum_entry)),
     METH_FASTCALL | METH_KEYWORDS,
     "einsum($module, subscripts, /, *operands, optimize=True, order='K', dtype=None)\n--\n\n"
     "The einsum of arrays, in NumPy's grammar: implicit output, '...', extents of 1 that broadcast, and\n"
     "the interleaved form einsum(a, [0, 1], b, [1, 2], [0, 2]).\n\n"
     "The result is an array of the operands' library, a Tensor if one operand is. With order 'K' it is\n"
     "C-contiguous if all operands are, else column-major; 'C' and 'F' say which. optimize: True or a name\n"
     "searches a path, False contracts from left to right, a list of pairs is followed, a callable is asked\n"
     "as opt_einsum asks it. Operands of several dtypes are promoted; dtype converts them, and so drops the\n"
     "imaginary part for a real one.\n\n"
     "Raises ValueError for a malformed string, a wrong number of operands or extents that differ,\n"
     "TypeError for dtypes that are not supported."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void bind_einsum(nb::module_& module) {
    module.def("_explicit", [](const std::string& subscripts, const std::vector<std::size_t>& ranks) {
        const auto parsed = tensor_network::Subscripts::parse(subscripts, tensor_network::Dialect::NumPy);
        return written_out(parsed, ranks, Layout::ColumnMajor);
    });
    if (PyModule_AddFunctions(module.ptr(), methods) != 0) throw nb::python_error();
}

}  // namespace tenferro::python
