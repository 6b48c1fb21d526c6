// The derivatives of svd and of what is computed by it. With P = Uᴴ dA V, the rotations dU = U Ω_U + … and
// dV = V Ω_V + … are found by their sum and their difference,
//   (Ω_U + Ω_V)_ij = (P + Pᴴ)_ij / (s_j - s_i),   (Ω_U - Ω_V)_ij = (P - Pᴴ)_ij / (s_i + s_j),
// so that only the sum has the gap (Townsend, "Differentiating the singular value decomposition", 2016, has
// s_j² - s_i² in both). The phases that a complex decomposition leaves open are turned as little as possible.

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

Expr rules::gauge_turn(const Expr& vectors, const Expr& tangents) {
    const Expr size = abs(vectors);
    Dims kept;
    for (std::size_t axis = 1; axis < vectors.rank(); ++axis) kept.push_back(static_cast<Index>(axis));
    const Expr peak = broadcast_in_dim(reduce_max(size, Dims{0}), shape_of(size), kept);
    const double units = size.dtype() == DType::F32 ? 0x1p-17 : 0x1p-46;  // as gauge_factor() has it
    const Expr one = full_like(size, 1), none = full_like(size, 0);
    const Expr largest = select(greater_equal(size * (1 + units), peak), one, none);
    const Expr first = select(equal(cumulative_sum(largest, 0) * largest, one), one, none);
    const Expr turned = reduce_sum(imag(tangents) * first, Dims{0}),
               length = reduce_sum(size * first, Dims{0});
    return -(turned / length);
}

namespace {

/// dS alone, by one product.
Expr tangent_of_values(const Expr& a, const SvdResult<Expr>& f, const Expr& da, double eps) {
    return result_of(std::make_shared<SpectralDiagonal>(false, eps), {a, f.u, f.s, f.vh, da});
}

/// Where U has more columns than K: those follow the others, and do not turn among themselves.
Expr completed(const Expr& all, const SymDim& k, const Expr& first, const Expr& tangent) {
    if (all.extent(1) == k) return tangent;
    const Expr rest = behind(all, 1, k);
    return concatenate({tangent, -product(first, product(adjoint(tangent), rest))}, 1);
}

}  // namespace

OptionalExprs Svd::tangents(const ExtensionTangentArgs& args) const {
    const Expr &a = args.x[0], &da = *args.dx[0], &s = args.y[1];
    const SymDim k = s.extent(0), m = a.extent(0), n = a.extent(1);
    const Expr u = leading(args.y[0], 1, k), vh = leading(args.y[2], 0, k);
    if (!args.wants(0) && !args.wants(2))
        return {std::nullopt, tangent_of_values(a, {u, s, vh}, da, derivative_eps), std::nullopt};

    const Expr v = adjoint(vh), columns = product(da, v), p = product(adjoint(u), columns);
    using By = SpectralQuotient;  // of which the parts have the half that sum and difference would get
    const Expr sum = quotient({By::kDifference, derivative_eps, By::kHermitian}, p, s),
               difference = quotient({By::kSum, derivative_eps, By::kAntihermitian}, p, s);
    OptionalExprs result{std::nullopt, as(diagonal(p), s.dtype()), std::nullopt};
    std::optional<Expr> angle;
    if (args.wants(0) || (fix_gauge && has_complex(a))) {
        Expr du = product(u, sum + difference);
        if (!(m == k)) du = du + quotient({By::kColumn, derivative_eps}, columns - product(u, p), s);
        if (fix_gauge && has_complex(a)) {
            angle = gauge_turn(u, du);
            du = turned(u, du, *angle);
        }
        result[0] = completed(args.y[0], k, u, du);
    }
    if (args.wants(2)) {
        Expr dv = product(v, sum - difference);
        if (!(n == k))
            dv = dv +
                 quotient({By::kColumn, derivative_eps}, product(adjoint(da), u) - product(v, adjoint(p)), s);
        if (angle) dv = turned(v, dv, *angle);
        result[2] = adjoint(completed(args.y[2].extent(0) == k ? v : adjoint(args.y[2]), k, v, dv));
    }
    return result;
}

OptionalExprs Svdvals::tangents(const ExtensionTangentArgs& args) const {
    return {tangent_of_values(args.x[0], svd(args.x[0]), *args.dx[0], kDerivativeEps)};
}

// At constant rank (Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973), with G the pseudoinverse:
// dG = -G dA G + G Gᴴ dAᴴ (I - A G) + (I - G A) dAᴴ Gᴴ G.
OptionalExprs Pinv::tangents(const ExtensionTangentArgs& args) const {
    const Expr &a = args.x[0], &g = args.y[0], &da = *args.dx[0];
    const Expr gh = adjoint(g), dah = adjoint(da);
    const Expr left = product(g, product(gh, dah)), right = product(product(dah, gh), g);
    return {left - product(product(left, a), g) + right - product(g, product(a, right)) -
            product(g, product(da, g))};
}

// X = G B, where the rank is constant; the residual is B - A X.
OptionalExprs Lstsq::tangents(const ExtensionTangentArgs& args) const {
    const Expr &a = args.x[0], &b = args.x[1], &x = args.y[0];
    OptionalExprs result(3);
    if (args.wants(0)) {
        const Expr g = pinv(a, *this);
        Maybe inner = args.dx[1];
        if (args.dx[0]) inner = sum_of(inner, -product(*args.dx[0], x));
        Maybe dx = product(g, *inner);
        if (args.dx[0]) {
            const Expr gh = adjoint(g), dah = adjoint(*args.dx[0]);
            const Expr outer = product(dah, product(gh, x));
            dx = *dx + product(g, product(gh, product(dah, b - product(a, x)))) + outer -
                 product(g, product(a, outer));
        }
        result[0] = dx;
    }
    if (args.wants(2) && args.dx[0]) result[2] = tangent_of_values(a, svd(a), *args.dx[0], kDerivativeEps);
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
