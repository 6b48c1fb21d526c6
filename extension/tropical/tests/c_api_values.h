/* The functions of one type: included once per type, with TYPE its suffix and SCALAR its C type. */
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)
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
     "tfe_tropical_einsum_maxplus_",
     "tfe_tropical_einsum_rrule_maxplus_",
     {9, 10, 11, 12},
     {{0, 0, 2, 2}, {0, 2, 0, 2}},
     {1, 2},
     {{1, 0}, {1, 0}},
     1},
    {OF(tfe_tropical_einsum_minplus_),
     OF(tfe_tropical_einsum_rrule_minplus_),
     "tfe_tropical_einsum_minplus_",
     "tfe_tropical_einsum_rrule_minplus_",
     {6, 7, 8, 9},
     {{2, 2, 0, 0}, {2, 0, 2, 0}},
     {1, 2},
     {{1, 0}, {1, 0}},
     1},
    {OF(tfe_tropical_einsum_maxmul_),
     OF(tfe_tropical_einsum_rrule_maxmul_),
     "tfe_tropical_einsum_maxmul_",
     "tfe_tropical_einsum_rrule_maxmul_",
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
