// Extensions written as a class with fields: identity and text follow from these, several outputs, outputs
// that nobody reads, factors of the forward run in reverse mode, threads, and extents that are not known.
#include "tenferro/ops/extension_base.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/polar.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/extension.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/runtime/graph_json.hpp"
#include "tenferro/testing/gradcheck.hpp"

namespace tenferro { namespace {

using test::ButterflyOp, test::PolarOp, test::RadiusOp;

/// An operation with every kind of field; nobody runs it.
struct EverythingOp final : ExtensionBase<EverythingOp> {
    static constexpr std::string_view kFamilyId = "test-ext.everything.v3";
    static constexpr std::size_t kOutputs = 1;
    bool keep;
    Index count;
    double ratio;
    DType dtype;
    Dims axes;
    std::string name;
    SymDim extent;
    SymShape shape;
    static constexpr std::tuple kFields{
        tensor_ops::Field{"keep", &EverythingOp::keep},     tensor_ops::Field{"count", &EverythingOp::count},
        tensor_ops::Field{"ratio", &EverythingOp::ratio},   tensor_ops::Field{"dtype", &EverythingOp::dtype},
        tensor_ops::Field{"axes", &EverythingOp::axes},     tensor_ops::Field{"name", &EverythingOp::name},
        tensor_ops::Field{"extent", &EverythingOp::extent}, tensor_ops::Field{"shape", &EverythingOp::shape}};

