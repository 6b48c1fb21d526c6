/* The fault sweep of the functions of one element type; included once per type with SUFFIX, SCALAR and PARTS
 * (scalars per element) defined. faults.c has sweep() and records every function that is called while a fault
 * is armed. */
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define TENSOR JOIN(tfe_tensor_, SUFFIX, )
#define T(name) ARMED(JOIN(tfe_tensor_, SUFFIX, _##name))
#define E(name) ARMED(JOIN(tfe_einsum_, name, SUFFIX))
#define F(name) ARMED(JOIN(tfe_##name, _, SUFFIX))
#define OWN(name) JOIN(name, _, SUFFIX)
#define REAL_TENSOR JOIN(tfe_tensor_, JOIN(REAL_OF_, SUFFIX, ), )
#define COMPLEX_TENSOR JOIN(tfe_tensor_, JOIN(COMPLEX_OF_, SUFFIX, ), )
#define RELEASE_REAL JOIN(tfe_tensor_, JOIN(REAL_OF_, SUFFIX, ), _release)
#define RELEASE_COMPLEX JOIN(tfe_tensor_, JOIN(COMPLEX_OF_, SUFFIX, ), _release)

static const SCALAR OWN(values)[4 * PARTS] = {1, 3, 2, 4};
static TENSOR *OWN(a), *OWN(operands)[2];

static int OWN(is)(const TENSOR* tensor, const SCALAR* wanted) {
    const SCALAR* data = T(data)(tensor);
    return T(len)(tensor) == 4 && data != NULL && memcmp(data, wanted, sizeof OWN(values)) == 0;
}

static tfe_status_t OWN(call_from_data)(void** out) {
    tfe_status_t status = 77;
    out[0] = T(from_data)(OWN(values), 4, kShape, 2, &status);
    return status;
}
static tfe_status_t OWN(call_row_major)(void** out) {
    tfe_status_t status = 77;
    out[0] = T(from_row_major_data)(OWN(values), 4, kShape, 2, &status);
    return status;
}
static tfe_status_t OWN(call_zeros)(void** out) {
    tfe_status_t status = 77;
    out[0] = T(zeros)(kShape, 2, &status);
    return status;
}
static tfe_status_t OWN(call_clone)(void** out) {
    tfe_status_t status = 77;
    out[0] = T(clone)(OWN(a), &status);
    return status;
}
static tfe_status_t OWN(call_conj)(void** out) {
    tfe_status_t status = 77;
    out[0] = T(conj)(OWN(a), &status);
    return status;
}
static tfe_status_t OWN(call_copy)(void** out) {
    SCALAR rows[4 * PARTS] = {0};
    size_t length = 0;
    tfe_status_t status = 77;
    T(copy_row_major)(OWN(a), rows, 4, &length, &status);
    CHECK((rows[0] == 1 && length == 4) == (status == TFE_SUCCESS));
    out[0] = status == TFE_SUCCESS ? OWN(a) : NULL;
    return status;
}
static tfe_status_t OWN(call_einsum)(void** out) {
    tfe_status_t status = 77;
    out[0] = E()("ij,jk->ki", OWN(operands), 2, &status);
    return status;
}

