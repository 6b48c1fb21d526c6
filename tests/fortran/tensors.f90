! Arrays of the four kinds and of several ranks into tensors and back, with and without copies; who owns what.
program tensors
  use, intrinsic :: iso_c_binding
  use checks
  use tenferro
  use tenferro_c, only: tfe_tensor_f64_is_assigned
  implicit none
  type :: pair
    type(tensor) :: first
    type(tensor), allocatable :: second(:)
  end type
  integer :: stat
  character(200) :: errmsg

  call real_arrays()
  call other_kinds()
  call ownership()
  call memory_is_given_back()
  call views()
  call refusals()
  call finish()

contains

  subroutine real_arrays()
    type(tensor) :: a
    real(c_double) :: matrix(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3]), rank4(2, 1, 3, 1), scalar
    real(c_double), pointer :: p1(:), p2(:, :), p3(:, :, :)
    a = matrix
    call check(a%dtype() == tfe_dtype_f64 .and. a%ndim() == 2 .and. a%size() == 6, 'matrix')
    call check(all(a%shape() == [2, 3]) .and. all(a%strides() == [1, 2]), 'shape and strides')
    call a%data(p2)
    call check(all(p2 == matrix), 'elements')
    call check(size(p2, 1) == 2 .and. size(p2, 2) == 3, 'shape of the pointer')
    a = matrix(:, 3:1:-2)
    call a%data(p2)
    call check(all(p2 == matrix(:, 3:1:-2)), 'a section is copied')
    a = [1d0, 2d0]
    call a%data(p1)
    call check(all(p1 == [1, 2]), 'vector')
    a = reshape(matrix, [1, 2, 3])
    call a%data(p3)
    call check(all(p3(1, :, :) == matrix), 'rank 3')
    rank4 = reshape(matrix, [2, 1, 3, 1])
    a = rank4
    rank4 = 0
    call a%get(rank4)
    call check(all(rank4(:, 1, :, 1) == matrix), 'rank 4')
    a = 2.5d0
    call a%get(scalar)
    call check(a%ndim() == 0 .and. a%size() == 1 .and. scalar == 2.5d0, 'scalar')
    a = matrix(:, 1:0)
    call a%data(p2)
    call check(a%size() == 0 .and. associated(p2), 'no elements')
    call check(size(p2, 1) == 2 .and. size(p2, 2) == 0, 'shape without elements')
    call a%zeros([3], tfe_dtype_f64)
    call a%data(p1)
    call check(all(p1 == [0, 0, 0]), 'zeros')
  end subroutine

  subroutine other_kinds()
    type(tensor) :: a, b
    real(c_float), pointer :: x(:)
    complex(c_float_complex), pointer :: y(:)
    complex(c_double_complex), pointer :: z(:), z2(:, :)
    a = [1.0, 2.0]
    call a%data(x)
    call check(a%dtype() == tfe_dtype_f32 .and. all(x == [1, 2]), 'f32')
    a = [(1.0, 2.0), (3.0, 4.0)]
    call a%data(y)
    call check(a%dtype() == tfe_dtype_c32 .and. all(y == [(1.0, 2.0), (3.0, 4.0)]), 'c32')
    a = reshape([(1d0, 2d0), (3d0, 4d0)], [1, 2])
    call a%data(z2)
    call check(a%dtype() == tfe_dtype_c64 .and. all(z2(1, :) == [(1d0, 2d0), (3d0, 4d0)]), 'c64')
    call a%conj(b)
    call b%data(z2)
    call check(all(z2(1, :) == [(1d0, -2d0), (3d0, -4d0)]), 'conj')
    call a%zeros([1], tfe_dtype_c64)
    call a%data(z)
    call check(z(1) == 0, 'complex zeros')
  end subroutine

  subroutine ownership()
    type(tensor) :: a, b
    type(tensor), allocatable :: many(:)
    real(c_double), pointer :: p(:)
    type(c_ptr) :: managed
    call check(.not. a%assigned() .and. a%size() == 0, 'at first')
    a = [1d0, 2d0]
    b = a
    call check(.not. c_associated(a%c_handle(), b%c_handle()), 'a copy is another tensor')
    a = a
    call a%release()
    call check(.not. a%assigned() .and. b%assigned(), 'release')
    call a%release()
    call b%data(p)
    call check(all(p == [1, 2]), 'the copy lives')
    allocate (many(3))
    many(2) = b
    many(3) = many(2)
    deallocate (many)
    b = a
    call check(.not. b%assigned(), 'a copy of none')
    a = [3d0]
    call a%to_dlpack(managed)
    call check(.not. a%assigned() .and. c_associated(managed), 'handed out')
    call b%from_dlpack(managed, tfe_dtype_f64)
    call b%data(p)
    call check(p(1) == 3, 'taken in')
  end subroutine

  logical function alive(handle)
    type(c_ptr), intent(in) :: handle
    alive = tfe_tensor_f64_is_assigned(handle) /= 0
  end function

  ! Handles of what goes out of scope, is deallocated, or is replaced are dead.
  subroutine memory_is_given_back()
    type(tensor) :: a
    type(tensor), allocatable :: many(:)
    type(c_ptr) :: handles(4), old
    integer :: i
    call locals(handles)
    do i = 1, size(handles)
      call check(.not. alive(handles(i)), 'out of scope')
    end do
    allocate (many(2))
    many(2) = [1d0]
    old = many(2)%c_handle()
    call check(alive(old), 'an element of an array')
    deallocate (many)
    call check(.not. alive(old), 'deallocated')
    a = [1d0, 2d0]
    old = a%c_handle()
    call einsum(a, 'i->', a)
    call check(.not. alive(old) .and. alive(a%c_handle()), 'replaced by a result')
    old = a%c_handle()
    a = [3d0]
    call check(.not. alive(old), 'replaced by assignment')
  end subroutine

  subroutine locals(handles)
    type(c_ptr), intent(out) :: handles(4)
    type(tensor) :: a, b(2, 2)
    type(pair) :: p
    a = [1d0]
    b(2, 1) = a
    p%first = a
    allocate (p%second(2))
    p%second(2) = a
    handles = [a%c_handle(), b(2, 1)%c_handle(), p%first%c_handle(), p%second(2)%c_handle()]
  end subroutine

  subroutine views()
    type(tensor) :: a, b
    real(c_double), target :: array(2, 2) = reshape([1, 2, 3, 4], [2, 2])
    complex(c_double_complex), target :: z(1) = [(0d0, 1d0)]
    complex(c_float_complex), target :: y(1) = [(0.0, 1.0)]
    real(c_float), target :: x = 5
    real(c_double), pointer :: p(:, :)
    complex(c_double_complex), pointer :: pz(:)
    complex(c_float_complex), pointer :: py(:)
    real(c_float) :: scalar
    call a%view(array)
    call a%data(p)
    call check(c_associated(c_loc(p), c_loc(array)), 'a view is the array')
    array(2, 1) = 7
    call check(p(2, 1) == 7, 'and follows it')
    call einsum(b, 'ij->ji', a)
    call b%data(p)
    call check(all(p == reshape([1, 3, 7, 4], [2, 2])), 'as an operand')
    call a%view(array(:, 2:2))
    call check(all(a%shape() == [2, 1]), 'a contiguous section')
    call a%view(array(1:1, :), stat, errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'view: the array is not contiguous')
    call check(a%assigned(), 'a failure changes nothing')
    call a%view(x)
    call a%get(scalar)
    call check(scalar == 5 .and. a%ndim() == 0, 'view of f32')
    call a%view(y)
    call a%data(py)
    call check(py(1) == (0.0, 1.0), 'view of c32')
    call a%view(z)
    call a%data(pz)
    call check(pz(1) == (0d0, 1d0), 'view of c64')
  end subroutine

  subroutine refusals()
    type(tensor) :: a
    real(c_double), pointer :: p(:), p2(:, :)
    real(c_float), pointer :: x(:)
    real(c_double) :: array(3)
    call a%data(p, stat, errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'data: there is no tensor')
    call check(.not. associated(p), 'no pointer after a failure')
    a = [1d0, 2d0]
    call a%data(x, stat, errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'data: the tensor is f64, the array f32')
    call a%data(p2, stat, errmsg)
    call check_failure(stat, errmsg, tfe_shape_mismatch, 'data: the tensor has rank 1, the array 2')
    call a%get(array, stat, errmsg)
    call check_failure(stat, errmsg, tfe_shape_mismatch, &
      'get: axis 1 of the tensor has extent 2, of the array 3')
    call a%zeros([1], 9, stat, errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'zeros: there is no dtype 9')
    call a%zeros([-1], tfe_dtype_f64, stat, errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'extent')
    call a%set([1d0], stat, errmsg)
    call check(stat == tfe_success .and. a%size() == 1, 'set')
  end subroutine
end program
