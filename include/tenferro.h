/* tenferro: the C API of a dense tensor engine. This header is complete and compiles alone as C99 and later
 * and as C++.
 *
 * Layout. All tensors are column-major: the leftmost axis is the fastest, element (i, j) of an m x n matrix
 * is at i + j*m.
 *
 * Types. tfe_tensor_f64 is a tensor of double. The same functions exist with f32 (float), c32 and c64
 * (complex of float and of double, stored as pairs of real and imaginary part); they are declared by macros
 * at the end. A handle of one type given to a function of another is TFE_INVALID_ARGUMENT.
 *
 * Handles. A tensor is named by an opaque handle. It is a token, not an address: never dereference it. A NULL
 * handle, a handle that was released and a pointer that never was a handle are detected and reported, they
 * never crash. Whoever obtains a handle owns it and gives it back with tfe_tensor_f64_release. Functions
 * borrow the handles they are passed.
 *
 * Status. Fallible functions take `tfe_status_t* status` last and write TFE_SUCCESS or a negative value.
 * `status` may be NULL: nothing is written, and failure still shows as NULL. Query functions have no status:
 * on failure they return 0 or NULL.
 *
 * Messages. Every failure stores a one-line UTF-8 message for the calling thread, see tfe_last_error_message.
 * Success leaves it alone.
 *
 * Threads. Tensors are immutable. Any function may be called from any thread, also on one handle at once.
 * Releasing a handle while another thread uses it is safe: that call either completes or reports a dead
 * handle. Only the pointer returned by tfe_tensor_f64_data needs the caller's care.
 *
 * Pointers. Arrays are trusted to have the length that is passed with them, strings to be NUL-terminated. An
 * array pointer may be NULL when its length is 0. Output arrays must not overlap input arrays. No function
 * aborts, exits, prints or lets an exception escape.
 *
 * Compatibility. From version 1.0 on no function here changes its parameters and no constant its value within
 * a major version: what is new gets a new name, and structs grow at their end alone, which their struct_size
 * tells. A function that is to go is called deprecated here, with what replaces it, and stays until the end
 * of the next major version. Programs need the library of the major version they were built with, of that
 * minor version or a later one: libtenferro.so.MAJOR.
 *
 * Unloading. dlclose leaves the library in the process.
 */
#ifndef TENFERRO_H
#define TENFERRO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TFE_API __attribute__((visibility("default")))
#else
#define TFE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; tfe_version tells that of the library. */
#define TFE_VERSION_MAJOR 0
#define TFE_VERSION_MINOR 1
#define TFE_VERSION_PATCH 0

typedef int32_t tfe_status_t;

#define TFE_SUCCESS 0
#define TFE_INVALID_ARGUMENT (-1) /* a NULL or dead argument, a malformed string, a value out of range */
#define TFE_SHAPE_MISMATCH (-2)   /* extents, ranks or lengths that do not fit together */
#define TFE_INTERNAL_ERROR (-3)   /* out of memory, cancelled, or a failure inside the library */
#define TFE_BUFFER_TOO_SMALL (-4) /* functions that fill a caller's buffer: *out_len says what it takes */

/* What kind of mistake the last error was, for programs; see tfe_last_error_detail. Later versions may add
 * values. */
typedef int32_t tfe_error_detail_t;
enum {
    TFE_DETAIL_NONE = 0,           /* no error yet */
    TFE_DETAIL_NULL_POINTER = 1,   /* a required pointer or handle is NULL */
    TFE_DETAIL_DEAD_HANDLE = 2,    /* a handle was released, or never was one */
    TFE_DETAIL_SHAPE = 3,          /* extents, ranks or lengths that do not fit together */
    TFE_DETAIL_DTYPE = 4,          /* an element type other than the one needed */
    TFE_DETAIL_AXIS = 5,           /* an axis out of bounds or listed twice */
    TFE_DETAIL_DEVICE = 6,         /* memory on a device that is not supported */
    TFE_DETAIL_UNSUPPORTED = 7,    /* well-formed, but not implemented */
    TFE_DETAIL_INVALID_VALUE = 8,  /* any other bad argument, malformed subscripts among them */
    TFE_DETAIL_NUMERICAL = 9,      /* the numbers: not finite, singular, no convergence */
    TFE_DETAIL_OUT_OF_MEMORY = 10, /* memory cannot be had */
    TFE_DETAIL_INTERNAL = 11,      /* a failure inside the library */
    TFE_DETAIL_CANCELLED = 12      /* the callback of tfe_set_progress said so */
};

/* A tensor of double. */
typedef struct tfe_tensor_f64 tfe_tensor_f64;
typedef tfe_tensor_f64 TfeTensorF64;

/* ---- Tensors ---- */

/* A new tensor of shape[0] x ... x shape[ndim-1] holding a copy of the `len` elements at `data`, in
 * column-major order. ndim 0 is a scalar (len 1); extents may be 0 (len 0, `data` may be NULL). The caller
 * owns the result. Errors: TFE_SHAPE_MISMATCH when len is not the product of the extents;
 * TFE_INVALID_ARGUMENT for a NULL array, an extent above INT64_MAX or a product that overflows;
 * TFE_INTERNAL_ERROR when memory cannot be had. Returns NULL on failure. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_from_data(const double* data, size_t len, const size_t* shape,
                                                 size_t ndim, tfe_status_t* status);

/* As tfe_tensor_f64_from_data for `data` in row-major order, the rightmost axis fastest. The tensor is
 * column-major like all. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_from_row_major_data(const double* data, size_t len,
                                                           const size_t* shape, size_t ndim,
                                                           tfe_status_t* status);

/* A new tensor of zeros. Shape, ownership and errors as tfe_tensor_f64_from_data. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_zeros(const size_t* shape, size_t ndim, tfe_status_t* status);

/* A new tensor of the same shape with its own copy of the elements. The caller owns the result.
 * Errors: TFE_INVALID_ARGUMENT for a NULL or dead handle; TFE_INTERNAL_ERROR when memory cannot be had. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_clone(const tfe_tensor_f64* tensor, tfe_status_t* status);

/* A new tensor of the complex conjugates of the elements; of their values where they are real. The caller
 * owns the result. Errors as tfe_tensor_f64_clone. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_conj(const tfe_tensor_f64* tensor, tfe_status_t* status);

/* Copies the elements to buf[0 .. buf_len-1] in row-major order, the rightmost axis fastest. *out_len
 * receives their number; buf == NULL only asks for it. Errors: TFE_BUFFER_TOO_SMALL (buf is untouched,
 * *out_len is written); TFE_INVALID_ARGUMENT for a NULL or dead handle, or when out_len is NULL. */
