// Graphs of one operation with drawn payloads, one maker for each struct of the core operations.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>

#include "support/regular_rows.hpp"
#include "tenferro/ops/operations.hpp"
#include "tenferro/runtime/graph_json.hpp"

namespace tenferro::test {

class RandomGraphs {
public:
    explicit RandomGraphs(unsigned seed) : random_(seed) {}

    Index draw(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random_); }

    /// A graph whose only node is of the struct `kind`.
    graph_runtime::GuardedGraph of(OpKind kind) {
        graph_ = {};
        const std::size_t rank = static_cast<std::size_t>(draw(1, 4));
        const StdTensorOp op = operation(kind, rank);
        graph_runtime::GuardedGraph guarded;
        op_graph::FlatNode<StdTensorOp> node{
            op, {}, OpMode::primal(), static_cast<std::uint32_t>(graph_.inputs.size())};
        for (std::uint32_t i = 0; i < op.n_inputs(); ++i) node.inputs.push_back(i);
        if (draw(0, 2) == 0 && op.n_inputs() > 0)
            node.mode = OpMode::linear_in({static_cast<std::uint32_t>(op.n_inputs() - 1)});
        graph_.outputs = {node.first_output};
        graph_.nodes.push_back(std::move(node));
        if (draw(0, 1) == 0)
            guarded.guards.push_back({extent() * 2 + 1, max(extent(), exact_div(extent() * extent(), 3))});
        guarded.graph = std::move(graph_);
        return guarded;
    }

private:
    /// A number, or something symbolic of the first axis of input 0, which every graph has or gets.
    SymDim extent() {
        if (graph_.inputs.empty() || graph_.inputs[0].shape.empty() || draw(0, 1) == 0) return draw(1, 9);
        const SymDim n = SymDim::input(0, 0);
        switch (draw(0, 4)) {
            case 0: return n;
            case 1: return n * n + draw(1, 5);
            case 2: return min(n, draw(2, 5)) * 3;
            case 3: return exact_div(n * draw(2, 7), 2 * n + 1);
            default: return max(n - 3, 1);
        }
    }
    SymShape shape(std::size_t rank) {
        SymShape extents;
        for (std::size_t axis = 0; axis < rank; ++axis)
            extents.push_back(graph_.inputs.empty() && draw(0, 1) == 0
                                  ? SymDim::input(0, static_cast<Index>(axis))
                                  : extent());
        return extents;
    }
    const SymShape& input(DType dtype, SymShape extents) {
        graph_.inputs.push_back({dtype, std::move(extents)});
        return graph_.inputs.back().shape;
    }
    Dims some_axes(std::size_t rank, bool all) {
        Dims axes(rank);
        std::iota(axes.begin(), axes.end(), Index{0});
        std::shuffle(axes.begin(), axes.end(), random_);
        if (!all) axes.resize(static_cast<std::size_t>(draw(0, static_cast<Index>(rank))));
        return axes;
    }
    OpId draw_op(OpId first, OpId last) {
        return static_cast<OpId>(draw(static_cast<Index>(first), static_cast<Index>(last)));
    }
    DType draw_dtype() { return kDTypes[static_cast<std::size_t>(draw(0, 6))].dtype; }

    StdTensorOp elementwise(std::size_t rank) {
        const OpId op = draw(0, 9) == 0 ? OpId::Select : draw_op(OpId::Neg, OpId::Clamp);
        const SymShape extents = shape(rank);
        for (std::size_t i = 0; i < tensor_ops::Elementwise(op).n_inputs(); ++i)
            input(op == OpId::Select && i == 0 ? DType::Bool : DType::F64, extents);
        return tensor_ops::Elementwise(op);
    }
    StdTensorOp dot_general() {
        const SymDim m = extent(), n = extent(), k = extent(), batch = extent();
        input(DType::C64, {batch, m, k});
        input(DType::C64, {k, batch, n});
        return tensor_ops::DotGeneral({{2}, {0}, {0}, {1}}, draw(0, 1) == 0 ? Dims{} : some_axes(3, true));
    }
    StdTensorOp constant() {
        const DType dtype = draw_dtype();
        std::array<std::uint64_t, 2> bits{random_(), random_()};
        const std::size_t bytes = info(dtype).bytes;
        if (dtype == DType::Bool) bits[0] &= 1;
        if (bytes < 8) bits[0] &= (std::uint64_t{1} << (8 * bytes)) - 1;
        if (bytes <= 8) bits[1] = 0;
        return tensor_ops::Constant(dtype, bits);
    }

    StdTensorOp array_constant(std::size_t rank) {
        Dims extents;
        for (std::size_t axis = 0; axis < rank; ++axis) extents.push_back(draw(0, 3));
        std::vector<double> elements(static_cast<std::size_t>(element_count(extents, "test")));
        for (double& element : elements) element = static_cast<double>(draw(-9, 9)) / 3;
        const Tensor array = Tensor::from_data<double>(elements, extents);
        return tensor_ops::ArrayConstant(tensor_ops::ConstantArray(array));
    }

