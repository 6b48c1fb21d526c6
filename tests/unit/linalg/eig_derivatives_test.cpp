// Derivatives of eigenvalues and vectors, against the derivative of A V = V diag(w), and their adjoint
// against what it is the adjoint of; the kernels for small complex matrices beside them.
#include <gtest/gtest.h>

#include "linalg/small/complex.hpp"
#include "support/instruction_sets.hpp"
#include "tenferro/linalg/backend.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::EigenTensors;
using linalg::LinalgBackend;

namespace {

constexpr double kEigDerivativeRatio = 60;  // units of rounding for each row

/// Distinct eigenvalues, and vectors of norm 1 that are far from depending on each other.
struct Eigen {
    Dense w, v;

    Eigen(Index n, std::mt19937_64& random) : w(n, 1), v(random_orthogonal(n, n, true, random)) {
        const Dense other = random_orthogonal(n, n, true, random);
        for (Index j = 0; j < n; ++j) {
            w(j, 0) = {static_cast<double>(j - n / 2), std::cos(static_cast<double>(j))};
            double squares = 0;
            for (Index i = 0; i < n; ++i) squares += std::norm(v(i, j) += 0.25 * other(i, j));
            for (Index i = 0; i < n; ++i) v(i, j) /= std::sqrt(squares);
        }
    }
    [[nodiscard]] Dense values() const { return Dense::diagonal(w, w.rows, w.rows); }
    [[nodiscard]] Dense matrix() const {
        const Dense inverse =
            matrix_of(LinalgBackend(*linalg_backends()[0].backend).inv(tensor_of(v, DType::C64)));
        return v * values() * inverse;
    }
};
/// As the dtype has it.
Dense rounded(const Dense& a, DType dtype) { return matrix_of(tensor_of(a, dtype)); }
Dense times(double factor, Dense a) {
    for (Complex& x : a.elements) x *= factor;
    return a;
}
double inner(const Dense& a, const Dense& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.elements.size(); ++i)
        sum += (std::conj(a.elements[i]) * b.elements[i]).real();
    return sum;
}
Tensor vector_of(const Dense& w, DType dtype) {
    const Tensor column = tensor_of(w, dtype);
    return Tensor::copy_of(column.read().reshape_view(Dims{w.rows}));
}

void check(const LinalgBackend& on, Index n, DType dtype, bool real, std::mt19937_64& random, double scale) {
    const DType given = !real ? dtype : dtype == DType::C32 ? DType::F32 : DType::F64;
    const Eigen eigen(n, random);
    const Dense w = rounded(times(scale, eigen.w), dtype), v = rounded(eigen.v, dtype),
                a = times(scale, eigen.matrix()),
                da = rounded(times(scale, random_matrix(n, n, !real, random)), given);
    const Tensor values = vector_of(w, dtype), vectors = tensor_of(v, dtype);
    const EigenTensors moved = on.eig_tangents_read(values, vectors, tensor_of(da, given));
    ASSERT_EQ(moved.values.dtype(), dtype);
    ASSERT_EQ(moved.vectors.dtype(), dtype);
    const Dense dw = matrix_of(moved.values, 0, 1), dv = matrix_of(moved.vectors);
    const double unit = kEigDerivativeRatio * static_cast<double>(n) * ulp_of(dtype);
    // A' V + A V' = V' W + V W'
    const Dense left = a * dv - dv * Dense::diagonal(w, n, n), right = v * Dense::diagonal(dw, n, n) - da * v;
    EXPECT_LE(one_norm(left - right), unit * (one_norm(a) * one_norm(dv) + one_norm(da)));
    for (Index j = 0; j < n; ++j) {
        Complex along = 0;
        for (Index i = 0; i < n; ++i) along += std::conj(v(i, j)) * dv(i, j);
        EXPECT_LE(std::abs(along), unit * one_norm(dv)) << j;
    }
    const Dense cw = rounded(random_matrix(n, 1, true, random), dtype),
                cv = rounded(times(scale, random_matrix(n, n, true, random)), dtype);
    const Tensor cotangent =
        on.eig_cotangents_read(values, vectors, vector_of(cw, dtype), tensor_of(cv, dtype), real);
    ASSERT_EQ(cotangent.dtype(), given);
    const Dense ca = matrix_of(cotangent);
    const double there = inner(cw, dw) + inner(cv, dv), back = inner(ca, da);
    EXPECT_LE(std::abs(there - back),
              unit * (one_norm(cw) * one_norm(dw) + one_norm(cv) * one_norm(dv)) * static_cast<double>(n));
}

