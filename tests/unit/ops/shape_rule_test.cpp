// Shape rules: what they refuse, with both values in the message and the kind of error that the backends
// throw for the same mistake on tensors, and what they know of symbolic extents.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <set>

#include "support/expect_error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/functions.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro { namespace {

using namespace tensor_ops;

struct Mistake {
    StdTensorOp op;
    std::vector<TensorMeta> inputs;
    ErrorKind kind;
    std::string message;  ///< without "op: "
};

TensorMeta meta(Dims shape, DType dtype = DType::F64) { return {dtype, symbolic(shape)}; }
TensorMeta places(Dims shape) { return meta(std::move(shape), DType::I64); }

void elementwise_mistakes(std::vector<Mistake>& list) {
    using K = ErrorKind;
    const auto add = [&](const StdTensorOp& op, std::vector<TensorMeta> in, K kind, std::string message) {
        list.push_back({op, std::move(in), kind, std::move(message)});
    };
    add(elementwise(OpId::Add), {meta({3}), meta({4})}, K::ShapeMismatch,
        "lhs axis 0 has extent 3 but rhs axis 0 has extent 4");
    add(elementwise(OpId::Mul), {meta({2, 3}), meta({2, 5})}, K::ShapeMismatch,
        "lhs axis 1 has extent 3 but rhs axis 1 has extent 5");
    add(elementwise(OpId::Sub), {meta({3}), meta({3, 1})}, K::RankMismatch,
        "lhs has shape [3] but rhs has shape [3, 1]");
    add(elementwise(OpId::Div), {meta({3}), meta({3}, DType::F32)}, K::DTypeMismatch,
        "lhs has dtype f64 but rhs has f32");
    add(elementwise(OpId::Sin), {meta({3}, DType::I32)}, K::Unsupported, "dtype i32");
    add(elementwise(OpId::Maximum), {meta({3}, DType::C64), meta({3}, DType::C64)}, K::Unsupported,
        "dtype c64");
    add(elementwise(OpId::Less), {meta({}, DType::Bool), meta({}, DType::Bool)}, K::Unsupported,
        "dtype bool");
    add(elementwise(OpId::Select), {meta({2}), meta({2}), meta({2})}, K::DTypeMismatch,
        "predicate has dtype f64 but needs bool");
    add(elementwise(OpId::Select), {meta({2}, DType::Bool), meta({2}), meta({2}, DType::I64)},
        K::DTypeMismatch, "on_true has dtype f64 but on_false has i64");
    add(elementwise(OpId::Select), {meta({3}, DType::Bool), meta({2}), meta({2})}, K::ShapeMismatch,
        "extent 3");
    add(elementwise(OpId::Clamp), {meta({2}), meta({3}), meta({2})}, K::ShapeMismatch, "extent 3");
    add(elementwise(OpId::Clamp), {meta({2}), meta({2}), meta({2}, DType::F32)}, K::DTypeMismatch, "f32");
    add(Conversion(OpId::Convert, DType::F32), {meta({2})}, K::InvalidConfig,
        "dtype f64 does not promote to f32");
}

