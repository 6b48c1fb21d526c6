// Checks of a DotGeneralConfig against two shapes.
#include "tenferro/tensor/dot_general.hpp"

#include <algorithm>
#include <cstdint>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor_core/axis_marks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

constexpr std::string_view kOp = "dot_general";

/// One operand of the message texts, which are put together only when there is something to say.
struct Operand {
    std::string_view contracting, batch, name;
};
constexpr Operand kLhs{"lhs contracting", "lhs batch", "lhs"}, kRhs{"rhs contracting", "rhs batch", "rhs"};

void check_operand(std::span<const Index> contract, std::span<const Index> batch, std::size_t rank,
                   const Operand& operand) {
    check_axes(contract, rank, kOp, operand.contracting);
    check_axes(batch, rank, kOp, operand.batch);
    AxisMarks contracted(rank);
    for (const Index axis : contract) static_cast<void>(contracted.mark(axis));
    for (const Index axis : batch)
        if (!contracted.mark(axis))
            throw Error(ErrorKind::AxisRoleConflict, kOp,
                        text(operand.name, " axis ", axis, " is both a contracting and a batch axis"));
}

void check_pairs(std::span<const Index> lhs, std::span<const Index> lhs_axes, std::span<const Index> rhs,
                 std::span<const Index> rhs_axes, std::string_view role) {
    for (std::size_t i = 0; i < lhs_axes.size(); ++i)
        if (lhs[lhs_axes[i]] != rhs[rhs_axes[i]])
            throw Error(ErrorKind::ShapeMismatch, kOp,
                        text(role, " lhs axis ", lhs_axes[i], " has extent ", lhs[lhs_axes[i]],
                             " but rhs axis ", rhs_axes[i], " has extent ", rhs[rhs_axes[i]]));
}

/// The shape for axes that do not fit, of which it throws the error, or are too many for bits.
[[gnu::noinline]] Dims checked_shape(std::span<const Index> lhs, std::span<const Index> rhs,
                                     const DotGeneralConfig& config) {
    if (config.lhs_contract.size() != config.rhs_contract.size())
        throw Error(ErrorKind::InvalidConfig, kOp,
                    text("lhs has ", config.lhs_contract.size(), " contracting axes but rhs has ",
                         config.rhs_contract.size()));
    if (config.lhs_batch.size() != config.rhs_batch.size())
        throw Error(
            ErrorKind::InvalidConfig, kOp,
            text("lhs has ", config.lhs_batch.size(), " batch axes but rhs has ", config.rhs_batch.size()));
    check_operand(config.lhs_contract, config.lhs_batch, lhs.size(), kLhs);
    check_operand(config.rhs_contract, config.rhs_batch, rhs.size(), kRhs);
    check_pairs(lhs, config.lhs_contract, rhs, config.rhs_contract, "contracting");
    check_pairs(lhs, config.lhs_batch, rhs, config.rhs_batch, "batch");
    Dims shape;
    for (const Index axis : free_axes(lhs.size(), config.lhs_contract, config.lhs_batch))
        shape.push_back(lhs[axis]);
    for (const Index axis : free_axes(rhs.size(), config.rhs_contract, config.rhs_batch))
        shape.push_back(rhs[axis]);
    for (const Index axis : config.lhs_batch) shape.push_back(lhs[axis]);
    return shape;
}

/// The axes of both operands that a configuration lists, as bits.
struct ListedAxes {
    std::uint64_t lhs = 0, rhs = 0;

    /// Adds pairs of axes; false where they do not fit the shapes or one is listed twice.
    bool add(std::span<const Index> lhs_shape, std::span<const Index> lhs_axes,
             std::span<const Index> rhs_shape, std::span<const Index> rhs_axes) noexcept {
        if (lhs_axes.size() != rhs_axes.size()) return false;
        for (std::size_t i = 0; i < lhs_axes.size(); ++i) {
            const auto l = static_cast<std::size_t>(lhs_axes[i]), r = static_cast<std::size_t>(rhs_axes[i]);
            if (l >= lhs_shape.size() || r >= rhs_shape.size() || lhs_shape[l] != rhs_shape[r]) return false;
            const std::uint64_t lhs_bit = std::uint64_t{1} << l, rhs_bit = std::uint64_t{1} << r;
            if (((lhs & lhs_bit) | (rhs & rhs_bit)) != 0) return false;
            lhs |= lhs_bit;
            rhs |= rhs_bit;
        }
        return true;
    }
};

}  // namespace

Dims free_axes(std::size_t rank, std::span<const Index> contract, std::span<const Index> batch) {
    AxisMarks used(rank);
    for (const std::span<const Index> list : {contract, batch})
        for (const Index axis : list) static_cast<void>(used.mark(axis));
    Dims axes;
    for (Index axis = 0; axis < static_cast<Index>(rank); ++axis)
        if (used.mark(axis)) axes.push_back(axis);
    return axes;
}

Dims dot_general_shape(std::span<const Index> lhs, std::span<const Index> rhs,
                       const DotGeneralConfig& config) {
    constexpr std::size_t kBits = 64;
    ListedAxes listed;
    if (lhs.size() > kBits || rhs.size() > kBits ||
        !listed.add(lhs, config.lhs_contract, rhs, config.rhs_contract) ||
        !listed.add(lhs, config.lhs_batch, rhs, config.rhs_batch))
        return checked_shape(lhs, rhs, config);
    Dims shape;
    for (std::size_t axis = 0; axis < lhs.size(); ++axis)
        if ((listed.lhs >> axis & 1) == 0) shape.push_back(lhs[axis]);
    for (std::size_t axis = 0; axis < rhs.size(); ++axis)
        if ((listed.rhs >> axis & 1) == 0) shape.push_back(rhs[axis]);
    for (const Index axis : config.lhs_batch) shape.push_back(lhs[axis]);
    return shape;
}

}}  // namespace tenferro::TENFERRO_ABI
