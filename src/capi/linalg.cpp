// The C functions of linear algebra, for every element type; matrix_calls.cpp has what they do.
#include "capi/matrix_calls.hpp"
#include "tenferro/capi/guard.hpp"

namespace capi = tenferro::capi;
using capi::MatrixFunction;

/* What becomes of the parameters TFE_MATRIX, which all functions begin with. */
#define TFE_CALL(element) capi::call_of<element>(function, tensor, left, left_len, right, right_len)

/* The body of a function with one, two or three outputs, which are NULL unless all goes well. */
#define TFE_GIVE_3(a, b, c, made)                             \
    capi::clear_each(a, b, c);                                \
    capi::guard(__func__, status, [&](const char* function) { \
        capi::check_pointer(function, a, #a);                 \
        capi::check_pointer(function, b, #b);                 \
        capi::check_pointer(function, c, #c);                 \
        (made).give(a, b, c);                                 \
    })
#define TFE_GIVE_2(a, b, made)                                \
    capi::clear_each(a, b);                                   \
    capi::guard(__func__, status, [&](const char* function) { \
        capi::check_pointer(function, a, #a);                 \
        capi::check_pointer(function, b, #b);                 \
        (made).give(a, b);                                    \
    })
#define TFE_RETURN(suffix, made)         \
    return capi::guard(__func__, status, \
                       [&](const char* function) { return (made).take<tfe_tensor_##suffix>(); })

/* Each derivative exists under two names. */
#define TFE_DEFINE_SVD_VJP(name, suffix, element, real)                                                   \
    tfe_tensor_##suffix* tfe_svd_##name##_##suffix(                                                       \
        TFE_MATRIX(suffix), size_t max_rank, double cutoff, const tfe_tensor_##suffix* cot_u,             \
        const tfe_tensor_##real* cot_s, const tfe_tensor_##suffix* cot_vt, tfe_status_t* status) {        \
        TFE_RETURN(suffix, capi::svd_vjp(TFE_CALL(element), {max_rank, cutoff}, {cot_u, cot_s, cot_vt})); \
    }
#define TFE_DEFINE_SVD_JVP(name, suffix, element, real)                                                     \
    void tfe_svd_##name##_##suffix(TFE_MATRIX(suffix), size_t max_rank, double cutoff,                      \
                                   const tfe_tensor_##suffix* tangent, tfe_tensor_##suffix** du_out,        \
                                   tfe_tensor_##real** ds_out, tfe_tensor_##suffix** dvt_out,               \
                                   tfe_status_t* status) {                                                  \
        TFE_GIVE_3(du_out, ds_out, dvt_out, capi::svd_jvp(TFE_CALL(element), {max_rank, cutoff}, tangent)); \
    }
#define TFE_DEFINE_SVD(suffix, element, real)                                                              \
    void tfe_svd_##suffix(TFE_MATRIX(suffix), size_t max_rank, double cutoff, tfe_tensor_##suffix** u_out, \
                          tfe_tensor_##real** s_out, tfe_tensor_##suffix** vt_out, tfe_status_t* status) { \
        TFE_GIVE_3(u_out, s_out, vt_out, capi::svd(TFE_CALL(element), {max_rank, cutoff}));                \
    }                                                                                                      \
    TFE_DEFINE_SVD_VJP(vjp, suffix, element, real)                                                         \
    TFE_DEFINE_SVD_VJP(rrule, suffix, element, real)                                                       \
    TFE_DEFINE_SVD_JVP(jvp, suffix, element, real)                                                         \
    TFE_DEFINE_SVD_JVP(frule, suffix, element, real)

TFE_DEFINE_SVD(f32, float, f32)
TFE_DEFINE_SVD(f64, double, f64)
TFE_DEFINE_SVD(c32, std::complex<float>, f32)
TFE_DEFINE_SVD(c64, std::complex<double>, f64)

/* Functions of one matrix with the derivatives of two results a and b, of types first and second. */
#define TFE_DEFINE_PAIR_VJP(op, which, name, suffix, element, first, a, second, b)                           \
    tfe_tensor_##suffix* tfe_##op##_##name##_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##first* cot_##a, \
                                                      const tfe_tensor_##second* cot_##b,                    \
                                                      tfe_status_t* status) {                                \
        TFE_RETURN(suffix, capi::matrix_call_vjp(which, TFE_CALL(element), {cot_##a, cot_##b}));             \
    }
#define TFE_DEFINE_PAIR_JVP(op, which, name, suffix, element, first, a, second, b)                       \
    void tfe_##op##_##name##_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##suffix* tangent,            \
                                      tfe_tensor_##first** d##a##_out, tfe_tensor_##second** d##b##_out, \
                                      tfe_status_t* status) {                                            \
        TFE_GIVE_2(d##a##_out, d##b##_out, capi::matrix_call_jvp(which, TFE_CALL(element), {tangent}));  \
    }
#define TFE_DEFINE_PAIR_DERIVATIVES(op, which, suffix, element, first, a, second, b) \
    TFE_DEFINE_PAIR_VJP(op, which, vjp, suffix, element, first, a, second, b)        \
    TFE_DEFINE_PAIR_VJP(op, which, rrule, suffix, element, first, a, second, b)      \
    TFE_DEFINE_PAIR_JVP(op, which, jvp, suffix, element, first, a, second, b)        \
    TFE_DEFINE_PAIR_JVP(op, which, frule, suffix, element, first, a, second, b)
#define TFE_DEFINE_PAIR(op, which, suffix, element, first, a, second, b)            \
    void tfe_##op##_##suffix(TFE_MATRIX(suffix), tfe_tensor_##first** a##_out,      \
                             tfe_tensor_##second** b##_out, tfe_status_t* status) { \
        TFE_GIVE_2(a##_out, b##_out, capi::matrix_call(which, TFE_CALL(element)));  \
    }                                                                               \
    TFE_DEFINE_PAIR_DERIVATIVES(op, which, suffix, element, first, a, second, b)

#define TFE_DEFINE_LU(suffix, element)                                                                 \
    void tfe_lu_##suffix(TFE_MATRIX(suffix), tfe_tensor_##suffix** p_out, tfe_tensor_##suffix** l_out, \
                         tfe_tensor_##suffix** u_out, tfe_status_t* status) {                          \
        TFE_GIVE_3(p_out, l_out, u_out, capi::matrix_call(MatrixFunction::Lu, TFE_CALL(element)));     \
    }                                                                                                  \
    TFE_DEFINE_PAIR_DERIVATIVES(lu, MatrixFunction::Lu, suffix, element, suffix, l, suffix, u)

#define TFE_DEFINE_CHOLESKY_VJP(name, suffix, element)                                                   \
    tfe_tensor_##suffix* tfe_cholesky_##name##_##suffix(                                                 \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* cot_l, tfe_status_t* status) {                    \
        TFE_RETURN(suffix, capi::matrix_call_vjp(MatrixFunction::Cholesky, TFE_CALL(element), {cot_l})); \
    }
#define TFE_DEFINE_CHOLESKY_JVP(name, suffix, element)                                                     \
    tfe_tensor_##suffix* tfe_cholesky_##name##_##suffix(                                                   \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* tangent, tfe_status_t* status) {                    \
        TFE_RETURN(suffix, capi::matrix_call_jvp(MatrixFunction::Cholesky, TFE_CALL(element), {tangent})); \
    }
#define TFE_DEFINE_CHOLESKY(suffix, element)                                                \
    tfe_tensor_##suffix* tfe_cholesky_##suffix(TFE_MATRIX(suffix), tfe_status_t* status) {  \
        TFE_RETURN(suffix, capi::matrix_call(MatrixFunction::Cholesky, TFE_CALL(element))); \
    }                                                                                       \
    TFE_DEFINE_CHOLESKY_VJP(vjp, suffix, element)                                           \
    TFE_DEFINE_CHOLESKY_VJP(rrule, suffix, element)                                         \
    TFE_DEFINE_CHOLESKY_JVP(jvp, suffix, element)                                           \
    TFE_DEFINE_CHOLESKY_JVP(frule, suffix, element)

#define TFE_DEFINE_SOLVE_VJP(name, suffix, element)                                                          \
    void tfe_solve_##name##_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##suffix* b,                       \
                                     const tfe_tensor_##suffix* cotangent, tfe_tensor_##suffix** grad_a_out, \
                                     tfe_tensor_##suffix** grad_b_out, tfe_status_t* status) {               \
        TFE_GIVE_2(grad_a_out, grad_b_out,                                                                   \
                   capi::matrix_call_vjp(MatrixFunction::Solve, TFE_CALL(element), {cotangent}, b));         \
    }
#define TFE_DEFINE_SOLVE_JVP(name, suffix, element)                                             \
    tfe_tensor_##suffix* tfe_solve_##name##_##suffix(                                           \
        TFE_MATRIX(suffix), const tfe_tensor_##suffix* b, const tfe_tensor_##suffix* tangent_a, \
        const tfe_tensor_##suffix* tangent_b, tfe_status_t* status) {                           \
        TFE_RETURN(suffix, capi::matrix_call_jvp(MatrixFunction::Solve, TFE_CALL(element),      \
                                                 {tangent_a, tangent_b}, b));                   \
    }
