// What this machine can do at most, measured: the yardstick of every row. Compiled for this very processor.
#pragma once

#include <cstddef>

#include "bench/worker/row.hpp"

namespace tenferro::bench {

/// {"threads", "flops": {"f32", "f64"}, "bandwidth": [[bytes, bytes per second], …]}: multiply-add throughput
/// on registers, and the best of copying and reading a working set of that many bytes, ascending.
[[nodiscard]] Json measure_machine(int threads);

/// Both ranges have `bytes` bytes and start at a multiple of 64.
void copy_plain(std::byte* to, const std::byte* from, std::size_t bytes);
void copy_non_temporal(std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace tenferro::bench
