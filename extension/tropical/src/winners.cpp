// One run of a network that carries, beside the values of every intermediate, the number of the assignment
// that each element comes from. The number of a whole is the sum of those of its parts, so the least number
// of a whole is found step by step: among the terms of a contraction that are equal to its result, the one
// whose sum of numbers is least.
#include "winners.hpp"

#include <algorithm>
#include <cstring>

#include <tenferro/einsum/rearrange.hpp>

#include "arithmetic.hpp"
#include "select.hpp"
#include "two_level.hpp"

namespace tropical {

Numbering::Numbering(const tensor_network::Network& network)
    : labels_(contracted_labels(network)), ranks_(network.extents.size(), 0) {
    constexpr Index kMost = Index{1} << 62;
    Index size = 1;
    for (const tensor_network::LabelId label : labels_) {
        const Index extent = std::max<Index>(network.extents[static_cast<std::size_t>(label)], 1);
        if (size > kMost / extent) {
            ++words_;
            size = 1;
        }
        ranks_[static_cast<std::size_t>(label)] = digits_.size();
        digits_.push_back({words_ - 1, size, extent});
        size *= extent;
    }
}

namespace {

using tensor_network::LabelId;
using tensor_network::LabelIds;
using tensor_network::Step;

bool all_absent(const Words& words) {
    return std::none_of(words.begin(), words.end(), [](const auto& word) { return word.has_value(); });
}

/// A slot of the program: values and numbers on the same axes.
struct Node {
    Held values;
    Words words;

    /// The same elements seen another way.
    template <class See>
    [[nodiscard]] Node seen(const See& see) const {
        Node result{{values.memory, see(values.view)}, {}};
        for (const auto& word : words)
            result.words.push_back(word ? std::optional(Held{word->memory, see(word->view)}) : std::nullopt);
        return result;
    }
};

Held hold(Tensor&& tensor) {
    auto memory = std::make_shared<const Tensor>(std::move(tensor));
    TensorRead view = memory->read();
    return {std::move(memory), std::move(view)};
}

/// A contraction as matrices: its contracted axes in the order in which their labels count.
struct Matrices {
    DotGeneralConfig config;
    Dims lhs_free, rhs_free;
    Index rows, columns, depth, batch;

    Matrices(const TensorRead& lhs, const TensorRead& rhs, DotGeneralConfig sorted)
        : config(std::move(sorted)),
          lhs_free(free_axes(lhs.rank(), config.lhs_contract, config.lhs_batch)),
          rhs_free(free_axes(rhs.rank(), config.rhs_contract, config.rhs_batch)),
          rows(extent(lhs, lhs_free)),
          columns(extent(rhs, rhs_free)),
          depth(extent(lhs, config.lhs_contract)),
          batch(extent(lhs, config.lhs_batch)) {}

    /// With the axes in this order and compact: a copy where it is not so already.
    static Held compact(BackendSession& session, const TensorRead& view, const Dims& first,
                        const Dims& second, const Dims& third) {
        TensorRead turned = view.transpose_view(joined(first, second, third));
        if (turned.strides() == column_major_strides(turned.shape())) return {nullptr, std::move(turned)};
        return hold(session.to_contiguous_read(turned));
    }
    /// The same for what is held, whose axes stay in their order.
    static void make_compact(BackendSession& session, Held& held, const Dims& first, const Dims& second,
                             const Dims& third) {
        const Dims axes = joined(first, second, third);
        Held made = compact(session, held.view, first, second, third);
        if (made.memory == nullptr) return;
        held = {std::move(made.memory), made.view.transpose_view(inverse_permutation(axes))};
    }

private:
    static Dims joined(const Dims& first, const Dims& second, const Dims& third) {
        Dims axes = first;
        for (const Dims* more : {&second, &third})
            for (const Index axis : *more) axes.push_back(axis);
        return axes;
    }
    static Index extent(const TensorRead& view, const Dims& axes) {
        Index product = 1;
        for (const Index axis : axes) product *= view.shape()[static_cast<std::size_t>(axis)];
        return product;
    }
};

class Run {
public:
    Run(const Problem& problem, const Numbering& numbering, Executor& executor,
        const tensor_network::Program& program)
        : problem_(problem), numbering_(numbering), executor_(executor) {
        slots_.resize(static_cast<std::size_t>(program.slots));
        for (std::size_t i = 0; i < problem.operands.size(); ++i)
            slots_[i] = Node{{nullptr, problem.operands[i]}, Words(numbering.words())};
    }

    void step(const Step& step) {
        slots_[index(step.out)] =
            step.kind == tensor_network::StepKind::Rearrange ? rearranged(step) : contracted(step);
        for (const int slot : step.released) slots_[index(slot)].reset();
    }
    [[nodiscard]] Node take(int slot) { return std::move(*slots_[index(slot)]); }

private:
    static std::size_t index(int slot) { return static_cast<std::size_t>(slot); }

    /// A node on its way through a Rearrange step.
    struct Rearranged {
        Run& run;
        Node node;
        LabelIds labels;

