"""tenferro.tropical against plain NumPy, and through PyTorch's autograd."""

import gc

import numpy as np
import pytest

import tenferro as tf

tropical = tf.tropical

SUM = {"maxplus": np.max, "minplus": np.min, "maxmul": np.max}
TIMES = {"maxplus": np.add, "minplus": np.add, "maxmul": np.multiply}
ZERO = {"maxplus": -np.inf, "minplus": np.inf, "maxmul": 0}


def matrices(dtype=np.float64):
    random = np.random.default_rng(5)
    return random.integers(0, 50, (7, 40)).astype(dtype), random.integers(0, 50, (40, 5)).astype(dtype)


def terms(a, b, algebra):
    return TIMES[algebra](a[:, :, None], b[None])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("algebra", tropical.ALGEBRAS)
def test_products_and_gradients(algebra, dtype):
    a, b = matrices(dtype)
    for x, y in [(a, b), (np.asfortranarray(a), b), (a[::-1, ::2], b[::2])]:
        all_terms = terms(x, y, algebra)
        expected = SUM[algebra](all_terms, axis=1)
        found = tropical.matmul(x, y, algebra=algebra)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(tropical.einsum("ij,jk", x, y, algebra=algebra), expected)
        cotangent = np.arange(35, dtype=dtype).reshape(7, 5)
        wanted = [np.zeros_like(x), np.zeros_like(y)]
        for (i, k), j in np.ndenumerate(np.argmax(all_terms == expected[:, None], axis=1)):
            factors = (y[j, k], x[i, j]) if algebra == "maxmul" else (1, 1)
            wanted[0][i, j] += cotangent[i, k] * factors[0]
            wanted[1][j, k] += cotangent[i, k] * factors[1]
        gradients = tropical.vjp("ij,jk->ik", [x, y], cotangent, algebra=algebra)
        for gradient, want in zip(gradients, wanted):
            np.testing.assert_array_equal(gradient, want)


@pytest.mark.parametrize("algebra", tropical.ALGEBRAS)
def test_empty_sums_and_scalars(algebra):
    found = tropical.matmul(np.ones((2, 0)), np.ones((0, 3)), algebra=algebra)
    np.testing.assert_array_equal(found, np.full((2, 3), ZERO[algebra]))
    assert tropical.einsum("i->", np.array([1.0, 3, 2]), algebra=algebra).shape == ()
    assert tropical.matmul(np.ones((0, 2)), np.ones((2, 3)), algebra=algebra).shape == (0, 3)


def test_batches_tensors_and_dtypes():
    a, b = np.arange(24.0).reshape(2, 3, 4), np.arange(20.0).reshape(4, 5)
    expected = (a[..., None] + b).max(axis=2)
    np.testing.assert_array_equal(tropical.matmul(a, b), expected)
    tensor = tropical.matmul(tf.asarray(a), tf.asarray(b))
    assert isinstance(tensor, tf.Tensor)
    np.testing.assert_array_equal(np.asarray(tensor), expected)
    assert all(isinstance(g, tf.Tensor) for g in tropical.vjp("i,i->", [tf.asarray(b[0])] * 2, 1.0))
    assert tropical.einsum("i,i->", np.arange(3), np.ones(3, np.float32)).dtype == np.float64


def test_errors():
    a = np.ones((2, 3))
    with pytest.raises(tf.errors.ShapeMismatch, match="label j"):
        tropical.einsum("ij,jk->ik", a, a)
    with pytest.raises(ValueError, match="operand 1 has -1 at"):
        tropical.einsum("ij,ij,ij->", a, -a, a, algebra="maxmul")
    with pytest.raises(ValueError, match="algebra is 'plus' but must be one of maxplus"):
        tropical.einsum("ij->", a, algebra="plus")
    with pytest.raises(ValueError, match="operand a has 1 axes"):
        tropical.matmul(a[0], a)
    with pytest.raises(TypeError, match="operand 0 has dtype complex128"):
        tropical.einsum("ij->", a + 0j)
    with pytest.raises(ValueError, match="no operands"):
        tropical.einsum("->")
    with pytest.raises(tf.errors.ShapeMismatch, match="cotangent"):
        tropical.vjp("ij->i", [a], np.ones(3))


def test_tensors_are_given_back():
    a = np.ones((256, 256))
    resource = pytest.importorskip("resource")
    for _ in range(20):
        tropical.vjp("ij,jk->ik", [a, a], a)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(200):
        tropical.vjp("ij,jk->ik", [a, a], a)
    gc.collect()
    # In kilobytes; 500 MB pass through.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 << 10


@pytest.mark.parametrize("algebra", tropical.ALGEBRAS)
def test_autograd(algebra):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    a, b = (torch.from_numpy(x).requires_grad_() for x in matrices())
    result = tropical.matmul(a, b, algebra=algebra)
    np.testing.assert_array_equal(result.detach().numpy(),
                                  SUM[algebra](terms(*(x.detach().numpy() for x in (a, b)), algebra), axis=1))
    cotangent = torch.arange(35.0, dtype=torch.float64).reshape(7, 5)
    found = torch.autograd.grad((result * cotangent).sum(), (a, b))
    for gradient, want in zip(found, tropical.vjp("ij,jk->ik", [a, b], cotangent, algebra=algebra)):
        torch.testing.assert_close(gradient, want, rtol=0, atol=0)
    # Without ties the winner takes all is the derivative.
    x, y = (torch.rand(4, 4, dtype=torch.float64, requires_grad=True) for _ in range(2))
    assert torch.autograd.gradcheck(lambda x, y: tropical.einsum("ij,jk->i", x, y, algebra=algebra), (x, y),
                                    eps=1e-7)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first = torch.autograd.grad((tropical.matmul(x, y) ** 2).sum(), x, create_graph=True)[0]
        first.sum().backward()
