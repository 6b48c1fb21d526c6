// Plain aligned allocation with the control block in front of the data.
#include "tenferro/tensor/buffer.hpp"

#include <limits>
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/fault.hpp"
#include "tensor/system_memory.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

Buffer allocate_buffer(std::size_t bytes, std::string_view op) try {
    static_assert(sizeof(BufferBlock) <= kAlignment);
    fault::point();
    if (bytes > std::numeric_limits<std::size_t>::max() - kAlignment) throw std::bad_alloc();
    std::byte* const memory = system_allocate(kAlignment + bytes);
    auto* block = new (memory) BufferBlock;
    block->data = bytes == 0 ? nullptr : memory + kAlignment;
    block->bytes = bytes;
    block->release = [](BufferBlock* dead) noexcept {
        const std::size_t whole = kAlignment + dead->bytes;
        dead->~BufferBlock();
        system_free(reinterpret_cast<std::byte*>(dead), whole);
    };
    return Buffer(block);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op, bytes);
}

}}  // namespace tenferro::TENFERRO_ABI
