// Shapes: NumPy's order of elements is by rows, the library's by columns, so a reshape is one between two
// reversals of the axes, which on arrays in rows copies nothing.
#include <algorithm>
#include <limits>

#include <nanobind/stl/optional.h>

#include "functions.hpp"
#include "indexing.hpp"
#include "layout.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

Value permuted(const Value& a, nb::handle axes) {
    if (axes.is_none()) return transpose(a);
    return transpose(a, integers_from(axes, "permute_dims", "an axis"));
}

Value swapped(const Value& a, Index first, Index second) {
    Dims perm = tensor_ops::all_axes(a.rank());
    const Dims two = tensor_ops::from_front(Dims{first, second}, a.rank());
    for (const Index axis : two) check_axes(std::span(&axis, 1), a.rank(), "swapaxes", "operand");
    std::swap(perm[static_cast<std::size_t>(two[0])], perm[static_cast<std::size_t>(two[1])]);
    return transpose(a, std::move(perm));
}

Value moved(const Value& a, nb::handle source, nb::handle destination) {
    const Dims from = axes_from(source, a.rank(), "moveaxis"),
               to = axes_from(destination, a.rank(), "moveaxis");
    if (from.size() != to.size())
        throw Error(ErrorKind::InvalidArgument, "moveaxis",
                    text("source has ", from.size(), " axes but destination has ", to.size()));
    std::vector<Index> perm(a.rank(), -1), rest;
    for (std::size_t i = 0; i < from.size(); ++i) perm[static_cast<std::size_t>(to[i])] = from[i];
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        if (std::find(from.begin(), from.end(), static_cast<Index>(axis)) == from.end())
            rest.push_back(static_cast<Index>(axis));
    auto next = rest.begin();
    for (Index& axis : perm)
        if (axis < 0) axis = *next++;
    return transpose(a, Dims(perm.begin(), perm.end()));
}

/// The place of a new axis, counted from the front.
Index new_axis(const Value& a, Index axis) {
    const Index at = tensor_ops::from_front(axis, a.rank() + 1);
    check_axes(std::span(&at, 1), a.rank() + 1, "expand_dims", "new");
    return at;
}
/// With that axis, copied as it lies: the memory of an array of another library is the caller's.
Value with_new_axis(const Value& a, Index axis) {
    const Value seen = with_axis(a, new_axis(a, axis));
    return may_be_viewed(a) ? copied(seen) : seen;
}

Value squeezed(const Value& a, nb::handle axis) {
    std::vector<bool> gone(a.rank(), axis.is_none());
    if (!axis.is_none())
        for (const Index at : axes_from(axis, a.rank(), "squeeze")) gone[static_cast<std::size_t>(at)] = true;
    SymShape shape;
    for (std::size_t i = 0; i < a.rank(); ++i) {
        const bool is_one = a.extent(i).constant() == 1;
        if (gone[i] && is_one) continue;
        if (gone[i] && !axis.is_none())
            throw Error(ErrorKind::InvalidArgument, "squeeze",
                        text("axis ", i, " has extent ", shape_numbers(a, "squeeze")[i], " but must have 1"));
        shape.push_back(a.extent(i));
    }
    return reshape(a, std::move(shape));
}

std::vector<Value> taken(Arguments& arguments, nb::handle arrays, std::string_view op) {
    if (!nb::hasattr(arrays, "__iter__"))
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("arrays is ", shown(arrays), " but must be a sequence of arrays"));
    std::vector<Value> values;
    for (const nb::handle array : arrays) values.push_back(arguments.take(array));
    if (values.empty()) throw Error(ErrorKind::InvalidArgument, op, "got no arrays");
    promote(values);
    return values;
}

Value joined(const std::vector<Value>& values, Index axis) {
    return concatenate(std::span<const Value>(values), axis);
}

