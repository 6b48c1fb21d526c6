// The names of element types on the command line and in network files: ours and NumPy's.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro::cli {

/// NumPy's name of every row of kDTypes; ours is in the row.
inline constexpr std::array<std::string_view, kDTypes.size()> kNumPyNames{
    "float32", "float64", "complex64", "complex128", "int32", "int64", "bool"};

/// By either name.
[[nodiscard]] constexpr std::optional<DType> dtype_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i < kDTypes.size(); ++i)
        if (name == kDTypes[i].name || name == kNumPyNames[i]) return kDTypes[i].dtype;
    return std::nullopt;
}

}  // namespace tenferro::cli
