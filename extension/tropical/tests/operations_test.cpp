// The operations of graphs, held to the extension contract section by section: identity, arity, inference,
// execution, registration, derivatives, written graphs, failures.
#include "tenferro_ext_tropical/operations.hpp"

#include <gtest/gtest.h>

#include <tenferro/api/engine.hpp>
#include <tenferro/reference/reference_backend.hpp>
#include <tenferro/runtime/functional.hpp>
#include <tenferro/runtime/graph_json.hpp>

#include "tenferro_ext_tropical/einsum.hpp"

namespace {

using namespace tenferro;
using tropical::Algebra;

constexpr std::string_view kFused = "tenferro-ext-tropical.fused_dot_general.v1";

/// Calls `f`, which must throw an Error of the kind at the end of the chain of causes, with `part` in it.
template <class F>
void expect_error(const F& f, ErrorKind kind, std::string_view part) {
    try {
        f();
    } catch (const Error& error) {
        EXPECT_EQ(info(error.root_kind()).name, info(kind).name) << error.what();
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        return;
    }
    ADD_FAILURE() << "nothing was thrown, expected " << part;
}

Tensor tensor(std::vector<double> values, Dims shape) { return Tensor::from_data<double>(values, shape); }
std::vector<double> values(const Tensor& tensor) {
    const double* const data = tensor.data_as<double>();
    return {data, data + tensor.size()};
}
std::uint64_t hash_of(const ExtensionOp& op) {
    Hasher hasher;
    op.payload_hash(hasher);
    return hasher.value();
}

const DotGeneralConfig kMatrices{{1}, {0}, {}, {}};

class Operations : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (!lookup_extension_factory(kFused)) tropical::register_operations();
    }
    static std::vector<Tensor> run(const std::vector<TracedTensor>& outputs,
                                   const std::vector<TracedTensor>& inputs,
                                   std::vector<const Tensor*> operands) {
        GraphCompiler compiler;
        std::vector<TensorRead> reads;
        for (const Tensor* operand : operands) reads.push_back(*operand);
        return compiler.compile(outputs, inputs)->run(default_engine().backend(), reads);
    }
    const Tensor a_ = tensor({1, 2, 3, 4}, {2, 2}), b_ = tensor({5, 6, 7, 8}, {2, 2});
};

TEST_F(Operations, Section5IdentityIsFamilyAndPayload) {
    const auto one = tropical::dot_general_operation(Algebra::MaxPlus, kMatrices);
    EXPECT_EQ(one->family_id(), kFused);
    EXPECT_EQ(tropical::einsum_operation(Algebra::MaxPlus, "ij->i")->family_id(),
              "tenferro-ext-tropical.einsum.v1");
    EXPECT_TRUE(one->payload_eq(*tropical::dot_general_operation(Algebra::MaxPlus, kMatrices)));
    EXPECT_TRUE(one->payload_eq(*one->clone()));
    EXPECT_EQ(hash_of(*one), hash_of(*one->clone()));
    // Each of the four lists and the algebra tell operations apart.
    const DotGeneralConfig others[] = {
        {{0}, {0}, {}, {}}, {{1}, {1}, {}, {}}, {{1}, {0}, {0}, {1}}, {{}, {}, {1}, {0}}, {{}, {}, {}, {}}};
    for (const DotGeneralConfig& config : others) {
        const auto other = tropical::dot_general_operation(Algebra::MaxPlus, config);
        EXPECT_FALSE(one->payload_eq(*other));
        EXPECT_NE(hash_of(*one), hash_of(*other));
    }
    const auto least = tropical::dot_general_operation(Algebra::MinPlus, kMatrices);
    EXPECT_FALSE(one->payload_eq(*least));
    EXPECT_NE(hash_of(*one), hash_of(*least));
    // White space is no part of a payload.
    EXPECT_TRUE(tropical::einsum_operation(Algebra::MaxPlus, "ij, jk -> ik")
                    ->payload_eq(*tropical::einsum_operation(Algebra::MaxPlus, "ij,jk->ik")));
    // Equal operations on equal values are one value.
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    EXPECT_TRUE(tropical::dot_general(Algebra::MaxPlus, a, a, kMatrices).key() ==
                tropical::dot_general(Algebra::MaxPlus, a, a, kMatrices).key());
}

