// ShapeGuardContext: how derivative rules ask for the metadata of values and for what is wanted of them, and
// where they record what they assumed about symbolic extents. A guard is checked whenever concrete extents
// are bound, and is part of the identity of what was derived.
#pragma once

#include "tenferro/ops/std_tensor_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// The assumption that two symbolic extents are equal.
struct ShapeGuard {
    SymDim lhs, rhs;
    friend bool operator==(const ShapeGuard&, const ShapeGuard&) = default;
};

class TENFERRO_API ShapeGuardContext {
public:
    explicit ShapeGuardContext(const FragmentBuilder& builder) noexcept : builder_(builder) {}

    [[nodiscard]] const TensorMeta& metadata_of(const ValRef& value) const {
        return builder_.key(value).meta();
    }
    [[nodiscard]] const SymShape& shape_of(const ValRef& value) const { return metadata_of(value).shape; }
    [[nodiscard]] DType dtype_of(const ValRef& value) const { return metadata_of(value).dtype; }

    /// Whether the extents are equal. Where only the bound extents can tell, records the guard that they are
    /// and says yes.
    [[nodiscard]] bool guard_equal(const SymDim& lhs, const SymDim& rhs);
    [[nodiscard]] const std::vector<ShapeGuard>& guards() const noexcept { return guards_; }

    /// Whether anything reads output `i` of the operation that is being linearized: a tangent that is not
    /// wanted may be left out, whatever it is.
    [[nodiscard]] bool wants(std::size_t i) const noexcept { return i >= wanted_.size() || wanted_[i]; }
    /// Says so before a rule is asked; none: all are.
    void want(std::vector<bool> outputs) noexcept { wanted_ = std::move(outputs); }

private:
    const FragmentBuilder& builder_;
    std::vector<ShapeGuard> guards_;
    std::vector<bool> wanted_;
};

}}  // namespace tenferro::TENFERRO_ABI
