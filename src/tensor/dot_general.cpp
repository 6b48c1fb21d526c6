// Checks of a DotGeneralConfig against two shapes.
#include "tenferro/tensor/dot_general.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::inline TENFERRO_ABI {

namespace {

constexpr std::string_view kOp = "dot_general";

bool contains(std::span<const Index> axes, Index axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }

/// One operand of the message texts, which are put together only when there is something to say.
struct Operand {
    std::string_view contracting, batch, name;
};
constexpr Operand kLhs{"lhs contracting", "lhs batch", "lhs"}, kRhs{"rhs contracting", "rhs batch", "rhs"};

void check_operand(std::span<const Index> contract, std::span<const Index> batch, std::size_t rank, const Operand& operand) {
    check_axes(contract, rank, kOp, operand.contracting);
    check_axes(batch, rank, kOp, operand.batch);
    for (const Index axis : batch)
        if (contains(contract, axis))
            throw Error(ErrorKind::AxisRoleConflict, kOp,
                        text(operand.name, " axis ", axis, " is both a contracting and a batch axis"));
}

void check_pairs(std::span<const Index> lhs, std::span<const Index> lhs_axes, std::span<const Index> rhs,
                 std::span<const Index> rhs_axes, std::string_view role) {
    for (std::size_t i = 0; i < lhs_axes.size(); ++i)
        if (lhs[lhs_axes[i]] != rhs[rhs_axes[i]])
            throw Error(ErrorKind::ShapeMismatch, kOp,
                        text(role, " lhs axis ", lhs_axes[i], " has extent ", lhs[lhs_axes[i]], " but rhs axis ", rhs_axes[i],
                             " has extent ", rhs[rhs_axes[i]]));
}

/// The axes in two lists as bits; nothing when an axis is out of range or listed twice, or there are too many axes for bits.
std::optional<std::uint64_t> axis_bits(std::size_t rank, const Dims& contract, const Dims& batch) noexcept {
    if (rank > 64) return std::nullopt;
    std::uint64_t bits = 0;
    for (const Dims* axes : {&contract, &batch})
        for (const Index axis : *axes) {
            if (static_cast<std::uint64_t>(axis) >= rank || (bits >> axis & 1) != 0) return std::nullopt;
            bits |= std::uint64_t{1} << axis;
        }
    return bits;
}

void append_free(std::span<const Index> extents, const Dims& contract, const Dims& batch, std::optional<std::uint64_t> used,
                 Dims& shape) {
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        const auto number = static_cast<Index>(axis);
        const bool free = used ? (*used >> axis & 1) == 0 : !contains(contract, number) && !contains(batch, number);
        if (free) shape.push_back(extents[axis]);
    }
}

}  // namespace

Dims free_axes(std::size_t rank, std::span<const Index> contract, std::span<const Index> batch) {
    Dims axes;
    for (Index axis = 0; axis < static_cast<Index>(rank); ++axis)
        if (!contains(contract, axis) && !contains(batch, axis)) axes.push_back(axis);
    return axes;
}

Dims dot_general_shape(std::span<const Index> lhs, std::span<const Index> rhs, const DotGeneralConfig& config) {
    if (config.lhs_contract.size() != config.rhs_contract.size())
        throw Error(ErrorKind::InvalidConfig, kOp,
                    text("lhs has ", config.lhs_contract.size(), " contracting axes but rhs has ", config.rhs_contract.size()));
    if (config.lhs_batch.size() != config.rhs_batch.size())
        throw Error(ErrorKind::InvalidConfig, kOp,
                    text("lhs has ", config.lhs_batch.size(), " batch axes but rhs has ", config.rhs_batch.size()));
    const auto lhs_used = axis_bits(lhs.size(), config.lhs_contract, config.lhs_batch);
    const auto rhs_used = axis_bits(rhs.size(), config.rhs_contract, config.rhs_batch);
    if (!lhs_used) check_operand(config.lhs_contract, config.lhs_batch, lhs.size(), kLhs);
    if (!rhs_used) check_operand(config.rhs_contract, config.rhs_batch, rhs.size(), kRhs);
    check_pairs(lhs, config.lhs_contract, rhs, config.rhs_contract, "contracting");
    check_pairs(lhs, config.lhs_batch, rhs, config.rhs_batch, "batch");
    Dims shape;
    append_free(lhs, config.lhs_contract, config.lhs_batch, lhs_used, shape);
    append_free(rhs, config.rhs_contract, config.rhs_batch, rhs_used, shape);
    for (const Index axis : config.lhs_batch) shape.push_back(lhs[axis]);
    return shape;
}

}  // namespace tenferro::inline TENFERRO_ABI
