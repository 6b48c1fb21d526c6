// Eigenvalues of general matrices beyond the sizes and matrices of all factorisations: several panels and
// windows, matrices that balancing is for and that it must leave alone, blocks that hardly converge, vectors
// that grow.
#include <gtest/gtest.h>

#include <array>

#include "support/sanitized.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/linalg/backend.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::LinalgBackend;

namespace {

constexpr double kGeneral = 20;

class GeneralEigenvalues : public ::testing::TestWithParam<DType> {
protected:
    [[nodiscard]] bool is_complex() const { return info(GetParam()).is_complex; }
    [[nodiscard]] double ulp() const { return ulp_of(GetParam()); }
    [[nodiscard]] Dense draw(Index n) { return random_matrix(n, n, is_complex(), random_); }

    /// A V = V diag(w) with columns of norm 1; the values alone have the trace of A.
    void check(const Dense& drawn, const std::string& name) {
        SCOPED_TRACE(name + " " + std::to_string(drawn.rows));
        const Tensor tensor = tensor_of(drawn, GetParam());
        const Dense a = matrix_of(tensor);
        const linalg::EigenTensors eigen = on_.eig_read(tensor);
        const Dense v = matrix_of(eigen.vectors), w = matrix_of(eigen.values, 0, 1),
                    alone = matrix_of(on_.eigvals_read(tensor), 0, 1);
        const double rounding = kGeneral * static_cast<double>(a.rows) * one_norm(a) * ulp();
        EXPECT_LE(one_norm(a * v - v * Dense::diagonal(w, w.rows, w.rows)), rounding);
        Complex trace = 0, sum = 0, sum_alone = 0;
        for (Index j = 0; j < a.columns; ++j) {
            double squares = 0;
            for (Index i = 0; i < a.rows; ++i) squares += std::norm(v(i, j));
            EXPECT_NEAR(squares, 1, kGeneral * static_cast<double>(a.rows) * ulp());
            trace += a(j, j);
            sum += w(j, 0);
            sum_alone += alone(j, 0);
        }
        EXPECT_LE(std::abs(sum - trace), rounding);
        EXPECT_LE(std::abs(sum_alone - trace), rounding);
    }
    [[nodiscard]] Dense values(const LinalgBackend& on, const Dense& a) const {
        return matrix_of(on.eigvals_read(tensor_of(a, GetParam())), 0, 1);
    }
    /// Each of the first is near one of the second, and the other way round.
    static void expect_same_values(const Dense& x, const Dense& y, double tolerance) {
        for (const auto& [from, to] : {std::pair{&x, &y}, {&y, &x}})
            for (const Complex value : from->elements) {
                double nearest = std::numeric_limits<double>::infinity();
                for (const Complex other : to->elements) nearest = std::min(nearest, std::abs(value - other));
                EXPECT_LE(nearest, tolerance) << value;
            }
    }

    std::mt19937_64 random_{20261122};
    std::unique_ptr<TensorBackend> backend_ = CpuBackend::with_threads(2);
    LinalgBackend on_{*backend_};
};

TEST_P(GeneralEigenvalues, OfLargeMatrices) {
    for (const Index n : {17, 33, 50, 65, 90}) check(draw(n), "drawn");
    for (const NamedMatrix& classic : classic_matrices(40)) check(classic.matrix, classic.name);
    if (test::kSanitized) return;
    for (const Index n : {150, 260}) check(draw(n), "drawn");
    for (const NamedMatrix& classic : classic_matrices(150)) check(classic.matrix, classic.name);
    Dense a = draw(140);
    const Dense q = random_orthogonal(140, 140, is_complex(), random_);
    for (const auto& [name, values] : spectra(140, random_)) {
        for (Index i = 0; i < 140; ++i) a(i, i) = values(i, 0);
        for (Index j = 0; j < 140; ++j)
            for (Index i = j + 1; i < 140; ++i) a(i, j) = 0;
        check(q * a * adjoint(q), name);
    }
}

TEST_P(GeneralEigenvalues, AreThoseOfTheReference) {
    ReferenceBackend reference;
    for (const Index n : {12, 40}) {
        const Dense a = draw(n);
        expect_same_values(values(on_, a), values(LinalgBackend(reference), a),
                           1e3 * static_cast<double>(n) * one_norm(a) * ulp());
    }
}

TEST_P(GeneralEigenvalues, OfMatricesThatAreBadlyScaled) {
    // D⁻¹ B D with powers of two has the eigenvalues of B, and no rounding errors of its own.
    const int most = ulp() < 1e-10 ? 45 : 6;
    for (const Index n : {6, 25, 60}) {
        const Dense b = matrix_of(tensor_of(draw(n), GetParam()));
        Dense a = b;
        std::uniform_int_distribution<int> exponent(-most, most);
        std::vector<int> scale;
        for (Index i = 0; i < n; ++i) scale.push_back(exponent(random_));
        const auto at = [&](Index i) { return scale[static_cast<std::size_t>(i)]; };
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) a(i, j) *= std::ldexp(1.0, at(j) - at(i));
        expect_same_values(values(on_, a), values(on_, b), 1e3 * one_norm(b) * ulp());
    }
}

