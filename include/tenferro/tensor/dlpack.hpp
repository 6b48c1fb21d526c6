// DLPack 1.x: tensors to and from other libraries without copying. Every export owns a reference to the
// memory, so it outlives the Tensor it came from; every import calls its producer's deleter exactly once. The
// struct itself is only declared here: include any dlpack.h to look inside.
#pragma once

#include <memory>

#include "tenferro/tensor/tensor.hpp"

struct DLManagedTensorVersioned;

namespace tenferro { inline namespace TENFERRO_ABI {

/// Calls the deleter, if there is one, and keeps what it throws from getting out.
struct TENFERRO_API DlpackDeleter {
    void operator()(DLManagedTensorVersioned* managed) const noexcept;
};
using OwnedDlpack = std::unique_ptr<DLManagedTensorVersioned, DlpackDeleter>;

/// Takes `managed` over, whatever happens, and returns a tensor on its memory; the deleter runs when the last
/// tensor on it goes, or before this throws. Dtypes are ours; strides may be any, NULL means row-major, those
/// of axes of extent at most 1 are ignored. Memory lent READ_ONLY is never written. An export of ours is not
/// wrapped again, unless its receiver has marked it READ_ONLY: the tensor is what it was. Copied are memory
/// that is not aligned to its (real) scalar type and Bool, in which every byte but 0 is true; the deleter
/// runs as late as any other's. A deleter that runs because that of another import let go of a tensor runs
/// after it, on the same thread.
/// Throws InvalidArgument (null, malformed, overflow), Unsupported (another major version), DTypeMismatch
/// (dtype or lanes), UnsupportedDevice, ShapeMismatch (a negative extent), OutOfMemory.
[[nodiscard]] TENFERRO_API Tensor from_dlpack(DLManagedTensorVersioned* managed);

/// Gives the tensor away; the receiver calls the deleter once. READ_ONLY is set when the memory was lent to
/// us so or other tensors share it. On OutOfMemory the tensor is kept.
[[nodiscard]] TENFERRO_API DLManagedTensorVersioned* to_dlpack(Tensor&& tensor);

/// An export that shares the tensor's memory and is READ_ONLY, since the tensor lives on.
[[nodiscard]] TENFERRO_API OwnedDlpack share_dlpack(const Tensor& tensor);

/// Takes READ_ONLY off an export of share_dlpack if its memory is writable and by now has no other holder,
/// and gives it away.
[[nodiscard]] TENFERRO_API DLManagedTensorVersioned* claim_dlpack(OwnedDlpack shared) noexcept;

}}  // namespace tenferro::TENFERRO_ABI
