// TENFERRO_UNROLL under the name that the files of this folder use; see the public header.
#pragma once

#include "tenferro/cpu/contraction/unroll.hpp"
