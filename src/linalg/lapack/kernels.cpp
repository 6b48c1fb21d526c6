// A set of kernels for every library that was loaded, made at first use.
#include <atomic>
#include <memory>

#include "linalg/lapack/lapack_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Libraries are never unloaded, nor are these.
struct Entry {
    const Provider* provider;
    KernelSetOf<LapackKernels> kernels;
    const Entry* next = nullptr;

    explicit Entry(const Provider* of) : provider(of), kernels(of) {}
};

constinit std::atomic<const Entry*> entries{nullptr};

}  // namespace

const MatrixKernelSet& lapack_kernels(const Provider& provider) {
    const Entry* first = entries.load(std::memory_order_acquire);
    for (const Entry* entry = first; entry != nullptr; entry = entry->next)
        if (entry->provider == &provider) return entry->kernels;
    auto made = std::make_unique<Entry>(&provider);
    made->next = first;
    while (!entries.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel)) {
    }
    return made.release()->kernels;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
