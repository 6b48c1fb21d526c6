// AxisMarks: which axes of a tensor have been seen, one bit each, so that lists of axes are compared in one
// pass whatever the rank.
#pragma once

#include <cstdint>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class AxisMarks {
public:
    explicit AxisMarks(std::size_t rank) : words_(rank / kBits + 1, 0) {}

    /// Marks an axis of the tensor; false where it is marked already.
    [[nodiscard]] bool mark(Index axis) noexcept {
        std::uint64_t& word = words_[static_cast<std::size_t>(axis) / kBits];
        const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::size_t>(axis) % kBits);
        const bool fresh = (word & bit) == 0;
        word |= bit;
        return fresh;
    }

private:
    static constexpr std::size_t kBits = 64;
    SmallVector<std::uint64_t, 2> words_;
};

}}  // namespace tenferro::TENFERRO_ABI