    /// That of a regular row, on operands of one shape of at least `least` axes.
    std::optional<StdTensorOp> regular_operation(OpKind kind, std::size_t least) {
        switch (kind) {
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                           \
    case kind_of<tensor_ops::Name>(): {                                                                  \
        const SymShape extents =                                                                         \
            input(DType::F32, shape(std::max<std::size_t>(least, TENFERRO_LEAST_RANK(parameters))));     \
        for (std::size_t i = 1; i < tensor_ops::Name::kInputs; ++i) input(DType::F32, extents);          \
        RegularParameters drawn(extents.size(), [&](Index low, Index high) { return draw(low, high); }); \
        TENFERRO_LINES(TENFERRO_DRAWN, parameters)                                                       \
        return tensor_ops::Name{TENFERRO_EACH(TENFERRO_NAME, parameters)};                               \
    }
            TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
            default: return std::nullopt;
        }
    }

    StdTensorOp operation(OpKind kind, std::size_t rank) {
        const auto axis = [&] { return draw(0, static_cast<Index>(rank) - 1); };
        const auto operand = [&](DType dtype = DType::F32) { return input(dtype, shape(rank)); };
        if (std::optional<StdTensorOp> regular = regular_operation(kind, rank)) return *std::move(regular);
        switch (kind) {
            case kind_of<tensor_ops::Elementwise>(): return elementwise(rank);
            case kind_of<tensor_ops::Conversion>():
                operand();
                return tensor_ops::Conversion(OpId::Cast, draw_dtype());
            case kind_of<tensor_ops::Reduction>(): {
                const OpId op = draw_op(OpId::ReduceSum, OpId::ReduceAll);
                operand(info(op).dtypes.contains(DType::F64) ? DType::F64 : DType::Bool);
                return tensor_ops::Reduction(op, some_axes(rank, false));
            }
            case kind_of<tensor_ops::ArgExtreme>():
                operand();
                return tensor_ops::ArgExtreme(draw_op(OpId::Argmax, OpId::Argmin), axis());
            case kind_of<tensor_ops::DotGeneral>(): return dot_general();
            case kind_of<tensor_ops::Transpose>():
                operand();
                return tensor_ops::Transpose(some_axes(rank, true));
            case kind_of<tensor_ops::Reshape>(): {
                SymShape extents = operand();
                std::shuffle(extents.begin(), extents.end(), random_);
                return tensor_ops::Reshape(extents);
            }
            case kind_of<tensor_ops::BroadcastInDim>(): {
                SymShape to = operand();
                Dims dims(rank);
                std::iota(dims.begin(), dims.end(), Index{1});
                to.insert(to.begin(), extent());
                return tensor_ops::BroadcastInDim(to, dims);
            }
            case kind_of<tensor_ops::ExtractDiagonal>():
                input(DType::F32, {4, 5, 4});
                return tensor_ops::ExtractDiagonal(2, 0);
            case kind_of<tensor_ops::Slice>(): {
                const SymShape limits = operand();
                return tensor_ops::Slice(SymShape(rank, 0), limits, Dims(rank, 1));
            }
            case kind_of<tensor_ops::DynamicSlice>(): {
                const SymShape sizes = operand();
                input(DType::I64, {static_cast<Index>(rank)});
                return tensor_ops::DynamicSlice(sizes);
            }
            case kind_of<tensor_ops::DynamicUpdateSlice>(): {
                const SymShape extents = operand();
                input(DType::F32, extents);
                input(DType::I32, {static_cast<Index>(rank)});
                return tensor_ops::DynamicUpdateSlice();
            }
            case kind_of<tensor_ops::Pad>(): {
                operand();
                input(DType::F32, {});
                return tensor_ops::Pad(shape(rank), shape(rank), Dims(rank, draw(0, 3)));
            }
            case kind_of<tensor_ops::Concatenate>(): {
                const SymShape extents = operand();
                const Index parts = draw(1, 4);
                for (Index i = 1; i < parts; ++i) input(DType::F32, extents);
                return tensor_ops::Concatenate(parts, axis());
            }
            case kind_of<tensor_ops::Gather>(): {
                const SymShape extents = input(DType::F32, {7, extent()});
                input(DType::I64, {extent(), 1});
                return tensor_ops::Gather({1}, {0}, {0}, 1, {1, extents[1]});
            }
            case kind_of<tensor_ops::Scatter>(): {
                const SymShape extents = input(DType::F32, {7, extent()});
                const SymDim rows = extent();
                input(DType::I64, {rows, 1});
                input(DType::F32, {rows, extents[1]});
                return tensor_ops::Scatter(draw_op(OpId::Scatter, OpId::ScatterAdd),
                                           ScatterConfig{{1}, {0}, {0}, 1});
            }
            case kind_of<tensor_ops::ExtentOf>(): operand(); return tensor_ops::ExtentOf(axis());
            case kind_of<tensor_ops::ArrayConstant>(): return array_constant(rank);
            default: return constant();
        }
    }

    std::mt19937_64 random_;
    graph_runtime::FlatGraph graph_;
};

}  // namespace tenferro::test
