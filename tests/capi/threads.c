/* Several threads on the C API at once; run under the thread and address sanitizers too. Each thread counts
 * what it sees in its own struct, main checks. */
#include <pthread.h>

#include "check.h"
#include "dlpack_abi.h"

enum { kThreads = 4, kRounds = 300 };

struct job {
    pthread_t thread;
    pthread_barrier_t* start;
    tfe_tensor_f64* shared;
    int number;
    long good, refused, wrong;
};

static const double kValues[4] = {1, 3, 2, 4}, kSquare[4] = {7, 15, 10, 22};

static int error_starts_with(const char* text) {
    char message[256] = "";
    size_t length = 0;
    return tfe_last_error_message((uint8_t*)message, sizeof message, &length) == TFE_SUCCESS &&
           strncmp(message, text, strlen(text)) == 0;
}

static void run(void* (*body)(void*), tfe_tensor_f64* shared, struct job* jobs) {
    pthread_barrier_t start;
    int i;
    pthread_barrier_init(&start, NULL, kThreads);
    for (i = 0; i < kThreads; ++i) {
        memset(&jobs[i], 0, sizeof jobs[i]);
        jobs[i].start = &start;
        jobs[i].shared = shared;
        jobs[i].number = i;
        CHECK(pthread_create(&jobs[i].thread, NULL, body, &jobs[i]) == 0);
    }
    for (i = 0; i < kThreads; ++i) CHECK(pthread_join(jobs[i].thread, NULL) == 0);
    pthread_barrier_destroy(&start);
}

/* One handle read and used by all threads. */
static void* use_shared(void* argument) {
    struct job* job = argument;
    tfe_tensor_f64* operands[2];
    int i;
    operands[0] = operands[1] = job->shared;
    pthread_barrier_wait(job->start);
    for (i = 0; i < kRounds; ++i) {
        tfe_tensor_f64* out = tfe_einsum_f64("ij,jk->ik", operands, 2, NULL);
        if (holds(job->shared, 4, kValues) && holds(out, 4, kSquare)) ++job->good;
        tfe_tensor_f64_release(out);
    }
    return NULL;
}

/* One handle decomposed and differentiated by all threads, whose first derivatives are compiled at once: the
 * gradient of the first singular value, by forward mode too, is u v for the matrix diag(2, 1). */
static void* decompose_shared(void* argument) {
    struct job* job = argument;
    const size_t rows[1] = {0}, columns[1] = {1}, one[1] = {1};
    const double unit = 1, two = 2, gradient[4] = {1, 0, 0, 0};
    int i;
    pthread_barrier_wait(job->start);
    for (i = 0; i < kRounds; ++i) {
        tfe_tensor_f64 *u = NULL, *s = NULL, *vt = NULL, *du = NULL, *ds = NULL, *dvt = NULL, *back;
        tfe_tensor_f64* cotangent = tfe_tensor_f64_from_data(&unit, 1, one, 1, NULL);
        tfe_svd_f64(job->shared, rows, 1, columns, 1, 1, -1, &u, &s, &vt, NULL);
        tfe_svd_jvp_f64(job->shared, rows, 1, columns, 1, 1, -1, job->shared, &du, &ds, &dvt, NULL);
        back = tfe_svd_vjp_f64(job->shared, rows, 1, columns, 1, 1, -1, NULL, cotangent, NULL, NULL);
        if (holds(s, 1, &two) && holds(ds, 1, &two) && holds(back, 4, gradient)) ++job->good;
        tfe_tensor_f64_release(u);
        tfe_tensor_f64_release(s);
        tfe_tensor_f64_release(vt);
        tfe_tensor_f64_release(du);
        tfe_tensor_f64_release(ds);
        tfe_tensor_f64_release(dvt);
        tfe_tensor_f64_release(back);
        tfe_tensor_f64_release(cotangent);
    }
    return NULL;
}

/* Thread 0 releases the handle while the others clone it: a clone is whole or refused. */
static void* use_while_released(void* argument) {
    struct job* job = argument;
    int i;
    pthread_barrier_wait(job->start);
    if (job->number == 0) {
        for (i = 0; i < 50; ++i) (void)tfe_tensor_f64_ndim(job->shared);
        tfe_tensor_f64_release(job->shared);
        return NULL;
    }
    for (i = 0; i < kRounds; ++i) {
        tfe_status_t status = 77;
        tfe_tensor_f64* copy = tfe_tensor_f64_clone(job->shared, &status);
        if (copy != NULL && status == TFE_SUCCESS && holds(copy, 4, kValues))
            ++job->good;
        else if (copy == NULL && status == TFE_INVALID_ARGUMENT &&
                 error_starts_with("tfe_tensor_f64_clone: tensor is not a live"))
            ++job->refused;
        else
            ++job->wrong;
        if (copy != NULL) tfe_tensor_f64_release(copy);
    }
    return NULL;
}

