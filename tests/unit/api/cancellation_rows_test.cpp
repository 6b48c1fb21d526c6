// Every row of the operation table can be cancelled while it computes, on both backends, whatever its work
// lies along: one long line, few of them, many short ones. It looks as often as the work is large, so that a
// larger operand does not take longer to stop. What is counted is how often it looks, which does not depend
// on the machine; a row without a case fails.
#include <gtest/gtest.h>

#include <set>

#include "support/regular_rows.hpp"
#include "support/sanitized.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { namespace {

/// Runs every row on operands of `elements` elements, each under a token that is counted and one that
/// cancels.
class Rows {
public:
    /// `least`: how often a call on the lines of `elements` must look.
    Rows(TensorBackend& backend, Index elements, int least)
        : backend_(backend), elements_(elements), least_(least) {}

    void run_all() {
        const Index few = 4, many = elements_ / few, side = many / few;
        for (const Dims& shape : {Dims{elements_}, Dims{many, few}, Dims{few, many}, Dims{side, few, few}}) {
            SCOPED_TRACE(testing::PrintToString(std::vector<Index>(shape.begin(), shape.end())));
            shape_ = shape;
            for (const OpInfo& row : kOps) {
                std::vector<DType> dtypes;
                for (const DType dtype : {DType::F64, DType::C64, DType::I64, DType::Bool, DType::F32})
                    if (row.dtypes.contains(dtype)) dtypes.push_back(dtype);
                // Under sanitizers each shape has one of them.
                const std::size_t one = (static_cast<std::size_t>(row.id) + shape.size()) % dtypes.size();
                for (std::size_t i = 0; i < dtypes.size(); ++i)
                    if (!test::kSanitized || i == one) run(row.id, dtypes[i]);
            }
        }
        for (const OpInfo& row : kOps) EXPECT_TRUE(met_.contains(row.id)) << row.name << " has no case";
    }

private:
    Tensor numbers(DType dtype, DimsView shape) {
        std::vector<double> values(static_cast<std::size_t>(element_count(shape, "test")));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<double>(i * 2654435761U % 1024) / 512 + 1;
        return backend_.cast(Tensor::from_data<double>(values, shape), dtype);
    }

    /// Calls `operation` on a session, under a token that is asked.
    template <class Operation>
    int asked(const Operation& operation, int stop) {
        int count = 0;
        const auto token = CancellationToken::asking([&] { return ++count == stop; });
        const CancellationScope scope(token, "test");
        backend_.with_backend_session([&](BackendSession& session) { (void)operation(session); });
        return count;
    }

