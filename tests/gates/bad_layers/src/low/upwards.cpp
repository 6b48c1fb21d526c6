#include "../../include/tenferro/high/high.hpp"
