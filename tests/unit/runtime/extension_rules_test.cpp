// What extensions may get wrong: derivative rules that return what is no tangent of their outputs, exceptions
// of any kind in any member, families that are not registered, documents that say other outputs.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/test_extensions.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/extension.hpp"
#include "tenferro/ops/extension_base.hpp"
#include "tenferro/runtime/graph_json.hpp"

namespace tenferro { namespace {

/// The identity on F64, with rules that go wrong as `mistake` says: in `tangents`, or in `cotangents` where
/// `in_transpose`.
struct MistakenOp final : ExtensionBase<MistakenOp> {
    enum : Index { kNone, kShape, kRank, kDType, kPrimal, kConstant, kCount, kThrow, kExtent };
    static constexpr std::string_view kFamilyId = "test-ext.mistaken.v1";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    Index mistake;
    bool in_transpose;
    static constexpr std::tuple kFields{tensor_ops::Field{"mistake", &MistakenOp::mistake},
                                        tensor_ops::Field{"in_transpose", &MistakenOp::in_transpose}};

    explicit MistakenOp(Index m, bool transposed = false) : mistake(m), in_transpose(transposed) {}
    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override { return {in[0]}; }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        std::vector<Tensor> outputs;
        outputs.push_back(session.to_contiguous_read(in[0]));
        return outputs;
    }
    OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        if (!in_transpose) return wrong(*args.dx[0], args.x[0]);
        return {extension::apply(clone(), {&*args.dx[0], 1})[0]};
    }
    OptionalExprs cotangents(const ExtensionCotangentArgs& args) const {
        return wrong(*args.ct[0], full_like(*args.ct[0], 1));
    }
    OptionalExprs wrong(const Expr& flow, const Expr& primal) const {
        switch (mistake) {
            case kShape: return {concatenate({flow, flow}, 0)};
            case kRank: return {reduce_sum(flow)};
            case kDType: return {cast(flow, DType::F32)};
            case kPrimal: return {primal * 2.0};
            case kConstant: return {full_like(primal, 0)};
            case kCount: return {flow, flow};
            case kThrow: throw 1;
            case kExtent: return {reshape(flow, {SymDim::input(4711, 0)})};
            default: return {flow};
        }
    }
};

class ExtensionRules : public testing::TestWithParam<bool> {
protected:
    void SetUp() override {
        test::register_test_extensions();
        if (!lookup_extension_factory(MistakenOp::kFamilyId)) register_extension<MistakenOp>();
    }
    static TracedTensor gradient(Index mistake) {
        const TracedTensor x = TracedTensor::input(DType::F64, {3});
        return grad(reduce_sum(extension::apply(std::make_shared<MistakenOp>(mistake, GetParam()),
                                                std::vector{x})[0]),
                    x);
    }
    static void refused(Index mistake, std::string_view message) {
        const std::string_view what = GetParam() ? "the cotangent of input 0 " : "the tangent of output 0 ";
        EXPECT_ERROR((void)gradient(mistake), InvalidConfig,
                     text("extension: family_id=test-ext.mistaken.v1: ", what, message));
    }
};

TEST_P(ExtensionRules, ResultsAreCheckedWhereTheRuleReturns) {
    EXPECT_EQ(gradient(MistakenOp::kNone).rank(), 1u);
    refused(MistakenOp::kShape, "has shape [6] but its value has [3]");
    refused(MistakenOp::kRank, "has shape [] but its value has [3]");
    refused(MistakenOp::kDType, "has dtype f32 but its value has f64");
    if (!GetParam()) refused(MistakenOp::kPrimal, "is a primal value");
    refused(MistakenOp::kConstant, "is a primal value");
    EXPECT_ERROR((void)gradient(MistakenOp::kCount), InvalidConfig,
                 text("expected 1 ", GetParam() ? "cotangents of the transpose" : "tangents of the linearize",
                      " rule, got 2"));
    EXPECT_ERROR((void)gradient(MistakenOp::kThrow), BackendFailure,
                 "family_id=test-ext.mistaken.v1: it threw something that is no exception");
}

INSTANTIATE_TEST_SUITE_P(Rules, ExtensionRules, testing::Bool(),
                         [](const auto& rule) { return rule.param ? "Cotangents" : "Tangents"; });

/// Returns a number of another builder.
class ForeignRule final : public ExtensionAdRule {
public:
    [[nodiscard]] std::string_view family_id() const noexcept override { return "test-ext.foreign.v1"; }
    [[nodiscard]] OptionalValues linearize(const ExtensionOp&, FragmentBuilder&,
                                           std::span<const GlobalValKey>, std::span<const GlobalValKey>,
                                           std::span<const std::optional<LocalValId>>,
                                           ShapeGuardContext&) const override {
        return {LocalValId{1u << 20}};
    }
    [[nodiscard]] OptionalValues transpose_rule(const ExtensionOp&, FragmentBuilder&,
                                                std::span<const std::optional<LocalValId>>,
                                                std::span<const ValRef>, const OpMode&,
                                                ShapeGuardContext&) const override {
        return {std::nullopt};
    }
};
struct Foreign {
    static constexpr std::string_view kFamilyId = "test-ext.foreign.v1";
};

TEST(ExtensionMistakes, NumbersOfOtherBuilders) {
    register_extension(std::make_shared<test::Factory<test::PlainOp<Foreign>>>());
    register_extension_rule(std::make_shared<ForeignRule>());
    const TracedTensor x = TracedTensor::input(DType::F64, {3});
    const TracedTensor y = extension::apply(std::make_shared<test::PlainOp<Foreign>>(), std::vector{x})[0];
    EXPECT_ERROR((void)grad(reduce_sum(y), x), InvalidConfig,
                 "test-ext.foreign.v1: the tangent of output 0 is no value of the builder");
}

