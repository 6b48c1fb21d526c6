// The steps that regular operations are in a plan on small matrices.
#pragma once

#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

using MatrixValues = std::span<const MatrixPlan::Value>;

template <class Op>
[[nodiscard]] MatrixPlan::MaybeValue step_of(const Op&, MatrixPlan&, MatrixValues) {
    return std::nullopt;
}
[[nodiscard]] MatrixPlan::MaybeValue step_of(const EmbedDiagonal& op, MatrixPlan& plan, MatrixValues in);
[[nodiscard]] MatrixPlan::MaybeValue step_of(const Tril& op, MatrixPlan& plan, MatrixValues in);
[[nodiscard]] MatrixPlan::MaybeValue step_of(const Triu& op, MatrixPlan& plan, MatrixValues in);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
