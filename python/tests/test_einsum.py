"""einsum and plans: NumPy's grammar on arrays of any strides, layouts, dtypes, derivatives."""

import threading

import numpy as np
import pytest

import tenferro as tf
from conftest import DTYPES, close, drawn

CASES = [
    ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk", [(2, 3), (3, 4)]), ("ii", [(3, 3)]), ("ii->i", [(3, 3)]),
    ("ji", [(2, 3)]), ("i,i", [(4,), (4,)]), ("i,j", [(2,), (3,)]), ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
    ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 5)]), ("...ij,jk", [(5, 2, 3, 4), (4, 2)]),
    ("...i,...i", [(1, 3, 4), (2, 1, 4)]), ("a...,...b->b...a", [(2, 5), (5, 3)]), ("...", [(2, 3)]),
    ("ij->", [(3, 4)]), (",i", [(), (3,)]), ("ij,ij->ij", [(2, 1), (2, 3)]), ("i->i", [(0,)]),
    ("ij,jk->ik", [(2, 0), (0, 3)]), ("abc,bcd,de->ae", [(2, 3, 4), (3, 4, 5), (5, 2)]),
    (" i j , j k -> k i ", [(2, 3), (3, 4)]),
]


def count_of(text, operands):
    return int(np.prod([max(extent, 1) for a in operands for extent in a.shape]))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("text, shapes", CASES)
def test_as_numpy(text, shapes, dtype, rng):
    operands = [drawn(rng, shape, dtype) for shape in shapes]
    expected = np.asarray(np.einsum(text, *operands))
    for _ in range(2):  # the second time from the recent calls
        result = tf.einsum(text, *operands)
        assert isinstance(result, np.ndarray)
        close(result, expected, count_of(text, operands))
    tensor = tf.einsum(text, *(tf.asarray(a) for a in operands))
    assert isinstance(tensor, tf.Tensor)
    close(tensor, expected, count_of(text, operands))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_integers(dtype, rng):
    a, b = drawn(rng, (3, 4), dtype), drawn(rng, (4, 2), dtype)
    close(tf.einsum("ij,jk->ik", a, b), np.einsum("ij,jk->ik", a, b))


def test_interleaved(rng):
    a, b = drawn(rng, (2, 3)), drawn(rng, (3, 4))
    close(tf.einsum(a, [0, 1], b, [1, 2], [2, 0]), (a @ b).T, 6)
    close(tf.einsum(a, [0, 1], b, [1, 2]), a @ b, 6)
    close(tf.einsum(a, [Ellipsis, 1], b, [1, 2], [Ellipsis, 2]), a @ b, 6)


def test_orders(rng):
    a, b = rng.standard_normal((5, 6)), rng.standard_normal((6, 7))
    assert tf.einsum("ij,jk->ik", a, b).flags.c_contiguous
    f, g = np.asfortranarray(a), np.asfortranarray(b)
    assert tf.einsum("ij,jk->ik", f, g).flags.f_contiguous
    for order, flag in [("C", "c_contiguous"), ("F", "f_contiguous")]:
        for x, y in [(a, b), (f, g), (a, g)]:
            result = tf.einsum("ij,jk->ik", x, y, order=order)
            assert getattr(result.flags, flag)
            close(result, a @ b, 6)
    big = rng.standard_normal((60, 60))
    assert tf.einsum("ij,jk->ik", big, big).flags.c_contiguous
    with pytest.raises(ValueError, match="order is 'Z'"):
        tf.einsum("ij->ij", a, order="Z")


def test_promotion(rng):
    a, b = drawn(rng, (3, 4), np.float32), drawn(rng, (4, 2), np.float64)
    assert tf.einsum("ij,jk->ik", a, b).dtype == np.float64
    i = drawn(rng, (4, 2), np.int64)
    assert tf.einsum("ij,jk->ik", a, i).dtype == np.float64
    assert tf.einsum("ij,jk->ik", a, a.T, dtype="complex64").dtype == np.complex64
    close(tf.einsum("ij,jk->ik", a, [[1], [2], [3], [4]]),
          np.einsum("ij,jk->ik", a, np.array([[1], [2], [3], [4]])), 12)


@pytest.mark.parametrize("optimize", [False, True, "greedy", "optimal", [(0, 2), (0, 1), (0, 1)],
                                      ["einsum_path", (0, 1), (1, 2), (0, 1)]])
def test_paths(optimize, rng):
    operands = [drawn(rng, shape) for shape in [(2, 3), (3, 4), (4, 5), (5, 2)]]
    close(tf.einsum("ab,bc,cd,de->ae", *operands, optimize=optimize),
          np.einsum("ab,bc,cd,de->ae", *operands, optimize=True), 120)


@pytest.mark.parametrize("text, shapes, kind, part", [
    ("ij,jk->ik", [(2, 3), (4, 5)], ValueError, "label j"), ("ij->ik", [(2, 3)], ValueError, "k"),
    ("ij,jk->ik", [(2, 3)], ValueError, "operand"), ("i)", [(2,)], ValueError, "einsum"),
    ("ijk", [(2, 3)], ValueError, "einsum")])
