// Windows of an operand: how the vectors along a line of C find their elements where an operand repeats some
// of them, or all again and again. A vector takes them from one vector of the operand, or from two where the
// operand begins anew.
#pragma once

#include <cstdint>

#include "tenferro/base/checked.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Words have four bytes; elements one, two or four words.
class LineWindows {
public:
    static constexpr Index kWordBytes = 4;
    static constexpr Index kMostLineBytes = 4096;
    static constexpr Index kMostVectorBytes = 64, kLeastVectorBytes = 16;

    /// Words of the operand, from one place on and up to the last that is wanted, for each vector.
    struct Windows {
        Index from[kMostLineBytes / kLeastVectorBytes], words[kMostLineBytes / kLeastVectorBytes];
    };

    /// The windows of a line of `size` elements of `bytes` bytes, at least one vector, whose offsets in the
    /// operand, in elements, are not negative. False where two windows do not hold all elements of a vector.
    [[nodiscard]] bool fill(const Index* offsets, Index size, Index bytes, Index vector_bytes);

    /// Vectors begin a vector's length apart, but the last one ends at the end of the line.
    Windows first, second;
    /// Where the words of the vectors are: in the first window, or behind it in the second.
    alignas(kMostVectorBytes) std::uint32_t places[kMostLineBytes / kWordBytes + 16];
    Index size;       ///< of the line
    Index run;        ///< words of the operand up to the last that is wanted
    bool has_second;  ///< for some vector

private:
    template <Index kWords>
    bool fill_words(const Index* offsets, Index vector_bytes);
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
