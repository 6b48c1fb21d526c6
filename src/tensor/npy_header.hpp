// The header of NumPy's .npy format (NEP 1, numpy.lib.format): magic, version, and a Python dict literal with
// exactly the keys descr, fortran_order and shape. Everything else in it is refused by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tenferro/tensor/npy.hpp"
#include "tenferro/tensor_core/dtype.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

struct NpyHeader {
    DType dtype = DType::F64;
    bool swapped = false;  ///< the file's byte order is not this machine's
    bool fortran_order = false;
    Dims shape;
    std::size_t data_offset = 0;  ///< of the first element, in bytes from the start of the file
    std::size_t data_bytes = 0;
};

/// Bytes from the start of a file that certainly hold its header.
inline constexpr std::size_t kMaxNpyPrefix = 12 + kMaxNpyHeaderText;

/// Parses the first bytes of a file (all of them, or at least kMaxNpyPrefix). `name` is the file's name in
/// messages.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view prefix, std::string_view name);

/// A complete version 1.0 header, padded to 64 bytes, for a little-endian file in Fortran order. Throws
/// InvalidArgument when the shape does not fit into a version 1.0 header.
[[nodiscard]] std::string npy_header_text(DType dtype, std::span<const Index> shape, std::string_view name);

}}  // namespace tenferro::TENFERRO_ABI
