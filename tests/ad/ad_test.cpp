// The derivative suite: every operation of the table that the graph has is differentiated and checked, or is
// marked as one without derivative, which is checked too.
#include <gtest/gtest.h>

#include <set>

#include "ad/check.hpp"
#include "support/expect_error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/graph/linearize.hpp"
#include "tenferro/graph/resolve.hpp"

namespace tenferro::ad { namespace {

struct Family {
    const char* name;
    const std::vector<Row>& (*rows)();
};
constexpr Family kFamilies[] = {{"Elementwise", elementwise_rows}, {"Structural", structural_rows},
                                {"Contraction", contraction_rows}, {"Reduction", reduction_rows},
                                {"Regular", regular_rows},         {"Indexing", indexing_rows}};

/// The sample traced on F64 operands.
TracedTensor traced(const Sample& sample) {
    std::vector<TracedTensor> operands;
    for (const Operand& operand : sample.operands)
        operands.push_back(TracedTensor::input(operand.dtype.value_or(DType::F64), operand.shape));
    return sample.function(operands);
}

class Derivative : public ::testing::TestWithParam<Family> {};

TEST_P(Derivative, AgreesWithDifferences) {
    Counts counts;
    for (const Row& row : GetParam().rows())
        for (std::size_t i = 0; i < row.samples.size(); ++i)
            for (const DType dtype : {DType::F64, DType::C64}) {
                if (!info(row.op).dtypes.contains(dtype)) continue;
                SCOPED_TRACE(text("sample ", i));
                ASSERT_TRUE(depends_on_operation(traced(row.samples[i]), info(row.op).name))
                    << info(row.op).name;
                check_sample(row.op, row.samples[i], dtype, 7 * i + 1, counts);
            }
    std::printf(
        "%s: %d samples with activity; checks: %d jvp, %d transposes, %d second order, %d programs, %d "
        "symbolic, %d single\n",
        GetParam().name, counts.samples, counts.jvp, counts.transposes, counts.second_order, counts.programs,
        counts.symbolic, counts.single);
}

INSTANTIATE_TEST_SUITE_P(Families, Derivative, ::testing::ValuesIn(kFamilies),
                         [](const auto& parameters) { return parameters.param.name; });

TEST(DerivativeTable, EveryOperationHasSamplesOrAMark) {
    std::multiset<OpId> listed;
    for (const Family& family : kFamilies)
        for (const Row& row : family.rows()) {
            EXPECT_FALSE(row.samples.empty()) << info(row.op).name;
            listed.insert(row.op);
        }
    for (const Mark& mark : marks()) listed.insert(mark.op);
    for (const OpInfo& op : kOps)
        EXPECT_EQ(listed.count(op.id), 1u) << op.name << " has neither samples nor a mark, or both";
}

TEST(DerivativeTable, EveryStructOfTheGraphOccurs) {
    std::set<OpKind> kinds{kind_of<tensor_ops::Extension>()};  // out of tree
    const auto add = [&](const TracedTensor& value) {
        const GlobalValKey key = value.key();
        for (const GlobalValKey& node : op_graph::resolve<StdTensorOp>(std::span(&key, 1)))
            if (!node.is_input()) kinds.insert(node.op().kind());
    };
    for (const Family& family : kFamilies)
        for (const Row& row : family.rows())
            for (const Sample& sample : row.samples) add(traced(sample));
    const TracedTensor x = TracedTensor::input(DType::F64, {2, 3});
    for (const Mark& mark : marks())
        if (mark.function) add(mark.function(x));
    add(full_like(x, 1));  // constants, which have no operands
    const Tensor array = Tensor::zeros(DType::F64, {2, 3});
    add(TracedTensor::constant(array));
    add(extent_of(x, 0));  // of an integer result, checked below
    for (int kind = 0; kind <= static_cast<int>(kind_of<tensor_ops::Extension>()); ++kind)
        EXPECT_EQ(kinds.count(static_cast<OpKind>(kind)), 1u)
            << "struct number " << kind << " is in no sample";
}

/// The tangent of f(x) for that of x.
std::optional<GlobalValKey> tangent_of(const TracedTensor& y, const TracedTensor& x) {
    FragmentBuilder builder;
    ShapeGuardContext context(builder);
    const GlobalValKey output = y.key(), input = x.key();
    const std::optional<GlobalValKey> along = TracedTensor::input(x.dtype(), x.meta().shape).key();
    return op_graph::linearize<StdTensorOp>({&output, 1}, {&input, 1}, {&along, 1}, builder, context)
        .outputs.front();
}

TEST(DerivativeTable, MarkedOperationsHaveNone) {
    const TracedTensor x = TracedTensor::input(DType::F64, {2, 3});
    for (const Mark& mark : marks()) {
        SCOPED_TRACE(info(mark.op).name);
        if (mark.reason == NoDerivative::NotInGraph) {
            EXPECT_FALSE(mark.function);
            continue;
        }
        const TracedTensor y = mark.function(x);
        EXPECT_TRUE(depends_on_operation(y, info(mark.op).name));
        if (mark.reason == NoDerivative::Inactive)
            EXPECT_FALSE(tangent_of(y, x).has_value());
        else
            EXPECT_ERROR((void)tangent_of(y, x), AdRuleUnsupported,
                         text(info(mark.op).name, ": no derivative"));
    }
    EXPECT_FALSE(tangent_of(extent_of(x, 1), x).has_value());
}

}}  // namespace tenferro::ad