TFE_API void tfe_tensor_f64_copy_row_major(const tfe_tensor_f64* tensor, double* buf, size_t buf_len,
                                           size_t* out_len, tfe_status_t* status);

/* Gives the handle back; the memory is freed when no call uses it any more. NULL is ignored. A handle that is
 * already dead is left alone, and the last error says so. Of several threads that release one handle, one
 * does and the others are told. */
TFE_API void tfe_tensor_f64_release(tfe_tensor_f64* tensor);

/* 1 when `tensor` is a live handle of this type, else 0. Never touches the last error. */
TFE_API int32_t tfe_tensor_f64_is_assigned(const tfe_tensor_f64* tensor);

/* Number of axes; 0 also for a NULL or dead handle (and the last error is set). */
TFE_API size_t tfe_tensor_f64_ndim(const tfe_tensor_f64* tensor);

/* Writes the extents to out_shape[0 .. ndim-1]; out_shape may be NULL when ndim is 0. Writes nothing and sets
 * the last error when the handle is NULL or dead, or out_shape is NULL. */
TFE_API void tfe_tensor_f64_shape(const tfe_tensor_f64* tensor, size_t* out_shape);

/* Writes the strides, in elements, to out_strides[0 .. ndim-1] under the same rules: 1, n0, n0*n1, ... for
 * tensors that the library made, the producer's own for an import. What tfe_tensor_f64_data returns is always
 * compact, whatever these are. */
TFE_API void tfe_tensor_f64_strides(const tfe_tensor_f64* tensor, int64_t* out_strides);

/* Number of elements, 1 for a scalar; 0 also for a NULL or dead handle (and the last error is set). */
TFE_API size_t tfe_tensor_f64_len(const tfe_tensor_f64* tensor);

/* The elements in column-major order without gaps, tfe_tensor_f64_len of them; owned by the tensor and valid
 * until its handle is released, so the caller must not release it while any thread reads. NULL for a tensor
 * without elements, and for a NULL or dead handle (then the last error is set). The first call on an import
 * that is not compact column-major makes a copy, which the tensor keeps; NULL with the last error set when
 * there is no memory for it. */
TFE_API const double* tfe_tensor_f64_data(const tfe_tensor_f64* tensor);

/* ---- DLPack 1.x ---- */

/* As in dlpack.h, which this header neither needs nor includes. */
struct DLManagedTensorVersioned;

/* Hands the tensor to another library without copying. On success the handle is dead and the caller owns the
 * struct: whoever consumes it calls its deleter once, at any time and from any thread. On failure the handle
 * is as it was. The struct is of version 1.0, on device (kDLCPU, 0), with explicit strides in elements,
 * byte_offset 0, and data NULL when there are no elements; our own memory is aligned to 128 bytes. The flag
 * READ_ONLY is set when the memory came from a read-only import, or while a call of another thread still uses
 * the handle; then the consumer must not write. Errors: TFE_INVALID_ARGUMENT for a NULL or dead handle;
 * TFE_INTERNAL_ERROR when memory cannot be had. Returns NULL on failure.
 */
TFE_API struct DLManagedTensorVersioned* tfe_tensor_f64_to_dlpack(tfe_tensor_f64* tensor,
                                                                  tfe_status_t* status);

/* A tensor on the memory of another library. Always consumes `managed` (unless NULL): its deleter is called
 * exactly once, when the tensor is released and nothing uses it any more, or before this function fails; a
 * NULL deleter means there is nothing to call. Nothing is copied, so the owner's later writes are seen, and
 * must not happen while a function runs; the one exception is memory that is not aligned to its scalar type.
 * Any strides are taken, also negative and zero; NULL means row-major. Memory marked READ_ONLY is never
 * written. Errors: TFE_INVALID_ARGUMENT for NULL, a major version other than 1, a device other than (kDLCPU,
 * 0), another dtype or lanes, a byte_offset that is no multiple of the scalar's size, a NULL array, or sizes
 * that overflow; TFE_SHAPE_MISMATCH for a negative extent; TFE_INTERNAL_ERROR when memory cannot be had.
 * Returns NULL on failure. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_from_dlpack(struct DLManagedTensorVersioned* managed,
                                                   tfe_status_t* status);

/* ---- Einsum ---- */

/* Subscripts are UTF-8: comma-separated operand labels, "->", output labels, e.g. "ij,jk->ik". A label is one
 * ASCII letter or digit, or one code point from U+00C0 on. ASCII white space is ignored. A label may repeat
 * in an operand (diagonal) and in the output ("i->ii" embeds a diagonal). "..." stands for an operand's
 * remaining axes, aligned at the right; inside it extents of 1 broadcast; one in the output alone stands for
 * no axes. Parentheses fix the order:
 * "ij,(jk,kl)->il". An operand without labels is a scalar.
 *
 * Errors of the functions below: TFE_INVALID_ARGUMENT for a NULL pointer, a NULL or dead handle, n == 0,
 * malformed subscripts or another number of operands than they name; TFE_SHAPE_MISMATCH when a label has two
 * extents or a cotangent or tangent has not the shape it needs; TFE_INTERNAL_ERROR when memory cannot be had.
 */

/* The einsum of operands[0 .. n-1]. Returns a new compact tensor that the caller owns, NULL on failure. */
TFE_API tfe_tensor_f64* tfe_einsum_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                       tfe_status_t* status);

/* Reverse mode (vector-Jacobian product): pulls `cotangent`, of the result's shape, back to every operand.
 * grads_out[0 .. n-1] are set to NULL on entry; on success grads_out[i] is a new tensor of the shape of
 * operands[i] that the caller owns, on failure all stay NULL. */
TFE_API void tfe_einsum_vjp_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                const tfe_tensor_f64* cotangent, tfe_tensor_f64** grads_out,
                                tfe_status_t* status);

/* Forward mode (Jacobian-vector product): returns the tangent of the result as a new tensor that the caller
 * owns, NULL on failure. tangents[i] has the shape of primals[i], or is NULL for zero; `tangents` itself must
 * not be NULL. */
TFE_API tfe_tensor_f64* tfe_einsum_jvp_f64(const char* subscripts, tfe_tensor_f64* const* primals, size_t n,
                                           tfe_tensor_f64* const* tangents, tfe_status_t* status);

