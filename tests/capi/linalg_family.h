/* The checks of linalg.c for one element type; included once per type with SUFFIX, SCALAR and PARTS (scalars
 * per element) defined. Results and tangents are checked by the equations that they satisfy, and reverse mode
 * by the inner products <cotangent, tangent of the result> = <gradient, tangent>. Matrices of batches have
 * their axes in any order: axes 1 (rows) and 0 (columns), or as said. */
#include "matrix_names.h"

/* Matrix `b` of a batch of matrices of `size` elements. */
#define MATRIX(values, size, b) ((values) + (size) * (b))

/* |X Y - Z| is rounding: m x k, k x n, m x n. */
static void OWN(check_product)(size_t m, size_t k, size_t n, const double _Complex* x,
                               const double _Complex* y, const double _Complex* z, double scale) {
    double _Complex product[kMost];
    size_t i;
    multiply(m, k, n, x, y, product);
    for (i = 0; i < m * n; ++i) CHECK(cabs(product[i] - z[i]) <= scale * OWN(tolerance)(m * n * k));
}

/* The matrices [rows, columns] of a tensor whose axes are (columns, rows, batch). */
static const double _Complex* OWN(read_turned)(const TENSOR* tensor, size_t m, size_t n, size_t batch) {
    static double _Complex slots[8][kMost];
    static int next;
    double _Complex* out = slots[next++ % 8];
    const double _Complex* values = OWN(read)(tensor);
    size_t i, j, b;
    for (b = 0; b < batch; ++b)
        for (j = 0; j < n; ++j)
            for (i = 0; i < m; ++i) out[i + m * j + m * n * b] = values[j + n * i + m * n * b];
    return out;
}

static const size_t OWN(rows)[1] = {1}, OWN(columns)[1] = {0};
#define TURNED OWN(rows), 1, OWN(columns), 1
#define FIRST_TWO OWN(columns), 1, OWN(rows), 1

/* Tangents x and y of two results with the gradient of their cotangents. */
#define CHECK_INNER(gradient, tangent, forward)              \
    CHECK(fabs(OWN(inner)(gradient, tangent) - (forward)) <= \
          1e4 * OWN(tolerance)(T(len)(tangent)) * (1 + fabs(forward)))

/* Q R of tall and wide matrices in a batch of two, with both derivatives. */
static void OWN(qr)(size_t m, size_t n) {
    const size_t k = m < n ? m : n, shape[3] = {n, m, 2};
    TENSOR *a = OWN(draw)(shape, 3), *tangent = OWN(draw)(shape, 3), *q = NULL, *r = NULL, *dq = NULL,
           *dr = NULL;
    TENSOR *cot_q, *cot_r, *gradient = NULL, *same = NULL;
    const double _Complex *values, *moved;
    double _Complex sum[kMost], adjoint[kMost];
    tfe_status_t status;
    size_t b, i;
    CHECK_SUCCEEDS(F(qr)(a, TURNED, &q, &r, &status), status);
    CHECK(SAME_SHAPE(q, 3, m, k, 2) && SAME_SHAPE(r, 3, k, n, 2));
    CHECK_SUCCEEDS(F(qr_jvp)(a, TURNED, tangent, &dq, &dr, &status), status);
    values = OWN(read_turned)(a, m, n, 2);
    moved = OWN(read_turned)(tangent, m, n, 2);
    for (b = 0; b < 2; ++b) {
        const double _Complex *qb = MATRIX(OWN(read)(q), m * k, b), *rb = MATRIX(OWN(read)(r), k * n, b);
        const double _Complex *dqb = MATRIX(OWN(read)(dq), m * k, b), *drb = MATRIX(OWN(read)(dr), k * n, b);
        OWN(check_product)(m, k, n, qb, rb, MATRIX(values, m * n, b), 1);
        turn(m, k, qb, adjoint);
        multiply(k, m, k, adjoint, qb, sum);
        for (i = 0; i < k * k; ++i) CHECK(cabs(sum[i] - (i % (k + 1) == 0)) <= OWN(tolerance)(m));
        add_products(m, k, n, dqb, rb, qb, drb, sum);
        CHECK(distance(m * n, sum, MATRIX(moved, m * n, b)) <= 1000 * OWN(tolerance)(m * n));
    }
    cot_q = OWN(draw)((const size_t[]){m, k, 2}, 3);
    cot_r = OWN(draw)((const size_t[]){k, n, 2}, 3);
    CHECK_SUCCEEDS(gradient = F(qr_vjp)(a, TURNED, cot_q, cot_r, &status), status);
    CHECK(SAME_SHAPE(gradient, 3, n, m, 2));
    CHECK_INNER(gradient, tangent, OWN(inner)(cot_q, dq) + OWN(inner)(cot_r, dr));
    CHECK_SUCCEEDS(same = F(qr_rrule)(a, TURNED, cot_q, cot_r, &status), status);
    CHECK(memcmp(T(data)(same), T(data)(gradient), m * n * 2 * PARTS * sizeof(SCALAR)) == 0);
    T(release)(same);
    T(release)(gradient);
    CHECK_SUCCEEDS(gradient = F(qr_vjp)(a, TURNED, NULL, cot_r, &status), status);
    CHECK_INNER(gradient, tangent, OWN(inner)(cot_r, dr));
    T(release)(gradient);
    T(release)(dq);
    T(release)(dr);
    CHECK_SUCCEEDS(F(qr_frule)(a, TURNED, NULL, &dq, &dr, &status), status);
    CHECK(OWN(inner)(dq, dq) == 0 && OWN(inner)(dr, dr) == 0);
    release_all(OWN(release_handle), 8, a, tangent, q, r, dq, dr, cot_q, cot_r);
}

