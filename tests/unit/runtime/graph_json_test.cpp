// Graphs as JSON: round trips of every operation, the text itself, and what is refused, with the place and
// the reason.
#include "tenferro/runtime/graph_json.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "support/expect_error.hpp"
#include "support/random_graphs.hpp"
#include "support/test_extensions.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/extension.hpp"

namespace tenferro::graph_runtime { namespace {

GuardedGraph graph_of(std::initializer_list<TracedTensor> outputs,
                      std::initializer_list<TracedTensor> inputs) {
    std::vector<GlobalValKey> out, in;
    for (const TracedTensor& output : outputs) out.push_back(output.key());
    for (const TracedTensor& input : inputs) in.push_back(input.key());
    return {op_graph::materialise<StdTensorOp>(out, in).graph, {}};
}

TEST(GraphJson, EveryOperationComesBack) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    test::RandomGraphs random(seed);
    for (std::uint8_t kind = 0; kind < static_cast<std::uint8_t>(kind_of<tensor_ops::Extension>()); ++kind)
        for (int i = 0; i < 40; ++i) {
            const GuardedGraph graph = random.of(static_cast<OpKind>(kind));
            ASSERT_EQ(graph.graph.nodes[0].op.kind(), static_cast<OpKind>(kind));
            const std::string json = graph_to_json(graph);
            const GuardedGraph back = graph_from_json(json);
            EXPECT_EQ(back, graph) << json;
            EXPECT_EQ(graph_to_json(back), json);
        }
}

TEST(GraphJson, TheTextIsStable) {
    test::register_test_extensions();
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent}),
                       b = TracedTensor::input(DType::F64, {3});
    const auto y = extension::apply(std::make_shared<test::PairOp>(7), std::vector{a, b});
    GuardedGraph graph = graph_of({transpose(y[0], {1, 0}), y[1] * 0.5}, {a, b});
    graph.guards.push_back({SymDim::input(0, 0), exact_div(SymDim::input(0, 0) * 2 + 4, 3)});
    const std::string_view golden =
        R"({"format":"tenferro-graph","version":1,)"
        R"("inputs":[{"dtype":"f64","shape":[["n",0,0]]},{"dtype":"f64","shape":[3]}],"nodes":[)"
        R"({"op":"extension","family_id":"test-ext.pair.v2","payload":"7","inputs":[0,1],"outputs":[)"
        R"({"dtype":"f64","shape":[["n",0,0],3]},{"dtype":"f64","shape":[["+",["n",0,0],3]]}]},)"
        R"({"op":"transpose","fields":{"perm":[1,0]},"inputs":[2]},)"
        R"({"op":"constant","fields":{"dtype":"f64","bits":["3fe0000000000000","0000000000000000"]},"inputs":[]},)"
        R"({"op":"broadcast_in_dim","fields":{"shape":[["+",["n",0,0],3]],"dims":[]},"inputs":[5]},)"
        R"({"op":"elementwise","fields":{"op":"mul"},"inputs":[3,6]}],"outputs":[4,7],)"
        R"("guards":[[["n",0,0],["exact_div",["+",["*",["n",0,0],2],4],3]]]})";
    EXPECT_EQ(graph_to_json(graph), golden);
    EXPECT_EQ(graph_from_json(golden), graph);
}

TEST(GraphJson, DerivativesComeBackAndRun) {
    test::register_test_extensions();
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent});
    const TracedTensor y = extension::apply(std::make_shared<test::TwiceOp>(), std::vector{exp(x)})[0];
    const TracedTensor loss = reduce_sum(sin(y) * y);
    const GuardedGraph graph = graph_of({loss, grad(loss, x)}, {x});
    const GuardedGraph back = graph_from_json(graph_to_json(graph));
    EXPECT_EQ(back, graph);
    EXPECT_TRUE(std::any_of(back.graph.nodes.begin(), back.graph.nodes.end(),
                            [](const auto& node) { return node.mode.linear; }) ||
                back.graph.nodes.size() > 5);
    const Tensor at = Tensor::from_data<double>(std::vector<double>{0.5, 1, -2}, Dims{3});
    TensorBackend& backend = default_engine().backend();
    const auto expected = compile_std_to_exec(graph.graph)->run(backend, {&at.read(), 1});
    const auto got = compile_std_to_exec(back.graph, back.guards)->run(backend, {&at.read(), 1});
    for (std::size_t k = 0; k < 2; ++k)
        for (Index i = 0; i < expected[k].size(); ++i)
            EXPECT_EQ(got[k].data_as<double>()[i], expected[k].data_as<double>()[i]);
}

