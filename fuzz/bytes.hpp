// Numbers from the bytes of a fuzzed input, for targets that draw what they test.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenferro::fuzz {

/// Zeros when the input is used up.
class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    [[nodiscard]] bool empty() const { return size_ == 0; }
    std::uint8_t byte() {
        if (size_ == 0) return 0;
        --size_;
        return *data_++;
    }
    /// In 0 … count - 1.
    std::size_t below(std::size_t count) { return byte() % count; }
    std::uint64_t word() {
        std::uint64_t value = 0;
        for (int i = 0; i < 8; ++i) value = value << 8 | byte();
        return value;
    }
    /// Mostly a small number of either sign, sometimes any.
    std::int64_t number() {
        const std::uint8_t first = byte();
        return first == 0x80 ? static_cast<std::int64_t>(word()) : static_cast<std::int8_t>(first);
    }

private:
    const std::uint8_t* data_;
    std::size_t size_;
};

}  // namespace tenferro::fuzz
