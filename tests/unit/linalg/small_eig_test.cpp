// Eigenvalues of small general matrices: of batches, one matrix in each lane of a vector, and of single real
// ones, each across the lanes; ordinary matrices beside those that are left to other kernels, on every
// instruction set.
#include <gtest/gtest.h>

#include "linalg/small/across.hpp"
#include "linalg/small/lanes.hpp"
#include "support/instruction_sets.hpp"
#include "tenferro/linalg/backend.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::LinalgBackend;

namespace {

constexpr std::uint64_t kEigSeed = 4711;
constexpr double kEigRatio = 20;

Dense transformed(Index n, const std::function<Complex(Index, Index)>& element, bool complex,
                  std::mt19937_64& random) {
    const Dense q = random_orthogonal(n, n, complex, random);
    return q * matrix_from(n, n, element) * adjoint(q);
}

/// Matrices with few and many real eigenvalues, equal, nearly equal and defective ones, of one block and of
/// several, that balancing would change, and that shifts of the usual kind do nothing to.
std::vector<Dense> general(Index n, bool complex, std::mt19937_64& random) {
    const auto drawn = [&] { return random_matrix(n, n, complex, random); };
    const auto wave = [](Index i, Index j) { return std::cos(1.0 + 2 * static_cast<double>(i * j)); };
    std::vector<Dense> all;
    for (int i = 0; i < 12; ++i) all.push_back(drawn());
    for (const NamedMatrix& classic : classic_matrices(n)) all.push_back(classic.matrix);
    const Dense x = drawn();
    all.push_back(x * adjoint(x));
    all.push_back(x - adjoint(x));
    all.push_back(random_orthogonal(n, n, complex, random));
    all.push_back(Dense(n, n));
    all.push_back(Dense::identity(n));
    for (const int exponent : {-490, -480, -110, -52, -46, -30, 60, 100}) all.push_back(scaled(x, exponent));
    all.push_back(random_matrix(n, 1, complex, random) * random_matrix(1, n, complex, random));
    // a cycle; two blocks; a triangle in another order
    all.push_back(matrix_from(n, n, [&](Index i, Index j) { return (j + 1) % n == i ? 1.0 : 0.0; }));
    all.push_back(
        matrix_from(n, n, [&](Index i, Index j) { return (i < n / 2) == (j < n / 2) ? x(i, j) : 0; }));
    all.push_back(matrix_from(n, n, [&](Index i, Index j) { return i <= j ? x(n - 1 - i, n - 1 - j) : 0; }));
    all.push_back(matrix_from(n, n, [&](Index i, Index j) { return i >= j ? x(i, j) : 0; }));
    // badly scaled; with graded columns
    all.push_back(matrix_from(n, n, [&](Index i, Index j) { return x(i, j) * std::exp2(i - j); }));
    all.push_back(matrix_from(n, n, [&](Index i, Index j) { return x(i, j) * std::exp2(7 * (j - i)); }));
    all.push_back(matrix_from(n, n, [&](Index i, Index j) { return x(i, j) * std::exp2(-6 * j); }));
    // equal eigenvalues, a block of Jordan's, nearly equal ones
    all.push_back(transformed(
        n, [](Index i, Index j) { return i == j ? 2.0 : 0.0; }, complex, random));
    all.push_back(transformed(
        n, [](Index i, Index j) { return i == j || i + 1 == j ? 1.0 : 0.0; }, complex, random));
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-14})
        all.push_back(transformed(
            n,
            [&](Index i, Index j) {
                return i == j ? 1 + gap * static_cast<double>(i) : i < j ? wave(i, j) : 0.0;
            },
            complex, random));
    return all;
}

