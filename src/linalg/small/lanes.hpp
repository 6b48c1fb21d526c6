// The kernels for matrices in the lanes of vectors (lanes-inl.hpp), on the best instruction set of the
// processor. Buffers hold `lanes` numbers for each element, `parts` times where elements may be complex, and
// are aligned to 64 bytes.
#pragma once

#include "linalg/scalar.hpp"
#include "tenferro/linalg/options.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class R>
struct LaneKernels {
    Index lanes, parts;
    /// to[e] gets element offsets[e] of each of `lanes` matrices, 0 for a negative offset; the largest
    /// modulus of each matrix is returned, infinity where an element is not finite.
    void (*pack)(Index count, const R* const* from, const Index* offsets, R* to, R* largest);
    /// to[l][e] gets number e of lane l, unless to[l] is null.
    void (*unpack)(Index count, const R* from, R* const* to);
    void (*eigh)(Index n, R* a, R* w, R* v, R* good);
    void (*svd)(Index m, Index n, R* a, R* s, R* v, R* good);
    void (*cholesky)(Index n, R* a, R* good);
    /// a [n, n] becomes its packed factors, with rows [n], the row of A that each row of P A is, as numbers,
    /// and the parity of P; x [n, k] becomes inv(L) P x.
    void (*lu)(Index n, R* a, R* rows, R* parity, R* good, Index k, R* x);
    /// P, L and U, each [n, n], of what `lu` made.
    void (*lu_factors)(Index n, const R* a, const R* rows, R* p, R* l, R* u);
    /// x [n, k] with op(A) x = x of before; the other triangle of a [n, n] is not read.
    void (*substitute)(const TriangularOptions& options, Index n, Index k, const R* a, R* x);
    void (*qr)(Index m, Index n, Index k, R* a, R* q, R* taus);
    /// Of real matrices only, else null: general-inl.hpp.
    void (*eig)(Index n, R* a, R* w, R* v, R* work, R* good);
};

/// For elements of type T.
template <class T>
[[nodiscard]] LaneKernels<RealOf<T>> lane_kernels();

/// Of the vectors of any processor.
inline constexpr Index kMostLanes = 64;
/// The largest extent of a matrix that is worth a lane, and the least number of such matrices.
inline constexpr Index kLargestInLanes = 16, kFewestInLanes = 4;
/// The extent where there are right-hand sides.
[[nodiscard]] constexpr Index largest_in_lanes(Index sides) noexcept {
    return sides <= 64 ? kLargestInLanes : 0;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
