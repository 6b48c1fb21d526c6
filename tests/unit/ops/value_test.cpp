// Operations are values: equal where their payload is, hashable, printable, and with symbols that can be
// replaced.
#include <gtest/gtest.h>

#include <set>

#include "support/expect_error.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro { namespace {

using namespace tensor_ops;

/// 0 or 1, or a list of it.
template <class Field>
Field field(bool value) {
    if constexpr (std::is_same_v<Field, Dims>)
        return {Index{value}};
    else
        return Field{value};
}

/// Those of regular rows: all parameters 0, and each of them 1.
void add_regular(std::vector<StdTensorOp>& list) {
#define TENFERRO_VALUE_OF(Kind, name) field<TENFERRO_FIELD_##Kind>(next())
#define TENFERRO_VALUE(parameter) TENFERRO_VALUE_OF parameter
#define TENFERRO_COUNTED_PARAMETER(parameter) 1 +
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                              \
    for (int changed = -1; changed < TENFERRO_LINES(TENFERRO_COUNTED_PARAMETER, parameters) 0; ++changed) { \
        int at = 0;                                                                                         \
        const auto next = [&] { return at++ == changed; };                                                  \
        list.push_back(Name{TENFERRO_EACH(TENFERRO_VALUE, parameters)});                                    \
    }
    TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
}

/// Distinct operations: every struct, and each with every field of its payload changed. Built anew by each
/// call.
std::vector<StdTensorOp> operations() {
    const SymDim n = SymDim::input(0, 0), m = SymDim::input(1, 0);
    const ScatterConfig scatter{{0}, {1}, {1}, 1};
    const DotGeneralConfig product{{1}, {0}, {}, {}}, outer{}, batched{{}, {}, {0}, {0}};
    const Tensor ones = Tensor::from_data<double>({1, 1}, {2}), zeros = Tensor::zeros(DType::F64, {3});
    std::vector<StdTensorOp> list{
        Elementwise(OpId::Add),
        Elementwise(OpId::Sub),
        Conversion(OpId::Cast, DType::F32),
        Conversion(OpId::Convert, DType::F32),
        Conversion(OpId::Cast, DType::F64),
        Reduction(OpId::ReduceSum, {0}),
        Reduction(OpId::ReduceMax, {0}),
        Reduction(OpId::ReduceSum, {1}),
        Reduction(OpId::ReduceSum, {0, 1}),
        Reduction(OpId::ReduceSum, {}),
        ArrayConstant(ConstantArray(ones)),
        ArrayConstant(ConstantArray(zeros)),
        ArgExtreme(OpId::Argmax, 0),
        ArgExtreme(OpId::Argmin, 0),
        ArgExtreme(OpId::Argmax, 1),
        DotGeneral(product),
        DotGeneral(outer),
        DotGeneral(batched),
        DotGeneral(product, {1, 0}),
        Transpose({1, 0}),
        Transpose({0, 1}),
        Reshape({n, 2}),
        Reshape({m, 2}),
        Reshape({Index{2}, n}),
        BroadcastInDim({n}, {0}),
        BroadcastInDim({n}, {}),
        BroadcastInDim({m}, {0}),
        ExtractDiagonal(0, 1),
        ExtractDiagonal(1, 0),
        Slice({Index{0}}, {n}, {1}),
        Slice({Index{1}}, {n}, {1}),
        Slice({Index{0}}, {m}, {1}),
        Slice({Index{0}}, {n}, {2}),
        DynamicSlice({n}),
        DynamicSlice({Index{2}}),
        DynamicUpdateSlice(),
        Pad({Index{0}}, {n}, {0}),
        Pad({Index{1}}, {n}, {0}),
        Pad({Index{0}}, {m}, {0}),
        Pad({Index{0}}, {n}, {1}),
        Concatenate(2, 0),
        Concatenate(3, 0),
        Concatenate(2, 1),
        tensor_ops::Gather({0}, {1}, {1}, 1, {n, 1}),
        tensor_ops::Gather({1}, {1}, {1}, 1, {n, 1}),
        tensor_ops::Gather({0}, {0}, {1}, 1, {n, 1}),
        tensor_ops::Gather({0}, {1}, {0}, 1, {n, 1}),
        tensor_ops::Gather({0}, {1}, {1}, 0, {n, 1}),
        tensor_ops::Gather({0}, {1}, {1}, 1, {m, 1}),
        Scatter(OpId::Scatter, scatter),
        Scatter(OpId::ScatterAdd, scatter),
        Scatter(OpId::Scatter, {{1}, {1}, {1}, 1}),
        Scatter(OpId::Scatter, {{0}, {0}, {1}, 1}),
        Scatter(OpId::Scatter, {{0}, {1}, {0}, 1}),
        Scatter(OpId::Scatter, {{0}, {1}, {1}, 0}),
        constant(DType::F64, 1),
        constant(DType::F64, 2),
        constant(DType::F64, 0.0),
        constant(DType::F64, -0.0),
        constant(DType::F32, 1),
        constant(DType::C64, 1),
        constant(DType::I64, 1),
        ExtentOf(0),
        ExtentOf(1),
    };
    add_regular(list);
    return list;
}

