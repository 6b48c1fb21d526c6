// Determinants of LinalgBackend, as products with an exponent beside them: none of the steps overflows.
#include <cmath>
#include <new>

#include "linalg/backend/factors.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Calls give(i, product) with the determinant of each matrix.
template <class T, class F>
void determinants(BackendSession& session, std::string_view op, const TensorRead& lu, const TensorRead& rows,
                  const TensorRead& exponent, const Dims& batch, F&& give) {
    const RowOrders orders(session, lu, rows, exponent, op);
    const Elements<T> factors(session, lu);
    const Index n = lu.shape()[0];
    for_each_matrix(
        session, op, batch, static_cast<double>(n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            if (MaybeProblem problem = orders.problem(i, scratch)) return problem;
            ScaledProduct<T> product = determinant_of(n, factors + i * n * n, orders.rows(i), scratch);
            product.exponent -= n * orders.exponent(i);
            give(i, product);
            return std::nullopt;
        });
}

}  // namespace

Tensor LinalgBackend::det_read(const TensorRead& lu, const TensorRead& rows, const TensorRead& exponent) const
    try {
    constexpr std::string_view kOp = "det";
    return compute(*backend_, *kernels_, lu, kOp, [&]<class T>(BackendSession& session, const auto&) {
        const Dims batch = checked_square(session, lu, kOp);
        Result<T> det(session, {}, batch);
        determinants<T>(
            session, kOp, lu, rows, exponent, batch, [&](Index i, const ScaledProduct<T>& product) {
                *det[i] = times_power_of_two(product.fraction, static_cast<int>(std::clamp<std::int64_t>(
                                                                   product.exponent, -9999, 9999)));
            });
        return std::move(det.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("det");
}

SlogdetTensors LinalgBackend::slogdet_read(const TensorRead& lu, const TensorRead& rows,
                                           const TensorRead& exponent) const try {
    constexpr std::string_view kOp = "slogdet";
    return compute(*backend_, *kernels_, lu, kOp, [&]<class T>(BackendSession& session, const auto&) {
        using R = RealOf<T>;
        const Dims batch = checked_square(session, lu, kOp);
        Result<T> sign(session, {}, batch);
        Result<R> logarithm(session, {}, batch);
        determinants<T>(
            session, kOp, lu, rows, exponent, batch, [&](Index i, const ScaledProduct<T>& product) {
                const bool zero = product.fraction == T(0);
                *sign[i] = zero ? T(0) : phase(product.fraction);
                *logarithm[i] =
                    zero ? -std::numeric_limits<R>::infinity()
                         : static_cast<R>(std::log(static_cast<double>(std::abs(product.fraction))) +
                                          static_cast<double>(product.exponent) * 0.69314718055994530942);
            });
        return SlogdetTensors{std::move(sign.tensor), std::move(logarithm.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("slogdet");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