/* Gradients into out, by any of the functions of that form. */
typedef void (*OWN(pullback))(const char*, TENSOR* const*, size_t, const TENSOR*, TENSOR**, tfe_status_t*);
static tfe_status_t OWN(pull)(OWN(pullback) function, void** out) {
    TENSOR* grads[2] = {NULL, NULL};
    tfe_status_t status = 77;
    function("ij,jk->ki", OWN(operands), 2, OWN(a), grads, &status);
    out[0] = grads[0];
    out[1] = grads[1];
    return status;
}
static tfe_status_t OWN(call_vjp)(void** out) { return OWN(pull)(E(vjp_), out); }
static tfe_status_t OWN(call_rrule)(void** out) { return OWN(pull)(E(rrule_), out); }
static tfe_status_t OWN(call_jvp)(void** out) {
    tfe_status_t status = 77;
    out[0] = E(jvp_)("ij,jk->ki", OWN(operands), 2, OWN(operands), &status);
    return status;
}
static tfe_status_t OWN(call_frule)(void** out) {
    tfe_status_t status = 77;
    out[0] = E(frule_)("ij,jk->ki", OWN(operands), 2, OWN(operands), &status);
    return status;
}
static tfe_status_t OWN(call_plan_run)(void** out) {
    tfe_status_t status = 77;
    out[0] = E(plan_run_)(plan, OWN(operands), 2, &status);
    return status;
}
static tfe_status_t OWN(call_plan_vjp)(void** out) {
    TENSOR* grads[2] = {NULL, NULL};
    tfe_status_t status = 77;
    E(plan_vjp_)(plan, OWN(operands), 2, OWN(a), grads, &status);
    out[0] = grads[0];
    out[1] = grads[1];
    return status;
}
static tfe_status_t OWN(call_plan_jvp)(void** out) {
    tfe_status_t status = 77;
    out[0] = E(plan_jvp_)(plan, OWN(operands), 2, OWN(operands), &status);
    return status;
}

static tfe_status_t OWN(call_scaled)(void** out) {
    int64_t exponent = 77;
    tfe_status_t status = 77;
    out[0] = E(scaled_)("ij,jk->ki", OWN(operands), 2, &exponent, &status);
    CHECK((exponent == 77) == (status != TFE_SUCCESS));
    return status;
}
static tfe_status_t OWN(call_vjp_scaled)(void** out) {
    TENSOR* grads[2] = {NULL, NULL};
    int64_t exponents[2] = {77, 77};
    tfe_status_t status = 77;
    E(vjp_scaled_)("ij,jk->ki", OWN(operands), 2, OWN(a), 0, grads, exponents, &status);
    out[0] = grads[0];
    out[1] = grads[1];
    return status;
}
static tfe_status_t OWN(call_jvp_scaled)(void** out) {
    int64_t exponent;
    tfe_status_t status = 77;
    out[0] = E(jvp_scaled_)("ij,jk->ki", OWN(operands), 2, OWN(operands), &exponent, &status);
    return status;
}
static tfe_status_t OWN(call_plan_run_scaled)(void** out) {
    int64_t exponent;
    tfe_status_t status = 77;
    out[0] = E(plan_run_scaled_)(plan, OWN(operands), 2, &exponent, &status);
    return status;
}
static tfe_status_t OWN(call_plan_vjp_scaled)(void** out) {
    TENSOR* grads[2] = {NULL, NULL};
    int64_t exponents[2];
    tfe_status_t status = 77;
    E(plan_vjp_scaled_)(plan, OWN(operands), 2, OWN(a), 0, grads, exponents, &status);
    out[0] = grads[0];
    out[1] = grads[1];
    return status;
}
static tfe_status_t OWN(call_plan_jvp_scaled)(void** out) {
    int64_t exponent;
    tfe_status_t status = 77;
    out[0] = E(plan_jvp_scaled_)(plan, OWN(operands), 2, OWN(operands), &exponent, &status);
    return status;
}

/* A struct over a 2x2 matrix of this element type. */
static struct DLManagedTensorVersioned* OWN(lend)(struct lender* lender, const void* address) {
    const int64_t shape[2] = {2, 2};
    struct DLManagedTensorVersioned* managed = lend(lender, address, 2, shape, NULL);
    managed->dl_tensor.dtype.code = PARTS == 2 ? 5 : 2;
    managed->dl_tensor.dtype.bits = (uint8_t)(8 * PARTS * sizeof(SCALAR));
    return managed;
}
/* The deleter runs exactly once: before the failure, or at the release. */
static tfe_status_t OWN(import_at)(void** out, const void* address) {
    static struct lender lenders[2];
    static int next;
    struct lender* lender = &lenders[next ^= 1];
    tfe_status_t status = 77;
    out[0] = T(from_dlpack)(OWN(lend)(lender, address), &status);
    CHECK(lender->deleted == (out[0] == NULL));
    return status;
}
static tfe_status_t OWN(call_import)(void** out) { return OWN(import_at)(out, OWN(values)); }
static tfe_status_t OWN(call_misaligned_import)(void** out) {
    static SCALAR memory[6 * PARTS];
    return OWN(import_at)(out, (const char*)memory + 1);
}
static void OWN(release_result)(void* tensor) { JOIN(tfe_tensor_, SUFFIX, _release)(tensor); }