/// A document with these parts.
std::string document(std::string_view inputs, std::string_view nodes, std::string_view outputs,
                     std::string_view guards = "") {
    return text(R"({"format":"tenferro-graph","version":1,"inputs":[)", inputs, R"(],"nodes":[)", nodes,
                R"(],"outputs":[)", outputs, R"(],"guards":[)", guards, "]}");
}

TEST(GraphJson, WhatIsWrongIsNamedWithItsPlace) {
    const std::string_view x = R"({"dtype":"f64","shape":[2,["n",0,1]]})";
    const auto node = [](std::string_view op, std::string_view fields, std::string_view inputs,
                         std::string_view more = "") {
        return text(R"({"op":")", op, R"(","fields":{)", fields, R"(},"inputs":[)", inputs, "]", more, "}");
    };
    ASSERT_NO_THROW((void)graph_from_json(document(x, node("transpose", R"("perm":[1,0])", "0"), "1")));
    const std::pair<std::string, std::string_view> cases[] = {
        {"", "the text is not JSON at byte "},
        {"{", "the text is not JSON at byte 2"},
        {"\"\xff\"", "the text is not JSON at byte"},
        {"[]", "the document: 'format' is not 'tenferro-graph'"},
        {R"({"format":3})", "format: expected a string, got number"},
        {R"({"format":"tenferro-graph"})", "the document: 'version' is missing"},
        {R"({"format":"tenferro-graph","version":1})", "the document: 'inputs' is missing"},
        {R"({"format":"tenferro-graph","version":1,"inputs":3,"nodes":[],"outputs":[],"guards":[]})",
         "inputs: expected an array, got number"},
        {document(R"({"dtype":"f16","shape":[]})", "", ""), "inputs[0].dtype: there is no dtype 'f16'"},
        {document(R"({"dtype":"f64"})", "", ""), "inputs[0]: 'shape' is missing"},
        {document(R"({"dtype":"f64","shape":[],"name":"x"})", "", ""),
         "inputs[0]: 'name' is not expected here"},
        {document(R"({"dtype":"f64","shape":[2,-1]})", "", ""),
         "inputs[0].shape[1]: the extent -1 is negative"},
        {document(R"({"dtype":"f64","shape":[1.5]})", "", ""),
         "inputs[0].shape[0]: expected an integer, got number"},
        {document(R"({"dtype":"f64","shape":[9223372036854775808]})", "", ""),
         "inputs[0].shape[0]: 9223372036854775808 is not a 64-bit integer"},
        {document(R"({"dtype":"f64","shape":[-9223372036854775809]})", "", ""),
         "inputs[0].shape[0]: -9223372036854775809 is not a 64-bit integer"},
        {document(R"({"dtype":"f64","shape":[-1e999]})", "", ""), "the number -1e999 is out of range"},
        {document(R"({"dtype":"f64","shape":[["n",1,0]]})", "", ""),
         "inputs[0].shape[0][1]: input 1 is not below 1"},
        {document(R"({"dtype":"f64","shape":[["n",0,1]]})", "", ""),
         "inputs[0].shape[0][2]: axis 1 is not below 1"},
        {document(R"({"dtype":"f64","shape":[["n",0]]})", "", ""),
         "inputs[0].shape[0]: a symbol has 2 numbers, got 1"},
        {document(R"({"dtype":"f64","shape":[[]]})", "", ""),
         "inputs[0].shape[0]: an extent has no operator"},
        {document(R"({"dtype":"f64","shape":[["/",1,2]]})", "", ""),
         "inputs[0].shape[0][0]: there is no operator '/'"},
        {document(R"({"dtype":"f64","shape":[["exact_div",4]]})", "", ""),
         "inputs[0].shape[0]: 1 operands of exact_div"},
        {document(R"({"dtype":"f64","shape":[{}]})", "", ""),
         "inputs[0].shape[0]: expected an array, got object"},
        {document(x, "3", ""), "nodes[0]: expected an object, got number"},
        {document(x, node("transmute", "", "0"), ""), "nodes[0].op: there is no operation 'transmute'"},
        {document(x, node("transpose", "", "0"), ""), "nodes[0].fields: 'perm' is missing"},
        {document(x, node("transpose", R"("perm":[1,0],"axes":[])", "0"), ""),
         "nodes[0].fields: 'axes' is not expected"},
        {document(x, node("transpose", R"("perm":[1,"0"])", "0"), ""),
         "nodes[0].fields.perm[1]: expected an integer, got string"},
        {document(x, node("transpose", R"("perm":[0,2])", "0"), ""), "nodes[0]: transpose: "},
        {document(x, node("arg_extreme", R"("op":"argmax","axis":2)", "0"), ""), "nodes[0]: argmax: "},
        {document(x, node("arg_extreme", R"("op":"argmin","axis":-1)", "0"), ""), "nodes[0]: argmin: "},
        {document(R"({"dtype":"f64","shape":[9]})",
                  node("slice",
                       R"("starts":[0],"limits":[-9223372036854775807],"steps":[9223372036854775807])", "0"),
                  ""),
         "nodes[0]: slice: "},
        {document(x, node("transpose", R"("perm":[1,0])", "0,0"), ""),
         "nodes[0]: transpose: expected 1 input, got 2"},
        {document(x, node("transpose", R"("perm":[1,0])", "1"), ""),
         "nodes[0].inputs[0]: value 1 is not below 1"},  // itself
        {document(x, node("transpose", R"("perm":[1,0])", "-1"), ""),
         "nodes[0].inputs[0]: value -1 is not below 1"},
        {document(x,
                  node("transpose", R"("perm":[1,0])", "2") + "," + node("transpose", R"("perm":[1,0])", "1"),
                  ""),
         "nodes[0].inputs[0]: value 2 is not below 1"},  // forward
        {document(x, node("elementwise", R"("op":"reduce_sum")", "0"), ""),
         "nodes[0].fields.op: 'reduce_sum' is not an operation of this kind"},
        {document(x, node("reduction", R"("op":"add","axes":[])", "0"), ""),
         "nodes[0].fields.op: 'add' is not an operation"},
        {document(x, node("sort", R"("axis":0,"descending":1)", "0"), ""),
         "nodes[0].fields.descending: expected true or false, got number"},
        {document(x, node("constant", R"("dtype":"f64","bits":["0"])", ""), ""),
         "nodes[0].fields.bits: expected 2 words, got 1"},
        {document(x, node("constant", R"("dtype":"f64","bits":["0","x"])", ""), ""),
         "nodes[0].fields.bits[0]: expected 16 hexadecimal digits"},
        {document(x, node("constant", R"("dtype":"bool","bits":["0000000000000002","0000000000000000"])", ""),
                  ""),
         "nodes[0].fields: the words are no bool"},
        {document(x, node("constant", R"("dtype":"f32","bits":["0000000100000000","0000000000000000"])", ""),
                  ""),
         "nodes[0].fields: the words are no f32"},
        {document(x, node("concatenate", R"("operands":-1,"axis":0)", "0"), ""),
         "nodes[0]: concatenate: expected "},
        {document(x, node("reverse", R"("axes":[])", "0", R"(,"active":[1])"), ""),
         "nodes[0].active[0]: input 1 is not below 1"},
        {document(x, node("elementwise", R"("op":"add")", "0,0", R"(,"active":[1,0])"), ""),
         "nodes[0].active: the inputs must ascend"},
        {document(x, node("dot_general", R"("config":{},"result_axes":[])", "0,0"), ""),
         "nodes[0].fields.config: 'lhs_contract' is missing"},
        {document(x, R"({"op":"reverse","family_id":"a.b.v1","payload":"","inputs":[0],"outputs":[]})", ""),
         "nodes[0].op: only an extension has a family_id"},
        {document(x, node("extension", "", "0"), ""), "nodes[0].op: there is no operation 'extension'"},
        {document(x, "", "1"), "outputs[0]: value 1 is not below 1"},
        {document(x, "", "0", "[1]"), "guards[0]: a guard has 2 extents, got 1"},
        {document(x, "", "0", R"([1,["n",0,2]])"), "guards[0][1][2]: axis 2 is not below 2"},
    };
    for (const auto& [json, message] : cases) {
        SCOPED_TRACE(json);
        EXPECT_ERROR((void)graph_from_json(json), InvalidArgument, text("graph_json: ", message));
    }
}

