// Einsum from the string to the result, with its derivatives, in the C++ surface and by parts.
#include "tenferro/api/einsum.hpp"
#include "einsum/session_executor.hpp"
#include "faults/sweep.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/scaled.hpp"
#include "tenferro/tensor/creation.hpp"

namespace tenferro::faults { namespace {

namespace es = tenferro::tensor_network;

const Tensor kX = ones(DType::F64, {2, 2}), kY = ones(DType::F64, {2, 2}), kZ = ones(DType::F64, {2, 2});
const std::vector<TensorRead> kOperands{kX, kY, kZ};
const std::vector<std::optional<TensorRead>> kTangents{kX, std::nullopt, kZ};
const std::vector<Dims> kShapes{{2, 2}, {2, 2}, {2, 2}};
constexpr const char* kText = "ij,jk,kl->il";

TEST(Einsum, OnAnEngine) {
    set_num_threads(1);
    Engine engine(std::make_unique<CpuBackend>(CpuOptions{.threads = 1}));
    sweep_of(20, {"Engine::einsum", "tensor_network::PlanCache::get", "tensor_network::PlanCache::clear"},
             [&] {
                 engine.plans().clear();
                 (void)engine.einsum(kText, kOperands);
             });
    (void)sweep({"Engine::einsum"}, [&] { (void)engine.einsum(kText, kOperands); });
    (void)sweep({"Engine::einsum"}, [&] { (void)engine.einsum(kText, {kX, kY, kZ}); });
    (void)sweep({"default_engine"}, [&] { (void)tenferro::einsum(kText, {kX, kY, kZ}); });
    sweep_of(20, {"Engine::einsum_vjp"}, [&] {
        engine.plans().clear();
        (void)engine.einsum_vjp(kText, kOperands, kX);
    });
    sweep_of(20, {"Engine::einsum_jvp"}, [&] {
        engine.plans().clear();
        (void)engine.einsum_jvp(kText, kOperands, kTangents);
    });
    sweep_of(4, {"Engine::Engine"}, [&] {
        std::unique_ptr<TensorBackend> backend;
        {
            const Pause pause;
            backend = std::make_unique<CpuBackend>(CpuOptions{.threads = 1});
        }
        const Engine made(std::move(backend));
    });
    without_memory({"Engine::backend", "Engine::plans", "Engine::eager", "tensor_network::PlanCache::stats",
                    "num_threads", "set_num_threads"},
                   [&] {
                       (void)engine.backend();
                       (void)engine.eager();
                       (void)engine.plans().stats();
                       set_num_threads(num_threads());
                   });
    (void)sweep({"tensor_network::PlanCache::PlanCache"}, [] { const es::PlanCache cache; });
}

TEST(Einsum, Plans) {
    CpuBackend backend(CpuOptions{.threads = 1});
    const es::Subscripts subscripts = es::Subscripts::parse(kText);
    const std::vector<std::vector<int>> path{{1, 2}, {0, 1}};
    sweep_of(20, {"tensor_network::EinsumPlan::EinsumPlan"},
             [&] { const es::EinsumPlan plan(subscripts, kShapes); });
    sweep_of(20, {"tensor_network::EinsumPlan::EinsumPlan"},
             [&] { const es::EinsumPlan plan(subscripts, kShapes, path); });
    sweep_of(20, {"tensor_network::EinsumPlan::EinsumPlan"},
             [&] { const es::EinsumPlan plan(subscripts, kShapes, path, DType::F64, 56); });
    const es::Subscripts many = es::Subscripts::parse("ab,bc,cd,de->ae");
    const std::vector<Dims> shapes(4, Dims{2, 2});
    es::PathOptions options;
    options.greedy_attempts = 1;
    options.max_exact = 2;
    sweep_of(100, {"tensor_network::EinsumPlan::EinsumPlan", "tensor_network::find_tree"},
             [&] { const es::EinsumPlan plan(many, shapes, options); });
    // Slicing: the outer product does not fit.
    const es::Subscripts wide = es::Subscripts::parse("ab,bc,cd->abcd");
    options.memory_limit_bytes = 16 * 8 + 8 * 8 + 8 * 8;
    const std::vector<Dims> three(3, Dims{2, 2});
    sweep_of(20, {"tensor_network::EinsumPlan::EinsumPlan"}, [&] {
        try {
            const es::EinsumPlan plan(wide, three, options);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::Unsupported) throw;
        }
    });

