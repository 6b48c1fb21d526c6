// Matrices that the blocked algorithms of kind builtin cut into several panels, blocks and tasks: residuals
// in the norms of LAPACK's tests, results that do not depend on the number of threads, and cancellation.
#include <gtest/gtest.h>

#include <cstring>

#include "support/sanitized.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/linalg/backend.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::LinalgBackend;

namespace {

constexpr Index kLarge = 260;
constexpr double kThreshold = 30;

class LargeMatrices : public ::testing::TestWithParam<DType> {
protected:
    [[nodiscard]] bool is_complex() const { return info(GetParam()).is_complex; }
    [[nodiscard]] bool is_single() const { return GetParam() == DType::F32 || GetParam() == DType::C32; }
    [[nodiscard]] Dense draw(Index m, Index n) { return random_matrix(m, n, is_complex(), random_); }
    /// As the dtype has it.
    [[nodiscard]] Dense rounded(const Dense& a) const { return matrix_of(tensor_of(a, GetParam())); }

    void check_svd(const Dense& drawn) {
        const Dense a = rounded(drawn);
        const linalg::SvdTensors svd = on_.svd_read(tensor_of(a, GetParam()));
        const Dense u = matrix_of(svd.u), vh = matrix_of(svd.vh), s = matrix_of(svd.s, 0, 1);
        EXPECT_LT(residual_ratio(a, u * Dense::diagonal(s, s.rows, s.rows) * vh, GetParam()), kThreshold);
        EXPECT_LT(orthogonality_ratio(u, GetParam()), kThreshold);
        EXPECT_LT(orthogonality_ratio(adjoint(vh), GetParam()), kThreshold);
        const Dense alone = matrix_of(on_.svdvals_read(tensor_of(a, GetParam())), 0, 1);
        for (Index i = 0; i < s.rows; ++i) {
            EXPECT_LE(std::abs(alone(i, 0) - s(i, 0)),
                      kThreshold * static_cast<double>(s.rows) * s(0, 0).real() * ulp_of(GetParam()));
            if (i > 0) {
                EXPECT_GE(s(i - 1, 0).real(), s(i, 0).real());
            }
        }
    }
    void check_eigh(const Dense& drawn) {
        const Dense a = rounded(drawn);
        const linalg::EigenTensors eigen = on_.eigh_read(tensor_of(a, GetParam()));
        const Dense v = matrix_of(eigen.vectors), w = matrix_of(eigen.values, 0, 1);
        EXPECT_LT(residual_ratio(a, v * Dense::diagonal(w, w.rows, w.rows) * adjoint(v), GetParam()),
                  kThreshold);
        EXPECT_LT(orthogonality_ratio(v, GetParam()), kThreshold);
        const Dense alone = matrix_of(on_.eigvalsh_read(tensor_of(a, GetParam())), 0, 1);
        EXPECT_LE(one_norm(alone - w),
                  kThreshold * static_cast<double>(w.rows) * one_norm(a) * ulp_of(GetParam()));
    }

    std::mt19937_64 random_{20261122};
    std::unique_ptr<TensorBackend> backend_ = CpuBackend::with_threads(2);
    LinalgBackend on_{*backend_};
};

TEST_P(LargeMatrices, SingularValues) {
    check_svd(draw(kLarge, kLarge));
    check_svd(draw(49, 97));
    check_svd(draw(200, 110));
    // What is joined is nearly all settled before: equal values, zeros, one that is large.
    Dense repeated(120, 120);
    for (Index i = 0; i < 120; ++i) repeated(i, i) = i % 3 == 0 ? 0.0 : i == 7 ? 1e4 : 1.0;
    check_svd(repeated);
    const Dense left = random_orthogonal(120, 120, is_complex(), random_);
    check_svd(left * repeated);
    // A bidiagonal matrix whose elements fall by ten orders of magnitude.
    Dense graded(100, 100);
    for (Index i = 0; i < 100; ++i) {
        graded(i, i) = std::pow(10.0, -0.1 * static_cast<double>(i));
        if (i > 0) graded(i - 1, i) = graded(i, i);
    }
    check_svd(graded);
    check_svd(Dense(64, 60));
}

/// How many singular values of the bidiagonal matrix are less than x: the negative pivots of BᵀB - x².
Index count_below(const std::vector<double>& diagonal, const std::vector<double>& above, long double x) {
    Index count = 0;
    long double rest = -x * x;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        const long double d = diagonal[i], e = i + 1 < diagonal.size() ? above[i] : 0.0, pivot = d * d + rest;
        if (pivot < 0) ++count;
        rest = rest / (pivot == 0 ? 1e-4000L : pivot) * e * e - x * x;
    }
    return count;
}

