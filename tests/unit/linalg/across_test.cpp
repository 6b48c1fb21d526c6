// The kernels for one matrix across the lanes of vectors, on every instruction set of the processor: every
// number of columns that they are for, drawn and special spectra, matrices that they hand on, and values that
// keep their digits; and the backend, which uses them, against the reference.
#include <gtest/gtest.h>

#include "linalg/small/across.hpp"
#include "support/instruction_sets.hpp"
#include "support/sanitized.hpp"
#include "tenferro/linalg/backend.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::AcrossKernels;
using linalg::LinalgBackend;

namespace {

constexpr std::uint64_t kAcrossSeed = 1985;
constexpr double kRatio = 30;

template <class R>
struct AlignedRoom {
    alignas(64) R numbers[linalg::kTallestAcross * 16];
};

template <class R>
class AcrossTest : public ::testing::Test {
protected:
    static constexpr DType kDType = sizeof(R) == 4 ? DType::F32 : DType::F64;
    using Numbers = std::vector<R>;

    /// Calls f(kernels) on every instruction set that has such kernels.
    template <class F>
    void on_every_kernel(F&& f) {
        on_every_instruction_set([&] {
            random_.seed(kAcrossSeed);
            f(linalg::across_kernels<R>());
        });
    }

    static Numbers numbers_of(const Dense& a) {
        Numbers all;
        for (const Complex& x : a.elements) all.push_back(static_cast<R>(x.real()));
        return all;
    }
    static Dense dense(Index m, Index n, const Numbers& from) {
        return matrix_from(m, n, [&](Index i, Index j) { return from[static_cast<std::size_t>(i + j * m)]; });
    }

    /// The singular values, checked with the vectors and without; none where the kernel hands the matrix on.
    static Numbers svd(const AcrossKernels<R>& kernels, const Dense& drawn) {
        const Index m = drawn.rows, n = drawn.columns, k = std::min(m, n);
        const Numbers a = numbers_of(drawn);
        const auto of = [](Index count) { return Numbers(static_cast<std::size_t>(count), R(-7)); };
        Numbers u = of(m * k), s = of(k), vh = of(k * n), alone = of(k);
        AlignedRoom<R> room;
        const bool plain = kernels.svd(m, n, a.data(), u.data(), s.data(), vh.data(), room.numbers);
        EXPECT_EQ(kernels.svd(m, n, a.data(), nullptr, alone.data(), nullptr, room.numbers), plain);
        EXPECT_EQ(alone, s);
        if (!plain) {
            EXPECT_EQ(u, of(m * k));
            EXPECT_EQ(s, of(k));
            EXPECT_EQ(vh, of(k * n));
            return {};
        }
        const Dense left = dense(m, k, u), right = dense(k, n, vh), values = dense(k, 1, s);
        EXPECT_LT(residual_ratio(dense(m, n, a), left * Dense::diagonal(values, k, k) * right, kDType),
                  kRatio);
        EXPECT_LT(orthogonality_ratio(left, kDType), kRatio);
        EXPECT_LT(orthogonality_ratio(adjoint(right), kDType), kRatio);
        EXPECT_GE(s.back(), 0);
        EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
        return s;
    }
    /// The eigenvalues, checked in the same way.
    static Numbers eigh(const AcrossKernels<R>& kernels, const Dense& drawn) {
        const Index n = drawn.rows;
        const Numbers a = numbers_of(drawn);
        Numbers lower = a;
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < j; ++i)
                lower[static_cast<std::size_t>(i + j * n)] = std::numeric_limits<R>::quiet_NaN();
        Numbers v = lower, alone(static_cast<std::size_t>(n)), w = alone;
        EXPECT_TRUE(kernels.eigh(n, true, v.data(), w.data()));
        EXPECT_TRUE(kernels.eigh(n, false, lower.data(), alone.data()));
        EXPECT_EQ(alone, w);
        const Dense vectors = dense(n, n, v), values = Dense::diagonal(dense(n, 1, w), n, n);
        EXPECT_LT(residual_ratio(dense(n, n, a), vectors * values * adjoint(vectors), kDType), kRatio);
        EXPECT_LT(orthogonality_ratio(vectors, kDType), kRatio);
        EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
        return w;
    }

