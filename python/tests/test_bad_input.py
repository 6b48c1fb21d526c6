"""Every public function with arguments that are not what it takes, one at a time: what it raises is an error
of tenferro or one of Python's own for such arguments, in a text that names the function, and soon."""

import inspect
import re
import signal
import warnings

import numpy as np
import pytest

import tenferro as tf
from conftest import is_sanitized


def frozen():
    array = np.ones((2, 3))
    array.setflags(write=False)
    return array


def used_up():
    """A capsule whose tensor has been taken."""
    capsule = tf.asarray(np.ones(3)).__dlpack__()
    np.from_dlpack(type("Once", (), {"__dlpack__": lambda self, **_: capsule,
                                     "__dlpack_device__": lambda self: (1, 0)})())
    return capsule


GOOD = {"matrix": lambda: np.ones((2, 3)), "square": lambda: np.array([[2.0, 1], [1, 3]]),
        "tensor": lambda: tf.ones((2, 3)), "function": lambda: lambda *a: a, "text": lambda: "ij,jk"}
POOL = {**GOOD,
        "vector": lambda: np.ones(3), "indices": lambda: np.array([0, 5, -7]), "nan": lambda: float("nan"),
        "none": lambda: None, "object": object, "negative": lambda: -3, "too long": lambda: 2**70,
        "huge": lambda: 2**40, "huge shape": lambda: (2**40, 2**40), "negative shape": lambda: (-1, -2),
        "ragged": lambda: [[1, 2], [3]], "dict": lambda: {"a": 1}, "objects": lambda: np.array([object()]),
        "uint8": lambda: np.ones(3, np.uint8), "strings": lambda: np.array(["a"]),
        "NaNs": lambda: np.full((2, 3), np.nan), "empty": lambda: np.ones((0, 3)), "float": lambda: 1.5,
        "tuple": lambda: (0, 9), "bool": lambda: True, "bytes": lambda: b"x",
        "frozen": frozen, "used up": used_up}


def public(module, prefix=""):
    """Its functions, classes and what is loaded later left out."""
    for name in dir(module):
        if name.startswith("_") or name in ("autoray", "torch", "jax", "TYPE_CHECKING"):
            continue
        value = getattr(module, name)
        if callable(value) and not isinstance(value, type):
            yield prefix + name, value


FUNCTIONS = dict([*public(tf), *public(tf.linalg, "linalg.")])
ALLOWED = (tf.errors.Error, TypeError, ValueError, IndexError)


class Late(Exception):
    """A call that takes seconds."""


OF_OTHERS = {"from_dlpack": BufferError}  # which NumPy raises where it is asked for what it cannot lend


def keywords(function):
    """The names of its parameters: nanobind writes them into the first line of the text."""
    try:
        return list(inspect.signature(function).parameters)
    except ValueError:
        return re.findall(r"(\w+): ", (function.__doc__ or "").split("->")[0])


def calls(function):
    for first in POOL:
        yield (first,), {}
        for good in GOOD:
            yield (first, good), {}
            yield (good, first), {}
            yield (good, good, first), {}
    for keyword in keywords(function):
        for value in POOL:
            yield ("matrix",), {keyword: value}
            yield ("square", "square"), {keyword: value}


def too_long(*_):
    raise Late("an argument makes it compute for seconds")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bad_input(name, rng):
    function = FUNCTIONS[name]
    names = re.compile(rf"\b({re.escape(name.split('.')[-1])}|{re.escape(function.__name__)})\b").search
    before = signal.signal(signal.SIGALRM, too_long)
    refused = 0
    try:
        for positional, named in calls(function):
            if is_sanitized() and rng.integers(8) != 0:
                continue
            arguments = [POOL[one]() for one in positional]
            options = {keyword: POOL[one]() for keyword, one in named.items()}
            signal.alarm(20)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(*arguments, **options)
            except ALLOWED as error:
                refused += 1
                assert names(str(error)), (positional, named, repr(error))
            except Exception as error:
                if isinstance(error, OF_OTHERS.get(name, ())):
                    continue
                raise AssertionError((positional, named)) from error
            finally:
                signal.alarm(0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert refused or keywords(function) == [] or is_sanitized()


@pytest.mark.parametrize("said", [0, 1, 3, 5000])
def test_lists_that_lie_about_their_length(said):
    class Liar(list):
        def __len__(self):
            return said

    for given in (Liar([1.0, 2.0]), [Liar([1.0, 2.0])], [Liar([1.0, 2.0]), Liar([1.0, 2.0])]):
        with pytest.raises(ValueError, match=f"its length is {said} but holds another"):
            tf.asarray(given)


def test_every_function_is_there():
    assert len(FUNCTIONS) > 190 and {"einsum", "tile", "linalg.svd", "grad", "contract"} <= FUNCTIONS.keys()
