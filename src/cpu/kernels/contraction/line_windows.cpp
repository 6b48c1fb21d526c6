#include "cpu/kernels/contraction/line_windows.hpp"

#include <algorithm>

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Window v has the last `most` words up to the end of the element at `last`.
void end_window(LineWindows::Windows& windows, Index v, Index last, Index words, Index most) {
    const Index end = (last + 1) * words;
    windows.from[v] = std::max<Index>(end - most, 0);
    windows.words[v] = end - windows.from[v];
}

}  // namespace

template <Index kWords>
bool LineWindows::fill_words(const Index* offsets, Index vector_bytes) {
    const Index most = vector_bytes / kWordBytes, together = most / kWords;
    std::uint32_t* place = places;
    for (Index v = 0; v * together < size; ++v) {
        const Index* const begin = offsets + std::min(v * together, size - together);
        Index least = begin[0], last = begin[0];
        for (Index i = 1; i < together; ++i) {
            least = std::min(least, begin[i]);
            last = std::max(last, begin[i]);
        }
        run = std::max(run, (last + 1) * kWords);
        Index before = -1;  // the last element that the first window does not hold
        if (last - least >= together) {
            for (Index i = 0; i < together; ++i)
                if (last - begin[i] >= together) before = std::max(before, begin[i]);
            if (before - least >= together) return false;
            has_second = true;
        }
        end_window(first, v, last, kWords, most);
        end_window(second, v, before, kWords, most);
        for (Index i = 0; i < together; ++i) {
            const bool in_first = last - begin[i] < together;
            const Index at = begin[i] * kWords - (in_first ? first.from[v] : second.from[v] - most);
            for (Index word = 0; word < kWords; ++word) *place++ = static_cast<std::uint32_t>(at + word);
        }
    }
    return true;
}

bool LineWindows::fill(const Index* offsets, Index line, Index bytes, Index vector_bytes) {
    size = line;
    run = 0;
    has_second = false;
    switch (bytes / kWordBytes) {
        case 1: return fill_words<1>(offsets, vector_bytes);
        case 2: return fill_words<2>(offsets, vector_bytes);
        default: return fill_words<4>(offsets, vector_bytes);
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
