// The recorded derivatives of linear algebra. Recorded batches are in front; the functions that were recorded
// are those of another library's interface, rebuilt here.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ad/oracles.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/linalg/norms.hpp"

namespace tenferro::ad::linalg_oracles { namespace {

using T = TracedTensor;

/// The last `count` axes in front, and back.
T to_front(const T& a, Index count) {
    const Index rank = static_cast<Index>(a.rank());
    Dims perm;
    for (Index axis = 0; axis < rank; ++axis) perm.push_back((axis + rank - count) % rank);
    return rank == 0 ? a : transpose(a, perm);
}
T to_back(const T& a, Index count) { return to_front(a, static_cast<Index>(a.rank()) - count); }
T matrix(const T& a) { return to_front(a, 2); }
T recorded(const T& matrix) { return to_back(matrix, 2); }
T recorded_vector(const T& vector) { return to_back(vector, 1); }
T reversed(const T& a) { return transpose(a); }
T row_major_reshape(const T& a, SymShape shape) {
    std::reverse(shape.begin(), shape.end());
    return reversed(reshape(reversed(a), std::move(shape)));
}
T twice_hermitian_part(const T& a) { return a + linalg::adjoint(a); }
/// Zeros added behind axis `axis` up to `extent`.
T padded(const T& a, std::size_t axis, const SymDim& extent) {
    SymShape none(a.rank(), 0), more(a.rank(), 0);
    more[axis] = extent - a.extent(axis);
    return pad(a, reduce_sum(full_like(a, 0)), none, more, Dims(a.rank(), 0));
}

T solved(const T& a, const T& b) {
    bool is_vector = b.rank() + 1 == a.rank();
    for (std::size_t axis = 0; is_vector && axis < b.rank(); ++axis)
        is_vector = a.extent(axis) == b.extent(axis);
    is_vector = is_vector || b.rank() == 1;
    const std::size_t b_leading = is_vector ? 1 : 2;
    SymShape batch(std::max(a.rank() - 2, b.rank() - b_leading), 1);
    const auto widen = [&](const T& x, std::size_t leading) {
        for (std::size_t axis = 0; axis + leading < x.rank(); ++axis)
            if (x.extent(axis) != SymDim(1))
                batch[batch.size() - (x.rank() - leading) + axis] = x.extent(axis);
    };
    widen(a, 2);
    widen(b, b_leading);
    const auto broadcast = [&](const T& x, std::size_t leading) {
        SymShape shape = batch;
        Dims axes;
        for (std::size_t axis = 0; axis < leading; ++axis)
            shape.push_back(x.extent(x.rank() - leading + axis));
        for (std::size_t axis = 0; axis < x.rank(); ++axis)
            axes.push_back(static_cast<Index>(shape.size() - x.rank() + axis));
        return broadcast_in_dim(x, shape, axes);
    };
    const T left = matrix(broadcast(a, 2)), right = broadcast(b, b_leading);
    return is_vector ? recorded_vector(linalg::solve(left, to_front(right, 1)))
                     : recorded(linalg::solve(left, matrix(right)));
}

double order_of(const Json& order) {
    if (order.is_null()) return 2;
    if (order.is_string()) return (order == "Infinity" ? 1 : -1) * std::numeric_limits<double>::infinity();
    return order.get<double>();
}
linalg::MatrixNorm matrix_norm_of(const Json& order) {
    using linalg::MatrixNorm;
    static const std::map<std::string, MatrixNorm> kinds{{"\"fro\"", MatrixNorm::Frobenius},
                                                         {"\"nuc\"", MatrixNorm::Nuclear},
                                                         {"1", MatrixNorm::One},
                                                         {"-1", MatrixNorm::MinusOne},
                                                         {"2", MatrixNorm::Two},
                                                         {"-2", MatrixNorm::MinusTwo},
                                                         {"\"Infinity\"", MatrixNorm::Inf},
                                                         {"\"-Infinity\"", MatrixNorm::MinusInf}};
    return kinds.at(order.dump());
}
Dims axes_of(const Json& dim, std::size_t rank) {
    Dims axes;
    for (const Json& entry : dim.is_array() ? dim : Json::array({dim}))
        if (rank != 0) axes.push_back(tensor_ops::from_front(entry.get<Index>(), rank));
    return axes.empty() ? tensor_ops::all_axes(rank) : axes;
}
T kept(const T& a, const Dims& axes, bool keep, const T& y) {
    SymShape shape = shape_of(a);
    for (const Index axis : axes) shape[static_cast<std::size_t>(axis)] = 1;
    return keep ? reshape(y, shape) : y;
}
T recorded_vector_norm(const T& a, const Json& order, const Json& dim, bool keep) {
    const Dims axes = dim.is_null() ? tensor_ops::all_axes(a.rank()) : axes_of(dim, a.rank());
    return kept(a, axes, keep, linalg::vector_norm(a, order_of(order), axes));
}
T recorded_matrix_norm(const T& a, const Json& order, const Json& dim, bool keep) {
    const Dims axes = dim.is_null() ? tensor_ops::all_axes(a.rank()) : axes_of(dim, a.rank());
    Dims perm = axes;
    for (const Index axis : tensor_ops::all_axes(a.rank()))
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) perm.push_back(axis);
    return kept(a, axes, keep, linalg::matrix_norm(transpose(a, perm), matrix_norm_of(order)));
}
T norm_of(const T& a, const Json& record, const Json& arguments) {
    Json order = arguments.value("ord", Json());
    if (record.contains("op_args") && record["op_args"].is_array() && !record["op_args"].empty())
        order = record["op_args"][0];
    const Json dim = arguments.value("dim", Json());
    const bool keep = arguments.value("keepdim", false);
    const bool of_matrix = !order.is_null() && (order == "fro" || order == "nuc" || a.rank() == 2);
    return of_matrix ? recorded_matrix_norm(a, order, dim, keep) : recorded_vector_norm(a, order, dim, keep);
}

/// The thin factors; with batches in front.
Results thin_svd(const T& a, const std::string& family) {
    const auto f = linalg::svd(matrix(a));
    const T s = recorded_vector(f.s);
    if (family == "u_abs") return {{"u", recorded(abs(f.u))}};
    if (family == "vh_abs") return {{"s", s}, {"vh", recorded(abs(f.vh))}};
    if (family == "uvh_product") return {{"s", s}, {"uvh", recorded(linalg::product(f.u, f.vh))}};
    return {{"s", s}};
}

Results lu_factors(const T& a, bool packed) {
    const T x = matrix(a);
    const auto f = linalg::lu(x);
    if (!packed) return {{"output_1", recorded(f.l)}, {"output_2", recorded(f.u)}};
    return {{"output_0", recorded(padded(tril(f.l, -1), 1, x.extent(1)) + padded(f.u, 0, x.extent(0)))}};
}

Results least_squares(const T& a, const T& b) {
    const T x = matrix(a), y = matrix(b), solution = linalg::lstsq(x, y).x;
    const T size = abs(linalg::product(x, solution) - y);
    return {{"output_0", recorded(solution)},
            {"output_1", recorded_vector(reduce_sum(size * size, Dims{0}))}};
}

T tensor_solve(const T& a, const T& b, const Json& dims) {
    Dims perm;
    const Dims last = dims.is_null() ? Dims() : axes_of(dims, a.rank());
    for (const Index axis : tensor_ops::all_axes(a.rank()))
        if (std::find(last.begin(), last.end(), axis) == last.end()) perm.push_back(axis);
    perm.append(last);
    const T moved = transpose(a, perm);
    SymDim n = 1;
    for (const SymDim& extent : shape_of(b)) n = n * extent;
    SymShape solution;
    for (std::size_t axis = b.rank(); axis < moved.rank(); ++axis) solution.push_back(moved.extent(axis));
    return row_major_reshape(linalg::solve(row_major_reshape(moved, {n, n}), row_major_reshape(b, {n})),
                             solution);
}
T tensor_inverse(const T& a, std::size_t ind) {
    SymDim n = 1;
    SymShape inverse;
    for (std::size_t axis = 0; axis < ind; ++axis) n = n * a.extent(axis);
    for (std::size_t i = 0; i < a.rank(); ++i) inverse.push_back(a.extent((i + ind) % a.rank()));
    return row_major_reshape(linalg::inv(row_major_reshape(a, {n, n})), inverse);
}

/// The permutations P [N, N, B] with which P w is in the recorded order, found by the JVP of w [B, N].
Tensor order_of_eigenvalues(const TwoJvps& jvps) {
    const Index n = jvps.recorded.shape.back();
    const Index count = static_cast<Index>(jvps.recorded.elements.size()) / n;
    const bool is_single = jvps.recorded.dtype == DType::C32;
    std::vector<std::complex<double>> elements(static_cast<std::size_t>(n * n * count));
    for (Index i = 0; i < count; ++i)
        for (Index row = 0; row < n; ++row) {
            Index best = 0;
            const auto distance = [&](Index column) {  // the batch is in front: it varies fastest
                return std::abs(jvps.replayed.elements[static_cast<std::size_t>(i + column * count)] -
                                jvps.recorded.elements[static_cast<std::size_t>(i + row * count)]);
            };
            for (Index column = 1; column < n; ++column)
                if (distance(column) < distance(best)) best = column;
            elements[static_cast<std::size_t>(row + best * n + i * n * n)] = 1;
        }
    return gradcheck::to_tensor({is_single ? DType::C32 : DType::C64, {n, n, count}, std::move(elements)});
}
/// With eigenvalues in the order P w, where P is given.
Replay eig(bool vectors, const std::shared_ptr<const Tensor>& order = nullptr) {
    return [=](Operands x) -> Results {
        const auto f = linalg::eig(matrix(x[0]));
        T w = f.values, v = abs(f.vectors);
        if (order) {
            const T p = reshape(TracedTensor::constant(*order), shape_of(v));
            SymShape column = shape_of(w);
            column.insert(column.begin() + 1, SymDim(1));
            w = reshape(linalg::product(p, reshape(w, column)), shape_of(w));
            v = linalg::product(v, linalg::matrix_transpose(real(p)));
        }
        if (!vectors) return {{"value", recorded_vector(w)}};
        return {{"values", recorded_vector(w)}, {"vectors", recorded(v)}};
    };
}

/// The function of a record, or none.
Replay replay_of(const Json& record) {
    const std::string op = record["op"], family = record["family"];
    const Json arguments = record.contains("op_kwargs") && record["op_kwargs"].is_object()
                               ? record["op_kwargs"]
                               : Json::object();
    const auto value = [](T (*f)(const T&)) {
        return [f](Operands x) { return Results{{"value", recorded(f(matrix(x[0])))}}; };
    };
    if (op == "cholesky")
        return [=](Operands x) -> Results {
            return {{"value", recorded(linalg::cholesky(twice_hermitian_part(matrix(x[0])),
                                                        {.upper = arguments.value("upper", false)}))}};
        };
    if (op == "eigh" || op == "eigvalsh")
        return [=](Operands x) -> Results {
            const auto f = linalg::eigh(twice_hermitian_part(matrix(x[0])));
            const T w = recorded_vector(f.values);
            if (op == "eigvalsh") return {{"value", w}};
            return {{"values", w}, {"vectors", recorded(abs(f.vectors))}};
        };
    if (op == "svd") return [=](Operands x) { return thin_svd(x[0], family); };
    if (op == "svdvals")
        return [](Operands x) { return Results{{"value", recorded_vector(linalg::svdvals(matrix(x[0])))}}; };
    if (op == "eig" || op == "eigvals") {
        const bool vectors = op == "eig";
        const TwoJvps jvps = first_jvp(record, eig(vectors), vectors ? "values" : "value");
        return eig(vectors, std::make_shared<const Tensor>(order_of_eigenvalues(jvps)));
    }
    if (op == "qr")
        return [](Operands x) -> Results {
            const auto f = linalg::qr(matrix(x[0]));
            return {{"output_0", recorded(f.q)}, {"output_1", recorded(f.r)}};
        };
    if (op == "lu" || op == "lu_factor")
        return [=](Operands x) { return lu_factors(x[0], op == "lu_factor"); };
    if (op == "solve") return [](Operands x) { return Results{{"value", solved(x[0], x[1])}}; };
    if (op == "solve_triangular")
        return [=](Operands x) -> Results {
            return {
                {"value", recorded(linalg::triangular_solve(matrix(x[0]), matrix(x[1]),
                                                            {.left = arguments["left"],
                                                             .lower = !arguments["upper"].get<bool>(),
                                                             .unit_diagonal = arguments["unitriangular"]}))}};
        };
    if (op == "inv") return value([](const T& a) { return linalg::inv(a); });
    if (op == "matrix_exp") return value([](const T& a) { return linalg::matrix_exp(a); });
    if (op == "pinv") return value([](const T& a) { return linalg::pinv(a); });
    if (op == "pinv_hermitian")
        return value([](const T& a) { return linalg::pinv(twice_hermitian_part(a)); });
    if (op == "pinv_singular")
        return [](Operands x) -> Results {
            const T product = linalg::product(matrix(x[0]), linalg::matrix_transpose(matrix(x[1])));
            return {{"value", recorded(linalg::pinv(product))}};
        };
    if (op == "det") return [](Operands x) { return Results{{"value", linalg::det(matrix(x[0]))}}; };
    if (op == "slogdet")
        return [](Operands x) -> Results {
            const auto f = linalg::slogdet(matrix(x[0]));
            return {{"output_0", f.sign}, {"output_1", f.logabsdet}};
        };
    if (op == "lstsq_grad_oriented") return [](Operands x) { return least_squares(x[0], x[1]); };
    if (op == "matrix_norm")
        return [=](Operands x) {
            const Json& of = record["op_args"];
            return Results{{"value", recorded_matrix_norm(x[0], of[0], of[1], of[2])}};
        };
    if (op == "norm") return [=](Operands x) { return Results{{"value", norm_of(x[0], record, arguments)}}; };
    if (op == "vector_norm")
        return [=](Operands x) -> Results {
            return {{"value", recorded_vector_norm(x[0], arguments.value("ord", Json()),
                                                   arguments.value("dim", Json()),
                                                   arguments.value("keepdim", false))}};
        };
    if (op == "tensorsolve")
        return [=](Operands x) {
            return Results{{"value", tensor_solve(x[0], x[1], arguments.value("dims", Json()))}};
        };
    if (op == "tensorinv")
        return [=](Operands x) {
            return Results{{"value", tensor_inverse(x[0], arguments["ind"].get<std::size_t>())}};
        };
    return nullptr;
}

TEST(DerivativeOracles, RecordedDerivativesOfLinearAlgebraAreReproduced) {
    std::map<std::string, int> counts;
    const bool available = for_each_record([&](const Json& record) {
        if (record["inputs"].begin().value()["data"].empty()) return;
        const Replay replay = replay_of(record);
        if (!replay) return;
        Tolerances held = tolerances(record);
        const std::string op = record["op"];
        if (op == "eig" || op == "eigvals") held.first = std::max(held.first, 1e-8);
        counts[op] += check_record(record, replay, held);
    });
    if (!available) GTEST_SKIP() << "reference data " << TENFERRO_AD_ORACLES << " is not available";
    EXPECT_GE(print_counts(counts), 350);
}

}}  // namespace tenferro::ad::linalg_oracles