TEST(EigDerivatives, AreThoseOfTheEquation) {
    for (const NamedBackend& named : linalg_backends())
        on_every_instruction_set([&] {
            SCOPED_TRACE(named.name);
            std::mt19937_64 random(1);
            const LinalgBackend on(*named.backend);
            for (const Index n : {1, 2, 3, 4, 5, 6, 8, 12, 15, 16, 17, 33})
                for (const DType dtype : {DType::C32, DType::C64})
                    for (const bool real : {false, true}) {
                        SCOPED_TRACE(std::string(info(dtype).name) + " " + std::to_string(n) +
                                     (real ? " real" : " complex"));
                        check(on, n, dtype, real, random, 1);
                        for (const int exponent :
                             dtype == DType::C32 ? std::vector{-100, 100} : std::vector{-990, 990})
                            check(on, n, dtype, real, random, std::ldexp(1.0, exponent));
                    }
        });
}

TEST(EigDerivatives, OfBatchesAreThoseOfEach) {
    const auto backend = CpuBackend::with_threads(2);
    const LinalgBackend on(*backend);
    std::mt19937_64 random(2);
    constexpr Index kCount = 70;
    for (const Index n : {2, 5, 20}) {
        std::vector<Dense> all_w, all_v, all_da, all_cw, all_cv;
        for (Index i = 0; i < kCount; ++i) {
            const Eigen eigen(n, random);
            all_w.push_back(eigen.w);
            all_v.push_back(eigen.v);
            all_da.push_back(random_matrix(n, n, true, random));
            all_cw.push_back(random_matrix(n, 1, true, random));
            all_cv.push_back(random_matrix(n, n, true, random));
        }
        const auto batch = [](const std::vector<Dense>& all) { return stacked(all, DType::C64); };
        const auto vectors = [&](const std::vector<Dense>& all) {
            const Tensor columns = batch(all);
            return Tensor::copy_of(columns.read().reshape_view(Dims{n, kCount}));
        };
        const EigenTensors moved = on.eig_tangents_read(vectors(all_w), batch(all_v), batch(all_da));
        const Tensor back =
            on.eig_cotangents_read(vectors(all_w), batch(all_v), vectors(all_cw), batch(all_cv), false);
        for (Index i = 0; i < kCount; ++i) {
            const auto of = [&](const std::vector<Dense>& all) {
                const Dense& one = all[static_cast<std::size_t>(i)];
                return one.columns == 1 && n > 1 ? vector_of(one, DType::C64) : tensor_of(one, DType::C64);
            };
            const EigenTensors one = on.eig_tangents_read(of(all_w), of(all_v), of(all_da));
            EXPECT_EQ(matrix_of(one.values, 0, 1).elements, matrix_of(moved.values, i, 1).elements);
            EXPECT_EQ(matrix_of(one.vectors).elements, matrix_of(moved.vectors, i).elements);
            const Tensor alone = on.eig_cotangents_read(of(all_w), of(all_v), of(all_cw), of(all_cv), false);
            EXPECT_EQ(matrix_of(alone).elements, matrix_of(back, i).elements);
        }
    }
}

TEST(EigDerivatives, OfNothing) {
    for (const NamedBackend& named : linalg_backends())
        for (const Dims& batch : {Dims{}, Dims{0}, Dims{2, 0}}) {
            const LinalgBackend on(*named.backend);
            const Index n = batch.empty() ? 0 : 3;
            Dims of_vector{n}, of_matrix{n, n};
            for (const Index extent : batch) {
                of_vector.push_back(extent);
                of_matrix.push_back(extent);
            }
            const Tensor w = Tensor::zeros(DType::C32, of_vector), v = Tensor::zeros(DType::C32, of_matrix);
            const EigenTensors moved = on.eig_tangents_read(w, v, Tensor::zeros(DType::F32, of_matrix));
            EXPECT_EQ(moved.values.shape(), of_vector);
            EXPECT_EQ(moved.vectors.shape(), of_matrix);
            const Tensor back = on.eig_cotangents_read(w, v, w, v, true);
            EXPECT_EQ(back.shape(), of_matrix);
            EXPECT_EQ(back.dtype(), DType::F32);
        }
}

