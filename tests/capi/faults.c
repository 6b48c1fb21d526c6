/* Every allocation and every fault point of every function failed in turn, once and for ever, as an
 * out-of-memory and as an unexpected exception: TFE_INTERNAL_ERROR with a message, outputs NULL, no handle
 * left over, and the next call works. Functions called while a fault is armed are recorded; a public function
 * that is missing from the record fails the test. */
#include "check.h"
#include "dlpack_abi.h"
#include "matrix_types.h"
#include "support/fault_control.h"

enum { kMaxFunctions = 512, kMostPoints = 10000 };
static const char* called[kMaxFunctions];
static size_t called_count;
static int armed;

static void arm(long countdown, int internal, int forever) {
    armed = 1;
    fault_arm(countdown, internal, forever);
}
static int disarm(void) {
    armed = 0;
    return fault_disarm();
}
static int was_called(const char* name) {
    size_t i;
    for (i = 0; i < called_count; ++i)
        if (strcmp(called[i], name) == 0) return 1;
    return 0;
}
static void record(const char* name) {
    if (!armed || was_called(name)) return;
    CHECK(called_count < kMaxFunctions);
    if (called_count < kMaxFunctions) called[called_count++] = name;
}

/* The function, after its name went into the record. */
#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)
#define ARMED(name) (record(TEXT(name)), name)

static const size_t kShape[2] = {2, 2};
static tfe_einsum_plan* plan;

/* A call to fail: writes its results to out and returns its status; and what releases one result. */
typedef tfe_status_t (*call)(void** out);
typedef void (*release)(void* result);

static void release_plan(void* made) { tfe_einsum_plan_release(made); }

/* What a call made besides its results, which cannot be released while faults are armed. */
static struct {
    void* handle;
    release function;
} left_over[3];
static size_t left_over_count;
static void leave(void* handle, release function) {
    if (handle == NULL) return;
    left_over[left_over_count].handle = handle;
    left_over[left_over_count++].function = function;
}
static void release_left_over(void) {
    while (left_over_count > 0) {
        --left_over_count;
        left_over[left_over_count].function(left_over[left_over_count].handle);
    }
}

/* Fails the call at its first, second, … fault point until it gets through; returns at how many it failed. */
static long sweep(call function, release result, int internal, int forever) {
    long countdown;
    for (countdown = 1; countdown < kMostPoints; ++countdown) {
        const size_t before = live_handles();
        void* out[2] = {NULL, NULL};
        tfe_status_t status;
        int failed, i;
        arm(countdown, internal, forever);
        status = function(out);
        failed = disarm();
        release_left_over();
        if (failed && status != TFE_SUCCESS) {
            CHECK(status == TFE_INTERNAL_ERROR);
            CHECK(out[0] == NULL && out[1] == NULL);
            if (internal)
                CHECK(strstr(last_message(), "injected internal fault") != NULL);
            else
                CHECK(tfe_last_error_detail() == TFE_DETAIL_OUT_OF_MEMORY);
        } else { /* also after a fault that the library recovered from, such as a cache that could not grow */
            CHECK(status == TFE_SUCCESS && out[0] != NULL);
            for (i = 0; i < 2; ++i) result(out[i]);
        }
        CHECK(live_handles() == before);
        if (!failed) return countdown - 1;
        out[0] = out[1] = NULL;
        CHECK(function(out) == TFE_SUCCESS && out[0] != NULL);
        release_left_over();
        for (i = 0; i < 2; ++i) result(out[i]);
    }
    return countdown;
}

static void sweep_all(call function, release result, long least) {
    int internal, forever;
    for (internal = 0; internal < 2; ++internal)
        for (forever = 0; forever < 2; ++forever) {
            const long points = sweep(function, result, internal, forever);
            CHECK(points >= least && points < kMostPoints - 1);
        }
}

/* A function without status whose first fault point fails: `expression` holds all the same, and there is a
 * message. */
