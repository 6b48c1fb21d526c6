// Products of the matrices that tests compute with, in plain numbers and loops.
#include "unit/linalg/residuals.hpp"

namespace tenferro::testing {

void add_multiple(Index n, Complex factor, const Complex* x, Complex* y) {
    const double re = factor.real(), im = factor.imag();
    const auto* const from = reinterpret_cast<const double*>(x);
    auto* const to = reinterpret_cast<double*>(y);
    for (Index i = 0; i < 2 * n; i += 2) {
        to[i] += re * from[i] - im * from[i + 1];
        to[i + 1] += re * from[i + 1] + im * from[i];
    }
}
Dense operator*(const Dense& a, const Dense& b) {
    Dense c(a.rows, b.columns);
    for (Index j = 0; j < b.columns; ++j)
        for (Index k = 0; k < a.columns; ++k) add_multiple(a.rows, b(k, j), a.column(k), c.column(j));
    return c;
}

}  // namespace tenferro::testing
