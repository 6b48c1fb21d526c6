// Stores that go past the caches: they save reading a large output's lines before they are overwritten, and
// leave in the cache what is there. From which size on they pay is CpuContext::stream_bytes().
#pragma once

#include <cstddef>

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr Index kCacheLine = 64;  ///< bytes

/// Whether little of `out` would still be in the caches when it is read.
[[nodiscard]] inline bool worth_streaming(const TensorRead& out, const CpuContext& context) noexcept {
    return out.size() * static_cast<Index>(info(out.dtype()).bytes) >= context.stream_bytes();
}

/// Bytes of memory in which a view's elements lie, repeated ones once.
[[nodiscard]] inline Index distinct_bytes(const TensorRead& view) noexcept {
    Index bytes = static_cast<Index>(info(view.dtype()).bytes);
    for (std::size_t axis = 0; axis < view.shape().size(); ++axis)
        if (view.strides()[axis] != 0) bytes *= view.shape()[axis];
    return bytes;
}

/// The same where `read_bytes` of operands pass through the caches beside it, of which each thread has a
/// share: on one thread a copy, which reads as much as it writes, streams from stream_bytes() on.
[[nodiscard]] inline bool worth_streaming(const TensorRead& out, Index read_bytes,
                                          const CpuContext& context) noexcept {
    const Index bytes = out.size() * static_cast<Index>(info(out.dtype()).bytes);
    return bytes >= context.stream_bytes() ||
           (bytes + read_bytes) / (2 * context.threads()) >= context.stream_bytes();
}

/// Copies a line, whole cache lines of it past the caches.
using MoveLine = void (*)(std::byte* to, const std::byte* from, Index bytes);
[[nodiscard]] MoveLine line_streamer();

/// Repeats a word of 1, 2, 4, 8, 16 or 32 bytes until `bytes`, a multiple of it, are written; past the caches
/// or not.
using FillLine = void (*)(std::byte* to, const std::byte* word, Index width, Index bytes);
[[nodiscard]] FillLine line_filler(bool streams);

/// Makes streamed lines visible to other threads; each thread that streamed calls it.
void finish_streaming() noexcept;

}}}  // namespace tenferro::TENFERRO_ABI::cpu
