"""Functions on arrays, against NumPy, on drawn strides and on both kinds of arrays."""

import numpy as np
import pytest

import tenferro as tf
from conftest import DTYPES, close, drawn

UNARY = {"exp": 1, "expm1": 1, "sqrt": 2, "sin": 1, "cos": 1, "tan": 4, "sinh": 1, "cosh": 1, "tanh": 1,
         "log": 2, "log1p": 2, "abs": 1, "negative": 1, "square": 1, "conj": 1, "real": 1, "imag": 1,
         "angle": 2, "reciprocal": 2, "asinh": 2, "atan": 2}
REAL = ["floor", "ceil", "trunc"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, dtype, rng):
    a = drawn(rng, (2, 3, 4), dtype)
    if name in ("sqrt", "log", "log1p"):
        a = np.abs(a).astype(dtype) + dtype(0.1)
    expected = getattr(np, name)(a)
    for result in (getattr(tf, name)(a), getattr(tf, name)(tf.asarray(a))):
        close(result, expected, 8 * UNARY[name])
    assert isinstance(getattr(tf, name)(a), np.ndarray)


@pytest.mark.parametrize("name", REAL)
def test_whole_numbers(name, rng):
    a = drawn(rng, (5, 4)) * 3
    close(getattr(tf, name)(a), getattr(np, name)(a))
    close(getattr(tf, name)(np.array([1e300, -1e300, 2.0, -0.5])),
          getattr(np, name)(np.array([1e300, -1e300, 2.0, -0.5])))


def test_special_values():
    a = np.array([np.nan, np.inf, -np.inf, 1.0])
    for name in ("isnan", "isfinite", "isinf"):
        close(getattr(tf, name)(a), getattr(np, name)(a))


def test_sums_of_exponentials_of_infinities():
    inf = np.inf
    a, b = np.array([inf, -inf, inf, 1.0, -inf]), np.array([inf, -inf, 0.0, -inf, inf])
    np.testing.assert_allclose(tf.logaddexp(a, b), np.logaddexp(a, b), rtol=1e-15)
    rows = np.array([[inf, 1.0], [-inf, -inf], [-inf, 2.0], [inf, inf]])
    np.testing.assert_allclose(tf.logsumexp(rows, axis=1), np.logaddexp.reduce(rows, axis=1), rtol=1e-15)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "maximum", "minimum", "hypot",
                                  "atan2", "logaddexp", "less", "equal", "logical_or"])
def test_binary(name, rng):
    a, b = drawn(rng, (3, 1, 4)), drawn(rng, (2, 4))
    close(getattr(tf, name)(a, b), getattr(np, name)(a, b), 8)
    close(getattr(tf, name)(a, 2.0), getattr(np, name)(a, 2.0), 8)


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), ()])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "any", "all", "var", "std"])
def test_reductions(name, keepdims, axis, rng):
    a = drawn(rng, (3, 2, 4))
    result = getattr(tf, name)(a, axis=axis, keepdims=keepdims)
    close(result, np.asarray(getattr(np, name)(a, axis=axis, keepdims=keepdims)), 48)


@pytest.mark.parametrize("axis", [0, ()])
@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
def test_long_ones_in_a_dtype(name, axis):  # work that other threads may run beside
    if axis == () and name.startswith("cumulative"):
        axis = None
    a = np.ones(100_000, np.float32)
    for dtype in (bool, np.int32, np.float64, "complex128", "float32"):
        result = getattr(tf, name)(a, axis=axis, dtype=dtype)
        assert result.dtype == np.dtype(dtype)
        assert result.shape == (() if axis == 0 and name in ("sum", "prod") else a.shape)


def test_along_an_axis(rng):
    a = drawn(rng, (3, 4))
    close(tf.argmax(a), np.asarray(np.argmax(a)))
    close(tf.argmin(a, axis=1), np.argmin(a, axis=1))
    close(tf.cumulative_sum(a, axis=1), np.cumsum(a, axis=1), 4)
    close(tf.sort(a, axis=0), np.sort(a, axis=0))
    shifted = np.exp(a - a.max(axis=-1, keepdims=True))
    close(tf.softmax(a), shifted / shifted.sum(axis=-1, keepdims=True), 16)
    close(tf.logsumexp(a, axis=0), np.log(np.exp(a).sum(axis=0)), 16)
    assert tf.sum(np.ones(3, np.int32)).dtype == np.int64


