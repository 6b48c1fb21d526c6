// The walk of a fused program: tensors are grouped by their strides, a StridedLoop over the groups gives
// tiles, and tiles are cut into blocks, or joined where they are short.
#include "cpu/kernels/fusion/fused_lines.hpp"

#include "cpu/kernels/elementwise/line_walk.hpp"
#include "cpu/kernels/fusion/fused_block.hpp"
#include "cpu/kernels/fusion/known_programs.hpp"
#include "cpu/kernels/movement/ordered_operands.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr std::size_t kMostLayouts = 8;

/// The different strides of tensors of one shape.
class Layouts {
public:
    explicit Layouts(const Dims& shape) : shape_(shape), nowhere_(shape.size(), 0) {}

    /// The number of the layout, or kMostLayouts where there are more.
    std::uint32_t add(const Dims& strides) {
        std::uint32_t k = 0;
        while (k < count_ && !are_same(*strides_[k], strides)) ++k;
        if (k == count_ && count_ < kMostLayouts) strides_[count_++] = &strides;
        return k;
    }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] bool is_repeated(std::uint32_t k) const noexcept {
        return are_same(*strides_[k], nowhere_);
    }

    /// The first N, filled up with layouts of no influence.
    template <std::size_t N>
    [[nodiscard]] std::array<const Dims*, N> first() const noexcept {
        std::array<const Dims*, N> strides;
        for (std::size_t k = 0; k < N; ++k) strides[k] = k < count_ ? strides_[k] : &nowhere_;
        return strides;
    }

private:
    [[nodiscard]] bool are_same(const Dims& a, const Dims& b) const noexcept {
        for (std::size_t axis = 0; axis < shape_.size(); ++axis)
            if (a[axis] != b[axis] && shape_[axis] != 1) return false;
        return true;
    }

    const Dims& shape_;
    const Dims nowhere_;
    std::array<const Dims*, kMostLayouts> strides_{};
    std::size_t count_ = 0;
};

/// One call's operands.
struct Fusion {
    const ElementwiseFusionPlan& plan;
    const Dims& shape;
    Index size;
    std::size_t outputs;
    FusedTensors tensors;

    [[nodiscard]] bool is_input(const FusedTensor& out) const {
        for (std::size_t k = outputs; k < tensors.size(); ++k)
            if (tensors[k].data == out.data) return true;
        return false;
    }
};

/// All tensors are compact.
void run_compact(const Fusion& fusion) {
    const auto program = program_of(fusion.plan, fusion.tensors);
    const Index step = std::min(fusion.size, fused_block_size(*program, fusion.tensors));
    FusedBlock<1> block(*program, fusion.tensors, step);
    const Offsets<1> row{};
    for (Index first = 0; first < fusion.size; first += step)
        block.add_alone({{first}, &row, 1, std::min(step, fusion.size - first)});
}

template <std::size_t N>
class FusedWalk {
public:
    FusedWalk(Fusion& fusion, const Layouts& layouts)
        : tensors_(fusion.tensors),
          loop_(fusion.shape, layouts.first<N>()),
          joins_(loop_.tile_elements() < std::min(kShortTile, fusion.size)) {
        for (std::size_t k = 0; k < tensors_.size(); ++k) {
            FusedTensor& tensor = tensors_[k];
            tensor.stride = loop_.run_stride()[tensor.layout];
            tensor.streams = tensor.streams && tensor.stride == 1 && !joins_ && !fusion.is_input(tensor);
            const bool in_place = !joins_ && loop_.is_line(tensor.layout);
            tensor.source = in_place ? LineSource::Memory : LineSource::Copy;
            if (k >= fusion.outputs && fusion.size > 1 && layouts.is_repeated(tensor.layout))
                tensor.source = LineSource::Repeated;
            streams_ = streams_ || tensor.streams;
        }
    }

    void run(const FusedProgram& program, Index elements, CpuContext& context) const {
        const Index size = std::min(elements, fused_block_size(program, tensors_));
        const std::size_t work = 4 * program.calls.size() + program.steps.size();
        const Index cost = std::clamp<Index>(static_cast<Index>(work) / 8, 1, 8);
        loop_.run_chunks(
            context,
            [&](const auto& visit_tiles) {
                FusedBlock<N> block(program, tensors_, size);
                visit_tiles([&](const Offsets<N>& origin, std::span<const Offsets<N>> rows, Index count) {
                    const FusedPiece<N> tile{origin, rows.data(), static_cast<Index>(rows.size()), count};
                    if (joins_)
                        block.add(tile);
                    else
                        cut(block, tile, size);
                });
                block.run();
                if (streams_) finish_streaming();
            },
            cost);
    }

private:
    static constexpr Index kShortTile = kShortestBlock / 2;

