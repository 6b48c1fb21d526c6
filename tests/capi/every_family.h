/* every_family(): each family of functions once for every element type. */
#ifndef TENFERRO_TESTS_EVERY_FAMILY_H
#define TENFERRO_TESTS_EVERY_FAMILY_H

#include "check.h"
#include "dlpack_abi.h"

#define TEMPLATE "family.h"
#include "each_element.h"

static inline void every_family(void) {
    const size_t shape[2] = {2, 2}, ndims[2] = {2, 2};
    const size_t* shapes[2];
    tfe_einsum_plan* plan;
    shapes[0] = shapes[1] = shape;
    plan = tfe_einsum_plan_create("ij,jk->ik", shapes, ndims, 2, NULL, NULL);
    run_f64(plan);
    run_f32(plan);
    run_c32(plan);
    run_c64(plan);
    tfe_einsum_plan_release(plan);
}

#endif
