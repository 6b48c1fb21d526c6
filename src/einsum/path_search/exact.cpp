// Dynamic programming over all subsets of the tensors. A subset's labels do not depend on the order in which
// it was contracted, so its best order consists of the best orders of two halves. Subsets that cost more than
// a known order of the whole are left out, which spares most of the work. Labels that occur in the same
// tensors always go together and are treated as one, which keeps label sets within a machine word in nearly
// all cases.
#include "einsum/path_search/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

using Subset = std::uint32_t;
using Word = std::uint64_t;

struct Best {
    double size = 1;
    double held = 1;  // elements that are alive because of this subset when it has been contracted
    double cost = 0;
    double tie = 0;
    Subset half = 0;
    int node = -1;
};

class SubsetSearch {
public:
    SubsetSearch(const Problem& problem, const Measure& measure, double bound)
        : measure_(measure),
          bound_(bound),
          count_(static_cast<int>(problem.tensors.size())),
          everything_((Subset{1} << count_) - 1),
          best_(everything_ + 1) {
        group_labels(problem);
        tabulate_products();
        find_subset_labels();
        for (int t = 0; t < count_; ++t) {
            Best& single = best_[Subset{1} << t];
            if (!problem.computed[index(t)]) single.held = 0;
            if (measure_.kind == Measure::Kind::Room) single.cost = single.held;
        }
    }

    ExactOrder run(const Clock* clock) {
        // A millisecond or two; orders of ten tensors take less.
        constexpr Subset kSplitsBetweenQuestions = 1 << 16;
        Subset splits = 0;
        // A subset's number exceeds those of its parts.
        for (Subset subset = 1; subset <= everything_; ++subset) {
            if (std::has_single_bit(subset)) continue;
            split(subset);
            splits += Subset{1} << (std::popcount(subset) - 1);
            if (splits < kSplitsBetweenQuestions) continue;
            splits = 0;
            if (clock != nullptr) (void)clock->expired();
        }
        const Best& whole = best_[everything_];
        if (whole.half == 0 && count_ > 1) return {{}, whole.cost};
        return {collect_merges(), whole.cost};
    }

private:
    /// Finds the classes of labels that occur in the same tensors, and their extents.
    void group_labels(const Problem& problem) {
        std::vector<Subset> owners(problem.uses.size(), 0);
        for (std::size_t t = 0; t < problem.tensors.size(); ++t)
            for (const LabelId label : problem.tensors[t]) owners[index(label)] |= Subset{1} << t;
        // The bit above the tensors stands for the result.
        for (std::size_t l = 0; l < owners.size(); ++l)
            if (problem.uses[l] > std::popcount(owners[l])) owners[l] |= everything_ + 1;
        class_owners_ = owners;
        std::sort(class_owners_.begin(), class_owners_.end());
        class_owners_.erase(std::unique(class_owners_.begin(), class_owners_.end()), class_owners_.end());
        class_extents_.assign(class_owners_.size(), 1.0);
        for (std::size_t l = 0; l < owners.size(); ++l) {
            const auto at = std::lower_bound(class_owners_.begin(), class_owners_.end(), owners[l]);
            class_extents_[static_cast<std::size_t>(at - class_owners_.begin())] *=
                std::exp2(problem.bits[l]);
        }
        words_ = class_owners_.size() / 64 + 1;
    }

    /// Which labels each subset keeps: those that one of its tensors has and a tensor outside or the result
    /// needs.
    void find_subset_labels() {
        std::vector<Word> touched(best_.size() * words_, 0), result(words_, 0);
        for (std::size_t c = 0; c < class_owners_.size(); ++c) {
            const Word bit = Word{1} << (c % 64);
            for (int t = 0; t < count_; ++t)
                if ((class_owners_[c] >> t & 1) != 0) touched[(Subset{1} << t) * words_ + c / 64] |= bit;
            if (class_owners_[c] > everything_) result[c / 64] |= bit;
        }
        for (Subset subset = 1; subset <= everything_; ++subset) {
            const Subset rest = subset & (subset - 1);
            for (std::size_t w = 0; w < words_; ++w)
                touched[subset * words_ + w] |=
                    touched[rest * words_ + w] | (rest == 0 ? 0 : touched[(subset ^ rest) * words_ + w]);
        }
        kept_.resize(touched.size());
        for (Subset subset = 1; subset <= everything_; ++subset) {
            for (std::size_t w = 0; w < words_; ++w)
                kept_[subset * words_ + w] =
                    touched[subset * words_ + w] & (result[w] | touched[(everything_ ^ subset) * words_ + w]);
            best_[subset].size = best_[subset].held = size(&kept_[subset * words_]);
        }
    }

