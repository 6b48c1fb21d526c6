"""tenferro.jax: under JAX's transformations, against jnp.einsum."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="jax is not installed")
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

import tenferro.jax as tj  # noqa: E402

CASES = [("ij,jk->ik", [(2, 3), (3, 4)]), ("ii,ij->j", [(3, 3), (3, 2)]), ("ij,k->i", [(2, 3), (2,)]),
         ("...ij,jk", [(2, 2, 3), (3, 2)]), ("ij->ji", [(2, 3)]), ("...i,...i", [(1, 3), (2, 3)])]


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
    check_grads(f, operands, order=2)


def test_vmap():
    a, b = made([(5, 2, 3), (3, 4)])
    f = lambda x: tj.einsum("ij,jk->ik", x, b)
    np.testing.assert_allclose(jax.vmap(f)(a), jnp.einsum("bij,jk->bik", a, b), atol=64 * np.finfo(float).eps)
    loss = lambda x: (f(x) ** 2).sum()
    np.testing.assert_allclose(jax.vmap(jax.grad(loss))(a), jax.vmap(jax.grad(lambda x: ((x @ b) ** 2).sum()))(a),
                               atol=512 * np.finfo(float).eps)
