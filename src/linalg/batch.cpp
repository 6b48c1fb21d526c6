// Checks of operands, copies of matrices and the ranges of a batch.
#include "linalg/batch.hpp"

#include <algorithm>
#include <vector>

#include "linalg/builtin/vectors.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/fields.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Work, in multiply-adds, from which on a second thread pays.
constexpr double kParallelWork = 2e5;

/// The indices of matrix `index`.
Dims batch_index(DimsView batch, Index index) {
    Dims at;
    for (const Index extent : batch) {
        at.push_back(index % extent);
        index /= extent;
    }
    return at;
}

[[noreturn]] void raise(std::string_view op, DimsView batch, const Failure& failure) {
    if (batch.empty()) throw Error(failure.problem.kind, op, failure.problem.message);
    throw Error(failure.problem.kind, op,
                text("matrix ", list_text(batch_index(batch, failure.matrix)),
                     " of the batch: ", failure.problem.message));
}

template <class T>
bool is_finite(T x) noexcept {
    if constexpr (is_complex<T>)
        return std::isfinite(x.real()) && std::isfinite(x.imag());
    else
        return std::isfinite(x);
}

/// The largest magnitude(), NaN where an element is not finite.
template <class T>
RealOf<T> largest_of(Index n, const T* x) noexcept {
    constexpr Index kShort = 32;  // from here on a call is worth it
    if (n >= kShort) return vector_kernels<T>().largest(n, x);
    RealOf<T> largest = 0, lost = 0;
    for (Index i = 0; i < n; ++i) {
        const RealOf<T> size = magnitude(x[i]);
        largest = size > largest ? size : largest;
        lost += sum_of_moduli(x[i] - x[i]);
    }
    return largest + lost;
}

}  // namespace

Dims batch_extents(const TensorRead& a, std::size_t leading, std::string_view op, std::string_view name) {
    if (a.rank() < leading)
        throw Error(ErrorKind::RankMismatch, op,
                    text(name, " has rank ", a.rank(), " but must have at least ", leading));
    Dims batch;
    for (std::size_t axis = leading; axis < a.rank(); ++axis) batch.push_back(a.shape()[axis]);
    return batch;
}

Dims common_batch(const TensorRead& a, std::size_t a_leading, const TensorRead& b, std::size_t b_leading,
                  std::string_view op) {
    const Dims batch = batch_extents(a, a_leading, op, "lhs"), other = batch_extents(b, b_leading, op, "rhs");
    if (batch.size() != other.size())
        throw Error(ErrorKind::RankMismatch, op,
                    text("lhs has ", batch.size(), " batch axes but rhs has ", other.size()));
    for (std::size_t axis = 0; axis < batch.size(); ++axis)
        if (batch[axis] != other[axis])
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("batch axis ", axis, " has extent ", batch[axis], " in lhs but ", other[axis],
                             " in rhs"));
    return batch;
}

Dims with_batch(std::initializer_list<Index> matrix, DimsView batch) {
    Dims shape;
    for (const Index extent : matrix) shape.push_back(extent);
    for (const Index extent : batch) shape.push_back(extent);
    return shape;
}

void check_floating(DType dtype, std::string_view op) {
    if (!info(dtype).is_float && !info(dtype).is_complex)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("the dtype is ", info(dtype).name, " but must be f32, f64, c32 or c64"));
}
void check_same_dtype(const TensorRead& a, const TensorRead& b, std::string_view op) {
    if (a.dtype() != b.dtype())
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("lhs has dtype ", info(a.dtype()).name, " but rhs has ", info(b.dtype()).name));
}
void check_square(const TensorRead& a, std::string_view op) {
    if (a.shape()[0] != a.shape()[1])
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("the matrix is ", a.shape()[0], " x ", a.shape()[1], " but must be square"));
}

void check_system(const TensorRead& a, const TensorRead& b, bool left, std::string_view op,
                  std::string_view b_name) {
    const std::size_t axis = left ? 0 : 1;
    if (b.shape()[axis] != a.shape()[0])
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("axis ", axis, " of ", b_name, " has extent ", b.shape()[axis],
                         " but the matrix is ", a.shape()[0], " x ", a.shape()[1]));
}

void check_number(double value, std::string_view name, std::string_view op) {
    if (std::isnan(value))
        throw Error(ErrorKind::InvalidArgument, op, text(name, " is NaN but must be a number"));
}

Index batch_count(DimsView batch) {
    Index count = 1;
    for (const Index extent : batch) count *= extent;
    return count;
}

template <class T>
Slices<T>::Slices(const TensorRead& a, std::size_t leading, Part part) : data_(a.data_as<T>()), part_(part) {
    is_vector_ = leading == 1;
    for (std::size_t axis = 0; axis < leading; ++axis) {
        extents_[axis] = a.shape()[axis];
        strides_[axis] = a.strides()[axis];
    }
    for (std::size_t axis = leading; axis < a.rank(); ++axis) {
        batch_.push_back(a.shape()[axis]);
        batch_strides_.push_back(a.strides()[axis]);
    }
    is_compact_ = a.is_compact();
    step_ = is_compact_ ? extents_[0] * extents_[1] : batch_.size() == 1 ? batch_strides_[0] : 0;
}

