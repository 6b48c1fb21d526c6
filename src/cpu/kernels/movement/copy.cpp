// Copies and zeros, which know elements only by their width. Six ways: plain loops over a few, runs of at
// least a cache line that both layouts share, those that are reversed, runs of one repeated word, groups of a
// few words that are taken apart or put together, and tiles of words. A short run that both share becomes one
// word.
#include "cpu/kernels/movement/copy.hpp"

#include <cstring>

#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/copy_loops.hpp"
#include "cpu/kernels/movement/near_copy.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kFewElements = 4096;  // plain loops over so many elements cost less than tables
constexpr Index kFewBytes = 1 << 15;  // and stay in the nearest cache
constexpr Index kWidestWord = 32;     // bytes

CopyLoops copy_loops(const TensorRead& a, const TensorWrite& out, Index width, CpuContext& context) {
    Offsets<2> base;
    const auto fused = fused_axes<2>(out.shape(), {&out.strides(), &a.strides()}, base);
    CopyLoops loops{static_cast<const std::byte*>(a.data()) + base[1] * width,
                    static_cast<std::byte*>(out.data()) + base[0] * width,
                    {},
                    width,
                    out.size() * width,
                    out.size() * width >= context.stream_bytes() ||
                        worth_streaming(out.size() * width, distinct_bytes(a), context)};
    for (const auto& axis : fused)
        loops.axes.push_back({axis.extent, {axis.stride[1] * width, 0, axis.stride[0] * width}});
    return loops;
}

/// Makes the run that both layouts share one word where a word may be that long; returns whether it is a
/// longer run, which then is no longer among the axes.
bool take_shared_run(CopyLoops& loops) {
    if (loops.axes.empty() || loops.axes[0].stride[kA] != loops.word ||
        loops.axes[0].stride[kC] != loops.word)
        return false;
    const Index run = loops.axes[0].extent * loops.word;
    const bool is_word = run <= kWidestWord && (run & (run - 1)) == 0;
    if (!is_word && run < kCacheLine) return false;
    loops.word = run;
    loops.axes.erase(0);
    return !is_word;
}

/// Takes a run that lies in such a way from the axes; returns its bytes, 0 where there is none worth the way.
Index take_run(CopyLoops& loops, Run run_is) {
    if (loops.axes.empty() || loops.axes[0].stride[kA] != static_cast<Index>(run_is) * loops.word ||
        loops.axes[0].stride[kC] != loops.word)
        return 0;
    const Index run = loops.axes[0].extent * loops.word;
    if (run < kCacheLine) return 0;
    loops.axes.erase(0);
    return run;
}

}  // namespace

void copy(const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    const Index size = out.size();
    if (size == 0 || (a.data() == out.data() && a.strides() == out.strides())) return;
    const auto width = static_cast<Index>(info(out.dtype()).bytes);
    const bool few = size <= kFewElements && size * width <= kFewBytes;
    if (few && a.is_compact() && out.is_compact()) {
        std::memcpy(out.data(), a.data(), static_cast<std::size_t>(size * width));
        return;
    }
    CopyLoops loops = copy_loops(a, out, width, context);
    if (few) {
        NearAxes near;
        for (const LoopAxis& axis : loops.axes)
            near.push_back({axis.extent, {axis.stride[kC], axis.stride[kA]}});
        return copy_near(width, loops.to, loops.from, near);
    }
    if (take_shared_run(loops)) return copy_runs(loops, loops.word, Run::Same, context);
    if (const Index run = take_run(loops, Run::Repeated); run != 0)
        return copy_runs(loops, run, Run::Repeated, context);
    if (line_reverser(loops.word, loops.streams) != nullptr)
        if (const Index run = take_run(loops, Run::Reversed); run != 0)
            return copy_runs(loops, run, Run::Reversed, context);
    if (!copy_interleaved(loops, context)) copy_words(loops, context);
}

void fill_zero(const TensorWrite& out, CpuContext& context) {
    const Index size = out.size();
    if (size == 0) return;
    if (out.is_compact()) {
        const auto width = static_cast<Index>(info(out.dtype()).bytes);
        auto* const bytes = static_cast<std::byte*>(out.data());
        for_each_piece(size, 1, [&](Index begin, Index end) {
            std::memset(bytes + begin * width, 0, static_cast<std::size_t>((end - begin) * width));
        });
        return;
    }
    constexpr unsigned char zero[16] = {};
    copy(TensorRead(out.dtype(), zero, out.shape(), Dims(out.rank(), 0)), out, context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
