// The loops over vectors that the algorithms of kind builtin are made of, on every instruction set of the
// processor, against their definitions, with columns that are further apart than they are long.
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "linalg/builtin/vectors.hpp"
#include "support/instruction_sets.hpp"

using namespace tenferro;
using namespace tenferro::testing;

namespace {

constexpr std::uint64_t kVectorsSeed = 7;

template <class T>
using WideOf = std::conditional_t<linalg::is_complex<T>, std::complex<double>, double>;

template <class T>
T& at(std::vector<T>& a, Index i) {
    return a[static_cast<std::size_t>(i)];
}
/// Sums of `terms` numbers of size one.
template <class T>
void expect_near(T got, WideOf<T> want, Index terms) {
    constexpr double kUnit = std::numeric_limits<linalg::RealOf<T>>::epsilon();
    EXPECT_LE(std::abs(WideOf<T>(got) - want), 40 * static_cast<double>(terms + 1) * kUnit);
}

template <class T>
class LinalgVectors : public ::testing::Test {
protected:
    using Numbers = std::vector<T>;

    T drawn() {
        std::normal_distribution<double> normal;
        using R = linalg::RealOf<T>;
        if constexpr (linalg::is_complex<T>)
            return {static_cast<R>(normal(random_)), static_cast<R>(normal(random_))};
        else
            return static_cast<T>(normal(random_));
    }
    Numbers numbers(Index count) {
        Numbers all(static_cast<std::size_t>(count));
        for (T& x : all) x = drawn();
        return all;
    }
    /// Calls f(kernels, m, n) for rows and columns around the lengths of vectors, on every instruction set.
    template <class F>
    void for_shapes(F&& f) {
        on_every_instruction_set([&] {
            random_.seed(kVectorsSeed);
            for (const Index m : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 66})
                for (const Index n : {1, 2, 3, 4, 5, 9}) {
                    SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n) + " seed " +
                                 std::to_string(kVectorsSeed));
                    f(linalg::vector_kernels<T>(), m, n);
                }
        });
    }

    std::mt19937_64 random_{kVectorsSeed};
};
using Elements = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LinalgVectors, Elements);

TYPED_TEST(LinalgVectors, Products) {
    this->for_shapes([&](const auto& kernels, Index m, Index n) {
        using Wide = WideOf<TypeParam>;
        const Index step = m + 3;
        auto a = this->numbers(step * n), x = this->numbers(m), y = this->numbers(n), sums = this->numbers(m);
        auto projected = this->numbers(n), added = sums, outer = a;
        kernels.project(m, n, a.data(), step, x.data(), projected.data());
        kernels.combine(m, n, a.data(), step, y.data(), added.data());
        kernels.add_outer(m, n, x.data(), y.data(), outer.data(), step);
        for (Index j = 0; j < n; ++j) {
            Wide sum = 0;
            for (Index i = 0; i < m; ++i)
                sum += Wide(linalg::conjugate(at(a, i + j * step))) * Wide(at(x, i));
            expect_near(at(projected, j), sum, m);
        }
        for (Index i = 0; i < m; ++i) {
            Wide sum = at(sums, i);
            for (Index j = 0; j < n; ++j) {
                const Wide element = at(a, i + j * step), factor = at(y, j);
                sum += element * factor;
                expect_near(at(outer, i + j * step), element + Wide(at(x, i)) * factor, 1);
            }
            expect_near(at(added, i), sum, n);
        }
        for (Index j = 0; j < n; ++j)
            for (Index i = m; i < step; ++i) EXPECT_EQ(at(outer, i + j * step), at(a, i + j * step));
    });
}

