/* Watching and cancelling long calls: every function that contracts or searches asks, on the caller's thread;
 * what is cancelled leaves nothing behind; nothing of it reaches other threads or later calls. */
#include <pthread.h>
#include <time.h>

#include "check.h"

enum { kChain = 40, kSide = 4, kGrid = 14 };

/* What the callback saw, and when it says stop. */
struct watcher {
    long asked, stop_at; /* 0: never */
    uint64_t last_done, last_total;
    int phases[2], backwards;
    double best; /* the first that was told while searching */
};

static int32_t watch(const tfe_progress* progress, void* user) {
    struct watcher* seen = user;
    CHECK(progress->struct_size == sizeof *progress && progress->reserved == 0);
    CHECK(progress->phase == TFE_PHASE_SEARCH || progress->phase == TFE_PHASE_RUN);
    CHECK(progress->total == 0 || progress->done <= progress->total);
    if (progress->total == seen->last_total && progress->done < seen->last_done) seen->backwards = 1;
    seen->last_done = progress->done, seen->last_total = progress->total;
    seen->phases[progress->phase] = 1;
    if (progress->phase == TFE_PHASE_RUN) {
        CHECK(progress->best_seconds == 0 && progress->best_flops == 0 && progress->best_peak_bytes == 0);
        CHECK(progress->seconds_elapsed == 0 && progress->seconds_left == 0);
    } else if (progress->best_seconds > 0) {
        CHECK(progress->best_flops > 0 && progress->best_peak_bytes > 0 && progress->seconds_elapsed >= 0);
        if (seen->best == 0) seen->best = progress->best_seconds;
        CHECK(progress->best_seconds <= 1.01 * seen->best);
    }
    return ++seen->asked == seen->stop_at;
}

static tfe_tensor_f64* chain[kChain];
static size_t chain_shape[2] = {kSide, kSide};
static char subscripts[4 * kChain];
static tfe_einsum_plan* plan;

static tfe_einsum_plan* chain_plan(tfe_status_t* status) {
    const size_t* shapes[kChain];
    size_t ndims[kChain], i;
    for (i = 0; i < kChain; ++i) shapes[i] = chain_shape, ndims[i] = 2;
    return tfe_einsum_plan_create(subscripts, shapes, ndims, kChain, NULL, status);
}

static void make_chain(void) {
    double values[kSide * kSide];
    char* out = subscripts;
    size_t i;
    for (i = 0; i < kSide * kSide; ++i) values[i] = 0.25;
    for (i = 0; i < kChain; ++i) {
        chain[i] = make2(kSide, kSide, values);
        out += sprintf(out, "%s%c%c", i == 0 ? "" : ",", (int)('A' + i % 58 + (i >= 26 ? 6 : 0)),
                       (int)('A' + (i + 1) % 58 + (i + 1 >= 26 ? 6 : 0)));
    }
    sprintf(out, "->");
    plan = chain_plan(NULL);
    CHECK(plan != NULL);
}

/* Every watched call in one form. */
typedef tfe_status_t (*call)(void** out);
static tfe_status_t call_einsum(void** out) {
    tfe_status_t status = 77;
    out[0] = tfe_einsum_f64(subscripts, chain, kChain, &status);
    return status;
}
static tfe_status_t call_jvp(void** out) {
    tfe_status_t status = 77;
    out[0] = tfe_einsum_jvp_f64(subscripts, chain, kChain, chain, &status);
    return status;
}
static tfe_status_t call_vjp(void** out) {
    static tfe_tensor_f64* one;
    const double value = 1;
    tfe_tensor_f64* grads[kChain];
    tfe_status_t status = 77;
    size_t i;
    if (one == NULL) one = tfe_tensor_f64_from_data(&value, 1, NULL, 0, NULL);
    for (i = 0; i < kChain; ++i) grads[i] = one;
    tfe_einsum_vjp_f64(subscripts, chain, kChain, one, grads, &status);
    out[0] = grads[0];
    for (i = 1; i < kChain; ++i) {
        CHECK((grads[i] == NULL) == (status != TFE_SUCCESS));
        tfe_tensor_f64_release(grads[i]);
    }
    return status;
}
static tfe_status_t call_run(void** out) {
    tfe_status_t status = 77;
    out[0] = tfe_einsum_plan_run_f64(plan, chain, kChain, &status);
    return status;
}
static tfe_status_t call_plan_jvp(void** out) {
    tfe_status_t status = 77;
    out[0] = tfe_einsum_plan_jvp_f64(plan, chain, kChain, chain, &status);
    return status;
}
static void release_tensor(void* tensor) { tfe_tensor_f64_release(tensor); }
static tfe_status_t call_create(void** out) {
    tfe_status_t status = 77;
    out[0] = chain_plan(&status);
    return status;
}
static void release_plan(void* made) { tfe_einsum_plan_release(made); }

