// The table of derivatives of elementwise operations, and what rules share.
#pragma once

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

/// The tangent of an elementwise operation's result.
using DerivativeRow = std::optional<Expr> (*)(const TangentArgs&);
[[nodiscard]] DerivativeRow derivative(OpId op);

/// The rule of an operation whose derivative is no operation.
[[noreturn]] inline std::optional<Expr> no_derivative(std::string_view op, std::string_view reason) {
    throw Error(ErrorKind::AdRuleUnsupported, op, text("no derivative: ", reason));
}

/// conj(a), which for real a is a itself.
[[nodiscard]] inline Expr conjugate(const Expr& a) { return info(a.dtype()).is_complex ? conj(a) : a; }

/// a + b where both are there.
[[nodiscard]] inline std::optional<Expr> sum_of(const std::optional<Expr>& a, const std::optional<Expr>& b) {
    return a && b ? *a + *b : a ? a : b;
}

/// The tangent, or zeros like `primal`.
[[nodiscard]] inline Expr instantiate(const std::optional<Expr>& tangent, const Expr& primal) {
    return tangent ? *tangent : full_like(primal, 0);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
