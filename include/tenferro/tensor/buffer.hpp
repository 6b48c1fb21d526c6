// Reference-counted memory. A Buffer does not know who made it: the pool, a plain allocation and foreign
// memory differ only in the release function of their control block.
#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>
#include <utility>

#include "tenferro/base/export.hpp"
#include "tenferro/tensor/placement.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// What a Buffer points to. Made by an allocator, which embeds it where it likes; `release` runs once, when
/// the last Buffer goes, and frees data and block.
struct BufferBlock {
    std::atomic<std::size_t> references{1};
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    Placement placement = kMainMemory;
    bool writable = true;
    bool pooled =
        false;  ///< an operation that consumes a unique, writable, pooled buffer may write its result there
    void (*release)(BufferBlock*) noexcept = nullptr;
    /// Takes back what lies beyond the first `bytes`, as far as it can; null: it cannot.
    void (*shrink)(BufferBlock*, std::size_t bytes) noexcept = nullptr;
};

class Buffer {
public:
    Buffer() noexcept = default;
    /// Adopts a block whose count is already 1.
    explicit Buffer(BufferBlock* block) noexcept : block_(block) {}
    Buffer(const Buffer& other) noexcept : block_(other.block_) {
        if (block_ != nullptr) block_->references.fetch_add(1, std::memory_order_relaxed);
    }
    Buffer(Buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    Buffer& operator=(Buffer other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~Buffer() {
        if (block_ != nullptr && block_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
            block_->release(block_);
    }

    [[nodiscard]] std::byte* data() const noexcept { return block_ != nullptr ? block_->data : nullptr; }
    [[nodiscard]] std::size_t bytes() const noexcept { return block_ != nullptr ? block_->bytes : 0; }
    /// Where the memory is; no memory is in main memory.
    [[nodiscard]] Placement placement() const noexcept {
        return block_ != nullptr ? block_->placement : kMainMemory;
    }
    /// Whether nobody else holds this memory.
    [[nodiscard]] bool unique() const noexcept {
        return block_ == nullptr || block_->references.load(std::memory_order_acquire) == 1;
    }
    /// False for memory that was lent to us to read only.
    [[nodiscard]] bool writable() const noexcept { return block_ == nullptr || block_->writable; }
    /// Says that only the first `bytes` are needed any more; the allocator takes back what it can of the
    /// rest.
    void shrink(std::size_t bytes) const noexcept {
        if (block_ != nullptr && block_->shrink != nullptr && bytes < block_->bytes)
            block_->shrink(block_, bytes);
    }
    /// Whether an operation that owns this Buffer may overwrite it.
    [[nodiscard]] bool reusable() const noexcept {
        return block_ != nullptr && block_->writable && block_->pooled && unique();
    }

private:
    BufferBlock* block_ = nullptr;
};

/// Alignment of all memory the library makes, in bytes.
inline constexpr std::size_t kAlignment = 128;

/// Fresh memory from the system, aligned to kAlignment, not initialised. Throws OutOfMemory in the name of
/// `op`. Zero bytes give a Buffer with null data.
[[nodiscard]] TENFERRO_API Buffer allocate_buffer(std::size_t bytes, std::string_view op = "allocate_buffer");

}}  // namespace tenferro::TENFERRO_ABI
