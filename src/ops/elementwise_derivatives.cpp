// One row for each elementwise operation of op_table.hpp: the tangent of y = f(x), or of y = f(a, b), from
// the tangents of the operands. Forward mode multiplies by f' without conjugation; the transposes conjugate
// (design: semantics, AD). A missing row is a compile error. At kinks: equal operands of maximum and minimum
// share equally, clamp is active strictly inside.
#include "ops/derivatives.hpp"

#include <numbers>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

using Maybe = std::optional<Expr>;

constexpr double kTwoOverRootPi = 2 * std::numbers::inv_sqrtpi;

/// The real derivative of y = |x| along dx: Re(conj(x / y) dx), and 0 at 0. A complex quotient has a
/// derivative of its own, which sign has not.
Expr along_sign(const Expr& x, const Expr& y, const Expr& dx) {
    if (!info(x.dtype()).is_complex) return dx * sign(x);
    const Expr length = select(equal(y, full_like(y, 0)), full_like(y, 1), y);
    return cast(conj(x / cast(length, x.dtype())) * dx, y.dtype());
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

/// log a, and 0 at a = 0, where a^b is constant in b > 0.
Expr safe_log(const Expr& a) { return log(select(equal(a, full_like(a, 0)), full_like(a, 1), a)); }

template <OpId Op>
struct Row;

#define TENFERRO_UNARY_ROW(Name, formula)                                                            \
    template <>                                                                                      \
    struct Row<OpId::Name> {                                                                         \
        static Maybe tangent(const TangentArgs& args) { return of(args.x[0], args.y, *args.dx[0]); } \
        static Maybe of([[maybe_unused]] const Expr& x, [[maybe_unused]] const Expr& y,              \
                        [[maybe_unused]] const Expr& dx) {                                           \
            return formula;                                                                          \
        }                                                                                            \
    };
#define TENFERRO_BINARY_ROW(Name, by_a, by_b)                                                           \
    template <>                                                                                         \
    struct Row<OpId::Name> {                                                                            \
        static Maybe tangent(const TangentArgs& args) {                                                 \
            return sum_of(args.dx[0] ? of_a(args.x[0], args.x[1], args.y, *args.dx[0]) : std::nullopt,  \
                          args.dx[1] ? of_b(args.x[0], args.x[1], args.y, *args.dx[1]) : std::nullopt); \
        }                                                                                               \
        static Maybe of_a([[maybe_unused]] const Expr& a, [[maybe_unused]] const Expr& b,               \
                          [[maybe_unused]] const Expr& y, [[maybe_unused]] const Expr& da) {            \
            return by_a;                                                                                \
        }                                                                                               \
        static Maybe of_b([[maybe_unused]] const Expr& a, [[maybe_unused]] const Expr& b,               \
                          [[maybe_unused]] const Expr& y, [[maybe_unused]] const Expr& db) {            \
            return by_b;                                                                                \
        }                                                                                               \
    };
// Results that are no numbers have no tangent.
#define TENFERRO_INACTIVE_ROW(Name)                                       \
    template <>                                                           \
    struct Row<OpId::Name> {                                              \
        static Maybe tangent(const TangentArgs&) { return std::nullopt; } \
    };

// clang-format off
TENFERRO_UNARY_ROW(Neg, -dx)
TENFERRO_UNARY_ROW(Abs, along_sign(x, y, dx))
TENFERRO_UNARY_ROW(Sign, std::nullopt)
TENFERRO_UNARY_ROW(Conj, conj(dx))
TENFERRO_UNARY_ROW(Real, real(dx))
TENFERRO_UNARY_ROW(Imag, imaginary_tangent(dx))
TENFERRO_UNARY_ROW(StopGradient, std::nullopt)
TENFERRO_UNARY_ROW(Exp, dx * y)
TENFERRO_UNARY_ROW(Expm1, dx * y + dx)
TENFERRO_UNARY_ROW(Log, dx / x)
TENFERRO_UNARY_ROW(Log1p, dx / (x + 1))
TENFERRO_UNARY_ROW(Sqrt, dx / (y + y))
TENFERRO_UNARY_ROW(Rsqrt, -(dx * y / (x + x)))
TENFERRO_UNARY_ROW(Sin, dx * cos(x))
TENFERRO_UNARY_ROW(Cos, -(dx * sin(x)))
TENFERRO_UNARY_ROW(Tan, dx * (y * y) + dx)
TENFERRO_UNARY_ROW(Asin, dx * rsqrt(1 - x * x))
TENFERRO_UNARY_ROW(Acos, -(dx * rsqrt(1 - x * x)))
TENFERRO_UNARY_ROW(Atan, dx / (x * x + 1))
TENFERRO_UNARY_ROW(Sinh, dx * cosh(x))
TENFERRO_UNARY_ROW(Cosh, dx * sinh(x))
TENFERRO_UNARY_ROW(Tanh, dx - dx * (y * y))
TENFERRO_UNARY_ROW(Asinh, dx * rsqrt(x * x + 1))
TENFERRO_UNARY_ROW(Acosh, dx * (rsqrt(x - 1) * rsqrt(x + 1)))
TENFERRO_UNARY_ROW(Atanh, dx / (1 - x * x))
TENFERRO_UNARY_ROW(Sigmoid, dx * (y - y * y))
TENFERRO_UNARY_ROW(Erf, dx * (exp(-(x * x)) * kTwoOverRootPi))
TENFERRO_UNARY_ROW(Erfc, -(dx * (exp(-(x * x)) * kTwoOverRootPi)))
TENFERRO_BINARY_ROW(Add, da, db)
TENFERRO_BINARY_ROW(Sub, da, -db)
TENFERRO_BINARY_ROW(Mul, da * b, a * db)
TENFERRO_BINARY_ROW(Div, da / b, -(db * (y / b)))
TENFERRO_BINARY_ROW(Rem, da, db * ((y - a) / b))
TENFERRO_BINARY_ROW(Pow, da * power_slope(a, b), db * (y * safe_log(a)))
TENFERRO_BINARY_ROW(Atan2, da * (b / (a * a + b * b)), -(db * (a / (a * a + b * b))))
TENFERRO_BINARY_ROW(Hypot, da * (a / y), db * (b / y))
TENFERRO_BINARY_ROW(Maximum, da * share(greater(a, b), a, b), db * share(less(a, b), a, b))
TENFERRO_BINARY_ROW(Minimum, da * share(less(a, b), a, b), db * share(greater(a, b), a, b))
TENFERRO_INACTIVE_ROW(Equal)
TENFERRO_INACTIVE_ROW(NotEqual)
TENFERRO_INACTIVE_ROW(Less)
TENFERRO_INACTIVE_ROW(LessEqual)
TENFERRO_INACTIVE_ROW(Greater)
TENFERRO_INACTIVE_ROW(GreaterEqual)
// clang-format on
#undef TENFERRO_UNARY_ROW
#undef TENFERRO_BINARY_ROW
#undef TENFERRO_INACTIVE_ROW

/// Linear in both operands at once.
template <>
struct Row<OpId::Complex> {
    static Maybe tangent(const TangentArgs& args) {
        return complex(instantiate(args.dx[0], args.x[0]), instantiate(args.dx[1], args.x[1]));
    }
};

/// Its derivative, the digamma function, is no operation.
template <>
struct Row<OpId::Lgamma> {
    static Maybe tangent(const TangentArgs&) {
        throw Error(ErrorKind::AdRuleUnsupported, "lgamma",
                    "no derivative: the digamma function is not an operation");
    }
};

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
#define TENFERRO_ROW(Name, method, dtypes, meaning) \
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
