// Products and transposes of matrices whose batch axes are the trailing ones, as contractions and
// permutations.
#include <new>

#include "ops/infer.hpp"
#include "tenferro/ops/conveniences.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

constexpr std::size_t kMatrixAxes = 2;

/// One operand of a product: its own axes first, then those of the batch, counted from the end.
class Factor {
public:
    explicit Factor(const SymShape& shape)
        : shape_(shape), matrix_axes_(std::min(shape.size(), kMatrixAxes)), kept_(shape.size(), true) {}

    [[nodiscard]] bool is_vector() const noexcept { return matrix_axes_ == 1; }
    [[nodiscard]] std::size_t batch_axes() const noexcept { return shape_.size() - matrix_axes_; }
    /// Whether it has the batch axis that is `from_end` axes before the last one, and it is not dropped.
    [[nodiscard]] bool has(std::size_t from_end) const {
        return from_end < batch_axes() && kept_[shape_.size() - 1 - from_end];
    }
    [[nodiscard]] bool is_one(std::size_t from_end) const {
        return shape_[shape_.size() - 1 - from_end].constant() == Index{1};
    }
    void drop(std::size_t from_end) { kept_[shape_.size() - 1 - from_end] = false; }
    /// The number of that batch axis once the dropped ones are gone.
    [[nodiscard]] Index axis(std::size_t from_end) const {
        const auto end = kept_.end() - 1 - static_cast<std::ptrdiff_t>(from_end);
        return std::count(kept_.begin(), end, true);
    }
    /// What is kept, where something is not.
    [[nodiscard]] std::optional<SymShape> reshaped() const {
        SymShape shape;
        for (std::size_t axis = 0; axis < shape_.size(); ++axis)
            if (kept_[axis]) shape.push_back(shape_[axis]);
        return shape.size() == shape_.size() ? std::nullopt : std::optional(std::move(shape));
    }

private:
    const SymShape& shape_;
    std::size_t matrix_axes_;
    std::vector<bool> kept_;
};

}  // namespace

Dims exchanged_matrix_axes(std::size_t rank) {
    if (rank < kMatrixAxes)
        throw Error(ErrorKind::RankMismatch, "matrix_transpose",
                    text("the operand has rank ", rank, ", not at least 2"));
    Dims axes = all_axes(rank);
    std::swap(axes[0], axes[1]);
    return axes;
}

MatrixProduct matrix_product(const SymShape& lhs_shape, const SymShape& rhs_shape) try {
    if (lhs_shape.empty() || rhs_shape.empty())
        throw Error(ErrorKind::RankMismatch, "matmul",
                    text("lhs has rank ", lhs_shape.size(), " and rhs has rank ", rhs_shape.size(),
                         " but both need an axis to contract"));
    Factor lhs(lhs_shape), rhs(rhs_shape);
    const std::size_t batch = std::max(lhs.batch_axes(), rhs.batch_axes());
    for (std::size_t i = 0; i < batch; ++i) {
        if (!lhs.has(i) || !rhs.has(i) || lhs.is_one(i) == rhs.is_one(i)) continue;
        (lhs.is_one(i) ? lhs : rhs).drop(i);
    }
    // The contraction gives [m, batch axes of lhs alone…, n, those of rhs alone…, those of both…].
    DotGeneralConfig config{{lhs.is_vector() ? 0 : 1}, {0}, {}, {}};
    const Index rows = lhs.is_vector() ? 0 : 1, columns = rhs.is_vector() ? 0 : 1;
    Dims of_lhs, of_rhs, of_both;
    if (rows == 1) of_lhs.push_back(0);
    if (columns == 1) of_rhs.push_back(rows);
    for (std::size_t i = batch; i-- > 0;) {
        const Index place = rows + columns + static_cast<Index>(batch - 1 - i);
        if (lhs.has(i) && rhs.has(i)) {
            config.lhs_batch.push_back(lhs.axis(i));
            config.rhs_batch.push_back(rhs.axis(i));
        }
        (lhs.has(i) && rhs.has(i) ? of_both : lhs.has(i) ? of_lhs : of_rhs).push_back(place);
    }
    of_lhs.append(of_rhs);
    of_lhs.append(of_both);
    if (std::ranges::is_sorted(of_lhs)) of_lhs.clear();
    return {lhs.reshaped(), rhs.reshaped(), DotGeneral(std::move(config), std::move(of_lhs))};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matmul");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