TEST_P(LargeMatrices, SingularValuesOfBidiagonalMatricesAreRightToTheLastDigits) {
    const double smallest = is_single() ? 1e-30 : 1e-140;
    std::normal_distribution<double> normal;
    const auto check = [&](const std::string& name, Index n, auto&& element) {
        SCOPED_TRACE(name);
        Dense b(n, n);
        std::vector<double> diagonal, above;
        for (Index i = 0; i < n; ++i) {
            b(i, i) = element(i, true);
            if (i + 1 < n) b(i, i + 1) = element(i, false);
        }
        b = rounded(b);
        for (Index i = 0; i < n; ++i) {
            diagonal.push_back(b(i, i).real());
            above.push_back(i + 1 < n ? b(i, i + 1).real() : 0.0);
        }
        const Dense s = matrix_of(on_.svdvals_read(tensor_of(b, GetParam())), 0, 1);
        const long double error = 2 * static_cast<long double>(n) * ulp_of(GetParam());
        for (Index i = 0; i < n; ++i) {
            const long double value = s(n - 1 - i, 0).real();  // of number i in ascending order
            if (value > smallest) {
                EXPECT_LE(count_below(diagonal, above, value * (1 - error)), i) << i;
            }
            EXPECT_GE(count_below(diagonal, above, value * (1 + error) + smallest), i + 1) << i;
        }
    };
    for (const Index n : {2, 3, 17, 64, 130}) {
        const auto draw = [&] { return normal(random_); };
        const auto grade = [&](Index i) { return std::pow(10.0, -12.0 * static_cast<double>(i) / 130); };
        check("drawn", n, [&](Index, bool) { return draw(); });
        check("falling", n, [&](Index i, bool) { return draw() * grade(i); });
        check("rising", n, [&](Index i, bool) { return draw() * grade(n - i); });
        check("ones", n, [&](Index, bool) { return 1.0; });
        check("nearly equal", n, [&](Index i, bool on) { return on ? 1.0 : i % 5 == 4 ? 0 : 1e-6; });
        check("clustered", n, [&](Index, bool on) { return on ? 1 + 1e-9 * draw() : 1e-5 * draw(); });
        check("with zeros", n, [&](Index i, bool on) { return i % 7 == (on ? 3 : 5) ? 0.0 : draw(); });
        check("with small ones", n,
              [&](Index i, bool on) { return draw() * (i % 9 == (on ? 3 : 5) ? 1e-7 : 1); });
        check("Kahan's", n,
              [&](Index i, bool on) { return (on ? 1 : -0.43) * std::pow(0.9, static_cast<double>(i)); });
    }
}

TEST_P(LargeMatrices, TriangularSystems) {
    for (const Index n : {1, 7, 8, 9, 37})
        for (const Index k : {1, 3, 20})
            for (int bits = 0; bits < 32; ++bits) {
                const linalg::TriangularOptions options{.left = (bits & 1) != 0,
                                                        .lower = (bits & 2) != 0,
                                                        .transpose = (bits & 4) != 0,
                                                        .conjugate = (bits & 8) != 0,
                                                        .unit_diagonal = (bits & 16) != 0};
                Dense a(n, n), given = draw(n, n);
                for (Index i = 0; i < n; ++i)
                    for (Index j = 0; j < n; ++j) {
                        given(i, j) *= i == j ? 1.0 : 1 / static_cast<double>(n);
                        if (i == j) given(i, j) += 3.0;
                    }
                given = rounded(given);
                for (Index i = 0; i < n; ++i)
                    for (Index j = 0; j < n; ++j) {
                        const Index to_i = options.transpose ? j : i, to_j = options.transpose ? i : j;
                        if (options.lower ? i < j : i > j) continue;
                        const Complex x = i == j && options.unit_diagonal ? 1.0 : given(i, j);
                        a(to_i, to_j) = options.conjugate ? std::conj(x) : x;
                    }
                const Dense b = rounded(options.left ? draw(n, k) : draw(k, n));
                const Dense x = matrix_of(on_.triangular_solve_read(tensor_of(given, GetParam()),
                                                                    tensor_of(b, GetParam()), options));
                EXPECT_LE(
                    one_norm(b - (options.left ? a * x : x * a)),
                    kThreshold * static_cast<double>(n) * ulp_of(GetParam()) * one_norm(a) * one_norm(x))
                    << n << " x " << k << ", options " << bits;
            }
}