/* tfe_einsum_vjp_f64 under its other name. */
TFE_API void tfe_einsum_rrule_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                  const tfe_tensor_f64* cotangent, tfe_tensor_f64** grads_out,
                                  tfe_status_t* status);

/* tfe_einsum_jvp_f64 under its other name. */
TFE_API tfe_tensor_f64* tfe_einsum_frule_f64(const char* subscripts, tfe_tensor_f64* const* primals, size_t n,
                                             tfe_tensor_f64* const* tangents, tfe_status_t* status);

/* ---- Einsum plans ---- */

/* Subscripts with the shapes they are for: parsed, checked and ordered once, run many times, with tensors of
 * any type. A handle like those of tensors, immutable, and usable by several threads at once. (tfe_einsum_f64
 * keeps recent plans by itself; a plan saves the look-up and gives control of the search.) */
typedef struct tfe_einsum_plan tfe_einsum_plan;

/* How to search the contraction order. Start from TFE_EINSUM_PLAN_OPTIONS_INIT; struct_size tells the library
 * which fields the caller knows, so that later versions can add some. */
typedef struct tfe_einsum_plan_options {
    size_t struct_size;
    int32_t max_exact;       /* up to this many operands are ordered optimally; 0 to 16 */
    int32_t greedy_attempts; /* tries of the randomised search above that; at least 1, at most 2^20 */
    uint64_t seed;           /* the same seed gives the same order, when there is no deadline */
    double deadline;         /* seconds that the search goes on for, at most 1e9; 0: a share of the predicted
                                time of the contraction */
    int64_t memory_limit;  /* most bytes that intermediates and the result take at once, in slices if need be;
                              0: no limit */
    int32_t objective;     /* one of TFE_EINSUM_OBJECTIVE_… */
    int32_t element_bytes; /* size of the elements that costs and the limit are for; 1 to 16; see dtype */
    int32_t threads;       /* of the search; 1 to 1024 */
    int32_t reserved;      /* 0 */
    const size_t* path;    /* NULL: search. Else the order: step k contracts what is at positions path[2k] and
                              path[2k+1] of the list of tensors, takes both off it and puts the result at its end
                              (the linear paths of opt_einsum). Copied. memory_limit must be 0 then. */
    size_t path_steps;     /* n - 1 for n operands; 0 when path is NULL */
    int64_t vjp_memory_limit; /* most bytes that reverse mode takes at once (peak_bytes of
                                 tfe_einsum_plan_get_vjp_cost), in slices if need be; 0: no limit, as with a
                                 path */
    int32_t dtype; /* one of TFE_DTYPE_...: the elements that costs and limits are for, whatever element_bytes
                      is; 0: real elements of element_bytes, complex ones beyond 8 */
    int32_t reserved2; /* 0 */
} tfe_einsum_plan_options;

/* Element types: of float, of double, of complex float and of complex double. */
#define TFE_DTYPE_F32 1
#define TFE_DTYPE_F64 2
#define TFE_DTYPE_C32 3
#define TFE_DTYPE_C64 4

/* What the search makes small: the predicted time, the arithmetic, or the memory. */
#define TFE_EINSUM_OBJECTIVE_TIME 0
#define TFE_EINSUM_OBJECTIVE_FLOPS 1
#define TFE_EINSUM_OBJECTIVE_MEMORY 2

#define TFE_EINSUM_PLAN_OPTIONS_INIT                                                                        \
    {                                                                                                       \
        sizeof(tfe_einsum_plan_options), 10, 64, 0, 0.0, 0, TFE_EINSUM_OBJECTIVE_TIME, 8, 1, 0, NULL, 0, 0, \
            0, 0                                                                                            \
    }

/* What running a plan once costs. Set struct_size to sizeof(tfe_einsum_plan_cost) before the call. */
typedef struct tfe_einsum_plan_cost {
    size_t struct_size;
    double flops;      /* per pair of tensors the product of all extents, doubled where a label is summed */
    double bytes;      /* read and written */
    double seconds;    /* predicted, on one thread */
    double peak_bytes; /* of intermediates and the result alive at once */
    double largest_intermediate; /* elements */
    double slices;               /* 1 unless the memory limit asks for more */
} tfe_einsum_plan_cost;

/* A plan for n operands, operand i of shape shapes[i][0 .. ndims[i]-1]. `options` may be NULL. The caller
 * owns the result. Errors: as the einsum functions; TFE_INVALID_ARGUMENT also for an option out of range,
 * TFE_DETAIL_UNSUPPORTED for memory limits that no order meets. Returns NULL on failure. */
TFE_API tfe_einsum_plan* tfe_einsum_plan_create(const char* subscripts, const size_t* const* shapes,
                                                const size_t* ndims, size_t n,
                                                const tfe_einsum_plan_options* options, tfe_status_t* status);

/* The same with integers for labels, for programs that generate networks: labels[i][0 .. ndims[i]-1] name the
 * axes of operand i, output[0 .. output_ndim-1] those of the result. Equal integers are one label; any values
 * do, up to about a million different ones. Repeated labels mean what they mean in a string. Messages name
 * the labels a, b, ... in order of first appearance. */
TFE_API tfe_einsum_plan* tfe_einsum_plan_create_from_labels(
    const int32_t* const* labels, const size_t* const* shapes, const size_t* ndims, size_t n,
    const int32_t* output, size_t output_ndim, const tfe_einsum_plan_options* options, tfe_status_t* status);

/* Another handle of the plan, which the caller owns; the plan lives until its last handle is released.
 * Errors: TFE_INVALID_ARGUMENT for a NULL or dead handle; TFE_INTERNAL_ERROR when memory cannot be had. */
TFE_API tfe_einsum_plan* tfe_einsum_plan_clone(const tfe_einsum_plan* plan, tfe_status_t* status);

/* Gives the handle back. NULL is ignored; for a handle that is already dead the last error says so. */
TFE_API void tfe_einsum_plan_release(tfe_einsum_plan* plan);

/* 1 when `plan` is a live plan, else 0. Never touches the last error. */
TFE_API int32_t tfe_einsum_plan_is_assigned(const tfe_einsum_plan* plan);

/* Fills in the fields of `out` that its struct_size has room for. Errors, TFE_INVALID_ARGUMENT: `plan` is
 * NULL or dead, `out` is NULL, struct_size ends inside a field; `out` is untouched then. */
