// What users of the library see: a function on any kind of tensor handle.
#pragma once

#include <tenferro/api/extension.hpp>

namespace log_add_exp {

/// Registers the operation and its derivative. Call it once, before anything else.
void register_operations();

/// The operation as a value: log(base^a + base^b) to the same base, element by element, without overflow on
/// the way.
std::shared_ptr<const tenferro::ExtensionOp> operation(double base);

/// Applies it to traced or eager tensors.
template <class Handle>
Handle log_add_exp(const Handle& a, const Handle& b, double base) {
    const Handle inputs[] = {a, b};
    return tenferro::extension::apply(operation(base), std::span<const Handle>(inputs)).front();
}

}  // namespace log_add_exp
