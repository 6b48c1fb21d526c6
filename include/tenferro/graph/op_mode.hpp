// Small values that every graph shares: how a node takes part in a derivative, local numbers of values, ids
// of inputs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tenferro/base/export.hpp"
#include "tenferro/base/hash.hpp"
#include "tenferro/base/small_vector.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace op_graph {

/// Whether a node computes a value (primal) or is a link of a linear map, and then which of its inputs,
/// ascending, carry the linear flow; the others are residuals. Part of a node's identity: a link never
/// unifies with a primal node.
struct OpMode {
    bool linear = false;
    SmallVector<std::uint32_t, 4> active;

    static OpMode primal() { return {}; }
    static OpMode linear_in(SmallVector<std::uint32_t, 4> active) { return {true, std::move(active)}; }

    [[nodiscard]] bool is_active(std::size_t input) const noexcept {
        return linear && std::find(active.begin(), active.end(), input) != active.end();
    }
    void add_to(Hasher& hasher) const noexcept {
        hasher.add(linear);
        for (const std::uint32_t i : active) hasher.add(i);
    }
    friend bool operator==(const OpMode&, const OpMode&) = default;
};

/// The number of a value in one FragmentBuilder.
struct LocalValId {
    std::size_t index;
    friend bool operator==(LocalValId, LocalValId) = default;
};

/// A number that no other input of this process has.
[[nodiscard]] TENFERRO_API std::uint64_t new_input_id() noexcept;

}}}  // namespace tenferro::TENFERRO_ABI::op_graph
