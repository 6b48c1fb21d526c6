#pragma once
#include "low/rooms/upper/ceiling.hpp"
