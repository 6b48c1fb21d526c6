// Tensors and views whose element type, and optionally rank, are part of the C++ type. They wrap the erased
// classes and check once, at construction.
#pragma once

#include <array>
#include <span>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Rank known only at run time.
inline constexpr int kDynamicRank = -1;

namespace tfe_detail {
template <class T, int R>
void check_type(const TensorRead& view, std::string_view op) {
    if (view.dtype() != storage_dtype<T>)
        throw Error(
            ErrorKind::DTypeMismatch, op,
            text("dtype is ", info(view.dtype()).name, " but the type says ", info(storage_dtype<T>).name));
    if (R != kDynamicRank && static_cast<int>(view.rank()) != R)
        throw Error(ErrorKind::RankMismatch, op, text("rank is ", view.rank(), " but the type says ", R));
}
/// Sum of index[i] * strides[i].
template <class... Is>
Index dot_offset(std::span<const Index> strides, Is... is) noexcept {
    Index offset = 0;
    std::size_t axis = 0;
    ((offset += static_cast<Index>(is) * strides[axis++]), ...);
    return offset;
}
}  // namespace tfe_detail

/// A non-owning, strided, read-only view of elements T; strides may be negative or zero.
template <Scalar T, int R = kDynamicRank>
class TypedTensorView {
public:
    /// Throws DTypeMismatch or RankMismatch when the view is of another type.
    explicit TypedTensorView(TensorRead view) : view_(std::move(view)) {
        tfe_detail::check_type<T, R>(view_, "TypedTensorView");
    }

    [[nodiscard]] const Dims& shape() const noexcept { return view_.shape(); }
    [[nodiscard]] const Dims& strides() const noexcept { return view_.strides(); }
    [[nodiscard]] std::size_t rank() const noexcept { return view_.rank(); }
    [[nodiscard]] Index size() const noexcept { return view_.size(); }
    [[nodiscard]] const T* data() const noexcept { return view_.template data_as<T>(); }
    /// The element at the given indices, which are trusted.
    template <std::integral... Is>
    [[nodiscard]] const T& operator()(Is... is) const noexcept {
        static_assert(R == kDynamicRank || sizeof...(Is) == static_cast<std::size_t>(R),
                      "one index per axis");
        return data()[tfe_detail::dot_offset(view_.strides(), is...)];
    }
    operator const TensorRead&() const noexcept { return view_; }  // NOLINT(google-explicit-constructor)

    // The views of TensorRead, with the rank where it follows from this one's.
    [[nodiscard]] TypedTensorView transpose_view(DimsView perm) const {
        return TypedTensorView(view_.transpose_view(perm));
    }
    [[nodiscard]] TypedTensorView slice_view(DimsView starts, DimsView limits, DimsView steps) const {
        return TypedTensorView(view_.slice_view(starts, limits, steps));
    }
    [[nodiscard]] TypedTensorView reverse_view(DimsView axes) const {
        return TypedTensorView(view_.reverse_view(axes));
    }
    [[nodiscard]] auto diagonal_view(Index first, Index second) const {
        static_assert(R == kDynamicRank || R >= 2, "a diagonal needs two axes");
        return TypedTensorView<T, kRankBelow>(view_.diagonal_view(first, second));
    }
    [[nodiscard]] auto select_view(Index axis, Index index) const {
        static_assert(R == kDynamicRank || R >= 1, "there is no axis to select from");
        return TypedTensorView<T, kRankBelow>(view_.select_view(axis, index));
    }
    /// The rank is that of the array; a shape of a length known only at run time gives a view of dynamic
    /// rank.
    template <std::size_t N>
    [[nodiscard]] auto broadcast_view(const std::array<Index, N>& wide, DimsView dims) const {
        return TypedTensorView<T, static_cast<int>(N)>(view_.broadcast_view(wide, dims));
    }
    [[nodiscard]] auto broadcast_view(DimsView wide, DimsView dims) const {
        return TypedTensorView<T, kDynamicRank>(view_.broadcast_view(wide, dims));
    }

private:
    static constexpr int kRankBelow = R == kDynamicRank ? kDynamicRank : R - 1;
    TensorRead view_;
};

/// An owning tensor of elements T.
template <Scalar T, int R = kDynamicRank>
class TypedTensor {
public:
    /// Throws DTypeMismatch or RankMismatch when the tensor is of another type.
    explicit TypedTensor(Tensor tensor) : tensor_(std::move(tensor)) {
        tfe_detail::check_type<T, R>(tensor_, "TypedTensor");
    }

    [[nodiscard]] static TypedTensor zeros(DimsView shape) {
        return TypedTensor(Tensor::zeros(storage_dtype<T>, shape));
    }
    /// `values` in column-major order.
    [[nodiscard]] static TypedTensor from_data(std::span<const T> values, DimsView shape) {
        return TypedTensor(Tensor::from_data<T>(values, shape));
    }
    [[nodiscard]] static TypedTensor from_data(std::initializer_list<T> values, DimsView shape) {
        return TypedTensor(Tensor::from_data<T>(values, shape));
    }

    [[nodiscard]] const Dims& shape() const noexcept { return tensor_.shape(); }
    [[nodiscard]] std::size_t rank() const noexcept { return tensor_.rank(); }
    [[nodiscard]] Index size() const noexcept { return tensor_.size(); }
    [[nodiscard]] const T* data() const noexcept { return tensor_.read().template data_as<T>(); }
    template <std::integral... Is>
    [[nodiscard]] const T& operator()(Is... is) const noexcept {
        static_assert(R == kDynamicRank || sizeof...(Is) == static_cast<std::size_t>(R),
                      "one index per axis");
        return data()[tfe_detail::dot_offset(tensor_.strides(), is...)];
    }
    [[nodiscard]] TypedTensorView<T, R> view() const& { return TypedTensorView<T, R>(tensor_.read()); }
    TypedTensorView<T, R> view() const&& = delete;
    [[nodiscard]] const Tensor& erased() const& noexcept { return tensor_; }
    [[nodiscard]] Tensor erased() && noexcept { return std::move(tensor_); }
    operator const TensorRead&() const& noexcept {
        return tensor_.read();
    }  // NOLINT(google-explicit-constructor)

private:
    Tensor tensor_;
};

}}  // namespace tenferro::TENFERRO_ABI
