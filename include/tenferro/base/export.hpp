// Visibility of the C++ surface and the inline namespace that carries its ABI version. Everything public
// lives in `tenferro::TENFERRO_ABI`; the name is bumped at every break of the C++ ABI.
#pragma once

#define TENFERRO_ABI v0_1

#if defined(__GNUC__)
#define TENFERRO_API __attribute__((visibility("default")))
#else
#define TENFERRO_API
#endif
