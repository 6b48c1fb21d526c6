// DLPack between Python objects: capsules of both forms, the versioned and the legacy one, whose struct has
// neither version nor flags.
#pragma once

#include <optional>

#include <nanobind/nanobind.h>

#include "tenferro/tensor/dlpack.hpp"

namespace tenferro::python {

namespace nb = nanobind;

/// What __dlpack__ is asked for.
struct CapsuleRequest {
    bool versioned;
    bool copied;
};

/// A capsule "dltensor_versioned" or "dltensor" that shares the tensor's memory, or a copy of it. BufferError
/// where a legacy capsule, which cannot say so, would be of memory that must not be written.
[[nodiscard]] nb::object capsule_of(const Tensor& tensor, CapsuleRequest request);

/// A capsule that owns `tensor`, whose memory the receiver may write unless others have it.
[[nodiscard]] nb::object capsule_giving(Tensor&& tensor, bool versioned);

/// The functions in C that a class of arrays has for DLPack, which are much quicker than its methods.
struct ExchangeTable;
/// That of the class of `object`, or null.
[[nodiscard]] const ExchangeTable* exchange_table(nb::handle type) noexcept;
/// A tensor on the memory of `object`, whose class has the table.
[[nodiscard]] Tensor tensor_by(const ExchangeTable& table, nb::handle object);
/// The memory of `object` as it is, valid while `object` is and does not change; nothing where it cannot be
/// read so.
[[nodiscard]] std::optional<TensorRead> borrow_by(const ExchangeTable& table, nb::handle object);
/// An array of the table's library that owns `tensor`.
[[nodiscard]] nb::object array_by(const ExchangeTable& table, Tensor&& tensor);

/// The tensor in a capsule of either form, which is consumed.
[[nodiscard]] Tensor tensor_of_capsule(nb::handle capsule);

}  // namespace tenferro::python
