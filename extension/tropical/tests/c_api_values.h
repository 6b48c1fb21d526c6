/* The functions of one type: included once per type, with TYPE its suffix and SCALAR its C type. */
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)
#define QUOTE_(text) #text
#define QUOTE(text) QUOTE_(text)
#define SUFFIX QUOTE(TYPE)
#define TENSOR NAME(tfe_tensor_, TYPE)
#define OF(name) NAME(name, TYPE)
#define TENSOR_FROM_DATA NAME(TENSOR, _from_data)
#define TENSOR_DATA NAME(TENSOR, _data)
#define TENSOR_LEN NAME(TENSOR, _len)
#define TENSOR_RELEASE NAME(TENSOR, _release)

typedef TENSOR* (*OF(Einsum_))(const char*, TENSOR* const*, size_t, tfe_status_t*);
typedef void (*OF(Rrule_))(const char*, TENSOR* const*, size_t, const TENSOR*, TENSOR**, tfe_status_t*);

static const struct {
    OF(Einsum_) einsum;
    OF(Rrule_) rrule;
    const char *name, *rrule_name;
    SCALAR product[4], grads[2][4];
    SCALAR tied[2], tied_grads[2][2];
    int negative; /* whether the algebra takes negative numbers in three operands */
} OF(kAlgebras_)[3] = {
    {OF(tfe_tropical_einsum_maxplus_),
     OF(tfe_tropical_einsum_rrule_maxplus_),
     "tfe_tropical_einsum_maxplus_" SUFFIX,
     "tfe_tropical_einsum_rrule_maxplus_" SUFFIX,
     {9, 10, 11, 12},
     {{0, 0, 2, 2}, {0, 2, 0, 2}},
     {1, 2},
     {{1, 0}, {1, 0}},
     1},
    {OF(tfe_tropical_einsum_minplus_),
     OF(tfe_tropical_einsum_rrule_minplus_),
     "tfe_tropical_einsum_minplus_" SUFFIX,
     "tfe_tropical_einsum_rrule_minplus_" SUFFIX,
     {6, 7, 8, 9},
     {{2, 2, 0, 0}, {2, 0, 2, 0}},
     {1, 2},
     {{1, 0}, {1, 0}},
     1},
    {OF(tfe_tropical_einsum_maxmul_),
     OF(tfe_tropical_einsum_rrule_maxmul_),
     "tfe_tropical_einsum_maxmul_" SUFFIX,
     "tfe_tropical_einsum_rrule_maxmul_" SUFFIX,
     {18, 24, 24, 32},
     {{0, 0, 14, 14}, {0, 7, 0, 7}},
     {2, 3},
     {{3, 0}, {2, 0}},
     0},
};

static int OF(holds_)(const TENSOR* tensor, const SCALAR* values, size_t len) {
    return TENSOR_LEN(tensor) == len && memcmp(TENSOR_DATA(tensor), values, len * sizeof *values) == 0;
}

static TENSOR* OF(vector_)(SCALAR x, SCALAR y) {
    const size_t shape[1] = {2};
    SCALAR values[2];
    values[0] = x, values[1] = y;
    return TENSOR_FROM_DATA(values, 2, shape, 1, NULL);
}

static void OF(values_)(void) {
    const SCALAR a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, ones[4] = {1, 1, 1, 1};
    const size_t shape[2] = {2, 2};
    TENSOR *operands[2], *out, *grads[2], *cotangent, *one;
    size_t i;
    operands[0] = TENSOR_FROM_DATA(a, 4, shape, 2, NULL);
    operands[1] = TENSOR_FROM_DATA(b, 4, shape, 2, NULL);
    cotangent = TENSOR_FROM_DATA(ones, 4, shape, 2, NULL);
    one = TENSOR_FROM_DATA(ones, 1, NULL, 0, NULL);
    for (i = 0; i < 3; ++i) {
        TENSOR* tied[2];
        tfe_status_t status = 77;
        out = OF(kAlgebras_)[i].einsum("ij,jk->ik", operands, 2, &status);
        CHECK(status == TFE_SUCCESS && OF(holds_)(out, OF(kAlgebras_)[i].product, 4));
        TENSOR_RELEASE(out);
        OF(kAlgebras_)[i].rrule("ij,jk->ik", operands, 2, cotangent, grads, &status);
        CHECK(status == TFE_SUCCESS && OF(holds_)(grads[0], OF(kAlgebras_)[i].grads[0], 4) &&
              OF(holds_)(grads[1], OF(kAlgebras_)[i].grads[1], 4));
        TENSOR_RELEASE(grads[0]);
        TENSOR_RELEASE(grads[1]);
        tied[0] = OF(vector_)(OF(kAlgebras_)[i].tied[0], OF(kAlgebras_)[i].tied[0]);
        tied[1] = OF(vector_)(OF(kAlgebras_)[i].tied[1], OF(kAlgebras_)[i].tied[1]);
        OF(kAlgebras_)[i].rrule("i,i->", tied, 2, one, grads, &status);
        CHECK(status == TFE_SUCCESS && OF(holds_)(grads[0], OF(kAlgebras_)[i].tied_grads[0], 2) &&
              OF(holds_)(grads[1], OF(kAlgebras_)[i].tied_grads[1], 2));
        TENSOR_RELEASE(grads[0]);
        TENSOR_RELEASE(grads[1]);
        TENSOR_RELEASE(tied[0]);
        TENSOR_RELEASE(tied[1]);
    }
    TENSOR_RELEASE(operands[0]);
    TENSOR_RELEASE(operands[1]);
    TENSOR_RELEASE(cotangent);
    TENSOR_RELEASE(one);
}

/* A call that fails: nothing comes out, the status and the message say why, and so they do without a status.
 */
