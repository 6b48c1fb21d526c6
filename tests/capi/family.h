/* The checks of families.c for one element type; included once per type with SUFFIX, SCALAR and PARTS
 * (scalars per element) defined. Element e is made from a small integer: itself as the real part, its
 * negative as the imaginary part. */
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define TENSOR JOIN(tfe_tensor_, SUFFIX, )
#define T(name) JOIN(tfe_tensor_, SUFFIX, _##name)
#define E(name) JOIN(tfe_einsum_, name, SUFFIX)
#define OWN(name) JOIN(name, _, SUFFIX)

static void OWN(fill)(SCALAR* out, const int* values, size_t len) {
    size_t i;
    for (i = 0; i < len; ++i) {
        out[i * PARTS] = (SCALAR)values[i];
        if (PARTS == 2) out[i * PARTS + PARTS - 1] = (SCALAR)-values[i];
    }
}

/* `value` as it is in a product (sign -1: times -2i) or in a gradient (sign 1: times 2) of complex tensors.
 */
static void OWN(complex_times)(SCALAR* out, int value, int sign) {
    out[0] = (SCALAR)(PARTS == 1 ? value : sign > 0 ? 2 * value : 0);
    if (PARTS == 2) out[PARTS - 1] = (SCALAR)(sign > 0 ? 0 : -2 * value);
}

static TENSOR* OWN(make)(size_t rows, size_t columns, const int* values) {
    const size_t shape[2] = {rows, columns};
    SCALAR data[2 * 16];
    tfe_status_t status = 77;
    TENSOR* tensor;
    OWN(fill)(data, values, rows * columns);
    tensor = T(from_data)(data, rows * columns, shape, 2, &status);
    CHECK(status == TFE_SUCCESS && tensor != NULL);
    return tensor;
}

static int OWN(is)(const TENSOR* tensor, size_t len, const SCALAR* wanted) {
    const SCALAR* data = T(data)(tensor);
    size_t i;
    if (T(len)(tensor) != len || (len != 0 && data == NULL)) return 0;
    for (i = 0; i < len * PARTS; ++i)
        if (data[i] != wanted[i]) return 0;
    return 1;
}

