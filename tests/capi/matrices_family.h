/* Helpers of the tests of linear algebra for one element type; included once per type with SUFFIX, SCALAR and
 * PARTS (scalars per element) defined. Tensors are read as arrays of double _Complex. */
#include "matrix_names.h"

/* Rounding of a sum of `terms` numbers of magnitude about 1. */
static inline double OWN(tolerance)(size_t terms) {
    return 100 * (double)terms * (sizeof(SCALAR) == 4 ? FLT_EPSILON : DBL_EPSILON);
}

static inline TENSOR* OWN(from)(const double _Complex* values, const size_t* shape, size_t ndim) {
    SCALAR data[PARTS * kMost];
    size_t len = 1, i;
    TENSOR* tensor;
    for (i = 0; i < ndim; ++i) len *= shape[i];
    for (i = 0; i < len; ++i) {
        data[i * PARTS] = (SCALAR)creal(values[i]);
        if (PARTS == 2) data[i * PARTS + PARTS - 1] = (SCALAR)cimag(values[i]);
    }
    tensor = T(from_data)(data, len, shape, ndim, NULL);
    CHECK(tensor != NULL);
    return tensor;
}

static inline TENSOR* OWN(draw)(const size_t* shape, size_t ndim) {
    double _Complex values[kMost];
    size_t len = 1, i;
    for (i = 0; i < ndim; ++i) len *= shape[i];
    for (i = 0; i < len; ++i) values[i] = PARTS == 2 ? draw_complex() : draw_real();
    return OWN(from)(values, shape, ndim);
}

/* n x n Hermitian matrices of a batch, positive definite with `shift` large enough. */
static inline TENSOR* OWN(draw_hermitian)(size_t n, size_t batch, double shift) {
    double _Complex values[kMost];
    const size_t shape[3] = {n, n, batch};
    size_t i, j, b;
    for (b = 0; b < batch; ++b)
        for (j = 0; j < n; ++j)
            for (i = j; i < n; ++i) {
                const double _Complex x = PARTS == 2 && i != j ? draw_complex() : draw_real();
                values[i + n * j + n * n * b] = x + (i == j ? shift : 0);
                values[j + n * i + n * n * b] = conj(x) + (i == j ? shift : 0);
            }
    return OWN(from)(values, shape, 3);
}

/* The elements of a tensor of any of the three types that a family has. */
static inline const double _Complex* OWN(read)(const TENSOR* tensor) {
    static double _Complex slots[16][kMost];
    static int next;
    double _Complex* out = slots[next++ % 16];
    const SCALAR* data = T(data)(tensor);
    size_t i, len = T(len)(tensor);
    CHECK(len <= kMost && T(is_assigned)(tensor));
    for (i = 0; i < len; ++i) out[i] = data[i * PARTS] + (PARTS == 2 ? I * data[i * PARTS + PARTS - 1] : 0);
    return out;
}

/* Re sum conj(a) b. */
static inline double OWN(inner)(const TENSOR* a, const TENSOR* b) {
    CHECK(T(len)(a) == T(len)(b));
    return inner_product(T(len)(a), OWN(read)(a), OWN(read)(b));
}

/* For release_all. */
static inline void OWN(release_handle)(void* tensor) { T(release)(tensor); }

#include "matrix_names_end.h"
