// Residuals and departures from orthogonality in the norms of LAPACK's tests (LAPACK Working Note 41), for
// matrices that tests hold as plain vectors in double precision, column-major.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::testing {

using Complex = std::complex<double>;

/// A matrix of doubles, complex whatever the dtype under test.
struct Dense {
    Index rows = 0, columns = 0;
    std::vector<Complex> elements;

    Dense(Index m, Index n) : rows(m), columns(n), elements(static_cast<std::size_t>(m * n)) {}
    [[nodiscard]] Complex& operator()(Index i, Index j) {
        return elements[static_cast<std::size_t>(i + j * rows)];
    }
    [[nodiscard]] Complex operator()(Index i, Index j) const {
        return elements[static_cast<std::size_t>(i + j * rows)];
    }
    [[nodiscard]] Complex* column(Index j) { return elements.data() + j * rows; }
    [[nodiscard]] const Complex* column(Index j) const { return elements.data() + j * rows; }
    [[nodiscard]] static Dense identity(Index n) {
        Dense made(n, n);
        for (Index i = 0; i < n; ++i) made(i, i) = 1;
        return made;
    }
    [[nodiscard]] static Dense diagonal(const Dense& values, Index m, Index n) {
        Dense made(m, n);
        for (Index i = 0; i < std::min(m, n); ++i) made(i, i) = values(i, 0);
        return made;
    }
};

/// y += factor * x, and products: optimised in sanitized builds too, a quarter of whose tests they would be.
void add_multiple(Index n, Complex factor, const Complex* x, Complex* y);
Dense operator*(const Dense& a, const Dense& b);
inline Dense operator-(const Dense& a, const Dense& b) {
    Dense c = a;
    for (std::size_t i = 0; i < c.elements.size(); ++i) c.elements[i] -= b.elements[i];
    return c;
}
inline Dense adjoint(const Dense& a) {
    Dense b(a.columns, a.rows);
    for (Index j = 0; j < a.columns; ++j)
        for (Index i = 0; i < a.rows; ++i) b(j, i) = std::conj(a(i, j));
    return b;
}
/// The largest sum of moduli in a column, NaN where one is.
inline double one_norm(const Dense& a) {
    double largest = 0;
    for (Index j = 0; j < a.columns; ++j) {
        double sum = 0;
        for (Index i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
        if (std::isnan(sum)) return sum;
        largest = std::max(largest, sum);
    }
    return largest;
}

/// Matrix `index` of a batch; vectors are columns.
inline Dense matrix_of(const TensorRead& tensor, Index index = 0, std::size_t leading = 2) {
    const Index m = leading > 0 ? tensor.shape()[0] : 1, n = leading > 1 ? tensor.shape()[1] : 1;
    const Tensor compact = Tensor::copy_of(tensor);
    Dense made(m, n);
    for (Index i = 0; i < m * n; ++i) {
        const Index at = index * m * n + i;
        made.elements[static_cast<std::size_t>(i)] =
            visit_dtype(tensor.dtype(), [&]<class T>() { return Complex(compact.data_as<T>()[at]); });
    }
    return made;
}
/// As a tensor of a dtype of floating point, without the imaginary part for a real one.
inline Tensor tensor_of(const Dense& a, DType dtype) {
    Tensor made = Tensor::zeros(dtype, {a.rows, a.columns});
    for (Index i = 0; i < a.rows * a.columns; ++i) {
        const Complex x = a.elements[static_cast<std::size_t>(i)];
        if (dtype == DType::F32) made.write().data_as<float>()[i] = static_cast<float>(x.real());
        if (dtype == DType::F64) made.write().data_as<double>()[i] = x.real();
        if (dtype == DType::C32) made.write().data_as<std::complex<float>>()[i] = std::complex<float>(x);
        if (dtype == DType::C64) made.write().data_as<Complex>()[i] = x;
    }
    return made;
}

/// The unit of rounding that a ratio is measured in.
inline double ulp_of(DType dtype) {
    return dtype == DType::F32 || dtype == DType::C32 ? std::numeric_limits<float>::epsilon()
                                                      : std::numeric_limits<double>::epsilon();
}
/// |A - B| / (|A| max(m, n) ulp): how many units of rounding a factorisation is off.
inline double residual_ratio(const Dense& a, const Dense& product, DType dtype) {
    const double n = static_cast<double>(std::max<Index>({a.rows, a.columns, 1}));
    const double difference = one_norm(a - product);
    return difference == 0 ? 0 : difference / (one_norm(a) * n * ulp_of(dtype));
}
/// |I - Qᴴ Q| / (n ulp).
inline double orthogonality_ratio(const Dense& q, DType dtype) {
    const double n = static_cast<double>(std::max<Index>(q.rows, 1));
    return one_norm(adjoint(q) * q - Dense::identity(q.columns)) / (n * ulp_of(dtype));
}

}  // namespace tenferro::testing
