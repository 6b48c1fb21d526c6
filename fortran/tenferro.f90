! The C API (tenferro.h) for Fortran 2018: tensors and plans as derived types that give their memory back.
! What operations mean says tenferro.h. Compile tenferro_c.f90 and this file with the compiler of the program
! and link libtenferro.
!
! Tensors of real and complex numbers of both precisions are one type, tensor; operands of one call are of one
! kind. Results are written to arguments, which give back what they held and must not be operands of the same
! call. Axes count from 1. A procedure that fails leaves its results as they were; with `stat` it gives the
! status of the C function (tfe_success, tfe_invalid_argument, ...) and with `errmsg` its message, without
! `stat` the program stops with the message.
module tenferro
  use, intrinsic :: iso_c_binding
  use tenferro_c
  implicit none
  private

  public :: tensor, einsum_plan, integers
  public :: einsum, einsum_vjp, einsum_jvp, einsum_scaled, einsum_vjp_scaled, einsum_jvp_scaled
  public :: svd, svd_vjp, svd_jvp, qr, qr_vjp, qr_jvp, eigh, eigh_vjp, eigh_jvp, eig, eig_vjp, eig_jvp
  public :: lu, lu_vjp, lu_jvp, cholesky, cholesky_vjp, cholesky_jvp, solve, solve_vjp, solve_jvp
  public :: set_num_threads, num_threads, set_progress, error_detail, error_message, library_version
  public :: tfe_success, tfe_invalid_argument, tfe_shape_mismatch, tfe_internal_error
  public :: tfe_detail_none, tfe_detail_null_pointer, tfe_detail_dead_handle, tfe_detail_shape, &
    tfe_detail_dtype, tfe_detail_axis, tfe_detail_device, tfe_detail_unsupported, tfe_detail_invalid_value, &
    tfe_detail_numerical, tfe_detail_out_of_memory, tfe_detail_internal, tfe_detail_cancelled
  public :: tfe_dtype_f32, tfe_dtype_f64, tfe_dtype_c32, tfe_dtype_c64
  public :: tfe_einsum_objective_time, tfe_einsum_objective_flops, tfe_einsum_objective_memory
  public :: tfe_einsum_plan_options, tfe_einsum_plan_cost
  public :: tfe_progress, tfe_progress_fn, tfe_phase_search, tfe_phase_run

  ! A tensor. At first it has none and is zero among cotangents and tangents.
  !   t = array               a copy of an array of any rank
  !   t = u                   a copy of a tensor
  !   call t%set(array)       the first with stat and errmsg
  !   call t%view(array)      the memory of a contiguous array with the attribute target, which is never
  !                           written, must live as long as t and must not change while a procedure runs
  !   call t%data(pointer)    points to the elements, which are t's and must not be written; rank 1 to 3
  !   call t%get(array)       copies the elements to an array of t's shape
  ! Types with tensors as components: gfortran 12 finalises wrong addresses where a component is an array that
  ! is not allocatable, and where one object is assigned to another.
  !   call t%zeros(shape, tfe_dtype_f64)
  type :: tensor
    private
    type(c_ptr) :: handle = c_null_ptr
    integer(c_int32_t) :: dtype_ = tfe_dtype_f64
  contains
    procedure :: zeros => tensor_zeros
    procedure :: conj => tensor_conj             ! call t%conj(result)
    procedure :: shape => tensor_shape
    procedure :: strides => tensor_strides
    procedure :: ndim => tensor_ndim
    procedure :: size => tensor_size
    procedure :: dtype => tensor_dtype           ! tfe_dtype_f32, ...
    procedure :: assigned => tensor_assigned     ! whether there is a tensor
    procedure :: release => tensor_release
    procedure :: c_handle => tensor_c_handle     ! for tenferro_c; remains this object's
    procedure :: to_dlpack => tensor_to_dlpack   ! call t%to_dlpack(managed); t has no tensor then
    procedure :: from_dlpack => tensor_from_dlpack
    procedure, private :: assign_tensor, assign_f32, assign_f64, assign_c32, assign_c64, set_f32, set_f64, &
      set_c32, set_c64, view_f32, view_f64, view_c32, view_c64, get_f32, get_f64, get_c32, get_c64, &
      data_f32_1, data_f32_2, data_f32_3, data_f64_1, data_f64_2, data_f64_3, data_c32_1, data_c32_2, &
      data_c32_3, data_c64_1, data_c64_2, data_c64_3
    generic :: assignment(=) => assign_tensor, assign_f32, assign_f64, assign_c32, assign_c64
    generic :: set => set_f32, set_f64, set_c32, set_c64
    generic :: view => view_f32, view_f64, view_c32, view_c64
    generic :: get => get_f32, get_f64, get_c32, get_c64
    generic :: data => data_f32_1, data_f32_2, data_f32_3, data_f64_1, data_f64_2, data_f64_3, data_c32_1, &
      data_c32_2, data_c32_3, data_c64_1, data_c64_2, data_c64_3
    final :: tensor_final
  end type

  ! A list of integers as an entry of an array: integers([2, 3]) is a shape, or the labels of an operand.
  ! At most 64; of fixed size because gfortran before version 13 loses what arrays of lists allocate.
  type :: integers
    private
    integer :: length = 0
    integer(c_int64_t) :: values(64) = 0
  end type
  interface integers
    module procedure new_integers
  end interface

  ! Subscripts with the shapes they are for.
  !   call plan%create('ij,jk->ik', [integers([2, 3]), integers([3, 4])])
  !   call plan%create([integers([1, 2]), integers([2, 3])], [1, 3], shapes)   with labels and output
  !   call plan%run(c, a, b)                                                 or an array of operands
  !   call plan%vjp(gradients, operands, cotangent); call plan%jvp(tangent, primals, tangents)
  ! and the same three with exponents. `order` of create stands for path and path_steps of the options: pairs
  ! of positions that count from 0, as get_order gives them and opt_einsum has them.
  type :: einsum_plan
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure, private :: create_from_subscripts, create_from_labels, run_each, run_list
    procedure, private :: run_scaled_each, run_scaled_list, assign_plan
    generic :: create => create_from_subscripts, create_from_labels
    generic :: run => run_each, run_list
    generic :: run_scaled => run_scaled_each, run_scaled_list
    generic :: assignment(=) => assign_plan      ! another handle of the same plan
    procedure :: vjp => plan_vjp
    procedure :: jvp => plan_jvp
    procedure :: vjp_scaled => plan_vjp_scaled
    procedure :: jvp_scaled => plan_jvp_scaled
    procedure :: get_cost => plan_get_cost
    procedure :: get_vjp_cost => plan_get_vjp_cost
    procedure :: get_order => plan_get_order
    procedure :: assigned => plan_assigned
    procedure :: release => plan_release
    final :: plan_final
  end type

  ! call einsum(c, 'ij,jk->ik', a, b), up to six operands, or an array of them.
  interface einsum
    module procedure einsum_each, einsum_list
  end interface
  ! call einsum_scaled(c, exponent, 'ij,jk->ik', a, b): the result is c times two to the exponent.
  interface einsum_scaled
    module procedure einsum_scaled_each, einsum_scaled_list
  end interface

  ! The C functions of one element type.
  type :: functions
    procedure(tfe_tensor_f64_from_data), pointer, nopass :: from_data
    procedure(tfe_tensor_f64_zeros), pointer, nopass :: zeros
    procedure(tfe_tensor_f64_clone), pointer, nopass :: clone, conj, to_dlpack, from_dlpack
    procedure(tfe_tensor_f64_release), pointer, nopass :: release
    procedure(tfe_tensor_f64_is_assigned), pointer, nopass :: is_assigned
    procedure(tfe_tensor_f64_ndim), pointer, nopass :: ndim, len
    procedure(tfe_tensor_f64_shape), pointer, nopass :: shape
    procedure(tfe_tensor_f64_strides), pointer, nopass :: strides
    procedure(tfe_tensor_f64_data), pointer, nopass :: data
    procedure(tfe_einsum_f64), pointer, nopass :: einsum, plan
    procedure(tfe_einsum_vjp_f64), pointer, nopass :: einsum_vjp, plan_vjp
    procedure(tfe_einsum_jvp_f64), pointer, nopass :: einsum_jvp, plan_jvp
    procedure(tfe_einsum_scaled_f64), pointer, nopass :: einsum_scaled, plan_scaled
    procedure(tfe_einsum_vjp_scaled_f64), pointer, nopass :: einsum_vjp_scaled, plan_vjp_scaled
    procedure(tfe_einsum_jvp_scaled_f64), pointer, nopass :: einsum_jvp_scaled, plan_jvp_scaled
    procedure(tfe_svd_f64), pointer, nopass :: svd
    procedure(tfe_svd_vjp_f64), pointer, nopass :: svd_vjp
    procedure(tfe_svd_jvp_f64), pointer, nopass :: svd_jvp
    procedure(tfe_qr_f64), pointer, nopass :: qr, eigh, eig
    procedure(tfe_qr_vjp_f64), pointer, nopass :: qr_vjp, eigh_vjp, eig_vjp, lu_vjp
    procedure(tfe_qr_jvp_f64), pointer, nopass :: qr_jvp, eigh_jvp, eig_jvp, lu_jvp
    procedure(tfe_lu_f64), pointer, nopass :: lu
    procedure(tfe_cholesky_f64), pointer, nopass :: cholesky
    procedure(tfe_cholesky_vjp_f64), pointer, nopass :: cholesky_vjp, cholesky_jvp, solve
    procedure(tfe_solve_vjp_f64), pointer, nopass :: solve_vjp
    procedure(tfe_solve_jvp_f64), pointer, nopass :: solve_jvp
  end type

  ! An array lent to the library, with the struct of DLPack 1.x that says so; lives until its deleter is
  ! called.
  type, bind(c) :: lent_array
    integer(c_int32_t) :: major = 1, minor = 0
    type(c_ptr) :: context = c_null_ptr
    type(c_funptr) :: deleter = c_null_funptr
    integer(c_int64_t) :: flags = 1              ! read-only
    type(c_ptr) :: data = c_null_ptr
    integer(c_int32_t) :: device_type = 1, device_id = 0
    integer(c_int32_t) :: ndim = 0
    integer(c_int8_t) :: type_code = 2, type_bits = 64
    integer(c_int16_t) :: type_lanes = 1
    type(c_ptr) :: shape = c_null_ptr
    type(c_ptr) :: strides = c_null_ptr
    integer(c_int64_t) :: byte_offset = 0
    integer(c_int64_t) :: extents(15) = 0, steps(15) = 0
  end type

  ! What a tensor without elements has for data.
  character(kind=c_char), target :: nothing(1)

