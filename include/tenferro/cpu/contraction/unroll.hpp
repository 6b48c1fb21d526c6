// TENFERRO_UNROLL before a loop over an array of vectors: compilers keep such an array in registers only if
// every loop over it is unrolled completely. TENFERRO_ROLLED before a short loop that is to be turned into
// vectors as it stands: unrolled, gcc 12 would make vectors across the loops around it.
#pragma once

#ifdef __clang__
#define TENFERRO_UNROLL _Pragma("clang loop unroll(full)")
#define TENFERRO_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define TENFERRO_UNROLL _Pragma("GCC unroll 32")
#define TENFERRO_ROLLED _Pragma("GCC unroll 1")
#endif
