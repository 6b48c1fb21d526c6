// Recognises matrix products among contractions and hands them to cblas. Columns are cut into blocks of a
// width that depends on the shape only, so that the result does not depend on the number of threads.
#ifdef TENFERRO_BLAS

#include "cpu/providers/blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <complex>
#include <limits>

#include "cpu/kernels/contraction/engines.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Below this extent of M, N or K our own kernels are faster than a call: by two at 128 and 256, measured on
/// AVX-512.
constexpr Index kSmallestExtent = 512;
constexpr Index kColumnBlock = 512;

/// A matrix as BLAS sees it.
struct Matrix {
    bool transposed;
    Index leading;  ///< stride between columns, or between rows when transposed
};

/// How to pass the matrix with `rows` rows at `row_stride` and `columns` columns at `column_stride`; false if
/// BLAS cannot.
bool as_matrix(Index rows, Index row_stride, Index columns, Index column_stride, Matrix& matrix) {
    constexpr Index kMost = std::numeric_limits<blasint>::max();
    if (std::max({rows, columns, row_stride, column_stride}) > kMost) return false;
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

bool as_gemm(const Contraction& loops, Gemm& gemm) {
    if (loops.m.size() != 1 || loops.n.size() != 1 || loops.k.size() != 1) return false;
    const LoopAxis &m = loops.m[0], &n = loops.n[0], &k = loops.k[0];
    if (std::min({m.extent, n.extent, k.extent}) < kSmallestExtent) return false;
    return as_matrix(m.extent, m.stride[kA], k.extent, k.stride[kA], gemm.a) &&
           as_matrix(k.extent, k.stride[kB], n.extent, n.stride[kB], gemm.b) &&
           as_matrix(m.extent, m.stride[kC], n.extent, n.stride[kC], gemm.c) && !gemm.c.transposed;
}

CBLAS_TRANSPOSE transpose(const Matrix& matrix) { return matrix.transposed ? CblasTrans : CblasNoTrans; }

template <class T>
void call(const Gemm& g, blasint m, blasint n, blasint k, const T* a, const T* b, T* c) {
    const auto ta = transpose(g.a), tb = transpose(g.b);
    const auto lda = static_cast<blasint>(g.a.leading), ldb = static_cast<blasint>(g.b.leading),
               ldc = static_cast<blasint>(g.c.leading);
    const T one = 1, zero = 0;
    if constexpr (std::is_same_v<T, float>)
        cblas_sgemm(CblasColMajor, ta, tb, m, n, k, one, a, lda, b, ldb, zero, c, ldc);
    else if constexpr (std::is_same_v<T, double>)
        cblas_dgemm(CblasColMajor, ta, tb, m, n, k, one, a, lda, b, ldb, zero, c, ldc);
    else if constexpr (std::is_same_v<T, std::complex<float>>)
        cblas_cgemm(CblasColMajor, ta, tb, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
    else
        cblas_zgemm(CblasColMajor, ta, tb, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
}

template <class T>
void run(const Contraction& loops, const Gemm& gemm, CpuContext& context) {
    const LoopAxis &m = loops.m[0], &n = loops.n[0], &k = loops.k[0];
    const bool small = loops.multiply_adds() < kParallelMultiplyAdds;
    const Index half = (n.extent / 2 + 7) / 8 * 8;
    const Index width = std::min(kColumnBlock, small || loops.batch_size > 1 ? n.extent : half);
    const Index blocks = (n.extent + width - 1) / width;
    const auto multiply_block = [&](Index task) {
        const Odometer at(loops.batch, task / blocks);
        const Index first = task % blocks * width;
        call(gemm, static_cast<blasint>(m.extent), static_cast<blasint>(std::min(width, n.extent - first)),
             static_cast<blasint>(k.extent), static_cast<const T*>(loops.a) + at.in(kA),
             static_cast<const T*>(loops.b) + at.in(kB) + first * n.stride[kB],
             static_cast<T*>(loops.c) + at.in(kC) + first * n.stride[kC]);
    };
    if (!small) return context.parallel_for(blocks * loops.batch_size, multiply_block);
    for (Index task = 0; task < blocks * loops.batch_size; ++task) multiply_block(task);
}

/// The threads are ours: those of OpenBLAS would compete with them.
void keep_blas_on_one_thread() {
    static const bool done = [] {
        openblas_set_num_threads(1);
        return true;
    }();
    static_cast<void>(done);
}

}  // namespace

bool blas_product(const Contraction& loops, CpuContext& context) {
    Gemm gemm;
    if (!as_gemm(loops, gemm)) return false;
    keep_blas_on_one_thread();
    switch (loops.dtype) {
        case DType::F32: run<float>(loops, gemm, context); return true;
        case DType::F64: run<double>(loops, gemm, context); return true;
        case DType::C32: run<std::complex<float>>(loops, gemm, context); return true;
        case DType::C64: run<std::complex<double>>(loops, gemm, context); return true;
        default: return false;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu

#endif
