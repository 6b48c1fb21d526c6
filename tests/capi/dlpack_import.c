/* DLPack import: layouts, refusals, and the deleter called exactly once on every path. The ids are those of
 * the shared list of DLPack behaviours. */
#include <sys/mman.h>

#include "check.h"
#include "dlpack_abi.h"

static double memory[64]; /* memory[i] is i */

/* Imports, compares with `expected` in column-major order, releases; the deleter runs at the release. */
static void accepted(struct lender* lender, size_t len, const double* expected) {
    tfe_tensor_f64* tensor = NULL;
    const int ndim = lender->managed.dl_tensor.ndim;
    size_t shape[kMaxRank];
    tfe_status_t status;
    int axis;
    CHECK_SUCCEEDS(tensor = tfe_tensor_f64_from_dlpack(&lender->managed, &status), status);
    CHECK(tensor != NULL && tfe_tensor_f64_ndim(tensor) == (size_t)ndim);
    tfe_tensor_f64_shape(tensor, shape);
    for (axis = 0; axis < ndim; ++axis) CHECK(shape[axis] == (size_t)lender->shape[axis]);
    CHECK(holds(tensor, len, expected));
    CHECK(tfe_tensor_f64_data(tensor) == tfe_tensor_f64_data(tensor));
    CHECK(lender->deleted == 0);
    tfe_tensor_f64_release(tensor);
    CHECK(lender->deleted == 1);
}

static void refused(struct lender* lender, tfe_status_t wanted, const char* start,
                    tfe_error_detail_t detail) {
    tfe_tensor_f64* tensor = (tfe_tensor_f64*)lender;
    tfe_status_t status;
    CHECK_FAILS(tensor = tfe_tensor_f64_from_dlpack(&lender->managed, &status), status, wanted, start);
    CHECK(tensor == NULL);
    CHECK(tfe_last_error_detail() == detail);
    CHECK(lender->deleted == 1);
    CHECK(tfe_tensor_f64_from_dlpack(&lender->managed, NULL) ==
          NULL); /* without a status it is consumed as well */
    CHECK(lender->deleted == 2);
}

/* D04: shapes at the edges; ranks 0 to 64. */
static void shapes(void) {
    static const struct {
        int ndim;
        int64_t shape[3];
    } cases[] = {{0, {0}},    {1, {1}},       {1, {4}}, {2, {3, 4}}, {3, {2, 3, 4}}, {2, {3, 1}},
                 {2, {1, 4}}, {3, {2, 1, 4}}, {1, {0}}, {2, {0, 4}}, {2, {3, 0}}};
    size_t i;
    int ndim;
    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int64_t strides[3];
        size_t len = 1;
        int axis;
        struct lender lender;
        for (axis = 0; axis < cases[i].ndim; ++axis) {
            strides[axis] = (int64_t)len;
            len *= (size_t)cases[i].shape[axis];
        }
        lend(&lender, memory, cases[i].ndim, cases[i].shape, strides);
        accepted(&lender, len, memory);
    }
    for (ndim = 0; ndim <= kMaxRank; ++ndim) {
        /* every sixteenth axis has extent 2, the others 1; in row-major order the first axis of extent 2 is
         * the slowest */
        const int twos = ndim / 16;
        const size_t len = (size_t)1 << twos;
        double expected[16];
        int64_t extents[kMaxRank];
        struct lender lender;
        size_t k;
        int axis, bit;
        for (axis = 0; axis < ndim; ++axis) extents[axis] = axis % 16 == 15 ? 2 : 1;
        for (k = 0; k < len; ++k)
            for (expected[k] = 0, bit = 0; bit < twos; ++bit)
                if (k >> bit & 1) expected[k] += 1 << (twos - 1 - bit);
        lend(&lender, memory, ndim, extents, NULL);
        accepted(&lender, len, expected);
    }
}