    EverythingOp(bool k, Index c, double r, DType d, Dims a, std::string n, SymDim e, SymShape s)
        : keep(k),
          count(c),
          ratio(r),
          dtype(d),
          axes(std::move(a)),
          name(std::move(n)),
          extent(std::move(e)),
          shape(std::move(s)) {
        if (count < 0) throw Error(ErrorKind::InvalidArgument, "everything", "count is negative");
    }
    [[nodiscard]] std::size_t inputs() const noexcept { return static_cast<std::size_t>(count); }
    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override { return {in[0]}; }
    std::vector<Tensor> run(BackendSession&, std::span<const TensorRead>) const override { return {}; }
};

std::vector<EverythingOp> everything() {
    constexpr Index kLeast = std::numeric_limits<Index>::min(), kMost = std::numeric_limits<Index>::max();
    const SymDim m = SymDim::input(0, 1), n = SymDim::input(12, 0);
    const EverythingOp one(true, 2, 0.1, DType::C32, {0, -3}, "a \"b\\", m, {4, n});
    std::vector<EverythingOp> all(7, one);
    all[1].keep = false;
    all[2].count = 3;
    all[3].ratio = std::nextafter(0.1, 1);
    all[4].dtype = DType::Bool;
    all[5].axes = {};
    all[6].name = "";
    all.push_back(one);
    all.back().ratio = std::numeric_limits<double>::quiet_NaN();
    all.push_back(one);
    all.back().ratio = -0.0;
    all.push_back(one);
    all.back().ratio = 0.0;
    all.push_back(one);
    all.back().ratio = -std::numeric_limits<double>::infinity();
    for (const SymDim& extent :
         {SymDim(5), m + 1, SymDim(0) - m * m * m, m * n - 7,
          min(m, 3) * max(n, m - 2) + exact_div(m * n + n, 4), (m + n) * (m - n) - 3 * n, SymDim(kLeast),
          m * kLeast, n + m * kLeast, n + kLeast, SymDim(kLeast + 1) * m, SymDim(kMost)}) {
        all.push_back(one);
        all.back().extent = extent;
        all.push_back(one);
        all.back().shape = {extent, extent + n};
    }
    return all;
}

std::uint64_t hash_of(const ExtensionOp& op) {
    Hasher hasher;
    op.payload_hash(hasher);
    return hasher.value();
}

TEST(ExtensionBase, FieldsAreTheIdentity) {
    const std::vector<EverythingOp> all = everything();
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < all.size(); ++k) {
            EXPECT_EQ(all[i].payload_eq(all[k]), i == k) << all[i].payload_text() << all[k].payload_text();
            EXPECT_EQ(hash_of(all[i]) == hash_of(all[k]), i == k);
        }
    EXPECT_EQ(all[0].payload_text(),
              "keep=true, count=2, ratio=0.1, dtype=c32, axes=[0, -3], name=\"a \\\"b\\\\\", "
              "extent=n0_1, shape=[4, n12_0]");
    EXPECT_EQ(all[2].n_inputs(), 3u);
    EXPECT_FALSE(PolarOp(2).payload_eq(RadiusOp()));
}

TEST(ExtensionBase, PayloadsAreReadAgain) {
    const ExtensionBaseFactory<EverythingOp> factory;
    EXPECT_EQ(factory.version(), 3u);
    for (const EverythingOp& op : everything()) {
        const std::string text = factory.encode(op);
        EXPECT_TRUE(factory.decode(text)->payload_eq(op)) << text;
        for (std::size_t cut = 0; cut < text.size(); ++cut)
            EXPECT_THROW((void)factory.decode(text.substr(0, cut)), Error) << text.substr(0, cut);
        EXPECT_THROW((void)factory.decode(text + " "), Error);
    }
    const auto refused = [&](std::string_view text, std::string_view message) {
        EXPECT_ERROR((void)factory.decode(text), InvalidArgument, message);
    };
    refused("", "expected field 'keep' at byte 0 of ''");
    refused("keep=yes", "expected true or false at byte 5 of 'keep=yes'");
    refused("keep=true, count=99999999999999999999", "expected an integer at byte 17");
    refused("keep=true, count=2, ratio=, ", "expected a number at byte 26");
    refused("keep=true, count=2, ratio=1, dtype=f16", "expected a dtype at byte 35");
    refused("keep=true, count=2, ratio=1, dtype=f32, axes=[1 2", "expected ', ' at byte 47");
    refused("keep=true, count=2, ratio=1, dtype=f32, axes=[], name=\"\\", "expected '\"' at byte 55");
    refused("keep=true, count=-1, ratio=1, dtype=f32, axes=[], name=\"\", extent=1, shape=[]",
            "count is negative");
    const auto refused_extent = [&](const std::string& extent, std::string_view message) {
        refused("keep=true, count=1, ratio=1, dtype=f32, axes=[], name=\"\", extent=" + extent + ", shape=[]",
                message);
    };
    refused_extent("n0", "expected '_' at byte 67");
    refused_extent("(1", "expected ')'");
    refused_extent("2 * x", "expected an integer");
    refused_extent("n0_0^65", "expected a power of at most 64");
    refused_extent(std::string(1000, '(') + "1", "expected an extent of fewer brackets");
}

class ExtensionOutputs : public testing::Test {
protected:
    void SetUp() override {
        test::register_polar();
        PolarOp::runs = RadiusOp::runs = 0;
    }
    /// Points on a line, as a traced input of unknown extent.
    static TracedTensor points() { return TracedTensor::input(DType::F64, {kAnyExtent}); }
    static Tensor at(std::vector<double> values) {
        const Dims shape{static_cast<Index>(values.size())};
        return Tensor::from_data<double>(values, shape);
    }
    static std::vector<TracedTensor> polar(const TracedTensor& x, const TracedTensor& y) {
        return extension::apply(std::make_shared<PolarOp>(2), std::vector{x, y});
    }
    const Tensor x_ = at({3, 1}), y_ = at({4, 0});
    const std::vector<TensorRead> inputs_{x_, y_};
    TensorBackend& backend_ = default_engine().backend();
    GraphCompiler compiler_;
};

TEST_F(ExtensionOutputs, DerivativesAreRight) {
    const gradcheck::Operand point{.shape = {2, 3}, .domain = gradcheck::kPositive};
    for (const int outputs : {1, 2, 3}) {  // a set of them
        const gradcheck::Report report =
            gradcheck::check({.operands = {point, point},
                              .function =
                                  [&](auto x) {
                                      const auto all = extension::apply(std::make_shared<PolarOp>(2), x);
                                      std::vector<TracedTensor> some;
                                      for (int k = 0; k < 2; ++k)
                                          if ((outputs >> k & 1) != 0)
                                              some.push_back(all[static_cast<std::size_t>(k)]);
                                      return some;
                                  },
                              .other_shapes = {{1, 4}, {1, 4}},
                              .single = false},
                             backend_);
        EXPECT_EQ(report.text(), "") << outputs;
        EXPECT_EQ(report.counts.samples, 3);
    }
}

TEST_F(ExtensionOutputs, LinearOperationsAreTheirOwnDerivatives) {
    const gradcheck::Report report = gradcheck::check(
        {.operands = {{.shape = {4}}, {.shape = {4}}},
         .function =
             [](auto x) {
                 const auto y = extension::apply(std::make_shared<ButterflyOp>(3), x);
                 return std::vector{y[1] * x[0], extension::apply(std::make_shared<ButterflyOp>(2), y)[0]};
             },
         .other_shapes = {{2}, {2}},
         .single = false},
        backend_);
    EXPECT_EQ(report.text(), "");
}

TEST_F(ExtensionOutputs, ThoseThatNobodyReadsAreNotComputed) {
    const TracedTensor x = points(), y = points();
    const auto program = compiler_.compile({reduce_sum(polar(x, y)[0])}, {x, y});
    EXPECT_EQ(*program->run(backend_, inputs_)[0].data_as<double>(), 6);
    EXPECT_EQ(PolarOp::runs, 0);
    EXPECT_EQ(RadiusOp::runs, 1);
    const auto angle = compiler_.compile({polar(x, y)[1]}, {x, y});  // has no cheaper form
    EXPECT_EQ(angle->run(backend_, inputs_)[0].data_as<double>()[1], 0);
    const auto both = polar(x, y);
    EXPECT_EQ(compiler_.compile({both[1], both[0]}, {x, y})->run(backend_, inputs_)[1].data_as<double>()[0],
              5);
    EXPECT_EQ(PolarOp::runs, 2);
    EXPECT_EQ(RadiusOp::runs, 1);
}

TEST_F(ExtensionOutputs, RulesKnowWhichAreWanted) {
    const TracedTensor x = points(), y = points();
    (void)grad(reduce_sum(polar(x, y)[0]), x);
    EXPECT_EQ(PolarOp::wanted, (std::vector{true, false}));
    (void)grad(reduce_sum(sin(polar(x, y)[1])), x);
    EXPECT_EQ(PolarOp::wanted, (std::vector{false, true}));
    const auto both = polar(x, y);
    (void)grad(reduce_sum(both[0] * both[1]), x);
    EXPECT_EQ(PolarOp::wanted, (std::vector{true, true}));
}

TEST_F(ExtensionOutputs, ForwardFactorsAreUsedAgain) {
    // Compiled: the value and the gradient in one program.
    const TracedTensor x = points(), y = points();
    const TracedTensor loss = reduce_sum(polar(x, y)[0]);
    const auto program = compiler_.compile({loss, grad(loss, x)}, {x, y});
    EXPECT_DOUBLE_EQ(program->run(backend_, inputs_)[1].data_as<double>()[0], 0.6);
    EXPECT_EQ(PolarOp::runs, 1);
    // Eager: the angle, which the derivative of the radius is made of, was dropped by the caller.
    EagerContext context(backend_);
    const EagerTensor a(context, x_.duplicate(), true), b(context, y_.duplicate(), true);
    EagerTensor radius = extension::apply(std::make_shared<PolarOp>(2), std::vector{a, b})[0];
    EXPECT_EQ(PolarOp::runs, 2);
    reduce_sum(radius).backward();
    EXPECT_EQ(PolarOp::runs, 2) << "the backward run computes the factors again";
    EXPECT_DOUBLE_EQ(a.grad().value()(0), 0.6);
    EXPECT_DOUBLE_EQ(b.grad().value()(0), 0.8);
}

TEST_F(ExtensionOutputs, IndependentExtentsAreComparedWhenProgramsRun) {
    const TracedTensor x = points(), y = points();
    const TracedTensor loss = reduce_sum(polar(x, y)[0]);
    const auto program = compiler_.compile({loss, grad(loss, y)}, {x, y});
    EXPECT_EQ(*program->run(backend_, inputs_)[0].data_as<double>(), 6);
    const Tensor three = at({1, 2, 3});
    const std::vector<TensorRead> unlike{x_, three};
    EXPECT_ERROR((void)program->run(backend_, unlike), ShapeMismatch, "");
    EXPECT_ERROR((void)polar(TracedTensor::input(DType::F64, {2}), TracedTensor::input(DType::F64, {3})),
                 ShapeMismatch, "x axis 0 has extent 2 but y axis 0 has extent 3");
}

TEST_F(ExtensionOutputs, GraphsAreWrittenAndReadAgain) {
    const TracedTensor x = points(), y = points();
    const GlobalValKey in[] = {x.key(), y.key()}, out = polar(x, y)[1].key();
    const graph_runtime::GuardedGraph graph{op_graph::materialise<StdTensorOp>({&out, 1}, in).graph, {}};
    EXPECT_EQ(graph_runtime::graph_from_json(graph_runtime::graph_to_json(graph)), graph);
}

/// Its operand in a shape of its own, which may be that of another traced tensor; the operand is doubled
/// where it can be overwritten, so that results tell.
struct FillOp final : ExtensionBase<FillOp> {
    static constexpr std::string_view kFamilyId = "test-ext.fill.v1";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    SymShape shape;
    static constexpr std::tuple kFields{tensor_ops::Field{"shape", &FillOp::shape}};
    static inline int taken = 0;

