// The tropical algebras by name, and their scalars: types of the layout of a number whose tensors are stored
// as tensors of that number.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <tenferro/tensor_core/dtype.hpp>

#define TROPICAL_API __attribute__((visibility("default")))

namespace tropical {

/// | algebra | plus | times | zero | one |
/// |---|---|---|---|---|
/// | MaxPlus | max | + | -inf | 0 |
/// | MinPlus | min | + | +inf | 0 |
/// | MaxMul | max | * | 0 | 1 |
/// On integers the zero is the type's limit, sums saturate, and zero plus anything is zero; there is no
/// MaxMul. NaN propagates; infinities are ordinary values. MaxMul is a semiring on numbers that are not
/// negative only.
enum class Algebra : std::uint8_t { MaxPlus, MinPlus, MaxMul };

template <class T>
struct MaxPlus {
    T value;
    friend bool operator==(MaxPlus, MaxPlus) = default;
};
template <class T>
struct MinPlus {
    T value;
    friend bool operator==(MinPlus, MinPlus) = default;
};
template <class T>
struct MaxMul {
    static_assert(std::is_floating_point_v<T>);
    T value;
    friend bool operator==(MaxMul, MaxMul) = default;
};

/// The algebra of a scalar.
template <class Scalar>
inline constexpr Algebra algebra_of = [] { static_assert(sizeof(Scalar) == 0, "no tropical scalar"); }();
template <class T>
inline constexpr Algebra algebra_of<MaxPlus<T>> = Algebra::MaxPlus;
template <class T>
inline constexpr Algebra algebra_of<MinPlus<T>> = Algebra::MinPlus;
template <class T>
inline constexpr Algebra algebra_of<MaxMul<T>> = Algebra::MaxMul;

/// The zero of an algebra on numbers T: what an empty contraction gives.
template <class T>
[[nodiscard]] constexpr T zero_of(Algebra algebra) noexcept {
    using Limits = std::numeric_limits<T>;
    if (algebra == Algebra::MaxMul) return T(0);
    if (algebra == Algebra::MaxPlus) return Limits::has_infinity ? -Limits::infinity() : Limits::min();
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
}
/// The one: what a factor that is not there counts as.
template <class T>
[[nodiscard]] constexpr T one_of(Algebra algebra) noexcept {
    return algebra == Algebra::MaxMul ? T(1) : T(0);
}

}  // namespace tropical

namespace tenferro { inline namespace TENFERRO_ABI {
template <class T>
struct StorageDType<tropical::MaxPlus<T>> : StorageDType<T> {};
template <class T>
struct StorageDType<tropical::MinPlus<T>> : StorageDType<T> {};
template <class T>
struct StorageDType<tropical::MaxMul<T>> : StorageDType<T> {};
}}  // namespace tenferro::TENFERRO_ABI
