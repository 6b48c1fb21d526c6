/* Making, querying, cloning and releasing tensors, with the shapes at the edges: scalars, zero extents,
 * overflow. */
#include <stdlib.h>

#include "check.h"

static void round_trip(void) {
    const double values[6] = {1, 2, 3, 4, 5, 6};
    const size_t shape[3] = {2, 1, 3};
    size_t seen[3] = {9, 9, 9};
    double copy[6];
    tfe_status_t status;
    tfe_tensor_f64* tensor = NULL;

    memcpy(copy, values, sizeof copy);
    CHECK_SUCCEEDS(tensor = tfe_tensor_f64_from_data(copy, 6, shape, 3, &status), status);
    copy[0] = -1; /* the tensor has its own copy */
    CHECK(tfe_tensor_f64_is_assigned(tensor) == 1);
    CHECK(tfe_tensor_f64_ndim(tensor) == 3);
    CHECK(tfe_tensor_f64_len(tensor) == 6);
    tfe_tensor_f64_shape(tensor, seen);
    CHECK(seen[0] == 2 && seen[1] == 1 && seen[2] == 3);
    CHECK(holds(tensor, 6, values));
    CHECK(tfe_tensor_f64_data(tensor) == tfe_tensor_f64_data(tensor));
    tfe_tensor_f64_release(tensor);
    CHECK(tfe_tensor_f64_is_assigned(tensor) == 0);
}

static void scalars(void) {
    const double value = 2.5;
    tfe_status_t status;
    tfe_tensor_f64* tensor = NULL;
    CHECK_SUCCEEDS(tensor = tfe_tensor_f64_from_data(&value, 1, NULL, 0, &status), status);
    CHECK(tfe_tensor_f64_ndim(tensor) == 0);
    CHECK(holds(tensor, 1, &value));
    CHECK_SUCCEEDS((tfe_tensor_f64_shape(tensor, NULL), status = TFE_SUCCESS), status);
    tfe_tensor_f64_release(tensor);

    CHECK_SUCCEEDS(tensor = tfe_tensor_f64_zeros(NULL, 0, &status), status);
    CHECK(tfe_tensor_f64_len(tensor) == 1 && tfe_tensor_f64_data(tensor)[0] == 0);
    tfe_tensor_f64_release(tensor);
    CHECK_FAILS(tensor = tfe_tensor_f64_from_data(NULL, 0, NULL, 0, &status), status, TFE_SHAPE_MISMATCH,
                "tfe_tensor_f64_from_data: ");
    CHECK(tensor == NULL);
}

static void zero_extents(void) {
    const size_t shape[3] = {3, 0, SIZE_MAX / 2}, overflowing[3] = {SIZE_MAX / 2, 3, 0};
    size_t seen[3] = {9, 9, 9};
    tfe_status_t status;
    tfe_tensor_f64 *tensor = NULL, *copy = NULL;
    CHECK_SUCCEEDS(tensor = tfe_tensor_f64_from_data(NULL, 0, shape, 3, &status), status);
    tfe_tensor_f64_shape(tensor, seen);
    CHECK(seen[0] == 3 && seen[1] == 0 && seen[2] == SIZE_MAX / 2);
    CHECK(tfe_tensor_f64_len(tensor) == 0);
    CHECK_SUCCEEDS((status = tfe_tensor_f64_data(tensor) == NULL ? TFE_SUCCESS : 1), status);
    CHECK_SUCCEEDS(copy = tfe_tensor_f64_clone(tensor, &status), status);
    CHECK(tfe_tensor_f64_ndim(copy) == 3 && tfe_tensor_f64_len(copy) == 0);
    tfe_tensor_f64_release(copy);
    tfe_tensor_f64_release(tensor);
    CHECK_SUCCEEDS(tensor = tfe_tensor_f64_zeros(shape, 2, &status), status);
    CHECK(tfe_tensor_f64_len(tensor) == 0);
    tfe_tensor_f64_release(tensor);
    CHECK_SUCCEEDS(tensor = tfe_tensor_f64_zeros(overflowing, 3, &status), status); /* empty all the same */
    CHECK(tfe_tensor_f64_len(tensor) == 0);
    tfe_tensor_f64_release(tensor);
}

