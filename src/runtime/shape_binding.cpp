// Binding symbolic extents.
#include "runtime/shape_binding.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

constexpr std::string_view kOp = "run";

void check_counts(const std::vector<TensorMeta>& metas, std::span<const TensorRead> inputs) {
    if (inputs.size() != metas.size())
        throw Error(ErrorKind::InvalidArgument, kOp,
                    text(inputs.size(), " inputs for a program of ", metas.size()));
    for (std::size_t i = 0; i < metas.size(); ++i)
        if (inputs[i].rank() != metas[i].rank())
            throw Error(ErrorKind::RankMismatch, kOp,
                        text("input ", i, " has rank ", inputs[i].rank(), " but was traced with rank ",
                             metas[i].rank()));
}

}  // namespace

bool ShapeBinding::fits(std::span<const TensorRead> inputs) const noexcept {
    if (inputs.size() != shapes.size()) return false;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (!(inputs[i].shape() == shapes[i])) return false;
    return true;
}

ShapeBinding bind_shapes(const std::vector<TensorMeta>& metas, const std::vector<ShapeGuard>& guards,
                         const std::vector<ExecInstruction>& instructions,
                         std::span<const TensorRead> inputs) {
    check_counts(metas, inputs);
    const auto extent_of = [&](DimSymbol symbol) {
        return inputs[symbol.input].shape()[static_cast<std::size_t>(symbol.axis)];
    };
    ShapeBinding binding;
    for (std::size_t i = 0; i < metas.size(); ++i) {
        binding.shapes.push_back(inputs[i].shape());
        for (std::size_t axis = 0; axis < metas[i].rank(); ++axis) {
            const SymDim& traced = metas[i].shape[axis];
            if (const Index wanted = traced.evaluate(extent_of); wanted != inputs[i].shape()[axis])
                throw Error(
                    ErrorKind::ShapeMismatch, kOp,
                    text("input ", i, " axis ", axis, " has extent ", inputs[i].shape()[axis],
                         traced.constant() ? " but must be " : text(" but ", traced.text(), " is "), wanted));
        }
    }
    for (const ShapeGuard& guard : guards)
        if (const Index lhs = guard.lhs.evaluate(extent_of), rhs = guard.rhs.evaluate(extent_of); lhs != rhs)
            throw Error(ErrorKind::ShapeMismatch, kOp,
                        text("a derivative was taken for ", guard.lhs.text(), " equal to ", guard.rhs.text(),
                             ", but they are ", lhs, " and ", rhs));
    for (const ExecInstruction& instruction : instructions)
        binding.ops.push_back(instruction.op.bind(extent_of));
    return binding;
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
