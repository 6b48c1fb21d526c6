// sweep(): a public function whose every allocation fails in turn, once and for ever. What comes out is a
// tenferro::Error of kind OutOfMemory that names an operation, and the next call works. Functions that are
// swept, or declared to allocate nothing, are recorded by name; completeness_test.cpp compares the record
// with the list of exported names.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "support/fault_control.h"
#include "support/regular_rows.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/function_ref.hpp"

namespace tenferro::faults {

/// Names of functions, without the namespace of the library, as in "einsum::EinsumPlan::run".
using Names = std::initializer_list<std::string_view>;

inline std::set<std::string, std::less<>>& recorded() {
    static std::set<std::string, std::less<>> names;
    return names;
}

/// While it lives, nothing fails: around what a caller allocates itself.
class Pause {
public:
    Pause() { fault_pause(1); }
    ~Pause() { fault_pause(0); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
};

inline constexpr long kMostAllocations = 20000;

/// The allocation to fail after the n-th one: the next, and of calls with hundreds every hundredth part.
constexpr long after(long n) { return n + 1 + n / 100; }

/// Fails the allocations of `call`, which drops its result, from the `first_one` on, once and for ever.
/// Returns their number.
inline long sweep(Names names, FunctionRef<void()> call, long first_one = 1) {
    recorded().insert(names.begin(), names.end());
    const std::string_view first = *names.begin();
    call();  // that it works at all, and what is made once a process
    long counted = 0;
    for (const bool forever : {false, true})
        for (long countdown = first_one; countdown < kMostAllocations; countdown = after(countdown)) {
            std::string wrong;
            bool refused = false;
            fault_arm(countdown, 0, forever ? 1 : 0);
            try {
                call();
            } catch (const Error& error) {
                refused = true;
                const Pause pause;
                if (error.root_kind() != ErrorKind::OutOfMemory || error.op().empty() ||
                    error.message().empty())
                    wrong = error.what();
            } catch (const std::exception& error) {
                const Pause pause;
                wrong = error.what();
            }
            const bool failed = fault_disarm() != 0;
            EXPECT_EQ(wrong, "") << first << ", allocation " << countdown
                                 << (forever ? " and all later" : "");
            EXPECT_TRUE(failed || !refused) << first << " gave up without a fault";
            if (!wrong.empty()) return countdown;
            if (!failed) {
                counted = countdown - 1;
                break;
            }
            call();
        }
    return counted;
}

/// The same for a call that must have at least `least` allocations.
inline void sweep_of(long least, Names names, FunctionRef<void()> call) {
    EXPECT_GE(sweep(names, call), least) << *names.begin();
}

/// Functions that need no memory: the call gets through although all of it is gone.
inline void without_memory(Names names, FunctionRef<void()> call) {
    recorded().insert(names.begin(), names.end());
    fault_arm(1, 0, 1);
    std::string wrong;
    try {
        call();
    } catch (const std::exception& error) {
        const Pause pause;
        wrong = error.what();
    }
    const bool failed = fault_disarm() != 0;
    EXPECT_EQ(wrong, "") << *names.begin();
    EXPECT_FALSE(failed) << *names.begin() << " allocates";
}

/// The parameters of a regular row on operands of `rank`: the largest of each kind.
inline test::RegularParameters swept_parameters(std::size_t rank) {
    return {rank, [](Index, Index high) { return high; }};
}

}  // namespace tenferro::faults
