// Size classes are powers of two in sixteen steps (at most 6.25 % waste, none for powers of two; the control
// block is extra). Each class keeps an intrusive list of free blocks under one lock that is held for a few
// instructions. Large blocks are whole huge pages (page_runs.hpp), with their control blocks elsewhere.
#include "cpu/buffer_pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <new>

#include "base/mutex.hpp"
#include "cpu/page_runs.hpp"
#include "tenferro/base/fault.hpp"
#include "tensor/system_memory.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr std::size_t kSmallest = 256;
/// The limit at first.
constexpr std::size_t kCacheLimit = std::size_t{4} << 30;
constexpr std::size_t kSteps = 16;  // from one power of two to the next
/// Larger blocks are made of huge pages.
constexpr std::size_t kLargestClass = std::size_t{16} << 20;
constexpr std::size_t kClasses = kSteps * 16 + 1;
static_assert(kSmallest << 16 == kLargestClass);
/// Blocks up to half as large again are taken where there is none of the class: less memory lies idle in
/// other classes.
constexpr std::size_t kClassesAbove = kSteps / 2;

/// Class of a size and the size all blocks of the class have: 256, 272, 288, …, 512, 544, …
struct SizeClass {
    std::size_t index, bytes;
};

SizeClass size_class(std::size_t bytes) {
    if (bytes <= kSmallest) return {0, kSmallest};
    const auto octave =
        static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 2^octave < bytes <= 2^(octave+1)
    const std::size_t step = (std::size_t{1} << octave) / kSteps;
    const std::size_t steps = (bytes - (std::size_t{1} << octave) + step - 1) / step;  // 1 … kSteps
    return {kSteps * (octave - 8) + steps, (std::size_t{1} << octave) + steps * step};
}

}  // namespace

class BufferPool::Shared {
public:
    Buffer acquire(std::size_t bytes) {
        fault::point();
        Block* const block = bytes > kLargestClass ? make_large(bytes) : take_or_make(size_class(bytes));
        block->references.store(1, std::memory_order_relaxed);
        block->bytes = bytes;
        users_.fetch_add(1, std::memory_order_relaxed);
        return Buffer(block);
    }

    void trim() noexcept {
        const std::lock_guard lock(mutex_);
        shrink(0);
    }

    void set_limit(std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        stats_.limit = bytes;
        shrink(bytes);
    }

    PoolStats stats() const noexcept {
        const std::lock_guard lock(mutex_);
        PoolStats stats = stats_;
        stats.bytes_cached = cached();
        return stats;
    }

    /// The pool itself is gone: keep nothing, and vanish with the last buffer.
    void close() noexcept {
        trim();
        closed_.store(true);
        leave();
    }

private:
    struct Block : BufferBlock {
        Shared* pool = nullptr;
        Block* next = nullptr;
        SizeClass size{};
    };
    static_assert(sizeof(Block) <= kAlignment);

    Block* take_or_make(const SizeClass& wanted) {
        Block* const block = take(wanted);
        return block != nullptr ? block : make(wanted);
    }

    Block* make_large(std::size_t bytes) {
        if (bytes > (std::size_t{1} << 46)) throw std::bad_alloc();
        auto block = std::make_unique<Block>();
        block->pooled = true;
        block->pool = this;
        block->size = {kClasses, pages_for(bytes)};
        block->release = [](BufferBlock* dead) noexcept {
            const std::unique_ptr<Block> returned(static_cast<Block*>(dead));
            returned->pool->give_back_large(*returned);
        };
        block->shrink = [](BufferBlock* shrinking, std::size_t needed) noexcept {
            auto* const large = static_cast<Block*>(shrinking);
            large->pool->shrink_large(*large, needed);
        };
        const std::lock_guard lock(mutex_);
        const std::size_t free = pages_.free_bytes();
        block->data = pages_.take(block->size.bytes);
        ++(free >= block->size.bytes ? stats_.hits : stats_.misses);
        count_used(block->size.bytes);
        return block.release();
    }

    static std::size_t pages_for(std::size_t bytes) noexcept {
        return (bytes + kHugePage - 1) / kHugePage * kHugePage;
    }

    void give_back_large(const Block& block) noexcept {
        {
            const std::lock_guard lock(mutex_);
            pages_.give(block.data, block.size.bytes);
            count_free(block.size.bytes);
        }
        leave();
    }

