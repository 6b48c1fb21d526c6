! Contractions of arrays, with and without copies, a gradient, and an error.
! Expected: c = 22 28 49 64, gradient of a = 5 5 7 7 9 9, label j has extent 2 in operand 0
program contract
  use, intrinsic :: iso_c_binding, only: c_double
  use tenferro
  implicit none
  real(c_double), target :: array(3, 2) = reshape([1, 2, 3, 4, 5, 6], [3, 2])
  real(c_double), pointer :: elements(:, :), gradient(:, :)
  type(tensor) :: c, ones, operands(2), gradients(2)
  integer :: stat
  character(120) :: message

  operands(1) = reshape([1d0, 2d0, 3d0, 4d0, 5d0, 6d0], [2, 3])
  call operands(2)%view(array)
  call einsum(c, 'ij,jk->ik', operands)
  call c%data(elements)

  ones = reshape([1d0, 1d0, 1d0, 1d0], [2, 2])
  call einsum_vjp(gradients, 'ij,jk->ik', operands, ones)
  call gradients(1)%data(gradient)

  call einsum(c, 'ij,jk->ik', ones, operands(2), stat=stat, errmsg=message)
  if (stat /= tfe_shape_mismatch) error stop 'the extents do not fit, but it succeeded'
  print '(a, 4(1x, i0), a, 6(1x, i0), 2a)', 'c =', nint(elements), ', gradient of a =', nint(gradient), &
    ', ', message(9:49)
end program
