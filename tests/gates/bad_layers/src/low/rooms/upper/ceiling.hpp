#pragma once
#include "low/rooms/ground/floor.hpp"
#include "low/private.hpp"