nb::object concat(nb::handle arrays, nb::handle axis) {
    Arguments arguments;
    std::vector<Value> values = taken(arguments, arrays, "concat");
    if (axis.is_none())
        for (Value& value : values) value = reshaped(value, nb::int_(-1));
    const Index along = axis.is_none() ? 0 : integer_from(axis, "concat", "axis");
    return arguments.give(along_in_memory_order(joined, values, along));
}

nb::object stack(nb::handle arrays, Index axis) {
    Arguments arguments;
    std::vector<Value> values = taken(arguments, arrays, "stack");
    for (Value& value : values) value = with_axis(value, new_axis(value, axis));
    return arguments.give(along_in_memory_order(joined, values, axis));
}

/// A triangle of the matrices in the last two axes: the library's are in the first two. In rows it is the
/// other one of the transposed matrices.
Value triangle(const Value& a, bool lower, Index diagonal, std::string_view op) {
    if (a.rank() < 2)
        throw Error(ErrorKind::RankMismatch, op, text("rank is ", a.rank(), " but must be at least 2"));
    const auto f = lower ? tril<Value> : triu<Value>, other = lower ? triu<Value> : tril<Value>;
    if (!memory_order({&a}).empty()) {
        const Index most = std::numeric_limits<Index>::max();
        return reversed(other(reversed(a), -std::max(diagonal, -most)));
    }
    Dims perm{static_cast<Index>(a.rank()) - 2, static_cast<Index>(a.rank()) - 1}, back;
    for (std::size_t axis = 0; axis + 2 < a.rank(); ++axis) {
        perm.push_back(static_cast<Index>(axis));
        back.push_back(static_cast<Index>(axis) + 2);
    }
    back.push_back(0);
    back.push_back(1);
    return transpose(f(transpose(a, std::move(perm)), diagonal), std::move(back));
}

/// The diagonal of two axes, which becomes the last axis.
Value diagonal(const Value& a, Index offset, Index first, Index second) {
    const Dims two = tensor_ops::from_front(Dims{first, second}, a.rank());
    check_axes(two, a.rank(), "diagonal", "operand");
    const Dims shape = shape_numbers(a, "diagonal");
    SymShape starts(shape.size(), 0), limits(shape.begin(), shape.end());
    const Index row = std::max<Index>(-offset, 0), column = std::max<Index>(offset, 0);
    const auto x = static_cast<std::size_t>(two[0]), y = static_cast<std::size_t>(two[1]);
    const Index count = std::max<Index>(std::min(shape[x] - row, shape[y] - column), 0);
    starts[x] = count == 0 ? 0 : row;
    starts[y] = count == 0 ? 0 : column;
    limits[x] = count == 0 ? 0 : row + count;
    limits[y] = count == 0 ? 0 : column + count;
    const Value square = slice(a, std::move(starts), std::move(limits), Dims(shape.size(), 1));
    const Value line = extract_diagonal(square, two[0], two[1]);
    Dims perm;
    const Index at = two[1] < two[0] ? two[0] - 1 : two[0];
    for (std::size_t axis = 0; axis < line.rank(); ++axis)
        if (static_cast<Index>(axis) != at) perm.push_back(static_cast<Index>(axis));
    perm.push_back(at);
    return transpose(line, std::move(perm));
}

}  // namespace

Value broadcast_to(const Value& a, const Dims& wanted, std::string_view op) {
    if (a.rank() > wanted.size())
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("the operand has rank ", a.rank(), " but shape ", list_text(wanted), " has ",
                         wanted.size(), " axes"));
    for (std::size_t i = 0, at = wanted.size() - a.rank(); i < a.rank(); ++i, ++at)
        if (!(a.extent(i) == 1) && !(a.extent(i) == wanted[at]))
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("the operand of shape ", list_text(shape_numbers(a, op)),
                             " does not broadcast to ", list_text(wanted), ": axis ", at));
    SymShape shape(wanted.begin(), wanted.end());
    if (memory_order({&a}).empty())
        return broadcast_in_dim(a, std::move(shape), tensor_ops::trailing_axes(a.rank(), wanted.size()));
    std::reverse(shape.begin(), shape.end());  // by rows where it is by rows
    return reversed(broadcast_in_dim(reversed(a), std::move(shape), tensor_ops::all_axes(a.rank())));
}

