/* Memory of another program part used in place through DLPack, and a result handed out the same way. A real
   program takes the struct definitions from dlpack.h; they are written out here so that the example needs
   nothing else. Expected: row sums 6 15, owner called back 1 time */
#include <stdint.h>
#include <stdio.h>
#include <tenferro.h>

typedef struct {
    void* data;
    int32_t device_type, device_id; /* 1, 0: main memory */
    int32_t ndim;
    uint8_t type_code, type_bits; /* 2, 64: float64 */
    uint16_t type_lanes;
    int64_t *shape, *strides; /* strides in elements; NULL means row-major */
    uint64_t byte_offset;
} Array;

struct DLManagedTensorVersioned {
    uint32_t major, minor;
    void* manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned* self);
    uint64_t flags;
    Array array;
};

static int callbacks = 0;
static void give_back(struct DLManagedTensorVersioned* self) {
    (void)self; /* a real owner would drop its reference here */
    ++callbacks;
}

int main(void) {
    double rows[6] = {1, 2, 3, 4, 5, 6}; /* [1 2 3; 4 5 6], row-major */
    int64_t shape[2] = {2, 3};
    struct DLManagedTensorVersioned lent = {1,         0, NULL,
                                            give_back, 0, {rows, 1, 0, 2, 2, 64, 1, shape, NULL, 0}};
    tfe_status_t status;

    tfe_tensor_f64* tensor = tfe_tensor_f64_from_dlpack(&lent, &status); /* no copy */
    tfe_tensor_f64* sums = tfe_einsum_f64("ij->i", &tensor, 1, &status);
    struct DLManagedTensorVersioned* result =
        tfe_tensor_f64_to_dlpack(sums, &status); /* consumes the handle */
    tfe_tensor_f64_release(tensor);              /* calls give_back */
    if (result == NULL) return 1;

    const double* values = (const double*)result->array.data;
    printf("row sums %g %g, owner called back %d time\n", values[0], values[1], callbacks);
    result->deleter(result);
    return 0;
}