TEST_F(Operations, Section6ArityIsFixed) {
    const auto fused = tropical::dot_general_operation(Algebra::MaxPlus, kMatrices);
    EXPECT_EQ(fused->n_inputs(), 2u);
    EXPECT_EQ(fused->n_outputs(), 1u);
    EXPECT_EQ(tropical::einsum_operation(Algebra::MaxPlus, "i,j,k,->ik")->n_inputs(), 4u);
    const TracedTensor a = TracedTensor::input(DType::F64, {2, 2});
    expect_error([&] { static_cast<void>(extension::apply(fused, std::vector{a})); },
                 ErrorKind::InvalidConfig, "expected 2 inputs, got 1");
}

TEST_F(Operations, Section7InferenceTakesKnownAndSymbolicExtents) {
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent, 3, kAnyExtent}),
                       b = TracedTensor::input(DType::F64, {3, 5, kAnyExtent});
    const TracedTensor c = tropical::dot_general(Algebra::MaxPlus, a, b, {{1}, {0}, {2}, {2}});
    ASSERT_EQ(c.rank(), 3u);
    EXPECT_EQ(c.key().meta().shape[0], a.key().meta().shape[0]);
    EXPECT_EQ(c.key().meta().shape[1], SymDim(5));
    const TracedTensor d = tropical::einsum(Algebra::MinPlus, "ijk,jlk,...->kil...", std::vector{a, b, a});
    EXPECT_EQ(d.rank(), 6u);
    EXPECT_EQ(d.key().meta().shape[2], SymDim(5));
    expect_error(
        [&] {
            static_cast<void>(tropical::dot_general(Algebra::MaxPlus, a, b, {{1}, {1}, {}, {}}));
        },
        ErrorKind::ShapeMismatch, kFused);
    expect_error(
        [&] {
            static_cast<void>(tropical::dot_general(Algebra::MaxPlus, a, b, {{7}, {0}, {}, {}}));
        },
        ErrorKind::AxisOutOfBounds, kFused);
    const TracedTensor integers = TracedTensor::input(DType::I64, {2, 2});
    expect_error(
        [&] { static_cast<void>(tropical::dot_general(Algebra::MaxMul, integers, integers, kMatrices)); },
        ErrorKind::Unsupported, kFused);
    expect_error(
        [&] {
            static_cast<void>(tropical::einsum(Algebra::MaxPlus, "ij,jk->ik", std::vector{a, b}));
        },
        ErrorKind::InvalidArgument, "tenferro-ext-tropical.einsum.v1");
}

TEST_F(Operations, Section8EagerAndCompiledExecutionAgree) {
    Engine& engine = default_engine();
    const EagerTensor ea(engine.eager(), a_.duplicate()), eb(engine.eager(), b_.duplicate());
    const TracedTensor ta = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent}),
                       tb = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    const std::vector<double> expected[] = {{9, 10, 11, 12}, {6, 7, 8, 9}, {18, 24, 24, 32}};
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus, Algebra::MaxMul}) {
        const std::vector<double>& product = expected[static_cast<int>(algebra)];
        EXPECT_EQ(values(tropical::dot_general(algebra, ea, eb, kMatrices).value()), product);
        EXPECT_EQ(values(tropical::einsum(algebra, "ij,jk->ik", std::vector{ea, eb}).value()), product);
        const auto out = run({tropical::dot_general(algebra, ta, tb, kMatrices),
                              tropical::einsum(algebra, "ij,jk->ki", std::vector{ta, tb})},
                             {ta, tb}, {&a_, &b_});
        EXPECT_EQ(values(out[0]), product);
        EXPECT_EQ(values(out[1]), (std::vector{product[0], product[2], product[1], product[3]}));
    }
    // One program serves other extents.
    GraphCompiler compiler;
    const auto program =
        compiler.compile({tropical::dot_general(Algebra::MaxPlus, ta, tb, kMatrices)}, {ta, tb});
    const Tensor wide = tensor({1, 2, 3}, {1, 3}), tall = tensor({3, 2, 1}, {3, 1});
    EXPECT_EQ(values(program->run(engine.backend(), std::vector<TensorRead>{wide, tall})[0]),
              (std::vector<double>{4}));
    EXPECT_EQ(values(program->run(engine.backend(), std::vector<TensorRead>{tall, wide})[0]),
              (std::vector<double>{4, 3, 2, 5, 4, 3, 6, 5, 4}));
}

