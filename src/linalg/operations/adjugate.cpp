// The adjugate and its derivative: det A A⁻¹ by the LU factors, and where these would lose digits by the
// singular value decomposition. There A = U S Vᴴ, so adj A = det U det Vᴴ V adj(S) Uᴴ, and of diagonal
// matrices the adjugate and its derivative are products of the elements but one, or but two. Each matrix of a
// batch has its own way. Exponents are kept beside, so nothing overflows on the way, and what is decomposed
// is B = R⁻¹ A C⁻¹ for R and C of powers of two: adj A = adj C adj B adj R.

#include <cmath>

#include "linalg/backend/factors.hpp"
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

inline constexpr int kNoExponent = std::numeric_limits<int>::min();
/// None of 0 and of what is not finite.
template <class T>
int exponent_of(T x) noexcept {
    const RealOf<T> size = magnitude(x);
    return size > 0 && size <= std::numeric_limits<RealOf<T>>::max() ? std::ilogb(size) : kNoExponent;
}
template <class T>
T scaled_by(T x, std::int64_t exponent) noexcept {
    return times_power_of_two(x, static_cast<int>(std::clamp<std::int64_t>(exponent, -9999, 9999)));
}

/// Exponents of R and C, with which the largest element of B is about 1, or that of each row and column.
struct Balance {
    std::vector<int> rows, columns;
    std::int64_t sum = 0;  ///< of all

    template <class T>
    Balance(Index n, const T* a, bool each_row)
        : rows(static_cast<std::size_t>(n), kNoExponent), columns(static_cast<std::size_t>(n), kNoExponent) {
        const auto each = [&](auto&& f) {
            for (std::size_t column = 0; column < columns.size(); ++column)
                for (std::size_t row = 0; row < rows.size(); ++row)
                    if (const int size = exponent_of(*a++); size != kNoExponent) f(row, column, size);
            a -= n * n;
        };
        each([&](std::size_t i, std::size_t, int size) { rows[i] = std::max(rows[i], size); });
        each([&](std::size_t i, std::size_t j, int size) {
            columns[j] = std::max(columns[j], size - rows[i]);
        });
        if (!each_row && n > 0) {
            std::fill(rows.begin(), rows.end(), *std::max_element(rows.begin(), rows.end()));
            std::fill(columns.begin(), columns.end(), 0);
        }
        for (std::vector<int>* const exponents : {&rows, &columns})
            for (int& exponent : *exponents) {
                if (exponent == kNoExponent) exponent = 0;
                sum += exponent;
            }
    }
    /// Of R_ii C_jj.
    [[nodiscard]] int at(Index i, Index j) const {
        return rows[static_cast<std::size_t>(i)] + columns[static_cast<std::size_t>(j)];
    }
};

/// What the LU factors say of each matrix, S = 2^exponent A.
template <class T>
class ByFactors {
public:
    using R = RealOf<T>;

    ByFactors(BackendSession& session, std::span<const TensorRead> in, const Dims& batch, std::string_view op)
        : n_(in[0].shape()[0]),
          count_(batch_count(batch)),
          lu_(session, {n_, n_}, batch),
          orders_(session, in[1], in[2], in[3], op) {
        const Elements<T> given(session, in[1]);
        Result<T> identity(session, {n_, n_}, batch);
        Result<std::int64_t> none(session, {}, batch);
        std::fill_n(identity[0], n_ * n_ * count_, T(0));
        usable_.assign(static_cast<std::size_t>(count_), 1);
        for_each_matrix(session, op, batch, static_cast<double>(n_ * n_),
                        [&](Index i, Scratch& scratch) -> MaybeProblem {
                            if (MaybeProblem problem = orders_.problem(i, scratch)) return problem;
                            const T* const lu = given + i * n_ * n_;
                            *none[i] = 0;
                            for (Index j = 0; j < n_; ++j) {
                                identity[i][j * (n_ + 1)] = T(1);
                                if (exponent_of(lu[j * (n_ + 1)]) == kNoExponent) usable_[at(i)] = 0;
                            }
                            // nothing is divided by a pivot that is 0
                            std::copy_n(usable_[at(i)] != 0 ? lu : identity[i], n_ * n_, lu_[i]);
                            return std::nullopt;
                        });
        inverse_ = LinalgBackend::current().lu_solve_read(lu_.tensor, in[2], none.tensor, identity.tensor);
    }

