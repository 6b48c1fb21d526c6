"""Linear algebra on batches in front, against NumPy and by what the factors must satisfy; derivatives."""

import numpy as np
import pytest

import tenferro as tf
from conftest import DTYPES, close, drawn

linalg = tf.linalg
BATCHES = [(), (3,), (2, 2)]


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("batch", BATCHES)
def test_factorisations(batch, dtype, rng):
    a = drawn(rng, (*batch, 4, 3), dtype)
    for full in (False, True):
        u, s, vh = linalg.svd(a, full_matrices=full)
        assert isinstance(u, np.ndarray) and u.shape == (*batch, 4, 4 if full else 3)
        close((u[..., :3] * s[..., None, :]) @ vh, a, 64)
        close(s, np.linalg.svd(a, compute_uv=False), 64)
        q, r = linalg.qr(a, mode="complete" if full else "reduced")
        close(q @ r, a, 64)
        close(adjoint(q) @ q,
              np.broadcast_to(np.eye(q.shape[-1], dtype=dtype), (*batch, q.shape[-1], q.shape[-1])), 64)
    close(linalg.svdvals(a), np.linalg.svd(a, compute_uv=False), 64)
    square = a[..., :3, :]
    hermitian = square + adjoint(square)
    w, v = linalg.eigh(hermitian)
    close(hermitian @ v, v * w[..., None, :], 64, scale=10)
    close(linalg.eigvalsh(hermitian), w, 64, scale=10)
    p, l, u = linalg.lu(square)
    close(p @ square, l @ u, 32, scale=10)
    positive = square @ adjoint(square) + np.eye(3, dtype=dtype)
    c = linalg.cholesky(positive)
    close(c @ adjoint(c), positive, 32)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("batch", BATCHES)
def test_functions(batch, dtype, rng):
    a = (drawn(rng, (*batch, 3, 3), dtype) + 4 * np.eye(3)).astype(dtype)
    b = drawn(rng, (*batch, 3, 2), dtype)
    close(a @ linalg.solve(a, b), b, 64, scale=10)
    close(a @ linalg.inv(a), np.broadcast_to(np.eye(3, dtype=dtype), a.shape), 64)
    close(linalg.det(a), np.asarray(np.linalg.det(a)), 64, scale=200)
    sign, logabsdet = linalg.slogdet(a)
    close(sign, np.asarray(np.linalg.slogdet(a)[0]), 64)
    close(logabsdet, np.asarray(np.linalg.slogdet(a)[1]), 64, scale=10)
    close(linalg.pinv(a[..., :2]), np.linalg.pinv(a[..., :2]), 256)
    close(linalg.matrix_power(a, 3), np.linalg.matrix_power(a, 3), 64, scale=500)
    for kind in ("fro", "nuc", 1, -1, 2, -2, float("inf")):
        close(linalg.matrix_norm(a, ord=kind), np.asarray(np.linalg.norm(a, kind, axis=(-2, -1))), 64,
              scale=50)
    close(linalg.vector_norm(b, axis=-1), np.linalg.norm(b, axis=-1), 16)
    close(linalg.trace(a), np.asarray(np.trace(a, axis1=-2, axis2=-1)), 8, scale=20)
    w, v = linalg.eig(a)
    close(a @ v, v * w[..., None, :], 256, scale=20)


def test_vectors_and_batches(rng):
    a, b = drawn(rng, (2, 3, 3)) + 4 * np.eye(3), drawn(rng, (3,))
    close(linalg.solve(a[0], b), np.linalg.solve(a[0], b), 64)
    close(linalg.solve(a, b[:, None]), np.linalg.solve(a, b[:, None]), 64)
    x = linalg.lstsq(np.vstack([a[0], a[1]]), np.concatenate([b, b]))
    close(x, np.linalg.lstsq(np.vstack([a[0], a[1]]), np.concatenate([b, b]), rcond=None)[0], 256)


def test_derivatives(rng):
    a = drawn(rng, (4, 3))
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    close(tf.grad(lambda x: tf.sum(linalg.svdvals(x)))(a), u @ vh, 256)
    b = a[:3] + 4 * np.eye(3)
    close(tf.grad(lambda x: linalg.slogdet(x).logabsdet)(b), np.linalg.inv(b).T, 64)
    fast = tf.compile(tf.grad(lambda x: tf.sum(linalg.inv(x))))
    inverse = np.linalg.inv(b)
    close(fast(b), -(inverse.T @ np.ones((3, 3)) @ inverse.T), 64)


def test_errors():
    with pytest.raises(ArithmeticError):
        linalg.inv(np.zeros((2, 2)))
    with pytest.raises(tf.errors.NotPositiveDefinite):
        linalg.cholesky(-np.eye(2))
    with pytest.raises(ValueError):
        linalg.svd(np.zeros(3))
    with pytest.raises(ValueError, match="mode is 'x'"):
        linalg.qr(np.eye(2), mode="x")
    with pytest.raises(ValueError, match="ord is '7'"):
        linalg.matrix_norm(np.eye(2), ord=7)
