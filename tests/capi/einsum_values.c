/* Einsum and its derivatives against values worked out by hand, exact in double; both spellings of the
 * derivatives. */
#include "check.h"

static const double kA[4] = {1, 3, 2, 4}, kB[4] = {5, 7, 6, 8}, kOnes[4] = {1, 1, 1, 1};

static int has_shape(const tfe_tensor_f64* tensor, size_t ndim, size_t first, size_t second) {
    size_t shape[2] = {0, 0};
    if (tfe_tensor_f64_ndim(tensor) != ndim) return 0;
    tfe_tensor_f64_shape(tensor, shape);
    return (ndim < 1 || shape[0] == first) && (ndim < 2 || shape[1] == second);
}

/* One operand of shape rows x columns. */
static void unary(const char* subscripts, size_t rows, size_t columns, const double* values, size_t ndim,
                  size_t first, size_t second, size_t len, const double* expected) {
    tfe_tensor_f64 *operand = make2(rows, columns, values), *out = NULL;
    tfe_status_t status;
    CHECK_SUCCEEDS(out = tfe_einsum_f64(subscripts, &operand, 1, &status), status);
    CHECK(has_shape(out, ndim, first, second));
    CHECK(holds(out, len, expected));
    CHECK(len == 0 || tfe_tensor_f64_data(out) != tfe_tensor_f64_data(operand));
    tfe_tensor_f64_release(out);
    tfe_tensor_f64_release(operand);
}

static void single_operands(void) {
    const double values[6] = {1, 2, 3, 4, 5, 6}; /* 2x3: rows 1 3 5 and 2 4 6 */
    const double transposed[6] = {1, 3, 5, 2, 4, 6}, rows[2] = {9, 12}, columns[3] = {3, 7, 11}, total = 21;
    const double diagonal[2] = {1, 4}, trace = 5, embedded[4] = {9, 0, 0, 12};
    unary("ij->ij", 2, 3, values, 2, 2, 3, 6, values);
    unary("ij->ji", 2, 3, values, 2, 3, 2, 6, transposed);
    unary("...->...", 2, 3, values, 2, 2, 3, 6, values);
    unary("i...->...i", 2, 3, values, 2, 3, 2, 6, transposed);
    unary(" i j -> j i ", 2, 3, values, 2, 3, 2, 6, transposed);
    unary("\xce\xb1\xce\xb2->\xce\xb2\xce\xb1", 2, 3, values, 2, 3, 2, 6, transposed);
    unary("01->10", 2, 3, values, 2, 3, 2, 6, transposed);
    unary("ij->i", 2, 3, values, 1, 2, 0, 2, rows);
    unary("ij->j", 2, 3, values, 1, 3, 0, 3, columns);
    unary("ij->", 2, 3, values, 0, 0, 0, 1, &total);
    unary("ii->i", 2, 2, values, 1, 2, 0, 2, diagonal);
    unary("ii->", 2, 2, values, 0, 0, 0, 1, &trace);
    unary("ij->ii", 2, 3, values, 2, 2, 2, 4, embedded);
    unary("ij->ji", 0, 3, NULL, 2, 3, 0, 0, NULL);
    unary("ij->i", 2, 0, NULL, 1, 2, 0, 2, (const double[2]){0, 0}); /* an empty sum */
}

static void product(void) {
    const double expected[4] = {19, 43, 22, 50};
    tfe_tensor_f64* operands[2];
    tfe_tensor_f64* out = NULL;
    tfe_status_t status;
    operands[0] = make2(2, 2, kA);
    operands[1] = make2(2, 2, kB);
    CHECK_SUCCEEDS(out = tfe_einsum_f64("ij,jk->ik", operands, 2, &status), status);
    CHECK(has_shape(out, 2, 2, 2) && holds(out, 4, expected));
    tfe_tensor_f64_release(out);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
}