/* D05: views of the row-major 4x5 matrix x[i][j] = 5 i + j. */
static void views(void) {
    static const struct {
        int first, ndim;
        int64_t shape[2], strides[2];
        double expected[6];
    } cases[] = {
        {5, 1, {5, 0}, {1, 0}, {5, 6, 7, 8, 9}},        /* a row */
        {2, 1, {4, 0}, {5, 0}, {2, 7, 12, 17}},         /* a column */
        {5, 2, {1, 5}, {5, 1}, {5, 6, 7, 8, 9}},        /* x[1:2, :] */
        {0, 2, {3, 2}, {1, 5}, {0, 1, 2, 5, 6, 7}},     /* transposed */
        {0, 2, {2, 3}, {10, 2}, {0, 10, 2, 12, 4, 14}}, /* every second */
        {19, 1, {5, 0}, {-1, 0}, {19, 18, 17, 16, 15}}, /* backwards */
        {18, 2, {2, 3}, {-5, -1}, {18, 13, 17, 12, 16, 11}},
        {7, 1, {4, 0}, {0, 0}, {7, 7, 7, 7}}, /* repeated */
        {3, 2, {3, 2}, {0, 5}, {3, 3, 3, 8, 8, 8}},
        {0, 1, {4, 0}, {6, 0}, {0, 6, 12, 18}}, /* the diagonal */
    };
    size_t i;
    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct lender lender;
        size_t len = (size_t)cases[i].shape[0] * (cases[i].ndim == 2 ? (size_t)cases[i].shape[1] : 1);
        lend(&lender, memory + cases[i].first, cases[i].ndim, cases[i].shape, cases[i].strides);
        accepted(&lender, len, cases[i].expected);
        lend(&lender, memory, cases[i].ndim, cases[i].shape,
             cases[i].strides); /* D08: the same through byte_offset */
        lender.managed.dl_tensor.byte_offset = (uint64_t)cases[i].first * sizeof(double);
        accepted(&lender, len, cases[i].expected);
    }
}

/* D06: NULL strides; D07: strides of axes of extent 1, and of empty tensors, mean nothing; D08: data NULL
 * without elements. */
static void layouts(void) {
    const int64_t matrix[2] = {2, 3}, thin[3] = {1, 3, 1}, empty[2] = {0, 3};
    const int64_t odd[3] = {INT64_MIN, 2, INT64_MAX}, wild[2] = {INT64_MAX, INT64_MAX};
    const double row_major[6] = {0, 3, 1, 4, 2, 5}, step2[3] = {0, 2, 4};
    struct lender lender;
    lend(&lender, memory, 2, matrix, NULL);
    accepted(&lender, 6, row_major);
    lend(&lender, memory, 3, thin, odd);
    accepted(&lender, 3, step2);
    lend(&lender, memory, 2, empty, wild);
    accepted(&lender, 0, NULL);
    lend(&lender, NULL, 2, empty, NULL);
    accepted(&lender, 0, NULL);
    lend(&lender, memory, 1, matrix, NULL)->dl_tensor.byte_offset = 4;
    refused(&lender, TFE_INVALID_ARGUMENT, "from_dlpack: byte_offset is 4 but f64 needs a multiple of ",
            TFE_DETAIL_INVALID_VALUE);
    lend(&lender, NULL, 2, matrix, NULL);
    refused(&lender, TFE_INVALID_ARGUMENT, "from_dlpack: data is NULL", TFE_DETAIL_INVALID_VALUE);
}

/* D09. */
static void dtypes(void) {
    static const DLDataType cases[] = {{2, 32, 1}, {5, 128, 1}, {5, 64, 1}, {0, 64, 1},       {6, 8, 1},
                                       {2, 64, 2}, {2, 64, 0},  {2, 32, 1}, {0, 64, 1},       {1, 64, 1},
                                       {4, 16, 1}, {2, 16, 1},  {3, 64, 1}, {255, 255, 65535}};
    const int64_t shape[1] = {2};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct lender lender;
        lend(&lender, memory, 1, shape, NULL)->dl_tensor.dtype = cases[i];
        refused(&lender, TFE_INVALID_ARGUMENT, i < 5 ? "tfe_tensor_f64_from_dlpack: managed has dtype " : "",
                TFE_DETAIL_DTYPE);
    }
}

/* D10. */
static void devices(void) {
    static const DLDevice cases[] = {{2, 0}, {3, 0},  {10, 0}, {11, 0}, {13, 0},
                                     {1, 1}, {1, -1}, {0, 0},  {77, 0}};
    const int64_t shape[1] = {2};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct lender lender;
        lend(&lender, (void*)16, 1, shape, NULL)->dl_tensor.device = cases[i]; /* must not be touched */
        refused(&lender, TFE_INVALID_ARGUMENT, "from_dlpack: memory is on ", TFE_DETAIL_DEVICE);
        CHECK(strstr(last_message(), "copy the tensor to main memory first") != NULL);
    }
}

/* D11: of another major version nothing but the deleter is used; a greater minor version is fine. */
static void versions(void) {
    const int64_t shape[1] = {2};
    const double expected[2] = {0, 1};
    struct lender lender;
    uint32_t major;
    for (major = 0; major < 4; ++major) {
        if (major == 1) continue;
        lend(&lender, (void*)16, -5, NULL, NULL)->version.major = major;
        lender.managed.flags = UINT64_MAX;
        refused(&lender, TFE_INVALID_ARGUMENT, "from_dlpack: version is ", TFE_DETAIL_UNSUPPORTED);
    }
    lend(&lender, memory, 1, shape, NULL)->version.minor = 99;
    accepted(&lender, 2, expected);
}

