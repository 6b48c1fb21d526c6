// ContractionState: a network in the course of being contracted. Keeps labels, sizes and neighbours of the
// live tensors up to date; the searches decide what to contract next.
#pragma once

#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// log2(2^a + 2^b): greedy scores are logarithms because the sizes of bad orders overflow a double.
[[nodiscard]] double add_bits(double a, double b);

/// A pair of nodes seen before its contraction; all sizes as log2 of element counts.
struct MergeEstimate {
    double out_bits = 0;
    double involved_bits = 0;
    bool sums = false;
};

/// 2^bits, at most kLargestSize.
[[nodiscard]] double size_of_bits(double bits);

/// Who has a label: a list through all owners, in the order in which they were made, from which one is taken
/// without a search however many there are.
class OwnerList {
public:
    struct Link {
        int node, previous, next;  ///< previous and next are numbers of links, -1 at the ends
    };
    class Iterator {
    public:
        Iterator(const std::vector<Link>& links, int at) : links_(&links), at_(at) {}
        int operator*() const { return (*links_)[index(at_)].node; }
        Iterator& operator++() {
            at_ = (*links_)[index(at_)].next;
            return *this;
        }
        friend bool operator!=(const Iterator& x, const Iterator& y) { return x.at_ != y.at_; }

    private:
        const std::vector<Link>* links_;
        int at_;
    };

    OwnerList(const std::vector<Link>& links, int first, std::size_t size)
        : links_(links), first_(first), size_(size) {}
    [[nodiscard]] Iterator begin() const { return {links_, first_}; }
    [[nodiscard]] Iterator end() const { return {links_, -1}; }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    const std::vector<Link>& links_;
    int first_;
    std::size_t size_;
};

class ContractionState {
public:
    ContractionState(const Problem& problem, const Measure& measure);

    /// Contracts two live nodes; returns the new node.
    int merge(int a, int b);
    [[nodiscard]] MergeEstimate estimate(int a, int b) const;
    [[nodiscard]] MergeSizes sizes(int a, int b) const { return sizes(a, b, estimate(a, b)); }

    [[nodiscard]] bool live(int node) const { return live_[index(node)]; }
    [[nodiscard]] int node_count() const { return static_cast<int>(live_.size()); }
    /// Labels of a node, live or not, ascending.
    [[nodiscard]] const LabelIds& labels(int node) const { return labels_[index(node)]; }
    [[nodiscard]] double bits(int node) const { return bits_[index(node)]; }
    /// Live nodes that have a label.
    [[nodiscard]] OwnerList owners(LabelId label) const {
        return {links_, ends_[index(label)].first, ends_[index(label)].count};
    }
    /// Calls f(owner) for at most `most` of the live nodes made before `node`, which is live, that have its
    /// label number `place`, the newest first.
    template <class F>
    void each_older_owner(int node, std::size_t place, std::size_t most, const F& f) const {
        int at = links_[first_link_[index(node)] + place].previous;
        for (; at >= 0 && most != 0; at = links_[index(at)].previous, --most) f(links_[index(at)].node);
    }
    [[nodiscard]] std::size_t label_count() const { return ends_.size(); }
    /// Labels of all nodes so far, together: what the bookkeeping has cost.
    [[nodiscard]] std::size_t labels_listed() const { return links_.size(); }
    [[nodiscard]] double label_bits(LabelId label) const { return problem_->bits[index(label)]; }
    /// Whether the result of the whole contraction keeps a label.
    [[nodiscard]] bool in_result(LabelId label) const {
        return uses_[index(label)] > static_cast<int>(ends_[index(label)].count);
    }
    [[nodiscard]] const Merges& merges() const { return merges_; }
    /// Sum of the measure over the merges so far.
    [[nodiscard]] double cost() const { return cost_; }

private:
    /// The list of a label's owners.
    struct Ends {
        int first = -1, last = -1;
        std::size_t count = 0;
    };

    [[nodiscard]] MergeSizes sizes(int a, int b, const MergeEstimate& made) const;
    void link(int node);
    void unlink(int node);

    const Problem* problem_;
    std::vector<LabelIds> labels_;
    std::vector<double> bits_;
    std::vector<bool> live_;
    std::vector<OwnerList::Link> links_;   ///< those of a node's labels lie side by side
    std::vector<std::size_t> first_link_;  ///< by node
    std::vector<Ends> ends_;               ///< by label
    std::vector<int> uses_;
    Merges merges_;
    Measure measure_;
    double cost_ = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
