// Every row of the operation table in every form, in a session and on a backend, of both backends; at ranks
// beyond what lists keep in place.
#include <algorithm>

#include "faults/sweep.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/tensor/creation.hpp"
#include "tenferro/tensor/fusion_plan.hpp"

namespace tenferro::faults { namespace {

const Dims kShape{2, 2, 1, 1, 1, 1, 1, 1, 1, 2}, kStarts(10, 0),
    kSmall(10, 1), kReversed{9, 8, 7, 6, 5, 4, 3, 2, 1, 0};

Tensor counting(DType dtype, DimsView shape) {
    CpuBackend backend;
    const Tensor values = arange<double>(1., 1. + static_cast<double>(element_count(shape, "data")));
    return backend.cast(backend.reshape_read(values, shape), dtype);
}

/// The forms of every row on `S`, a session or a backend.
template <class S>
class Rows {
public:
    Rows(S& s, std::string name, DType dtype)
        : s_(s), name_(std::move(name)), a_(counting(dtype, kShape)), b_(counting(dtype, kShape)) {}

    void sweep_all() {
        elementwise();
        joining();
        transfer();
        selection();
        rearrangement();
        slicing();
        windows();
        axes();
        regular();
    }

private:
    static Tensor own(const Tensor& a) {
        const Pause pause;
        return a.duplicate();
    }
    void check(const std::string& method, FunctionRef<void()> call, OpId op = OpId::Add) {
        SCOPED_TRACE(info(op).name);
        (void)sweep({name_ + "::" + method}, call);
    }
// The three forms of a row: owned operands, borrowed ones, what follows them.
#define TENFERRO_LIST(...) __VA_ARGS__
#define TENFERRO_SWEEP(method, owned, read, ...)                                                      \
    {                                                                                                 \
        Tensor out = s_.method##_read(TENFERRO_LIST read __VA_OPT__(, ) __VA_ARGS__);                 \
        check(#method, [&] { (void)s_.method(TENFERRO_LIST owned __VA_OPT__(, ) __VA_ARGS__); });     \
        check(#method "_read",                                                                        \
              [&] { (void)s_.method##_read(TENFERRO_LIST read __VA_OPT__(, ) __VA_ARGS__); });        \
        check(#method "_into",                                                                        \
              [&] { s_.method##_into(TENFERRO_LIST read __VA_OPT__(, ) __VA_ARGS__, out.write()); }); \
    }

    void elementwise() {
        for (const OpInfo& op : kOps) {
            if (!op.dtypes.contains(a_.dtype())) continue;
            const std::size_t operands = elementwise_operands(op.id);
            if (op.id == OpId::Convert || op.id == OpId::Cast || operands == 0 || operands == 3) continue;
            if (operands == 1) {
                Tensor out = s_.elementwise_read(op.id, a_);
                check(
                    "elementwise", [&] { (void)s_.elementwise(op.id, own(a_)); }, op.id);
                check(
                    "elementwise_read", [&] { (void)s_.elementwise_read(op.id, a_); }, op.id);
                check(
                    "elementwise_into", [&] { s_.elementwise_into(op.id, a_, out.write()); }, op.id);
            } else {
                Tensor out = s_.elementwise_read(op.id, a_, b_);
                check(
                    "elementwise", [&] { (void)s_.elementwise(op.id, own(a_), own(b_)); }, op.id);
                check(
                    "elementwise_read", [&] { (void)s_.elementwise_read(op.id, a_, b_); }, op.id);
                check(
                    "elementwise_into", [&] { s_.elementwise_into(op.id, a_, b_, out.write()); }, op.id);
            }
        }
        const ElementwiseFusionPlan plan({a_.dtype(), a_.dtype()},
                                         {{OpId::Add, {0, 1}, a_.dtype()}, {OpId::Mul, {2, 1}, a_.dtype()}},
                                         {3});
        if constexpr (std::is_same_v<S, BackendSession>) {
            const TensorRead inputs[] = {a_, b_};
            Tensor out = Tensor::zeros(a_.dtype(), kShape);
            const TensorWrite outs[] = {out.write()};
            check("execute_elementwise_fusion", [&] { (void)s_.execute_elementwise_fusion(plan, inputs); });
            check("execute_elementwise_fusion_into",
                  [&] { (void)s_.execute_elementwise_fusion_into(plan, inputs, outs); });
            MatrixPlan matrices(a_.dtype(), Dims{});
            if (a_.dtype() == DType::F64 || a_.dtype() == DType::F32) {
                const auto value = *matrices.input({2, 2});
                matrices.set_outputs({*matrices.multiply({value, value, false, false, false})});
                const Tensor square = Tensor::zeros(a_.dtype(), {2, 2});
                Tensor result = Tensor::zeros(a_.dtype(), {2, 2});
                const TensorRead operand[] = {square};
                const TensorWrite results[] = {result.write()};
                check("execute_matrix_plan_into",
                      [&] { (void)s_.execute_matrix_plan_into(matrices, operand, results); });
            }
            check("run_concurrently", [&] {
                s_.run_concurrently(3,
                                    [&](Index, BackendSession& session) { (void)session.add_read(a_, b_); });
            });
        }
    }
    void joining() {
        const TensorRead views[] = {a_, b_, a_};
        Dims shape = kShape;
        shape[0] = 6;
        Tensor out = Tensor::zeros(a_.dtype(), shape);
        check("concatenate", [&] {
            std::vector<Tensor> parts;
            {
                const Pause pause;
                for (const TensorRead& view : views) parts.push_back(Tensor::copy_of(view));
            }
            (void)s_.concatenate(std::move(parts), 0);
        });
        check("concatenate_read", [&] { (void)s_.concatenate_read(views, 0); });
        check("concatenate_into", [&] { s_.concatenate_into(views, 0, out.write()); });
    }
    void transfer() {
        check("upload_host_tensor", [&] { (void)s_.upload_host_tensor(own(a_)); });
        check("upload_host_tensor_read", [&] { (void)s_.upload_host_tensor_read(a_); });
        check("download_to_host", [&] { (void)s_.download_to_host(own(a_)); });
        check("download_to_host_read", [&] { (void)s_.download_to_host_read(a_); });
        check("empty", [&] { (void)s_.empty(DType::F32, kShape); });
        check("zeros", [&] { (void)s_.zeros(DType::F32, kShape); });
        Tensor wide = Tensor::zeros(DType::C64, kShape), narrow = Tensor::zeros(DType::F32, kShape);
        check("convert", [&] { (void)s_.convert(own(a_), DType::C64); });
        check("convert_read", [&] { (void)s_.convert_read(a_, DType::C64); });
        check("convert_into", [&] { s_.convert_into(a_, wide.write()); });
        check("cast", [&] { (void)s_.cast(own(a_), DType::F32); });
        check("cast_read", [&] { (void)s_.cast_read(a_, DType::F32); });
        check("cast_into", [&] { s_.cast_into(a_, narrow.write()); });
        for (const OpId op : {OpId::ReduceSum, OpId::ReduceProd, OpId::ReduceMax, OpId::ReduceMin}) {
            Tensor out = s_.reduce_read(op, a_, kReversed);
            check(
                "reduce_read", [&] { (void)s_.reduce_read(op, a_, kReversed); }, op);
            check(
                "reduce_into", [&] { s_.reduce_into(op, a_, kReversed, out.write()); }, op);
        }
    }
    void selection() {
        const Tensor predicate = Tensor::zeros(DType::Bool, kShape);
        TENFERRO_SWEEP(select, (own(predicate), own(a_), own(b_)), (predicate, a_, b_));
        TENFERRO_SWEEP(clamp, (own(a_), own(b_), own(a_)), (a_, b_, a_));
        DotGeneralConfig some{{0, 1}, {1, 0}, {2, 3, 4, 5, 6, 7, 8, 9}, {2, 3, 4, 5, 6, 7, 8, 9}};
        TENFERRO_SWEEP(dot_general, (own(a_), own(b_)), (a_, b_), some);
        const DotGeneralConfig all{kReversed, kReversed, {}, {}}, none{};
        TENFERRO_SWEEP(dot_general, (own(a_), own(b_)), (a_, b_), all);
        TENFERRO_SWEEP(dot_general, (own(a_), own(b_)), (a_, b_), none);
        Dims order;
        for (Index axis = 20; axis-- > 0;) order.push_back(axis);
        check("dot_general_permuted_read", [&] { (void)s_.dot_general_permuted_read(a_, b_, none, order); });
        const Tensor large = counting(a_.dtype(), {96, 96});
        const DotGeneralConfig product{{1}, {0}, {}, {}};
        TENFERRO_SWEEP(dot_general, (own(large), own(large)), (large, large), product);
        if constexpr (std::is_same_v<S, BackendSession>) {
            Tensor square = s_.dot_general_read(large, large, product);
            check("dot_general_planned_into",
                  [&] { s_.dot_general_planned_into(large, large, product, square.write()); });
        }
    }
    void rearrangement() {
        Dims wide = kShape;
        wide[3] = 3;
        TENFERRO_SWEEP(transpose, (own(a_)), (a_), kReversed);
        TENFERRO_SWEEP(reshape, (own(a_)), (a_), Dims({1, 1, 1, 1, 1, 1, 1, 1, 4, 2}));
        TENFERRO_SWEEP(broadcast_in_dim, (own(a_)), (a_), wide, Dims({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
        TENFERRO_SWEEP(extract_diagonal, (own(a_)), (a_), 0, 1);
        TENFERRO_SWEEP(to_contiguous, (own(a_)), (a_));
    }
    void slicing() {
        const Tensor starts = Tensor::zeros(DType::I64, {10}), value = Tensor::zeros(a_.dtype(), {});
        Dims first = kStarts;
        first[0] = 1;
        const PadConfig padding{first, first, first};
        const Tensor part = counting(a_.dtype(), kSmall);
        TENFERRO_SWEEP(slice, (own(a_)), (a_), kStarts, kShape, kSmall);
        TENFERRO_SWEEP(dynamic_slice, (own(a_), own(starts)), (a_, starts), kSmall);
        TENFERRO_SWEEP(dynamic_update_slice, (own(a_), own(part), own(starts)), (a_, part, starts));
        TENFERRO_SWEEP(pad, (own(a_), own(value)), (a_, value), padding);
    }
    void windows() {
        const Tensor indices = Tensor::zeros(DType::I64, {2, 1});
        Dims window = kShape, offsets{1, 2, 3, 4, 5, 6, 7, 8, 9};
        window[0] = 1;
        const GatherConfig gathered{offsets, {0}, {0}, 1, window};
        const ScatterConfig scattered{offsets, {0}, {0}, 1};
        const Tensor updates = s_.gather_read(a_, indices, gathered);
        TENFERRO_SWEEP(gather, (own(a_), own(indices)), (a_, indices), gathered);
        TENFERRO_SWEEP(scatter, (own(a_), own(indices), own(updates)), (a_, indices, updates), scattered);
        TENFERRO_SWEEP(scatter_add, (own(a_), own(indices), own(updates)), (a_, indices, updates), scattered);
    }
    void axes() {
        TENFERRO_SWEEP(argmax, (own(a_)), (a_), 9);
        TENFERRO_SWEEP(argmin, (own(a_)), (a_), 0);
    }
// Regular rows: all operands are a_.
#define TENFERRO_OWN(a) own(a_)
#define TENFERRO_VIEW(a) a_
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                        \
    {                                                                                                 \
        auto drawn = swept_parameters(a_.rank());                                                     \
        TENFERRO_LINES(TENFERRO_DRAWN, parameters)                                                    \
        TENFERRO_SWEEP(method, (TENFERRO_EACH(TENFERRO_OWN, operands))TENFERRO_ARGUMENTS(parameters), \
                       (TENFERRO_EACH(TENFERRO_VIEW, operands))TENFERRO_ARGUMENTS(parameters))        \
    }
    void regular(){TENFERRO_REGULAR_OPS(TENFERRO_ROW)}
#undef TENFERRO_ROW
#undef TENFERRO_SWEEP
#undef TENFERRO_LIST

    S& s_;
    std::string name_;
    const Tensor a_, b_;
};

template <class Backend>
void sweep_backend(Backend& backend) {
    Rows<TensorBackend>(backend, "TensorBackend", DType::F64).sweep_all();
    backend.with_backend_session([&](BackendSession& session) {
        Rows<BackendSession>(session, "BackendSession", DType::F64).sweep_all();
    });
}

TEST(Operations, OnTheCpu) {
    CpuBackend backend(CpuOptions{.threads = 1});
    sweep_backend(backend);
}

/// Of more axes than lists keep in place: across the output, and repeating elements in another order.
TEST(Operations, OnOperandsThatAreMovedFirst) {
    CpuBackend backend(CpuOptions{.threads = 1});
    const Dims shape{3, 5, 2, 2, 2, 2, 2, 2, 2, 40};
    Dims turned = shape;
    std::reverse(turned.begin(), turned.end());
    Dims across = column_major_strides(turned);
    std::reverse(across.begin(), across.end());
    Dims repeated = across;
    repeated[0] = 0;
    const Tensor a = Tensor::zeros(DType::F64, shape), b = Tensor::zeros(DType::F64, turned);
    Tensor out = Tensor::zeros(DType::F64, shape);
    const ElementwiseFusionPlan plan({DType::F64, DType::F64},
                                     {{OpId::Add, {0, 1}, DType::F64}, {OpId::Mul, {2, 1}, DType::F64}}, {3});
    for (const Dims& strides : {across, repeated}) {
        const TensorRead inputs[] = {a, TensorRead(DType::F64, b.data(), shape, strides)};
        for (const OpId op : {OpId::Add, OpId::Maximum})
            sweep_of(4, {"TensorBackend::elementwise_into"},
                     [&] { backend.elementwise_into(op, inputs[0], inputs[1], out.write()); });
        const TensorWrite outs[] = {out.write()};
        backend.with_backend_session([&](BackendSession& session) {
            sweep_of(4, {"BackendSession::execute_elementwise_fusion_into"},
                     [&] { (void)session.execute_elementwise_fusion_into(plan, inputs, outs); });
        });
    }
}

TEST(Operations, OnTheReference) {
    ReferenceBackend backend;
    sweep_backend(backend);
}

/// The steps of a plan on small matrices; what it tells needs no memory.
TEST(Operations, PlansOfMatrices) {
    sweep_of(
        6,
        {"MatrixPlan::MatrixPlan", "MatrixPlan::add", "MatrixPlan::input", "MatrixPlan::select",
         "MatrixPlan::transpose", "MatrixPlan::multiply", "MatrixPlan::combine", "MatrixPlan::substitute",
         "MatrixPlan::divide", "MatrixPlan::add_input", "MatrixPlan::index_input", "MatrixPlan::permute",
         "MatrixPlan::drop_unused_inputs"},
        [] {
            MatrixPlan plan(DType::F64, Dims(9, 1));
            const auto a = *plan.input({2, 2}), s = *plan.input({2, 1, 1});
            const auto b = *plan.transpose(*plan.multiply({a, a, false, false, false}));
            const auto x = *plan.substitute({a, *plan.combine(OpId::Add, a, b), true, true, false, false});
            (void)plan.permute({*plan.divide({x, s, 1, 0, 0, 0}), *plan.index_input({2, 1, 1}),
                                *plan.index_input({1, 1, 0}), false});
            plan.drop_unused_inputs();
        });
    MatrixPlan plan(DType::F64, Dims{2});
    const Dims shape{3, 2};
    const auto a = *plan.input({3, 1, 1});
    without_memory({"MatrixPlan::extents_in_batch", "MatrixPlan::is_worth", "MatrixPlan::are_numbers",
                    "MatrixPlan::shrink"},
                   [&] {
                       (void)plan.extents_in_batch(shape);
                       plan.shrink(a);
                   });
}

TEST(Operations, OfBool) {
    CpuBackend backend(CpuOptions{.threads = 1});
    const Tensor a = Tensor::zeros(DType::Bool, kShape);
    for (const OpId op : {OpId::ReduceAny, OpId::ReduceAll})
        (void)sweep({"TensorBackend::reduce_read"}, [&] { (void)backend.reduce_read(op, a, kReversed); });
}

TEST(Operations, AndTheirErrors) {
    CpuBackend backend(CpuOptions{.threads = 1});
    const Tensor a = counting(DType::F64, kShape), b = counting(DType::F64, {3});
    // The text of the error takes memory: without, it is OutOfMemory or cut, and never anything else.
    for (long countdown = 1;; ++countdown) {
        fault_arm(countdown, 0, 1);
        ErrorKind kind = ErrorKind::Cancelled;
        try {
            (void)backend.add_read(a, b);
        } catch (const Error& error) {
            kind = error.kind();
        } catch (...) {
        }
        const bool failed = fault_disarm() != 0;
        EXPECT_TRUE(kind == ErrorKind::OutOfMemory || kind == ErrorKind::ShapeMismatch ||
                    kind == ErrorKind::RankMismatch)
            << countdown;
        if (!failed) break;
    }
}

}}  // namespace tenferro::faults
