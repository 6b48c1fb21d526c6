// Lines that call the scalar functor once per element: integer division and powers, and the functions that
// the vector math does not have.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

using Ops = std::initializer_list<OpId>;

constexpr bool contains(Ops ops, OpId op) {
    for (const OpId other : ops)
        if (other == op) return true;
    return false;
}

/// Whether another family has the operation: two copies would cost compile time.
constexpr bool elsewhere(OpId op, DType dtype) {
    using O = OpId;
    const bool real = kReal.contains(dtype), complex = !real && kFloating.contains(dtype);
    if (contains({O::Add, O::Sub, O::Mul, O::Neg, O::Conj, O::Equal, O::NotEqual}, op)) return true;
    if (contains({O::Abs, O::Div, O::Exp, O::Log, O::Sqrt}, op) && complex) return true;
    if (contains({O::Abs, O::Sign}, op)) return !complex;
    if (contains({O::Less, O::LessEqual, O::Greater, O::GreaterEqual, O::Maximum, O::Minimum}, op))
        return true;
    if (contains({O::Div, O::Sqrt, O::Rsqrt, O::Floor, O::Ceil, O::Trunc, O::Round}, op)) return real;
    return real && contains({O::Exp,   O::Expm1, O::Sinh,  O::Cosh, O::Tanh, O::Sigmoid, O::Log,   O::Log1p,
                             O::Sin,   O::Cos,   O::Pow,   O::Asin, O::Acos, O::Atan,    O::Atan2, O::Hypot,
                             O::Asinh, O::Acosh, O::Atanh, O::Erf,  O::Erfc, O::Lgamma,  O::Rem},
                            op);
}

template <class T, class F>
void unary_line(void* out, const void* const* in, Index count) {
    auto* to = static_cast<std::invoke_result_t<F, T>*>(out);
    const T* a = static_cast<const T*>(in[0]);
    for (Index i = 0; i < count; ++i) to[i] = F{}(a[i]);
}

template <class T, class F>
void binary_line(void* out, const void* const* in, Index count) {
    auto* to = static_cast<std::invoke_result_t<F, T, T>*>(out);
    const T *a = static_cast<const T*>(in[0]), *b = static_cast<const T*>(in[1]);
    for (Index i = 0; i < count; ++i) to[i] = F{}(a[i], b[i]);
}

template <OpId op, class F, class T>
void add_unary(LineTable& table) {
    if constexpr (info(op).dtypes.contains(storage_dtype<T>) && !elsewhere(op, storage_dtype<T>))
        table.set(op, storage_dtype<T>, unary_line<T, F>);
}

template <OpId op, class F, class T>
void add_binary(LineTable& table) {
    if constexpr (info(op).dtypes.contains(storage_dtype<T>) && !elsewhere(op, storage_dtype<T>))
        table.set(op, storage_dtype<T>, binary_line<T, F>);
}

template <class T>
void add_scalar_lines_of(LineTable& table) {
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) add_unary<OpId::Name, elementwise::Name, T>(table);
    TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) add_binary<OpId::Name, elementwise::Name, T>(table);
    TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
}

}  // namespace

void add_scalar_lines(LineTable& table) {
    add_scalar_lines_of<float>(table);
    add_scalar_lines_of<double>(table);
    add_scalar_lines_of<std::complex<float>>(table);
    add_scalar_lines_of<std::complex<double>>(table);
    add_scalar_lines_of<std::int32_t>(table);
    add_scalar_lines_of<std::int64_t>(table);
    add_scalar_lines_of<bool>(table);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