    /// Of S; anything where the factors cannot be used.
    [[nodiscard]] const Tensor& inverse() const { return inverse_; }
    [[nodiscard]] const T* inverse_of(Index i) const { return inverse_.template data_as<T>() + i * n_ * n_; }
    [[nodiscard]] std::int64_t exponent(Index i) const { return orders_.exponent(i); }
    [[nodiscard]] ScaledProduct<T> det(Index i, Scratch& scratch) const {
        return determinant_of(n_, lu_[i], orders_.rows(i), scratch);
    }

    /// Whether S is far from singular, growth of elements in the factors counted.
    [[nodiscard]] bool is_well_conditioned(Index i, Scratch& scratch) const {
        if (usable_[at(i)] == 0) return false;
        const Scratch::Frame frame(scratch);
        R *const sizes = scratch.take<R>(n_), *const sums = scratch.take<R>(n_);
        std::fill_n(sizes, n_, R(1));
        of_factors(i, sizes, scratch);
        std::fill_n(sums, n_, R(0));
        const T* const x = inverse_of(i);
        for (Index j = 0; j < n_; ++j)
            for (Index row = 0; row < n_; ++row) sums[row] += sum_of_moduli(x[row + j * n_]);
        return largest(sums) * largest(sizes) <= limit();
    }
    /// Whether rounding errors of the factors, |B⁻¹| |L| |U| |B⁻¹|, are small beside B⁻¹.
    [[nodiscard]] bool has_accurate_inverse(Index i, const Balance& balance, Scratch& scratch) const {
        if (usable_[at(i)] == 0) return false;
        const Scratch::Frame frame(scratch);
        R *const sums = scratch.take<R>(n_), *const v = scratch.take<R>(n_), *const w = scratch.take<R>(n_);
        const T* const x = inverse_of(i);
        const auto multiply = [&](const R* from, R* to) {
            std::fill_n(to, n_, R(0));
            for (Index j = 0; j < n_; ++j)
                for (Index row = 0; row < n_; ++row)
                    to[row] +=
                        scaled_by(sum_of_moduli(x[row + j * n_]), balance.at(j, row) + exponent(i)) * from[j];
        };
        std::fill_n(v, n_, R(1));
        multiply(v, sums);
        for (Index j = 0; j < n_; ++j) v[j] = scaled_by(sums[j], -balance.columns[at(j)]);
        of_factors(i, v, scratch);
        for (Index j = 0; j < n_; ++j) v[j] = scaled_by(v[j], -balance.rows[at(j)] - exponent(i));
        multiply(v, w);
        const R error = largest(w);
        return error <= std::numeric_limits<R>::max() && error <= limit() * largest(sums);
    }

private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    /// Sums of moduli grow with n where the errors do not.
    [[nodiscard]] R limit() const { return 64 * static_cast<R>(n_) * static_cast<R>(n_); }
    /// NaN where one is.
    [[nodiscard]] R largest(const R* v) const {
        R most = 0;
        for (Index i = 0; i < n_ && !std::isnan(most); ++i)
            if (!(v[i] <= most)) most = v[i];
        return most;
    }
    /// v becomes Pᵀ |L| |U| v.
    void of_factors(Index i, R* v, Scratch& scratch) const {
        const Scratch::Frame frame(scratch);
        const T* const lu = lu_[i];
        R *const u = scratch.take<R>(n_), *const product = scratch.take<R>(n_);
        std::fill_n(u, n_, R(0));
        for (Index j = 0; j < n_; ++j)
            for (Index row = 0; row <= j; ++row) u[row] += sum_of_moduli(lu[row + j * n_]) * v[j];
        std::copy_n(u, n_, product);
        for (Index j = 0; j < n_; ++j)
            for (Index row = j + 1; row < n_; ++row) product[row] += sum_of_moduli(lu[row + j * n_]) * u[j];
        for (Index row = 0; row < n_; ++row) v[orders_.rows(i)[row]] = product[row];
    }

