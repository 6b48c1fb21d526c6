// Planning an einsum whose extents may be unknown.
#include "tenferro/einsum/replay.hpp"
#include "tenferro/base/error.hpp"

#include <map>
#include <new>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// What the path search takes an unknown extent for.
constexpr Index kUsualExtent = 32;
/// Stand for the axes in an ellipsis, counted from its end: beyond every code point.
constexpr Label kFirstInEllipsis = 0x110000;

/// Shapes of numbers: an unknown extent is that of another axis of the same label, if one is known.
std::vector<Dims> planning_shapes(const Subscripts& subscripts, std::span<const SymShape> shapes) {
    std::map<Label, Index> known;
    const auto each_labelled = [&](auto&& f) {
        for (std::size_t i = 0; i < shapes.size() && i < subscripts.inputs().size(); ++i) {
            const std::vector<Label>& labels = subscripts.inputs()[i];
            const auto dots = std::find(labels.begin(), labels.end(), kEllipsis);
            const std::size_t before = static_cast<std::size_t>(dots - labels.begin());
            for (std::size_t axis = 0; axis < shapes[i].size(); ++axis) {
                const std::size_t from_end = shapes[i].size() - axis;
                const std::size_t after = dots == labels.end() ? 0 : labels.size() - before - 1;
                if (axis < before)
                    f(i, axis, labels[axis]);
                else if (from_end <= after)
                    f(i, axis, labels[labels.size() - from_end]);
                else if (dots != labels.end())
                    f(i, axis, kFirstInEllipsis + static_cast<Label>(from_end - after));
            }
        }
    };
    each_labelled([&](std::size_t i, std::size_t axis, Label label) {
        if (const auto extent = shapes[i][axis].constant(); extent && *extent != 1)
            known.try_emplace(label, *extent);
    });
    std::vector<Dims> numbers;
    for (const SymShape& shape : shapes) {
        numbers.emplace_back();
        for (const SymDim& dim : shape) numbers.back().push_back(dim.constant().value_or(kUsualExtent));
    }
    each_labelled([&](std::size_t i, std::size_t axis, Label label) {
        if (const auto found = known.find(label); found != known.end() && !shapes[i][axis].constant())
            numbers[i][axis] = found->second;
    });
    return numbers;
}

}  // namespace

SymbolicProgram symbolic_program(const Subscripts& subscripts, std::span<const SymShape> shapes,
                                 const PathOptions& options) try {
    const Network network = resolve(subscripts, planning_shapes(subscripts, shapes));
    SymbolicProgram planned;
    planned.extents.resize(network.extents.size());
    std::vector<bool> known(network.extents.size(), false);
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
        SymShape& shape = planned.input_shapes.emplace_back();
        const Dims& dropped = network.dropped_axes[i];
        for (std::size_t axis = 0; axis < shapes[i].size(); ++axis) {
            if (std::find(dropped.begin(), dropped.end(), static_cast<Index>(axis)) != dropped.end())
                continue;
            const auto label = static_cast<std::size_t>(network.inputs[i][shape.size()]);
            shape.push_back(shapes[i][axis]);
            if (!known[label]) planned.extents[label] = shapes[i][axis];
            known[label] = known[label] || shapes[i][axis].constant().has_value();
        }
    }
    planned.program = lower(network, find_tree(network, options));
    return planned;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

LocalValId build_einsum_fragment(FragmentBuilder& builder, const Subscripts& subscripts,
                                 std::span<const ValRef> operands, const PathOptions& options) try {
    std::vector<Expr> values;
    std::vector<SymShape> shapes;
    for (const ValRef& operand : operands) {
        values.emplace_back(builder, operand, false);
        shapes.push_back(values.back().meta().shape);
    }
    return replay(symbolic_program(subscripts, shapes, options), std::span<const Expr>(values)).local();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
