"""Indices: against NumPy, one by one and drawn; and x.at, which is NumPy's assignment on a copy."""

import numpy as np
import pytest

import tenferro as tf
from conftest import ALL_DTYPES, drawn


@pytest.mark.parametrize("index", [
    0, -1, (1, 2), slice(None), slice(1, None), slice(None, None, -1), slice(None, None, 2), slice(5, 1),
    (slice(None), 1), (Ellipsis, 0), (0, Ellipsis), (None, 0), (Ellipsis, None), (slice(None), None, 1),
    (slice(3, 0, -2), slice(None, None, -1)), (1, 2, 3), (), Ellipsis, None,
    (slice(-2, None), slice(-9, 99))])
def test_basic_indices(index, rng):
    a = drawn(rng, (4, 5, 6))
    result = tf.asarray(a)[index]
    np.testing.assert_array_equal(np.asarray(result), a[index])
    assert np.shares_memory(np.from_dlpack(result), a) or result.size == 0


def with_arrays(a):
    places = np.array([[1, 0], [3, 3]])
    return [[0, 2, -1], places, [], a[:, 0, 0] > 0, a[:, :, 0] > 0, a > 0, True, False,
            (slice(None), [1, 1, 0]), (slice(1, None), slice(None), [2, 0]), (places, places, 1),
            ([0, 1, 2], [2, 1, 0]), (places, slice(None), [0, 2]), (0, slice(None), [1, 2]),
            (slice(None), 0, [1, 2]), ([[0], [1]], None, [[2, 3]]), (Ellipsis, [1]), ([1], Ellipsis, [[0]]),
            (slice(None, None, -1), a[0, :, 0] > 0, -1), (a[:, :, 1] > 0, [0]), ([0], True)]


def test_arrays_as_indices(rng):
    a = drawn(rng, (4, 5, 3))
    for index in with_arrays(a):
        np.testing.assert_array_equal(np.asarray(tf.asarray(a)[index]), a[index], str(index))


def draw_index(rng, shape):
    """Items for some of the axes in order; `...` may stand for any number of them."""
    items, axis, extents = [], 0, [(3,), (2, 3), (1,), ()][rng.integers(4)]

    def bound():
        return None if rng.integers(3) == 0 else int(rng.integers(-6, 7))

    for _ in range(rng.integers(1, 6)):
        kind = rng.choice(["new", "ellipsis", "integer", "slice", "list", "list", "mask"])
        left = len(shape) - axis
        if kind == "new":
            items.append(None)
        elif kind == "ellipsis" and not any(item is Ellipsis for item in items):
            items.append(Ellipsis)
            axis += int(rng.integers(left + 1))
        elif kind == "mask":
            rank = int(rng.integers(min(left, 2) + 1))
            items.append(rng.integers(0, 2, shape[axis:axis + rank]).astype(bool))
            axis += rank
        elif left and kind == "integer":
            items.append(int(rng.integers(-shape[axis], shape[axis])))
            axis += 1
        elif left and kind == "slice":
            items.append(slice(bound(), bound(), bound() or None))
            axis += 1
        elif left and kind == "list":
            given = rng.integers(-shape[axis], shape[axis], extents if rng.integers(2) else ())
            items.append(given.tolist() if given.ndim else given.astype(np.int32))
            axis += 1
    return tuple(items)


def test_drawn_indices(rng):
    tried = 0
    for _ in range(300):
        shape = tuple(rng.integers(1, 5, rng.integers(5)))
        a = np.asarray(drawn(rng, shape, rng.choice(ALL_DTYPES)))
        index = draw_index(rng, shape)
        try:
            expected = a[index]
        except IndexError:
            continue
        tried += 1
        np.testing.assert_array_equal(np.asarray(tf.asarray(a)[index]), expected, f"{shape} {index}")
        values = drawn(rng, np.shape(expected), a.dtype)
        assigned = a.copy()
        assigned[index] = values
        np.testing.assert_array_equal(tf.at(a)[index].set(values), assigned, f"{shape} {index}")
        if a.dtype.kind == "i":
            added = a.copy()
            np.add.at(added, index, values)
            np.testing.assert_array_equal(tf.at(a)[index].add(values), added, f"{shape} {index}")
    assert tried > 100