TEST_F(Operations, Section9RegistrationIsExplicitAndOnce) {
    EXPECT_EQ(lookup_extension_factory(kFused)->version(), 1u);
    EXPECT_NE(lookup_extension_rule(kFused), nullptr);
    EXPECT_EQ(lookup_extension_factory("tenferro-ext-tropical.fused_dot_general.v2"), nullptr);
    expect_error([] { tropical::register_operations(); }, ErrorKind::DuplicateFamily, kFused);
}

/// sum of w * (a times b), on any handle.
template <class Handle>
Handle weighted(Algebra algebra, const Handle& a, const Handle& b, const Handle& w, bool fused) {
    return reduce_sum(w * (fused ? tropical::dot_general(algebra, a, b, kMatrices)
                                 : tropical::einsum(algebra, "ij,jk->ik", std::vector{a, b})));
}

TEST_F(Operations, Section10GradientsGoToWinners) {
    Engine& engine = default_engine();
    const Tensor w = tensor({1, 10, 100, 1000}, {2, 2});
    for (const bool fused : {true, false})
        for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus, Algebra::MaxMul}) {
            const std::vector<Tensor> expected =
                tropical::einsum_vjp(algebra, "ij,jk->ik", std::vector<TensorRead>{a_, b_}, w);
            const EagerTensor ea(engine.eager(), a_.duplicate(), true),
                eb(engine.eager(), b_.duplicate(), true), ew(engine.eager(), w.duplicate());
            weighted(algebra, ea, eb, ew, fused).backward();
            EXPECT_EQ(values(ea.grad().value()), values(expected[0]));
            EXPECT_EQ(values(eb.grad().value()), values(expected[1]));
            const TracedTensor ta = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent}),
                               tb = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent}),
                               tw = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
            const TracedTensor loss = weighted(algebra, ta, tb, tw, fused);
            // Both, and one alone.
            const std::vector<TracedTensor> both{ta, tb};
            const std::vector<TracedTensor> slopes = grad(loss, both);
            const auto out = run({slopes[0], slopes[1]}, {ta, tb, tw}, {&a_, &b_, &w});
            EXPECT_EQ(values(out[0]), values(expected[0]));
            EXPECT_EQ(values(out[1]), values(expected[1]));
            const auto second = run({grad(loss, tb)}, {ta, tb, tw}, {&a_, &b_, &w});
            EXPECT_EQ(values(second[0]), values(expected[1]));
        }
}

TEST_F(Operations, Section10BatchesOfTheFullConfig) {
    // lhs [i, b, k], rhs [k, j, b], both batched over b.
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent, kAnyExtent}),
                       b = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent, kAnyExtent});
    std::vector<double> x(2 * 3 * 4), y(4 * 5 * 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 7 % 5);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i * 3 % 7);
    const Tensor tx = tensor(x, {2, 3, 4}), ty = tensor(y, {4, 5, 3});
    const TracedTensor c = tropical::dot_general(Algebra::MaxPlus, a, b, {{2}, {0}, {1}, {2}});
    const std::vector<TracedTensor> both{a, b};
    const std::vector<TracedTensor> slopes = grad(reduce_sum(c), both);
    const auto out = run({c, slopes[0], slopes[1]}, {a, b}, {&tx, &ty});
    const std::vector<TensorRead> reads{tx, ty};
    EXPECT_EQ(values(out[0]), values(tropical::einsum(Algebra::MaxPlus, "ibk,kjb->ijb", reads)));
    const Tensor ones = tensor(std::vector<double>(2 * 5 * 3, 1), {2, 5, 3});
    const std::vector<Tensor> expected = tropical::einsum_vjp(Algebra::MaxPlus, "ibk,kjb->ijb", reads, ones);
    EXPECT_EQ(values(out[1]), values(expected[0]));
    EXPECT_EQ(values(out[2]), values(expected[1]));
}

