// The set of kind builtin.
#include "base/immortal.hpp"
#include "linalg/builtin/builtin_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

const MatrixKernelSet& builtin_kernels() {
    static constinit Immortal<KernelSetOf<BuiltinKernels>> made;
    return made.get();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
