// Line kernels: an elementwise operation on one contiguous line of elements. Each operation is one such
// function per dtype, chosen once per call; strides, repeated operands, threads and streaming are the affair
// of the walk that calls it, and an interpreter of fused expressions calls the same functions on lines in L1.
#pragma once

#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// out[i] = f(in[0][i], in[1][i], ...) for i < count. Any alignment; `out` may be exactly an operand of the
/// same width. Neither an element's place in the line nor its neighbours change its result: however a tensor
/// is cut, the bits are the same.
using LineFunction = void (*)(void* out, const void* const* in, Index count);
/// Whether f has a result for all in[0][i], in[1][i].
using LineTest = bool (*)(const void* const* in, Index count);

/// The function of a unary or binary operation, of Select (a Bool line, then two of `dtype`) or Clamp on
/// operands of `dtype`; null where the operation is not defined.
[[nodiscard]] LineFunction line_function(OpId op, DType dtype);
/// The same for long lines of operands that no near cache holds.
[[nodiscard]] LineFunction far_line(OpId op, DType dtype);
/// The same storing past the caches where its output is aligned; null for operations that have no such form.
[[nodiscard]] LineFunction streaming_line(OpId op, DType dtype);
/// A function of two operands of which one is one element for all of the line, and the same storing past the
/// caches.
struct FixedLine {
    LineFunction stored = nullptr, streaming = nullptr;
};
/// Where operand 0 or 1 is the one element; null functions for operations that have no such form.
[[nodiscard]] FixedLine fixed_line(OpId op, DType dtype, std::size_t operand);
/// The lossy conversion between different dtypes.
[[nodiscard]] LineFunction conversion_line(DType from, DType to);
/// For the operations without a result on some integers; null for those that always have one.
[[nodiscard]] LineTest definition_test(OpId op, DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