/* An export that fails leaves the handle as it was. */
static void OWN(exports)(void) {
    TENSOR* tensor = T(from_data)(OWN(values), 4, kShape, 2, NULL);
    struct DLManagedTensorVersioned* out = NULL;
    long countdown;
    int failed = 1;
    for (countdown = 1; failed; ++countdown) {
        tfe_status_t status = 77;
        arm(countdown, 0, 0);
        out = T(to_dlpack)(tensor, &status);
        failed = disarm();
        CHECK(failed ? out == NULL && status == TFE_INTERNAL_ERROR : out != NULL && status == TFE_SUCCESS);
        CHECK(T(is_assigned)(tensor) == failed);
        CHECK(!failed || OWN(is)(tensor, OWN(values)));
    }
    CHECK(countdown > 3);
    CHECK(memcmp(out->dl_tensor.data, OWN(values), sizeof OWN(values)) == 0);
    out->deleter(out);
}

/* The compact copy of a strided import cannot be made: NULL, a message, and the next call makes it. */
static void OWN(compact_copies)(void) {
    SCALAR transposed[4 * PARTS];
    struct lender lender;
    TENSOR* tensor = T(from_dlpack)(OWN(lend)(&lender, OWN(values)), NULL);
    long countdown;
    int i, part;
    for (i = 0; i < 4; ++i)
        for (part = 0; part < PARTS; ++part)
            transposed[i * PARTS + part] = OWN(values)[(i % 2 * 2 + i / 2) * PARTS + part];
    for (countdown = 1;; ++countdown) {
        const SCALAR* data;
        arm(countdown, 0, 0);
        data = T(data)(tensor);
        if (!disarm()) break;
        CHECK(data == NULL && *last_message() != '\0');
        CHECK(tfe_last_error_detail() == TFE_DETAIL_OUT_OF_MEMORY);
    }
    CHECK(countdown > 3);
    CHECK(OWN(is)(tensor, transposed));
    T(release)(tensor);
    CHECK(lender.deleted == 1);
}

/* Functions without a status: they report, return 0 or NULL, and a failed release can be repeated. */
static void OWN(queries)(void) {
    size_t shape[2] = {7, 7};
    int64_t strides[2] = {7, 7};
    TENSOR* tensor = T(from_data)(OWN(values), 4, kShape, 2, NULL);
    CHECK_FAULT(T(ndim)(tensor) == 0);
    CHECK_FAULT(T(len)(tensor) == 0);
    CHECK_FAULT(T(data)(tensor) == NULL);
    CHECK_FAULT((T(shape)(tensor, shape), shape[0] == 7 && shape[1] == 7));
    CHECK_FAULT((T(strides)(tensor, strides), strides[0] == 7 && strides[1] == 7));
    CHECK_FAULT((T(release)(tensor), 1));
    CHECK_NO_FAULT(T(is_assigned)(tensor) == 1);
    CHECK(OWN(is)(tensor, OWN(values)));
    T(release)(tensor);
}

/* Linear algebra on a symmetric positive definite matrix. */
static TENSOR* OWN(matrix);
static COMPLEX_TENSOR* OWN(vectors);
static const size_t OWN(rows)[1] = {0}, OWN(columns)[1] = {1};
#define LISTS OWN(matrix), OWN(rows), 1, OWN(columns), 1
#define MATRIX OWN(matrix)

