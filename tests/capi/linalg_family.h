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

/* Columns of an m x k matrix: orthonormal. */
static void OWN(check_orthonormal)(size_t m, size_t k, const double _Complex* q) {
    double _Complex adjoint[kMost], product[kMost];
    size_t i;
    turn(m, k, q, adjoint);
    multiply(k, m, k, adjoint, q, product);
    for (i = 0; i < k * k; ++i) CHECK(cabs(product[i] - (i % (k + 1) == 0)) <= OWN(tolerance)(m));
}

/* Zeros of an m x n matrix: above the diagonal of a lower triangle, below that of an upper one. */
static void OWN(check_triangle)(size_t m, size_t n, int lower, const double _Complex* x) {
    size_t i, j;
    for (j = 0; j < n; ++j)
        for (i = 0; i < m; ++i) CHECK(x[i + m * j] == 0 || i == j || (i > j) == lower);
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
    double _Complex sum[kMost];
    tfe_status_t status;
    size_t b;
    CHECK_SUCCEEDS(F(qr)(a, TURNED, &q, &r, &status), status);
    CHECK(SAME_SHAPE(q, 3, m, k, 2) && SAME_SHAPE(r, 3, k, n, 2));
    CHECK_SUCCEEDS(F(qr_jvp)(a, TURNED, tangent, &dq, &dr, &status), status);
    values = OWN(read_turned)(a, m, n, 2);
    moved = OWN(read_turned)(tangent, m, n, 2);
    for (b = 0; b < 2; ++b) {
        const double _Complex *qb = MATRIX(OWN(read)(q), m * k, b), *rb = MATRIX(OWN(read)(r), k * n, b);
        const double _Complex *dqb = MATRIX(OWN(read)(dq), m * k, b), *drb = MATRIX(OWN(read)(dr), k * n, b);
        OWN(check_product)(m, k, n, qb, rb, MATRIX(values, m * n, b), 1);
        OWN(check_orthonormal)(m, k, qb);
        OWN(check_triangle)(k, n, 0, rb);
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

/* A V = V diag(w) of n x n matrices, whose tangents follow them. */
static void OWN(check_eigenpairs)(size_t n, const double _Complex* const a[2],
                                  const double _Complex* const v[2], const double _Complex* const w[2],
                                  double scale) {
    double _Complex wanted[kMost], sum[kMost];
    size_t i;
    for (i = 0; i < n * n; ++i) wanted[i] = v[0][i] * w[0][i / n];
    OWN(check_product)(n, n, n, a[0], v[0], wanted, scale);
    for (i = 0; i < n * n; ++i) wanted[i] = v[1][i] * w[0][i / n] + v[0][i] * w[1][i / n];
    add_products(n, n, n, a[1], v[0], a[0], v[1], sum);
    CHECK(distance(n * n, sum, wanted) <= 1000 * scale * OWN(tolerance)(n * n));
}

/* Of Hermitian matrices, with both derivatives. */
static void OWN(eigenvalues)(void) {
    enum { n = 4 };
    TENSOR *a = OWN(draw_hermitian)(n, 2, 0), *tangent = OWN(draw_hermitian)(n, 2, 0), *vectors = NULL,
           *dvectors = NULL, *cot_vectors, *gradient = NULL, *same = NULL;
    REAL_TENSOR *w = NULL, *dw = NULL, *cot_w;
    tfe_status_t status;
    size_t b, j;
    CHECK_SUCCEEDS(F(eigh)(a, FIRST_TWO, &w, &vectors, &status), status);
    CHECK(SAME_SHAPE(vectors, 3, n, n, 2) && JOIN(tfe_tensor_, REAL, _len)(w) == 2 * n);
    CHECK_SUCCEEDS(F(eigh_jvp)(a, FIRST_TWO, tangent, &dw, &dvectors, &status), status);
    for (b = 0; b < 2; ++b) {
        const double _Complex *ab[2], *vb[2], *wb[2];
        ab[0] = MATRIX(OWN(read)(a), n * n, b), ab[1] = MATRIX(OWN(read)(tangent), n * n, b);
        vb[0] = MATRIX(OWN(read)(vectors), n * n, b), vb[1] = MATRIX(OWN(read)(dvectors), n * n, b);
        wb[0] = MATRIX(JOIN(read_, REAL, )(w), n, b), wb[1] = MATRIX(JOIN(read_, REAL, )(dw), n, b);
        for (j = 1; j < n; ++j) CHECK(creal(wb[0][j]) >= creal(wb[0][j - 1]));
        OWN(check_orthonormal)(n, n, vb[0]);
        OWN(check_eigenpairs)(n, ab, vb, wb, 1);
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
    size_t b, j;
    CHECK_SUCCEEDS(F(eig)(a, FIRST_TWO, &w, &v, &status), status);
    CHECK_SUCCEEDS(F(eig_jvp)(a, FIRST_TWO, tangent, &dw, &dv, &status), status);
    for (b = 0; b < 2; ++b) {
        const double _Complex *ab[2], *vb[2], *wb[2];
        ab[0] = MATRIX(OWN(read)(a), n * n, b), ab[1] = MATRIX(OWN(read)(tangent), n * n, b);
        vb[0] = MATRIX(JOIN(read_, COMPLEX, )(v), n * n, b),
        vb[1] = MATRIX(JOIN(read_, COMPLEX, )(dv), n * n, b);
        wb[0] = MATRIX(JOIN(read_, COMPLEX, )(w), n, b), wb[1] = MATRIX(JOIN(read_, COMPLEX, )(dw), n, b);
        for (j = 0; j < n; ++j)
            CHECK(fabs(inner_product(n, vb[0] + n * j, vb[0] + n * j) - 1) <= OWN(tolerance)(n));
        OWN(check_eigenpairs)(n, ab, vb, wb, 10);
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
    size_t b, i;
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
        OWN(check_orthonormal)(m, m, pb);
        for (i = 0; i < m * m; ++i) CHECK(pb[i] == 0 || pb[i] == 1);
        OWN(check_triangle)(m, k, 1, lb);
        for (i = 0; i < k; ++i) CHECK(lb[i + m * i] == 1);
        OWN(check_triangle)(k, n, 0, ub);
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
        OWN(check_triangle)(n, n, 1, lb);
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
           *dright = OWN(draw)(right_shape, ndim), *x = NULL, *dx = NULL, *cot, *grads[2] = {NULL, NULL},
           *parts[2] = {NULL, NULL};
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
    /* A tangent that is NULL is zero. */
    CHECK_SUCCEEDS(parts[0] = F(solve_jvp)(a, TURNED, right, da, NULL, &status), status);
    CHECK_SUCCEEDS(parts[1] = F(solve_jvp)(a, TURNED, right, NULL, dright, &status), status);
    for (b = 0; b < T(len)(dx); ++b)
        CHECK(cabs(OWN(read)(parts[0])[b] + OWN(read)(parts[1])[b] - OWN(read)(dx)[b]) <=
              OWN(tolerance)(n) * (1 + largest(T(len)(dx), OWN(read)(parts[0]))));
    release_all(OWN(release_handle), 2, parts[0], parts[1]);
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

/* Batch axes between the others, in the tensor's order behind the results' own; lists of two axes, and of
 * none. */
static void OWN(axes)(void) {
    const size_t mixed[4] = {2, 2, 3, 4}, rows[1] = {3}, columns[1] = {1}, plane[2] = {2, 3},
                 first_two[2] = {0, 1}, third[1] = {2}, joined[3] = {2, 2, 4};
    TENSOR *a = OWN(draw)(mixed, 4), *q = NULL, *r = NULL, *square, *vectors[2] = {NULL, NULL},
           *gradient = NULL;
    REAL_TENSOR* w[2] = {NULL, NULL};
    tfe_status_t status;
    size_t i, j, x, y;
    CHECK_SUCCEEDS(F(qr)(a, rows, 1, columns, 1, &q, &r, &status), status);
    CHECK(SAME_SHAPE(q, 4, 4, 2, 2, 3) && SAME_SHAPE(r, 4, 2, 2, 2, 3));
    for (x = 0; x < 2; ++x)
        for (y = 0; y < 3; ++y) {
            double _Complex matrix[8];
            for (j = 0; j < 2; ++j)
                for (i = 0; i < 4; ++i) matrix[i + 4 * j] = OWN(read)(a)[x + 2 * (j + 2 * (y + 3 * i))];
            OWN(check_product)
            (4, 2, 2, MATRIX(OWN(read)(q), 8, x + 2 * y), MATRIX(OWN(read)(r), 4, x + 2 * y), matrix, 1);
        }
    release_all(OWN(release_handle), 3, a, q, r);
    square = OWN(draw_hermitian)(4, 1, 0);
    a = OWN(from)(OWN(read)(square), joined, 3);
    CHECK_SUCCEEDS(F(eigh)(square, FIRST_TWO, &w[0], &vectors[0], &status), status);
    CHECK_SUCCEEDS(F(eigh)(a, first_two, 2, third, 1, &w[1], &vectors[1], &status), status);
    CHECK(SAME_SHAPE(vectors[0], 3, 4, 4, 1) && SAME_SHAPE(vectors[1], 3, 2, 2, 4));
    CHECK(distance(16, OWN(read)(vectors[0]), OWN(read)(vectors[1])) == 0);
    CHECK_SUCCEEDS(gradient = F(eigh_vjp)(a, first_two, 2, third, 1, w[1], vectors[1], &status), status);
    CHECK(SAME_SHAPE(gradient, 3, 2, 2, 4));
    release_all(OWN(release_handle), 5, square, a, vectors[0], vectors[1], gradient);
    release_all(JOIN(release_handle_, REAL, ), 2, w[0], w[1]);
    a = OWN(draw)(plane, 2);
    CHECK_SUCCEEDS(F(qr)(a, NULL, 0, NULL, 0, &q, &r, &status), status);
    CHECK(SAME_SHAPE(q, 3, 1, 2, 3) && SAME_SHAPE(r, 3, 1, 2, 3));
    for (i = 0; i < 6; ++i)
        CHECK(cabs(OWN(read)(q)[i] * OWN(read)(r)[i] - OWN(read)(a)[i]) <= OWN(tolerance)(1));
    release_all(OWN(release_handle), 3, a, q, r);
}

/* What is above the diagonal of a Hermitian matrix is not read. */
static void OWN(lower_triangles)(void) {
    enum { n = 3 };
    const size_t shape[3] = {n, n, 2};
    TENSOR *a = OWN(draw_hermitian)(n, 2, 4), *half, *vectors[2] = {NULL, NULL}, *l[2] = {NULL, NULL};
    REAL_TENSOR* w[2] = {NULL, NULL};
    double _Complex values[2 * n * n];
    tfe_status_t status;
    size_t i;
    memcpy(values, OWN(read)(a), sizeof values);
    for (i = 0; i < 2 * n * n; ++i)
        if (i % n < i / n % n) values[i] = 99;
    half = OWN(from)(values, shape, 3);
    CHECK_SUCCEEDS(F(eigh)(a, FIRST_TWO, &w[0], &vectors[0], &status), status);
    CHECK_SUCCEEDS(F(eigh)(half, FIRST_TWO, &w[1], &vectors[1], &status), status);
    CHECK(distance(2 * n * n, OWN(read)(vectors[0]), OWN(read)(vectors[1])) == 0);
    CHECK_SUCCEEDS(l[0] = F(cholesky)(a, FIRST_TWO, &status), status);
    CHECK_SUCCEEDS(l[1] = F(cholesky)(half, FIRST_TWO, &status), status);
    CHECK(distance(2 * n * n, OWN(read)(l[0]), OWN(read)(l[1])) == 0);
    release_all(OWN(release_handle), 6, a, half, vectors[0], vectors[1], l[0], l[1]);
    release_all(JOIN(release_handle_, REAL, ), 2, w[0], w[1]);
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
    OWN(axes)();
    OWN(lower_triangles)();
}

#undef MATRIX
#undef TURNED
#undef FIRST_TWO
#undef CHECK_INNER
#include "matrix_names_end.h"
