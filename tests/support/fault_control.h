/* The fault points and the handle count for tests of faults in C and C++. */
#ifndef TENFERRO_TESTS_FAULT_CONTROL_H
#define TENFERRO_TESTS_FAULT_CONTROL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The countdown-th fault point that this thread passes from now on fails (all later ones too when `forever`):
 * out of memory, in which case every allocation is one, or an unexpected exception when `internal`. */
void fault_arm(long countdown, int internal, int forever);
/* From 1 to 0 this thread's allocations succeed. */
void fault_pause(int on);
/* Ends it; 1 when a fault happened. */
int fault_disarm(void);
/* Live handles of the process, tensors and plans. */
size_t live_handles(void);

/* Has the derivatives of linear algebra compiled again. */
void forget_programs(void);

#ifdef __cplusplus
}
#endif

#endif