// Vectors of equal values do not move towards each other, the others as ever.
TEST(EigDerivatives, AcrossNoGap) {
    const Dense w = matrix_from(3, 1, [](Index i, Index) { return i < 2 ? 1.0 : 2.0; }),
                v = Dense::identity(3),
                da = matrix_from(3, 3, [](Index i, Index j) { return static_cast<double>(1 + i + 3 * j); });
    for (const NamedBackend& named : linalg_backends()) {
        const LinalgBackend on(*named.backend);
        const Tensor values = vector_of(w, DType::C64), vectors = tensor_of(v, DType::C64);
        const EigenTensors moved = on.eig_tangents_read(values, vectors, tensor_of(da, DType::F64));
        const Dense expected = matrix_from(3, 3, [&](Index i, Index j) {
            const Complex gap = w(j, 0) - w(i, 0);
            return gap == 0.0 ? 0.0 : (da(i, j) / gap).real();
        });
        EXPECT_LE(one_norm(matrix_of(moved.vectors) - expected), 1e-14) << named.name;
        for (Index i = 0; i < 3; ++i)
            EXPECT_NEAR(matrix_of(moved.values, 0, 1)(i, 0).real(), da(i, i).real(), 1e-14);
    }
}

/// Whether the instruction set has vectors, and so kernels.
template <class R>
bool check_kernels(Index n, std::mt19937_64& random) {
    using C = std::complex<R>;
    const auto& kernels = linalg::complex_kernels<R>();
    if (kernels.largest == 0) return false;
    EXPECT_EQ(kernels.largest, 16);
    const DType dtype = sizeof(R) == 4 ? DType::C32 : DType::C64;
    const Dense a = rounded(random_matrix(n, n, true, random), dtype),
                b = rounded(random_matrix(n, n, true, random), dtype);
    const auto numbers = [](const Dense& from) {
        std::vector<C> made(from.elements.size());
        std::transform(from.elements.begin(), from.elements.end(), made.begin(),
                       [](Complex x) { return C(x); });
        return made;
    };
    const auto dense = [n](const std::vector<C>& from) {
        Dense made(n, n);
        std::copy(from.begin(), from.end(), made.elements.begin());
        return made;
    };
    const std::vector<C> left = numbers(a), right = numbers(b);
    std::vector<C> result(left.size()), lost = left, x = right;
    kernels.multiply(n, left.data(), right.data(), result.data());
    const double unit = 20 * static_cast<double>(n) * ulp_of(dtype);
    EXPECT_LE(one_norm(dense(result) - a * b), unit * one_norm(a) * one_norm(b)) << n;
    EXPECT_EQ(kernels.solve(n, lost.data(), x.data()), n);
    const Dense solved = dense(x);
    EXPECT_LE(one_norm(a * solved - b), unit * one_norm(a) * one_norm(solved) * static_cast<double>(n)) << n;
    for (Index zero = 0; zero < n; ++zero) {
        lost = left;
        for (Index i = 0; i < n; ++i) lost[static_cast<std::size_t>(i + zero * n)] = 0;
        x = right;
        EXPECT_EQ(kernels.solve(n, lost.data(), x.data()), zero);
    }
    return true;
}
TEST(ComplexKernels, AreThoseOfTheFormulas) {
    int checked = 0;
    on_every_instruction_set([&] {
        std::mt19937_64 random(3);
        for (Index n = 1; n <= 16; ++n)
            checked += check_kernels<float>(n, random) && check_kernels<double>(n, random) ? 1 : 0;
    });
    EXPECT_GE(checked, 16);
}

}  // namespace
