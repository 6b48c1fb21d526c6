// The walk over the matrices of a batch, which is the same for every operation: threads, working memory, the
// copy of each matrix with the check that it is finite, its scale, and errors that name the matrix. A batch
// is cut into ranges; of the matrices that fail the first is reported, however many threads there are.
#pragma once

#include <optional>
#include <string>

#include "linalg/scalar.hpp"
#include "linalg/scratch.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/function_ref.hpp"
#include "tenferro/tensor/backend_session.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// What is wrong with a matrix, in words that follow its name.
struct Problem {
    ErrorKind kind;
    std::string message;
};

using MaybeProblem = std::optional<Problem>;

/// The axes behind the first `leading`, which the operands of `op` have at least (RankMismatch).
[[nodiscard]] Dims batch_extents(const TensorRead& a, std::size_t leading, std::string_view op,
                                 std::string_view name = "operand");
/// The same of two operands, equal (RankMismatch, ShapeMismatch).
[[nodiscard]] Dims common_batch(const TensorRead& a, std::size_t a_leading, const TensorRead& b,
                                std::size_t b_leading, std::string_view op);
/// `rows` x `columns` followed by the batch.
[[nodiscard]] Dims with_batch(std::initializer_list<Index> matrix, DimsView batch);

/// F32, F64, C32 or C64 (DTypeMismatch).
void check_floating(DType dtype, std::string_view op);
/// Both dtypes are one (DTypeMismatch).
void check_same_dtype(const TensorRead& a, const TensorRead& b, std::string_view op);
/// Axes 0 and 1 have one extent (ShapeMismatch).
void check_square(const TensorRead& a, std::string_view op);
/// Axis 0 of the right-hand side, or axis 1 where the matrix is on its right, is as long as the matrix has
/// rows (ShapeMismatch).
void check_system(const TensorRead& a, const TensorRead& b, bool left, std::string_view op,
                  std::string_view b_name = "the right-hand side");

/// An option that is a number is no NaN (InvalidArgument).
void check_number(double value, std::string_view name, std::string_view op);

/// What of a matrix an operation reads: with Strict without the diagonal.
enum class Part { Whole, Lower, Upper, StrictLower, StrictUpper };

/// The vectors, matrices or numbers of an operand, one after the other.
template <class T>
class Slices {
public:
    Slices(const TensorRead& a, std::size_t leading, Part part = Part::Whole);

    [[nodiscard]] Index rows() const noexcept { return extents_[0]; }
    [[nodiscard]] Index columns() const noexcept { return extents_[1]; }
    /// Copies slice `index` to `out`, column-major and compact, with zeros for what is not read, and returns
    /// its largest magnitude(), or none where an element is not finite.
    [[nodiscard]] std::optional<RealOf<T>> copy(Index index, T* out) const;
    /// The same elements, where they are if they lie so, else copied; null where one is not finite.
    [[nodiscard]] const T* compact(Index index, Scratch& scratch) const;
    /// The place of every element beside the first, for each that is not read -1; of the transpose likewise.
    /// Of complex elements the places of both parts, in real numbers.
    [[nodiscard]] const Index* offsets(bool transposed, Scratch& scratch) const;
    /// The first element of a slice.
    [[nodiscard]] const T* at(Index index) const noexcept;
    /// The element that is not finite, for the message: "element [2, 0] is nan", of a vector "element [2]".
    /// Of an operand beside the matrix, its `name`.
    [[nodiscard]] Problem not_finite(Index index, std::string_view name = {}) const;

private:
    /// Whether slices are whole, column-major and compact as they are.
    [[nodiscard]] bool in_columns() const noexcept {
        return part_ == Part::Whole && strides_[0] == 1 && (strides_[1] == extents_[0] || extents_[1] == 1);
    }
    /// The rows that are read of a column: [first, last).
    [[nodiscard]] std::pair<Index, Index> rows_of(Index column) const noexcept;