/* All threads release one handle: one is silent, the others are told. */
static void* release_shared(void* argument) {
    struct job* job = argument;
    (void)tfe_tensor_f64_len(NULL);
    pthread_barrier_wait(job->start);
    tfe_tensor_f64_release(job->shared);
    if (error_starts_with("tfe_tensor_f64_len: "))
        ++job->good;
    else if (error_starts_with("tfe_tensor_f64_release: tensor is not a live"))
        ++job->refused;
    return NULL;
}

/* Every thread makes and releases its own tensors; slots change hands all the time. */
static void* churn(void* argument) {
    struct job* job = argument;
    int i, k;
    pthread_barrier_wait(job->start);
    for (i = 0; i < kRounds; ++i) {
        tfe_tensor_f64* mine[3];
        const double value = job->number * 1000 + i;
        for (k = 0; k < 3; ++k) mine[k] = tfe_tensor_f64_from_data(&value, 1, NULL, 0, NULL);
        for (k = 0; k < 3; ++k) {
            if (holds(mine[k], 1, &value)) ++job->good;
            tfe_tensor_f64_release(mine[k]);
            if (tfe_tensor_f64_is_assigned(mine[k])) ++job->wrong;
        }
    }
    return NULL;
}

/* The last error belongs to its thread. */
static void* own_errors(void* argument) {
    struct job* job = argument;
    if (error_starts_with("tfe_")) ++job->wrong;
    pthread_barrier_wait(job->start);
    if (job->number % 2 == 0)
        (void)tfe_tensor_f64_ndim(NULL);
    else
        (void)tfe_tensor_f64_data(NULL);
    pthread_barrier_wait(job->start);
    if (error_starts_with(job->number % 2 == 0 ? "tfe_tensor_f64_ndim: " : "tfe_tensor_f64_data: "))
        ++job->good;
    return NULL;
}

/* All threads ask for the compact data of one strided import: one copy, whole, the same for all. */
static const double* seen_data[kThreads];
static void* materialise(void* argument) {
    struct job* job = argument;
    pthread_barrier_wait(job->start);
    seen_data[job->number] = tfe_tensor_f64_data(job->shared);
    if (holds(job->shared, 4, kValues)) ++job->good;
    return NULL;
}

/* Thread 0 exports the handle while the others compute with it; a writable export is not in use any more. */
static struct DLManagedTensorVersioned* exported;
static void* use_while_exported(void* argument) {
    struct job* job = argument;
    tfe_tensor_f64* operands[2];
    int i;
    operands[0] = operands[1] = job->shared;
    pthread_barrier_wait(job->start);
    if (job->number == 0) {
        for (i = 0; i < 20; ++i) (void)tfe_tensor_f64_ndim(job->shared);
        exported = tfe_tensor_f64_to_dlpack(job->shared, NULL);
        if (exported != NULL && (exported->flags & kReadOnly) == 0)
            memset(exported->dl_tensor.data, 0xEE, sizeof kValues);
        return NULL;
    }
    for (i = 0; i < kRounds; ++i) {
        tfe_status_t status = 77;
        tfe_tensor_f64* out = tfe_einsum_f64("ij,jk->ik", operands, 2, &status);
        if (out != NULL && status == TFE_SUCCESS && holds(out, 4, kSquare))
            ++job->good;
        else if (out == NULL && status == TFE_INVALID_ARGUMENT)
            ++job->refused;
        else
            ++job->wrong;
        if (out != NULL) tfe_tensor_f64_release(out);
    }
    return NULL;
}

/* All threads export one handle: one gets the struct. */
static struct DLManagedTensorVersioned* exports[kThreads];
static void* export_shared(void* argument) {
    struct job* job = argument;
    pthread_barrier_wait(job->start);
    exports[job->number] = tfe_tensor_f64_to_dlpack(job->shared, NULL);
    if (exports[job->number] != NULL) ++job->good;
    return NULL;
}

