// Putting texts together, in one place for all kinds of parts.
#include "tenferro/base/text.hpp"

#include <array>
#include <charconv>
#include <new>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tfe_detail {

void TextPart::append_to(std::string& out) const try {
    if (kind_ == Kind::Text) {
        out.append(text_);
        return;
    }
    std::array<char, 24> digits{};
    const auto end = kind_ == Kind::Negative
                         ? std::to_chars(digits.begin(), digits.end(), static_cast<std::int64_t>(number_))
                         : std::to_chars(digits.begin(), digits.end(), number_);
    out.append(digits.begin(), end.ptr);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("a text", out.size());
}

std::string joined(std::initializer_list<TextPart> parts) {
    std::string out;
    for (const TextPart& part : parts) part.append_to(out);
    return out;
}

}}}  // namespace tenferro::TENFERRO_ABI::tfe_detail
