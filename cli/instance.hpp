// Tensor network instances: JSON files of the public einsum benchmarks with subscripts, shapes, a dtype and
// contraction paths. Keys that are not listed here are ignored.
//
//   name                    text                            optional
//   format_string           subscripts, NumPy axis order    with shapes
//   format_string_colmajor  the same tensors, axes reversed with shapes_colmajor
//   dtype                   f32 f64 c32 c64 or NumPy's names of them (f64 when absent)
//   paths.NAME.path         steps as positions in a shrinking list; NAME is opt_flops, opt_size, …
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenferro/tensor_core/dtype.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro::cli {

/// Which pair of fields is read. The tensors are the same numbers in memory: row-major tensors of `shapes`
/// are column-major tensors of `shapes_colmajor`.
enum class AxisOrder { ColumnMajor, RowMajor };

/// Contraction steps, each a list of positions in the shrinking list of tensors.
using Path = std::vector<std::vector<int>>;

struct Instance {
    std::string name;
    AxisOrder order = AxisOrder::ColumnMajor;
    std::string subscripts;
    std::vector<Dims> shapes;
    DType dtype = DType::F64;
    std::map<std::string, Path> paths;
};

/// Reads an instance; without `order` the column-major fields are read if present, else the others. Throws
/// InvalidArgument with `name` (the file's name) and the field that is wrong.
[[nodiscard]] Instance parse_instance(std::string_view json, std::string_view name,
                                      std::optional<AxisOrder> order = std::nullopt);
[[nodiscard]] Instance load_instance(const std::filesystem::path& path,
                                     std::optional<AxisOrder> order = std::nullopt);

/// "2x3,3x4" as shapes; an empty item is a scalar. Throws InvalidArgument naming the item.
[[nodiscard]] std::vector<Dims> parse_shapes(std::string_view text);

}  // namespace tenferro::cli
