// The winners of an einsum: for every element of the result the first assignment of the contracted labels
// that attains it, as a number in mixed radix.
#pragma once

#include "problem.hpp"

namespace tropical {

/// Where the digit of a label is in the number of an assignment: words of less than 2^62 values each, since
/// networks have more assignments than an integer can count. Later words are more significant.
struct Digit {
    std::size_t word = 0;
    Index step = 1, extent = 1;
};

class Numbering {
public:
    explicit Numbering(const tensor_network::Network& network);

    [[nodiscard]] const tensor_network::LabelIds& labels() const noexcept { return labels_; }
    [[nodiscard]] const Digit& digit(tensor_network::LabelId label) const { return digits_[rank(label)]; }
    /// Position of a contracted label among all of them.
    [[nodiscard]] std::size_t rank(tensor_network::LabelId label) const {
        return ranks_[static_cast<std::size_t>(label)];
    }
    [[nodiscard]] std::size_t words() const noexcept { return words_; }

private:
    tensor_network::LabelIds labels_;
    std::vector<Digit> digits_;
    std::vector<std::size_t> ranks_;
    std::size_t words_ = 1;
};

/// A view and the memory that it lies in, if it is ours.
struct Held {
    std::shared_ptr<const Tensor> memory;
    TensorRead view;
};

/// The words of numbers, one for each element; absent where all are 0.
using Words = std::vector<std::optional<Held>>;

/// Values of the result and the numbers of their winners. The axes are the distinct labels of the output, in
/// order.
struct Winners {
    Held values;
    Words words;
};

[[nodiscard]] Winners find_winners(const Problem& problem, const Numbering& numbering, Executor& executor,
                                   const tensor_network::RunOptions& options);

/// The same numbers from slices: one run for each assignment of the sliced labels, one after the other.
[[nodiscard]] Words find_sliced_winners(const Problem& problem, const tensor_network::LabelIds& sliced,
                                        const Numbering& numbering, Executor& executor,
                                        const tensor_network::RunOptions& options);

/// The gradients: cotangents added up where the winners are. `cotangent` has the axes of `winners`.
[[nodiscard]] std::vector<Tensor> scatter(const Problem& problem, const Numbering& numbering,
                                          const Words& winners, const TensorRead& cotangent,
                                          std::span<const TensorRead> originals, Executor& executor);

}  // namespace tropical
