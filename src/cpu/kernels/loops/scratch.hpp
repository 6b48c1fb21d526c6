// Per-thread working memory of the kernels: it grows to the largest request and stays, so that calls do not
// allocate.
#pragma once

#include <cstddef>
#include <memory>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// What the memory is for; requests for different uses do not overlap.
enum class ScratchUse { PackedA, PackedB, Tables, Lines, Totals };
inline constexpr std::size_t kScratchUses = 5;

/// At least `bytes` bytes aligned to kAlignment, with undefined contents, valid until this thread asks for
/// the same use again. Throws OutOfMemory.
[[nodiscard]] std::byte* scratch(ScratchUse use, std::size_t bytes);

/// While it lives this thread's scratch memory is out of reach: who asks gets other memory, which is freed in
/// the end.
class ScratchAside {
public:
    ScratchAside();
    ~ScratchAside();
    ScratchAside(const ScratchAside&) = delete;
    ScratchAside& operator=(const ScratchAside&) = delete;

private:
    struct Blocks;
    std::unique_ptr<Blocks> blocks_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
