/* Dead, foreign and arbitrary handles: detected everywhere, never followed; double release; no handle value
 * comes back. */
#include <stdlib.h>

#include "check.h"

static const double kValues[4] = {1, 2, 3, 4};

/* Every function refuses `handle`, which is not NULL. */
static void refused_everywhere(tfe_tensor_f64* handle) {
    const char product[] = "ij,jk->ik";
    tfe_tensor_f64 *good = make2(2, 2, kValues), *out = good, *grads[2], *operands[2], *fine[2];
    size_t shape[2] = {7, 7};
    int64_t strides[2] = {7, 7};
    tfe_status_t status;
    operands[0] = fine[0] = fine[1] = good;
    operands[1] = handle;

    CHECK(tfe_tensor_f64_is_assigned(handle) == 0);
    CHECK_REPORTS(CHECK(tfe_tensor_f64_ndim(handle) == 0), "tfe_tensor_f64_ndim: tensor is not a live ");
    CHECK_REPORTS(CHECK(tfe_tensor_f64_len(handle) == 0), "tfe_tensor_f64_len: tensor is not a live ");
    CHECK_REPORTS(CHECK(tfe_tensor_f64_data(handle) == NULL), "tfe_tensor_f64_data: tensor is not a live ");
    CHECK_REPORTS(tfe_tensor_f64_shape(handle, shape), "tfe_tensor_f64_shape: tensor is not a live ");
    CHECK(shape[0] == 7 && shape[1] == 7);
    CHECK_REPORTS(tfe_tensor_f64_strides(handle, strides), "tfe_tensor_f64_strides: tensor is not a live ");
    CHECK(strides[0] == 7 && strides[1] == 7);
    CHECK_FAILS(CHECK(tfe_tensor_f64_to_dlpack(handle, &status) == NULL), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_to_dlpack: tensor is not a live ");
    CHECK_REPORTS(tfe_tensor_f64_release(handle), "tfe_tensor_f64_release: tensor is not a live ");
    CHECK_FAILS(out = tfe_tensor_f64_clone(handle, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_clone: tensor is not a live ");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_tensor_f64_conj(handle, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_conj: tensor is not a live ");
    CHECK(out == NULL);
    CHECK_FAILS(tfe_tensor_f64_copy_row_major(handle, NULL, 0, shape, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_copy_row_major: tensor is not a live ");
    CHECK(shape[0] == 7);
    CHECK_FAILS(out = tfe_einsum_f64(product, operands, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_f64: operand 1 is not a live ");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_einsum_jvp_f64(product, operands, 2, fine, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_jvp_f64: primal 1 is not a live ");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_einsum_jvp_f64(product, fine, 2, operands, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_jvp_f64: tangent 1 is not a live ");
    CHECK(out == NULL);
    grads[0] = grads[1] = good;
    CHECK_FAILS(tfe_einsum_vjp_f64(product, operands, 2, good, grads, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_vjp_f64: operand 1 is not a live ");
    CHECK(grads[0] == NULL && grads[1] == NULL);
    grads[0] = grads[1] = good;
    CHECK_FAILS(tfe_einsum_vjp_f64(product, fine, 2, handle, grads, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_vjp_f64: cotangent is not a live ");
    CHECK(grads[0] == NULL && grads[1] == NULL);
    CHECK(tfe_tensor_f64_is_assigned(good) == 1);
    tfe_tensor_f64_release(good);
}

/* The handle's bits as a number and back. */
static tfe_tensor_f64* from_bits(uintptr_t bits) { return (tfe_tensor_f64*)bits; }

static void released_handles(void) {
    tfe_tensor_f64* dead = make2(2, 2, kValues);
    tfe_tensor_f64* successor;
    tfe_tensor_f64_release(dead);
    refused_everywhere(dead);
    successor = make2(2, 2, kValues); /* takes the slot over */
    CHECK(successor != dead);
    refused_everywhere(dead);
    CHECK(holds(successor, 4, kValues)); /* releasing the dead handle did not hit its successor */
    tfe_tensor_f64_release(successor);
}

static void foreign_pointers(void) {
    double on_stack[64] = {0};
    void* on_heap = malloc(512);
    tfe_tensor_f64* live = make2(2, 2, kValues);
    const uintptr_t bits = (uintptr_t)live;
    unsigned bit;
    memset(on_heap, 0xA7, 512);
    refused_everywhere((tfe_tensor_f64*)on_stack);
    refused_everywhere((tfe_tensor_f64*)on_heap);
    refused_everywhere((tfe_tensor_f64*)(uintptr_t)&refused_everywhere);
    refused_everywhere(from_bits(1));
    refused_everywhere(from_bits(UINTPTR_MAX));
    refused_everywhere(from_bits((uintptr_t)tfe_tensor_f64_data(live)));
    for (bit = 0; bit < 64; ++bit) refused_everywhere(from_bits(bits ^ (uintptr_t)1 << bit));
    CHECK(holds(live, 4, kValues));
    tfe_tensor_f64_release(live);
    free(on_heap);
}

static void random_bits(void) {
    tfe_tensor_f64* live = make2(2, 2, kValues);
    const uintptr_t tag = (uintptr_t)live & ~(uintptr_t)0 << 56;
    int i;
    srand(7);
    for (i = 0; i < 20000; ++i) {
        uintptr_t bits = (uintptr_t)rand() ^ (uintptr_t)rand() << 20 ^ (uintptr_t)rand() << 40;
        if (i % 2 == 0) bits = (bits & ~((uintptr_t)255 << 56)) | tag;
        if (bits == (uintptr_t)live) continue;
        CHECK(tfe_tensor_f64_is_assigned(from_bits(bits)) == 0);
        tfe_tensor_f64_release(from_bits(bits));
    }
    CHECK(holds(live, 4, kValues));
    tfe_tensor_f64_release(live);
}

static int compare_bits(const void* a, const void* b) {
    const uintptr_t x = *(const uintptr_t*)a, y = *(const uintptr_t*)b;
    return x < y ? -1 : x > y;
}

/* Many handles, released in mixed order: all values distinct over the program's life. */
static void handles_are_unique(void) {
    enum { kCount = 4000 };
    uintptr_t* seen = malloc(kCount * sizeof *seen);
    int i, repeated = 0;
    for (i = 0; i < kCount; ++i) {
        tfe_tensor_f64* tensor = make1(1, kValues);
        seen[i] = (uintptr_t)tensor;
        if (i % 3 != 0) tfe_tensor_f64_release(tensor);
    }
    for (i = 0; i < kCount; ++i) CHECK(tfe_tensor_f64_is_assigned(from_bits(seen[i])) == (i % 3 == 0));
    for (i = 0; i < kCount; i += 3) tfe_tensor_f64_release(from_bits(seen[i]));
    qsort(seen, kCount, sizeof *seen, compare_bits);
    for (i = 1; i < kCount; ++i) repeated += seen[i] == seen[i - 1];
    CHECK(repeated == 0);
    free(seen);
}

int main(void) {
    released_handles();
    foreign_pointers();
    random_bits();
    handles_are_unique();
    return finish();
}
