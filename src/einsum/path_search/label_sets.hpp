// LabelSets: sets of labels as words of bits, and how many elements a tensor with the labels of a set has.
#pragma once

#include <cstdint>
#include <vector>

#include "einsum/path_search/problem.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class LabelSets {
public:
    /// From the log2 of each label's extent.
    explicit LabelSets(const std::vector<double>& bits);

    /// Words that a set takes.
    [[nodiscard]] std::size_t words() const { return words_; }
    void insert(LabelId label, std::uint64_t* set) const {
        const std::size_t place = places_[index(label)];
        set[place / 64] |= std::uint64_t{1} << (place % 64);
    }
    /// Product of the extents, at most kLargestSize.
    [[nodiscard]] double size(const std::uint64_t* set) const;

private:
    /// Labels of one extent, in words of their own: they only need to be counted.
    struct Class {
        std::size_t begin, end;      ///< words
        std::vector<double> powers;  ///< of the extent
    };

    /// With more classes than this their words would be mostly empty; then labels lie side by side.
    static constexpr std::size_t kMostClasses = 8;

    std::size_t words_ = 1;
    std::vector<std::size_t> places_;  ///< by label
    std::vector<Class> classes_;
    std::vector<double> extents_;  ///< by place, where there are no classes
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
