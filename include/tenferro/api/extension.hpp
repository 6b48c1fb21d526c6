// Applying extension operations: the entry that their libraries wrap.
#pragma once

#include "tenferro/ops/extension_op.hpp"
#include "tenferro/runtime/eager_tensor.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace extension {

/// The outputs of `op` on traced or eager tensors: a node of the graph, or run at once.
[[nodiscard]] TENFERRO_API std::vector<TracedTensor> apply(std::shared_ptr<const ExtensionOp> op,
                                                           std::span<const TracedTensor> inputs);
[[nodiscard]] TENFERRO_API std::vector<EagerTensor> apply(std::shared_ptr<const ExtensionOp> op,
                                                          std::span<const EagerTensor> inputs);
/// Run at once on tensors, on the current backend of this thread or else the default engine's.
[[nodiscard]] TENFERRO_API std::vector<Tensor> apply(std::shared_ptr<const ExtensionOp> op,
                                                     std::span<const TensorRead> inputs);

}}}  // namespace tenferro::TENFERRO_ABI::extension