/* Three operands, with and without parentheses, and the same handle twice. */
static void chains(void) {
    const double expected[4] = {19 * 1 + 22 * 3, 43 * 1 + 50 * 3, 19 * 2 + 22 * 4,
                                43 * 2 + 50 * 4}; /* A B A */
    const char* orders[3] = {"ij,jk,kl->il", "(ij,jk),kl->il", "ij,(jk,kl)->il"};
    tfe_tensor_f64* operands[3];
    tfe_status_t status;
    int i;
    operands[0] = operands[2] = make2(2, 2, kA);
    operands[1] = make2(2, 2, kB);
    for (i = 0; i < 3; ++i) {
        tfe_tensor_f64* out = NULL;
        CHECK_SUCCEEDS(out = tfe_einsum_f64(orders[i], operands, 3, &status), status);
        CHECK(has_shape(out, 2, 2, 2) && holds(out, 4, expected));
        tfe_tensor_f64_release(out);
    }
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
}

static void scalar_operands(void) {
    const double two = 2, expected[4] = {2, 6, 4, 8};
    tfe_tensor_f64* operands[2];
    tfe_tensor_f64* out = NULL;
    tfe_status_t status;
    operands[0] = tfe_tensor_f64_from_data(&two, 1, NULL, 0, &status);
    operands[1] = make2(2, 2, kA);
    CHECK_SUCCEEDS(out = tfe_einsum_f64(",ij->ij", operands, 2, &status), status);
    CHECK(has_shape(out, 2, 2, 2) && holds(out, 4, expected));
    tfe_tensor_f64_release(out);
    CHECK_SUCCEEDS(out = tfe_einsum_f64("->", operands, 1, &status), status);
    CHECK(has_shape(out, 0, 0, 0) && holds(out, 1, &two));
    tfe_tensor_f64_release(out);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
}

static void reverse(void (*vjp)(const char*, tfe_tensor_f64* const*, size_t, const tfe_tensor_f64*,
                                tfe_tensor_f64**, tfe_status_t*)) {
    const double grad_a[4] = {11, 11, 15, 15}, grad_b[4] = {4, 6, 4, 6};
    tfe_tensor_f64 *ones = make2(2, 2, kOnes), *grads[2] = {NULL, NULL}, *operands[2];
    tfe_status_t status;
    operands[0] = make2(2, 2, kA);
    operands[1] = make2(2, 2, kB);
    CHECK_SUCCEEDS(vjp("ij,jk->ik", operands, 2, ones, grads, &status), status);
    CHECK(has_shape(grads[0], 2, 2, 2) && holds(grads[0], 4, grad_a));
    CHECK(has_shape(grads[1], 2, 2, 2) && holds(grads[1], 4, grad_b));
    CHECK(grads[0] != grads[1]);
    tfe_tensor_f64_release(grads[0]);
    tfe_tensor_f64_release(grads[1]);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    tfe_tensor_f64_release(ones);
}

static void forward(tfe_tensor_f64* (*jvp)(const char*, tfe_tensor_f64* const*, size_t,
                                           tfe_tensor_f64* const*, tfe_status_t*)) {
    const double unit[4] = {1, 0, 0, 0}, expected[4] = {5, 0, 6, 0}, both[4] = {6, 3, 6, 0},
                 nothing[4] = {0, 0, 0, 0};
    tfe_tensor_f64 *direction = make2(2, 2, unit), *out = NULL, *operands[2], *tangents[2];
    tfe_status_t status;
    operands[0] = make2(2, 2, kA);
    operands[1] = make2(2, 2, kB);
    tangents[0] = direction;
    tangents[1] = NULL;
    CHECK_SUCCEEDS(out = jvp("ij,jk->ik", operands, 2, tangents, &status), status);
    CHECK(has_shape(out, 2, 2, 2) && holds(out, 4, expected));
    tfe_tensor_f64_release(out);
    tangents[1] = direction;
    CHECK_SUCCEEDS(out = jvp("ij,jk->ik", operands, 2, tangents, &status), status);
    CHECK(holds(out, 4, both));
    tfe_tensor_f64_release(out);
    tangents[0] = tangents[1] = NULL;
    CHECK_SUCCEEDS(out = jvp("ij,jk->ik", operands, 2, tangents, &status), status);
    CHECK(has_shape(out, 2, 2, 2) && holds(out, 4, nothing));
    tfe_tensor_f64_release(out);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    tfe_tensor_f64_release(direction);
}

int main(void) {
    single_operands();
    product();
    chains();
    scalar_operands();
    reverse(tfe_einsum_vjp_f64);
    reverse(tfe_einsum_rrule_f64);
    forward(tfe_einsum_jvp_f64);
    forward(tfe_einsum_frule_f64);
    return finish();
}
