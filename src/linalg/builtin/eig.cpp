// Eigenvalues of general matrices of kind builtin: small ones across lanes, if they are real and ordinary;
// others by balancing, Hessenberg form, Schur form, and the vectors of that turned back.
#include "linalg/builtin/balance.hpp"
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/hessenberg.hpp"
#include "linalg/builtin/reflection.hpp"
#include "linalg/builtin/schur.hpp"
#include "linalg/floating_types.hpp"
#include "linalg/small/across.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// C = A B for upper triangular B, of which columns are taken a block at a time.
template <class T>
void multiply_triangular(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& c, Scratch& scratch) {
    constexpr Index kColumns = 128;
    for (Index j = 0; j < b.columns; j += kColumns) {
        const Index columns = std::min(kColumns, b.columns - j), rows = j + columns;
        multiply(Sum::Replace, plain(a.block(0, 0, a.rows, rows)), plain(b.block(0, j, rows, columns)),
                 c.block(0, j, a.rows, columns), scratch);
    }
}

/// The vectors of A in those of the balanced matrix, of norm 1. Of real ones the columns of a pair are the
/// real and the imaginary part of its first vector.
template <class T>
void turn_back(const Balance<T>& balance, const ComplexOf<T>* w, const Matrix<T>& from, ComplexOf<T>* v,
               Scratch& scratch) {
    using C = ComplexOf<T>;
    const Scratch::Frame frame(scratch);
    const Index n = from.rows;
    C* const column = scratch.take<C>(n);
    for (Index j = 0; j < n; ++j) {
        const bool pair = !is_complex<T> && w[j].imag() != 0;
        const T *const x = from.column(j), *const y = from.column(pair ? j + 1 : j);
        for (Index i = 0; i < n; ++i) {
            if constexpr (is_complex<T>)
                column[i] = x[i] * balance.scale[i];
            else
                column[i] = {x[i] * balance.scale[i], pair ? y[i] * balance.scale[i] : T(0)};
        }
        const RealOf<T> length = fast_norm(n, column);
        C* const to = v + j * n;
        for (Index i = 0; i < n; ++i) to[balance.order[i]] = column[i] / length;
        if (!pair) continue;
        ++j;
        for (Index i = 0; i < n; ++i) to[n + i] = std::conj(to[i]);
    }
}

}  // namespace

template <class T>
bool BuiltinKernels<T>::eig(Index n, T* a, C* w, C* v, Scratch& scratch) const {
    if (n == 0) return true;
    if constexpr (!is_complex<T>) {
        const auto& kernels = across_kernels<T>();
        if (n <= kernels.lanes && kernels.eig(n, a, w, v)) return true;
    }
    const Scratch::Frame frame(scratch);
    const bool vectors = v != nullptr;
    const Matrix<T> h{n, n, a, n}, z = vectors ? take_matrix<T>(n, n, scratch) : Matrix<T>{};
    const Balance<T> balanced = balance(h, scratch);
    const Index first = balanced.first, last = balanced.last, rows = last - first;
    const ReflectorPanels<T> q(rows, std::max<Index>(rows - 1, 0), kHessenbergPanel, 1, scratch);
    make_hessenberg(h, first, last, q, scratch);
    if (vectors) {
        set_identity(z);
        q.apply_to(z.block(first, first, rows, rows), true, scratch);
    }
    if (!make_schur(h, first, last, balanced.size, z, w, scratch)) return false;
    if (!vectors) return true;
    const Matrix<T> x = take_matrix<T>(n, n, scratch);
    schur_vectors(h, balanced.size, w, x, scratch);
    multiply_triangular(z, x, h, scratch);
    turn_back(balanced, w, h, v, scratch);
    return true;
}

#define TENFERRO_INSTANCE(T) \
    template bool BuiltinKernels<T>::eig(Index, T*, ComplexOf<T>*, ComplexOf<T>*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