static void bad_shapes(void) {
    const double values[4] = {1, 2, 3, 4};
    const size_t square[2] = {2, 2}, wide[2] = {SIZE_MAX / 2, 3}, negative[1] = {SIZE_MAX},
                 bytes[1] = {SIZE_MAX / 8};
    const size_t ranks[2] = {SIZE_MAX / 2 + 1, 0};
    tfe_status_t status;
    tfe_tensor_f64* tensor = NULL;
    size_t len;
    for (len = 0; len < 8; ++len)
        if (len != 4) {
            CHECK_FAILS(tensor = tfe_tensor_f64_from_data(values, len, square, 2, &status), status,
                        TFE_SHAPE_MISMATCH, "tfe_tensor_f64_from_data: len is ");
            CHECK(tensor == NULL);
        }
    CHECK_FAILS(tfe_tensor_f64_from_data(values, SIZE_MAX, square, 2, &status), status, TFE_SHAPE_MISMATCH,
                "tfe_tensor_f64_from_data: len is ");
    CHECK_FAILS(tfe_tensor_f64_from_data(values, 4, wide, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_from_data: ");
    CHECK_FAILS(tfe_tensor_f64_zeros(wide, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_zeros: ");
    CHECK_FAILS(tfe_tensor_f64_zeros(negative, 1, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_zeros: axis 0 has extent ");
    CHECK_FAILS(tfe_tensor_f64_zeros(ranks, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_zeros: axis 0 has extent ");
    CHECK_FAILS(tfe_tensor_f64_zeros(bytes, 1, &status), status, TFE_INVALID_ARGUMENT,
                "zeros: the size in bytes ");
    CHECK_FAILS(tfe_tensor_f64_zeros(square, SIZE_MAX, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_zeros: ndim is ");
}

/* More memory than an address space holds; allocators under a sanitizer end the process instead of refusing.
 */
static void no_memory(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(TENFERRO_SANITIZED)
    const size_t huge[2] = {(size_t)1 << 30, (size_t)1 << 26};
    tfe_status_t status;
    CHECK_FAILS(tfe_tensor_f64_zeros(huge, 2, &status), status, TFE_INTERNAL_ERROR,
                "zeros: 576460752303423488 bytes cannot be allocate");
#endif
}

static void clones_are_deep(void) {
    const double values[4] = {1, 2, 3, 4};
    tfe_status_t status;
    tfe_tensor_f64 *tensor = make2(2, 2, values), *copy = NULL;
    CHECK_SUCCEEDS(copy = tfe_tensor_f64_clone(tensor, &status), status);
    CHECK(copy != tensor && tfe_tensor_f64_data(copy) != tfe_tensor_f64_data(tensor));
    tfe_tensor_f64_release(tensor);
    CHECK(tfe_tensor_f64_ndim(copy) == 2 && holds(copy, 4, values));
    tfe_tensor_f64_release(copy);
}

/* Random shapes: everything asked back is what went in. */
static void random_shapes(void) {
    int round;
    srand(20240817);
    for (round = 0; round < 200; ++round) {
        size_t shape[10], seen[10], len = 1, axis, i;
        const size_t ndim = (size_t)rand() % 11;
        double* values;
        tfe_status_t status;
        tfe_tensor_f64* tensor = NULL;
        for (axis = 0; axis < ndim; ++axis) {
            shape[axis] = (size_t)rand() % 4;
            len *= shape[axis];
        }
        values = malloc((len + 1) * sizeof *values);
        for (i = 0; i < len; ++i) values[i] = rand();
        CHECK_SUCCEEDS(tensor = tfe_tensor_f64_from_data(values, len, shape, ndim, &status), status);
        CHECK(tfe_tensor_f64_ndim(tensor) == ndim && holds(tensor, len, values));
        tfe_tensor_f64_shape(tensor, seen);
        CHECK(memcmp(seen, shape, ndim * sizeof *shape) == 0);
        tfe_tensor_f64_release(tensor);
        free(values);
    }
}

int main(void) {
    round_trip();
    scalars();
    zero_extents();
    bad_shapes();
    no_memory();
    clones_are_deep();
    random_shapes();
    return finish();
}
