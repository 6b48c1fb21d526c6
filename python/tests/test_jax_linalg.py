"""Linear algebra of tenferro.jax under JAX's transformations, beside jnp.linalg."""

import re
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="jax is not installed")
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_disable_most_optimizations", True)  # most of the time is XLA's

import jax.numpy as jnp  # noqa: E402
import jax.scipy.linalg as jsl  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

import tenferro.jax as tj  # noqa: E402
from tenferro import _jax_linalg as linalg  # noqa: E402

EPS = np.finfo(float).eps
DTYPES = ["float64", "complex128"]


def made(*shape, dtype="float64", seed=3):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return jnp.asarray(x if dtype == "float64" else x + 1j * rng.standard_normal(shape))


def adjoint(a):
    return a.conj().mT


def rebuilt_eigh(module, **options):
    def f(a):
        w, v = module.eigh((a + adjoint(a)) / 2, **options)
        return (v * jnp.exp(w)[..., None, :]) @ adjoint(v), w
    return f


def rebuilt_eig(module):
    def f(a):
        w, v = module.eig(a)
        return (v * w[..., None, :]) @ jnp.linalg.inv(v)
    return f


def parts_of_svd(module):
    def f(a):
        u, s, vh = module.svd(a, full_matrices=False)
        return (u * s[..., None, :] ** 2) @ vh, s
    return f


def parts_of_qr(module):
    def f(a):
        q, r = module.qr(a)
        return q @ adjoint(q), jnp.abs(r), q @ r * 2
    return f


# As in test_torch_linalg.py.
CASES = {
    "svd": (parts_of_svd, [(4, 3)]),
    "svd_wide": (parts_of_svd, [(3, 4)]),
    "svdvals": (lambda m: lambda a: parts_of_svd(m)(a)[1], [(3, 3)]),
    "qr": (parts_of_qr, [(2, 4, 3)]),
    "eigh": (rebuilt_eigh, [(3, 3)]),
    "eigh_upper": (lambda m: rebuilt_eigh(m, UPLO="U"), [(3, 3)]),
    "eig": (rebuilt_eig, [(3, 3)]),
    "cholesky": (lambda m: lambda a: m.cholesky(a @ adjoint(a) + jnp.eye(3)), [(2, 3, 3)]),
    "cholesky_upper": (lambda m: lambda a: m.cholesky(a @ adjoint(a) + jnp.eye(3), upper=True), [(3, 3)]),
    "lu": (lambda m: lambda a: m.lu(a)[1:], [(3, 3)]),
    "inv": (lambda m: m.inv, [(2, 3, 3)]),
    "pinv": (lambda m: m.pinv, [(4, 3)]),
    "det": (lambda m: m.det, [(2, 3, 3)]),
    "slogdet": (lambda m: lambda a: tuple(m.slogdet(a)), [(2, 3, 3)]),
    "expm": (lambda m: m.expm, [(3, 3)]),
    "solve": (lambda m: m.solve, [(2, 3, 3), (2, 3, 2)]),
    "solve_broadcast": (lambda m: m.solve, [(3, 3), (2, 3, 1)]),
    "solve_vector": (lambda m: m.solve, [(3, 3), (3,)]),
}


class Reference:
    """JAX's functions under our names."""

    lu, expm = staticmethod(jsl.lu), staticmethod(jsl.expm)

    def __getattr__(self, name):
        return getattr(jnp.linalg, name)


def operands_of(shapes, dtype="float64"):
    return [made(*shape, dtype=dtype, seed=at + 3) for at, shape in enumerate(shapes)]


def assert_close(given, wanted, units=1e5):
    for one, other in zip(jax.tree.leaves(given), jax.tree.leaves(wanted), strict=True):
        scale = max(1.0, float(jnp.abs(other).max()))
        np.testing.assert_allclose(one, other, rtol=0, atol=units * EPS * scale)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_values(name, dtype):
    make, shapes = CASES[name]
    operands = operands_of(shapes, dtype)
    expected = make(Reference())(*operands)
    assert_close(make(tj)(*operands), expected)
    assert_close(jax.jit(make(tj))(*operands), expected)


