// The two halves of the backend protocol (seed 004): TensorBackend, the long-lived and thread-safe owner of
// memory and threads, and BackendSession, the scoped, single-threaded surface on which programs run.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

#include "tenferro/tensor/backend_info.hpp"
#include "tenferro/tensor/fusion_plan.hpp"
#include "tenferro/tensor/tensor_ops.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API BackendSession : public TensorOps<BackendSession> {
public:
    BackendSession(const BackendSession&) = delete;
    BackendSession& operator=(const BackendSession&) = delete;

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
    friend class TensorOps<BackendSession>;
    friend struct OperationCore;
    template <class F>
    decltype(auto) in_session(F&& f) {
        return f(*this);
    }

    // What a backend implements. Arguments are checked: shapes fit, dtypes agree and support the operation,
    // the memory is at the placement of the backend, `out` does not overlap an operand, all except where
    // stated.

    /// A compact column-major tensor with undefined elements.
    virtual Tensor allocate(DType dtype, std::span<const Index> shape) = 0;
    virtual void fill_zero(const TensorWrite& out) = 0;
    virtual void copy(const TensorRead& a, const TensorWrite& out) = 0;
    /// `out` may be exactly `a`.
    virtual void unary(OpId op, const TensorRead& a, const TensorWrite& out) = 0;
    /// `out` may be exactly `a` or `b`. Throws InvalidArgument before it writes where integers have no
    /// result.
    virtual void binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) = 0;
    /// `out` may be exactly `on_true` or `on_false`.
    virtual void select_elements(const TensorRead& predicate, const TensorRead& on_true,
                                 const TensorRead& on_false, const TensorWrite& out) = 0;
    /// `out` may be exactly an operand.
    virtual void clamp_elements(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                                const TensorWrite& out) = 0;
    /// The cast to another dtype.
    virtual void convert_elements(const TensorRead& a, const TensorWrite& out) = 0;
    /// A reduction of op_table.hpp; `out` has the kept axes in order.
    virtual void reduce(OpId op, const TensorRead& a, std::span<const Index> axes,
                        const TensorWrite& out) = 0;
    /// Argmax or Argmin over `axis`, which is not empty.
    virtual void find_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out) = 0;
    virtual void gather_windows(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                                const TensorWrite& out) = 0;
    /// Scatter or ScatterAdd: replaces elements of `out` by, or adds to them, windows of `updates`, where
    /// gather_windows would read them and one window after the other; windows that are not inside are
    /// dropped.
    virtual void write_windows(OpId op, const TensorRead& updates, const TensorRead& indices,
                               const GatherConfig& config, const TensorWrite& out) = 0;
    virtual void scan(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out) = 0;
    virtual void normalize_exponentials(const TensorRead& a, Index axis, const TensorWrite& out) = 0;
    virtual void sort_lines(const TensorRead& a, Index axis, bool descending, const TensorWrite& out) = 0;
    /// The values of a vector of I32 or I64. The one given here is for memory that this process can read.
    virtual Dims index_values(const TensorRead& indices);
    virtual void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                          const TensorWrite& out) = 0;
    /// Computes a plan in one pass and returns true, or returns false with nothing written, as the one given
    /// here does.
    virtual bool fuse(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
                      std::span<const TensorWrite> outs);
    /// Copies from main memory. The one given here is for backends on main memory.
    virtual void upload(const TensorRead& host, const TensorWrite& out);
    /// Copies to `host`, which is in main memory. The one given here is for backends on main memory.
    virtual void download(const TensorRead& a, const TensorWrite& host);

    const BackendInfo& info_;
};

class TENFERRO_API TensorBackend : public TensorOps<TensorBackend> {
public:
    TensorBackend(const TensorBackend&) = delete;
    TensorBackend& operator=(const TensorBackend&) = delete;
    virtual ~TensorBackend();

    /// "cpu", …
    [[nodiscard]] std::string_view name() const noexcept { return info_.name; }
    /// Where it computes: its operations take tensors there, and no others, and their results are there.
    [[nodiscard]] Placement placement() const noexcept { return info_.placement; }
    /// Unsupported is the typed error of the same name when the operation is called.
    [[nodiscard]] Capability capability(OpId op, DType dtype) const noexcept {
        return info_.capabilities.of(op, dtype);
    }

    /// Calls body(session) in a session of this backend and returns its result. On a thread that already is
    /// in a session of this backend, body gets that session.
    template <class F>
    std::invoke_result_t<F&, BackendSession&> with_backend_session(F&& body) {
        using R = std::invoke_result_t<F&, BackendSession&>;
        if constexpr (std::is_void_v<R>) {
            run_in_session(body);
        } else {
            std::optional<R> result;
            run_in_session([&](BackendSession& session) { result.emplace(ResultOf<F>{body, session}); });
            return std::move(*result);
        }
    }

protected:
    /// `info` must outlive the backend.
    explicit TensorBackend(const BackendInfo& info) noexcept : info_(info) {}

private:
    friend class TensorOps<TensorBackend>;
    /// Becomes body(session) where it is converted, so that a result is made where it stays.
    template <class F>
    struct ResultOf {
        F& body;
        BackendSession& session;
        operator std::invoke_result_t<F&, BackendSession&>() const {
            return body(session);
        }  // NOLINT(google-explicit-constructor)
    };
    template <class F>
    decltype(auto) in_session(F&& f) {
        return with_backend_session(std::forward<F>(f));
    }
    void run_in_session(FunctionRef<void(BackendSession&)> body);
    /// Calls body with a new session.
    virtual void open_session(FunctionRef<void(BackendSession&)> body) = 0;

    const BackendInfo& info_;
};

/// The backend whose session or scope is the innermost on this thread, or null.
[[nodiscard]] TENFERRO_API TensorBackend* current_backend() noexcept;

/// Makes a backend the current one of this thread without opening a session: how an executor tells operations
/// that run themselves (extensions, linear algebra) where to compute.
class TENFERRO_API BackendScope {
public:
    explicit BackendScope(TensorBackend& backend) noexcept;
    ~BackendScope();
    BackendScope(const BackendScope&) = delete;
    BackendScope& operator=(const BackendScope&) = delete;

    /// An entry of the thread's stack; `session` is null for a mere scope.
    struct Scope {
        TensorBackend* backend;
        BackendSession* session;
        const Scope* outer;
    };

private:
    const Scope scope_;
};

}}  // namespace tenferro::TENFERRO_ABI