TFE_API void tfe_einsum_plan_get_cost(const tfe_einsum_plan* plan, tfe_einsum_plan_cost* out,
                                      tfe_status_t* status);

/* The same for tfe_einsum_plan_vjp_f64: what it computes forward and back, and in peak_bytes the memory that
 * it holds at once, the gradients included (at most; complex tensors take a conjugate of the cotangent
 * besides). Errors also: TFE_INTERNAL_ERROR when memory cannot be had. */
TFE_API void tfe_einsum_plan_get_vjp_cost(const tfe_einsum_plan* plan, tfe_einsum_plan_cost* out,
                                          tfe_status_t* status);

/* Copies the order of the contractions, 2 * (n - 1) numbers in the form of tfe_einsum_plan_options.path, to
 * buf[0 .. buf_len-1]. *out_len receives how many they are; buf == NULL only asks. Errors:
 * TFE_BUFFER_TOO_SMALL (buf is untouched, *out_len is written); TFE_INVALID_ARGUMENT for a NULL or dead
 * handle, or when out_len is NULL. */
TFE_API void tfe_einsum_plan_get_path(const tfe_einsum_plan* plan, size_t* buf, size_t buf_len,
                                      size_t* out_len, tfe_status_t* status);

/* tfe_einsum_f64, tfe_einsum_vjp_f64 and tfe_einsum_jvp_f64 along a plan. Operands that have not the plan's
 * shapes are TFE_SHAPE_MISMATCH, another number of them is TFE_INVALID_ARGUMENT. */
TFE_API tfe_tensor_f64* tfe_einsum_plan_run_f64(const tfe_einsum_plan* plan, tfe_tensor_f64* const* operands,
                                                size_t n, tfe_status_t* status);
TFE_API void tfe_einsum_plan_vjp_f64(const tfe_einsum_plan* plan, tfe_tensor_f64* const* operands, size_t n,
                                     const tfe_tensor_f64* cotangent, tfe_tensor_f64** grads_out,
                                     tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_einsum_plan_jvp_f64(const tfe_einsum_plan* plan, tfe_tensor_f64* const* primals,
                                                size_t n, tfe_tensor_f64* const* tangents,
                                                tfe_status_t* status);

/* ---- Values out of range ---- */

/* The einsum functions above for results that no element type holds, such as partition functions of large
 * lattices: a result is a tensor times a power of two, which every intermediate carries too, so that only
 * elements far below the largest of their tensor can be lost. The largest element of the tensor, or part of a
 * complex one, is at least 1/2 and below 1, unless one is not finite; zeros have exponent 0. The logarithm of
 * an element is log(element) + exponent * log(2).
 *
 * Functions of one result write its exponent to *exponent_out. Gradient i is grads_out[i] times two to the
 * exponents_out[i], for a cotangent times two to the cotangent_exponent, which is at most 2^62 in magnitude.
 * Errors: as the functions without a scale; TFE_INVALID_ARGUMENT also for a NULL output and for a larger
 * exponent. Exponents are written on success only. */
TFE_API tfe_tensor_f64* tfe_einsum_scaled_f64(const char* subscripts, tfe_tensor_f64* const* operands,
                                              size_t n, int64_t* exponent_out, tfe_status_t* status);
TFE_API void tfe_einsum_vjp_scaled_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                       const tfe_tensor_f64* cotangent, int64_t cotangent_exponent,
                                       tfe_tensor_f64** grads_out, int64_t* exponents_out,
                                       tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_einsum_jvp_scaled_f64(const char* subscripts, tfe_tensor_f64* const* primals,
                                                  size_t n, tfe_tensor_f64* const* tangents,
                                                  int64_t* exponent_out, tfe_status_t* status);

/* The same along a plan, also one in slices, which run one after the other. */
TFE_API tfe_tensor_f64* tfe_einsum_plan_run_scaled_f64(const tfe_einsum_plan* plan,
                                                       tfe_tensor_f64* const* operands, size_t n,
                                                       int64_t* exponent_out, tfe_status_t* status);
TFE_API void tfe_einsum_plan_vjp_scaled_f64(const tfe_einsum_plan* plan, tfe_tensor_f64* const* operands,
                                            size_t n, const tfe_tensor_f64* cotangent,
                                            int64_t cotangent_exponent, tfe_tensor_f64** grads_out,
                                            int64_t* exponents_out, tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_einsum_plan_jvp_scaled_f64(const tfe_einsum_plan* plan,
                                                       tfe_tensor_f64* const* primals, size_t n,
                                                       tfe_tensor_f64* const* tangents, int64_t* exponent_out,
                                                       tfe_status_t* status);

/* ---- Singular value decomposition ---- */

/* The tensor as a matrix: `left` lists the axes that are its rows, `right` those that are its columns, both
 * in the order in which they are joined, and together every axis once. With k singular values U has the shape
 * [left extents..., k], S [k], in descending order, and Vt [k, right extents...]; tensor = U diag(S) Vt.
 * Truncation keeps the first max_rank singular values (0: all) and of these the ones that are at least
 * `cutoff`, in the same unit (negative: all), but one unless the matrix is empty. A list may be empty, and
 * NULL then; it makes one row or column. Signs, and phases of complex vectors, are not specified, but the
 * same for the same matrix.
 *
 * S is real: for c64 a tfe_tensor_f64, for c32 a tfe_tensor_f32; so are its cotangent and its tangent. Vt is
 * the conjugate transpose of V.
 *
 * Derivatives are those of the truncated decomposition and include what the singular values that were left
 * out contribute. They are finite also where singular values are equal or zero: there rotations of the
 * vectors of equal values among each other count as zero, so that derivatives of what depends on the values,
 * or on the space of the vectors, are right. max_rank and cutoff are those of the decomposition.
 *
 * Errors of these functions: TFE_INVALID_ARGUMENT for a NULL output, a NULL or dead handle, a list that is
 * NULL though its length is not 0, an axis that does not exist, is listed twice or not at all, a cutoff that
 * is NaN, and a NaN or infinity in the tensor (TFE_DETAIL_NUMERICAL); TFE_SHAPE_MISMATCH for a cotangent or
 * tangent of another shape; TFE_INTERNAL_ERROR when memory cannot be had or the iteration does not converge.
 */

/* The three outputs are set to NULL on entry; on success they are new tensors that the caller owns, on
 * failure all stay NULL. */
TFE_API void tfe_svd_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                         const size_t* right, size_t right_len, size_t max_rank, double cutoff,
                         tfe_tensor_f64** u_out, tfe_tensor_f64** s_out, tfe_tensor_f64** vt_out,
                         tfe_status_t* status);

/* Reverse mode: the gradient, a new tensor of the tensor's shape that the caller owns, for cotangents of the
 * results, of their shapes or NULL for zero. NULL on failure. */
TFE_API tfe_tensor_f64* tfe_svd_rrule_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                          const size_t* right, size_t right_len, size_t max_rank,
                                          double cutoff, const tfe_tensor_f64* cot_u,
                                          const tfe_tensor_f64* cot_s, const tfe_tensor_f64* cot_vt,
                                          tfe_status_t* status);