    void shrink_large(Block& block, std::size_t bytes) noexcept {
        const std::size_t kept = std::max(pages_for(bytes), kHugePage);
        const std::lock_guard lock(mutex_);
        if (kept < block.size.bytes && pages_.give_rest(block.data + kept, block.size.bytes - kept)) {
            count_free(block.size.bytes - kept);
            block.size.bytes = kept;
        }
        block.bytes = bytes;
    }

    /// Pages have become free. The caller holds the lock.
    void count_free(std::size_t bytes) noexcept {
        stats_.bytes_in_use -= bytes;
        shrink(closed_.load() ? 0 : stats_.limit);
    }

    Block* make(const SizeClass& size) {
        std::byte* memory = system_allocate(size.bytes + kAlignment);
        count_miss(size.bytes);
        auto* block = new (memory) Block;
        block->data = memory + kAlignment;
        block->pooled = true;
        block->pool = this;
        block->size = size;
        block->release = [](BufferBlock* dead) noexcept {
            auto* returned = static_cast<Block*>(dead);
            returned->pool->give_back(returned);
        };
        return block;
    }

    static void destroy(Block* block) noexcept {
        const std::size_t bytes = block->size.bytes;
        block->~Block();
        system_free(reinterpret_cast<std::byte*>(block), bytes + kAlignment);
    }

    static Block* pop(Block*& head) noexcept {
        Block* block = head;
        head = block->next;
        return block;
    }

    /// Frees cached memory, the largest blocks first, until at most `bytes` remain. The caller holds the
    /// lock.
    void shrink(std::size_t bytes) noexcept {
        pages_.release(bytes > in_classes_ ? bytes - in_classes_ : 0);
        for (std::size_t index = kClasses; index-- > 0;)
            while (free_[index] != nullptr && cached() > bytes) {
                Block* block = pop(free_[index]);
                in_classes_ -= block->size.bytes;
                destroy(block);
            }
    }

    void count_miss(std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        ++stats_.misses;
        count_used(bytes);
    }

    /// Memory is in use that the system or the free pages gave. The caller holds the lock, here and below.
    void count_used(std::size_t bytes) noexcept {
        stats_.bytes_in_use += bytes;
        stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.bytes_in_use + cached());
    }

    std::size_t cached() const noexcept { return in_classes_ + pages_.free_bytes(); }

    /// The smallest cached block that is large enough and not much larger than wanted.
    Block* take(const SizeClass& wanted) noexcept {
        const std::lock_guard lock(mutex_);
        std::size_t index = wanted.index;
        const std::size_t end = std::min(index + kClassesAbove + 1, kClasses);
        while (index < end && free_[index] == nullptr) ++index;
        if (index == end) return nullptr;
        Block* const block = pop(free_[index]);
        ++stats_.hits;
        in_classes_ -= block->size.bytes;
        stats_.bytes_in_use += block->size.bytes;
        return block;
    }

    void give_back(Block* block) noexcept {
        if (!keep(block)) destroy(block);
        leave();
    }

    bool keep(Block* block) noexcept {
        if (closed_.load()) return false;
        const std::lock_guard lock(mutex_);
        stats_.bytes_in_use -= block->size.bytes;
        if (block->size.bytes > stats_.limit || cached() > stats_.limit - block->size.bytes) return false;
        in_classes_ += block->size.bytes;
        block->next = free_[block->size.index];
        free_[block->size.index] = block;
        return true;
    }

    void leave() noexcept {
        if (users_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        trim();
        delete this;
    }

    mutable Mutex mutex_;  // of all below up to the statistics
    std::array<Block*, kClasses> free_{};
    std::size_t in_classes_ = 0;  // bytes of the blocks in free_
    PageRuns pages_;
    PoolStats stats_{.limit = kCacheLimit};  // but for bytes_cached
    std::atomic<std::size_t> users_{1};      // the pool and every live buffer
    std::atomic<bool> closed_{false};
};

BufferPool::BufferPool() : shared_(new Shared) {}
BufferPool::~BufferPool() { shared_->close(); }
Buffer BufferPool::acquire(std::size_t bytes) { return shared_->acquire(bytes); }
void BufferPool::trim() noexcept { shared_->trim(); }
void BufferPool::set_limit(std::size_t bytes) noexcept { shared_->set_limit(bytes); }
PoolStats BufferPool::stats() const noexcept { return shared_->stats(); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