    const T* data_;
    Index extents_[2] = {1, 1}, strides_[2] = {1, 1};
    Dims batch_, batch_strides_;
    Part part_;
    bool is_vector_, is_compact_;
    Index step_;  ///< between slices, where they are equally far from each other
};

/// The exponents, of either sign, from which on matrices are scaled.
template <class R>
inline constexpr int kLargeExponent = std::numeric_limits<R>::max_exponent / 8;
template <class R>
[[nodiscard]] constexpr R power_of_two(int exponent) noexcept {
    R power = 1;
    for (; exponent > 0; --exponent) power *= 2;
    for (; exponent < 0; ++exponent) power /= 2;
    return power;
}
/// Whether a matrix of that largest magnitude is neither 0 nor scaled; not that of NaN and infinity.
template <class R>
[[nodiscard]] bool is_moderate(R largest) noexcept {
    constexpr R kLeast = power_of_two<R>(1 - kLargeExponent<R>), kMost = power_of_two<R>(kLargeExponent<R>);
    return largest >= kLeast && largest < kMost;
}
/// The power of two, as an exponent, by which to multiply a matrix of that largest magnitude before an
/// algorithm that squares its elements sees it: 0 unless it is very large or small, and a multiple of `unit`.
template <class R>
[[nodiscard]] int scale_exponent(R largest, int unit = 1) noexcept {
    if (largest == 0 || is_moderate(largest)) return 0;
    return -std::ilogb(largest) / unit * unit;
}
template <class T>
void scale(Index count, T* x, int exponent) noexcept {
    if (exponent == 0) return;
    if (std::abs(exponent) < std::numeric_limits<RealOf<T>>::max_exponent - 2) {  // then it is a number
        const RealOf<T> factor = std::scalbn(RealOf<T>(1), exponent);
        for (Index i = 0; i < count; ++i) x[i] *= factor;
    } else {
        for (Index i = 0; i < count; ++i) x[i] = times_power_of_two(x[i], exponent);
    }
}

/// Copies a slice, multiplied by such a power of two; its exponent, or none where an element is not finite.
template <class T>
[[nodiscard]] std::optional<int> copy_scaled(const Slices<T>& from, Index index, T* out, int unit = 1) {
    const auto largest = from.copy(index, out);
    if (!largest) return std::nullopt;
    const int exponent = scale_exponent(*largest, unit);
    scale(from.rows() * from.columns(), out, exponent);
    return exponent;
}

/// The number of matrices of the batch.
[[nodiscard]] Index batch_count(DimsView batch);

/// Calls range(first, last, scratch) for ranges that make up the batch, on the threads of the session where
/// the work, `flops` for each matrix, is worth it. A range returns the matrix that failed and why, having
/// done those before it; the first of them is thrown in the name of `op`.
struct Failure {
    Index matrix;
    Problem problem;
};
void for_each_range(BackendSession& session, std::string_view op, DimsView batch, double flops,
                    FunctionRef<std::optional<Failure>(Index first, Index last, Scratch& scratch)> range);
/// The same matrix by matrix.
template <class F>
void for_each_matrix(BackendSession& session, std::string_view op, DimsView batch, double flops, F&& matrix) {
    for_each_range(session, op, batch, flops,
                   [&](Index first, Index last, Scratch& scratch) -> std::optional<Failure> {
                       for (Index i = first; i < last; ++i) {
                           const Scratch::Frame frame(scratch);
                           if (MaybeProblem problem = matrix(i, scratch))
                               return Failure{i, std::move(*problem)};
                       }
                       return std::nullopt;
                   });
}

extern template class Slices<float>;
extern template class Slices<double>;
extern template class Slices<std::complex<float>>;
extern template class Slices<std::complex<double>>;

/// Calls f.operator()<T>() for the element type; the dtype has passed check_floating.
template <class F>
decltype(auto) visit_floating(DType dtype, F&& f) {
    switch (dtype) {
        case DType::F32: return f.template operator()<float>();
        case DType::F64: return f.template operator()<double>();
        case DType::C32: return f.template operator()<std::complex<float>>();
        default: return f.template operator()<std::complex<double>>();
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