        void extract_diagonal(Index first, Index second) {
            node = node.seen([&](const TensorRead& view) { return view.diagonal_view(first, second); });
            labels.erase(labels.begin() + second);
        }
        void sum(const Dims& axes) {
            Dims extents, all;
            for (const Index axis : axes) {
                all.push_back(static_cast<Index>(extents.size()));
                extents.push_back(node.values.view.shape()[static_cast<std::size_t>(axis)]);
            }
            Node ones{{nullptr, run.executor_.one().broadcast_view(extents, {})},
                      Words(run.numbering_.words())};
            node = run.product(node, ones, {axes, all, {}, {}}, labels);
            for (std::size_t i = axes.size(); i-- > 0;) labels.erase(labels.begin() + axes[i]);
        }
        void arrange(const LabelIds& distinct, const Dims& target) {
            Dims shape;
            for (const LabelId label : distinct)
                shape.push_back(run.problem_.network.extents[static_cast<std::size_t>(label)]);
            node = node.seen([&](const TensorRead& view) { return view.broadcast_view(shape, target); });
        }
        /// Only outputs have one, and only the diagonal has winners.
        void embed_diagonal(Index, Index) {}
    };

    Node rearranged(const Step& step) {
        Rearranged result{*this, std::move(*slots_[index(step.lhs)]), step.lhs_labels};
        tensor_network::rearrange(result, step.lhs_labels, step.out_labels);
        return std::move(result.node);
    }

    Node contracted(const Step& step) {
        const Node result =
            product(*slots_[index(step.lhs)], *slots_[index(step.rhs)], step.config, step.lhs_labels);
        if (step.result_axes.empty()) return result;
        const Dims perm = inverse_permutation(step.result_axes);
        return result.seen([&](const TensorRead& view) { return view.transpose_view(perm); });
    }

    /// A contraction; `labels` are those of the axes of `lhs`.
    /// Operands may be left with another layout.
    Node product(Node& lhs, Node& rhs, const DotGeneralConfig& config, const LabelIds& labels) {
        const Matrices matrices(lhs.values.view, rhs.values.view, in_order(config, labels));
        Tensor out = executor_.allocate(
            lhs.values.view.dtype(),
            dot_general_shape(lhs.values.view.shape(), rhs.values.view.shape(), matrices.config));
        std::vector<Digit> digits;
        for (const Index axis : matrices.config.lhs_contract)
            digits.push_back(numbering_.digit(labels[static_cast<std::size_t>(axis)]));
        const bool plain = all_absent(lhs.words) && all_absent(rhs.words);
        if (plain && prefers_two_levels(matrices.rows, matrices.columns, matrices.depth)) {
            if (auto words = two_levels(lhs, rhs, matrices, digits, out))
                return {hold(std::move(out)), std::move(*words)};
        }
        executor_.contract(lhs.values.view, rhs.values.view, matrices.config, out.write());
        Words words = plain ? first_equal(lhs, rhs, matrices, digits, out)
                            : least_equal(lhs, rhs, matrices, digits, out);
        return {hold(std::move(out)), std::move(words)};
    }

