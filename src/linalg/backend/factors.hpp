// What operations are given of a factorisation that was made before: the order of the rows and the exponent
// beside an LU, which are checked before they index anything, and pivots that count as 0.
#pragma once

#include <cmath>

#include "linalg/backend/operand.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/fields.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// 1 or -1, from where each place of a permutation comes from.
[[nodiscard]] inline int parity_of(Index n, const std::int64_t* source, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    bool* const seen = scratch.take<bool>(n);
    std::fill_n(seen, n, false);
    int parity = 1;
    for (Index first = 0; first < n; ++first)
        for (Index at = source[first]; !seen[at]; at = source[at]) {
            seen[at] = true;
            if (at != first) parity = -parity;
        }
    return parity;
}

/// fraction 2^exponent: no product overflows.
template <class T>
struct ScaledProduct {
    T fraction = 1;
    std::int64_t exponent = 0;

    void operator*=(T x) noexcept {
        fraction *= x;
        if (fraction == T(0) || !std::isfinite(magnitude(fraction))) return;
        const int size = std::ilogb(magnitude(fraction));
        fraction = times_power_of_two(fraction, -size);
        exponent += size;
    }
};
/// The determinant of a matrix [n, n] with these LU factors and rows.
template <class T>
[[nodiscard]] ScaledProduct<T> determinant_of(Index n, const T* lu, const std::int64_t* rows,
                                              Scratch& scratch) {
    ScaledProduct<T> product;
    product.fraction = static_cast<RealOf<T>>(parity_of(n, rows, scratch));
    for (Index j = 0; j < n; ++j) product *= lu[j + j * n];
    return product;
}

/// The rows and exponents of LuFactors, of which lu has passed checked_square.
class RowOrders {
public:
    /// DTypeMismatch, ShapeMismatch, BackendFailure.
    RowOrders(BackendSession& session, const TensorRead& lu, const TensorRead& rows,
              const TensorRead& exponent, std::string_view op)
        : n_(lu.shape()[0]),
          rows_(session,
                checked_whole(session, rows, with_batch({n_}, batch_extents(lu, 2, op)), "rows", op)),
          exponents_(session, checked_whole(session, exponent, batch_extents(lu, 2, op), "exponent", op)) {}

    /// For each row of P A the row of A, of matrix i.
    [[nodiscard]] const std::int64_t* rows(Index i) const { return rows_ + i * n_; }
    [[nodiscard]] int exponent(Index i) const { return static_cast<int>(exponents_[i]); }
    /// A row that the matrix has not or that is there twice, or an exponent that no number has.
    [[nodiscard]] MaybeProblem problem(Index i, Scratch& scratch) const {
        if (is_right(i)) return std::nullopt;
        const Scratch::Frame frame(scratch);
        bool* const seen = scratch.take<bool>(n_);
        std::fill_n(seen, n_, false);
        for (Index row = 0; row < n_; ++row) {
            const std::int64_t from = rows(i)[row];
            if (from < 0 || from >= n_)
                return Problem{ErrorKind::InvalidArgument,
                               text("rows[", row, "] is ", from, " but the matrix has ", n_, " rows")};
            if (seen[from])
                return Problem{ErrorKind::InvalidArgument,
                               text("rows[", row, "] is ", from, " but so is one before it")};
            seen[from] = true;
        }
        if (const std::int64_t given = exponents_[i]; given < -kMost || given > kMost)
            return Problem{ErrorKind::InvalidArgument,
                           text("the exponent is ", given, " but must be from ", -kMost, " to ", kMost)};
        return std::nullopt;
    }

    /// Whether that is known without searching, of up to 64 rows.
    [[nodiscard]] bool is_right(Index i) const {
        constexpr Index kBits = 64;
        if (n_ > kBits || n_ == 0 || exponents_[i] < -kMost || exponents_[i] > kMost) return false;
        std::uint64_t seen = 0;
        bool inside = true;
        for (Index row = 0; row < n_; ++row) {
            const auto from = static_cast<std::uint64_t>(rows(i)[row]);
            inside = inside && from < static_cast<std::uint64_t>(n_);
            seen |= std::uint64_t{1} << (from % kBits);
        }
        return inside && seen == ~std::uint64_t{0} >> (kBits - n_);
    }

private:
    static constexpr std::int64_t kMost = 2 * std::numeric_limits<double>::max_exponent;

    /// `given`, where it is a tensor of I64 of that shape.
    static const TensorRead& checked_whole(const BackendSession& session, const TensorRead& given,
                                           const Dims& shape, std::string_view name, std::string_view op) {
        if (given.dtype() != DType::I64)
            throw Error(ErrorKind::DTypeMismatch, op,
                        text("the dtype of ", name, " is ", info(given.dtype()).name, " but must be i64"));
        if (given.shape() != shape)
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("the shape of ", name, " is ", list_text(given.shape()), " but must be ",
                             list_text(shape)));
        check_place(session.backend_info(), given, op, name);
        return given;
    }

    Index n_;
    Elements<std::int64_t> rows_, exponents_;
};

/// The first pivot of full_piv_lu, on the diagonal of a [n, n], that is at most n units of rounding of the
/// first one; a is 2^exponent times the matrix.
template <class T>
[[nodiscard]] MaybeProblem negligible_pivot(Index n, const T* a, int exponent) {
    for (Index j = 0; j < n; ++j) {
        const RealOf<T> size = std::abs(a[j + j * n]), first = std::abs(a[0]);
        if (!(size > static_cast<RealOf<T>>(n) * kEps<T> * first))
            return Problem{
                ErrorKind::Singular,
                text("pivot ", j, " is ", tensor_ops::field_text(times_power_of_two(size, -exponent)),
                     " beside the first of ", tensor_ops::field_text(times_power_of_two(first, -exponent)))};
    }
    return std::nullopt;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