/* D12. */
static void malformed(void) {
    const int64_t shape[2] = {2, 2}, negative[2] = {2, -1}, both[2] = {0, -1};
    struct lender lender;
    tfe_tensor_f64* tensor = NULL;
    tfe_status_t status;
    CHECK_FAILS(tensor = tfe_tensor_f64_from_dlpack(NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_from_dlpack: managed is NUL");
    CHECK(tensor == NULL && tfe_last_error_detail() == TFE_DETAIL_NULL_POINTER);
    CHECK_REPORTS(tensor = tfe_tensor_f64_from_dlpack(NULL, NULL),
                  "tfe_tensor_f64_from_dlpack: managed is NUL");
    lend(&lender, memory, 0, NULL, NULL)->dl_tensor.ndim = -1;
    refused(&lender, TFE_INVALID_ARGUMENT, "from_dlpack: ndim is -", TFE_DETAIL_INVALID_VALUE);
    lend(&lender, memory, 2, shape, NULL)->dl_tensor.shape = NULL;
    refused(&lender, TFE_INVALID_ARGUMENT, "from_dlpack: shape is NULL but ndim is ",
            TFE_DETAIL_INVALID_VALUE);
    lend(&lender, memory, 2, negative, NULL);
    refused(&lender, TFE_SHAPE_MISMATCH, "from_dlpack: axis 1 has negative extent -", TFE_DETAIL_SHAPE);
    lend(&lender, memory, 2, both, NULL);
    refused(&lender, TFE_SHAPE_MISMATCH, "from_dlpack: axis 1 has negative extent -", TFE_DETAIL_SHAPE);
    lend(&lender, memory, 2, shape, NULL)->deleter = NULL;
    CHECK_SUCCEEDS(tensor = tfe_tensor_f64_from_dlpack(&lender.managed, &status), status);
    tfe_tensor_f64_release(tensor);
    lender.managed.version.major = 9;
    CHECK_FAILS(tensor = tfe_tensor_f64_from_dlpack(&lender.managed, &status), status, TFE_INVALID_ARGUMENT,
                "from_dlpack: ver");
    CHECK(lender.deleted == 0);
}

/* D13. */
static void overflows(void) {
    static const int64_t cases[][4] = {{INT64_MAX, INT64_MAX, 1, 1}, {INT64_MAX, 3, 0, 0},
                                       {2, 2, INT64_MAX, 1},         {2, 2, 1, INT64_MIN},
                                       {2, 2, INT64_MAX / 8, 1},     {2, 2, -(INT64_MAX / 8), 1},
                                       {INT64_MAX / 2, 2, 4, 1}};
    size_t i;
    struct lender lender;
    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        lend(&lender, memory, 2, cases[i], cases[i] + 2);
        refused(&lender, TFE_INVALID_ARGUMENT, "from_dlpack: ", TFE_DETAIL_INVALID_VALUE);
    }
    lend(&lender, memory, 2, cases[2], NULL)->dl_tensor.byte_offset = UINT64_MAX - 7;
    refused(&lender, TFE_INVALID_ARGUMENT, "from_dlpack: byte_offset ", TFE_DETAIL_INVALID_VALUE);
}

/* D14: a page that cannot be written, through every function. */
static void read_only(void) {
    const int64_t shape[2] = {2, 2}, strides[2] = {2, 1};
    const double expected[4] = {1, 3, 2, 4}, square[4] = {7, 15, 10, 22};
    double* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct lender lender;
    tfe_tensor_f64 *operands[2], *out, *grads[2];
    int i;
    CHECK(page != MAP_FAILED);
    for (i = 0; i < 4; ++i) page[i] = i + 1;
    CHECK(mprotect(page, 4096, PROT_READ) == 0);
    lend(&lender, page, 2, shape, strides)->flags = kReadOnly;
    operands[0] = operands[1] = tfe_tensor_f64_from_dlpack(&lender.managed, NULL);
    CHECK(holds(operands[0], 4, expected));
    for (i = 0; i < 3; ++i) {
        const char* subscripts[3] = {"ij->ij", "ij->ji", "ij->ij"};
        out = tfe_einsum_f64(subscripts[i], operands, 1, NULL);
        CHECK(out != NULL && tfe_tensor_f64_data(out) != page);
        tfe_tensor_f64_release(out);
    }
    out = tfe_einsum_f64("ij,jk->ik", operands, 2, NULL);
    CHECK(holds(out, 4, square));
    tfe_einsum_vjp_f64("ij,jk->ik", operands, 2, operands[0], grads, NULL);
    CHECK(grads[0] != NULL && grads[1] != NULL);
    tfe_tensor_f64_release(grads[0]);
    tfe_tensor_f64_release(grads[1]);
    tfe_tensor_f64_release(out);
    out = tfe_einsum_jvp_f64("ij,jk->ik", operands, 2, operands, NULL);
    CHECK(out != NULL);
    tfe_tensor_f64_release(out);
    out = tfe_tensor_f64_clone(operands[0], NULL);
    CHECK(holds(out, 4, expected));
    tfe_tensor_f64_release(out);
    tfe_tensor_f64_release(operands[0]);
    CHECK(lender.deleted == 1);
    CHECK(munmap(page, 4096) == 0);
}

/* D15: memory on a 2-byte boundary is copied. D16: all other memory is not: a later write of the owner is
 * seen. */
static void sharing(void) {
    const int64_t shape[2] = {2, 2}, column_major[2] = {1, 2};
    const double expected[4] = {1, 3, 2, 4};
    double values[4] = {1, 2, 3, 4}, changed[4] = {9, 3, 2, 4};
    char bytes[48];
    struct lender lender;
    tfe_tensor_f64* tensor;
    memcpy(bytes + (8 - (uintptr_t)bytes % 8) + 2, values, sizeof values);
    lend(&lender, bytes + (8 - (uintptr_t)bytes % 8) + 2, 2, shape, NULL);
    accepted(&lender, 4, expected);
    memcpy(values, expected, sizeof values);
    lend(&lender, values, 2, shape, column_major);
    tensor = tfe_tensor_f64_from_dlpack(&lender.managed, NULL);
    CHECK(tfe_tensor_f64_data(tensor) == values);
    values[0] = 9;
    CHECK(holds(tensor, 4, changed));
    tfe_tensor_f64_release(tensor);
    CHECK(lender.deleted == 1);
}

/* Every function on strided imports agrees with itself on compact copies. */
static void einsum_on_views(void) {
    const int64_t shape[2] = {3, 3}, strides[4][2] = {{3, 1}, {-3, 2}, {0, 1}, {7, -2}};
    const char* subscripts[6] = {"ij,jk->ik", "ij,ij->ij", "ii,jk->jk", "ij,kj->", "ij,jk->ki", "ij,jj->i"};
    int a, b, s;
    for (a = 0; a < 4; ++a)
        for (b = 0; b < 4; ++b)
            for (s = 0; s < 6; ++s) {
                struct lender lenders[2];
                tfe_tensor_f64 *views[2], *copies[2], *of_views, *of_copies, *grads[2] = {NULL, NULL},
                                                                             *wanted[2] = {NULL, NULL};
                int i;
                for (i = 0; i < 2; ++i) {
                    lend(&lenders[i], memory + 20, 2, shape, strides[i == 0 ? a : b]);
                    views[i] = tfe_tensor_f64_from_dlpack(&lenders[i].managed, NULL);
                    copies[i] = tfe_tensor_f64_clone(views[i], NULL);
                }
                of_views = tfe_einsum_f64(subscripts[s], views, 2, NULL);
                of_copies = tfe_einsum_f64(subscripts[s], copies, 2, NULL);
                CHECK(of_views != NULL &&
                      holds(of_views, tfe_tensor_f64_len(of_copies), tfe_tensor_f64_data(of_copies)));
                tfe_einsum_vjp_f64(subscripts[s], views, 2, of_views, grads, NULL);
                tfe_einsum_vjp_f64(subscripts[s], copies, 2, of_copies, wanted, NULL);
                for (i = 0; i < 2; ++i) {
                    CHECK(grads[i] != NULL && holds(grads[i], 9, tfe_tensor_f64_data(wanted[i])));
                    tfe_tensor_f64_release(grads[i]);
                    tfe_tensor_f64_release(wanted[i]);
                }
                tfe_tensor_f64_release(of_views);
                tfe_tensor_f64_release(of_copies);
                of_views = tfe_einsum_jvp_f64(subscripts[s], views, 2, views, NULL);
                of_copies = tfe_einsum_jvp_f64(subscripts[s], copies, 2, copies, NULL);
                CHECK(of_views != NULL &&
                      holds(of_views, tfe_tensor_f64_len(of_copies), tfe_tensor_f64_data(of_copies)));
                tfe_tensor_f64_release(of_views);
                tfe_tensor_f64_release(of_copies);
                for (i = 0; i < 2; ++i) {
                    tfe_tensor_f64_release(views[i]);
                    tfe_tensor_f64_release(copies[i]);
                    CHECK(lenders[i].deleted == 1);
                }
            }
}

int main(void) {
    int i;
    for (i = 0; i < 64; ++i) memory[i] = i;
    shapes();
    views();
    layouts();
    dtypes();
    devices();
    versions();
    malformed();
    overflows();
    read_only();
    sharing();
    einsum_on_views();
    return finish();
}
