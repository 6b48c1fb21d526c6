// Number: a number beside tensors in an expression, `2 * a`, `a + 0.5`, `a * 1i`. What it does to the dtype
// follows from its C++ type, never from its value (docs/adr/012-expressions.md).
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>

#include "tenferro/ops/std_tensor_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API Number {
public:
    template <std::signed_integral T>
    Number(T value) noexcept : dtype_(DType::I64), integer_(value) {}  // NOLINT(google-explicit-constructor)
    template <std::unsigned_integral T>
    Number(T value) : dtype_(DType::I64), integer_(from_unsigned(value)) {}  // NOLINT
    template <std::floating_point T>
    Number(T value) noexcept : dtype_(DType::F64), real_(static_cast<double>(value)) {}  // NOLINT
    template <std::floating_point T>
    Number(std::complex<T> value) noexcept  // NOLINT(google-explicit-constructor)
        : dtype_(DType::C64),
          real_(static_cast<double>(value.real())),
          imaginary_(static_cast<double>(value.imag())) {}

    /// `tensor`, or the dtype that a tensor of it is promoted to beside this number: a real number makes
    /// integers F64, a complex one real numbers complex of their precision, an integer makes Bool I64.
    [[nodiscard]] DType beside(DType tensor) const noexcept;
    /// As a constant of rank 0. InvalidArgument where `dtype` has no such number: a fraction or one out of
    /// range as an integer, a complex one as a real.
    [[nodiscard]] StdTensorOp constant(DType dtype) const;

private:
    [[nodiscard]] static std::int64_t from_unsigned(std::uint64_t value);

    DType dtype_;  ///< I64, F64 or C64
    std::int64_t integer_ = 0;
    double real_ = 0, imaginary_ = 0;
};

}}  // namespace tenferro::TENFERRO_ABI
