// Operands from .npy files and results to them, with progress on a terminal and nothing left behind by an
// interrupt.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::cli {

/// One tensor per file, "-" for standard input (once). Throws DTypeMismatch naming two files that differ.
[[nodiscard]] std::vector<Tensor> load_operands(const std::vector<std::string>& files);

/// Writes a .npy file that appears whole or not at all.
void save_result(const std::string& file, const Tensor& result);
/// Several, of which none appears unless all can be written.
struct NamedTensor {
    std::string file;
    const Tensor* tensor;
};
void save_results(std::span<const NamedTensor> results);

}  // namespace tenferro::cli
