// Provider: the BLAS and LAPACK of the machine as a table of functions, looked up by name in a library that
// is loaded when first asked for. The library of ours links none and carries only the prototypes it calls.
//
// A routine is a Fortran one: all arguments by address, column-major, and after them a std::size_t, the
// length, for each character argument. Integers that are only read are passed as the addresses of
// std::int64_t: a library of 32-bit integers (LP64) reads the lower half, on the little-endian machines that
// we run on. What a routine writes, or reads from arrays, has `integer_bytes`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

class Provider {
public:
    /// The library of that path or soname, with its symbols of BLAS and LAPACK. For an empty name the one
    /// named in TENFERRO_BLAS_LIBRARY, else the first of the usual ones that is there. Loaded once a process
    /// and never unloaded. It is set to one thread, since the threads are ours, unless `keep_threads`. Throws
    /// Unsupported with what was tried, and OutOfMemory where less address space is left than it needs.
    [[nodiscard]] static const Provider& load(const std::string& name, bool keep_threads);

    /// The routine of a dtype of floating point: ("gemm", F64) is dgemm_. Throws Unsupported, naming the
    /// library and the symbol, where it is missing.
    template <class Function>
    [[nodiscard]] Function* routine(std::string_view name, DType dtype) const {
        return reinterpret_cast<Function*>(symbol(name, dtype));
    }

    [[nodiscard]] const std::string& library() const noexcept { return library_; }
    /// 4 (LP64) or 8 (ILP64).
    [[nodiscard]] int integer_bytes() const noexcept { return integer_bytes_; }
    /// How many threads may call it at the same time.
    [[nodiscard]] int calls_at_once() const noexcept { return calls_at_once_; }

    /// Made around every call: there are never more calls at once than the library bears, and none starts
    /// with less address space than its buffers take. The constructor waits, and throws OutOfMemory.
    class Call {
    public:
        explicit Call(const Provider& provider);
        ~Call();
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;

    private:
        const Provider& provider_;
        int team_ = 0;  // of OpenMP in this thread before, where that was changed
    };

private:
    friend class ProviderList;
    Provider() = default;

    [[nodiscard]] void* symbol(std::string_view name, DType dtype) const;
    [[nodiscard]] void* find(const char* symbol) const noexcept;
    void measure_integers();
    void read_build();
    void use_one_thread() noexcept;

    std::string library_;
    void* blas_ = nullptr;
    void* lapack_ = nullptr;  ///< where it is a library of its own
    int integer_bytes_ = 4, calls_at_once_ = 1;
    int (*team_)() = nullptr;  ///< of OpenMP, where the library takes its threads
    void (*set_team_)(int) = nullptr;
    std::atomic<bool> one_thread_{false};
    std::shared_ptr<std::atomic<std::uint64_t>> calls_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