#define TFE_DEFINE_SOLVE(suffix, element)                                                     \
    tfe_tensor_##suffix* tfe_solve_##suffix(TFE_MATRIX(suffix), const tfe_tensor_##suffix* b, \
                                            tfe_status_t* status) {                           \
        TFE_RETURN(suffix, capi::matrix_call(MatrixFunction::Solve, TFE_CALL(element), b));   \
    }                                                                                         \
    TFE_DEFINE_SOLVE_VJP(vjp, suffix, element)                                                \
    TFE_DEFINE_SOLVE_VJP(rrule, suffix, element)                                              \
    TFE_DEFINE_SOLVE_JVP(jvp, suffix, element)                                                \
    TFE_DEFINE_SOLVE_JVP(frule, suffix, element)

#define TFE_DEFINE_LINALG(suffix, element, real, complex)                                         \
    TFE_DEFINE_PAIR(qr, MatrixFunction::Qr, suffix, element, suffix, q, suffix, r)                \
    TFE_DEFINE_PAIR(eigh, MatrixFunction::Eigh, suffix, element, real, values, suffix, vectors)   \
    TFE_DEFINE_PAIR(eig, MatrixFunction::Eig, suffix, element, complex, values, complex, vectors) \
    TFE_DEFINE_LU(suffix, element)                                                                \
    TFE_DEFINE_CHOLESKY(suffix, element)                                                          \
    TFE_DEFINE_SOLVE(suffix, element)

TFE_DEFINE_LINALG(f32, float, f32, c32)
TFE_DEFINE_LINALG(f64, double, f64, c64)
TFE_DEFINE_LINALG(c32, std::complex<float>, f32, c32)
TFE_DEFINE_LINALG(c64, std::complex<double>, f64, c64)
