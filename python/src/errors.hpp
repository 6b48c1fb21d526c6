// Errors of the library as Python exceptions: module tenferro.errors has a class per ErrorKind, which is an
// Error and what the library's table says (ValueError, TypeError, …).
#pragma once

#include <nanobind/nanobind.h>

#include "tenferro/base/error.hpp"

namespace tenferro::python {

namespace nb = nanobind;

/// Makes the classes, as attributes of `module`, and has every function of nanobind use them.
void bind_errors(nb::module_& module);

/// Sets the Python error of what is being thrown: an Error, a Python exception, std::bad_alloc, … . One that
/// is set already, as by an interrupt, stays. Called in a handler, with the interpreter's lock.
void set_current_error() noexcept;

/// The class of `kind`, which bind_errors made.
[[nodiscard]] nb::handle error_class(ErrorKind kind) noexcept;

}  // namespace tenferro::python
