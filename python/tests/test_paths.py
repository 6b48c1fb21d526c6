"""Paths for other libraries, what they cost, contraction under a memory limit."""

import numpy as np
import pytest

import tenferro as tf
from conftest import close, drawn

EQUATION, SHAPES = "abc,cd,dbe,ef,fa->", [(2, 3, 4), (4, 5), (5, 3, 6), (6, 7), (7, 2)]
SIZES = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 6, "f": 7}


def test_optimizer():
    optimizer = tf.PathOptimizer(minimize="flops")
    path = optimizer([set(term) for term in EQUATION[:-2].split(",")], set(), SIZES)
    assert sorted(len(step) for step in path) == [2] * 4
    assert optimizer.cost["flops"] > 0
    again = tf.PathOptimizer(minimize="flops")([set(term) for term in EQUATION[:-2].split(",")], set(), SIZES)
    assert path == again
    with pytest.raises(ValueError, match="minimize is 'beauty'"):
        tf.PathOptimizer(minimize="beauty")([{"a"}, {"a"}], set(), {"a": 2})


def test_numpy_follows_it(rng):
    operands = [drawn(rng, shape) for shape in SHAPES]
    path, info = tf.contract_path(EQUATION, *operands)
    close(np.asarray(np.einsum(EQUATION, *operands, optimize=["einsum_path", *path])),
          tf.einsum(EQUATION, *operands), 5040, scale=100)
    assert tf.contract_path(EQUATION, *SHAPES)[0] == path
    assert info.path == path and info.slices == 1


def test_information():
    _, info = tf.contract_path("ij,jk,kl->il", (2, 30), (30, 4), (4, 5), optimize=[(0, 1), (0, 1)])
    assert info.naive_cost == 2 * 30 * 4 * 5 * 3 and info.opt_cost == 2 * (2 * 30 * 4 + 2 * 4 * 5)
    assert info.scale_list == [3, 3] and info.largest_intermediate == 10
    lines = repr(info).splitlines()
    assert lines[0] == "  Complete contraction:  ij,jk,kl->il"
    assert lines[6] == "  Largest intermediate:  1.000e+1 elements"
    assert len(lines) == 12


def test_information_of_slices(rng):
    shapes = [(16, 16)] * 4
    free = tf.plan("ab,bc,cd,da->", *shapes)
    limit = int(free.cost["peak_bytes"] / 2)
    _, info = tf.contract_path("ab,bc,cd,da->", *shapes, memory_limit=limit)
    assert info.slices > 1 and "Slices:" in repr(info)
    operands = [rng.standard_normal(shape) for shape in shapes]
    seen = []
    result = tf.contract("ab,bc,cd,da->", *operands, memory_limit=limit,
                         progress=lambda *pair: seen.append(pair))
    close(result, tf.einsum("ab,bc,cd,da->", *operands), 16**3, scale=100)
    assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1] > 0


def test_progress_may_raise():
    def stop(done, total):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        tf.contract("ab,bc,cd->ad", np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2)), progress=stop)
    assert tf.einsum("ab->", np.ones((2, 2))) == 4


def test_a_path_that_is_given_is_sliced(rng):
    """Along itself: the pairs stay what they are, and so does the result."""
    shapes, path = [(16, 16)] * 4, [(0, 1), (0, 1), (0, 1)]
    free = tf.plan("ab,bc,cd,da->", *shapes, optimize=path)
    needed = int(free.cost["peak_bytes"])
    assert tf.plan("ab,bc,cd,da->", *shapes, optimize=path, memory_limit=needed).cost["slices"] == 1
    operands = [rng.standard_normal(shape) for shape in shapes]
    expected = tf.einsum("ab,bc,cd,da->", *operands)
    for optimize in (path, lambda inputs, output, extents, memory_limit=None: path, False,
                     tf.PathOptimizer()):
        plan = tf.plan("ab,bc,cd,da->", *shapes, optimize=optimize, memory_limit=needed // 4)
        assert plan.cost["peak_bytes"] <= needed // 4 and plan.cost["slices"] > 1 and plan.sliced_labels
        if optimize is path:
            assert plan.path == free.path
        close(tf.contract("ab,bc,cd,da->", *operands, optimize=optimize, memory_limit=needed // 4), expected,
              16**3, scale=100)
        one_more = np.array(1.0)
        for one, other in zip(plan.vjp(*operands, cotangent=one_more),
                              free.vjp(*operands, cotangent=one_more)):
            close(one, other, 16**3, scale=100)
    with pytest.raises(NotImplementedError,
                       match="the memory limit is 10 bytes but the lowest peak found is "):
        tf.plan("ab,bc,cd,da->", *shapes, optimize=path, memory_limit=10)


@pytest.mark.parametrize("options, kind, words", [
    ({"seconds": float("nan")}, ValueError, "seconds is nan"), ({"seconds": -1}, ValueError, "seconds is -1"),
    ({"threads": 0}, ValueError, "threads is 0"), ({"threads": 1.5}, TypeError, "integer"),
    ({"memory_limit": 0}, ValueError, "memory_limit is 0 bytes"),
    ({"memory_limit": 1.5}, TypeError, "integer"),
    ({"seed": -1}, ValueError, "seed is -1"), ({"dtype": "float16"}, TypeError, "float16")])
def test_wrong_options(options, kind, words):
    with pytest.raises(kind, match=words):
        tf.PathOptimizer(**options)([{"a"}, {"a"}], set(), {"a": 2})


@pytest.mark.parametrize("extents, kind",
                         [({"a": 2.5}, TypeError), ({"a": "x"}, TypeError), ({"a": -2}, ValueError)])
def test_wrong_extents(extents, kind):
    with pytest.raises(kind):
        tf.PathOptimizer()([{"a"}, {"a"}], set(), extents)


def test_names():
    a = np.ones((2, 2))
    for name in ("auto", "auto-hq", "greedy", "optimal", "dp", "random-greedy"):
        assert tf.einsum("ij,jk,kl->", a, a, a, optimize=name) == 16
    with pytest.raises(ValueError, match="optimize is 'nonsense'"):
        tf.einsum("ij,jk,kl->", a, a, a, optimize="nonsense")
