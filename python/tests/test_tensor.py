"""The class Tensor: attributes, operators, text."""

import operator

import numpy as np
import pytest

import tenferro as tf
from conftest import ALL_DTYPES, DTYPES, close, drawn

SHAPES = [((), ()), ((3,), ()), ((2, 3), (3,)), ((2, 1, 4), (3, 1)), ((0, 2), (1, 2)), ((2, 3), (2, 3))]


def test_attributes(rng):
    a = drawn(rng, (2, 3, 4), np.complex64)
    t = tf.asarray(a)
    assert (t.shape, t.ndim, t.size, t.itemsize, t.nbytes) == ((2, 3, 4), 3, 24, 8, 192)
    assert t.dtype == tf.complex64 == np.complex64 and t.dtype is tf.complex64
    assert t.strides == tuple(stride // 8 for stride in a.strides)
    assert t.__array_namespace__() is tf
    assert len(t) == 2 and [row.shape for row in t] == [(3, 4)] * 2
    assert t.tolist() == a.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv"])
def test_arithmetic(name, shapes, dtype, rng):
    f = getattr(operator, name)
    a, b = (drawn(rng, shape, dtype) for shape in shapes)
    t, u = tf.asarray(a), tf.asarray(b)
    expected = np.asarray(f(a, b))
    for result in (f(t, u), f(t, b), f(a, u) if a.ndim else f(t, u)):
        assert isinstance(result, tf.Tensor)
        close(result, expected, 4)


@pytest.mark.parametrize("x", ALL_DTYPES)
@pytest.mark.parametrize("y", ALL_DTYPES)
def test_promotion(x, y):
    result = tf.asarray(np.ones(2, x)) == tf.asarray(np.ones(2, y))
    assert result.dtype == tf.bool and np.asarray(result).all()
    if np.bool_ in (x, y):
        return
    result = tf.asarray(np.ones(2, x)) + tf.asarray(np.ones(2, y))
    assert result.dtype == np.result_type(x, y)


@pytest.mark.parametrize("dtype, number, expected", [
    (np.float32, 2, np.float32), (np.float32, 2.5, np.float32), (np.float32, 1j, np.complex64),
    (np.int32, 2, np.int32), (np.int32, 0.5, np.float64), (np.int64, 1j, np.complex128),
    (np.complex64, 2.0, np.complex64)])
def test_numbers(dtype, number, expected, rng):
    a = drawn(rng, (3,), dtype)
    assert (tf.asarray(a) * number).dtype == expected
    close(tf.asarray(a) * number, (a * number).astype(expected), 4)
    close(number - tf.asarray(a), (number - a).astype(expected), 4)


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_whole_parts(dtype, rng):
    a, b = drawn(rng, (4, 5), dtype), drawn(rng, (4, 5), dtype)
    b = np.where(b == 0, 1, b).astype(dtype)
    close(tf.asarray(a) // tf.asarray(b), a // b)
    close(tf.asarray(a) % tf.asarray(b), a % b, 16)
    close(tf.asarray(a) ** 2, a**2, 4)


@pytest.mark.parametrize("a, b",
                         [(1.0, 0.1), (6.0, 0.1), (-6.0, 0.1), (7.0, -0.7), (3.5, 0.5), (5.0, np.inf)])
def test_floor_division_of_quotients_that_are_rounded(a, b):
    assert (tf.asarray(a) // b).item() == a // b


def test_comparisons_and_logic(rng):
    a, b = drawn(rng, (3, 4), np.int32), drawn(rng, (4,), np.int32)
    t, u = tf.asarray(a), tf.asarray(b)
    for f in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        close(f(t, u), f(a, b))
        close(f(t, 2), f(a, 2))
    p, q = t > 0, u > 0
    close(p & q, (a > 0) & (b > 0))
    close(p | q, (a > 0) | (b > 0))
    close(p ^ q, (a > 0) ^ (b > 0))
    close(~p, ~(a > 0))
    assert (t == "word") is False and (t != "word") is True


def test_one_element():
    assert float(tf.asarray(2.5)) == 2.5 and int(tf.asarray([3.9])) == 3 and complex(tf.asarray(1j)) == 1j
    assert int(tf.asarray(-(2**63))) == -(2**63) and int(tf.asarray(2.0**80)) == 2**80
    assert [10, 20, 30][tf.asarray(1)] == 20
    assert bool(tf.asarray(True)) and not bool(tf.asarray([0.0]))
    with pytest.raises(ValueError):
        bool(tf.asarray([1, 2]))
    with pytest.raises(TypeError):
        [1, 2][tf.asarray(1.0)]
    with pytest.raises(TypeError):
        hash(tf.asarray(1))


def test_text(rng):
    a = np.array([[1.5, 2.0], [3.0, 4.25]])
    assert repr(tf.asarray(a)) == "Tensor([[1.5  2.  ]\n        [3.   4.25]], dtype=float64)"
    assert str(tf.asarray(a)) == str(a)
    assert repr(tf.asarray(np.zeros((0, 3)))) == "Tensor([], shape=(0, 3), dtype=float64)"
    assert repr(tf.asarray(3)) == "Tensor(3, dtype=int64)"
    assert repr(tf.float32) == "tenferro.float32" and str(tf.float32) == "float32"


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_floor_division(dtype, rng):
    """Of the largest and smallest numbers too, whose differences are out of range."""
    if np.issubdtype(dtype, np.integer):
        about = np.iinfo(dtype)
        edges = np.array([about.min, about.min + 1, about.max, about.max - 1, -3, -1, 1, 2, 7], dtype)
        drawn_ones = rng.integers(about.min, about.max, 200, dtype)
    else:
        last = 2.0 ** (np.finfo(dtype).nmant + 1)
        edges = np.array([last / 2 + 1, last - 1, -last + 1, 1, -1, 3, -7.5, np.inf, -np.inf, 1e-30], dtype)
        drawn_ones = (rng.standard_normal(200) * 10.0 ** rng.integers(-5, 6, 200)).astype(dtype)
    a, b = (x.ravel() for x in np.meshgrid(np.concatenate([edges, drawn_ones]), edges))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(tf.floor_divide(a, b), np.floor_divide(a, b))
        np.testing.assert_array_equal(tf.remainder(a, b), np.remainder(a, b))
