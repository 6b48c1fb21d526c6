/* The C functions of the tropical algebras, on the tensor handles of tenferro.h. Statuses, last errors, NULL,
 * dead handles and outputs are as in tenferro.h. */
#ifndef TENFERRO_EXT_TROPICAL_H
#define TENFERRO_EXT_TROPICAL_H

#include "tenferro.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For each algebra and type
 *
 * tfe_tropical_einsum_ALGEBRA_TYPE: the einsum, as tfe_einsum_TYPE. An empty contraction gives the algebra's
 * zero; NaN propagates; infinities are ordinary values. maxmul of three or more operands is
 * TFE_INVALID_ARGUMENT where one is negative.
 *
 * tfe_tropical_einsum_rrule_ALGEBRA_TYPE: a gradient per operand, as tfe_einsum_vjp_TYPE. The winner of each
 * output element takes its cotangent: of the assignments of the contracted labels that attain the element,
 * that of the smallest linear index, where labels count in the order in which the subscripts name them, the
 * first fastest. maxmul multiplies by the winning entries of the other operands. There is no forward mode.
 *
 *   algebra   sum   product   zero
 *   maxplus   max   +         -inf
 *   minplus   min   +         +inf
 *   maxmul    max   *         0
 */
#define TFE_TROPICAL_DECLARE(algebra, type)                                                          \
    TFE_API tfe_tensor_##type* tfe_tropical_einsum_##algebra##_##type(                               \
        const char* subscripts, tfe_tensor_##type* const* operands, size_t n, tfe_status_t* status); \
    TFE_API void tfe_tropical_einsum_rrule_##algebra##_##type(                                       \
        const char* subscripts, tfe_tensor_##type* const* operands, size_t n,                        \
        const tfe_tensor_##type* cotangent, tfe_tensor_##type** grads_out, tfe_status_t* status);

TFE_TROPICAL_DECLARE(maxplus, f64)
TFE_TROPICAL_DECLARE(minplus, f64)
TFE_TROPICAL_DECLARE(maxmul, f64)
TFE_TROPICAL_DECLARE(maxplus, f32)
TFE_TROPICAL_DECLARE(minplus, f32)
TFE_TROPICAL_DECLARE(maxmul, f32)

#undef TFE_TROPICAL_DECLARE

#ifdef __cplusplus
}
#endif

#endif
