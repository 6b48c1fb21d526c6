// Recognises matrix products among contractions and hands them to ?gemm. Columns are cut into blocks of a
// width that does not depend on the number of threads, so neither does the result; where a call may be
// cancelled blocks of large products are narrower, and a library may round otherwise. What a
// library makes of infinities is its own affair (it multiplies complex sums by 1 + 0i), so a result that is
// not finite is left to our kernels.
#ifdef TENFERRO_BLAS

#include "cpu/providers/blas.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <limits>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/loops/watched.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kColumnBlock = 512;

/// A matrix as BLAS sees it.
struct Matrix {
    bool transposed;
    Index leading;  ///< stride between columns, or between rows when transposed
};

/// How to pass the matrix with `rows` rows at `row_stride` and `columns` columns at `column_stride`; false if
/// BLAS, whose largest integer is `most`, cannot.
bool as_matrix(Index rows, Index row_stride, Index columns, Index column_stride, Index most, Matrix& matrix) {
    if (std::max({rows, columns, row_stride, column_stride}) > most) return false;
    if (row_stride == 1 && column_stride >= rows) {
        matrix = {false, column_stride};
        return true;
    }
    if (column_stride == 1 && row_stride >= columns) {
        matrix = {true, row_stride};
        return true;
    }
    return false;
}

struct Gemm {
    Matrix a, b, c;
};

bool as_gemm(const Contraction& loops, int integer_bytes, Gemm& gemm) {
    const Index most = integer_bytes == 4 ? std::numeric_limits<std::int32_t>::max()
                                          : std::numeric_limits<std::int64_t>::max();
    if (loops.m.size() != 1 || loops.n.size() != 1 || loops.k.size() != 1) return false;
    const LoopAxis &m = loops.m[0], &n = loops.n[0], &k = loops.k[0];
    if (std::min({m.extent, n.extent, k.extent}) < kSmallestBlasExtent) return false;
    return as_matrix(m.extent, m.stride[kA], k.extent, k.stride[kA], most, gemm.a) &&
           as_matrix(k.extent, k.stride[kB], n.extent, n.stride[kB], most, gemm.b) &&
           as_matrix(m.extent, m.stride[kC], n.extent, n.stride[kC], most, gemm.c) && !gemm.c.transposed;
}

/// ?gemm of Fortran: C = alpha A B + beta C.
template <class T>
using GemmRoutine = void(const char* transpose_a, const char* transpose_b, const std::int64_t* m,
                         const std::int64_t* n, const std::int64_t* k, const T* alpha, const T* a,
                         const std::int64_t* lda, const T* b, const std::int64_t* ldb, const T* beta, T* c,
                         const std::int64_t* ldc, std::size_t, std::size_t);

template <class T>
void call(GemmRoutine<T>* gemm, const Gemm& g, Index m, Index n, Index k, const T* a, const T* b, T* c) {
    const T one = 1, zero = 0;
    gemm(g.a.transposed ? "T" : "N", g.b.transposed ? "T" : "N", &m, &n, &k, &one, a, &g.a.leading, b,
         &g.b.leading, &zero, c, &g.c.leading, 1, 1);
}

bool is_finite(float x) noexcept { return std::isfinite(x); }
bool is_finite(double x) noexcept { return std::isfinite(x); }
template <class T>
bool is_finite(std::complex<T> x) noexcept {
    return std::isfinite(x.real()) && std::isfinite(x.imag());
}

template <class T>
bool columns_are_finite(const T* c, Index rows, Index columns, Index leading) noexcept {
    bool finite = true;
    for (Index j = 0; j < columns && finite; ++j)
        for (Index i = 0; i < rows; ++i) finite &= is_finite(c[i + j * leading]);
    return finite;
}

/// Columns of a call that takes a fraction of a second, where somebody may want to end it.
Index watched_columns(Index rows, Index depth) noexcept {
    constexpr double kMultiplyAdds = 2e9;
    const double columns = kMultiplyAdds / (static_cast<double>(rows) * static_cast<double>(depth));
    return std::max<Index>(static_cast<Index>(std::min(columns, 1e9)) / 8 * 8, 8);
}

/// False where an element of the result is not finite.
template <class T>
bool run(const Contraction& loops, const Gemm& gemm, const Provider& blas, CpuContext& context) {
    auto* const routine = blas.routine<GemmRoutine<T>>("gemm", loops.dtype);
    const LoopAxis &m = loops.m[0], &n = loops.n[0], &k = loops.k[0];
    const bool small = runs_alone(loops);
    const Index half = (n.extent / 2 + 7) / 8 * 8;
    const bool watched = !small && is_watched();
    const Index most = watched ? watched_columns(m.extent, k.extent) : kColumnBlock;
    const Index width = std::min({kColumnBlock, most, small || loops.batch_size > 1 ? n.extent : half});
    const Index blocks = (n.extent + width - 1) / width;
    std::atomic<bool> finite{true};
    const auto multiply_block = [&](Index task) {
        const Provider::Call call_of_library(blas);
        const Odometer at(loops.batch, task / blocks);
        const Index first = task % blocks * width, columns = std::min(width, n.extent - first);
        T* const c = static_cast<T*>(loops.c) + at.in(kC) + first * n.stride[kC];
        call(routine, gemm, m.extent, columns, k.extent, static_cast<const T*>(loops.a) + at.in(kA),
             static_cast<const T*>(loops.b) + at.in(kB) + first * n.stride[kB], c);
        if (!columns_are_finite(c, m.extent, columns, gemm.c.leading)) finite = false;
    };
    if (!small && blas.calls_at_once() > 1)
        context.parallel_for(blocks * loops.batch_size, multiply_block);
    else
        for (Index task = 0; task < blocks * loops.batch_size; ++task) multiply_block(task);
    return finite;
}

}  // namespace

bool blas_product(const Contraction& loops, const Provider& blas, CpuContext& context) {
    Gemm gemm;
    if (!as_gemm(loops, blas.integer_bytes(), gemm)) return false;
    switch (loops.dtype) {
        case DType::F32: return run<float>(loops, gemm, blas, context);
        case DType::F64: return run<double>(loops, gemm, blas, context);
        case DType::C32: return run<std::complex<float>>(loops, gemm, blas, context);
        case DType::C64: return run<std::complex<double>>(loops, gemm, blas, context);
        default: return false;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu

#endif
