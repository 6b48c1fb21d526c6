// The label alphabet, its numbering and implicit outputs.
#include "einsum/subscripts/labels.hpp"

#include <algorithm>
#include <new>
#include <unordered_map>

#include "tenferro/base/error.hpp"
#include "tenferro/base/utf8.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

constexpr int kLetters = 26;
constexpr int kFirstBeyondAscii = 2 * kLetters;  // becomes U+00C0
constexpr int kShift = 0xC0 - kFirstBeyondAscii;
constexpr int kSurrogates = 0x800, kFirstSurrogate = 0xD800, kLastCodePoint = 0x10FFFF;

bool is_lower(Label label) noexcept { return label >= U'a' && label <= U'z'; }

/// Lower case letters come before upper case ones in the interleaved numbering; the rest is in code point
/// order.
bool index_less(Label a, Label b) noexcept { return is_lower(a) == is_lower(b) ? a < b : is_lower(a); }

}  // namespace

bool is_label(char32_t c) noexcept {
    return is_lower(c) || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9') || c >= 0xC0;
}

std::optional<Label> label_of_index(int index) noexcept {
    if (index < kLetters) return U'a' + static_cast<Label>(index);
    if (index < kFirstBeyondAscii) return U'A' + static_cast<Label>(index - kLetters);
    if (index > kLastCodePoint - kSurrogates - kShift) return std::nullopt;
    const int code_point = index + kShift;
    return static_cast<Label>(code_point < kFirstSurrogate ? code_point : code_point + kSurrogates);
}

std::vector<Label> implicit_output(const std::vector<std::vector<Label>>& inputs, LabelOrder order) {
    std::unordered_map<Label, std::size_t> uses;
    for (const auto& labels : inputs)
        for (const Label label : labels) ++uses[label];

    std::vector<Label> output;
    if (uses.erase(kEllipsis) > 0) output.push_back(kEllipsis);
    const auto named = static_cast<std::ptrdiff_t>(output.size());
    for (const auto& [label, count] : uses)
        if (count == 1) output.push_back(label);
    if (order == LabelOrder::CodePoint)
        std::sort(output.begin() + named, output.end());
    else
        std::sort(output.begin() + named, output.end(), index_less);
    return output;
}

std::string label_text(Label label) try {
    if (label == kEllipsis) return "...";
    std::string out;
    utf8::append(out, label);
    return out;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