    explicit FillOp(SymShape to) : shape(std::move(to)) {}
    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        return {{in[0].dtype, shape}};
    }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        std::vector<Tensor> out;
        out.push_back(session.broadcast_in_dim_read(in[0], concrete(shape, "fill"), Dims{}));
        return out;
    }
    std::vector<Tensor> run_consuming(BackendSession& session, std::span<const TensorRead> in,
                                      std::span<Tensor* const> dying) const {
        if (dying[0] == nullptr || !dying[0]->reusable()) return run(session, in);
        ++taken;
        *dying[0]->write().data_as<double>() *= 2;
        return run(session, in);
    }
};

TEST(ExtensionExtents, FieldsHoldThoseOfTracedTensors) {
    register_extension<FillOp>();
    const TracedTensor s = TracedTensor::input(DType::F64, {}),
                       like = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    const auto filled = [&](const TracedTensor& value) {
        return extension::apply(std::make_shared<FillOp>(shape_of(like)), std::vector{value})[0];
    };
    TensorBackend& backend = default_engine().backend();
    GraphCompiler compiler;
    const Tensor three = Tensor::from_data<double>({3}, {});
    for (const Dims& shape : {Dims{2, 3}, Dims{4, 1}}) {
        const Tensor other = Tensor::zeros(DType::F64, shape);
        const std::vector<TensorRead> inputs{other, three};
        const auto given = compiler.compile({filled(s)}, {like, s})->run(backend, inputs);
        EXPECT_EQ(given[0].shape(), shape);
        EXPECT_EQ(given[0].data_as<double>()[3], 3);
        // The operand of the other is made by the program and needed no more; of the third, it is.
        FillOp::taken = 0;
        const auto made = compiler.compile({filled(reduce_sum(like) + s)}, {like, s})->run(backend, inputs);
        EXPECT_EQ(made[0].data_as<double>()[3], 6);
        EXPECT_EQ(FillOp::taken, 1);
        const TracedTensor kept = reduce_sum(like) + s;
        EXPECT_EQ(
            compiler.compile({filled(kept), kept}, {like, s})->run(backend, inputs)[0].data_as<double>()[3],
            3);
        EXPECT_EQ(FillOp::taken, 1);
    }
    const GlobalValKey in[] = {like.key(), s.key()}, out = filled(s).key();
    const graph_runtime::GuardedGraph graph{op_graph::materialise<StdTensorOp>({&out, 1}, in).graph, {}};
    std::string json = graph_runtime::graph_to_json(graph);
    EXPECT_EQ(graph_runtime::graph_from_json(json), graph);
    const std::size_t place = json.find("n0_1");
    ASSERT_NE(place, std::string::npos) << json;
    EXPECT_ERROR((void)graph_runtime::graph_from_json(json.replace(place, 4, "n0_2")), InvalidArgument,
                 "no input has the extent n0_2");
}