TEST(GraphJson, LargeStepsAreCounted) {
    const std::string json = document(
        R"({"dtype":"f64","shape":[9]})",
        R"({"op":"slice","fields":{"starts":[2],"limits":[9],"steps":[9223372036854775807]},"inputs":[0]})",
        "1");
    EXPECT_EQ(compile_std_to_exec(graph_from_json(json).graph)->instructions()[0].outputs[0].shape,
              (SymShape{1}));
}

TEST(GraphJson, OtherVersionsAreNotRead) {
    EXPECT_ERROR((void)graph_from_json(R"({"format":"tenferro-graph","version":2,"new":[]})"), Unsupported,
                 "graph_json: version mismatch, the document has v2, this library has v1");
}

TEST(GraphJson, NestingIsBounded) {
    const auto nested = [](int depth) {
        std::string extent = R"(["n",0,0])";
        for (int i = 0; i < depth; ++i)
            extent = text(R"(["min",)", extent, R"(,["+",["n",0,0],)", i + 1, "]]");
        return document(R"({"dtype":"f64","shape":[)" + extent + "]}", "", "");
    };
    EXPECT_NO_THROW((void)graph_from_json(nested(100)));
    EXPECT_ERROR((void)graph_from_json(nested(400)), InvalidArgument,
                 "the extent is nested more than 256 deep");
    EXPECT_ERROR((void)graph_from_json(std::string(100000, '[')), InvalidArgument,
                 "the text is nested more than 512 deep");
    EXPECT_ERROR((void)graph_from_json("[1, 2"), InvalidArgument, "the text is not JSON at byte 6");
    EXPECT_ERROR((void)graph_from_json(R"({"format": 1, "format": 2})"), InvalidArgument,
                 "the key 'format' occurs twice");
    SymDim shared = SymDim::input(0, 0);  // a tree of 2^40 parts
    for (int i = 0; i < 40; ++i) shared = min(exact_div(shared, 3), exact_div(shared, 5) + 1);
    EXPECT_ERROR((void)graph_to_json({{{{DType::F64, {2}}}, {}, {0}}, {{shared, 1}}}), InvalidArgument,
                 "an extent is too large to be written down");
}