@pytest.mark.parametrize("name, dtype", [
    *((name, "float64") for name in CASES),
    *((name, "complex128") for name in ("svd", "eigh", "eig", "lu", "inv", "det", "solve"))])
def test_derivatives_to_second_order(name, dtype):
    make, shapes = CASES[name]
    check_grads(jax.jit(make(tj)), operands_of(shapes, dtype), order=2, atol=1e-3, rtol=1e-3)


@pytest.mark.parametrize("name", ["svd", "eigh", "inv", "det", "solve", "qr"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_gradients_are_those_of_jax(name, dtype):
    make, shapes = CASES[name]
    operands = operands_of(shapes, dtype)
    def loss(m):
        return lambda *x: sum((jnp.abs(y) ** 2).sum() + jnp.real(y).sum()
                              for y in jax.tree.leaves(make(m)(*x)))
    everywhere = tuple(range(len(operands)))
    assert_close(jax.jit(jax.grad(loss(tj), everywhere))(*operands),
                 jax.grad(loss(Reference()), everywhere)(*operands))


@pytest.mark.parametrize("name, axis", [("svd", 0), ("inv", 1), ("det", -1), ("solve", -1)])
def test_vmap(name, axis):
    make, shapes = CASES[name]
    operands = [jnp.stack([x, 2 * x, 3 * x], axis) for x in operands_of(shapes)]
    loss = lambda m: lambda *x: sum((y ** 2).sum() for y in jax.tree.leaves(make(m)(*x)))
    for transformed in (lambda m: jax.jit(jax.vmap(make(m), axis))(*operands),
                        lambda m: jax.vmap(jax.vmap(make(m), axis), 0)(
                            *(jnp.stack([x, x]) for x in operands)),
                        lambda m: jax.jit(jax.vmap(jax.hessian(loss(m)), axis))(*operands)):
        assert_close(transformed(tj), transformed(Reference()), units=1e8)


def test_vmap_of_one_operand():
    a, b = made(3, 3), made(5, 3, 2)
    assert_close(jax.vmap(tj.solve, (None, 0))(a, b), jnp.linalg.solve(a, b))
    loss = lambda a, b: (tj.solve(a, b) ** 2).sum()
    expected = lambda a, b: (jnp.linalg.solve(a, b) ** 2).sum()
    assert_close(jax.grad(lambda a: jax.vmap(loss, (None, 0))(a, b).sum())(a),
                 jax.grad(lambda a: jax.vmap(expected, (None, 0))(a, b).sum())(a))


def test_linear_maps_are_transposed_twice():
    a, t = made(3, 3, dtype="complex128"), made(3, 3, dtype="complex128", seed=5)
    _, pull = jax.vjp(tj.inv, a)
    _, expected = jax.vjp(jnp.linalg.inv, a)
    twice = jax.linear_transpose(lambda ct: pull(ct)[0], t)
    assert_close(twice(t), jax.linear_transpose(lambda ct: expected(ct)[0], t)(t))


def test_nothing_is_copied_for_the_engine():
    """A batch in the middle is read where it is: the compiled program only calls."""
    a = made(3, 7, 3)
    text = jax.jit(jax.vmap(tj.det, 1)).lower(a).compile().as_text()
    assert text.count("custom-call(") == 1
    assert "transpose(" not in text and "copy(" not in text and "callback" not in text


def test_full_factors():
    a = made(2, 4, 3)
    u, s, vh = tj.svd(a)
    assert u.shape == (2, 4, 4) and vh.shape == (2, 3, 3)
    assert_close((u[..., :3] * s[:, None]) @ vh, a)
    q, r = tj.qr(a, mode="complete")
    assert_close(q @ r, a)
    p, lower, upper = tj.lu(a)
    assert_close(p @ lower @ upper, a)
    b = made(4, 2, seed=5)
    assert_close(tj.lstsq(a[0], b), jnp.linalg.lstsq(a[0], b)[0])
    assert tj.inv(jnp.ones((0, 3, 3))).shape == (0, 3, 3)
    assert tj.svd(np.float32([[1, 2], [3, 4]]))[1].dtype == np.float32


@pytest.mark.parametrize("call, error, words", [
    (lambda: tj.svd(jnp.ones((2, 2), int)), TypeError, "svd: operand 0 has dtype int64"),
    (lambda: tj.svd(jnp.ones((2, 2), jnp.bfloat16)), TypeError, "bfloat16 but must be one of"),
    (lambda: tj.svd([[1.0]]), TypeError, "operand 0 is a list"),
    (lambda: tj.svd(jnp.ones(3)), ValueError, "svd: operand 0 has 1 axes but must have at least 2"),
    (lambda: jax.jit(tj.inv)(jnp.ones((2, 3))), ValueError, "inv: operand 0 has matrices 2 by 3"),
    (lambda: tj.solve(jnp.eye(3), jnp.ones((2, 1))), ValueError, "operand 1 has 2 rows but operand 0 has 3"),
    (lambda: tj.solve(jnp.ones((2, 3, 3)), jnp.ones((4, 3, 1))), ValueError, "extent 4 along axis 0"),
    (lambda: tj.qr(jnp.eye(3), mode="r"), ValueError, "mode is 'r'"),
    (lambda: tj.inv(jnp.zeros((2, 2))).block_until_ready(), RuntimeError, "inv: pivot 0 is 0"),
    (lambda: jax.jit(tj.cholesky)(-jnp.eye(2)).block_until_ready(), RuntimeError, "cholesky"),
])
def test_errors(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value), caught.value


def test_other_devices_are_refused():
    with pytest.raises(NotImplementedError, match="tenferro_linalg.*cuda"):
        jax.jit(tj.inv).trace(jnp.eye(2)).lower(lowering_platforms=("cuda",))


def test_page():
    """What the page says of this library runs."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()
    pieces = re.findall(r"^```py\n(import jax\n.*?)^```", page, re.M | re.S)
    assert pieces
    for piece in pieces:
        exec(compile(piece, "python.md", "exec"), {})


@pytest.mark.parametrize("name", ["solve", "det", "slogdet"])
def test_gradients_take_the_factors_that_are_there(name):
    a = made(2, 4, 4)
    operands = [a, made(2, 4, 3)] if name == "solve" else [a]
    count = 2 if name == "slogdet" else 1
    derivative = f"vjp:{'1' * count}:1{'0' * (len(operands) - 1)} {name}_lu"
    results = linalg._call(f"{name}_lu", *operands)
    expected, = linalg._call(derivative, *operands, *results, *results[:count])
    unknown = [jnp.full_like(a, jnp.nan), *operands[1:]]  # what would have to be factorised
    assert_close(linalg._call(derivative, *unknown, *results, *results[:count]), [expected])

    loss = lambda *x: sum(y.sum() for y in jax.tree.leaves(getattr(tj, name)(*x)))
    text = lambda f: jax.jit(f).lower(*operands).compile().as_text()
    assert text(loss).count("_lu") == 0
    assert text(jax.grad(loss)).count(f' {name}_lu"') == 1 and text(jax.grad(loss)).count(f'"{name}_lu"') == 1


def test_gradients_without_64_bits():
    a = np.asarray(made(4, 4), np.float32)
    inverse = np.linalg.inv(np.asarray(a, np.float64))
    with jax.enable_x64(False):
        gradient = jax.jit(jax.grad(lambda a: tj.slogdet(a)[1]))(a)
        hessian = jax.jit(jax.hessian(lambda a: tj.slogdet(a)[1]))(a)
    assert gradient.dtype == hessian.dtype == np.float32
    np.testing.assert_allclose(gradient, inverse.T, rtol=1e-4)
    np.testing.assert_allclose(hessian, -np.einsum("jk,li->ijkl", inverse, inverse), rtol=1e-3, atol=1e-3)
