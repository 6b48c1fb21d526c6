// Single small matrices of every extent, whose columns are in the lanes of vectors: drawn spectra, classic
// matrices and such as need no rotations, in the norms of LAPACK's tests.
#include <gtest/gtest.h>

#include "linalg/small/columns.hpp"
#include "support/instruction_sets.hpp"
#include "tenferro/linalg/backend.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::LinalgBackend;

namespace {

constexpr double kMost = 60;
constexpr std::uint64_t kColumnsSeed = 31;

/// Symmetric: of drawn spectra of both signs and of one, with scales of rows, and with few rotations.
std::vector<NamedMatrix> symmetric(Index n, std::mt19937_64& random) {
    std::vector<NamedMatrix> all = drawn_hermitian(n, false, false, random);
    for (NamedMatrix& positive : drawn_hermitian(n, false, true, random)) all.push_back(std::move(positive));
    Dense exchange(n, n), beside(n, n), tiny = Dense::identity(n), equal(n, n);
    for (Index i = 0; i < n; ++i) {
        exchange(i, n - 1 - i) = 1;
        if (i > 0) beside(i, i - 1) = beside(i - 1, i) = 1;
        for (Index j = 0; j < n; ++j) {
            if (i != j) tiny(i, j) = 1e-17;
            equal(i, j) = i == j ? 2 : 1;
        }
    }
    for (const auto& [name, a] : {std::pair("exchange", exchange),
                                  {"path", beside},
                                  {"tiny", tiny},
                                  {"equal", equal},
                                  {"zero", Dense(n, n)},
                                  {"identity", Dense::identity(n)}})
        all.push_back({name, a});
    return all;
}

void check_eigenvalues() {
    const auto backend = CpuBackend::with_threads(1);
    const LinalgBackend on(*backend);
    std::mt19937_64 random(kColumnsSeed);
    for (const DType dtype : {DType::F32, DType::F64})
        for (Index n = 1; n <= 17; ++n)
            for (const auto& [name, drawn] : symmetric(n, random)) {
                SCOPED_TRACE(name + " " + std::to_string(n) + " " + std::string(info(dtype).name));
                const Tensor tensor = tensor_of(drawn, dtype);
                const Dense a = matrix_of(tensor);
                const linalg::EigenTensors eigen = on.eigh_read(tensor);
                const Dense v = matrix_of(eigen.vectors), w = matrix_of(eigen.values, 0, 1);
                EXPECT_LT(residual_ratio(a, v * Dense::diagonal(w, n, n) * adjoint(v), dtype), kMost);
                EXPECT_LT(orthogonality_ratio(v, dtype), kMost);
                for (Index i = 1; i < n; ++i) EXPECT_LE(w(i - 1, 0).real(), w(i, 0).real());
                const Dense alone = matrix_of(on.eigvalsh_read(tensor), 0, 1);
                EXPECT_LE(one_norm(alone - w), kMost * static_cast<double>(n) * one_norm(a) * ulp_of(dtype));
            }
}

void check_singular_values() {
    const auto backend = CpuBackend::with_threads(1);
    const LinalgBackend on(*backend);
    std::mt19937_64 random(kColumnsSeed);
    for (const DType dtype : {DType::F32, DType::F64})
        for (Index m = 1; m <= 17; ++m)
            for (Index n = 1; n <= 17; n += n < 9 ? 1 : 4) {
                std::vector<NamedMatrix> all = drawn_matrices(m, n, false, random);
                if (m == n)
                    for (NamedMatrix& classic : classic_matrices(n)) all.push_back(std::move(classic));
                Dense zero_column = random_matrix(m, n, false, random);
                for (Index i = 0; i < m; ++i) zero_column(i, n / 2) = 0;
                all.push_back({"zero column", zero_column});
                for (const auto& [name, drawn] : all) {
                    SCOPED_TRACE(name + " " + std::to_string(m) + "x" + std::to_string(n) + " " +
                                 std::string(info(dtype).name));
                    const Tensor tensor = tensor_of(drawn, dtype);
                    const Dense a = matrix_of(tensor);
                    const linalg::SvdTensors svd = on.svd_read(tensor);
                    const Index k = std::min(m, n);
                    const Dense u = matrix_of(svd.u), s = matrix_of(svd.s, 0, 1), vh = matrix_of(svd.vh);
                    EXPECT_LT(residual_ratio(a, u * Dense::diagonal(s, k, k) * vh, dtype), kMost);
                    EXPECT_LT(orthogonality_ratio(u, dtype), kMost);
                    EXPECT_LT(orthogonality_ratio(adjoint(vh), dtype), kMost);
                    for (Index i = 1; i < k; ++i) EXPECT_GE(s(i - 1, 0).real(), s(i, 0).real());
                    const Dense alone = matrix_of(on.svdvals_read(tensor), 0, 1);
                    EXPECT_LE(one_norm(alone - s),
                              kMost * static_cast<double>(k) * one_norm(a) * ulp_of(dtype));
                }
            }
}

TEST(Columns, EigenvaluesOfEveryExtent) { on_every_instruction_set(check_eigenvalues); }
TEST(Columns, SingularValuesOfEveryExtent) { on_every_instruction_set(check_singular_values); }

/// One-sided rotations give small singular values of matrices with columns of very different size their
/// digits (Demmel and Veselic, SIAM J. Matrix Anal. Appl. 13, 1992).
TEST(Columns, SingularValuesOfScaledColumnsKeepTheirDigits) {
    const linalg::ColumnKernels<double> kernels = linalg::column_kernels<double>();
    const Index n = std::min<Index>(kernels.most, 4);
    if (n < 4) GTEST_SKIP() << "vectors of this processor hold " << n << " numbers";
    // Orthogonal columns of sizes 1, 1e-4, 1e-8, 1e-12.
    const double signs[] = {1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, 1, -1, -1, 1};
    double a[16], s[4], u[16], v[16];
    for (Index i = 0; i < 16; ++i) a[i] = signs[i] / 2 * std::pow(10.0, -4.0 * static_cast<double>(i / 4));
    ASSERT_TRUE(kernels.svd(4, 4, a, u, 4, s, v));
    for (Index j = 0; j < 4; ++j)
        EXPECT_NEAR(s[j] * std::pow(10.0, 4.0 * static_cast<double>(j)), 1, 1e-15) << j;
}

TEST(Columns, WhatTheyDoNotServeIsLeftAsItIs) {
    const linalg::ColumnKernels<double> kernels = linalg::column_kernels<double>();
    if (kernels.most < 2) GTEST_SKIP() << "vectors of this processor hold one number";
    const double singular[] = {1, 2, 2, 4};
    double s[] = {-1, -1}, u[] = {7, 7, 7, 7}, v[] = {8, 8, 8, 8}, w[] = {-1, -1};
    EXPECT_FALSE(kernels.svd(2, 2, singular, u, 2, s, v));
    EXPECT_FALSE(kernels.eigh(2, singular, w, v));
    for (const double x : {s[0], s[1], w[0], w[1]}) EXPECT_EQ(x, -1);
    for (Index i = 0; i < 4; ++i) EXPECT_EQ(u[i] + v[i], 15);
}

}  // namespace