void check_device(nb::handle device, std::string_view op) {
    const bool is_text = PyUnicode_Check(device.ptr()) != 0;
    if (device.is_none() || (is_text && PyUnicode_CompareWithASCIIString(device.ptr(), "cpu") == 0)) return;
    throw Error(ErrorKind::InvalidArgument, op, text("device is ", shown(device), " but must be 'cpu'"));
}

Value reshaped(const Value& a, nb::handle shape) {
    Dims wanted = integers_from(shape, "reshape", "an extent");
    const Dims had = shape_numbers(a, "reshape");
    const Index count = element_count(had, "reshape");
    if (const auto free = std::find(wanted.begin(), wanted.end(), -1); free != wanted.end()) {
        *free = 1;
        const Index known = element_count(wanted, "reshape");
        *free = known == 0 ? -1 : count / known;
        if (known == 0 || count % known != 0)
            throw Error(ErrorKind::ShapeMismatch, "reshape",
                        text("the operand of shape ", list_text(had), " has ", count,
                             " elements, which do not fill axes of ", known));
    } else if (element_count(wanted, "reshape") != count) {
        throw Error(ErrorKind::ShapeMismatch, "reshape",
                    text("the operand of shape ", list_text(had), " has ", count, " elements but shape ",
                         list_text(wanted), " has ", element_count(wanted, "reshape")));
    }
    SymShape by_columns;
    for (std::size_t axis = wanted.size(); axis-- > 0;) by_columns.push_back(wanted[axis]);
    return reversed(in_shape(reversed(a), std::move(by_columns)));
}