    Index n_, count_;
    Result<T> lu_;
    RowOrders orders_;
    Tensor inverse_;
    std::vector<char> usable_;  ///< whether no pivot is 0
};

/// The matrices, in ascending order, of which f(i, scratch) is false.
template <class F>
std::vector<Index> where_not(BackendSession& session, const Dims& batch, Index n, std::string_view op,
                             F&& f) {
    std::vector<char> holds(static_cast<std::size_t>(batch_count(batch)));
    for_each_matrix(session, op, batch, 4.0 * static_cast<double>(n * n),
                    [&](Index i, Scratch& scratch) -> MaybeProblem {
                        holds[static_cast<std::size_t>(i)] = f(i, scratch);
                        return std::nullopt;
                    });
    std::vector<Index> others;
    for (std::size_t i = 0; i < holds.size(); ++i)
        if (holds[i] == 0) others.push_back(static_cast<Index>(i));
    return others;
}

/// U, S, Vh and det U det Vh.
struct Spectral {
    SvdTensors svd;
    Tensor u_det, vh_det;

    explicit Spectral(const TensorRead& a) : Spectral(LinalgBackend::current(), a) {}

private:
    Spectral(const LinalgBackend& backend, const TensorRead& a)
        : svd(backend.svd_read(a)), u_det(det(backend, svd.u)), vh_det(det(backend, svd.vh)) {}
    static Tensor det(const LinalgBackend& backend, const TensorRead& a) {
        const LuFactors factors = backend.lu_factors_read(a);
        return backend.det_read(factors.lu, factors.rows, factors.exponent);
    }
};

/// The product of the first `count` of s.
template <class R>
ScaledProduct<R> product_of_first(Index count, const R* s) noexcept {
    ScaledProduct<R> product;
    for (Index k = 0; k < count; ++k) product *= s[k];
    return product;
}
/// What the product of descending s but s[last] is to be multiplied by for that of those but s[k], k <= last.
template <class R>
R but_another(const R* s, Index last, Index k) noexcept {
    return k == last ? R(1) : s[k] == 0 ? R(0) : s[last] / s[k];
}

/// Writes to result[i], for each i of `which`, V M Uᴴ det U det Vᴴ with the exponents of B for M = 2^e of
/// e = middle(M, i, balance, u, vh, s) to fill in.
template <class T, class Middle>
void by_spectrum(BackendSession& session, const Elements<T>& a, const std::vector<Index>& which,
                 const Result<T>& result, Index n, bool each_row, std::string_view op, Middle&& middle) {
    if (which.empty()) return;
    const Dims batch{static_cast<Index>(which.size())};
    std::vector<Balance> balances;
    Result<T> b(session, {n, n}, batch);
    for (Index k = 0; k < batch[0]; ++k) {
        const T* const from = a + which[static_cast<std::size_t>(k)] * n * n;
        const Balance& balance = balances.emplace_back(n, from, each_row);
        for (Index column = 0; column < n; ++column)
            for (Index row = 0; row < n; ++row)
                b[k][row + column * n] = scaled_by(from[row + column * n], -balance.at(row, column));
    }
    const Spectral f(b.tensor);
    for_each_matrix(
        session, op, batch, 4.0 * static_cast<double>(n * n * n),
        [&](Index k, Scratch& scratch) -> MaybeProblem {
            const Index i = which[static_cast<std::size_t>(k)];
            const Balance& balance = balances[static_cast<std::size_t>(k)];
            const T *u = f.svd.u.data_as<T>() + k * n * n, *vh = f.svd.vh.data_as<T>() + k * n * n;
            T* const m = scratch.take<T>(n * n);
            T* const half = scratch.take<T>(n * n);
            const std::int64_t exponent =
                balance.sum + middle(m, i, balance, u, vh, f.svd.s.data_as<RealOf<T>>() + k * n);
            const T factor = f.u_det.data_as<T>()[k] * f.vh_det.data_as<T>()[k];
            for (Index column = 0; column < n; ++column)
                for (Index row = 0; row < n; ++row) {
                    T sum = 0;
                    for (Index l = 0; l < n; ++l) sum += conjugate(vh[l + row * n]) * m[l + column * n];
                    half[row + column * n] = factor * sum;
                }
            for (Index column = 0; column < n; ++column)
                for (Index row = 0; row < n; ++row) {
                    T sum = 0;
                    for (Index l = 0; l < n; ++l) sum += half[row + l * n] * conjugate(u[column + l * n]);
                    result[i][row + column * n] = scaled_by(sum, exponent - balance.at(column, row));
                }
            return std::nullopt;
        });
}

}  // namespace

