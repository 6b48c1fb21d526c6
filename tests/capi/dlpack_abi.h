/* DLPack structs as a consumer or producer would write them, from the published layout and independent of the
 * library's own, and a lender: an array of doubles with a struct over it that counts the calls of its
 * deleter. */
#ifndef TENFERRO_TESTS_DLPACK_ABI_H
#define TENFERRO_TESTS_DLPACK_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint32_t major, minor;
} DLPackVersion;
typedef struct {
    int32_t device_type, device_id;
} DLDevice;
typedef struct {
    uint8_t code, bits;
    uint16_t lanes;
} DLDataType;
typedef struct {
    void* data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t* shape;
    int64_t* strides;
    uint64_t byte_offset;
} DLTensor;
struct DLManagedTensorVersioned {
    DLPackVersion version;
    void* manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned* self);
    uint64_t flags;
    DLTensor dl_tensor;
};

enum { kReadOnly = 1, kMaxRank = 64 };

struct lender {
    struct DLManagedTensorVersioned managed;
    int64_t shape[kMaxRank], strides[kMaxRank];
    int deleted;
};

static inline void count_deletion(struct DLManagedTensorVersioned* self) {
    ++((struct lender*)self->manager_ctx)->deleted;
}

/* Lends `data` as float64 of this shape; strides may be NULL. */
static inline struct DLManagedTensorVersioned* lend(struct lender* lender, const void* data, int ndim,
                                                    const int64_t* shape, const int64_t* strides) {
    struct DLManagedTensorVersioned* managed = &lender->managed;
    memset(lender, 0, sizeof *lender);
    if (ndim > 0) memcpy(lender->shape, shape, (size_t)ndim * sizeof *shape);
    if (strides != NULL) memcpy(lender->strides, strides, (size_t)ndim * sizeof *strides);
    managed->version.major = 1;
    managed->version.minor = 1;
    managed->manager_ctx = lender;
    managed->deleter = count_deletion;
    managed->dl_tensor.data = (void*)(uintptr_t)data;
    managed->dl_tensor.device.device_type = 1;
    managed->dl_tensor.ndim = ndim;
    managed->dl_tensor.dtype.code = 2;
    managed->dl_tensor.dtype.bits = 64;
    managed->dl_tensor.dtype.lanes = 1;
    managed->dl_tensor.shape = ndim > 0 ? lender->shape : NULL;
    managed->dl_tensor.strides = strides != NULL ? lender->strides : NULL;
    return managed;
}

#endif