    /// L and U, checked.
    static void lu(const AcrossKernels<R>& kernels, const Dense& drawn) {
        const Index m = drawn.rows, n = drawn.columns, k = std::min(m, n);
        const Numbers a = numbers_of(drawn);
        Numbers packed = a;
        std::vector<std::int64_t> rows(static_cast<std::size_t>(m), -1);
        const int parity = kernels.lu(m, n, packed.data(), rows.data());
        const auto at = [&](Index i, Index j) { return packed[static_cast<std::size_t>(i + j * m)]; };
        const Dense l = matrix_from(m, k, [&](Index i, Index j) {
            EXPECT_LE(i > j ? std::abs(at(i, j)) : R(0), 1);
            return i > j ? at(i, j) : i == j ? R(1) : R(0);
        });
        const Dense u = matrix_from(k, n, [&](Index i, Index j) { return i <= j ? at(i, j) : R(0); });
        Dense p(m, m);
        int inversions = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            p(static_cast<Index>(i), rows[i]) = 1;
            for (std::size_t j = 0; j < i; ++j) inversions += rows[j] > rows[i] ? 1 : 0;
        }
        EXPECT_EQ(one_norm(p * adjoint(p) - Dense::identity(m)), 0);
        EXPECT_EQ(parity, inversions % 2 == 0 ? 1 : -1);
        EXPECT_LT(residual_ratio(p * dense(m, n, a), l * u, kDType), kRatio);
    }
    /// Q and R, thin or with all columns that the kernels give, checked.
    static void qr(const AcrossKernels<R>& kernels, const Dense& drawn, Index k) {
        const Index m = drawn.rows, n = drawn.columns;
        const Numbers a = numbers_of(drawn);
        Numbers q(static_cast<std::size_t>(m * k), R(-7)), r(static_cast<std::size_t>(k * n), R(-7));
        kernels.qr(m, n, k, a.data(), q.data(), r.data());
        const Dense left = dense(m, k, q), right = dense(k, n, r);
        EXPECT_LT(residual_ratio(dense(m, n, a), left * right, kDType), kRatio);
        EXPECT_LT(orthogonality_ratio(left, kDType), kRatio);
        for (Index j = 0; j < n; ++j)
            for (Index i = j + 1; i < k; ++i) EXPECT_EQ(right(i, j), 0.0);
    }

    std::mt19937_64 random_{kAcrossSeed};
};
using AcrossTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(AcrossTest, AcrossTypes);

/// Ones whose rotations are few, all by half a right angle, or next to nothing.
std::vector<NamedMatrix> special_matrices(Index n) {
    const auto number = [](Index i) { return static_cast<double>(i); };
    return {
        {"identity", Dense::identity(n)},
        {"permuted", matrix_from(n, n, [&](Index i, Index j) { return i + j == n - 1 ? 1.0 : 0.0; })},
        {"diagonal", matrix_from(n, n, [&](Index i, Index j) { return i == j ? number(i % 3) - 1.5 : 0.0; })},
        {"nearly diagonal",
         matrix_from(n, n, [&](Index i, Index j) { return i == j ? number(i / 2) + 1 : 1e-18; })},
        {"nearly equal",
         matrix_from(n, n, [&](Index i, Index j) { return i == j ? 1.0 : 1e-7 * number(i * j % 5); })},
        {"second differences", matrix_from(n, n,
                                           [&](Index i, Index j) {
                                               return i == j ? 2.0 : std::abs(i - j) == 1 ? -1.0 : 0.0;
                                           })},
    };
}

