// From winners to gradients: each output element adds its cotangent to one element of every operand.
#include <algorithm>

#include "arithmetic.hpp"
#include "winners.hpp"

namespace tropical {

namespace {

using tensor_network::LabelId;

/// Offsets in a tensor by the coordinates of an assignment: a step per axis of the output and per contracted
/// label. An axis that several axes of the tensor share has the sum of their steps.
struct Steps {
    std::vector<Index> output, contracted;

    Steps(const Problem& problem, const Numbering& numbering, const tensor_network::LabelIds& out,
          const tensor_network::LabelIds& labels, const Dims& strides) {
        const auto step = [&](LabelId label) {
            Index sum = 0;
            for (std::size_t axis = 0; axis < labels.size(); ++axis)
                if (labels[axis] == label) sum += strides[axis];
            return sum;
        };
        static_cast<void>(problem);
        for (const LabelId label : out) output.push_back(step(label));
        for (const LabelId label : numbering.labels()) contracted.push_back(step(label));
    }
};

template <class T, Algebra kAlgebra>
class Scatterer {
public:
    Scatterer(const Problem& problem, const Numbering& numbering, const Winners& winners,
              const TensorRead& cotangent, std::vector<Tensor>& gradients,
              const std::vector<Dims>& gradient_strides)
        : numbering_(numbering), winners_(winners), cotangent_(cotangent) {
        tensor_network::LabelIds out;
        for (const LabelId label : problem.network.output)
            if (std::find(out.begin(), out.end(), label) == out.end()) out.push_back(label);
        for (std::size_t i = 0; i < problem.operands.size(); ++i) {
            const tensor_network::LabelIds& labels = problem.network.inputs[i];
            places_.push_back({gradients[i].write().template data_as<T>(),
                               Steps(problem, numbering, out, labels, gradient_strides[i])});
            entries_.push_back({problem.operands[i].template data_as<T>(),
                                Steps(problem, numbering, out, labels, problem.operands[i].strides())});
        }
        digits_.resize(numbering.labels().size());
        factors_.resize(2 * problem.operands.size() + 2);
    }

    void run() {
        const Dims& shape = cotangent_.shape();
        const Index count = cotangent_.size();
        std::vector<Index> at(shape.size(), 0);
        for (Index i = 0; i < count; ++i) {
            element(at);
            for (std::size_t axis = 0; axis < at.size() && ++at[axis] == shape[axis]; ++axis) at[axis] = 0;
        }
    }

private:
    template <class Pointer>
    struct Side {
        Pointer data;
        Steps steps;
    };

    static Index offset(const Dims& strides, const std::vector<Index>& at) {
        Index sum = 0;
        for (std::size_t axis = 0; axis < at.size(); ++axis) sum += at[axis] * strides[axis];
        return sum;
    }
    [[nodiscard]] Index offset(const Steps& steps, const std::vector<Index>& at) const {
        Index sum = 0;
        for (std::size_t axis = 0; axis < at.size(); ++axis) sum += at[axis] * steps.output[axis];
        for (std::size_t i = 0; i < digits_.size(); ++i) sum += digits_[i] * steps.contracted[i];
        return sum;
    }

    void element(const std::vector<Index>& at) {
        const TensorRead& values = winners_.values.view;
        const T value = values.template data_as<T>()[offset(values.strides(), at)];
        find_digits(at, value == zero_of<T>(kAlgebra));
        const T pulled = cotangent_.template data_as<T>()[offset(cotangent_.strides(), at)];
        if constexpr (kAlgebra == Algebra::MaxMul) {
            // factors_[i] is the product of the entries before operand i, factors_[n + 1 + i] of those after.
            const std::size_t n = places_.size();
            factors_[0] = pulled;
            factors_[2 * n + 1] = T(1);
            for (std::size_t i = 0; i < n; ++i) factors_[i + 1] = factors_[i] * entry(i, at);
            for (std::size_t i = n; i-- > 0;) factors_[n + 1 + i] = factors_[n + 2 + i] * entry(i, at);
            for (std::size_t i = 0; i < n; ++i)
                places_[i].data[offset(places_[i].steps, at)] += factors_[i] * factors_[n + 2 + i];
        } else {
            for (const Side<T*>& place : places_) {
                T& sum = place.data[offset(place.steps, at)];
                if constexpr (std::is_integral_v<T>)
                    __builtin_add_overflow(sum, pulled, &sum);
                else
                    sum += pulled;
            }
        }
    }
    [[nodiscard]] T entry(std::size_t operand, const std::vector<Index>& at) const {
        return entries_[operand].data[offset(entries_[operand].steps, at)];
    }

    void find_digits(const std::vector<Index>& at, bool is_zero) {
        if (is_zero) {
            std::fill(digits_.begin(), digits_.end(), 0);
            return;
        }
        std::size_t word = SIZE_MAX;
        Index rest = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            const Digit& digit = numbering_.digit(numbering_.labels()[i]);
            if (digit.word != word) {
                word = digit.word;
                const auto& held = winners_.words[word];
                rest = held ? held->view.data_as<Index>()[offset(held->view.strides(), at)] : 0;
            }
            digits_[i] = rest % digit.extent;
            rest /= digit.extent;
        }
    }

    const Numbering& numbering_;
    const Winners& winners_;
    const TensorRead& cotangent_;
    std::vector<Side<T*>> places_;
    std::vector<Side<const T*>> entries_;
    std::vector<Index> digits_;
    std::vector<T> factors_;
};

}  // namespace

std::vector<Tensor> scatter(const Problem& problem, const Numbering& numbering, const Winners& winners,
                            const TensorRead& cotangent, std::span<const TensorRead> originals,
                            Executor& executor) {
    std::vector<Tensor> gradients;
    std::vector<Dims> strides;
    for (std::size_t i = 0; i < originals.size(); ++i) {
        gradients.push_back(executor.session().zeros(originals[i].dtype(), originals[i].shape()));
        const Dims& dropped = problem.network.dropped_axes[i];
        Dims kept;
        for (std::size_t axis = 0, next = 0; axis < gradients.back().rank(); ++axis)
            if (next < dropped.size() && dropped[next] == static_cast<Index>(axis))
                ++next;
            else
                kept.push_back(gradients.back().strides()[axis]);
        kept.resize(problem.network.inputs[i].size(), 0);  // labels given to both operands do not move it
        strides.push_back(std::move(kept));
    }
    for (const LabelId label : numbering.labels())
        if (problem.network.extents[static_cast<std::size_t>(label)] == 0) return gradients;
    visit(executor.algebra(), originals[0].dtype(), [&]<class T, Algebra kAlgebra>() {
        Scatterer<T, kAlgebra>(problem, numbering, winners, cotangent, gradients, strides).run();
    });
    return gradients;
}

}  // namespace tropical
