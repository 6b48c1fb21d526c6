// Stores that go past the caches: they save reading a large output's lines before they are overwritten, and
// leave in the cache what is there. From which size on they pay is worth_streaming's affair.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr Index kCacheLine = 64;  ///< bytes

/// Bytes to where the next cache line begins: a line of which one part is stored as usual, the rest past the
/// caches, leaves them and is fetched again.
[[nodiscard]] inline Index bytes_to_line(const void* place) noexcept {
    return -static_cast<Index>(reinterpret_cast<std::intptr_t>(place)) & (kCacheLine - 1);
}

/// Bytes of a view's elements, repeated ones as often as they are.
[[nodiscard]] inline Index bytes_of(const TensorRead& view) noexcept {
    return view.size() * static_cast<Index>(info(view.dtype()).bytes);
}

/// Bytes of memory in which a view's elements lie, repeated ones once.
[[nodiscard]] inline Index distinct_bytes(const TensorRead& view) noexcept {
    Index bytes = static_cast<Index>(info(view.dtype()).bytes);
    for (std::size_t axis = 0; axis < view.shape().size(); ++axis)
        if (view.strides()[axis] != 0) bytes *= view.shape()[axis];
    return bytes;
}

/// Whether so much is written and read that stores past the caches are quicker: what is read passes through
/// them beside it, and each thread has a share.
[[nodiscard]] inline bool worth_streaming(Index written_bytes, Index read_bytes,
                                          const CpuContext& context) noexcept {
    return (written_bytes / 2 + read_bytes) / context.threads() >= context.stream_bytes();
}

/// Copies a line, whole cache lines of it past the caches.
using MoveLine = void (*)(std::byte* to, const std::byte* from, Index bytes);
[[nodiscard]] MoveLine line_streamer();

/// Repeats a word of 1, 2, 4, 8, 16 or 32 bytes until `bytes`, a multiple of it, are written; past the caches
/// or not.
using FillLine = void (*)(std::byte* to, const std::byte* word, Index width, Index bytes);
[[nodiscard]] FillLine line_filler(bool streams);

/// Copies a line of words of 4, 8 or 16 bytes in the reverse order: `from` is the word that comes first, the
/// last one in memory. Past the caches or not. Null for other words.
[[nodiscard]] MoveLine line_reverser(Index width, bool streams);

/// Makes streamed lines visible to other threads; each thread that streamed calls it.
void finish_streaming() noexcept;

}}}  // namespace tenferro::TENFERRO_ABI::cpu