    /// For each four classes the products of the extents of every choice of them.
    void tabulate_products() {
        nibble_products_.assign((class_extents_.size() + 3) / 4 * 16, 1.0);
        for (std::size_t i = 0; i < nibble_products_.size(); ++i) {
            if (i % 16 == 0) continue;
            const std::size_t c = i / 16 * 4 + static_cast<std::size_t>(std::countr_zero(i));
            const double extent = c < class_extents_.size() ? class_extents_[c] : 1.0;
            nibble_products_[i] = nibble_products_[i & (i - 1)] * extent;
        }
    }

    double size(const Word* labels) const {
        double elements = 1;
        for (std::size_t i = 0; i < nibble_products_.size(); i += 16)
            elements *= nibble_products_[i + (labels[i / 256] >> (i / 4 % 64) & 15)];
        return std::min(elements, kLargestSize);
    }

    double product(Word labels, std::size_t word) const {
        double extents = 1;
        for (; labels != 0; labels &= labels - 1)
            extents *= class_extents_[word * 64 + static_cast<std::size_t>(std::countr_zero(labels))];
        return extents;
    }

    /// Contraction of `half` with the rest of `subset`.
    MergeSizes sizes(Subset subset, Subset half) const {
        MergeSizes sizes{best_[half].size, best_[subset ^ half].size, best_[subset].size, best_[subset].size,
                         false};
        for (std::size_t w = 0; w < words_; ++w) {
            const Word involved = kept_[half * words_ + w] | kept_[(subset ^ half) * words_ + w];
            const Word summed = involved & ~kept_[subset * words_ + w];
            sizes.sums = sizes.sums || summed != 0;
            sizes.involved *= product(summed, w);
        }
        sizes.involved = std::min(sizes.involved, kLargestSize);
        return sizes;
    }

    /// Room for two contracted halves and their result, the half that needs more room beyond its result
    /// first.
    static double room(const Best& left, const Best& right, const Best& out) {
        const bool left_first = left.cost - left.held >= right.cost - right.held;
        const Best &first = left_first ? left : right, &second = left_first ? right : left;
        return std::max({first.cost, first.held + second.cost, left.held + right.held + out.held});
    }

    /// Cost of `subset` contracted last from `half` and the rest.
    double cost(Subset subset, Subset half, const MergeSizes& sizes) const {
        const Best &left = best_[half], &right = best_[subset ^ half];
        if (measure_.kind == Measure::Kind::Room) return room(left, right, best_[subset]);
        return left.cost + right.cost + measure_.of_merge(sizes);
    }

    void split(Subset subset) {
        Best& best = best_[subset];
        best.cost = best.tie = std::numeric_limits<double>::infinity();
        // No merge with this result costs less than the outer product of a tensor of its size with a scalar.
        if (measure_.of_merge({1, 1, best.size, best.size, false}) > bound_) return;
        double limit = bound_;
        // One half holds the lowest tensor, so that each split is seen once.
        const Subset lowest = subset & (~subset + 1), others = subset ^ lowest;
        for (Subset chosen = others; chosen != 0;) {
            chosen = (chosen - 1) & others;
            const Subset half = chosen | lowest;
            const Best &left = best_[half], &right = best_[subset ^ half];
            if (std::max(left.cost, right.cost) > limit) continue;
            const MergeSizes merge = sizes(subset, half);
            const double total = cost(subset, half, merge);
            if (total > limit) continue;
            // Of equal costs the one of fewest elements written, or of shortest time.
            const double tie =
                left.tie + right.tie +
                (measure_.kind == Measure::Kind::Room ? merge_seconds(merge, measure_.element) : best.size);
            if (best.half != 0 && total == limit && tie >= best.tie) continue;
            limit = total;
            best.cost = total;
            best.tie = tie;
            best.half = half;
        }
    }

    Merges collect_merges() {
        std::vector<Subset> inner, open{everything_};
        while (!open.empty()) {
            const Subset subset = open.back();
            open.pop_back();
            if (std::has_single_bit(subset)) {
                best_[subset].node = std::countr_zero(subset);
                continue;
            }
            inner.push_back(subset);
            open.push_back(best_[subset].half);
            open.push_back(subset ^ best_[subset].half);
        }
        Merges merges;
        for (auto subset = inner.rbegin(); subset != inner.rend(); ++subset) {
            Best& best = best_[*subset];
            best.node = count_ + static_cast<int>(merges.size());
            merges.emplace_back(best_[best.half].node, best_[*subset ^ best.half].node);
        }
        return merges;
    }

    Measure measure_;
    double bound_;
    int count_;
    Subset everything_;
    std::vector<Best> best_;
    std::vector<Subset> class_owners_;
    std::vector<double> class_extents_;
    std::vector<double> nibble_products_;
    std::size_t words_ = 1;
    std::vector<Word> kept_;
};

}  // namespace

ExactOrder exact_order(const Problem& problem, const Measure& measure, double bound, const Clock* clock) {
    return SubsetSearch(problem, measure, bound).run(clock);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
