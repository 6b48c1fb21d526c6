// Subscripts: construction from text or integers and the way back to text.
#include "tenferro/einsum/subscripts.hpp"

#include <algorithm>
#include <new>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "einsum/subscripts/labels.hpp"
#include "einsum/subscripts/subscripts_parser.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/base/utf8.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

[[noreturn]] void fail(std::string_view message) {
    throw Error(ErrorKind::InvalidArgument, "einsum", message);
}

/// The labels of one interleaved term; `term` names it in messages.
std::vector<Label> labels_of(std::span<const int> indices, const std::string& term) {
    std::vector<Label> labels;
    labels.reserve(indices.size());
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
        const int index = indices[axis];
        const auto label = index == kInterleavedEllipsis ? kEllipsis
                           : index < 0                   ? std::nullopt
                                                         : label_of_index(index);
        if (!label)
            fail(text(term, " has ", index, " as label ", axis, ", which is ",
                      index < 0 ? "negative" : "too large"));
        labels.push_back(*label);
    }
    if (std::count(labels.begin(), labels.end(), kEllipsis) > 1)
        fail(text(term, " has more than one ellipsis"));
    return labels;
}

void append_labels(std::string& out, const std::vector<Label>& labels) {
    for (const Label label : labels) label == kEllipsis ? void(out += "...") : utf8::append(out, label);
}

/// How many parentheses open before and close after each operand.
struct Parentheses {
    std::vector<std::size_t> opening, closing;
};

Parentheses parentheses_of(const std::vector<std::vector<int>>& groups, std::size_t operands) {
    Parentheses parentheses{std::vector<std::size_t>(operands), std::vector<std::size_t>(operands)};
    std::vector<std::pair<std::size_t, std::size_t>> spans;  // first and last operand of each group
    spans.reserve(groups.size());
    for (const auto& members : groups) {
        const auto span_of = [&](int member) {
            const auto m = static_cast<std::size_t>(member);
            return m < operands ? std::pair(m, m) : spans[m - operands];
        };
        spans.emplace_back(span_of(members.front()).first, span_of(members.back()).second);
        ++parentheses.opening[spans.back().first];
        ++parentheses.closing[spans.back().second];
    }
    return parentheses;
}

}  // namespace

Subscripts Subscripts::parse(std::string_view text, Dialect dialect) try {
    ParsedSubscripts parsed = parse_subscripts(text, dialect);
    Subscripts result;
    result.dialect_ = dialect;
    result.inputs_ = std::move(parsed.inputs);
    result.output_ = std::move(parsed.output);
    result.groups_ = std::move(parsed.groups);
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

Subscripts Subscripts::interleaved(std::span<const std::vector<int>> inputs,
                                   const std::optional<std::vector<int>>& output) try {
    if (inputs.empty()) fail("at least one operand is needed");
    Subscripts result;
    result.dialect_ = Dialect::NumPy;
    result.inputs_.reserve(inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k)
        result.inputs_.push_back(labels_of(inputs[k], text("operand ", k)));
    if (!output) {
        result.output_ = implicit_output(result.inputs_, LabelOrder::Index);
        return result;
    }
    result.output_ = labels_of(*output, "the output");
    std::unordered_set<Label> known;
    for (const auto& labels : result.inputs_) known.insert(labels.begin(), labels.end());
    for (std::size_t axis = 0; axis < output->size(); ++axis) {
        if (result.output_[axis] != kEllipsis && known.count(result.output_[axis]) == 0)
            fail(text("output label ", (*output)[axis], " is in no operand"));
    }
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

Subscripts Subscripts::from_labels(std::span<const std::span<const std::int32_t>> inputs,
                                   std::span<const std::int32_t> output) try {
    if (inputs.empty()) fail("at least one operand is needed");
    Subscripts result;
    std::unordered_map<std::int32_t, Label> names;
    for (const std::span<const std::int32_t> input : inputs) {
        std::vector<Label>& labels = result.inputs_.emplace_back();
        for (const std::int32_t number : input) {
            const auto [known, fresh] = names.try_emplace(number);
            if (fresh) {
                const auto name = label_of_index(static_cast<int>(names.size()) - 1);
                if (!name) fail(text("there are more than ", names.size() - 1, " labels"));
                known->second = *name;
            }
            labels.push_back(known->second);
        }
    }
    for (const std::int32_t number : output) {
        const auto known = names.find(number);
        if (known == names.end()) fail(text("output label ", number, " is in no operand"));
        result.output_.push_back(known->second);
    }
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

std::string Subscripts::to_string() const try {
    const Parentheses parentheses = parentheses_of(groups_, inputs_.size());
    std::string out;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
        if (k > 0) out += ',';
        out.append(parentheses.opening[k], '(');
        append_labels(out, inputs_[k]);
        out.append(parentheses.closing[k], ')');
    }
    out += "->";
    append_labels(out, output_);
    return out;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
