// Extensions in written graphs.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/test_extensions.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/extension.hpp"
#include "tenferro/ops/missing_extension.hpp"
#include "tenferro/runtime/graph_json.hpp"

namespace tenferro::graph_runtime { namespace {

/// A document whose only node is an extension of one vector, doubled in length.
std::string extension_document(std::string_view family_id, std::string_view payload = "0",
                               std::string_view inputs = "0",
                               std::string_view outputs = R"({"dtype":"f64","shape":[["*",["n",0,0],2]]})") {
    return text(
        R"({"format":"tenferro-graph","version":1,"inputs":[{"dtype":"f64","shape":[["n",0,0]]}],"nodes":[)",
        R"({"op":"extension","family_id":")", family_id, R"(","payload":")", payload, R"(","inputs":[)",
        inputs, R"(],"outputs":[)", outputs, R"(]}],"outputs":[1],"guards":[]})");
}

/// A factory that says no in every way.
class Stubborn final : public test::FamilyOp<Stubborn, 1, 1> {
public:
    static constexpr std::string_view kFamilyId = "test-json.stubborn.v3";
    int payload = 0;
    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                                            std::span<const SymShape> shapes) const override {
        return {{dtypes[0], shapes[0]}};
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead>) const override { return {}; }
};
class StubbornFactory final : public test::Factory<Stubborn> {
public:
    [[nodiscard]] std::string encode(const ExtensionOp& op) const override {
        switch (downcast<Stubborn>(op)->payload) {
            case 0: return ExtensionFactory::encode(op);
            case 1: throw std::runtime_error("cannot");
            default: return "\xff";
        }
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> decode(std::string_view payload) const override {
        if (payload == "null") return nullptr;
        if (payload == "other") return std::make_shared<test::TwiceOp>();
        if (payload == "throw") throw std::out_of_range("no such entry");
        return ExtensionFactory::decode(payload);
    }
};

class ExtensionSection11 : public testing::Test {
protected:
    void SetUp() override {
        test::register_test_extensions();
        if (!lookup_extension_factory(Stubborn::kFamilyId))
            register_extension(std::make_shared<StubbornFactory>());
    }
};

std::string written(const std::shared_ptr<const ExtensionOp>& op) {
    const TracedTensor x = TracedTensor::input(DType::F64, {2});
    const GlobalValKey in = x.key(), out = extension::apply(op, {&x, 1})[0].key();
    return graph_to_json({op_graph::materialise<StdTensorOp>({&out, 1}, {&in, 1}).graph, {}});
}

TEST_F(ExtensionSection11, FamilyIdIsWrittenVerbatimWithItsPayload) {
    const std::string json = written(std::make_shared<test::PlainOp<test::WithoutRule>>(12));
    EXPECT_NE(json.find(R"("op":"extension","family_id":"test-ext.without-rule.v1","payload":"12")"),
              std::string::npos)
        << json;
    const GuardedGraph back = graph_from_json(json);
    const auto* op = back.graph.nodes[0].op.as<tensor_ops::Extension>();
    ASSERT_NE(op, nullptr);
    EXPECT_EQ(downcast<test::PlainOp<test::WithoutRule>>(*op->op)->payload, 12);
}

TEST_F(ExtensionSection11, MalformedIdsAreRejectedBeforeLookup) {
    for (const std::string_view id :
         {"", "twice", "test-ext.twice", "test-ext.twice.1", "test-ext.twice.v01", "test-ext twice.v1"})
        for (const bool skip : {false, true})
            EXPECT_ERROR((void)graph_from_json(extension_document(id), {skip}), MalformedFamilyId,
                         text("extension: family_id '", id, "'"));
}

TEST_F(ExtensionSection11, UnknownFamiliesFailLoudly) {
    EXPECT_ERROR((void)graph_from_json(extension_document("test-json.nobody.v1")), Unsupported,
                 "extension: test-json.nobody.v1: not registered");
    EXPECT_ERROR((void)written(std::make_shared<test::PlainOp<test::Unregistered>>()), Unsupported,
                 "extension: test-ext.unregistered.v1: not registered");
}

TEST_F(ExtensionSection11, VersionsAheadAndBehindAreRefusedWithBoth) {
    for (const bool skip : {false, true}) {
        EXPECT_ERROR(
            (void)graph_from_json(extension_document("test-ext.pair.v3"), {skip}), Unsupported,
            "extension: test-ext.pair.v3: version mismatch, graph has v3, runtime has v2 (test-ext.pair.v2)");
        EXPECT_ERROR(
            (void)graph_from_json(extension_document("test-ext.pair.v1"), {skip}), Unsupported,
            "extension: test-ext.pair.v1: version mismatch, graph has v1, runtime has v2 (test-ext.pair.v2)");
    }
}

TEST_F(ExtensionSection11, SkippedExtensionsKeepMetadataAndFailWhenNeeded) {
    const std::string json = extension_document("test-json.nobody.v1", "secret");
    const GuardedGraph graph = graph_from_json(json, {true});
    const StdTensorOp& op = graph.graph.nodes[0].op;
    ASSERT_EQ(op.kind(), kind_of<tensor_ops::MissingExtension>());
    EXPECT_EQ(op.text(), "extension{test-json.nobody.v1, missing}");
    EXPECT_EQ(graph_to_json(graph), json);

    const auto program = compile_std_to_exec(graph.graph);
    EXPECT_EQ(program->instructions()[0].outputs,
              (std::vector<TensorMeta>{{DType::F64, {SymDim::input(0, 0) * 2}}}));
    const Tensor at = Tensor::zeros(DType::F64, Dims{3});
    EXPECT_ERROR((void)program->run(default_engine().backend(), {&at.read(), 1}), Unsupported,
                 "extension: test-json.nobody.v1: not registered");
    const EagerTensor eager(default_engine().eager(), at.share());
    EXPECT_ERROR((void)eager.apply(op, {eager}), Unsupported,
                 "extension: test-json.nobody.v1: not registered");
    const TracedTensor x = TracedTensor::input(DType::F64, {3});
    EXPECT_ERROR((void)grad(reduce_sum(x.apply(op, {x})), x), Unsupported,
                 "extension: test-json.nobody.v1: not registered");
    FragmentBuilder builder;
    ShapeGuardContext context(builder);
    const OptionalValues ct{builder.import(x.key())};
    const std::vector<ValRef> in{x.key()};
    EXPECT_ERROR((void)op.transpose_rule(builder, ct, in, OpMode::linear_in({0}), context), Unsupported,
                 "test-json.nobody.v1");
}

TEST_F(ExtensionSection11, PlaceholdersAreValues) {
    const auto op = [](std::string_view payload) {
        return graph_from_json(extension_document("test-json.nobody.v1", payload), {true}).graph.nodes[0].op;
    };
    EXPECT_EQ(op("1"), op("1"));
    EXPECT_EQ(op("1").hash(), op("1").hash());
    EXPECT_FALSE(op("1") == op("2"));
    EXPECT_FALSE(op("1") == StdTensorOp(tensor_ops::Extension(std::make_shared<test::TwiceOp>())));
}

TEST_F(ExtensionSection11, PayloadsThatFactoriesRefuse) {
    const auto stubborn = [](int payload) {
        auto op = std::make_shared<Stubborn>();
        op->payload = payload;
        return op;
    };
    constexpr std::string_view kId = Stubborn::kFamilyId;
    EXPECT_ERROR((void)written(stubborn(0)), Unsupported, text(kId, ": payloads cannot be encoded"));
    EXPECT_ERROR((void)written(stubborn(1)), InvalidArgument, text("extension: family_id=", kId, ": cannot"));
    EXPECT_ERROR((void)written(stubborn(2)), InvalidArgument,
                 "graph_json: nodes[0].payload: a text is not UTF-8");
    EXPECT_ERROR((void)graph_from_json(extension_document(kId, "x")), Unsupported,
                 text(kId, ": payloads cannot be decoded"));
    EXPECT_ERROR((void)graph_from_json(extension_document(kId, "throw")), InvalidArgument,
                 text("family_id=", kId, ": no such entry"));
    EXPECT_ERROR((void)graph_from_json(extension_document(kId, "null")), InvalidArgument,
                 text("family_id=", kId, ": decode: there is no"));
    EXPECT_ERROR((void)graph_from_json(extension_document(kId, "other")), InvalidArgument,
                 "the operation is of family test-ext.twice.v1");
    EXPECT_ERROR((void)graph_from_json(extension_document("test-ext.twice.v1", "-1")), InvalidArgument,
                 "extension: family_id=test-ext.twice.v1: decode: payload '-1' is not a small number");
}

TEST_F(ExtensionSection11, ArityIsCheckedWhenRead) {
    EXPECT_ERROR((void)graph_from_json(extension_document("test-ext.twice.v1", "0", "0,0")), InvalidArgument,
                 "graph_json: nodes[0]: extension: family_id=test-ext.twice.v1: expected 1 inputs, got 2");
    EXPECT_ERROR((void)graph_from_json(extension_document("test-ext.twice.v1", "0", "0", "")),
                 InvalidArgument,
                 "graph_json: nodes[0].outputs: family_id=test-ext.twice.v1: expected 1 outputs, got 0");
    EXPECT_ERROR((void)graph_from_json(extension_document("test-json.nobody.v1", "0", "0", ""), {true}),
                 InvalidArgument,
                 "nodes[0].outputs: family_id=test-json.nobody.v1: an extension has at least one output");
}

}}  // namespace tenferro::graph_runtime
