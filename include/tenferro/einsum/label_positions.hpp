// LabelPositions: where each label first stands in a list. Short lists are searched, long ones hashed, so
// that tensors of a hundred thousand axes cost time in proportion.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "tenferro/einsum/network.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class LabelPositions {
public:
    /// Keeps a reference to `labels`.
    explicit LabelPositions(const LabelIds& labels) : labels_(labels) {
        constexpr std::size_t kShort = 32;
        if (labels.size() <= kShort) return;
        first_.reserve(labels.size());
        for (std::size_t i = 0; i < labels.size(); ++i) first_.try_emplace(labels[i], static_cast<Index>(i));
    }
    explicit LabelPositions(LabelIds&&) = delete;

    /// The first position of `label`, or -1.
    [[nodiscard]] Index operator[](LabelId label) const {
        if (!first_.empty()) {
            const auto found = first_.find(label);
            return found == first_.end() ? -1 : found->second;
        }
        const auto found = std::find(labels_.begin(), labels_.end(), label);
        return found == labels_.end() ? -1 : found - labels_.begin();
    }
    [[nodiscard]] bool contains(LabelId label) const { return (*this)[label] >= 0; }

private:
    const LabelIds& labels_;
    std::unordered_map<LabelId, Index> first_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