void structural_mistakes(std::vector<Mistake>& list) {
    using K = ErrorKind;
    const auto add = [&](const StdTensorOp& op, std::vector<TensorMeta> in, K kind, std::string message) {
        list.push_back({op, std::move(in), kind, std::move(message)});
    };
    add(Transpose({0}), {meta({2, 3})}, K::RankMismatch, "permutation has 1 axes but the operand has rank 2");
    add(Transpose({0, 0}), {meta({2, 3})}, K::DuplicateAxis, "axis 0 is listed twice");
    add(Transpose({0, 2}), {meta({2, 3})}, K::AxisOutOfBounds, "axis 2 is out of bounds for rank 2");
    add(Reshape({4}), {meta({2, 3})}, K::ShapeMismatch,
        "the operand of shape [2, 3] has 6 elements but shape [4] has 4");
    add(Reshape({-2, -3}), {meta({2, 3})}, K::InvalidArgument, "axis 0 has negative extent -2");
    add(BroadcastInDim({3}, {0}), {meta({2})}, K::ShapeMismatch, "operand axis 0 has extent 2 but");
    add(BroadcastInDim({3}, {1}), {meta({3})}, K::AxisOutOfBounds, "axis 1 is out of bounds for rank 1");
    add(BroadcastInDim({3, 3}, {0, 0}), {meta({3, 3})}, K::DuplicateAxis, "axis 0 is listed twice");
    add(BroadcastInDim({3}, {}), {meta({3})}, K::RankMismatch, "0 entries but the operand has rank 1");
    add(BroadcastInDim({-1}, {}), {meta({})}, K::InvalidArgument, "axis 0 has negative extent -1");
    add(ExtractDiagonal(0, 1), {meta({2, 3})}, K::ShapeMismatch, "extent 2 but");
    add(ExtractDiagonal(0, 2), {meta({2, 2})}, K::AxisOutOfBounds, "axis 2 is out of bounds for rank 2");
    add(ExtractDiagonal(1, 1), {meta({2, 2})}, K::DuplicateAxis, "axis 1 is listed twice");
    add(EmbedDiagonal(0, 2), {meta({2})}, K::AxisOutOfBounds, "axis 2 is out of bounds for rank 2");
    add(Slice({0}, {4}, {1}), {meta({3})}, K::InvalidArgument,
        "axis 0 of extent 3 has limit 4 and step 1, but needs it in [0, 3]");
    add(Slice({-1}, {2}, {1}), {meta({3})}, K::InvalidArgument,
        "axis 0 of extent 3 has start -1 and step 1, but needs it in [0, 3]");
    add(Slice({2}, {1}, {1}), {meta({3})}, K::InvalidArgument,
        "axis 0 of extent 3 has start 2 beyond limit 1 for step 1");
    add(Slice({0}, {2}, {0}), {meta({3})}, K::InvalidArgument, "axis 0 of extent 3 has step 0");
    add(Slice({0}, {2, 2}, {1}), {meta({3})}, K::RankMismatch,
        "limits has 2 entries but the operand has rank 1");
    add(Slice({}, {2}, {1}), {meta({3})}, K::RankMismatch, "starts has 0 entries but the operand has rank 1");
    add(Reverse({2}), {meta({2, 3})}, K::AxisOutOfBounds, "axis 2 is out of bounds for rank 2");
    add(Reverse({1, 1}), {meta({2, 3})}, K::DuplicateAxis, "axis 1 is listed twice");
    add(Pad({0}, {-4}, {0}), {meta({3}), meta({})}, K::InvalidArgument, "axis 0");
    add(Pad({0}, {0}, {-1}), {meta({3}), meta({})}, K::InvalidArgument, "axis 0");
    add(Pad({0, 0}, {0}, {0}), {meta({3}), meta({})}, K::RankMismatch,
        "low has 2 entries but the operand has rank 1");
    add(Pad({0}, {0}, {0}), {meta({3}), meta({1})}, K::RankMismatch, "must be a scalar");
    add(Pad({0}, {0}, {0}), {meta({3}), meta({}, DType::F32)}, K::DTypeMismatch, "f64 but value has");
    add(Concatenate(2, 0), {meta({2, 3}), meta({2, 4})}, K::ShapeMismatch,
        "axis 1 has extent 3 but operand 1 axis 1 has extent 4");
    add(Concatenate(2, 2), {meta({2, 3}), meta({2, 3})}, K::AxisOutOfBounds,
        "axis 2 is out of bounds for rank 2");
    add(Concatenate(2, 0), {meta({2}), meta({2, 1})}, K::RankMismatch,
        "operand 0 has shape [2] but operand 1 has shape [2, 1]");
    add(Concatenate(2, 0), {meta({2}), meta({2}, DType::I64)}, K::DTypeMismatch, "f64 but operand 1 has");
    add(Concatenate(0, 0), {}, K::InvalidArgument, "at least 1 is needed");
}

