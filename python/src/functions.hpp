// The functions of the module on arrays: elementwise, reductions, shapes, products, arrays made from rules.
// Names and meanings are those of the array API standard and NumPy.
#pragma once

#include "exchange.hpp"
#include "naming.hpp"
#include "numbers.hpp"

namespace tenferro::python {

void bind_elementwise(NamingModule& module);
void bind_reductions(NamingModule& module);
void bind_structure(NamingModule& module);
void bind_products(NamingModule& module);
void bind_creation(NamingModule& module);
void bind_finding(NamingModule& module);

/// Refuses (InvalidArgument in the name of `op`) devices other than None and 'cpu', where all tensors are.
void check_device(nb::handle device, std::string_view op);

/// The same elements in row-major order in another shape, of which one extent may be -1.
[[nodiscard]] Value reshaped(const Value& a, nb::handle shape);
/// Repeated to `wanted`. ShapeMismatch in the name of `op`.
[[nodiscard]] Value broadcast_to(const Value& a, const Dims& wanted, std::string_view op);
/// For each axis the indices, I64, of the elements that are not 0, in row-major order.
[[nodiscard]] std::vector<Value> places_of(const Value& a, std::string_view op);
/// x @ y; NotImplemented for what is no array.
[[nodiscard]] nb::object matmul_operator(nb::handle x, nb::handle y);

/// f(a) as an array of the operand's library.
template <class F>
[[nodiscard]] nb::object on(nb::handle x, const F& f) {
    Arguments arguments;
    return arguments.give(f(arguments.take(x)));
}

}  // namespace tenferro::python