TEST_P(LargeMatrices, EigenvaluesOfHermitianMatrices) {
    const Dense a = draw(kLarge, kLarge);
    check_eigh(a * adjoint(a));
    const auto tridiagonal = [](Index n, auto&& diagonal, auto&& beside) {
        Dense made(n, n);
        for (Index i = 0; i < n; ++i) {
            made(i, i) = diagonal(i);
            if (i > 0) made(i, i - 1) = made(i - 1, i) = beside(i);
        }
        return made;
    };
    // Wilkinson's matrix has pairs of eigenvalues that agree in many digits; glued ones have clusters.
    check_eigh(tridiagonal(
        101, [](Index i) { return std::abs(static_cast<double>(i - 50)); }, [](Index) { return 1.0; }));
    check_eigh(tridiagonal(
        126, [](Index i) { return std::abs(static_cast<double>(i % 21 - 10)); },
        [](Index i) { return i % 21 == 0 ? 1e-7 : 1.0; }));
    check_eigh(tridiagonal(
        97, [](Index) { return 0.0; }, [](Index) { return -1.0; }));
    check_eigh(tridiagonal(
        90, [](Index i) { return std::pow(10.0, -0.2 * static_cast<double>(i)); },
        [](Index i) { return std::pow(10.0, -0.2 * static_cast<double>(i)); }));
    check_eigh(Dense::identity(97));
    check_eigh(Dense(50, 50));
}

TEST_P(LargeMatrices, Qr) {
    for (const auto& [m, n] : {std::pair<Index, Index>{kLarge, kLarge}, {150, 70}, {70, 150}, {129, 128}})
        for (const bool full : {false, true}) {
            const Dense a = rounded(draw(m, n));
            const linalg::QrTensors qr = on_.qr_read(tensor_of(a, GetParam()), {.full = full});
            EXPECT_LT(residual_ratio(a, matrix_of(qr.q) * matrix_of(qr.r), GetParam()), kThreshold);
            EXPECT_LT(orthogonality_ratio(matrix_of(qr.q), GetParam()), kThreshold);
        }
    // Columns of one norm, whose norms cancel as they are brought up to date.
    Dense a = draw(140, 130);
    for (Index j = 1; j < a.columns; ++j)
        for (Index i = 0; i < a.rows; ++i) a(i, j) = a(i, 0) + 1e-6 * a(i, j);
    a = rounded(a);
    const linalg::PivotedQrTensors qr = on_.pivoted_qr_read(tensor_of(a, GetParam()));
    const Dense r = matrix_of(qr.r), columns = matrix_of(qr.columns, 0, 1);
    Dense permuted(a.rows, a.columns);
    for (Index j = 0; j < a.columns; ++j)
        for (Index i = 0; i < a.rows; ++i) permuted(i, j) = a(i, static_cast<Index>(columns(j, 0).real()));
    EXPECT_LT(residual_ratio(permuted, matrix_of(qr.q) * r, GetParam()), kThreshold);
    for (Index i = 1; i < r.rows; ++i)
        EXPECT_LE(std::abs(r(i, i)), std::abs(r(i - 1, i - 1)) * 1.01 + one_norm(a) * ulp_of(GetParam()));
}

TEST_P(LargeMatrices, Gauss) {
    for (const auto& [m, n] : {std::pair<Index, Index>{kLarge, kLarge}, {150, 70}, {70, 150}}) {
        const Dense a = rounded(draw(m, n));
        const linalg::LuTensors lu = on_.lu_read(tensor_of(a, GetParam()));
        EXPECT_LT(residual_ratio(matrix_of(lu.p) * a, matrix_of(lu.l) * matrix_of(lu.u), GetParam()),
                  kThreshold);
    }
    Dense a = draw(kLarge, kLarge);
    a = a * adjoint(a);
    for (Index i = 0; i < a.rows; ++i) a(i, i) += static_cast<double>(a.rows);
    a = rounded(a);
    const Dense l = matrix_of(on_.cholesky_read(tensor_of(a, GetParam())));
    EXPECT_LT(residual_ratio(a, l * adjoint(l), GetParam()), kThreshold);
    for (const bool left : {false, true}) {
        const Dense b = rounded(left ? draw(kLarge, 40) : draw(40, kLarge));
        const Dense x = matrix_of(
            on_.triangular_solve_read(tensor_of(l, GetParam()), tensor_of(b, GetParam()), {.left = left}));
        EXPECT_LE(one_norm(b - (left ? l * x : x * l)),
                  kThreshold * static_cast<double>(kLarge) * ulp_of(GetParam()) * one_norm(l) * one_norm(x));
    }
    a(200, 200) = -1;
    try {
        static_cast<void>(on_.cholesky_read(tensor_of(a, GetParam())));
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("201"), std::string::npos) << error.what();
    }
}

