/* The checks of svd.c for one element type; included once per type with SUFFIX, SCALAR and PARTS (scalars
 * per element) defined. Tensors are read as arrays of double _Complex. Derivatives are checked by the
 * equations that they satisfy, those of the truncated SVD by differences, and reverse mode by the inner
 * products <cotangent, tangent of the result> = <gradient, tangent>. */
#include "matrix_names.h"

typedef struct {
    TENSOR *u, *vt;
    REAL_TENSOR* s;
    size_t k;
} OWN(svd);

static const size_t OWN(left)[2] = {2, 0}, OWN(right)[1] = {1}, OWN(shape)[3] = {3, 4, 2};
enum { OWN(kRows) = 6, OWN(kColumns) = 4 };

static OWN(svd) OWN(decompose)(const TENSOR* a, size_t max_rank, double cutoff) {
    OWN(svd) out = {NULL, NULL, NULL, 0};
    tfe_status_t status;
    CHECK_SUCCEEDS(F(svd)(a, OWN(left), 2, OWN(right), 1, max_rank, cutoff, &out.u, &out.s, &out.vt, &status),
                   status);
    out.k = JOIN(tfe_tensor_, REAL, _len)(out.s);
    return out;
}
static void OWN(release_svd)(OWN(svd) * svd) {
    T(release)(svd->u);
    T(release)(svd->vt);
    JOIN(tfe_tensor_, REAL, _release)(svd->s);
}

/* U diag(S) Vt in the shape of the tensor. */
static void OWN(product)(const OWN(svd) * svd, double _Complex* out) {
    const double _Complex *u = OWN(read)(svd->u), *vt = OWN(read)(svd->vt);
    const REAL_SCALAR* s = JOIN(tfe_tensor_, REAL, _data)(svd->s);
    size_t i, j, l, r;
    for (i = 0; i < 3; ++i)
        for (j = 0; j < 4; ++j)
            for (l = 0; l < 2; ++l) {
                double _Complex sum = 0;
                for (r = 0; r < svd->k; ++r) sum += u[l + 2 * i + 6 * r] * s[r] * vt[r + svd->k * j];
                out[i + 3 * j + 12 * l] = sum;
            }
}

static void OWN(svd_values)(void) {
    TENSOR* a = OWN(draw)(OWN(shape), 3);
    OWN(svd) svd = OWN(decompose)(a, 0, -1), cut;
    const double _Complex* values = OWN(read)(a);
    double _Complex product[24];
    REAL_SCALAR s[4];
    size_t i;
    CHECK(svd.k == 4);
    CHECK(SAME_SHAPE(svd.u, 3, 2, 3, 4) && SAME_SHAPE(svd.vt, 2, 4, 4));
    memcpy(s, JOIN(tfe_tensor_, REAL, _data)(svd.s), sizeof s);
    for (i = 1; i < 4; ++i) CHECK(s[i] <= s[i - 1] && s[i] > 0);
    OWN(product)(&svd, product);
    for (i = 0; i < 24; ++i) CHECK(cabs(product[i] - values[i]) <= OWN(tolerance)(24));
    /* The cutoff is inclusive and comes after max_rank; one value stays. */
    cut = OWN(decompose)(a, 3, s[1]);
    CHECK(cut.k == 2 && SAME_SHAPE(cut.u, 3, 2, 3, 2) && SAME_SHAPE(cut.vt, 2, 2, 4));
    CHECK(memcmp(T(data)(cut.u), T(data)(svd.u), 12 * PARTS * sizeof(SCALAR)) == 0);
    OWN(release_svd)(&cut);
    cut = OWN(decompose)(a, 1, 0);
    CHECK(cut.k == 1);
    OWN(release_svd)(&cut);
    cut = OWN(decompose)(a, 0, INFINITY);
    CHECK(cut.k == 1);
    OWN(release_svd)(&cut);
    cut = OWN(decompose)(a, SIZE_MAX, 0);
    CHECK(cut.k == 4);
    OWN(release_svd)(&cut);
    OWN(release_svd)(&svd);
    T(release)(a);
}

