! Einsums and plans, their derivatives, exponents, options, progress and errors.
module callbacks
  use, intrinsic :: iso_c_binding
  use tenferro
  implicit none
contains
  integer(c_int32_t) function stop_at_once(progress, user) bind(c)
    type(tfe_progress), intent(in) :: progress
    type(c_ptr), value :: user
    integer, pointer :: count
    call c_f_pointer(user, count)
    count = count + 1
    stop_at_once = merge(1, 0, progress%phase == tfe_phase_run)
  end function
end module

program einsums
  use callbacks
  use, intrinsic :: iso_c_binding
  use checks
  use tenferro
  implicit none
  real(c_double), parameter :: x(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  real(c_double), parameter :: y(3, 2) = reshape([1, 0, 2, -1, 3, 1], [3, 2])
  integer :: stat
  character(200) :: errmsg

  call values()
  call derivatives()
  call plans()
  call scaled()
  call plans_of_labels()
  call watched()
  call refusals()
  call settings()
  call finish()

contains

  function elements(t)
    type(tensor), intent(in) :: t
    real(c_double), allocatable :: elements(:)
    real(c_double), pointer :: p(:, :)
    call t%data(p)
    elements = reshape(p, [size(p)])
  end function

  function flat(matrix)
    real(c_double), intent(in) :: matrix(:, :)
    real(c_double) :: flat(size(matrix))
    flat = reshape(matrix, [size(matrix)])
  end function

  subroutine values()
    type(tensor) :: a, b, c, operands(3)
    complex(c_double_complex), pointer :: z(:)
    complex(c_float_complex), pointer :: w(:)
    real(c_float), pointer :: v(:)
    a = x
    b = y
    call einsum(c, 'ij,jk->ik', a, b)
    call check_close(elements(c), flat(matmul(x, y)), 'product')
    call einsum(c, 'ij,jk,kl->il', a, b, a)
    call check_close(elements(c), flat(matmul(matmul(x, y), x)), 'three operands')
    operands(1) = a
    operands(2) = b
    operands(3) = a
    call einsum(c, 'ij,jk,kl->il', operands)
    call check_close(elements(c), flat(matmul(matmul(x, y), x)), 'a list')
    a = [2d0]
    call einsum(c, 'i,i,i,i,i,i->i', a, a, a, a, a, a)
    call check(c%size() == 1 .and. all(c%shape() == [1]), 'six operands')
    a = [(1d0, 2d0)]
    call einsum(c, 'i,i->i', a, a)
    call c%data(z)
    call check_close(z, [(-3d0, 4d0)], 'c64')
    a = [(1.0, 2.0)]
    call einsum(c, 'i,i->i', a, a)
    call c%data(w)
    call check(w(1) == (-3.0, 4.0), 'c32')
    a = [3.0]
    call einsum(c, 'i,i->i', a, a)
    call c%data(v)
    call check(v(1) == 9, 'f32')
  end subroutine

  subroutine derivatives()
    type(tensor) :: operands(2), tangents(2), gradients(2), cotangent, dc
    real(c_double) :: seed(2, 2) = reshape([1, 2, 3, 4], [2, 2])
    operands(1) = x
    operands(2) = y
    cotangent = seed
    call einsum_vjp(gradients, 'ij,jk->ik', operands, cotangent)
    call check_close(elements(gradients(1)), flat(matmul(seed, transpose(y))), 'vjp 1')
    call check_close(elements(gradients(2)), flat(matmul(transpose(x), seed)), 'vjp 2')
    tangents(1) = x
    call einsum_jvp(dc, 'ij,jk->ik', operands, tangents)
    call check_close(elements(dc), flat(matmul(x, y)), 'jvp')
  end subroutine

  subroutine plans()
    type(einsum_plan) :: plan, other
    type(tensor) :: a, b, c, d, operands(2), tangents(2), gradients(2)
    type(tfe_einsum_plan_cost) :: cost, vjp_cost
    type(tfe_einsum_plan_options) :: options
    integer, allocatable :: order(:)
    a = x
    b = y
    call check(.not. plan%assigned(), 'no plan at first')
    call plan%create('ij,jk->ik', [integers([2, 3]), integers([3, 2])])
    call plan%run(c, a, b)
    call check_close(elements(c), flat(matmul(x, y)), 'run')
    operands(1) = a
    operands(2) = b
    call plan%run(d, operands)
    call check_close(elements(d), elements(c), 'run on a list')
    call plan%vjp(gradients, operands, c)
    call check_close(elements(gradients(1)), flat(matmul(matmul(x, y), transpose(y))), 'plan vjp')
    tangents(2) = b
    call plan%jvp(d, operands, tangents)
    call check_close(elements(d), elements(c), 'plan jvp')
    call plan%get_cost(cost)
    call plan%get_vjp_cost(vjp_cost)
    call check(cost%flops == 24 .and. cost%slices == 1, 'cost')
    call check(vjp_cost%flops == 48, 'cost of the vjp')
    other = plan
    call plan%release()
    call check(other%assigned() .and. .not. plan%assigned(), 'a clone')
    call other%run(d, a, b)
    call check_close(elements(d), elements(c), 'of the clone')

    options%objective = tfe_einsum_objective_flops
    call plan%create('ij,jk,kl->il', [integers([2, 3]), integers([3, 2]), integers([2, 3])], options, &
      order=[1, 2, 0, 1])
    call plan%get_order(order)
    call check(all(order == [1, 2, 0, 1]), 'a given order')
    options%max_exact = 99
    call plan%create('ij,jk->ik', [integers([2, 3]), integers([3, 2])], options, stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'max_exact')
    call check(plan%assigned(), 'a failure changes nothing')
  end subroutine

  subroutine scaled()
    type(einsum_plan) :: plan
    type(tensor) :: a, c, operands(2), gradients(2)
    integer(c_int64_t) :: exponent, exponents(2)
    real(c_double), pointer :: p(:)
    a = [1d300]
    call einsum_scaled(c, exponent, 'i,i,i->i', a, a, a)
    call c%data(p)
    call check_close([log10(p(1)) + exponent * log10(2d0)], [900d0], 'scaled')
    operands(1) = a
    operands(2) = a
    call einsum_scaled(c, exponent, 'i,i->i', operands)
    call c%data(p)
    call check_close([log10(p(1)) + exponent * log10(2d0)], [600d0], 'scaled list')
    call einsum_vjp_scaled(gradients, exponents, 'i,i->i', operands, a, 1_c_int64_t)
    call gradients(2)%data(p)
    call check_close([log10(p(1)) + (exponents(2) - 1) * log10(2d0)], [600d0], 'scaled vjp')
    call einsum_jvp_scaled(c, exponent, 'i,i->i', operands, operands)
    call c%data(p)
    call check_close([log10(p(1)) + (exponent - 1) * log10(2d0)], [600d0], 'scaled jvp')
    call plan%create('i,i->i', [integers([1]), integers([1])])
    call plan%run_scaled(c, exponent, a, a)
    call c%data(p)
    call check_close([log10(p(1)) + exponent * log10(2d0)], [600d0], 'scaled plan')
    call plan%run_scaled(c, exponent, operands)
    call plan%vjp_scaled(gradients, exponents, operands, a)
    call gradients(1)%data(p)
    call check_close([log10(p(1)) + exponents(1) * log10(2d0)], [600d0], 'scaled plan vjp')
    call plan%jvp_scaled(c, exponent, operands, operands)
    call c%data(p)
    call check_close([log10(p(1)) + (exponent - 1) * log10(2d0)], [600d0], 'scaled plan jvp')
  end subroutine

  subroutine plans_of_labels()
    type(einsum_plan) :: plan
    type(tensor) :: a, b, c
    a = x
    b = y
    call plan%create([integers([1, 7]), integers([7, -3])], [1, -3], [integers([2, 3]), integers([3, 2])])
    call plan%run(c, a, b)
    call check_close(elements(c), flat(matmul(x, y)), 'labels')
    call plan%create([integers([1])], [1], [integers([2, 3])], stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_shape_mismatch, 'create: operand 1 has 1 labels for 2 axes')
    call plan%create([integers([1])], [1], [integers([2]), integers([3])], stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'create: 2 shapes for 1 operands')
  end subroutine

  subroutine watched()
    type(tensor) :: a, b, c
    integer, target :: count
    count = 0
    a = x
    b = y
    call set_progress(stop_at_once, c_loc(count))
    call einsum(c, 'ij,jk,kl->il', a, b, a, stat=stat, errmsg=errmsg)
    call set_progress()
    call check_failure(stat, errmsg, tfe_internal_error, 'cancelled')
    call check(error_detail() == tfe_detail_cancelled .and. count > 0, 'cancelled')
    count = 0
    call einsum(c, 'ij,jk,kl->il', a, b, a)
    call check(count == 0, 'watched no more')
  end subroutine

  subroutine refusals()
    type(tensor) :: a, b, c, none(0), one(1), two(2)
    a = x
    b = x
    call einsum(c, 'ij,jk->ik', a, b, stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_shape_mismatch, 'label j has extent 3')
    call check(error_detail() == tfe_detail_shape .and. error_message() == trim(errmsg), 'the last error')
    b = [1.0]
    call einsum(c, 'ij,k->ijk', a, b, stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'operand 1 has dtype f32 but dtype f64')
    call check(error_detail() == tfe_detail_dtype, 'detail of another kind')
    call b%release()
    call einsum(c, 'ij,ij->', a, b, stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'NULL')
    call check(.not. c%assigned(), 'no result')
    call einsum(c, '->', none, stat=stat, errmsg=errmsg)
    call check(stat == tfe_invalid_argument, 'no operands')
    one(1) = a
    call einsum_vjp(two, 'ij->', one, a, stat, errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'vjp: 2 gradients for 1 operands')
    call einsum_jvp(c, 'ij->', one, two, stat, errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'jvp: 2 tangents for 1 operands')
  end subroutine

  subroutine settings()
    integer :: before
    before = num_threads()
    call set_num_threads(1)
    call check(num_threads() == 1, 'threads')
    call set_num_threads(0, stat, errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, '0')
    call set_num_threads(before)
    call check(index(library_version(), '.') > 1, 'version')
  end subroutine
end program