    const es::EinsumPlan plan(subscripts, kShapes);
    backend.with_backend_session([&](BackendSession& session) {
        sweep_of(1, {"tensor_network::EinsumPlan::run"}, [&] { (void)plan.run(session, kOperands); });
        sweep_of(1, {"tensor_network::EinsumPlan::run_fitting"},
                 [&] { (void)plan.run_fitting(session, kOperands); });
        sweep_of(1, {"BackendSession::empty_planned"}, [&] {
            (void)session.empty_planned("test", DType::F64, CompactLayout(Dims{2, 3}, "test"));
        });
        sweep_of(5, {"tensor_network::EinsumPlan::vjp"}, [&] { (void)plan.vjp(session, kOperands, kX); });
        sweep_of(3, {"tensor_network::EinsumPlan::jvp"},
                 [&] { (void)plan.jvp(session, kOperands, kTangents); });
        sweep_of(5, {"tensor_network::EinsumPlan::run_scaled"},
                 [&] { (void)plan.run_scaled(session, kOperands); });
        sweep_of(5, {"tensor_network::EinsumPlan::vjp_scaled"}, [&] {
            (void)plan.vjp_scaled(session, kOperands, {kX, 3});
        });
        sweep_of(5, {"tensor_network::EinsumPlan::jvp_scaled"},
                 [&] { (void)plan.jvp_scaled(session, kOperands, kTangents); });
    });
    (void)sweep({"tensor_network::EinsumPlan::run"}, [&] { (void)plan.run(backend, {kX, kY, kZ}); });
    sweep_of(5, {"tensor_network::EinsumPlan::vjp_cost"}, [&] {
        std::optional<es::EinsumPlan> fresh;
        {
            const Pause pause;
            fresh.emplace(subscripts, kShapes);
        }
        (void)fresh->vjp_cost();
    });
    without_memory({"tensor_network::EinsumPlan::network", "tensor_network::EinsumPlan::tree",
                    "tensor_network::EinsumPlan::cost", "tensor_network::EinsumPlan::output_shape",
                    "tensor_network::EinsumPlan::sliced_labels"},
                   [&] {
                       (void)plan.network();
                       (void)plan.tree();
                       (void)plan.cost();
                       (void)plan.output_shape();
                       (void)plan.sliced_labels();
                   });
    sweep_of(10, {"tensor_network::eager_einsum"},
             [&] { (void)es::eager_einsum(backend, subscripts, kOperands); });
    const es::Subscripts traces = es::Subscripts::parse("iij,kk,jl->lij");
    const std::vector<Dims> cubes{{2, 2, 2}, {2, 2}, {2, 2}};
    const Tensor cube = ones(DType::F64, {2, 2, 2});
    const std::vector<TensorRead> mixed{cube, kY, kZ};
    sweep_of(10, {"tensor_network::eager_einsum"}, [&] { (void)es::eager_einsum(backend, traces, mixed); });
}

TEST(Einsum, Parts) {
    sweep_of(3, {"tensor_network::Subscripts::parse"},
             [] { (void)es::Subscripts::parse("(ij,jk),...kl->...il"); });
    (void)sweep({"tensor_network::Subscripts::parse"},
                [] { (void)es::Subscripts::parse("[0,1],[1,2]->[0,2]", es::Dialect::NumPy); });
    const std::vector<std::vector<int>> lists{{0, 1}, {1, 2}};
    const std::optional<std::vector<int>> output(std::in_place, {0, 2});
    (void)sweep({"tensor_network::Subscripts::interleaved"},
                [&] { (void)es::Subscripts::interleaved(lists, output); });
    const std::vector<std::int32_t> first{7, 8}, second{8, 9}, last{7, 9};
    const std::vector<std::span<const std::int32_t>> labels{first, second};
    (void)sweep({"tensor_network::Subscripts::from_labels"},
                [&] { (void)es::Subscripts::from_labels(labels, last); });
    const es::Subscripts subscripts = es::Subscripts::parse(kText);
    (void)sweep({"tensor_network::Subscripts::to_string"}, [&] { (void)subscripts.to_string(); });
    (void)sweep({"tensor_network::label_text"}, [] { (void)es::label_text(U'\u20ac'); });

    const es::Network network = es::resolve(subscripts, kShapes);
    sweep_of(5, {"tensor_network::resolve"}, [&] { (void)es::resolve(subscripts, kShapes); });
    (void)sweep({"tensor_network::output_shape"}, [&] { (void)es::output_shape(network); });
    const es::ContractionTree tree = es::find_tree(network);
    sweep_of(5, {"tensor_network::find_tree"}, [&] { (void)es::find_tree(network); });
    (void)sweep({"tensor_network::cost"}, [&] { (void)es::cost(network, tree); });
    (void)sweep({"tensor_network::node_labels"}, [&] { (void)es::node_labels(network, tree); });
    (void)sweep({"tensor_network::in_low_peak_order"}, [&] { (void)es::in_low_peak_order(network, tree); });
    const std::vector<std::vector<int>> path = es::path_from_tree(tree);
    (void)sweep({"tensor_network::path_from_tree"}, [&] { (void)es::path_from_tree(tree); });
    (void)sweep({"tensor_network::tree_from_path"}, [&] { (void)es::tree_from_path(path, 3); });
    const es::Program program = es::lower(network, tree);
    sweep_of(5, {"tensor_network::lower"}, [&] { (void)es::lower(network, tree); });
    sweep_of(5, {"tensor_network::vjp_program"}, [&] { (void)es::vjp_program(program); });
    sweep_of(5, {"tensor_network::jvp_program"}, [&] { (void)es::jvp_program(program); });
    const std::vector<SymShape> shapes{{SymDim::input(1, 0), 2}, {2, 2}, {2, SymDim::input(2, 1)}};
    sweep_of(5, {"tensor_network::symbolic_program"},
             [&] { (void)es::symbolic_program(subscripts, shapes); });
}

TEST(Einsum, OnAnExecutor) {
    CpuBackend backend(CpuOptions{.threads = 1});
    const es::Network network = es::resolve(es::Subscripts::parse(kText), kShapes);
    const es::Program program = es::lower(network, es::find_tree(network));
    const std::vector<const TensorRead*> inputs{&kOperands[0], &kOperands[1], &kOperands[2]};
    backend.with_backend_session([&](BackendSession& session) {
        es::SessionExecutor executor(session);
        sweep_of(1, {"tensor_network::run"}, [&] {
            std::array<std::optional<Tensor>, 1> outputs;
            es::run(program, inputs, outputs, executor);
        });
    });
}

}}  // namespace tenferro::faults
