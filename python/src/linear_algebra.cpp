// The library has matrices in axes 0 and 1 and batches behind them: axes move, nothing is copied.
#include "linear_algebra.hpp"

#include <nanobind/stl/string.h>

#include "arithmetic.hpp"
#include "functions.hpp"
#include "interrupt.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
// After the handles of Python, whose `apply` it calls.
#include "tenferro/linalg/functions.hpp"
#include "tenferro/linalg/norms.hpp"

namespace tenferro::python {

namespace {

/// The last `count` axes first.
Value ends_first(const Value& a, std::size_t count) {
    if (a.rank() <= count) return a;
    Dims perm;
    for (std::size_t axis = a.rank() - count; axis < a.rank(); ++axis)
        perm.push_back(static_cast<Index>(axis));
    for (std::size_t axis = 0; axis + count < a.rank(); ++axis) perm.push_back(static_cast<Index>(axis));
    return transpose(a, std::move(perm));
}
/// The first `count` axes last.
Value ends_last(const Value& a, std::size_t count) {
    return a.rank() <= count ? a : ends_first(a, a.rank() - count);
}

/// An operand as matrices in axes 0 and 1.
Value matrices(Arguments& arguments, nb::handle object) {
    return ends_first(in_floating(arguments.take(object)), 2);
}

/// Results, each with so many axes of its own before the batch.
using Parts = std::vector<std::pair<Value, std::size_t>>;

template <class F>
nb::list parts_of(nb::handle x, const F& f) {
    Arguments arguments;
    const Value a = matrices(arguments, x);
    Parts parts = a.is_traced() ? f(a) : unlocked(a.tensor("linalg").size() >= 1024, [&] { return f(a); });
    nb::list list;
    for (auto& [value, axes] : parts) {
        Value last = ends_last(value, axes);
        value = Value(Tensor());
        list.append(arguments.give_own(std::move(last)));
    }
    return list;
}
template <class F>
nb::object matrix_of(nb::handle x, std::size_t axes, const F& f) {
    return parts_of(x, [&](const Value& a) { return Parts{{f(a), axes}}; })[0];
}

nb::object solved(nb::handle x, nb::handle y, bool least_squares) {
    Arguments arguments;
    std::vector<Value> values{in_floating(arguments.take(x)), in_floating(arguments.take(y))};
    promote(values);
    const bool is_vector = values[1].rank() == 1;
    if (is_vector) values[1] = reshape(values[1], {values[1].extent(0), 1});
    // Batches broadcast; the matrices themselves do not.
    const auto with_batch_of = [](const Value& a, const Value& other) {
        SymShape shape;
        for (std::size_t axis = 0; axis + 2 < std::max(a.rank(), other.rank()); ++axis) {
            const auto from_end = std::max(a.rank(), other.rank()) - axis;
            const auto extent = [&](const Value& v) -> SymDim {
                return v.rank() >= from_end ? v.extent(v.rank() - from_end) : SymDim(1);
            };
            shape.push_back(extent(a).constant() == 1 ? extent(other) : extent(a));
        }
        shape.push_back(a.extent(a.rank() - 2));
        shape.push_back(a.extent(a.rank() - 1));
        if (shape == shape_of(a)) return a;
        Dims axes = tensor_ops::trailing_axes(a.rank(), shape.size());
        return broadcast_in_dim(a, std::move(shape), std::move(axes));
    };
    for (const Value& value : values)
        if (value.rank() < 2) throw Error(ErrorKind::RankMismatch, "solve", "an operand has no matrices");
    const Value a = ends_first(with_batch_of(values[0], values[1]), 2),
                b = ends_first(with_batch_of(values[1], values[0]), 2);
    Value result = compute(a, [&] { return least_squares ? linalg::lstsq(a, b).x : linalg::solve(a, b); });
    result = ends_last(result, 2);
    if (is_vector) {
        SymShape shape = shape_of(result);
        shape.pop_back();
        result = reshape(result, std::move(shape));
    }
    return arguments.give(std::move(result));
}

linalg::MatrixNorm norm_kind(const std::string& name) {
    using linalg::MatrixNorm;
    const std::pair<const char*, MatrixNorm> kinds[] = {
        {"fro", MatrixNorm::Frobenius}, {"nuc", MatrixNorm::Nuclear},  {"1", MatrixNorm::One},
        {"-1", MatrixNorm::MinusOne},   {"2", MatrixNorm::Two},        {"-2", MatrixNorm::MinusTwo},
        {"inf", MatrixNorm::Inf},       {"-inf", MatrixNorm::MinusInf}};
    for (const auto& [known, kind] : kinds)
        if (name == known) return kind;
    throw Error(ErrorKind::InvalidArgument, "matrix_norm", "ord is '" + name + "'");
}

}  // namespace

void bind_linear_algebra(nb::module_& parent) {
    NamingModule module(parent.def_submodule("_linalg"));
    module.def("svd", [](nb::handle x, bool full) {
        return parts_of(x, [&](const Value& a) {
            const auto y = linalg::svd(a, {.full = full});
            return Parts{{y.u, 2}, {y.s, 1}, {y.vh, 2}};
        });
    });
    module.def("svdvals", [](nb::handle x) {
        return matrix_of(x, 1, [](const Value& a) { return linalg::svdvals(a); });
    });
    module.def("qr", [](nb::handle x, bool full) {
        return parts_of(x, [&](const Value& a) {
            const auto y = linalg::qr(a, {.full = full});
            return Parts{{y.q, 2}, {y.r, 2}};
        });
    });
    module.def("eigh", [](nb::handle x, bool lower) {
        return parts_of(x, [&](const Value& a) {
            const auto y = linalg::eigh(a, {.lower = lower});
            return Parts{{y.values, 1}, {y.vectors, 2}};
        });
    });
    module.def("eigvalsh", [](nb::handle x, bool lower) {
        return matrix_of(x, 1, [&](const Value& a) { return linalg::eigvalsh(a, {.lower = lower}); });
    });
    module.def("eig", [](nb::handle x) {
        return parts_of(x, [](const Value& a) {
            const auto y = linalg::eig(a);
            return Parts{{y.values, 1}, {y.vectors, 2}};
        });
    });
    module.def("eigvals", [](nb::handle x) {
        return matrix_of(x, 1, [](const Value& a) { return linalg::eigvals(a); });
    });
    module.def("cholesky", [](nb::handle x, bool upper) {
        return matrix_of(x, 2, [&](const Value& a) { return linalg::cholesky(a, {.upper = upper}); });
    });
    module.def("lu", [](nb::handle x) {
        return parts_of(x, [](const Value& a) {
            const auto y = linalg::lu(a);
            return Parts{{y.p, 2}, {y.l, 2}, {y.u, 2}};
        });
    });
    module.def("inv",
               [](nb::handle x) { return matrix_of(x, 2, [](const Value& a) { return linalg::inv(a); }); });
    module.def("pinv", [](nb::handle x, double rtol) {
        return matrix_of(x, 2, [&](const Value& a) { return linalg::pinv(a, {.rtol = rtol}); });
    });
    module.def("det",
               [](nb::handle x) { return matrix_of(x, 0, [](const Value& a) { return linalg::det(a); }); });
    module.def("slogdet", [](nb::handle x) {
        return parts_of(x, [](const Value& a) {
            const auto y = linalg::slogdet(a);
            return Parts{{y.sign, 0}, {y.logabsdet, 0}};
        });
    });
    module.def("expm", [](nb::handle x) {
        return matrix_of(x, 2, [](const Value& a) { return linalg::matrix_exp(a); });
    });
    module.def("matrix_power", [](nb::handle x, Index power) {
        return matrix_of(x, 2, [&](const Value& a) { return linalg::matrix_power(a, power); });
    });
    module.def("matrix_norm", [](nb::handle x, const std::string& kind) {
        return matrix_of(x, 0, [&](const Value& a) { return linalg::matrix_norm(a, norm_kind(kind)); });
    });
    module.def(
        "vector_norm",
        [](nb::handle x, double p, nb::handle axis, bool kept) {
            Arguments arguments;
            const Value a = in_floating(arguments.take(x));
            const Dims axes = axes_from(axis, a.rank(), "vector_norm");
            const Value norm = linalg::vector_norm(a, p, axes);
            return arguments.give(kept ? tfe_detail::with_axes_kept(a, axes, norm) : norm);
        },
        nb::arg("x"), nb::arg("ord"), nb::arg("axis").none(), nb::arg("keepdims"));
    module.def("solve", [](nb::handle x, nb::handle y) { return solved(x, y, false); });
    module.def("lstsq", [](nb::handle x, nb::handle y) { return solved(x, y, true); });
}

}  // namespace tenferro::python
