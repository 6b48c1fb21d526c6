// What commands say about tensors that they computed: their values where they are few, else the files that
// they are in.
#pragma once

#include <string>
#include <string_view>

#include "tenferro/base/json.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro::cli {

/// Up to this many elements are printed, as text and as JSON.
inline constexpr Index kMaxPrinted = 64, kMaxJson = Index{1} << 20;

/// Before anything is computed that could not be shown (InvalidArgument); `what` names it.
void expect_json_printable(Index elements, std::string_view command, std::string_view what);
/// dtype, shape, and either the file that the tensor was written to or, if that is empty, its values.
[[nodiscard]] Json tensor_json(const Tensor& tensor, const std::string& output);
/// A line of shape and dtype, and the values or how many they are.
[[nodiscard]] std::string tensor_text(const Tensor& tensor);

}  // namespace tenferro::cli