/* The thread count changes while calls run. */
static void* change_thread_count(void* argument) {
    struct job* job = argument;
    tfe_tensor_f64* operands[2];
    int i;
    operands[0] = operands[1] = job->shared;
    pthread_barrier_wait(job->start);
    for (i = 0; i < kRounds; ++i) {
        tfe_tensor_f64* out;
        if (job->number == 0) tfe_set_num_threads(1 + i % 3, NULL);
        out = tfe_einsum_f64("ij,jk->ik", operands, 2, NULL);
        if (out != NULL && tfe_tensor_f64_data(out)[0] == 96 && tfe_get_num_threads() <= 3) ++job->good;
        tfe_tensor_f64_release(out);
    }
    return NULL;
}

static void dlpack_threads(struct job* jobs) {
    const int64_t shape[2] = {2, 2};
    const double rows[4] = {1, 2, 3, 4};
    int round, i, winners;
    for (round = 0; round < 50; ++round) {
        struct lender lender;
        tfe_tensor_f64* shared = tfe_tensor_f64_from_dlpack(lend(&lender, rows, 2, shape, NULL), NULL);
        run(materialise, shared, jobs);
        for (i = 0; i < kThreads; ++i) CHECK(jobs[i].good == 1 && seen_data[i] == seen_data[0]);
        tfe_tensor_f64_release(shared);
        CHECK(lender.deleted == 1);

        shared = make2(2, 2, kValues);
        run(use_while_exported, shared, jobs);
        for (i = 1; i < kThreads; ++i) CHECK(jobs[i].wrong == 0 && jobs[i].good + jobs[i].refused == kRounds);
        CHECK(exported != NULL);
        exported->deleter(exported);

        shared = make2(2, 2, kValues);
        run(export_shared, shared, jobs);
        for (i = 0, winners = 0; i < kThreads; ++i)
            if (jobs[i].good != 0) {
                ++winners;
                exports[i]->deleter(exports[i]);
            }
        CHECK(winners == 1 && tfe_tensor_f64_is_assigned(shared) == 0);
    }
}

static void thread_count(struct job* jobs) {
    static double ones[96 * 96];
    tfe_tensor_f64* shared;
    int i;
    tfe_set_num_threads(2, NULL);
    for (i = 0; i < 96 * 96; ++i) ones[i] = 1;
    shared = make2(96, 96, ones);
    run(change_thread_count, shared, jobs);
    for (i = 0; i < kThreads; ++i) CHECK(jobs[i].good == kRounds);
    tfe_tensor_f64_release(shared);
}

static void decompositions(struct job* jobs) {
    static const double diagonal[4] = {2, 0, 0, 1};
    tfe_tensor_f64* shared = make2(2, 2, diagonal);
    int i;
    run(decompose_shared, shared, jobs);
    for (i = 0; i < kThreads; ++i) CHECK(jobs[i].good == kRounds);
    tfe_tensor_f64_release(shared);
}

int main(void) {
    struct job jobs[kThreads];
    tfe_tensor_f64* shared = make2(2, 2, kValues);
    int i, round;
    long silent, told;

    run(use_shared, shared, jobs);
    for (i = 0; i < kThreads; ++i) CHECK(jobs[i].good == kRounds);
    for (round = 0; round < 20; ++round) {
        run(use_while_released, shared, jobs);
        for (i = 1; i < kThreads; ++i) CHECK(jobs[i].wrong == 0 && jobs[i].good + jobs[i].refused == kRounds);
        CHECK(tfe_tensor_f64_is_assigned(shared) == 0);
        shared = make2(2, 2, kValues);
    }
    for (round = 0; round < 20; ++round) {
        run(release_shared, shared, jobs);
        for (i = 0, silent = told = 0; i < kThreads; ++i) silent += jobs[i].good, told += jobs[i].refused;
        CHECK(silent == 1 && told == kThreads - 1);
        shared = make2(2, 2, kValues);
    }
    tfe_tensor_f64_release(shared);
    run(churn, NULL, jobs);
    for (i = 0; i < kThreads; ++i) CHECK(jobs[i].good == 3 * kRounds && jobs[i].wrong == 0);
    dlpack_threads(jobs);
    thread_count(jobs);
    decompositions(jobs);
    run(own_errors, NULL, jobs);
    for (i = 0; i < kThreads; ++i) CHECK(jobs[i].good == 1 && jobs[i].wrong == 0);
    CHECK(strcmp(last_message(), "") == 0);
    return finish();
}