/* Forward mode: the tangents of the results along `tangent`, which has the tensor's shape or is NULL for
 * zero. Outputs as for tfe_svd_f64. */
TFE_API void tfe_svd_frule_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                               const size_t* right, size_t right_len, size_t max_rank, double cutoff,
                               const tfe_tensor_f64* tangent, tfe_tensor_f64** du_out,
                               tfe_tensor_f64** ds_out, tfe_tensor_f64** dvt_out, tfe_status_t* status);

/* tfe_svd_rrule_f64 under its other name. */
TFE_API tfe_tensor_f64* tfe_svd_vjp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                        const size_t* right, size_t right_len, size_t max_rank, double cutoff,
                                        const tfe_tensor_f64* cot_u, const tfe_tensor_f64* cot_s,
                                        const tfe_tensor_f64* cot_vt, tfe_status_t* status);

/* tfe_svd_frule_f64 under its other name. */
TFE_API void tfe_svd_jvp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                             const size_t* right, size_t right_len, size_t max_rank, double cutoff,
                             const tfe_tensor_f64* tangent, tfe_tensor_f64** du_out, tfe_tensor_f64** ds_out,
                             tfe_tensor_f64** dvt_out, tfe_status_t* status);

/* ---- The other element types ---- */

/* Declares for one type every function above whose name contains f64, with the same meaning. `scalar` is what
 * data pointers point to; `real` is f64 for c64, f32 for c32, else the suffix. For c32 and c64 an element is
 * two scalars, real part first (as float _Complex and std::complex<float> are); `len`, buf_len and strides
 * count elements, so `data` has 2 * len scalars. Derivatives of complex tensors are those of the real inner
 * product Re(conj(a) b): gradients are conjugated accordingly. */
