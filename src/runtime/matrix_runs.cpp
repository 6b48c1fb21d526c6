// Finding the segments that are steps on small matrices.
#include "runtime/matrix_runs.hpp"

#include <algorithm>
#include <map>

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

class Finder {
public:
    Finder(const std::vector<TensorMeta>& inputs, const std::vector<ExecInstruction>& instructions,
           const std::vector<ExecSegment>& segments, const std::vector<std::uint32_t>& outputs,
           std::uint32_t values, const ShapeBinding& binding)
        : instructions_(instructions),
          segments_(segments),
          binding_(binding),
          dtypes_(values, DType::Bool),
          shapes_(values),
          last_reader_(values, 0) {
        const auto describe = [this](std::size_t value, const TensorMeta& meta) {
            dtypes_[value] = meta.dtype;
            shapes_[value] = shape_of(meta);
        };
        for (std::size_t i = 0; i < inputs.size(); ++i) describe(i, inputs[i]);
        for (const ExecInstruction& instruction : instructions)
            for (std::size_t k = 0; k < instruction.outputs.size(); ++k)
                describe(instruction.first_output + k, instruction.outputs[k]);
        for (std::size_t s = 0; s < segments.size(); ++s)
            for (const std::uint32_t i : segments[s].instructions)
                for (const std::uint32_t value : instructions[i].inputs) last_reader_[value] = s;
        for (const std::uint32_t value : outputs) last_reader_[value] = segments.size();
        ahead_.resize(segments.size() + 1);
        for (std::size_t s = segments.size(); s-- > 0;)
            ahead_[s] = is_elementwise(segments[s]) ? ahead_[s + 1] : plan_of(segments[s]);
    }

    /// The longest run from segment `first` on, of matrices in the batch of the first one that is not
    /// elementwise.
    [[nodiscard]] std::shared_ptr<const MatrixRun> from(std::size_t first) const {
        if (!ahead_[first]) return nullptr;
        Attempt attempt(*this, *ahead_[first], first);
        return attempt.run->segments >= 2 && is_worth(attempt.run->plan) ? std::move(attempt.run) : nullptr;
    }

private:
    /// Whether as much is computed, or read again for it, as is carried to where it is, and not mostly
    /// products of matrices of which a few fill the first cache: by themselves these are faster.
    [[nodiscard]] static bool is_worth(const MatrixPlan& plan) {
        constexpr Index kLargeProducts = 12;
        Index read = 0, made = 0, products = 0, substitutions = 0;
        for (const MatrixPlan::Value input : plan.inputs()) read += plan.extents(input).elements();
        for (std::size_t i = 0; i < plan.steps().size(); ++i) {
            made += plan.extents(plan.result(i)).elements();
            products += std::holds_alternative<MatrixPlan::Product>(plan.steps()[i]) ? 1 : 0;
            if (const auto* system = std::get_if<MatrixPlan::Substitution>(&plan.steps()[i])) {
                made += plan.extents(system->a).elements();
                ++substitutions;
            }
        }
        return made >= read && (plan.largest() <= kLargeProducts || products <= substitutions);
    }

    struct Attempt {
        const Finder& finder;
        std::shared_ptr<MatrixRun> run;
        std::map<std::uint32_t, MatrixPlan::Value> known;  // of the values of the program

        Attempt(const Finder& of, MatrixPlan plan)
            : finder(of), run(std::make_shared<MatrixRun>(MatrixRun{std::move(plan), 0, {}, {}})) {}
        Attempt(const Finder& of, MatrixPlan plan, std::size_t first) : Attempt(of, std::move(plan)) {
            const std::vector<ExecSegment>& segments = finder.segments_;
            while (first + run->segments < segments.size()) {
                const std::size_t values = run->plan.values();
                if (!add(segments[first + run->segments])) {
                    run->plan.shrink(values);
                    break;
                }
                ++run->segments;
            }
            finish(first + run->segments);
        }

