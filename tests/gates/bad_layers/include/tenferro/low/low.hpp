#include "low/private.hpp"