/* One row, one column, a scalar, and tensors without elements. */
static void OWN(svd_edges)(void) {
    const size_t axes[2] = {0, 1}, shape[2] = {2, 3}, empty[2] = {0, 3};
    TENSOR *a = OWN(draw)(shape, 2), *u = a, *vt = a, *gradient = NULL;
    REAL_TENSOR* s = NULL;
    tfe_status_t status;
    CHECK_SUCCEEDS(F(svd)(a, NULL, 0, axes, 2, 0, -1, &u, &s, &vt, &status), status);
    CHECK(SAME_SHAPE(u, 1, 1) && SAME_SHAPE(vt, 3, 1, 2, 3));
    CHECK_SUCCEEDS(gradient = F(svd_vjp)(a, NULL, 0, axes, 2, 0, -1, u, s, vt, &status), status);
    CHECK(gradient != NULL && SAME_SHAPE(gradient, 2, 2, 3));
    T(release)(gradient);
    T(release)(u);
    T(release)(vt);
    JOIN(tfe_tensor_, REAL, _release)(s);
    CHECK_SUCCEEDS(F(svd)(a, axes, 2, NULL, 0, 0, -1, &u, &s, &vt, &status), status);
    CHECK(SAME_SHAPE(u, 3, 2, 3, 1) && SAME_SHAPE(vt, 1, 1));
    T(release)(u);
    T(release)(vt);
    JOIN(tfe_tensor_, REAL, _release)(s);
    T(release)(a);
    a = OWN(draw)(shape, 0);
    CHECK_SUCCEEDS(F(svd)(a, NULL, 0, NULL, 0, 0, -1, &u, &s, &vt, &status), status);
    CHECK(SAME_SHAPE(u, 1, 1) && SAME_SHAPE(vt, 1, 1));
    T(release)(u);
    T(release)(vt);
    JOIN(tfe_tensor_, REAL, _release)(s);
    T(release)(a);
    a = T(zeros)(empty, 2, NULL);
    CHECK_SUCCEEDS(F(svd)(a, axes, 1, axes + 1, 1, 0, -1, &u, &s, &vt, &status), status);
    CHECK(SAME_SHAPE(u, 2, 0, 0) && SAME_SHAPE(vt, 2, 0, 3) && JOIN(tfe_tensor_, REAL, _len)(s) == 0);
    CHECK_SUCCEEDS(gradient = F(svd_rrule)(a, axes, 1, axes + 1, 1, 0, -1, u, s, vt, &status), status);
    CHECK(gradient != NULL && SAME_SHAPE(gradient, 2, 0, 3));
    T(release)(gradient);
    T(release)(u);
    T(release)(vt);
    JOIN(tfe_tensor_, REAL, _release)(s);
    CHECK_SUCCEEDS(F(svd_frule)(a, axes, 1, axes + 1, 1, 0, -1, a, &u, &s, &vt, &status), status);
    CHECK(SAME_SHAPE(u, 2, 0, 0) && SAME_SHAPE(vt, 2, 0, 3));
    T(release)(u);
    T(release)(vt);
    JOIN(tfe_tensor_, REAL, _release)(s);
    T(release)(a);
}

/* The tensor moved by `step` along the tangent, decomposed and multiplied. */
static void OWN(moved_product)(const TENSOR* a, const TENSOR* tangent, double step, size_t max_rank,
                               double _Complex* out) {
    const double _Complex *values = OWN(read)(a), *direction = OWN(read)(tangent);
    double _Complex moved[24];
    OWN(svd) svd;
    TENSOR* tensor;
    size_t i;
    for (i = 0; i < 24; ++i) moved[i] = values[i] + step * direction[i];
    tensor = OWN(from)(moved, OWN(shape), 3);
    svd = OWN(decompose)(tensor, max_rank, -1);
    OWN(product)(&svd, out);
    OWN(release_svd)(&svd);
    T(release)(tensor);
}

/* Forward mode of the best approximation of rank `max_rank` against differences, and reverse mode of any
 * cotangents against forward mode. */
