// Main memory that says it is somewhere else, for tests of what depends on the placement alone.
#pragma once

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::test {

/// The same memory, marked.
inline Buffer marked(Buffer memory, Placement placement) {
    struct Block : BufferBlock {
        Buffer memory;
    };
    auto* block = new Block;
    block->memory = std::move(memory);
    block->data = block->memory.data();
    block->bytes = block->memory.bytes();
    block->placement = placement;
    block->release = [](BufferBlock* dead) noexcept { delete static_cast<Block*>(dead); };
    return Buffer(block);
}
inline Tensor marked(const Tensor& tensor, Placement placement) {
    return {marked(tensor.buffer(), placement), tensor.dtype(), tensor.shape()};
}

}  // namespace tenferro::test
