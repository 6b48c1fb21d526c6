// The derivatives of spectral_function, by divided differences (Daleckii and Krein, 1951; for singular values
// Noferini, SIAM J. Matrix Anal. Appl. 38, 2017): with P = Uᴴ dA V, the symmetric part of P off the diagonal
// is multiplied by (f_i - f_j) / (s_i - s_j), its antisymmetric part by (f_i + f_j) / (s_i + s_j), what is
// outside of the spaces of U and V by f_j / s_j. Where a divisor is 0 the limits come from the derivative of
// f by s.
#include "linalg/batch.hpp"
#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

namespace {

/// f divided by the gaps of s, with its limits.
struct Differences {
    Expr like;  ///< [K, K], real
    Expr s, f, slope;
    double eps;

    Differences(const Expr& of_values, const Expr& f_of_values, double least, ShapeGuardContext& context)
        : like(as_diagonal(of_values)),
          s(of_values),
          f(f_of_values),
          slope(tensor_ops::instantiate(along_numbers(f, s, context), f)),
          eps(least) {}

    [[nodiscard]] Expr columns(const Expr& v) const { return along_axis(v, 1, like); }
    [[nodiscard]] Expr rows(const Expr& v) const { return along_axis(v, 0, like); }

    [[nodiscard]] Expr by_differences() const {
        return quotient({SpectralQuotient::kDifference, eps}, columns(f) - rows(f), s,
                        columns(slope) - rows(slope));
    }
    [[nodiscard]] Expr by_sums() const {
        return quotient({SpectralQuotient::kSum, eps}, columns(f) + rows(f), s, columns(slope) + rows(slope));
    }
};

/// What U diag(f) Vh turns as A moves along da, while f stays.
Expr turning(const SpectralFunction& op, const ExtensionTangentArgs& args, const Expr& da) {
    const Expr &u = args.x[1], &vh = args.x[3];
    const Differences of(args.x[2], args.x[4], op.derivative_eps, args.context);
    const Expr differences = as(of.by_differences(), u.dtype());
    if (op.hermitian)
        return product(
            product(u, product(product(adjoint(u), hermitian_part(da)), adjoint(vh)) * differences), vh);
    const Expr left = product(adjoint(u), da), right = product(da, adjoint(vh)),
               p = product(left, adjoint(vh)), ph = adjoint(p), sums = of.by_sums();
    Expr dy = product(product(u, ((p + ph) * differences + (p - ph) * as(sums, u.dtype())) * 0.5), vh);
    const Expr ratio = diagonal(sums);
    if (!(u.extent(0) == u.extent(1))) dy = dy + product(scaled_columns(right - product(u, p), ratio), vh);
    if (!(vh.extent(0) == vh.extent(1))) dy = dy + product(u, scaled_rows(ratio, left - product(p, vh)));
    return dy;
}

/// The operation of `kind` on the decomposition among `inputs`, and `last`.
template <class Class, class Like>
Expr with_last(const Like& like, std::span<const Expr> inputs, const Expr& last) {
    return result_of(std::make_shared<Class>(like.hermitian, like.derivative_eps),
                     {inputs[0], inputs[1], inputs[2], inputs[3], last});
}

}  // namespace

OptionalExprs SpectralFunction::tangents(const ExtensionTangentArgs& args) const {
    Maybe result;
    if (args.dx[4]) result = with_last<SpectralFunction>(*this, args.x, *args.dx[4]);
    if (args.dx[0]) result = sum_of(result, turning(*this, args, *args.dx[0]));
    return {result};
}

OptionalExprs SpectralFunction::cotangents(const ExtensionCotangentArgs& args) const {
    OptionalExprs result(5);
    result[4] = with_last<SpectralDiagonal>(*this, args.inputs, *args.ct[0]);
    return result;
}

OptionalExprs SpectralDiagonal::tangents(const ExtensionTangentArgs& args) const {
    const Expr &u = args.x[1], &vh = args.x[3], &x = args.x[4];
    Maybe result;
    if (args.dx[4]) result = with_last<SpectralDiagonal>(*this, args.x, *args.dx[4]);
    const auto add = [&](const Expr& left, const Expr& right) {
        const Expr sum = reduce_sum(conjugate(left) * product(x, right), Dims{0});
        result = sum_of(result, as(sum, real_dtype(x.dtype())));
    };
    if (args.dx[1]) add(*args.dx[1], adjoint(vh));
    if (args.dx[3]) add(u, adjoint(*args.dx[3]));
    return {result};
}

OptionalExprs SpectralDiagonal::cotangents(const ExtensionCotangentArgs& args) const {
    OptionalExprs result(5);
    result[4] = with_last<SpectralFunction>(*this, args.inputs, *args.ct[0]);
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
