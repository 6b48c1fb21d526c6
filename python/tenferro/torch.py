"""tenferro for PyTorch: operators of torch.library, with derivatives of any order in both modes, under
torch.compile and torch.func. Tensors are on the CPU and are read where they are, with any strides. Raises
ValueError for shapes, TypeError for dtypes, BufferError for other devices."""

from ._torch_einsum import einsum
from ._torch_linalg import (
    cholesky,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    inv,
    lstsq,
    lu,
    matrix_exp,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
    svdvals,
)

__all__ = ["cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "einsum", "inv", "lstsq", "lu",
           "matrix_exp", "pinv", "qr", "slogdet", "solve", "svd", "svdvals"]
