// The methods that BackendSession (work in an open session) and TensorBackend (each call is a session of its
// own) share, made from the rows of op_table.hpp and the list of further methods below: both classes expand
// TENFERRO_OPERATION_METHODS, and nothing else lists an operation's signatures. The suffix says who owns
// what:
//   none   consumes owned tensors and may reuse their memory for the result
//   _read  borrows views and returns a new compact column-major tensor
//   _into  borrows views and overwrites `out`, whose shape must be exactly the result's; out must not overlap
//   an operand
// Shapes of elementwise operands must be equal: nothing broadcasts by itself. Operands must agree in dtype;
// op_table.hpp says on which dtypes an operation is defined (else Unsupported). Metadata-only operations
// (`_view`) are members of TensorRead.
#pragma once

#include <span>
#include <vector>

#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/gather_scatter.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor/tensor.hpp"

// Methods that are not the three forms of a row: method(result, name, (parameters), (arguments)).
// clang-format off
#define TENFERRO_FURTHER_METHODS(method) \
    /* The unary or binary operation that op names. */ \
    method(Tensor, elementwise, (OpId op, Tensor&& a), (op, std::move(a))) \
    method(Tensor, elementwise, (OpId op, Tensor&& a, Tensor&& b), (op, std::move(a), std::move(b))) \
    method(Tensor, elementwise_read, (OpId op, const TensorRead& a), (op, a)) \
    method(Tensor, elementwise_read, (OpId op, const TensorRead& a, const TensorRead& b), (op, a, b)) \
    method(void, elementwise_into, (OpId op, const TensorRead& a, const TensorWrite& out), (op, a, out)) \
    method(void, elementwise_into, \
           (OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out), (op, a, b, out)) \
    /* The reduction that op names. */ \
    method(Tensor, reduce_read, (OpId op, const TensorRead& a, DimsView axes), (op, a, axes)) \
    method(void, reduce_into, \
           (OpId op, const TensorRead& a, DimsView axes, const TensorWrite& out), \
           (op, a, axes, out)) \
    /* The forms of convert and cast; _into converts to the dtype of out. */ \
    method(Tensor, convert, (Tensor&& a, DType to), (std::move(a), to)) \
    method(Tensor, convert_read, (const TensorRead& a, DType to), (a, to)) \
    method(void, convert_into, (const TensorRead& a, const TensorWrite& out), (a, out)) \
    method(Tensor, cast, (Tensor&& a, DType to), (std::move(a), to)) \
    method(Tensor, cast_read, (const TensorRead& a, DType to), (a, to)) \
    method(void, cast_into, (const TensorRead& a, const TensorWrite& out), (a, out)) \
    /* The forms of concatenate. */ \
    method(Tensor, concatenate, (std::vector<Tensor>&& parts, Index axis), (std::move(parts), axis)) \
    method(Tensor, concatenate_read, (std::span<const TensorRead> parts, Index axis), (parts, axis)) \
    method(void, concatenate_into, \
           (std::span<const TensorRead> parts, Index axis, const TensorWrite& out), (parts, axis, out)) \
    /* dot_general whose axis i of [lhs_free…, rhs_free…, batch…] is axis result_axes[i] of the result; */ \
    /* none: all in order. */ \
    method(Tensor, dot_general_permuted_read, \
           (const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config, \
            DimsView result_axes), (lhs, rhs, config, result_axes)) \
    /* Tensors move between memories by these alone, never inside another operation. upload gives a */ \
    /* compact tensor in this backend's memory with the elements of `host`, which is in main memory; */ \
    /* download one in main memory with those of `a`, which is in this backend's memory (else */ \
    /* BackendFailure). For a backend on main memory the owned forms return a compact tensor unchanged; */ \
    /* the _read forms always copy. */ \
    method(Tensor, upload_host_tensor, (Tensor&& host), (std::move(host))) \
    method(Tensor, upload_host_tensor_read, (const TensorRead& host), (host)) \
    method(Tensor, download_to_host, (Tensor&& a), (std::move(a))) \
    method(Tensor, download_to_host_read, (const TensorRead& a), (a)) \
    /* A compact tensor with undefined elements, to be overwritten by an _into operation. */ \
    method(Tensor, empty, (DType dtype, DimsView shape), (dtype, shape)) \
    /* Zeros in this backend's memory. */ \
    method(Tensor, zeros, (DType dtype, DimsView shape), (dtype, shape))

