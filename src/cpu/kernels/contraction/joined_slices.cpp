#include "cpu/kernels/contraction/joined_slices.hpp"

#include <algorithm>
#include <span>

#include "cpu/kernels/contraction/moved_tensor.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Rows of a slice that follow each other in C.
Index rows_in_a_piece(const Contraction& loops) {
    Index rows = 1;
    for (const LoopAxis& axis : loops.m) {
        if (axis.stride[kC] != rows) break;
        rows *= axis.extent;
    }
    return rows;
}

Index slice_bytes(const Contraction& loops) {
    return loops.m_size * loops.n_size * static_cast<Index>(info(loops.dtype).bytes);
}

/// So many of the slices from `first` on along the first axis of the batch, at a place along the others.
Contraction slices_of(const Contraction& loops, Index place_in_others, Index first, Index count) {
    const LoopAxes others(std::span<const LoopAxis>(loops.batch.begin() + 1, loops.batch.end()));
    const Odometer at(others, place_in_others);
    Contraction part = loops;
    part.batch.clear();
    part.batch.push_back(loops.batch[0]);
    part.batch[0].extent = part.batch_size = count;
    const auto place = [&](auto* memory, std::size_t tensor) {
        const Index offset = at.in(tensor) + first * loops.batch[0].stride[tensor];
        return at_offset(memory, offset * static_cast<Index>(info(loops.dtype).bytes));
    };
    part.a = place(loops.a, kA);
    part.b = place(loops.b, kB);
    part.c = place(loops.c, kC);
    return part;
}

}  // namespace

Index slices_to_join(const Contraction& loops) {
    constexpr Index kManyPieces = 64, kManyLines = 128;  // of which C of a slice consists
    constexpr Index kShortPiece = 256, kNearBytes = 256 << 10, kLeastSlices = 4;
    constexpr double kFarBytes = 8 << 20;
    if (loops.batch.empty() || size_in_bytes(loops, kC) < kFarBytes) return 0;
    const Index rows = rows_in_a_piece(loops), bytes = rows * static_cast<Index>(info(loops.dtype).bytes);
    if (loops.batch[0].stride[kC] != rows || bytes > kShortPiece) return 0;
    const Index pieces = loops.m_size / rows * loops.n_size;
    if (pieces < (bytes % kCacheLine == 0 ? kManyLines : kManyPieces)) return 0;
    const Index extent = loops.batch[0].extent, most = std::min(kNearBytes / slice_bytes(loops), extent);
    return most < kLeastSlices || bytes * most < kShortPiece ? 0 : even_part(extent, most);
}

void join_slices(const Contraction& loops, Index count, CpuContext& context,
                 FunctionRef<void(Contraction&)> multiply) {
    const Index extent = loops.batch[0].extent, parts = (extent + count - 1) / count;
    context.parallel_for(loops.batch_size / extent * parts, [&](Index task) {
        const Index first = task % parts * count;
        Contraction part = slices_of(loops, task / parts, first, std::min(count, extent - first));
        std::byte* const memory =
            scratch(ScratchUse::Totals, static_cast<std::size_t>(slice_bytes(loops) * count));
        const MovedTensor result(part, kC, memory, Slices::Apart);
        multiply(part);
        result.bring_home(context);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
