// Products of two tensors, all einsums or dot_general underneath.
#include "arithmetic.hpp"
#include "functions.hpp"
#include "promotion.hpp"
#include "tenferro/api/einsum.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

Value product_with_axes(const Value& a, const Value& b, const Dims& of_a, const Dims& of_b) {
    return dot_general(a, b, {of_a, of_b, {}, {}});
}

/// A product that sums over `summed` elements of each: so many multiplications.
Value product(const std::vector<Value>& values, double summed, const std::function<Value()>& work) {
    return compute(elements(values[0]) * elements(values[1]) / std::max(summed, 1.0), work);
}

nb::object tensordot(nb::handle x, nb::handle y, nb::handle axes) {
    Arguments arguments;
    std::vector<Value> values{arguments.take(x), arguments.take(y)};
    promote(values);
    Dims of_a, of_b;
    if (PyLong_Check(axes.ptr()) != 0) {
        const auto count = integer_from(axes, "tensordot", "axes");
        const auto rank = static_cast<Index>(values[0].rank());
        if (count < 0 || count > rank || count > static_cast<Index>(values[1].rank()))
            throw Error(ErrorKind::AxisOutOfBounds, "tensordot",
                        text("axes is ", count, " but the ranks are ", rank, " and ", values[1].rank()));
        for (Index i = 0; i < count; ++i) {
            of_a.push_back(rank - count + i);
            of_b.push_back(i);
        }
    } else {
        if (!nb::hasattr(axes, "__len__") || nb::len(axes) != 2)
            throw Error(ErrorKind::InvalidArgument, "tensordot",
                        text("axes is ", shown(axes), " but must be a number or two lists"));
        const nb::object first = axes[nb::int_(0)], second = axes[nb::int_(1)];
        of_a = axes_from(first, values[0].rank(), "tensordot");
        of_b = axes_from(second, values[1].rank(), "tensordot");
        if (of_a.size() != of_b.size())
            throw Error(ErrorKind::InvalidArgument, "tensordot",
                        text("axes lists ", of_a.size(), " axes of x and ", of_b.size(), " of y"));
    }
    double summed = 1;
    for (const Index axis : of_a)
        summed *= static_cast<double>(shape_numbers(values[0], "tensordot")[static_cast<std::size_t>(axis)]);
    return arguments.give(
        product(values, summed, [&] { return product_with_axes(values[0], values[1], of_a, of_b); }));
}

/// a [..., m, k] times b [..., k, n], with NumPy's meaning of vectors; batches broadcast.
Value matrix_product(const Value& a, const Value& b) {
    if (a.rank() == 0 || b.rank() == 0)
        throw Error(ErrorKind::RankMismatch, "matmul",
                    text("the operands have ranks ", a.rank(), " and ", b.rank(),
                         " but must have at least 1; use * for numbers"));
    const char* form = a.rank() == 1 ? (b.rank() == 1 ? "k,k->" : "k,...kj->...j")
                                     : (b.rank() == 1 ? "...ik,k->...i" : "...ik,...kj->...ij");
    const Index k = static_cast<Index>(a.rank()) - 1,
                other = static_cast<Index>(b.rank() == 1 ? 0 : b.rank() - 2);
    if (!(a.extent(static_cast<std::size_t>(k)) == b.extent(static_cast<std::size_t>(other))))
        throw Error(
            ErrorKind::ShapeMismatch, "matmul",
            text("axis ", k, " of x and axis ", other, " of y differ in extent: shapes ",
                 list_text(shape_numbers(a, "matmul")), " and ", list_text(shape_numbers(b, "matmul"))));
    return tenferro::einsum(form, std::span<const Value>(std::array{a, b}), tensor_network::Dialect::NumPy);
}

nb::object matmul(nb::handle x, nb::handle y) {
    Arguments arguments;
    std::vector<Value> values{arguments.take(x), arguments.take(y)};
    promote(values);
    const Dims shape = shape_numbers(values[0], "matmul");
    return arguments.give(product(values, shape.empty() ? 1 : static_cast<double>(shape.back()),
                                  [&] { return matrix_product(values[0], values[1]); }));
}

nb::object outer(nb::handle x, nb::handle y) {
    Arguments arguments;
    std::vector<Value> values{arguments.take(x), arguments.take(y)};
    promote(values);
    return arguments.give(
        product(values, 1, [&] { return product_with_axes(values[0], values[1], {}, {}); }));
}

/// The sum of conj(a) b over an axis of both.
nb::object vecdot(nb::handle x, nb::handle y, Index axis) {
    Arguments arguments;
    std::vector<Value> values{arguments.take(x), arguments.take(y)};
    promote(values);
    const Pair pair = broadcast(values[0], values[1]);
    const Value left = info(pair.a.dtype()).is_complex ? conj(pair.a) : pair.a;
    return arguments.give(compute(left, [&] { return reduce_sum(mul(left, pair.b), Dims{axis}); }));
}

}  // namespace

nb::object matmul_operator(nb::handle x, nb::handle y) {
    if (library_of(y) == Library::None && PyList_Check(y.ptr()) == 0) return nb::borrow(Py_NotImplemented);
    return matmul(x, y);
}

void bind_products(NamingModule& module) {
    module.def("tensordot", tensordot, nb::arg("x"), nb::arg("y"), nb::arg("axes") = 2,
               "The sum of products over axes: the last of x with the first of y, or two lists.");
    module.def("matmul", matmul, nb::arg("x"), nb::arg("y"),
               "x [..., m, k] times y [..., k, n]; batches broadcast, vectors as in NumPy.");
    module.def("outer", outer, nb::arg("x"), nb::arg("y"), "Every element of x times every one of y.");
    module.def("vecdot", vecdot, nb::arg("x"), nb::arg("y"), nb::kw_only(), nb::arg("axis") = -1,
               "The sum of conj(x) y over an axis.");
}

}  // namespace tenferro::python