@pytest.mark.parametrize("index, part", [
    (7, "index 7"), ((0, 0, 0), "3 indices"), ([5], "index 5"), (np.zeros((3, 3), bool), "mask"),
    (([0], [0], [0]), "3 axes"), ((Ellipsis, Ellipsis), "more than one"), ((0, [1, -4]), "-4 .* axis 1")])
def test_wrong_indices(index, part):
    with pytest.raises(IndexError, match=part):
        tf.asarray(np.zeros((2, 3)))[index]


def test_lists_of_scalars():
    t = tf.asarray(np.arange(6.0).reshape(2, 3))
    assert t[[np.int64(1), 0]].tolist() == [[3.0, 4.0, 5.0], [0.0, 1.0, 2.0]]
    assert t[[tf.argmax(t[:, 0]), 0], 1].tolist() == [4.0, 1.0]
    assert t.at[0, [np.argmax([1, 2]), 0]].set(9.0)[0].tolist() == [9.0, 9.0, 2.0]


def test_other_wrong_indices():
    t = tf.asarray(np.zeros((2, 3)))
    with pytest.raises(IndexError, match=r"arrays that select \[2\] and \[3\]"):
        t[[0, 1], [0, 1, 2]]
    with pytest.raises(IndexError, match=r"arrays that select \[3\] and \[2\]"):
        t[[0, 1, 1], np.array([True, False, True])]
    with pytest.raises(IndexError, match=r"arrays that select \[2, 3\] and \[2\]"):
        t[np.zeros((2, 3), int), np.array([True, True, False])]
    with pytest.raises(TypeError, match="f64 but must be one of integers or bool"):
        t[np.array([0.0])]


def test_traced_indices(rng):
    a, i = drawn(rng, (4, 5)), np.array([3, -1])
    get = tf.compile(lambda a, i: a[i, [1, 2]])
    add = tf.compile(lambda a, i: a.at[i, :].add(1.0))
    np.testing.assert_array_equal(get(a, i), a[i, [1, 2]])
    expected = a.copy()
    np.add.at(expected, i, 1)
    np.testing.assert_array_equal(add(a, i), expected)


INDICES = [0, (slice(1, None), 1), (slice(None), slice(None, None, -2)), ([0, 2, 0], [1, 1, 1]), Ellipsis]


@pytest.mark.parametrize("index", INDICES)
def test_derivatives_of_updates(index, rng):
    """Of the last value for an element alone, and of every value that is added."""
    a, weights = drawn(rng, (3, 4)), drawn(rng, (3, 4))
    values = drawn(rng, np.shape(a[index]))
    weighed = np.array(weights[index])
    last = np.full(a.shape, -1)
    last[index] = np.arange(values.size).reshape(values.shape)
    stays = np.isin(np.arange(values.size).reshape(values.shape), last)
    outside = weights.copy()
    outside[index] = 0
    for method, of_a, of_values in (("set", outside, weighed * stays), ("add", weights, weighed)):
        def loss(a, values):
            return tf.sum(getattr(a.at[index], method)(values) * weights)

        got = tf.grad(loss, argnums=(0, 1))(a, values)
        np.testing.assert_allclose(got[0], of_a)
        np.testing.assert_allclose(got[1], of_values)


def test_updates(rng):
    a = drawn(rng, (3, 4))
    before = a.copy()
    t = tf.asarray(a)
    assert isinstance(tf.at(a)[0].set(1), np.ndarray) and isinstance(t.at[0].set(1), tf.Tensor)
    np.testing.assert_array_equal(tf.at(a)[1:, 0].get(), a[1:, 0])
    np.testing.assert_array_equal(t.at[a > 0].set(0.0), np.where(a > 0, 0, a))
    np.testing.assert_allclose(t.at[[0, 0, 2]].add(np.ones(4)), a + np.array([[2], [0], [1]]))
    assert tf.asarray(np.ones(2, np.float32)).at[0].set(3).dtype == tf.float32
    np.testing.assert_array_equal(a, before)
    with pytest.raises(TypeError, match="float64 do not fit into a tensor of int64"):
        tf.at(np.arange(3))[0].set(0.5)
    with pytest.raises(ValueError, match=r"\[3\] does not broadcast to \[4\]"):
        t.at[0].set(np.ones(3))
    with pytest.raises(TypeError, match="item assignment"):
        t[0] = 1
