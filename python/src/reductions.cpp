// Reductions and operations along an axis.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include <nanobind/stl/string.h>

#include "arithmetic.hpp"
#include "functions.hpp"
#include "host_operations.hpp"
#include "indexing.hpp"
#include "layout.hpp"
#include "one_pass.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

using Reduction = Value (*)(const Value&, Dims);

Value converted(const Value& a, DType dtype) {
    return in_memory_order([dtype](const Value& x) { return in_dtype(x, dtype); }, a);
}
/// Integers are summed in 64 bits.
Value widened_integers(const Value& a) {
    return info(a.dtype()).is_integer || a.dtype() == DType::Bool ? converted(a, DType::I64) : a;
}
Value sum(const Value& a, Dims axes) {
    // Truth values in 32, where these count them: half as much memory.
    if (a.dtype() == DType::Bool && !a.is_traced() && elements(a) <= std::numeric_limits<std::int32_t>::max())
        return in_dtype(reduce_sum(converted(a, DType::I32), std::move(axes)), DType::I64);
    return reduce_sum(widened_integers(a), std::move(axes));
}
Value prod(const Value& a, Dims axes) { return reduce_prod(widened_integers(a), std::move(axes)); }
Value average(const Value& a, Dims axes) { return mean(a, axes); }
Value any(const Value& a, Dims axes) { return reduce_any(in_dtype(a, DType::Bool), std::move(axes)); }
Value all(const Value& a, Dims axes) { return reduce_all(in_dtype(a, DType::Bool), std::move(axes)); }
Value logsumexp(const Value& a, Dims axes) {
    const Value x = in_floating(a), largest = stop_gradient(reduce_max(x, axes));
    // An infinite one is not taken off: infinities less themselves are NaN.
    const Value high = select(is_finite(largest), largest, full_like(largest, 0));
    const Value shifted = elementwise(sub<Value>, x, widened(tfe_detail::with_axes_kept(x, axes, high), x));
    return add(log(reduce_sum(elementwise(exp<Value>, shifted), axes)), high);
}

Value wanted_as(const Value& a, std::optional<DType> dtype) { return dtype ? in_dtype(a, *dtype) : a; }
/// Read before the work, which does without the interpreter.
std::optional<DType> wanted_dtype(nb::handle dtype) {
    return dtype.is_none() ? std::nullopt : std::optional(dtype_of(dtype));
}

nb::object reduce(const char* name, Reduction f, nb::handle x, nb::handle axis, bool kept,
                  nb::handle dtype = nb::none()) {
    Arguments arguments;
    const std::optional<DType> wanted = wanted_dtype(dtype);
    const Value a = wanted_as(arguments.take(x), wanted);
    const Dims axes = axes_from(axis, a.rank(), name);
    return arguments.give(compute(a, [&] {
        const Value result = wanted_as(f(a, axes), wanted);
        return kept ? tfe_detail::with_axes_kept(a, axes, result) : result;
    }));
}

Value variance(const Value& a, const Dims& axes, double correction) {
    const Value x = in_floating(a), centre = mean(x, axes, keepdims);
    const auto squares_of = [](const Value& y, const Value& c) {
        const auto square = [](const Value& from, const Value& to) {
            const Value off = sub(from, to);
            return info(off.dtype()).is_complex ? real(mul(off, conj(off))) : mul(off, off);
        };
        return in_one_pass(square, y, c);
    };
    const Value squares = in_memory_order(squares_of, x, widened(centre, x));
    double count = 1;
    const Dims shape = shape_numbers(a, "var");
    for (const Index axis : axes) count *= static_cast<double>(shape[static_cast<std::size_t>(axis)]);
    return reduce_sum(squares, axes) / std::max(count - correction, 0.0);
}

