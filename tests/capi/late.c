/* Every family of calls late in the life of a thread and of the process: in destructors of pthread keys made
 * before and after the library's, in exit handlers registered before and after its first use, and in
 * destructors of static and thread-local C++ objects (late_objects.cpp). */
#include "late.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "every_family.h"

int late_uses = 0;

void late_use(const char* where) {
    const long before = failures;
    every_family();
    (void)tfe_tensor_f64_ndim(NULL);
    CHECK(strcmp(last_message(), "tfe_tensor_f64_ndim: tensor is NULL") == 0);
    tfe_set_num_threads(tfe_get_num_threads(), NULL);
    __atomic_fetch_add(&late_uses, 1, __ATOMIC_SEQ_CST);
    if (failures == before) return;
    fprintf(stderr, "in %s\n", where);
    _exit(1);
}

static void in_key(void* where) { late_use(where); }
static void in_first_handler(void) { late_use("the exit handler registered first"); }
static void in_last_handler(void) { late_use("the exit handler registered last"); }

static pthread_key_t early_key, late_key;

static void* live(void* unused) {
    static char early[] = "the early key", late[] = "the late key";
    (void)unused;
    late_construct_in_thread();
    every_family();
    CHECK(pthread_setspecific(early_key, early) == 0 && pthread_setspecific(late_key, late) == 0);
    return NULL;
}

/* A thread whose only use of the library is in a key's destructor. */
static void* live_without(void* unused) {
    static char only[] = "a key of a thread without other use";
    (void)unused;
    CHECK(pthread_setspecific(early_key, only) == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_key_create(&early_key, in_key) == 0);
    CHECK(atexit(in_first_handler) == 0);
    late_construct_in_thread();
    every_family();
    CHECK(atexit(in_last_handler) == 0);
    CHECK(pthread_key_create(&late_key, in_key) == 0);
    CHECK(pthread_create(&thread, NULL, live, NULL) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(late_uses == 3);
    CHECK(pthread_create(&thread, NULL, live_without, NULL) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(late_uses == 4);
    return finish();
}
