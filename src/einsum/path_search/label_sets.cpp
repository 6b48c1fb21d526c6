// Labels of most networks have few different extents. Counting bits has no branches that depend on the set,
// and takes many words at once; multiplying extents takes a step, badly foreseen, for each label.
#include "einsum/path_search/label_sets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// How many bits are set in each byte of a word, in that byte.
std::uint64_t counts_of_bytes(std::uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555;
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
    return (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

std::size_t sum_of_bytes(std::uint64_t bytes) {
    constexpr std::uint64_t kEven = 0x00ff00ff00ff00ff;
    return ((bytes & kEven) + ((bytes >> 8) & kEven)) * 0x0001000100010001 >> 48;
}

std::size_t count_bits(const std::uint64_t* begin, const std::uint64_t* end) {
    constexpr std::ptrdiff_t kAtOnce = 31;  // words whose bytes cannot overflow
    std::size_t count = 0;
    while (begin != end) {
        std::uint64_t bytes = 0;
        for (const auto* stop = begin + std::min(end - begin, kAtOnce); begin != stop; ++begin)
            bytes += counts_of_bytes(*begin);
        count += sum_of_bytes(bytes);
    }
    return count;
}

}  // namespace

LabelSets::LabelSets(const std::vector<double>& bits) : places_(bits.size()) {
    std::map<double, std::vector<std::size_t>> alike;
    for (std::size_t label = 0; label < bits.size(); ++label) alike[bits[label]].push_back(label);
    const bool classed = alike.size() <= kMostClasses;
    std::size_t next = 0;
    for (const auto& [bits_of_each, labels] : alike) {
        const double extent = std::exp2(bits_of_each);
        if (classed) {
            next = (next + 63) / 64 * 64;
            Class made{next / 64, (next + labels.size() + 63) / 64, {1}};
            for (std::size_t i = 0; i < labels.size(); ++i)
                made.powers.push_back(std::min(made.powers.back() * extent, kLargestSize));
            classes_.push_back(std::move(made));
        } else {
            extents_.insert(extents_.end(), labels.size(), extent);
        }
        for (const std::size_t label : labels) places_[label] = next++;
    }
    words_ = next / 64 + 1;
}

double LabelSets::size(const std::uint64_t* set) const {
    double size = 1;
    for (const Class& labels : classes_)
        size *= labels.powers[count_bits(set + labels.begin, set + labels.end)];
    if (classes_.empty())
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t left = set[w]; left != 0; left &= left - 1)
                size *= extents_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
    return std::min(size, kLargestSize);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
