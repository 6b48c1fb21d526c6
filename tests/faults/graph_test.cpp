// Graphs, programs, their derivatives and texts, eager tensors, extensions.
#include "faults/sweep.hpp"
#include "support/test_extensions.hpp"
#include "tenferro/api/evaluate.hpp"
#include "tenferro/api/extension.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/replay.hpp"
#include "tenferro/ops/conveniences.hpp"
#include "tenferro/runtime/functional.hpp"
#include "tenferro/runtime/graph_json.hpp"
#include "tenferro/tensor/creation.hpp"
#include "tenferro/testing/gradcheck.hpp"

namespace tenferro::faults { namespace {

/// Every function of operations on handles of one kind.
template <class H>
void sweep_functions(Names applied, const H& a, const H& b, const H& number, const H& predicate,
                     const H& indices) {
    const auto check = [&](FunctionRef<void()> call) { (void)sweep(applied, call); };
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) check([&] { (void)method(a); });
    TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) \
    check([&] { (void)method(a, b); });                  \
    check([&] { (void)method(a, 2); });                  \
    check([&] { (void)method(2, a); });
    TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
    check([&] { (void)reduce_sum(a); });
    check([&] { (void)reduce_prod(a, {0}); });
    check([&] { (void)reduce_max(a, {-1}, keepdims); });
    check([&] { (void)reduce_any(predicate); });
    check([&] { (void)select(predicate, a, b); });
    check([&] { (void)clamp(a, b, a); });
    check([&] { (void)convert(a, DType::C64); });
    check([&] { (void)cast(a, DType::F32); });
    check([&] { (void)matmul(a, b); });
    check([&] { (void)transpose(a); });
    check([&] { (void)adjoint(a); });
    check([&] { (void)transpose(a, {1, 0}); });
    check([&] { (void)reshape(a, {4, 1}); });
    check([&] { (void)broadcast_in_dim(a, {2, 3, 2}, {0, 2}); });
    check([&] { (void)extract_diagonal(a, 0, 1); });
    check([&] { (void)slice(a, {0, 0}, {1, 2}, {1, 1}); });
    check([&] { (void)dynamic_slice(a, indices, {1, 1}); });
    check([&] { (void)dynamic_update_slice(a, b, indices); });
    check([&] { (void)pad(a, number, {1, 0}, {0, 1}, {0, 0}); });
    check([&] { (void)concatenate({a, b}, 0); });
    check([&] { (void)argmax(a, 0); });
    check([&] { (void)argmin(a, 0); });
// Regular rows: all operands are a.
#define TENFERRO_SAME_AS_FIRST(operand) a
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                            \
    {                                                                                                     \
        auto drawn = swept_parameters(a.rank());                                                          \
        TENFERRO_LINES(TENFERRO_DRAWN, parameters)                                                        \
        check([&] {                                                                                       \
            (void)method(TENFERRO_EACH(TENFERRO_SAME_AS_FIRST, operands) TENFERRO_ARGUMENTS(parameters)); \
        });                                                                                               \
    }
    TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
    check([&] { (void)extent_of(a, 0); });
    check([&] { (void)full_like(a, 2); });
    check([&] { (void)shape_of(a); });
    check([&] { (void)mean(a, {0}, keepdims); });
    check([&] { (void)norm(a); });
    check([&] { (void)(-a + b * a - number / 2. < number); });
    check([&] { (void)einsum("ij,jk->ki", {a, b}); });
    const GatherConfig gathered{{1}, {0}, {0}, 1, {1, 2}};
    const ScatterConfig scattered{{1}, {0}, {0}, 1};
    check([&] { (void)gather(a, indices, gathered); });
    check([&] { (void)scatter(a, indices, b, scattered); });
    check([&] { (void)scatter_add(a, indices, b, scattered); });
}

TEST(Functions, OnTracedTensors) {
    const auto input = [](DType dtype, DimsView shape) { return TracedTensor::input(dtype, shape); };
    const TracedTensor a = input(DType::F64, {2, 2}), b = input(DType::F64, {2, 2}),
                       number = input(DType::F64, {}), predicate = input(DType::Bool, {2, 2}),
                       indices = input(DType::I64, {2});
    sweep_functions({"TracedTensor::apply_all"}, a, b, number, predicate, indices);
    (void)sweep({"TracedTensor::input"}, [] { (void)TracedTensor::input(DType::F64, {kAnyExtent, 2}); });
    (void)sweep({"TracedTensor::input"}, [] { (void)TracedTensor::input(DType::F64, SymShape{2, 3}); });
    (void)sweep({"TracedTensor::constant", "Number::constant"},
                [] { (void)TracedTensor::constant(DType::F64, 2); });
    const Tensor array = ones(DType::F64, {2, 3});
    (void)sweep({"TracedTensor::constant"}, [&] { (void)TracedTensor::constant(array); });
}

