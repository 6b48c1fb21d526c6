// Offsets in the workspace: one tensor after the other, the largest first, goes to the tightest gap that
// those alive at the same time leave. On the networks of the benchmarks this needs exactly the bytes that are
// alive at once.
#include "einsum/memory_plan.hpp"

#include <algorithm>
#include <limits>

#include "einsum/extents.hpp"
#include "tenferro/einsum/rearrange.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Tensors begin at multiples of this many elements, so that cache lines have one owner.
constexpr Index kGranule = 32;
/// The planning time grows with the square of the number of tensors: only the largest are planned, the others
/// own their memory.
constexpr std::size_t kMostPlanned = 2048;
/// A result of at least that many elements, and of more than this share of the rest, is made in the
/// workspace, which shrinks to it at the end; any other is separate, so that a small result does not hold on
/// to much memory.
constexpr Index kLeastKept = Index{1} << 21;
constexpr Index kLeastKeptShare = 16;

/// Nobody has that much memory, and as many offsets as are planned do not overflow with it.
constexpr Index kMostElements = Index{1} << 50;

/// Elements of a tensor rounded up to granules; more than kMostElements where there are more.
Index room(const Dims& extents) {
    double elements = 1;
    for (const Index extent : extents) elements *= static_cast<double>(extent);
    if (!(elements <= static_cast<double>(kMostElements)))
        return kMostElements + 1;  // nor is an overflow times zero
    return (static_cast<Index>(elements) + kGranule - 1) / kGranule * kGranule;
}

/// A tensor that a step makes.
struct Made {
    std::size_t step;
    Index elements;
    std::size_t first, last;  ///< steps during which it is needed
    Index offset = -1;

    [[nodiscard]] Index end() const { return offset + elements; }
    [[nodiscard]] bool meets(const Made& other) const { return first <= other.last && other.first <= last; }
};

/// Sizes of what a Rearrange step makes: a value of rearrange.hpp that only counts.
struct Sizes {
    Dims extents;                      ///< of the axes
    const std::vector<Index>& labels;  ///< extents of all labels
    std::vector<Index> made = {};
    bool ends_with_view = true;

    void extract_diagonal(Index, Index second) { extents.erase(static_cast<std::size_t>(second)); }
    void sum(const Dims& axes) {
        for (std::size_t i = axes.size(); i-- > 0;) extents.erase(static_cast<std::size_t>(axes[i]));
        make();
    }
    void arrange(const LabelIds& wanted, const Dims&) {
        extents = shape_of(wanted, labels);
        ends_with_view = true;
    }
    void embed_diagonal(Index first, Index second) {
        extents.insert(static_cast<std::size_t>(second), extents[first]);
        make();
    }

private:
    void make() {
        made.push_back(room(extents));
        ends_with_view = false;
    }
};

/// The tensors of a program and when they are needed.
class Lifetimes {
public:
    explicit Lifetimes(const Program& program)
        : program_(program), held_(static_cast<std::size_t>(program.slots)) {
        for (std::size_t s = 0; s < program.steps.size(); ++s) {
            make_all(s, program.steps[s]);
            for (const int slot : program.steps[s].released) extend(slot, s);
        }
        for (const int slot : program.outputs) extend(slot, program.steps.size());
    }

    std::vector<Made> made;
    /// The tensor that is the whole value of each output, where there is one.
    [[nodiscard]] std::vector<std::size_t> results() const {
        std::vector<std::size_t> results;
        for (const int slot : program_.outputs)
            if (const Held& held = held_[static_cast<std::size_t>(slot)]; held.whole)
                results.push_back(held.tensors.back());
        return results;
    }

private:
    /// The tensors in whose memory a slot may lie; `whole` where it is all of the last of them.
    struct Held {
        std::vector<std::size_t> tensors;
        bool whole = false;
    };

    void make_all(std::size_t number, const Step& step) {
        Held held;
        if (step.kind == StepKind::Rearrange) {
            Sizes sizes{shape_of(step.lhs_labels, program_.extents), program_.extents};
            rearrange(sizes, step.lhs_labels, step.out_labels);
            for (const Index elements : sizes.made) add(number, elements);
            held = sizes.made.empty() ? Held{held_[static_cast<std::size_t>(step.lhs)].tensors}
                                      : Held{{made.size() - 1}, !sizes.ends_with_view};
        } else {
            // A sum of which one operand is absent is the other operand.
            if (step.kind == StepKind::Add)
                for (const int slot : {step.lhs, step.rhs})
                    for (const std::size_t tensor : held_[static_cast<std::size_t>(slot)].tensors)
                        held.tensors.push_back(tensor);
            add(number, room(shape_of(step.out_labels, program_.extents)));
            held.tensors.push_back(made.size() - 1);
            held.whole = true;
        }
        held_[static_cast<std::size_t>(step.out)] = std::move(held);
    }

