// Texts of numbers in a printed tensor, by NumPy's rules (numpy/_core/arrayprint.py): all of a dtype are of
// one width, real ones aligned at the point, and all in scientific form where a plain one would be long.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace print {

// One text per value, all as wide.
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<float>& values);
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<double>& values);
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<std::complex<float>>& values);
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<std::complex<double>>& values);
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<std::int32_t>& values);
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<std::int64_t>& values);
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<bool>& values);

// A number on its own: the shortest text that reads back as the same.
[[nodiscard]] std::string text_of(float value);
[[nodiscard]] std::string text_of(double value);
[[nodiscard]] std::string text_of(std::complex<float> value);
[[nodiscard]] std::string text_of(std::complex<double> value);
[[nodiscard]] std::string text_of(std::int32_t value);
[[nodiscard]] std::string text_of(std::int64_t value);
[[nodiscard]] std::string text_of(bool value);

}}}  // namespace tenferro::TENFERRO_ABI::print