/* A V = V diag(w), with both derivatives. */
static void OWN(eigenvalues)(void) {
    enum { n = 4 };
    TENSOR *a = OWN(draw_hermitian)(n, 2, 0), *tangent = OWN(draw_hermitian)(n, 2, 0), *vectors = NULL,
           *dvectors = NULL, *cot_vectors, *gradient = NULL, *same = NULL;
    REAL_TENSOR *w = NULL, *dw = NULL, *cot_w;
    tfe_status_t status;
    size_t b, i, j;
    CHECK_SUCCEEDS(F(eigh)(a, FIRST_TWO, &w, &vectors, &status), status);
    CHECK(SAME_SHAPE(vectors, 3, n, n, 2) && JOIN(tfe_tensor_, REAL, _len)(w) == 2 * n);
    CHECK_SUCCEEDS(F(eigh_jvp)(a, FIRST_TWO, tangent, &dw, &dvectors, &status), status);
    for (b = 0; b < 2; ++b) {
        const double _Complex *ab = MATRIX(OWN(read)(a), n * n, b), *v = MATRIX(OWN(read)(vectors), n * n, b),
                              *da = MATRIX(OWN(read)(tangent), n * n, b),
                              *dv = MATRIX(OWN(read)(dvectors), n * n, b);
        const REAL_SCALAR *wb = JOIN(tfe_tensor_, REAL, _data)(w) + n * b,
                          *dwb = JOIN(tfe_tensor_, REAL, _data)(dw) + n * b;
        double _Complex wanted[n * n], sum[n * n];
        for (j = 1; j < n; ++j) CHECK(wb[j] >= wb[j - 1]);
        for (j = 0; j < n; ++j)
            for (i = 0; i < n; ++i) wanted[i + n * j] = v[i + n * j] * wb[j];
        OWN(check_product)(n, n, n, ab, v, wanted, 1);
        for (j = 0; j < n; ++j)
            for (i = 0; i < n; ++i) wanted[i + n * j] = dv[i + n * j] * wb[j] + v[i + n * j] * dwb[j];
        add_products(n, n, n, da, v, ab, dv, sum);
        CHECK(distance(n * n, sum, wanted) <= 1000 * OWN(tolerance)(n * n));
    }
    cot_w = JOIN(draw_, REAL, )((const size_t[]){n, 2}, 2);
    cot_vectors = OWN(draw)((const size_t[]){n, n, 2}, 3);
    CHECK_SUCCEEDS(gradient = F(eigh_vjp)(a, FIRST_TWO, cot_w, cot_vectors, &status), status);
    CHECK_INNER(gradient, tangent, JOIN(inner_, REAL, )(cot_w, dw) + OWN(inner)(cot_vectors, dvectors));
    CHECK_SUCCEEDS(same = F(eigh_rrule)(a, FIRST_TWO, cot_w, NULL, &status), status);
    CHECK_INNER(same, tangent, JOIN(inner_, REAL, )(cot_w, dw));
    T(release)(dvectors);
    JOIN(tfe_tensor_, REAL, _release)(dw);
    CHECK_SUCCEEDS(F(eigh_frule)(a, FIRST_TWO, NULL, &dw, &dvectors, &status), status);
    CHECK(OWN(inner)(dvectors, dvectors) == 0);
    JOIN(tfe_tensor_, REAL, _release)(w);
    JOIN(tfe_tensor_, REAL, _release)(dw);
    JOIN(tfe_tensor_, REAL, _release)(cot_w);
    release_all(OWN(release_handle), 7, a, tangent, vectors, dvectors, cot_vectors, gradient, same);
}

