// Segments: which elementwise instructions run in one pass, and in which order everything runs.
//
// Every instruction has a stage: a fusible one that of its latest fusible operand or one more than that of
// its latest other operand, any other one more than its latest operand. Along a path stages never fall, and
// they rise at each instruction that is not fusible, so instructions of one stage, one shape and connected to
// each other can run as one without a cycle. One that nothing before it could run with waits for its readers
// if what it reads is there until then anyway: conj(x) in x' conj(x) runs with the product.
#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

#include "runtime/passes.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

/// The most instructions in one plan: their lines must fit into the first-level cache.
constexpr std::size_t kMostSteps = 64;

std::optional<OpId> fusible_op(const Draft& draft, const ExecInstruction& instruction) {
    SmallVector<DType, 4> dtypes;
    for (const std::uint32_t value : instruction.inputs) dtypes.push_back(draft.meta(value).dtype);
    return instruction.op.operation().fusion_step(dtypes);
}

class Grouping {
public:
    explicit Grouping(const Draft& draft)
        : draft_(draft), parent_(draft.instructions.size()), maker_(draft.values, kNone) {
        std::iota(parent_.begin(), parent_.end(), 0u);
        for (std::uint32_t i = 0; i < parent_.size(); ++i)
            for (std::size_t k = 0; k < draft.instructions[i].outputs.size(); ++k)
                maker_[draft.instructions[i].first_output + k] = i;
    }

    void fuse() {
        const std::size_t count = parent_.size();
        fusible_.resize(count);
        stage_.assign(count, 0);
        for (std::uint32_t i = 0; i < count; ++i) {
            fusible_[i] = fusible_op(draft_, draft_.instructions[i]).has_value();
            go_after_operands(i);
        }
        wait_for_readers();
        std::vector<std::uint32_t> size(count, 1);
        for (std::uint32_t i = 0; i < count; ++i) {
            go_after_operands(i);
            if (!fusible_[i]) continue;
            std::size_t joined = 1;
            for (const std::uint32_t group : neighbours(i)) joined += size[group];
            if (joined > kMostSteps) ++stage_[i];
            for (const std::uint32_t group : neighbours(i)) {
                size[i] += size[group];
                parent_[group] = i;
            }
        }
    }

    /// Groups in an order in which each comes after those it reads, early ones first; members ascending.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> ordered() const {
        std::map<std::uint32_t, std::vector<std::uint32_t>> members;
        for (std::uint32_t i = 0; i < parent_.size(); ++i) members[root(i)].push_back(i);
        std::map<std::uint32_t, std::vector<std::uint32_t>> readers;
        std::map<std::uint32_t, std::size_t> missing;
        for (const auto& [group, list] : members) {
            std::vector<std::uint32_t> makers;
            for (const std::uint32_t i : list)
                for (const std::uint32_t value : draft_.instructions[i].inputs)
                    if (maker_[value] != kNone && root(maker_[value]) != group)
                        makers.push_back(root(maker_[value]));
            std::sort(makers.begin(), makers.end());
            makers.erase(std::unique(makers.begin(), makers.end()), makers.end());
            missing[group] = makers.size();
            for (const std::uint32_t maker : makers) readers[maker].push_back(group);
        }
        using Ready = std::pair<std::uint32_t, std::uint32_t>;  // last member, group
        std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
        for (const auto& [group, list] : members)
            if (missing[group] == 0) ready.emplace(list.back(), group);
        std::vector<std::vector<std::uint32_t>> order;
        while (!ready.empty()) {
            const std::uint32_t group = ready.top().second;
            ready.pop();
            order.push_back(members[group]);
            for (const std::uint32_t reader : readers[group])
                if (--missing[reader] == 0) ready.emplace(members[reader].back(), reader);
        }
        return order;
    }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    [[nodiscard]] std::uint32_t root(std::uint32_t i) const {
        while (parent_[i] != i) i = parent_[i];
        return i;
    }
    /// The stage that instruction `i` has at least.
    void go_after_operands(std::uint32_t i) {
        for (const std::uint32_t value : draft_.instructions[i].inputs) {
            const std::uint32_t maker = maker_[value];
            if (maker == kNone) continue;
            stage_[i] = std::max(stage_[i], stage_[maker] + (fusible_[i] && fusible_[maker] ? 0 : 1));
        }
    }
    void wait_for_readers() {
        std::vector<std::vector<std::uint32_t>> readers(draft_.values);
        std::vector<std::uint32_t> last_read(draft_.values, 0);  // the latest of their stages
        for (std::uint32_t i = 0; i < stage_.size(); ++i)
            for (const std::uint32_t value : draft_.instructions[i].inputs) {
                readers[value].push_back(i);
                last_read[value] = std::max(last_read[value], stage_[i]);
            }
        std::vector<bool> is_kept(draft_.values, false);
        for (const std::uint32_t value : draft_.outputs) is_kept[value] = true;
        for (auto i = static_cast<std::uint32_t>(stage_.size()); i-- > 0;) {
            const ExecInstruction& instruction = draft_.instructions[i];
            if (!fusible_[i] || is_kept[instruction.first_output]) continue;
            std::uint32_t first = kNone;
            for (const std::uint32_t reader : readers[instruction.first_output])
                first = std::min(first, fusible_[reader] ? stage_[reader] : stage_[i]);
            if (first == kNone || first <= stage_[i]) continue;
            const auto is_there = [&](std::uint32_t value) {
                const std::uint32_t maker = maker_[value];
                if (maker == kNone || is_kept[value]) return true;
                return !(fusible_[maker] && stage_[maker] == stage_[i]) && last_read[value] >= first;
            };
            if (!std::all_of(instruction.inputs.begin(), instruction.inputs.end(), is_there)) continue;
            stage_[i] = first;
            for (const std::uint32_t value : instruction.inputs)
                last_read[value] = std::max(last_read[value], first);
        }
    }
    /// Groups that hold an operand of instruction `i`, in its stage.
    [[nodiscard]] std::vector<std::uint32_t> neighbours(std::uint32_t i) const {
        std::vector<std::uint32_t> groups;
        for (const std::uint32_t value : draft_.instructions[i].inputs) {
            const std::uint32_t maker = maker_[value];
            if (maker == kNone || !fusible_[maker] || stage_[maker] != stage_[i]) continue;
            const std::uint32_t group = root(maker);
            if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
        }
        return groups;
    }

    const Draft& draft_;
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint32_t> maker_;  // of each value
    std::vector<bool> fusible_;
    std::vector<std::uint32_t> stage_;
};