void bind_structure(NamingModule& module) {
    module.def(
        "reshape",
        [](nb::handle x, nb::handle shape, std::optional<bool> copy) {
            Arguments arguments;
            const Value a = arguments.take(x), result = reshaped(a, shape);
            const bool is_view =
                may_be_viewed(a) && a.eager().value().data() == result.eager().value().data();
            // The memory of an array of another library is the caller's.
            const bool is_shared = is_view && arguments.library() == Library::Tenferro;
            if (copy == false && !is_shared)
                throw Error(
                    ErrorKind::InvalidArgument, "reshape",
                    text("copy is False but the operand of shape ", list_text(shape_numbers(a, "reshape")),
                         " is copied: it is no Tensor whose elements lie in row-major order"));
            return arguments.give(is_view && (copy == true || !is_shared) ? copied(result) : result);
        },
        nb::arg("x"), nb::arg("shape"), nb::kw_only(), nb::arg("copy") = nb::none(),
        "The elements in row-major order in another shape; one extent may be -1. A Tensor whose elements "
        "lie\n"
        "so shares them with the result, unless copy is True; others are copied, ValueError if copy is "
        "False.");
    module.def(
        "permute_dims",
        [](nb::handle x, nb::handle axes) {
            return on(x, [&](const Value& a) { return permuted(a, axes); });
        },
        nb::arg("x"), nb::arg("axes") = nb::none(),
        "Axis i of the result is axis axes[i] of x; reversed without axes.");
    module.attr("transpose") = module.attr("permute_dims");
    module.def(
        "swapaxes",
        [](nb::handle x, Index first, Index second) {
            return on(x, [&](const Value& a) { return swapped(a, first, second); });
        },
        nb::arg("x"), nb::arg("axis1"), nb::arg("axis2"), "Two axes exchanged.");
    module.def(
        "matrix_transpose",
        [](nb::handle x) { return on(x, [](const Value& a) { return swapped(a, -2, -1); }); }, nb::arg("x"),
        "The last two axes exchanged.");
    module.def(
        "moveaxis",
        [](nb::handle x, nb::handle source, nb::handle destination) {
            return on(x, [&](const Value& a) { return moved(a, source, destination); });
        },
        nb::arg("x"), nb::arg("source"), nb::arg("destination"), "Axes moved to other places.");
    module.def(
        "expand_dims",
        [](nb::handle x, Index axis) {
            return on(x, [&](const Value& a) { return with_new_axis(a, axis); });
        },
        nb::arg("x"), nb::arg("axis") = 0, "A new axis of extent 1.");
    module.def(
        "squeeze",
        [](nb::handle x, nb::handle axis) {
            return on(x, [&](const Value& a) { return squeezed(a, axis); });
        },
        nb::arg("x"), nb::arg("axis") = nb::none(), "Axes of extent 1 removed.");
    module.def(
        "broadcast_to",
        [](nb::handle x, nb::handle shape) {
            return on(x, [&](const Value& a) {
                return broadcast_to(a, integers_from(shape, "broadcast_to", "an extent"), "broadcast_to");
            });
        },
        nb::arg("x"), nb::arg("shape"), "x repeated to a shape, aligned at the last axis.");
    module.def(
        "flip",
        [](nb::handle x, nb::handle axis) {
            return on(x, [&](const Value& a) {
                return axes_in_memory_order(reverse<Value>, a, axes_from(axis, a.rank(), "flip"));
            });
        },
        nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), "Axes in reverse order, all without one.");
    module.def("_roll", [](nb::handle x, Index shift, Index axis) {
        const auto rolled = [shift](const std::vector<Value>& values, Index at) {
            return roll(values[0], shift, at);
        };
        return on(x, [&](const Value& a) { return along_in_memory_order(rolled, {a}, axis); });
    });
    module.def("concat", concat, nb::arg("arrays"), nb::kw_only(), nb::arg("axis").none() = 0,
               "Arrays one after the other along an axis; in one line where axis is None.");
    module.attr("concatenate") = module.attr("concat");
    module.def("stack", stack, nb::arg("arrays"), nb::kw_only(), nb::arg("axis") = 0,
               "Arrays of one shape along a new axis.");
    module.def(
        "take",
        [](nb::handle x, nb::handle indices, nb::handle axis) {
            Arguments arguments, unseen;
            const Value a = arguments.take(x);
            const Value list = unseen.take(indices);
            if (axis.is_none()) return arguments.give(take(reshaped(a, nb::int_(-1)), list, 0));
            const auto taken_from = [&](const std::vector<Value>& values, Index at) {
                return take(values[0], list, at);
            };
            const Index along = integer_from(axis, "take", "axis");
            if (list.rank() != 1) return arguments.give(taken_from({a}, along));
            return arguments.give(along_in_memory_order(taken_from, {a}, along));
        },
        nb::arg("x"), nb::arg("indices"), nb::kw_only(), nb::arg("axis") = nb::none(),
        "The slices of x along an axis at indices; negative ones count from the end. IndexError, but in a\n"
        "program, where the nearest there is is taken.");
    module.def(
        "tril",
        [](nb::handle x, Index k) {
            return on(x, [&](const Value& a) { return triangle(a, true, k, "tril"); });
        },
        nb::arg("x"), nb::kw_only(), nb::arg("k") = 0,
        "The matrices in the last two axes, zero above diagonal k.");
    module.def(
        "triu",
        [](nb::handle x, Index k) {
            return on(x, [&](const Value& a) { return triangle(a, false, k, "triu"); });
        },
        nb::arg("x"), nb::kw_only(), nb::arg("k") = 0,
        "The matrices in the last two axes, zero below diagonal k.");
    module.def(
        "diagonal",
        [](nb::handle x, Index offset, Index first, Index second) {
            return on(x, [&](const Value& a) { return diagonal(a, offset, first, second); });
        },
        nb::arg("x"), nb::arg("offset") = 0, nb::arg("axis1") = 0, nb::arg("axis2") = 1,
        "The diagonal of two axes, as the last axis.");
}

}  // namespace tenferro::python