TYPED_TEST(LinalgVectors, ProductsWithALowerTriangle) {
    this->for_shapes([&](const auto& kernels, Index m, Index n) {
        if (n > m) return;
        using Wide = WideOf<TypeParam>;
        const Index step = m + 1;
        auto a = this->numbers(step * n), x = this->numbers(m), y = this->numbers(m), got = y;
        kernels.combine_lower(m, n, a.data(), step, x.data(), got.data());
        std::vector<Wide> want(y.begin(), y.end());
        for (Index j = 0; j < n; ++j)
            for (Index i = j; i < m; ++i) {
                const Wide element =
                    i == j ? Wide(std::real(at(a, i + j * step))) : Wide(at(a, i + j * step));
                want[static_cast<std::size_t>(i)] += element * Wide(at(x, j));
                if (i != j) want[static_cast<std::size_t>(j)] += linalg::conjugate(element) * Wide(at(x, i));
            }
        for (Index i = 0; i < m; ++i) expect_near(at(got, i), want[static_cast<std::size_t>(i)], m);
    });
}

TYPED_TEST(LinalgVectors, RotationsAndReflections) {
    this->for_shapes([&](const auto& kernels, Index m, Index count) {
        using Wide = WideOf<TypeParam>;
        using R = linalg::RealOf<TypeParam>;
        const R c = R(0.6), s = R(-0.8);
        auto x = this->numbers(m), y = this->numbers(m), turned = x, other = y;
        kernels.rotate(m, c, s, turned.data(), other.data());
        for (Index i = 0; i < m; ++i) {
            const Wide u = at(x, i), v = at(y, i);
            expect_near(at(turned, i), double(c) * u + double(s) * v, 1);
            expect_near(at(other, i), double(c) * v - double(s) * u, 1);
        }
        for (const bool ends : {false, true}) {
            const Index columns = count + (ends ? 1 : 2), step = m + 2;
            auto a = this->numbers(step * columns), got = a;
            std::vector<linalg::TripleReflection<TypeParam>> by(static_cast<std::size_t>(count));
            for (auto& one : by) {
                one = {this->drawn(), this->drawn(), this->drawn(), this->drawn(), this->drawn()};
                for (TypeParam* factor : {&one.dot_1, &one.dot_2, &one.to_0, &one.to_1, &one.to_2})
                    *factor *= R(0.3);
            }
            kernels.reflect(m, count, by.data(), ends, got.data(), step);
            for (Index i = 0; i < m; ++i) {
                std::vector<Wide> row;
                for (Index j = 0; j < columns; ++j) row.push_back(at(a, i + j * step));
                for (std::size_t k = 0; k < by.size(); ++k) {
                    const bool three = !ends || k + 1 < by.size();
                    Wide sum = row[k] + Wide(by[k].dot_1) * row[k + 1];
                    if (three) sum += Wide(by[k].dot_2) * row[k + 2];
                    row[k] -= Wide(by[k].to_0) * sum;
                    row[k + 1] -= Wide(by[k].to_1) * sum;
                    if (three) row[k + 2] -= Wide(by[k].to_2) * sum;
                }
                for (Index j = 0; j < columns; ++j)
                    expect_near(at(got, i + j * step), row[static_cast<std::size_t>(j)], 20 * count);
            }
        }
    });
}

TYPED_TEST(LinalgVectors, LargestElements) {
    this->for_shapes([&](const auto& kernels, Index n, Index place) {
        using R = linalg::RealOf<TypeParam>;
        auto x = this->numbers(n);
        R largest = 0;
        Index pivot = 0;
        for (Index i = 0; i < n; ++i) {
            largest = std::max(largest, linalg::magnitude(at(x, i)));
            if (linalg::sum_of_moduli(at(x, i)) > linalg::sum_of_moduli(at(x, pivot))) pivot = i;
        }
        EXPECT_EQ(kernels.largest(n, x.data()), largest);
        EXPECT_EQ(kernels.pivot(n, x.data()), pivot);
        if (place >= n) return;
        x.assign(x.size(), TypeParam(1));
        EXPECT_EQ(kernels.pivot(n, x.data()), 0);
        for (const R bad : {std::numeric_limits<R>::infinity(), std::numeric_limits<R>::quiet_NaN()}) {
            at(x, place) = TypeParam(bad);
            EXPECT_TRUE(std::isnan(kernels.largest(n, x.data())));
            if constexpr (linalg::is_complex<TypeParam>) {
                at(x, place) = {1, bad};
                EXPECT_TRUE(std::isnan(kernels.largest(n, x.data())));
            }
        }
    });
}

}  // namespace
