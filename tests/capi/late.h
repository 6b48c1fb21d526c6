/* What the C and the C++ half of the test of late calls share. */
#ifndef TENFERRO_TESTS_LATE_H
#define TENFERRO_TESTS_LATE_H

#ifdef __cplusplus
extern "C" {
#endif

/* How often late_use has run. */
extern int late_uses;
/* Every family of calls; ends the process where one of them fails. */
void late_use(const char* where);
/* Makes the calling thread's C++ object. */
void late_construct_in_thread(void);

#ifdef __cplusplus
}
#endif

#endif
