// Runs are anonymous mappings, which may be cut and moved anywhere on page boundaries.
#include "cpu/page_runs.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Fresh pages, aligned. Null where there are none.
std::byte* map(std::size_t bytes) noexcept {
    const std::size_t spare = bytes + kHugePage;
    void* const mapped = ::mmap(nullptr, spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* const start = static_cast<std::byte*>(mapped);
    const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(start) % kHugePage) % kHugePage;
    if (before != 0) ::munmap(start, before);
    ::munmap(start + before + bytes, kHugePage - before);
    ask_for_huge_pages(start + before, bytes);
    return start + before;
}

}  // namespace

std::byte* PageRuns::take(std::size_t bytes) {
    // What comes back must not allocate; two entries for each run, since many come back in two parts.
    free_.reserve(free_.size() + 2 * (in_use_ + 1));
    std::size_t best = free_.size();
    for (std::size_t i = 0; i < free_.size(); ++i)
        if (free_[i].bytes >= bytes && (best == free_.size() || free_[i].bytes < free_[best].bytes)) best = i;
    std::byte* begin = nullptr;
    if (best < free_.size()) {
        begin = free_[best].begin;
        drop(best, bytes);
    } else {
        begin = assemble(bytes);
    }
    ++in_use_;
    return begin;
}

void PageRuns::give(std::byte* begin, std::size_t bytes) noexcept {
    --in_use_;
    insert(begin, bytes);
}

bool PageRuns::give_rest(std::byte* begin, std::size_t bytes) noexcept {
    if (free_.size() + in_use_ >= free_.capacity()) return false;
    insert(begin, bytes);
    return true;
}

/// Keeps the order, and joins neighbours.
void PageRuns::insert(std::byte* begin, std::size_t bytes) noexcept {
    free_bytes_ += bytes;
    auto next = std::find_if(free_.begin(), free_.end(), [&](const Run& run) { return run.begin > begin; });
    if (next != free_.end() && begin + bytes == next->begin) {
        next->begin = begin;
        next->bytes += bytes;
    } else {
        next = free_.insert(next, {begin, bytes});
    }
    if (next == free_.begin()) return;
    if (const auto previous = next - 1; previous->begin + previous->bytes == next->begin) {
        previous->bytes += next->bytes;
        free_.erase(next);
    }
}

void PageRuns::release(std::size_t bytes) noexcept {
    while (free_bytes_ > bytes) {
        const auto longest =
            std::max_element(free_.begin(), free_.end(), [](Run a, Run b) { return a.bytes < b.bytes; });
        const std::size_t gone = std::min(longest->bytes, free_bytes_ - bytes);
        ::munmap(longest->begin, gone);
        drop(static_cast<std::size_t>(longest - free_.begin()), gone);
    }
}

/// A run of which free runs, the longest first, are the start, and fresh pages the rest.
std::byte* PageRuns::assemble(std::size_t bytes) {
    std::byte* const begin = map(bytes);
    if (begin == nullptr) throw std::bad_alloc();
    for (std::size_t done = 0; done < bytes && !free_.empty();) {
        const auto longest =
            std::max_element(free_.begin(), free_.end(), [](Run a, Run b) { return a.bytes < b.bytes; });
        const std::size_t moved = std::min(longest->bytes, bytes - done);
        if (::mremap(longest->begin, moved, moved, MREMAP_MAYMOVE | MREMAP_FIXED, begin + done) ==
            MAP_FAILED) {
            // A process may have too many mappings. What has been moved is given up. The target may have been
            // unmapped, and be somebody else's by now: it is left alone, untouched addresses at worst.
            ::munmap(begin, done);
            ::munmap(begin + done + moved, bytes - done - moved);
            std::byte* const fresh = map(bytes);
            if (fresh == nullptr) throw std::bad_alloc();
            return fresh;
        }
        drop(static_cast<std::size_t>(longest - free_.begin()), moved);
        done += moved;
    }
    return begin;
}

/// The first `bytes` of a free run are not free any more.
void PageRuns::drop(std::size_t index, std::size_t bytes) noexcept {
    Run& run = free_[index];
    free_bytes_ -= bytes;
    run.begin += bytes;
    run.bytes -= bytes;
    if (run.bytes == 0) free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(index));
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
