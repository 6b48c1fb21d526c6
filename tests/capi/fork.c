/* Children forked while other threads are inside the library: each computes, plans, allocates, changes the
 * thread count and ends. A child that hangs is ended by its alarm. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kThreads = 4, kForks = 300, kExtent = 72, kSeconds = 30 };

static int stop = 0;

/* A product on both threads, gradients, a string that is planned anew and one that is refused. */
static int use_library(unsigned number) {
    static double ones[kExtent * kExtent];
    const size_t shape[2] = {kExtent, kExtent}, extent = 1 + number % 5;
    char subscripts[32];
    tfe_tensor_f64 *matrix, *operands[2], *grads[2], *out;
    int good, i;
    for (i = 0; i < kExtent * kExtent; ++i) ones[i] = 1;
    matrix = tfe_tensor_f64_from_data(ones, kExtent * kExtent, shape, 2, NULL);
    operands[0] = operands[1] = matrix;
    out = tfe_einsum_f64("ij,jk->ik", operands, 2, NULL);
    good = out != NULL && tfe_tensor_f64_data(out)[kExtent] == kExtent;
    tfe_tensor_f64_release(out);
    tfe_einsum_vjp_f64("ij,jk->ik", operands, 2, matrix, grads, NULL);
    good = good && tfe_tensor_f64_data(grads[0])[0] == kExtent;
    tfe_tensor_f64_release(grads[0]);
    tfe_tensor_f64_release(grads[1]);
    tfe_tensor_f64_release(matrix);
    snprintf(subscripts, sizeof subscripts, "%c,%c->%c", 'a' + number % 26, 'a' + number % 26,
             'a' + number % 26);
    operands[0] = operands[1] = tfe_tensor_f64_from_data(ones, extent, &extent, 1, NULL);
    out = tfe_einsum_f64(subscripts, operands, 2, NULL);
    good = good && out != NULL && tfe_tensor_f64_data(out)[0] == 1;
    tfe_tensor_f64_release(out);
    good = good && tfe_einsum_f64("i->j", operands, 1, NULL) == NULL;
    tfe_tensor_f64_release(operands[0]);
    return good;
}

static void* keep_busy(void* argument) {
    unsigned number = (unsigned)(size_t)argument;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) CHECK(use_library(number += 7));
    return NULL;
}

static void in_child(unsigned number) {
    int i;
    alarm(kSeconds);
    for (i = 0; i < 3; ++i)
        if (!use_library(number + (unsigned)i)) _exit(1);
    tfe_set_num_threads(3, NULL);
    if (!use_library(number)) _exit(2);
    _exit(0);
}

int main(void) {
    pthread_t threads[kThreads];
    int i, status;
    pid_t child;
    tfe_set_num_threads(2, NULL);
    for (i = 0; i < kThreads; ++i) CHECK(pthread_create(&threads[i], NULL, keep_busy, (void*)(size_t)i) == 0);
    for (i = 0; i < kForks && failures == 0; ++i) {
        child = fork();
        if (child == 0) in_child((unsigned)i);
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        if (failures != 0) fprintf(stderr, "fork %d: wait status %d\n", i, status);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (i = 0; i < kThreads; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
    return finish();
}
