// The kernels for one real matrix across the lanes of vectors (across-inl.hpp), on the best instruction set
// of the processor. They are for plain matrices of moderate magnitude: where they return false nothing is
// changed, and the kernels that know the rare cases are to be asked.
#pragma once

#include <algorithm>

#include "linalg/scalar.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class R>
struct AcrossKernels {
    /// The most columns.
    Index lanes;
    /// As MatrixKernels, n >= 1; `a` is lost where it succeeds with vectors.
    bool (*eigh)(Index n, bool vectors, R* a, R* w);
    /// Of at most kTallestAcross rows, or columns of a wide matrix, with room for `lanes` numbers for each,
    /// which is aligned to 64 bytes. Without u and vh the values alone. A matrix of which a column is zero,
    /// or becomes nothing beside the others, is not plain.
    bool (*svd)(Index m, Index n, const R* a, R* u, R* s, R* vh, R* room);
    /// As MatrixKernels, of a matrix that balancing would not change, with no two equal eigenvalues.
    bool (*eig)(Index n, const R* a, std::complex<R>* w, std::complex<R>* v);
    /// As MatrixKernels, m and n >= 1: of at most `lanes` rows and columns.
    int (*lu)(Index m, Index n, R* a, std::int64_t* rows);
    /// With k >= 1, of at most kTallestAcross rows, with n and k at most `lanes`.
    void (*qr)(Index m, Index n, Index k, const R* a, R* q, R* r);
};
/// For float and double.
template <class R>
[[nodiscard]] const AcrossKernels<R>& across_kernels();

/// Where a QR decomposition comes first.
inline constexpr Index kTallestAcross = 32;
/// The most columns on any processor.
inline constexpr Index kMostAcross = 16;

}}}  // namespace tenferro::TENFERRO_ABI::linalg
