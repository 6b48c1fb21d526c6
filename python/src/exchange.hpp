// Python objects as operands, and results as what the operands were: NumPy's arrays in, NumPy's arrays out.
#pragma once

#include <nanobind/nanobind.h>

#include "value.hpp"

namespace tenferro::python {

namespace nb = nanobind;

/// Whose array a result becomes.
enum class Library : std::uint8_t { None, Tenferro, NumPy, Torch, Jax };

/// tenferro.Tensor, once it is bound.
extern PyTypeObject* tensor_type;

/// The Value in a tenferro.Tensor; null for other objects, one that __new__ made and nothing filled among
/// them.
[[nodiscard]] inline const Value* value_of(nb::handle object) noexcept {
    PyTypeObject* type = Py_TYPE(object.ptr());
    if (type != tensor_type && PyType_IsSubtype(type, tensor_type) == 0) return nullptr;
    return nb::inst_ready(object) ? nb::inst_ptr<Value>(object) : nullptr;
}

/// Whose array it is; None for numbers and lists.
[[nodiscard]] Library library_of(nb::handle object) noexcept;

/// As a tensor: a Tensor as it is; an array of NumPy or of any library that exports DLPack on its memory;
/// numbers and nested lists of numbers as copies, whose dtype is bool, int64, float64 or complex128.
[[nodiscard]] Value as_value(nb::handle object);

/// A tensor on the memory that `object.__dlpack__()` lends, or with `copied` on a copy.
[[nodiscard]] Tensor import_dlpack(nb::handle object, std::optional<bool> copied = std::nullopt);

/// `value` as an array of `library`. A traced one stays a Tensor.
[[nodiscard]] nb::object give(Value value, Library library);
[[nodiscard]] nb::object give(Tensor&& tensor, Library library);
/// As `give`; an array of another library may be written to and shares its memory with nobody.
[[nodiscard]] nb::object give_own(Value value, Library library);

/// _give_like(tensor, like): a Tensor that nobody else uses, which is empty then, as an array of the library
/// of `like`.
void bind_exchange(nb::module_& module);

/// The operands of a call, and what its result becomes: a Tensor if one of them is a Tensor, else an array of
/// the library of the first array.
class Arguments {
public:
    /// Converts `object`, and remembers whose it is.
    [[nodiscard]] Value take(nb::handle object) {
        const Library library = library_of(object);
        if (library_ == Library::None || library == Library::Tenferro) library_ = library;
        return as_value(object);
    }
    [[nodiscard]] nb::object give(Value value) const { return python::give(std::move(value), library()); }
    [[nodiscard]] nb::object give_own(Value value) const {
        return python::give_own(std::move(value), library());
    }
    [[nodiscard]] Library library() const noexcept {
        return library_ == Library::None ? Library::Tenferro : library_;
    }

private:
    Library library_ = Library::None;
};

}  // namespace tenferro::python
