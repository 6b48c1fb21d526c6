// Portfolio: islands first, then the best of them. An island is a start and a few descents from it, under one
// measure after the other; what an island finds is judged under all objectives. When two thirds of the
// budget are used up, descents go on from the best order known, in rounds of growing length.
//
// Without a deadline islands, rounds and their measures are the same whatever the objective is: it only picks
// from what was found, so that no objective can lose to another one in its own measure.
#include "einsum/path_search/portfolio.hpp"

#include <algorithm>
#include <array>

#include "einsum/path_search/candidate.hpp"
#include "einsum/path_search/descent.hpp"
#include "einsum/path_search/lanes.hpp"
#include "einsum/path_search/starts.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

using Kind = Measure::Kind;

/// Measures of descents in turn: without a deadline, and with one.
constexpr std::array kAll{Kind::Seconds, Kind::Flops, Kind::Seconds, Kind::Volume};
constexpr std::array kForSeconds{Kind::Seconds, Kind::Seconds, Kind::Flops};
constexpr std::array kForFlops{Kind::Flops, Kind::Flops, Kind::Seconds};
constexpr std::array kForVolume{Kind::Volume, Kind::Seconds, Kind::Volume, Kind::Flops};

/// Share of the budget for islands, and of one island beyond its first descent.
constexpr double kIslands = 0.65, kIsland = 0.08;
constexpr std::size_t kIslandsAtOnce = 2;
/// How many times a budget of work may be exceeded so that every measure has its turn.
constexpr double kExcess = 2;
/// Descents that start from one tree at once without a deadline: more in a row would gain more.
constexpr double kMostLanes = 4;
constexpr double kHot = 0.45;
/// A descent from an island's best order that leaves more of its cost gains nothing worth going on for.
constexpr double kGain = 0.999;

class Portfolio {
public:
    Portfolio(const Problem& problem, const Measure& measure, const PathOptions& options, const Clock& clock,
              double effort)
        : problem_(problem),
          measure_(measure),
          options_(options),
          clock_(clock),
          budget_(clock, problem.tensors.size(), effort),
          starts_(problem, of_kind(Kind::Seconds), options.greedy_attempts) {}

    Merges run(const Merges& known) {
        if (!known.empty())
            consider(judge(problem_, known, measure_));
        else
            explore();
        improve();
        return found_.best(measure_.kind).merges;
    }

private:
    Measure of_kind(Kind kind) const {
        Measure measure = measure_;
        measure.kind = kind;
        return measure;
    }
    Kind kind_of(std::size_t round) const {
        const auto turn = [&](const auto& kinds) { return kinds[round % kinds.size()]; };
        if (!budget_.by_clock()) return turn(kAll);
        return measure_.kind == Kind::Seconds ? turn(kForSeconds)
               : measure_.kind == Kind::Flops ? turn(kForFlops)
                                              : turn(kForVolume);
    }

    template <class Found>
    void consider(const Found& found) {
        found_.consider(found);
        const Candidate& best = found_.best(measure_.kind);
        clock_.found(best.seconds, best.flops, best.room * measure_.element.bytes);
    }

    double used() const { return budget_.used(found_.best(Kind::Seconds).seconds); }
    /// Estimated or true seconds of a share of the budget.
    double share(double part) const {
        return part / std::max(1 - used(), 1e-3) * budget_.left(found_.best(Kind::Seconds).seconds);
    }

    /// An order from nothing, and what it became.
    struct Island {
        Merges start;
        Incumbents found;
        double work = 0;
    };

    /// The first order is there whatever it takes.
    void explore() {
        Random random(options_.seed);
        std::vector<Merges> starts = starts_.one_of_each(budget_, random);
        for (const Merges& start : starts) consider(judge(problem_, start, measure_));
        std::size_t begun = 0;
        while (goes_on(begun)) {
            std::vector<Island> islands(at_once());
            for (std::size_t i = 0; i < islands.size(); ++i) {
                if (begun + i == starts.size()) starts.push_back(starts_.another(begun + i, budget_, random));
                islands[i].start = starts[begun + i];
            }
            const double room = share(kIsland);
            run_lanes(islands.size(), options_.threads,
                      [&](std::size_t lane) { settle(islands[lane], room, begun + lane); });
            begun += islands.size();
            for (const Island& island : islands) {
                consider(island.found);
                budget_.charge(island.work);
            }
        }
    }

