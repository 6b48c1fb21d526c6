// Operations of the array API standard that the engine has not: extensions of it, computed here on main
// memory by one thread. Functions on handles as those of ops/functions.hpp, for traced ones too.
#pragma once

#include <string_view>

#include "value.hpp"

namespace tenferro::python {

/// Registers the families; once, before anything is computed.
void register_host_operations();

/// An elementwise operation by its name in the standard: of one operand `bitwise_invert`, `signbit`, `round`,
/// `floor`, `ceil`, `trunc`, `log2`, `log10`; of two of one dtype and shape `bitwise_and`, `bitwise_or`,
/// `bitwise_xor`, `bitwise_left_shift`, `bitwise_right_shift`, `nextafter`. Derivatives: of logarithms, and
/// zero for what does not change between jumps; `nextafter` has none. DTypeMismatch for dtypes that it is not
/// defined on.
[[nodiscard]] Value host_elementwise(std::string_view name, const Value& a);
[[nodiscard]] Value host_elementwise(std::string_view name, const Value& a, const Value& b);

/// The int64 places along `axis` that sort it, NaN as `sort` has it; equal elements keep their order.
[[nodiscard]] Value argsort(const Value& a, Index axis, bool descending);
/// For each of `values` the int64 number of elements of the ascending vector `sorted` that are less, or with
/// `right` not greater.
[[nodiscard]] Value search_sorted(const Value& sorted, const Value& values, bool right);

/// An order of all numbers, complex ones by their real parts first; NaN is last.
template <class T>
[[nodiscard]] bool comes_before(const T& a, const T& b) {
    if constexpr (requires { a.real(); }) {
        if (comes_before(a.real(), b.real())) return true;
        if (comes_before(b.real(), a.real())) return false;
        return comes_before(a.imag(), b.imag());
    } else {
        return a < b || (b != b && a == a);
    }
}

}  // namespace tenferro::python
