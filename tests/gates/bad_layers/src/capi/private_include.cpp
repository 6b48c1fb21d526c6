#include <low/private.hpp>