        bool add(const ExecSegment& segment) {
            return std::all_of(segment.instructions.begin(), segment.instructions.end(),
                               [&](std::uint32_t i) { return add(i); });
        }
        bool add(std::uint32_t i) {
            const ExecInstruction& instruction = finder.instructions_[i];
            if (instruction.outputs.size() != 1 || instruction.inputs.empty()) return false;
            std::vector<MatrixPlan::Value> in;
            for (const std::uint32_t value : instruction.inputs) {
                const MatrixPlan::MaybeValue operand = operand_of(value);
                if (!operand) return false;
                in.push_back(*operand);
            }
            const std::uint32_t out = instruction.first_output;
            if (finder.dtypes_[out] != run->plan.dtype()) return false;
            const MatrixPlan::MaybeValue result =
                finder.binding_.ops[i].operation().matrix_step(run->plan, in);
            if (!result || run->plan.shape(*result) != finder.shapes_[out]) return false;
            known[out] = *result;
            return true;
        }
        MatrixPlan::MaybeValue operand_of(std::uint32_t value) {
            if (const auto at = known.find(value); at != known.end()) return at->second;
            const DType dtype = finder.dtypes_[value];
            const auto extents = run->plan.extents_in_batch(finder.shapes_[value]);
            MatrixPlan::MaybeValue input;
            if (extents && dtype == run->plan.dtype()) input = run->plan.input(*extents);
            if (extents && dtype == DType::I64) input = run->plan.index_input(*extents);
            if (input) known[value] = *input;
            return input;
        }
        /// Notes the values of the program that the plan reads, and those that others than the segments
        /// before `end` need.
        void finish(std::size_t end) {
            run->plan.drop_unused_inputs();
            std::vector<MatrixPlan::Value> results;
            std::map<MatrixPlan::Value, std::uint32_t> program_value;
            for (const auto& [value, in_plan] : known) program_value[in_plan] = value;
            for (const MatrixPlan::Value input : run->plan.inputs())
                run->inputs.push_back(program_value[input]);
            for (std::size_t k = 0; k < run->plan.steps().size(); ++k) {
                // there is none between an operation's own steps
                const auto value = program_value.find(run->plan.result(k));
                if (value == program_value.end() || finder.last_reader_[value->second] < end) continue;
                run->outputs.push_back(value->second);
                results.push_back(value->first);
            }
            run->plan.set_outputs(std::move(results));
        }
    };

    [[nodiscard]] bool is_elementwise(const ExecSegment& segment) const {
        if (segment.plan) return true;
        const ExecInstruction& instruction = instructions_[segment.instructions[0]];
        SmallVector<DType, 4> dtypes;
        for (const std::uint32_t value : instruction.inputs) dtypes.push_back(dtypes_[value]);
        return instruction.op.operation().fusion_step(dtypes).has_value();
    }
    /// An empty plan for the batch of a segment that is a step on matrices.
    [[nodiscard]] std::optional<MatrixPlan> plan_of(const ExecSegment& segment) const {
        const ExecInstruction& instruction = instructions_[segment.instructions[0]];
        if (instruction.inputs.empty()) return std::nullopt;
        const std::uint32_t matrix = instruction.inputs[0];
        const DType dtype = dtypes_[matrix];
        const Dims& shape = shapes_[matrix];
        if ((dtype != DType::F32 && dtype != DType::F64) || shape.size() < 2) return std::nullopt;
        Attempt attempt(*this, {dtype, std::span(shape).subspan(2)});
        if (!attempt.add(segment)) return std::nullopt;
        attempt.run->plan.shrink(0);
        return std::move(attempt.run->plan);
    }
    [[nodiscard]] Dims shape_of(const TensorMeta& meta) const {
        Dims shape;
        for (const SymDim& extent : meta.shape)
            shape.push_back(extent.evaluate([this](DimSymbol symbol) {
                return binding_.shapes[symbol.input][static_cast<std::size_t>(symbol.axis)];
            }));
        return shape;
    }

    const std::vector<ExecInstruction>& instructions_;
    const std::vector<ExecSegment>& segments_;
    const ShapeBinding& binding_;
    std::vector<DType> dtypes_;             // of the values
    std::vector<Dims> shapes_;              // likewise
    std::vector<std::size_t> last_reader_;  // segments; those behind the last for outputs
    // Of each segment an empty plan for the first one from it on that is not elementwise.
    std::vector<std::optional<MatrixPlan>> ahead_;
};

}  // namespace

std::vector<std::shared_ptr<const MatrixRun>> find_matrix_runs(
    const std::vector<TensorMeta>& inputs, const std::vector<ExecInstruction>& instructions,
    const std::vector<ExecSegment>& segments, const std::vector<std::uint32_t>& outputs, std::uint32_t values,
    const ShapeBinding& binding) {
    std::vector<std::shared_ptr<const MatrixRun>> runs(segments.size());
    if (segments.size() < 2) return runs;
    const Finder finder(inputs, instructions, segments, outputs, values, binding);
    for (std::size_t s = 0; s < segments.size();) {
        runs[s] = finder.from(s);
        s += runs[s] ? runs[s]->segments : 1;
    }
    return runs;
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