    /// Computes a tile in blocks of at most `size` elements.
    void cut(FusedBlock<N>& block, FusedPiece<N> tile, Index size) const {
        if (tile.row_count > 1) {
            const Index together = size / tile.length;
            for (Index rest = tile.row_count; rest > 0; rest -= together, tile.rows += together) {
                tile.row_count = std::min(rest, together);
                block.add_alone(tile);
            }
            return;
        }
        for (Index rest = tile.length; rest > 0; rest -= size) {
            tile.length = std::min(rest, size);
            block.add_alone(tile);
            for (std::size_t k = 0; k < N; ++k) tile.origin[k] += size * loop_.run_stride()[k];
        }
    }

    FusedTensors& tensors_;
    StridedLoop<N> loop_;
    const bool joins_;  // tiles are so short that several make a block
    bool streams_ = false;
};

template <std::size_t N>
void walk(Fusion& fusion, const Layouts& layouts, CpuContext& context) {
    const FusedWalk<N> walk(fusion, layouts);
    walk.run(*program_of(fusion.plan, fusion.tensors), fusion.size, context);
}

/// Whether the plan is one operation, which then is computed as such.
bool run_single(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs, const TensorWrite& out,
                CpuContext& context) {
    if (plan.steps().size() != 1 || plan.outputs().size() != 1 || plan.outputs()[0] != inputs.size())
        return false;
    const FusionStep& step = plan.steps()[0];
    const LineFunction line = line_of_step(plan, step);
    if (line == nullptr) return false;
    const TensorRead& a = inputs[step.operands[0]];
    switch (elementwise_operands(step.op)) {
        case 1: map_lines(line, a, out, context, step.op); break;
        case 2: map_lines(line, a, inputs[step.operands[1]], out, context, step.op); break;
        default: map_lines(line, a, inputs[step.operands[1]], inputs[step.operands[2]], out, context);
    }
    return true;
}

/// Tells `fusion` and `layouts` of the tensors, inputs(k) for k < count; false where there are too many
/// layouts.
template <class Inputs>
bool describe(Fusion& fusion, Layouts& layouts, std::span<const TensorWrite> outs, std::size_t count,
              const Inputs& inputs, const CpuContext& context) {
    fusion.tensors.clear();
    fusion.tensors.reserve(outs.size() + count);
    const auto add = [&](const TensorRead& tensor) {
        auto* const data = const_cast<std::byte*>(static_cast<const std::byte*>(tensor.data()));
        fusion.tensors.push_back({data, static_cast<Index>(info(tensor.dtype()).bytes), 1,
                                  layouts.add(tensor.strides()), LineSource::Memory, false});
        return fusion.tensors.back().layout < kMostLayouts;
    };
    Index read_bytes = 0;
    for (std::size_t k = 0; k < count; ++k) read_bytes += distinct_bytes(inputs(k));
    for (const TensorWrite& out : outs) {
        if (!add(out)) return false;
        fusion.tensors.back().streams = worth_streaming(bytes_of(out), read_bytes, context);
    }
    for (std::size_t k = 0; k < count; ++k)
        if (!add(inputs(k))) return false;
    return true;
}

void walk_any(Fusion& fusion, const Layouts& layouts, CpuContext& context) {
    if (layouts.count() == 1)
        walk<1>(fusion, layouts, context);
    else if (layouts.count() == 2)
        walk<2>(fusion, layouts, context);
    else if (layouts.count() <= 4)
        walk<4>(fusion, layouts, context);
    else
        walk<kMostLayouts>(fusion, layouts, context);
}

/// The same of inputs in the order of the first output, as far as they are moved for it.
[[gnu::noinline]] void walk_in_order(Fusion& fusion, std::span<const TensorRead> inputs,
                                     std::span<const TensorWrite> outs, CpuContext& context) {
    OperandPointers operands;
    for (const TensorRead& input : inputs) operands.push_back(&input);
    OrderedOperands ordered(outs[0], operands, context);
    ordered.use_output(context);
    Layouts layouts(fusion.shape);
    (void)describe(  // true: as many layouts as before at most, and one for each input
        fusion, layouts, outs, inputs.size(),
        [&ordered](std::size_t k) -> const TensorRead& { return ordered[k]; }, context);
    walk_any(fusion, layouts, context);
}

}  // namespace

bool fuse(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
          std::span<const TensorWrite> outs, CpuContext& context) {
    constexpr Index kSmallSize = 4096, kLeastOrdered = 1 << 14;  // elements, bytes of an output
    if (outs.empty() || outs[0].size() == 0 || run_single(plan, inputs, outs[0], context)) return true;
    Fusion fusion{plan, outs[0].shape(), outs[0].size(), outs.size(), {}};
    Layouts layouts(fusion.shape);
    const auto given = [&inputs](std::size_t k) -> const TensorRead& { return inputs[k]; };
    if (!describe(fusion, layouts, outs, inputs.size(), given, context)) return false;
    const bool may_move = layouts.count() > 1 && layouts.count() + inputs.size() <= kMostLayouts;
    if (layouts.count() == 1 && fusion.size <= kSmallSize && outs[0].is_compact())
        run_compact(fusion);
    else if (may_move && bytes_of(outs[0]) >= kLeastOrdered)
        walk_in_order(fusion, inputs, outs, context);
    else
        walk_any(fusion, layouts, context);
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
