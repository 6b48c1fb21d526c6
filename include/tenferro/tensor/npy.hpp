// Tensors in NumPy's .npy files. Axis order is NumPy's in both directions: element [i, j] of the file is
// element (i, j) of the tensor, whatever the file's storage order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string_view>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// The longest header text that is read; NumPy itself refuses more than 10000 bytes by default.
inline constexpr std::size_t kMaxNpyHeaderText = 65536;

/// Told while a file is read how many bytes there are and how many have been read.
using ReadProgress = FunctionRef<void(std::size_t done, std::size_t total)>;

/// Reads a file of `bytes` bytes, or one without a size (a pipe), from front to back. A Fortran-order file
/// becomes a compact tensor, a C-order file one with row-major strides; nothing is reordered. Throws
/// InvalidArgument with `name` and what is wrong: magic, version, header, dtype, a size that differs from
/// what the header says.
[[nodiscard]] TENFERRO_API Tensor read_npy(std::istream& in, std::optional<std::uint64_t> bytes,
                                           std::string_view name, const ReadProgress* progress = nullptr);
/// The same from a file, which must exist and not be a folder (InvalidArgument).
[[nodiscard]] TENFERRO_API Tensor load_npy(const std::filesystem::path& path,
                                           const ReadProgress* progress = nullptr);

/// Writes version 1.0, little endian, Fortran order.
TENFERRO_API void write_npy(std::ostream& out, const Tensor& tensor, std::string_view name);
/// The same into a file that appears whole or not at all.
TENFERRO_API void save_npy(const std::filesystem::path& path, const Tensor& tensor);

}}  // namespace tenferro::TENFERRO_ABI
