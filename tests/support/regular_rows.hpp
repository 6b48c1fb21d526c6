// What tests pass for the parameters of the regular rows of op_table.hpp: a value for each kind, drawn so
// that a call on operands of one shape is legal. A new kind of parameter is a struct and an overload here.
#pragma once

#include <algorithm>
#include <functional>
#include <set>

#include "tenferro/tensor/operation_methods.hpp"

namespace tenferro::test {

/// The kinds, with what a legal value needs: axes of the operand and of the result that no other parameter
/// has, and a rank of the operand.
namespace kinds {
struct Needs {
    std::size_t axes = 0, result_axes = 0, rank = 0;
};
struct Axis {
    static constexpr Needs kNeeds{.axes = 1};
};
struct Axes {
    static constexpr Needs kNeeds{};
};
struct ResultAxis {
    static constexpr Needs kNeeds{.result_axes = 1};
};
struct Integer {
    static constexpr Needs kNeeds{};
};
struct Diagonal {
    static constexpr Needs kNeeds{.rank = 2};
};
struct Flag {
    static constexpr Needs kNeeds{};
};
}  // namespace kinds

/// The least rank of an operand for which there are legal values of all parameters.
constexpr std::size_t least_rank(std::initializer_list<kinds::Needs> parameters) {
    kinds::Needs sum;
    for (const kinds::Needs& needs : parameters)
        sum = {sum.axes + needs.axes, sum.result_axes + needs.result_axes, std::max(sum.rank, needs.rank)};
    return std::max({sum.axes, sum.result_axes > 0 ? sum.result_axes - 1 : 0, sum.rank});
}

/// Draws the parameters of one call on operands of a rank. Axes are different ones.
class RegularParameters {
public:
    /// An integer in [low, high]; one that is not makes the call illegal.
    using Draw = std::function<Index(Index low, Index high)>;

    /// Unless `distinct`, axes may repeat.
    RegularParameters(std::size_t rank, Draw draw, bool distinct = true)
        : rank_(static_cast<Index>(rank)), draw_(std::move(draw)), distinct_(distinct) {}

    Index operator()(kinds::Axis) { return another(rank_); }
    Dims operator()(kinds::Axes) {
        Dims axes;
        for (Index count = draw_(0, rank_); count > 0; --count) axes.push_back(another(rank_));
        return axes;
    }
    Index operator()(kinds::ResultAxis) { return another(rank_ + 1); }
    Index operator()(kinds::Integer) { return draw_(-7, 7); }
    Index operator()(kinds::Diagonal) { return draw_(-5, 5); }
    bool operator()(kinds::Flag) { return draw_(0, 1) != 0; }

private:
    /// An axis below `count` that was not drawn before.
    Index another(Index count) {
        Index axis = draw_(0, std::max<Index>(count - static_cast<Index>(taken_.size()), 1) - 1);
        for (const Index other : taken_)
            if (axis >= other) ++axis;
        if (distinct_) taken_.insert(axis);
        return axis;
    }

    Index rank_;
    Draw draw_;
    bool distinct_;
    std::set<Index> taken_;
};

}  // namespace tenferro::test

// In macros on rows: a constant for each parameter, of its name, from RegularParameters called `drawn`; and
// the least rank of operands, from the parameters of the row.
#define TENFERRO_DRAWN_OF(Kind, name) const auto name = drawn(::tenferro::test::kinds::Kind());
#define TENFERRO_DRAWN(parameter) TENFERRO_DRAWN_OF parameter
#define TENFERRO_NEEDS_OF(Kind, name) ::tenferro::test::kinds::Kind::kNeeds
#define TENFERRO_NEEDS(parameter) TENFERRO_NEEDS_OF parameter
#define TENFERRO_LEAST_RANK(parameters) \
    ::tenferro::test::least_rank({TENFERRO_EACH(TENFERRO_NEEDS, parameters)})
