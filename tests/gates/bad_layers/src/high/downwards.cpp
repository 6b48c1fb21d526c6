#include "tenferro/low/low.hpp"
