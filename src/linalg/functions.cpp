// What the functions on handles ask of numbers.
#include "tenferro/linalg/functions.hpp"

#include <new>

#include "linalg/batch.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

void tfe_detail::check_matrix(std::size_t rank, std::string_view op) {
    if (rank < 2)
        throw Error(ErrorKind::RankMismatch, op,
                    text("the operand has rank ", rank, " but must have at least 2"));
}
void tfe_detail::check_square(const SymShape& shape, std::string_view op) {
    check_matrix(shape.size(), op);
    const auto rows = shape[0].constant(), columns = shape[1].constant();
    if (rows && columns && *rows != *columns)
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("the matrix is ", *rows, " x ", *columns, " but must be square"));
}
void tfe_detail::check_matrices(std::size_t lhs_rank, std::size_t rhs_rank, std::string_view op) {
    check_matrix(lhs_rank, op);
    if (lhs_rank != rhs_rank)
        throw Error(ErrorKind::RankMismatch, op, text("lhs has rank ", lhs_rank, " but rhs has ", rhs_rank));
}

Index kept_rank(const TensorRead& s, const Truncation& truncation) try {
    constexpr std::string_view kOp = "kept_rank";
    check_floating(s.dtype(), kOp);
    if (truncation.max_rank < 0)
        throw Error(ErrorKind::InvalidArgument, kOp,
                    text("max_rank is ", truncation.max_rank, " but must not be negative"));
    check_number(truncation.cutoff, "cutoff", kOp);
    const Dims batch = batch_extents(s, 1, kOp, "S");
    const Index k = truncation.max_rank == 0 ? s.shape()[0] : std::min(truncation.max_rank, s.shape()[0]);
    if (k == 0 || batch_count(batch) == 0) return k;
    return visit_floating(s.dtype(), [&]<class T>() {
        const Slices<T> vectors(s, 1);
        std::vector<T> values(static_cast<std::size_t>(s.shape()[0]));
        Index kept = 1;
        for (Index i = 0; i < batch_count(batch); ++i) {
            static_cast<void>(vectors.copy(i, values.data()));
            while (kept < k && static_cast<double>(real_part(values[static_cast<std::size_t>(kept)])) >=
                                   truncation.cutoff)
                ++kept;
        }
        return kept;
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("kept_rank");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
