// Lines that compare and choose, whose functors the compiler vectorises for every instruction set.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/elementwise/comparison.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_comparison.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/line_loops-inl.hpp"
#include "cpu/kernels/elementwise/vector_lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// Elements of kWords words U each, by a mask: compilers make a branch of a choice, which drawn predicates
/// mispredict.
template <class U, Index kWords>
void select_line(void* out, const void* const* in, Index count) {
    auto* to = static_cast<U*>(out);
    const auto* predicate = static_cast<const std::uint8_t*>(in[0]);
    const auto *on_true = static_cast<const U*>(in[1]), *on_false = static_cast<const U*>(in[2]);
    TENFERRO_INDEPENDENT
    for (Index i = 0; i < count; ++i) {
        const U mask = static_cast<U>(-static_cast<U>(predicate[i]));
        for (Index word = i * kWords; word < (i + 1) * kWords; ++word)
            to[word] = static_cast<U>((on_true[word] & mask) | (on_false[word] & ~mask));
    }
}
template <class T>
LineFunction select_line_of() {
    if constexpr (sizeof(T) == 1) return select_line<std::uint8_t, 1>;
    if constexpr (sizeof(T) == 4) return select_line<std::uint32_t, 1>;
    if constexpr (sizeof(T) >= 8) return select_line<std::uint64_t, sizeof(T) / 8>;
}

template <class T>
void add_equality(LineTable& table) {
    table.set(OpId::Equal, storage_dtype<T>, binary_line<T, elementwise::Equal>);
    table.set(OpId::NotEqual, storage_dtype<T>, binary_line<T, elementwise::NotEqual>);
    table.set(OpId::Select, storage_dtype<T>, select_line_of<T>());
}

/// As the functor, of which compilers make branches.
struct VectorClamp {
    template <class V>
    static HWY_INLINE V apply(V low, V x, V high) {
        const auto is_nan = [](V y) HWY_ATTR { return hn::Not(hn::Eq(y, y)); };  // never of integers
        const V above = hn::IfThenElse(hn::Or(hn::Gt(x, low), is_nan(x)), x, low);
        return hn::IfThenElse(hn::Or(hn::Lt(above, high), is_nan(above)), above, high);
    }
};

template <class T>
void add_order(LineTable& table) {
    using namespace elementwise;
    constexpr DType dtype = storage_dtype<T>;
    table.set(OpId::Less, dtype, binary_line<T, Less>);
    table.set(OpId::LessEqual, dtype, binary_line<T, LessEqual>);
    table.set(OpId::Greater, dtype, binary_line<T, Greater>);
    table.set(OpId::GreaterEqual, dtype, binary_line<T, GreaterEqual>);
    table.set(OpId::Maximum, dtype, binary_line<T, Maximum>);
    table.set(OpId::Minimum, dtype, binary_line<T, Minimum>);
    set_vector_line<T, VectorClamp, 3>(table, OpId::Clamp);
}

void add_comparisons(LineTable& table) {
    add_equality<bool>(table);
    add_equality<float>(table);
    add_equality<double>(table);
    add_equality<std::complex<float>>(table);
    add_equality<std::complex<double>>(table);
    add_equality<std::int32_t>(table);
    add_equality<std::int64_t>(table);
    add_order<float>(table);
    add_order<double>(table);
    add_order<std::int32_t>(table);
    add_order<std::int64_t>(table);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_comparisons);
void add_comparison_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_comparisons)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