TEST(Functions, OnEagerTensors) {
    CpuBackend backend(CpuOptions{.threads = 1});
    EagerContext context(backend);
    for (const bool recorded : {false, true}) {
        const auto leaf = [&](Tensor value) { return EagerTensor(context, std::move(value), recorded); };
        const EagerTensor predicate(context, Tensor::zeros(DType::Bool, {2, 2})),
            indices(context, Tensor::zeros(DType::I64, {2}));
        sweep_functions({"EagerTensor::apply", "EagerTensor::apply_all", "EagerTensor::Node::graph_key"},
                        leaf(ones(DType::F64, {2, 2})), leaf(ones(DType::F64, {2, 2})), leaf(scalar(1.)),
                        predicate, indices);
    }
}

struct Loss {
    TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent, 2}),
                 w = TracedTensor::input(DType::F64, {2}), loss = reduce_sum(exp(matmul(x, w)) * 0.5);
};

TEST(Graphs, Derivatives) {
    const Loss f;
    const std::vector<TracedTensor> outputs{f.loss}, inputs{f.x, f.w};
    const std::vector<std::optional<TracedTensor>> tangents{f.x, f.w}, cotangents{f.loss};
    sweep_of(20, {"jvp"}, [&] { (void)jvp(outputs, inputs, tangents); });
    sweep_of(20, {"vjp"}, [&] { (void)vjp(outputs, inputs, cotangents); });
    sweep_of(20, {"grad"}, [&] { (void)grad(f.loss, inputs); });
    sweep_of(20, {"grad"}, [&] { (void)grad(f.loss, f.w); });
    sweep_of(20, {"hvp"}, [&] { (void)hvp(f.loss, inputs, tangents); });
    sweep_of(20, {"hvp"}, [&] { (void)hvp(f.loss, f.w, f.w); });
}

TEST(Graphs, Programs) {
    CpuBackend backend(CpuOptions{.threads = 1});
    const Loss f;
    const std::vector<TracedTensor> outputs{f.loss, grad(f.loss, f.w)}, inputs{f.x, f.w};
    sweep_of(50, {"GraphCompiler::compile", "GraphCompiler::GraphCompiler"}, [&] {
        GraphCompiler compiler;
        (void)compiler.compile(outputs, inputs);
    });
    GraphCompiler compiler;
    const auto program = compiler.compile(outputs, inputs);
    (void)sweep({"GraphCompiler::compile"}, [&] { (void)compiler.compile(outputs, inputs); });
    without_memory({"GraphCompiler::stats", "GraphCompiler::clear"}, [&] {
        (void)compiler.stats();
        compiler.clear();
    });
    const Tensor x = ones(DType::F64, {3, 2}), w = ones(DType::F64, {2});
    const std::vector<TensorRead> values{x, w};
    (void)sweep({"graph_runtime::ExecProgram::run"}, [&] { (void)program->run(backend, values); });
    (void)sweep({"graph_runtime::ExecProgram::run"}, [&] { (void)program->run(backend, {x, w}); });
    backend.with_backend_session([&](BackendSession& session) {
        std::vector<Tensor> results(2);
        (void)sweep({"graph_runtime::ExecProgram::run"}, [&] { program->run(session, values, results); });
        (void)sweep({"graph_runtime::ExecProgram::run_unsegmented"},
                    [&] { (void)program->run_unsegmented(session, values); });
    });
    (void)sweep({"graph_runtime::ExecProgram::text"}, [&] { (void)program->text(); });
    without_memory({"graph_runtime::ExecProgram::inputs", "graph_runtime::ExecProgram::output_count",
                    "graph_runtime::ExecProgram::instructions", "graph_runtime::ExecProgram::segments",
                    "graph_runtime::ExecProgram::memory"},
                   [&] {
                       (void)program->inputs();
                       (void)program->output_count();
                       (void)program->instructions();
                       (void)program->segments();
                       (void)program->memory();
                   });
    sweep_of(50, {"evaluate"}, [&] {
        default_engine().eager().clear();
        (void)evaluate({f.loss, f.loss * 2}, {{f.x, x}, {f.w, w}});
    });
    // With new shapes each time, what a program remembers of the last ones is made anew.
    const Tensor longer = ones(DType::F64, {5, 2});
    const std::vector<TensorRead> others{longer, w};
    (void)sweep({"graph_runtime::ExecProgram::run"}, [&] {
        (void)program->run(backend, values);
        (void)program->run(backend, others);
    });
}