static void OF(refused_)(size_t a, const char* subscripts, TENSOR* const* operands, size_t n,
                         tfe_status_t wanted, const char* message) {
    tfe_status_t status = 77;
    CHECK(OF(kAlgebras_)[a].einsum(subscripts, operands, n, &status) == NULL && status == wanted);
    CHECK(message_is(message[0] == ':' ? OF(kAlgebras_)[a].name : "", message));
    CHECK(OF(kAlgebras_)[a].einsum(subscripts, operands, n, NULL) == NULL);
}

static void OF(rrule_refused_)(size_t a, const char* subscripts, TENSOR* const* operands, size_t n,
                               const TENSOR* cotangent, int has_grads, tfe_status_t wanted,
                               const char* message) {
    TENSOR* grads[4];
    tfe_status_t status = 77;
    size_t i;
    for (i = 0; i < 4; ++i) grads[i] = (TENSOR*)&status; /* must be overwritten */
    OF(kAlgebras_)[a].rrule(subscripts, operands, n, cotangent, has_grads ? grads : NULL, &status);
    CHECK(status == wanted && message_is(message[0] == ':' ? OF(kAlgebras_)[a].rrule_name : "", message));
    for (i = 0; has_grads && i < n && i < 4; ++i) CHECK(grads[i] == NULL);
    OF(kAlgebras_)[a].rrule(subscripts, operands, n, cotangent, has_grads ? grads : NULL, NULL);
}

static void OF(refusals_)(void) {
    const char product[] = "ij,jk->ik";
    const SCALAR a[4] = {1, 2, 3, 4};
    const size_t shape[2] = {2, 2};
    TENSOR *live = TENSOR_FROM_DATA(a, 4, shape, 2, NULL), *dead = TENSOR_FROM_DATA(a, 4, shape, 2, NULL);
    TENSOR *good[3], *with_null[2], *with_dead[2], *vector = OF(vector_)(-1, 1);
    size_t i;
    TENSOR_RELEASE(dead);
    good[0] = good[1] = good[2] = live;
    with_null[0] = live, with_null[1] = NULL;
    with_dead[0] = dead, with_dead[1] = live;
    for (i = 0; i < 3; ++i) {
        TENSOR* negative[3];
        OF(refused_)(i, NULL, good, 2, TFE_INVALID_ARGUMENT, ": subscripts is NULL");
        OF(refused_)(i, product, NULL, 2, TFE_INVALID_ARGUMENT, ": operands is NULL");
        OF(refused_)(i, product, with_null, 2, TFE_INVALID_ARGUMENT, ": operand 1 is NULL");
        CHECK(tfe_last_error_detail() == TFE_DETAIL_NULL_POINTER);
        OF(refused_)
        (i, product, with_dead, 2, TFE_INVALID_ARGUMENT, ": operand 0 is not a live tensor handle");
        CHECK(tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
        OF(refused_)(i, product, good, 0, TFE_INVALID_ARGUMENT, ": n is 0");
        OF(refused_)(i, "ij,jk->il", good, 2, TFE_INVALID_ARGUMENT, "");
        OF(refused_)(i, "ij,jk", good, 2, TFE_INVALID_ARGUMENT, "");
        OF(refused_)(i, product, good, 3, TFE_INVALID_ARGUMENT, "");
        with_null[1] = vector;
        OF(refused_)(i, "ijk,j->i", with_null, 2, TFE_INVALID_ARGUMENT, "");
        with_null[1] = NULL;
        OF(rrule_refused_)(i, NULL, good, 2, live, 1, TFE_INVALID_ARGUMENT, ": subscripts is NULL");
        OF(rrule_refused_)(i, product, NULL, 2, live, 1, TFE_INVALID_ARGUMENT, ": operands is NULL");
        OF(rrule_refused_)(i, product, with_null, 2, live, 1, TFE_INVALID_ARGUMENT, ": operand 1 is NULL");
        OF(rrule_refused_)
        (i, product, with_dead, 2, live, 1, TFE_INVALID_ARGUMENT, ": operand 0 is not a live tensor handle");
        OF(rrule_refused_)(i, product, good, 2, NULL, 1, TFE_INVALID_ARGUMENT, ": cotangent is NULL");
        OF(rrule_refused_)
        (i, product, good, 2, dead, 1, TFE_INVALID_ARGUMENT, ": cotangent is not a live tensor handle");
        OF(rrule_refused_)(i, product, good, 2, live, 0, TFE_INVALID_ARGUMENT, ": grads_out is NULL");
        OF(rrule_refused_)(i, product, good, 2, vector, 1, TFE_SHAPE_MISMATCH, "");
        OF(rrule_refused_)(i, "ij,jk->il", good, 2, live, 1, TFE_INVALID_ARGUMENT, "");
        negative[0] = negative[1] = negative[2] = vector;
        if (OF(kAlgebras_)[i].negative) continue;
        OF(refused_)
        (i, "i,i,i->i", negative, 3, TFE_INVALID_ARGUMENT,
         "tropical einsum: operand 0 has -1 at [0] but max-mul");
        OF(rrule_refused_)
        (i, "i,i,i->i", negative, 3, vector, 1, TFE_INVALID_ARGUMENT,
         "tropical einsum: operand 0 has -1 at [0] but max-mul");
    }
    TENSOR_RELEASE(live);
    TENSOR_RELEASE(vector);
}

#undef QUOTE_
#undef QUOTE
#undef SUFFIX
#undef PASTE
#undef NAME
#undef TENSOR
#undef OF
#undef TENSOR_FROM_DATA
#undef TENSOR_DATA
#undef TENSOR_LEN
#undef TENSOR_RELEASE