/* Watched to its end, then cancelled at the first, the middle and the last question, then left alone. */
static void cancelled_anywhere(call function, void (*release)(void*), int phase) {
    struct watcher seen = {0, 0, 0, 0, {0, 0}, 0, 0};
    void* out = NULL;
    long stops[3];
    int i;
    CHECK(function(&out) == TFE_SUCCESS); /* what is kept between calls, such as orders, is there */
    release(out);
    tfe_set_progress(watch, &seen);
    CHECK(function(&out) == TFE_SUCCESS && out != NULL);
    CHECK(seen.asked > 1 && seen.phases[phase] && !seen.backwards);
    CHECK(phase == TFE_PHASE_RUN || seen.best > 0);
    release(out);
    stops[0] = 1, stops[1] = seen.asked / 2 + 1, stops[2] = seen.asked / 2 + 2;
    for (i = 0; i < 3; ++i) {
        struct watcher stopping = {0, 0, 0, 0, {0, 0}, 0, 0};
        stopping.stop_at = stops[i];
        tfe_set_progress(watch, &stopping);
        out = &out;
        CHECK(function(&out) == TFE_INTERNAL_ERROR);
        CHECK(out == NULL && stopping.asked == stops[i]);
        CHECK(tfe_last_error_detail() == TFE_DETAIL_CANCELLED);
        CHECK(strcmp(last_message(), "einsum: cancelled by the caller") == 0);
    }
    tfe_set_progress(NULL, NULL);
    CHECK(function(&out) == TFE_SUCCESS && out != NULL);
    release(out);
}

/* A callback may call the library; those calls are not watched. */
static int32_t nested(const tfe_progress* progress, void* user) {
    tfe_tensor_f64* out = tfe_einsum_plan_run_f64(plan, chain, kChain, NULL);
    CHECK(out != NULL && progress->total >= progress->done);
    tfe_tensor_f64_release(out);
    ++*(int*)user;
    return 0;
}

static void* on_another_thread(void* unused) {
    tfe_tensor_f64* out = tfe_einsum_plan_run_f64(plan, chain, kChain, NULL);
    CHECK(out != NULL);
    tfe_tensor_f64_release(out);
    return unused;
}

static void callbacks_are_of_one_thread(void) {
    struct watcher seen = {0, 1, 0, 0, {0, 0}, 0, 0};
    pthread_t thread;
    int calls = 0, ended;
    void* out = NULL;
    tfe_set_progress(watch, &seen);
    CHECK(pthread_create(&thread, NULL, on_another_thread, NULL) == 0);
    ended = pthread_join(thread, NULL); /* before CHECK, which counts on that thread too */
    CHECK(ended == 0);
    CHECK(seen.asked == 0);
    tfe_set_progress(nested, &calls);
    CHECK(call_run(&out) == TFE_SUCCESS && calls >= kChain - 1);
    tfe_tensor_f64_release(out);
    tfe_set_progress(NULL, NULL);
}

/* A callback may put another in its place, and take itself away; the call goes on. */
static int32_t only_once(const tfe_progress* progress, void* user) {
    ++*(int*)user;
    tfe_set_progress(NULL, NULL);
    return progress->phase != TFE_PHASE_RUN;
}
static int32_t then_another(const tfe_progress* progress, void* user) {
    tfe_set_progress(only_once, user);
    return progress->phase != TFE_PHASE_RUN;
}

static void callbacks_exchange_themselves(void) {
    const tfe_progress_fn first[2] = {only_once, then_another};
    int i, calls = 0;
    for (i = 0; i < 2; ++i) {
        void* out = NULL;
        tfe_set_progress(first[i], &calls);
        CHECK(call_run(&out) == TFE_SUCCESS && calls == i + 1);
        tfe_tensor_f64_release(out);
        out = NULL;
        CHECK(call_run(&out) == TFE_SUCCESS && calls == i + 1);
        tfe_tensor_f64_release(out);
    }
}

/* A long contraction whose order is known is told as one from its beginning on. */
static int32_t count_phases(const tfe_progress* progress, void* user) {
    int* asked = user;
    ++asked[progress->phase];
    CHECK(progress->phase == TFE_PHASE_SEARCH || (progress->done == 0 && progress->total == 1));
    return 0;
}

