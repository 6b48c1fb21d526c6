// The backends that linear algebra is tested on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tenferro/base/error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::testing {

struct NamedBackend {
    std::string name;
    std::unique_ptr<TensorBackend> backend;
};

/// Reference, cpu of kind builtin, and of kind blas where there is a library.
inline std::vector<NamedBackend>& linalg_backends() {
    static std::vector<NamedBackend> all = [] {
        std::vector<NamedBackend> made;
        made.push_back({"reference", std::make_unique<ReferenceBackend>()});
        made.push_back({"builtin", CpuBackend::with_threads(2)});
        try {
            made.push_back({"blas", CpuBackend::with_threads_and_kind(2, CpuKind::Blas)});
        } catch (const Error&) {  // no library on this machine
        }
        return made;
    }();
    return all;
}

inline constexpr DType kFloatingDTypes[] = {DType::F32, DType::F64, DType::C32, DType::C64};

}  // namespace tenferro::testing
