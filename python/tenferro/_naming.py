"""Errors that name the function that was called, of functions made of others that name themselves alone, and
checks of arguments with the texts that all of them share."""

from functools import wraps
from operator import index

from . import errors

TYPE_CHECKING = False  # importing typing takes longer than all the rest
if TYPE_CHECKING:
    from typing import Any, Callable, TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])

_LONGEST = 60


def shown(value) -> str:
    """What a value prints as, on one line and cut."""
    line = ascii(value).replace("\n", " ")
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "..."


def name_in(error, name):
    """Puts the name before the text of an exception that has it nowhere."""
    if name not in str(error).replace(":", " ").replace("(", " ").split():
        error.args = (f"{name}: {error}",)


def naming(function: "Function") -> "Function":
    """The function, with its name before texts of what it raises that have it nowhere. Not for functions that
    call those of the user, whose errors are not ours."""
    name = function.__name__

    @wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (errors.Error, TypeError, ValueError, IndexError) as error:
            name_in(error, name)
            raise

    return call  # type: ignore[return-value]


def integer(value, name, what) -> int:
    """The integer that a value is. DTypeMismatch in the name of the function where it is none."""
    try:
        return index(value)
    except TypeError:
        raise errors.DTypeMismatch(f"{name}: {what} is {shown(value)} but must be an integer") from None


def integers(values, name, what) -> list:
    """The integers of a sequence."""
    try:
        listed = list(values)
    except TypeError:
        raise errors.DTypeMismatch(
            f"{name}: {what} is {shown(values)} but must be a sequence of integers") from None
    return [integer(value, name, what) for value in listed]


def number(value, name, what) -> float:
    """The real number that a value is."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise errors.DTypeMismatch(f"{name}: {what} is {shown(value)} but must be a number") from None


def one_of(value, name, what, allowed):
    """One of the allowed strings. InvalidArgument where it is none."""
    if not isinstance(value, str) or value not in allowed:
        listed = " or ".join(repr(one) for one in allowed)
        raise errors.InvalidArgument(f"{name}: {what} is {shown(value)} but must be {listed}")
    return value


def function(value, name):
    """What can be called."""
    if not callable(value):
        raise errors.DTypeMismatch(f"{name}: f is {shown(value)} but must be a function")
    return value


def sequence(value, name, what):
    """A list or a tuple."""
    if not isinstance(value, (list, tuple)):
        raise errors.DTypeMismatch(f"{name}: {what} is {shown(value)} but must be a list or a tuple")
    return value
