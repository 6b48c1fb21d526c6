// EXPECT_ERROR(statement, Kind, "part of what()"): the statement throws tenferro::Error of that kind with
// that text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tenferro/base/error.hpp"

#define EXPECT_ERROR(statement, expected_kind, part)                               \
    do {                                                                           \
        bool thrown_ = false;                                                      \
        try {                                                                      \
            statement;                                                             \
        } catch (const ::tenferro::Error& error_) {                                \
            thrown_ = true;                                                        \
            EXPECT_EQ(::tenferro::info(error_.kind()).name,                        \
                      ::tenferro::info(::tenferro::ErrorKind::expected_kind).name) \
                << error_.what();                                                  \
            EXPECT_NE(std::string(error_.what()).find(part), std::string::npos)    \
                << "message is: " << error_.what();                                \
        }                                                                          \
        EXPECT_TRUE(thrown_) << #statement " did not throw tenferro::Error";       \
    } while (false)
