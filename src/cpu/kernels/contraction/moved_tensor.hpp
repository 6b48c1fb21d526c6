// Tensors of a batch in other memory: with slices side by side that lie apart, or the other way round.
#pragma once

#include "cpu/kernels/contraction/contraction_axes.hpp"
#include "cpu/kernels/movement/copy.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Of a tensor, in bytes; what it repeats counts as often, so that it may exceed Index.
inline double size_in_bytes(const Contraction& loops, std::size_t tensor) {
    double bytes = static_cast<double>(loops.batch_size) * static_cast<double>(info(loops.dtype).bytes);
    if (tensor != kB) bytes *= static_cast<double>(loops.m_size);
    if (tensor != kA) bytes *= static_cast<double>(loops.n_size);
    if (tensor != kC) bytes *= static_cast<double>(loops.k_size);
    return bytes;
}

/// Whether the same element of all slices along the first axis of the batch lies in one run.
inline bool lie_side_by_side(const Contraction& loops, std::size_t tensor) {
    return loops.batch[0].stride[tensor] == 1;
}

/// Bytes of the tensors whose slices do not lie side by side.
inline double bytes_to_move(const Contraction& loops) {
    double bytes = 0;
    for (const std::size_t tensor : {kA, kB, kC})
        if (!lie_side_by_side(loops, tensor)) bytes += size_in_bytes(loops, tensor);
    return bytes;
}

/// Bytes that stay as working memory after moving.
inline constexpr Index kMostMovedBytes = 8 << 20;

enum class Slices { SideBySide, Apart };

/// A tensor of a contraction that is seen in other memory, without gaps.
class MovedTensor {
public:
    MovedTensor(Contraction& loops, std::size_t tensor, std::byte* memory, Slices slices)
        : dtype_(loops.dtype), memory_(memory) {
        const std::size_t in_front = slices == Slices::SideBySide ? 1 : 0;
        SmallVector<LoopAxis*, 8> axes;
        if (in_front != 0) axes.push_back(&loops.batch[0]);
        const auto add = [&axes](LoopAxes& list, std::size_t first) {
            for (std::size_t i = first; i < list.size(); ++i) axes.push_back(&list[i]);
        };
        if (tensor != kB) add(loops.m, 0);
        if (tensor != kA) add(loops.n, 0);
        if (tensor != kC) add(loops.k, 0);
        add(loops.batch, in_front);
        Index step = 1;
        for (LoopAxis* axis : axes) {
            shape_.push_back(axis->extent);
            home_strides_.push_back(axis->stride[tensor]);
            strides_.push_back(step);
            axis->stride[tensor] = step;
            step *= axis->extent;
        }
        home_ = tensor == kA ? loops.a : tensor == kB ? loops.b : loops.c;
        if (tensor == kC)
            loops.c = memory;
        else
            (tensor == kA ? loops.a : loops.b) = memory;
    }

    void fetch(CpuContext& context) const {
        copy(TensorRead(dtype_, home_, shape_, home_strides_), {dtype_, memory_, shape_, strides_}, context);
    }
    void bring_home(CpuContext& context) const {
        copy(TensorRead(dtype_, memory_, shape_, strides_),
             {dtype_, const_cast<void*>(home_), shape_, home_strides_}, context);
    }

private:
    DType dtype_;
    std::byte* memory_;
    const void* home_;
    Dims shape_, home_strides_, strides_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