static void OWN(svd_derivatives)(size_t max_rank) {
    void (*const jvps[2])(const TENSOR*, const size_t*, size_t, const size_t*, size_t, size_t, double,
                          const TENSOR*, TENSOR**, REAL_TENSOR**, TENSOR**,
                          tfe_status_t*) = {F(svd_jvp), F(svd_frule)};
    TENSOR* (*const vjps[2])(const TENSOR*, const size_t*, size_t, const size_t*, size_t, size_t, double,
                             const TENSOR*, const REAL_TENSOR*, const TENSOR*,
                             tfe_status_t*) = {F(svd_vjp), F(svd_rrule)};
    TENSOR *a = OWN(draw)(OWN(shape), 3), *tangent = OWN(draw)(OWN(shape), 3);
    OWN(svd) svd = OWN(decompose)(a, max_rank, -1), mixed, d = {NULL, NULL, NULL, svd.k};
    double _Complex plus[24], minus[24], part[24], sum[24];
    const double step = pow(sizeof(SCALAR) == 4 ? FLT_EPSILON : DBL_EPSILON, 1.0 / 3);
    const size_t u_shape[3] = {2, 3, svd.k}, vt_shape[2] = {svd.k, 4};
    TENSOR *cot_u = OWN(draw)(u_shape, 3), *cot_vt = OWN(draw)(vt_shape, 2), *gradient = NULL;
    REAL_TENSOR* cot_s = JOIN(draw_, REAL, )(&svd.k, 1);
    tfe_status_t status;
    int spelling, mask;
    size_t i;
    for (spelling = 0; spelling < 2; ++spelling) {
        CHECK_SUCCEEDS(
            jvps[spelling](a, OWN(left), 2, OWN(right), 1, max_rank, -1, tangent, &d.u, &d.s, &d.vt, &status),
            status);
        memset(sum, 0, sizeof sum);
        for (i = 0; i < 3; ++i) {
            mixed = svd;
            if (i == 0) mixed.u = d.u;
            if (i == 1) mixed.s = d.s;
            if (i == 2) mixed.vt = d.vt;
            OWN(product)(&mixed, part);
            for (size_t e = 0; e < 24; ++e) sum[e] += part[e];
        }
        OWN(moved_product)(a, tangent, step, max_rank, plus);
        OWN(moved_product)(a, tangent, -step, max_rank, minus);
        for (i = 0; i < 24; ++i) CHECK(cabs((plus[i] - minus[i]) / (2 * step) - sum[i]) <= 1e4 * step * step);
        /* Every choice of cotangents that are not NULL. */
        for (mask = 0; mask < 8; ++mask) {
            const TENSOR *given_u = mask & 1 ? cot_u : NULL, *given_vt = mask & 4 ? cot_vt : NULL;
            const REAL_TENSOR* given_s = mask & 2 ? cot_s : NULL;
            double forward = 0;
            CHECK_SUCCEEDS(gradient = vjps[spelling](a, OWN(left), 2, OWN(right), 1, max_rank, -1, given_u,
                                                     given_s, given_vt, &status),
                           status);
            CHECK(SAME_SHAPE(gradient, 3, 3, 4, 2));
            if (mask & 1) forward += OWN(inner)(cot_u, d.u);
            if (mask & 2) forward += JOIN(inner_, REAL, )(cot_s, d.s);
            if (mask & 4) forward += OWN(inner)(cot_vt, d.vt);
            CHECK(fabs(OWN(inner)(gradient, tangent) - forward) <= 1000 * OWN(tolerance)(24));
            T(release)(gradient);
        }
        OWN(release_svd)(&d);
        /* Without a tangent all is zero. */
        CHECK_SUCCEEDS(
            jvps[spelling](a, OWN(left), 2, OWN(right), 1, max_rank, -1, NULL, &d.u, &d.s, &d.vt, &status),
            status);
        CHECK(SAME_SHAPE(d.u, 3, 2, 3, svd.k) && SAME_SHAPE(d.vt, 2, svd.k, 4));
        CHECK(OWN(inner)(d.u, d.u) == 0 && OWN(inner)(d.vt, d.vt) == 0);
        OWN(release_svd)(&d);
    }
    T(release)(a);
    T(release)(tangent);
    T(release)(cot_u);
    T(release)(cot_vt);
    JOIN(tfe_tensor_, REAL, _release)(cot_s);
    OWN(release_svd)(&svd);
}

/* A cutoff that keeps two singular values, in derivatives too. */
static void OWN(svd_cutoff_in_derivatives)(void) {
    const size_t u_shape[3] = {2, 3, 3};
    TENSOR *a = OWN(draw)(OWN(shape), 3), *cot_three = OWN(draw)(u_shape, 3), *gradients[2] = {NULL, NULL};
    OWN(svd) whole = OWN(decompose)(a, 0, -1), d[3];
    const double cutoff = JOIN(tfe_tensor_, REAL, _data)(whole.s)[1];
    tfe_status_t status;
    int i;
    for (i = 0; i < 3; ++i) {
        memset(&d[i], 0, sizeof d[i]);
        CHECK_SUCCEEDS(F(svd_jvp)(a, OWN(left), 2, OWN(right), 1, i == 0 ? 2 : 0, i == 0 ? -1 : cutoff,
                                  i == 2 ? NULL : a, &d[i].u, &d[i].s, &d[i].vt, &status),
                       status);
        CHECK(SAME_SHAPE(d[i].u, 3, 2, 3, 2) && SAME_SHAPE(d[i].vt, 2, 2, 4));
        CHECK(JOIN(tfe_tensor_, REAL, _len)(d[i].s) == 2);
    }
    CHECK(distance(12, OWN(read)(d[0].u), OWN(read)(d[1].u)) == 0);
    for (i = 0; i < 2; ++i)
        CHECK_SUCCEEDS(gradients[i] = F(svd_vjp)(a, OWN(left), 2, OWN(right), 1, i == 0 ? 2 : 0,
                                                 i == 0 ? -1 : cutoff, d[0].u, d[0].s, d[0].vt, &status),
                       status);
    CHECK(distance(24, OWN(read)(gradients[0]), OWN(read)(gradients[1])) == 0);
    release_all(OWN(release_handle), 2, gradients[0], gradients[1]);
    CHECK_FAILS(
        gradients[0] = F(svd_vjp)(a, OWN(left), 2, OWN(right), 1, 0, cutoff, cot_three, NULL, NULL, &status),
        status, TFE_SHAPE_MISMATCH, "tfe_svd_vjp_");
    CHECK(gradients[0] == NULL);
    CHECK(strstr(last_message(), "the cotangents are for 3 singular values but 2 are kept") != NULL);
    for (i = 0; i < 3; ++i) OWN(release_svd)(&d[i]);
    OWN(release_svd)(&whole);
    release_all(OWN(release_handle), 2, a, cot_three);
}