contains

  ! ---- Errors ----

  ! The message of the calling thread's last error.
  function error_message() result(message)
    character(:), allocatable :: message
    character(kind=c_char), allocatable, target :: text(:)
    integer(c_size_t) :: length
    integer :: i
    length = 1
    if (tfe_last_error_message(c_null_ptr, 0_c_size_t, length) /= tfe_success) return
    allocate (text(length))
    if (tfe_last_error_message(c_loc(text), size(text, kind=c_size_t), length) /= tfe_success) return
    allocate (character(size(text) - 1) :: message)
    do i = 1, len(message)
      message(i:i) = text(i)
    end do
  end function

  ! Its kind: tfe_detail_shape, ...
  integer(c_int32_t) function error_detail()
    error_detail = tfe_last_error_detail()
  end function

  ! Tells the caller how a C function ended.
  subroutine report(status, stat, errmsg)
    integer(c_int32_t), intent(in) :: status
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (status /= tfe_success) then
      call refuse(status, error_message(), stat, errmsg)
    else if (present(stat)) then
      stat = tfe_success
    end if
  end subroutine

  ! The same, and whether it was success.
  logical function succeeded(status, stat, errmsg)
    integer(c_int32_t), intent(in) :: status
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(status, stat, errmsg)
    succeeded = status == tfe_success
  end function

  subroutine refuse(status, message, stat, errmsg)
    integer(c_int32_t), intent(in) :: status
    character(*), intent(in) :: message
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (present(errmsg)) errmsg = message
    if (.not. present(stat)) error stop message
    stat = status
  end subroutine

  function text(number)
    integer(c_int64_t), intent(in) :: number
    character(:), allocatable :: text
    character(20) :: digits
    write (digits, '(i0)') number
    text = trim(digits)
  end function

  ! ---- Element types ----

  function functions_of(dtype) result(f)
    integer(c_int32_t), intent(in) :: dtype
    type(functions) :: f
    select case (dtype)
    case (tfe_dtype_f32)
      f = functions(from_data=tfe_tensor_f32_from_data, zeros=tfe_tensor_f32_zeros, &
        clone=tfe_tensor_f32_clone, conj=tfe_tensor_f32_conj, to_dlpack=tfe_tensor_f32_to_dlpack, &
        from_dlpack=tfe_tensor_f32_from_dlpack, release=tfe_tensor_f32_release, &
        is_assigned=tfe_tensor_f32_is_assigned, ndim=tfe_tensor_f32_ndim, len=tfe_tensor_f32_len, &
        shape=tfe_tensor_f32_shape, strides=tfe_tensor_f32_strides, data=tfe_tensor_f32_data, &
        einsum=tfe_einsum_f32, plan=tfe_einsum_plan_run_f32, einsum_vjp=tfe_einsum_vjp_f32, &
        plan_vjp=tfe_einsum_plan_vjp_f32, einsum_jvp=tfe_einsum_jvp_f32, plan_jvp=tfe_einsum_plan_jvp_f32, &
        einsum_scaled=tfe_einsum_scaled_f32, plan_scaled=tfe_einsum_plan_run_scaled_f32, &
        einsum_vjp_scaled=tfe_einsum_vjp_scaled_f32, plan_vjp_scaled=tfe_einsum_plan_vjp_scaled_f32, &
        einsum_jvp_scaled=tfe_einsum_jvp_scaled_f32, plan_jvp_scaled=tfe_einsum_plan_jvp_scaled_f32, &
        svd=tfe_svd_f32, svd_vjp=tfe_svd_vjp_f32, svd_jvp=tfe_svd_jvp_f32, qr=tfe_qr_f32, &
        eigh=tfe_eigh_f32, eig=tfe_eig_f32, qr_vjp=tfe_qr_vjp_f32, eigh_vjp=tfe_eigh_vjp_f32, &
        eig_vjp=tfe_eig_vjp_f32, lu_vjp=tfe_lu_vjp_f32, qr_jvp=tfe_qr_jvp_f32, eigh_jvp=tfe_eigh_jvp_f32, &
        eig_jvp=tfe_eig_jvp_f32, lu_jvp=tfe_lu_jvp_f32, lu=tfe_lu_f32, cholesky=tfe_cholesky_f32, &
        cholesky_vjp=tfe_cholesky_vjp_f32, cholesky_jvp=tfe_cholesky_jvp_f32, solve=tfe_solve_f32, &
        solve_vjp=tfe_solve_vjp_f32, solve_jvp=tfe_solve_jvp_f32)
    case (tfe_dtype_f64)
      f = functions(from_data=tfe_tensor_f64_from_data, zeros=tfe_tensor_f64_zeros, &
        clone=tfe_tensor_f64_clone, conj=tfe_tensor_f64_conj, to_dlpack=tfe_tensor_f64_to_dlpack, &
        from_dlpack=tfe_tensor_f64_from_dlpack, release=tfe_tensor_f64_release, &
        is_assigned=tfe_tensor_f64_is_assigned, ndim=tfe_tensor_f64_ndim, len=tfe_tensor_f64_len, &
        shape=tfe_tensor_f64_shape, strides=tfe_tensor_f64_strides, data=tfe_tensor_f64_data, &
        einsum=tfe_einsum_f64, plan=tfe_einsum_plan_run_f64, einsum_vjp=tfe_einsum_vjp_f64, &
        plan_vjp=tfe_einsum_plan_vjp_f64, einsum_jvp=tfe_einsum_jvp_f64, plan_jvp=tfe_einsum_plan_jvp_f64, &
        einsum_scaled=tfe_einsum_scaled_f64, plan_scaled=tfe_einsum_plan_run_scaled_f64, &
        einsum_vjp_scaled=tfe_einsum_vjp_scaled_f64, plan_vjp_scaled=tfe_einsum_plan_vjp_scaled_f64, &
        einsum_jvp_scaled=tfe_einsum_jvp_scaled_f64, plan_jvp_scaled=tfe_einsum_plan_jvp_scaled_f64, &
        svd=tfe_svd_f64, svd_vjp=tfe_svd_vjp_f64, svd_jvp=tfe_svd_jvp_f64, qr=tfe_qr_f64, &
        eigh=tfe_eigh_f64, eig=tfe_eig_f64, qr_vjp=tfe_qr_vjp_f64, eigh_vjp=tfe_eigh_vjp_f64, &
        eig_vjp=tfe_eig_vjp_f64, lu_vjp=tfe_lu_vjp_f64, qr_jvp=tfe_qr_jvp_f64, eigh_jvp=tfe_eigh_jvp_f64, &
        eig_jvp=tfe_eig_jvp_f64, lu_jvp=tfe_lu_jvp_f64, lu=tfe_lu_f64, cholesky=tfe_cholesky_f64, &
        cholesky_vjp=tfe_cholesky_vjp_f64, cholesky_jvp=tfe_cholesky_jvp_f64, solve=tfe_solve_f64, &
        solve_vjp=tfe_solve_vjp_f64, solve_jvp=tfe_solve_jvp_f64)
    case (tfe_dtype_c32)
      f = functions(from_data=tfe_tensor_c32_from_data, zeros=tfe_tensor_c32_zeros, &
        clone=tfe_tensor_c32_clone, conj=tfe_tensor_c32_conj, to_dlpack=tfe_tensor_c32_to_dlpack, &
        from_dlpack=tfe_tensor_c32_from_dlpack, release=tfe_tensor_c32_release, &
        is_assigned=tfe_tensor_c32_is_assigned, ndim=tfe_tensor_c32_ndim, len=tfe_tensor_c32_len, &
        shape=tfe_tensor_c32_shape, strides=tfe_tensor_c32_strides, data=tfe_tensor_c32_data, &
        einsum=tfe_einsum_c32, plan=tfe_einsum_plan_run_c32, einsum_vjp=tfe_einsum_vjp_c32, &
        plan_vjp=tfe_einsum_plan_vjp_c32, einsum_jvp=tfe_einsum_jvp_c32, plan_jvp=tfe_einsum_plan_jvp_c32, &
        einsum_scaled=tfe_einsum_scaled_c32, plan_scaled=tfe_einsum_plan_run_scaled_c32, &
        einsum_vjp_scaled=tfe_einsum_vjp_scaled_c32, plan_vjp_scaled=tfe_einsum_plan_vjp_scaled_c32, &
        einsum_jvp_scaled=tfe_einsum_jvp_scaled_c32, plan_jvp_scaled=tfe_einsum_plan_jvp_scaled_c32, &
        svd=tfe_svd_c32, svd_vjp=tfe_svd_vjp_c32, svd_jvp=tfe_svd_jvp_c32, qr=tfe_qr_c32, &
        eigh=tfe_eigh_c32, eig=tfe_eig_c32, qr_vjp=tfe_qr_vjp_c32, eigh_vjp=tfe_eigh_vjp_c32, &
        eig_vjp=tfe_eig_vjp_c32, lu_vjp=tfe_lu_vjp_c32, qr_jvp=tfe_qr_jvp_c32, eigh_jvp=tfe_eigh_jvp_c32, &
        eig_jvp=tfe_eig_jvp_c32, lu_jvp=tfe_lu_jvp_c32, lu=tfe_lu_c32, cholesky=tfe_cholesky_c32, &
        cholesky_vjp=tfe_cholesky_vjp_c32, cholesky_jvp=tfe_cholesky_jvp_c32, solve=tfe_solve_c32, &
        solve_vjp=tfe_solve_vjp_c32, solve_jvp=tfe_solve_jvp_c32)
    case (tfe_dtype_c64)
      f = functions(from_data=tfe_tensor_c64_from_data, zeros=tfe_tensor_c64_zeros, &
        clone=tfe_tensor_c64_clone, conj=tfe_tensor_c64_conj, to_dlpack=tfe_tensor_c64_to_dlpack, &
        from_dlpack=tfe_tensor_c64_from_dlpack, release=tfe_tensor_c64_release, &
        is_assigned=tfe_tensor_c64_is_assigned, ndim=tfe_tensor_c64_ndim, len=tfe_tensor_c64_len, &
        shape=tfe_tensor_c64_shape, strides=tfe_tensor_c64_strides, data=tfe_tensor_c64_data, &
        einsum=tfe_einsum_c64, plan=tfe_einsum_plan_run_c64, einsum_vjp=tfe_einsum_vjp_c64, &
        plan_vjp=tfe_einsum_plan_vjp_c64, einsum_jvp=tfe_einsum_jvp_c64, plan_jvp=tfe_einsum_plan_jvp_c64, &
        einsum_scaled=tfe_einsum_scaled_c64, plan_scaled=tfe_einsum_plan_run_scaled_c64, &
        einsum_vjp_scaled=tfe_einsum_vjp_scaled_c64, plan_vjp_scaled=tfe_einsum_plan_vjp_scaled_c64, &
        einsum_jvp_scaled=tfe_einsum_jvp_scaled_c64, plan_jvp_scaled=tfe_einsum_plan_jvp_scaled_c64, &
        svd=tfe_svd_c64, svd_vjp=tfe_svd_vjp_c64, svd_jvp=tfe_svd_jvp_c64, qr=tfe_qr_c64, &
        eigh=tfe_eigh_c64, eig=tfe_eig_c64, qr_vjp=tfe_qr_vjp_c64, eigh_vjp=tfe_eigh_vjp_c64, &
        eig_vjp=tfe_eig_vjp_c64, lu_vjp=tfe_lu_vjp_c64, qr_jvp=tfe_qr_jvp_c64, eigh_jvp=tfe_eigh_jvp_c64, &
        eig_jvp=tfe_eig_jvp_c64, lu_jvp=tfe_lu_jvp_c64, lu=tfe_lu_c64, cholesky=tfe_cholesky_c64, &
        cholesky_vjp=tfe_cholesky_vjp_c64, cholesky_jvp=tfe_cholesky_jvp_c64, solve=tfe_solve_c64, &
        solve_vjp=tfe_solve_vjp_c64, solve_jvp=tfe_solve_jvp_c64)
    end select
  end function

  function name_of(dtype)
    integer(c_int32_t), intent(in) :: dtype
    character(3) :: name_of
    character(3), parameter :: names(4) = ['f32', 'f64', 'c32', 'c64']
    name_of = names(dtype)
  end function

  integer(c_int32_t) function real_of(dtype)
    integer(c_int32_t), intent(in) :: dtype
    real_of = merge(tfe_dtype_f32, tfe_dtype_f64, dtype == tfe_dtype_f32 .or. dtype == tfe_dtype_c32)
  end function

  integer(c_int32_t) function complex_of(dtype)
    integer(c_int32_t), intent(in) :: dtype
    complex_of = merge(tfe_dtype_c32, tfe_dtype_c64, real_of(dtype) == tfe_dtype_f32)
  end function

  ! ---- Tensors ----

  ! Makes `this` the owner of a handle.
  subroutine take(this, handle, dtype)
    type(tensor), intent(inout) :: this
    type(c_ptr), intent(in) :: handle
    integer(c_int32_t), intent(in) :: dtype
    call this%release()
    this%handle = handle
    this%dtype_ = dtype
  end subroutine

  subroutine tensor_release(this)
    class(tensor), intent(inout) :: this
    type(functions) :: f
    if (.not. c_associated(this%handle)) return
    f = functions_of(this%dtype_)
    call f%release(this%handle)
    this%handle = c_null_ptr
  end subroutine

  impure elemental subroutine tensor_final(this)
    type(tensor), intent(inout) :: this
    call this%release()
  end subroutine

  type(c_ptr) function tensor_c_handle(this) result(handle)
    class(tensor), intent(in) :: this
    handle = this%handle
  end function

  integer(c_int32_t) function tensor_dtype(this) result(dtype)
    class(tensor), intent(in) :: this
    dtype = this%dtype_
  end function

  logical function tensor_assigned(this) result(assigned)
    class(tensor), intent(in) :: this
    type(functions) :: f
    f = functions_of(this%dtype_)
    assigned = f%is_assigned(this%handle) /= 0
  end function

  ! 0 also where there is no tensor.
  integer function tensor_ndim(this) result(ndim)
    class(tensor), intent(in) :: this
    type(functions) :: f
    f = functions_of(this%dtype_)
    ndim = int(f%ndim(this%handle))
  end function

  ! The number of elements; 0 also where there is no tensor.
  integer(c_int64_t) function tensor_size(this) result(length)
    class(tensor), intent(in) :: this
    type(functions) :: f
    f = functions_of(this%dtype_)
    length = f%len(this%handle)
  end function

  function tensor_shape(this) result(extents)
    class(tensor), intent(in) :: this
    integer(c_size_t), allocatable :: extents(:)
    type(functions) :: f
    f = functions_of(this%dtype_)
    allocate (extents(this%ndim()))
    call f%shape(this%handle, extents)
  end function

  ! In elements.
  function tensor_strides(this) result(steps)
    class(tensor), intent(in) :: this
    integer(c_int64_t), allocatable :: steps(:)
    type(functions) :: f
    f = functions_of(this%dtype_)
    allocate (steps(this%ndim()))
    call f%strides(this%handle, steps)
  end function

  subroutine tensor_zeros(this, shape, dtype, stat, errmsg)
    class(tensor), intent(inout) :: this
    integer, intent(in) :: shape(:)
    integer(c_int32_t), intent(in) :: dtype
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    if (dtype < tfe_dtype_f32 .or. dtype > tfe_dtype_c64) then
      call refuse(tfe_invalid_argument, 'zeros: there is no dtype ' // text(int(dtype, c_int64_t)), stat, &
        errmsg)
      return
    end if
    f = functions_of(dtype)
    made = f%zeros(int(shape, c_size_t), size(shape, kind=c_size_t), status)
    if (succeeded(status, stat, errmsg)) call take(this, made, dtype)
  end subroutine

  subroutine assign_tensor(this, other)
    class(tensor), intent(inout) :: this
    class(tensor), intent(in) :: other
    type(functions) :: f
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    made = c_null_ptr
    if (c_associated(other%handle)) then
      f = functions_of(other%dtype_)
      made = f%clone(other%handle, status)
      if (.not. succeeded(status)) return
    end if
    call take(this, made, other%dtype_)
  end subroutine

  subroutine tensor_conj(this, result, stat, errmsg)
    class(tensor), intent(in) :: this
    type(tensor), intent(inout) :: result
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    f = functions_of(this%dtype_)
    made = f%conj(this%handle, status)
    if (succeeded(status, stat, errmsg)) call take(result, made, this%dtype_)
  end subroutine

  subroutine tensor_to_dlpack(this, managed, stat, errmsg)
    class(tensor), intent(inout) :: this
    type(c_ptr), intent(out) :: managed
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_int32_t) :: status
    f = functions_of(this%dtype_)
    managed = f%to_dlpack(this%handle, status)
    if (succeeded(status, stat, errmsg)) this%handle = c_null_ptr
  end subroutine

  ! Consumes the struct, whose elements must be of this dtype.
  subroutine tensor_from_dlpack(this, managed, dtype, stat, errmsg)
    class(tensor), intent(inout) :: this
    type(c_ptr), intent(in) :: managed
    integer(c_int32_t), intent(in) :: dtype
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    f = functions_of(dtype)
    made = f%from_dlpack(managed, status)
    if (succeeded(status, stat, errmsg)) call take(this, made, dtype)
  end subroutine

  ! A copy of elements of this shape.
  subroutine set_elements(this, elements, shape, dtype, stat, errmsg)
    class(tensor), intent(inout) :: this
    type(c_ptr), intent(in) :: elements
    integer(c_size_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in) :: dtype
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    f = functions_of(dtype)
    made = f%from_data(elements, product(shape), shape, size(shape, kind=c_size_t), status)
    if (succeeded(status, stat, errmsg)) call take(this, made, dtype)
  end subroutine

  ! Elements of this shape themselves.
  subroutine lend(this, elements, shape, dtype, stat, errmsg)
    class(tensor), intent(inout) :: this
    type(c_ptr), intent(in) :: elements
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in) :: dtype
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(lent_array), pointer :: lent
    integer :: i
    allocate (lent)
    lent%context = c_loc(lent)
    lent%deleter = c_funloc(return_array)
    lent%data = elements
    lent%ndim = size(shape)
    if (dtype == tfe_dtype_c32 .or. dtype == tfe_dtype_c64) lent%type_code = 5
    if (dtype == tfe_dtype_f32) lent%type_bits = 32
    if (dtype == tfe_dtype_c64) lent%type_bits = -127_c_int8_t - 1_c_int8_t  ! 128, unsigned
    do i = 1, size(shape)
      lent%extents(i) = shape(i)
      lent%steps(i) = product(shape(:i - 1))
    end do
    lent%shape = c_loc(lent%extents)
    lent%strides = c_loc(lent%steps)
    call this%from_dlpack(c_loc(lent), dtype, stat, errmsg)
  end subroutine

  subroutine return_array(managed) bind(c)
    type(c_ptr), value :: managed
    type(lent_array), pointer :: lent
    call c_f_pointer(managed, lent)
    deallocate (lent)
  end subroutine

  ! The address of the elements for a caller that wants this dtype and rank, or shape; NULL if that failed.
  subroutine get_data(this, operation, dtype, rank, data, stat, errmsg, shape)
    class(tensor), intent(in) :: this
    character(*), intent(in) :: operation
    integer(c_int32_t), intent(in) :: dtype
    integer, intent(in) :: rank
    type(c_ptr), intent(out) :: data
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_size_t), intent(in), optional :: shape(:)
    type(functions) :: f
    integer(c_size_t), allocatable :: extents(:)
    integer :: axis
    data = c_null_ptr
    f = functions_of(this%dtype_)
    if (.not. this%assigned()) then
      call refuse(tfe_invalid_argument, operation // ': there is no tensor', stat, errmsg)
      return
    end if
    if (this%dtype_ /= dtype) then
      call refuse(tfe_invalid_argument, operation // ': the tensor is ' // name_of(this%dtype_) // &
        ', the array ' // name_of(dtype), stat, errmsg)
      return
    end if
    allocate (extents, source=this%shape())
    if (size(extents) /= rank) then
      call refuse(tfe_shape_mismatch, operation // ': the tensor has rank ' // &
        text(size(extents, kind=c_int64_t)) // ', the array ' // text(int(rank, c_int64_t)), stat, errmsg)
      return
    end if
    if (present(shape)) then
      do axis = 1, rank
        if (extents(axis) /= shape(axis)) then
          call refuse(tfe_shape_mismatch, operation // ': axis ' // text(int(axis, c_int64_t)) // &
            ' of the tensor has extent ' // text(extents(axis)) // ', of the array ' // text(shape(axis)), &
            stat, errmsg)
          return
        end if
      end do
    end if
    data = c_loc(nothing)
    if (this%size() > 0) data = f%data(this%handle)
    call report(merge(tfe_success, tfe_internal_error, c_associated(data)), stat, errmsg)
  end subroutine

  subroutine assign_f32(this, elements)
    class(tensor), intent(inout) :: this
    real(c_float), intent(in), contiguous, target :: elements(..)
    call set_elements(this, c_loc(elements), shape(elements, c_size_t), tfe_dtype_f32)
  end subroutine

  subroutine set_f32(this, elements, stat, errmsg)
    class(tensor), intent(inout) :: this
    real(c_float), intent(in), contiguous, target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call set_elements(this, c_loc(elements), shape(elements, c_size_t), tfe_dtype_f32, stat, errmsg)
  end subroutine

  subroutine view_f32(this, elements, stat, errmsg)
    class(tensor), intent(inout) :: this
    real(c_float), intent(in), target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_contiguous(elements)) then
      call lend(this, c_loc(elements), shape(elements, c_int64_t), tfe_dtype_f32, stat, errmsg)
    else
      call refuse(tfe_invalid_argument, 'view: the array is not contiguous', stat, errmsg)
    end if
  end subroutine

  subroutine get_f32(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    real(c_float), intent(inout), contiguous, target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_float), pointer :: to(:), from(:)
    type(c_ptr) :: data
    call get_data(this, 'get', tfe_dtype_f32, rank(elements), data, stat, errmsg, shape(elements, c_size_t))
    if (.not. c_associated(data)) return
    call c_f_pointer(c_loc(elements), to, [size(elements)])
    call c_f_pointer(data, from, [size(elements)])
    to = from
  end subroutine

  subroutine data_f32_1(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    real(c_float), pointer, intent(out) :: elements(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_f32, 1, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine data_f32_2(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    real(c_float), pointer, intent(out) :: elements(:,:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_f32, 2, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine data_f32_3(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    real(c_float), pointer, intent(out) :: elements(:,:,:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_f32, 3, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine assign_f64(this, elements)
    class(tensor), intent(inout) :: this
    real(c_double), intent(in), contiguous, target :: elements(..)
    call set_elements(this, c_loc(elements), shape(elements, c_size_t), tfe_dtype_f64)
  end subroutine

  subroutine set_f64(this, elements, stat, errmsg)
    class(tensor), intent(inout) :: this
    real(c_double), intent(in), contiguous, target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call set_elements(this, c_loc(elements), shape(elements, c_size_t), tfe_dtype_f64, stat, errmsg)
  end subroutine

  subroutine view_f64(this, elements, stat, errmsg)
    class(tensor), intent(inout) :: this
    real(c_double), intent(in), target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_contiguous(elements)) then
      call lend(this, c_loc(elements), shape(elements, c_int64_t), tfe_dtype_f64, stat, errmsg)
    else
      call refuse(tfe_invalid_argument, 'view: the array is not contiguous', stat, errmsg)
    end if
  end subroutine

  subroutine get_f64(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    real(c_double), intent(inout), contiguous, target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double), pointer :: to(:), from(:)
    type(c_ptr) :: data
    call get_data(this, 'get', tfe_dtype_f64, rank(elements), data, stat, errmsg, shape(elements, c_size_t))
    if (.not. c_associated(data)) return
    call c_f_pointer(c_loc(elements), to, [size(elements)])
    call c_f_pointer(data, from, [size(elements)])
    to = from
  end subroutine

  subroutine data_f64_1(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    real(c_double), pointer, intent(out) :: elements(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_f64, 1, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine data_f64_2(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    real(c_double), pointer, intent(out) :: elements(:,:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_f64, 2, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine data_f64_3(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    real(c_double), pointer, intent(out) :: elements(:,:,:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_f64, 3, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine assign_c32(this, elements)
    class(tensor), intent(inout) :: this
    complex(c_float_complex), intent(in), contiguous, target :: elements(..)
    call set_elements(this, c_loc(elements), shape(elements, c_size_t), tfe_dtype_c32)
  end subroutine

  subroutine set_c32(this, elements, stat, errmsg)
    class(tensor), intent(inout) :: this
    complex(c_float_complex), intent(in), contiguous, target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call set_elements(this, c_loc(elements), shape(elements, c_size_t), tfe_dtype_c32, stat, errmsg)
  end subroutine

  subroutine view_c32(this, elements, stat, errmsg)
    class(tensor), intent(inout) :: this
    complex(c_float_complex), intent(in), target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_contiguous(elements)) then
      call lend(this, c_loc(elements), shape(elements, c_int64_t), tfe_dtype_c32, stat, errmsg)
    else
      call refuse(tfe_invalid_argument, 'view: the array is not contiguous', stat, errmsg)
    end if
  end subroutine

  subroutine get_c32(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    complex(c_float_complex), intent(inout), contiguous, target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(c_float_complex), pointer :: to(:), from(:)
    type(c_ptr) :: data
    call get_data(this, 'get', tfe_dtype_c32, rank(elements), data, stat, errmsg, shape(elements, c_size_t))
    if (.not. c_associated(data)) return
    call c_f_pointer(c_loc(elements), to, [size(elements)])
    call c_f_pointer(data, from, [size(elements)])
    to = from
  end subroutine

  subroutine data_c32_1(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    complex(c_float_complex), pointer, intent(out) :: elements(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_c32, 1, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine data_c32_2(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    complex(c_float_complex), pointer, intent(out) :: elements(:,:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_c32, 2, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine data_c32_3(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    complex(c_float_complex), pointer, intent(out) :: elements(:,:,:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_c32, 3, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine assign_c64(this, elements)
    class(tensor), intent(inout) :: this
    complex(c_double_complex), intent(in), contiguous, target :: elements(..)
    call set_elements(this, c_loc(elements), shape(elements, c_size_t), tfe_dtype_c64)
  end subroutine

  subroutine set_c64(this, elements, stat, errmsg)
    class(tensor), intent(inout) :: this
    complex(c_double_complex), intent(in), contiguous, target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call set_elements(this, c_loc(elements), shape(elements, c_size_t), tfe_dtype_c64, stat, errmsg)
  end subroutine

  subroutine view_c64(this, elements, stat, errmsg)
    class(tensor), intent(inout) :: this
    complex(c_double_complex), intent(in), target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (is_contiguous(elements)) then
      call lend(this, c_loc(elements), shape(elements, c_int64_t), tfe_dtype_c64, stat, errmsg)
    else
      call refuse(tfe_invalid_argument, 'view: the array is not contiguous', stat, errmsg)
    end if
  end subroutine

  subroutine get_c64(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    complex(c_double_complex), intent(inout), contiguous, target :: elements(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    complex(c_double_complex), pointer :: to(:), from(:)
    type(c_ptr) :: data
    call get_data(this, 'get', tfe_dtype_c64, rank(elements), data, stat, errmsg, shape(elements, c_size_t))
    if (.not. c_associated(data)) return
    call c_f_pointer(c_loc(elements), to, [size(elements)])
    call c_f_pointer(data, from, [size(elements)])
    to = from
  end subroutine

  subroutine data_c64_1(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    complex(c_double_complex), pointer, intent(out) :: elements(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_c64, 1, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine data_c64_2(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    complex(c_double_complex), pointer, intent(out) :: elements(:,:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_c64, 2, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  subroutine data_c64_3(this, elements, stat, errmsg)
    class(tensor), intent(in) :: this
    complex(c_double_complex), pointer, intent(out) :: elements(:,:,:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: data
    nullify (elements)
    call get_data(this, 'data', tfe_dtype_c64, 3, data, stat, errmsg)
    if (c_associated(data)) call c_f_pointer(data, elements, this%shape())
  end subroutine

  ! ---- Einsum: each function with subscripts, whose address is the subject, or along a plan ----

  ! NUL-terminated.
  function c_text(string)
    character(*), intent(in) :: string
    character(kind=c_char), allocatable :: c_text(:)
    integer :: i
    allocate (c_text(len(string) + 1))
    do i = 1, len(string)
      c_text(i) = string(i:i)
    end do
    c_text(len(string) + 1) = c_null_char
  end function

  function handles_of(tensors) result(handles)
    type(tensor), intent(in) :: tensors(:)
    type(c_ptr), allocatable :: handles(:)
    integer :: i
    allocate (handles(size(tensors)))
    do i = 1, size(tensors)
      handles(i) = tensors(i)%handle
    end do
  end function

  function handles_of_each(a, b, c, d, e, f) result(handles)
    type(tensor), intent(in) :: a
    type(tensor), intent(in), optional :: b, c, d, e, f
    type(c_ptr), allocatable :: handles(:)
    handles = [a%handle]
    if (present(b)) handles = [handles, b%handle]
    if (present(c)) handles = [handles, c%handle]
    if (present(d)) handles = [handles, d%handle]
    if (present(e)) handles = [handles, e%handle]
    if (present(f)) handles = [handles, f%handle]
  end function

  integer(c_int32_t) function dtype_of(tensors) result(dtype)
    type(tensor), intent(in) :: tensors(:)
    dtype = tfe_dtype_f64
    if (size(tensors) > 0) dtype = tensors(1)%dtype_
  end function

  logical function counted(operation, what, found, n, stat, errmsg)
    character(*), intent(in) :: operation, what
    integer, intent(in) :: found, n
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    counted = found == n
    if (.not. counted) call refuse(tfe_invalid_argument, operation // ': ' // text(int(found, c_int64_t)) // &
      ' ' // what // ' for ' // text(int(n, c_int64_t)) // ' operands', stat, errmsg)
  end function

  subroutine run(planned, subject, operands, dtype, result, exponent, stat, errmsg)
    logical, intent(in) :: planned
    type(c_ptr), intent(in) :: subject, operands(:)
    integer(c_int32_t), intent(in) :: dtype
    type(tensor), intent(inout) :: result
    integer(c_int64_t), intent(inout), optional :: exponent
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    type(c_ptr) :: made
    integer(c_size_t) :: n
    integer(c_int32_t) :: status
    f = functions_of(dtype)
    n = size(operands)
    if (present(exponent)) then
      if (planned) f%einsum_scaled => f%plan_scaled
      made = f%einsum_scaled(subject, operands, n, exponent, status)
    else
      if (planned) f%einsum => f%plan
      made = f%einsum(subject, operands, n, status)
    end if
    if (succeeded(status, stat, errmsg)) call take(result, made, dtype)
  end subroutine

  subroutine run_jvp(planned, subject, primals, tangents, result, exponent, stat, errmsg)
    logical, intent(in) :: planned
    type(c_ptr), intent(in) :: subject
    type(tensor), intent(in) :: primals(:), tangents(:)
    type(tensor), intent(inout) :: result
    integer(c_int64_t), intent(inout), optional :: exponent
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    type(c_ptr) :: made
    integer(c_size_t) :: n
    integer(c_int32_t) :: status
    if (.not. counted('jvp', 'tangents', size(tangents), size(primals), stat, errmsg)) return
    f = functions_of(dtype_of(primals))
    n = size(primals)
    if (present(exponent)) then
      if (planned) f%einsum_jvp_scaled => f%plan_jvp_scaled
      made = f%einsum_jvp_scaled(subject, handles_of(primals), n, handles_of(tangents), exponent, status)
    else
      if (planned) f%einsum_jvp => f%plan_jvp
      made = f%einsum_jvp(subject, handles_of(primals), n, handles_of(tangents), status)
    end if
    if (succeeded(status, stat, errmsg)) call take(result, made, dtype_of(primals))
  end subroutine

  subroutine run_vjp(planned, subject, operands, cotangent, gradients, stat, errmsg)
    logical, intent(in) :: planned
    type(c_ptr), intent(in) :: subject
    type(tensor), intent(in) :: operands(:), cotangent
    type(tensor), intent(inout) :: gradients(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    type(c_ptr) :: made(size(operands))
    integer(c_int32_t) :: status
    integer :: i
    if (.not. counted('vjp', 'gradients', size(gradients), size(operands), stat, errmsg)) return
    f = functions_of(dtype_of(operands))
    if (planned) f%einsum_vjp => f%plan_vjp
    call f%einsum_vjp(subject, handles_of(operands), size(operands, kind=c_size_t), cotangent%handle, made, &
      status)
    if (.not. succeeded(status, stat, errmsg)) return
    do i = 1, size(made)
      call take(gradients(i), made(i), dtype_of(operands))
    end do
  end subroutine

  subroutine run_vjp_scaled(planned, subject, operands, cotangent, cotangent_exponent, gradients, exponents, &
      stat, errmsg)
    logical, intent(in) :: planned
    type(c_ptr), intent(in) :: subject
    type(tensor), intent(in) :: operands(:), cotangent
    integer(c_int64_t), intent(in), optional :: cotangent_exponent
    type(tensor), intent(inout) :: gradients(:)
    integer(c_int64_t), intent(inout) :: exponents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    type(c_ptr) :: made(size(operands))
    integer(c_int64_t) :: exponent
    integer(c_int32_t) :: status
    integer :: i
    if (.not. counted('vjp_scaled', 'gradients', size(gradients), size(operands), stat, errmsg)) return
    if (.not. counted('vjp_scaled', 'exponents', size(exponents), size(operands), stat, errmsg)) return
    exponent = 0
    if (present(cotangent_exponent)) exponent = cotangent_exponent
    f = functions_of(dtype_of(operands))
    if (planned) f%einsum_vjp_scaled => f%plan_vjp_scaled
    call f%einsum_vjp_scaled(subject, handles_of(operands), size(operands, kind=c_size_t), cotangent%handle, &
      exponent, made, exponents, status)
    if (.not. succeeded(status, stat, errmsg)) return
    do i = 1, size(made)
      call take(gradients(i), made(i), dtype_of(operands))
    end do
  end subroutine

  subroutine einsum_each(result, subscripts, a, b, c, d, e, f, stat, errmsg)
    type(tensor), intent(inout) :: result
    character(*), intent(in) :: subscripts
    type(tensor), intent(in) :: a
    type(tensor), intent(in), optional :: b, c, d, e, f
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    type(c_ptr) :: subject
    allocate (string, source=c_text(subscripts))
    subject = c_loc(string)
    call run(.false., subject, handles_of_each(a, b, c, d, e, f), a%dtype_, result, stat=stat, &
      errmsg=errmsg)
  end subroutine

  subroutine einsum_list(result, subscripts, operands, stat, errmsg)
    type(tensor), intent(inout) :: result
    character(*), intent(in) :: subscripts
    type(tensor), intent(in) :: operands(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    type(c_ptr) :: subject
    allocate (string, source=c_text(subscripts))
    subject = c_loc(string)
    call run(.false., subject, handles_of(operands), dtype_of(operands), result, stat=stat, &
      errmsg=errmsg)
  end subroutine

  subroutine einsum_scaled_each(result, exponent, subscripts, a, b, c, d, e, f, stat, errmsg)
    type(tensor), intent(inout) :: result
    integer(c_int64_t), intent(inout) :: exponent
    character(*), intent(in) :: subscripts
    type(tensor), intent(in) :: a
    type(tensor), intent(in), optional :: b, c, d, e, f
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    type(c_ptr) :: subject
    allocate (string, source=c_text(subscripts))
    subject = c_loc(string)
    call run(.false., subject, handles_of_each(a, b, c, d, e, f), a%dtype_, result, exponent, stat, &
      errmsg)
  end subroutine

  subroutine einsum_scaled_list(result, exponent, subscripts, operands, stat, errmsg)
    type(tensor), intent(inout) :: result
    integer(c_int64_t), intent(inout) :: exponent
    character(*), intent(in) :: subscripts
    type(tensor), intent(in) :: operands(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    type(c_ptr) :: subject
    allocate (string, source=c_text(subscripts))
    subject = c_loc(string)
    call run(.false., subject, handles_of(operands), dtype_of(operands), result, exponent, stat, errmsg)
  end subroutine

  ! gradients(i) is that of operands(i).
  subroutine einsum_vjp(gradients, subscripts, operands, cotangent, stat, errmsg)
    type(tensor), intent(inout) :: gradients(:)
    character(*), intent(in) :: subscripts
    type(tensor), intent(in) :: operands(:), cotangent
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    type(c_ptr) :: subject
    allocate (string, source=c_text(subscripts))
    subject = c_loc(string)
    call run_vjp(.false., subject, operands, cotangent, gradients, stat, errmsg)
  end subroutine

  subroutine einsum_vjp_scaled(gradients, exponents, subscripts, operands, cotangent, cotangent_exponent, &
      stat, errmsg)
    type(tensor), intent(inout) :: gradients(:)
    integer(c_int64_t), intent(inout) :: exponents(:)
    character(*), intent(in) :: subscripts
    type(tensor), intent(in) :: operands(:), cotangent
    integer(c_int64_t), intent(in), optional :: cotangent_exponent
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    type(c_ptr) :: subject
    allocate (string, source=c_text(subscripts))
    subject = c_loc(string)
    call run_vjp_scaled(.false., subject, operands, cotangent, cotangent_exponent, gradients, &
      exponents, stat, errmsg)
  end subroutine

  subroutine einsum_jvp(result, subscripts, primals, tangents, stat, errmsg)
    type(tensor), intent(inout) :: result
    character(*), intent(in) :: subscripts
    type(tensor), intent(in) :: primals(:), tangents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    type(c_ptr) :: subject
    allocate (string, source=c_text(subscripts))
    subject = c_loc(string)
    call run_jvp(.false., subject, primals, tangents, result, stat=stat, errmsg=errmsg)
  end subroutine

  subroutine einsum_jvp_scaled(result, exponent, subscripts, primals, tangents, stat, errmsg)
    type(tensor), intent(inout) :: result
    integer(c_int64_t), intent(inout) :: exponent
    character(*), intent(in) :: subscripts
    type(tensor), intent(in) :: primals(:), tangents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    type(c_ptr) :: subject
    allocate (string, source=c_text(subscripts))
    subject = c_loc(string)
    call run_jvp(.false., subject, primals, tangents, result, exponent, stat, errmsg)
  end subroutine

  ! ---- Plans ----

  type(integers) function new_integers(values) result(list)
    integer, intent(in) :: values(:)
    if (size(values) > size(list%values)) error stop 'integers: a list has at most 64'
    list%length = size(values)
    list%values(:size(values)) = values
  end function

  ! Pointers to the lists.
  function addresses(lists)
    type(integers), intent(in), target :: lists(:)
    type(c_ptr), allocatable :: addresses(:)
    integer :: i
    allocate (addresses(size(lists)))
    do i = 1, size(lists)
      addresses(i) = c_loc(lists(i)%values)
    end do
  end function

  function lengths(lists)
    type(integers), intent(in) :: lists(:)
    integer(c_size_t) :: lengths(size(lists))
    lengths = int(lists%length, c_size_t)
  end function

  ! The options with their size, and `order` for their path, which must live until they are used.
  function completed(options, order) result(complete)
    type(tfe_einsum_plan_options), intent(in), optional :: options
    integer(c_size_t), intent(in), target :: order(:)
    type(tfe_einsum_plan_options) :: complete
    if (present(options)) complete = options
    complete%struct_size = c_sizeof(complete)
    if (size(order) == 0) return
    complete%path = c_loc(order)
    complete%path_steps = size(order) / 2
  end function

  subroutine create_from_subscripts(this, subscripts, shapes, options, order, stat, errmsg)
    class(einsum_plan), intent(inout) :: this
    character(*), intent(in) :: subscripts
    type(integers), intent(in), target :: shapes(:)
    type(tfe_einsum_plan_options), intent(in), optional :: options
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: string(:)
    integer(c_size_t), allocatable, target :: steps(:)
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    allocate (string, source=c_text(subscripts))
    allocate (steps(0))
    if (present(order)) steps = int(order, c_size_t)
    made = tfe_einsum_plan_create(c_loc(string), addresses(shapes), lengths(shapes), &
      size(shapes, kind=c_size_t), completed(options, steps), status)
    if (.not. succeeded(status, stat, errmsg)) return
    call this%release()
    this%handle = made
  end subroutine

  subroutine create_from_labels(this, labels, output, shapes, options, order, stat, errmsg)
    class(einsum_plan), intent(inout) :: this
    type(integers), intent(in) :: labels(:)
    integer, intent(in) :: output(:)
    type(integers), intent(in), target :: shapes(:)
    type(tfe_einsum_plan_options), intent(in), optional :: options
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_size_t), allocatable, target :: steps(:)
    integer(c_int32_t), allocatable, target :: flat(:, :)
    type(c_ptr), allocatable :: starts(:)
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    integer :: i
    if (.not. counted('create', 'shapes', size(shapes), size(labels), stat, errmsg)) return
    allocate (flat(64, size(labels)), starts(size(labels)), steps(0))
    do i = 1, size(labels)
      if (labels(i)%length /= shapes(i)%length) then
        call refuse(tfe_shape_mismatch, 'create: operand ' // text(int(i, c_int64_t)) // ' has ' // &
          text(int(labels(i)%length, c_int64_t)) // ' labels for ' // &
          text(int(shapes(i)%length, c_int64_t)) // ' axes', stat, errmsg)
        return
      end if
      flat(:, i) = int(labels(i)%values, c_int32_t)
      starts(i) = c_loc(flat(1, i))
    end do
    if (present(order)) steps = int(order, c_size_t)
    made = tfe_einsum_plan_create_from_labels(starts, addresses(shapes), lengths(shapes), &
      size(shapes, kind=c_size_t), int(output, c_int32_t), size(output, kind=c_size_t), &
      completed(options, steps), status)
    if (.not. succeeded(status, stat, errmsg)) return
    call this%release()
    this%handle = made
  end subroutine

  subroutine assign_plan(this, other)
    class(einsum_plan), intent(inout) :: this
    class(einsum_plan), intent(in) :: other
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    made = c_null_ptr
    if (c_associated(other%handle)) then
      made = tfe_einsum_plan_clone(other%handle, status)
      if (.not. succeeded(status)) return
    end if
    call this%release()
    this%handle = made
  end subroutine

  subroutine plan_release(this)
    class(einsum_plan), intent(inout) :: this
    if (c_associated(this%handle)) call tfe_einsum_plan_release(this%handle)
    this%handle = c_null_ptr
  end subroutine

  impure elemental subroutine plan_final(this)
    type(einsum_plan), intent(inout) :: this
    call this%release()
  end subroutine

  logical function plan_assigned(this) result(assigned)
    class(einsum_plan), intent(in) :: this
    assigned = tfe_einsum_plan_is_assigned(this%handle) /= 0
  end function

  subroutine plan_get_cost(this, cost, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tfe_einsum_plan_cost), intent(inout) :: cost
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    cost%struct_size = c_sizeof(cost)
    call tfe_einsum_plan_get_cost(this%handle, cost, status)
    call report(status, stat, errmsg)
  end subroutine

  subroutine plan_get_vjp_cost(this, cost, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tfe_einsum_plan_cost), intent(inout) :: cost
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    cost%struct_size = c_sizeof(cost)
    call tfe_einsum_plan_get_vjp_cost(this%handle, cost, status)
    call report(status, stat, errmsg)
  end subroutine

  subroutine plan_get_order(this, order, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    integer, allocatable, intent(inout) :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_size_t), allocatable, target :: steps(:)
    integer(c_size_t) :: length
    integer(c_int32_t) :: status
    call tfe_einsum_plan_get_path(this%handle, c_null_ptr, 0_c_size_t, length, status)
    if (.not. succeeded(status, stat, errmsg)) return
    allocate (steps(length))
    call tfe_einsum_plan_get_path(this%handle, c_loc(steps), size(steps, kind=c_size_t), length, status)
    if (succeeded(status, stat, errmsg)) order = int(steps)
  end subroutine

  subroutine run_each(this, result, a, b, c, d, e, f, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tensor), intent(inout) :: result
    type(tensor), intent(in) :: a
    type(tensor), intent(in), optional :: b, c, d, e, f
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call run(.true., this%handle, handles_of_each(a, b, c, d, e, f), a%dtype_, result, stat=stat, &
      errmsg=errmsg)
  end subroutine

  subroutine run_list(this, result, operands, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tensor), intent(inout) :: result
    type(tensor), intent(in) :: operands(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call run(.true., this%handle, handles_of(operands), dtype_of(operands), result, stat=stat, errmsg=errmsg)
  end subroutine

  subroutine run_scaled_each(this, result, exponent, a, b, c, d, e, f, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tensor), intent(inout) :: result
    integer(c_int64_t), intent(inout) :: exponent
    type(tensor), intent(in) :: a
    type(tensor), intent(in), optional :: b, c, d, e, f
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call run(.true., this%handle, handles_of_each(a, b, c, d, e, f), a%dtype_, result, exponent, stat, errmsg)
  end subroutine

  subroutine run_scaled_list(this, result, exponent, operands, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tensor), intent(inout) :: result
    integer(c_int64_t), intent(inout) :: exponent
    type(tensor), intent(in) :: operands(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call run(.true., this%handle, handles_of(operands), dtype_of(operands), result, exponent, stat, errmsg)
  end subroutine

  subroutine plan_vjp(this, gradients, operands, cotangent, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tensor), intent(inout) :: gradients(:)
    type(tensor), intent(in) :: operands(:), cotangent
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call run_vjp(.true., this%handle, operands, cotangent, gradients, stat, errmsg)
  end subroutine

  subroutine plan_vjp_scaled(this, gradients, exponents, operands, cotangent, cotangent_exponent, stat, &
      errmsg)
    class(einsum_plan), intent(in) :: this
    type(tensor), intent(inout) :: gradients(:)
    integer(c_int64_t), intent(inout) :: exponents(:)
    type(tensor), intent(in) :: operands(:), cotangent
    integer(c_int64_t), intent(in), optional :: cotangent_exponent
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call run_vjp_scaled(.true., this%handle, operands, cotangent, cotangent_exponent, gradients, exponents, &
      stat, errmsg)
  end subroutine

  subroutine plan_jvp(this, result, primals, tangents, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tensor), intent(inout) :: result
    type(tensor), intent(in) :: primals(:), tangents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call run_jvp(.true., this%handle, primals, tangents, result, stat=stat, errmsg=errmsg)
  end subroutine

  subroutine plan_jvp_scaled(this, result, exponent, primals, tangents, stat, errmsg)
    class(einsum_plan), intent(in) :: this
    type(tensor), intent(inout) :: result
    integer(c_int64_t), intent(inout) :: exponent
    type(tensor), intent(in) :: primals(:), tangents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call run_jvp(.true., this%handle, primals, tangents, result, exponent, stat, errmsg)
  end subroutine

  ! ---- Linear algebra: `left` are the axes that are rows, [1] unless given, `right` columns, [2] ----

  ! The axes that are the rows or columns of `a`, counted from 0; unless they exist `ok` is false.
  subroutine find_axes(operation, a, name, given, otherwise, axes, ok, stat, errmsg)
    character(*), intent(in) :: operation, name
    type(tensor), intent(in) :: a
    integer, intent(in), optional :: given(:)
    integer, intent(in) :: otherwise
    integer(c_size_t), allocatable, intent(out) :: axes(:)
    logical, intent(inout) :: ok
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer, allocatable :: counted_from_1(:)
    integer :: i
    if (present(given)) then
      allocate (counted_from_1, source=given)
    else
      allocate (counted_from_1(1), source=otherwise)
    end if
    axes = int(counted_from_1 - 1, c_size_t)
    if (.not. ok .or. .not. a%assigned()) return
    do i = 1, size(axes)
      if (counted_from_1(i) >= 1 .and. counted_from_1(i) <= a%ndim()) cycle
      ok = .false.
      call refuse(tfe_invalid_argument, operation // ': axis ' // text(int(counted_from_1(i), c_int64_t)) // &
        ' in ' // name // ' does not exist, the tensor has ' // text(int(a%ndim(), c_int64_t)) // ' axes', &
        stat, errmsg)
      return
    end do
  end subroutine

  ! The singular value decomposition: a = u diag(s) vt.
  subroutine svd(a, u, s, vt, left, right, max_rank, cutoff, stat, errmsg)
    type(tensor), intent(in) :: a
    type(tensor), intent(inout) :: u, s, vt
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(in), optional :: max_rank
    real(c_double), intent(in), optional :: cutoff
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_u, new_s, new_vt
    integer(c_size_t) :: kept
    real(c_double) :: least
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('svd', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('svd', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    kept = 0
    if (present(max_rank)) kept = int(max_rank, c_size_t)
    least = -1
    if (present(cutoff)) least = cutoff
    call f%svd(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), kept, &
      least, new_u, new_s, new_vt, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(u, new_u, a%dtype_)
    call take(s, new_s, real_of(a%dtype_))
    call take(vt, new_vt, a%dtype_)
  end subroutine

  subroutine svd_vjp(a, cot_u, cot_s, cot_vt, gradient, left, right, max_rank, cutoff, stat, errmsg)
    type(tensor), intent(in) :: a, cot_u, cot_s, cot_vt
    type(tensor), intent(inout) :: gradient
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(in), optional :: max_rank
    real(c_double), intent(in), optional :: cutoff
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_gradient
    integer(c_size_t) :: kept
    real(c_double) :: least
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('svd_vjp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('svd_vjp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    kept = 0
    if (present(max_rank)) kept = int(max_rank, c_size_t)
    least = -1
    if (present(cutoff)) least = cutoff
    new_gradient = f%svd_vjp(a%handle, rows, size(rows, kind=c_size_t), columns, &
      size(columns, kind=c_size_t), kept, least, cot_u%handle, cot_s%handle, cot_vt%handle, status)
    if (succeeded(status, stat, errmsg)) call take(gradient, new_gradient, a%dtype_)
  end subroutine

  subroutine svd_jvp(a, tangent, du, ds, dvt, left, right, max_rank, cutoff, stat, errmsg)
    type(tensor), intent(in) :: a, tangent
    type(tensor), intent(inout) :: du, ds, dvt
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(in), optional :: max_rank
    real(c_double), intent(in), optional :: cutoff
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_du, new_ds, new_dvt
    integer(c_size_t) :: kept
    real(c_double) :: least
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('svd_jvp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('svd_jvp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    kept = 0
    if (present(max_rank)) kept = int(max_rank, c_size_t)
    least = -1
    if (present(cutoff)) least = cutoff
    call f%svd_jvp(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), kept, &
      least, tangent%handle, new_du, new_ds, new_dvt, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(du, new_du, a%dtype_)
    call take(ds, new_ds, real_of(a%dtype_))
    call take(dvt, new_dvt, a%dtype_)
  end subroutine

  ! A = q r.
  subroutine qr(a, q, r, left, right, stat, errmsg)
    type(tensor), intent(in) :: a
    type(tensor), intent(inout) :: q, r
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_q, new_r
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('qr', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('qr', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%qr(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), new_q, &
      new_r, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(q, new_q, a%dtype_)
    call take(r, new_r, a%dtype_)
  end subroutine

  subroutine qr_vjp(a, cot_q, cot_r, gradient, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, cot_q, cot_r
    type(tensor), intent(inout) :: gradient
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_gradient
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('qr_vjp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('qr_vjp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_gradient = f%qr_vjp(a%handle, rows, size(rows, kind=c_size_t), columns, &
      size(columns, kind=c_size_t), cot_q%handle, cot_r%handle, status)
    if (succeeded(status, stat, errmsg)) call take(gradient, new_gradient, a%dtype_)
  end subroutine

  subroutine qr_jvp(a, tangent, dq, dr, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, tangent
    type(tensor), intent(inout) :: dq, dr
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_dq, new_dr
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('qr_jvp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('qr_jvp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%qr_jvp(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      tangent%handle, new_dq, new_dr, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(dq, new_dq, a%dtype_)
    call take(dr, new_dr, a%dtype_)
  end subroutine

  ! Eigenvalues and eigenvectors of a Hermitian matrix.
  subroutine eigh(a, values, vectors, left, right, stat, errmsg)
    type(tensor), intent(in) :: a
    type(tensor), intent(inout) :: values, vectors
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_values, new_vectors
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('eigh', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('eigh', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%eigh(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      new_values, new_vectors, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(values, new_values, real_of(a%dtype_))
    call take(vectors, new_vectors, a%dtype_)
  end subroutine

  subroutine eigh_vjp(a, cot_values, cot_vectors, gradient, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, cot_values, cot_vectors
    type(tensor), intent(inout) :: gradient
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_gradient
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('eigh_vjp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('eigh_vjp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_gradient = f%eigh_vjp(a%handle, rows, size(rows, kind=c_size_t), columns, &
      size(columns, kind=c_size_t), cot_values%handle, cot_vectors%handle, status)
    if (succeeded(status, stat, errmsg)) call take(gradient, new_gradient, a%dtype_)
  end subroutine

  subroutine eigh_jvp(a, tangent, dvalues, dvectors, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, tangent
    type(tensor), intent(inout) :: dvalues, dvectors
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_dvalues, new_dvectors
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('eigh_jvp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('eigh_jvp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%eigh_jvp(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      tangent%handle, new_dvalues, new_dvectors, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(dvalues, new_dvalues, real_of(a%dtype_))
    call take(dvectors, new_dvectors, a%dtype_)
  end subroutine

  ! Eigenvalues and eigenvectors of any square matrix, complex.
  subroutine eig(a, values, vectors, left, right, stat, errmsg)
    type(tensor), intent(in) :: a
    type(tensor), intent(inout) :: values, vectors
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_values, new_vectors
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('eig', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('eig', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%eig(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      new_values, new_vectors, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(values, new_values, complex_of(a%dtype_))
    call take(vectors, new_vectors, complex_of(a%dtype_))
  end subroutine

  subroutine eig_vjp(a, cot_values, cot_vectors, gradient, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, cot_values, cot_vectors
    type(tensor), intent(inout) :: gradient
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_gradient
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('eig_vjp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('eig_vjp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_gradient = f%eig_vjp(a%handle, rows, size(rows, kind=c_size_t), columns, &
      size(columns, kind=c_size_t), cot_values%handle, cot_vectors%handle, status)
    if (succeeded(status, stat, errmsg)) call take(gradient, new_gradient, a%dtype_)
  end subroutine

  subroutine eig_jvp(a, tangent, dvalues, dvectors, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, tangent
    type(tensor), intent(inout) :: dvalues, dvectors
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_dvalues, new_dvectors
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('eig_jvp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('eig_jvp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%eig_jvp(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      tangent%handle, new_dvalues, new_dvectors, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(dvalues, new_dvalues, complex_of(a%dtype_))
    call take(dvectors, new_dvectors, complex_of(a%dtype_))
  end subroutine

  ! P a = l u.
  subroutine lu(a, p, l, u, left, right, stat, errmsg)
    type(tensor), intent(in) :: a
    type(tensor), intent(inout) :: p, l, u
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_p, new_l, new_u
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('lu', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('lu', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%lu(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), new_p, &
      new_l, new_u, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(p, new_p, a%dtype_)
    call take(l, new_l, a%dtype_)
    call take(u, new_u, a%dtype_)
  end subroutine

  subroutine lu_vjp(a, cot_l, cot_u, gradient, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, cot_l, cot_u
    type(tensor), intent(inout) :: gradient
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_gradient
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('lu_vjp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('lu_vjp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_gradient = f%lu_vjp(a%handle, rows, size(rows, kind=c_size_t), columns, &
      size(columns, kind=c_size_t), cot_l%handle, cot_u%handle, status)
    if (succeeded(status, stat, errmsg)) call take(gradient, new_gradient, a%dtype_)
  end subroutine

  subroutine lu_jvp(a, tangent, dl, du, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, tangent
    type(tensor), intent(inout) :: dl, du
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_dl, new_du
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('lu_jvp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('lu_jvp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%lu_jvp(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      tangent%handle, new_dl, new_du, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(dl, new_dl, a%dtype_)
    call take(du, new_du, a%dtype_)
  end subroutine

  ! A = l times its conjugate transpose.
  subroutine cholesky(a, l, left, right, stat, errmsg)
    type(tensor), intent(in) :: a
    type(tensor), intent(inout) :: l
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_l
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('cholesky', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('cholesky', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_l = f%cholesky(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      status)
    if (succeeded(status, stat, errmsg)) call take(l, new_l, a%dtype_)
  end subroutine

  subroutine cholesky_vjp(a, cot_l, gradient, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, cot_l
    type(tensor), intent(inout) :: gradient
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_gradient
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('cholesky_vjp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('cholesky_vjp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_gradient = f%cholesky_vjp(a%handle, rows, size(rows, kind=c_size_t), columns, &
      size(columns, kind=c_size_t), cot_l%handle, status)
    if (succeeded(status, stat, errmsg)) call take(gradient, new_gradient, a%dtype_)
  end subroutine

  subroutine cholesky_jvp(a, tangent, dl, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, tangent
    type(tensor), intent(inout) :: dl
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_dl
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('cholesky_jvp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('cholesky_jvp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_dl = f%cholesky_jvp(a%handle, rows, size(rows, kind=c_size_t), columns, &
      size(columns, kind=c_size_t), tangent%handle, status)
    if (succeeded(status, stat, errmsg)) call take(dl, new_dl, a%dtype_)
  end subroutine

  ! x with a x = b.
  subroutine solve(a, b, x, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, b
    type(tensor), intent(inout) :: x
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_x
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('solve', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('solve', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_x = f%solve(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      b%handle, status)
    if (succeeded(status, stat, errmsg)) call take(x, new_x, a%dtype_)
  end subroutine

  subroutine solve_vjp(a, b, cotangent, gradient_a, gradient_b, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, b, cotangent
    type(tensor), intent(inout) :: gradient_a, gradient_b
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_gradient_a, new_gradient_b
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('solve_vjp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('solve_vjp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    call f%solve_vjp(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      b%handle, cotangent%handle, new_gradient_a, new_gradient_b, status)
    if (.not. succeeded(status, stat, errmsg)) return
    call take(gradient_a, new_gradient_a, a%dtype_)
    call take(gradient_b, new_gradient_b, a%dtype_)
  end subroutine

  subroutine solve_jvp(a, b, tangent_a, tangent_b, dx, left, right, stat, errmsg)
    type(tensor), intent(in) :: a, b, tangent_a, tangent_b
    type(tensor), intent(inout) :: dx
    integer, intent(in), optional :: left(:), right(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(functions) :: f
    integer(c_size_t), allocatable :: rows(:), columns(:)
    type(c_ptr) :: new_dx
    integer(c_int32_t) :: status
    logical :: ok
    ok = .true.
    call find_axes('solve_jvp', a, 'left', left, 1, rows, ok, stat, errmsg)
    call find_axes('solve_jvp', a, 'right', right, 2, columns, ok, stat, errmsg)
    if (.not. ok) return
    f = functions_of(a%dtype_)
    new_dx = f%solve_jvp(a%handle, rows, size(rows, kind=c_size_t), columns, size(columns, kind=c_size_t), &
      b%handle, tangent_a%handle, tangent_b%handle, status)
    if (succeeded(status, stat, errmsg)) call take(dx, new_dx, a%dtype_)
  end subroutine

  ! ---- Threads, progress, version ----

  subroutine set_num_threads(threads, stat, errmsg)
    integer, intent(in) :: threads
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    call tfe_set_num_threads(int(threads, c_int32_t), status)
    call report(status, stat, errmsg)
  end subroutine

  integer function num_threads()
    num_threads = int(tfe_get_num_threads())
  end function

  ! Einsums, their derivatives and searches of plans of the calling thread ask the callback, which returns 0
  ! to go on; without one they do not.
  subroutine set_progress(callback, user)
    procedure(tfe_progress_fn), optional :: callback
    type(c_ptr), intent(in), optional :: user
    type(c_ptr) :: passed
    type(c_funptr) :: asked
    passed = c_null_ptr
    asked = c_null_funptr
    if (present(user)) passed = user
    if (present(callback)) asked = c_funloc(callback)
    call tfe_set_progress(asked, passed)
  end subroutine

  ! That of the library, "major.minor.patch".
  function library_version() result(version)
    character(:), allocatable :: version
    integer(c_int32_t) :: major, minor, patch
    call tfe_version(major, minor, patch)
    version = text(int(major, c_int64_t)) // '.' // text(int(minor, c_int64_t)) // '.' // &
      text(int(patch, c_int64_t))
  end function
end module
