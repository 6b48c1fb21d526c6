// Backends of both kinds for tests that skip kind blas where the machine has no library for it.
#pragma once

#include <memory>

#include "tenferro/base/error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro::test {

inline constexpr char kNoBlas[] = "kind blas is not compiled in, or the machine has no BLAS library";

/// The backend, or null where kind blas has no library here.
inline std::unique_ptr<CpuBackend> backend_or_null(int threads, CpuKind kind) {
    try {
        return CpuBackend::with_threads_and_kind(threads, kind);
    } catch (const Error& error) {
        if (kind == CpuKind::Blas && error.kind() == ErrorKind::Unsupported) return nullptr;
        throw;
    }
}

}  // namespace tenferro::test
