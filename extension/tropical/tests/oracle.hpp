// Tropical einsums and their gradients by looking at every assignment of the labels: what the library must
// give. Labels are ASCII letters, one per axis.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tenferro/tensor/tensor.hpp>
#include <vector>

#include "tenferro_ext_tropical/algebra.hpp"

namespace oracle {

using tenferro::Dims;
using tenferro::Index;
using tropical::Algebra;

template <class T>
T times(Algebra algebra, T a, T b) {
    if (algebra == Algebra::MaxMul) return a * b;
    if constexpr (std::is_integral_v<T>) {
        const T zero = tropical::zero_of<T>(algebra);
        if (a == zero || b == zero) return zero;
        if (b > 0 && a > std::numeric_limits<T>::max() - b) return std::numeric_limits<T>::max();
        if (b < 0 && a < std::numeric_limits<T>::min() - b) return std::numeric_limits<T>::min();
    }
    return a + b;
}

template <class T>
bool same(T x, T y) {
    return x == y || (x != x && y != y);
}

/// Column-major.
template <class T>
struct Array {
    Dims shape;
    std::vector<T> data;
    Index size() const {
        Index count = 1;
        for (const Index extent : shape) count *= extent;
        return count;
    }
};

struct Strings {
    std::vector<std::string> inputs;
    std::string output;
    /// Labels that the output does not have, in order of first appearance.
    std::string contracted() const {
        std::string labels;
        for (const std::string& input : inputs)
            for (const char label : input)
                if (output.find(label) == std::string::npos && labels.find(label) == std::string::npos)
                    labels += label;
        return labels;
    }
    std::string text() const {
        std::string all;
        for (const std::string& input : inputs) all += (&input == &inputs[0] ? "" : ",") + input;
        return all + "->" + output;
    }
};

template <class T>
struct Answer {
    Array<T> result;
    std::vector<Array<T>> gradients;
};

/// The result, and the gradients for a cotangent in the result's shape.
template <class T>
Answer<T> einsum(Algebra algebra, const Strings& strings, const std::vector<Array<T>>& operands,
                 const std::vector<T>& cotangent) {
    Index extent[128] = {};
    for (std::size_t i = 0; i < operands.size(); ++i)
        for (std::size_t axis = 0; axis < operands[i].shape.size(); ++axis)
            extent[static_cast<int>(strings.inputs[i][axis])] = operands[i].shape[axis];
    Answer<T> answer;
    std::string outer;
    for (const char label : strings.output) {
        answer.result.shape.push_back(extent[static_cast<int>(label)]);
        if (outer.find(label) == std::string::npos) outer += label;
    }
    answer.result.data.assign(static_cast<std::size_t>(answer.result.size()), tropical::zero_of<T>(algebra));
    for (const Array<T>& operand : operands)
        answer.gradients.push_back({operand.shape, std::vector<T>(operand.data.size(), T(0))});
    const std::string contracted = strings.contracted();
    Index value[128] = {};
    const auto offset = [&](const std::string& labels) {
        Index place = 0, step = 1;
        for (const char label : labels) {
            place += value[static_cast<int>(label)] * step;
            step *= extent[static_cast<int>(label)];
        }
        return static_cast<std::size_t>(place);
    };
    const auto set = [&](const std::string& labels, Index number) {
        for (const char label : labels) {
            value[static_cast<int>(label)] = number % extent[static_cast<int>(label)];
            number /= extent[static_cast<int>(label)];
        }
    };
    Index outside = 1, inside = 1;
    for (const char label : outer) outside *= extent[static_cast<int>(label)];
    for (const char label : contracted) inside *= extent[static_cast<int>(label)];
    for (Index o = 0; o < outside; ++o) {
        set(outer, o);
        T best{};
        Index winner = -1;
        for (Index i = 0; i < inside; ++i) {
            set(contracted, i);
            T term = tropical::one_of<T>(algebra);
            for (std::size_t k = 0; k < operands.size(); ++k) {
                const T entry = operands[k].data[offset(strings.inputs[k])];
                term = k == 0 ? entry : times(algebra, term, entry);
            }
            const bool better = algebra == Algebra::MinPlus ? term < best : term > best;
            if (winner < 0 || (best == best && (better || term != term))) {
                best = term;
                winner = i;
            }
        }
        if (winner < 0) continue;
        if (best == tropical::zero_of<T>(algebra)) winner = 0;
        set(contracted, winner);
        const std::size_t at = offset(strings.output);
        answer.result.data[at] = best;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            T share = cotangent[at];
            if (algebra == Algebra::MaxMul)
                for (std::size_t other = 0; other < operands.size(); ++other)
                    if (other != k) share *= operands[other].data[offset(strings.inputs[other])];
            answer.gradients[k].data[offset(strings.inputs[k])] += share;
        }
    }
    return answer;
}

}  // namespace oracle