TEST(Graphs, Fragments) {
    std::vector<ValRef> operands;
    for (int i = 0; i < 3; ++i)
        operands.emplace_back(
            GlobalValKey::input(op_graph::new_input_id(), {DType::F64, {SymDim(2), SymDim(2)}}));
    const auto subscripts = tensor_network::Subscripts::parse("ij,jk,kl->il");
    sweep_of(5, {"tensor_network::build_einsum_fragment"}, [&] {
        std::optional<FragmentBuilder> builder;
        {
            const Pause pause;
            builder.emplace();
        }
        (void)tensor_network::build_einsum_fragment(*builder, subscripts, operands);
    });
}

TEST(Graphs, Texts) {
    const std::string plain = R"({"format": "tenferro-graph", "version": 1,)"
                              R"( "inputs": [{"dtype": "f64", "shape": [2, ["n", 0, 1]]}],)"
                              R"( "nodes": [{"op": "transpose", "fields": {"perm": [1, 0]}, "inputs": [0]}],)"
                              R"( "outputs": [1], "guards": [[["n", 0, 1], 3]]})";
    const graph_runtime::GuardedGraph read = graph_runtime::graph_from_json(plain);
    sweep_of(50, {"graph_runtime::graph_from_json"}, [&] { (void)graph_runtime::graph_from_json(plain); });
    sweep_of(20, {"graph_runtime::graph_to_json"}, [&] { (void)graph_runtime::graph_to_json(read); });
    sweep_of(5, {"graph_runtime::compile_std_to_exec", "graph_runtime::ExecProgram::ExecProgram"}, [&] {
        std::optional<graph_runtime::FlatGraph> graph;
        {
            const Pause pause;
            graph = read.graph;
        }
        (void)graph_runtime::compile_std_to_exec(std::move(*graph));
    });
}

TEST(Eager, Derivatives) {
    CpuBackend backend(CpuOptions{.threads = 1});
    (void)sweep({"EagerContext::EagerContext"}, [&] { const EagerContext context(backend); });
    EagerContext context(backend);
    const EagerTensor x(context, ones(DType::F64, {2, 2}), true);
    const std::vector<EagerTensor> inputs{x};
    const Tensor cotangent = ones(DType::F64, {2, 2});
    const auto loss = [&] { return reduce_sum(exp(x) * x); };
    sweep_of(20, {"EagerTensor::backward", "EagerContext::clear", "EagerTensor::check_loss"}, [&] {
        context.clear();
        loss().backward();
    });
    sweep_of(20, {"EagerTensor::backward", "EagerTensor::clear_grad", "EagerTensor::has_grad"}, [&] {
        EagerTensor(x).clear_grad();
        (void)x.has_grad();
        exp(x).backward(cotangent);
        exp(x).backward(cotangent);
    });
    sweep_of(20, {"EagerTensor::leaves", "EagerTensor::check_recorded", "EagerTensor::accumulate"}, [&] {
        EagerTensor(x).clear_grad();
        loss().backward(true);
        exp(x).backward(cotangent, true);
    });
    EagerTensor(x).clear_grad();
    for (const bool again : {false, true})
        sweep_of(20, {"EagerTensor::gradients"}, [&] { (void)grad(loss(), inputs, again); });
    x.context().clear();
    loss().backward();
    (void)sweep({"EagerTensor::grad"}, [&] { (void)x.grad(); });
    (void)sweep({"EagerTensor::detach"}, [&] { (void)x.detach(true); });
    (void)sweep({"EagerTensor::EagerTensor"}, [&] { (void)EagerTensor(context, Tensor(), false); });
    without_memory({"EagerContext::backward_stats", "EagerContext::compiler", "EagerTensor::value",
                    "EagerTensor::context", "EagerTensor::requires_grad"},
                   [&] {
                       (void)context.backward_stats();
                       (void)context.compiler();
                       (void)x.value();
                       (void)x.context();
                       (void)x.requires_grad();
                   });

    const auto function = [](std::span<const TracedTensor> v) { return reduce_sum(exp(v[0])); };
    const auto list = [](std::span<const TracedTensor> v) {
        const TracedTensor y = exp(v[0]);
        const Pause pause;  // the list is the caller's
        return std::vector<TracedTensor>{y};
    };
    sweep_of(10, {"tfe_detail::traced_like", "tfe_detail::evaluate"}, [&] { (void)grad(function, inputs); });
    sweep_of(10, {"tfe_detail::traced_like", "tfe_detail::evaluate"},
             [&] { (void)jvp(list, inputs, inputs); });
    sweep_of(10, {"tfe_detail::traced_like", "tfe_detail::evaluate"},
             [&] { (void)vjp(list, inputs, inputs); });
}