void check(const Dense& a, const Dense& v, const Dense& w, bool complex, DType dtype, bool ordered = true) {
    const double n = static_cast<double>(a.rows), rounding = kEigRatio * n * one_norm(a) * ulp_of(dtype);
    EXPECT_LE(one_norm(a * v - v * Dense::diagonal(w, w.rows, w.rows)), rounding);
    Complex trace = 0, sum = 0;
    for (Index j = 0; j < a.columns; ++j) {
        double squares = 0;
        for (Index i = 0; i < a.rows; ++i) squares += std::norm(v(i, j));
        EXPECT_NEAR(squares, 1, kEigRatio * n * ulp_of(dtype));
        trace += a(j, j);
        sum += w(j, 0);
        if (ordered && j > 0) {
            EXPECT_LE(w(j - 1, 0).real(),
                      w(j, 0).real() + 2 * std::sqrt(ulp_of(dtype)) * one_norm(w) + 1e-300);
        }
        if (complex) continue;
        // a real value has a real vector, others are there with their conjugates
        const auto conjugate = std::find(w.elements.begin(), w.elements.end(), std::conj(w(j, 0)));
        ASSERT_NE(conjugate, w.elements.end()) << w(j, 0);
        for (Index i = 0; i < a.rows && w(j, 0).imag() == 0; ++i) EXPECT_EQ(v(i, j).imag(), 0);
    }
    EXPECT_LE(std::abs(sum - trace), rounding);
}

TEST(SmallEig, MatricesOfEveryKind) {
    const auto backend = CpuBackend::with_threads(2);
    const LinalgBackend on(*backend);
    on_every_instruction_set([&] {
        std::mt19937_64 random(kEigSeed);
        for (const DType dtype : kFloatingDTypes)
            for (const Index n : {1, 2, 3, 4, 5, 8, 11, 16}) {
                const bool complex = info(dtype).is_complex;
                const Tensor a = stacked(general(n, complex, random), dtype);
                const linalg::EigenTensors eigen = on.eig_read(a);
                const Tensor alone = on.eigvals_read(a);
                for (Index i = 0; i < a.shape()[2]; ++i) {
                    SCOPED_TRACE(std::string(info(dtype).name) + " " + std::to_string(n) + " matrix " +
                                 std::to_string(i) + " seed " + std::to_string(kEigSeed));
                    const Dense matrix = matrix_of(a, i), w = matrix_of(eigen.values, i, 1);
                    check(matrix, matrix_of(eigen.vectors, i), w, complex, dtype);
                    Complex difference = 0;
                    const Dense values = matrix_of(alone, i, 1);
                    for (Index j = 0; j < n; ++j) difference += values(j, 0) - w(j, 0);
                    EXPECT_LE(std::abs(difference),
                              kEigRatio * static_cast<double>(n) * one_norm(matrix) * ulp_of(dtype));
                }
            }
    });
}

// As the kernels for single matrices do it.
TEST(SmallEig, ValuesAndGaugeAreThoseOfMatricesAlone) {
    const auto backend = CpuBackend::with_threads(1);
    const LinalgBackend on(*backend);
    std::mt19937_64 random(kEigSeed);
    for (const DType dtype : {DType::F32, DType::F64})
        for (const Index n : {2, 4, 7}) {
            std::vector<Dense> matrices;
            for (int i = 0; i < 9; ++i) matrices.push_back(random_matrix(n, n, false, random));
            const linalg::EigenTensors batch = on.eig_read(stacked(matrices, dtype), {.fix_gauge = true});
            for (Index i = 0; i < 9; ++i) {
                const linalg::EigenTensors one =
                    on.eig_read(tensor_of(matrices[static_cast<std::size_t>(i)], dtype), {.fix_gauge = true});
                const Dense w = matrix_of(one.values, 0, 1), v = matrix_of(one.vectors);
                EXPECT_LE(one_norm(w - matrix_of(batch.values, i, 1)), 1e4 * ulp_of(dtype) * one_norm(w));
                EXPECT_LE(one_norm(v - matrix_of(batch.vectors, i)), 1e4 * ulp_of(dtype) * one_norm(v));
            }
        }
}

