// Stores that go past the caches: they save reading a large output's lines before they are overwritten.
#pragma once

#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Whether `out` is so large that little of it would still be in the last-level cache when it is read.
[[nodiscard]] bool worth_streaming(const TensorRead& out);
/// Copies `bytes` bytes to `to`, past the caches where whole cache lines are written.
void stream_line(std::byte* to, const std::byte* from, Index bytes);
/// Makes streamed lines visible to other threads; each thread that streamed calls it.
void finish_lines();

}}}  // namespace tenferro::TENFERRO_ABI::cpu