TEST(Extensions, OfOtherLibraries) {
    sweep_of(1, {"FamilyId::parse"}, [] {
        try {
            (void)FamilyId::parse("no family");
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::MalformedFamilyId) throw;
        }
    });
    CpuBackend backend(CpuOptions{.threads = 1});
    static const bool registered = [] {
        register_extension(std::make_shared<test::Factory<test::PairOp>>());
        register_extension_rule(std::make_shared<test::PairRule>());
        return true;
    }();
    EXPECT_TRUE(registered);
    const auto op = std::make_shared<const test::PairOp>(2);
    const std::vector<TracedTensor> traced{TracedTensor::input(DType::F64, {kAnyExtent}),
                                           TracedTensor::input(DType::F64, {3})};
    EagerContext context(backend);
    const std::vector<EagerTensor> eager{EagerTensor(context, ones(DType::F64, {2}), true),
                                         EagerTensor(context, ones(DType::F64, {3}), true)};
    const Tensor two = ones(DType::F64, {2}), three = ones(DType::F64, {3});
    const std::vector<TensorRead> reads{two, three};
    (void)sweep({"extension::apply"}, [&] { (void)extension::apply(op, traced); });
    (void)sweep({"extension::apply"}, [&] { (void)extension::apply(op, eager); });
    (void)sweep({"extension::apply"}, [&] { (void)extension::apply(op, reads); });
    const std::vector<TracedTensor> outputs = extension::apply(op, traced);
    sweep_of(20, {"grad"}, [&] { (void)grad(reduce_sum(outputs[0]), traced); });
    (void)sweep(
        {"lookup_extension_factory", "lookup_extension_rule", "lookup_extension_family", "require_extension"},
        [&] {
            (void)lookup_extension_factory(test::PairOp::kFamilyId);
            (void)lookup_extension_rule(test::PairOp::kFamilyId);
            (void)lookup_extension_family("test-ext", "pair");
            require_extension(test::PairOp::kFamilyId);
        });
}

/// A family for each number.
struct NumberedFactory final : ExtensionFactory {
    std::string family;

    explicit NumberedFactory(int number) : family(text("test-ext.numbered", number, ".v1")) {}
    [[nodiscard]] std::string_view family_id() const noexcept override { return family; }
    [[nodiscard]] std::uint32_t version() const noexcept override { return 1; }
};
struct NumberedRule final : ExtensionAdRule {
    std::string family;

    explicit NumberedRule(int number) : family(text("test-ext.numbered", number, ".v1")) {}
    [[nodiscard]] std::string_view family_id() const noexcept override { return family; }
    [[nodiscard]] OptionalValues linearize(const ExtensionOp&, FragmentBuilder&,
                                           std::span<const GlobalValKey>, std::span<const GlobalValKey>,
                                           std::span<const std::optional<LocalValId>>,
                                           ShapeGuardContext&) const override {
        return {};
    }
    [[nodiscard]] OptionalValues transpose_rule(const ExtensionOp&, FragmentBuilder&,
                                                std::span<const std::optional<LocalValId>>,
                                                std::span<const ValRef>, const OpMode&,
                                                ShapeGuardContext&) const override {
        return {};
    }
};

TEST(Extensions, AreRegistered) {
    // What could not be registered is not half there: the next call takes the same family.
    int factories = 0, rules = 0;
    (void)sweep({"register_extension"}, [&] {
        std::shared_ptr<const ExtensionFactory> made;
        {
            const Pause pause;
            made = std::make_shared<NumberedFactory>(factories);
        }
        register_extension(std::move(made));
        ++factories;
    });
    (void)sweep({"register_extension_rule"}, [&] {
        std::shared_ptr<const ExtensionAdRule> made;
        {
            const Pause pause;
            made = std::make_shared<NumberedRule>(rules);
        }
        register_extension_rule(std::move(made));
        ++rules;
    });
    EXPECT_GT(factories, 2);
    EXPECT_GT(rules, 2);
}

TEST(Gradcheck, Reports) {
    CpuBackend backend(CpuOptions{.threads = 1});
    const gradcheck::Sample sample{{{{2}}}, [](std::span<const TracedTensor> x) {
                                       const TracedTensor y = exp(x[0]);
                                       const Pause pause;
                                       return std::vector<TracedTensor>{y};
                                   }};
    const gradcheck::Report report = gradcheck::check(sample, backend);
    (void)sweep({"gradcheck::Report::text"}, [&] { (void)report.text(); });
    without_memory({"gradcheck::Counts::operator+="}, [&] {
        gradcheck::Counts counts = report.counts;
        counts += report.counts;
    });
}

}}  // namespace tenferro::faults
