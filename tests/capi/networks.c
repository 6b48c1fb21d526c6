/* What programs that generate networks need of plans: integer labels, orders of their own in and out, more
 * handles of one plan, and the cost of reverse mode. */
#include "check.h"

static const double kValues[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const size_t k23[2] = {2, 3}, k34[2] = {3, 4}, k42[2] = {4, 2}, kRanks[3] = {2, 2, 2};

static const size_t* const* chain_shapes(void) {
    static const size_t* shapes[3];
    shapes[0] = k23, shapes[1] = k34, shapes[2] = k42;
    return shapes;
}

static void same_values(const tfe_einsum_plan* plan, const char* subscripts, tfe_tensor_f64* const* operands,
                        size_t n) {
    tfe_tensor_f64* wanted = tfe_einsum_f64(subscripts, operands, n, NULL);
    tfe_tensor_f64* got = NULL;
    tfe_status_t status;
    CHECK_SUCCEEDS(got = tfe_einsum_plan_run_f64(plan, operands, n, &status), status);
    CHECK(wanted != NULL && holds(got, tfe_tensor_f64_len(wanted), tfe_tensor_f64_data(wanted)));
    tfe_tensor_f64_release(wanted);
    tfe_tensor_f64_release(got);
}

/* Any integers, repeated ones too. */
static void labels(void) {
    static const int32_t first[2] = {-7, 2000000000}, second[2] = {2000000000, 0}, third[2] = {0, -7},
                         none[1] = {3}, output[3] = {-7, 0, 0};
    const int32_t* given[3];
    tfe_tensor_f64* operands[3];
    tfe_einsum_plan* plan = NULL;
    tfe_status_t status;
    size_t rank = SIZE_MAX;
    given[0] = first, given[1] = second, given[2] = third;
    operands[0] = make2(2, 3, kValues), operands[1] = make2(3, 4, kValues),
    operands[2] = make2(4, 2, kValues);
#define CREATE(labels, shapes, ndims, n, output, output_ndim) \
    plan = tfe_einsum_plan_create_from_labels(labels, shapes, ndims, n, output, output_ndim, NULL, &status)
    CHECK_SUCCEEDS(CREATE(given, chain_shapes(), kRanks, 3, output, 3), status);
    same_values(plan, "ij,jk,ki->ikk", operands, 3);
    tfe_einsum_plan_release(plan);
    CHECK_SUCCEEDS(CREATE(given, chain_shapes(), kRanks, 3, NULL, 0), status);
    same_values(plan, "ij,jk,ki->", operands, 3);
    tfe_einsum_plan_release(plan);
#define NAME "tfe_einsum_plan_create_from_labels: "
#define REFUSED(call, wanted, start)              \
    do {                                          \
        CHECK_FAILS(call, status, wanted, start); \
        CHECK(plan == NULL);                      \
    } while (0)
    REFUSED(CREATE(NULL, chain_shapes(), kRanks, 3, output, 3), TFE_INVALID_ARGUMENT, NAME "labels is NULL");
    REFUSED(CREATE(given, NULL, kRanks, 3, output, 3), TFE_INVALID_ARGUMENT, NAME "shapes is NULL");
    REFUSED(CREATE(given, chain_shapes(), NULL, 3, output, 3), TFE_INVALID_ARGUMENT, NAME "ndims is NULL");
    REFUSED(CREATE(given, chain_shapes(), kRanks, 3, NULL, 3), TFE_INVALID_ARGUMENT, NAME "output is NULL");
    REFUSED(CREATE(given, chain_shapes(), kRanks, 0, output, 3), TFE_INVALID_ARGUMENT, NAME "n is 0");
    REFUSED(CREATE(given, chain_shapes(), &rank, 1, output, 1), TFE_INVALID_ARGUMENT, NAME "ndims[0] is ");
    REFUSED(CREATE(given, chain_shapes(), kRanks, 3, none, 1), TFE_INVALID_ARGUMENT,
            "einsum: output label 3 is in no operan");
    given[1] = NULL;
    REFUSED(CREATE(given, chain_shapes(), kRanks, 3, output, 3), TFE_INVALID_ARGUMENT,
            NAME "labels[1] is NULL but ndims[1] is ");
    given[1] = first;
    REFUSED(CREATE(given, chain_shapes(), kRanks, 3, output, 3), TFE_SHAPE_MISMATCH, "einsum: label a has ");
    CHECK_REPORTS(
        plan = tfe_einsum_plan_create_from_labels(NULL, chain_shapes(), kRanks, 3, output, 3, NULL, NULL),
        NAME "labels is NULL");
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    tfe_tensor_f64_release(operands[2]);
#undef CREATE
}

/* An order goes in, and the same one comes out. */
static void paths(void) {
    static const size_t last_first[4] = {1, 2, 0, 1}, outside[4] = {1, 2, 0, 2}, twice[4] = {1, 1, 0, 1};
    tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
    tfe_tensor_f64* operands[3];
    tfe_einsum_plan* plan = NULL;
    size_t path[4] = {9, 9, 9, 9}, length = 99;
    tfe_status_t status;
#define CREATE plan = tfe_einsum_plan_create("ij,jk,kl->il", chain_shapes(), kRanks, 3, &options, &status)
    operands[0] = make2(2, 3, kValues), operands[1] = make2(3, 4, kValues),
    operands[2] = make2(4, 2, kValues);
    options.path = last_first, options.path_steps = 2;
    CHECK_SUCCEEDS(CREATE, status);
    CHECK_SUCCEEDS(tfe_einsum_plan_get_path(plan, NULL, 0, &length, &status), status);
    CHECK(length == 4);
    CHECK_SUCCEEDS(tfe_einsum_plan_get_path(plan, path, 4, &length, &status), status);
    CHECK(memcmp(path, last_first, sizeof path) == 0);
    same_values(plan, "ij,jk,kl->il", operands, 3);
    length = 99, path[0] = 9;
    CHECK_FAILS(tfe_einsum_plan_get_path(plan, path, 3, &length, &status), status, TFE_BUFFER_TOO_SMALL,
                "tfe_einsum_plan_get_path: buf_len is 3 but 4 elements are neede");
    CHECK(length == 4 && path[0] == 9);
    CHECK_FAILS(tfe_einsum_plan_get_path(plan, path, 4, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_path: out_len is NUL");
    CHECK_FAILS(tfe_einsum_plan_get_path(NULL, path, 4, &length, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_path: plan is NUL");
    tfe_einsum_plan_release(plan);
    CHECK_FAILS(tfe_einsum_plan_get_path(plan, path, 4, &length, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_path: plan is not a live ");
    options.path = outside;
    REFUSED(CREATE, TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: options->path[3] is 2 but step 1 has 2 ");
    options.path = twice;
    REFUSED(CREATE, TFE_INVALID_ARGUMENT, "contraction path: step 0 ");
    options.path = last_first, options.path_steps = 1;
    REFUSED(CREATE, TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: options->path_steps is 1 but 3 operands ");
    options.memory_limit = 0, options.vjp_memory_limit = 7, options.path_steps = 2;
    REFUSED(CREATE, TFE_INVALID_ARGUMENT,
            "tfe_einsum_plan_create: options->vjp_memory_limit is 7 but must be 0 ");
    options.vjp_memory_limit = -1;
    REFUSED(CREATE, TFE_INVALID_ARGUMENT,
            "tfe_einsum_plan_create: options->vjp_memory_limit is -1 but must ");
    options.vjp_memory_limit = 0;
    options.path = NULL, options.path_steps = 2;
    REFUSED(CREATE, TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: options->path is NULL but ");
    options.path = last_first, options.memory_limit = 1 << 20;
    REFUSED(CREATE, TFE_INVALID_ARGUMENT, "tfe_einsum_plan_create: options->memory_limit is 1048576 but ");
    CHECK(tfe_last_error_detail() == TFE_DETAIL_UNSUPPORTED);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    tfe_tensor_f64_release(operands[2]);
#undef CREATE
}

/* A plan lives until its last handle. */
static void clones(void) {
    const size_t* shapes[1];
    tfe_tensor_f64* operand = make2(2, 3, kValues);
    tfe_einsum_plan *plan, *clone = NULL;
    tfe_status_t status;
    shapes[0] = k23;
    plan = tfe_einsum_plan_create("ij->ji", shapes, kRanks, 1, NULL, NULL);
    CHECK_SUCCEEDS(clone = tfe_einsum_plan_clone(plan, &status), status);
    CHECK(clone != NULL && clone != plan);
    tfe_einsum_plan_release(plan);
    CHECK(tfe_einsum_plan_is_assigned(plan) == 0 && tfe_einsum_plan_is_assigned(clone) == 1);
    same_values(clone, "ij->ji", &operand, 1);
    CHECK_FAILS(plan = tfe_einsum_plan_clone(plan, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_clone: plan is not a live ");
    CHECK(plan == NULL && tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
    CHECK_FAILS(plan = tfe_einsum_plan_clone(NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_clone: plan is NUL");
    CHECK_REPORTS(plan = tfe_einsum_plan_clone(NULL, NULL), "tfe_einsum_plan_clone: plan is NUL");
    CHECK(plan == NULL);
    tfe_einsum_plan_release(clone);
    tfe_tensor_f64_release(operand);
}

/* A tetrahedron, whose intermediates are larger than its operands: reverse mode in slices, with the same
 * gradients. */
static void vjp_limit(void) {
    enum { kSide = 16, kElements = kSide * kSide * kSide };
    static const size_t shape[3] = {kSide, kSide, kSide}, ranks[4] = {3, 3, 3, 3};
    static double values[kElements];
    const size_t* shapes[4];
    const char* subscripts = "abc,ade,bdf,cef->";
    const double one = 1;
    tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
    tfe_einsum_plan_cost cost = {sizeof(tfe_einsum_plan_cost), 0, 0, 0, 0, 0, 0};
    tfe_tensor_f64 *operands[4], *grads[4], *wanted[4];
    tfe_tensor_f64* cotangent = tfe_tensor_f64_from_data(&one, 1, NULL, 0, NULL);
    tfe_einsum_plan* plan = NULL;
    tfe_status_t status;
    double unlimited;
    int i;
    for (i = 0; i < kElements; ++i) values[i] = i % 7 - 3;
    for (i = 0; i < 4; ++i) {
        shapes[i] = shape;
        operands[i] = tfe_tensor_f64_from_data(values, kElements, shape, 3, NULL);
    }
    plan = tfe_einsum_plan_create(subscripts, shapes, ranks, 4, &options, NULL);
    tfe_einsum_plan_get_vjp_cost(plan, &cost, NULL);
    tfe_einsum_plan_vjp_f64(plan, operands, 4, cotangent, wanted, NULL);
    tfe_einsum_plan_release(plan);
    unlimited = cost.peak_bytes;
    options.vjp_memory_limit = (int64_t)unlimited / 2;
    CHECK_SUCCEEDS(plan = tfe_einsum_plan_create(subscripts, shapes, ranks, 4, &options, &status), status);
    tfe_einsum_plan_get_vjp_cost(plan, &cost, NULL);
    CHECK(cost.slices > 1 && cost.peak_bytes <= unlimited / 2);
    CHECK_SUCCEEDS(tfe_einsum_plan_vjp_f64(plan, operands, 4, cotangent, grads, &status), status);
    for (i = 0; i < 4; ++i) {
        CHECK(holds(grads[i], tfe_tensor_f64_len(wanted[i]), tfe_tensor_f64_data(wanted[i])));
        tfe_tensor_f64_release(grads[i]);
        tfe_tensor_f64_release(wanted[i]);
        tfe_tensor_f64_release(operands[i]);
    }
    tfe_tensor_f64_release(cotangent);
    tfe_einsum_plan_release(plan);
    options.vjp_memory_limit = kElements * 8; /* less than the gradients themselves */
    CHECK_FAILS(plan = tfe_einsum_plan_create(subscripts, shapes, ranks, 4, &options, &status), status,
                TFE_INVALID_ARGUMENT, "einsum: the memory limit of reverse mode is 32768 bytes but ");
    CHECK(plan == NULL && tfe_last_error_detail() == TFE_DETAIL_UNSUPPORTED);
}

static void vjp_cost(void) {
    tfe_einsum_plan_cost forward, pulled;
    tfe_einsum_plan* plan = tfe_einsum_plan_create("ij,jk,kl->il", chain_shapes(), kRanks, 3, NULL, NULL);
    tfe_status_t status;
    forward.struct_size = pulled.struct_size = sizeof forward;
    CHECK_SUCCEEDS(tfe_einsum_plan_get_cost(plan, &forward, &status), status);
    CHECK_SUCCEEDS(tfe_einsum_plan_get_vjp_cost(plan, &pulled, &status), status);
    /* each of the two contractions forward (the last one for nothing) and twice back */
    CHECK(pulled.flops > 2 * forward.flops && pulled.flops <= 3 * forward.flops);
    CHECK(pulled.peak_bytes >= 8.0 * (6 + 12 + 8) && pulled.slices == 1);
    CHECK_FAILS(tfe_einsum_plan_get_vjp_cost(plan, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_vjp_cost: out is NUL");
    pulled.struct_size = 9;
    CHECK_FAILS(tfe_einsum_plan_get_vjp_cost(plan, &pulled, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_vjp_cost: out->struct_size is 9 but ");
    CHECK_FAILS(tfe_einsum_plan_get_vjp_cost(NULL, &pulled, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_vjp_cost: plan is NUL");
    tfe_einsum_plan_release(plan);
    CHECK_FAILS(tfe_einsum_plan_get_vjp_cost(plan, &pulled, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_plan_get_vjp_cost: plan is not a live ");
}

int main(void) {
    labels();
    paths();
    clones();
    vjp_cost();
    vjp_limit();
    return finish();
}
