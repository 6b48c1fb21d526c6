// Placement: what carries it, the errors of operations on tensors elsewhere, and the two functions that move
// tensors. The other place is a backend that claims a GPU; its memory is main memory marked otherwise, so
// that the test can look inside.
#include "tenferro/tensor/placement.hpp"

#include <gtest/gtest.h>

#include "reference/reference_session.hpp"
#include "support/expect_error.hpp"
#include "support/marked_memory.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro { namespace {

constexpr Placement kGpu{MemorySpace::GpuMemory, 1};
/// It computes exp in single precision only.
constexpr BackendInfo kFake{"fake", kGpu, Capabilities().with(OpId::Exp, DTypes{DType::F32, DType::Bool})};

using test::marked;

struct Moves {
    int up = 0, down = 0;
};

class FakeSession final : public reference::ReferenceSession {
public:
    explicit FakeSession(Moves& moves) : ReferenceSession(kFake), moves_(moves) {}

private:
    Buffer do_allocate(std::size_t bytes) override { return marked(allocate_buffer(bytes), kGpu); }
    void do_upload(const TensorRead& host, const TensorWrite& out) override {
        EXPECT_EQ(host.placement(), kMainMemory);
        EXPECT_EQ(out.placement(), kGpu);
        ++moves_.up;
        do_copy(host, out);
    }
    void do_download(const TensorRead& a, const TensorWrite& host) override {
        EXPECT_EQ(a.placement(), kGpu);
        EXPECT_EQ(host.placement(), kMainMemory);
        ++moves_.down;
        do_copy(a, host);
    }
    Moves& moves_;
};

class FakeBackend final : public TensorBackend {
public:
    FakeBackend() : TensorBackend(kFake) {}
    Moves moves;

private:
    void open_session(FunctionRef<void(BackendSession&)> body) override {
        FakeSession session(moves);
        body(session);
    }
};

Tensor numbers() { return Tensor::from_data<double>(std::vector<double>{1, 2, 3, 4, 5, 6}, Dims{2, 3}); }

TEST(Placement, IsCarriedByBuffersTensorsAndViews) {
    EXPECT_EQ(Tensor().placement(), kMainMemory);
    EXPECT_EQ(Tensor::zeros(DType::F64, Dims{2}).placement(), kMainMemory);
    Tensor a = marked(numbers(), kGpu);
    EXPECT_EQ(a.buffer().placement(), kGpu);
    EXPECT_EQ(a.write().placement(), kGpu);
    EXPECT_EQ(a.share().placement(), kGpu);
    const TensorRead& view = a.read();
    for (const TensorRead& derived :
         {view, view.transpose_view(Dims{1, 0}), view.broadcast_view(Dims{2, 3, 4}, Dims{0, 1}),
          view.select_view(0, 1), view.slice_view(Dims{0, 0}, Dims{1, 1}, Dims{1, 1}),
          view.reverse_view(Dims{0}), view.reshape_view(Dims{6}),
          view.transpose_view(Dims{1, 0}).reshape_view(Dims{3, 1, 2}),
          view.reshape_view(Dims{6}).broadcast_view(Dims{6, 6}, Dims{0}).diagonal_view(0, 1)})
        EXPECT_EQ(derived.placement(), kGpu) << list_text(derived.shape());
    EXPECT_ERROR((void)a.duplicate(), BackendFailure,
                 "duplicate: the tensor is on cuda:1 but only main memory");
}