def test_shapes(rng):
    a = drawn(rng, (2, 3, 4))
    for shape in ((6, 4), (24,), -1, (4, -1, 2), (2, 3, 4)):
        close(tf.reshape(a, shape), a.reshape(shape))
    close(tf.permute_dims(a, (2, 0, 1)), a.transpose(2, 0, 1))
    close(tf.transpose(a), a.T)
    close(tf.swapaxes(a, 0, -1), a.swapaxes(0, -1))
    close(tf.matrix_transpose(a), a.swapaxes(1, 2))
    close(tf.moveaxis(a, 0, -1), np.moveaxis(a, 0, -1))
    close(tf.moveaxis(a, (0, 1), (2, 0)), np.moveaxis(a, (0, 1), (2, 0)))
    close(tf.expand_dims(a, axis=-1), a[..., None])
    close(tf.squeeze(a[:, :1]), a[:, 0])
    close(tf.broadcast_to(a, (5, 2, 3, 4)), np.broadcast_to(a, (5, 2, 3, 4)))
    close(tf.flip(a, axis=1), np.flip(a, 1))
    close(tf.concat([a, a[:1]], axis=0), np.concatenate([a, a[:1]], 0))
    close(tf.concat([a, a], axis=None), np.concatenate([a, a], None))
    for axis in (0, 1, 3, -1):
        close(tf.stack([a, a + 1], axis=axis), np.stack([a, a + 1], axis))
    close(tf.take(a, [1, -1], axis=1), np.take(a, [1, -1], 1))
    close(tf.take(a, [1, 7]), np.take(a, [1, 7]))
    close(tf.tril(a, k=1), np.tril(a, 1))
    close(tf.triu(a), np.triu(a))
    for offset in (-3, -1, 0, 1, 9):
        close(tf.diagonal(a, offset), np.diagonal(a, offset))
        close(tf.diagonal(a, offset, 2, 0), np.diagonal(a, offset, 2, 0))
    with pytest.raises(tf.errors.ShapeMismatch):
        tf.reshape(a, (5, 5))
    with pytest.raises(IndexError):
        tf.swapaxes(a, 0, 3)


def test_selection(rng):
    a, b = drawn(rng, (3, 4)), drawn(rng, (4,))
    close(tf.where(a > 0, a, b), np.where(a > 0, a, b))
    close(tf.where(a > 0, a, 0.0), np.where(a > 0, a, 0.0))
    close(tf.clip(a, -0.5, 0.5), np.clip(a, -0.5, 0.5))
    close(tf.astype(a, tf.int32), a.astype(np.int32))


