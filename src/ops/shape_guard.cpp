// Guards on symbolic extents.
#include "tenferro/ops/shape_guard.hpp"

#include <algorithm>

namespace tenferro { inline namespace TENFERRO_ABI {

bool ShapeGuardContext::guard_equal(const SymDim& lhs, const SymDim& rhs) {
    if (lhs == rhs) return true;
    if (lhs.constant() && rhs.constant()) return false;
    const ShapeGuard guard{lhs, rhs};
    if (std::find(guards_.begin(), guards_.end(), guard) == guards_.end()) guards_.push_back(guard);
    return true;
}

}}  // namespace tenferro::TENFERRO_ABI