TEST(Numbers, AreConstantsOfDtypesThatHoldThem) {
    EXPECT_EQ(constant(DType::Bool, 1.0), constant(DType::Bool, 1));
    EXPECT_EQ(constant(DType::I64, -9223372036854775808.0), constant(DType::I64, INT64_MIN));
    EXPECT_EQ(constant(DType::I32, 2147483647.0), constant(DType::I32, 2147483647));
    for (const double value : {-1.0, 0.5, 2.0, 256.0, 1e300})
        EXPECT_ERROR((void)constant(DType::Bool, value), InvalidArgument, "is no bool");
    EXPECT_ERROR((void)constant(DType::I32, 2147483648.0), InvalidArgument, "2147483648 is no i32");
    EXPECT_ERROR((void)constant(DType::I64, 9223372036854775808.0), InvalidArgument, "is no i64");
}

TEST(OperationValue, EqualExactlyWhereThePayloadIs) {
    const std::vector<StdTensorOp> one = operations(), two = operations();
    std::set<std::string> texts;
    std::set<std::uint64_t> hashes;
    for (std::size_t i = 0; i < one.size(); ++i) {
        for (std::size_t k = 0; k < two.size(); ++k)
            EXPECT_EQ(one[i] == two[k], i == k) << one[i].text() << " and " << two[k].text();
        EXPECT_EQ(one[i].hash(), two[i].hash()) << one[i].text();
        EXPECT_EQ(one[i].text(), two[i].text());
        EXPECT_TRUE(texts.insert(one[i].text()).second) << one[i].text() << " is printed twice";
        EXPECT_TRUE(hashes.insert(one[i].hash()).second) << one[i].text() << " has the hash of another";
    }
}

/// Their text names shapes only.
TEST(OperationValue, ArraysAreEqualByTheirElements) {
    const Tensor ones = Tensor::from_data<double>({1, 1}, {2}),
                 again = Tensor::from_data<double>({1, 1}, {2}),
                 others = Tensor::from_data<double>({1, 2}, {2});
    const StdTensorOp constant = ArrayConstant(ConstantArray(ones));
    EXPECT_EQ(constant, StdTensorOp(ArrayConstant(ConstantArray(again))));
    EXPECT_NE(constant, StdTensorOp(ArrayConstant(ConstantArray(others))));
}

TEST(OperationValue, EveryStructIsThere) {
    std::set<OpKind> kinds{kind_of<tensor_ops::Extension>()};
    for (const StdTensorOp& op : operations()) kinds.insert(op.kind());
    EXPECT_EQ(kinds.size(), static_cast<std::size_t>(kind_of<tensor_ops::Extension>()) + 1);
}

TEST(OperationValue, EveryRowOfTheTableIsOfOneStruct) {
    for (const OpInfo& row : kOps) {
        int structs = 0;
        CoreOperations::any([&]<class Struct>() {
            if constexpr (requires { Struct::kVariants; })
                structs += Struct::takes(row.id);
            else
                structs += Struct::kName == row.name;
            return false;
        });
        EXPECT_EQ(structs, row.id == OpId::ToContiguous ? 0 : 1) << row.name;
    }
}

TEST(OperationValue, Text) {
    EXPECT_EQ(StdTensorOp(Transpose({1, 0})).text(), "transpose{perm=[1, 0]}");
    EXPECT_EQ(elementwise(OpId::Add).text(), "add{op=add}");
    EXPECT_EQ(StdTensorOp(CumulativeSum(1, true)).text(), "cumulative_sum{axis=1, reverse=true}");
    EXPECT_EQ(StdTensorOp(Conversion(OpId::Cast, DType::F32)).text(), "cast{op=cast, to=f32}");
    EXPECT_EQ(StdTensorOp(DynamicUpdateSlice()).text(), "dynamic_update_slice{}");
    EXPECT_EQ(StdTensorOp(DotGeneral({{1}, {0}, {}, {}})).text(),
              "dot_general{config={lhs_contract=[1], rhs_contract=[0], lhs_batch=[], rhs_batch=[]}, "
              "result_axes=[]}");
    EXPECT_EQ(elementwise(OpId::Add).arity_text(1), "expected 2 inputs, got 1");
    EXPECT_EQ(elementwise(OpId::Sin).arity_text(2), "expected 1 input, got 2");
}

TEST(OperationValue, StructsAreFoundByType) {
    const StdTensorOp op = Reverse({1});
    ASSERT_NE(op.as<Reverse>(), nullptr);
    EXPECT_EQ(op.as<Reverse>()->axes, Dims{1});
    EXPECT_EQ(op.as<Transpose>(), nullptr);
}

TEST(OperationValue, SymbolsAreRenamedAndBound) {
    const SymDim n = SymDim::input(7, 1);
    const StdTensorOp op = Reshape({n * 2, Index{3}});
    const StdTensorOp renamed = op.renumber([](std::uint64_t id) { return id - 7; });
    EXPECT_EQ(renamed, StdTensorOp(Reshape({SymDim::input(0, 1) * 2, Index{3}})));
    EXPECT_FALSE(op == renamed);
    EXPECT_EQ(op.bind([](DimSymbol) { return Index{5}; }), StdTensorOp(Reshape({Index{10}, Index{3}})));
    const StdTensorOp known = Transpose({0});
    EXPECT_EQ(&known.bind([](DimSymbol) { return Index{5}; }).operation(), &known.operation());
}

}}  // namespace tenferro
