! The best approximation of a tensor by rank 1 between its axes (1, 3) and its axis 2, and how its weight
! changes with the tensor; a linear system. Expected: S = 3, left out 2, d S / d T(1,1,1) = 1, x = 1 2
program compress
  use, intrinsic :: iso_c_binding, only: c_double
  use tenferro
  implicit none
  real(c_double) :: t(2, 2, 2), approximation(2, 2, 2), gradient(2, 2, 2), weight(1), solution(2)
  type(tensor) :: a, u, s, vt, product, zero, one, da, b, x

  t = 0
  t(1, 1, 1) = 3
  t(2, 2, 2) = 2
  a = t
  call svd(a, u, s, vt, left=[1, 3], right=[2], max_rank=1)
  call einsum(product, 'ika,a,aj->ijk', u, s, vt)
  call product%get(approximation)
  call s%get(weight)

  ! Reverse mode: the cotangent of S is 1, tensors without elements are zero.
  one = [1d0]
  call svd_vjp(a, zero, one, zero, da, left=[1, 3], right=[2], max_rank=1)
  call da%get(gradient)

  a = reshape([2d0, 1d0, 1d0, 3d0], [2, 2])
  b = [4d0, 7d0]
  call solve(a, b, x)
  call x%get(solution)
  print '(a, i0, a, i0, a, i0, a, 2(1x, i0))', 'S = ', nint(weight), ', left out ', &
    nint(norm2(t - approximation)), ', d S / d T(1,1,1) = ', nint(gradient(1, 1, 1)), ', x =', nint(solution)
end program
