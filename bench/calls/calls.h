/* The smallest useful calls, through C and through C++, as functions that make a call n times. The worker
 * times them, and bench/instructions.py counts their instructions, so both speak of the same code. */
#ifndef TENFERRO_BENCH_CALLS_H
#define TENFERRO_BENCH_CALLS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_call {
    const char* name;      /* "c: einsum 2x2" */
    void (*run)(size_t n); /* makes the call n times; the first run also makes the operands */
    const double* (*last)(
        void); /* makes the call once more; its result's four elements, valid until the next call */
} bench_call;

extern const bench_call bench_c_calls[];
extern const size_t bench_c_call_count;
extern const bench_call bench_cpp_calls[];
extern const size_t bench_cpp_call_count;

#ifdef __cplusplus
}
#endif

#endif