nb::object spread(nb::handle x, nb::handle axis, double correction, bool kept, bool root) {
    return on(x, [&](const Value& a) {
        const Dims axes = axes_from(axis, a.rank(), root ? "std" : "var");
        return compute(a, [&] {
            const Value v = variance(a, axes, correction), result = root ? sqrt(v) : v;
            return kept ? tfe_detail::with_axes_kept(a, axes, result) : result;
        });
    });
}

/// The axis of running sums: that of a vector need not be given.
Index line_axis(const Value& a, nb::handle axis, const char* name) {
    if (!axis.is_none()) return axes_from(nb::int_(integer_from(axis, name, "axis")), a.rank(), name)[0];
    if (a.rank() == 1) return 0;
    throw Error(ErrorKind::InvalidArgument, name, text("axis is needed for an operand of rank ", a.rank()));
}

Value with_zero_first(const Value& a, Index axis) {
    SymShape shape = shape_of(a);
    shape[static_cast<std::size_t>(axis)] = 1;
    const Value zero = repeat(Value(Tensor::zeros(a.dtype(), Dims())), std::move(shape));
    return concatenate({zero, a}, axis);
}

/// Along `axis`, or along all elements in row-major order without one.
nb::object along(const char* name, nb::handle x, nb::handle axis, bool kept,
                 Value (*f)(const Value&, Index)) {
    return on(x, [&](const Value& a) {
        const Dims axes = axis.is_none()
                              ? tensor_ops::all_axes(a.rank())
                              : axes_from(nb::int_(integer_from(axis, name, "axis")), a.rank(), name);
        const Value line = axis.is_none() ? reshaped(a, nb::int_(-1)) : a;
        return compute(a, [&] {
            const Value result = f(line, axis.is_none() ? 0 : axes[0]);
            return kept ? tfe_detail::with_axes_kept(a, axes, result) : result;
        });
    });
}

}  // namespace