#define CHECK_FAULT(expression)                                           \
    do {                                                                  \
        arm(1, 1, 0);                                                     \
        CHECK(expression);                                                \
        CHECK(disarm());                                                  \
        CHECK(strstr(last_message(), "injected internal fault") != NULL); \
        (void)tfe_tensor_f64_len(NULL);                                   \
    } while (0)
/* A function that cannot fail. */
#define CHECK_NO_FAULT(expression) \
    do {                           \
        arm(1, 1, 1);              \
        CHECK(expression);         \
        CHECK(!disarm());          \
    } while (0)

/* For results that are not the call's own. */
static void keep(void* borrowed) { (void)borrowed; }

#define TEMPLATE "faults_family.h"
#include "each_element.h"

static tfe_status_t call_plan_create(void** out) {
    const size_t* shapes[2];
    const size_t ndims[2] = {2, 2};
    tfe_status_t status = 77;
    shapes[0] = shapes[1] = kShape;
    out[0] = ARMED(tfe_einsum_plan_create)("ij,jk->ki", shapes, ndims, 2, NULL, &status);
    return status;
}
static tfe_status_t call_plan_from_labels(void** out) {
    static const int32_t first[2] = {5, 6}, second[2] = {6, 7}, output[2] = {7, 5};
    static const size_t path[2] = {0, 1};
    tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
    const int32_t* labels[2];
    const size_t* shapes[2];
    const size_t ndims[2] = {2, 2};
    tfe_status_t status = 77;
    labels[0] = first, labels[1] = second;
    shapes[0] = shapes[1] = kShape;
    options.path = path, options.path_steps = 1;
    out[0] =
        ARMED(tfe_einsum_plan_create_from_labels)(labels, shapes, ndims, 2, output, 2, &options, &status);
    return status;
}
static tfe_status_t call_plan_clone(void** out) {
    tfe_status_t status = 77;
    out[0] = ARMED(tfe_einsum_plan_clone)(plan, &status);
    return status;
}

/* What fills a caller's memory; `out` is the plan where that went well. */
static tfe_status_t call_get_path(void** out) {
    size_t path[2] = {9, 9}, length = 0;
    tfe_status_t status = 77;
    ARMED(tfe_einsum_plan_get_path)(plan, path, 2, &length, &status);
    CHECK((path[0] == 0 && path[1] == 1 && length == 2) == (status == TFE_SUCCESS));
    out[0] = status == TFE_SUCCESS ? plan : NULL;
    return status;
}
/* On a new plan, which has no reverse mode yet; that plan cannot be released while faults are armed. */
static tfe_status_t call_get_vjp_cost(void** out) {
    tfe_einsum_plan_cost cost = {sizeof(tfe_einsum_plan_cost), 0, 0, 0, 0, 0, 0};
    void* made = NULL;
    tfe_status_t status = call_plan_create(&made);
    leave(made, release_plan);
    if (status != TFE_SUCCESS) return status;
    ARMED(tfe_einsum_plan_get_vjp_cost)(made, &cost, &status);
    CHECK((cost.flops > 0) == (status == TFE_SUCCESS));
    out[0] = status == TFE_SUCCESS ? plan : NULL;
    return status;
}

/* Cancelling allocates while a call is watched. */
static int32_t go_on(const tfe_progress* progress, void* user) {
    (void)user;
    return progress->phase > TFE_PHASE_RUN;
}
static tfe_status_t call_watched(void** out) {
    tfe_status_t status;
    ARMED(tfe_set_progress)(go_on, NULL);
    status = call_plan_create(out);
    ARMED(tfe_set_progress)(NULL, NULL);
    return status;
}