// TENFERRO_EACH(as, (a, b)) is as(a), as(b), and TENFERRO_AND(as, (a, b)) is `, as(a), as(b)`; TENFERRO_LINES
// has no commas. All are nothing for (). The parameters and arguments of a row are what a list of kinds and
// names is in declarations and calls.
#define TENFERRO_UNPACK(...) __VA_ARGS__
#define TENFERRO_EACH_1(as, a) as(a)
#define TENFERRO_EACH_2(as, a, b) as(a), as(b)
#define TENFERRO_EACH_3(as, a, b, c) as(a), as(b), as(c)
#define TENFERRO_LINES_1(as, a) as(a)
#define TENFERRO_LINES_2(as, a, b) as(a) as(b)
#define TENFERRO_LINES_3(as, a, b, c) as(a) as(b) as(c)
#define TENFERRO_THIRD(a, b, c, third, ...) third
#define TENFERRO_PICK(form, ...) TENFERRO_THIRD(__VA_ARGS__, form##_3, form##_2, form##_1, )
#define TENFERRO_EACH_OF(as, ...) __VA_OPT__(TENFERRO_PICK(TENFERRO_EACH, __VA_ARGS__)(as, __VA_ARGS__))
#define TENFERRO_AND_OF(as, ...) __VA_OPT__(, TENFERRO_PICK(TENFERRO_EACH, __VA_ARGS__)(as, __VA_ARGS__))
#define TENFERRO_LINES_OF(as, ...) __VA_OPT__(TENFERRO_PICK(TENFERRO_LINES, __VA_ARGS__)(as, __VA_ARGS__))
#define TENFERRO_EACH(as, list) TENFERRO_EACH_OF(as, TENFERRO_UNPACK list)
#define TENFERRO_AND(as, list) TENFERRO_AND_OF(as, TENFERRO_UNPACK list)
#define TENFERRO_LINES(as, list) TENFERRO_LINES_OF(as, TENFERRO_UNPACK list)
#define TENFERRO_TYPE_Axis Index
#define TENFERRO_TYPE_Axes DimsView
#define TENFERRO_TYPE_ResultAxis Index
#define TENFERRO_TYPE_List DimsView
#define TENFERRO_TYPE_Integer Index
#define TENFERRO_TYPE_Diagonal Index
#define TENFERRO_TYPE_Extents Extents
#define TENFERRO_TYPE_Flag bool
#define TENFERRO_TYPE_DotGeneralConfig const DotGeneralConfig&
#define TENFERRO_TYPE_PadConfig const PadConfig&
#define TENFERRO_TYPE_GatherConfig const GatherConfig&
#define TENFERRO_TYPE_ScatterConfig const ScatterConfig&
#define TENFERRO_PARAMETER_OF(Kind, name) TENFERRO_TYPE_##Kind name
#define TENFERRO_PARAMETER(parameter) TENFERRO_PARAMETER_OF parameter
#define TENFERRO_NAME_OF(Kind, name) name
#define TENFERRO_NAME(parameter) TENFERRO_NAME_OF parameter
#define TENFERRO_PARAMETERS(list) TENFERRO_AND(TENFERRO_PARAMETER, list)
#define TENFERRO_ARGUMENTS(list) TENFERRO_AND(TENFERRO_NAME, list)
#define TENFERRO_SAME(a) a
#define TENFERRO_OWNED(a) Tensor&& a
#define TENFERRO_READ(a) const TensorRead& a

#define TENFERRO_UNARY_METHODS(Name, method, dtypes, meaning, ...) \
    Tensor method(Tensor&& a) { return elementwise(OpId::Name, std::move(a)); } \
    Tensor method##_read(const TensorRead& a) { return elementwise_read(OpId::Name, a); } \
    void method##_into(const TensorRead& a, const TensorWrite& out) { elementwise_into(OpId::Name, a, out); }
#define TENFERRO_BINARY_METHODS(Name, method, dtypes, meaning, ...) \
    Tensor method(Tensor&& a, Tensor&& b) { return elementwise(OpId::Name, std::move(a), std::move(b)); } \
    Tensor method##_read(const TensorRead& a, const TensorRead& b) { \
        return elementwise_read(OpId::Name, a, b); \
    } \
    void method##_into(const TensorRead& a, const TensorRead& b, const TensorWrite& out) { \
        elementwise_into(OpId::Name, a, b, out); \
    }
#define TENFERRO_REDUCE_METHODS(Name, method, dtypes, meaning) \
    Tensor method(Tensor&& a, DimsView axes) { return reduce_read(OpId::Name, a, axes); } \
    Tensor method##_read(const TensorRead& a, DimsView axes) { \
        return reduce_read(OpId::Name, a, axes); \
    } \
    void method##_into(const TensorRead& a, DimsView axes, const TensorWrite& out) { \
        reduce_into(OpId::Name, a, axes, out); \
    }
#define TENFERRO_STRUCTURED_METHODS(Name, method, dtypes, meaning, operands, parameters, ...) \
    Tensor method(TENFERRO_EACH(TENFERRO_OWNED, operands) TENFERRO_PARAMETERS(parameters)); \
    Tensor method##_read(TENFERRO_EACH(TENFERRO_READ, operands) TENFERRO_PARAMETERS(parameters)); \
    void method##_into(TENFERRO_EACH(TENFERRO_READ, operands) TENFERRO_PARAMETERS(parameters), \
                       const TensorWrite& out);
#define TENFERRO_FURTHER_METHOD(result, method, parameters, arguments) result method parameters;

#define TENFERRO_OPERATION_METHODS \
    TENFERRO_UNARY_OPS(TENFERRO_UNARY_METHODS) \
    TENFERRO_BINARY_OPS(TENFERRO_BINARY_METHODS) \
    TENFERRO_REDUCE_OPS(TENFERRO_REDUCE_METHODS) \
    TENFERRO_STRUCTURED_OPS(TENFERRO_STRUCTURED_METHODS) \
    TENFERRO_FURTHER_METHODS(TENFERRO_FURTHER_METHOD) \
    /* The comparing operation that `direction` names; the result is Bool. */ \
    Tensor compare(Tensor&& a, Tensor&& b, Comparison direction) { \
        return elementwise(static_cast<OpId>(direction), std::move(a), std::move(b)); \
    } \
    Tensor compare_read(const TensorRead& a, const TensorRead& b, Comparison direction) { \
        return elementwise_read(static_cast<OpId>(direction), a, b); \
    } \
    void compare_into(const TensorRead& a, const TensorRead& b, Comparison direction, \
                      const TensorWrite& out) { \
        elementwise_into(static_cast<OpId>(direction), a, b, out); \
    } \
    /* Takes a tensor that is no longer needed; its memory is available to the next operation. */ \
    void reclaim_buffer(Tensor&& a) noexcept { const Tensor dropped = std::move(a); }
// clang-format on
