/* bench_calls: without arguments a table of what each call costs, median over batches; with `NAME COUNT` only
 * makes that call COUNT times inside the function bench_counted, for a tool that counts its instructions;
 * with `--list` the names. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/calls/calls.h"

enum { kBatches = 31, kMostCalls = 20000, kWarmUp = 100, kBatchNs = 2000000 };

/* Not inlined, so that the tool finds it by its name. */
__attribute__((noinline)) void bench_counted(const bench_call* call, size_t n);
void bench_counted(const bench_call* call, size_t n) { call->run(n); }

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static const bench_call* call_at(size_t i) {
    return i < bench_cpp_call_count ? &bench_cpp_calls[i] : &bench_c_calls[i - bench_cpp_call_count];
}

/* As many as take about kBatchNs. */
static size_t calls_per_batch(const bench_call* call) {
    call->run(kWarmUp);
    const double start = now_ns();
    call->run(kWarmUp);
    const double calls = kBatchNs * kWarmUp / (now_ns() - start);
    return calls > kMostCalls ? kMostCalls : calls > 1 ? (size_t)calls : 1;
}

static void report(const bench_call* call) {
    const size_t calls = calls_per_batch(call);
    double times[kBatches];
    for (int batch = 0; batch < kBatches; ++batch) {
        const double start = now_ns();
        call->run(calls);
        times[batch] = (now_ns() - start) / (double)calls;
    }
    qsort(times, kBatches, sizeof times[0], compare);
    printf("%-36s %8.1f ns\n", call->name, times[kBatches / 2]);
}

int main(int argc, char** argv) {
    const size_t count = bench_cpp_call_count + bench_c_call_count;
    if (argc == 3) {
        for (size_t i = 0; i < count; ++i)
            if (strcmp(call_at(i)->name, argv[1]) == 0) {
                call_at(i)->run(kWarmUp);
                bench_counted(call_at(i), strtoul(argv[2], NULL, 10));
                return 0;
            }
        fprintf(stderr, "bench_calls: there is no call '%s'\n", argv[1]);
        return 1;
    }
    for (size_t i = 0; i < count; ++i) {
        if (argc == 2)
            puts(call_at(i)->name);
        else
            report(call_at(i));
    }
    return 0;
}