    void add(std::size_t step, Index elements) { made.push_back({step, elements, step, step}); }

    void extend(int slot, std::size_t step) {
        for (const std::size_t tensor : held_[static_cast<std::size_t>(slot)].tensors)
            made[tensor].last = std::max(made[tensor].last, step);
    }

    const Program& program_;
    std::vector<Held> held_;
};

/// The offset of the tightest gap for `tensor` between those placed that it meets.
Index tightest_gap(const Made& tensor, const std::vector<const Made*>& placed) {
    std::vector<const Made*> met;
    for (const Made* other : placed)
        if (tensor.meets(*other)) met.push_back(other);
    std::sort(met.begin(), met.end(), [](const Made* a, const Made* b) { return a->offset < b->offset; });
    Index end = 0, best = -1, best_gap = std::numeric_limits<Index>::max();
    for (const Made* other : met) {
        if (const Index gap = other->offset - end; gap >= tensor.elements && gap < best_gap) {
            best_gap = gap;
            best = end;
        }
        end = std::max(end, other->end());
    }
    return best >= 0 ? best : end;
}

/// Places the tensors whose numbers are in `order`, in this order, between those that have a place; returns
/// the elements needed.
Index place_in(std::vector<Made>& made, const std::vector<std::size_t>& order) {
    std::vector<const Made*> placed;
    Index needed = 0;
    for (const Made& tensor : made)
        if (tensor.offset >= 0) placed.push_back(&tensor);
    for (const std::size_t number : order) {
        made[number].offset = tightest_gap(made[number], placed);
        needed = std::max(needed, made[number].end());
        placed.push_back(&made[number]);
    }
    return needed;
}

/// The same in the better of two orders: the largest first, or the largest product of size and duration.
Index place(std::vector<Made>& made, std::vector<std::size_t> order) {
    const auto size = [&](std::size_t i) { return static_cast<double>(made[i].elements); };
    const auto area = [&](std::size_t i) {
        return size(i) * static_cast<double>(made[i].last - made[i].first + 1);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    order.resize(std::min(order.size(), kMostPlanned));
    const std::vector<Made> unplaced = made;
    const Index by_size = place_in(made, order);
    std::vector<Made> other = unplaced;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return area(a) > area(b); });
    const Index by_area = place_in(other, order);
    if (by_area < by_size) made = std::move(other);
    return std::min(by_size, by_area);
}

/// Most elements alive at once of the tensors that own their memory, during `steps` steps and after them.
double most_outside(const std::vector<Made>& made, std::size_t steps) {
    std::vector<double> change(steps + 2, 0);
    for (const Made& tensor : made) {
        if (tensor.offset >= 0) continue;
        change[tensor.first] += static_cast<double>(tensor.elements);
        change[tensor.last + 1] -= static_cast<double>(tensor.elements);
    }
    double live = 0, most = 0;
    for (const double difference : change) most = std::max(most, live += difference);
    return most;
}

}  // namespace

void plan_memory(Program& program) {
    Lifetimes lifetimes(program);
    std::vector<Made>& made = lifetimes.made;
    const std::vector<std::size_t> results = lifetimes.results();
    std::vector<bool> is_result(made.size());
    for (const std::size_t result : results) is_result[result] = true;
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < made.size(); ++i)
        if (made[i].elements <= kMostElements && !is_result[i]) inside.push_back(i);
    program.workspace = place(made, inside);
    if (results.size() == 1 && program.outputs.size() == 1 && !inside.empty()) {
        Made& result = made[results[0]];
        if (result.elements >= kLeastKept && result.elements <= kMostElements &&
            result.elements > program.workspace / kLeastKeptShare) {
            for (const std::size_t i : inside) made[i].offset = -1;
            result.offset = 0;
            program.workspace = std::max(result.end(), place(made, inside));
            program.result_in_workspace = true;
        }
    }
    program.peak = static_cast<double>(program.workspace) + most_outside(made, program.steps.size());
    for (Step& step : program.steps) step.places.clear();
    for (const Made& tensor : made) program.steps[tensor.step].places.push_back(tensor.offset);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
