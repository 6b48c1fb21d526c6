// Running sums of lines in vectors.
#pragma once

#include "tenferro/tensor_core/dtype.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// As many contiguous lines as a vector has numbers, whose elements are added one after the other. Element k
/// of line c is from[k + c * from_apart], its sum goes to to[k + c * to_apart].
struct ScannedLines {
    const void* from;
    Index from_apart;
    void* to;
    Index to_apart, length;  ///< a multiple of the number of lines
    const void* before;      ///< what is added to each sum as it is written, or null
    void* sums;              ///< of all, in the end
};

struct LineScanner {
    Index width = 0;  ///< lines; 0 where the instruction set has no vectors
    void (*scan)(const ScannedLines& lines) = nullptr;
};
/// For a dtype that has sums and the instruction set that Highway chooses.
[[nodiscard]] LineScanner line_scanner(DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
