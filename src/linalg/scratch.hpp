// Scratch: the working memory of a task, taken and given back like a stack. What small matrices need lies in
// the object itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

class Scratch {
public:
    Scratch() noexcept : next_(first_), left_(sizeof first_) {}
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// Gives back at its end what was taken since its beginning.
    class Frame {
    public:
        explicit Frame(Scratch& scratch) noexcept
            : scratch_(scratch), next_(scratch.next_), left_(scratch.left_), block_(scratch.block_) {}
        ~Frame() {
            scratch_.next_ = next_;
            scratch_.left_ = left_;
            scratch_.block_ = block_;
        }
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;

    private:
        Scratch& scratch_;
        std::byte* next_;
        std::size_t left_;
        std::size_t block_;
    };

    /// Room for `count` elements, not initialised. Throws std::bad_alloc.
    template <class T>
    [[nodiscard]] T* take(Index count) {
        const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(T) + kAlign - 1) & ~(kAlign - 1);
        if (bytes > left_) next_block(bytes);
        T* const taken = reinterpret_cast<T*>(next_);
        next_ += bytes;
        left_ -= bytes;
        return taken;
    }

private:
    static constexpr std::size_t kAlign = 64;
    struct Block {
        std::unique_ptr<std::byte[]> memory;
        std::size_t bytes = 0;
    };

    void next_block(std::size_t bytes) {
        while (block_ < blocks_.size() && blocks_[block_].bytes < bytes) ++block_;
        if (block_ == blocks_.size()) {
            Block made{std::unique_ptr<std::byte[]>(new std::byte[bytes + kAlign]), bytes};
            blocks_.push_back(std::move(made));
        }
        Block& block = blocks_[block_++];
        const auto address = reinterpret_cast<std::uintptr_t>(block.memory.get());
        next_ = block.memory.get() + ((kAlign - address % kAlign) % kAlign);
        left_ = block.bytes;
    }

    alignas(kAlign) std::byte first_[16384];
    std::byte* next_;
    std::size_t left_;
    std::size_t block_ = 0;  ///< how many of the blocks are taken from
    std::vector<Block> blocks_;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