void contraction_mistakes(std::vector<Mistake>& list) {
    using K = ErrorKind;
    const auto add = [&](const StdTensorOp& op, std::vector<TensorMeta> in, K kind, std::string message) {
        list.push_back({op, std::move(in), kind, std::move(message)});
    };
    const std::vector<TensorMeta> matrices{meta({2, 3}), meta({3, 4})};
    add(DotGeneral({{0}, {0}, {}, {}}), matrices, K::ShapeMismatch,
        "lhs axis 0 has extent 2 but rhs axis 0 has extent 3");
    add(DotGeneral({{}, {}, {1}, {1}}), matrices, K::ShapeMismatch,
        "lhs axis 1 has extent 3 but rhs axis 1 has extent 4");
    add(DotGeneral({{2}, {0}, {}, {}}), matrices, K::AxisOutOfBounds, "axis 2 is out of bounds for rank 2");
    add(DotGeneral({{1, 1}, {0, 1}, {}, {}}), matrices, K::DuplicateAxis, "axis 1 is listed twice");
    add(DotGeneral({{1}, {0}, {1}, {1}}), matrices, K::AxisRoleConflict, "axis 1");
    add(DotGeneral({{1}, {}, {}, {}}), matrices, K::InvalidConfig, "1");
    add(DotGeneral({{1}, {0}, {}, {}}), {meta({2, 3}), meta({3, 4}, DType::F32)}, K::DTypeMismatch,
        "f64 but rhs has");
    add(DotGeneral({{1}, {0}, {}, {}}), {meta({2, 3}, DType::Bool), meta({3, 4}, DType::Bool)},
        K::Unsupported, "bool");
    add(DotGeneral({{1}, {0}, {}, {}}, {0, 0}), matrices, K::DuplicateAxis,
        "result_axes axis 0 is listed twice");
    add(DotGeneral({{1}, {0}, {}, {}}, {0, 1, 2}), matrices, K::RankMismatch,
        "result_axes has 3 axes but the result has rank 2");
}

/// What is wrong with parameters of such kinds that all are 1, where the operand is a vector.
std::optional<std::pair<ErrorKind, std::string>> wrong_on_a_vector(
    std::initializer_list<std::string_view> kinds) {
    for (const std::string_view kind : kinds) {
        if (kind == "Axis" || kind == "Axes")
            return {{ErrorKind::AxisOutOfBounds, "axis 1 is out of bounds for rank 1"}};
        if (kind == "ResultAxis" && kinds.size() > 1)
            return {{ErrorKind::DuplicateAxis, "axis 1 is listed twice"}};
        if (kind == "Diagonal")
            return {{ErrorKind::RankMismatch, "the operand has rank 1 but needs 2 matrix axes"}};
    }
    return std::nullopt;
}

void axis_mistakes(std::vector<Mistake>& list) {
    using K = ErrorKind;
    const auto add = [&](const StdTensorOp& op, std::vector<TensorMeta> in, K kind, std::string message) {
        list.push_back({op, std::move(in), kind, std::move(message)});
    };
    for (const OpId op : {OpId::ReduceSum, OpId::ReduceProd, OpId::ReduceMax, OpId::ReduceMin}) {
        add(Reduction(op, {2}), {meta({2, 3})}, K::AxisOutOfBounds, "axis 2 is out of bounds for rank 2");
        add(Reduction(op, {-1}), {meta({2, 3})}, K::AxisOutOfBounds, "axis -1 is out of bounds for rank 2");
        add(Reduction(op, {1, 1}), {meta({2, 3})}, K::DuplicateAxis, "axis 1 is listed twice");
        add(Reduction(op, {0}), {meta({2}, DType::Bool)}, K::Unsupported, "bool");
    }
    add(Reduction(OpId::ReduceAny, {0}), {meta({2})}, K::Unsupported, "f64");
    add(Reduction(OpId::ReduceMax, {0}), {meta({2}, DType::C64)}, K::Unsupported, "c64");
    add(ArgExtreme(OpId::Argmax, 1), {meta({3})}, K::AxisOutOfBounds, "axis 1 is out of bounds for rank 1");
    add(ArgExtreme(OpId::Argmax, 1), {meta({3}, DType::Bool)}, K::Unsupported, "bool");
// Regular rows: all parameters 1 on a vector, and another dtype.
#define TENFERRO_KIND_OF(Kind, name) #Kind
#define TENFERRO_KIND(parameter) TENFERRO_KIND_OF parameter
#define TENFERRO_ONE_OF(Kind, name) TENFERRO_FIELD_##Kind{1}
#define TENFERRO_ONE(parameter) TENFERRO_ONE_OF parameter
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                \
    {                                                                                         \
        const Name one{TENFERRO_EACH(TENFERRO_ONE, parameters)};                              \
        const auto operands_of = [](DType dtype) {                                            \
            return std::vector<TensorMeta>(Name::kInputs, meta({3}, dtype));                  \
        };                                                                                    \
        if (const auto wrong = wrong_on_a_vector({TENFERRO_EACH(TENFERRO_KIND, parameters)})) \
            add(one, operands_of(DType::F64), wrong->first, wrong->second);                   \
        if (!DTypes(dtypes).contains(DType::Bool))                                            \
            add(one, operands_of(DType::Bool), K::Unsupported, "bool");                       \
    }
    TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
    add(ArgExtreme(OpId::Argmin, 0), {meta({0, 2})}, K::InvalidArgument,
        "axis 0 has extent 0 but needs at least 1");
}

