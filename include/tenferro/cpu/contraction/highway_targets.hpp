// Which instruction sets the Highway kernels are compiled for. Include before anything of Highway. Sets that
// bring nothing to these kernels over their neighbour, and those with vectors of unknown length, are left
// out. Every file that includes Highway must include this first: the inline functions of Highway's dispatch
// depend on the list, so files with different lists in one program call kernels that do not exist.
#pragma once

#include <hwy/detect_targets.h>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