/// Throws a number, which is no exception, where `where` says.
class RudeOp final : public test::FamilyOp<RudeOp, 1, 1> {
public:
    enum class Where { Nowhere, Hash, Equality, Text, Inference, Execution };
    static constexpr std::string_view kFamilyId = "test-ext.rude.v1";
    Where payload;
    static inline int inferences = 0;

    explicit RudeOp(Where where = Where::Nowhere) : payload(where) {}
    void payload_hash(Hasher& hasher) const override {
        rude_in(Where::Hash);
        hasher.add(std::uint64_t{1});
    }
    [[nodiscard]] bool payload_eq(const ExtensionOp&) const override {
        rude_in(Where::Equality);
        return true;
    }
    [[nodiscard]] std::string payload_text() const override {
        rude_in(Where::Text);
        return {};
    }
    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                                            std::span<const SymShape> shapes) const override {
        ++inferences;
        rude_in(Where::Inference);
        return {{dtypes[0], shapes[0]}};
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> in) const override {
        rude_in(Where::Execution);
        std::vector<Tensor> outputs;
        outputs.push_back(current_backend()->to_contiguous_read(in[0]));
        return outputs;
    }

private:
    void rude_in(Where where) const {
        if (payload == where) throw 1;
    }
};

constexpr std::string_view kRude = "family_id=test-ext.rude.v1: it threw something that is no exception";

std::shared_ptr<const ExtensionOp> rude(RudeOp::Where where) { return std::make_shared<RudeOp>(where); }

TEST(ExtensionMistakes, AnythingThrownIsBackendFailure) {
    using enum RudeOp::Where;
    const TracedTensor x = TracedTensor::input(DType::F64, {3});
    const auto apply = [&](RudeOp::Where where) { return extension::apply(rude(where), std::vector{x})[0]; };
    // Before registration: the family is reported, and nothing of the extension is asked.
    const TracedTensor unknown = apply(Nowhere);
    const GlobalValKey in = x.key(), out = unknown.key();
    const graph_runtime::GuardedGraph graph{op_graph::materialise<StdTensorOp>({&out, 1}, {&in, 1}).graph,
                                            {}};
    RudeOp::inferences = 0;
    EXPECT_ERROR((void)graph_runtime::compile_std_to_exec(graph.graph, {}), Unsupported,
                 "test-ext.rude.v1: not registered");
    EXPECT_ERROR((void)graph_runtime::graph_to_json(graph), Unsupported, "test-ext.rude.v1: not registered");
    EXPECT_EQ(RudeOp::inferences, 0);

    register_extension(std::make_shared<test::Factory<RudeOp>>());
    EXPECT_ERROR((void)apply(Hash), BackendFailure, kRude);
    EXPECT_ERROR((void)apply(Inference), BackendFailure, kRude);
    EXPECT_ERROR((void)StdTensorOp(tensor_ops::Extension(rude(Text))).text(), BackendFailure, kRude);
    const Tensor at = Tensor::zeros(DType::F64, Dims{3});
    EXPECT_ERROR((void)extension::apply(rude(Execution), {&at.read(), 1}), BackendFailure, kRude);
    // Two nodes that are equal but for what payload_eq would say.
    GraphCompiler compiler;
    EXPECT_ERROR((void)compiler.compile({apply(Equality), apply(Equality)}, {x}), BackendFailure, kRude);
    EXPECT_EQ(compiler.compile({apply(Nowhere), apply(Nowhere)}, {x})->instructions().size(), 1u);
}

TEST(ExtensionMistakes, DocumentsThatSayOtherOutputs) {
    test::register_test_extensions();
    const TracedTensor x = TracedTensor::input(DType::F64, {2}),
                       n = TracedTensor::input(DType::F64, {kAnyExtent});
    const GlobalValKey in[] = {x.key(), n.key()};
    const GlobalValKey out = extension::apply(std::make_shared<test::PairOp>(3), std::vector{x, n})[0].key();
    const std::string json =
        graph_runtime::graph_to_json({op_graph::materialise<StdTensorOp>({&out, 1}, in).graph, {}});
    EXPECT_NO_THROW((void)graph_runtime::graph_from_json(json));
    const auto with = [&](std::string_view declared) {
        std::string changed = json;
        const std::string written = R"("outputs":[{"dtype":"f64","shape":[2,["n",1,0]]},)";
        const std::size_t at = changed.find(written);
        EXPECT_NE(at, std::string::npos) << json;
        return changed.replace(at, written.size(), text("\"outputs\":[", declared, ","));
    };
    EXPECT_ERROR(
        (void)graph_runtime::graph_from_json(with(R"({"dtype":"f32","shape":[2,["n",1,0]]})")),
        InvalidArgument,
        "nodes[0].outputs[0]: family_id=test-ext.pair.v2: output 0 is said to be f32[2, n1_0] but its "
        "shape rule gives f64[2, n1_0]");
    EXPECT_ERROR((void)graph_runtime::graph_from_json(with(R"({"dtype":"f64","shape":[2,7]})")),
                 InvalidArgument, "is said to be f64[2, 7]");
    EXPECT_ERROR((void)graph_runtime::graph_from_json(with(R"({"dtype":"f64","shape":[2]})")),
                 InvalidArgument, "is said to be f64[2]");
}

}}  // namespace tenferro