@pytest.mark.parametrize("x, y", [((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)),
                                  ((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (5, 4, 2))])
def test_matmul(x, y, rng):
    a, b = drawn(rng, x), drawn(rng, y)
    close(tf.matmul(a, b), np.asarray(a @ b), 16)
    close(tf.asarray(a) @ b, np.asarray(a @ b), 16)
    close(a @ tf.asarray(b), np.asarray(a @ b), 16)


def test_products(rng):
    a, b = drawn(rng, (3, 4, 5)), drawn(rng, (4, 5, 2))
    close(tf.tensordot(a, b), np.tensordot(a, b), 160)
    close(tf.tensordot(a, b, ([1, 2], [0, 1])), np.tensordot(a, b, ([1, 2], [0, 1])), 160)
    close(tf.tensordot(a, b, 0), np.tensordot(a, b, 0), 1)
    close(tf.outer(a[0, 0], b[0, 0]), np.outer(a[0, 0], b[0, 0]))
    close(tf.vecdot(a, a), (a * a).sum(-1), 8)
    with pytest.raises(tf.errors.ShapeMismatch, match="matmul"):
        tf.matmul(a, a)


def test_creation():
    close(tf.zeros((2, 3)), np.zeros((2, 3)))
    close(tf.ones(3, dtype="float32"), np.ones(3, np.float32))
    close(tf.full((2, 2), 1.5), np.full((2, 2), 1.5))
    close(tf.eye(2, 3), np.eye(2, 3))
    for arguments in ((5,), (1, 7, 2), (0.0, 1.0, 0.25), (5, 0, -1)):
        close(tf.arange(*arguments), np.arange(*arguments))
    close(tf.linspace(0, 1, 5), np.linspace(0, 1, 5), 2)
    close(tf.zeros_like(np.ones((2, 1), np.complex64)), np.zeros((2, 1), np.complex64))
    close(tf.ones_like(tf.zeros(2, dtype=tf.int32)), np.ones(2, np.int32))


def test_what_is_no_operand():
    with pytest.raises(TypeError, match="object"):
        tf.add(np.zeros(2), object())
    with pytest.raises(TypeError, match="object"):
        tf.exp(object())
    with pytest.raises(TypeError):
        tf.asarray([1.0]) + object()


def test_dtypes_of_numpy():
    assert tf.finfo(np.dtype(np.float32)).bits == tf.finfo(np.float32).bits == 32
    assert tf.result_type(np.dtype(np.int32), np.float32) == tf.float64
    assert tf.linalg.matrix_rank(np.diag([1.0, 2, 0])) == 2


def test_more_differences_than_elements():
    np.testing.assert_array_equal(tf.diff(np.arange(4.0), n=9), np.diff(np.arange(4.0), n=9))
    assert tf.diff(np.ones((2, 3)), n=2**40).shape == (2, 0)


def test_derivatives_at_numbers():
    value, pull = tf.vjp(lambda x: x * x, 3.0)
    assert float(value) == 9 and float(pull(1.0)[0]) == 6


@pytest.mark.parametrize("extent", [4, 400])
@pytest.mark.parametrize("f", [
    lambda x: tf.roll(x, 1), lambda x: tf.roll(x, 0), lambda x: tf.repeat(x, 2), lambda x: tf.tile(x, (2,)),
    lambda x: tf.tile(x, (1,)), tf.diff, lambda x: tf.isin(x, x), lambda x: tf.take_along_axis(x, x, axis=0),
    tf.cumulative_prod, lambda x: tf.broadcast_arrays(x, x[:, None])[0], lambda x: tf.broadcast_arrays(x)[0],
    lambda x: tf.meshgrid(x, x)[0], lambda x: tf.meshgrid(x)[0], lambda x: tf.unstack(x[None])[0],
    lambda x: tf.linalg.cross(x[:3], x[:3]), lambda x: tf.linalg.pinv(x[None] + 1.0, rtol=np.array(0.1)),
    lambda x: tf.unique_inverse(x[None]).inverse_indices, lambda x: tf.linalg.svd(x[None]).U,
    lambda x: tf.linalg.inv(x[:1, None] + 1.0), lambda x: tf.compile(tf.exp)(x), tf.exp, tf.isnan,
    tf.floor, tf.ceil, tf.trunc, tf.round, tf.positive, tf.real,
    lambda x: tf.linalg.matrix_power(x[:4].reshape(2, 2) + 0.5, 1)])
def test_results_are_the_callers_own(f, extent):
    x = np.arange(extent)
    result = f(x)
    assert isinstance(result, np.ndarray) and result.flags.writeable and not np.shares_memory(result, x)
    assert all(result.strides)  # no element is several


def test_results_on_memory_of_floats():
    x = np.ones(400)
    for f in (tf.positive, tf.real, tf.conj):
        assert not np.shares_memory(f(x), x)
    square = np.ones((20, 20))
    assert not np.shares_memory(tf.linalg.matrix_power(square, 1), square)


def test_special_values():
    """Those of the array API standard, as NumPy has them."""
    inf, nan = np.inf, np.nan
    z = np.array([complex(nan, inf), complex(inf, nan), complex(nan, 1), complex(-inf, 0), 1j])
    np.testing.assert_array_equal(tf.isinf(z), np.isinf(z))
    a = np.array([0.0, -0.0, 1.0, -1.0, 4.0, -4.0, 5.5])
    b = np.array([1.0, -1.0, 2.0, -2.0, inf, -inf])
    a, b = (one.reshape(-1) for one in np.meshgrid(a, b))
    for mine, theirs in ((tf.floor_divide, np.floor_divide), (tf.remainder, np.remainder)):
        for dtype in (np.float32, np.float64):
            expected = theirs(a.astype(dtype), b.astype(dtype))
            result = mine(a.astype(dtype), b.astype(dtype))
            np.testing.assert_array_equal(result, expected)
            np.testing.assert_array_equal(np.signbit(result), np.signbit(expected))
    assert tf.grad(lambda x: tf.remainder(x, 2.0))(4.0) == 1.0


@pytest.mark.parametrize("call", [
    lambda t: t.__dlpack__(max_version="a"), lambda t: t.__dlpack__(dl_device=5),
    lambda t: tf.contract("i,i->", t, t, progress=5)])
def test_arguments_of_other_types(call):
    with pytest.raises(TypeError, match="is .* but must be"):
        call(tf.ones(3))


def layouts():
    """Arrays whose axes lie in memory in many orders."""
    rows = np.arange(24.0).reshape(2, 3, 4)
    yield from (rows, np.asfortranarray(rows), np.arange(24.0).reshape(3, 2, 4).transpose(1, 0, 2))
    yield from (np.ones((2, 1, 4)).transpose(2, 1, 0), rows[:, ::-1, ::2], rows[:1], rows[..., :1], rows[:0])
    yield from (np.broadcast_to(rows[0], (2, 3, 4)), rows[0, 0], np.array(3.0))


def order(a):
    """The axes of more than one element, from the closest on."""
    return sorted((axis for axis in range(np.ndim(a)) if np.shape(a)[axis] > 1),
                  key=lambda axis: abs(a.strides[axis]))


def test_results_lie_as_their_operands():
    functions = (lambda m, a, b: m.add(a, b), lambda m, a, b: m.multiply(a, 2.0), lambda m, a, b: m.exp(a),
                 lambda m, a, b: m.less(b, a), lambda m, a, b: m.where(a > b, a, b),
                 lambda m, a, b: m.floor_divide(a, b + 1), lambda m, a, b: m.astype(a, np.float32),
                 lambda m, a, b: -a, lambda m, a, b: m.subtract(b, a), lambda m, a, b: abs(a) ** 2)
    for x in layouts():
        part = x[..., :1] if np.ndim(x) else x
        for f in functions:
            expected, found = f(np, x, part), f(tf, tf.asarray(x), tf.asarray(part))
            np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6)
            if 0 not in x.strides and x.size:
                assert order(np.asarray(found)) == order(x), (x.shape, x.strides)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_arrays_of_every_layout_along_axes(axis):
    cumulated = lambda m, a: np.cumsum(a, axis) if m is np else m.cumulative_sum(a, axis=axis)
    joined = lambda m, *a: (np.concatenate if m is np else m.concat)(a, axis=axis)
    functions = (cumulated, lambda m, a: joined(m, a, a * 2, a), lambda m, a: joined(m, a, a[::-1]),
                 lambda m, a: m.stack([a, a + 1], axis=axis), lambda m, a: m.sort(-a, axis=axis),
                 lambda m, a: m.argsort(-a, axis=axis), lambda m, a: m.roll(a, 2, axis=axis),
                 lambda m, a: m.take(a, [1, 0, 0, 1], axis=axis), lambda m, a: m.std(a, axis=axis),
                 lambda m, a: m.var(a, axis=axis, keepdims=True), lambda m, a: m.var(a),
                 lambda m, a: m.reshape(a, (-1, a.shape[0])), lambda m, a: m.tile(a, (2, 1, 3)),
                 lambda m, a: m.broadcast_to(a, (2, *a.shape)) + 0, lambda m, a: m.repeat(a, 2, axis=axis),
                 lambda m, a: m.expand_dims(a, axis=axis) if m is tf else np.expand_dims(a, axis).copy(),
                 lambda m, a: m.take(a, np.eye(2, dtype=int), axis=axis))
    compared = 0
    for x in (x for x in layouts() if x.ndim > 1 and x.size):
        for f in functions:
            try:
                expected = f(np, x)
            except IndexError:  # taken from an axis of one element
                continue
            compared += 1
            given = x.copy(order="K")
            found = f(tf, given)
            np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=str((x.shape, x.strides)))
            assert not np.shares_memory(found, given)
            np.testing.assert_allclose(np.asarray(f(tf, tf.asarray(x))), expected, rtol=1e-12)
    assert compared > 7 * (len(functions) - 2)
    with pytest.raises(tf.errors.AxisOutOfBounds, match="axis 5"):
        tf.sort(np.ones((2, 3)), axis=5)
    with pytest.raises(ValueError, match="axis 1 has extent"):
        tf.concat([np.ones((2, 3)), np.ones((2, 4))], axis=0)


