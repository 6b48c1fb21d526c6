/* tenferro: the C API of a dense tensor engine. This header is complete and compiles alone as C99 and later and as C++.
 *
 * Layout.    All tensors are column-major: the leftmost axis is the fastest, element (i, j) of an m x n matrix is at i + j*m.
 * Handles.   A tensor is named by an opaque handle. It is a token, not an address: never dereference it. A NULL handle, a
 *            handle that was released and a pointer that never was a handle are detected and reported, they never crash.
 *            Whoever obtains a handle owns it and gives it back with tfe_tensor_f64_release. Functions borrow the handles
 *            they are passed.
 * Status.    Fallible functions take `tfe_status_t* status` last and write TFE_SUCCESS or a negative value. `status` may be
 *            NULL: nothing is written, and failure still shows as NULL. Query functions have no status: on failure they
 *            return 0 or NULL.
 * Messages.  Every failure stores a one-line UTF-8 message for the calling thread, see tfe_last_error_message. Success
 *            leaves it alone.
 * Threads.   Tensors are immutable. Any function may be called from any thread, also on one handle at once. Releasing a
 *            handle while another thread uses it is safe: that call either completes or reports a dead handle. Only the
 *            pointer returned by tfe_tensor_f64_data needs the caller's care.
 * Pointers.  Arrays are trusted to have the length that is passed with them, strings to be NUL-terminated. An array pointer
 *            may be NULL when its length is 0. Output arrays must not overlap input arrays.
 * No function aborts, exits, prints or lets an exception escape.
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
#define TFE_INTERNAL_ERROR (-3)   /* out of memory, or a failure inside the library */
#define TFE_BUFFER_TOO_SMALL (-4) /* tfe_last_error_message only */

/* A tensor of double. */
typedef struct tfe_tensor_f64 tfe_tensor_f64;
typedef tfe_tensor_f64 TfeTensorF64;

/* ---- Tensors ---------------------------------------------------------------------------------------------------- */

/* A new tensor of shape[0] x ... x shape[ndim-1] holding a copy of the `len` elements at `data`, in column-major order.
 * ndim 0 is a scalar (len 1); extents may be 0 (len 0, `data` may be NULL). The caller owns the result.
 * Errors: TFE_SHAPE_MISMATCH when len is not the product of the extents; TFE_INVALID_ARGUMENT for a NULL array, an extent
 * above INT64_MAX or a product that overflows; TFE_INTERNAL_ERROR when memory cannot be had. Returns NULL on failure. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_from_data(const double* data, size_t len, const size_t* shape, size_t ndim,
                                                 tfe_status_t* status);

/* A new tensor of zeros. Shape, ownership and errors as tfe_tensor_f64_from_data. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_zeros(const size_t* shape, size_t ndim, tfe_status_t* status);

/* A new tensor of the same shape with its own copy of the elements. The caller owns the result.
 * Errors: TFE_INVALID_ARGUMENT for a NULL or dead handle; TFE_INTERNAL_ERROR when memory cannot be had. */
TFE_API tfe_tensor_f64* tfe_tensor_f64_clone(const tfe_tensor_f64* tensor, tfe_status_t* status);

/* Gives the handle back; the memory is freed when no call uses it any more. NULL is ignored. A handle that is already dead
 * is left alone, and the last error says so. Of several threads that release one handle, one does and the others are told. */
TFE_API void tfe_tensor_f64_release(tfe_tensor_f64* tensor);

/* 1 when `tensor` is a live handle of this type, else 0. Never touches the last error. */
TFE_API int32_t tfe_tensor_f64_is_assigned(const tfe_tensor_f64* tensor);

/* Number of axes; 0 also for a NULL or dead handle (and the last error is set). */
TFE_API size_t tfe_tensor_f64_ndim(const tfe_tensor_f64* tensor);

/* Writes the extents to out_shape[0 .. ndim-1]; out_shape may be NULL when ndim is 0. Writes nothing and sets the last error
 * when the handle is NULL or dead, or out_shape is NULL. */
TFE_API void tfe_tensor_f64_shape(const tfe_tensor_f64* tensor, size_t* out_shape);