/* Every function of linear algebra: of one result, of two of types A, B, or of three of types A, B, A. */
#define LINALG_CALLS(ONE, TWO, THREE)                       \
    THREE(svd, result, real, LISTS, 0, -1)                  \
    ONE(svd_vjp, LISTS, 0, -1, MATRIX, NULL, MATRIX)        \
    ONE(svd_rrule, LISTS, 0, -1, MATRIX, NULL, MATRIX)      \
    THREE(svd_jvp, result, real, LISTS, 0, -1, MATRIX)      \
    THREE(svd_frule, result, real, LISTS, 0, -1, MATRIX)    \
    TWO(qr, result, result, LISTS)                          \
    ONE(qr_vjp, LISTS, MATRIX, MATRIX)                      \
    ONE(qr_rrule, LISTS, MATRIX, MATRIX)                    \
    TWO(qr_jvp, result, result, LISTS, MATRIX)              \
    TWO(qr_frule, result, result, LISTS, MATRIX)            \
    TWO(eigh, real, result, LISTS)                          \
    ONE(eigh_vjp, LISTS, NULL, MATRIX)                      \
    ONE(eigh_rrule, LISTS, NULL, MATRIX)                    \
    TWO(eigh_jvp, real, result, LISTS, MATRIX)              \
    TWO(eigh_frule, real, result, LISTS, MATRIX)            \
    TWO(eig, complex, complex, LISTS)                       \
    ONE(eig_vjp, LISTS, NULL, OWN(vectors))                 \
    ONE(eig_rrule, LISTS, NULL, OWN(vectors))               \
    TWO(eig_jvp, complex, complex, LISTS, MATRIX)           \
    TWO(eig_frule, complex, complex, LISTS, MATRIX)         \
    THREE(lu, result, result, LISTS)                        \
    ONE(lu_vjp, LISTS, MATRIX, MATRIX)                      \
    ONE(lu_rrule, LISTS, MATRIX, MATRIX)                    \
    TWO(lu_jvp, result, result, LISTS, MATRIX)              \
    TWO(lu_frule, result, result, LISTS, MATRIX)            \
    ONE(cholesky, LISTS)                                    \
    ONE(cholesky_vjp, LISTS, MATRIX)                        \
    ONE(cholesky_rrule, LISTS, MATRIX)                      \
    ONE(cholesky_jvp, LISTS, MATRIX)                        \
    ONE(cholesky_frule, LISTS, MATRIX)                      \
    ONE(solve, LISTS, MATRIX)                               \
    TWO(solve_vjp, result, result, LISTS, MATRIX, MATRIX)   \
    TWO(solve_rrule, result, result, LISTS, MATRIX, MATRIX) \
    ONE(solve_jvp, LISTS, MATRIX, MATRIX, NULL)             \
    ONE(solve_frule, LISTS, MATRIX, MATRIX, NULL)

#define TYPE_result TENSOR
#define TYPE_real REAL_TENSOR
#define TYPE_complex COMPLEX_TENSOR
#define CALL_ONE(name, ...)                            \
    static tfe_status_t OWN(call_##name)(void** out) { \
        tfe_status_t status = 77;                      \
        out[0] = F(name)(__VA_ARGS__, &status);        \
        return status;                                 \
    }
