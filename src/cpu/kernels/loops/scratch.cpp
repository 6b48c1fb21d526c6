// Thread-local growable buffers; large ones ask for huge pages, because packed panels are walked with long
// strides.
#include "cpu/kernels/loops/scratch.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/thread_value.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "tenferro/base/error.hpp"
#include "tensor/system_memory.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

struct Free {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
};

struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t bytes = 0;
};

struct Blocks {
    std::array<Block, kScratchUses> of;
};

void grow(Block& block, std::size_t bytes) {
    const std::size_t alignment = system_alignment(bytes);
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    block.memory.reset();
    block.bytes = 0;
    block.memory.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
    if (!block.memory) throw_out_of_memory("scratch memory of a kernel", rounded);
    block.bytes = rounded;
    ask_for_huge_pages(block.memory.get(), rounded);
}

}  // namespace

std::byte* scratch(ScratchUse use, std::size_t bytes) {
    Block& block = thread_value<Blocks>().of[static_cast<std::size_t>(use)];
    if (block.bytes < bytes) grow(block, bytes);
    return block.memory.get();
}

struct ScratchAside::Blocks {
    cpu::Blocks blocks;
};

ScratchAside::ScratchAside() : blocks_(std::make_unique<Blocks>()) {
    std::swap(blocks_->blocks, thread_value<cpu::Blocks>());
}

ScratchAside::~ScratchAside() { std::swap(blocks_->blocks, thread_value<cpu::Blocks>()); }

void look_at(const CancellationScope& scope) {
    if (!scope.is_due()) return;
    const ScratchAside aside;
    scope.check();
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
