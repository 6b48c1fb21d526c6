// What the passes on programs ask of a contraction: the order in which it lists contracted axes, and
// transposes of operands and result as a part of it.
#include <algorithm>
#include <numeric>

#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

/// Orders pairs (by[i], with[i]) so that `by` ascends.
void sort_pairs(Dims& by, Dims& with) {
    std::vector<std::size_t> order(by.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return by[a] < by[b]; });
    const Dims old_by = by, old_with = with;
    for (std::size_t i = 0; i < order.size(); ++i) {
        by[i] = old_by[order[i]];
        with[i] = old_with[order[i]];
    }
}

bool in_sequence(Dims axes) {
    std::sort(axes.begin(), axes.end());
    for (std::size_t i = 1; i < axes.size(); ++i)
        if (axes[i] != axes[i - 1] + 1) return false;
    return true;
}

Dims through(const Dims& axes, const Dims& perm) {
    Dims mapped;
    for (const Index axis : axes) mapped.push_back(perm[static_cast<std::size_t>(axis)]);
    return mapped;
}

/// Where the result axes of a contraction go when its operand is read before a transpose by `perm`: the axes
/// of the standard result in their new order, as numbers of the old.
Dims reordered_free(const Dims& old_free, const Dims& new_free, const Dims& perm) {
    Dims from;
    for (const Index axis : new_free)
        for (std::size_t i = 0; i < old_free.size(); ++i)
            if (perm[static_cast<std::size_t>(old_free[i])] == axis) from.push_back(static_cast<Index>(i));
    return from;
}

}  // namespace

/// Contracted axes in the order of lhs, or of rhs where only that has them in sequence.
std::shared_ptr<const Operation> DotGeneral::normalized() const {
    if (config.lhs_contract.size() < 2) return nullptr;
    DotGeneralConfig sorted = config;
    if (in_sequence(sorted.rhs_contract) && !in_sequence(sorted.lhs_contract))
        sort_pairs(sorted.rhs_contract, sorted.lhs_contract);
    else
        sort_pairs(sorted.lhs_contract, sorted.rhs_contract);
    return std::make_shared<DotGeneral>(std::move(sorted), result_axes);
}

std::shared_ptr<const Operation> DotGeneral::before_transpose(std::size_t side, const Dims& perm,
                                                              std::span<const TensorMeta> inputs) const {
    const auto free = [&](const DotGeneralConfig& c) {
        return std::pair(free_axes(inputs[0].rank(), c.lhs_contract, c.lhs_batch),
                         free_axes(inputs[1].rank(), c.rhs_contract, c.rhs_batch));
    };
    DotGeneralConfig moved = config;
    for (Dims* list : side == 0 ? std::array{&moved.lhs_contract, &moved.lhs_batch}
                                : std::array{&moved.rhs_contract, &moved.rhs_batch})
        *list = through(*list, perm);
    const auto [old_lhs, old_rhs] = free(config);
    const auto [new_lhs, new_rhs] = free(moved);
    const std::size_t rank = old_lhs.size() + old_rhs.size() + config.lhs_batch.size();
    Dims from(rank);  // axis i of the new standard result is axis from[i] of the old
    std::iota(from.begin(), from.end(), Index{0});
    const Dims order =
        side == 0 ? reordered_free(old_lhs, new_lhs, perm) : reordered_free(old_rhs, new_rhs, perm);
    const std::size_t first = side == 0 ? 0 : old_lhs.size();
    for (std::size_t i = 0; i < order.size(); ++i) from[first + i] = static_cast<Index>(first) + order[i];
    return std::make_shared<DotGeneral>(std::move(moved),
                                        result_axes.empty() ? from : through(from, result_axes));
}

std::shared_ptr<const Operation> DotGeneral::with_transpose(const Dims& perm) const {
    const Dims inverse = inverse_permutation(perm);  // axis a of the contraction's result goes to inverse[a]
    return std::make_shared<DotGeneral>(config,
                                        result_axes.empty() ? inverse : through(result_axes, inverse));
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