def test_truth_values_lie_as_they_did():
    for x in layouts():
        truth = np.where(x > 5, 7, 0).astype(np.uint8).view(bool)
        found = tf.asarray(truth)
        np.testing.assert_array_equal(np.asarray(found), x > 5)
        assert set(np.asarray(found).view(np.uint8).ravel()) <= {0, 1}
        assert tf.any(truth) == truth.any() and not np.shares_memory(np.asarray(found), truth)


def test_operands_are_repeated_without_a_copy():
    a, b = np.random.rand(5, 1, 3), np.random.rand(1, 4, 1)
    for x, y in ((a, b), (b, a), (a, b[0]), (a.T, 2.0), (a, np.empty((5, 0, 3)))):
        for f in np.add, np.multiply, np.maximum:
            found = getattr(tf, f.__name__)(x, y)
            assert isinstance(found, np.ndarray) and found.dtype == f(x, y).dtype
            np.testing.assert_array_equal(found, f(x, y))
            assert not np.shares_memory(found, x) and found.flags.writeable
            assert found.size == 0 or 0 not in found.strides
    np.testing.assert_array_equal(tf.not_equal(a > 0.5, True), a <= 0.5)
    with pytest.raises(ValueError, match="add"):
        tf.add(np.ones((2, 3)), np.ones((3, 2)))
    x = np.arange(6.0).reshape(2, 3)
    assert not np.shares_memory(tf.positive(x), x) and not np.shares_memory(tf.real(x), x)
    assert tf.positive(tf.asarray(x)).strides == (3, 1)


