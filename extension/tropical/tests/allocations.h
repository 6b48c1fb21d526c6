/* Control over operator new of the whole process, for the tests of failing allocations. */
#ifndef TROPICAL_TESTS_ALLOCATIONS_H
#define TROPICAL_TESTS_ALLOCATIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The countdown-th allocation of this thread from now on fails, and all later ones when `forever`. */
void fail_allocation(long countdown, int forever);
/* Ends it; 1 when one failed. */
int stop_failing(void);
/* Blocks that were allocated and not freed. */
long live_allocations(void);

#ifdef __cplusplus
}
#endif

#endif