static void long_products_are_told_as_such(void) {
    enum { kLong = 600 };
    const size_t shape[2] = {kLong, kLong};
    tfe_tensor_f64* whole = tfe_tensor_f64_zeros(shape, 2, NULL);
    tfe_tensor_f64* both[2];
    int i, asked[2] = {0, 0};
    both[0] = both[1] = whole;
    for (i = 0; i < 2; ++i) {
        tfe_tensor_f64* out = tfe_einsum_f64("ij,jk->ik", both, 2, NULL);
        CHECK(out != NULL);
        tfe_tensor_f64_release(out);
        tfe_set_progress(i == 0 ? count_phases : NULL, asked);
    }
    CHECK(asked[TFE_PHASE_SEARCH] <= 1 && asked[TFE_PHASE_RUN] > 1);
    tfe_tensor_f64_release(whole);
}

/* A search that would go on for an hour, on several threads, ends within a second, and says how long it would
 * go on, and what it has found. */
static double best_found, time_left;
static time_t told_to_stop;
static int32_t stop_after_a_moment(const tfe_progress* progress, void* user) {
    const time_t passed = time(NULL) - *(time_t*)user;
    CHECK(progress->phase == TFE_PHASE_SEARCH);
    best_found = progress->best_seconds;
    time_left = progress->seconds_left;
    if (passed < (best_found > 0 ? 1 : 60)) return 0; /* a machine may have other things to do */
    told_to_stop = time(NULL);
    return 1;
}

static void long_searches_end(void) {
    static int32_t labels[kGrid * kGrid][4];
    static size_t ndims[kGrid * kGrid];
    static const size_t extents[4] = {2, 2, 2, 2};
    const int32_t* given[kGrid * kGrid];
    const size_t* shapes[kGrid * kGrid];
    tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
    time_t start = time(NULL);
    tfe_status_t status;
    int32_t i, n = 0;
    for (i = 0; i < kGrid * kGrid; ++i) { /* a square grid: bonds to the right are even, downwards odd */
        const int32_t x = i % kGrid, y = i / kGrid;
        if (x > 0) labels[i][ndims[i]++] = 2 * (i - 1);
        if (x < kGrid - 1) labels[i][ndims[i]++] = 2 * i;
        if (y > 0) labels[i][ndims[i]++] = 2 * (i - kGrid) + 1;
        if (y < kGrid - 1) labels[i][ndims[i]++] = 2 * i + 1;
        given[i] = labels[i], shapes[i] = extents;
        ++n;
    }
    options.deadline = 3600;
    for (options.threads = 1; options.threads <= 2; ++options.threads) {
        tfe_einsum_plan* made = plan;
        tfe_set_progress(stop_after_a_moment, &start);
        start = time(NULL);
        CHECK_FAILS(made = tfe_einsum_plan_create_from_labels(given, shapes, ndims, (size_t)n, NULL, 0,
                                                              &options, &status),
                    status, TFE_INTERNAL_ERROR, "einsum: cancelled by the ");
        CHECK(made == NULL && time(NULL) - told_to_stop <= 2);
        CHECK(best_found > 0 && time_left > 3500 && time_left < 3600);
        tfe_set_progress(NULL, NULL);
    }
}

/* A search that looks at every order of a few operands asks before it begins. */
static int32_t refuse(const tfe_progress* progress, void* user) {
    CHECK(progress->phase == TFE_PHASE_SEARCH);
    ++*(int*)user;
    return 1;
}

static void searches_of_few_operands_ask(void) {
    const size_t* shapes[3] = {chain_shape, chain_shape, chain_shape};
    const size_t ndims[3] = {2, 2, 2};
    tfe_einsum_plan* made = plan;
    tfe_status_t status;
    int asked = 0;
    tfe_set_progress(refuse, &asked);
    CHECK_FAILS(made = tfe_einsum_plan_create("ab,bc,cd->ad", shapes, ndims, 3, NULL, &status), status,
                TFE_INTERNAL_ERROR, "einsum: cancelled by the ");
    CHECK(made == NULL && asked == 1);
    tfe_set_progress(NULL, NULL);
}

int main(void) {
    size_t i;
    make_chain();
    cancelled_anywhere(call_run, release_tensor, TFE_PHASE_RUN);
    cancelled_anywhere(call_plan_jvp, release_tensor, TFE_PHASE_RUN);
    cancelled_anywhere(call_vjp, release_tensor, TFE_PHASE_RUN);
    cancelled_anywhere(call_jvp, release_tensor, TFE_PHASE_RUN);
    cancelled_anywhere(call_einsum, release_tensor, TFE_PHASE_RUN);
    cancelled_anywhere(call_create, release_plan, TFE_PHASE_SEARCH);
    callbacks_are_of_one_thread();
    callbacks_exchange_themselves();
    long_products_are_told_as_such();
    long_searches_end();
    searches_of_few_operands_ask();
    for (i = 0; i < kChain; ++i) tfe_tensor_f64_release(chain[i]);
    tfe_einsum_plan_release(plan);
    return finish();
}
