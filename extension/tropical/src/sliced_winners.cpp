// Winners of a network in slices: each slice has the winners of its own assignments, and of those that attain
// an element the least is kept. Beside a slice only the values and numbers of the result are held.
#include <algorithm>

#include "arithmetic.hpp"
#include "winners.hpp"

namespace tropical {

namespace {

using tensor_network::LabelId;
using tensor_network::LabelIds;

std::size_t index(LabelId label) { return static_cast<std::size_t>(label); }

/// A view and the labels of its axes at one value of a label.
TensorRead select(const TensorRead& view, LabelIds& labels, LabelId label, Index value) {
    TensorRead selected = view;
    for (std::size_t axis = labels.size(); axis-- > 0;) {
        if (labels[axis] != label) continue;
        selected = selected.select_view(static_cast<Index>(axis), value);
        labels.erase(labels.begin() + static_cast<Index>(axis));
    }
    return selected;
}

Problem slice_of(const Problem& whole, const LabelIds& sliced, const std::vector<Index>& values) {
    Problem slice = whole;
    for (std::size_t i = 0; i < sliced.size(); ++i) {
        for (std::size_t k = 0; k < slice.operands.size(); ++k)
            slice.operands[k] = select(slice.operands[k], slice.network.inputs[k], sliced[i], values[i]);
        std::erase(slice.network.output, sliced[i]);
    }
    return slice;
}

/// Calls f(offset in a compact tensor, offset in one with these strides) for all elements of a shape.
template <class F>
void for_each_element(const Dims& shape, const Dims& strides, const F& f) {
    Index count = 1;
    for (const Index extent : shape) count *= extent;
    std::vector<Index> at(shape.size(), 0);
    for (Index i = 0, offset = 0; i < count; ++i) {
        f(i, offset);
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            offset += strides[axis];
            if (++at[axis] < shape[axis]) break;
            offset -= strides[axis] * shape[axis];
            at[axis] = 0;
        }
    }
}

/// The best so far.
class Best {
public:
    Best(const Problem& problem, const Numbering& numbering, Executor& executor)
        : numbering_(numbering), executor_(executor) {
        for (const LabelId label : problem.network.output)
            if (std::find(labels_.begin(), labels_.end(), label) == labels_.end()) labels_.push_back(label);
        for (const LabelId label : labels_) shape_.push_back(problem.network.extents[index(label)]);
        BackendSession& session = executor.session();
        values_ = session.zeros(problem.operands[0].dtype(), shape_);
        seen_ = session.zeros(DType::Bool, shape_);
        for (std::size_t w = 0; w < numbering.words(); ++w)
            words_.push_back(session.zeros(DType::I64, shape_));
    }

    void join(const Winners& found, const LabelIds& sliced, const std::vector<Index>& at) {
        visit(executor_.algebra(), values_.dtype(),
              [&]<class T, Algebra kAlgebra>() { join_as<T, kAlgebra>(found, sliced, at); });
    }
    [[nodiscard]] Words take() {
        Words words;
        for (Tensor& word : words_) {
            auto memory = std::make_shared<const Tensor>(std::move(word));
            TensorRead view = memory->read();
            words.emplace_back(Held{std::move(memory), std::move(view)});
        }
        return words;
    }

private:
    template <class T, Algebra kAlgebra>
    void join_as(const Winners& found, const LabelIds& sliced, const std::vector<Index>& at) {
        BackendSession& session = executor_.session();
        // The numbers of this slice count from that of its sliced labels.
        std::vector<Index> first(words_.size(), 0);
        LabelIds labels = labels_;
        TensorRead part = values_.read();
        for (std::size_t i = 0; i < sliced.size(); ++i) {
            part = select(part, labels, sliced[i], at[i]);
            if (labels_.end() != std::find(labels_.begin(), labels_.end(), sliced[i])) continue;
            const Digit& digit = numbering_.digit(sliced[i]);
            first[digit.word] += digit.step * at[i];
        }
        const Tensor values = session.to_contiguous_read(found.values.view);
        std::vector<std::optional<Tensor>> words;
        for (const auto& word : found.words)
            words.push_back(word ? std::optional(session.to_contiguous_read(word->view)) : std::nullopt);
        const Index begin = part.data_as<T>() - values_.data_as<T>();
        for_each_element(part.shape(), part.strides(), [&](Index from, Index offset) {
            const Index to = begin + offset;
            const T made = values.data_as<T>()[from], best = values_.data_as<T>()[to];
            const auto number = [&](std::size_t w) {
                return first[w] + (words[w] ? words[w]->data_as<Index>()[from] : 0);
            };
            bool takes = !seen_.data_as<bool>()[to] || is_better<kAlgebra>(made, best);
            if (!takes && !is_better<kAlgebra>(best, made))
                for (std::size_t w = words_.size(); w-- > 0;) {
                    const Index difference = number(w) - words_[w].template data_as<Index>()[to];
                    if (difference == 0) continue;
                    takes = difference < 0;
                    break;
                }
            if (!takes) return;
            seen_.write().template data_as<bool>()[to] = true;
            values_.write().template data_as<T>()[to] = made;
            for (std::size_t w = 0; w < words_.size(); ++w)
                words_[w].write().template data_as<Index>()[to] =
                    made == zero_of<T>(kAlgebra) ? 0 : number(w);
        });
    }

    /// A NaN is better than any number.
    template <Algebra kAlgebra, class T>
    static bool is_better(T x, T y) {
        if (y != y) return false;
        return x != x || (kAlgebra == Algebra::MinPlus ? x < y : x > y);
    }

    const Numbering& numbering_;
    Executor& executor_;
    LabelIds labels_;
    Dims shape_;
    Tensor values_ = Tensor::zeros(DType::F64, Dims{}), seen_ = Tensor::zeros(DType::Bool, Dims{});
    std::vector<Tensor> words_;
};

}  // namespace

Words find_sliced_winners(const Problem& problem, const LabelIds& sliced, const Numbering& numbering,
                          Executor& executor, const tensor_network::RunOptions& options) {
    Best best(problem, numbering, executor);
    std::size_t slices = 1, done = 0;
    for (const LabelId label : sliced)
        slices *= static_cast<std::size_t>(problem.network.extents[index(label)]);
    const auto tell = [&] {
        if (options.progress != nullptr) (*options.progress)(done, slices);
    };
    std::vector<Index> at(sliced.size(), 0);
    tell();
    while (done < slices) {
        best.join(find_winners(slice_of(problem, sliced, at), numbering, executor,
                               {.cancellation = options.cancellation}),
                  sliced, at);
        ++done;
        tell();
        for (std::size_t i = 0; i < at.size(); ++i) {
            if (++at[i] < problem.network.extents[index(sliced[i])]) break;
            at[i] = 0;
        }
    }
    return best.take();
}

}  // namespace tropical
