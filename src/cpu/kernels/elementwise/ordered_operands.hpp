// Operands of operations element by element that lie otherwise than the output, as walks are quick for.
#pragma once

#include <array>
#include <optional>

#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/ordered_copy.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <std::size_t N>
[[nodiscard]] std::array<const Dims*, N> strides_of(const std::array<const TensorRead*, N>& operands) {
    std::array<const Dims*, N> strides;
    for (std::size_t k = 0; k < N; ++k) strides[k] = &operands[k]->strides();
    return strides;
}

[[nodiscard]] inline Index width_of(const TensorRead& view) {
    return static_cast<Index>(info(view.dtype()).bytes);
}

/// The operands of an operation, of which those that repeat elements in another order than the output's are
/// copies in its order; all have the axes that are left when neighbours are one.
template <std::size_t N>
class OrderedOperands {
public:
    OrderedOperands(const std::array<const TensorRead*, N>& operands, CpuContext& context)
        : at(operands), axes_(fused_axes<N>(operands[0]->shape(), strides_of(operands), base_)) {
        Offsets<N> bytes{};
        Index in_all = 0;
        for (std::size_t k = 1; k < N; ++k) {
            bytes[k] = elements_to_order(axes_, k, width_of(*operands[k])) * width_of(*operands[k]);
            in_all += whole_lines(bytes[k]);
        }
        if (in_all == 0) return;
        std::byte* to = scratch(ScratchUse::Tables, static_cast<std::size_t>(in_all));
        std::array<const void*, N> data;
        for (std::size_t k = 0; k < N; ++k) {
            data[k] = static_cast<const std::byte*>(operands[k]->data()) + base_[k] * width_of(*operands[k]);
            if (bytes[k] == 0) continue;
            copy_in_order(axes_, k, operands[k]->dtype(), data[k], to, context);
            to += whole_lines(bytes[k]);
        }
        fuse(axes_);
        for (std::size_t k = 0; k < N; ++k) {
            Dims shape, strides;
            for (const auto& axis : axes_) {
                shape.push_back(axis.extent);
                strides.push_back(axis.stride[k]);
            }
            at[k] = &moved_[k].emplace(operands[k]->dtype(), data[k], shape, strides);
        }
    }

    /// Puts one of the others whose lines lie across the output's where the result goes, which then is that
    /// operand: what copies do in registers, the walk would do element by element.
    void use_output(CpuContext& context) {
        const TensorRead& out = *at[0];
        constexpr Index kLeastBytes = 1 << 18;
        if (out.size() * width_of(out) < kLeastBytes) return;
        std::size_t turned = 0;
        for (std::size_t k = 1; k < N; ++k) {
            if (at[k]->data() == out.data()) return;
            const bool is_turned = axes_[0].stride[k] > 1 && !lies_in_order(axes_, k);
            if (turned == 0 && is_turned && width_of(*at[k]) == width_of(out)) turned = k;
        }
        if (turned == 0) return;
        const TensorRead& operand = *at[turned];
        copy(operand, TensorWrite(operand.dtype(), output(), out.shape(), out.strides()), context);
        at[turned] = &moved_[turned].emplace(operand.dtype(), out.data(), out.shape(), out.strides());
    }

    [[nodiscard]] TensorWrite as_write() const {
        return {at[0]->dtype(), output(), at[0]->shape(), at[0]->strides()};
    }

    std::array<const TensorRead*, N> at;

private:
    /// Bytes of the cache lines that hold so many.
    static Index whole_lines(Index bytes) { return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine; }
    [[nodiscard]] void* output() const { return const_cast<void*>(at[0]->data()); }

    Offsets<N> base_;
    Axes<N> axes_;
    std::array<std::optional<TensorRead>, N> moved_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
