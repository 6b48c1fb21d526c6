// The checks that every operation makes on its operands and on the result it is given.
#pragma once

#include <string_view>

#include "tenferro/tensor/backend_session.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Throws BackendFailure: `op` takes memory at `needed`, on which `who` computes, but `a` is elsewhere. The
/// message says which function moves it.
[[noreturn]] void throw_misplaced(const TensorRead& a, Placement needed, std::string_view who,
                                  std::string_view op, std::string_view name);
[[noreturn]] void throw_unsupported(const BackendInfo& backend, OpId op, DType dtype);

/// `a`, called `name` in the message, is where the backend computes (BackendFailure).
inline void check_place(const BackendInfo& backend, const TensorRead& a, std::string_view op,
                        std::string_view name) {
    if (a.placement() != backend.placement) [[unlikely]]
        throw_misplaced(a, backend.placement, backend.name, op, name);
}

/// The session computes `op` on `dtype` (Unsupported).
inline void check_supported(const BackendSession& s, OpId op, DType dtype) {
    if (s.backend_info().capabilities.of(op, dtype) == Capability::Unsupported) [[unlikely]]
        throw_unsupported(s.backend_info(), op, dtype);
}

/// Both, for the operand whose dtype is the operation's.
inline void check_operand(const BackendSession& s, OpId op, const TensorRead& a,
                          std::string_view name = "the operand") {
    check_place(s.backend_info(), a, info(op).name, name);
    check_supported(s, op, a.dtype());
}

/// The bytes that a view can reach; none where it is empty.
struct ByteRange {
    const std::byte *begin, *end;
};
[[nodiscard]] ByteRange reach(const TensorRead& view);
[[nodiscard]] inline bool overlap(const ByteRange& a, const ByteRange& b) noexcept {
    return a.begin < b.end && b.begin < a.end;
}

/// The memory that `a`, called `name` in the message, and `out` span is disjoint (InvalidArgument).
void check_no_overlap(const TensorRead& a, const TensorWrite& out, std::string_view op,
                      std::string_view name);

/// `out` is where the backend computes and has the result's dtype and shape, and distinct elements
/// (BackendFailure, DTypeMismatch, ShapeMismatch, InvalidArgument).
void check_out(const BackendInfo& backend, const TensorWrite& out, DType dtype, std::span<const Index> shape,
               std::string_view op);

}}  // namespace tenferro::TENFERRO_ABI