#define TFE_DECLARE_TENSOR(suffix, scalar, real)                                                             \
    typedef struct tfe_tensor_##suffix tfe_tensor_##suffix;                                                  \
    TFE_API tfe_tensor_##suffix* tfe_tensor_##suffix##_from_data(                                            \
        const scalar* data, size_t len, const size_t* shape, size_t ndim, tfe_status_t* status);             \
    TFE_API tfe_tensor_##suffix* tfe_tensor_##suffix##_from_row_major_data(                                  \
        const scalar* data, size_t len, const size_t* shape, size_t ndim, tfe_status_t* status);             \
    TFE_API tfe_tensor_##suffix* tfe_tensor_##suffix##_zeros(const size_t* shape, size_t ndim,               \
                                                             tfe_status_t* status);                          \
    TFE_API tfe_tensor_##suffix* tfe_tensor_##suffix##_clone(const tfe_tensor_##suffix* tensor,              \
                                                             tfe_status_t* status);                          \
    TFE_API tfe_tensor_##suffix* tfe_tensor_##suffix##_conj(const tfe_tensor_##suffix* tensor,               \
                                                            tfe_status_t* status);                           \
    TFE_API void tfe_tensor_##suffix##_copy_row_major(const tfe_tensor_##suffix* tensor, scalar* buf,        \
                                                      size_t buf_len, size_t* out_len,                       \
                                                      tfe_status_t* status);                                 \
    TFE_API void tfe_tensor_##suffix##_release(tfe_tensor_##suffix* tensor);                                 \
    TFE_API int32_t tfe_tensor_##suffix##_is_assigned(const tfe_tensor_##suffix* tensor);                    \
    TFE_API size_t tfe_tensor_##suffix##_ndim(const tfe_tensor_##suffix* tensor);                            \
    TFE_API void tfe_tensor_##suffix##_shape(const tfe_tensor_##suffix* tensor, size_t* out_shape);          \
    TFE_API void tfe_tensor_##suffix##_strides(const tfe_tensor_##suffix* tensor, int64_t* out_strides);     \
    TFE_API size_t tfe_tensor_##suffix##_len(const tfe_tensor_##suffix* tensor);                             \
    TFE_API const scalar* tfe_tensor_##suffix##_data(const tfe_tensor_##suffix* tensor);                     \
    TFE_API struct DLManagedTensorVersioned* tfe_tensor_##suffix##_to_dlpack(tfe_tensor_##suffix* tensor,    \
                                                                             tfe_status_t* status);          \
    TFE_API tfe_tensor_##suffix* tfe_tensor_##suffix##_from_dlpack(struct DLManagedTensorVersioned* managed, \
                                                                   tfe_status_t* status);                    \
    TFE_API tfe_tensor_##suffix* tfe_einsum_##suffix(                                                        \
        const char* subscripts, tfe_tensor_##suffix* const* operands, size_t n, tfe_status_t* status);       \
    TFE_API void tfe_einsum_vjp_##suffix(const char* subscripts, tfe_tensor_##suffix* const* operands,       \
                                         size_t n, const tfe_tensor_##suffix* cotangent,                     \
                                         tfe_tensor_##suffix** grads_out, tfe_status_t* status);             \
    TFE_API void tfe_einsum_rrule_##suffix(const char* subscripts, tfe_tensor_##suffix* const* operands,     \
                                           size_t n, const tfe_tensor_##suffix* cotangent,                   \
                                           tfe_tensor_##suffix** grads_out, tfe_status_t* status);           \
    TFE_API tfe_tensor_##suffix* tfe_einsum_jvp_##suffix(                                                    \
        const char* subscripts, tfe_tensor_##suffix* const* primals, size_t n,                               \
        tfe_tensor_##suffix* const* tangents, tfe_status_t* status);                                         \
    TFE_API tfe_tensor_##suffix* tfe_einsum_frule_##suffix(                                                  \
        const char* subscripts, tfe_tensor_##suffix* const* primals, size_t n,                               \
        tfe_tensor_##suffix* const* tangents, tfe_status_t* status);                                         \
    TFE_API tfe_tensor_##suffix* tfe_einsum_plan_run_##suffix(                                               \
        const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* operands, size_t n, tfe_status_t* status);  \
    TFE_API void tfe_einsum_plan_vjp_##suffix(                                                               \
        const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* operands, size_t n,                         \
        const tfe_tensor_##suffix* cotangent, tfe_tensor_##suffix** grads_out, tfe_status_t* status);        \
    TFE_API tfe_tensor_##suffix* tfe_einsum_plan_jvp_##suffix(                                               \
        const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* primals, size_t n,                          \
        tfe_tensor_##suffix* const* tangents, tfe_status_t* status);                                         \
    TFE_API tfe_tensor_##suffix* tfe_einsum_scaled_##suffix(const char* subscripts,                          \
                                                            tfe_tensor_##suffix* const* operands, size_t n,  \
                                                            int64_t* exponent_out, tfe_status_t* status);    \
    TFE_API void tfe_einsum_vjp_scaled_##suffix(                                                             \
        const char* subscripts, tfe_tensor_##suffix* const* operands, size_t n,                              \
        const tfe_tensor_##suffix* cotangent, int64_t cotangent_exponent, tfe_tensor_##suffix** grads_out,   \
        int64_t* exponents_out, tfe_status_t* status);                                                       \
    TFE_API tfe_tensor_##suffix* tfe_einsum_jvp_scaled_##suffix(                                             \
        const char* subscripts, tfe_tensor_##suffix* const* primals, size_t n,                               \
        tfe_tensor_##suffix* const* tangents, int64_t* exponent_out, tfe_status_t* status);                  \
    TFE_API tfe_tensor_##suffix* tfe_einsum_plan_run_scaled_##suffix(                                        \
        const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* operands, size_t n, int64_t* exponent_out,  \
        tfe_status_t* status);                                                                               \
    TFE_API void tfe_einsum_plan_vjp_scaled_##suffix(                                                        \
        const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* operands, size_t n,                         \
        const tfe_tensor_##suffix* cotangent, int64_t cotangent_exponent, tfe_tensor_##suffix** grads_out,   \
        int64_t* exponents_out, tfe_status_t* status);                                                       \
    TFE_API tfe_tensor_##suffix* tfe_einsum_plan_jvp_scaled_##suffix(                                        \
        const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* primals, size_t n,                          \
        tfe_tensor_##suffix* const* tangents, int64_t* exponent_out, tfe_status_t* status);                  \
    TFE_API void tfe_svd_##suffix(const tfe_tensor_##suffix* tensor, const size_t* left, size_t left_len,    \
                                  const size_t* right, size_t right_len, size_t max_rank, double cutoff,     \
                                  tfe_tensor_##suffix** u_out, tfe_tensor_##real** s_out,                    \
                                  tfe_tensor_##suffix** vt_out, tfe_status_t* status);                       \
    TFE_API tfe_tensor_##suffix* tfe_svd_rrule_##suffix(                                                     \
        const tfe_tensor_##suffix* tensor, const size_t* left, size_t left_len, const size_t* right,         \
        size_t right_len, size_t max_rank, double cutoff, const tfe_tensor_##suffix* cot_u,                  \
        const tfe_tensor_##real* cot_s, const tfe_tensor_##suffix* cot_vt, tfe_status_t* status);            \
    TFE_API tfe_tensor_##suffix* tfe_svd_vjp_##suffix(                                                       \
        const tfe_tensor_##suffix* tensor, const size_t* left, size_t left_len, const size_t* right,         \
        size_t right_len, size_t max_rank, double cutoff, const tfe_tensor_##suffix* cot_u,                  \
        const tfe_tensor_##real* cot_s, const tfe_tensor_##suffix* cot_vt, tfe_status_t* status);            \
    TFE_API void tfe_svd_frule_##suffix(const tfe_tensor_##suffix* tensor, const size_t* left,               \
                                        size_t left_len, const size_t* right, size_t right_len,              \
                                        size_t max_rank, double cutoff, const tfe_tensor_##suffix* tangent,  \
                                        tfe_tensor_##suffix** du_out, tfe_tensor_##real** ds_out,            \
                                        tfe_tensor_##suffix** dvt_out, tfe_status_t* status);                \
    TFE_API void tfe_svd_jvp_##suffix(const tfe_tensor_##suffix* tensor, const size_t* left,                 \
                                      size_t left_len, const size_t* right, size_t right_len,                \
                                      size_t max_rank, double cutoff, const tfe_tensor_##suffix* tangent,    \
                                      tfe_tensor_##suffix** du_out, tfe_tensor_##real** ds_out,              \
                                      tfe_tensor_##suffix** dvt_out, tfe_status_t* status)

TFE_DECLARE_TENSOR(f32, float, f32);
TFE_DECLARE_TENSOR(c32, float, f32);
TFE_DECLARE_TENSOR(c64, double, f64);

/* ---- More linear algebra ---- */

/* Axis lists as for tfe_svd_f64, except that axes in neither list are a batch: each of its matrices is worked
 * on by itself, and results have the axes of the batch, in the tensor's order, behind their own. Outputs,
 * returned tensors, NULL cotangents and tangents, and errors likewise; besides, TFE_SHAPE_MISMATCH for a
 * matrix that must be square and is not, and TFE_INVALID_ARGUMENT with TFE_DETAIL_NUMERICAL for one that is
 * singular or not positive definite. Declared below by TFE_DECLARE_LINALG: the same functions for the other
 * element types, and for every type ..._vjp and ..._jvp under their other names ..._rrule and ..._frule. */

/* tensor = Q R: Q [left extents..., k, batch...] with orthonormal columns, R [k, right extents..., batch...]
 * upper triangular, where k is the smaller number of rows and columns. */
TFE_API void tfe_qr_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                        const size_t* right, size_t right_len, tfe_tensor_f64** q_out, tfe_tensor_f64** r_out,
                        tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_qr_vjp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                       const size_t* right, size_t right_len, const tfe_tensor_f64* cot_q,
                                       const tfe_tensor_f64* cot_r, tfe_status_t* status);
TFE_API void tfe_qr_jvp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                            const size_t* right, size_t right_len, const tfe_tensor_f64* tangent,
                            tfe_tensor_f64** dq_out, tfe_tensor_f64** dr_out, tfe_status_t* status);

