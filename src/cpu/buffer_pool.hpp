// BufferPool: memory of freed tensors is kept and handed out again, because first-touch page faults cost more
// than kernels: small blocks by size class, large ones as huge pages that serve any size.
#pragma once

#include <cstddef>

#include "tenferro/cpu/pool_stats.hpp"
#include "tenferro/tensor/buffer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

class BufferPool {
public:
    BufferPool();
    /// Buffers may outlive the pool; their memory then goes straight back to the system.
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A writable buffer of at least `bytes`, contents undefined. Throws std::bad_alloc. Thread-safe.
    [[nodiscard]] Buffer acquire(std::size_t bytes);
    /// Frees all memory that no buffer uses.
    void trim() noexcept;
    /// Of that memory at most `bytes` are kept, from now on.
    void set_limit(std::size_t bytes) noexcept;
    [[nodiscard]] PoolStats stats() const noexcept;

private:
    class Shared;
    Shared* shared_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