std::vector<TensorMeta> Adjugate::infer(std::span<const TensorMeta> in) const {
    const SquareShape a = factored(in, kName);
    return {a.of({a.n, a.n})};
}

std::vector<Tensor> Adjugate::run(BackendSession& session, std::span<const TensorRead> in) const {
    return visit_floating(in[0].dtype(), [&]<class T>() {
        const Dims batch = checked_square(session, in[0], kName);
        const Index n = in[0].shape()[0];
        const Elements<T> a(session, in[0]);
        const ByFactors<T> factors(session, in, batch, kName);
        Result<T> result(session, {n, n}, batch);
        const std::vector<Index> others = where_not(session, batch, n, kName, [&](Index i, Scratch& scratch) {
            if (!factors.is_well_conditioned(i, scratch) &&
                !factors.has_accurate_inverse(i, Balance(n, a + i * n * n, true), scratch))
                return false;
            const ScaledProduct<T> det = factors.det(i, scratch);
            const std::int64_t exponent = det.exponent - (n - 1) * factors.exponent(i);
            for (Index j = 0; j < n * n; ++j)
                result[i][j] = scaled_by(det.fraction * factors.inverse_of(i)[j], exponent);
            return true;
        });
        by_spectrum<T>(
            session, a, others, result, n, true, kName,
            [n](T* m, Index, const Balance&, const T*, const T*, const RealOf<T>* s) -> std::int64_t {
                const ScaledProduct<RealOf<T>> product = product_of_first(n - 1, s);
                std::fill_n(m, n * n, T(0));
                for (Index j = 0; j < n; ++j) m[j * (n + 1)] = product.fraction * but_another(s, n - 1, j);
                return product.exponent;
            });
        return outputs(std::move(result.tensor));
    });
}

std::vector<TensorMeta> AdjugateDerivative::infer(std::span<const TensorMeta> in) const {
    static_cast<void>(factored(in, kName));
    return {common_meta(in[0], in[4], kName, "the matrix", "the direction")};
}

