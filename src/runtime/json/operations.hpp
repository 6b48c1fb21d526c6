// Operations as JSON: the name of the struct and its fields.
#pragma once

#include "runtime/json/extents.hpp"
#include "tenferro/ops/std_tensor_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

/// Whether `name` is that of a core operation's struct.
[[nodiscard]] bool is_core_operation(std::string_view name);

/// {"op": …, "fields": {…}} of a core operation.
[[nodiscard]] Json write_core_operation(const StdTensorOp& op);
/// The core operation of a node's "op" and "fields".
[[nodiscard]] StdTensorOp read_core_operation(const JsonPlace& node, const InputMetas& inputs);

/// {"op": "extension", "family_id": …, "payload": …} of an extension, missing or not. Throws Unsupported
/// where its family is not registered or does not encode.
[[nodiscard]] Json write_extension(const StdTensorOp& op);
/// The extension of a node with "family_id", "payload", "inputs" and "outputs"; `skip_missing` as in
/// GraphReadOptions.
[[nodiscard]] StdTensorOp read_extension(const JsonPlace& node, const InputMetas& inputs, bool skip_missing);

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
