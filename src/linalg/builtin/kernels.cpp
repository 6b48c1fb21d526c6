// The set of kind builtin.
#include "base/immortal.hpp"
#include "base/mutex.hpp"
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/eigen.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

const MatrixKernelSet& builtin_kernels() {
    static constinit Immortal<KernelSetOf<BuiltinKernels>> made;
    return made.get([] {
        // Eigen measures the caches at its first product, in a static object without a lock of its own.
        const std::lock_guard lock(mutex_of(&made));
        static_cast<void>(Eigen::l1CacheSize());
        return std::make_unique<KernelSetOf<BuiltinKernels>>();
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