static void OWN(any_eigenvalues)(void) {
    enum { n = 3 };
    const size_t shape[3] = {n, n, 2};
    TENSOR *a = OWN(draw)(shape, 3), *tangent = OWN(draw)(shape, 3), *gradient = NULL, *same = NULL;
    COMPLEX_TENSOR *w = NULL, *v = NULL, *dw = NULL, *dv = NULL, *cot_w, *cot_v;
    tfe_status_t status;
    size_t b, i, j;
    CHECK_SUCCEEDS(F(eig)(a, FIRST_TWO, &w, &v, &status), status);
    CHECK_SUCCEEDS(F(eig_jvp)(a, FIRST_TWO, tangent, &dw, &dv, &status), status);
    for (b = 0; b < 2; ++b) {
        const double _Complex *ab = MATRIX(OWN(read)(a), n * n, b),
                              *da = MATRIX(OWN(read)(tangent), n * n, b),
                              *wb = MATRIX(JOIN(read_, COMPLEX, )(w), n, b),
                              *vb = MATRIX(JOIN(read_, COMPLEX, )(v), n * n, b),
                              *dwb = MATRIX(JOIN(read_, COMPLEX, )(dw), n, b),
                              *dvb = MATRIX(JOIN(read_, COMPLEX, )(dv), n * n, b);
        double _Complex wanted[n * n], sum[n * n];
        for (j = 0; j < n; ++j)
            for (i = 0; i < n; ++i) wanted[i + n * j] = vb[i + n * j] * wb[j];
        OWN(check_product)(n, n, n, ab, vb, wanted, 10);
        for (j = 0; j < n; ++j)
            for (i = 0; i < n; ++i) wanted[i + n * j] = dvb[i + n * j] * wb[j] + vb[i + n * j] * dwb[j];
        add_products(n, n, n, da, vb, ab, dvb, sum);
        CHECK(distance(n * n, sum, wanted) <= 1e4 * OWN(tolerance)(n * n));
    }
    cot_w = JOIN(draw_, COMPLEX, )((const size_t[]){n, 2}, 2);
    cot_v = JOIN(draw_, COMPLEX, )(shape, 3);
    CHECK_SUCCEEDS(gradient = F(eig_vjp)(a, FIRST_TWO, cot_w, cot_v, &status), status);
    CHECK_INNER(gradient, tangent, JOIN(inner_, COMPLEX, )(cot_w, dw) + JOIN(inner_, COMPLEX, )(cot_v, dv));
    CHECK_SUCCEEDS(same = F(eig_rrule)(a, FIRST_TWO, cot_w, NULL, &status), status);
    CHECK_INNER(same, tangent, JOIN(inner_, COMPLEX, )(cot_w, dw));
    release_all(JOIN(release_handle_, COMPLEX, ), 2, dw, dv);
    CHECK_SUCCEEDS(F(eig_frule)(a, FIRST_TWO, NULL, &dw, &dv, &status), status);
    CHECK(JOIN(inner_, COMPLEX, )(dv, dv) == 0);
    release_all(JOIN(release_handle_, COMPLEX, ), 6, w, v, dw, dv, cot_w, cot_v);
    release_all(OWN(release_handle), 4, a, tangent, gradient, same);
}