    /// Whether another island is wanted: of a small budget each measure gets one, unless that takes far more.
    bool goes_on(std::size_t begun) const {
        if (budget_.expired()) return false;
        return used() < kIslands || (!budget_.by_clock() && begun < kAll.size() && used() < kExcess);
    }

    /// Descents until one gains nothing, or the island's share of work or time is used up.
    void settle(Island& island, double room, std::size_t number) const {
        const double begun = clock_.elapsed();
        island.found.consider(judge(problem_, island.start, measure_));
        for (std::size_t round = 0; round == 0 || (!budget_.expired() && island.work < room); ++round) {
            const Measure measure = of_kind(kind_of(number + round));
            Descent descent(problem_, measure, budget_, options_.seed + 1000 * (number + 1) + round);
            Merges from = round == 0 ? island.start : island.found.best(measure.kind).merges;
            from = descent.run(std::move(from), {.hottest = round == 0 ? kHot : kHot / 3});
            const Candidate made = judge(problem_, std::move(from), measure_);
            const double before = island.found.best(measure.kind).cost(measure.kind);
            island.found.consider(made);
            island.work = budget_.by_clock() ? clock_.elapsed() - begun : island.work + descent.work();
            if (!Descent::anneals(problem_) || made.cost(measure.kind) > kGain * before) break;
        }
    }

    /// Rounds of descents from the best order; those of a round may run at the same time.
    void improve() {
        Heat heat;
        double work = 0;  // of the costliest descent of the last round
        std::size_t number = 0;
        for (std::size_t round = 0; used() < 1 && (Descent::anneals(problem_) || round == 0); ++round) {
            const Measure measure = of_kind(kind_of(round));
            std::vector<Candidate> made(width(work));
            std::vector<double> works(made.size());
            run_lanes(made.size(), options_.threads, [&](std::size_t lane) {
                const std::size_t descent_number = number + lane;
                Descent descent(problem_, measure, budget_, options_.seed + descent_number + 1);
                const Heat own{heat.sweeps, descent_number % 3 == 0 ? kHot : kHot / 3};
                made[lane] = judge(problem_, descent.run(found_.best(measure.kind).merges, own), measure_);
                works[lane] = descent.work();
            });
            for (std::size_t lane = 0; lane < made.size(); ++lane) {
                consider(made[lane]);
                budget_.charge(works[lane]);
            }
            number += made.size();
            work = *std::max_element(works.begin(), works.end());
            heat.sweeps += heat.sweeps / 4;
        }
    }

    /// Islands at once. Not the number of threads, on which a tree must not depend unless the clock decides.
    std::size_t at_once() const {
        return budget_.by_clock() ? static_cast<std::size_t>(std::max(options_.threads, 1)) : kIslandsAtOnce;
    }

    /// Descents at once: as many as the budget has work for.
    std::size_t width(double work) const {
        if (budget_.by_clock()) return at_once();
        if (work <= 0) return 1;
        const double room = budget_.left(found_.best(Kind::Seconds).seconds) / work;
        return static_cast<std::size_t>(std::clamp(room, 1.0, kMostLanes));
    }

    const Problem& problem_;
    Measure measure_;
    const PathOptions& options_;
    const Clock& clock_;
    Budget budget_;
    Starts starts_;
    Incumbents found_;
};

}  // namespace

Merges search_order(const Problem& problem, const Measure& measure, const PathOptions& options,
                    const Clock& clock, const Beginning& beginning) {
    return Portfolio(problem, measure, options, clock, beginning.effort).run(beginning.known);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