/// The sum of its operands. It clears one that it may overwrite before it reads the other.
struct ClearingOp final : ExtensionBase<ClearingOp> {
    static constexpr std::string_view kFamilyId = "test-ext.clearing.v1";
    static constexpr std::size_t kInputs = 2, kOutputs = 1;
    static constexpr std::tuple<> kFields{};
    static inline int cleared = 0;

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override { return {in[0]}; }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        std::vector<Tensor> out;
        out.push_back(session.add_read(in[0], in[1]));
        return out;
    }
    std::vector<Tensor> run_consuming(BackendSession& session, std::span<const TensorRead> in,
                                      std::span<Tensor* const> dying) const {
        for (const std::size_t i : {0, 1}) {
            if (dying[i] == nullptr || !dying[i]->reusable()) continue;
            ++cleared;
            const Tensor copy = session.to_contiguous_read(in[i]);
            for (Index k = 0; k < copy.size(); ++k) dying[i]->write().data_as<double>()[k] = 0;
            std::vector<Tensor> out;
            out.push_back(session.add_read(copy, in[1 - i]));
            return out;
        }
        return run(session, in);
    }
};

TEST(ExtensionOperands, ThatAreGivenTwiceAreNotOverwritten) {
    register_extension<ClearingOp>();
    const TracedTensor x = TracedTensor::input(DType::F64, {3}), made = exp(x), other = sin(x);
    const Tensor at = Tensor::from_data<double>({1, 2, 3}, {3});
    GraphCompiler compiler({.fuse_elementwise = false});
    const auto sum = [&](const TracedTensor& a, const TracedTensor& b) {
        ClearingOp::cleared = 0;
        const auto out = extension::apply(std::make_shared<ClearingOp>(), std::vector{a, b});
        return compiler.compile(out, {&x, 1})->run(default_engine().backend(), {at})[0](1);
    };
    EXPECT_DOUBLE_EQ(sum(made, other), std::exp(2.0) + std::sin(2.0));
    EXPECT_EQ(ClearingOp::cleared, 1);
    EXPECT_DOUBLE_EQ(sum(made, made), 2 * std::exp(2.0));
    EXPECT_DOUBLE_EQ(sum(made, reverse(made, {0})), 2 * std::exp(2.0));
    EXPECT_DOUBLE_EQ(sum(reverse(made, {0}), made), 2 * std::exp(2.0));
    EXPECT_DOUBLE_EQ(sum(x, x), 4);
    EXPECT_EQ(at(1), 2) << "an input was overwritten";
}