    /// The same config with its contracted axes in the order in which their labels count.
    [[nodiscard]] DotGeneralConfig in_order(const DotGeneralConfig& config, const LabelIds& labels) const {
        std::vector<std::size_t> order(config.lhs_contract.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        const auto rank = [&](std::size_t i) {
            return numbering_.rank(labels[static_cast<std::size_t>(config.lhs_contract[i])]);
        };
        std::sort(order.begin(), order.end(),
                  [&](std::size_t i, std::size_t k) { return rank(i) < rank(k); });
        DotGeneralConfig sorted{{}, {}, config.lhs_batch, config.rhs_batch};
        for (const std::size_t i : order) {
            sorted.lhs_contract.push_back(config.lhs_contract[i]);
            sorted.rhs_contract.push_back(config.rhs_contract[i]);
        }
        return sorted;
    }

    /// Where the operands have no numbers of their own: the engine finds the first term.
    Words first_equal(const Node& lhs, const Node& rhs, const Matrices& matrices,
                      const std::vector<Digit>& digits, const Tensor& out) {
        if (digits.empty() || out.size() == 0) return Words(numbering_.words());
        Tensor first = executor_.allocate(DType::I64, out.shape());
        cpu::contract_winners(executor_.table(), lhs.values.view, rhs.values.view, matrices.config, out,
                              first.write(), executor_.context());
        return numbered(std::move(first), digits);
    }

    /// The same together with the result; nothing where that does not pay.
    std::optional<Words> two_levels(const Node& lhs, const Node& rhs, const Matrices& matrices,
                                    const std::vector<Digit>& digits, Tensor& out) {
        const DotGeneralConfig& config = matrices.config;
        const Dims result{matrices.rows, matrices.columns, matrices.batch};
        const Held left = matrices.compact(executor_.session(), lhs.values.view, config.lhs_contract,
                                           matrices.lhs_free, config.lhs_batch),
                   right = matrices.compact(executor_.session(), rhs.values.view, config.rhs_contract,
                                            matrices.rhs_free, config.rhs_batch);
        Tensor first = executor_.allocate(DType::I64, out.shape());
        if (!multiply_two_levels(executor_,
                                 left.view.reshape_view({matrices.depth, matrices.rows, matrices.batch}),
                                 right.view.reshape_view({matrices.depth, matrices.columns, matrices.batch}),
                                 out.write().reshape_view(result), first.write().reshape_view(result)))
            return std::nullopt;
        return numbered(std::move(first), digits);
    }

    static bool has_word(const std::vector<Digit>& digits, std::size_t word) {
        return std::any_of(digits.begin(), digits.end(), [=](const Digit& d) { return d.word == word; });
    }

    /// From positions among the terms of one contraction to numbers of assignments.
    Words numbered(Tensor&& positions, const std::vector<Digit>& digits) {
        Words words(numbering_.words());
        bool consecutive = digits[0].step == 1;
        for (std::size_t i = 1; i < digits.size(); ++i)
            consecutive = consecutive && digits[i].word == digits[0].word &&
                          digits[i].step == digits[i - 1].step * digits[i - 1].extent;
        if (consecutive) {
            words[digits[0].word] = hold(std::move(positions));
            return words;
        }
        const Index* const from = positions.data_as<Index>();
        for (std::size_t w = 0; w < words.size(); ++w) {
            if (!has_word(digits, w)) continue;
            Tensor made = executor_.allocate(DType::I64, positions.shape());
            Index* const to = made.write().data_as<Index>();
            for (Index i = 0; i < positions.size(); ++i) to[i] = number(from[i], digits, w);
            words[w] = hold(std::move(made));
        }
        return words;
    }

    /// A word of the number of a term of one contraction.
    static Index number(Index position, const std::vector<Digit>& digits, std::size_t word) {
        Index sum = 0;
        for (const Digit& digit : digits) {
            if (digit.word == word) sum += position % digit.extent * digit.step;
            position /= digit.extent;
        }
        return sum;
    }

    /// Where they have: the terms equal to the result are compared by their numbers.
    Words least_equal(Node& lhs, Node& rhs, const Matrices& matrices, const std::vector<Digit>& digits,
                      const Tensor& out) {
        Words words(numbering_.words());
        std::vector<std::size_t> present;
        for (std::size_t w = 0; w < words.size(); ++w)
            if (lhs.words[w] || rhs.words[w] || has_word(digits, w)) present.push_back(w);
        const DotGeneralConfig& config = matrices.config;
        // A copy takes the place of what it is made from, so that only one is in passing.
        const auto of_lhs = [&](Held& held) {
            matrices.make_compact(executor_.session(), held, matrices.lhs_free, config.lhs_contract,
                                  config.lhs_batch);
            return held.view.data();
        };
        const auto of_rhs = [&](Held& held) {
            matrices.make_compact(executor_.session(), held, config.rhs_contract, matrices.rhs_free,
                                  config.rhs_batch);
            return held.view.data();
        };
        Selection selection;
        selection.rows = matrices.rows;
        selection.columns = matrices.columns;
        selection.depth = matrices.depth;
        selection.batch = matrices.batch;
        selection.lhs = of_lhs(lhs.values);
        selection.rhs = of_rhs(rhs.values);
        selection.result = out.data();
        std::vector<Tensor> made;
        for (const std::size_t w : present) {
            made.push_back(executor_.session().zeros(DType::I64, out.shape()));
            SelectionWord word;
            if (lhs.words[w]) word.lhs = static_cast<const Index*>(of_lhs(*lhs.words[w]));
            if (rhs.words[w]) word.rhs = static_cast<const Index*>(of_rhs(*rhs.words[w]));
            for (Index k = 0; k < matrices.depth; ++k) word.terms.push_back(number(k, digits, w));
            word.out = made.back().write().data_as<Index>();
            selection.words.push_back(std::move(word));
        }
        select(executor_.algebra(), out.dtype(), selection, executor_.context());
        for (std::size_t i = 0; i < present.size(); ++i) words[present[i]] = hold(std::move(made[i]));
        return words;
    }

    const Problem& problem_;
    const Numbering& numbering_;
    Executor& executor_;
    std::vector<std::optional<Node>> slots_;
};

}  // namespace

Winners find_winners(const Problem& problem, const Numbering& numbering, Executor& executor,
                     const tensor_network::RunOptions& options) {
    const tensor_network::Program program = tensor_network::lower(problem.network, problem.tree);
    Run run(problem, numbering, executor, program);
    std::size_t done = 0;
    const auto tell = [&] {
        if (options.progress != nullptr) (*options.progress)(done, program.steps.size());
    };
    tell();
    for (const Step& step : program.steps) {
        options.cancellation.check("tropical einsum");
        run.step(step);
        ++done;
        tell();
    }
    Node root = run.take(program.outputs[0]);
    return {std::move(root.values), std::move(root.words)};
}

}  // namespace tropical
