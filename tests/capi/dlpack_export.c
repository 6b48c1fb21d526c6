/* DLPack export: what the struct says, that nothing is copied, that the handle is consumed on success only,
 * and who frees what when. The ids are those of the shared list of DLPack behaviours. */
#include "check.h"
#include "dlpack_abi.h"

static const double kValues[6] = {1, 2, 3, 4, 5, 6};

/* D00, D01, D03: contents of the struct for a tensor of the library. */
static void struct_contents(void) {
    const size_t shape[3] = {2, 1, 3};
    tfe_status_t status;
    tfe_tensor_f64* tensor = tfe_tensor_f64_from_data(kValues, 6, shape, 3, &status);
    const double* data = tfe_tensor_f64_data(tensor);
    struct DLManagedTensorVersioned* out = NULL;
    CHECK_SUCCEEDS(out = tfe_tensor_f64_to_dlpack(tensor, &status), status);
    CHECK(out != NULL);
    if (out == NULL) return;
    CHECK(out->version.major == 1);
    CHECK(out->flags == 0);
    CHECK(out->deleter != NULL);
    CHECK(out->dl_tensor.device.device_type == 1 && out->dl_tensor.device.device_id == 0);
    CHECK(out->dl_tensor.dtype.code == 2 && out->dl_tensor.dtype.bits == 64 &&
          out->dl_tensor.dtype.lanes == 1);
    CHECK(out->dl_tensor.ndim == 3);
    CHECK(out->dl_tensor.shape[0] == 2 && out->dl_tensor.shape[1] == 1 && out->dl_tensor.shape[2] == 3);
    CHECK(out->dl_tensor.strides != NULL);
    CHECK(out->dl_tensor.strides[0] == 1 && out->dl_tensor.strides[1] == 2 && out->dl_tensor.strides[2] == 2);
    CHECK(out->dl_tensor.byte_offset == 0);
    CHECK(out->dl_tensor.data == (const void*)data);
    CHECK((uintptr_t)out->dl_tensor.data % 64 == 0);
    CHECK(memcmp(out->dl_tensor.data, kValues, sizeof kValues) == 0);
    out->deleter(out);
}

/* D02: consumed on success; release after export is harmless; the memory lives until the deleter runs. */
static void handle_is_consumed(void) {
    tfe_tensor_f64* tensor = make2(2, 3, kValues);
    struct DLManagedTensorVersioned *out = NULL, *again = NULL;
    tfe_status_t status;
    CHECK_SUCCEEDS(out = tfe_tensor_f64_to_dlpack(tensor, &status), status);
    CHECK(tfe_tensor_f64_is_assigned(tensor) == 0);
    CHECK_REPORTS(tfe_tensor_f64_release(tensor), "tfe_tensor_f64_release: tensor is not a live tensor ");
    CHECK_FAILS(again = tfe_tensor_f64_to_dlpack(tensor, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_to_dlpack: tensor is not a live");
    CHECK(again == NULL);
    CHECK_REPORTS(CHECK(tfe_tensor_f64_data(tensor) == NULL), "tfe_tensor_f64_data: tensor is not a live");
    CHECK(memcmp(out->dl_tensor.data, kValues, sizeof kValues) == 0);
    ((double*)out->dl_tensor.data)[0] = 7; /* flags 0: the consumer may write */
    out->deleter(out);
    CHECK_FAILS(again = tfe_tensor_f64_to_dlpack(NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_to_dlpack: tensor is NUL");
    CHECK_REPORTS(again = tfe_tensor_f64_to_dlpack(NULL, NULL), "tfe_tensor_f64_to_dlpack: tensor is NUL");
    CHECK(again == NULL);
}

static void edges(void) {
    const size_t empty[2] = {3, 0};
    const double value = 5;
    tfe_status_t status;
    struct DLManagedTensorVersioned* out =
        tfe_tensor_f64_to_dlpack(tfe_tensor_f64_zeros(empty, 2, &status), NULL);
    CHECK(out != NULL && out->dl_tensor.data == NULL && out->dl_tensor.shape[1] == 0 &&
          out->dl_tensor.strides != NULL);
    if (out != NULL) out->deleter(out);
    out = tfe_tensor_f64_to_dlpack(tfe_tensor_f64_from_data(&value, 1, NULL, 0, &status), &status);
    CHECK(status == TFE_SUCCESS && out != NULL && out->dl_tensor.ndim == 0 &&
          *(double*)out->dl_tensor.data == 5);
    if (out != NULL) out->deleter(out);
}

/* A result of the engine, whose memory goes back to its pool when the deleter runs. */
static void results_of_einsum(void) {
    tfe_tensor_f64* operand = make2(2, 3, kValues);
    const double rows[2] = {9, 12};
    int round;
    for (round = 0; round < 20; ++round) {
        tfe_tensor_f64* sums = tfe_einsum_f64("ij->i", &operand, 1, NULL);
        struct DLManagedTensorVersioned* out = tfe_tensor_f64_to_dlpack(sums, NULL);
        CHECK(out != NULL && out->flags == 0 && memcmp(out->dl_tensor.data, rows, sizeof rows) == 0);
        CHECK((uintptr_t)out->dl_tensor.data % 64 == 0);
        memset(out->dl_tensor.data, 0xEE, sizeof rows);
        out->deleter(out);
    }
    CHECK(holds(operand, 6, kValues));
    tfe_tensor_f64_release(operand);
}

/* An export that comes back is the same memory; its deleter runs when the handle goes. */
static void round_trip(void) {
    tfe_tensor_f64 *tensor = make2(2, 3, kValues), *back = NULL;
    const double* data = tfe_tensor_f64_data(tensor);
    tfe_status_t status;
    CHECK_SUCCEEDS(back = tfe_tensor_f64_from_dlpack(tfe_tensor_f64_to_dlpack(tensor, NULL), &status),
                   status);
    CHECK(tfe_tensor_f64_data(back) == data && holds(back, 6, kValues));
    tfe_tensor_f64_release(back);
}

/* An import passed on keeps its strides and its READ_ONLY; the producer's deleter runs after ours. */
static void imports_passed_on(void) {
    const int64_t shape[2] = {2, 3}, strides[2] = {3, 1};
    uint64_t flags;
    for (flags = 0; flags <= kReadOnly; ++flags) {
        struct lender lender;
        struct DLManagedTensorVersioned* out;
        tfe_tensor_f64* tensor;
        lend(&lender, kValues, 2, shape, strides)->flags = flags;
        tensor = tfe_tensor_f64_from_dlpack(&lender.managed, NULL);
        CHECK(tfe_tensor_f64_data(tensor) != kValues); /* the compact copy does not change what is exported */
        out = tfe_tensor_f64_to_dlpack(tensor, NULL);
        CHECK(out != NULL && out->flags == flags && out->dl_tensor.data == (const void*)kValues);
        CHECK(out->dl_tensor.strides[0] == 3 && out->dl_tensor.strides[1] == 1);
        CHECK(lender.deleted == 0);
        out->deleter(out);
        CHECK(lender.deleted == 1);
    }
}

int main(void) {
    struct_contents();
    handle_is_consumed();
    edges();
    results_of_einsum();
    round_trip();
    imports_passed_on();
    return finish();
}
