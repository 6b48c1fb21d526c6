// Cancellation inside of kernels. Where no range cuts the work (a line, a sum over K, windows that must come
// in order) it is cut into pieces here, between which is looked at whether the result is still wanted.
#pragma once

#include <algorithm>

#include "tenferro/base/cancellation.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Elements of work after which to look: microseconds of it, or at most a few milliseconds.
inline constexpr Index kWatchedElements = 1 << 14;

/// Whether somebody may cancel what this thread computes.
[[nodiscard]] inline bool is_watched() noexcept { return CancellationScope::current() != nullptr; }

/// Throws Cancelled where the result is not wanted any more. While somebody is asked this thread's scratch
/// memory is put aside, since who is asked may use the library.
void look_at(const CancellationScope& scope);

/// The same for what this thread computes, whether or not anybody may cancel it.
inline void look() {
    if (const CancellationScope* const scope = CancellationScope::current()) look_at(*scope);
}

/// Counts work, and looks from time to time.
class Watch {
public:
    void did(Index elements) {
        done_ += elements;
        if (done_ < kWatchedElements) return;
        done_ = 0;
        look();
    }

private:
    Index done_ = 0;
};

/// Calls body(begin, end) for pieces of [0, count) in their order, and looks between them; all at once where
/// nobody may cancel. A step is `elements` of work.
template <class Body>
void for_each_piece(Index count, Index elements, const Body& body) {
    const Index step = std::max<Index>(kWatchedElements / std::max<Index>(elements, 1), 1);
    if (count <= step || !is_watched()) return body(Index{0}, count);
    for (Index begin = 0; begin < count; begin += step) {
        if (begin != 0) look();
        body(begin, std::min(begin + step, count));
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
