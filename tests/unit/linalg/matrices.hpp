// Matrices of known spectra, as LAPACK's test generators draw them, and classic hard ones.
#pragma once

#include <functional>
#include <random>
#include <string>

#include "unit/linalg/residuals.hpp"

namespace tenferro::testing {

/// A matrix by name.
struct NamedMatrix {
    std::string name;
    Dense matrix;
};

/// Entries of a normal distribution.
inline Dense random_matrix(Index m, Index n, bool complex, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    Dense a(m, n);
    for (Complex& x : a.elements) x = {normal(random), complex ? normal(random) : 0.0};
    return a;
}

/// Orthonormal columns: Gram-Schmidt, twice, on a drawn matrix.
inline Dense random_orthogonal(Index m, Index n, bool complex, std::mt19937_64& random) {
    Dense q = random_matrix(m, n, complex, random);
    for (Index j = 0; j < n; ++j) {
        for (int pass = 0; pass < 2; ++pass)
            for (Index k = 0; k < j; ++k) {
                Complex sum = 0;
                for (Index i = 0; i < m; ++i) sum += std::conj(q(i, k)) * q(i, j);
                add_multiple(m, -sum, q.column(k), q.column(j));
            }
        double length = 0;
        for (Index i = 0; i < m; ++i) length += std::norm(q(i, j));
        for (Index i = 0; i < m; ++i) q(i, j) /= std::sqrt(length);
    }
    return q;
}

/// The spectra of LAPACK's latms, modes 1 to 5, and some with equal and zero values; k numbers, the
/// largest 1.
inline std::vector<std::pair<std::string, Dense>> spectra(Index k, std::mt19937_64& random) {
    constexpr double kCondition = 1e5;
    const double last = static_cast<double>(std::max<Index>(k - 1, 1));
    const auto of = [&](const std::function<double(Index)>& value) {
        Dense values(k, 1);
        for (Index i = 0; i < k; ++i) values(i, 0) = value(i);
        return values;
    };
    std::uniform_real_distribution<double> uniform;
    return {
        {"one large", of([&](Index i) { return i == 0 ? 1 : 1 / kCondition; })},
        {"one small", of([&](Index i) { return i == k - 1 ? 1 / kCondition : 1; })},
        {"geometric", of([&](Index i) { return std::pow(kCondition, -static_cast<double>(i) / last); })},
        {"arithmetic", of([&](Index i) { return 1 - static_cast<double>(i) / last * (1 - 1 / kCondition); })},
        {"log-random", of([&](Index) { return std::pow(kCondition, -uniform(random)); })},
        {"clustered", of([&](Index i) { return i < k / 2 ? 1 + 1e-13 * static_cast<double>(i) : 0.5; })},
        {"rank-deficient", of([&](Index i) { return i < k / 2 ? 1.0 : 0.0; })}};
}

/// U diag(s) Vᴴ for each spectrum.
inline std::vector<NamedMatrix> drawn_matrices(Index m, Index n, bool complex, std::mt19937_64& random) {
    const Index k = std::min(m, n);
    std::vector<NamedMatrix> all;
    for (const auto& [name, values] : spectra(k, random))
        all.push_back({name, random_orthogonal(m, k, complex, random) * Dense::diagonal(values, k, k) *
                                 adjoint(random_orthogonal(n, k, complex, random))});
    return all;
}
/// The Hermitian matrix V diag(w) Vᴴ of drawn V, with signs that alternate unless they are to be positive.
inline Dense hermitian_of(Dense values, bool complex, bool positive, std::mt19937_64& random) {
    const Index n = values.rows;
    for (Index i = 1; !positive && i < n; i += 2) values(i, 0) = -values(i, 0);
    const Dense v = random_orthogonal(n, n, complex, random);
    Dense a = v * Dense::diagonal(values, n, n) * adjoint(v);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i <= j; ++i) {
            a(i, j) = i == j ? a(i, j).real() : a(i, j);
            a(j, i) = std::conj(a(i, j));
        }
    return a;
}

/// One for each spectrum.
inline std::vector<NamedMatrix> drawn_hermitian(Index n, bool complex, bool positive,
                                                std::mt19937_64& random) {
    std::vector<NamedMatrix> all;
    for (const auto& [name, values] : spectra(n, random))
        all.push_back({name, hermitian_of(values, complex, positive, random)});
    return all;
}

inline Dense matrix_from(Index m, Index n, const std::function<Complex(Index, Index)>& element) {
    Dense a(m, n);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < m; ++i) a(i, j) = element(i, j);
    return a;
}

/// Classic square matrices.
inline std::vector<NamedMatrix> classic_matrices(Index n) {
    const auto number = [](Index i) { return static_cast<double>(i); };
    return {
        {"zero", Dense(n, n)},
        {"identity", Dense::identity(n)},
        {"ones", matrix_from(n, n, [](Index, Index) { return 1.0; })},
        {"Hilbert", matrix_from(n, n, [&](Index i, Index j) { return 1 / (number(i + j) + 1); })},
        {"Kahan", matrix_from(n, n,
                              [&](Index i, Index j) {
                                  const double s = std::sin(1.2), c = std::cos(1.2);
                                  return i > j ? 0.0 : std::pow(s, number(i)) * (i == j ? 1.0 : -c);
                              })},
        {"Jordan", matrix_from(n, n, [](Index i, Index j) { return i == j       ? 2.0
                                                                   : i + 1 == j ? 1.0
                                                                                : 0.0; })},
        {"Grcar", matrix_from(n, n,
                              [](Index i, Index j) {
                                  return i == j + 1 ? -1.0 : j >= i && j <= i + 3 ? 1.0 : 0.0;
                              })},
        {"graded",
         matrix_from(n, n,
                     [&](Index i, Index j) { return std::pow(0.1, number(i + j)) * (i == j ? 2.0 : 1.0); })},
        {"companion", matrix_from(n, n,
                                  [&](Index i, Index j) {
                                      return i == j + 1 ? 1.0 : j == n - 1 ? number(i % 3) - 1 : 0.0;
                                  })},
    };
}

/// The same matrix times a power of two.
inline Dense scaled(Dense a, int exponent) {
    for (Complex& x : a.elements) x = {std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent)};
    return a;
}

/// A batch of matrices of one shape.
inline Tensor stacked(const std::vector<Dense>& matrices, DType dtype) {
    const Index m = matrices[0].rows, n = matrices[0].columns;
    Tensor all = Tensor::zeros(dtype, {m, n, static_cast<Index>(matrices.size())});
    visit_dtype(dtype, [&]<class T>() {
        for (std::size_t i = 0; i < matrices.size(); ++i) {
            const Tensor one = tensor_of(matrices[i], dtype);
            std::copy_n(one.data_as<T>(), m * n, all.write().data_as<T>() + static_cast<Index>(i) * m * n);
        }
    });
    return all;
}

}  // namespace tenferro::testing