/* Number of elements, 1 for a scalar; 0 also for a NULL or dead handle (and the last error is set). */
TFE_API size_t tfe_tensor_f64_len(const tfe_tensor_f64* tensor);

/* The elements in column-major order without gaps, tfe_tensor_f64_len of them; owned by the tensor and valid until its handle
 * is released, so the caller must not release it while any thread reads. NULL for a tensor without elements, and for a NULL or
 * dead handle (then the last error is set). */
TFE_API const double* tfe_tensor_f64_data(const tfe_tensor_f64* tensor);

/* ---- Einsum ----------------------------------------------------------------------------------------------------- */

/* Subscripts are UTF-8: comma-separated operand labels, "->", output labels, e.g. "ij,jk->ik". A label is one ASCII letter or
 * digit, or one code point from U+00C0 on. ASCII white space is ignored. A label may repeat in an operand (diagonal) and in
 * the output ("i->ii" embeds a diagonal). "..." stands for an operand's remaining axes, aligned at the right; inside it
 * extents of 1 broadcast. Parentheses fix the order: "ij,(jk,kl)->il". An operand without labels is a scalar.
 *
 * Errors of the functions below: TFE_INVALID_ARGUMENT for a NULL pointer, a NULL or dead handle, n == 0, malformed
 * subscripts or another number of operands than they name; TFE_SHAPE_MISMATCH when a label has two extents or a cotangent or
 * tangent has not the shape it needs; TFE_INTERNAL_ERROR when memory cannot be had. */

/* The einsum of operands[0 .. n-1]. Returns a new compact tensor that the caller owns, NULL on failure. */
TFE_API tfe_tensor_f64* tfe_einsum_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n, tfe_status_t* status);

/* Reverse mode (vector-Jacobian product): pulls `cotangent`, of the result's shape, back to every operand. grads_out[0 .. n-1]
 * are set to NULL on entry; on success grads_out[i] is a new tensor of the shape of operands[i] that the caller owns, on
 * failure all stay NULL. */
TFE_API void tfe_einsum_vjp_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                const tfe_tensor_f64* cotangent, tfe_tensor_f64** grads_out, tfe_status_t* status);

/* Forward mode (Jacobian-vector product): returns the tangent of the result as a new tensor that the caller owns, NULL on
 * failure. tangents[i] has the shape of primals[i], or is NULL for zero; `tangents` itself must not be NULL. */
TFE_API tfe_tensor_f64* tfe_einsum_jvp_f64(const char* subscripts, tfe_tensor_f64* const* primals, size_t n,
                                           tfe_tensor_f64* const* tangents, tfe_status_t* status);

/* tfe_einsum_vjp_f64 under its other name. */
TFE_API void tfe_einsum_rrule_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                  const tfe_tensor_f64* cotangent, tfe_tensor_f64** grads_out, tfe_status_t* status);

/* tfe_einsum_jvp_f64 under its other name. */
TFE_API tfe_tensor_f64* tfe_einsum_frule_f64(const char* subscripts, tfe_tensor_f64* const* primals, size_t n,
                                             tfe_tensor_f64* const* tangents, tfe_status_t* status);

/* ---- Errors and version ----------------------------------------------------------------------------------------- */

/* Copies the calling thread's last error message, with its terminating NUL, to buf[0 .. buf_len-1]. *out_len receives the
 * bytes needed including the NUL (1 when there was no error yet). buf == NULL only asks for the length. One line, unless the
 * environment has TENFERRO_BACKTRACE=1: then the call stack follows, a frame a line. The message stays in place.
 * Returns TFE_SUCCESS, TFE_BUFFER_TOO_SMALL (buf is untouched, *out_len is written) or TFE_INVALID_ARGUMENT (out_len is NULL);
 * these two do not become the last error. */
TFE_API tfe_status_t tfe_last_error_message(uint8_t* buf, size_t buf_len, size_t* out_len);

/* The library's version; any pointer may be NULL. */
TFE_API void tfe_version(int32_t* major, int32_t* minor, int32_t* patch);

/* The library's version as "major.minor.patch"; a string of the library that lives for ever. */
TFE_API const char* tfe_version_string(void);

#ifdef __cplusplus
}
#endif

#endif /* TENFERRO_H */
