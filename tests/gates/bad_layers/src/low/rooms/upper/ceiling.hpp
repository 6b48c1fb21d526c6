#pragma once
#include "low/private.hpp"
#include "low/rooms/ground/floor.hpp"
