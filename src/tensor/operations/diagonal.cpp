// Diagonals and triangles of matrices: embed_diagonal is zeros and a copy into a view; tril and triu are
// zeros, and the kept part of each column copied.
#include <algorithm>
#include <array>

#include "tenferro/base/cancellation.hpp"
#include "tenferro/tensor/backend_session.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

template <Extent E>
BasicTensorMeta<E> matrices(OpId op, const OperandMeta<E>& a) {
    ShapeRules<E>::check_defined(op, a.dtype);
    if (a.rank() < 2)
        throw Error(ErrorKind::RankMismatch, info(op).name,
                    text("the operand has rank ", a.rank(), " but needs 2 matrix axes"));
    return {a.dtype, BasicShape<E>(a.shape.begin(), a.shape.end())};
}

}  // namespace

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::embed_diagonal(const Operand& a, Index first, Index second) {
    constexpr std::string_view op = "embed_diagonal";
    check_defined(OpId::EmbedDiagonal, a.dtype);
    check_axes(Dims{first, second}, a.rank() + 1, op, "diagonal");
    Shape shape;
    for (Index axis = 0, from = 0; axis <= static_cast<Index>(a.rank()); ++axis)
        shape.push_back(a.shape[static_cast<std::size_t>(axis != second   ? from++
                                                         : first < second ? first
                                                                          : first - 1)]);
    check_count(shape, op);
    return {a.dtype, std::move(shape)};
}
template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::tril(const Operand& a, Index) {
    return matrices(OpId::Tril, a);
}
template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::triu(const Operand& a, Index) {
    return matrices(OpId::Triu, a);
}

TENFERRO_DIAGONAL_OPS(TENFERRO_RULE_OF)

void BackendSession::do_embed_diagonal(const TensorRead& a, Index first, Index second,
                                       const TensorWrite& out) {
    do_fill_zero(out);
    do_copy(a, out.diagonal_view(first, second));
}

namespace {

/// Rows [first, last) of column j that are kept, of matrices [rows, …].
struct Kept {
    Index first, last;
    Kept(OpId op, Index rows, Index j, Index diagonal) noexcept
        : first(op == OpId::Tril ? std::clamp<Index>(j - diagonal, 0, rows) : 0),
          last(op == OpId::Tril ? rows : std::clamp<Index>(j - diagonal + 1, 0, rows)) {}
};

/// Columns of fewer rows are not worth an operation each, whatever their strides, or where they lie in one
/// piece.
constexpr Index kFewRows = 32, kManyRows = 4096;
/// About as many of their elements are written between two looks at whether the result is still wanted.
constexpr Index kElementsBetweenLooks = 512;

template <class T>
void keep_triangles(OpId op, Index diagonal, const TensorRead& a, const TensorWrite& out) {
    const Index rows = a.shape()[0], columns = a.shape()[1], count = a.rank() == 3 ? a.shape()[2] : 1;
    const Index row_step = a.strides()[0], column_step = a.strides()[1],
                step = a.rank() == 3 ? a.strides()[2] : 0;
    auto* to = static_cast<T*>(out.data());
    Index unseen = kElementsBetweenLooks;
    for (Index matrix = 0; matrix < count; ++matrix)
        for (Index j = 0; j < columns; ++j, to += rows) {
            if (unseen >= kElementsBetweenLooks) {
                CancellationScope::check_current();
                unseen = 0;
            }
            unseen += rows;
            const T* const from = static_cast<const T*>(a.data()) + matrix * step + j * column_step;
            const Kept kept(op, rows, j, diagonal);
            const Index first = std::min(kept.first, kept.last), last = kept.last;
            std::fill_n(to, first, T{});
            if (row_step == 1)
                std::copy(from + first, from + last, to + first);
            else
                for (Index i = first; i < last; ++i) to[i] = from[i * row_step];
            std::fill_n(to + last, rows - last, T{});
        }
}
/// Whether they were such: small, where the host is, in one batch axis at most, and in compact order in
/// `out`.
bool keep_small_triangles(OpId op, Index diagonal, const TensorRead& a, const TensorWrite& out) {
    const Index most = a.strides()[0] == 1 ? kManyRows : kFewRows;
    if (a.shape()[0] >= most || a.rank() > 3 || a.placement() != kMainMemory || !out.is_compact())
        return false;
    switch (info(a.dtype()).bytes) {
        case 1: keep_triangles<std::uint8_t>(op, diagonal, a, out); return true;
        case 4: keep_triangles<std::uint32_t>(op, diagonal, a, out); return true;
        case 8: keep_triangles<std::uint64_t>(op, diagonal, a, out); return true;
        default: keep_triangles<std::array<std::uint64_t, 2>>(op, diagonal, a, out); return true;
    }
}

/// Rows [first, last) of one column of every matrix.
template <class View>
View column_part(const View& whole, Index first, Index last, Index column) {
    Dims starts(whole.rank(), 0), limits = whole.shape();
    starts[0] = first, limits[0] = last, starts[1] = column, limits[1] = column + 1;
    return whole.slice_view(starts, limits, Dims(whole.rank(), 1));
}

}  // namespace

void BackendSession::fill_triangle(OpId op, const TensorRead& a, Index diagonal, const TensorWrite& out) {
    if (a.size() == 0) return;
    const Index rows = a.shape()[0], columns = a.shape()[1];
    const Index k = std::clamp<Index>(diagonal, -rows, columns);  // beyond, all or nothing is kept
    if (keep_small_triangles(op, k, a, out)) return;
    do_fill_zero(out);
    for (Index j = 0; j < columns; ++j)
        if (const Kept kept(op, rows, j, k); kept.first < kept.last)
            do_copy(column_part(a, kept.first, kept.last, j), column_part(out, kept.first, kept.last, j));
}

void BackendSession::do_tril(const TensorRead& a, Index diagonal, const TensorWrite& out) {
    fill_triangle(OpId::Tril, a, diagonal, out);
}
void BackendSession::do_triu(const TensorRead& a, Index diagonal, const TensorWrite& out) {
    fill_triangle(OpId::Triu, a, diagonal, out);
}

}}  // namespace tenferro::TENFERRO_ABI
