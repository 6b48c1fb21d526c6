// TENFERRO_UNROLL before a loop over an array of vectors: compilers keep such an array in registers only if every loop over
// it is unrolled completely.
#pragma once

#ifdef __clang__
#define TENFERRO_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TENFERRO_UNROLL _Pragma("GCC unroll 32")
#endif
