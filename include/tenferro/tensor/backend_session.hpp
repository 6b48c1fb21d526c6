// BackendSession, the scoped, single-threaded half of the backend protocol, on which programs run.
// Its methods check their arguments, infer the result and call the private virtual function of the
// operation's name, which a backend implements: src/tensor/operations has one file per family.
#pragma once

#include <new>
#include <optional>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/tensor/backend_info.hpp"
#include "tenferro/tensor/fusion_plan.hpp"
#include "tenferro/tensor/operation_methods.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API BackendSession {
public:
    BackendSession(const BackendSession&) = delete;
    BackendSession& operator=(const BackendSession&) = delete;

    using Extents = DimsView;
    TENFERRO_OPERATION_METHODS

    [[nodiscard]] const BackendInfo& backend_info() const noexcept { return info_; }

    /// The results of `plan` on inputs of one shape and any strides, computed in one pass over memory;
    /// nullopt where this backend has none for the plan: run it step by step then. Throws InvalidArgument,
    /// DTypeMismatch or ShapeMismatch when the inputs are not the plan's.
    std::optional<std::vector<Tensor>> execute_elementwise_fusion(const ElementwiseFusionPlan& plan,
                                                                  std::span<const TensorRead> inputs);
    /// The same into `outs`; each may be exactly an input of its element size, else overlaps none. False:
    /// nothing is written.
    [[nodiscard]] bool execute_elementwise_fusion_into(const ElementwiseFusionPlan& plan,
                                                       std::span<const TensorRead> inputs,
                                                       std::span<const TensorWrite> outs);

    /// How many tasks run_concurrently runs at once. The one given here, as the next: 1.
    [[nodiscard]] virtual Index concurrency() const noexcept;
    /// Calls task(i, session) once for each i in [0, count), each with a session of this backend that belongs
    /// to it, and returns when all are done. Operations inside a task use one thread. The first exception
    /// thrown by a task is rethrown here.
    virtual void run_concurrently(Index count, FunctionRef<void(Index, BackendSession&)> task);

protected:
    /// `info` must outlive the session.
    explicit BackendSession(const BackendInfo& info) noexcept : info_(info) {}
    virtual ~BackendSession();

private:
    // What operations of one family share, in the name of `op`.

    /// A compact copy of a view: the whole of most structural operations.
    Tensor copy_read(OpId op, const TensorRead& view);
    void copy_into(OpId op, const TensorRead& view, const TensorWrite& out);
    Tensor convert_as(OpId op, Tensor&& a, DType to);
    Tensor convert_as_read(OpId op, const TensorRead& a, DType to);
    void convert_as_into(OpId op, const TensorRead& a, const TensorWrite& out);
    Tensor arg_extreme_read(OpId op, const TensorRead& a, Index axis);
    void arg_extreme_into(OpId op, const TensorRead& a, Index axis, const TensorWrite& out);
    Tensor triangle_read(OpId op, const TensorRead& a, Index diagonal);
    void triangle_into(OpId op, const TensorRead& a, Index diagonal, const TensorWrite& out);
    Tensor scatter_as(OpId op, Tensor&& a, const TensorRead& indices, const TensorRead& updates,
                      const ScatterConfig& config);
    Tensor scatter_as_read(OpId op, const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                           const ScatterConfig& config);
    void scatter_as_into(OpId op, const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                         const ScatterConfig& config, const TensorWrite& out);

    /// The result of `op` or its workspace, from do_allocate; running out of memory is OutOfMemory in its
    /// name.
    Tensor allocate(std::string_view op, DType dtype, std::span<const Index> shape) {
        try {
            return do_allocate(dtype, shape);
        } catch (const std::bad_alloc&) {
            refuse_allocation(op, dtype, shape);
        }
    }
    [[noreturn]] static void refuse_allocation(std::string_view op, DType dtype,
                                               std::span<const Index> shape);

    // What a backend implements. Arguments are checked: shapes fit, dtypes agree and support the operation,
    // the memory is at the placement of the backend, `out` does not overlap an operand, all except where
    // stated.

    /// A compact column-major tensor with undefined elements. Throws std::bad_alloc where there is no memory.
    virtual Tensor do_allocate(DType dtype, std::span<const Index> shape) = 0;
    virtual void do_fill_zero(const TensorWrite& out) = 0;
    virtual void do_copy(const TensorRead& a, const TensorWrite& out) = 0;
    /// `out` may be exactly `a`.
    virtual void do_unary(OpId op, const TensorRead& a, const TensorWrite& out) = 0;
    /// `out` may be exactly `a` or `b`. Throws InvalidArgument before it writes where integers have no
    /// result.
    virtual void do_binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) = 0;
    /// `out` may be exactly `on_true` or `on_false`.
    virtual void do_select(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false,
                           const TensorWrite& out) = 0;
    /// `out` may be exactly an operand.
    virtual void do_clamp(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                          const TensorWrite& out) = 0;
    /// The cast to another dtype.
    virtual void do_convert(const TensorRead& a, const TensorWrite& out) = 0;
    /// A reduction of op_table.hpp; `out` has the kept axes in order.
    virtual void do_reduce(OpId op, const TensorRead& a, std::span<const Index> axes,
                           const TensorWrite& out) = 0;
    /// Argmax or Argmin over `axis`, which is not empty.
    virtual void do_arg_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out) = 0;
    virtual void do_gather(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                           const TensorWrite& out) = 0;
    /// Scatter or ScatterAdd: replaces elements of `out` by, or adds to them, windows of `updates`, where
    /// do_gather would read them and one window after the other; windows that are not inside are
    /// dropped.
    virtual void do_scatter(OpId op, const TensorRead& updates, const TensorRead& indices,
                            const GatherConfig& config, const TensorWrite& out) = 0;
    virtual void do_cumulative_sum(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out) = 0;
    virtual void do_softmax(const TensorRead& a, Index axis, const TensorWrite& out) = 0;
    virtual void do_sort(const TensorRead& a, Index axis, bool descending, const TensorWrite& out) = 0;
    /// The values of a vector of I32 or I64. The one given here is for memory that this process can read.
    virtual Dims do_index_values(const TensorRead& indices);
    virtual void do_dot_general(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                                const TensorWrite& out) = 0;
    /// Computes a plan in one pass and returns true, or returns false with nothing written, as the one given
    /// here does.
    virtual bool do_elementwise_fusion(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
                                       std::span<const TensorWrite> outs);
    /// Copies from main memory. The one given here is for backends on main memory.
    virtual void do_upload(const TensorRead& host, const TensorWrite& out);
    /// Copies to `host`, which is in main memory. The one given here is for backends on main memory.
    virtual void do_download(const TensorRead& a, const TensorWrite& host);

    const BackendInfo& info_;
};

}}  // namespace tenferro::TENFERRO_ABI
