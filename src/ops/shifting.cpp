// roll, which is linear, and whose transpose rolls back.
#include <limits>

#include "tenferro/ops/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

std::optional<Expr> Roll::tangent(const TangentArgs& args) const { return roll(*args.dx[0], shift, axis); }
std::vector<std::optional<Expr>> Roll::cotangents(const CotangentArgs& args) const {
    using Limits = std::numeric_limits<Index>;
    if (shift == Limits::min()) return {roll(roll(args.ct, Limits::max(), axis), 1, axis)};
    return {roll(args.ct, -shift, axis)};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
