// Element types: the closed list, one trait row each, and the only dtype switch of the library.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Element type. C32 is two F32, C64 two F64 (real part first). Bool is one byte holding 0 or 1.
enum class DType : std::uint8_t { F32, F64, C32, C64, I32, I64, Bool };

struct DTypeInfo {
    DType dtype;
    std::string_view name;
    std::size_t bytes;
    bool is_float;  ///< real floating point
    bool is_complex;
    bool is_integer;  ///< signed integer; Bool is none of the three
};

inline constexpr std::array<DTypeInfo, 7> kDTypes{{
    {DType::F32, "f32", 4, true, false, false},
    {DType::F64, "f64", 8, true, false, false},
    {DType::C32, "c32", 8, false, true, false},
    {DType::C64, "c64", 16, false, true, false},
    {DType::I32, "i32", 4, false, false, true},
    {DType::I64, "i64", 8, false, false, true},
    {DType::Bool, "bool", 1, false, false, false},
}};

[[nodiscard]] constexpr const DTypeInfo& info(DType dtype) noexcept {
    return kDTypes[static_cast<std::size_t>(dtype)];
}

/// The dtype of a part of a complex number: C32 -> F32, C64 -> F64, others are their own.
[[nodiscard]] constexpr DType real_dtype(DType dtype) noexcept {
    return dtype == DType::C32 ? DType::F32 : dtype == DType::C64 ? DType::F64 : dtype;
}
/// F32 -> C32, F64 -> C64, others are their own.
[[nodiscard]] constexpr DType complex_dtype(DType dtype) noexcept {
    return dtype == DType::F32 ? DType::C32 : dtype == DType::F64 ? DType::C64 : dtype;
}

/// Calls `f.template operator()<T>()` with the element type of `dtype`.
template <class F>
decltype(auto) visit_dtype(DType dtype, F&& f) {
    switch (dtype) {
        case DType::F32: return f.template operator()<float>();
        case DType::F64: return f.template operator()<double>();
        case DType::C32: return f.template operator()<std::complex<float>>();
        case DType::C64: return f.template operator()<std::complex<double>>();
        case DType::I32: return f.template operator()<std::int32_t>();
        case DType::I64: return f.template operator()<std::int64_t>();
        case DType::Bool: return f.template operator()<bool>();
    }
    __builtin_unreachable();
}

/// The dtype whose storage a scalar type T has. Specialise it for a scalar of your own that is stored as one
/// of ours.
template <class T>
struct StorageDType;
template <>
struct StorageDType<float> {
    static constexpr DType value = DType::F32;
};
template <>
struct StorageDType<double> {
    static constexpr DType value = DType::F64;
};
template <>
struct StorageDType<std::complex<float>> {
    static constexpr DType value = DType::C32;
};
template <>
struct StorageDType<std::complex<double>> {
    static constexpr DType value = DType::C64;
};
template <>
struct StorageDType<std::int32_t> {
    static constexpr DType value = DType::I32;
};
template <>
struct StorageDType<std::int64_t> {
    static constexpr DType value = DType::I64;
};
template <>
struct StorageDType<bool> {
    static constexpr DType value = DType::Bool;
};

template <class T>
inline constexpr DType storage_dtype = StorageDType<std::remove_cv_t<T>>::value;

template <class T>
concept Scalar = std::is_trivially_copyable_v<T> && requires {
    StorageDType<std::remove_cv_t<T>>::value;
};

}}  // namespace tenferro::TENFERRO_ABI