/* Eigenvalues [n, batch...], real (as S of tfe_svd_f64) and ascending, and eigenvectors [left extents..., n,
 * batch...] of a Hermitian matrix, of which the lower triangle is read. */
TFE_API void tfe_eigh_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                          const size_t* right, size_t right_len, tfe_tensor_f64** values_out,
                          tfe_tensor_f64** vectors_out, tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_eigh_vjp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                         const size_t* right, size_t right_len,
                                         const tfe_tensor_f64* cot_values, const tfe_tensor_f64* cot_vectors,
                                         tfe_status_t* status);
TFE_API void tfe_eigh_jvp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                              const size_t* right, size_t right_len, const tfe_tensor_f64* tangent,
                              tfe_tensor_f64** dvalues_out, tfe_tensor_f64** dvectors_out,
                              tfe_status_t* status);

/* Eigenvalues [n, batch...], by real part, those of nearly the same one by imaginary part, and eigenvectors
 * of norm 1 [left extents..., n, batch...] of any square matrix. Both are complex: tfe_tensor_c64, for f32
 * and c32 tfe_tensor_c32. */
TFE_API void tfe_eig_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                         const size_t* right, size_t right_len, tfe_tensor_c64** values_out,
                         tfe_tensor_c64** vectors_out, tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_eig_vjp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                        const size_t* right, size_t right_len,
                                        const tfe_tensor_c64* cot_values, const tfe_tensor_c64* cot_vectors,
                                        tfe_status_t* status);
TFE_API void tfe_eig_jvp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                             const size_t* right, size_t right_len, const tfe_tensor_f64* tangent,
                             tfe_tensor_c64** dvalues_out, tfe_tensor_c64** dvectors_out,
                             tfe_status_t* status);

/* P times the tensor = L U: the permutation P [m, left extents..., batch...], L [m, k, batch...] with ones on
 * its diagonal, U [k, right extents..., batch...]; m and k as for tfe_qr_f64. P has no derivative. */
TFE_API void tfe_lu_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                        const size_t* right, size_t right_len, tfe_tensor_f64** p_out, tfe_tensor_f64** l_out,
                        tfe_tensor_f64** u_out, tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_lu_vjp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                       const size_t* right, size_t right_len, const tfe_tensor_f64* cot_l,
                                       const tfe_tensor_f64* cot_u, tfe_status_t* status);
TFE_API void tfe_lu_jvp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                            const size_t* right, size_t right_len, const tfe_tensor_f64* tangent,
                            tfe_tensor_f64** dl_out, tfe_tensor_f64** du_out, tfe_status_t* status);

/* The lower triangular L with tensor = L times its conjugate transpose, [left extents..., right extents...,
 * batch...], of a positive definite matrix, of which the lower triangle is read. */
TFE_API tfe_tensor_f64* tfe_cholesky_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                         const size_t* right, size_t right_len, tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_cholesky_vjp_f64(const tfe_tensor_f64* tensor, const size_t* left,
                                             size_t left_len, const size_t* right, size_t right_len,
                                             const tfe_tensor_f64* cot_l, tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_cholesky_jvp_f64(const tfe_tensor_f64* tensor, const size_t* left,
                                             size_t left_len, const size_t* right, size_t right_len,
                                             const tfe_tensor_f64* tangent, tfe_status_t* status);

/* X with tensor times X = b. `b` has the shape [left extents..., more..., batch...], where `more` are any
 * number of axes, and X [right extents..., more..., batch...]. Its derivatives are with respect to both. */
TFE_API tfe_tensor_f64* tfe_solve_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                      const size_t* right, size_t right_len, const tfe_tensor_f64* b,
                                      tfe_status_t* status);
TFE_API void tfe_solve_vjp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                               const size_t* right, size_t right_len, const tfe_tensor_f64* b,
                               const tfe_tensor_f64* cotangent, tfe_tensor_f64** grad_a_out,
                               tfe_tensor_f64** grad_b_out, tfe_status_t* status);
TFE_API tfe_tensor_f64* tfe_solve_jvp_f64(const tfe_tensor_f64* tensor, const size_t* left, size_t left_len,
                                          const size_t* right, size_t right_len, const tfe_tensor_f64* b,
                                          const tfe_tensor_f64* tangent_a, const tfe_tensor_f64* tangent_b,
                                          tfe_status_t* status);

/* What all functions of one type begin with. */
#define TFE_MATRIX(suffix)                                                                       \
    const tfe_tensor_##suffix *tensor, const size_t *left, size_t left_len, const size_t *right, \
        size_t right_len

/* The derivatives of one type under one pair of names. */
#define TFE_DECLARE_LINALG_DERIVATIVES(vjp, jvp, suffix, real, complex)                                      \
    TFE_API tfe_tensor_##suffix* tfe_qr_##vjp##_##suffix(                                                    \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* cot_q, const tfe_tensor_##suffix* cot_r,              \
        tfe_status_t* status);                                                                               \
    TFE_API void tfe_qr_##jvp##_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##suffix* tangent,             \
                                         tfe_tensor_##suffix** dq_out, tfe_tensor_##suffix** dr_out,         \
                                         tfe_status_t* status);                                              \
    TFE_API tfe_tensor_##suffix* tfe_eigh_##vjp##_##suffix(                                                  \
        TFE_MATRIX(suffix), const tfe_tensor_##real* cot_values, const tfe_tensor_##suffix* cot_vectors,     \
        tfe_status_t* status);                                                                               \
    TFE_API void tfe_eigh_##jvp##_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##suffix* tangent,           \
                                           tfe_tensor_##real** dvalues_out,                                  \
                                           tfe_tensor_##suffix** dvectors_out, tfe_status_t* status);        \
    TFE_API tfe_tensor_##suffix* tfe_eig_##vjp##_##suffix(                                                   \
        TFE_MATRIX(suffix), const tfe_tensor_##complex* cot_values, const tfe_tensor_##complex* cot_vectors, \
        tfe_status_t* status);                                                                               \
    TFE_API void tfe_eig_##jvp##_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##suffix* tangent,            \
                                          tfe_tensor_##complex** dvalues_out,                                \
                                          tfe_tensor_##complex** dvectors_out, tfe_status_t* status);        \
    TFE_API tfe_tensor_##suffix* tfe_lu_##vjp##_##suffix(                                                    \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* cot_l, const tfe_tensor_##suffix* cot_u,              \
        tfe_status_t* status);                                                                               \
    TFE_API void tfe_lu_##jvp##_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##suffix* tangent,             \
                                         tfe_tensor_##suffix** dl_out, tfe_tensor_##suffix** du_out,         \
                                         tfe_status_t* status);                                              \
    TFE_API tfe_tensor_##suffix* tfe_cholesky_##vjp##_##suffix(                                              \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* cot_l, tfe_status_t* status);                         \
    TFE_API tfe_tensor_##suffix* tfe_cholesky_##jvp##_##suffix(                                              \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* tangent, tfe_status_t* status);                       \
    TFE_API void tfe_solve_##vjp##_##suffix(                                                                 \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* b, const tfe_tensor_##suffix* cotangent,              \
        tfe_tensor_##suffix** grad_a_out, tfe_tensor_##suffix** grad_b_out, tfe_status_t* status);           \
    TFE_API tfe_tensor_##suffix* tfe_solve_##jvp##_##suffix(                                                 \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* b, const tfe_tensor_##suffix* tangent_a,              \
        const tfe_tensor_##suffix* tangent_b, tfe_status_t* status)

