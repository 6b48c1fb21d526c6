/* A C library of an extension: einsums whose results are doubled, and functions that fail on purpose. */
#ifndef TWICE_H
#define TWICE_H

#include "tenferro.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As tfe_einsum_f64, tfe_einsum_vjp_f64 and tfe_einsum_jvp_f64, times two. */
TFE_API tfe_tensor_f64* twice_einsum_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                         tfe_status_t* status);
TFE_API void twice_einsum_vjp_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                  const tfe_tensor_f64* cotangent, tfe_tensor_f64** grads_out,
                                  tfe_status_t* status);
TFE_API tfe_tensor_f64* twice_einsum_jvp_f64(const char* subscripts, tfe_tensor_f64* const* primals, size_t n,
                                             tfe_tensor_f64* const* tangents, tfe_status_t* status);

/* Twice a tensor. */
TFE_API tfe_tensor_f64* twice_f64(const tfe_tensor_f64* tensor, tfe_status_t* status);

/* Fails: 0 a standard exception, 1 one that is none, 2 out of memory, 3 an error of the core, 4 a result of
 * another dtype, 5 fewer results than outputs. out[0] and out[1] are NULL afterwards. */
TFE_API void twice_fail_f64(int how, tfe_tensor_f64** out, tfe_status_t* status);

#ifdef __cplusplus
}
#endif

#endif
