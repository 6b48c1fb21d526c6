"""tenferro.jax: under JAX's transformations, against jnp.einsum."""

import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="jax is not installed")
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_disable_most_optimizations", True)  # most of the time is XLA's

import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

import tenferro.jax as tj  # noqa: E402
from test_interrupts import WITHIN, interrupted  # noqa: E402

CASES = [("ij,jk->ik", [(2, 3), (3, 4)]), ("ii,ij->j", [(3, 3), (3, 2)]), ("ij,k->i", [(2, 3), (2,)]),
         ("...ij,jk", [(2, 2, 3), (3, 2)]), ("ij->ji", [(2, 3)]), ("...i,...i", [(1, 3), (2, 3)]),
         ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]), ("ij,ij->", [(2, 3), (2, 3)]), ("i,j", [(2,), (0,)])]


@pytest.fixture(autouse=True)
def handlers(monkeypatch):
    """However small, einsums are calls of ours."""
    monkeypatch.setattr("tenferro._jax_einsum._TINY", -1)


@pytest.mark.parametrize("dtype", [np.float32, np.complex128, np.int64])
@pytest.mark.parametrize("equation, shapes", [*CASES, ("ii->i", [(4, 4)]), ("i,i,i->", [(2,)] * 3)])
def test_tiny_ones_are_left_to_xla(equation, shapes, dtype, monkeypatch):
    monkeypatch.undo()
    operands = [(9 * operand).astype(dtype) for operand in made(shapes)]
    run = jax.jit(lambda *x: tj.einsum(equation, *x)).lower(*operands).compile()
    assert "custom-call(" not in run.as_text()
    found, expected = run(*operands), jnp.einsum(equation, *operands)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def made(shapes, seed=3):
    rng = np.random.default_rng(seed)
    return [jnp.asarray(rng.standard_normal(shape)) for shape in shapes]


@pytest.mark.parametrize("equation, shapes", CASES)
def test_values_and_gradients(equation, shapes):
    operands = made(shapes)
    f = lambda *x: tj.einsum(equation, *x)
    expected = jnp.einsum(equation, *operands)
    np.testing.assert_allclose(f(*operands), expected, atol=64 * np.finfo(float).eps)
    np.testing.assert_allclose(jax.jit(f)(*operands), expected, atol=64 * np.finfo(float).eps)
    check_grads(jax.jit(f), operands, order=2)


def test_vmap():
    a, b = made([(5, 2, 3), (3, 4)])
    f = lambda x: tj.einsum("ij,jk->ik", x, b)
    np.testing.assert_allclose(jax.vmap(f)(a), jnp.einsum("bij,jk->bik", a, b), atol=64 * np.finfo(float).eps)
    loss = lambda x: (f(x) ** 2).sum()
    np.testing.assert_allclose(jax.vmap(jax.grad(loss))(a),
                               jax.vmap(jax.grad(lambda x: ((x @ b) ** 2).sum()))(a),
                               atol=512 * np.finfo(float).eps)


@pytest.mark.parametrize("axes", [(0, 0), (1, 2), (2, None), (None, 1)])
def test_vmap_along_any_axis(axes):
    """The batch is one more label where it is: nothing moves."""
    a, b = made([(2, 2, 2), (2, 2, 2)] if None not in axes else
                [(2, 2) if axis is None else (2, 2, 2) for axis in axes])
    batched = lambda module: jax.vmap(lambda x, y: module.einsum("ij,jk->ik", x, y), axes)
    np.testing.assert_allclose(batched(tj)(a, b), batched(jnp)(a, b), atol=64 * np.finfo(float).eps)
    text = jax.jit(batched(tj)).lower(a, b).compile().as_text()
    assert text.count("custom-call(") == 1 and "transpose(" not in text and "copy(" not in text


