! Written by tools/fortran_bindings.py from tenferro.h, which says what everything means.
module tenferro_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int32_t), parameter :: tfe_buffer_too_small = -4
  integer(c_int32_t), parameter :: tfe_detail_none = 0
  integer(c_int32_t), parameter :: tfe_detail_null_pointer = 1
  integer(c_int32_t), parameter :: tfe_detail_dead_handle = 2
  integer(c_int32_t), parameter :: tfe_detail_shape = 3
  integer(c_int32_t), parameter :: tfe_detail_dtype = 4
  integer(c_int32_t), parameter :: tfe_detail_axis = 5
  integer(c_int32_t), parameter :: tfe_detail_device = 6
  integer(c_int32_t), parameter :: tfe_detail_unsupported = 7
  integer(c_int32_t), parameter :: tfe_detail_invalid_value = 8
  integer(c_int32_t), parameter :: tfe_detail_numerical = 9
  integer(c_int32_t), parameter :: tfe_detail_out_of_memory = 10
  integer(c_int32_t), parameter :: tfe_detail_internal = 11
  integer(c_int32_t), parameter :: tfe_detail_cancelled = 12
  integer(c_int32_t), parameter :: tfe_dtype_f32 = 1
  integer(c_int32_t), parameter :: tfe_dtype_f64 = 2
  integer(c_int32_t), parameter :: tfe_dtype_c32 = 3
  integer(c_int32_t), parameter :: tfe_dtype_c64 = 4
  integer(c_int32_t), parameter :: tfe_einsum_objective_time = 0
  integer(c_int32_t), parameter :: tfe_einsum_objective_flops = 1
  integer(c_int32_t), parameter :: tfe_einsum_objective_memory = 2
  integer(c_int32_t), parameter :: tfe_internal_error = -3
  integer(c_int32_t), parameter :: tfe_invalid_argument = -1
  integer(c_int32_t), parameter :: tfe_phase_search = 0
  integer(c_int32_t), parameter :: tfe_phase_run = 1
  integer(c_int32_t), parameter :: tfe_shape_mismatch = -2
  integer(c_int32_t), parameter :: tfe_success = 0

  type, bind(c) :: tfe_einsum_plan_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int32_t) :: max_exact = 10
    integer(c_int32_t) :: greedy_attempts = 64
    integer(c_int64_t) :: seed = 0
    real(c_double) :: deadline = 0.0
    integer(c_int64_t) :: memory_limit = 0
    integer(c_int32_t) :: objective = tfe_einsum_objective_time
    integer(c_int32_t) :: element_bytes = 8
    integer(c_int32_t) :: threads = 1
    integer(c_int32_t) :: reserved = 0
    type(c_ptr) :: path = c_null_ptr
    integer(c_size_t) :: path_steps = 0
    integer(c_int64_t) :: vjp_memory_limit = 0
    integer(c_int32_t) :: dtype = 0
    integer(c_int32_t) :: reserved2 = 0
  end type

  type, bind(c) :: tfe_einsum_plan_cost
    integer(c_size_t) :: struct_size = 0
    real(c_double) :: flops = 0
    real(c_double) :: bytes = 0
    real(c_double) :: seconds = 0
    real(c_double) :: peak_bytes = 0
    real(c_double) :: largest_intermediate = 0
    real(c_double) :: slices = 0
  end type

  type, bind(c) :: tfe_progress
    integer(c_size_t) :: struct_size = 0
    integer(c_int32_t) :: phase = 0
    integer(c_int32_t) :: reserved = 0
    integer(c_int64_t) :: done = 0
    integer(c_int64_t) :: total = 0
    real(c_double) :: seconds_elapsed = 0
    real(c_double) :: seconds_left = 0
    real(c_double) :: best_seconds = 0
    real(c_double) :: best_flops = 0
    real(c_double) :: best_peak_bytes = 0
  end type

  abstract interface
    integer(c_int32_t) function tfe_progress_fn(progress, user) bind(c)
      import
      type(tfe_progress), intent(in) :: progress
      type(c_ptr), value :: user
    end function
  end interface

  interface
    type(c_ptr) function tfe_tensor_f64_from_data(data, len, shape, ndim, status) bind(c)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: len, ndim
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f64_from_row_major_data(data, len, shape, ndim, status) bind(c)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: len, ndim
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f64_zeros(shape, ndim, status) bind(c)
      import
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_size_t), value :: ndim
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f64_clone(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f64_conj(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_tensor_f64_copy_row_major(tensor, buf, buf_len, out_len, status) bind(c)
      import
      type(c_ptr), value :: tensor, buf
      integer(c_size_t), value :: buf_len
      integer(c_size_t), intent(out) :: out_len
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_tensor_f64_release(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end subroutine
    integer(c_int32_t) function tfe_tensor_f64_is_assigned(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    integer(c_size_t) function tfe_tensor_f64_ndim(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    subroutine tfe_tensor_f64_shape(tensor, out_shape) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(out) :: out_shape(*)
    end subroutine
    subroutine tfe_tensor_f64_strides(tensor, out_strides) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int64_t), intent(out) :: out_strides(*)
    end subroutine
    integer(c_size_t) function tfe_tensor_f64_len(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    type(c_ptr) function tfe_tensor_f64_data(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    type(c_ptr) function tfe_tensor_f64_to_dlpack(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f64_from_dlpack(managed, status) bind(c)
      import
      type(c_ptr), value :: managed
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_f64(subscripts, operands, n, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_vjp_f64(subscripts, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_jvp_f64(subscripts, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_rrule_f64(subscripts, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_frule_f64(subscripts, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_create(subscripts, shapes, ndims, n, options, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: shapes(*)
      integer(c_size_t), intent(in) :: ndims(*)
      integer(c_size_t), value :: n
      type(tfe_einsum_plan_options), intent(in) :: options
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_create_from_labels(labels, shapes, ndims, n, output, output_ndim, &
        options, status) bind(c)
      import
      type(c_ptr), intent(in) :: labels(*), shapes(*)
      integer(c_size_t), intent(in) :: ndims(*)
      integer(c_size_t), value :: n, output_ndim
      integer(c_int32_t), intent(in) :: output(*)
      type(tfe_einsum_plan_options), intent(in) :: options
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_clone(plan, status) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_release(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end subroutine
    integer(c_int32_t) function tfe_einsum_plan_is_assigned(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end function
    subroutine tfe_einsum_plan_get_cost(plan, out, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(tfe_einsum_plan_cost), intent(inout) :: out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_einsum_plan_get_vjp_cost(plan, out, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(tfe_einsum_plan_cost), intent(inout) :: out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_einsum_plan_get_path(plan, buf, buf_len, out_len, status) bind(c)
      import
      type(c_ptr), value :: plan, buf
      integer(c_size_t), value :: buf_len
      integer(c_size_t), intent(out) :: out_len
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_run_f64(plan, operands, n, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_vjp_f64(plan, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: plan, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_jvp_f64(plan, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_scaled_f64(subscripts, operands, n, exponent_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_vjp_scaled_f64(subscripts, operands, n, cotangent, cotangent_exponent, &
        grads_out, exponents_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: cotangent_exponent
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int64_t), intent(inout) :: exponents_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_jvp_scaled_f64(subscripts, primals, n, tangents, exponent_out, &
        status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_run_scaled_f64(plan, operands, n, exponent_out, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_vjp_scaled_f64(plan, operands, n, cotangent, cotangent_exponent, grads_out, &
        exponents_out, status) bind(c)
      import
      type(c_ptr), value :: plan, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: cotangent_exponent
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int64_t), intent(inout) :: exponents_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_jvp_scaled_f64(plan, primals, n, tangents, exponent_out, &
        status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_f64(tensor, left, left_len, right, right_len, max_rank, cutoff, u_out, s_out, &
        vt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: u_out, s_out, vt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_svd_rrule_f64(tensor, left, left_len, right, right_len, max_rank, cutoff, &
        cot_u, cot_s, cot_vt, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_u, cot_s, cot_vt
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_frule_f64(tensor, left, left_len, right, right_len, max_rank, cutoff, tangent, &
        du_out, ds_out, dvt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: du_out, ds_out, dvt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_svd_vjp_f64(tensor, left, left_len, right, right_len, max_rank, cutoff, &
        cot_u, cot_s, cot_vt, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_u, cot_s, cot_vt
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_jvp_f64(tensor, left, left_len, right, right_len, max_rank, cutoff, tangent, &
        du_out, ds_out, dvt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: du_out, ds_out, dvt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_tensor_f32_from_data(data, len, shape, ndim, status) bind(c)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: len, ndim
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f32_from_row_major_data(data, len, shape, ndim, status) bind(c)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: len, ndim
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f32_zeros(shape, ndim, status) bind(c)
      import
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_size_t), value :: ndim
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f32_clone(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f32_conj(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_tensor_f32_copy_row_major(tensor, buf, buf_len, out_len, status) bind(c)
      import
      type(c_ptr), value :: tensor, buf
      integer(c_size_t), value :: buf_len
      integer(c_size_t), intent(out) :: out_len
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_tensor_f32_release(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end subroutine
    integer(c_int32_t) function tfe_tensor_f32_is_assigned(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    integer(c_size_t) function tfe_tensor_f32_ndim(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    subroutine tfe_tensor_f32_shape(tensor, out_shape) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(out) :: out_shape(*)
    end subroutine
    subroutine tfe_tensor_f32_strides(tensor, out_strides) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int64_t), intent(out) :: out_strides(*)
    end subroutine
    integer(c_size_t) function tfe_tensor_f32_len(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    type(c_ptr) function tfe_tensor_f32_data(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    type(c_ptr) function tfe_tensor_f32_to_dlpack(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_f32_from_dlpack(managed, status) bind(c)
      import
      type(c_ptr), value :: managed
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_f32(subscripts, operands, n, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_vjp_f32(subscripts, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_einsum_rrule_f32(subscripts, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_jvp_f32(subscripts, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_frule_f32(subscripts, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_run_f32(plan, operands, n, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_vjp_f32(plan, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: plan, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_jvp_f32(plan, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_scaled_f32(subscripts, operands, n, exponent_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_vjp_scaled_f32(subscripts, operands, n, cotangent, cotangent_exponent, &
        grads_out, exponents_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: cotangent_exponent
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int64_t), intent(inout) :: exponents_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_jvp_scaled_f32(subscripts, primals, n, tangents, exponent_out, &
        status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_run_scaled_f32(plan, operands, n, exponent_out, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_vjp_scaled_f32(plan, operands, n, cotangent, cotangent_exponent, grads_out, &
        exponents_out, status) bind(c)
      import
      type(c_ptr), value :: plan, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: cotangent_exponent
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int64_t), intent(inout) :: exponents_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_jvp_scaled_f32(plan, primals, n, tangents, exponent_out, &
        status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_f32(tensor, left, left_len, right, right_len, max_rank, cutoff, u_out, s_out, &
        vt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: u_out, s_out, vt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_svd_rrule_f32(tensor, left, left_len, right, right_len, max_rank, cutoff, &
        cot_u, cot_s, cot_vt, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_u, cot_s, cot_vt
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_svd_vjp_f32(tensor, left, left_len, right, right_len, max_rank, cutoff, &
        cot_u, cot_s, cot_vt, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_u, cot_s, cot_vt
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_frule_f32(tensor, left, left_len, right, right_len, max_rank, cutoff, tangent, &
        du_out, ds_out, dvt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: du_out, ds_out, dvt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_svd_jvp_f32(tensor, left, left_len, right, right_len, max_rank, cutoff, tangent, &
        du_out, ds_out, dvt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: du_out, ds_out, dvt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_tensor_c32_from_data(data, len, shape, ndim, status) bind(c)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: len, ndim
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c32_from_row_major_data(data, len, shape, ndim, status) bind(c)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: len, ndim
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c32_zeros(shape, ndim, status) bind(c)
      import
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_size_t), value :: ndim
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c32_clone(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c32_conj(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_tensor_c32_copy_row_major(tensor, buf, buf_len, out_len, status) bind(c)
      import
      type(c_ptr), value :: tensor, buf
      integer(c_size_t), value :: buf_len
      integer(c_size_t), intent(out) :: out_len
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_tensor_c32_release(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end subroutine
    integer(c_int32_t) function tfe_tensor_c32_is_assigned(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    integer(c_size_t) function tfe_tensor_c32_ndim(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    subroutine tfe_tensor_c32_shape(tensor, out_shape) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(out) :: out_shape(*)
    end subroutine
    subroutine tfe_tensor_c32_strides(tensor, out_strides) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int64_t), intent(out) :: out_strides(*)
    end subroutine
    integer(c_size_t) function tfe_tensor_c32_len(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    type(c_ptr) function tfe_tensor_c32_data(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    type(c_ptr) function tfe_tensor_c32_to_dlpack(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c32_from_dlpack(managed, status) bind(c)
      import
      type(c_ptr), value :: managed
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_c32(subscripts, operands, n, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_vjp_c32(subscripts, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_einsum_rrule_c32(subscripts, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_jvp_c32(subscripts, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_frule_c32(subscripts, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_run_c32(plan, operands, n, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_vjp_c32(plan, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: plan, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_jvp_c32(plan, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_scaled_c32(subscripts, operands, n, exponent_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_vjp_scaled_c32(subscripts, operands, n, cotangent, cotangent_exponent, &
        grads_out, exponents_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: cotangent_exponent
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int64_t), intent(inout) :: exponents_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_jvp_scaled_c32(subscripts, primals, n, tangents, exponent_out, &
        status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_run_scaled_c32(plan, operands, n, exponent_out, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_vjp_scaled_c32(plan, operands, n, cotangent, cotangent_exponent, grads_out, &
        exponents_out, status) bind(c)
      import
      type(c_ptr), value :: plan, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: cotangent_exponent
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int64_t), intent(inout) :: exponents_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_jvp_scaled_c32(plan, primals, n, tangents, exponent_out, &
        status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_c32(tensor, left, left_len, right, right_len, max_rank, cutoff, u_out, s_out, &
        vt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: u_out, s_out, vt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_svd_rrule_c32(tensor, left, left_len, right, right_len, max_rank, cutoff, &
        cot_u, cot_s, cot_vt, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_u, cot_s, cot_vt
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_svd_vjp_c32(tensor, left, left_len, right, right_len, max_rank, cutoff, &
        cot_u, cot_s, cot_vt, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_u, cot_s, cot_vt
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_frule_c32(tensor, left, left_len, right, right_len, max_rank, cutoff, tangent, &
        du_out, ds_out, dvt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: du_out, ds_out, dvt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_svd_jvp_c32(tensor, left, left_len, right, right_len, max_rank, cutoff, tangent, &
        du_out, ds_out, dvt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: du_out, ds_out, dvt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_tensor_c64_from_data(data, len, shape, ndim, status) bind(c)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: len, ndim
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c64_from_row_major_data(data, len, shape, ndim, status) bind(c)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: len, ndim
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c64_zeros(shape, ndim, status) bind(c)
      import
      integer(c_size_t), intent(in) :: shape(*)
      integer(c_size_t), value :: ndim
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c64_clone(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c64_conj(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_tensor_c64_copy_row_major(tensor, buf, buf_len, out_len, status) bind(c)
      import
      type(c_ptr), value :: tensor, buf
      integer(c_size_t), value :: buf_len
      integer(c_size_t), intent(out) :: out_len
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_tensor_c64_release(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end subroutine
    integer(c_int32_t) function tfe_tensor_c64_is_assigned(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    integer(c_size_t) function tfe_tensor_c64_ndim(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    subroutine tfe_tensor_c64_shape(tensor, out_shape) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(out) :: out_shape(*)
    end subroutine
    subroutine tfe_tensor_c64_strides(tensor, out_strides) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int64_t), intent(out) :: out_strides(*)
    end subroutine
    integer(c_size_t) function tfe_tensor_c64_len(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    type(c_ptr) function tfe_tensor_c64_data(tensor) bind(c)
      import
      type(c_ptr), value :: tensor
    end function
    type(c_ptr) function tfe_tensor_c64_to_dlpack(tensor, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_tensor_c64_from_dlpack(managed, status) bind(c)
      import
      type(c_ptr), value :: managed
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_c64(subscripts, operands, n, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_vjp_c64(subscripts, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_einsum_rrule_c64(subscripts, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_jvp_c64(subscripts, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_frule_c64(subscripts, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_run_c64(plan, operands, n, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_vjp_c64(plan, operands, n, cotangent, grads_out, status) bind(c)
      import
      type(c_ptr), value :: plan, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_jvp_c64(plan, primals, n, tangents, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_scaled_c64(subscripts, operands, n, exponent_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_vjp_scaled_c64(subscripts, operands, n, cotangent, cotangent_exponent, &
        grads_out, exponents_out, status) bind(c)
      import
      type(c_ptr), value :: subscripts, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: cotangent_exponent
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int64_t), intent(inout) :: exponents_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_jvp_scaled_c64(subscripts, primals, n, tangents, exponent_out, &
        status) bind(c)
      import
      type(c_ptr), value :: subscripts
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_einsum_plan_run_scaled_c64(plan, operands, n, exponent_out, status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_einsum_plan_vjp_scaled_c64(plan, operands, n, cotangent, cotangent_exponent, grads_out, &
        exponents_out, status) bind(c)
      import
      type(c_ptr), value :: plan, cotangent
      type(c_ptr), intent(in) :: operands(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: cotangent_exponent
      type(c_ptr), intent(out) :: grads_out(*)
      integer(c_int64_t), intent(inout) :: exponents_out(*)
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_einsum_plan_jvp_scaled_c64(plan, primals, n, tangents, exponent_out, &
        status) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: primals(*), tangents(*)
      integer(c_size_t), value :: n
      integer(c_int64_t), intent(inout) :: exponent_out
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_c64(tensor, left, left_len, right, right_len, max_rank, cutoff, u_out, s_out, &
        vt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: u_out, s_out, vt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_svd_rrule_c64(tensor, left, left_len, right, right_len, max_rank, cutoff, &
        cot_u, cot_s, cot_vt, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_u, cot_s, cot_vt
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_svd_vjp_c64(tensor, left, left_len, right, right_len, max_rank, cutoff, &
        cot_u, cot_s, cot_vt, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_u, cot_s, cot_vt
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_svd_frule_c64(tensor, left, left_len, right, right_len, max_rank, cutoff, tangent, &
        du_out, ds_out, dvt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: du_out, ds_out, dvt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_svd_jvp_c64(tensor, left, left_len, right, right_len, max_rank, cutoff, tangent, &
        du_out, ds_out, dvt_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len, max_rank
      real(c_double), value :: cutoff
      type(c_ptr), intent(out) :: du_out, ds_out, dvt_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_qr_f64(tensor, left, left_len, right, right_len, q_out, r_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: q_out, r_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_qr_vjp_f64(tensor, left, left_len, right, right_len, cot_q, cot_r, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_q, cot_r
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_jvp_f64(tensor, left, left_len, right, right_len, tangent, dq_out, dr_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dq_out, dr_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_eigh_f64(tensor, left, left_len, right, right_len, values_out, vectors_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: values_out, vectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eigh_vjp_f64(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eigh_jvp_f64(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_eig_f64(tensor, left, left_len, right, right_len, values_out, vectors_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: values_out, vectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eig_vjp_f64(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eig_jvp_f64(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_lu_f64(tensor, left, left_len, right, right_len, p_out, l_out, u_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: p_out, l_out, u_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_lu_vjp_f64(tensor, left, left_len, right, right_len, cot_l, cot_u, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l, cot_u
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_lu_jvp_f64(tensor, left, left_len, right, right_len, tangent, dl_out, du_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dl_out, du_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_f64(tensor, left, left_len, right, right_len, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_vjp_f64(tensor, left, left_len, right, right_len, cot_l, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_jvp_f64(tensor, left, left_len, right, right_len, tangent, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_solve_f64(tensor, left, left_len, right, right_len, b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_solve_vjp_f64(tensor, left, left_len, right, right_len, b, cotangent, grad_a_out, &
        grad_b_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, cotangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: grad_a_out, grad_b_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_solve_jvp_f64(tensor, left, left_len, right, right_len, b, tangent_a, &
        tangent_b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, tangent_a, tangent_b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_qr_rrule_f64(tensor, left, left_len, right, right_len, cot_q, cot_r, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_q, cot_r
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_frule_f64(tensor, left, left_len, right, right_len, tangent, dq_out, dr_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dq_out, dr_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eigh_rrule_f64(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eigh_frule_f64(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eig_rrule_f64(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eig_frule_f64(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_lu_rrule_f64(tensor, left, left_len, right, right_len, cot_l, cot_u, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l, cot_u
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_lu_frule_f64(tensor, left, left_len, right, right_len, tangent, dl_out, du_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dl_out, du_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_rrule_f64(tensor, left, left_len, right, right_len, cot_l, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_frule_f64(tensor, left, left_len, right, right_len, tangent, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_solve_rrule_f64(tensor, left, left_len, right, right_len, b, cotangent, grad_a_out, &
        grad_b_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, cotangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: grad_a_out, grad_b_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_solve_frule_f64(tensor, left, left_len, right, right_len, b, tangent_a, &
        tangent_b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, tangent_a, tangent_b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_f32(tensor, left, left_len, right, right_len, q_out, r_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: q_out, r_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_eigh_f32(tensor, left, left_len, right, right_len, values_out, vectors_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: values_out, vectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_eig_f32(tensor, left, left_len, right, right_len, values_out, vectors_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: values_out, vectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_lu_f32(tensor, left, left_len, right, right_len, p_out, l_out, u_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: p_out, l_out, u_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_f32(tensor, left, left_len, right, right_len, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_solve_f32(tensor, left, left_len, right, right_len, b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_qr_vjp_f32(tensor, left, left_len, right, right_len, cot_q, cot_r, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_q, cot_r
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_jvp_f32(tensor, left, left_len, right, right_len, tangent, dq_out, dr_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dq_out, dr_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eigh_vjp_f32(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eigh_jvp_f32(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eig_vjp_f32(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eig_jvp_f32(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_lu_vjp_f32(tensor, left, left_len, right, right_len, cot_l, cot_u, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l, cot_u
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_lu_jvp_f32(tensor, left, left_len, right, right_len, tangent, dl_out, du_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dl_out, du_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_vjp_f32(tensor, left, left_len, right, right_len, cot_l, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_jvp_f32(tensor, left, left_len, right, right_len, tangent, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_solve_vjp_f32(tensor, left, left_len, right, right_len, b, cotangent, grad_a_out, &
        grad_b_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, cotangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: grad_a_out, grad_b_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_solve_jvp_f32(tensor, left, left_len, right, right_len, b, tangent_a, &
        tangent_b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, tangent_a, tangent_b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_qr_rrule_f32(tensor, left, left_len, right, right_len, cot_q, cot_r, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_q, cot_r
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_frule_f32(tensor, left, left_len, right, right_len, tangent, dq_out, dr_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dq_out, dr_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eigh_rrule_f32(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eigh_frule_f32(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eig_rrule_f32(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eig_frule_f32(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_lu_rrule_f32(tensor, left, left_len, right, right_len, cot_l, cot_u, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l, cot_u
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_lu_frule_f32(tensor, left, left_len, right, right_len, tangent, dl_out, du_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dl_out, du_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_rrule_f32(tensor, left, left_len, right, right_len, cot_l, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_frule_f32(tensor, left, left_len, right, right_len, tangent, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_solve_rrule_f32(tensor, left, left_len, right, right_len, b, cotangent, grad_a_out, &
        grad_b_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, cotangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: grad_a_out, grad_b_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_solve_frule_f32(tensor, left, left_len, right, right_len, b, tangent_a, &
        tangent_b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, tangent_a, tangent_b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_c32(tensor, left, left_len, right, right_len, q_out, r_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: q_out, r_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_eigh_c32(tensor, left, left_len, right, right_len, values_out, vectors_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: values_out, vectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_eig_c32(tensor, left, left_len, right, right_len, values_out, vectors_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: values_out, vectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_lu_c32(tensor, left, left_len, right, right_len, p_out, l_out, u_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: p_out, l_out, u_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_c32(tensor, left, left_len, right, right_len, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_solve_c32(tensor, left, left_len, right, right_len, b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_qr_vjp_c32(tensor, left, left_len, right, right_len, cot_q, cot_r, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_q, cot_r
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_jvp_c32(tensor, left, left_len, right, right_len, tangent, dq_out, dr_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dq_out, dr_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eigh_vjp_c32(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eigh_jvp_c32(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eig_vjp_c32(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eig_jvp_c32(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_lu_vjp_c32(tensor, left, left_len, right, right_len, cot_l, cot_u, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l, cot_u
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_lu_jvp_c32(tensor, left, left_len, right, right_len, tangent, dl_out, du_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dl_out, du_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_vjp_c32(tensor, left, left_len, right, right_len, cot_l, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_jvp_c32(tensor, left, left_len, right, right_len, tangent, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_solve_vjp_c32(tensor, left, left_len, right, right_len, b, cotangent, grad_a_out, &
        grad_b_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, cotangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: grad_a_out, grad_b_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_solve_jvp_c32(tensor, left, left_len, right, right_len, b, tangent_a, &
        tangent_b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, tangent_a, tangent_b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_qr_rrule_c32(tensor, left, left_len, right, right_len, cot_q, cot_r, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_q, cot_r
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_frule_c32(tensor, left, left_len, right, right_len, tangent, dq_out, dr_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dq_out, dr_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eigh_rrule_c32(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eigh_frule_c32(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eig_rrule_c32(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eig_frule_c32(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_lu_rrule_c32(tensor, left, left_len, right, right_len, cot_l, cot_u, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l, cot_u
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_lu_frule_c32(tensor, left, left_len, right, right_len, tangent, dl_out, du_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dl_out, du_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_rrule_c32(tensor, left, left_len, right, right_len, cot_l, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_frule_c32(tensor, left, left_len, right, right_len, tangent, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_solve_rrule_c32(tensor, left, left_len, right, right_len, b, cotangent, grad_a_out, &
        grad_b_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, cotangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: grad_a_out, grad_b_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_solve_frule_c32(tensor, left, left_len, right, right_len, b, tangent_a, &
        tangent_b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, tangent_a, tangent_b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_c64(tensor, left, left_len, right, right_len, q_out, r_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: q_out, r_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_eigh_c64(tensor, left, left_len, right, right_len, values_out, vectors_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: values_out, vectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_eig_c64(tensor, left, left_len, right, right_len, values_out, vectors_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: values_out, vectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    subroutine tfe_lu_c64(tensor, left, left_len, right, right_len, p_out, l_out, u_out, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: p_out, l_out, u_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_c64(tensor, left, left_len, right, right_len, status) bind(c)
      import
      type(c_ptr), value :: tensor
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_solve_c64(tensor, left, left_len, right, right_len, b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_qr_vjp_c64(tensor, left, left_len, right, right_len, cot_q, cot_r, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_q, cot_r
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_jvp_c64(tensor, left, left_len, right, right_len, tangent, dq_out, dr_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dq_out, dr_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eigh_vjp_c64(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eigh_jvp_c64(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eig_vjp_c64(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eig_jvp_c64(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_lu_vjp_c64(tensor, left, left_len, right, right_len, cot_l, cot_u, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l, cot_u
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_lu_jvp_c64(tensor, left, left_len, right, right_len, tangent, dl_out, du_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dl_out, du_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_vjp_c64(tensor, left, left_len, right, right_len, cot_l, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_jvp_c64(tensor, left, left_len, right, right_len, tangent, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_solve_vjp_c64(tensor, left, left_len, right, right_len, b, cotangent, grad_a_out, &
        grad_b_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, cotangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: grad_a_out, grad_b_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_solve_jvp_c64(tensor, left, left_len, right, right_len, b, tangent_a, &
        tangent_b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, tangent_a, tangent_b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_qr_rrule_c64(tensor, left, left_len, right, right_len, cot_q, cot_r, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_q, cot_r
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_qr_frule_c64(tensor, left, left_len, right, right_len, tangent, dq_out, dr_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dq_out, dr_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eigh_rrule_c64(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eigh_frule_c64(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_eig_rrule_c64(tensor, left, left_len, right, right_len, cot_values, &
        cot_vectors, status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_values, cot_vectors
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_eig_frule_c64(tensor, left, left_len, right, right_len, tangent, dvalues_out, &
        dvectors_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dvalues_out, dvectors_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_lu_rrule_c64(tensor, left, left_len, right, right_len, cot_l, cot_u, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l, cot_u
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_lu_frule_c64(tensor, left, left_len, right, right_len, tangent, dl_out, du_out, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: dl_out, du_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_cholesky_rrule_c64(tensor, left, left_len, right, right_len, cot_l, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, cot_l
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    type(c_ptr) function tfe_cholesky_frule_c64(tensor, left, left_len, right, right_len, tangent, &
        status) bind(c)
      import
      type(c_ptr), value :: tensor, tangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_solve_rrule_c64(tensor, left, left_len, right, right_len, b, cotangent, grad_a_out, &
        grad_b_out, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, cotangent
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      type(c_ptr), intent(out) :: grad_a_out, grad_b_out
      integer(c_int32_t), intent(out) :: status
    end subroutine
    type(c_ptr) function tfe_solve_frule_c64(tensor, left, left_len, right, right_len, b, tangent_a, &
        tangent_b, status) bind(c)
      import
      type(c_ptr), value :: tensor, b, tangent_a, tangent_b
      integer(c_size_t), intent(in) :: left(*), right(*)
      integer(c_size_t), value :: left_len, right_len
      integer(c_int32_t), intent(out) :: status
    end function
    subroutine tfe_set_num_threads(threads, status) bind(c)
      import
      integer(c_int32_t), value :: threads
      integer(c_int32_t), intent(out) :: status
    end subroutine
    integer(c_int32_t) function tfe_get_num_threads() bind(c)
      import
    end function
    subroutine tfe_set_progress(callback, user) bind(c)
      import
      type(c_funptr), value :: callback
      type(c_ptr), value :: user
    end subroutine
    integer(c_int32_t) function tfe_last_error_message(buf, buf_len, out_len) bind(c)
      import
      type(c_ptr), value :: buf
      integer(c_size_t), value :: buf_len
      integer(c_size_t), intent(out) :: out_len
    end function
    integer(c_int32_t) function tfe_last_error_detail() bind(c)
      import
    end function
    subroutine tfe_version(major, minor, patch) bind(c)
      import
      integer(c_int32_t), intent(out) :: major, minor, patch
    end subroutine
    type(c_ptr) function tfe_version_string() bind(c)
      import
    end function
  end interface
end module
