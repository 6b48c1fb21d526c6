// Judging replays the merges.
#include "einsum/path_search/candidate.hpp"

#include <algorithm>
#include <utility>

#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

bool Candidate::better_than(const Candidate& other, const Measure& measure) const {
    constexpr double kEqual = 1e-3;
    if (measure.kind == Measure::Kind::Volume)
        return room < other.room || (room == other.room && cost < other.cost);
    if (cost < other.cost * (1 - kEqual)) return true;
    return cost < other.cost * (1 + kEqual) && room < other.room;
}

Candidate judge(const Problem& problem, Merges merges, const Measure& measure) {
    ContractionState state(problem, measure), timed(problem, {Measure::Kind::Seconds, measure.element_bytes});
    // Elements alive when a node is finished, and at most until then.
    std::vector<double> held, room;
    for (std::size_t t = 0; t < problem.tensors.size(); ++t)
        held.push_back(problem.computed[t] ? size_of_bits(state.bits(static_cast<int>(t))) : 0);
    room = held;
    for (const auto& [left, right] : merges) {
        held.push_back(size_of_bits(state.bits(state.merge(left, right))));
        timed.merge(left, right);
        const bool left_first =
            room[index(left)] - held[index(left)] >= room[index(right)] - held[index(right)];
        const std::size_t first = index(left_first ? left : right), second = index(left_first ? right : left);
        room.push_back(
            std::max({room[first], held[first] + room[second], held[first] + held[second] + held.back()}));
    }
    return {std::move(merges), state.cost(), timed.cost(), room.back()};
}

}}}  // namespace tenferro::TENFERRO_ABI::einsum