def test_many_elements_are_computed_in_one_pass():
    """As few are, in any order of memory: functions of several operations, and numbers beside arrays."""
    rng = np.random.default_rng(5)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-310, 1e308, 7.5])
    a, b = (rng.choice(np.concatenate([special, rng.normal(size=40)]), (600, 301)) for _ in range(2))
    whole, divisor = rng.integers(-9, 9, (600, 301)), rng.integers(1, 5, (600, 301))
    with np.errstate(all="ignore"):
        for x, y in ((a, b), (a.T, b.T), (a[::2], b[::2]), (a, b[:, :1]), (a, b[0])):
            for name in ("remainder", "floor_divide", "logaddexp"):
                close(getattr(tf, name)(x, y), getattr(np, name)(x, y))
            close(tf.remainder(x, 0.75), np.remainder(x, 0.75))
            for name in ("isfinite", "isinf"):
                np.testing.assert_array_equal(getattr(tf, name)(x), getattr(np, name)(x))
                np.testing.assert_array_equal(getattr(tf, name)(x + 1j * y), getattr(np, name)(x + 1j * y))
            np.testing.assert_array_equal(tf.clip(x, -0.5, 2), np.clip(x, -0.5, 2))
            np.testing.assert_array_equal(tf.clip(x, -0.5, 2.5).strides, np.clip(x, -0.5, 2.5).strides)
    np.testing.assert_array_equal(tf.remainder(whole, divisor), np.remainder(whole, divisor))
    np.testing.assert_array_equal(tf.floor_divide(whole, divisor), np.floor_divide(whole, divisor))
    np.testing.assert_array_equal(tf.clip(whole, -2, 3), np.clip(whole, -2, 3))
    close(tf.clip(whole, -2.5, 3), np.clip(whole, -2.5, 3))


