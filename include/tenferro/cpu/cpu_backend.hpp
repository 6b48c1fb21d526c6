// CpuBackend: a TensorBackend on main memory. Thread-safe; sessions on different threads run concurrently.
#pragma once

#include <memory>
#include <string>

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/cpu/pool_stats.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace cpu {
class Provider;
}

/// Who multiplies matrices. Builtin: our own kernels. Blas: the BLAS of the machine, for products of floating
/// point whose M, N and K are all 512 or more, with unit stride along one axis of each matrix and a finite
/// result; our own kernels do the rest. The library is loaded when the first backend of the kind is made.
enum class CpuKind { Builtin, Blas };

struct CpuOptions {
    int threads = 0;  ///< 0: as many as the process may run on
    CpuKind kind = CpuKind::Builtin;
    /// For kind Blas: path or soname of a library with the Fortran symbols of BLAS, of 32-bit or 64-bit
    /// integers. Empty: the one in the environment as TENFERRO_BLAS_LIBRARY, else the first that there is of
    /// OpenBLAS (serial, then any), MKL, BLIS and libblas.so.3. An OpenBLAS that was built for one thread
    /// gets one call at a time from all threads of the process.
    std::string blas_library;
    /// For kind Blas: leaves the library's thread count, which is one for the whole process, as it is. Else
    /// it is set to 1, since the threads are ours.
    bool keep_blas_threads = false;
};

class TENFERRO_API CpuBackend final : public TensorBackend {
public:
    /// Kind Builtin; as many threads as the process may run on.
    CpuBackend();
    /// Throws InvalidArgument for a negative number of threads; for kind Blas Unsupported when it is not
    /// compiled in or no library can be loaded, OutOfMemory when there is no address space for it.
    explicit CpuBackend(const CpuOptions& options);
    /// Throw as the constructor, and InvalidArgument for 0 threads.
    [[nodiscard]] static std::unique_ptr<CpuBackend> with_kind(CpuKind kind);
    [[nodiscard]] static std::unique_ptr<CpuBackend> with_threads(int threads);
    [[nodiscard]] static std::unique_ptr<CpuBackend> with_threads_and_kind(int threads, CpuKind kind);
    ~CpuBackend() override;

    /// Whether `kind` is compiled in; Builtin always is. No library of kind Blas may be there all the same.
    [[nodiscard]] static bool has_kind(CpuKind kind) noexcept;
    [[nodiscard]] CpuKind kind() const noexcept;
    /// The library of kind Blas, for other layers of this library; null for kind Builtin.
    [[nodiscard]] const cpu::Provider* provider() const noexcept;
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
    void open_session(FunctionRef<void(BackendSession&)> body) override;

    struct State;
    std::unique_ptr<State> state_;
};

}}  // namespace tenferro::TENFERRO_ABI
