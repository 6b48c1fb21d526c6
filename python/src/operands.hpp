// The operands of an einsum as they come from Python: borrowed at once where their memory can be read as it
// is, and the three forms of a call.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exchange.hpp"

namespace tenferro::python {

/// Views of operands, valid while the operands are.
struct Borrowed {
    std::vector<TensorRead> views;
    Library library;  ///< of all
};

/// Views of eager Tensors, or of arrays of NumPy, of one dtype; nothing where they are something else or
/// mixed.
[[nodiscard]] std::optional<Borrowed> borrow(std::span<PyObject* const> operands);

/// A call as a string and operands.
struct Call {
    std::string subscripts;
    std::vector<nb::handle> operands;
};

/// einsum("ij,jk", a, b) or, interleaved, einsum(a, [0, 1], b, [1, 2], [0, 2]). InvalidArgument for what is
/// neither.
[[nodiscard]] Call read_call(std::span<PyObject* const> arguments);

}  // namespace tenferro::python
