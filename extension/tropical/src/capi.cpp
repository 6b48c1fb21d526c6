// The C functions, on the bridge of the core.
#include "tenferro_ext_tropical.h"

#include <tenferro/capi/bridge.hpp>

#include "tenferro_ext_tropical/einsum.hpp"

namespace {

namespace capi = tenferro::capi;
using tropical::Algebra;

template <class T>
capi::Handle<T>* run(Algebra algebra, const char* function, const char* subscripts,
                     capi::Handle<T>* const* operands, std::size_t n, tfe_status_t* status) noexcept {
    return capi::einsum<T>(function, subscripts, operands, n, status,
                           [&](auto text, auto views, const tenferro::tensor_network::RunOptions& options) {
                               return tropical::einsum(algebra, text, views, options);
                           });
}

template <class T>
void pull_back(Algebra algebra, const char* function, const char* subscripts,
               capi::Handle<T>* const* operands, std::size_t n, const capi::Handle<T>* cotangent,
               capi::Handle<T>** grads_out, tfe_status_t* status) noexcept {
    capi::einsum_vjp<T>(function, subscripts, operands, n, cotangent, grads_out, status,
                        [&](auto text, auto views, const tenferro::Tensor& pulled,
                            const tenferro::tensor_network::RunOptions& options) {
                            return tropical::einsum_vjp(algebra, text, views, pulled, options);
                        });
}

}  // namespace

#define TFE_TROPICAL_DEFINE(name, algebra, suffix, type)                                                \
    tfe_tensor_##suffix* tfe_tropical_einsum_##name##_##suffix(                                         \
        const char* subscripts, tfe_tensor_##suffix* const* operands, size_t n, tfe_status_t* status) { \
        return run<type>(algebra, __func__, subscripts, operands, n, status);                           \
    }                                                                                                   \
    void tfe_tropical_einsum_rrule_##name##_##suffix(                                                   \
        const char* subscripts, tfe_tensor_##suffix* const* operands, size_t n,                         \
        const tfe_tensor_##suffix* cotangent, tfe_tensor_##suffix** grads_out, tfe_status_t* status) {  \
        pull_back<type>(algebra, __func__, subscripts, operands, n, cotangent, grads_out, status);      \
    }

TFE_TROPICAL_DEFINE(maxplus, Algebra::MaxPlus, f64, double)
TFE_TROPICAL_DEFINE(minplus, Algebra::MinPlus, f64, double)
TFE_TROPICAL_DEFINE(maxmul, Algebra::MaxMul, f64, double)
TFE_TROPICAL_DEFINE(maxplus, Algebra::MaxPlus, f32, float)
TFE_TROPICAL_DEFINE(minplus, Algebra::MinPlus, f32, float)
TFE_TROPICAL_DEFINE(maxmul, Algebra::MaxMul, f32, float)