void bind_reductions(NamingModule& module) {
    const auto reduction = [&](const char* name, Reduction f, const char* doc) {
        module.def(
            name,
            [name, f](nb::handle x, nb::handle axis, bool kept) { return reduce(name, f, x, axis, kept); },
            nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, doc);
    };
    const auto total = [&](const char* name, Reduction f, const char* doc) {
        module.def(
            name,
            [name, f](nb::handle x, nb::handle axis, nb::handle dtype, bool kept) {
                return reduce(name, f, x, axis, kept, dtype);
            },
            nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(),
            nb::arg("keepdims") = false, doc);
    };
    total("sum", sum, "The sum over axes, all without one, pairwise; integers in int64, or all in dtype.");
    total("prod", prod, "The product over axes, all without one; integers in int64, or all in dtype.");
    reduction(
        "max", [](const Value& a, Dims axes) { return reduce_max(a, std::move(axes)); },
        "The largest over axes, all without one; NaN if any is.");
    reduction(
        "min", [](const Value& a, Dims axes) { return reduce_min(a, std::move(axes)); },
        "The smallest over axes, all without one; NaN if any is.");
    reduction("mean", average, "The average over axes, all without one.");
    reduction("any", any, "Whether any element over axes is not 0.");
    reduction("all", all, "Whether all elements over axes are not 0.");
    reduction("logsumexp", logsumexp, "log of the sum of exp(x) over axes, without overflow.");
    module.def(
        "var",
        [](nb::handle x, nb::handle axis, double correction, bool kept) {
            return spread(x, axis, correction, kept, false);
        },
        nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("correction") = 0.0,
        nb::arg("keepdims") = false, "The variance over axes, divided by their number less the correction.");
    module.def(
        "std",
        [](nb::handle x, nb::handle axis, double correction, bool kept) {
            return spread(x, axis, correction, kept, true);
        },
        nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("correction") = 0.0,
        nb::arg("keepdims") = false, "The standard deviation, see var.");
    const auto extreme = [&](const char* name, Value (*f)(const Value&, Index), const char* doc) {
        module.def(
            name,
            [name, f](nb::handle x, nb::handle axis, bool kept) { return along(name, x, axis, kept, f); },
            nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, doc);
    };
    extreme(
        "argmax", [](const Value& a, Index axis) { return argmax(a, axis); },
        "The int64 index of the largest along an axis, the first of equals.");
    extreme(
        "argmin", [](const Value& a, Index axis) { return argmin(a, axis); },
        "The int64 index of the smallest along an axis, the first of equals.");
    module.def(
        "cumulative_sum",
        [](nb::handle x, nb::handle axis, nb::handle dtype, bool initial) {
            return on(x, [&](const Value& operand) {
                const std::optional<DType> wanted = wanted_dtype(dtype);
                const Value a = widened_integers(wanted_as(operand, wanted));
                const Index at = line_axis(a, axis, "cumulative_sum");
                return compute(a, [&] {
                    const auto sums_of = [&](const std::vector<Value>& values, Index line) {
                        return wanted_as(cumulative_sum(values[0], line), wanted);
                    };
                    const Value sums = along_in_memory_order(sums_of, {a}, at);
                    return initial ? with_zero_first(sums, at) : sums;
                });
            });
        },
        nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(),
        nb::arg("include_initial") = false,
        "Sums of the elements up to each along an axis, which may be left out for rank 1; integers in int64, "
        "or\n"
        "all in dtype. include_initial puts a 0 before them.");
    module.def(
        "sort",
        [](nb::handle x, Index axis, bool descending, bool) {
            const auto sorted = [descending](const std::vector<Value>& values, Index at) {
                return sort(values[0], at, descending);
            };
            return on(x, [&](const Value& a) {
                return compute(a, [&] { return along_in_memory_order(sorted, {a}, axis); });
            });
        },
        nb::arg("x"), nb::kw_only(), nb::arg("axis") = -1, nb::arg("descending") = false,
        nb::arg("stable") = true,
        "Sorted along an axis, NaN last, or first where descending; equal elements keep their order.");
    module.def(
        "argsort",
        [](nb::handle x, Index axis, bool descending, bool) {
            const auto places = [descending](const std::vector<Value>& values, Index at) {
                return argsort(values[0], at, descending);
            };
            return on(x, [&](const Value& a) {
                return compute(a, [&] { return along_in_memory_order(places, {a}, axis); });
            });
        },
        nb::arg("x"), nb::kw_only(), nb::arg("axis") = -1, nb::arg("descending") = false,
        nb::arg("stable") = true, "The int64 indices that sort along an axis, see sort.");
    module.def(
        "searchsorted",
        [](nb::handle x1, nb::handle x2, const std::string& side, nb::handle sorter) {
            if (side != "left" && side != "right")
                throw Error(ErrorKind::InvalidArgument, "searchsorted",
                            text("side is '", side, "' but must be 'left' or 'right'"));
            Arguments arguments, unseen;
            std::vector<Value> values{arguments.take(x1), arguments.take(x2)};
            promote(values);
            if (!sorter.is_none()) values[0] = take(values[0], unseen.take(sorter), 0);
            return arguments.give(
                compute(values[1], [&] { return search_sorted(values[0], values[1], side == "right"); }));
        },
        nb::arg("x1"), nb::arg("x2"), nb::kw_only(), nb::arg("side") = "left", nb::arg("sorter") = nb::none(),
        "How many elements of the ascending vector x1 are less than each of x2, with side 'right' not "
        "greater;\n"
        "sorter is what argsort(x1) gives where x1 is not sorted.");
    module.def(
        "softmax",
        [](nb::handle x, Index axis) {
            return on(
                x, [&](const Value& a) { return compute(a, [&] { return softmax(in_floating(a), axis); }); });
        },
        nb::arg("x"), nb::kw_only(), nb::arg("axis") = -1, "exp(x) divided by its sum along an axis.");
}

}  // namespace tenferro::python
