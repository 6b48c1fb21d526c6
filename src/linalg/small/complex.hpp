// Products and systems of one small complex matrix (complex-inl.hpp), on the best instruction set of the
// processor.
#pragma once

#include "linalg/scalar.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class R>
struct ComplexKernels {
    using C = std::complex<R>;

    /// The most rows, 0 where there is nothing to gain.
    Index largest;
    /// c = a b of matrices [n, n].
    void (*multiply)(Index n, const C* a, const C* b, C* c);
    /// x [n, n] becomes inv(a) x; a is lost. The number of the first pivot that is 0, else n.
    Index (*solve)(Index n, C* a, C* x);
};
/// For float and double.
template <class R>
[[nodiscard]] const ComplexKernels<R>& complex_kernels();

}}}  // namespace tenferro::TENFERRO_ABI::linalg
