/* The checks of linalg_errors.c for one element type; included once per type with SUFFIX, SCALAR and PARTS
 * (scalars per element) defined. */
#include "matrix_names.h"

static const size_t OWN(rows)[1] = {0}, OWN(columns)[1] = {1};
#define FIRST_TWO OWN(rows), 1, OWN(columns), 1

/* Matrices that cannot be: the message names the operation, the matrix of the batch and the value met. */
static void OWN(errors)(void) {
    const size_t shape[3] = {2, 2, 2}, wide[2] = {2, 3}, odd[2] = {3, 1};
    const double _Complex singular[8] = {1, 0, 0, 1, 1, 2, 2, 4}, negative[8] = {1, 0, 0, 1, 1, 0, 0, -4},
                          special[8] = {1, 0, 0, 1, 1, 0, 0, NAN}, numbers[6] = {1, 2, 3, 4, 5, 6};
    TENSOR *a = OWN(from)(singular, shape, 3), *b = OWN(from)(singular, shape, 3),
           *indefinite = OWN(from)(negative, shape, 3), *nan = OWN(from)(special, shape, 3),
           *oblong = OWN(from)(numbers, wide, 2), *other = OWN(from)(numbers, odd, 2), *dead, *out[3];
    REAL_TENSOR* real = NULL;
    COMPLEX_TENSOR *w = NULL, *v = NULL;
    tfe_status_t status;
    CHECK_FAILS(out[0] = F(solve)(a, FIRST_TWO, b, &status), status, TFE_INVALID_ARGUMENT, "solve: ");
    CHECK(out[0] == NULL && tfe_last_error_detail() == TFE_DETAIL_NUMERICAL);
    CHECK(strstr(last_message(), "matrix [1] of the batch") != NULL);
    out[0] = out[1] = a;
    CHECK_FAILS(F(solve_vjp)(a, FIRST_TWO, b, b, &out[0], &out[1], &status), status, TFE_INVALID_ARGUMENT,
                "solve: ");
    CHECK(out[0] == NULL && out[1] == NULL);
    CHECK_FAILS(out[0] = F(cholesky)(indefinite, FIRST_TWO, &status), status, TFE_INVALID_ARGUMENT,
                "cholesky: ");
    CHECK(out[0] == NULL && tfe_last_error_detail() == TFE_DETAIL_NUMERICAL);
    CHECK(strstr(last_message(), "matrix [1] of the batch") != NULL);
    CHECK_FAILS(out[0] = F(cholesky_jvp)(indefinite, FIRST_TWO, a, &status), status, TFE_INVALID_ARGUMENT,
                "cholesky: ");
#define CHECK_NAN(start, call)                                            \
    do {                                                                  \
        CHECK_FAILS(call, status, TFE_INVALID_ARGUMENT, start);           \
        CHECK(tfe_last_error_detail() == TFE_DETAIL_NUMERICAL);           \
        CHECK(strstr(last_message(), "matrix [1] of the batch") != NULL); \
    } while (0)
    CHECK_NAN("qr: ", F(qr)(nan, FIRST_TWO, &out[0], &out[1], &status));
    CHECK(out[0] == NULL && out[1] == NULL);
    CHECK_NAN("eigh: ", F(eigh)(nan, FIRST_TWO, &real, &out[0], &status));
    CHECK_NAN("eig: ", F(eig)(nan, FIRST_TWO, &w, &v, &status));
    CHECK_NAN("lu: ", F(lu)(nan, FIRST_TWO, &out[0], &out[1], &out[2], &status));
    CHECK_NAN("cholesky: ", out[0] = F(cholesky)(nan, FIRST_TWO, &status));
    CHECK_NAN("solve: ", out[0] = F(solve)(nan, FIRST_TWO, b, &status));
    CHECK_NAN("solve: ", out[0] = F(solve)(b, FIRST_TWO, nan, &status));
    CHECK_NAN("qr: ", out[0] = F(qr_vjp)(nan, FIRST_TWO, NULL, NULL, &status));
    CHECK_NAN("eigh: ", F(eigh_jvp)(nan, FIRST_TWO, a, &real, &out[0], &status));
    CHECK_NAN("eig: ", F(eig_jvp)(nan, FIRST_TWO, a, &w, &v, &status));
    CHECK_NAN("lu: ", F(lu_jvp)(nan, FIRST_TWO, a, &out[0], &out[1], &status));
    /* Where only the derivative does not exist. */
    CHECK_FAILS(F(lu_jvp)(a, FIRST_TWO, a, &out[0], &out[1], &status), status, TFE_INVALID_ARGUMENT,
                "lu: there is no derivative: ");
    CHECK(out[0] == NULL && out[1] == NULL && tfe_last_error_detail() == TFE_DETAIL_NUMERICAL);
    CHECK(strstr(last_message(), "matrix [1] of the batch") != NULL);
    /* Not square. */
#define CHECK_SQUARE(name, call) CHECK_FAILS(call, status, TFE_SHAPE_MISMATCH, "tfe_" name)
    CHECK_SQUARE("eigh_", F(eigh)(oblong, FIRST_TWO, &real, &out[0], &status));
    CHECK_SQUARE("eig_", F(eig)(oblong, FIRST_TWO, &w, &v, &status));
    CHECK_SQUARE("cholesky_", out[0] = F(cholesky)(oblong, FIRST_TWO, &status));
    CHECK_SQUARE("solve_", out[0] = F(solve)(oblong, FIRST_TWO, b, &status));
    /* A right-hand side, tangent or cotangent that does not fit. */
    CHECK_FAILS(out[0] = F(solve)(b, FIRST_TWO, other, &status), status, TFE_SHAPE_MISMATCH, "tfe_solve_");
    CHECK_FAILS(out[0] = F(solve_jvp)(b, FIRST_TWO, b, other, NULL, &status), status, TFE_SHAPE_MISMATCH,
                "tfe_solve_");
    CHECK_FAILS(out[0] = F(solve_jvp)(b, FIRST_TWO, b, NULL, other, &status), status, TFE_SHAPE_MISMATCH,
                "tfe_solve_");
    CHECK_FAILS(out[0] = F(qr_vjp)(b, FIRST_TWO, other, NULL, &status), status, TFE_SHAPE_MISMATCH,
                "tfe_qr_");
    CHECK_FAILS(F(lu_jvp)(b, FIRST_TWO, other, &out[0], &out[1], &status), status, TFE_SHAPE_MISMATCH,
                "tfe_lu_");
    CHECK_FAILS(F(qr)(b, OWN(rows), 1, OWN(rows), 1, &out[0], &out[1], &status), status, TFE_INVALID_ARGUMENT,
                "tfe_qr_");
    /* Handles and outputs that are NULL or dead. */
    dead = OWN(from)(numbers, wide, 2);
    T(release)(dead);
#define CHECK_TENSOR(name, ...)                                                                             \
    do {                                                                                                    \
        CHECK_FAILS(F(name)(NULL, FIRST_TWO, __VA_ARGS__), status, TFE_INVALID_ARGUMENT, "tfe_" #name "_"); \
        CHECK(tfe_last_error_detail() == TFE_DETAIL_NULL_POINTER);                                          \
        CHECK_FAILS(F(name)(dead, FIRST_TWO, __VA_ARGS__), status, TFE_INVALID_ARGUMENT, "tfe_" #name "_"); \
        CHECK(tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);                                           \
        CHECK_FAILS(F(name)(b, NULL, 1, OWN(rows), 1, __VA_ARGS__), status, TFE_INVALID_ARGUMENT,           \
                    "tfe_" #name "_");                                                                      \
        CHECK_FAILS(F(name)(b, OWN(rows), 1, NULL, 1, __VA_ARGS__), status, TFE_INVALID_ARGUMENT,           \
                    "tfe_" #name "_");                                                                      \
    } while (0)
    CHECK_TENSOR(qr, &out[0], &out[1], &status);
    CHECK_TENSOR(qr_vjp, b, b, &status);
    CHECK_TENSOR(qr_rrule, b, b, &status);
    CHECK_TENSOR(qr_jvp, b, &out[0], &out[1], &status);
    CHECK_TENSOR(qr_frule, b, &out[0], &out[1], &status);
    CHECK_TENSOR(eigh, &real, &out[1], &status);
    CHECK_TENSOR(eigh_vjp, NULL, b, &status);
    CHECK_TENSOR(eigh_rrule, NULL, b, &status);
    CHECK_TENSOR(eigh_jvp, b, &real, &out[1], &status);
    CHECK_TENSOR(eigh_frule, b, &real, &out[1], &status);
    CHECK_TENSOR(eig, &w, &v, &status);
    CHECK_TENSOR(eig_vjp, NULL, NULL, &status);
    CHECK_TENSOR(eig_rrule, NULL, NULL, &status);
    CHECK_TENSOR(eig_jvp, b, &w, &v, &status);
    CHECK_TENSOR(eig_frule, b, &w, &v, &status);
    CHECK_TENSOR(lu, &out[0], &out[1], &out[2], &status);
    CHECK_TENSOR(lu_vjp, b, b, &status);
    CHECK_TENSOR(lu_rrule, b, b, &status);
    CHECK_TENSOR(lu_jvp, b, &out[0], &out[1], &status);
    CHECK_TENSOR(lu_frule, b, &out[0], &out[1], &status);
    CHECK_TENSOR(cholesky, &status);
    CHECK_TENSOR(cholesky_vjp, b, &status);
    CHECK_TENSOR(cholesky_rrule, b, &status);
    CHECK_TENSOR(cholesky_jvp, b, &status);
    CHECK_TENSOR(cholesky_frule, b, &status);
    CHECK_TENSOR(solve, b, &status);
    CHECK_TENSOR(solve_vjp, b, b, &out[0], &out[1], &status);
    CHECK_TENSOR(solve_rrule, b, b, &out[0], &out[1], &status);
    CHECK_TENSOR(solve_jvp, b, b, b, &status);
    CHECK_TENSOR(solve_frule, b, b, b, &status);
    CHECK_FAILS(out[0] = F(solve)(indefinite, FIRST_TWO, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_solve_");
    CHECK_FAILS(out[0] = F(solve)(indefinite, FIRST_TWO, dead, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_solve_");
    CHECK_FAILS(out[0] = F(qr_vjp)(b, FIRST_TWO, dead, b, &status), status, TFE_INVALID_ARGUMENT, "tfe_qr_");
    CHECK_FAILS(out[0] = F(cholesky_jvp)(b, FIRST_TWO, dead, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_cholesky_");
    out[0] = out[1] = b;
    CHECK_FAILS(F(qr)(b, FIRST_TWO, NULL, &out[1], &status), status, TFE_INVALID_ARGUMENT, "tfe_qr_");
    CHECK_FAILS(F(qr)(b, FIRST_TWO, &out[0], NULL, &status), status, TFE_INVALID_ARGUMENT, "tfe_qr_");
    CHECK(out[0] == NULL && out[1] == NULL);
    CHECK_FAILS(F(lu)(b, FIRST_TWO, &out[0], NULL, &out[1], &status), status, TFE_INVALID_ARGUMENT,
                "tfe_lu_");
    CHECK_FAILS(F(eig_jvp)(b, FIRST_TWO, b, NULL, &v, &status), status, TFE_INVALID_ARGUMENT, "tfe_eig_");
    CHECK_FAILS(F(eigh)(b, FIRST_TWO, NULL, &out[0], &status), status, TFE_INVALID_ARGUMENT, "tfe_eigh_");
    CHECK_FAILS(F(solve_vjp)(b, FIRST_TWO, b, b, &out[0], NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_solve_");
    CHECK_REPORTS(F(qr)(NULL, FIRST_TWO, &out[0], &out[1], NULL), "tfe_qr_");
    CHECK_REPORTS(out[0] = F(solve)(NULL, FIRST_TWO, b, NULL), "tfe_solve_");
    /* What failed changed nothing. */
    CHECK(OWN(read)(a)[7] == 4 && OWN(read)(indefinite)[7] == -4);
    CHECK_SUCCEEDS(F(lu)(a, FIRST_TWO, &out[0], &out[1], &out[2], &status), status);
    CHECK(SAME_SHAPE(out[1], 3, 2, 2, 2));
    release_all(OWN(release_handle), 9, a, b, indefinite, nan, oblong, other, out[0], out[1], out[2]);
}

#undef FIRST_TWO
#undef CHECK_NAN
#undef CHECK_SQUARE
#undef CHECK_TENSOR
#include "matrix_names_end.h"