def test_complex_gradients_are_those_of_jax():
    rng = np.random.default_rng(3)
    a, b = (jnp.asarray(rng.standard_normal(shape) + 1j * rng.standard_normal(shape))
            for shape in [(2, 3), (3, 3)])
    loss = lambda module: lambda a, b: jnp.abs(module.einsum("ij,jj->i", a, b)).sum()
    for given, wanted in zip(jax.grad(loss(tj), (0, 1))(a, b), jax.grad(loss(jnp), (0, 1))(a, b)):
        np.testing.assert_allclose(given, wanted, atol=64 * np.finfo(float).eps)


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int32", "int64"])
def test_dtypes(dtype):
    a = jnp.arange(6).reshape(2, 3).astype(dtype)
    result = tj.einsum("ij,kj", a, a)
    assert result.dtype == a.dtype
    np.testing.assert_array_equal(result, a @ a.T)
    assert tj.einsum("ij,kj", a, jnp.ones((2, 3))).dtype == jnp.einsum("ij,kj", a, jnp.ones((2, 3))).dtype


@pytest.mark.parametrize("call, error, words", [
    (lambda: tj.einsum("ij,jk->ik", jnp.ones((2, 3)), jnp.ones((2, 3))), ValueError, "label j"),
    (lambda: jax.jit(lambda a: tj.einsum("ij,jk->ik", a, a))(jnp.ones((2, 3))), ValueError, "label j"),
    (lambda: tj.einsum("ij->i", jnp.ones(3)), ValueError, "operand 0"),
    (lambda: tj.einsum("ij,jk->ik", jnp.ones((2, 2))), ValueError, "operand"),
    (lambda: tj.einsum("ij->k", jnp.ones((2, 2))), ValueError, "k"),
    (lambda: tj.einsum("i->i", jnp.ones(2, bool)), TypeError, "operand 0 has dtype bool"),
    (lambda: tj.einsum("i->i", jnp.ones(2, jnp.float16)), TypeError, "operand 0 has dtype float16"),
    (lambda: tj.einsum("i->i", "ones"), TypeError, "operand 0 is a str"),
])
def test_errors(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value), caught.value


def test_structs_are_those_of_xla():
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    here = Path(__file__).resolve().parent
    subprocess.check_call([compiler, "-std=c++20", "-fsyntax-only", "-Wno-invalid-offsetof",
                           here / "xla_ffi_abi.cpp", f"-I{jax.ffi.include_dir()}",
                           f"-I{here.parent / 'src'}"])


LONG = {"einsum": (lambda x: tj.einsum("ij,jk->ik", x, x), 8000), "svd": (lambda x: tj.svd(x)[1], 2000)}


def expect_ctrl_c_to_end(run, x):
    """XLA computes on threads of its own, while Python waits for it."""
    started = []

    def work():
        try:
            started.append(run(x))
            started[-1].block_until_ready()
        except jax.errors.JaxRuntimeError:
            pass
        time.sleep(10)  # where Python handles the signal if JAX has not let it

    assert min(interrupted(work) for _ in range(2)) < WITHIN
    begin = time.monotonic()
    for result in started:
        with pytest.raises(jax.errors.JaxRuntimeError, match="CANCELLED"):
            result.block_until_ready()
    assert time.monotonic() - begin < WITHIN
    used = time.process_time()
    time.sleep(1.0)
    assert time.process_time() - used < 0.05  # nothing goes on behind


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_a_long_call(name):
    f, n = LONG[name]  # takes tens of seconds
    x = (jnp.eye(n) + 1.0).block_until_ready()
    expect_ctrl_c_to_end(jax.jit(f).lower(x).compile(), x)


def test_handlers_of_the_user_let_calls_go_on():
    x, seen = jnp.ones((2500, 2500)), []
    run = jax.jit(LONG["einsum"][0]).lower(x).compile()
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        results = [run(x).block_until_ready() for _ in range(3)]
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert seen == [1] and all(result[0, 0] == 2500 for result in results)


def test_a_handler_set_meanwhile_is_kept_and_the_next_call_ends_too():
    """Python's own, put there while a call runs, takes the place of the one that notices Ctrl-C."""
    f, n = LONG["einsum"]
    x = (jnp.eye(n) + 1.0).block_until_ready()
    run, smaller = (jax.jit(f).lower(a).compile() for a in (x, x[:4000, :4000]))
    seen = []
    call = threading.Thread(target=lambda: seen.append(smaller(x[:4000, :4000])[0, 0].item()))

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        used = time.process_time()
        call.start()
        while time.process_time() - used < 0.2:  # it computes
            time.sleep(0.01)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        assert call.is_alive()
        call.join()
        assert seen == [4003]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        expect_ctrl_c_to_end(run, x)
    finally:
        signal.signal(signal.SIGINT, before)