static void OWN(lu)(size_t m, size_t n) {
    const size_t k = m < n ? m : n, shape[3] = {n, m, 2};
    TENSOR *a = OWN(draw)(shape, 3), *tangent = OWN(draw)(shape, 3), *p = NULL, *l = NULL, *u = NULL,
           *dl = NULL, *du = NULL, *cot_l, *cot_u, *gradient = NULL, *same = NULL;
    const double _Complex *values, *moved;
    tfe_status_t status;
    size_t b;
    CHECK_SUCCEEDS(F(lu)(a, TURNED, &p, &l, &u, &status), status);
    CHECK(SAME_SHAPE(p, 3, m, m, 2) && SAME_SHAPE(l, 3, m, k, 2) && SAME_SHAPE(u, 3, k, n, 2));
    CHECK_SUCCEEDS(F(lu_jvp)(a, TURNED, tangent, &dl, &du, &status), status);
    values = OWN(read_turned)(a, m, n, 2);
    moved = OWN(read_turned)(tangent, m, n, 2);
    for (b = 0; b < 2; ++b) {
        const double _Complex *pb = MATRIX(OWN(read)(p), m * m, b), *lb = MATRIX(OWN(read)(l), m * k, b),
                              *ub = MATRIX(OWN(read)(u), k * n, b), *dlb = MATRIX(OWN(read)(dl), m * k, b),
                              *dub = MATRIX(OWN(read)(du), k * n, b);
        double _Complex wanted[kMost], sum[kMost];
        multiply(m, m, n, pb, MATRIX(values, m * n, b), wanted);
        OWN(check_product)(m, k, n, lb, ub, wanted, 1);
        multiply(m, m, n, pb, MATRIX(moved, m * n, b), wanted);
        add_products(m, k, n, dlb, ub, lb, dub, sum);
        CHECK(distance(m * n, sum, wanted) <= 1000 * OWN(tolerance)(m * n));
    }
    cot_l = OWN(draw)((const size_t[]){m, k, 2}, 3);
    cot_u = OWN(draw)((const size_t[]){k, n, 2}, 3);
    CHECK_SUCCEEDS(gradient = F(lu_vjp)(a, TURNED, cot_l, cot_u, &status), status);
    CHECK_INNER(gradient, tangent, OWN(inner)(cot_l, dl) + OWN(inner)(cot_u, du));
    CHECK_SUCCEEDS(same = F(lu_rrule)(a, TURNED, NULL, cot_u, &status), status);
    CHECK_INNER(same, tangent, OWN(inner)(cot_u, du));
    release_all(OWN(release_handle), 2, dl, du);
    CHECK_SUCCEEDS(F(lu_frule)(a, TURNED, NULL, &dl, &du, &status), status);
    CHECK(OWN(inner)(dl, dl) == 0);
    release_all(OWN(release_handle), 11, a, tangent, p, l, u, dl, du, cot_l, cot_u, gradient, same);
}

static void OWN(cholesky)(void) {
    enum { n = 3 };
    TENSOR *a = OWN(draw_hermitian)(n, 2, 4), *tangent = OWN(draw_hermitian)(n, 2, 0), *l = NULL, *dl = NULL,
           *cot_l, *gradient = NULL, *same = NULL;
    tfe_status_t status;
    size_t b;
    CHECK_SUCCEEDS(l = F(cholesky)(a, FIRST_TWO, &status), status);
    CHECK(SAME_SHAPE(l, 3, n, n, 2));
    CHECK_SUCCEEDS(dl = F(cholesky_jvp)(a, FIRST_TWO, tangent, &status), status);
    for (b = 0; b < 2; ++b) {
        const double _Complex *lb = MATRIX(OWN(read)(l), n * n, b), *dlb = MATRIX(OWN(read)(dl), n * n, b);
        double _Complex adjoint[n * n], moved[n * n], sum[n * n];
        turn(n, n, lb, adjoint);
        turn(n, n, dlb, moved);
        OWN(check_product)(n, n, n, lb, adjoint, MATRIX(OWN(read)(a), n * n, b), 4);
        add_products(n, n, n, dlb, adjoint, lb, moved, sum);
        CHECK(distance(n * n, sum, MATRIX(OWN(read)(tangent), n * n, b)) <= 10 * OWN(tolerance)(n * n));
    }
    cot_l = OWN(draw)((const size_t[]){n, n, 2}, 3);
    CHECK_SUCCEEDS(gradient = F(cholesky_vjp)(a, FIRST_TWO, cot_l, &status), status);
    CHECK_INNER(gradient, tangent, OWN(inner)(cot_l, dl));
    CHECK_SUCCEEDS(same = F(cholesky_rrule)(a, FIRST_TWO, NULL, &status), status);
    CHECK(OWN(inner)(same, same) == 0);
    T(release)(dl);
    CHECK_SUCCEEDS(dl = F(cholesky_frule)(a, FIRST_TWO, NULL, &status), status);
    CHECK(OWN(inner)(dl, dl) == 0);
    release_all(OWN(release_handle), 7, a, tangent, l, dl, cot_l, gradient, same);
}