/* Equal and zero singular values, and elements near the ends of the range: gradients are finite, and that of
 * the sum of equal singular values is U Vt. */
static void OWN(svd_degenerate)(double scale) {
    const size_t shape[2] = {3, 3}, rows[1] = {0}, columns[1] = {1};
    const double _Complex identity[9] = {scale, 0, 0, 0, scale, 0, 0, 0, scale};
    const REAL_SCALAR ones[3] = {1, 1, 1};
    TENSOR *a = OWN(from)(identity, shape, 2), *u = NULL, *vt = NULL, *cot = OWN(draw)(shape, 2),
           *gradient = NULL;
    REAL_TENSOR *s = NULL, *cot_s = JOIN(tfe_tensor_, REAL, _from_data)(ones, 3, shape, 1, NULL);
    double _Complex product[9];
    tfe_status_t status;
    size_t i;
    CHECK_SUCCEEDS(F(svd)(a, rows, 1, columns, 1, 0, -1, &u, &s, &vt, &status), status);
    CHECK_SUCCEEDS(gradient = F(svd_vjp)(a, rows, 1, columns, 1, 0, -1, cot, cot_s, cot, &status), status);
    for (i = 0; i < 9; ++i) CHECK(isfinite(cabs(OWN(read)(gradient)[i])));
    T(release)(gradient);
    CHECK_SUCCEEDS(gradient = F(svd_vjp)(a, rows, 1, columns, 1, 0, -1, NULL, cot_s, NULL, &status), status);
    multiply(3, 3, 3, OWN(read)(u), OWN(read)(vt), product);
    CHECK(distance(9, OWN(read)(gradient), product) <= OWN(tolerance)(9));
    release_all(OWN(release_handle), 5, a, u, vt, cot, gradient);
    release_all(JOIN(release_handle_, REAL, ), 2, s, cot_s);
}

