// The derivatives of elementwise operations: the formulas of op_table.hpp, with the functions that they
// share, and those of select and clamp. Forward mode multiplies by f' without conjugation; the transposes
// conjugate (docs/semantics.md). At kinks: equal operands of maximum and minimum share equally, clamp is
// active strictly inside.
#include "ops/derivatives.hpp"

#include <numbers>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

using Maybe = std::optional<Expr>;

constexpr double kTwoOverRootPi = 2 * std::numbers::inv_sqrtpi;

/// y, and 1 where it is 0.
Expr nonzero(const Expr& y) { return select(equal(y, full_like(y, 0)), full_like(y, 1), y); }

/// The real derivative of y = |x| along dx: Re(conj(x / y) dx), and 0 at 0.
Expr along_sign(const Expr& x, const Expr& y, const Expr& dx) {
    if (!info(x.dtype()).is_complex) return dx * sign(x);
    return cast(conj(x / cast(nonzero(y), x.dtype())) * dx, y.dtype());
}

/// The derivative of y = sign x along dx: a complex x turns y by what of dx is across it, Im(conj(y) dx) /
/// |x|; 0 at 0.
Maybe turn(const Expr& x, const Expr& y, const Expr& dx) {
    if (!info(x.dtype()).is_complex) return std::nullopt;
    const Expr along = conj(y) * dx;
    return y * ((along - conj(along)) / cast(nonzero(abs(x)) * 2, x.dtype()));
}

/// The imaginary part of a real number does not depend on it.
Maybe imaginary_tangent(const Expr& dx) {
    return info(dx.dtype()).is_complex ? Maybe(imag(dx)) : std::nullopt;
}

/// 1 where a is chosen over b, one half where they are equal.
Expr share(const Expr& chosen, const Expr& a, const Expr& b) {
    return select(chosen, full_like(a, 1), select(equal(a, b), full_like(a, 0.5), full_like(a, 0)));
}

/// b a^(b-1), and 0 where both are 0. Elsewhere b = 0 is no exception, as the derivative by b is not 0 there.
Expr power_slope(const Expr& a, const Expr& b) {
    const Expr no_base = equal(a, full_like(a, 0)),
               none = select(no_base, equal(b, full_like(b, 0)), no_base);
    return select(none, full_like(a, 0), b * pow(a, select(none, full_like(b, 1), b - 1)));
}

/// 1 / sqrt(a^2 + 1), of real numbers without overflow between.
Expr asinh_slope(const Expr& a) {
    return info(a.dtype()).is_complex ? rsqrt(a * a + 1) : 1 / hypot(a, full_like(a, 1));
}

/// log a, and 0 at a = 0, where a^b is constant in b > 0.
Expr safe_log(const Expr& a) { return log(select(equal(a, full_like(a, 0)), full_like(a, 1), a)); }

template <OpId Op>
struct Row;

// A unary row is its formula; a binary one is one by each operand, TENFERRO_TANGENT_2, or one alone.
// clang-format off
#define TENFERRO_ROW(Name, method, dtypes, meaning, formula) \
    template <> \
    struct Row<OpId::Name> { \
        [[maybe_unused]] static constexpr auto none = std::nullopt; \
        static Maybe tangent(const TangentArgs& args) { return of(args.x[0], args.y, *args.dx[0]); } \
        static Maybe of([[maybe_unused]] const Expr& a, [[maybe_unused]] const Expr& y, \
                        [[maybe_unused]] const Expr& da) { \
            return formula; \
        } \
    };
TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_TANGENT_1(formula) \
        static Maybe tangent([[maybe_unused]] const TangentArgs& args) { \
            [[maybe_unused]] const Expr &a = args.x[0], &b = args.x[1]; \
            return formula; \
        }
#define TENFERRO_TANGENT_2(by_a, by_b) \
        static Maybe tangent(const TangentArgs& args) { \
            return sum_of(args.dx[0] ? of_a(args.x[0], args.x[1], args.y, *args.dx[0]) : std::nullopt, \
                          args.dx[1] ? of_b(args.x[0], args.x[1], args.y, *args.dx[1]) : std::nullopt); \
        } \
        static Maybe of_a([[maybe_unused]] const Expr& a, [[maybe_unused]] const Expr& b, \
                          [[maybe_unused]] const Expr& y, [[maybe_unused]] const Expr& da) { \
            return by_a; \
        } \
        static Maybe of_b([[maybe_unused]] const Expr& a, [[maybe_unused]] const Expr& b, \
                          [[maybe_unused]] const Expr& y, [[maybe_unused]] const Expr& db) { \
            return by_b; \
        }
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) \
    template <> \
    struct Row<OpId::Name> { \
        [[maybe_unused]] static constexpr auto none = std::nullopt; \
        TENFERRO_PICK(TENFERRO_TANGENT, __VA_ARGS__)(__VA_ARGS__) \
    };
TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#undef TENFERRO_TANGENT_1
#undef TENFERRO_TANGENT_2
// clang-format on

template <>
struct Row<OpId::Select> {
    static Maybe tangent(const TangentArgs& args) {
        return select(args.x[0], instantiate(args.dx[1], args.x[1]), instantiate(args.dx[2], args.x[2]));
    }
};

template <>
struct Row<OpId::Clamp> {
    static Maybe tangent(const TangentArgs& args) {
        const Expr &low = args.x[0], &x = args.x[1], &high = args.x[2];
        const auto where = [&](const Expr& condition, const Expr& tangent) {
            return select(condition, tangent, full_like(tangent, 0));
        };
        Maybe sum;
        if (args.dx[0]) sum = where(less(x, low), where(less(low, high), *args.dx[0]));
        if (args.dx[1]) sum = sum_of(sum, where(less(low, x), where(less(x, high), *args.dx[1])));
        if (args.dx[2]) sum = sum_of(sum, where(less(high, maximum(low, x)), *args.dx[2]));
        return sum;
    }
};

}  // namespace

DerivativeRow derivative(OpId op) {
    switch (op) {
#define TENFERRO_ROW(Name, ...) \
    case OpId::Name: return &Row<OpId::Name>::tangent;
        TENFERRO_UNARY_OPS(TENFERRO_ROW)
        TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
        case OpId::Select: return &Row<OpId::Select>::tangent;
        case OpId::Clamp: return &Row<OpId::Clamp>::tangent;
        default: __builtin_unreachable();
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
