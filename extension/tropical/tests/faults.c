/* Every allocation of every function failed in turn, once and for ever: TFE_INTERNAL_ERROR with a message,
 * outputs NULL, nothing left over, and the next call works. */
#include "allocations.h"
#include "check.h"

#define EACH(X) X(maxplus, f64) X(minplus, f64) X(maxmul, f64) X(maxplus, f32) X(minplus, f32) X(maxmul, f32)

static const char* const kStrings[3] = {"ij,jk->ik", "ij,jk,kl->il", "iij->ji"};
static const size_t kOperands[3] = {2, 3, 1}, kShape[3] = {2, 2, 2};
static void* operands[2][3][3]; /* by type, string and number */
static void* cotangents[2];
static tfe_tensor_f64* as_f64(void* handle) { return handle; }

static void release(void* handle, int single) {
    if (single)
        tfe_tensor_f32_release(handle);
    else
        tfe_tensor_f64_release(as_f64(handle));
}

#define TYPE_f64 0
#define TYPE_f32 1
#define DEFINE(algebra, type)                                                                              \
    static tfe_status_t call_##algebra##_##type(int string, void** out) {                                  \
        tfe_status_t status = 77;                                                                          \
        out[0] = tfe_tropical_einsum_##algebra##_##type(                                                   \
            kStrings[string], (tfe_tensor_##type* const*)operands[TYPE_##type][string], kOperands[string], \
            &status);                                                                                      \
        return status;                                                                                     \
    }                                                                                                      \
    static tfe_status_t rrule_##algebra##_##type(int string, void** out) {                                 \
        tfe_status_t status = 77;                                                                          \
        tfe_tropical_einsum_rrule_##algebra##_##type(                                                      \
            kStrings[string], (tfe_tensor_##type* const*)operands[TYPE_##type][string], kOperands[string], \
            cotangents[TYPE_##type], (tfe_tensor_##type**)out, &status);                                   \
        return status;                                                                                     \
    }
EACH(DEFINE)

static const struct {
    tfe_status_t (*call)(int string, void** out);
    const char* name;
    int single, gradients;
} kCalls[] = {
#define LIST(algebra, type)                                                               \
    {call_##algebra##_##type, "tfe_tropical_einsum_" #algebra "_" #type, TYPE_##type, 0}, \
        {rrule_##algebra##_##type, "tfe_tropical_einsum_rrule_" #algebra "_" #type, TYPE_##type, 1},
    EACH(LIST)};

static size_t outputs(size_t c, int string) { return kCalls[c].gradients ? kOperands[string] : 1; }

static void release_all(size_t c, int string, void** out) {
    size_t i;
    for (i = 0; i < outputs(c, string); ++i) release(out[i], kCalls[c].single);
}

static void sweep(size_t c, int string, int forever) {
    enum { kMostAllocations = 5000 };
    void* out[3] = {NULL, NULL, NULL};
    long countdown, before;
    size_t i;
    for (i = 0; i < 2; ++i) { /* plans and pools are made by the first call */
        CHECK(kCalls[c].call(string, out) == TFE_SUCCESS);
        release_all(c, string, out);
    }
    before = live_allocations();
    for (countdown = 1; countdown < kMostAllocations; ++countdown) {
        tfe_status_t status;
        int failed;
        out[0] = out[1] = out[2] = NULL;
        fail_allocation(countdown, forever);
        status = kCalls[c].call(string, out);
        failed = stop_failing();
        if (status == TFE_SUCCESS) {
            release_all(c, string, out);
        } else {
            CHECK(failed && status == TFE_INTERNAL_ERROR &&
                  tfe_last_error_detail() == TFE_DETAIL_OUT_OF_MEMORY);
            for (i = 0; i < outputs(c, string); ++i) CHECK(out[i] == NULL);
        }
        CHECK(kCalls[c].call(string, out) == TFE_SUCCESS);
        release_all(c, string, out);
        if (!failed) break;
    }
    CHECK(countdown < kMostAllocations && (countdown > 1 || !kCalls[c].gradients)); /* a product needs none */
    /* A cache may have grown by a little; a leak would be one block per failure. */
    if (live_allocations() > before + 8) {
        ++failures;
        fprintf(stderr, "%s %s: %ld blocks more after %ld failures\n", kCalls[c].name, kStrings[string],
                live_allocations() - before, countdown);
    }
}

int main(void) {
    const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const float singles[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    size_t c, i;
    int string, forever;
    for (string = 0; string < 3; ++string)
        for (i = 0; i < kOperands[string]; ++i) {
            const size_t rank = string == 2 ? 3 : 2, len = string == 2 ? 8 : 4;
            operands[0][string][i] = tfe_tensor_f64_from_data(values, len, kShape, rank, NULL);
            operands[1][string][i] = tfe_tensor_f32_from_data(singles, len, kShape, rank, NULL);
        }
    cotangents[0] = tfe_tensor_f64_from_data(values, 4, kShape, 2, NULL);
    cotangents[1] = tfe_tensor_f32_from_data(singles, 4, kShape, 2, NULL);
    for (c = 0; c < sizeof kCalls / sizeof *kCalls; ++c)
        for (string = 0; string < 3; ++string)
            for (forever = 0; forever < 2; ++forever) sweep(c, string, forever);
    if (failures == 0) printf("every allocation may fail\n");
    return failures != 0;
}
