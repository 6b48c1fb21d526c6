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

    Steps(std::vector<Index> of_output, std::vector<Index> of_contracted)
        : output(std::move(of_output)), contracted(std::move(of_contracted)) {}
    Steps(const Numbering& numbering, const tensor_network::LabelIds& out,
          const tensor_network::LabelIds& labels, const Dims& strides) {
        const auto step = [&](LabelId label) {
            Index sum = 0;
            for (std::size_t axis = 0; axis < labels.size(); ++axis)
                if (labels[axis] == label) sum += strides[axis];
            return sum;
        };
        for (const LabelId label : out) output.push_back(step(label));
        for (const LabelId label : numbering.labels()) contracted.push_back(step(label));
    }
};

/// `kFactors`: an entry of an operand multiplies the cotangents of the others.
template <class T, bool kFactors>
class Scatterer {
public:
    Scatterer(const Problem& problem, const Numbering& numbering, const Words& winners,
              const TensorRead& cotangent, std::vector<Tensor>& gradients,
              const std::vector<Dims>& gradient_strides, Executor& executor)
        : executor_(executor),
          shape_(cotangent.shape()),
          cotangent_(cotangent.data_as<T>(), cotangent.strides()) {
        tensor_network::LabelIds out;
        for (const LabelId label : problem.network.output)
            if (std::find(out.begin(), out.end(), label) == out.end()) out.push_back(label);
        for (std::size_t i = 0; i < problem.operands.size(); ++i) {
            const tensor_network::LabelIds& labels = problem.network.inputs[i];
            places_.emplace_back(gradients[i].write().template data_as<T>(),
                                 Steps(numbering, out, labels, gradient_strides[i]));
            if (kFactors)
                entries_.emplace_back(problem.operands[i].template data_as<T>(),
                                      Steps(numbering, out, labels, problem.operands[i].strides()));
        }
        for (const LabelId label : numbering.labels()) digits_.push_back(numbering.digit(label));
        for (const auto& word : winners)
            words_.push_back(word ? std::optional(Side<const Index*>(word->view.template data_as<Index>(),
                                                                     word->view.strides()))
                                  : std::nullopt);
        length_ = shape_.empty() ? 1 : shape_[0];
        numbers_.resize(digits_.size(), 0);
        factors_.resize(2 * problem.operands.size() + 2);
    }

    void run() {
        if (const Side<T*>* const gathered = gathered_place()) return run_product(*gathered);
        for_each_line([&] {
            for (Index i = 0; i < length_; ++i) element(i);
        });
    }

private:
    /// A tensor that is walked along lines of the output.
    template <class Pointer>
    struct Side {
        Pointer data, line;
        Steps steps;
        Index step;  ///< along the line

        Side(Pointer the_data, Steps the_steps)
            : data(the_data),
              line(the_data),
              steps(std::move(the_steps)),
              step(steps.output.empty() ? 0 : steps.output[0]) {}
        Side(Pointer the_data, const Dims& strides)
            : Side(the_data, Steps{{strides.begin(), strides.end()}, {}}) {}

        void begin_line(const std::vector<Index>& at) {
            line = data;
            for (std::size_t axis = 1; axis < at.size(); ++axis) line += at[axis] * steps.output[axis];
        }
        [[nodiscard]] auto& at(Index i, const std::vector<Index>& numbers) const {
            Index offset = i * step;
            for (std::size_t k = 0; k < numbers.size(); ++k) offset += numbers[k] * steps.contracted[k];
            return line[offset];
        }
    };

    template <class F>
    void for_each_line(const F& f) {
        Index lines = 1;
        for (std::size_t axis = 1; axis < shape_.size(); ++axis) lines *= shape_[axis];
        std::vector<Index> at(shape_.size(), 0);
        constexpr Index kWatched = 64;
        for (Index line = 0; line < lines; ++line) {
            if (line % kWatched == 0) CancellationScope::check_current();
            begin_line(at);
            f();
            for (std::size_t axis = 1; axis < at.size() && ++at[axis] == shape_[axis]; ++axis) at[axis] = 0;
        }
    }
    void begin_line(const std::vector<Index>& at) {
        cotangent_.begin_line(at);
        for (auto& place : places_) place.begin_line(at);
        for (auto& entry : entries_) entry.begin_line(at);
        for (auto& word : words_)
            if (word) word->begin_line(at);
    }

    /// For a product of two operands over one label: the operand that all lines of the output share. Its
    /// gradient is gathered in a block of memory by itself, since columns of it that lie a power of two apart
    /// would push each other out of the caches.
    [[nodiscard]] const Side<T*>* gathered_place() const {
        if (kFactors || places_.size() != 2 || digits_.size() != 1 || !words_[0]) return nullptr;
        for (const Side<T*>& place : places_) {
            const std::vector<Index>& steps = place.steps.output;
            if (place.step != 0 && place.steps.contracted[0] != 0 &&
                std::all_of(steps.begin() + 1, steps.end(), [](Index step) { return step == 0; }))
                return &place;
        }
        return nullptr;
    }