#define TFE_DECLARE_LINALG(suffix, real, complex)                                                     \
    TFE_API void tfe_qr_##suffix(TFE_MATRIX(suffix), tfe_tensor_##suffix** q_out,                     \
                                 tfe_tensor_##suffix** r_out, tfe_status_t* status);                  \
    TFE_API void tfe_eigh_##suffix(TFE_MATRIX(suffix), tfe_tensor_##real** values_out,                \
                                   tfe_tensor_##suffix** vectors_out, tfe_status_t* status);          \
    TFE_API void tfe_eig_##suffix(TFE_MATRIX(suffix), tfe_tensor_##complex** values_out,              \
                                  tfe_tensor_##complex** vectors_out, tfe_status_t* status);          \
    TFE_API void tfe_lu_##suffix(TFE_MATRIX(suffix), tfe_tensor_##suffix** p_out,                     \
                                 tfe_tensor_##suffix** l_out, tfe_tensor_##suffix** u_out,            \
                                 tfe_status_t* status);                                               \
    TFE_API tfe_tensor_##suffix* tfe_cholesky_##suffix(TFE_MATRIX(suffix), tfe_status_t* status);     \
    TFE_API tfe_tensor_##suffix* tfe_solve_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##suffix* b, \
                                                    tfe_status_t* status);                            \
    TFE_DECLARE_LINALG_DERIVATIVES(vjp, jvp, suffix, real, complex);                                  \
    TFE_DECLARE_LINALG_DERIVATIVES(rrule, frule, suffix, real, complex)

TFE_DECLARE_LINALG_DERIVATIVES(rrule, frule, f64, f64, c64);
TFE_DECLARE_LINALG(f32, f32, c32);
TFE_DECLARE_LINALG(c32, f32, c32);
TFE_DECLARE_LINALG(c64, f64, c64);

/* ---- Threads ---- */

/* How many threads a call may use, 1 to 4096; calls that have begun are not affected. At first it is the
 * number of processors that the process may run on, or what the environment variable TENFERRO_NUM_THREADS
 * says. Results do not depend on it. (TENFERRO_CPU_KIND=blas has large matrix products done by the BLAS of
 * the machine, or that which TENFERRO_BLAS_LIBRARY names; calls fail where there is none.)
 * Errors: TFE_INVALID_ARGUMENT for a number out of range. */
TFE_API void tfe_set_num_threads(int32_t threads, tfe_status_t* status);

/* That number; 0 (and the last error is set) when the library cannot start. */
TFE_API int32_t tfe_get_num_threads(void);

/* ---- Progress and cancellation ---- */

/* Where a call is. */
typedef struct tfe_progress {
    size_t struct_size; /* of the library's version, which may have more fields than the caller's */
    int32_t phase;      /* one of TFE_PHASE_... */
    int32_t reserved;
    uint64_t done, total; /* steps of this phase; total 0: not known */
    /* Of a search, else 0; with the best order so far, 0 until there is one. */
    double seconds_elapsed, seconds_left;             /* since it began; until its deadline, 0 without one */
    double best_seconds, best_flops, best_peak_bytes; /* as in tfe_einsum_plan_cost */
} tfe_progress;

/* Searching the order of the contractions, or contracting. */
#define TFE_PHASE_SEARCH 0
#define TFE_PHASE_RUN 1

/* Returns 0 to go on, any other value to cancel. */
typedef int32_t (*tfe_progress_fn)(const tfe_progress* progress, void* user);

/* Has the calling thread's einsums, their derivatives and plan searches ask `callback`, on this thread,
 * before each step of work, throughout a search and within long contractions; NULL ends that. A step is one
 * pairwise contraction, or a slice of them all. What the callback cancels fails with TFE_INTERNAL_ERROR and
 * TFE_DETAIL_CANCELLED as after any other failure: outputs are NULL and nothing is kept. `progress` is valid
 * during the callback only; calls of this library from within it are not watched; it may set another callback
 * or none, which holds at once; it must not throw or longjmp. */
TFE_API void tfe_set_progress(tfe_progress_fn callback, void* user);

/* ---- Errors and version ---- */

/* Copies the calling thread's last error message, with its terminating NUL, to buf[0 .. buf_len-1]. *out_len
 * receives the bytes needed including the NUL (1 when there was no error yet). buf == NULL only asks for the
 * length. One line, unless the environment has TENFERRO_BACKTRACE=1: then the call stack follows, a frame a
 * line. The message stays in place. Returns TFE_SUCCESS, TFE_BUFFER_TOO_SMALL (buf is untouched, *out_len is
 * written) or TFE_INVALID_ARGUMENT (out_len is NULL); these two do not become the last error. */
TFE_API tfe_status_t tfe_last_error_message(uint8_t* buf, size_t buf_len, size_t* out_len);

/* What kind of mistake the calling thread's last error was: a TFE_DETAIL_ value, TFE_DETAIL_NONE before the
 * first error. */
TFE_API tfe_error_detail_t tfe_last_error_detail(void);

/* The library's version; any pointer may be NULL. */
TFE_API void tfe_version(int32_t* major, int32_t* minor, int32_t* patch);

/* The library's version as "major.minor.patch"; a string of the library that lives for ever. */
TFE_API const char* tfe_version_string(void);

#ifdef __cplusplus
}
#endif

#endif /* TENFERRO_H */
