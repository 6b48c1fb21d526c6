// Borrowed, strided views with the dtype erased: TensorRead is what operations read, TensorWrite what they
// overwrite. Both are pointer + layout; they own nothing, so the memory must outlive them. Views are metadata
// only and never copy.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>

#include "tenferro/tensor/placement.hpp"
#include "tenferro/tensor_core/dtype.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class Tensor;
template <Scalar T, int R>
class TypedTensor;

class TENFERRO_API TensorRead {
public:
    /// `data` points at the element whose indices are all zero; strides count elements, may be negative or
    /// zero.
    TensorRead(DType dtype, const void* data, Dims shape, Dims strides,
               Placement placement = kMainMemory) noexcept
        : data_(static_cast<const std::byte*>(data)),
          shape_(std::move(shape)),
          strides_(std::move(strides)),
          placement_(placement),
          dtype_(dtype) {}
    // A view of a temporary tensor would outlive it: only a parameter may be bound to one.
    TensorRead(const Tensor&&) = delete;
    template <Scalar T, int R>
    TensorRead(const TypedTensor<T, R>&&) = delete;
    /// A compact column-major view.
    [[nodiscard]] static TensorRead compact(DType dtype, const void* data, DimsView shape,
                                            Placement placement = kMainMemory) {
        return {Compact{}, dtype, data, shape, placement};
    }

    [[nodiscard]] DType dtype() const noexcept { return dtype_; }
    /// Where the elements are.
    [[nodiscard]] Placement placement() const noexcept { return placement_; }
    [[nodiscard]] std::size_t rank() const noexcept { return shape_.size(); }
    [[nodiscard]] const Dims& shape() const noexcept { return shape_; }
    [[nodiscard]] const Dims& strides() const noexcept { return strides_; }
    [[nodiscard]] const void* data() const noexcept { return data_; }
    template <Scalar T>
    [[nodiscard]] const T* data_as() const noexcept {
        return reinterpret_cast<const T*>(data_);
    }
    /// Number of elements (the product of the extents).
    [[nodiscard]] Index size() const noexcept {
        Index count = 1;
        for (const Index extent : shape_) {
            if (extent == 0) return 0;
            if (__builtin_mul_overflow(count, extent, &count))
                count = 1;  // a zero follows, or it does not exist
        }
        return count;
    }
    [[nodiscard]] bool is_compact() const noexcept { return tenferro::is_compact(shape_, strides_); }

    /// The element at these indices, one per axis (RankMismatch); a negative one counts from the end
    /// (InvalidArgument outside). T must hold every value of the dtype, as a promotion does (DTypeMismatch);
    /// the tensor must be in main memory (BackendFailure).
    template <Scalar T = double, std::integral... Is>
    [[nodiscard]] T at(Is... indices) const {
        T value;
        const std::array<Index, sizeof...(Is)> list{static_cast<Index>(indices)...};
        read_element(list, storage_dtype<T>, &value);
        return value;
    }
    /// at() as a double.
    template <std::integral... Is>
    [[nodiscard]] double operator()(Is... indices) const {
        return at(indices...);
    }
    /// The only element, of a tensor of any rank (ShapeMismatch where it has another number of them).
    template <Scalar T = double>
    [[nodiscard]] T item() const {
        T value;
        read_item(storage_dtype<T>, &value);
        return value;
    }

