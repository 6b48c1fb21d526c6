// Cancellation inside of the module's own loops on elements, which cut them into pieces as the engine's do.
#pragma once

#include <algorithm>

#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/checked.hpp"

namespace tenferro::python {

/// Elements between two looks at whether the result is still wanted.
inline constexpr Index kWatchedElements = 1 << 14;

/// Counts work, and from time to time throws Cancelled where the result is not wanted any more.
class Watch {
public:
    void did(Index elements) {
        done_ += elements;
        if (done_ < kWatchedElements) return;
        done_ = 0;
        CancellationScope::check_current();
    }

private:
    Index done_ = 0;
};

/// Calls body(begin, end) for pieces of [0, count) in their order, and looks between them.
template <class Body>
void for_each_piece(Index count, const Body& body) {
    Watch watch;
    for (Index begin = 0; begin < count; begin += kWatchedElements) {
        const Index end = std::min(begin + kWatchedElements, count);
        body(begin, end);
        watch.did(end - begin);
    }
}

/// Sorts places by what `before` says of two of them; equal ones keep their order.
template <class Places, class Before>
void sort_places(Places& order, const Before& before) {
    Watch watch;
    std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) {
        watch.did(1);
        return before(i, j);
    });
}

}  // namespace tenferro::python
