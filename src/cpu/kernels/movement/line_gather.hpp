// Elements of strided rows to and from a contiguous line. Elements are known only by their width.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cpu/kernels/movement/near_copy.hpp"
#include "cpu/kernels/movement/repeat_kernels.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Rows of one operand: row r starts at element offset[r * step] and has `length` elements `stride` apart.
struct StridedRows {
    const Index* offset;
    std::size_t step;
    Index count, length, stride;
};

template <std::size_t kWidth>
struct Element {
    alignas(kWidth > 8 ? 8 : kWidth) std::byte bytes[kWidth];
};

inline constexpr Index kLineSlack = 64;  ///< bytes behind a line that may be overwritten

/// Repeats an element until `count` of them are written, and up to kLineSlack bytes more.
template <std::size_t kWidth>
void repeat_element(std::byte* to, const std::byte* element, Index count) {
    std::byte pattern[kLineSlack];
    for (std::size_t i = 0; i < sizeof pattern; i += kWidth) std::memcpy(pattern + i, element, kWidth);
    for (Index at = 0; at < count * static_cast<Index>(kWidth); at += kLineSlack)
        std::memcpy(to + at, pattern, sizeof pattern);
}

template <Index kBytes>
void copy_both_ends(std::byte* to, const std::byte* from, Index bytes) {
    std::memcpy(to, from, kBytes);
    std::memcpy(to + bytes - kBytes, from + bytes - kBytes, kBytes);
}

/// Copies a row of at least 4 bytes or of one. Of a short one both ends, for which a call would take longer.
inline void copy_row(std::byte* to, const std::byte* from, Index bytes) {
    if (bytes > 64 || bytes < 4)
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
    else if (bytes >= 32)
        copy_both_ends<32>(to, from, bytes);
    else if (bytes >= 16)
        copy_both_ends<16>(to, from, bytes);
    else if (bytes >= 8)
        copy_both_ends<8>(to, from, bytes);
    else
        copy_both_ends<4>(to, from, bytes);
}

/// Whether each row begins one element after the one before.
inline bool follow_by_one(const StridedRows& rows) {
    bool follow = true;
    for (Index r = 1; r < rows.count; ++r)
        follow &= rows.offset[static_cast<std::size_t>(r) * rows.step] == rows.offset[0] + r;
    return follow;
}

/// The line has kLineSlack bytes more than elements.
template <std::size_t kWidth>
void gather_elements(std::byte* line, const std::byte* origin, const StridedRows& rows) {
    auto* to = reinterpret_cast<Element<kWidth>*>(line);
    const auto* from = reinterpret_cast<const Element<kWidth>*>(origin);
    if (rows.length == 1) {
        for (Index r = 0; r < rows.count; ++r)
            to[r] = from[rows.offset[static_cast<std::size_t>(r) * rows.step]];
        return;
    }
    if (rows.stride == 0 && rows.length <= kMostRepeats && kWidth > 1 && follow_by_one(rows)) {
        repeater(kWidth)(line, origin + rows.offset[0] * static_cast<Index>(kWidth), rows.count, rows.length);
        return;
    }
    for (Index r = 0; r < rows.count; ++r, to += rows.length) {
        const Element<kWidth>* const row = from + rows.offset[static_cast<std::size_t>(r) * rows.step];
        if (rows.stride == 0)
            repeat_element<kWidth>(to->bytes, row->bytes, rows.length);
        else if (rows.stride == 1)
            copy_row(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(row),
                     rows.length * static_cast<Index>(kWidth));
        else
            copy_near_line<kWidth>(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(row),
                                   rows.length, kWidth, rows.stride * static_cast<Index>(kWidth));
    }
}

template <std::size_t kWidth>
void scatter_elements(std::byte* origin, const std::byte* line, const StridedRows& rows) {
    auto* to = reinterpret_cast<Element<kWidth>*>(origin);
    const auto* from = reinterpret_cast<const Element<kWidth>*>(line);
    if (rows.length == 1) {
        for (Index r = 0; r < rows.count; ++r)
            to[rows.offset[static_cast<std::size_t>(r) * rows.step]] = from[r];
        return;
    }
    for (Index r = 0; r < rows.count; ++r, from += rows.length) {
        Element<kWidth>* const row = to + rows.offset[static_cast<std::size_t>(r) * rows.step];
        if (rows.stride == 1)
            std::copy_n(from, rows.length, row);
        else
            copy_near_line<kWidth>(reinterpret_cast<std::byte*>(row),
                                   reinterpret_cast<const std::byte*>(from), rows.length,
                                   rows.stride * static_cast<Index>(kWidth), kWidth);
    }
}

inline void gather(Index width, std::byte* line, const std::byte* origin, const StridedRows& rows) {
    switch (width) {
        case 1: return gather_elements<1>(line, origin, rows);
        case 4: return gather_elements<4>(line, origin, rows);
        case 8: return gather_elements<8>(line, origin, rows);
        default: return gather_elements<16>(line, origin, rows);
    }
}

inline void scatter(Index width, std::byte* origin, const std::byte* line, const StridedRows& rows) {
    switch (width) {
        case 1: return scatter_elements<1>(origin, line, rows);
        case 4: return scatter_elements<4>(origin, line, rows);
        case 8: return scatter_elements<8>(origin, line, rows);
        default: return scatter_elements<16>(origin, line, rows);
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
