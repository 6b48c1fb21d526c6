! Decompositions and solve put together again, with axes that count from 1; derivatives against differences.
program linalg
  use, intrinsic :: iso_c_binding
  use checks
  use tenferro
  implicit none
  real(c_double), parameter :: m(2, 2) = reshape([4, 1, 2, 3], [2, 2])  ! positive definite when symmetrised
  integer :: stat
  character(200) :: errmsg

  call values()
  call complex_values()
  call axes_and_truncation()
  call derivatives()
  call refusals()
  call finish()

contains

  function matrix(t)
    type(tensor), intent(in) :: t
    real(c_double), allocatable :: matrix(:, :)
    real(c_double), pointer :: p(:, :)
    call t%data(p)
    matrix = p
  end function

  function vector(t)
    type(tensor), intent(in) :: t
    real(c_double), allocatable :: vector(:)
    real(c_double), pointer :: p(:)
    call t%data(p)
    vector = p
  end function

  function flat(a)
    real(c_double), intent(in) :: a(:, :)
    real(c_double) :: flat(size(a))
    flat = reshape(a, [size(a)])
  end function

  subroutine values()
    type(tensor) :: a, b, u, s, vt, q, r, p, l, x, w
    real(c_double) :: symmetric(2, 2)
    complex(c_double_complex), pointer :: z(:)
    a = m
    call svd(a, u, s, vt)
    call einsum(x, 'ik,k,kj->ij', u, s, vt)
    call check_close(flat(matrix(x)), flat(m), 'svd')
    call qr(a, q, r)
    call check_close(flat(matmul(matrix(q), matrix(r))), flat(m), 'qr')
    call check_close(flat(matmul(transpose(matrix(q)), matrix(q))), [1d0, 0d0, 0d0, 1d0], 'q')
    call lu(a, p, l, u)
    call check_close(flat(matmul(matrix(p), m)), flat(matmul(matrix(l), matrix(u))), 'lu')
    call eig(a, w, x)
    call w%data(z)
    call check_close([sum(z), product(z)], [(7d0, 0d0), (10d0, 0d0)], 'eig')
    b = [1d0, 2d0]
    call solve(a, b, x)
    call check_close(matmul(m, vector(x)), [1d0, 2d0], 'solve')
    symmetric = m + transpose(m)
    a = symmetric
    call cholesky(a, l)
    call check_close(flat(matmul(matrix(l), transpose(matrix(l)))), flat(symmetric), 'cholesky')
    call eigh(a, w, x)
    call check_close(flat(matmul(symmetric, matrix(x))), &
      flat(matrix(x) * spread(vector(w), 1, 2)), 'eigh')
  end subroutine

  ! Values of complex matrices are real, eigenvalues of real ones complex.
  subroutine complex_values()
    type(tensor) :: a, u, s, vt, w, v, x
    real(c_double), pointer :: p(:)
    real(c_float), pointer :: f(:)
    complex(c_double_complex), pointer :: z(:, :)
    complex(c_double_complex) :: h(2, 2) = reshape([(2d0, 0d0), (0d0, 1d0), (0d0, -1d0), (2d0, 0d0)], [2, 2])
    a = h
    call svd(a, u, s, vt)
    call s%data(p)
    call check_close(p, [3d0, 1d0], 'complex svd')
    call einsum(x, 'ik,kj->ij', u, vt)
    call x%data(z)
    call eigh(a, w, v)
    call w%data(p)
    call check_close(p, [1d0, 3d0], 'complex eigh')
    a = reshape([(2.0, 0.0), (0.0, 1.0), (0.0, -1.0), (2.0, 0.0)], [2, 2])
    call eigh(a, w, v)
    call w%data(f)
    call check(w%dtype() == tfe_dtype_f32 .and. all(abs(f - [1, 3]) < 1e-5), 'c32 eigh')
    call eig(a, w, v)
    call check(w%dtype() == tfe_dtype_c32 .and. v%dtype() == tfe_dtype_c32, 'c32 eig')
    a = real(h, c_float)
    call eig(a, w, v)
    call check(w%dtype() == tfe_dtype_c32, 'f32 eig')
  end subroutine

  subroutine axes_and_truncation()
    type(tensor) :: a, u, s, vt, q, r
    real(c_double) :: t(2, 3, 2)
    t = 0
    t(1, 2, 1) = 3
    t(2, 1, 2) = 2
    a = t
    call svd(a, u, s, vt, left=[1, 3], right=[2], max_rank=1)
    call check(all(u%shape() == [2, 2, 1]) .and. all(vt%shape() == [1, 3]), 'shapes of a truncated svd')
    call check_close(vector(s), [3d0], 'the largest value')
    call svd(a, u, s, vt, left=[1, 3], right=[2], cutoff=1d-6)
    call check_close(vector(s), [3d0, 2d0], 'cutoff')
    call qr(a, q, r)
    call check(all(q%shape() == [2, 2, 2]) .and. all(r%shape() == [2, 3, 2]), 'a batch')
  end subroutine

  ! <cotangent, jvp(tangent)> = <vjp(cotangent), tangent> for each function, and one jvp in closed form.
  subroutine derivatives()
    type(tensor) :: a, b, t, g, gb, d1, d2, d3, u, s, vt, w, v, none
    real(c_double), parameter :: tangent(2, 2) = reshape([1, 2, -1, 1], [2, 2])
    real(c_double) :: symmetric(2, 2)
    a = m
    t = tangent
    call svd(a, u, s, vt)
    call svd_jvp(a, t, d1, d2, d3)
    call svd_vjp(a, u, s, vt, g)
    call check_close([inner(g, t)], [inner(u, d1) + inner(s, d2) + inner(vt, d3)], 'svd')
    call svd_vjp(a, none, s, none, g)
    call check_close(flat(matrix(g)), flat(m), 'the gradient of half the squared values is the matrix')
    call qr_jvp(a, t, d1, d2)
    call qr_vjp(a, t, a, g)
    call check_close([inner(g, t)], [inner(t, d1) + inner(a, d2)], 'qr')
    call lu_jvp(a, t, d1, d2)
    call lu_vjp(a, t, a, g)
    call check_close([inner(g, t)], [inner(t, d1) + inner(a, d2)], 'lu')
    call eig(a, w, v)
    call eig_jvp(a, t, d1, d2)
    call eig_vjp(a, w, v, g)
    call check_close([inner(g, t)], [inner(w, d1) + inner(v, d2)], 'eig')
    b = [1d0, 2d0]
    call solve_jvp(a, b, t, b, d1)
    call solve_vjp(a, b, b, g, gb)
    call check_close([inner(g, t) + inner(gb, b)], [inner(b, d1)], 'solve')
    symmetric = m + transpose(m)
    a = symmetric
    symmetric = tangent + transpose(tangent)
    t = symmetric
    call eigh_jvp(a, t, d1, d2)
    call eigh(a, w, v)
    call eigh_vjp(a, w, t, g)
    call check_close([inner(g, t)], [inner(w, d1) + inner(t, d2)], 'eigh')
    call cholesky_jvp(a, t, d1)
    call cholesky_vjp(a, t, g)
    call check_close([inner(g, t)], [inner(t, d1)], 'cholesky')
  end subroutine

  ! The real inner product of tensors of any rank and dtype.
  real(c_double) function inner(a, b)
    type(tensor), intent(in) :: a, b
    type(tensor) :: conjugate, product
    real(c_double) :: value
    complex(c_double_complex) :: complex_value
    call a%conj(conjugate)
    call einsum(product, '...,...->...', conjugate, b)
    select case (product%ndim())
    case (1)
      call einsum(conjugate, 'a->', product)
    case default
      call einsum(conjugate, 'ab->', product)
    end select
    if (conjugate%dtype() == tfe_dtype_f64) then
      call conjugate%get(value)
      inner = value
    else
      call conjugate%get(complex_value)
      inner = real(complex_value)
    end if
  end function

  subroutine refusals()
    type(tensor) :: a, u, s, vt, l
    a = m
    call svd(a, u, s, vt, left=[1], right=[3], stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, &
      'svd: axis 3 in right does not exist, the tensor has 2 axes')
    call svd(a, u, s, vt, left=[0], stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'svd: axis 0 in left')
    call svd(a, u, s, vt, left=[1, 1], stat=stat, errmsg=errmsg)
    call check(stat == tfe_invalid_argument, 'an axis twice')
    a = -m
    call cholesky(a, l, stat=stat, errmsg=errmsg)
    call check(stat == tfe_invalid_argument .and. error_detail() == tfe_detail_numerical, 'not positive')
    call a%release()
    call svd(a, u, s, vt, stat=stat, errmsg=errmsg)
    call check_failure(stat, errmsg, tfe_invalid_argument, 'NULL')
  end subroutine
end program
