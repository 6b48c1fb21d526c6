// Einsum as a graph: against the einsum of plain tensors, with its derivatives, and with unknown extents.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/einsum/replay.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "values.hpp"

namespace tenferro { namespace {

using test::random_tensor;
using test::values_of;

struct ContractionCase {
    const char* subscripts;
    std::vector<std::vector<Index>> shapes;
};

const ContractionCase kCases[] = {
    {"ij,jk->ik", {{2, 3}, {3, 4}}},
    {"ij,jk,kl,lm->im", {{2, 3}, {3, 4}, {4, 5}, {5, 2}}},
    {"ii->i", {{3, 3}}},
    {"ii->", {{4, 4}}},
    {"i->ii", {{3}}},
    {"i->iii", {{2}}},
    {"ij->ji", {{2, 5}}},
    {"ijk->", {{2, 3, 4}}},
    {"i,j->ji", {{2}, {3}}},
    {"bij,bjk->bik", {{2, 3, 4}, {2, 4, 2}}},
    {"...i,...i->...", {{2, 3, 4}, {1, 3, 4}}},
    {"iij,jkk->ik", {{2, 2, 3}, {3, 4, 4}}},
    {",i->i", {{}, {3}}},
    {"ij,(jk,kl)->il", {{2, 3}, {3, 4}, {4, 2}}},
    {"ij,jk->ik", {{2, 0}, {0, 3}}},
    {"a,a,a->a", {{3}, {3}, {3}}},
};

void expect_near(const Tensor& got, const Tensor& wanted) {
    ASSERT_TRUE(got.shape() == wanted.shape());
    const std::vector<double> x = values_of(got), y = values_of(wanted);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-12 * (1 + std::abs(y[i])));
}

TEST(EinsumGraph, ValuesAndDerivativesAreThoseOfThePlan) {
    Engine& engine = default_engine();
    for (const ContractionCase& c : kCases) {
        for (const bool symbolic : {false, true}) {
            SCOPED_TRACE(testing::Message() << c.subscripts << (symbolic ? ", unknown extents" : ""));
            std::vector<Tensor> operands;
            std::vector<TensorRead> reads;
            std::vector<TracedTensor> inputs;
            for (const std::vector<Index>& shape : c.shapes) {
                operands.push_back(random_tensor(shape, static_cast<unsigned>(operands.size())));
                // An extent of 1 that broadcasts has to be known.
                const bool unknown = symbolic && std::find(shape.begin(), shape.end(), 1) == shape.end();
                inputs.push_back(TracedTensor::input(
                    DType::F64, unknown ? std::vector<Index>(shape.size(), kAnyExtent) : shape));
            }
            for (const Tensor& operand : operands) reads.push_back(operand);
            const TracedTensor y = einsum(c.subscripts, std::span<const TracedTensor>(inputs));
            const Tensor value = engine.einsum(c.subscripts, reads);
            const Tensor cotangent = random_tensor({value.shape().begin(), value.shape().end()}, 77);
            const TracedTensor ct = TracedTensor::input(DType::F64, value.shape());
            const std::optional<TracedTensor> given = ct;
            std::vector<TracedTensor> outputs = vjp({&y, 1}, inputs, {&given, 1});
            outputs.push_back(y);
            inputs.push_back(ct);
            GraphCompiler compiler;
            std::vector<TensorRead> all = reads;
            all.push_back(cotangent);
            const std::vector<Tensor> got = compiler.compile(outputs, inputs)->run(engine.backend(), all);
            const std::vector<Tensor> gradients = engine.einsum_vjp(c.subscripts, reads, cotangent);
            expect_near(got.back(), value);
            for (std::size_t i = 0; i < gradients.size(); ++i) expect_near(got[i], gradients[i]);
        }
    }
}

TEST(EinsumGraph, FragmentHasTheNodesOfTheSteps) {
    FragmentBuilder builder;
    std::vector<ValRef> operands;
    for (int i = 0; i < 3; ++i)
        operands.emplace_back(
            GlobalValKey::input(op_graph::new_input_id(), {DType::F64, {SymDim(2), SymDim(2)}}));
    const LocalValId y = tensor_network::build_einsum_fragment(
        builder, tensor_network::Subscripts::parse("ij,jk,kl->il"), operands);
    const std::vector<GlobalValKey> nodes = op_graph::resolve<StdTensorOp>(std::span(&builder.key(y), 1));
    std::size_t contractions = 0;
    for (const GlobalValKey& node : nodes)
        contractions += !node.is_input() && node.op().kind() == kind_of<tensor_ops::DotGeneral>();
    EXPECT_EQ(contractions, 2u);
    EXPECT_EQ(nodes.size(), 5u);
}

TEST(EinsumGraph, ErrorsAreThoseOfThePlan) {
    const TracedTensor a = TracedTensor::input(DType::F64, {2, 3}),
                       b = TracedTensor::input(DType::F64, {4, 2});
    EXPECT_ERROR(static_cast<void>(einsum("ij,jk->ik", {a, b})), ShapeMismatch, "3");
    EXPECT_ERROR(static_cast<void>(einsum("ij,jk", {a, b})), InvalidArgument, "->");
    EXPECT_ERROR(static_cast<void>(einsum("ij->ji", {a, b})), InvalidArgument, "2");
}

}}  // namespace tenferro