void indexing_mistakes(std::vector<Mistake>& list) {
    using K = ErrorKind;
    const auto add = [&](const StdTensorOp& op, std::vector<TensorMeta> in, K kind, std::string message) {
        list.push_back({op, std::move(in), kind, std::move(message)});
    };
    add(DynamicSlice({2}), {meta({3}), meta({1})}, K::DTypeMismatch, "starts has dtype f64");
    add(DynamicSlice({4}), {meta({3}), places({1})}, K::ShapeMismatch,
        "extent 4 on axis 0 but the operand has 3");
    add(DynamicSlice({-1}), {meta({3}), places({1})}, K::ShapeMismatch,
        "extent -1 on axis 0 but the operand has 3");
    add(DynamicSlice({2, 2}), {meta({3}), places({1})}, K::RankMismatch, "rank 2 but the operand has rank 1");
    add(DynamicSlice({2}), {meta({3}), places({2})}, K::ShapeMismatch,
        "starts has shape [2] but the operand has rank 1");
    add(DynamicSlice({2}), {meta({3}), places({})}, K::ShapeMismatch,
        "starts has shape [] but the operand has rank 1");
    add(DynamicUpdateSlice(), {meta({3}), meta({4}), places({1})}, K::ShapeMismatch,
        "extent 4 on axis 0 but the operand has 3");
    add(DynamicUpdateSlice(), {meta({3}), meta({2, 1}), places({1})}, K::RankMismatch,
        "rank 2 but the operand has rank 1");
    add(DynamicUpdateSlice(), {meta({3}), meta({2}, DType::F32), places({1})}, K::DTypeMismatch,
        "f64 but update has");
    add(DynamicUpdateSlice(), {meta({3}), meta({2}), meta({1})}, K::DTypeMismatch, "starts has dtype f64");
    add(DynamicUpdateSlice(), {meta({3}), meta({2}), places({3})}, K::ShapeMismatch, "starts has shape [3]");
    const tensor_ops::Gather columns({0}, {1}, {1}, 1, {3, 1});
    add(columns, {meta({3, 4}), meta({2})}, K::DTypeMismatch, "indices has dtype f64");
    add(columns, {meta({2, 4}), places({2})}, K::ShapeMismatch,
        "operand axis 0 has extent 2 but the window has 3");
    add(tensor_ops::Gather({0}, {2}, {1}, 1, {3, 1}), {meta({3, 4}), places({2})}, K::AxisOutOfBounds,
        "axis 2 is out of bounds");
    add(tensor_ops::Gather({0}, {1}, {1}, 1, {3}), {meta({3, 4}), places({2})}, K::RankMismatch, "1");
    for (const OpId op : {OpId::Scatter, OpId::ScatterAdd}) {
        const StdTensorOp scatter = Scatter(op, {{0}, {1}, {1}, 1});
        add(scatter, {meta({3, 4}), places({2}), meta({3, 3})}, K::ShapeMismatch, "extent 3");
        add(scatter, {meta({3, 4}), places({2}), meta({3, 2}, DType::F32)}, K::DTypeMismatch,
            "f64 but updates has");
        add(scatter, {meta({3, 4}), meta({2}), meta({3, 2})}, K::DTypeMismatch, "indices has dtype f64");
        add(Scatter(op, {{0}, {5}, {1}, 1}), {meta({3, 4}), places({2}), meta({3, 2})}, K::AxisOutOfBounds,
            "axis 5");
        add(scatter, {meta({3, 4}), places({2}), meta({3})}, K::RankMismatch, "1");
        add(scatter, {meta({3, 4}), places({2}), meta({4, 2})}, K::ShapeMismatch,
            "operand axis 0 has extent 3 but the window has 4");
    }
    add(Scatter(OpId::ScatterAdd, {{0}, {1}, {1}, 1}),
        {meta({3, 4}, DType::Bool), places({2}), meta({3, 2}, DType::Bool)}, K::Unsupported, "bool");
}

