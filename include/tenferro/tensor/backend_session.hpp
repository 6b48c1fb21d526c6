// BackendSession, the scoped, single-threaded half of the backend protocol, on which programs run.
// Its methods check their arguments, infer the result and call the private virtual function of the
// operation's name, which a backend implements: src/tensor/operations has one file per family.
#pragma once

#include <new>
#include <optional>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/tensor/backend_info.hpp"
#include "tenferro/tensor/fusion_plan.hpp"
#include "tenferro/tensor/matrix_plan.hpp"
#include "tenferro/tensor/operation_methods.hpp"

// What every backend implements besides the kernels of regular operations: kernel(result, name,
// (parameters)). Arguments are checked: shapes fit, dtypes agree and support the operation, the memory is at
// the placement of the backend, `out` does not overlap an operand, all except where stated.
// clang-format off
#define TENFERRO_KERNELS(kernel) \
    /* So many bytes at the placement of the backend, aligned for every dtype, with undefined contents; 0 */ \
    /* are fine. Throws std::bad_alloc where there are none. */ \
    kernel(Buffer, allocate, (std::size_t bytes)) \
    kernel(void, fill_zero, (const TensorWrite& out)) \
    kernel(void, copy, (const TensorRead& a, const TensorWrite& out)) \
    /* `out` may be exactly `a`. */ \
    kernel(void, unary, (OpId op, const TensorRead& a, const TensorWrite& out)) \
    /* `out` may be exactly `a` or `b`. Throws InvalidArgument before it writes where integers have no */ \
    /* result. */ \
    kernel(void, binary, (OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out)) \
    /* `out` may be exactly `on_true` or `on_false`. */ \
    kernel(void, select, \
           (const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false, \
            const TensorWrite& out)) \
    /* `out` may be exactly an operand. */ \
    kernel(void, clamp, \
           (const TensorRead& low, const TensorRead& x, const TensorRead& high, const TensorWrite& out)) \
    /* The cast to another dtype. */ \
    kernel(void, convert, (const TensorRead& a, const TensorWrite& out)) \
    /* A reduction of op_table.hpp; `out` has the kept axes in order. */ \
    kernel(void, reduce, \
           (OpId op, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out)) \
    /* Argmax or Argmin over `axis`, which is not empty. */ \
    kernel(void, arg_extreme, (OpId op, const TensorRead& a, Index axis, const TensorWrite& out)) \
    kernel(void, gather, \
           (const TensorRead& a, const TensorRead& indices, const GatherConfig& config, \
            const TensorWrite& out)) \
    /* Scatter or ScatterAdd: replaces elements of `out` by, or adds to them, windows of `updates`, where */ \
    /* do_gather would read them and one window after the other; windows that are not inside are */ \
    /* dropped. */ \
    kernel(void, scatter, \
           (OpId op, const TensorRead& updates, const TensorRead& indices, \
            const GatherConfig& config, const TensorWrite& out)) \
    kernel(void, dot_general, \
           (const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config, \
            const TensorWrite& out))

#define TENFERRO_KERNEL(result, name, parameters) virtual result do_##name parameters = 0;
#define TENFERRO_OVERRIDE(result, name, parameters) result do_##name parameters override;
#define TENFERRO_FUNCTION_ROW(method, operands, parameters) \
    void do_##method(TENFERRO_EACH(TENFERRO_READ, operands) TENFERRO_PARAMETERS(parameters), \
                     const TensorWrite& out)
#define TENFERRO_KERNEL_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    virtual TENFERRO_FUNCTION_ROW(method, operands, parameters) = 0;
#define TENFERRO_OVERRIDE_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    TENFERRO_FUNCTION_ROW(method, operands, parameters) override;
#define TENFERRO_COMPOSED_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    TENFERRO_FUNCTION_ROW(method, operands, parameters);
// clang-format on

/// Declares, in a session of a backend, all of them.
#define TENFERRO_KERNEL_OVERRIDES       \
    TENFERRO_KERNELS(TENFERRO_OVERRIDE) \
    TENFERRO_KERNEL_OPS(TENFERRO_OVERRIDE_ROW)

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
    /// The outputs of `plan` on inputs of any strides into `outs`, which overlap nothing. False where this
    /// backend has no way to compute it or leaves these numbers to the operations, which have their errors
    /// and scale what is very large or small: the elements of `outs` are then undefined. Throws
    /// InvalidArgument, DTypeMismatch or ShapeMismatch when the inputs are not the plan's.
    [[nodiscard]] bool execute_matrix_plan_into(const MatrixPlan& plan, std::span<const TensorRead> inputs,
                                                std::span<const TensorWrite> outs);

    /// dot_general_into where a plan has checked what depends on extents: the configuration fits the shapes
    /// of operands and result, and `out` overlaps neither operand. Throws BackendFailure, DTypeMismatch,
    /// Unsupported.
    void dot_general_planned_into(const TensorRead& lhs, const TensorRead& rhs,
                                  const DotGeneralConfig& config, const TensorWrite& out);

    /// A compact column-major tensor of layout.shape with undefined elements, of a layout that a plan has
    /// worked out. In the name of `op`, InvalidArgument where the bytes overflow, and OutOfMemory.
    [[nodiscard]] Tensor empty_planned(std::string_view op, DType dtype, const CompactLayout& layout);

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
    void fill_triangle(OpId op, const TensorRead& a, Index diagonal, const TensorWrite& out);
    Tensor scatter_as(OpId op, Tensor&& a, const TensorRead& indices, const TensorRead& updates,
                      const ScatterConfig& config);
    Tensor scatter_as_read(OpId op, const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                           const ScatterConfig& config);
    void scatter_as_into(OpId op, const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                         const ScatterConfig& config, const TensorWrite& out);

    /// The result of `op` or its workspace, in memory of do_allocate. In its name, InvalidArgument where the
    /// bytes overflow, and OutOfMemory.
    Tensor allocate(std::string_view op, DType dtype, std::span<const Index> shape) {
        return {allocate(op, byte_count(shape, info(dtype).bytes, op)), dtype, shape};
    }
    Buffer allocate(std::string_view op, std::size_t bytes) try {
        return do_allocate(bytes);
    } catch (const std::bad_alloc&) {
        throw_out_of_memory(op, bytes);
    }

    TENFERRO_KERNELS(TENFERRO_KERNEL)
    TENFERRO_KERNEL_OPS(TENFERRO_KERNEL_ROW)
    TENFERRO_COMPOSED_OPS(TENFERRO_COMPOSED_ROW)

    // What a backend may implement. Arguments are as for TENFERRO_KERNELS.

    /// The values of a vector of I32 or I64. The one given here is for memory that this process can read.
    virtual Dims do_index_values(const TensorRead& indices);
    /// Computes a plan in one pass and returns true, or returns false with nothing written, as the one given
    /// here does.
    virtual bool do_elementwise_fusion(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
                                       std::span<const TensorWrite> outs);
    /// Computes a plan and returns true, or returns false, as the one given here does.
    virtual bool do_matrix_plan(const MatrixPlan& plan, std::span<const TensorRead> inputs,
                                std::span<const TensorWrite> outs);
    /// Copies from main memory. The one given here is for backends on main memory.
    virtual void do_upload(const TensorRead& host, const TensorWrite& out);
    /// Copies to `host`, which is in main memory. The one given here is for backends on main memory.
    virtual void do_download(const TensorRead& a, const TensorWrite& host);

    const BackendInfo& info_;
};

}}  // namespace tenferro::TENFERRO_ABI
