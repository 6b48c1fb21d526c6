! A ring of matrices as a network with integers for labels, planned under a memory limit and run.
! Expected: trace 2, planned within the limit T
program network
  use, intrinsic :: iso_c_binding, only: c_double
  use tenferro
  implicit none
  integer, parameter :: sites = 12
  type(tensor) :: tensors(sites), trace
  type(integers) :: labels(sites), shapes(sites)
  type(einsum_plan) :: plan
  type(tfe_einsum_plan_options) :: options
  type(tfe_einsum_plan_cost) :: cost
  real(c_double) :: value
  integer :: i

  do i = 1, sites
    tensors(i) = reshape([0d0, 1d0, 1d0, 0d0], [2, 2])
    labels(i) = integers([i, mod(i, sites) + 1])
    shapes(i) = integers([2, 2])
  end do
  options%memory_limit = 4096
  options%objective = tfe_einsum_objective_flops
  call plan%create(labels, [integer ::], shapes, options)
  call plan%get_cost(cost)
  call plan%run(trace, tensors)
  call trace%get(value)
  print '(a, i0, a, l1)', 'trace ', nint(value), ', planned within the limit ', cost%peak_bytes <= 4096
end program