TEST_F(Operations, Section10ForwardModeAndSecondOrderAreRefused) {
    const TracedTensor a = TracedTensor::input(DType::F64, {2, 2}),
                       v = TracedTensor::input(DType::F64, {2, 2});
    const TracedTensor c = tropical::dot_general(Algebra::MaxPlus, a, a, kMatrices);
    const std::vector<TracedTensor> at{a};
    const std::vector<TracedTensor> forward =
        jvp(std::vector{c}, at, std::vector<std::optional<TracedTensor>>{v});
    expect_error(
        [&] {
            static_cast<void>(run({forward[0]}, {a, v}, {&a_, &b_}));
        },
        ErrorKind::ModeNotSupported, "tenferro-ext-tropical.einsum_tangent.v1");
    const TracedTensor slope = grad(reduce_sum(c), a);
    expect_error([&] { static_cast<void>(grad(reduce_sum(slope * v), a)); }, ErrorKind::HvpNotSupported,
                 "tenferro-ext-tropical.einsum_vjp.v1");
    expect_error(
        [&] {
            static_cast<void>(jvp(std::vector{forward[0]}, at, std::vector<std::optional<TracedTensor>>{v}));
        },
        ErrorKind::HvpNotSupported, "tenferro-ext-tropical.einsum_tangent.v1");
}

TEST_F(Operations, Section11WrittenGraphs) {
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent}),
                       b = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    const std::vector<TracedTensor> both{a, b};
    const TracedTensor c = tropical::dot_general(Algebra::MinPlus, a, b, kMatrices) +
                           tropical::einsum(Algebra::MaxPlus, "ij,jk->ik", both);
    const std::vector<TracedTensor> slopes = grad(reduce_sum(c), both);
    const GlobalValKey inputs[] = {a.key(), b.key()}, outputs[] = {c.key(), slopes[0].key(), slopes[1].key()};
    const graph_runtime::GuardedGraph graph{op_graph::materialise<StdTensorOp>(outputs, inputs).graph, {}};
    const std::string text = graph_runtime::graph_to_json(graph);
    EXPECT_NE(text.find(kFused), std::string::npos);
    EXPECT_TRUE(graph_runtime::graph_from_json(text) == graph);
    std::string other = text;
    other.replace(other.find(kFused), kFused.size(), "tenferro-ext-tropical.fused_dot_general.v2");
    expect_error([&] { static_cast<void>(graph_runtime::graph_from_json(other)); }, ErrorKind::Unsupported,
                 "version mismatch");
    // What no operation has is refused where it is read.
    std::string wrong = text;
    wrong.replace(wrong.find("min_plus"), 8, "min_minus");
    expect_error([&] { static_cast<void>(graph_runtime::graph_from_json(wrong)); },
                 ErrorKind::InvalidArgument, "there is no algebra min_minus");
}

TEST_F(Operations, Section12FailuresNameTheFamily) {
    // A backend without our threads lacks what the kernels need, and no other is tried.
    ReferenceBackend reference;
    const TracedTensor a = TracedTensor::input(DType::F64, {2, 2});
    GraphCompiler compiler;
    const auto program = compiler.compile({tropical::dot_general(Algebra::MaxPlus, a, a, kMatrices)}, {a});
    try {
        static_cast<void>(program->run(reference, std::vector<TensorRead>{a_}));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::BackendFailure);
        EXPECT_NE(std::string(error.what()).find(kFused), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("backend reference"), std::string::npos) << error.what();
    }
    const Tensor negative = tensor({-1}, {1});
    const std::vector<TensorRead> reads{negative, negative, negative};
    expect_error(
        [&] {
            static_cast<void>(
                extension::apply(tropical::einsum_operation(Algebra::MaxMul, "i,i,i->i"), reads));
        },
        ErrorKind::InvalidArgument, "tenferro-ext-tropical.einsum.v1");
}

}  // namespace
