// x.at[index].set(values): tensors never change, so it is another one. What an index selects is what it
// selects of the numbers of the elements, so every index serves, and repeated ones as in NumPy.
#include <numeric>
#include <vector>

#include "arithmetic.hpp"
#include "functions.hpp"
#include "indexing.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

/// x.at, and x.at[index].
struct Updates {
    Value a;
    Library library;
};
struct Selected {
    Updates of;
    nb::object index;
};

/// bool, integers, real and complex numbers.
int kind(DType dtype) noexcept {
    const DTypeInfo& about = info(dtype);
    return about.is_complex ? 3 : about.is_float ? 2 : about.is_integer ? 1 : 0;
}

/// `values` in the dtype of `a`, repeated to the shape of `part`.
Value fitting(const Value& a, const Value& part, nb::handle values) {
    const Value given = as_value(values);
    if (kind(given.dtype()) > kind(a.dtype()))
        throw Error(ErrorKind::DTypeMismatch, "at",
                    text("values of ", numpy_name(given.dtype()), " do not fit into a tensor of ",
                         numpy_name(a.dtype())));
    return in_dtype(broadcast_to(given, shape_numbers(part, "at"), "at"), a.dtype());
}

/// The number of each element, its place in column-major order, in the shape of `a`.
Value numbers_of(const Value& a) {
    const Dims shape = shape_numbers(a, "at");
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(element_count(shape, "at")));
    std::iota(numbers.begin(), numbers.end(), 0);
    return Value(Tensor::from_data<std::int64_t>(std::span<const std::int64_t>(numbers), shape));
}

Value updated(OpId op, const Value& a, nb::handle index, nb::handle values) {
    if (const auto box = box_of(a, items_of(index))) {
        const Value part = indexed(a, index), given = fitting(a, part, values),
                    update = op == OpId::ScatterAdd ? add(part, given) : given;
        const Value starts(
            Tensor::from_data<std::int64_t>(std::vector<std::int64_t>(box->starts.begin(), box->starts.end()),
                                            {static_cast<Index>(box->starts.size())}));
        return a.apply(tensor_ops::DynamicUpdateSlice(), {a, reshape(update, box->extents), starts});
    }
    const Value numbers = numbers_of(a), places = indexed(numbers, index);
    const nb::int_ flat(-1);
    const ScatterConfig config{{}, {0}, {0}, 1};
    const Index count = element_count(shape_numbers(a, "at"), "at");
    if (count == 0) return a;
    const Value line = reshape(a, SymShape{count}), list = reshaped(places, flat),
                update = reshaped(fitting(a, places, values), flat);
    return reshape(line.apply(tensor_ops::Scatter(op, config), {line, list, update}), shape_of(a));
}

template <OpId Op>
nb::object update(const Selected& selected, nb::handle values) {
    return give(updated(Op, selected.of.a, selected.index, values), selected.of.library);
}

}  // namespace

void bind_updates(NamingModule& module, nb::class_<Value>& tensor) {
    nb::class_<Selected>(module, "Selected", "What an index selects of a tensor: x.at[index].")
        .def(
            "get", [](const Selected& s) { return give(indexed(s.of.a, s.index), s.of.library); },
            "x[index].")
        .def("set", update<OpId::Scatter>, nb::arg("values"),
             "x with these values there, which broadcast to x[index]. Of those for one element the last "
             "stays.")
        .def("add", update<OpId::ScatterAdd>, nb::arg("values"),
             "x with these values added there, each of those for one element.");
    nb::class_<Updates>(module, "Updates", "x.at: x.at[index].set(values) is x but for what index selects.")
        .def(
            "__getitem__",
            [](const Updates& of, nb::handle index) {
                return Selected{of, nb::borrow(index)};
            },
            nb::arg("index").none());
    module.def(
        "at",
        [](nb::handle x) {
            Arguments arguments;
            Value a = arguments.take(x);
            return Updates{std::move(a), arguments.library()};
        },
        nb::arg("x"),
        "at(x)[index].set(values), .add(values): x with what index selects changed, an array of the library\n"
        "of x, which itself stays as it is. Values are of the kind of x or a lower one: bool, integers, "
        "real,\n"
        "complex. Differentiable in both.");
    tensor.def_prop_ro(
        "at",
        [](const Value& a) {
            return Updates{a, Library::Tenferro};
        },
        "x.at[index].set(values) and .add(values): see at().");
}

}  // namespace tenferro::python