def test_tensors_are_reshaped_without_a_copy():
    array = np.arange(24.0).reshape(4, 6)
    tensor = tf.asarray(array)
    seen = tf.reshape(tensor, (2, 12))
    assert np.shares_memory(np.asarray(seen), array) and seen.strides == (12, 1)
    assert np.shares_memory(np.asarray(tf.reshape(tensor, -1, copy=False)), array)
    assert not np.shares_memory(np.asarray(tf.reshape(tensor, (2, 12), copy=True)), array)
    for other in (array, tensor.T):  # the caller's memory, and columns
        with pytest.raises(ValueError, match=r"reshape: copy is False but the operand of shape \[\d, \d\]"):
            tf.reshape(other, -1, copy=False)
    assert not np.shares_memory(tf.reshape(array, (2, 12)), array)  # the caller's memory
    assert not np.shares_memory(tf.reshape(array, (4, 6)), array)
    close(tf.reshape(tensor.T, (3, 8)), array.T.reshape(3, 8))


def test_results_lie_as_their_operands():
    rows = np.arange(35.0).reshape(5, 7)
    cube = np.arange(60.0).reshape(3, 4, 5)
    for k in (-9, -1, 0, 2, 9, -2**63, 2**63 - 1):
        near = min(max(k, -100), 100)
        close(tf.tril(rows, k=k), np.tril(rows, near))
        close(tf.triu(cube, k=k), np.triu(cube, near))
        close(tf.triu(rows.T, k=k), np.triu(rows.T, near))
    for result in (tf.tril(rows), tf.triu(cube), tf.flip(cube), tf.flip(rows, axis=1), tf.tile(rows, (2, 3)),
                   tf.astype(rows, tf.float64), tf.asarray(tf.asarray(rows), copy=True)):
        assert np.asarray(result).flags.c_contiguous
    for axis in (0, 1, 2, (0, 2), None):
        close(tf.flip(cube, axis=axis), np.flip(cube, axis=axis))
        close(tf.flip(cube.transpose(1, 2, 0), axis=axis), np.flip(cube.transpose(1, 2, 0), axis=axis))


def test_distinct_values():
    rng = np.random.default_rng(3)
    for values in (rng.integers(-5, 5, (20, 30)), rng.integers(-5, 5, 400).astype(np.int32),
                   rng.choice([0.0, -0.0, 1.5, np.inf], (9, 9)), np.array([]), np.array([True, False, True]),
                   rng.choice([1j, 0, 1 + 1j], 30)):
        np.testing.assert_array_equal(tf.unique_values(values), np.unique(values))
        np.testing.assert_array_equal(tf.unique_values(tf.asarray(values)), np.unique(values))
    assert len(tf.unique_values(np.array([np.nan, 1.0, np.nan]))) == 3  # NaNs are distinct


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_places_in_order(dtype):
    """Of short and long lines, which are sorted in two ways: stable, NaN above all."""
    rng = np.random.default_rng(7)
    for length in (0, 1, 2, 63, 64, 65, 300, 20000):
        lines = rng.integers(-40, 40, (3, length)).astype(dtype)
        if np.issubdtype(dtype, np.floating):
            lines *= dtype(0.5)
            lines[rng.random(lines.shape) < 0.1] = np.nan
            lines[rng.random(lines.shape) < 0.1] = -np.inf
            lines[rng.random(lines.shape) < 0.1] = -0.0
        elif length > 1:
            lines[:, 0], lines[:, 1] = np.iinfo(dtype).max, np.iinfo(dtype).min
        for array, axis in ((lines, 1), (lines.T, 0), (np.asfortranarray(lines), -1)):
            places = np.argsort(array, axis, stable=True)
            np.testing.assert_array_equal(tf.argsort(array, axis=axis), places)
            falling = tf.argsort(array, axis=axis, descending=True)
            along = np.take_along_axis(array, falling, axis)
            np.testing.assert_array_equal(along, np.flip(np.take_along_axis(array, places, axis), axis))
            falling, along = (np.moveaxis(x, axis, -1) for x in (falling, along))
            ties = along[:, 1:] == along[:, :-1]
            assert (np.diff(falling)[ties] > 0).all()  # equal ones keep their order