/* A derivative that no call compiled before. */
static tfe_tensor_f64* definite;
static tfe_status_t call_first_derivative(void** out) {
    static const size_t rows[1] = {0}, columns[1] = {1};
    tfe_status_t status = 77;
    forget_programs();
    out[0] = tfe_cholesky_vjp_f64(definite, rows, 1, columns, 1, definite, &status);
    return status;
}
static void release_tensor(void* made) { tfe_tensor_f64_release(made); }
static void first_derivatives(void) {
    static const double values[4] = {2, 1, 1, 2};
    long points;
    definite = tfe_tensor_f64_from_data(values, 4, kShape, 2, NULL);
    points = sweep(call_first_derivative, release_tensor, 0, 0);
    CHECK(points > 100 && points < kMostPoints - 1);
    tfe_tensor_f64_release(definite);
}

static void plan_queries(void) {
    void* made[2] = {NULL, NULL};
    tfe_einsum_plan_cost cost = {sizeof(tfe_einsum_plan_cost), 0, 0, 0, 0, 0, 0};
    tfe_status_t status = 77;
    CHECK(call_plan_create(made) == TFE_SUCCESS);
    CHECK_FAULT((ARMED(tfe_einsum_plan_release)(made[0]), 1));
    CHECK_NO_FAULT(ARMED(tfe_einsum_plan_is_assigned)(made[0]) == 1);
    CHECK_FAULT((ARMED(tfe_einsum_plan_get_cost)(made[0], &cost, &status), status == TFE_INTERNAL_ERROR));
    tfe_einsum_plan_release(made[0]);
    CHECK(tfe_einsum_plan_is_assigned(made[0]) == 0);
}

static void settings(void) {
    const int32_t threads = tfe_get_num_threads();
    tfe_status_t status = 77;
    int32_t major = -1;
    CHECK_FAULT((ARMED(tfe_set_num_threads)(threads + 1, &status), status == TFE_INTERNAL_ERROR));
    CHECK(tfe_get_num_threads() == threads);
    CHECK_FAULT(ARMED(tfe_get_num_threads)() == 0);
    CHECK_NO_FAULT((ARMED(tfe_version)(&major, NULL, NULL), major == TFE_VERSION_MAJOR));
    CHECK_NO_FAULT(strlen(ARMED(tfe_version_string)()) > 0);
}

/* Reporting an error needs no memory. */
static void error_queries(void) {
    char message[256];
    size_t length = 0;
    (void)tfe_tensor_f64_len(NULL);
    CHECK_NO_FAULT(ARMED(tfe_last_error_message)((uint8_t*)message, sizeof message, &length) == TFE_SUCCESS &&
                   length > 1);
    CHECK_NO_FAULT(ARMED(tfe_last_error_detail)() == TFE_DETAIL_NULL_POINTER);
}

/* Every name of the list of exported functions is in the record. */
static void nothing_is_missing(void) {
    char name[256];
    size_t names = 0;
    FILE* list = fopen(TENFERRO_SYMBOLS, "r");
    CHECK(list != NULL);
    if (list == NULL) return;
    while (fgets(name, sizeof name, list) != NULL) {
        name[strcspn(name, "\n")] = '\0';
        if (!was_called(name)) fprintf(stderr, "not swept: %s\n", name);
        CHECK(was_called(name));
        ++names;
    }
    fclose(list);
    CHECK(names == called_count && names > 0);
}

int main(void) {
    void* made[2] = {NULL, NULL};
    CHECK(call_plan_create(made) == TFE_SUCCESS);
    plan = made[0];
    sweep_all(call_plan_create, release_plan, 1);
    CHECK(sweep(call_plan_create, release_plan, 0, 0) > 20); /* its vectors and strings are points */
    sweep_all(call_plan_from_labels, release_plan, 1);
    sweep_all(call_plan_clone, release_plan, 1);
    sweep_all(call_get_path, keep, 1);
    sweep_all(call_get_vjp_cost, keep, 1);
    sweep_all(call_watched, release_plan, 1);
    sweep_family_f64();
    sweep_family_f32();
    sweep_family_c32();
    sweep_family_c64();
    first_derivatives();
    plan_queries();
    settings();
    error_queries();
    tfe_einsum_plan_release(plan);
    nothing_is_missing();
    CHECK(live_handles() == 0);
    return finish();
}