/// Its output says how many threads its tasks saw at most.
struct CrowdOp final : ExtensionBase<CrowdOp> {
    static constexpr std::string_view kFamilyId = "test-ext.crowd.v1";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    static constexpr std::tuple<> kFields{};

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override { return {in[0]}; }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        std::vector<Tensor> outputs;
        outputs.push_back(session.zeros(DType::F64, in[0].shape()));
        double* const out = outputs[0].write().data_as<double>();
        session.run_concurrently(in[0].size(), [&](Index i, BackendSession& own) {
            const Tensor one = own.empty(DType::F64, Dims{});  // each has a session of its own
            out[i] = static_cast<double>(session.concurrency()) + static_cast<double>(one.rank());
        });
        return outputs;
    }
};

TEST(ExtensionThreads, TasksShareTheBackendsThreads) {
    register_extension<CrowdOp>();
    for (const int threads : {1, 3}) {
        const auto backend = CpuBackend::with_threads(threads);
        const Tensor at = Tensor::zeros(DType::F64, Dims{7});
        EagerContext context(*backend);
        const auto eager =
            extension::apply(std::make_shared<CrowdOp>(), std::vector{EagerTensor(context, at.share())});
        const TracedTensor x = TracedTensor::input(DType::F64, {7});
        const auto traced = extension::apply(std::make_shared<CrowdOp>(), std::vector{x});
        GraphCompiler compiler;
        const auto compiled = compiler.compile(traced, {&x, 1})->run(*backend, {&at.read(), 1});
        for (Index i = 0; i < 7; ++i) {
            EXPECT_EQ(eager[0].value().data_as<double>()[i], threads);
            EXPECT_EQ(compiled[0].data_as<double>()[i], threads);
        }
    }
    EXPECT_ERROR((void)CrowdOp().eager_execute({}), BackendFailure, "no backend is current on this thread");
}

}}  // namespace tenferro