static void OWN(svd_errors)(void) {
    const size_t shape[2] = {2, 2}, axes[3] = {0, 1, 1}, absent[1] = {2}, three[1] = {3};
    double _Complex values[4] = {1, 2, 3, 4};
    TENSOR *a = OWN(from)(values, shape, 2), *bad, *out[2] = {a, a}, *gradient = a;
    REAL_TENSOR *s = NULL, *wrong = JOIN(draw_, REAL, )(three, 1);
    tfe_status_t status;
#define CHECK_SVD_FAILS(wanted, start, ...)                                                                 \
    do {                                                                                                    \
        out[0] = out[1] = a, s = wrong;                                                                     \
        CHECK_FAILS(F(svd)(__VA_ARGS__, &out[0], &s, &out[1], &status), status, wanted, start);             \
        CHECK(out[0] == NULL && out[1] == NULL && s == NULL);                                               \
        gradient = a;                                                                                       \
        CHECK_FAILS(gradient = F(svd_vjp)(__VA_ARGS__, NULL, NULL, NULL, &status), status, wanted, start);  \
        CHECK(gradient == NULL);                                                                            \
        out[0] = out[1] = a, s = wrong;                                                                     \
        CHECK_FAILS(F(svd_frule)(__VA_ARGS__, NULL, &out[0], &s, &out[1], &status), status, wanted, start); \
        CHECK(out[0] == NULL && out[1] == NULL && s == NULL);                                               \
    } while (0)
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", a, axes, 1, absent, 1, 0, -1.0);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_AXIS);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", a, axes, 1, axes, 1, 0, -1.0);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_AXIS);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", a, axes, 1, NULL, 0, 0, -1.0);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", a, axes, 3, NULL, 0, 0, -1.0);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", a, NULL, 1, axes + 1, 1, 0, -1.0);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_NULL_POINTER);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", a, axes, SIZE_MAX, axes + 1, 1, 0, -1.0);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", a, axes, 1, axes + 1, 1, 0, (double)NAN);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", NULL, axes, 1, axes + 1, 1, 0, -1.0);
    values[2] = NAN;
    bad = OWN(from)(values, shape, 2);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "svd", bad, axes, 1, axes + 1, 1, 0, -1.0);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_NUMERICAL);
    CHECK_FAILS(gradient = F(svd_vjp)(bad, axes, 1, axes + 1, 1, 0, -1, bad, NULL, NULL, &status), status,
                TFE_INVALID_ARGUMENT, "svd");
    T(release)(bad);
    values[2] = INFINITY;
    bad = OWN(from)(values, shape, 2);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "svd", bad, axes, 1, axes + 1, 1, 0, -1.0);
    /* Cotangents and tangents of other shapes; those of a rank that the truncation does not keep. */
    CHECK_FAILS(gradient = F(svd_vjp)(a, axes, 1, axes + 1, 1, 0, -1, NULL, wrong, NULL, &status), status,
                TFE_SHAPE_MISMATCH, "tfe_svd_");
    CHECK(gradient == NULL);
    CHECK_FAILS(gradient = F(svd_rrule)(a, axes, 1, axes + 1, 1, 1, -1, a, NULL, a, &status), status,
                TFE_SHAPE_MISMATCH, "tfe_svd_");
    T(release)(bad);
    bad = OWN(from)(values, absent, 1);
    CHECK_FAILS(gradient = F(svd_vjp)(a, axes, 1, axes + 1, 1, 0, -1, bad, NULL, NULL, &status), status,
                TFE_SHAPE_MISMATCH, "tfe_svd_");
    CHECK_FAILS(F(svd_jvp)(a, axes, 1, axes + 1, 1, 0, -1, bad, &out[0], &s, &out[1], &status), status,
                TFE_SHAPE_MISMATCH, "tfe_svd_");
    CHECK(out[0] == NULL && s == NULL && gradient == NULL);
    /* The same for handles that are dead. */
    T(release)(bad);
    CHECK_SVD_FAILS(TFE_INVALID_ARGUMENT, "tfe_svd_", bad, axes, 1, axes + 1, 1, 0, -1.0);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
    CHECK_FAILS(gradient = F(svd_vjp)(a, axes, 1, axes + 1, 1, 0, -1, bad, NULL, NULL, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_svd_");
    CHECK_FAILS(F(svd_jvp)(a, axes, 1, axes + 1, 1, 0, -1, bad, &out[0], &s, &out[1], &status), status,
                TFE_INVALID_ARGUMENT, "tfe_svd_");
    /* Every output is needed. */
    CHECK_FAILS(F(svd)(a, axes, 1, axes + 1, 1, 0, -1, NULL, &s, &out[1], &status), status,
                TFE_INVALID_ARGUMENT, "tfe_svd_");
    CHECK_FAILS(F(svd)(a, axes, 1, axes + 1, 1, 0, -1, &out[0], NULL, &out[1], &status), status,
                TFE_INVALID_ARGUMENT, "tfe_svd_");
    CHECK_FAILS(F(svd_frule)(a, axes, 1, axes + 1, 1, 0, -1, a, &out[0], &s, NULL, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_svd_");
    CHECK(out[0] == NULL && s == NULL);
    CHECK_REPORTS(F(svd)(a, axes, 1, axes + 1, 1, 0, -1, &out[0], &s, NULL, NULL), "tfe_svd_");
    T(release)(a);
    JOIN(tfe_tensor_, REAL, _release)(wrong);
}

static void OWN(run_svd)(void) {
    OWN(svd_values)();
    OWN(svd_edges)();
    OWN(svd_derivatives)(0);
    OWN(svd_derivatives)(2);
    OWN(svd_derivatives)(1);
    OWN(svd_cutoff_in_derivatives)();
    OWN(svd_degenerate)(1);
    OWN(svd_degenerate)(0);
    OWN(svd_degenerate)(sizeof(SCALAR) == 4 ? 1e30 : 1e300);
    OWN(svd_degenerate)(sizeof(SCALAR) == 4 ? 1e-30 : 1e-300);
    OWN(svd_errors)();
}

#undef CHECK_SVD_FAILS
#include "matrix_names_end.h"