    template <class Operation>
    void check(OpId op, const Operation& operation) {
        met_.insert(op);
        const int count = asked(operation, 0);
        EXPECT_GE(count, least_) << "looks too rarely to end soon";
        if (count < least_) return;
        try {
            (void)asked(operation, count / 2);
            ADD_FAILURE() << "is not cancelled";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Cancelled) << error.what();
        }
    }

    void run(OpId op, DType dtype) {
        SCOPED_TRACE(testing::Message() << info(op).name << " " << info(dtype).name);
        const Tensor a = numbers(dtype, shape_);
        if (elementwise_operands(op) == 0)
            of_structure(op, a);
        else if (op == OpId::Convert || op == OpId::Cast)
            check(op, [&](BackendSession& s) { return s.cast_read(a, DType::C32); });
        else if (op == OpId::Select)
            check(op, [&, on = numbers(DType::Bool, shape_)](BackendSession& s) {
                return s.select_read(on, a, a);
            });
        else if (op == OpId::Clamp)
            check(op, [&](BackendSession& s) { return s.clamp_read(a, a, a); });
        else if (elementwise_operands(op) == 1)
            check(op, [&](BackendSession& s) { return s.elementwise_read(op, a); });
        else
            check(op, [&](BackendSession& s) { return s.elementwise_read(op, a, a); });
    }

    void of_structure(OpId op, const Tensor& a) {
        const Index rank = static_cast<Index>(a.rank());
        Dims axes, reversed;
        for (Index axis = 0; axis < rank; ++axis) axes.push_back(axis), reversed.insert(0, axis);
        switch (op) {
            case OpId::DotGeneral: return of_contraction(a);
            case OpId::Transpose:
                return check(op, [&](BackendSession& s) { return s.transpose_read(a, reversed); });
            case OpId::Reshape:
                return check(op, [&](BackendSession& s) { return s.reshape_read(a, {a.size()}); });
            case OpId::BroadcastInDim:
                return check(
                    op, [&, x = a.read().slice_view(Dims(a.rank(), 0), Dims(a.rank(), 1), Dims(a.rank(), 1))](
                            BackendSession& s) { return s.broadcast_in_dim_read(x, a.shape(), axes); });
            case OpId::ToContiguous:
                return check(op, [&](BackendSession& s) { return s.to_contiguous_read(a); });
            case OpId::Slice:
                return check(op, [&](BackendSession& s) {
                    return s.slice_read(a, Dims(a.rank(), 0), a.shape(), Dims(a.rank(), 1));
                });
            case OpId::Pad:
                return check(op, [&, value = numbers(a.dtype(), {})](BackendSession& s) {
                    return s.pad_read(a, value, {Dims(a.rank(), 1), Dims(a.rank(), 1), Dims(a.rank(), 1)});
                });
            case OpId::Concatenate:
                return check(op, [&](BackendSession& s) {
                    return s.concatenate_read(std::vector<TensorRead>{a, a}, rank - 1);
                });
            case OpId::Argmax:
            case OpId::Argmin:
                for (const Index axis : axes)
                    check(op, [&](BackendSession& s) {
                        return op == OpId::Argmax ? s.argmax_read(a, axis) : s.argmin_read(a, axis);
                    });
                return;
            default:
                of_matrices(op, a.dtype());
                of_windows(op, a);
                of_regular_rows(op, a);
                if (info(op).name.starts_with("reduce_")) of_reduction(op, a, axes);
        }
    }

    /// Every non-empty set of axes.
    void of_reduction(OpId op, const Tensor& a, const Dims& axes) {
        for (unsigned set = 1; set < 1U << axes.size(); ++set) {
            Dims reduced;
            for (const Index axis : axes)
                if (set >> axis & 1U) reduced.push_back(axis);
            check(op, [&](BackendSession& s) { return s.reduce_read(op, a, reduced); });
        }
    }

    /// Each axis in turn is summed over, with the others as a batch and as rows. A multiply-add is little
    /// work, so that there are more.
    void of_contraction(const Tensor& one) {
        Dims larger = one.shape();
        larger[0] *= 8;
        const Tensor a = numbers(one.dtype(), larger);
        for (Index axis = 0; axis < static_cast<Index>(a.rank()); ++axis) {
            Dims batch;
            for (Index other = 0; other < static_cast<Index>(a.rank()); ++other)
                if (other != axis) batch.push_back(other);
            check(OpId::DotGeneral, [&, config = DotGeneralConfig{{axis}, {axis}, batch, batch}](
                                        BackendSession& s) { return s.dot_general_read(a, a, config); });
            const Index extent = a.shape()[axis];
            const Tensor few = numbers(a.dtype(), {3, extent});
            check(OpId::DotGeneral, [&, config = DotGeneralConfig{{axis}, {1}, {}, {}}](BackendSession& s) {
                return s.dot_general_read(a, few, config);
            });
        }
    }

    void of_matrices(OpId op, DType dtype) {
        Index side = 1;
        while (side * side < elements_) side *= 2;
        const Tensor line = numbers(dtype, {side});
        const TensorRead squares(dtype, line.data(), {side, side, side}, {0, 0, 1});
        switch (op) {
            case OpId::EmbedDiagonal:
                return check(op, [&](BackendSession& s) { return s.embed_diagonal_read(line, 0, 1); });
            case OpId::ExtractDiagonal:
                return check(op, [&](BackendSession& s) { return s.extract_diagonal_read(squares, 0, 1); });
            default: return;
        }
    }

    /// Many small windows along the last axis, and one that is nearly all.
    void of_windows(OpId op, const Tensor& a) {
        const Index last = static_cast<Index>(a.rank()) - 1, extent = a.shape()[last];
        const Tensor starts = Tensor::zeros(DType::I64, {static_cast<Index>(a.rank())});
        switch (op) {
            case OpId::DynamicSlice:
                return check(op,
                             [&](BackendSession& s) { return s.dynamic_slice_read(a, starts, a.shape()); });
            case OpId::DynamicUpdateSlice:
                return check(op,
                             [&](BackendSession& s) { return s.dynamic_update_slice_read(a, a, starts); });
            case OpId::Gather:
            case OpId::Scatter:
            case OpId::ScatterAdd: break;
            default: return;
        }
        for (const Index count : {Index{1}, extent}) {
            Dims window = a.shape(), offsets, collapsed;
            if (count > 1) window[last] = 1, collapsed.push_back(last);
            for (Index axis = 0; axis <= last; ++axis)
                if (count == 1 || axis != last) offsets.push_back(axis);
            Dims shape;
            for (const Index axis : offsets) shape.push_back(window[axis]);
            if (count > 1) shape.push_back(count);
            std::vector<std::int64_t> places(static_cast<std::size_t>(count));
            for (std::size_t i = 0; i < places.size(); ++i)
                places[i] = static_cast<std::int64_t>(i * 7919 % places.size());
            const Tensor indices = count == 1 ? Tensor::from_data<std::int64_t>(places, {1})
                                              : Tensor::from_data<std::int64_t>(places, {count, 1});
            const Index vector_dim = count == 1 ? 0 : 1;
            const GatherConfig gather{offsets, collapsed, {last}, vector_dim, window};
            const ScatterConfig scatter{offsets, collapsed, {last}, vector_dim};
            const Tensor updates = numbers(a.dtype(), shape);
            SCOPED_TRACE(testing::Message() << count << " windows");
            if (op == OpId::Gather)
                check(op, [&](BackendSession& s) { return s.gather_read(a, indices, gather); });
            else
                check(op, [&](BackendSession& s) {
                    return op == OpId::Scatter ? s.scatter_read(a, indices, updates, scatter)
                                               : s.scatter_add_read(a, indices, updates, scatter);
                });
        }
    }

    /// Parameters are drawn as each axis in turn, those that may be negative as 1.
    void of_regular_rows(OpId op, const Tensor& a) {
        if (op == OpId::EmbedDiagonal) return;  // its result is larger, see of_matrices
        for (Index turn = 0; turn < static_cast<Index>(a.rank()); ++turn) {
            test::RegularParameters drawn(
                a.rank(), [&](Index low, Index high) { return low < 0 ? 1 : std::min(turn, high); });
            switch (op) {
#define TENFERRO_VIEW(operand) a
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                             \
    case OpId::Name: {                                                                                     \
        if (a.rank() < TENFERRO_LEAST_RANK(parameters)) break;                                             \
        TENFERRO_LINES(TENFERRO_DRAWN, parameters)                                                         \
        check(op, [&](BackendSession& s) {                                                                 \
            return s.method##_read(TENFERRO_EACH(TENFERRO_VIEW, operands) TENFERRO_ARGUMENTS(parameters)); \
        });                                                                                                \
        break;                                                                                             \
    }
                TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
                default: return;
            }
        }
    }

    TensorBackend& backend_;
    const Index elements_;
    const int least_;
    Dims shape_;
    std::set<OpId> met_;
};

TEST(EveryRow, CanBeCancelledOnTheCpu) {
    CpuBackend backend(CpuOptions{.threads = 1});
    for (const bool small_caches : {true, false}) {
        SCOPED_TRACE(small_caches ? "caches as small as they are taken to be" : "large caches");
        backend.set_stream_bytes(small_caches ? Index{1} << 20 : Index{1} << 40);
        Rows(backend, 3 << 16, 4).run_all();
    }
}

TEST(EveryRow, CanBeCancelledOnTheReference) {
    ReferenceBackend backend;
    Rows(backend, 3 << 10, 4).run_all();
}

}}  // namespace tenferro
