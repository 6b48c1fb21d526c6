// What divide and conquer does alike for eigenvalues and singular values: columns that need no joining are
// set aside, the others are combined, and all are put in order.
#pragma once

#include <algorithm>

#include "linalg/builtin/products.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A column of vectors with its pole and its weight in the secular equation, and whether it has elements in
/// the rows of the first and of the second half.
template <class R>
struct PoleColumn {
    R pole, weight;
    Index column;
    bool top, bottom;
};

/// The columns of a merge: [0, kept) are combined, those from `kept` to `count` stay as they are.
template <class R>
struct MergeColumns {
    PoleColumn<R>* columns;
    Index count, kept;

    /// Sorts by poles, and sets aside, behind the first `fixed` columns, those whose weight is negligible or
    /// becomes so by a rotation with a neighbour: is_close(gap, c, s) says whether that is allowed, and
    /// rotate(i, j, c, s) makes (x_i, x_j) (c x_i + s x_j, c x_j - s x_i).
    template <class IsClose, class Rotate>
    void deflate(Index fixed, R negligible, Scratch& scratch, IsClose&& is_close, Rotate&& rotate) {
        const Scratch::Frame frame(scratch);
        PoleColumn<R>* const aside = scratch.take<PoleColumn<R>>(count);
        std::stable_sort(columns + fixed, columns + count,
                         [](const auto& a, const auto& b) { return a.pole < b.pole; });
        Index left = fixed, away = 0;
        for (Index j = fixed; j < count; ++j) {
            PoleColumn<R> next = columns[j];
            if (std::abs(next.weight) <= negligible) {
                aside[away++] = next;
                continue;
            }
            if (left > fixed) {
                PoleColumn<R>& before = columns[left - 1];
                const R length = std::hypot(before.weight, next.weight);
                const R c = next.weight / length, s = -before.weight / length;
                if (is_close(next.pole - before.pole, c, s)) {
                    rotate(before.column, next.column, c, s);
                    const R first = before.pole, second = next.pole;
                    before.pole = first * c * c + second * s * s;
                    next.pole = first * s * s + second * c * c;
                    next.weight = length;
                    next.top = before.top = next.top || before.top;
                    next.bottom = before.bottom = next.bottom || before.bottom;
                    aside[away++] = before;
                    --left;
                }
            }
            columns[left++] = next;
        }
        kept = left;
        std::copy_n(aside, away, columns + left);
    }
};

/// Columns of X [rows, count], with blocks above and below row `split`: combined by `vectors` [kept, kept]
/// the first, as they are the others, in the order that `order` gives: order[i] counts the columns of
/// `merge`.
template <class R>
void combine_columns(const MergeColumns<R>& merge, const Matrix<R>& x, Index split, const Matrix<R>& vectors,
                     const Index* order, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const Matrix<R> made = take_matrix<R>(x.rows, merge.count, scratch);
    const auto half = [&](bool PoleColumn<R>::*has, Index first, Index rows) {
        const Scratch::Frame inner(scratch);
        const Matrix<R> gathered = take_matrix<R>(rows, merge.kept, scratch),
                        factors = take_matrix<R>(merge.kept, merge.kept, scratch);
        Index* const which = scratch.take<Index>(merge.kept);
        Index used = 0;
        for (Index j = 0; j < merge.kept; ++j) {
            if (!(merge.columns[j].*has)) continue;
            std::copy_n(x.column(merge.columns[j].column) + first, rows, gathered.column(used));
            which[used++] = j;
        }
        for (Index i = 0; i < merge.kept; ++i) {
            const R* const from = vectors.column(i);
            R* const to = factors.column(i);
            for (Index k = 0; k < used; ++k) to[k] = from[which[k]];
        }
        multiply(Sum::Replace, plain(gathered.block(0, 0, rows, used)),
                 plain(factors.block(0, 0, used, merge.kept)), made.block(first, 0, rows, merge.kept),
                 scratch);
    };
    half(&PoleColumn<R>::top, 0, split);
    half(&PoleColumn<R>::bottom, split, x.rows - split);
    for (Index j = merge.kept; j < merge.count; ++j)
        std::copy_n(x.column(merge.columns[j].column), x.rows, made.column(j));
    for (Index j = 0; j < merge.count; ++j) std::copy_n(made.column(order[j]), x.rows, x.column(j));
}

/// The values of the columns of a merge, roots and poles, into `values` in ascending order, which `order`
/// describes.
template <class R>
void sort_values(const MergeColumns<R>& merge, const R* roots, R* values, Index* order, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    R* const found = scratch.take<R>(merge.count);
    for (Index j = 0; j < merge.count; ++j) {
        order[j] = j;
        found[j] = j < merge.kept ? roots[j] : merge.columns[j].pole;
    }
    std::stable_sort(order, order + merge.count, [&](Index i, Index j) { return found[i] < found[j]; });
    for (Index j = 0; j < merge.count; ++j) values[j] = found[order[j]];
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