/* Two right-hand sides, or `more` axes of them. */
static void OWN(solve)(size_t more) {
    enum { n = 3 };
    const size_t shape[3] = {n, n, 2}, b_shape[4] = {n, 2, 2, 2}, none[2] = {n, 2},
                 *right_shape = more == 0 ? none : b_shape + 0, ndim = 2 + more,
                 k = more == 0   ? 1
                     : more == 1 ? 2
                                 : 4;
    TENSOR *a = OWN(draw)(shape, 3), *da = OWN(draw)(shape, 3), *right = OWN(draw)(right_shape, ndim),
           *dright = OWN(draw)(right_shape, ndim), *x = NULL, *dx = NULL, *cot, *grads[2] = {NULL, NULL};
    const double _Complex *values, *moved;
    tfe_status_t status;
    size_t b;
    CHECK_SUCCEEDS(x = F(solve)(a, TURNED, right, &status), status);
    CHECK(T(ndim)(x) == ndim && T(len)(x) == T(len)(right));
    CHECK_SUCCEEDS(dx = F(solve_jvp)(a, TURNED, right, da, dright, &status), status);
    values = OWN(read_turned)(a, n, n, 2);
    moved = OWN(read_turned)(da, n, n, 2);
    for (b = 0; b < 2; ++b) {
        const double _Complex *xb = MATRIX(OWN(read)(x), n * k, b), *dxb = MATRIX(OWN(read)(dx), n * k, b);
        double _Complex sum[kMost];
        OWN(check_product)
        (n, n, k, MATRIX(values, n * n, b), xb, MATRIX(OWN(read)(right), n * k, b), 1 + largest(n * k, xb));
        add_products(n, n, k, MATRIX(moved, n * n, b), xb, MATRIX(values, n * n, b), dxb, sum);
        CHECK(distance(n * k, sum, MATRIX(OWN(read)(dright), n * k, b)) <=
              OWN(tolerance)(n * k) * (10 + largest(n * k, xb) + largest(n * k, dxb)));
    }
    cot = OWN(draw)(right_shape, ndim);
    CHECK_SUCCEEDS(F(solve_vjp)(a, TURNED, right, cot, &grads[0], &grads[1], &status), status);
    CHECK(fabs(OWN(inner)(grads[0], da) + OWN(inner)(grads[1], dright) - OWN(inner)(cot, dx)) <=
          1e4 * OWN(tolerance)(n * n) * (1 + largest(n * k, OWN(read)(dx))));
    release_all(OWN(release_handle), 3, grads[0], grads[1], dx);
    CHECK_SUCCEEDS(F(solve_rrule)(a, TURNED, right, NULL, &grads[0], &grads[1], &status), status);
    CHECK(OWN(inner)(grads[0], grads[0]) == 0 && T(len)(grads[1]) == T(len)(right));
    CHECK_SUCCEEDS(dx = F(solve_frule)(a, TURNED, right, NULL, NULL, &status), status);
    CHECK(OWN(inner)(dx, dx) == 0);
    release_all(OWN(release_handle), 9, a, da, right, dright, x, dx, cot, grads[0], grads[1]);
}

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
    CHECK_NAN("", out[0] = F(solve)(nan, FIRST_TWO, b, &status));
    CHECK_NAN("", out[0] = F(solve)(b, FIRST_TWO, nan, &status));
    CHECK_NAN("qr: ", out[0] = F(qr_vjp)(nan, FIRST_TWO, NULL, NULL, &status));
    CHECK_NAN("eigh: ", F(eigh_jvp)(nan, FIRST_TWO, a, &real, &out[0], &status));
    CHECK_NAN("eig: ", F(eig_jvp)(nan, FIRST_TWO, a, &w, &v, &status));
    CHECK_NAN("lu: ", F(lu_jvp)(nan, FIRST_TWO, a, &out[0], &out[1], &status));
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
    release_all(OWN(release_handle), 9, a, b, indefinite, nan, oblong, other, out[0], out[1], out[2]);
}

static void OWN(run)(void) {
    OWN(qr)(4, 3);
    OWN(qr)(3, 3);
    OWN(qr)(2, 4);
    OWN(eigenvalues)();
    OWN(any_eigenvalues)();
    OWN(lu)(3, 3);
    OWN(lu)(4, 2);
    OWN(lu)(2, 4);
    OWN(cholesky)();
    OWN(solve)(0);
    OWN(solve)(1);
    OWN(solve)(2);
    OWN(errors)();
}

#undef MATRIX
#undef TURNED
#undef FIRST_TWO
#undef CHECK_INNER
#undef CHECK_NAN
#undef CHECK_SQUARE
#undef CHECK_TENSOR
#include "matrix_names_end.h"
