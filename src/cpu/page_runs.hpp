// PageRuns: the memory of large blocks, in huge pages. Freed pages serve blocks of any size: a longer run is
// split, and shorter ones are moved together in the address space, which costs microseconds where touching
// fresh memory costs milliseconds.
#pragma once

#include <cstddef>
#include <vector>

#include "tensor/system_memory.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Not thread-safe. All sizes are multiples of kHugePage, all addresses aligned to it.
class PageRuns {
public:
    PageRuns() = default;
    PageRuns(const PageRuns&) = delete;
    PageRuns& operator=(const PageRuns&) = delete;
    /// Frees the free runs; those in use are lost.
    ~PageRuns() { release(0); }

    /// A run of pages, contents undefined: free ones first. Throws std::bad_alloc.
    [[nodiscard]] std::byte* take(std::size_t bytes);
    /// Makes what is left of a run free.
    void give(std::byte* begin, std::size_t bytes) noexcept;
    /// Makes the rest of a run free whose start stays in use. False: it is kept in use.
    [[nodiscard]] bool give_rest(std::byte* begin, std::size_t bytes) noexcept;
    /// Returns free runs to the system, the longest first, until at most `bytes` remain.
    void release(std::size_t bytes) noexcept;
    [[nodiscard]] std::size_t free_bytes() const noexcept { return free_bytes_; }

private:
    struct Run {
        std::byte* begin;
        std::size_t bytes;
    };

    [[nodiscard]] std::byte* assemble(std::size_t bytes);
    void insert(std::byte* begin, std::size_t bytes) noexcept;
    void drop(std::size_t index, std::size_t bytes) noexcept;

    std::vector<Run> free_;  // by address, never adjacent; with room for all that are in use
    std::size_t free_bytes_ = 0;
    std::size_t in_use_ = 0;  // runs
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
