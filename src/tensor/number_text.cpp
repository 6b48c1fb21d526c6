// The rules of number_text.hpp.
#include "tensor/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <string_view>

namespace tenferro { inline namespace TENFERRO_ABI { namespace print {

namespace {

/// Digits after the point, at most.
constexpr int kDecimals = 8;

/// The digits before and after the point, the sign with the first, and the exponent's digits with its sign.
struct NumberParts {
    std::string whole, fraction, exponent;
};

template <std::floating_point T>
std::string shortest(T value, std::chars_format form) {
    char buffer[400];
    return {buffer, std::to_chars(buffer, std::end(buffer), value, form).ptr};
}

NumberParts split(const std::string& number) {
    const std::size_t e = number.find('e');
    const std::string mantissa = number.substr(0, e);
    const std::size_t point = mantissa.find('.');
    NumberParts parts{mantissa.substr(0, point), point == std::string::npos ? "" : mantissa.substr(point + 1),
                      e == std::string::npos ? "" : number.substr(e + 1)};
    while (!parts.fraction.empty() && parts.fraction.back() == '0') parts.fraction.pop_back();
    return parts;
}

/// The shortest parts that read back as `value`, or those of kDecimals decimals where it has more.
template <std::floating_point T>
NumberParts parts_of(T value, std::chars_format form) {
    NumberParts parts = split(shortest(value, form));
    if (parts.fraction.size() > kDecimals) {
        char buffer[400];
        parts = split({buffer, std::to_chars(buffer, std::end(buffer), value, form, kDecimals).ptr});
    }
    return parts;
}

/// How the real numbers of one tensor are written.
template <std::floating_point T>
class RealFormat {
public:
    /// `plus`: positive numbers have a sign.
    RealFormat(const std::vector<T>& values, bool plus) : plus_(plus) {
        T largest = 0, smallest = 0;
        for (const T value : values) {
            const T size = std::fabs(value);
            if (!std::isfinite(value) || size == 0) continue;
            largest = std::max(largest, size);
            smallest = smallest == 0 ? size : std::min(smallest, size);
        }
        scientific_ = largest != 0 && (largest >= T(1e8) || smallest < T(1e-4) || largest / smallest > 1000);
        bool has_nan = false, has_infinity = false, has_negative_infinity = false;
        for (const T value : values) {
            has_nan = has_nan || std::isnan(value);
            has_infinity = has_infinity || std::isinf(value);
            has_negative_infinity = has_negative_infinity || (std::isinf(value) && value < 0);
            if (!std::isfinite(value)) continue;
            const NumberParts parts = signed_parts(value);
            left_ = std::max(left_, parts.whole.size());
            decimals_ = std::max(decimals_, parts.fraction.size());
            if (scientific_) exponent_ = std::max(exponent_, parts.exponent.size() - 1);
        }
        right_ = scientific_ ? exponent_ + 2 + decimals_ : decimals_;
        const std::size_t beside = right_ + 1;  // what stands right of the whole part
        const std::size_t infinity = has_infinity ? 3 + (plus_ || has_negative_infinity) : 0;
        const std::size_t word = std::max<std::size_t>(has_nan ? 3 : 0, infinity);
        if (word > beside) left_ = std::max(left_, word - beside);
    }

    [[nodiscard]] std::string operator()(T value) const {
        if (!std::isfinite(value)) {
            std::string word = std::isnan(value) ? "nan" : "inf";
            if (std::isinf(value) && value < 0)
                word = "-" + word;
            else if (plus_)
                word = "+" + word;
            const std::size_t width = left_ + right_ + 1;
            return std::string(width > word.size() ? width - word.size() : 0, ' ') + word;
        }
        NumberParts parts = signed_parts(value);
        std::string out = std::string(left_ - parts.whole.size(), ' ') + parts.whole + '.';
        parts.fraction.resize(decimals_, scientific_ ? '0' : ' ');
        out += parts.fraction;
        if (scientific_)
            out += std::string("e") + parts.exponent[0] +
                   std::string(exponent_ - (parts.exponent.size() - 1), '0') + parts.exponent.substr(1);
        return out;
    }

private:
    [[nodiscard]] NumberParts signed_parts(T value) const {
        NumberParts parts =
            parts_of(value, scientific_ ? std::chars_format::scientific : std::chars_format::fixed);
        if (plus_ && parts.whole[0] != '-') parts.whole = "+" + parts.whole;
        return parts;
    }

