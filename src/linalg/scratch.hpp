// Scratch: the working memory of a task, taken and given back like a stack, and the threads that may help
// with it. What small matrices need lies in the object itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "tenferro/base/error.hpp"
#include "tenferro/tensor/backend_session.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

class Scratch {
public:
    /// Memory, and the threads where there are more than one, are those of `session`.
    Scratch(BackendSession& session, Index threads) noexcept
        : next_(first_), left_(sizeof first_), session_(session), threads_(threads) {}
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

    /// How many calls of for_each may run at once.
    [[nodiscard]] Index threads() const noexcept { return threads_; }
    /// Calls f(i) for i in [0, count), in parallel.
    template <class F>
    void for_each(Index count, F&& f) {
        if (threads_ > 1 && count > 1) return session_.run_concurrently(count, [&](Index i, auto&) { f(i); });
        for (Index i = 0; i < count; ++i) f(i);
    }

private:
    static constexpr std::size_t kAlign = 64;
    /// From here on memory is taken from the session, in blocks of no less.
    static constexpr std::size_t kBlock = std::size_t{1} << 18;
    struct Block {
        Tensor memory;
        std::size_t bytes;
    };

    void next_block(std::size_t bytes) {
        while (block_ < blocks_.size() && blocks_[block_].bytes < bytes) ++block_;
        if (block_ == blocks_.size()) {
            blocks_.push_back(make_block(std::max(bytes, kBlock)));
        }
        Block& block = blocks_[block_++];
        const auto memory = reinterpret_cast<std::uintptr_t>(block.memory.write().data_as<double>());
        next_ = reinterpret_cast<std::byte*>((memory + kAlign - 1) & ~(kAlign - 1));
        left_ = block.bytes;
    }

    [[nodiscard]] Block make_block(std::size_t bytes) {
        try {
            return {session_.empty(DType::F64, Dims{static_cast<Index>((bytes + kAlign) / sizeof(double))}),
                    bytes};
        } catch (const Error&) {
            throw std::bad_alloc();
        }
    }

    alignas(kAlign) std::byte first_[16384];
    std::byte* next_;
    std::size_t left_;
    std::size_t block_ = 0;  ///< how many of the blocks are taken from
    std::vector<Block> blocks_;
    BackendSession& session_;
    Index threads_;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