TYPED_TEST(AcrossTest, SingularValuesOfEveryShape) {
    this->on_every_kernel([&](const AcrossKernels<TypeParam>& kernels) {
        for (Index n = 1; n <= kernels.lanes; ++n) {
            for (const Index m : {n, n + 1, 2 * n + 3, linalg::kTallestAcross}) {
                if (m > linalg::kTallestAcross) continue;
                std::vector<NamedMatrix> all = drawn_matrices(m, n, false, this->random_);
                for (int draw = 0; draw < test::draws(20); ++draw)
                    all.push_back({"drawn", random_matrix(m, n, false, this->random_)});
                if (m == n)
                    for (NamedMatrix& special : special_matrices(n)) all.push_back(std::move(special));
                for (const auto& [name, a] : all) {
                    SCOPED_TRACE(name + " " + std::to_string(m) + "x" + std::to_string(n));
                    const bool singular = name == "rank-deficient";
                    for (const Dense& matrix : {a, adjoint(a)})
                        EXPECT_TRUE(!this->svd(kernels, matrix).empty() || singular);
                }
            }
        }
    });
}

/// With matrices of which elimination meets zeros, and such as need no reflection.
TYPED_TEST(AcrossTest, FactorsOfEveryShape) {
    this->on_every_kernel([&](const AcrossKernels<TypeParam>& kernels) {
        for (Index n = 1; n <= kernels.lanes; ++n)
            for (Index m = 1; m <= linalg::kTallestAcross; m += m < 2 * kernels.lanes ? 1 : 5) {
                SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n));
                std::vector<NamedMatrix> all = drawn_matrices(m, n, false, this->random_);
                if (m == n)
                    for (NamedMatrix& special : special_matrices(n)) all.push_back(std::move(special));
                Dense zero_column = random_matrix(m, n, false, this->random_);
                for (Index i = 0; i < m; ++i) zero_column(i, n / 2) = 0;
                all.push_back({"zero column", zero_column});
                all.push_back({"ones", matrix_from(m, n, [](Index, Index) { return 1.0; })});
                all.push_back({"zero", Dense(m, n)});
                for (const auto& [name, a] : all) {
                    SCOPED_TRACE(name);
                    if (m <= kernels.lanes) this->lu(kernels, a);
                    this->qr(kernels, a, std::min(m, n));
                    if (m <= kernels.lanes) this->qr(kernels, a, m);
                }
            }
    });
}

TYPED_TEST(AcrossTest, HandsSingularMatricesOn) {
    this->on_every_kernel([&](const AcrossKernels<TypeParam>& kernels) {
        for (Index n = 1; n <= kernels.lanes; ++n) {
            SCOPED_TRACE(n);
            Dense a = random_matrix(n, n, false, this->random_);
            for (Index i = 0; i < n; ++i) a(i, n / 2) = 0;
            EXPECT_TRUE(this->svd(kernels, a).empty());
            EXPECT_TRUE(this->svd(kernels, Dense(n + 2, n)).empty());
            const Dense ones = matrix_from(n, n, [](Index, Index) { return 1.0; });
            EXPECT_EQ(this->svd(kernels, ones).empty(), n > 1);
            for (const Dense& matrix : {Dense(n, n), ones, a * adjoint(a)}) this->eigh(kernels, matrix);
        }
    });
}

TYPED_TEST(AcrossTest, EigenvaluesOfEverySize) {
    this->on_every_kernel([&](const AcrossKernels<TypeParam>& kernels) {
        for (Index n = 1; n <= kernels.lanes; ++n) {
            std::vector<NamedMatrix> all = special_matrices(n);
            for (const bool positive : {false, true})
                for (NamedMatrix& drawn : drawn_hermitian(n, false, positive, this->random_))
                    all.push_back(std::move(drawn));
            for (int draw = 0; draw < test::draws(20); ++draw) {
                const Dense x = random_matrix(n, n, false, this->random_);
                all.push_back({"drawn", matrix_from(n, n, [&](Index i, Index j) {
                                   return x(std::max(i, j), std::min(i, j));
                               })});
            }
            for (const auto& [name, a] : all) {
                SCOPED_TRACE(name + " " + std::to_string(n));
                this->eigh(kernels, a);
            }
        }
    });
}