TEST_P(LargeMatrices, HaveTheSameBitsForAnyNumberOfThreads) {
    constexpr Index n = test::kSanitized ? 150 : 300;
    const Tensor a = tensor_of(draw(n, n - 20), GetParam());
    const Dense drawn = draw(n, n);
    const Tensor h = tensor_of(drawn * adjoint(drawn), GetParam()), general = tensor_of(drawn, GetParam());
    const auto all = [&](int threads) {
        const auto backend = CpuBackend::with_threads(threads);
        const LinalgBackend on(*backend);
        std::vector<Tensor> made;
        const auto keep = [&](auto&&... tensors) {
            (made.push_back(std::forward<decltype(tensors)>(tensors)), ...);
        };
        linalg::SvdTensors svd = on.svd_read(a);
        keep(std::move(svd.u), std::move(svd.s), std::move(svd.vh), on.svdvals_read(a));
        linalg::EigenTensors eigen = on.eigh_read(h);
        keep(std::move(eigen.values), std::move(eigen.vectors), on.eigvalsh_read(h));
        linalg::EigenTensors any = on.eig_read(general);
        keep(std::move(any.values), std::move(any.vectors), on.eigvals_read(general));
        linalg::QrTensors qr = on.qr_read(a);
        linalg::LuTensors lu = on.lu_read(a);
        keep(std::move(qr.q), std::move(qr.r), on.cholesky_read(h), std::move(lu.l), std::move(lu.u));
        keep(on.matrix_exp_read(general), on.matrix_exp_derivative_read(general, h));
        return made;
    };
    const std::vector<Tensor> alone = all(1);
    for (const int threads : {2, 3}) {
        if (test::kSanitized && threads == 2) continue;  // the same memory
        const std::vector<Tensor> shared = all(threads);
        for (std::size_t i = 0; i < alone.size(); ++i) {
            const TensorRead x = alone[i], y = shared[i];
            const auto bytes = static_cast<std::size_t>(x.size() * info(x.dtype()).bytes);
            EXPECT_EQ(std::memcmp(x.data(), y.data(), bytes), 0) << i << ", " << threads << " threads";
        }
    }
}

TEST_P(LargeMatrices, CanBeCancelled) {
    const Tensor a = tensor_of(draw(kLarge, kLarge), GetParam());
    const auto stops = [&](auto&& compute) {
        int questions = 0;
        const CancellationToken token = CancellationToken::asking([&] { return ++questions > 20; });
        const CancellationScope scope(token, "large");
        try {
            compute();
            ADD_FAILURE() << "finished after " << questions << " questions";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
        }
    };
    stops([&] { static_cast<void>(on_.svd_read(a)); });
    stops([&] { static_cast<void>(on_.eigh_read(a)); });
    stops([&] { static_cast<void>(on_.eig_read(a)); });
    stops([&] { static_cast<void>(on_.qr_read(a)); });
    stops([&] { static_cast<void>(on_.lu_read(a)); });
    stops([&] { static_cast<void>(on_.full_piv_lu_read(a)); });
    stops([&] { static_cast<void>(on_.matrix_exp_read(a)); });
    stops([&] { static_cast<void>(on_.matrix_exp_derivative_read(a, a)); });
}

TEST(LinalgCancellation, ExponentialsAskBeforeEveryProductOnAnyBackend) {
    std::mt19937_64 random(20261125);
    const Tensor a = tensor_of(random_matrix(40, 40, false, random), DType::F64);
    for (const NamedBackend& named : linalg_backends()) {
        const LinalgBackend on(*named.backend);
        const auto asked = [&](auto&& compute) {
            int questions = 0;
            const auto token = CancellationToken::asking([&] { return ++questions < 0; });
            const CancellationScope scope(token, "exp");
            compute();
            return questions;
        };
        const int others =
            asked([&] { static_cast<void>(on.lu_read(a)); }) +
            asked([&] { static_cast<void>(on.triangular_solve_read(a, a, {.unit_diagonal = true})); }) +
            asked([&] { static_cast<void>(on.triangular_solve_read(a, a)); });
        EXPECT_GE(asked([&] { static_cast<void>(on.matrix_exp_read(a)); }), others + 6) << named.name;
        EXPECT_GE(asked([&] { static_cast<void>(on.matrix_exp_derivative_read(a, a)); }), others + 18)
            << named.name;
    }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, LargeMatrices, ::testing::ValuesIn(kFloatingDTypes),
                         [](const auto& row) { return std::string(tenferro::info(row.param).name); });

}  // namespace
