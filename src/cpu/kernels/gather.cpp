// Windows turns the axis lists of a gather into offsets once; the kernels then loop over index vectors and, inside, over the
// window's fused axes.
#include "cpu/kernels/gather.hpp"

#include <optional>

#include "cpu/kernels/strided_loop.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

/// The geometry shared by both directions: `batched` is gather's result or scatter's updates, `whole` the other tensor.
/// Offsets are pairs (in batched, in whole).
class Windows {
public:
    Windows(const TensorRead& batched, const TensorRead& whole, const TensorRead& indices, const GatherConfig& config)
        : whole_(whole), indices_(indices), config_(config), batch_(indices.shape()), indices_strides_(indices.strides()) {
        if (config.index_vector_dim < static_cast<Index>(indices.rank())) {
            const auto vector_dim = static_cast<std::size_t>(config.index_vector_dim);
            component_stride_ = indices_strides_[vector_dim];
            batch_.erase(vector_dim);
            indices_strides_.erase(vector_dim);
        }
        for (const Index axis : free_axes(batched.rank(), config.offset_dims, {}))
            batch_strides_.push_back(batched.strides()[axis]);
        Dims shape, batched_strides, whole_strides;
        for (const Index axis : free_axes(whole.rank(), config.collapsed_slice_dims, {})) {
            batched_strides.push_back(batched.strides()[config.offset_dims[shape.size()]]);
            whole_strides.push_back(whole.strides()[axis]);
            shape.push_back(config.slice_sizes[axis]);
        }
        window_ = fused_axes<2>(shape, {&batched_strides, &whole_strides}, base_);
        for (const Index extent : batch_) count_ *= extent;
    }

    /// Number of windows.
    [[nodiscard]] Index count() const noexcept { return count_; }

    /// Where window n begins; with `clamp` moved inside, otherwise nothing when it is not inside.
    [[nodiscard]] std::optional<Offsets<2>> origin(Index n, bool clamp) const {
        Offsets<2> at = base_;
        Index vector = 0;
        for (std::size_t axis = 0; axis < batch_.size(); ++axis, n /= batch_[axis - 1]) {
            at[0] += n % batch_[axis] * batch_strides_[axis];
            vector += n % batch_[axis] * indices_strides_[axis];
        }
        for (const Index axis : config_.start_index_map) {
            const Index given = index_at(vector), last = whole_.shape()[axis] - config_.slice_sizes[axis];
            const Index start = std::clamp<Index>(given, 0, last);
            if (start != given && !clamp) return std::nullopt;
            at[1] += start * whole_.strides()[axis];
            vector += component_stride_;
        }
        return at;
    }

    /// Calls f(offset in batched, offset in whole) for every element of a window.
    template <class F>
    void for_each_element(const Offsets<2>& at, F&& f) const {
        visit_axes(window_.size(), at, f);
    }

private:
    [[nodiscard]] Index index_at(Index offset) const noexcept {
        return indices_.dtype() == DType::I32 ? indices_.data_as<std::int32_t>()[offset]
                                              : indices_.data_as<std::int64_t>()[offset];
    }

    template <class F>
    void visit_axes(std::size_t axes, Offsets<2> at, F& f) const {
        if (axes == 0) return f(at[0], at[1]);
        const StridedAxis<2>& axis = window_[axes - 1];
        for (Index i = 0; i < axis.extent; ++i, at[0] += axis.stride[0], at[1] += axis.stride[1]) {
            if (axes == 1)
                f(at[0], at[1]);
            else
                visit_axes(axes - 1, at, f);
        }
    }

    const TensorRead& whole_;
    const TensorRead& indices_;
    const GatherConfig& config_;
    Dims batch_, indices_strides_, batch_strides_;
    Index component_stride_ = 0, count_ = 1;
    Offsets<2> base_{};
    SmallVector<StridedAxis<2>, 8> window_;
};

}  // namespace

void gather_windows(const TensorRead& a, const TensorRead& indices, const GatherConfig& config, const TensorWrite& out,
                    CpuContext& context) {
    if (out.size() == 0) return;
    const Windows windows(out, a, indices, config);
    const Index chunks = out.size() < 32768 ? 1 : std::min<Index>(windows.count(), 4 * context.threads());
    visit_dtype(out.dtype(), [&]<class T> {
        const T* from = a.data_as<T>();
        T* to = out.data_as<T>();
        context.parallel_for(chunks, [&](Index c) {
            for (Index n = windows.count() * c / chunks; n < windows.count() * (c + 1) / chunks; ++n)
                windows.for_each_element(*windows.origin(n, true),
                                         [&](Index target, Index source) { to[target] = from[source]; });
        });
    });
}

void write_windows(OpId op, const TensorRead& updates, const TensorRead& indices, const GatherConfig& config,
                   const TensorWrite& out) {
    if (updates.size() == 0) return;
    const Windows windows(updates, out, indices, config);
    visit_dtype(out.dtype(), [&]<class T> {
        const T* from = updates.data_as<T>();
        T* to = out.data_as<T>();
        const auto for_each_element = [&](auto write) {
            for (Index n = 0; n < windows.count(); ++n)
                if (const auto origin = windows.origin(n, false))
                    windows.for_each_element(*origin, [&](Index source, Index target) { write(to[target], from[source]); });
        };
        if constexpr (info(OpId::ScatterAdd).dtypes.contains(storage_dtype<T>))
            if (op == OpId::ScatterAdd) return for_each_element([](T& x, const T& y) { x = elementwise::Add{}(x, y); });
        for_each_element([](T& x, const T& y) { x = y; });
    });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
