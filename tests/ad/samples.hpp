// What the derivative suite checks: per operation of the table a list of samples, each a traced function of
// operands drawn where it is smooth, or a mark that says why it has no derivative. An operation that is in no
// list fails the suite.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tenferro/testing/gradcheck.hpp"

namespace tenferro::ad {

using gradcheck::Counts, gradcheck::Domain, gradcheck::Operand;
using gradcheck::kAboveOne, gradcheck::kAnywhere, gradcheck::kDirection, gradcheck::kDistinct,
    gradcheck::kPositive, gradcheck::kUnit;

/// Index operands.
inline Operand indices(Dims shape, std::vector<double> elements) {
    return {std::move(shape), {}, DType::I64, std::move(elements)};
}

using Operands = std::span<const TracedTensor>;

/// As gradcheck::Sample, with one result.
struct Sample {
    std::vector<Operand> operands;
    std::function<TracedTensor(Operands)> function;
    std::vector<Dims> other_shapes = {};
    bool symbolic = true;
};

struct Row {
    OpId op;
    std::vector<Sample> samples;
};

enum class NoDerivative {
    Inactive,     ///< the result is no number: its tangent is absent
    Unsupported,  ///< AdRuleUnsupported
    NotInGraph,   ///< no operation of the graph
};

struct Mark {
    OpId op;
    NoDerivative reason;
    /// Of one operand of shape [2, 3]; absent when not in the graph.
    std::function<TracedTensor(const TracedTensor&)> function;
};

/// One list per family.
const std::vector<Row>& elementwise_rows();
const std::vector<Row>& structural_rows();
const std::vector<Row>& contraction_rows();
const std::vector<Row>& reduction_rows();
const std::vector<Row>& regular_rows();
const std::vector<Row>& indexing_rows();
const std::vector<Mark>& marks();

}  // namespace tenferro::ad