    /// Axis i of the result is axis perm[i] of this one.
    [[nodiscard]] TensorRead transpose_view(DimsView perm) const;
    /// Axis i of this view becomes axis broadcast_dims[i] of the result; extent 1 or equal. All other axes
    /// are repeats. `broadcast_dims` need not be ascending but must be distinct.
    [[nodiscard]] TensorRead broadcast_view(DimsView shape, DimsView broadcast_dims) const;
    /// Merges axis `second` into axis `first` (equal extents): element i of the result's axis is element (i,
    /// i).
    [[nodiscard]] TensorRead diagonal_view(Index first, Index second) const;
    /// The sub-tensor at `index` of `axis`; the axis disappears.
    [[nodiscard]] TensorRead select_view(Index axis, Index index) const;
    /// Per axis the elements starts[i], starts[i] + steps[i], … before limits[i]. A positive step counts up
    /// and needs 0 <= start <= limit <= extent. A negative step counts down to the limit, exclusive, and
    /// needs -1 <= limit <= start < extent: start extent - 1, limit -1 and step -1 reverse the axis.
    [[nodiscard]] TensorRead slice_view(DimsView starts, DimsView limits, DimsView steps) const;
    /// The listed axes in reverse order.
    [[nodiscard]] TensorRead reverse_view(DimsView axes) const;
    /// The same elements in another shape with the same column-major order. Unsupported where no strides
    /// express that, that is where an axis of the result would span axes of this view that are not laid out
    /// one after the other.
    [[nodiscard]] TensorRead reshape_view(DimsView shape) const;

protected:
    struct Compact {};
    TensorRead(Compact, DType dtype, const void* data, DimsView shape, Placement placement)
        : data_(static_cast<const std::byte*>(data)),
          shape_(shape),
          strides_(column_major_strides(shape)),
          placement_(placement),
          dtype_(dtype) {}
    TensorRead(const CompactLayout& layout, DType dtype, const void* data, Placement placement)
        : data_(static_cast<const std::byte*>(data)),
          shape_(layout.shape),
          strides_(layout.strides),
          placement_(placement),
          dtype_(dtype) {}
    /// What is left behind by a move: no elements, and nowhere, which every operation refuses.
    void forget() noexcept {
        data_ = nullptr;
        shape_.clear();
        shape_.push_back(0);
        strides_.clear();
        strides_.push_back(1);
        placement_ = kNowhere;
    }

    const std::byte* data_;
    Dims shape_;
    Dims strides_;
    Placement placement_;
    DType dtype_;

private:
    void read_element(std::span<const Index> indices, DType to, void* value) const;
    void read_item(DType to, void* value) const;
};

/// A view whose elements may be overwritten. Distinct indices must be distinct elements.
class TENFERRO_API TensorWrite : public TensorRead {
public:
    TensorWrite(DType dtype, void* data, Dims shape, Dims strides, Placement placement = kMainMemory) noexcept
        : TensorRead(dtype, data, std::move(shape), std::move(strides), placement) {}
    /// A compact column-major view.
    [[nodiscard]] static TensorWrite compact(DType dtype, void* data, DimsView shape,
                                             Placement placement = kMainMemory) {
        return {Compact{}, dtype, data, shape, placement};
    }

    [[nodiscard]] void* data() const noexcept { return const_cast<std::byte*>(data_); }
    template <Scalar T>
    [[nodiscard]] T* data_as() const noexcept {
        return static_cast<T*>(data());
    }
    [[nodiscard]] TensorWrite transpose_view(DimsView perm) const {
        return TensorWrite(TensorRead::transpose_view(perm));
    }
    [[nodiscard]] TensorWrite diagonal_view(Index first, Index second) const {
        return TensorWrite(TensorRead::diagonal_view(first, second));
    }
    [[nodiscard]] TensorWrite select_view(Index axis, Index index) const {
        return TensorWrite(TensorRead::select_view(axis, index));
    }
    [[nodiscard]] TensorWrite slice_view(DimsView starts, DimsView limits, DimsView steps) const {
        return TensorWrite(TensorRead::slice_view(starts, limits, steps));
    }
    [[nodiscard]] TensorWrite reverse_view(DimsView axes) const {
        return TensorWrite(TensorRead::reverse_view(axes));
    }
    [[nodiscard]] TensorWrite reshape_view(DimsView shape) const {
        return TensorWrite(TensorRead::reshape_view(shape));
    }

private:
    friend class Tensor;
    TensorWrite(Compact, DType dtype, void* data, DimsView shape, Placement placement)
        : TensorRead(Compact{}, dtype, data, shape, placement) {}
    TensorWrite(const CompactLayout& layout, DType dtype, void* data, Placement placement)
        : TensorRead(layout, dtype, data, placement) {}
    explicit TensorWrite(TensorRead view) noexcept : TensorRead(std::move(view)) {}
};

}}  // namespace tenferro::TENFERRO_ABI