/// The plan of fusible instructions, with the values it reads and those that others read.
void make_plan(const Draft& draft, ExecSegment& segment, const std::vector<bool>& read_outside) {
    std::map<std::uint32_t, std::uint16_t> numbers;
    std::vector<DType> dtypes;
    for (const std::uint32_t i : segment.instructions) numbers[draft.instructions[i].first_output] = 0;
    for (const std::uint32_t i : segment.instructions)
        for (const std::uint32_t value : draft.instructions[i].inputs)
            if (numbers.try_emplace(value, static_cast<std::uint16_t>(segment.inputs.size())).second) {
                segment.inputs.push_back(value);
                dtypes.push_back(draft.meta(value).dtype);
            }
    std::vector<FusionStep> steps;
    for (const std::uint32_t i : segment.instructions) {
        const ExecInstruction& instruction = draft.instructions[i];
        FusionStep step{*fusible_op(draft, instruction), {}, instruction.outputs[0].dtype};
        for (std::size_t k = 0; k < instruction.inputs.size(); ++k)
            step.operands[k] = numbers[instruction.inputs[k]];
        numbers[instruction.first_output] = static_cast<std::uint16_t>(segment.inputs.size() + steps.size());
        steps.push_back(step);
    }
    std::vector<std::uint16_t> outputs;
    for (const std::uint32_t i : segment.instructions) {
        const std::uint32_t value = draft.instructions[i].first_output;
        if (!read_outside[value]) continue;
        segment.outputs.push_back(value);
        outputs.push_back(numbers[value]);
    }
    segment.plan = std::make_shared<const ElementwiseFusionPlan>(std::move(dtypes), std::move(steps),
                                                                 std::move(outputs));
}

/// Values that an instruction outside the group of their maker reads, and outputs.
std::vector<bool> values_read_outside(const Draft& draft, const std::vector<ExecSegment>& segments) {
    std::vector<std::size_t> made_in(draft.values, SIZE_MAX);
    for (std::size_t s = 0; s < segments.size(); ++s)
        for (const std::uint32_t i : segments[s].instructions)
            made_in[draft.instructions[i].first_output] = s;
    std::vector<bool> outside(draft.values, false);
    for (std::size_t s = 0; s < segments.size(); ++s)
        for (const std::uint32_t i : segments[s].instructions)
            for (const std::uint32_t value : draft.instructions[i].inputs)
                if (made_in[value] != s) outside[value] = true;
    for (const std::uint32_t value : draft.outputs) outside[value] = true;
    return outside;
}

void mark_last_uses(Draft& draft, std::vector<ExecSegment>& segments) {
    std::vector<bool> seen(draft.values, false);
    for (const std::uint32_t value : draft.outputs) seen[value] = true;
    for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
        std::vector<std::uint32_t> released;
        for (auto i = segment->instructions.rbegin(); i != segment->instructions.rend(); ++i) {
            ExecInstruction& instruction = draft.instructions[*i];
            for (std::size_t k = 0; k < instruction.outputs.size(); ++k)  // an output that nothing reads
                if (const auto value = static_cast<std::uint32_t>(instruction.first_output + k);
                    !seen[value]) {
                    seen[value] = true;
                    released.push_back(value);
                }
            instruction.last_use.assign(instruction.inputs.size(), false);
            for (std::size_t k = instruction.inputs.size(); k-- > 0;) {
                const std::uint32_t value = instruction.inputs[k];
                if (seen[value]) continue;
                seen[value] = instruction.last_use[k] = true;
                released.push_back(value);
            }
        }
        for (const std::uint32_t value : segment->inputs)
            if (value >= draft.inputs.size() &&
                std::find(released.begin(), released.end(), value) != released.end())
                segment->dying.push_back(value);
        segment->released = std::move(released);
    }
}

}  // namespace

std::vector<ExecSegment> make_segments(Draft& draft, bool fuse) {
    Grouping grouping(draft);
    if (fuse) grouping.fuse();
    std::vector<ExecSegment> segments;
    for (std::vector<std::uint32_t>& group : grouping.ordered()) {
        segments.emplace_back();
        segments.back().instructions = std::move(group);
    }
    const std::vector<bool> read_outside = values_read_outside(draft, segments);
    for (ExecSegment& segment : segments)
        if (segment.instructions.size() > 1) make_plan(draft, segment, read_outside);
    mark_last_uses(draft, segments);
    return segments;
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
