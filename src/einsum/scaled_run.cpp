// A value is multiplied by a power of two, which is exact, so that its largest element is in [1/2, 1): then
// no product of two and no sum of fewer than 2^500 of them leaves the range of double precision. Steps have
// memory of their own here: what they make is read once more at once, to be scaled.
#include "einsum/scaled_run.hpp"

#include <algorithm>
#include <cmath>

#include "einsum/extents.hpp"
#include "einsum/scaling.hpp"
#include "tenferro/einsum/rearrange.hpp"
#include "tenferro/tensor/tensor_slot.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

struct Value {
    TensorSlot slot;
    std::int64_t exponent = 0;
    bool zero = false;    ///< all of it, so that its exponent says nothing
    bool scaled = false;  ///< its largest element is in [1/2, 1) if it is neither 0 nor infinite or NaN
};

class ScaledRun {
public:
    ScaledRun(const Program& program, BackendSession& session)
        : program_(program), session_(session), values_(static_cast<std::size_t>(program.slots)) {}

    void give(std::size_t input, const TensorRead& view, std::int64_t exponent) {
        values_[input] = {TensorSlot::borrowing(view), exponent};
    }

    void step(const Step& step) {
        values_[at(step.out)] = value(step);
        for (const int slot : step.released) values_[at(slot)] = Value{};
    }

    std::optional<ScaledTensor> take(int output) {
        const Value& value = ready(output);
        const TensorRead* const view = value.slot.view();
        if (view == nullptr) return std::nullopt;
        return ScaledTensor{session_.to_contiguous_read(*view), value.exponent};
    }

private:
    static std::size_t at(int slot) { return static_cast<std::size_t>(slot); }

    /// A slot's value, scaled: an input may not be so yet, since what counts of it may be a diagonal.
    const Value& ready(int slot) {
        Value& value = values_[at(slot)];
        if (value.slot.view() != nullptr) value = scaled(std::move(value));
        return value;
    }

    /// A value on its way through a Rearrange step, see rearrange.hpp.
    struct Rearranged {
        ScaledRun& run;
        Value value;

        void extract_diagonal(Index first, Index second) {
            see(value.slot.view()->diagonal_view(first, second));
            value.scaled = false;
        }
        void sum(const Dims& axes) {
            value = run.scaled(std::move(value));
            value = run.made(run.session_.reduce_sum_read(*value.slot.view(), axes), value.exponent);
        }
        void arrange(const LabelIds& labels, const Dims& target) {
            see(value.slot.view()->broadcast_view(shape_of(labels, run.program_.extents), target));
            value.scaled = value.scaled && value.slot.view()->size() > 0;  // no elements are zeros
        }
        void embed_diagonal(Index first, Index second) {
            value.slot =
                TensorSlot::owning(run.session_.embed_diagonal_read(*value.slot.view(), first, second));
        }

    private:
        void see(TensorRead view) { value.slot = TensorSlot::seeing(value.slot, std::move(view)); }
    };

    Value value(const Step& step) {
        if (step.kind == StepKind::Rearrange) {
            const Value& from = values_[at(step.lhs)];
            if (from.slot.view() == nullptr) return {};
            Rearranged rearranged{*this, seeing(from)};
            rearrange(rearranged, step.lhs_labels, step.out_labels);
            return scaled(std::move(rearranged.value));
        }
        const Value &lhs = ready(step.lhs), &rhs = ready(step.rhs);
        const bool both = lhs.slot.view() != nullptr && rhs.slot.view() != nullptr;
        if (step.kind == StepKind::Contract)
            return both ? scaled(made(session_.dot_general_permuted_read(*lhs.slot.view(), *rhs.slot.view(),
                                                                         step.config, step.result_axes),
                                      lhs.exponent + rhs.exponent))
                        : Value{};
        if (both) return sum(lhs, rhs);
        const Value& one = lhs.slot.view() != nullptr ? lhs : rhs;
        return one.slot.view() == nullptr ? Value{} : seeing(one);
    }

    static Value seeing(const Value& value) {
        return {TensorSlot::seeing(value.slot, *value.slot.view()), value.exponent, value.zero, value.scaled};
    }

    Value sum(const Value& a, const Value& b) {
        if (a.zero) return seeing(b);
        if (b.zero) return seeing(a);
        const std::int64_t exponent = std::max(a.exponent, b.exponent);
        Tensor total = session_.add(times_two_to(session_, *a.slot.view(), a.exponent - exponent),
                                    times_two_to(session_, *b.slot.view(), b.exponent - exponent));
        return scaled(made(std::move(total), exponent));
    }

    static Value made(Tensor&& tensor, std::int64_t exponent) {
        return {TensorSlot::owning(std::move(tensor)), exponent};
    }

    /// The value with its largest element in [1/2, 1).
    Value scaled(Value value) {
        if (value.scaled) return value;
        value.scaled = true;
        const TensorRead& view = *value.slot.view();
        const double largest = largest_part(session_, view);
        if (largest == 0) {
            value.exponent = 0;
            value.zero = true;
            return value;
        }
        if (!std::isfinite(largest)) return value;
        int power = 0;
        (void)std::frexp(largest, &power);
        if (power == 0) return value;
        return {TensorSlot::owning(times_two_to(session_, view, -power)), value.exponent + power, false,
                true};
    }

    const Program& program_;
    BackendSession& session_;
    std::vector<Value> values_;
};

}  // namespace

std::vector<std::optional<ScaledTensor>> run_scaled(const Program& program,
                                                    std::span<const TensorRead* const> inputs,
                                                    std::span<const std::int64_t> exponents,
                                                    BackendSession& session, const RunOptions& options) {
    ScaledRun run(program, session);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i] != nullptr) run.give(i, *inputs[i], exponents[i]);
    std::size_t done = 0;
    if (options.progress != nullptr) (*options.progress)(done, program.steps.size());
    for (const Step& step : program.steps) {
        options.cancellation.check("einsum");
        CancellationScope::check_current();
        run.step(step);
        if (options.progress != nullptr) (*options.progress)(++done, program.steps.size());
    }
    std::vector<std::optional<ScaledTensor>> outputs;
    for (const int output : program.outputs) outputs.push_back(run.take(output));
    return outputs;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