static void OWN(lifecycle)(void) {
    static const int values[6] = {1, 2, 3, 4, 5, 6}, row_major[6] = {1, 3, 5, 2, 4, 6};
    const size_t shape[2] = {2, 3};
    size_t seen[2] = {0, 0};
    int64_t strides[2] = {0, 0};
    SCALAR data[12], rows[12], zeros[12];
    tfe_status_t status;
    TENSOR *tensor = NULL, *copy = NULL;
    memset(zeros, 0, sizeof zeros);
    OWN(fill)(data, values, 6);
    OWN(fill)(rows, row_major, 6);
    CHECK_SUCCEEDS(tensor = T(from_data)(data, 6, shape, 2, &status), status);
    CHECK(T(is_assigned)(tensor) == 1 && T(ndim)(tensor) == 2 && T(len)(tensor) == 6);
    T(shape)(tensor, seen);
    T(strides)(tensor, strides);
    CHECK(seen[0] == 2 && seen[1] == 3 && strides[0] == 1 && strides[1] == 2);
    CHECK(OWN(is)(tensor, 6, data));
    CHECK_SUCCEEDS(copy = T(clone)(tensor, &status), status);
    T(release)(tensor);
    CHECK(T(is_assigned)(tensor) == 0 && OWN(is)(copy, 6, data));
    T(release)(copy);
    CHECK_SUCCEEDS(tensor = T(from_row_major_data)(rows, 6, shape, 2, &status), status);
    T(strides)(tensor, strides);
    CHECK(OWN(is)(tensor, 6, data) && strides[0] == 1 && strides[1] == 2);
    T(release)(tensor);
    CHECK_SUCCEEDS(tensor = T(zeros)(shape, 2, &status), status);
    CHECK(OWN(is)(tensor, 6, zeros));
    CHECK_REPORTS(T(strides)(tensor, NULL), "tfe_tensor_");
    CHECK(tfe_last_error_detail() == TFE_DETAIL_NULL_POINTER);
    T(release)(tensor);
    CHECK_FAILS(tensor = T(from_data)(data, 5, shape, 2, &status), status, TFE_SHAPE_MISMATCH, "tfe_tensor_");
    CHECK(tensor == NULL && tfe_last_error_detail() == TFE_DETAIL_SHAPE);
    CHECK_FAILS(tensor = T(from_row_major_data)(data, 7, shape, 2, &status), status, TFE_SHAPE_MISMATCH,
                "tfe_tensor_");
    CHECK_FAILS(tensor = T(from_row_major_data)(NULL, 6, shape, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_");
    CHECK_FAILS(tensor = T(from_row_major_data)(data, 6, NULL, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_");
    CHECK_FAILS(tensor = T(zeros)(NULL, 2, &status), status, TFE_INVALID_ARGUMENT, "tfe_tensor_");
    CHECK_FAILS(tensor = T(clone)(NULL, &status), status, TFE_INVALID_ARGUMENT, "tfe_tensor_");
    CHECK_REPORTS(CHECK(T(data)(NULL) == NULL), "tfe_tensor_");
    CHECK_REPORTS(CHECK(T(ndim)(NULL) == 0), "tfe_tensor_");
    CHECK_REPORTS(T(shape)(NULL, seen), "tfe_tensor_");
    CHECK_REPORTS(T(strides)(NULL, strides), "tfe_tensor_");
    CHECK_SUCCEEDS(tensor = T(from_row_major_data)(NULL, 0, (const size_t[2]){0, 2}, 2, &status), status);
    CHECK(T(len)(tensor) == 0 && T(data)(tensor) == NULL);
    T(release)(tensor);
    T(release)(NULL);
}

/* Conjugates, and copies in rows. */
static void OWN(copies)(void) {
    static const int values[6] = {1, 2, 3, 4, 5, 6}, row_major[6] = {1, 3, 5, 2, 4, 6};
    const size_t no_elements[2] = {0, SIZE_MAX / 4};
    SCALAR data[12], rows[12], conjugate[12], buffer[14], untouched[14];
    size_t i, length = 99;
    tfe_status_t status;
    TENSOR *tensor = OWN(make)(2, 3, values), *out = NULL;
    OWN(fill)(data, values, 6);
    OWN(fill)(rows, row_major, 6);
    for (i = 0; i < 6 * PARTS; ++i) conjugate[i] = PARTS == 2 && i % 2 == 1 ? -data[i] : data[i];
    CHECK_SUCCEEDS(out = T(conj)(tensor, &status), status);
    CHECK(out != tensor && OWN(is)(out, 6, conjugate) && OWN(is)(tensor, 6, data));
    T(release)(out);
    memset(buffer, 7, sizeof buffer);
    memset(untouched, 7, sizeof untouched);
    CHECK_SUCCEEDS(T(copy_row_major)(tensor, NULL, 0, &length, &status), status);
    CHECK(length == 6);
    length = 99;
    CHECK_FAILS(T(copy_row_major)(tensor, buffer, 5, &length, &status), status, TFE_BUFFER_TOO_SMALL,
                "tfe_tensor_");
    CHECK(length == 6 && memcmp(buffer, untouched, sizeof buffer) == 0);
    CHECK_SUCCEEDS(T(copy_row_major)(tensor, buffer, 7, &length, &status), status);
    CHECK(memcmp(buffer, rows, 6 * PARTS * sizeof *rows) == 0);
    CHECK(memcmp(buffer + 6 * PARTS, untouched, PARTS * sizeof *buffer) == 0);
    CHECK_FAILS(T(copy_row_major)(tensor, buffer, 7, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_");
    T(release)(tensor);
    CHECK_FAILS(out = T(conj)(tensor, &status), status, TFE_INVALID_ARGUMENT, "tfe_tensor_");
    CHECK(out == NULL && tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
    length = 99;
    CHECK_FAILS(T(copy_row_major)(tensor, buffer, 7, &length, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_");
    CHECK(length == 99 && tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
    tensor = T(zeros)(no_elements, 2, NULL);
    CHECK_SUCCEEDS(T(copy_row_major)(tensor, buffer, 0, &length, &status), status);
    CHECK(length == 0);
    T(release)(tensor);
}

/* A B with A = [1 2; 3 4], B = [5 6; 7 8]; for complex types each factor is (1 - i) times that, so products
 * are times -2i and gradients, which conjugate the other factor, times (1 - i)(1 + i) = 2. */
static void OWN(einsum)(void) {
    static const int a[4] = {1, 3, 2, 4}, b[4] = {5, 7, 6, 8}, ones[4] = {1, 1, 1, 1}, unit[4] = {1, 0, 0, 0};
    static const int product[4] = {19, 43, 22, 50}, grad_a[4] = {11, 11, 15, 15}, grad_b[4] = {4, 6, 4, 6},
                     tangent[4] = {5, 0, 6, 0};
    void (*const vjps[2])(const char*, TENSOR* const*, size_t, const TENSOR*, TENSOR**, tfe_status_t*) = {
        E(vjp_), E(rrule_)};
    TENSOR* (*const jvps[2])(const char*, TENSOR* const*, size_t, TENSOR* const*, tfe_status_t*) = {
        E(jvp_), E(frule_)};
    SCALAR wanted[8];
    TENSOR *operands[2], *tangents[2] = {NULL, NULL}, *grads[2], *cotangent, *out = NULL;
    tfe_status_t status;
    int i, spelling;
    operands[0] = OWN(make)(2, 2, a);
    operands[1] = OWN(make)(2, 2, b);
    cotangent = OWN(make)(2, 2, ones);
    tangents[0] = OWN(make)(2, 2, unit);
    CHECK_SUCCEEDS(out = E()("ij,jk->ik", operands, 2, &status), status);
    for (i = 0; i < 4; ++i) OWN(complex_times)(wanted + PARTS * i, product[i], -1);
    CHECK(OWN(is)(out, 4, wanted));
    T(release)(out);
    for (spelling = 0; spelling < 2; ++spelling) {
        CHECK_SUCCEEDS(vjps[spelling]("ij,jk->ik", operands, 2, cotangent, grads, &status), status);
        for (i = 0; i < 4; ++i) OWN(complex_times)(wanted + PARTS * i, grad_a[i], 1);
        CHECK(OWN(is)(grads[0], 4, wanted));
        for (i = 0; i < 4; ++i) OWN(complex_times)(wanted + PARTS * i, grad_b[i], 1);
        CHECK(OWN(is)(grads[1], 4, wanted));
        T(release)(grads[0]);
        T(release)(grads[1]);
        CHECK_SUCCEEDS(out = jvps[spelling]("ij,jk->ik", operands, 2, tangents, &status), status);
        for (i = 0; i < 4; ++i) OWN(complex_times)(wanted + PARTS * i, tangent[i], -1);
        CHECK(OWN(is)(out, 4, wanted));
        T(release)(out);
    }
    CHECK_FAILS(out = E()("ij,jk->ik", NULL, 2, &status), status, TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(out = E()(NULL, operands, 2, &status), status, TFE_INVALID_ARGUMENT, "tfe_einsum_");
    grads[0] = grads[1] = cotangent;
    CHECK_FAILS(E(vjp_)("ij,jk->ik", operands, 2, NULL, grads, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_");
    CHECK(grads[0] == NULL && grads[1] == NULL);
    T(release)(operands[0]);
    T(release)(operands[1]);
    T(release)(tangents[0]);
    T(release)(cotangent);
}

static void OWN(dlpack)(void) {
    static const int values[6] = {1, 2, 3, 4, 5, 6}, in_rows[6] = {1, 4, 2, 5, 3, 6};
    const int64_t shape[2] = {2, 3};
    SCALAR data[12], wanted[12];
    struct lender lender;
    struct DLManagedTensorVersioned* out = NULL;
    TENSOR* tensor = NULL;
    tfe_status_t status;
    OWN(fill)(data, values, 6);
    OWN(fill)(wanted, in_rows, 6);
    lend(&lender, data, 2, shape, NULL);
    lender.managed.dl_tensor.dtype.code = PARTS == 2 ? 5 : 2;
    lender.managed.dl_tensor.dtype.bits = (uint8_t)(8 * PARTS * sizeof(SCALAR));
    CHECK_SUCCEEDS(tensor = T(from_dlpack)(&lender.managed, &status), status);
    CHECK(OWN(is)(tensor, 6, wanted));
    CHECK_SUCCEEDS(out = T(to_dlpack)(tensor, &status), status);
    CHECK(out != NULL && out->dl_tensor.data == (void*)data &&
          out->dl_tensor.dtype.bits == lender.managed.dl_tensor.dtype.bits);
    CHECK(out->dl_tensor.dtype.code == lender.managed.dl_tensor.dtype.code && lender.deleted == 0);
    out->deleter(out);
    CHECK(lender.deleted == 1 && T(is_assigned)(tensor) == 0);
    lender.managed.dl_tensor.dtype.bits = 8;
    CHECK_FAILS(tensor = T(from_dlpack)(&lender.managed, &status), status, TFE_INVALID_ARGUMENT,
                "from_dlpack: dtype has ");
    CHECK(tensor == NULL && lender.deleted == 2);
    CHECK_FAILS(tensor = T(from_dlpack)(NULL, &status), status, TFE_INVALID_ARGUMENT, "tfe_tensor_");
    CHECK_FAILS(out = T(to_dlpack)(NULL, &status), status, TFE_INVALID_ARGUMENT, "tfe_tensor_");
    CHECK(out == NULL);
}

/* A plan serves every type. */
static void OWN(plan)(const tfe_einsum_plan* plan) {
    static const int a[4] = {1, 3, 2, 4}, b[4] = {5, 7, 6, 8};
    TENSOR *operands[2], *grads[2] = {NULL, NULL}, *wanted[2] = {NULL, NULL}, *out = NULL, *expected;
    tfe_status_t status;
    int i;
    operands[0] = OWN(make)(2, 2, a);
    operands[1] = OWN(make)(2, 2, b);
    expected = E()("ij,jk->ik", operands, 2, NULL);
    CHECK_SUCCEEDS(out = E(plan_run_)(plan, operands, 2, &status), status);
    CHECK(OWN(is)(out, 4, T(data)(expected)));
    CHECK_SUCCEEDS(E(plan_vjp_)(plan, operands, 2, expected, grads, &status), status);
    E(vjp_)("ij,jk->ik", operands, 2, expected, wanted, NULL);
    for (i = 0; i < 2; ++i) {
        CHECK(OWN(is)(grads[i], 4, T(data)(wanted[i])));
        T(release)(grads[i]);
        T(release)(wanted[i]);
    }
    T(release)(out);
    T(release)(expected);
    CHECK_SUCCEEDS(out = E(plan_jvp_)(plan, operands, 2, operands, &status), status);
    expected = E(jvp_)("ij,jk->ik", operands, 2, operands, NULL);
    CHECK(OWN(is)(out, 4, T(data)(expected)));
    T(release)(out);
    T(release)(expected);
    T(release)(operands[0]);
    T(release)(operands[1]);
}

/* Whether `tensor` times two to the `exponent` is `wanted`; the largest part is normalised. Releases both. */
static int OWN(is_scaled)(TENSOR* tensor, int64_t exponent, TENSOR* wanted) {
    const SCALAR *found = T(data)(tensor), *expected = T(data)(wanted);
    const size_t len = T(len)(wanted) * PARTS;
    SCALAR largest = 0;
    size_t i;
    int equal = tensor != NULL && T(len)(tensor) * PARTS == len;
    for (i = 0; equal && i < len; ++i) {
        double value = found[i];
        int64_t e = exponent;
        largest = found[i] > largest ? found[i] : -found[i] > largest ? -found[i] : largest;
        for (; e > 0; --e) value *= 2;
        for (; e < 0; ++e) value /= 2;
        equal = value == (double)expected[i];
    }
    T(release)(tensor);
    T(release)(wanted);
    return equal && largest >= (SCALAR)0.5 && largest < 1;
}

static void OWN(scaled)(const tfe_einsum_plan* plan) {
    static const int a[4] = {1, 3, 2, 4}, b[4] = {5, 7, 6, 8};
    TENSOR *operands[2], *tangents[2] = {NULL, NULL}, *grads[2] = {NULL, NULL}, *wanted[2], *out = NULL;
    int64_t exponent = 99, exponents[2] = {99, 99};
    tfe_status_t status;
    int i, along_plan;
    operands[0] = OWN(make)(2, 2, a);
    operands[1] = tangents[1] = OWN(make)(2, 2, b);
    for (along_plan = 0; along_plan < 2; ++along_plan) {
        CHECK_SUCCEEDS(out = along_plan ? E(plan_run_scaled_)(plan, operands, 2, &exponent, &status)
                                        : E(scaled_)("ij,jk->ik", operands, 2, &exponent, &status),
                       status);
        CHECK(OWN(is_scaled)(out, exponent, E()("ij,jk->ik", operands, 2, NULL)));
        CHECK_SUCCEEDS(out = along_plan
                                 ? E(plan_jvp_scaled_)(plan, operands, 2, tangents, &exponent, &status)
                                 : E(jvp_scaled_)("ij,jk->ik", operands, 2, tangents, &exponent, &status),
                       status);
        CHECK(OWN(is_scaled)(out, exponent, E(jvp_)("ij,jk->ik", operands, 2, tangents, NULL)));
        CHECK_SUCCEEDS(
            along_plan
                ? E(plan_vjp_scaled_)(plan, operands, 2, operands[0], 5000, grads, exponents, &status)
                : E(vjp_scaled_)("ij,jk->ik", operands, 2, operands[0], 5000, grads, exponents, &status),
            status);
        E(vjp_)("ij,jk->ik", operands, 2, operands[0], wanted, NULL);
        for (i = 0; i < 2; ++i) CHECK(OWN(is_scaled)(grads[i], exponents[i] - 5000, wanted[i]));
    }
    exponent = exponents[0] = exponents[1] = 99;
    CHECK_FAILS(out = E(scaled_)(NULL, operands, 2, &exponent, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_");
    CHECK(out == NULL);
    CHECK_FAILS(out = E(scaled_)("ij,jk->ik", NULL, 2, &exponent, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_");
    CHECK_FAILS(out = E(scaled_)("ij,jk->ik", operands, 2, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_");
    CHECK_FAILS(out = E(jvp_scaled_)(NULL, operands, 2, tangents, &exponent, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(out = E(jvp_scaled_)("ij,jk->ik", operands, 2, NULL, &exponent, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(out = E(jvp_scaled_)("ij,jk->ik", operands, 2, tangents, NULL, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    grads[0] = grads[1] = operands[0];
    CHECK_FAILS(E(vjp_scaled_)("ij,jk->ik", operands, 2, NULL, 0, grads, exponents, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK(grads[0] == NULL && grads[1] == NULL);
    CHECK_FAILS(E(vjp_scaled_)(NULL, operands, 2, operands[0], 0, grads, exponents, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(E(vjp_scaled_)("ij,jk->ik", operands, 2, operands[0], 0, NULL, exponents, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(E(vjp_scaled_)("ij,jk->ik", operands, 2, operands[0], 0, grads, NULL, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(out = E(plan_run_scaled_)(NULL, operands, 2, &exponent, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(out = E(plan_run_scaled_)(plan, operands, 2, NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_");
    CHECK_FAILS(out = E(plan_jvp_scaled_)(NULL, operands, 2, tangents, &exponent, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(out = E(plan_jvp_scaled_)(plan, operands, 2, tangents, NULL, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(E(plan_vjp_scaled_)(NULL, operands, 2, operands[0], 0, grads, exponents, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    CHECK_FAILS(E(plan_vjp_scaled_)(plan, operands, 2, operands[0], 0, grads, NULL, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_");
    T(release)(operands[0]);
    CHECK_FAILS(out = E(scaled_)("ij,jk->ik", operands, 2, &exponent, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_");
    CHECK(tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
    CHECK(out == NULL && exponent == 99 && exponents[0] == 99 && exponents[1] == 99);
    T(release)(operands[1]);
}

/* Matrices that pass through the packed kernels and their working memory. */
static void OWN(packed)(void) {
    enum { kExtent = 100 };
    const size_t shape[2] = {kExtent, kExtent};
    static SCALAR ones[kExtent * kExtent * PARTS];
    TENSOR *operands[2], *grads[2] = {NULL, NULL}, *out;
    size_t i;
    for (i = 0; i < kExtent * kExtent * PARTS; i += PARTS) ones[i] = 1;
    operands[0] = operands[1] = T(from_data)(ones, kExtent * kExtent, shape, 2, NULL);
    out = E()("ij,jk->ik", operands, 2, NULL);
    CHECK(out != NULL && T(data)(out)[0] == kExtent);
    T(release)(out);
    E(vjp_)("ij,jk->ik", operands, 2, operands[0], grads, NULL);
    CHECK(grads[1] != NULL && T(data)(grads[1])[0] == kExtent);
    T(release)(grads[0]);
    T(release)(grads[1]);
    T(release)(operands[0]);
}

static void OWN(run)(const tfe_einsum_plan* plan) {
    OWN(packed)();
    OWN(lifecycle)();
    OWN(copies)();
    OWN(einsum)();
    OWN(dlpack)();
    OWN(plan)(plan);
    OWN(scaled)(plan);
}

#undef JOIN_
#undef JOIN
#undef TENSOR
#undef T
#undef E
#undef OWN
#undef SUFFIX
#undef SCALAR
#undef PARTS
