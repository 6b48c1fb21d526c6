// The steps that regular operations are in a plan on small matrices.
#pragma once

#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

template <class Op>
[[nodiscard]] MatrixPlan::MaybeValue step_of(const Op&, MatrixPlan&, MatrixPlan::Values) {
    return std::nullopt;
}
[[nodiscard]] MatrixPlan::MaybeValue step_of(const EmbedDiagonal& op, MatrixPlan& plan,
                                             MatrixPlan::Values in);
[[nodiscard]] MatrixPlan::MaybeValue step_of(const Tril& op, MatrixPlan& plan, MatrixPlan::Values in);
[[nodiscard]] MatrixPlan::MaybeValue step_of(const Triu& op, MatrixPlan& plan, MatrixPlan::Values in);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
