// Tensor: a Buffer with dtype and layout. Moves are cheap, copies explicit. Tensors that the library makes
// are compact column-major; only imported memory may be strided.
#pragma once

#include <span>

#include "tenferro/tensor/buffer.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API Tensor {
public:
    /// An empty F64 tensor of shape [0].
    Tensor() noexcept;
    /// Adopts memory: `data` (the element of indices zero) must lie in `buffer` with every reachable element.
    Tensor(Buffer buffer, DType dtype, void* data, Dims shape, Dims strides) noexcept;
    /// Adopts the start of `buffer` as a compact column-major tensor.
    Tensor(Buffer buffer, DType dtype, std::span<const Index> shape);
    Tensor(Buffer buffer, DType dtype, const CompactLayout& layout)
        : buffer_(std::move(buffer)), view_(layout, dtype, buffer_.data(), buffer_.placement()) {}
    /// What is moved from is empty, and using it is an error (InvalidArgument) until it is assigned to.
    Tensor(Tensor&& other) noexcept : buffer_(std::move(other.buffer_)), view_(std::move(other.view_)) {
        other.view_.forget();
    }
    Tensor& operator=(Tensor&& other) noexcept {
        if (this == &other) return *this;
        buffer_ = std::move(other.buffer_);
        view_ = std::move(other.view_);
        other.view_.forget();
        return *this;
    }
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;
    ~Tensor() = default;

    /// A compact tensor of zeros. Throws InvalidArgument on a negative extent or overflow, OutOfMemory.
    [[nodiscard]] static Tensor zeros(DType dtype, DimsView shape);
    /// A compact tensor holding a copy of `values`, given in column-major order; their number must be the
    /// product of `shape` (ShapeMismatch).
    template <Scalar T>
    [[nodiscard]] static Tensor from_data(std::span<const T> values, DimsView shape) {
        return from_bytes(storage_dtype<T>, values.data(), values.size(), shape);
    }
    template <Scalar T>
    [[nodiscard]] static Tensor from_data(std::initializer_list<T> values, DimsView shape) {
        return from_bytes(storage_dtype<T>, values.begin(), values.size(), shape);
    }
    /// from_data with the dtype given at run time; `count` counts elements.
    [[nodiscard]] static Tensor from_bytes(DType dtype, const void* values, std::size_t count,
                                           DimsView shape);

    /// A compact copy of a view of main memory (BackendFailure).
    [[nodiscard]] static Tensor copy_of(const TensorRead& view);
    /// A deep, compact copy of a tensor in main memory (BackendFailure).
    [[nodiscard]] Tensor duplicate() const { return copy_of(view_); }
    /// Another Tensor on the same memory. Neither can be reused as an output while both live.
    [[nodiscard]] Tensor share() const;
    /// As share(), but seen as `view`, which must lie in this tensor's memory: how an operation keeps a view
    /// of its operand.
    [[nodiscard]] Tensor share_as(const TensorRead& view) const;

    [[nodiscard]] DType dtype() const noexcept { return view_.dtype(); }
    /// Where the elements are: the buffer's placement.
    [[nodiscard]] Placement placement() const noexcept { return view_.placement(); }
    [[nodiscard]] std::size_t rank() const noexcept { return view_.rank(); }
    [[nodiscard]] const Dims& shape() const noexcept { return view_.shape(); }
    [[nodiscard]] const Dims& strides() const noexcept { return view_.strides(); }
    [[nodiscard]] Index size() const noexcept { return view_.size(); }
    [[nodiscard]] bool is_compact() const noexcept { return view_.is_compact(); }
    /// Whether an operation that consumes this tensor may write its result here.
    [[nodiscard]] bool reusable() const noexcept { return buffer_.reusable() && is_compact(); }
    /// The memory that the elements lie in.
    [[nodiscard]] const Buffer& buffer() const noexcept { return buffer_; }
    [[nodiscard]] const void* data() const noexcept { return view_.data(); }
    /// The elements, first index fastest when compact. T must be the tensor's dtype (DTypeMismatch).
    template <Scalar T>
    [[nodiscard]] const T* data_as() const {
        check_dtype(storage_dtype<T>);
        return view_.template data_as<T>();
    }

    /// A view of all elements; valid while this tensor lives, so a temporary has none except as an argument
    /// of a call.
    [[nodiscard]] const TensorRead& read() const& noexcept { return view_; }
    const TensorRead& read() const&& = delete;
    operator const TensorRead&() const& noexcept { return view_; }  // NOLINT(google-explicit-constructor)
    /// The same for overwriting; the caller vouches that nobody else reads this memory.
    [[nodiscard]] const TensorWrite& write() noexcept { return view_; }

    /// The element at these indices, see TensorRead::at; `t(i, j)` as a double.
    template <Scalar T = double, std::integral... Is>
    [[nodiscard]] T at(Is... indices) const {
        return view_.template at<T>(indices...);
    }
    template <std::integral... Is>
    [[nodiscard]] double operator()(Is... indices) const {
        return view_.at(indices...);
    }
    /// The only element, see TensorRead::item.
    template <Scalar T = double>
    [[nodiscard]] T item() const {
        return view_.template item<T>();
    }

private:
    /// That it was not moved from.
    void check_present(std::string_view op) const;
    void check_dtype(DType wanted) const;

    Buffer buffer_;
    TensorWrite view_;
};

}}  // namespace tenferro::TENFERRO_ABI