    void run_product(const Side<T*>& gathered) {
        constexpr Index kGatheredBytes = 512 << 10, kFewRows = 8;
        const Index extent = digits_[0].extent,
                    rows = std::clamp<Index>(kGatheredBytes / (extent * static_cast<Index>(sizeof(T))),
                                             kFewRows, std::max(length_, kFewRows));
        // Rows of a power of two would lie in few sets of the caches.
        const Index pitch = extent + static_cast<Index>(64 / sizeof(T));
        const Side<T*>& other = &gathered == &places_[0] ? places_[1] : places_[0];
        for (Index first = 0; first < length_; first += rows) {
            const Index last = std::min(first + rows, length_);
            gathered_.assign(static_cast<std::size_t>((last - first) * pitch), T(0));
            for_each_line([&] {
                if (first == 0) add_line(other);
                gather_line(first, last, pitch);
            });
            spread(first, last, pitch, gathered);
        }
    }

    /// The cotangents of a line, where the winners are in an operand.
    void add_line(const Side<T*>& to) const {
        const Index* const word = words_[0]->line;
        const Index word_step = words_[0]->step, pulled_step = cotangent_.step, term = to.steps.contracted[0];
        for (Index i = 0; i < length_; ++i)
            add_to(to.line[i * to.step + word[i * word_step] * term], cotangent_.line[i * pulled_step]);
    }
    void gather_line(Index first, Index last, Index pitch) {
        const Index* const word = words_[0]->line;
        const Index word_step = words_[0]->step, pulled_step = cotangent_.step;
        T* row = gathered_.data();
        for (Index i = first; i < last; ++i, row += pitch)
            add_to(row[word[i * word_step]], cotangent_.line[i * pulled_step]);
    }

    /// The gathered rows go to their places, each of which is written once.
    void spread(Index first, Index last, Index pitch, const Side<T*>& gathered) {
        const Dims shape{last - first, digits_[0].extent};
        executor_.copy({tenferro::storage_dtype<T>, gathered_.data(), shape, Dims{pitch, 1}},
                       {tenferro::storage_dtype<T>, gathered.data + first * gathered.step, shape,
                        Dims{gathered.step, gathered.steps.contracted[0]}});
    }

    static void add_to(T& sum, T term) {
        if constexpr (std::is_integral_v<T>)
            __builtin_add_overflow(sum, term, &sum);
        else
            sum += term;
    }

    void element(Index i) {
        find_numbers(i);
        const T pulled = cotangent_.line[i * cotangent_.step];
        if constexpr (kFactors) {
            // factors_[k] is the product of the entries before operand k, factors_[n + 1 + k] of those from
            // it on.
            const std::size_t n = places_.size();
            factors_[0] = pulled;
            factors_[2 * n + 1] = T(1);
            for (std::size_t k = 0; k < n; ++k) factors_[k + 1] = factors_[k] * entries_[k].at(i, numbers_);
            for (std::size_t k = n; k-- > 0;)
                factors_[n + 1 + k] = factors_[n + 2 + k] * entries_[k].at(i, numbers_);
            for (std::size_t k = 0; k < n; ++k)
                places_[k].at(i, numbers_) += factors_[k] * factors_[n + 2 + k];
        } else {
            for (const Side<T*>& place : places_) add_to(place.at(i, numbers_), pulled);
        }
    }

    /// The values of the contracted labels.
    void find_numbers(Index i) {
        if (digits_.size() == 1) {
            numbers_[0] = words_[0] ? words_[0]->line[i * words_[0]->step] : 0;
            return;
        }
        std::size_t word = SIZE_MAX;
        Index rest = 0;
        for (std::size_t k = 0; k < digits_.size(); ++k) {
            if (digits_[k].word != word) {
                word = digits_[k].word;
                const auto& side = words_[word];
                rest = side ? side->line[i * side->step] : 0;
            }
            numbers_[k] = rest % digits_[k].extent;
            rest /= digits_[k].extent;
        }
    }

    Executor& executor_;
    Dims shape_;
    Index length_ = 1;  ///< of a line, along the first axis
    Side<const T*> cotangent_;
    std::vector<Side<T*>> places_;
    std::vector<Side<const T*>> entries_;
    std::vector<std::optional<Side<const Index*>>> words_;
    std::vector<Digit> digits_;
    std::vector<Index> numbers_;
    std::vector<T> factors_, gathered_;
};

}  // namespace

std::vector<Tensor> scatter(const Problem& problem, const Numbering& numbering, const Words& winners,
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
    if (sums_no_terms(problem.network)) return gradients;
    visit(executor.algebra(), originals[0].dtype(), [&]<class T, Algebra kAlgebra>() {
        constexpr bool kFactors = kAlgebra == Algebra::MaxMul;
        Scatterer<T, kFactors>(problem, numbering, winners, cotangent, gradients, strides, executor).run();
    });
    return gradients;
}

}  // namespace tropical
