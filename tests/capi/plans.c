/* Einsum plans: creating, running, refusing; their handles; options as a struct that grows. */
#include "check.h"

static const double kValues[6] = {1, 2, 3, 4, 5, 6};
static const size_t k23[2] = {2, 3}, k32[2] = {3, 2}, kRanks[2] = {2, 2};

static tfe_einsum_plan* product_plan(void) {
    const size_t* shapes[2];
    tfe_status_t status;
    tfe_einsum_plan* plan = NULL;
    shapes[0] = k23;
    shapes[1] = k32;
    CHECK_SUCCEEDS(plan = tfe_einsum_plan_create("ij,jk->ik", shapes, kRanks, 2, NULL, &status), status);
    CHECK(plan != NULL && tfe_einsum_plan_is_assigned(plan) == 1);
    return plan;
}

static void runs_many_times(void) {
    const double product[4] = {22, 28, 49, 64};
    tfe_einsum_plan* plan = product_plan();
    tfe_tensor_f64 *operands[2], *tangents[2] = {NULL, NULL}, *grads[2] = {NULL, NULL}, *out = NULL;
    tfe_status_t status;
    int round;
    operands[0] = make2(2, 3, kValues);
    operands[1] = make2(3, 2, kValues);
    for (round = 0; round < 3; ++round) {
        CHECK_SUCCEEDS(out = tfe_einsum_plan_run_f64(plan, operands, 2, &status), status);
        CHECK(holds(out, 4, product));
        CHECK_SUCCEEDS(tfe_einsum_plan_vjp_f64(plan, operands, 2, out, grads, &status), status);
        CHECK(tfe_tensor_f64_len(grads[0]) == 6 && tfe_tensor_f64_len(grads[1]) == 6);
        tfe_tensor_f64_release(grads[0]);
        tfe_tensor_f64_release(grads[1]);
        tfe_tensor_f64_release(out);
        tangents[0] = round == 0 ? NULL : operands[0];
        CHECK_SUCCEEDS(out = tfe_einsum_plan_jvp_f64(plan, operands, 2, tangents, &status), status);
        CHECK(holds(out, 4, round == 0 ? (const double[4]){0, 0, 0, 0} : product));
        tfe_tensor_f64_release(out);
    }
    tfe_einsum_plan_release(plan);
    CHECK(tfe_einsum_plan_is_assigned(plan) == 0);
    CHECK_FAILS(out = tfe_einsum_plan_run_f64(plan, operands, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_run_f64: plan is not a live plan ");
    CHECK(out == NULL && tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
    CHECK_REPORTS(tfe_einsum_plan_release(plan), "tfe_einsum_plan_release: plan is not a live plan ");
    tfe_einsum_plan_release(NULL);
    CHECK(tfe_einsum_plan_is_assigned(NULL) == 0);
    /* a tensor is no plan and a plan no tensor */
    CHECK(tfe_einsum_plan_is_assigned((tfe_einsum_plan*)(void*)operands[0]) == 0);
    plan = product_plan();
    CHECK(tfe_tensor_f64_is_assigned((tfe_tensor_f64*)(void*)plan) == 0);
    CHECK_REPORTS(tfe_tensor_f64_release((tfe_tensor_f64*)(void*)plan),
                  "tfe_tensor_f64_release: tensor is not a live ");
    CHECK_REPORTS(tfe_einsum_plan_release((tfe_einsum_plan*)(void*)operands[0]),
                  "tfe_einsum_plan_release: plan is not a live ");
    CHECK(tfe_einsum_plan_is_assigned(plan) == 1 && holds(operands[0], 6, kValues));
    tfe_einsum_plan_release(plan);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
}

static void refused_operands(void) {
    tfe_einsum_plan* plan = product_plan();
    tfe_tensor_f64 *a = make2(2, 3, kValues), *operands[2], *grads[2], *out = a;
    tfe_status_t status;
    operands[0] = operands[1] = a;
    CHECK_FAILS(out = tfe_einsum_plan_run_f64(plan, operands, 2, &status), status, TFE_SHAPE_MISMATCH,
                "einsum: operand 1 ");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_einsum_plan_run_f64(plan, operands, 1, &status), status, TFE_INVALID_ARGUMENT,
                "einsum: plan is for 2");
    CHECK_FAILS(out = tfe_einsum_plan_run_f64(plan, operands, 0, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_run_f64: n is 0");
    CHECK_FAILS(out = tfe_einsum_plan_run_f64(plan, NULL, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_run_f64: operands is NULL");
    CHECK_FAILS(out = tfe_einsum_plan_run_f64(NULL, operands, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_run_f64: plan is NUL");
    CHECK_FAILS(out = tfe_einsum_plan_jvp_f64(NULL, operands, 2, operands, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_plan_jvp_f64: plan is NUL");
    CHECK_FAILS(out = tfe_einsum_plan_jvp_f64(plan, operands, 2, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_jvp_f64: tangents is NULL");
    CHECK_FAILS(out = tfe_einsum_plan_jvp_f64(plan, NULL, 2, operands, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_jvp_f64: primals is NULL");
    grads[0] = grads[1] = a;
    CHECK_FAILS(tfe_einsum_plan_vjp_f64(NULL, operands, 2, a, grads, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_vjp_f64: plan is NUL");
    CHECK(grads[0] == NULL && grads[1] == NULL);
    CHECK_FAILS(tfe_einsum_plan_vjp_f64(plan, operands, 2, NULL, grads, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_plan_vjp_f64: cotangent is NUL");
    CHECK_FAILS(tfe_einsum_plan_vjp_f64(plan, operands, 2, a, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_vjp_f64: grads_out is NULL");
    CHECK_FAILS(tfe_einsum_plan_vjp_f64(plan, NULL, 2, a, grads, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_vjp_f64: operands is NULL");
    CHECK_REPORTS(out = tfe_einsum_plan_run_f64(NULL, operands, 2, NULL),
                  "tfe_einsum_plan_run_f64: plan is NUL");
    tfe_tensor_f64_release(a);
    tfe_einsum_plan_release(plan);
}

static void refused_plans(void) {
    const size_t* shapes[2];
    tfe_einsum_plan* plan = NULL;
    tfe_status_t status;
    shapes[0] = k23;
    shapes[1] = k23;
#define CREATE(...) CHECK_FAILS(plan = tfe_einsum_plan_create(__VA_ARGS__, &status), status
    CREATE("ij,jk->ik", shapes, kRanks, 2, NULL), TFE_SHAPE_MISMATCH, "einsum");
    CHECK(plan == NULL);
    CREATE("ij,jk->", shapes, kRanks, 1, NULL), TFE_INVALID_ARGUMENT, "einsum");
    CREATE("ij,jk", shapes, kRanks, 2, NULL), TFE_INVALID_ARGUMENT, "einsum");
    CREATE(NULL, shapes, kRanks, 2, NULL), TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: subscripts is NUL");
    CREATE("ij->ij", NULL, kRanks, 1, NULL), TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: shapes is NULL");
    CREATE("ij->ij", shapes, NULL, 1, NULL), TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: ndims is NULL");
    CREATE("ij->ij", shapes, kRanks, 0, NULL), TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: n is 0");
    shapes[1] = NULL;
    CREATE("ij,jk->ik", shapes, kRanks, 2, NULL), TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: shape is NULL");
    CHECK(plan == NULL);
    CHECK_REPORTS(plan = tfe_einsum_plan_create(NULL, shapes, kRanks, 2, NULL, NULL),
                  "tfe_einsum_plan_create: subscripts is NUL");
}

/* Whether a field of the options ends at this byte. */
static int field_ends_at(size_t size) {
#define ENDS(field) \
    (size == offsetof(tfe_einsum_plan_options, field) + sizeof((tfe_einsum_plan_options*)NULL)->field)
    return ENDS(struct_size) || ENDS(max_exact) || ENDS(greedy_attempts) || ENDS(seed) || ENDS(deadline) ||
           ENDS(memory_limit) || ENDS(objective) || ENDS(element_bytes) || ENDS(threads) || ENDS(reserved) ||
           ENDS(path) || ENDS(path_steps) || ENDS(vjp_memory_limit) || ENDS(dtype) || ENDS(reserved2);
#undef ENDS
}

/* A caller built against an older or a newer header passes a smaller or a larger struct. */
static void options(void) {
    struct {
        tfe_einsum_plan_options known;
        uint64_t added;
    } newer = {TFE_EINSUM_PLAN_OPTIONS_INIT, 0};
    tfe_einsum_plan_options given = TFE_EINSUM_PLAN_OPTIONS_INIT;
    const size_t* shapes[1];
    tfe_einsum_plan* plan = NULL;
    tfe_status_t status;
    shapes[0] = k23;
#define ACCEPTED(pointer)                                                                            \
    do {                                                                                             \
        CHECK_SUCCEEDS(plan = tfe_einsum_plan_create("ij->ji", shapes, kRanks, 1, pointer, &status), \
                       status);                                                                      \
        CHECK(plan != NULL);                                                                         \
        tfe_einsum_plan_release(plan);                                                               \
    } while (0)
#define REFUSED(pointer, start)                                                                           \
    do {                                                                                                  \
        CHECK_FAILS(plan = tfe_einsum_plan_create("ij->ji", shapes, kRanks, 1, pointer, &status), status, \
                    TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: options" start);                       \
        CHECK(plan == NULL);                                                                              \
    } while (0)
    ACCEPTED(&given);
    given.max_exact = 16, given.greedy_attempts = 1, given.seed = UINT64_MAX;
    ACCEPTED(&given);
    given.max_exact = 17;
    REFUSED(&given, "->max_exact is 17 but must be 0 to ");
    given.max_exact = -1;
    REFUSED(&given, "->max_exact is -1 ");
    given.struct_size = sizeof(size_t); /* knows no field, so the bad one is not read */
    ACCEPTED(&given);
    given.struct_size = sizeof given;
    given.max_exact = 0, given.greedy_attempts = 0;
    REFUSED(&given, "->greedy_attempts is 0 but must be ");
    given.greedy_attempts = 1, given.deadline = -1;
    REFUSED(&given, "->deadline is -1 but must be 0 to ");
    given.deadline = 0, given.memory_limit = -5;
    REFUSED(&given, "->memory_limit is -5 but must be 0 to ");
    given.memory_limit = 0, given.element_bytes = 0;
    REFUSED(&given, "->element_bytes is 0 but must be 1 to ");
    given.element_bytes = 16, given.objective = 3;
    REFUSED(&given, "->objective is 3 but must be 0 (time), 1 (flops) or ");
    given.objective = TFE_EINSUM_OBJECTIVE_MEMORY, given.threads = 0;
    REFUSED(&given, "->threads is 0 but must be 1 to ");
    given.threads = 2, given.reserved = 1;
    REFUSED(&given, "->reserved is 1 but must be 0 to ");
    given.reserved = 0, given.dtype = 5;
    REFUSED(&given, "->dtype is 5 but must be 0 (by element_bytes), 1 (f32), 2 (f64), 3 (c32) or 4 ");
    given.dtype = TFE_DTYPE_C32, given.reserved2 = 1;
    REFUSED(&given, "->reserved2 is 1 but must be 0 to ");
    given.reserved2 = 0;
    ACCEPTED(&given);
    given.struct_size = offsetof(tfe_einsum_plan_options, deadline),
    given.deadline = -1; /* an older caller has no deadline */
    ACCEPTED(&given);
    given.deadline = 0;
    for (given.struct_size = 0; given.struct_size <= sizeof given; ++given.struct_size)
        if (field_ends_at(given.struct_size))
            ACCEPTED(&given);
        else
            REFUSED(&given, "->struct_size is ");
    given.struct_size = SIZE_MAX;
    REFUSED(&given, "->struct_size is ");
    newer.known.struct_size = sizeof newer;
    ACCEPTED(&newer.known);
    newer.added = 1;
    REFUSED(&newer.known, " sets a field beyond ");
}

/* Costs and limits are those of the dtype: complex floats take the bytes of doubles and more time. */
static void costs_know_the_dtype(void) {
    static const size_t square[2] = {200, 200};
    static const int32_t dtypes[4] = {TFE_DTYPE_F32, TFE_DTYPE_F64, TFE_DTYPE_C32, TFE_DTYPE_C64};
    static const double bytes[4] = {4, 8, 8, 16}, work[4] = {1, 2, 4, 8};
    tfe_einsum_plan_cost cost[4];
    static const size_t ranks[3] = {2, 2, 2};
    const size_t* shapes[3];
    size_t i;
    shapes[0] = shapes[1] = shapes[2] = square;
    for (i = 0; i < 4; ++i) {
        tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
        tfe_einsum_plan* plan;
        options.dtype = dtypes[i];
        plan = tfe_einsum_plan_create("ij,jk,kl->il", shapes, ranks, 3, &options, NULL);
        cost[i].struct_size = sizeof cost[i];
        tfe_einsum_plan_get_cost(plan, &cost[i], NULL);
        tfe_einsum_plan_release(plan);
        CHECK(cost[i].flops == cost[0].flops && cost[i].peak_bytes == bytes[i] / 4 * cost[0].peak_bytes);
        CHECK(cost[i].seconds > 0.9 * work[i] * cost[0].seconds &&
              cost[i].seconds < 1.1 * work[i] * cost[0].seconds);
        options.memory_limit = (int64_t)cost[i].peak_bytes; /* just fits */
        plan = tfe_einsum_plan_create("ij,jk,kl->il", shapes, ranks, 3, &options, NULL);
        tfe_einsum_plan_get_cost(plan, &cost[i], NULL);
        CHECK(cost[i].slices == 1);
        tfe_einsum_plan_release(plan);
    }
}

/* A chain whose middle product is 64 x 64: under a limit of 2 KiB it runs in slices. */
static void costs(void) {
    static const size_t first[2] = {2, 64}, middle[2] = {64, 64}, last[2] = {64, 2};
    const size_t* shapes[3];
    const size_t ranks[3] = {2, 2, 2};
    tfe_einsum_plan_options given = TFE_EINSUM_PLAN_OPTIONS_INIT;
    tfe_einsum_plan_cost cost;
    tfe_einsum_plan* plan = NULL;
    tfe_status_t status;
    shapes[0] = first, shapes[1] = middle, shapes[2] = last;
    CHECK_SUCCEEDS(plan = tfe_einsum_plan_create("ij,jk,kl->il", shapes, ranks, 3, &given, &status), status);
    cost.struct_size = sizeof cost;
    CHECK_SUCCEEDS(tfe_einsum_plan_get_cost(plan, &cost, &status), status);
    CHECK(cost.flops == 2.0 * 2 * 64 * 64 + 2.0 * 2 * 64 * 2 && cost.slices == 1 &&
          cost.largest_intermediate == 128);
    CHECK(cost.bytes > 0 && cost.seconds > 0 && cost.peak_bytes == 8 * (128 + 4));
    cost.struct_size = offsetof(tfe_einsum_plan_cost, bytes), cost.bytes = -1, cost.flops = 0;
    CHECK_SUCCEEDS(tfe_einsum_plan_get_cost(plan, &cost, &status), status);
    CHECK(cost.flops > 0 && cost.bytes == -1 && cost.struct_size == offsetof(tfe_einsum_plan_cost, bytes));
    ++cost.struct_size; /* ends inside a field */
    CHECK_FAILS(tfe_einsum_plan_get_cost(plan, &cost, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_cost: out->struct_size is 17 but no field ends ");
    cost.struct_size = 0;
    CHECK_FAILS(tfe_einsum_plan_get_cost(plan, &cost, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_cost: out->struct_size is 0 but ");
    CHECK_FAILS(tfe_einsum_plan_get_cost(plan, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_cost: out is NUL");
    CHECK_FAILS(tfe_einsum_plan_get_cost(NULL, &cost, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_cost: plan is NUL");
    tfe_einsum_plan_release(plan);
    given.memory_limit = 256;
    CHECK_SUCCEEDS(plan = tfe_einsum_plan_create("ij,jk,kl->il", shapes, ranks, 3, &given, &status), status);
    cost.struct_size = sizeof cost;
    CHECK_SUCCEEDS(tfe_einsum_plan_get_cost(plan, &cost, &status), status);
    CHECK(cost.slices > 1 && cost.peak_bytes <= 256);
    tfe_einsum_plan_release(plan);
    given.memory_limit = 16;
    CHECK_FAILS(plan = tfe_einsum_plan_create("ij,jk,kl->il", shapes, ranks, 3, &given, &status), status,
                TFE_INVALID_ARGUMENT, "einsum: the memory limit is 16 bytes but the lowest peak found is ");
    CHECK(plan == NULL && tfe_last_error_detail() == TFE_DETAIL_UNSUPPORTED);
}

int main(void) {
    runs_many_times();
    costs();
    costs_know_the_dtype();
    refused_operands();
    refused_plans();
    options();
    return finish();
}