    bool plus_, scientific_ = false;
    std::size_t left_ = 0, decimals_ = 0, exponent_ = 0, right_ = 0;
};

template <std::floating_point T>
std::vector<std::string> real_texts(const std::vector<T>& values) {
    const RealFormat<T> format(values, false);
    std::vector<std::string> texts;
    for (const T value : values) texts.push_back(format(value));
    return texts;
}

template <std::floating_point T>
std::vector<std::string> complex_texts(const std::vector<std::complex<T>>& values) {
    std::vector<T> re, im;
    for (const std::complex<T>& value : values) {
        re.push_back(value.real());
        im.push_back(value.imag());
    }
    const RealFormat<T> real_format(re, false), imag_format(im, true);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::string imaginary = imag_format(im[i]);
        imaginary.insert(imaginary.find_last_not_of(' ') + 1, "j");
        texts.push_back(real_format(re[i]) + imaginary);
    }
    return texts;
}

std::vector<std::string> right_aligned(std::vector<std::string> texts) {
    std::size_t width = 0;
    for (const std::string& text : texts) width = std::max(width, text.size());
    for (std::string& text : texts) text.insert(0, width - text.size(), ' ');
    return texts;
}

template <std::integral T>
std::vector<std::string> integer_texts(const std::vector<T>& values) {
    std::vector<std::string> texts;
    for (const T value : values) texts.push_back(std::to_string(value));
    return right_aligned(std::move(texts));
}

/// With at least `decimals` decimals.
template <std::floating_point T>
std::string lone_text(T value, std::size_t decimals) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    const T size = std::fabs(value);
    const bool plain = size == 0 || (size >= T(1e-4) && size < T(1e16));
    NumberParts parts =
        split(shortest(value, plain ? std::chars_format::fixed : std::chars_format::scientific));
    if (plain && parts.fraction.size() < decimals) parts.fraction.resize(decimals, '0');
    return parts.whole + (parts.fraction.empty() ? "" : "." + parts.fraction) +
           (plain ? "" : "e" + parts.exponent);
}

template <std::floating_point T>
std::string lone_complex(std::complex<T> value) {
    const std::string imaginary = lone_text(value.imag(), 0) + "j";
    if (value.real() == 0 && !std::signbit(value.real())) return imaginary;
    return "(" + lone_text(value.real(), 0) + (imaginary[0] == '-' ? "" : "+") + imaginary + ")";
}

}  // namespace

std::vector<std::string> texts_of(const std::vector<float>& values) { return real_texts(values); }
std::vector<std::string> texts_of(const std::vector<double>& values) { return real_texts(values); }
std::vector<std::string> texts_of(const std::vector<std::complex<float>>& values) {
    return complex_texts(values);
}
std::vector<std::string> texts_of(const std::vector<std::complex<double>>& values) {
    return complex_texts(values);
}
std::vector<std::string> texts_of(const std::vector<std::int32_t>& values) { return integer_texts(values); }
std::vector<std::string> texts_of(const std::vector<std::int64_t>& values) { return integer_texts(values); }
std::vector<std::string> texts_of(const std::vector<bool>& values) {
    std::vector<std::string> texts;
    for (const bool value : values) texts.emplace_back(value ? " True" : "False");
    return texts;
}

std::string text_of(float value) { return lone_text(value, 1); }
std::string text_of(double value) { return lone_text(value, 1); }
std::string text_of(std::complex<float> value) { return lone_complex(value); }
std::string text_of(std::complex<double> value) { return lone_complex(value); }
std::string text_of(std::int32_t value) { return std::to_string(value); }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "True" : "False"; }

}}}  // namespace tenferro::TENFERRO_ABI::print
