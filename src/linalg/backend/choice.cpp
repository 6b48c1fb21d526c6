// The choice of kernels by the kind of a backend.
#include "tenferro/linalg/backend.hpp"

#include "linalg/kernels/matrix_kernels.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

const MatrixKernelSet& kernels_of_kind(const TensorBackend& backend) {
    if (backend.name() == "reference") return reference_kernels();
    if (const auto* const cpu = dynamic_cast<const CpuBackend*>(&backend))
        return cpu->provider() != nullptr ? lapack_kernels(*cpu->provider()) : builtin_kernels();
    throw Error(ErrorKind::Unsupported, "linalg",
                text("backend ", backend.name(), " has no linear algebra: download to main memory"));
}

const MatrixKernelSet& kernels_of(const TensorBackend& backend) {
    const MatrixKernelSet& kernels = kernels_of_kind(backend);
    const auto other = kernels_in_place_of.load(std::memory_order_relaxed);
    return other != nullptr ? other(kernels) : kernels;
}

}  // namespace

constinit std::atomic<const MatrixKernelSet& (*)(const MatrixKernelSet&)> kernels_in_place_of{nullptr};

LinalgBackend::LinalgBackend(TensorBackend& backend) : backend_(&backend), kernels_(&kernels_of(backend)) {}

LinalgBackend LinalgBackend::current() {
    TensorBackend* const backend = current_backend();
    return LinalgBackend(backend != nullptr ? *backend : default_engine().backend());
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
