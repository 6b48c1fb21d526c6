"""tenferro for JAX: primitives under jit, grad, jvp and vmap of any order, computed on the CPU by handlers
that XLA calls on its own memory. Raises ValueError for shapes and TypeError for dtypes when a function is
traced; what depends on the elements, as singular matrices, is an error of JAX's when it runs."""

from ._jax_einsum import einsum
from ._jax_linalg import (
    cholesky,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    expm,
    inv,
    lstsq,
    lu,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
    svdvals,
)

__all__ = ["cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "einsum", "expm", "inv", "lstsq", "lu",
           "pinv", "qr", "slogdet", "solve", "svd", "svdvals"]