#define CALL_TWO(name, A, B, ...)                                               \
    static tfe_status_t OWN(call_##name)(void** out) {                          \
        TYPE_##A* first = NULL;                                                 \
        TYPE_##B* second = NULL;                                                \
        tfe_status_t status = 77;                                               \
        F(name)(__VA_ARGS__, &first, &second, &status);                         \
        CHECK((first != NULL) == (status == TFE_SUCCESS) && !first == !second); \
        leave(first, OWN(release_##A));                                         \
        leave(second, OWN(release_##B));                                        \
        out[0] = status == TFE_SUCCESS ? MATRIX : NULL;                         \
        return status;                                                          \
    }
#define CALL_THREE(name, A, B, ...)                             \
    static tfe_status_t OWN(call_##name)(void** out) {          \
        TYPE_##A *first = NULL, *third = NULL;                  \
        TYPE_##B* second = NULL;                                \
        tfe_status_t status = 77;                               \
        F(name)(__VA_ARGS__, &first, &second, &third, &status); \
        CHECK((first != NULL) == (status == TFE_SUCCESS));      \
        CHECK(!first == !second && !first == !third);           \
        leave(first, OWN(release_##A));                         \
        leave(second, OWN(release_##B));                        \
        leave(third, OWN(release_##A));                         \
        out[0] = status == TFE_SUCCESS ? MATRIX : NULL;         \
        return status;                                          \
    }

static void OWN(release_real)(void* tensor) { RELEASE_REAL(tensor); }
static void OWN(release_complex)(void* tensor) { RELEASE_COMPLEX(tensor); }
LINALG_CALLS(CALL_ONE, CALL_TWO, CALL_THREE)

#define SWEEP_ONE(name, ...) sweep_all(OWN(call_##name), OWN(release_result), 3);
#define SWEEP_MORE(name, ...) sweep_all(OWN(call_##name), keep, 3);

/* Derivatives are compiled by the first call that works; first_derivatives() sweeps that. */
static void OWN(sweep_linalg)(void) {
    static const SCALAR definite[4 * PARTS] = {3, [PARTS] = 1, [2 * PARTS] = 1, [3 * PARTS] = 2};
    COMPLEX_TENSOR* values = NULL;
    OWN(matrix) = T(from_data)(definite, 4, kShape, 2, NULL);
    F(eig)(LISTS, &values, &OWN(vectors), NULL);
    LINALG_CALLS(SWEEP_ONE, SWEEP_MORE, SWEEP_MORE)
    RELEASE_COMPLEX(values);
    RELEASE_COMPLEX(OWN(vectors));
    T(release)(OWN(matrix));
}

static void OWN(sweep_family)(void) {
    OWN(operands)[0] = OWN(operands)[1] = OWN(a) = T(from_data)(OWN(values), 4, kShape, 2, NULL);
    sweep_all(OWN(call_from_data), OWN(release_result), 3);
    sweep_all(OWN(call_row_major), OWN(release_result), 3);
    sweep_all(OWN(call_zeros), OWN(release_result), 3);
    sweep_all(OWN(call_clone), OWN(release_result), 3);
    sweep_all(OWN(call_conj), OWN(release_result), 2);
    sweep_all(OWN(call_copy), keep, 1);
    sweep_all(OWN(call_einsum), OWN(release_result), 2);
    sweep_all(OWN(call_vjp), OWN(release_result), 3);
    sweep_all(OWN(call_rrule), OWN(release_result), 3);
    sweep_all(OWN(call_jvp), OWN(release_result), 2);
    sweep_all(OWN(call_frule), OWN(release_result), 2);
    sweep_all(OWN(call_plan_run), OWN(release_result), 2);
    sweep_all(OWN(call_plan_vjp), OWN(release_result), 3);
    sweep_all(OWN(call_plan_jvp), OWN(release_result), 2);
    sweep_all(OWN(call_scaled), OWN(release_result), 2);
    sweep_all(OWN(call_vjp_scaled), OWN(release_result), 3);
    sweep_all(OWN(call_jvp_scaled), OWN(release_result), 2);
    sweep_all(OWN(call_plan_run_scaled), OWN(release_result), 2);
    sweep_all(OWN(call_plan_vjp_scaled), OWN(release_result), 3);
    sweep_all(OWN(call_plan_jvp_scaled), OWN(release_result), 2);
    sweep_all(OWN(call_import), OWN(release_result), 3);
    sweep_all(OWN(call_misaligned_import), OWN(release_result), 4);
    OWN(exports)();
    OWN(compact_copies)();
    OWN(queries)();
    OWN(sweep_linalg)();
    T(release)(OWN(a));
}

#undef JOIN_
#undef JOIN
#undef TENSOR
#undef T
#undef E
#undef F
#undef OWN
#undef REAL_TENSOR
#undef COMPLEX_TENSOR
#undef RELEASE_REAL
#undef RELEASE_COMPLEX
#undef LISTS
#undef MATRIX
#undef LINALG_CALLS
#undef TYPE_result
#undef TYPE_real
#undef TYPE_complex
#undef SWEEP_ONE
#undef SWEEP_MORE
#undef CALL_ONE
#undef CALL_TWO
#undef CALL_THREE
#undef SUFFIX
#undef SCALAR
#undef PARTS