/// Bytes replaced, removed, doubled or swapped with those of another document.
std::string mutated(std::string json, std::mt19937& random) {
    const std::string_view letters = "0123456789[]{},:\"-.ntfu\\ \xff";
    for (std::size_t changes = 1 + random() % 4; changes > 0 && !json.empty(); --changes) {
        const std::size_t at = random() % json.size(), length = random() % 12;
        switch (random() % 4) {
            case 0: json[at] = letters[random() % letters.size()]; break;
            case 1: json.erase(at, length); break;
            case 2: json.insert(random() % json.size(), json.substr(at, length)); break;
            default: json[at] = static_cast<char>('0' + random() % 10); break;
        }
    }
    return json;
}

TEST(GraphJson, MutatedTextIsReadOrRefused) {
    test::register_test_extensions();
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    test::RandomGraphs graphs(seed);
    std::mt19937 random(seed);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1000);
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent});
    const std::string with_extension = graph_to_json(
        graph_of({extension::apply(std::make_shared<test::PairOp>(7), std::vector{a, a})[1]}, {a}));
    std::size_t read = 0, refused = 0;
    while (std::chrono::steady_clock::now() < end) {
        const auto kind =
            static_cast<OpKind>(graphs.draw(0, static_cast<Index>(kind_of<tensor_ops::Extension>())));
        const std::string whole =
            kind == kind_of<tensor_ops::Extension>() ? with_extension : graph_to_json(graphs.of(kind));
        for (int i = 0; i < 20; ++i) {
            const std::string json = mutated(whole, random);
            try {
                const GuardedGraph graph = graph_from_json(json, {random() % 2 == 0});
                ++read;
                EXPECT_EQ(graph_from_json(graph_to_json(graph), {true}), graph) << json;
                (void)compile_std_to_exec(graph.graph, graph.guards);
            } catch (const Error&) {
                ++refused;
            } catch (const std::exception& error) {
                ADD_FAILURE() << error.what() << " for " << json;
            }
        }
    }
    EXPECT_GT(read, 0u);
    EXPECT_GT(refused, 0u);
}

}}  // namespace tenferro::graph_runtime
