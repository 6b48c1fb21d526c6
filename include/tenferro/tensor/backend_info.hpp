// What a backend is, as data: its name in messages, where it computes, and which operations on which dtypes.
// Errors, the table of docs/operations.md and the expectations of the conformance suite all read these facts.
#pragma once

#include <array>
#include <string_view>

#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor/placement.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// How a backend stands to an operation on a dtype.
enum class Capability : std::uint8_t { Unsupported, Native };

/// Operations x dtypes -> Capability. What op_table.hpp does not define is Unsupported everywhere.
class Capabilities {
public:
    /// Everything that op_table.hpp defines.
    constexpr Capabilities() {
        for (std::size_t op = 0; op < kOps.size(); ++op) native_[op] = kOps[op].dtypes;
    }
    /// The same but `op` only on those of `dtypes` on which it is defined.
    [[nodiscard]] constexpr Capabilities with(OpId op, DTypes dtypes) const {
        Capabilities changed = *this;
        changed.native_[static_cast<std::size_t>(op)] = info(op).dtypes & dtypes;
        return changed;
    }
    [[nodiscard]] constexpr Capability of(OpId op, DType dtype) const noexcept {
        return native_[static_cast<std::size_t>(op)].contains(dtype) ? Capability::Native
                                                                     : Capability::Unsupported;
    }

private:
    std::array<DTypes, kOps.size()> native_;
};

struct BackendInfo {
    std::string_view name;
    /// The memory that its sessions read and write.
    Placement placement;
    Capabilities capabilities;
};

}}  // namespace tenferro::TENFERRO_ABI
