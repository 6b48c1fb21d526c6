// Samples of linear algebra. Matrices are moved away from where factorisations are not smooth: drawn numbers
// are small beside a diagonal of 1, 2, 3, ….
#include "ad/linalg_samples.hpp"

#include "tenferro/linalg/functions.hpp"
#include "tenferro/linalg/norms.hpp"
#include "tenferro/linalg/spectral.hpp"

namespace tenferro::ad {

namespace linalg_samples { namespace {

using gradcheck::Sample;
using T = TracedTensor;
using Operands = std::span<const T>;
using List = std::vector<T>;

/// x / 4 with 1, 2, 3, … added to the diagonal of square and other matrices.
T spread(const T& x) {
    const T ones = full_like(abs(x), 1), row = cumulative_sum(ones, 0), column = cumulative_sum(ones, 1);
    const T diagonal = select(equal(row, column), row, full_like(row, 0));
    return x * 0.25 + (diagonal.dtype() == x.dtype() ? diagonal : convert(diagonal, x.dtype()));
}
T spread_hermitian(const T& x) {
    const T a = spread(x);
    return a + linalg::adjoint(a);
}
T positive(const T& x) { return linalg::product(x, linalg::adjoint(x)) + linalg::identity_like(x); }

Sample one(Dims shape, std::vector<Dims> other_shapes, std::function<List(const T&)> function) {
    return {{{std::move(shape)}},
            [function = std::move(function)](Operands x) { return function(x[0]); },
            std::move(other_shapes)};
}
Sample two(Dims first, Dims second, std::vector<Dims> other_shapes,
           std::function<List(const T&, const T&)> function) {
    return {{{std::move(first)}, {std::move(second)}},
            [function = std::move(function)](Operands x) { return function(x[0], x[1]); },
            std::move(other_shapes)};
}
List apply(linalg::operations::Operation op, std::vector<T> inputs) {
    return extension::apply(std::move(op), std::span<const T>(inputs));
}
linalg::operations::Operation from_text(std::string_view family, std::string_view payload) {
    linalg::register_operations();
    return require_extension(family)->decode(payload);
}

Sample triangular(const linalg::TriangularOptions& options) {
    return two({3, 3}, options.left ? Dims{3, 2} : Dims{2, 3}, {{2, 2}, {2, 2}},
               [=](const T& a, const T& b) { return List{linalg::triangular_solve(spread(a), b, options)}; });
}
/// Values and what of the vectors does not depend on their signs and phases.
List invariants(const linalg::SvdResult<T>& f) {
    const T sizes = cumulative_sum(sqrt(f.s), 0);
    Dims axes{1};
    for (std::size_t axis = 2; axis < f.u.rank(); ++axis) axes.push_back(static_cast<Index>(axis));
    T scale = broadcast_in_dim(sizes, shape_of(abs(f.u)), axes);
    if (info(f.u.dtype()).is_complex) scale = convert(scale, f.u.dtype());
    return {f.s, abs(f.u), abs(f.vh), linalg::product(f.u * scale, f.vh)};
}
Sample svd(Dims shape, std::vector<Dims> other_shapes) {
    return one(std::move(shape), std::move(other_shapes),
               [](const T& x) { return invariants(linalg::svd(spread(x))); });
}
Sample full_svd(Dims shape, std::vector<Dims> other_shapes) {
    return one(std::move(shape), std::move(other_shapes), [](const T& x) {
        const auto f = linalg::svd(spread(x), {.full = true});
        const T p = linalg::product(f.u, linalg::adjoint(f.u)), rest = linalg::adjoint(f.vh);
        return List{f.s, abs(linalg::product(linalg::adjoint(f.u), x)), p,
                    linalg::product(linalg::adjoint(f.vh), f.vh), abs(linalg::product(x, rest))};
    });
}
Sample norm(linalg::MatrixNorm kind) {
    return one({2, 3}, {{3, 2}}, [=](const T& x) { return List{linalg::matrix_norm(spread(x), kind)}; });
}
Sample vector_norm(double p) {
    return one({2, 2, 2}, {{1, 2, 3}}, [=](const T& x) { return List{linalg::vector_norm(x, p, {0, 2})}; });
}
Sample qr(Dims shape, std::vector<Dims> other_shapes, linalg::QrOptions options = {}) {
    return one(std::move(shape), std::move(other_shapes), [=](const T& x) {
        const auto f = linalg::qr(spread(x), options);
        return List{f.q, f.r};
    });
}
template <class F>
Sample factors_of(Dims shape, std::vector<Dims> other_shapes, F factorisation) {
    return one(std::move(shape), std::move(other_shapes), [=](const T& x) {
        const auto f = factorisation(spread(x));
        return List{f.l, f.u};
    });
}

Sample eig_cotangents(const Dims& shape, const std::vector<Dims>& other_shapes) {
    return two(shape, shape, other_shapes, [](const T& x, const T& y) {
        const auto f = linalg::eig(spread(x));
        const bool is_real = !info(x.dtype()).is_complex;
        const T weights = is_real ? convert(y, f.vectors.dtype()) : y;
        return apply(from_text("tenferro-linalg.eig_cotangents.v1", is_real ? "real=true" : "real=false"),
                     {f.values, f.vectors, f.values * reduce_sum(weights, Dims{0}), f.vectors * weights});
    });
}

std::vector<LinalgRow> made() {
    const auto lu = [](const T& x) { return linalg::lu(x); };
    const auto full_piv_lu = [](const T& x) { return linalg::full_piv_lu(x); };
    const auto solve = [](bool left, bool transpose, bool conjugate) {
        return [=](const T& a, const T& b) {
            const T s = spread(a);
            const auto f = linalg::lu_factor(s);
            return apply(linalg::operations::lu_solve(left, transpose, conjugate),
                         {s, f.lu, f.rows, f.exponent, b});
        };
    };
    const auto quotient = [](const char* payload, Dims shape) {
        return two(shape, {shape[1]}, {}, [=](const T& x, const T& s) {
            const T number = cumulative_sum(full_like(s, 1), 0);
            const T spectrum = info(s.dtype()).is_complex ? real(s) + real(number) * 3 : s + number * 3;
            std::vector<T> inputs{x, spectrum};
            if (std::string_view(payload).find("true") != std::string_view::npos) inputs.push_back(x * 2.0);
            return apply(from_text("tenferro-linalg.spectral_quotient.v1", payload), inputs);
        });
    };
    return {
        {"cholesky",
         {one({3, 3}, {{2, 2}}, [](const T& x) { return List{linalg::cholesky(positive(x))}; }),
          one({2, 2, 2}, {{1, 1, 3}},
              [](const T& x) { return List{linalg::cholesky(positive(x), {.upper = true})}; })}},
        {"triangular_solve",
         {triangular({}), triangular({.left = false, .lower = false}),
          triangular({.transpose = true, .unit_diagonal = true}),
          triangular({.left = false, .transpose = true, .conjugate = true}),
          triangular({.lower = false, .conjugate = true})}},
        {"lu",
         {factors_of({3, 3}, {{2, 2}}, lu), factors_of({2, 3, 2}, {{3, 4, 1}}, lu),
          factors_of({3, 2}, {{2, 3}}, lu)}},
        {"lu_factor", {}, LinalgMark::Constant},
        {"lu_solve",
         {two({3, 3}, {3, 2}, {{2, 2}, {2, 1}},
              [](const T& a, const T& b) { return List{linalg::solve(spread(a), b)}; }),
          two({2, 2, 2}, {3, 2, 2}, {}, solve(false, false, true)),
          two({2, 2}, {2, 2}, {}, solve(true, true, false)),
          two({2, 2}, {2}, {}, [](const T& a, const T& b) { return List{linalg::solve(spread(a), b)}; })}},
        {"det",
         {one({3, 3}, {{2, 2}}, [](const T& x) { return List{linalg::det(spread(x))}; }),
          one({2, 2, 3}, {{1, 1, 2}}, [](const T& x) { return List{linalg::det(x)}; }),
          // singular: of rank 2, with derivatives of both orders, and of rank 1, where the first one is 0
          {{{.shape = {3, 3}, .elements = {1, 2, 3, 0, 1, 1, 1, 3, 4}}},
           [](Operands x) { return List{linalg::det(x[0])}; }},
          {{{.shape = {3, 3}, .elements = {1, 2, -1, 2, 4, -2, 3, 6, -3}}},
           [](Operands x) { return List{linalg::det(x[0])}; }}}},
        {"adjugate",
         {one({3, 3}, {},
              [](const T& x) {
                  const T s = spread(x);
                  const auto f = linalg::lu_factor(s);
                  return apply(from_text("tenferro-linalg.adjugate.v1", ""), {s, f.lu, f.rows, f.exponent});
              })}},
        {"adjugate_derivative",
         {two({3, 3}, {3, 3}, {},
              [](const T& x, const T& y) {
                  const T s = spread(x);
                  const auto f = linalg::lu_factor(s);
                  return apply(from_text("tenferro-linalg.adjugate_derivative.v1", ""),
                               {s, f.lu, f.rows, f.exponent, y});
              })}},
        {"slogdet",
         {one({3, 3}, {{2, 2}},
              [](const T& x) {
                  const auto f = linalg::slogdet(spread(x));
                  return List{f.sign, f.logabsdet};
              })}},
        {"inv", {one({2, 2, 2}, {{3, 3, 1}}, [](const T& x) { return List{linalg::inv(spread(x))}; })}},
        {"full_piv_lu",
         {factors_of({3, 3}, {{2, 2}}, full_piv_lu), factors_of({2, 3}, {{3, 4}}, full_piv_lu)}},
        {"full_piv_lu_solve",
         {two({3, 3}, {3, 2}, {{2, 2}, {2, 1}},
              [](const T& a, const T& b) { return List{linalg::full_piv_lu_solve(spread(a), b)}; })}},
        {"qr",
         {qr({3, 3}, {{2, 2}}), qr({4, 2}, {{3, 1}}), qr({2, 4, 2}, {{1, 3, 1}}),
          qr({3, 2}, {{2, 2}}, {.positive = true}), qr({2, 3}, {}, {.full = true}),
          one({3, 2}, {},
              [](const T& x) {
                  const auto f = linalg::qr(spread(x), {.full = true});
                  return List{abs(linalg::product(linalg::adjoint(f.q), x)), f.r};
              })}},
        {"pivoted_qr",
         {one({3, 3}, {}, [](const T& x) { return List{linalg::pivoted_qr(spread(x)).r}; })},
         LinalgMark::Unsupported},
        {"svd",
         {svd({3, 3}, {{2, 2}}), svd({4, 2}, {{2, 3}}), svd({2, 3, 2}, {{3, 2, 1}}),
          full_svd({2, 3}, {{3, 2}}),
          one({3, 2}, {{2, 3}},
              [](const T& x) {
                  const auto f = linalg::svd(spread(x), {.fix_gauge = true});
                  return List{f.u, f.vh};
              }),
          one({3, 4}, {},
              [](const T& x) {
                  const auto f = linalg::truncated_svd(spread(x), 2);
                  return invariants(f);
              }),
          one({3, 3}, {}, [](const T& x) { return List{linalg::svd(spread(x)).s}; })}},
        {"svdvals",
         {one({2, 3}, {{3, 2}},
              [](const T& x) { return apply(linalg::operations::svdvals(), {spread(x)}); })}},
        {"pinv",
         {one({3, 2}, {{2, 3}}, [](const T& x) { return List{linalg::pinv(spread(x))}; }),
          two({3, 2}, {2, 3}, {},
              [](const T& x, const T& y) { return List{linalg::pinv(linalg::product(x, spread(y)))}; })}},
        {"lstsq",
         {two({4, 2}, {4, 2}, {{2, 3}, {2, 1}},
              [](const T& a, const T& b) {
                  const auto f = linalg::lstsq(spread(a), b);
                  return List{f.x, f.s};
              }),
          two({2, 3}, {2, 2}, {},
              [](const T& a, const T& b) { return List{linalg::lstsq(spread(a), b).x}; })}},
        {"eigh",
         {one({3, 3}, {{2, 2}},
              [](const T& x) {
                  const auto f = linalg::eigh(spread_hermitian(x));
                  return List{f.values, abs(f.vectors)};
              }),
          one({2, 2, 2}, {},
              [](const T& x) {
                  const auto f = linalg::eigh(spread_hermitian(x), {.lower = false, .fix_gauge = true});
                  return List{f.values, f.vectors};
              })}},
        {"eigvalsh",
         {one({3, 3}, {{2, 2}},
              [](const T& x) { return apply(linalg::operations::eigvalsh({}), {spread_hermitian(x)}); })}},
        {"eig",
         {one({3, 3}, {{2, 2}},
              [](const T& x) {
                  const auto f = linalg::eig(spread(x));
                  return List{f.values, abs(f.vectors)};
              }),
          one({2, 2, 2}, {},
              [](const T& x) {
                  const auto f = linalg::eig(spread(x), {.fix_gauge = true});
                  return List{f.vectors};
              })}},
        {"eigvals",
         {one({2, 2}, {{3, 3}},
              [](const T& x) { return apply(linalg::operations::eigvals(), {spread(x)}); })}},
        // Without what a phase of the vectors, which eig chooses, would change.
        {"eig_tangents",
         {two({3, 3}, {3, 3}, {{2, 2}, {2, 2}},
              [](const T& x, const T& y) {
                  const auto f = linalg::eig(spread(x));
                  const List moved =
                      apply(from_text("tenferro-linalg.eig_tangents.v1", ""), {f.values, f.vectors, y});
                  return List{moved[0], abs(moved[1])};
              }),
          two({2, 2, 2}, {2, 2, 2}, {},
              [](const T& x, const T& y) {
                  const auto f = linalg::eig(spread(x));
                  return List{
                      apply(from_text("tenferro-linalg.eig_tangents.v1", ""), {f.values, f.vectors, y})[0]};
              })}},
        {"eig_cotangents", {eig_cotangents({3, 3}, {{2, 2}, {2, 2}}), eig_cotangents({2, 2, 2}, {})}},
        {"matrix_exp", {one({2, 2, 2}, {{3, 3, 1}}, [](const T& x) { return List{linalg::matrix_exp(x)}; })}},
        {"matrix_exp_derivative",
         {two({2, 2}, {2, 2}, {{3, 3}, {3, 3}},
              [](const T& a, const T& e) {
                  return apply(from_text("tenferro-linalg.matrix_exp_derivative.v1", ""), {a, e});
              })}},
        {"spectral_function",
         {one({3, 3}, {{2, 2}},
              [](const T& x) {
                  const T a = positive(x);
                  return List{linalg::hermitian_exp(a * 0.5), linalg::hermitian_log(a),
                              linalg::hermitian_power(a, -0.5)};
              }),
          one({2, 2, 2}, {},
              [](const T& x) { return List{linalg::spectral_projector(spread_hermitian(x), 3)}; }),
          one({3, 2}, {{2, 3}},
              [](const T& x) {
                  const auto f = linalg::polar(spread(x));
                  return List{f.unitary, f.positive};
              }),
          one({3, 4}, {{4, 3}}, [](const T& x) { return List{linalg::low_rank(spread(x), 2)}; })}},
        {"spectral_diagonal",
         {two({3, 2}, {3, 2}, {{2, 3}, {2, 3}},
              [](const T& x, const T& y) {
                  const auto f = linalg::svd(spread(x));
                  return apply(from_text("tenferro-linalg.spectral_diagonal.v1",
                                         "hermitian=false, derivative_eps=1e-12"),
                               {spread(x), f.u, f.s, f.vh, y});
              })}},
        {"spectral_quotient",
         {quotient("kind=0, part=0, eps=1e-12, limit=false", {3, 3}),
          quotient("kind=0, part=1, eps=1e-12, limit=true", {3, 3}),
          quotient("kind=0, part=-1, eps=1e-12, limit=false", {3, 3}),
          quotient("kind=1, part=0, eps=1e-12, limit=false", {3, 3}),
          quotient("kind=1, part=-1, eps=1e-12, limit=true", {3, 3}),
          quotient("kind=2, part=0, eps=1e-12, limit=true", {2, 3})}},
        {"weighted_triangles",
         {one({3, 3, 2}, {{1, 1, 2}},
              [](const T& x) {
                  return apply(from_text("tenferro-linalg.weighted_triangles.v1",
                                         "below=1, on=-0.5, above=2, below_adjoint=3, on_adjoint=0, "
                                         "above_adjoint=0.25"),
                               {x});
              })}},
    };
}

std::vector<Sample> compositions() {
    using linalg::MatrixNorm;
    return {
        norm(MatrixNorm::Frobenius),
        norm(MatrixNorm::One),
        norm(MatrixNorm::MinusOne),
        norm(MatrixNorm::Inf),
        norm(MatrixNorm::MinusInf),
        norm(MatrixNorm::Two),
        norm(MatrixNorm::MinusTwo),
        norm(MatrixNorm::Nuclear),
        vector_norm(0),
        vector_norm(1),
        vector_norm(2),
        vector_norm(3.5),
        vector_norm(-1.5),
        vector_norm(0.5),
        vector_norm(std::numeric_limits<double>::infinity()),
        vector_norm(-std::numeric_limits<double>::infinity()),
        // the elements that are 0 have a second derivative
        {{{.shape = {3}, .elements = {0, 2, 1}}}, [](Operands x) { return List{linalg::vector_norm(x[0])}; }},
        two({2, 2}, {2, 3}, {{1, 2}, {3, 2}},
            [](const T& a, const T& b) { return List{linalg::kron(a, b)}; }),
        one({3, 3, 2}, {{2, 2, 1}}, [](const T& x) { return List{linalg::trace(x)}; }),
        one({2, 2}, {{3, 3}}, [](const T& x) { return List{linalg::matrix_power(spread(x), 3)}; }),
        one({2, 2}, {{3, 3}}, [](const T& x) { return List{linalg::matrix_power(spread(x), -2)}; })};
}

}}  // namespace linalg_samples

const std::vector<LinalgRow>& linalg_rows() {
    static const std::vector<LinalgRow> rows = linalg_samples::made();
    return rows;
}

const std::vector<gradcheck::Sample>& linalg_compositions() {
    static const std::vector<gradcheck::Sample> samples = linalg_samples::compositions();
    return samples;
}

}  // namespace tenferro::ad
