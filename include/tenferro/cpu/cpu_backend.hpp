// CpuBackend: a TensorBackend on main memory. Thread-safe; sessions on different threads run concurrently.
#pragma once

#include <memory>

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/cpu/pool_stats.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Who multiplies matrices: our own kernels, or the BLAS the library was built with.
enum class CpuKind { Builtin, Blas };

class TENFERRO_API CpuBackend final : public TensorBackend {
public:
    /// Blas if compiled in, else Builtin; as many threads as the process may run on.
    CpuBackend();
    /// Throws Unsupported when `kind` is not compiled in.
    [[nodiscard]] static std::unique_ptr<CpuBackend> with_kind(CpuKind kind);
    [[nodiscard]] static std::unique_ptr<CpuBackend> with_threads(int threads);
    [[nodiscard]] static std::unique_ptr<CpuBackend> with_threads_and_kind(int threads, CpuKind kind);
    ~CpuBackend() override;

    /// Whether `kind` is compiled in; Builtin always is.
    [[nodiscard]] static bool has_kind(CpuKind kind) noexcept;
    [[nodiscard]] CpuKind kind() const noexcept;
    [[nodiscard]] int threads() const noexcept;
    /// Operations that start from now on use `threads` >= 1 (InvalidArgument). Thread-safe.
    void set_threads(int threads);
    /// CpuContext::stream_bytes of this backend. Thread-safe.
    [[nodiscard]] Index stream_bytes() const noexcept;
    void set_stream_bytes(Index bytes);
    /// What the pool of freed memory holds. Thread-safe, as the two below.
    [[nodiscard]] PoolStats pool_stats() const;
    /// Keeps at most `bytes` of freed memory from now on and gives the rest back to the system; 4 GiB at
    /// first.
    void set_pool_limit(std::size_t bytes);
    /// Gives all freed memory back to the system.
    void trim_pool();

private:
    CpuBackend(int threads, CpuKind kind);
    void open_session(FunctionRef<void(BackendSession&)> body) override;

    struct State;
    std::unique_ptr<State> state_;
};

}}  // namespace tenferro::TENFERRO_ABI
