/* What one call through the C ABI costs: median over batches of the time per call, in nanoseconds. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <tenferro.h>
#include <time.h>

enum { kBatches = 31, kCalls = 20000 };

static tfe_tensor_f64* operands[2];
static volatile size_t sink;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void report(const char* name, void (*call)(void)) {
    double times[kBatches];
    for (int batch = 0; batch < kBatches; ++batch) {
        const double start = now_ns();
        for (int i = 0; i < kCalls; ++i) call();
        times[batch] = (now_ns() - start) / kCalls;
    }
    qsort(times, kBatches, sizeof times[0], compare);
    printf("%-44s %8.1f ns\n", name, times[kBatches / 2]);
}

static void call_ndim(void) { sink = tfe_tensor_f64_ndim(operands[0]); }

static void call_zeros(void) {
    const size_t shape[2] = {2, 2};
    tfe_tensor_f64_release(tfe_tensor_f64_zeros(shape, 2, NULL));
}

static void call_einsum(void) { tfe_tensor_f64_release(tfe_einsum_f64("ij,jk->ik", operands, 2, NULL)); }

static void call_vjp(void) {
    tfe_tensor_f64* gradients[2];
    tfe_einsum_vjp_f64("ij,jk->ik", operands, 2, operands[0], gradients, NULL);
    tfe_tensor_f64_release(gradients[0]);
    tfe_tensor_f64_release(gradients[1]);
}

int main(void) {
    const size_t shape[2] = {2, 2};
    const double a[4] = {1, 3, 2, 4}, b[4] = {5, 7, 6, 8};
    operands[0] = tfe_tensor_f64_from_data(a, 4, shape, 2, NULL);
    operands[1] = tfe_tensor_f64_from_data(b, 4, shape, 2, NULL);
    tfe_tensor_f64* product = tfe_einsum_f64("ij,jk->ik", operands, 2, NULL);
    if (product == NULL || tfe_tensor_f64_data(product)[0] != 19) return 1;
    tfe_tensor_f64_release(product);

    printf("tenferro %s, median of %d batches of %d calls\n", tfe_version_string(), kBatches, kCalls);
    report("tfe_tensor_f64_ndim", call_ndim);
    report("tfe_tensor_f64_zeros 2x2 + release", call_zeros);
    report("tfe_einsum_f64(\"ij,jk->ik\") 2x2 + release", call_einsum);
    report("tfe_einsum_vjp_f64(\"ij,jk->ik\") 2x2 + release", call_vjp);

    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    return 0;
}