TEST_P(GeneralEigenvalues, DoNotTakeRoundingErrorsForElements) {
    // What is below the diagonal is nothing beside it: scaled up to the size of what is above, it would
    // count.
    for (const Index n : {8, 50})
        for (const double noise : {1e-3, 1e-9, 1e-16}) {
            Dense a = draw(n);
            for (Index j = 0; j < n; ++j) {
                a(j, j) = 1 + static_cast<double>(j) / static_cast<double>(n);
                for (Index i = j + 1; i < n; ++i) a(i, j) *= noise * ulp();
            }
            check(a, "noise below");
            check(adjoint(a), "noise above");
        }
}

TEST_P(GeneralEigenvalues, OfPermutedTriangularMatrices) {
    const Index n = 60;
    Dense a(n, n);
    std::vector<Index> order;
    for (Index i = 0; i < n; ++i) order.push_back(i);
    std::shuffle(order.begin(), order.end(), random_);
    const Dense drawn = draw(n);
    // A block of 20 rows that is full, and eigenvalues alone on both sides of it.
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i)
            if (i <= j || (i >= 15 && i < 35 && j >= 15 && j < 35))
                a(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]) = drawn(i, j);
    check(a, "a block");
    const Dense w = values(on_, a);
    for (Index i = 0; i < n; ++i) {
        if (i >= 15 && i < 35) continue;
        const Complex alone = matrix_of(tensor_of(drawn, GetParam()))(i, i);
        EXPECT_NE(std::find(w.elements.begin(), w.elements.end(), alone), w.elements.end()) << i;
    }
}

TEST_P(GeneralEigenvalues, OfDefectivePairs) {
    // Blocks of conjugate pairs with ones between them, turned: each pair is an eigenvalue many times.
    for (const Index n : {4, 12, 40}) {
        Dense a(n, n);
        for (Index i = 0; i < n; i += 2) {
            a(i, i) = a(i + 1, i + 1) = 1;
            a(i, i + 1) = 2;
            a(i + 1, i) = -2;
            if (i + 2 < n) a(i, i + 2) = a(i + 1, i + 3) = 1;
        }
        check(a, "pairs");
        const Dense q = random_orthogonal(n, n, is_complex(), random_);
        check(q * a * adjoint(q), "turned pairs");
    }
}

TEST_P(GeneralEigenvalues, HaveVectorsOfAnyGrowth) {
    // Vector j grows by the ratio of what is above the diagonal and the gaps, from row to row.
    for (const Index n : {30, 130})
        check(matrix_from(n, n,
                          [&](Index i, Index j) {
                              return i == j                     ? 1 + 0.001 * static_cast<double>(i)
                                     : i < j                    ? 1000.0
                                     : i == j + 1 && j % 7 == 0 ? -1e-4
                                                                : 0.0;
                          }),
              "growing");
}

TEST_P(GeneralEigenvalues, OfTwoRowsNearlyTriangular) {
    // What is below the diagonal counts although its square is less than every number.
    const double tiny = ulp() < 1e-10 ? 1e-170 : 1e-25;
    for (const double below : {tiny, -tiny, 1e3 * tiny})
        for (const auto& [a, b, c, d] :
             {std::array{1.0, 1.0, below, 0.0}, {below, 1.0, -0.5, 0.0}, {0.0, -0.5, 1.0, below}}) {
            const std::array rows{a, b, c, d};
            check(matrix_from(2, 2,
                              [&](Index i, Index j) { return rows[static_cast<std::size_t>(2 * i + j)]; }),
                  std::to_string(a) + " above " + std::to_string(c));
        }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, GeneralEigenvalues, ::testing::ValuesIn(kFloatingDTypes),
                         [](const auto& row) { return std::string(tenferro::info(row.param).name); });

}  // namespace
