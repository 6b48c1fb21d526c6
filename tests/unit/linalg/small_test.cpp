// Batches of small matrices, which are computed in the lanes of vectors, against the reference, with matrices
// among them that are not ordinary: singular, zero, scaled; on every instruction set of the processor.
#include <gtest/gtest.h>

#include "support/instruction_sets.hpp"
#include "support/sanitized.hpp"
#include "tenferro/linalg/backend.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::LinalgBackend;

namespace {

constexpr std::uint64_t kSmallSeed = 99;

/// m x n matrices: drawn ones, and at some places zero, rank one and very small ones. Square ones are
/// Hermitian and positive definite if asked for.
std::vector<Dense> mixed(Index m, Index n, Index count, bool positive, std::mt19937_64& random,
                         bool complex = false) {
    std::vector<Dense> all;
    for (Index i = 0; i < count; ++i) {
        Dense a = random_matrix(m, n, complex, random);
        if (positive) {
            a = a * adjoint(a);
            for (Index j = 0; j < n; ++j) a(j, j) += 1;
        } else if (i % 7 == 2) {
            a = Dense(m, n);
        } else if (i % 7 == 3) {
            a = random_matrix(m, 1, complex, random) * random_matrix(1, n, complex, random);
        } else if (i % 7 == 5) {
            a = scaled(a, -110);
        }
        all.push_back(std::move(a));
    }
    return all;
}
template <class F>
void on_batches(bool square, bool positive, F&& check) {
    const auto backend = CpuBackend::with_threads(2);
    const LinalgBackend on(*backend);
    on_every_instruction_set([&] {
        std::mt19937_64 random(kSmallSeed);
        for (const DType dtype : kFloatingDTypes)
            for (const Index m : {1, 2, 3, 4, 5, 8, 13, 16})
                for (const Index n : {1, 2, 4, 7, 8, 13, 16})
                    for (const Index count : {4, 21}) {
                        if (square && m != n) continue;
                        SCOPED_TRACE(std::string(info(dtype).name) + " " + std::to_string(m) + "x" +
                                     std::to_string(n) + " seed " + std::to_string(kSmallSeed));
                        const Tensor a =
                            stacked(mixed(m, n, count, positive, random, info(dtype).is_complex), dtype);
                        check(on, a, count);
                    }
    });
}

TEST(SmallMatrices, Svd) {
    on_batches(false, false, [](const LinalgBackend& on, const Tensor& a, Index count) {
        const linalg::SvdTensors svd = on.svd_read(a);
        const Tensor alone = on.svdvals_read(a);
        for (Index i = 0; i < count; ++i) {
            const Dense u = matrix_of(svd.u, i), vh = matrix_of(svd.vh, i), s = matrix_of(svd.s, i, 1);
            EXPECT_LT(residual_ratio(matrix_of(a, i), u * Dense::diagonal(s, s.rows, s.rows) * vh, a.dtype()),
                      50);
            EXPECT_LT(orthogonality_ratio(u, a.dtype()), 50);
            EXPECT_LT(orthogonality_ratio(adjoint(vh), a.dtype()), 50);
            for (Index j = 1; j < s.rows; ++j) EXPECT_GE(s(j - 1, 0).real(), s(j, 0).real());
            EXPECT_LE(one_norm(matrix_of(alone, i, 1) - s), 50 * ulp_of(a.dtype()) * one_norm(s));
        }
    });
}

TEST(SmallMatrices, Qr) {
    on_batches(false, false, [](const LinalgBackend& on, const Tensor& a, Index count) {
        for (const bool full : {false, true}) {
            const linalg::QrTensors qr = on.qr_read(a, {.full = full, .positive = full});
            for (Index i = 0; i < count; ++i) {
                const Dense q = matrix_of(qr.q, i), r = matrix_of(qr.r, i);
                EXPECT_LT(residual_ratio(matrix_of(a, i), q * r, a.dtype()), 30);
                EXPECT_LT(orthogonality_ratio(q, a.dtype()), 30);
                for (Index j = 0; j < r.columns; ++j)
                    for (Index k = j + 1; k < r.rows; ++k) EXPECT_EQ(r(k, j), Complex(0));
            }
        }
    });
}

TEST(SmallMatrices, Eigh) {
    on_batches(true, true, [](const LinalgBackend& on, const Tensor& a, Index count) {
        for (const bool lower : {false, true}) {
            const linalg::EigenTensors eigen = on.eigh_read(a, {.lower = lower});
            const Tensor alone = on.eigvalsh_read(a, {.lower = lower});
            for (Index i = 0; i < count; ++i) {
                const Dense v = matrix_of(eigen.vectors, i), w = matrix_of(eigen.values, i, 1);
                EXPECT_LT(residual_ratio(matrix_of(a, i), v * Dense::diagonal(w, w.rows, w.rows) * adjoint(v),
                                         a.dtype()),
                          60);
                EXPECT_LT(orthogonality_ratio(v, a.dtype()), 60);
                EXPECT_EQ(one_norm(matrix_of(alone, i, 1) - w), 0);
                for (Index j = 1; j < w.rows; ++j) EXPECT_LE(w(j - 1, 0).real(), w(j, 0).real());
            }
        }
    });
}

TEST(SmallMatrices, CholeskyAndSolve) {
    on_batches(true, true, [](const LinalgBackend& on, const Tensor& a, Index count) {
        const Tensor l = on.cholesky_read(a);
        const linalg::LuFactors factors = on.lu_factors_read(a);
        const Tensor x = on.lu_solve_read(factors.lu, factors.rows, factors.exponent, a),
                     y = on.solve_read(a, a);
        for (Index i = 0; i < count; ++i) {
            const Dense factor = matrix_of(l, i), matrix = matrix_of(a, i);
            EXPECT_LT(residual_ratio(matrix, factor * adjoint(factor), a.dtype()), 30);
            for (const Dense& solution : {matrix_of(x, i), matrix_of(y, i)})
                EXPECT_LE(one_norm(matrix - matrix * solution), 30 * static_cast<double>(matrix.rows) *
                                                                    ulp_of(a.dtype()) * one_norm(matrix) *
                                                                    one_norm(solution));
        }
    });
}

TEST(SmallMatrices, LuOfSingularOnes) {
    on_batches(true, false, [](const LinalgBackend& on, const Tensor& a, Index count) {
        const linalg::LuFactors factors = on.lu_factors_read(a);
        for (Index i = 0; i < count; ++i) {
            Dense packed = scaled(matrix_of(factors.lu, i),
                                  -static_cast<int>(matrix_of(factors.exponent, i, 0)(0, 0).real()));
            const Dense rows = matrix_of(factors.rows, i, 1), whole = matrix_of(a, i);
            const Index n = packed.rows;
            Dense l = Dense::identity(n), u(n, n), permuted(n, n);
            const Dense unscaled = matrix_of(factors.lu, i);
            for (Index j = 0; j < n; ++j)
                for (Index k = 0; k < n; ++k) {
                    (k > j ? l : u)(k, j) = k > j ? unscaled(k, j) : packed(k, j);
                    permuted(k, j) = whole(static_cast<Index>(rows(k, 0).real()), j);
                }
            EXPECT_LT(residual_ratio(permuted, l * u, a.dtype()), 30);
        }
    });
}

/// |op(A) X - B| or |X op(A) - B| beside |A| |X|, in units of rounding.
double solution_ratio(const linalg::TriangularOptions& options, const Dense& a, const Dense& x,
                      const Dense& b, DType dtype) {
    Dense op = options.transpose ? adjoint(a) : a;
    if (options.conjugate != options.transpose)
        for (Complex& element : op.elements) element = std::conj(element);
    const Dense left = options.left ? op * x - b : x * op - b;
    return one_norm(left) / (one_norm(a) * one_norm(x) * static_cast<double>(a.rows) * ulp_of(dtype));
}

TEST(SmallMatrices, SystemsOfEveryForm) {
    on_batches(true, true, [](const LinalgBackend& on, const Tensor& a, Index count) {
        std::mt19937_64 random(kSmallSeed);
        const linalg::LuFactors factors = on.lu_factors_read(a);
        const Index n = a.shape()[0];
        const bool complex = info(a.dtype()).is_complex;
        for (int form = 0; form < (complex ? 32 : 16); ++form) {
            const linalg::TriangularOptions options{.left = (form & 1) != 0,
                                                    .lower = (form & 2) != 0,
                                                    .transpose = (form & 4) != 0,
                                                    .conjugate = (form & 16) != 0,
                                                    .unit_diagonal = (form & 8) != 0};
            std::vector<Dense> sides;
            for (Index i = 0; i < count; ++i)
                sides.push_back(random_matrix(options.left ? n : 3, options.left ? 3 : n, complex, random));
            const Tensor b = stacked(sides, a.dtype());
            const Tensor x = on.triangular_solve_read(a, b, options);
            const Tensor y = on.lu_solve_read(factors.lu, factors.rows, factors.exponent, b, options);
            for (Index i = 0; i < count; ++i) {
                const Dense whole = matrix_of(a, i), side = matrix_of(b, i);
                Dense triangle(n, n);
                for (Index j = 0; j < n; ++j)
                    for (Index k = 0; k < n; ++k) {
                        if (options.lower ? k > j : k < j) triangle(k, j) = whole(k, j);
                        if (k == j) triangle(k, j) = options.unit_diagonal ? 1 : whole(k, j);
                    }
                EXPECT_LT(solution_ratio(options, triangle, matrix_of(x, i), side, a.dtype()), 30) << form;
                EXPECT_LT(solution_ratio(options, whole, matrix_of(y, i), side, a.dtype()), 30) << form;
            }
        }
    });
}

TEST(SmallMatrices, SystemsWithoutElements) {
    for (const NamedBackend& named : linalg_backends())
        for (const DType dtype : kFloatingDTypes) {
            const LinalgBackend on(*named.backend);
            const Tensor units = stacked(std::vector<Dense>(5, Dense::identity(3)), dtype);
            const auto extents = [&](const Tensor& a, const Dims& sides) {
                return Dims(on.solve_read(a, Tensor::zeros(dtype, sides)).shape());
            };
            SCOPED_TRACE(named.name);
            EXPECT_EQ(extents(units, {3, 0, 5}), (Dims{3, 0, 5}));
            EXPECT_EQ(extents(Tensor::zeros(dtype, {0, 0, 5}), {0, 2, 5}), (Dims{0, 2, 5}));
            EXPECT_EQ(extents(Tensor::zeros(dtype, {2, 2, 0}), {2, 1, 0}), (Dims{2, 1, 0}));
            EXPECT_EQ(on.inv_read(Tensor::zeros(dtype, {0, 0, 5})).shape(), (Dims{0, 0, 5}));
            EXPECT_EQ(on.inv_read(Tensor::zeros(dtype, {2, 2, 0})).shape(), (Dims{2, 2, 0}));
        }
}

TEST(SmallMatrices, LuAndInverse) {
    on_batches(true, true, [](const LinalgBackend& on, const Tensor& a, Index count) {
        const linalg::LuTensors lu = on.lu_read(a);
        const linalg::LuFactors factors = on.lu_factors_read(a);
        const Tensor inverse = on.inv_read(a), det = on.det_read(factors.lu, factors.rows, factors.exponent);
        for (Index i = 0; i < count; ++i) {
            const Dense whole = matrix_of(a, i), p = matrix_of(lu.p, i), l = matrix_of(lu.l, i),
                        u = matrix_of(lu.u, i), x = matrix_of(inverse, i);
            EXPECT_LT(residual_ratio(p * whole, l * u, a.dtype()), 30);
            Complex product = matrix_of(lu.parity, i, 0)(0, 0);
            for (Index j = 0; j < u.rows; ++j) product *= u(j, j);
            const Complex expected = matrix_of(det, i, 0)(0, 0);
            EXPECT_LE(std::abs(product - expected), 100 * ulp_of(a.dtype()) * std::abs(expected));
            EXPECT_LE(
                one_norm(whole * x - Dense::identity(whole.rows)),
                30 * static_cast<double>(whole.rows) * ulp_of(a.dtype()) * one_norm(whole) * one_norm(x));
        }
    });
}

/// What a batch of 21 with one matrix that is not like the others is told; the others are ordinary.
template <class F>
std::string told(double element, F&& compute) {
    std::mt19937_64 random(kSmallSeed);
    Tensor a = stacked(mixed(3, 3, 21, true, random), DType::F64);
    double* const matrix = a.write().data_as<double>() + 17 * 9;
    for (Index k = 1; k < 9; k += 3) matrix[k] = element;  // row 1
    try {
        const auto backend = CpuBackend::with_threads(3);
        compute(LinalgBackend(*backend), a);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}
TEST(SmallMatrices, ErrorsNameTheMatrix) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto inverse = [](const LinalgBackend& on, const Tensor& a) { (void)on.inv_read(a); };
    const auto lu = [](const LinalgBackend& on, const Tensor& a) { (void)on.lu_read(a); };
    const auto solve = [](const LinalgBackend& on, const Tensor& a) {
        (void)on.triangular_solve_read(a, a, {.lower = false});
    };
    EXPECT_EQ(told(0, inverse), "inv: matrix [17] of the batch: pivot 2 is 0");
    EXPECT_EQ(told(nan, inverse), "inv: matrix [17] of the batch: element [1, 0] is nan");
    EXPECT_EQ(told(nan, lu), "lu: matrix [17] of the batch: element [1, 0] is nan");
    EXPECT_EQ(told(0, lu), "nothing");
    EXPECT_EQ(told(0, solve), "triangular_solve: matrix [17] of the batch: diagonal element 1 is 0");
    EXPECT_EQ(told(nan, solve), "triangular_solve: matrix [17] of the batch: element [1, 1] is nan");
}

/// The bytes of what is computed of a [n, n, 37] with that many threads.
std::vector<std::string> bits(const Tensor& a, int threads) {
    const auto backend = CpuBackend::with_threads(threads);
    const LinalgBackend on(*backend);
    std::vector<std::string> all;
    const auto keep = [&](const Tensor& part) {
        all.emplace_back(static_cast<const char*>(part.data()),
                         static_cast<std::size_t>(part.size()) * info(part.dtype()).bytes);
    };
    keep(on.cholesky_read(a));
    keep(on.inv_read(a));
    keep(on.solve_read(a, a));
    keep(on.triangular_solve_read(a, a));
    const linalg::LuTensors lu = on.lu_read(a);
    for (const Tensor* part : {&lu.p, &lu.l, &lu.u, &lu.parity}) keep(*part);
    const linalg::LuFactors factors = on.lu_factors_read(a);
    keep(on.lu_solve_read(factors.lu, factors.rows, factors.exponent, a));
    const linalg::QrTensors qr = on.qr_read(a);
    for (const Tensor* part : {&qr.q, &qr.r}) keep(*part);
    const linalg::SvdTensors svd = on.svd_read(a);
    for (const Tensor* part : {&svd.u, &svd.s, &svd.vh}) keep(*part);
    const linalg::EigenTensors eigh = on.eigh_read(a), eig = on.eig_read(a);
    for (const Tensor* part : {&eigh.values, &eigh.vectors, &eig.values, &eig.vectors}) keep(*part);
    keep(on.pinv_read(a));
    keep(on.matrix_exp_read(a));
    return all;
}
TEST(SmallMatrices, TheSameBitsForAnyNumberOfThreads) {
    std::mt19937_64 random(kSmallSeed);
    for (const Index n : {3, 8, 16, 40}) {
        std::vector<Dense> matrices;
        for (Index i = 0; i < 37; ++i) {
            const Dense x = random_matrix(n, n, true, random);
            matrices.push_back(x * adjoint(x));
        }
        for (const DType dtype : {DType::F32, DType::F64, DType::C64}) {
            const Tensor a = stacked(matrices, dtype);
            const std::vector<std::string> expected = bits(a, 1);
            for (const int threads : {2, 5}) {
                if (test::kSanitized && threads == 2) continue;  // the same memory
                EXPECT_TRUE(bits(a, threads) == expected) << info(dtype).name << " " << n << " " << threads;
            }
        }
    }
}

}  // namespace
