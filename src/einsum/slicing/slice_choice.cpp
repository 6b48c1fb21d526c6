// A tree and its slices: several trees are sliced, and the best of them improved, the better half for half of
// the time, then the better half of these, and so on. All of this ends with one clock.
#include <algorithm>
#include <cmath>
#include <utility>

#include "einsum/path_search/find_tree.hpp"
#include "einsum/path_search/lanes.hpp"
#include "einsum/slicing/slice_search.hpp"
#include "einsum/tree_cost.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Trees that are sliced, found to be good within the limit, for their memory, and as a whole: which is the
/// best one in slices is seen afterwards.
constexpr std::size_t kTrees = 3;
/// Shares of the time: for the tree that may fit as it is, of the rest for all trees and their first slices,
/// and of what one of them gets for the tree.
constexpr double kWhole = 0.15, kFirstSlices = 0.5, kTree = 0.4;

/// What counts slices has 63 bits; as a power of two.
constexpr int kMostSlices = 62;

/// With the number of slices that the limit has room for.
SlicedTree complete(SlicedTree found, const Network& network, const PathOptions& options) {
    if (const double slices = std::log2(found.cost.slices); slices > kMostSlices)
        throw Error(
            ErrorKind::Unsupported, "einsum",
            text("the memory limit of ", options.memory_limit_bytes, " bytes takes 2^",
                 static_cast<int>(std::ceil(slices)), " slices but there may be at most 2^", kMostSlices));
    const double bytes = TreeCost(network, found.tree, options.dtype).slice_bytes(found.labels);
    const double left = static_cast<double>(options.memory_limit_bytes) - found.cost.peak_bytes;
    if (bytes > 0) found.concurrent += static_cast<Index>(left / bytes);
    return found;
}

[[noreturn]] void throw_beyond_limit(const PathOptions& options, double lowest) {
    throw Error(
        ErrorKind::Unsupported, "einsum",
        text("the memory limit is ", options.memory_limit_bytes, " bytes but the lowest peak found is ",
             static_cast<std::int64_t>(std::min(lowest, 9e18)), " bytes"));
}

/// The trees that are sliced side by side, the best first.
class Contest {
public:
    Contest(const Network& network, const PathOptions& options, const Clock& clock)
        : network_(network),
          options_(options),
          clock_(clock),
          at_once_(clock.has_deadline() ? static_cast<std::size_t>(std::max(options.threads, 1)) : 1) {}

    /// `first` is the one that was found to be good within the limit.
    SlicedTree run(ContractionTree first) {
        const Clock clock = clock_.part(kFirstSlices);
        for (std::size_t number = 0; number < kTrees; ++number) {
            if (!entries_.empty() && clock.expired()) break;
            const Clock turn = clock.part(1 / static_cast<double>(kTrees - number));
            enter(number, number == 0 ? std::move(first) : another(number, turn.part(kTree)), turn);
        }
        if (entries_.empty()) throw_beyond_limit(options_, lowest_);
        do {
            const Clock level = clock_.part(1 / static_cast<double>(levels()));
            entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(survivors(entries_.size())),
                           entries_.end());
            improve(level);
        } while (survivors(entries_.size()) < entries_.size());
        return std::move(entries_.front().sliced);
    }

private:
    struct Entry {
        SliceSearch search;
        SlicedTree sliced;
    };

    ContractionTree another(std::size_t number, const Clock& clock) const {
        PathOptions options = options_;
        if (number == 1) options.objective = PathObjective::Memory;
        if (number == 2) options.memory_limit_bytes = 0;
        return find_tree(network_, options, clock.of_part());
    }

    void enter(std::size_t number, ContractionTree tree, const Clock& clock) {
        SliceSearch search(network_, options_, number);
        std::optional<SlicedTree> sliced = search.slice(std::move(tree), clock);
        lowest_ = std::min(lowest_, search.lowest());
        if (!sliced) return;
        entries_.push_back({std::move(search), std::move(*sliced)});
        rank();
    }

    /// As many as threads may run to the end: the others would have nothing to do.
    std::size_t survivors(std::size_t count) const {
        return std::max((count + 1) / 2, std::min(count, at_once_));
    }
    std::size_t levels() const {
        std::size_t levels = 1;
        for (std::size_t count = survivors(entries_.size()); survivors(count) < count;
             count = survivors(count))
            ++levels;
        return levels;
    }

    void improve(const Clock& clock) {
        const std::size_t count = entries_.size();
        for (std::size_t first = 0; first < count; first += at_once_) {
            const std::size_t lanes = std::min(at_once_, count - first);
            const Clock turn = clock.part(static_cast<double>(lanes) / static_cast<double>(count - first));
            const Clock own = count == 1 ? turn : turn.of_part();
            run_lanes(lanes, options_.threads, [&](std::size_t lane) {
                Entry& entry = entries_[first + lane];
                entry.search.improve_in_rounds(entry.sliced, own);
            });
        }
        rank();
    }

    void rank() {
        std::stable_sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
            return work(a.sliced.cost, options_) < work(b.sliced.cost, options_);
        });
        const ContractionCost& best = entries_.front().sliced.cost;
        clock_.found(best.seconds, best.flops, best.peak_bytes, best.slices);
    }

    const Network& network_;
    const PathOptions& options_;
    const Clock& clock_;
    std::size_t at_once_;
    std::vector<Entry> entries_;
    double lowest_ = std::numeric_limits<double>::infinity();
};

/// One that fits as it is, or a better one that does.
SlicedTree improved(SlicedTree fitting, const Network& network, const PathOptions& options,
                    const Clock& clock) {
    const auto tell = [&](const ContractionCost& cost) {
        clock.found(cost.seconds, cost.flops, cost.peak_bytes, cost.slices);
    };
    tell(fitting.cost);
    SlicedTree better =
        whole(network, improve_tree(network, fitting.tree, options, clock.of_part()), options.dtype);
    if (!fits(better.cost, options)) return fitting;
    tell(better.cost);
    return better;
}

}  // namespace

SlicedTree find_sliced_tree(const Network& network, const PathOptions& options, const Clock& clock) {
    if (options.memory_limit_bytes == 0)
        return whole(network, find_tree(network, options, clock), options.dtype);
    SlicedTree first =
        whole(network, find_tree(network, options, clock.part(kWhole).of_part()), options.dtype);
    if (fits(first.cost, options)) return improved(std::move(first), network, options, clock);
    return complete(Contest(network, options, clock).run(std::move(first.tree)), network, options);
}

SlicedTree sliced_tree(const Network& network, ContractionTree tree, const PathOptions& options) {
    SlicedTree as_it_is = whole(network, std::move(tree), options.dtype);
    if (options.memory_limit_bytes == 0 || fits(as_it_is.cost, options)) return as_it_is;
    SliceSearch search(network, options);
    std::optional<SlicedTree> sliced = search.slice_only(std::move(as_it_is.tree));
    if (!sliced) throw_beyond_limit(options, search.lowest());
    return complete(std::move(*sliced), network, options);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
