// Residuals and orthogonality of every factorisation, in the norms and with the thresholds of LAPACK's tests,
// on drawn and classic matrices, every dtype and every backend; and the scale of their elements.
#include <gtest/gtest.h>

#include "tenferro/linalg/backend.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::LinalgBackend;

namespace {

constexpr double kSolve = 30, kSvd = 50, kSymmetric = 60, kNonsymmetric = 20;
constexpr std::uint64_t kSeed = 20240817;

/// Calls check(backend, dtype, matrix as the dtype has it, tensor). Large matrices are for the backends whose
/// methods depend on the size.
template <class F>
void on_all(const std::function<std::vector<NamedMatrix>(bool complex, std::mt19937_64&)>& draw, F&& check) {
    for (const DType dtype : kFloatingDTypes) {
        std::mt19937_64 random(kSeed);
        for (const NamedMatrix& drawn : draw(info(dtype).is_complex, random)) {
            const Tensor tensor = tensor_of(drawn.matrix, dtype);
            const Dense matrix = matrix_of(tensor);
            for (const NamedBackend& named : linalg_backends()) {
                if (matrix.rows > 100 && named.name == "reference") continue;
                SCOPED_TRACE(named.name + " " + std::string(info(dtype).name) + " " + drawn.name + " " +
                             std::to_string(matrix.rows) + "x" + std::to_string(matrix.columns) + " seed " +
                             std::to_string(kSeed));
                try {
                    check(LinalgBackend(*named.backend), dtype, matrix, tensor);
                } catch (const Error& error) {
                    ADD_FAILURE() << error.what();
                }
            }
        }
    }
}

void append(std::vector<NamedMatrix>& all, std::vector<NamedMatrix> more) {
    for (NamedMatrix& matrix : more) all.push_back(std::move(matrix));
}

std::vector<NamedMatrix> rectangular(bool complex, std::mt19937_64& random) {
    std::vector<NamedMatrix> all;
    for (const auto& [m, n] : {std::pair<Index, Index>{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 5}, {5, 1}, {2, 2}})
        all.push_back({"drawn", random_matrix(m, n, complex, random)});
    for (const auto& [m, n] : {std::pair<Index, Index>{3, 3}, {7, 4}, {4, 7}, {17, 17}, {40, 33}, {33, 40}})
        append(all, drawn_matrices(m, n, complex, random));
    for (const Index n : {4, 12, 34}) append(all, classic_matrices(n));
    for (const int exponent : {-120, 118})
        all.push_back({"scaled", scaled(random_matrix(6, 5, complex, random), exponent)});
    return all;
}
std::vector<NamedMatrix> square(bool complex, std::mt19937_64& random) {
    std::vector<NamedMatrix> all;
    for (const Index n : {0, 1, 2, 3, 5, 9, 35})
        all.push_back({"drawn", random_matrix(n, n, complex, random)});
    for (const Index n : {3, 10}) append(all, drawn_matrices(n, n, complex, random));
    for (const Index n : {4, 12, 34}) append(all, classic_matrices(n));
    for (const int exponent : {-120, 118})
        all.push_back({"scaled", scaled(random_matrix(6, 6, complex, random), exponent)});
    return all;
}
std::vector<NamedMatrix> hermitian(bool complex, std::mt19937_64& random) {
    std::vector<NamedMatrix> all;
    for (const Index n : {0, 1, 2, 3, 5, 16, 35}) append(all, drawn_hermitian(n, complex, false, random));
    all.push_back({"large", hermitian_of(spectra(130, random)[2].second, complex, false, random)});
    for (NamedMatrix& classic : classic_matrices(12))
        if (classic.name != "Kahan" && classic.name != "Jordan" && classic.name != "Grcar" &&
            classic.name != "companion")
            all.push_back(std::move(classic));
    for (const int exponent : {-120, 118})
        all.push_back({"scaled", scaled(drawn_hermitian(6, complex, false, random)[2].matrix, exponent)});
    return all;
}

/// Numbers as a diagonal matrix.
Dense diagonal_of(const Tensor& values, Index m, Index n) {
    return Dense::diagonal(matrix_of(values, 0, 1), m, n);
}

double largest_modulus(const Dense& a) {
    double largest = 0;
    for (const Complex& x : a.elements) largest = std::max(largest, std::abs(x));
    return largest;
}

void check_descending(const Tensor& s) {
    const Dense values = matrix_of(s, 0, 1);
    for (Index i = 0; i < values.rows; ++i) {
        EXPECT_GE(values(i, 0).real(), 0);
        if (i > 0) {
            EXPECT_GE(values(i - 1, 0).real(), values(i, 0).real());
        }
    }
}

TEST(Factorisation, Svd) {
    on_all(rectangular, [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
        for (const bool full : {false, true}) {
            const linalg::SvdTensors svd = on.svd_read(tensor, {.full = full, .fix_gauge = full});
            const Dense u = matrix_of(svd.u), vh = matrix_of(svd.vh);
            EXPECT_LT(residual_ratio(a, u * diagonal_of(svd.s, u.columns, vh.rows) * vh, dtype), kSvd);
            EXPECT_LT(orthogonality_ratio(u, dtype), kSvd);
            EXPECT_LT(orthogonality_ratio(adjoint(vh), dtype), kSvd);
            check_descending(svd.s);
            const Dense alone = matrix_of(on.svdvals_read(tensor), 0, 1), with = matrix_of(svd.s, 0, 1);
            const double size = one_norm(with);
            EXPECT_LE(one_norm(alone - with), kSvd * size * ulp_of(dtype));
        }
    });
}

TEST(Factorisation, Qr) {
    on_all(rectangular, [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
        for (const bool full : {false, true}) {
            const linalg::QrTensors qr = on.qr_read(tensor, {.full = full, .positive = full});
            const Dense q = matrix_of(qr.q), r = matrix_of(qr.r);
            EXPECT_LT(residual_ratio(a, q * r, dtype), kSolve);
            EXPECT_LT(orthogonality_ratio(q, dtype), kSolve);
            for (Index j = 0; j < r.columns; ++j)
                for (Index i = j; i < r.rows; ++i)
                    if (i > j) {
                        EXPECT_EQ(r(i, j), Complex(0));
                    } else if (full) {
                        EXPECT_GE(r(i, i).real(), 0);
                        EXPECT_EQ(r(i, i).imag(), 0);
                    }
        }
    });
}

TEST(Factorisation, PivotedQr) {
    on_all(rectangular, [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
        const linalg::PivotedQrTensors qr = on.pivoted_qr_read(tensor);
        const Dense q = matrix_of(qr.q), r = matrix_of(qr.r), columns = matrix_of(qr.columns, 0, 1);
        Dense permuted(a.rows, a.columns);
        for (Index j = 0; j < a.columns; ++j)
            for (Index i = 0; i < a.rows; ++i)
                permuted(i, j) = a(i, static_cast<Index>(columns(j, 0).real()));
        EXPECT_LT(residual_ratio(permuted, q * r, dtype), kSolve);
        EXPECT_LT(orthogonality_ratio(q, dtype), kSolve);
        for (Index i = 1; i < std::min(r.rows, r.columns); ++i)
            EXPECT_LE(std::abs(r(i, i)), std::abs(r(i - 1, i - 1)) * 1.01 + one_norm(a) * ulp_of(dtype));
    });
}

TEST(Factorisation, Lu) {
    on_all(rectangular, [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
        const linalg::LuTensors lu = on.lu_read(tensor);
        const Dense p = matrix_of(lu.p), l = matrix_of(lu.l);
        EXPECT_LT(residual_ratio(p * a, l * matrix_of(lu.u), dtype), kSolve);
        EXPECT_EQ(orthogonality_ratio(p, dtype), 0);
        EXPECT_LE(one_norm(l), 1.5 * static_cast<double>(a.rows));
        const linalg::FullPivLuTensors full = on.full_piv_lu_read(tensor);
        EXPECT_LT(residual_ratio(matrix_of(full.p) * a * matrix_of(full.q),
                                 matrix_of(full.l) * matrix_of(full.u), dtype),
                  kSolve);
    });
}

TEST(Factorisation, Cholesky) {
    const auto positive = [](bool complex, std::mt19937_64& random) {
        std::vector<NamedMatrix> all;
        for (const Index n : {0, 1, 2, 3, 7, 20, 45})
            for (NamedMatrix& drawn : drawn_hermitian(n, complex, true, random))
                if (drawn.name != "rank-deficient") all.push_back(std::move(drawn));
        all.push_back({"scaled", scaled(drawn_hermitian(5, complex, true, random)[3].matrix, -120)});
        return all;
    };
    on_all(positive, [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
        const Dense l = matrix_of(on.cholesky_read(tensor));
        EXPECT_LT(residual_ratio(a, l * adjoint(l), dtype), kSolve);
        for (Index j = 0; j < l.columns; ++j)
            for (Index i = 0; i < j; ++i) EXPECT_EQ(l(i, j), Complex(0));
    });
}

TEST(Factorisation, Eigh) {
    on_all(hermitian, [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
        const linalg::EigenTensors eigen = on.eigh_read(tensor, {.fix_gauge = true});
        const Dense v = matrix_of(eigen.vectors), w = matrix_of(eigen.values, 0, 1);
        EXPECT_LT(residual_ratio(a, v * Dense::diagonal(w, w.rows, w.rows) * adjoint(v), dtype), kSymmetric);
        EXPECT_LT(orthogonality_ratio(v, dtype), kSymmetric);
        for (Index i = 1; i < w.rows; ++i) EXPECT_LE(w(i - 1, 0).real(), w(i, 0).real());
        const Dense upper = matrix_of(on.eigvalsh_read(tensor, {.lower = false}), 0, 1);
        EXPECT_LE(one_norm(upper - w),
                  kSymmetric * static_cast<double>(w.rows) * one_norm(a) * ulp_of(dtype));
    });
}

// Tridiagonal ones whose elements have exponents from a wide range.
TEST(Factorisation, EighOfTridiagonalsOfWideRange) {
    std::mt19937_64 random(kSeed);
    std::uniform_real_distribution<double> uniform;
    const auto check = [](const NamedBackend& named, DType dtype, const Dense& a) {
        const LinalgBackend on(*named.backend);
        const Tensor tensor = tensor_of(a, dtype);
        const Dense given = matrix_of(tensor), alone = matrix_of(on.eigvalsh_read(tensor), 0, 1);
        const linalg::EigenTensors eigen = on.eigh_read(tensor);
        const Dense v = matrix_of(eigen.vectors), w = matrix_of(eigen.values, 0, 1);
        EXPECT_LT(residual_ratio(given, v * Dense::diagonal(w, w.rows, w.rows) * adjoint(v), dtype),
                  kSymmetric);
        EXPECT_LT(orthogonality_ratio(v, dtype), kSymmetric);
        EXPECT_LE(one_norm(alone - w),
                  kSymmetric * static_cast<double>(w.rows) * one_norm(given) * ulp_of(dtype));
    };
    const auto tridiagonal = [](Index n, const auto& diagonal, const auto& beside) {
        Dense a(n, n);
        for (Index i = 0; i < n; ++i) a(i, i) = diagonal();
        for (Index i = 0; i + 1 < n; ++i) a(i, i + 1) = a(i + 1, i) = beside(i);
        return a;
    };
    const auto zero = [] { return 0.0; };
    const double singles[] = {4.4e-4, 6e-24, 5.5e-27}, doubles[] = {1, 1e-160, 1e-170};
    for (const NamedBackend& named : linalg_backends())
        for (const DType dtype : kFloatingDTypes) {
            const bool single = ulp_of(dtype) > 1e-10;
            SCOPED_TRACE(named.name + " " + std::string(info(dtype).name) + " seed " + std::to_string(kSeed));
            check(named, dtype,
                  tridiagonal(4, zero, [&](Index i) { return (single ? singles : doubles)[i]; }));
            for (const Index n : {3, 4, 6, 12, 30})
                for (int draw = 0; draw < (n < 30 ? 60 : 10); ++draw) {
                    const double range = single ? 30 : 250;
                    const auto element = [&] {
                        return (uniform(random) < 0.5 ? -1 : 1) * std::pow(10, -range * uniform(random));
                    };
                    const bool empty = draw % 2 == 0;
                    check(named, dtype,
                          tridiagonal(
                              n, [&] { return empty ? 0.0 : element(); }, [&](Index) { return element(); }));
                }
        }
}

// Of a graded one every value keeps its digits, other than in the reference's.
TEST(Factorisation, EighOfGradedTridiagonals) {
    const Dense a = matrix_from(4, 4, [](Index i, Index j) {
        const double scale = std::pow(2.0, -static_cast<double>(20 * (i + j)));
        return i == j ? 2 * scale : std::abs(i - j) == 1 ? scale : 0.0;
    });
    // L D Lᵀ with its pivots: the values differ from them by 2^-40.
    const double pivots[] = {2, 3.0 / 2, 4.0 / 3, 5.0 / 4};
    const auto backend = CpuBackend::with_threads(1);
    const Dense w = matrix_of(LinalgBackend(*backend).eigvalsh_read(tensor_of(a, DType::F64)), 0, 1);
    for (Index i = 0; i < 4; ++i) {
        const double expected = std::ldexp(pivots[i], static_cast<int>(-40 * i));
        EXPECT_NEAR(w(3 - i, 0).real(), expected, 1e-11 * expected) << i;
    }
}

TEST(Factorisation, Eig) {
    on_all(square, [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
        const linalg::EigenTensors eigen = on.eig_read(tensor);
        const Dense v = matrix_of(eigen.vectors), w = matrix_of(eigen.values, 0, 1);
        const double n = static_cast<double>(std::max<Index>(a.rows, 1));
        EXPECT_LE(one_norm(a * v - v * Dense::diagonal(w, w.rows, w.rows)),
                  kNonsymmetric * n * one_norm(a) * ulp_of(dtype));
        for (Index j = 0; j < v.columns; ++j) {
            double length = 0;
            for (Index i = 0; i < v.rows; ++i) length += std::norm(v(i, j));
            EXPECT_NEAR(length, 1, kNonsymmetric * n * ulp_of(dtype));
        }
        const double near = std::sqrt(ulp_of(dtype)) * largest_modulus(w) * 1.01;
        for (Index i = 1; i < w.rows; ++i) EXPECT_GE(w(i, 0).real(), w(i - 1, 0).real() - near) << i;
        // Alone they may be others where the matrix is defective, but of the same sum and sum of squares.
        const Dense alone = matrix_of(on.eigvals_read(tensor), 0, 1), squared = a * a;
        ASSERT_EQ(alone.rows, a.rows);
        Complex sum = 0, sum_of_squares = 0;
        double size = 0;
        for (Index i = 0; i < a.rows; ++i) {
            sum += alone(i, 0) - a(i, i);
            sum_of_squares += alone(i, 0) * alone(i, 0) - squared(i, i);
            size += std::abs(alone(i, 0)) + std::abs(a(i, i));
        }
        const double rounding = kNonsymmetric * n * n * ulp_of(dtype) * one_norm(a);
        EXPECT_LE(std::abs(sum), rounding);
        EXPECT_LE(std::abs(sum_of_squares), rounding * std::max(one_norm(a), size));
    });
}

TEST(Factorisation, EigenvaluesAreOrdered) {
    for (const NamedBackend& named : linalg_backends())
        for (const DType dtype : kFloatingDTypes) {
            SCOPED_TRACE(named.name + " " + std::string(info(dtype).name));
            const LinalgBackend on(*named.backend);
            // Real ones, some small beside the largest, and pairs whose real parts are equal.
            const double largest = ulp_of(dtype) < 1e-10 ? 1024 : 64;
            Dense a(9, 9);
            const double alone[] = {1, 0.25, largest, 0.75, -3};
            for (Index i = 0; i < 5; ++i) a(i, i) = alone[i];
            for (const Index i : {5, 7}) {
                const double re = i == 5 ? 0.5 : -7.5;
                a(i, i) = a(i + 1, i + 1) = re;
                a(i, i + 1) = 2;
                a(i + 1, i) = -2;
            }
            std::mt19937_64 random(kSeed);
            const Dense turn = random_orthogonal(9, 9, info(dtype).is_complex, random);
            const Dense w = matrix_of(on.eigvals_read(tensor_of(turn * a * adjoint(turn), dtype)), 0, 1);
            const Complex expected[] = {{-7.5, -2}, {-7.5, 2}, -3, 0.25,   {0.5, -2},
                                        {0.5, 2},   0.75,      1,  largest};
            for (Index i = 0; i < 9; ++i)
                EXPECT_LE(std::abs(w(i, 0) - expected[i]), largest * kNonsymmetric * 9 * ulp_of(dtype)) << i;
        }
}

TEST(Factorisation, Solve) {
    const auto regular = [](bool complex, std::mt19937_64& random) {
        std::vector<NamedMatrix> all;
        for (NamedMatrix& matrix : square(complex, random))
            if (matrix.name != "zero" && matrix.name != "ones" && matrix.name != "rank-deficient" &&
                matrix.name != "Hilbert" && matrix.name != "graded" && matrix.name != "companion")
                all.push_back(std::move(matrix));
        return all;
    };
    on_all(regular, [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
        std::mt19937_64 random(kSeed);
        const Tensor b = tensor_of(random_matrix(a.rows, 3, info(dtype).is_complex, random), dtype);
        const double n = static_cast<double>(std::max<Index>(a.rows, 1));
        const auto check = [&](const Dense& matrix, const Dense& x, const Dense& side) {
            // |B - A X| / (|A| |X| n ulp)
            EXPECT_LE(one_norm(side - matrix * x),
                      kSolve * n * ulp_of(dtype) * one_norm(matrix) * one_norm(x));
        };
        const linalg::LuFactors factors = on.lu_factors_read(tensor);
        for (const bool transpose : {false, true})
            for (const bool conjugate : {false, true}) {
                const linalg::TriangularOptions options{.transpose = transpose, .conjugate = conjugate};
                Dense op = transpose ? adjoint(a) : a;
                if (conjugate != transpose)
                    for (Complex& x : op.elements) x = std::conj(x);
                check(op, matrix_of(on.lu_solve_read(factors.lu, factors.rows, factors.exponent, b, options)),
                      matrix_of(b));
                linalg::TriangularOptions right = options;
                right.left = false;
                const Tensor across = tensor_of(adjoint(matrix_of(b)), dtype);
                const Dense x =
                    matrix_of(on.lu_solve_read(factors.lu, factors.rows, factors.exponent, across, right));
                check(adjoint(op), adjoint(x), matrix_of(b));
            }
        check(a, matrix_of(on.solve_read(tensor, b)), matrix_of(b));
        check(a, matrix_of(on.full_piv_lu_solve_read(tensor, b)), matrix_of(b));
        check(a, matrix_of(on.inv_read(tensor)), Dense::identity(a.rows));
    });
}

TEST(Factorisation, TriangularSolve) {
    on_all(
        [](bool complex, std::mt19937_64& random) {
            std::vector<NamedMatrix> all;
            for (const Index n : {1, 2, 5, 40}) {
                Dense a = random_matrix(n, n, complex, random);
                for (Index i = 0; i < n; ++i) a(i, i) += 2 * std::sqrt(static_cast<double>(n));
                all.push_back({"dominant", std::move(a)});
            }
            return all;
        },
        [](const LinalgBackend& on, DType dtype, const Dense& a, const Tensor& tensor) {
            std::mt19937_64 random(kSeed);
            const Index n = a.rows;
            for (int bits = 0; bits < 32; ++bits) {
                const linalg::TriangularOptions o{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0,
                                                  (bits & 8) != 0, (bits & 16) != 0};
                const Tensor b = tensor_of(
                    random_matrix(o.left ? n : 3, o.left ? 3 : n, info(dtype).is_complex, random), dtype);
                Dense op(n, n);
                for (Index j = 0; j < n; ++j)
                    for (Index i = 0; i < n; ++i) {
                        if (o.lower ? i < j : i > j) continue;
                        const Complex x = i == j && o.unit_diagonal ? Complex(1) : a(i, j);
                        op(o.transpose ? j : i, o.transpose ? i : j) = o.conjugate ? std::conj(x) : x;
                    }
                const Dense x = matrix_of(on.triangular_solve_read(tensor, b, o));
                const Dense product = o.left ? op * x : x * op;
                EXPECT_LE(one_norm(matrix_of(b) - product), kSolve * static_cast<double>(n) * ulp_of(dtype) *
                                                                one_norm(op) * one_norm(x) *
                                                                static_cast<double>(n))
                    << bits;
            }
        });
}

TEST(Factorisation, ElementsNearTheEndsOfTheRange) {
    std::mt19937_64 random(kSeed);
    for (const NamedBackend& named : linalg_backends())
        for (const int exponent : {-1070, -1000, 1000, 1015}) {
            SCOPED_TRACE(named.name + " 2^" + std::to_string(exponent));
            const LinalgBackend on(*named.backend);
            for (const Index n : {3, 34}) {
                // Integers, so that subnormal ones are exact.
                const Dense plain = matrix_from(n, n, [&](Index i, Index j) {
                    return (i == j ? 1.0 : 0.0) + static_cast<double>(random() % 16) / 16;
                });
                const Dense a = scaled(plain, exponent);
                const Tensor tensor = tensor_of(a, DType::F64);
                // Values below are compared after scaling back: what is subnormal has an absolute precision.
                const double lost =
                    exponent < -1022 ? std::ldexp(1.0, -1074 - exponent) * static_cast<double>(n) : 0;
                const auto near = [&](const Dense& got, const Dense& expected) {
                    EXPECT_LE(one_norm(got - expected), kSvd * static_cast<double>(n) *
                                                            (ulp_of(DType::F64) * one_norm(expected) + lost));
                };
                near(scaled(matrix_of(on.svdvals_read(tensor), 0, 1), -exponent),
                     matrix_of(on.svdvals_read(tensor_of(plain, DType::F64)), 0, 1));
                const linalg::QrTensors qr = on.qr_read(tensor);
                near(matrix_of(qr.q) * scaled(matrix_of(qr.r), -exponent), plain);
                const linalg::LuFactors factors = on.lu_factors_read(tensor);
                for (const Tensor& x : {on.lu_solve_read(factors.lu, factors.rows, factors.exponent, tensor),
                                        on.solve_read(tensor, tensor)})
                    EXPECT_LE(one_norm(matrix_of(x) - Dense::identity(n)), 1e-9);
            }
        }
}

}  // namespace
