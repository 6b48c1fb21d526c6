// The version, defined here only; the build reads it from this file.
#pragma once

#define TENFERRO_VERSION_MAJOR 0
#define TENFERRO_VERSION_MINOR 1
#define TENFERRO_VERSION_PATCH 0
