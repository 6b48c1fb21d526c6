! What the tests check with: a condition and its name; the program fails at its end if one did not hold.
module checks
  use, intrinsic :: iso_c_binding
  use tenferro
  implicit none
  private
  public :: check, check_close, check_failure, finish
  integer :: failures = 0

  interface check_close
    module procedure check_close_real, check_close_complex
  end interface

contains

  subroutine check(condition, name)
    logical, intent(in) :: condition
    character(*), intent(in) :: name
    if (condition) return
    failures = failures + 1
    print '(2a)', 'failed: ', name
  end subroutine

  subroutine check_close_real(found, expected, name)
    real(c_double), intent(in) :: found(:), expected(:)
    character(*), intent(in) :: name
    if (size(found) /= size(expected)) then
      call check(.false., name // ': number of elements')
    else if (any(.not. abs(found - expected) <= 1e-12_c_double * (1 + abs(expected)))) then
      call check(.false., name)
      print *, 'found', found, 'expected', expected
    end if
  end subroutine

  subroutine check_close_complex(found, expected, name)
    complex(c_double_complex), intent(in) :: found(:), expected(:)
    character(*), intent(in) :: name
    call check_close_real([real(found), aimag(found)], [real(expected), aimag(expected)], name)
  end subroutine

  ! After a call with stat and errmsg that must fail.
  subroutine check_failure(stat, errmsg, expected_stat, expected_text)
    integer, intent(in) :: stat
    character(*), intent(in) :: errmsg
    integer(c_int32_t), intent(in) :: expected_stat
    character(*), intent(in) :: expected_text
    call check(stat == expected_stat, 'status of: ' // expected_text)
    call check(index(errmsg, expected_text) > 0, &
      'message "' // trim(errmsg) // '" is not "' // expected_text // '"')
  end subroutine

  subroutine finish()
    if (failures > 0) error stop 'some checks failed'
  end subroutine
end module