// Columns of very different lengths, and definite matrices that are graded: every value keeps its digits.
TYPED_TEST(AcrossTest, SmallValuesKeepTheirDigits) {
    const bool single = sizeof(TypeParam) == 4;
    const double near = 40 * ulp_of(this->kDType);
    this->on_every_kernel([&](const AcrossKernels<TypeParam>& kernels) {
        for (Index n = 1; n <= std::min<Index>(kernels.lanes, single ? 4 : 8); ++n) {
            SCOPED_TRACE(n);
            const auto scale = [&](Index i) {
                return std::ldexp(1.0, static_cast<int>((single ? -6 : -12) * i));
            };
            Dense a = random_orthogonal(n + 3, n, false, this->random_);
            for (Index j = 0; j < n; ++j)
                for (Index i = 0; i < a.rows; ++i) a(i, j) *= scale(j);
            for (const Dense& matrix : {a, adjoint(a)}) {
                const auto s = this->svd(kernels, matrix);
                ASSERT_EQ(s.size(), static_cast<std::size_t>(n));
                for (Index j = 0; j < n; ++j)
                    EXPECT_NEAR(static_cast<double>(s[static_cast<std::size_t>(j)]), scale(j),
                                near * scale(j));
            }
            // T = L D Lᵀ, whose pivots are its values but for the square of `step`.
            const int step = single ? 8 : 20;
            const Dense t = matrix_from(n, n, [&](Index i, Index j) {
                const double size = std::ldexp(1.0, static_cast<int>(-step * (i + j)));
                return i == j ? 2 * size : std::abs(i - j) == 1 ? size : 0.0;
            });
            const auto w = this->eigh(kernels, t);
            for (Index i = 0; i < n; ++i) {
                const double pivot = std::ldexp(static_cast<double>(i + 2) / static_cast<double>(i + 1),
                                                static_cast<int>(-2 * step * i));
                EXPECT_NEAR(static_cast<double>(w[static_cast<std::size_t>(n - 1 - i)]), pivot,
                            (near + std::ldexp(1.0, 2 - 2 * step)) * pivot);
            }
        }
    });
}

TEST(Across, BackendsAgree) {
    const auto backend = CpuBackend::with_threads(2);
    ReferenceBackend reference;
    const LinalgBackend on(*backend), beside(reference);
    std::mt19937_64 random(kAcrossSeed);
    for (const DType dtype : {DType::F32, DType::F64})
        for (Index n = 1; n <= 17; ++n)
            for (const Index m : {n, n + 1, Index{33}}) {
                SCOPED_TRACE(std::string(info(dtype).name) + " " + std::to_string(m) + "x" +
                             std::to_string(n));
                const Dense drawn = random_matrix(m, n, false, random);
                for (const Dense& a : {drawn, adjoint(drawn)}) {
                    const Tensor given = tensor_of(a, dtype);
                    const Dense s = matrix_of(on.svdvals_read(given), 0, 1);
                    EXPECT_LE(one_norm(s - matrix_of(beside.svdvals_read(given), 0, 1)),
                              kRatio * ulp_of(dtype) * one_norm(s));
                    const linalg::SvdTensors full = on.svd_read(given, {.full = true});
                    const Dense u = matrix_of(full.u), vh = matrix_of(full.vh);
                    EXPECT_LT(residual_ratio(matrix_of(given),
                                             u * Dense::diagonal(s, u.columns, vh.rows) * vh, dtype),
                              kRatio);
                    const Dense x = matrix_of(on.pinv_read(given)), y = matrix_of(beside.pinv_read(given));
                    EXPECT_LE(one_norm(x - y), kRatio * static_cast<double>(m) * ulp_of(dtype) * one_norm(y) *
                                                   one_norm(a) * one_norm(y));
                }
                const Tensor gram = tensor_of(adjoint(drawn) * drawn, dtype);
                for (const bool lower : {false, true}) {
                    const Dense w = matrix_of(on.eigvalsh_read(gram, {.lower = lower}), 0, 1);
                    EXPECT_LE(one_norm(w - matrix_of(beside.eigvalsh_read(gram), 0, 1)),
                              kRatio * static_cast<double>(n) * ulp_of(dtype) * one_norm(matrix_of(gram)));
                }
            }
}

}  // namespace
