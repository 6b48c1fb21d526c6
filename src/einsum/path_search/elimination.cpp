// Variable elimination as in graphical models (bucket elimination, Dechter 1999). Contracting pair by pair is
// short-sighted there: merging two of the many tensors that share a label only grows them, and pays off when
// the last one is merged.
#include "einsum/path_search/elimination.hpp"

#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

struct Elimination {
    double score;
    LabelId label;
    int version;

    friend bool operator<(const Elimination& x, const Elimination& y) {
        return std::tie(x.score, x.label, x.version) > std::tie(y.score, y.label, y.version);
    }
};

class EliminationRun {
public:
    EliminationRun(ContractionState& state, double temperature, Random& random)
        : state_(state),
          temperature_(temperature),
          random_(random),
          version_(state.label_count(), 0),
          seen_(state.label_count(), -1) {}

    void run() {
        for (std::size_t label = 0; label < version_.size(); ++label) push(static_cast<LabelId>(label));
        while (!queue_.empty()) {
            const Elimination next = queue_.top();
            queue_.pop();
            // Other labels may have vanished along with an earlier one.
            if (next.version != version_[index(next.label)] || state_.owners(next.label).size() < 2) continue;
            // Only the sizes around the new tensor have changed.
            for (const LabelId label : state_.labels(contract_owners(next.label))) push(label);
        }
    }

private:
    void push(LabelId label) {
        ++version_[index(label)];
        if (state_.in_result(label) || state_.owners(label).size() < 2) return;
        double bits = -state_.label_bits(label);
        ++round_;
        for (const int owner : state_.owners(label)) {
            for (const LabelId other : state_.labels(owner))
                if (std::exchange(seen_[index(other)], round_) != round_) bits += state_.label_bits(other);
        }
        const double noise = temperature_ > 0 ? temperature_ * random_.gumbel() : 0;
        queue_.push({bits - noise, label, version_[index(label)]});
    }

    /// Merges the owners of a label, the two smallest first.
    int contract_owners(LabelId label) {
        using Sized = std::pair<double, int>;
        std::priority_queue<Sized, std::vector<Sized>, std::greater<>> bucket;
        for (const int owner : state_.owners(label)) bucket.emplace(state_.bits(owner), owner);
        for (;;) {
            const int a = bucket.top().second;
            bucket.pop();
            const int b = bucket.top().second;
            bucket.pop();
            const int merged = state_.merge(a, b);
            if (bucket.empty()) return merged;
            bucket.emplace(state_.bits(merged), merged);
        }
    }

    ContractionState& state_;
    double temperature_;
    Random& random_;
    std::priority_queue<Elimination> queue_;
    std::vector<int> version_;
    std::vector<int> seen_;
    int round_ = 0;
};

}  // namespace

void eliminate_labels(ContractionState& state, double temperature, Random& random) {
    EliminationRun(state, temperature, random).run();
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