TEST(Placement, OperationsElsewhereAreTypedErrorsWithAHint) {
    const auto cpu = CpuBackend::with_threads(1);
    FakeBackend gpu;
    const Tensor host = numbers(), away = marked(host, kGpu),
                 pinned = marked(host, {MemorySpace::PinnedMemory, 0});
    EXPECT_ERROR(
        (void)cpu->add_read(host, away), BackendFailure,
        "add: rhs is on cuda:1 but backend cpu computes on cpu:0; bring it there with download_to_host");
    EXPECT_ERROR(
        (void)gpu.add_read(away, host), BackendFailure,
        "add: rhs is on cpu:0 but backend fake computes on cuda:1; bring it there with upload_host_tensor");
    EXPECT_ERROR((void)gpu.neg_read(pinned), BackendFailure,
                 "neg: the operand is on cuda_host:0 but backend fake computes on cuda:1; bring it there "
                 "with download_to_host of "
                 "its backend and upload_host_tensor of this one");
    Tensor out = marked(Tensor::zeros(DType::F64, Dims{2, 3}), kGpu);
    EXPECT_ERROR(cpu->neg_into(host, out.write()), BackendFailure, "neg: out is on cuda:1");
    EXPECT_EQ(gpu.add_read(away, away).placement(), kGpu);
}

/// One call per operation family, each with one operand elsewhere.
TEST(Placement, EveryFamilyChecks) {
    const auto b = CpuBackend::with_threads(1);
    const Tensor x = numbers(), away = marked(x, kGpu), scalar = Tensor::zeros(DType::F64, Dims{});
    const Tensor mask = Tensor::zeros(DType::Bool, Dims{2, 3}), at = Tensor::zeros(DType::I64, Dims{2});
    const Tensor mask_away = marked(mask, kGpu), at_away = marked(at, kGpu),
                 scalar_away = marked(scalar, kGpu);
    const GatherConfig rows{{1}, {0}, {0}, 1, {1, 3}};
    const ScatterConfig to_rows{{1}, {0}, {0}, 1};
    const std::vector<TensorRead> parts{x, away};
#define EXPECT_MISPLACED(call, message) EXPECT_ERROR((void)b->call, BackendFailure, message " is on cuda:1")
    EXPECT_MISPLACED(exp_read(away), "exp: the operand");
    EXPECT_MISPLACED(select_read(mask_away, x, x), "select: predicate");
    EXPECT_MISPLACED(select_read(mask, x, away), "select: on_false");
    EXPECT_MISPLACED(clamp_read(x, x, away), "clamp: high");
    EXPECT_MISPLACED(convert_read(away, DType::C64), "convert: the operand");
    EXPECT_MISPLACED(cast(marked(x, kGpu), DType::F64), "cast: the operand");
    EXPECT_MISPLACED(dot_general_read(x, away, {{0}, {0}, {}, {}}), "dot_general: rhs");
    EXPECT_MISPLACED(transpose_read(away, Dims{1, 0}), "transpose: the operand");
    EXPECT_MISPLACED(reshape_read(away, Dims{6}), "reshape: the operand");
    EXPECT_MISPLACED(broadcast_in_dim_read(away, Dims{2, 3}, Dims{0, 1}), "broadcast_in_dim: the operand");
    EXPECT_MISPLACED(embed_diagonal_read(away, 0, 1), "embed_diagonal: the operand");
    EXPECT_MISPLACED(slice_read(away, Dims{0, 0}, Dims{1, 1}, Dims{1, 1}), "slice: the operand");
    EXPECT_MISPLACED(dynamic_slice_read(x, at_away, Dims{1, 1}), "dynamic_slice: starts");
    EXPECT_MISPLACED(dynamic_update_slice_read(x, away, at), "dynamic_update_slice: update");
    EXPECT_MISPLACED(reverse_read(away, Dims{0}), "reverse: the operand");
    EXPECT_MISPLACED(pad_read(x, scalar_away, {{0, 0}, {0, 0}, {0, 0}}), "pad: value");
    EXPECT_MISPLACED(concatenate_read(parts, 0), "concatenate: operand 1");
    EXPECT_MISPLACED(tril_read(away, 0), "tril: the operand");
    EXPECT_MISPLACED(gather_read(x, at_away, rows), "gather: indices");
    EXPECT_MISPLACED(scatter_read(x, at, away, to_rows), "scatter: updates");
    EXPECT_MISPLACED(scatter_add_read(away, at, x, to_rows), "scatter_add: the operand");
    EXPECT_MISPLACED(reduce_sum_read(away, Dims{0}), "reduce_sum: the operand");
    EXPECT_MISPLACED(argmax_read(away, 0), "argmax: the operand");
    EXPECT_MISPLACED(cumulative_sum_read(away, 0, false), "cumulative_sum: the operand");
    EXPECT_MISPLACED(softmax_read(away, 0), "softmax: the operand");
    EXPECT_MISPLACED(sort_read(away, 0, false), "sort: the operand");
    EXPECT_MISPLACED(to_contiguous_read(away), "to_contiguous: the operand");
#undef EXPECT_MISPLACED
}

