// Divide and conquer for bidiagonal matrices (Gu and Eisenstat, SIAM J. Matrix Anal. Appl. 16, 1995): without
// one of its rows a matrix is two of half the size, each with a column more than rows or as many.
#include <cmath>

#include "linalg/builtin/bidiagonal.hpp"
#include "linalg/builtin/merging.hpp"
#include "linalg/builtin/secular.hpp"
#include "linalg/builtin/vectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Rows up to which QR iteration is faster.
constexpr Index kBidiagonalLeaf = 24;

/// Two decompositions, of the rows before and behind row `middle`, and what that row has in column `middle`
/// and the next. Columns of u and v belong to d in order; column `middle` of v, and the last where there is
/// `extra`, are those that have no row.
template <class R>
class BidiagonalMerge {
public:
    BidiagonalMerge(Index middle, Index extra, R* d, R above, const Matrix<R>& u, const Matrix<R>& v,
                    Scratch& scratch)
        : middle_(middle), extra_(extra), n_(u.rows), d_(d), u_(u), v_(v), scratch_(scratch) {
        scale_ = std::max(std::abs(d[middle]), std::abs(above));
        for (Index i = 0; i < n_; ++i) scale_ = std::max(scale_, std::abs(d[i]));
        before_ = d[middle];
        behind_ = above;
    }

    void run() {
        const Scratch::Frame frame(scratch_);
        u_(middle_, middle_) = 1;
        if (scale_ == 0) return;
        MergeColumns<R> merge{scratch_.take<PoleColumn<R>>(n_), n_, 0};
        make_columns(merge.columns);
        merge.deflate(
            1, kTolerance, scratch_, [&](R gap, R, R) { return gap <= kTolerance; },
            [&](Index i, Index j, R c, R s) {
                rotate(u_, i, j, c, s);
                rotate(v_, i, j, c, s);
            });
        join(merge);
    }

private:
    static constexpr R kTolerance = 8 * std::numeric_limits<R>::epsilon();

    static void rotate(const Matrix<R>& x, Index i, Index j, R c, R s) {
        vector_kernels<R>().rotate(x.rows, c, s, x.column(i), x.column(j));
    }

    /// Poles and weights, which are the middle row in terms of the columns of v, all divided by the scale.
    void make_columns(PoleColumn<R>* columns) const {
        const R before = before_ / scale_, behind = behind_ / scale_;
        const R own = before * v_(middle_, middle_),
                others = extra_ > 0 ? behind * v_(middle_ + 1, n_) : R(0);
        R weight = own;
        if (extra_ > 0) {
            weight = std::hypot(own, others);
            if (weight > kTolerance) rotate(v_, middle_, n_, own / weight, others / weight);
        }
        if (std::abs(weight) <= kTolerance) weight = kTolerance;
        columns[0] = {0, weight, middle_, true, extra_ > 0};
        for (Index j = 0, at = 1; j < n_; ++j) {
            if (j == middle_) continue;
            const bool top = j < middle_;
            columns[at++] = {d_[j] / scale_, top ? before * v_(middle_, j) : behind * v_(middle_ + 1, j), j,
                             top, !top};
        }
    }

    void join(const MergeColumns<R>& merge) const {
        const Index kept = merge.kept;
        R *const poles = scratch_.take<R>(kept), *const z = scratch_.take<R>(kept),
                 *const roots = scratch_.take<R>(kept), *const norms = scratch_.take<R>(kept);
        for (Index j = 0; j < kept; ++j) {
            poles[j] = merge.columns[j].pole;
            z[j] = merge.columns[j].weight;
        }
        if (kept > 1) poles[1] = std::max(poles[1], kTolerance / 2);
        const Matrix<R> right = take_matrix<R>(kept, kept, scratch_),
                        left = take_matrix<R>(kept, kept, scratch_);
        solve_secular({kept, poles, true}, z, R(1), roots, norms, right, scratch_);
        for (Index i = 0; i < kept; ++i) {
            R *const from = right.column(i), *const to = left.column(i);
            const R factor = 1 / norms[i];
            R squares = 1;
            to[0] = -1;
            for (Index j = 1; j < kept; ++j) {
                to[j] = poles[j] * from[j];
                squares += to[j] * to[j];
            }
            const R other = 1 / std::sqrt(squares);
            for (Index j = 0; j < kept; ++j) {
                from[j] *= factor;
                to[j] *= other;
            }
        }
        Index* const order = scratch_.take<Index>(n_);
        sort_values(merge, roots, d_, order, scratch_);
        for (Index i = 0; i < n_; ++i) d_[i] *= scale_;
        combine_columns(merge, u_, middle_ + 1, left, order, scratch_);
        combine_columns(merge, v_.block(0, 0, v_.rows, n_), middle_ + 1, right, order, scratch_);
    }

    Index middle_, extra_, n_;
    R* d_;
    const Matrix<R>&u_, &v_;
    Scratch& scratch_;
    R scale_, before_, behind_;
};

}  // namespace

template <class R>
bool divide_bidiagonal(Index n, Index extra, R* d, R* above, const Matrix<R>& u, const Matrix<R>& v,
                       Scratch& scratch) {
    set_zero(u);
    set_zero(v);
    if (n <= kBidiagonalLeaf) {
        set_identity(u);
        set_identity(v);
        return iterate_bidiagonal(n, extra, d, above, u, v);
    }
    const Index middle = n / 2, next = middle + 1;
    const Matrix<R> u_behind = u.below(next, next), v_behind = v.below(next, next);
    if (!divide_bidiagonal(middle, Index{1}, d, above, u.block(0, 0, middle, middle),
                           v.block(0, 0, next, next), scratch) ||
        !divide_bidiagonal(n - next, extra, d + next, above + next, u_behind, v_behind, scratch))
        return false;
    BidiagonalMerge<R>(middle, extra, d, above[middle], u, v, scratch).run();
    return true;
}

template bool divide_bidiagonal(Index, Index, float*, float*, const Matrix<float>&, const Matrix<float>&,
                                Scratch&);
template bool divide_bidiagonal(Index, Index, double*, double*, const Matrix<double>&, const Matrix<double>&,
                                Scratch&);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