const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all = [] {
        std::vector<Mistake> list;
        for (const auto& family : {elementwise_mistakes, structural_mistakes, contraction_mistakes,
                                   axis_mistakes, indexing_mistakes})
            family(list);
        return list;
    }();
    return all;
}

std::string shapes_text(const Mistake& mistake) {
    std::string out = mistake.op.text();
    for (const TensorMeta& in : mistake.inputs) out += text(" ", info(in.dtype).name, shape_text(in.shape));
    return out;
}

/// What the statement throws.
template <class F>
std::optional<Error> error_of(F&& statement) {
    try {
        statement();
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

TEST(ShapeRule, MistakesAreTypedErrorsWithBothValues) {
    for (const Mistake& mistake : mistakes()) {
        SCOPED_TRACE(shapes_text(mistake));
        const std::optional<Error> error = error_of([&] { (void)mistake.op.infer(mistake.inputs); });
        if (!error) {
            ADD_FAILURE() << "is accepted";
            continue;
        }
        EXPECT_EQ(info(error->kind()).name, info(mistake.kind).name) << error->what();
        EXPECT_EQ(error->op(), mistake.op.name());
        EXPECT_NE(error->message().find(mistake.message), std::string_view::npos) << error->what();
    }
}

TEST(ShapeRule, BackendsRefuseTheSameMistakesInTheSameWay) {
    ReferenceBackend reference;
    const auto cpu = CpuBackend::with_threads(1);
    for (TensorBackend* backend :
         {static_cast<TensorBackend*>(&reference), static_cast<TensorBackend*>(cpu.get())})
        for (const Mistake& mistake : mistakes()) {
            SCOPED_TRACE(text(backend->name(), " ", shapes_text(mistake)));
            std::vector<Tensor> tensors;
            std::vector<TensorRead> views;
            for (const TensorMeta& in : mistake.inputs)
                tensors.push_back(Tensor::zeros(in.dtype, concrete(in.shape, "test")));
            for (const Tensor& tensor : tensors) views.push_back(tensor.read());
            Tensor out;
            const std::optional<Error> error = error_of([&] {
                backend->with_backend_session([&](BackendSession& session) {
                    mistake.op.operation().execute(session, views, {&out, 1});
                });
            });
            if (!error) {
                ADD_FAILURE() << "is accepted";
                continue;
            }
            EXPECT_EQ(info(error->kind()).name, info(mistake.kind).name) << error->what();
            EXPECT_EQ(error->op(), mistake.op.name());
            const std::optional<Error> traced = error_of([&] { (void)mistake.op.infer(mistake.inputs); });
            ASSERT_TRUE(traced);
            EXPECT_STREQ(error->what(), traced->what());
        }
}

TEST(ShapeRule, EveryStructRefusesSomething) {
    std::set<OpKind> kinds{kind_of<tensor_ops::Extension>(), kind_of<tensor_ops::Constant>(),
                           kind_of<tensor_ops::ArrayConstant>()};
    for (const Mistake& mistake : mistakes()) kinds.insert(mistake.op.kind());
    EXPECT_ERROR((void)StdTensorOp(ExtentOf(1)).infer(std::vector{meta({2})}), AxisOutOfBounds,
                 "extent_of: operand axis 1 is out of bounds for rank 1");
    kinds.insert(kind_of<tensor_ops::ExtentOf>());
    EXPECT_EQ(kinds.size(), static_cast<std::size_t>(kind_of<tensor_ops::Extension>()) + 1);
}

TEST(ShapeRule, EveryOperationWantsItsNumberOfInputs) {
    for (const Mistake& mistake : mistakes()) {
        std::vector<TensorMeta> more = mistake.inputs;
        more.push_back(meta({}));
        EXPECT_ERROR((void)mistake.op.infer(more), InvalidConfig, mistake.op.arity_text(more.size()));
    }
}

TEST(ShapeRule, LargeStepsDoNotOverflow) {
    constexpr Index kMost = std::numeric_limits<Index>::max();
    const StdTensorOp op = Slice({1}, {5}, {kMost});
    EXPECT_EQ(op.infer(std::vector{meta({6})}), std::vector{meta({1})});
    EXPECT_EQ(StdTensorOp(Slice({2}, {2}, {kMost})).infer(std::vector{meta({6})}), std::vector{meta({0})});
}

TEST(ShapeRule, KnownExtentsMakeUnknownOnesKnown) {
    const SymDim n = SymDim::input(0, 0), m = SymDim::input(1, 0);
    const TensorMeta unknown{DType::F64, {n, Index{3}}}, other{DType::F64, {Index{2}, m}};
    EXPECT_EQ(elementwise(OpId::Add).infer(std::vector{unknown, other}), std::vector{meta({2, 3})});
    EXPECT_EQ(elementwise(OpId::Add).infer(std::vector{unknown, unknown}), std::vector{unknown});
    EXPECT_EQ(StdTensorOp(Concatenate(2, 0)).infer(std::vector{unknown, other}),
              std::vector<TensorMeta>{(TensorMeta{DType::F64, {n + 2, Index{3}}})});
    EXPECT_EQ(StdTensorOp(Pad({1, 0}, {m, 0}, {0, 0})).infer(std::vector{unknown, meta({})}),
              std::vector<TensorMeta>{(TensorMeta{DType::F64, {n + m + 1, Index{3}}})});
}

TEST(ShapeRule, WindowsOfUnknownExtentsAreAccepted) {
    const SymDim n = SymDim::input(0, 0), m = SymDim::input(1, 0), k = SymDim::input(2, 0);
    const TensorMeta operand{DType::F64, {n, Index{4}}}, batch{DType::I64, {k}},
        updates{DType::F64, {m, Index{2}}};
    const tensor_ops::Gather columns({0}, {1}, {1}, 1, {n, 1});
    EXPECT_EQ(StdTensorOp(columns).infer(std::vector{operand, batch}),
              std::vector<TensorMeta>{(TensorMeta{DType::F64, {n, k}})});
    const StdTensorOp scatter = Scatter(OpId::ScatterAdd, {{0}, {1}, {1}, 1});
    for (const TensorMeta& indices : {batch, places({2})})
        for (const TensorMeta& of : {updates, TensorMeta{DType::F64, {m, k}}, meta({3, 2})})
            EXPECT_EQ(scatter.infer(std::vector{operand, indices, of}), std::vector{operand});
    EXPECT_ERROR((void)scatter.infer(std::vector{operand, places({3}), updates}), ShapeMismatch,
                 "scatter_add: updates axis 1 has extent 2 but batch axis 0 of indices has extent 3");
    // Windows of nothing fit into nothing.
    const TensorMeta nothing{DType::F64, {Index{0}, Index{4}}};
    EXPECT_EQ(scatter.infer(std::vector{nothing, batch, updates}), std::vector{nothing});
    EXPECT_EQ(StdTensorOp(columns).infer(std::vector{nothing, batch}),
              std::vector<TensorMeta>{(TensorMeta{DType::F64, {n, k}})});
}

}}  // namespace tenferro