template <class T>
const T* Slices<T>::at(Index index) const noexcept {
    if (is_compact_ || batch_.size() <= 1) return data_ + index * step_;
    const T* at = data_;
    for (std::size_t axis = 0; axis < batch_.size(); ++axis) {
        at += index % batch_[axis] * batch_strides_[axis];
        index /= batch_[axis];
    }
    return at;
}

template <class T>
std::pair<Index, Index> Slices<T>::rows_of(Index column) const noexcept {
    const Index rows = extents_[0];
    switch (part_) {
        case Part::Whole: return {0, rows};
        case Part::Lower: return {std::min(column, rows), rows};
        case Part::Upper: return {0, std::min(column + 1, rows)};
        case Part::StrictLower: return {std::min(column + 1, rows), rows};
        case Part::StrictUpper: return {0, std::min(column, rows)};
    }
    __builtin_unreachable();
}

template <class T>
std::optional<RealOf<T>> Slices<T>::copy(Index index, T* out) const {
    using R = RealOf<T>;
    const T* const from = at(index);
    const Index rows = extents_[0], columns = extents_[1];
    if (rows == 0) return 0;  // however many columns there are
    if (part_ != Part::Whole) std::fill_n(out, rows * columns, T(0));
    if (in_columns()) {
        std::copy_n(from, rows * columns, out);
    } else {
        for (Index j = 0; j < columns; ++j)
            for (auto [i, last] = rows_of(j); i < last; ++i)
                out[i + j * rows] = from[i * strides_[0] + j * strides_[1]];
    }
    const R largest = largest_of(rows * columns, out);
    if (std::isnan(largest)) return std::nullopt;
    return largest;
}

template <class T>
const T* Slices<T>::compact(Index index, Scratch& scratch) const {
    const Index elements = extents_[0] * extents_[1];
    if (in_columns()) return std::isnan(largest_of(elements, at(index))) ? nullptr : at(index);
    T* const out = scratch.take<T>(elements);
    return copy(index, out) ? out : nullptr;
}

template <class T>
const Index* Slices<T>::offsets(bool transposed, Scratch& scratch) const {
    const Index rows = extents_[0], columns = extents_[1];
    constexpr Index kParts = is_complex<T> ? 2 : 1;
    auto* const offsets = scratch.take<Index>(rows * columns * kParts);
    std::fill_n(offsets, rows * columns * kParts, Index{-1});
    for (Index j = 0; j < columns; ++j)
        for (auto [i, last] = rows_of(j); i < last; ++i)
            for (Index part = 0; part < kParts; ++part)
                offsets[(transposed ? j + i * columns : i + j * rows) * kParts + part] =
                    (i * strides_[0] + j * strides_[1]) * kParts + part;
    return offsets;
}

template <class T>
Problem Slices<T>::not_finite(Index index, std::string_view name) const {
    const T* const from = at(index);
    for (Index j = 0; j < extents_[1]; ++j)
        for (auto [i, last] = rows_of(j); i < last; ++i) {
            const T x = from[i * strides_[0] + j * strides_[1]];
            if (is_finite(x)) continue;
            using tensor_ops::field_text;
            const std::string value =
                is_complex<T> ? text(field_text(std::real(x)), " + ", field_text(std::imag(x)), "i")
                              : field_text(std::real(x));
            const std::string place = is_vector_ ? text("[", i, "]") : text("[", i, ", ", j, "]");
            return {ErrorKind::NonFinite,
                    text("element ", place, name.empty() ? "" : " of ", name, " is ", value)};
        }
    __builtin_unreachable();
}

template class Slices<float>;
template class Slices<double>;
template class Slices<std::complex<float>>;
template class Slices<std::complex<double>>;

void for_each_range(BackendSession& session, std::string_view op, DimsView batch, double flops,
                    FunctionRef<std::optional<Failure>(Index first, Index last, Scratch& scratch)> range) {
    const Index count = batch_count(batch);
    const auto affordable =
        static_cast<Index>(std::min(1e9, static_cast<double>(count) * flops / kParallelWork));
    const Index parts = std::max<Index>(1, std::min({count, affordable, session.concurrency()}));
    if (parts == 1) {
        Scratch scratch(session, session.concurrency());
        if (const auto failure = range(0, count, scratch)) raise(op, batch, *failure);
        return;
    }
    std::vector<std::optional<Failure>> failures(static_cast<std::size_t>(parts));
    session.run_concurrently(parts, [&](Index part, BackendSession& own) {
        Scratch scratch(own, 1);
        failures[static_cast<std::size_t>(part)] =
            range(part * count / parts, (part + 1) * count / parts, scratch);
    });
    for (const auto& failure : failures)
        if (failure) raise(op, batch, *failure);
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
