// Copies that take groups of a few words apart, or put them together: an axis of two to four that is the
// fastest of one layout and far away in the other. By tiles their words would go one by one.
#include <algorithm>
#include <optional>

#include "cpu/kernels/loops/odometer.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/copy_loops.hpp"
#include "cpu/kernels/movement/interleave_kernels.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kLeastGroups = 64;   // shorter lines are left to tiles
constexpr Index kPieceBytes = 2048;  // of a line that is written at once
constexpr Index kStagePitch = kPieceBytes + kCacheLine;

/// What lies as groups in one layout and as lines in the other.
struct Groups {
    bool splits;  ///< the groups are in the source
    Index ways;   ///< words of a group
    Index pitch;  ///< bytes from line to line
    Index count;  ///< of the groups
};

/// Takes the axis of the groups and the one along the lines out of `axes`, where they are that.
std::optional<Groups> take_groups(LoopAxes& axes, Index word) {
    if (axes.size() < 2 || axes[0].stride[kC] != word) return std::nullopt;
    const auto is_group = [&](const LoopAxis& few, const LoopAxis& many, std::size_t tensor) {
        return few.extent <= kMostWays && few.stride[tensor] == word && many.extent >= kLeastGroups &&
               many.stride[tensor] == few.extent * word;
    };
    for (std::size_t i = 1; i < axes.size(); ++i) {
        const bool splits = is_group(axes[i], axes[0], kA);
        if (!splits && !(is_group(axes[0], axes[i], kC) && axes[i].stride[kA] == word)) continue;
        const LoopAxis few = axes[splits ? i : 0], many = axes[splits ? 0 : i];
        axes.erase(i);
        axes.erase(0);
        return Groups{splits, few.extent, few.stride[splits ? kC : kA], many.extent};
    }
    return std::nullopt;
}

}  // namespace

bool copy_interleaved(const CopyLoops& loops, CpuContext& context) {
    LoopAxes axes = loops.axes;
    const Index word = loops.word;
    const auto groups = take_groups(axes, word);
    if (!groups) return false;
    const auto [splits, ways, pitch, count] = *groups;
    if (loops.streams)  // reads wait for memory, and writes past the caches do not
        std::stable_sort(axes.begin(), axes.end(), [](const LoopAxis& x, const LoopAxis& y) {
            return std::abs(x.stride[kA]) < std::abs(y.stride[kA]);
        });
    const Index piece = std::min(kPieceBytes / word, count), group = ways * word;
    axes.insert(0, {(count + piece - 1) / piece,
                    {piece * (splits ? group : word), 0, piece * (splits ? word : group)}});
    const MoveGroups move = splits ? group_splitter(word, ways) : group_joiner(word, ways);
    const MoveLine stream = line_streamer();
    for_each_range(context, size_of(axes), loops.bytes < kCopyForkBytes, [&](Index begin, Index end) {
        std::byte* const stage =
            loops.streams ? scratch(ScratchUse::PackedA, static_cast<std::size_t>(ways * kStagePitch))
                          : nullptr;
        for (Odometer at(axes, begin); begin < end; ++begin, at.advance()) {
            const std::byte* const from = loops.from + at.in(kA);
            std::byte* const to = loops.to + at.in(kC);
            const Index here = std::min(piece, count - at[0] * piece);
            if (stage == nullptr) {
                move(from, to, pitch, here);
                continue;
            }
            if (!splits) {
                move(from, stage, pitch, here);
                stream(to, stage, here * group);
                continue;
            }
            move(from, stage, kStagePitch, here);
            for (Index way = 0; way < ways; ++way)
                stream(to + way * pitch, stage + way * kStagePitch, here * word);
        }
        finish_streaming();
    });
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