// Along X, with B = A⁻¹: det A (tr(B X) B - B X B). By P = Uᴴ X V: -P_ij times the product of all s but s_i
// and s_j off the diagonal, and the sum over l of P_ll times that without s_i and s_l on it.
std::vector<Tensor> AdjugateDerivative::run(BackendSession& session, std::span<const TensorRead> in) const {
    return visit_floating(in[0].dtype(), [&]<class T>() {
        const Dims batch = checked_square(session, in[0], kName);
        const Index n = in[0].shape()[0], count = batch_count(batch);
        const Elements<T> a(session, in[0]), given(session, in[4]);
        const ByFactors<T> factors(session, in, batch, kName);
        Result<T> result(session, {n, n}, batch);
        const std::vector<Index> others = where_not(session, batch, n, kName, [&](Index i, Scratch& scratch) {
            return factors.is_well_conditioned(i, scratch);
        });
        if (static_cast<Index>(others.size()) < count) {
            Result<T> direction(session, {n, n}, batch);  // about 1
            std::vector<int> sizes(static_cast<std::size_t>(count));
            for (Index i = 0; i < count; ++i) {
                int& size = sizes[static_cast<std::size_t>(i)] = kNoExponent;
                const T* const x = given + i * n * n;
                for (Index j = 0; j < n * n; ++j) size = std::max(size, exponent_of(x[j]));
                if (size == kNoExponent) size = 0;
                for (Index j = 0; j < n * n; ++j) direction[i][j] = scaled_by(x[j], -size);
            }
            const Tensor bx = product_of(session, factors.inverse(), direction.tensor);
            const Tensor bxb = product_of(session, bx, factors.inverse());
            for_each_matrix(
                session, kName, batch, static_cast<double>(n * n),
                [&](Index i, Scratch& scratch) -> MaybeProblem {
                    if (std::binary_search(others.begin(), others.end(), i)) return std::nullopt;
                    const ScaledProduct<T> det = factors.det(i, scratch);
                    const std::int64_t exponent =
                        det.exponent - (n - 2) * factors.exponent(i) + sizes[static_cast<std::size_t>(i)];
                    const T* const b = factors.inverse_of(i);
                    T trace = 0;
                    for (Index j = 0; j < n; ++j) trace += bx.data_as<T>()[i * n * n + j * (n + 1)];
                    for (Index j = 0; j < n * n; ++j)
                        result[i][j] = scaled_by(
                            det.fraction * (trace * b[j] - bxb.data_as<T>()[i * n * n + j]), exponent);
                    return std::nullopt;
                });
        }
        // Without exponents for each row and column: those of the direction have sizes of their own.
        by_spectrum<T>(session, a, others, result, n, false, kName,
                       [&](T* m, Index i, const Balance& balance, const T* u, const T* vh,
                           const RealOf<T>* s) -> std::int64_t {
                           const T* const x = given + i * n * n;
                           std::vector<T> xv(static_cast<std::size_t>(n * n)), p(xv);
                           const auto at = [n](Index row, Index column) {
                               return static_cast<std::size_t>(row + column * n);
                           };
                           int size = kNoExponent;  // of R⁻¹ X C⁻¹
                           for (Index column = 0; column < n; ++column)
                               for (Index row = 0; row < n; ++row)
                                   if (const int own = exponent_of(x[row + column * n]); own != kNoExponent)
                                       size = std::max(size, own - balance.at(row, column));
                           if (size == kNoExponent) size = 0;
                           for (Index column = 0; column < n; ++column)
                               for (Index k = 0; k < n; ++k)
                                   for (Index row = 0; row < n; ++row)
                                       xv[at(row, column)] +=
                                           scaled_by(x[row + k * n], -balance.at(row, k) - size) *
                                           conjugate(vh[column + k * n]);
                           for (Index column = 0; column < n; ++column)
                               for (Index row = 0; row < n; ++row)
                                   p[at(row, column)] = dot(n, u + row * n, xv.data() + column * n);
                           const ScaledProduct<RealOf<T>> product = product_of_first(n - 2, s);
                           const auto without = [&](Index j, Index k) {
                               return product.fraction * but_another(s, n - 2, std::min(j, k)) *
                                      but_another(s, n - 1, std::max(j, k));
                           };
                           for (Index column = 0; column < n; ++column)
                               for (Index row = 0; row < n; ++row) {
                                   T& element = m[row + column * n];
                                   element = 0;
                                   if (row != column) {
                                       element = -p[at(row, column)] * without(row, column);
                                       continue;
                                   }
                                   for (Index l = 0; l < n; ++l)
                                       if (l != row) element += p[at(l, l)] * without(row, l);
                               }
                           return product.exponent + size;
                       });
        return outputs(std::move(result.tensor));
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
