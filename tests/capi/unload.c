/* dlopen, use, dlclose, in the middle of everything: handles, threads of the pool and a thread that has used
 * the library go on; opened again it is the same library. The program does not link the library. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tenferro.h"

enum { kSide = 300 };

static void* library;

/* ISO C has no cast from void* to a function; POSIX says how to do without one. */
#define FUNCTION(local, name, type) \
    type local = NULL;              \
    *(void**)&local = symbol(#name)

static void* symbol(const char* name) {
    void* const found = dlsym(library, name);
    if (found == NULL) fprintf(stderr, "%s is missing: %s\n", name, dlerror());
    if (found == NULL) exit(1);
    return found;
}

static void require(int condition, const char* what) {
    if (condition) return;
    fprintf(stderr, "not true: %s\n", what);
    exit(1);
}
#define REQUIRE(condition) require(condition, #condition)

typedef tfe_tensor_f64* (*zeros_function)(const size_t*, size_t, tfe_status_t*);
typedef tfe_tensor_f64* (*einsum_function)(const char*, tfe_tensor_f64* const*, size_t, tfe_status_t*);
typedef void (*release_function)(tfe_tensor_f64*);
typedef int32_t (*is_assigned_function)(const tfe_tensor_f64*);

static tfe_tensor_f64* product(void) {
    const size_t shape[2] = {kSide, kSide};
    FUNCTION(zeros, tfe_tensor_f64_zeros, zeros_function);
    FUNCTION(einsum, tfe_einsum_f64, einsum_function);
    FUNCTION(release, tfe_tensor_f64_release, release_function);
    tfe_tensor_f64 *operands[2], *out;
    operands[0] = operands[1] = zeros(shape, 2, NULL);
    out = einsum("ij,jk->ik", operands, 2, NULL);
    REQUIRE(out != NULL);
    release(operands[0]);
    return out;
}

static void open_library(void) {
    library = dlopen(TENFERRO_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fprintf(stderr, "%s\n", dlerror());
    REQUIRE(library != NULL);
}

static pthread_barrier_t used, closed;

/* Uses the library and ends after it was closed. */
static void* outlive(void* unused) {
    FUNCTION(release, tfe_tensor_f64_release, release_function);
    release(product());
    release(NULL);
    pthread_barrier_wait(&used);
    pthread_barrier_wait(&closed);
    return unused;
}

int main(void) {
    pthread_t thread;
    open_library();
    {
        FUNCTION(release, tfe_tensor_f64_release, release_function);
        FUNCTION(is_assigned, tfe_tensor_f64_is_assigned, is_assigned_function);
        tfe_tensor_f64* const kept = product();
        REQUIRE(pthread_barrier_init(&used, NULL, 2) == 0 && pthread_barrier_init(&closed, NULL, 2) == 0);
        REQUIRE(pthread_create(&thread, NULL, outlive, NULL) == 0);
        pthread_barrier_wait(&used);
        REQUIRE(dlclose(library) == 0);
        pthread_barrier_wait(&closed);
        REQUIRE(pthread_join(thread, NULL) == 0);
        REQUIRE(is_assigned(kept) == 1);
        open_library();
        {
            FUNCTION(again, tfe_tensor_f64_is_assigned, is_assigned_function);
            REQUIRE(again == is_assigned);
        }
        release(product());
        release(kept);
        REQUIRE(is_assigned(kept) == 0);
        REQUIRE(dlclose(library) == 0);
    }
    printf("closed and opened again\n");
    return 0;
}
