// The concepts by which an algebra is described to the contraction engine. All functions are static. The
// product must be commutative, because the engine may exchange the operands, and the sum commutative and
// associative up to rounding, because it cuts the sum into blocks.
#pragma once

#include <concepts>
#include <type_traits>

#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Element is what tensors hold, a Scalar: a type of ours or a trivially copyable type of yours with a
/// StorageDType.
///
/// - zero(): what an empty contraction gives
/// - accumulator_identity(): where sums start, so that plus(accumulator_identity(), x) is x; may differ from
///   zero()
/// - mac(c, a, b): plus(c, times(a, b))
/// - plus(x, y): joins partial sums
template <class S>
concept Semiring = Scalar<typename S::Element> && requires(typename S::Element x) {
    { S::zero() } -> std::same_as<typename S::Element>;
    { S::accumulator_identity() } -> std::same_as<typename S::Element>;
    { S::mac(x, x, x) } -> std::same_as<typename S::Element>;
    { S::plus(x, x) } -> std::same_as<typename S::Element>;
};

/// Optional. finish(x) is applied once to each complete sum that is not empty.
template <class S>
concept FinishingSemiring = Semiring<S> && requires(typename S::Element x) {
    { S::finish(x) } -> std::same_as<typename S::Element>;
};

/// Optional: a sum that is always one of its terms (max, min). times(a, b) is the term, bit for bit what mac
/// adds.
template <class S>
concept SelectingSemiring = Semiring<S> && std::equality_comparable<typename S::Element> &&
    requires(typename S::Element x) {
    { S::times(x, x) } -> std::same_as<typename S::Element>;
};

/// Optional: Lane is the arithmetic type that Highway's vectors of elements hold, of the same size as
/// Element, 4 or 8 bytes. It announces vector forms, with a Highway tag first: mac(d, c, a, b), plus(d, x,
/// y), for a selecting semiring times(d, a, b). Without Lane the scalar forms are compiled for each
/// instruction set, and the compiler's own vectors must do.
template <class S>
concept VectorSemiring = Semiring<S> && std::is_arithmetic_v<typename S::Lane> &&
                             sizeof(typename S::Lane) == sizeof(typename S::Element) &&
                         sizeof(typename S::Lane) >= 4;

/// Optional for a VectorSemiring: a mac that is faster but right only on regular elements. regular(d, x) is
/// the mask of the elements that are; the engine asks while it packs. Max-plus uses it to propagate NaN at no
/// cost where none can occur. Where there is a mac_regular(d, c, a, const Lane* b) too, the engine gives that
/// the place of the element by which a vector is multiplied, instead of a vector filled with it.
template <class S, class D>
concept RegularSemiring = VectorSemiring<S> && requires(D d, decltype(Zero(D())) v) {
    S::regular(d, v);
    S::mac_regular(d, v, v, v);
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
