// Judging replays the merges.
#include "einsum/path_search/candidate.hpp"

#include <algorithm>
#include <utility>

#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

double Candidate::cost(Measure::Kind kind) const {
    return kind == Measure::Kind::Seconds ? seconds : kind == Measure::Kind::Flops ? flops : room;
}

Candidate judge(const Problem& problem, Merges merges, const Measure& measure) {
    Measure seconds = measure, flops = measure;
    seconds.kind = Measure::Kind::Seconds;
    flops.kind = Measure::Kind::Flops;
    ContractionState state(problem, seconds);
    Candidate judged;
    // Elements alive when a node is finished, and at most until then.
    std::vector<double> held, room;
    for (std::size_t t = 0; t < problem.tensors.size(); ++t)
        held.push_back(problem.computed[t] ? size_of_bits(state.bits(static_cast<int>(t))) : 0);
    room = held;
    for (const auto& [left, right] : merges) {
        judged.flops += flops.of_merge(state.sizes(left, right));
        held.push_back(size_of_bits(state.bits(state.merge(left, right))));
        const bool left_first =
            room[index(left)] - held[index(left)] >= room[index(right)] - held[index(right)];
        const std::size_t first = index(left_first ? left : right), second = index(left_first ? right : left);
        room.push_back(
            std::max({room[first], held[first] + room[second], held[first] + held[second] + held.back()}));
    }
    judged.merges = std::move(merges);
    judged.seconds = state.cost();
    judged.room = room.back();
    return judged;
}

void Incumbents::consider(const Candidate& candidate) {
    const auto tie = [](const Candidate& c) { return std::pair(c.room, c.seconds); };
    for (const auto kind : {Measure::Kind::Seconds, Measure::Kind::Flops, Measure::Kind::Volume}) {
        const double slack = kind == Measure::Kind::Volume ? 0 : 1e-3;
        Best& best = best_[static_cast<std::size_t>(kind)];
        best.least = std::min(best.least, candidate.cost(kind));
        const auto good = [&](const Candidate& c) {
            return !c.merges.empty() && c.cost(kind) <= best.least * (1 + slack);
        };
        if (good(candidate) && (!good(best.candidate) || tie(candidate) < tie(best.candidate)))
            best.candidate = candidate;
    }
}

void Incumbents::consider(const Incumbents& others) {
    for (const Best& best : others.best_) consider(best.candidate);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
