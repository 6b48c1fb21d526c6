// Construction and deep copies of tensors without a backend (plain allocations, simple loops).
#include "tenferro/tensor/tensor.hpp"

#include <cstring>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

constexpr std::string_view kMovedFrom = "the tensor was moved from: it has no elements";

/// Copies a strided view to compact column-major memory, element by element.
void copy_compact(const TensorRead& from, std::byte* to) {
    const std::size_t width = info(from.dtype()).bytes;
    const Index count = from.size();
    if (count == 0) return;
    if (from.is_compact()) {
        std::memcpy(to, from.data(), static_cast<std::size_t>(count) * width);
        return;
    }
    Dims index(from.rank(), 0);
    const auto* source = static_cast<const std::byte*>(from.data());
    for (Index n = 0; n < count; ++n, to += width) {
        Index offset = 0;
        for (std::size_t axis = 0; axis < from.rank(); ++axis) offset += index[axis] * from.strides()[axis];
        std::memcpy(to, source + offset * static_cast<Index>(width), width);
        for (std::size_t axis = 0; axis < from.rank() && ++index[axis] == from.shape()[axis]; ++axis)
            index[axis] = 0;
    }
}

}  // namespace

Tensor::Tensor() noexcept : view_(DType::F64, nullptr, Dims{0}, Dims{1}) {}

Tensor::Tensor(Buffer buffer, DType dtype, void* data, Dims shape, Dims strides) noexcept
    : buffer_(std::move(buffer)),
      view_(dtype, data, std::move(shape), std::move(strides), buffer_.placement()) {}

Tensor::Tensor(Buffer buffer, DType dtype, std::span<const Index> shape)
    : buffer_(std::move(buffer)),
      view_(TensorWrite::compact(dtype, buffer_.data(), shape, buffer_.placement())) {}

Tensor Tensor::zeros(DType dtype, DimsView shape) {
    const std::size_t bytes = byte_count(shape, info(dtype).bytes, "zeros");
    Buffer buffer = allocate_buffer(bytes, "zeros");
    if (bytes != 0) std::memset(buffer.data(), 0, bytes);
    return {std::move(buffer), dtype, shape};
}

Tensor Tensor::from_bytes(DType dtype, const void* values, std::size_t count, DimsView shape) {
    const std::size_t bytes = byte_count(shape, info(dtype).bytes, "from_data");
    if (count != bytes / info(dtype).bytes)
        throw Error(ErrorKind::ShapeMismatch, "from_data",
                    text("data has ", count, " elements but shape ", list_text(shape), " needs ",
                         bytes / info(dtype).bytes));
    Buffer buffer = allocate_buffer(bytes, "from_data");
    if (bytes != 0) std::memcpy(buffer.data(), values, bytes);
    return {std::move(buffer), dtype, shape};
}

Tensor Tensor::copy_of(const TensorRead& view) {
    if (view.placement() == kNowhere) throw Error(ErrorKind::InvalidArgument, "duplicate", kMovedFrom);
    if (view.placement() != kMainMemory)
        throw Error(ErrorKind::BackendFailure, "duplicate",
                    text("the tensor is on ", place_text(view.placement()),
                         " but only main memory can be copied here; bring it to ", place_text(kMainMemory),
                         " with download_to_host"));
    const DType dtype = view.dtype();
    Buffer buffer = allocate_buffer(byte_count(view.shape(), info(dtype).bytes, "duplicate"), "duplicate");
    copy_compact(view, buffer.data());
    return {std::move(buffer), dtype, view.shape()};
}

Tensor Tensor::share() const { return share_as(view_); }

Tensor Tensor::share_as(const TensorRead& view) const {
    check_present("share");
    return {buffer_, view.dtype(), const_cast<void*>(view.data()), view.shape(), view.strides()};
}

void Tensor::check_present(std::string_view op) const {
    if (placement() == kNowhere) throw Error(ErrorKind::InvalidArgument, op, kMovedFrom);
}

void Tensor::check_dtype(DType wanted) const {
    check_present("tensor");
    if (wanted != dtype())
        throw Error(ErrorKind::DTypeMismatch, "tensor",
                    text("elements are ", info(dtype()).name, " but ", info(wanted).name, " was asked for"));
}

}}  // namespace tenferro::TENFERRO_ABI