TEST(Placement, TensorsMoveByUploadAndDownload) {
    FakeBackend gpu;
    const Tensor host = numbers();
    const Tensor up = gpu.upload_host_tensor_read(host.read().transpose_view(Dims{1, 0}));
    EXPECT_EQ(up.placement(), kGpu);
    EXPECT_EQ(up.shape(), (Dims{3, 2}));
    EXPECT_EQ(gpu.moves.up, 1);
    const Tensor down = gpu.download_to_host(gpu.neg_read(up));
    EXPECT_EQ(down.placement(), kMainMemory);
    EXPECT_EQ(gpu.moves.down, 1);
    const std::vector<double> expected{-1, -3, -5, -2, -4, -6};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(down.data_as<double>()[i], expected[i]);
    EXPECT_ERROR((void)gpu.upload_host_tensor_read(up), BackendFailure,
                 "upload_host_tensor: the operand is on cuda:1");
    EXPECT_ERROR((void)gpu.download_to_host_read(numbers()), BackendFailure,
                 "download_to_host: the operand is on cpu:0 but backend fake computes on cuda:1");
}

TEST(Placement, OnMainMemoryOwnedTensorsStayAndViewsAreCopied) {
    const auto cpu = CpuBackend::with_threads(1);
    Tensor a = numbers();
    const void* memory = a.data();
    a = cpu->download_to_host(cpu->upload_host_tensor(std::move(a)));
    EXPECT_EQ(a.data(), memory);
    EXPECT_NE(cpu->upload_host_tensor_read(a).data(), memory);
    const Tensor copy = cpu->download_to_host_read(a.read().transpose_view(Dims{1, 0}));
    EXPECT_TRUE(copy.is_compact());
    EXPECT_EQ(copy.data_as<double>()[1], 3);
    EXPECT_ERROR((void)cpu->download_to_host_read(marked(a, kGpu)), BackendFailure,
                 "download_to_host: the operand is on cuda:1");
}

TEST(Capability, IsTheTableLessWhatABackendLeavesOut) {
    FakeBackend gpu;
    const auto cpu = CpuBackend::with_threads(1);
    for (const OpInfo& op : kOps)
        for (const DTypeInfo& dtype : kDTypes) {
            const bool defined = op.dtypes.contains(dtype.dtype);
            EXPECT_EQ(cpu->capability(op.id, dtype.dtype) == Capability::Native, defined) << op.name;
            const bool left_out = op.id == OpId::Exp && dtype.dtype != DType::F32;
            EXPECT_EQ(gpu.capability(op.id, dtype.dtype) == Capability::Native, defined && !left_out)
                << op.name;
        }
    const Tensor wide = gpu.upload_host_tensor_read(numbers()), mask = gpu.zeros(DType::Bool, Dims{2});
    EXPECT_ERROR((void)gpu.exp_read(wide), Unsupported, "exp: dtype f64 is not supported by backend fake");
    EXPECT_ERROR((void)gpu.neg_read(mask), Unsupported, "neg: dtype bool is not supported");
    EXPECT_EQ(gpu.exp_read(gpu.zeros(DType::F32, Dims{2})).size(), 2);
}

}}  // namespace tenferro
