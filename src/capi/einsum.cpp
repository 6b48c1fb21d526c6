// Einsum and its derivatives on tensor handles, on the default engine, for every element type.
#include "capi/guard.hpp"
#include "capi/operands.hpp"
#include "capi/progress.hpp"
#include "tenferro/api/engine.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi { namespace {

constexpr einsum::Dialect kDialect = einsum::Dialect::Strict;

template <class T>
Handle<T>* einsum(const char* function, const char* subscripts, Handle<T>* const* array, std::size_t n) {
    check_pointer(function, subscripts, "subscripts");
    const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
    const Watch watch(TFE_PHASE_SEARCH);
    return publish<T>(default_engine().einsum(subscripts, operands.views(), kDialect, watch.options()));
}

template <class T>
void einsum_vjp(const char* name, const char* subscripts, Handle<T>* const* array, std::size_t n,
                const Handle<T>* cotangent, Handle<T>** grads_out, tfe_status_t* status) noexcept {
    clear_outputs<T>(grads_out, n);
    guard(name, status, [&](const char* function) {
        check_pointer(function, subscripts, "subscripts");
        check_array(function, grads_out, "grads_out", n, "n");
        const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
        const HandleTable::Pin pulled = borrow<T>(function, cotangent, {"cotangent"});
        const Watch watch(TFE_PHASE_SEARCH);
        publish_all<T>(
            default_engine().einsum_vjp(subscripts, operands.views(), *pulled, kDialect, watch.options()),
            grads_out);
    });
}

template <class T>
Handle<T>* einsum_jvp(const char* function, const char* subscripts, Handle<T>* const* primals, std::size_t n,
                      Handle<T>* const* tangents) {
    check_pointer(function, subscripts, "subscripts");
    const Operands operands = borrow_operands<T>(function, primals, n, "primals", "primal");
    const Tangents directions = borrow_tangents<T>(function, tangents, n);
    const Watch watch(TFE_PHASE_SEARCH);
    return publish<T>(default_engine().einsum_jvp(subscripts, operands.views(), directions.views, kDialect,
                                                  watch.options()));
}

}}}}  // namespace tenferro::TENFERRO_ABI::capi

namespace capi = tenferro::capi;

/* One reverse-mode and one forward-mode function; each exists under two names. */
#define TFE_DEFINE_VJP(name, suffix, element)                                                       \
    void tfe_einsum_##name##_##suffix(const char* subscripts, tfe_tensor_##suffix* const* operands, \
                                      size_t n, const tfe_tensor_##suffix* cotangent,               \
                                      tfe_tensor_##suffix** grads_out, tfe_status_t* status) {      \
        capi::einsum_vjp<element>(__func__, subscripts, operands, n, cotangent, grads_out, status); \
    }
#define TFE_DEFINE_JVP(name, suffix, element)                                             \
    tfe_tensor_##suffix* tfe_einsum_##name##_##suffix(                                    \
        const char* subscripts, tfe_tensor_##suffix* const* primals, size_t n,            \
        tfe_tensor_##suffix* const* tangents, tfe_status_t* status) {                     \
        return capi::guard(__func__, status, [&](const char* function) {                  \
            return capi::einsum_jvp<element>(function, subscripts, primals, n, tangents); \
        });                                                                               \
    }
#define TFE_DEFINE_EINSUM(suffix, element, c_scalar)                                                       \
    tfe_tensor_##suffix* tfe_einsum_##suffix(const char* subscripts, tfe_tensor_##suffix* const* operands, \
                                             size_t n, tfe_status_t* status) {                             \
        return capi::guard(__func__, status, [&](const char* function) {                                   \
            return capi::einsum<element>(function, subscripts, operands, n);                               \
        });                                                                                                \
    }                                                                                                      \
    TFE_DEFINE_VJP(vjp, suffix, element)                                                                   \
    TFE_DEFINE_VJP(rrule, suffix, element)                                                                 \
    TFE_DEFINE_JVP(jvp, suffix, element)                                                                   \
    TFE_DEFINE_JVP(frule, suffix, element)

TFE_FOR_EACH_ELEMENT(TFE_DEFINE_EINSUM)