// Not left to the kernels for single matrices.
template <class R>
void expect_good_lanes(Index n, std::mt19937_64& random) {
    const linalg::LaneKernels<R> kernels = linalg::lane_kernels<R>();
    const auto room = [&](Index numbers) {
        return std::vector<R>(static_cast<std::size_t>(numbers * kernels.lanes + 64 / sizeof(R)));
    };
    const auto aligned = [](std::vector<R>& memory) {
        const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
        return reinterpret_cast<R*>((at + 63) / 64 * 64);
    };
    std::vector<R> a = room(n * n), w = room(2 * n), v = room(2 * n * n), work = room(n * (n + 2)),
                   good = room(1);
    std::normal_distribution<R> normal;
    Index drawn = 0, found = 0;
    while (drawn < 512) {
        for (Index e = 0; e < n * n * kernels.lanes; ++e) aligned(a)[e] = normal(random);
        kernels.eig(n, aligned(a), aligned(w), aligned(v), aligned(work), aligned(good));
        for (Index lane = 0; lane < kernels.lanes; ++lane) found += aligned(good)[lane] == 1 ? 1 : 0;
        drawn += kernels.lanes;
    }
    EXPECT_GE(found, drawn * 9 / 10) << n << " of " << sizeof(R) << " bytes";
}
TEST(SmallEig, DrawnMatricesStayInTheirLanes) {
    on_every_instruction_set([] {
        std::mt19937_64 random(kEigSeed);
        for (const Index n : {2, 3, 4, 8, 16}) {
            expect_good_lanes<float>(n, random);
            expect_good_lanes<double>(n, random);
        }
    });
}

/// What the kernel for one matrix across lanes finds is right; how many of the matrices it takes.
template <class R>
int check_across(const std::vector<Dense>& matrices, DType dtype) {
    const auto& kernels = linalg::across_kernels<R>();
    int found = 0;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        const Dense& matrix = matrices[i];
        const Index n = matrix.rows;
        SCOPED_TRACE(std::string(info(dtype).name) + " " + std::to_string(n) + " matrix " +
                     std::to_string(i) + " seed " + std::to_string(kEigSeed));
        const auto numbers = static_cast<std::size_t>(n * n);
        std::vector<R> a(numbers);
        std::transform(matrix.elements.begin(), matrix.elements.end(), a.begin(),
                       [](Complex x) { return static_cast<R>(x.real()); });
        Dense rounded(n, n), w(n, 1), v(n, n), alone(n, 1);
        std::copy(a.begin(), a.end(), rounded.elements.begin());
        const auto numbers_of = [](const std::vector<std::complex<R>>& from, Dense& to) {
            std::copy(from.begin(), from.end(), to.elements.begin());
        };
        std::vector<std::complex<R>> values(static_cast<std::size_t>(n)), vectors(numbers);
        if (!kernels.eig(n, a.data(), values.data(), vectors.data())) continue;
        ++found;
        numbers_of(values, w);
        numbers_of(vectors, v);
        check(rounded, v, w, false, dtype, false);
        if (!kernels.eig(n, a.data(), values.data(), nullptr)) {
            ADD_FAILURE() << "no values without vectors";
            continue;
        }
        numbers_of(values, alone);
        EXPECT_LE(one_norm(alone - w), 1e6 * ulp_of(dtype) * one_norm(w));
    }
    return found;
}
/// The number of sizes that fit into the lanes.
template <class R>
int expect_good_across(DType dtype, std::mt19937_64& random) {
    const Index lanes = linalg::across_kernels<R>().lanes;
    int sizes = 0;
    for (const Index n : {2, 3, 4, 5, 6, 7, 8, 9, 12, 16}) {
        if (n > lanes) break;
        ++sizes;
        check_across<R>(general(n, false, random), dtype);
        std::vector<Dense> drawn;
        for (int i = 0; i < 256; ++i) drawn.push_back(random_matrix(n, n, false, random));
        const int found = check_across<R>(drawn, dtype);
        EXPECT_GE(found, 230) << n << " of " << info(dtype).name;
    }
    return sizes;
}
TEST(SmallEig, OneMatrixAcrossLanes) {
    int most_floats = 0, most_doubles = 0;
    on_every_instruction_set([&] {
        std::mt19937_64 random(kEigSeed);
        most_floats = std::max(most_floats, expect_good_across<float>(DType::F32, random));
        most_doubles = std::max(most_doubles, expect_good_across<double>(DType::F64, random));
    });
    EXPECT_GE(most_floats, 3);  // 4 x 4 on any processor with vectors
    EXPECT_GE(most_doubles, 1);
}

}  // namespace