def test_errors(text, shapes, kind, part):
    with pytest.raises(kind, match=part) as caught:
        tf.einsum(text, *(np.zeros(shape) for shape in shapes))
    assert isinstance(caught.value, tf.errors.Error)


def test_wrong_arguments():
    with pytest.raises(ValueError):
        tf.einsum()
    with pytest.raises(TypeError, match="unexpected keyword 'colour'"):
        tf.einsum("i", np.zeros(2), colour=1)
    with pytest.raises(TypeError, match="object"):
        tf.einsum("i", object())
    with pytest.raises((TypeError, ValueError)):
        tf.einsum("i", "i")


def test_plans(rng):
    a, b = drawn(rng, (3, 4)), drawn(rng, (4, 5))
    for plan in (tf.plan("ij,jk->ik", a, b), tf.plan("ij,jk->ik", (3, 4), (4, 5)),
                 tf.plan("ij,jk->ik", (3, 4), (4, 5), order="F")):
        close(plan(a, b), a @ b, 12)
        assert isinstance(plan(tf.asarray(a), tf.asarray(b)), tf.Tensor)
        close(plan(tf.asarray(a), b), a @ b, 12)
        cotangent, tangent = drawn(rng, (3, 5)), drawn(rng, (3, 4))
        da, db = plan.vjp(a, b, cotangent=cotangent)
        close(da, cotangent @ b.T, 15)
        close(db, a.T @ cotangent, 15)
        close(plan.jvp((a, b), (tangent, None)), tangent @ b, 12)
    with pytest.raises(tf.errors.ShapeMismatch):
        plan(a, a)
    with pytest.raises(TypeError):
        plan(a, b, 3, order="C")


def test_gradients_of_complex_plans(rng):
    """<c, J t> = <J^T c, t> under the real inner product."""
    a, b = drawn(rng, (3, 4), np.complex128), drawn(rng, (4, 2), np.complex128)
    t, c = drawn(rng, (3, 4), np.complex128), drawn(rng, (3, 2), np.complex128)
    plan = tf.plan("ij,jk->ik", a, b)
    forward = np.vdot(c, plan.jvp((a, b), (t, None))).real
    backward = np.vdot(plan.vjp(a, b, cotangent=c)[0], t).real
    close(forward, backward, 24, scale=100)


def test_plans_say_what_they_do():
    plan = tf.plan("ab,bc,cd->ad", (2, 30), (30, 4), (4, 5))
    assert sorted(plan.cost) == sorted(["flops", "bytes", "seconds", "largest_intermediate", "total_writes",
                                        "peak_bytes", "slices"])
    assert plan.cost["flops"] == 2 * (2 * 30 * 4 + 2 * 4 * 5)
    assert [set(pair) for pair in plan.path] == [{0, 1}, {0, 1}]
    assert plan.shapes == ((2, 30), (30, 4), (4, 5))
    assert repr(plan).startswith("tenferro.Plan('ab,bc,cd->ad'")


def test_memory_limit(rng):
    text, shapes = "ab,bc,cd,da->", [(16, 16)] * 4
    free = tf.plan(text, *shapes)
    limit = int(free.cost["peak_bytes"] / 2)
    plan = tf.plan(text, *shapes, memory_limit=limit)
    assert plan.cost["peak_bytes"] <= limit and plan.sliced_labels and plan.cost["slices"] > 1
    operands = [rng.standard_normal(shape) for shape in shapes]
    close(plan(*operands), np.asarray(np.einsum(text, *operands, optimize=True)), 16**3)


def test_a_path_from_a_callable():
    asked = []

    def optimizer(inputs, output, extents, memory_limit=None):
        asked.append((inputs, output, extents))
        return [(1, 2), (0, 1)]

    plan = tf.plan("ab,bc,cd->ad", (2, 3), (3, 4), (4, 5), optimize=optimizer)
    assert plan.path == [(1, 2), (0, 1)]
    inputs, output, extents = asked[0]
    assert inputs == [set("ab"), set("bc"), set("cd")] and output == set("ad")
    assert extents == {"a": 2, "b": 3, "c": 4, "d": 5}


def test_many_threads(rng):
    """Calls from threads with their own strings, which replace each other among the recent calls."""
    operands = [drawn(rng, (n, n)) for n in range(1, 9)]
    expected = [a @ a for a in operands]
    failures = []

    def work(which):
        try:
            for turn in range(200):
                i = (which + turn) % len(operands)
                text = f"{chr(97 + turn % 20)}{chr(120)},{chr(120)}z->{chr(97 + turn % 20)}z"
                close(tf.einsum(text, operands[i], operands[i]), expected[i], 8 * (i + 1))
        except BaseException as failure:  # noqa: B902
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(which,)) for which in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_an_ellipsis_is_not_summed():
    for wrong in ("...i->i", "i...->"):
        with pytest.raises(ValueError, match="'...' covers 1 axis"):
            tf.einsum(wrong, np.ones((2, 3)))
