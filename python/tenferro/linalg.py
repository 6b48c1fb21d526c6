"""Linear algebra on matrices in the last two axes; the axes before them are a batch. Every function has
derivatives and may be traced. Integers are computed in float64. Raises ValueError for shapes, an
ArithmeticError of tenferro.errors for singular matrices, ones that are not positive definite and iterations
that do not converge."""

from typing import NamedTuple as _NamedTuple

from ._core import Tensor as _Tensor
from ._core import _linalg, diagonal, matmul, matrix_transpose, outer, tensordot, vecdot  # noqa: F401
from ._core import sum as _sum


class SVDResult(_NamedTuple):
    U: _Tensor
    S: _Tensor
    Vh: _Tensor


class QRResult(_NamedTuple):
    Q: _Tensor
    R: _Tensor


class EighResult(_NamedTuple):
    eigenvalues: _Tensor
    eigenvectors: _Tensor


class SlogdetResult(_NamedTuple):
    sign: _Tensor
    logabsdet: _Tensor


def svd(x, /, *, full_matrices=True):
    """x = U diag(S) Vh; S does not grow along its axis."""
    return SVDResult(*_linalg.svd(x, full_matrices))


def svdvals(x, /):
    """The singular values, which do not grow."""
    return _linalg.svdvals(x)


def qr(x, /, *, mode="reduced"):
    """x = Q R, Q with min(M, N) columns ('reduced') or M ('complete')."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode is {mode!r} but must be 'reduced' or 'complete'")
    return QRResult(*_linalg.qr(x, mode == "complete"))


def eigh(x, /, *, UPLO="L"):
    """Eigenvalues, in ascending order, and vectors of Hermitian matrices, of which one triangle is read."""
    return EighResult(*_linalg.eigh(x, UPLO == "L"))


def eigvalsh(x, /, *, UPLO="L"):
    return _linalg.eigvalsh(x, UPLO == "L")


def eig(x, /):
    """Eigenvalues and vectors of any square matrices, complex."""
    return EighResult(*_linalg.eig(x))


def eigvals(x, /):
    return _linalg.eigvals(x)


def cholesky(x, /, *, upper=False):
    """L with x = L Lᴴ, or its adjoint."""
    return _linalg.cholesky(x, upper)


def lu(x, /):
    """(P, L, U) with P x = L U."""
    return tuple(_linalg.lu(x))


def inv(x, /):
    return _linalg.inv(x)


def pinv(x, /, *, rtol=None):
    """The pseudo-inverse; singular values up to rtol times the largest count as zero."""
    return _linalg.pinv(x, -1.0 if rtol is None else float(rtol))


def det(x, /):
    return _linalg.det(x)


def slogdet(x, /):
    """det x = sign exp(logabsdet)."""
    return SlogdetResult(*_linalg.slogdet(x))


def solve(x1, x2, /):
    """The y with x1 y = x2, a vector where x2 has one axis, else matrices. Batches broadcast."""
    return _linalg.solve(x1, x2)


def lstsq(x1, x2, /):
    """The y of least norm that makes |x1 y - x2| least."""
    return _linalg.lstsq(x1, x2)


def expm(x, /):
    """The exponential of square matrices."""
    return _linalg.expm(x)


def matrix_power(x, n, /):
    return _linalg.matrix_power(x, n)


def matrix_norm(x, /, *, ord="fro"):
    """A norm of matrices: 'fro', 'nuc', 1, -1, 2, -2, inf, -inf."""
    name = ord if isinstance(ord, str) else {float("inf"): "inf", float("-inf"): "-inf"}.get(ord, str(ord))
    return _linalg.matrix_norm(x, name)


def vector_norm(x, /, *, axis=None, ord=2):
    """The norm of order `ord` over axes, all without one."""
    return _linalg.vector_norm(x, float(ord), axis)


def trace(x, /, *, offset=0):
    """The sum of a diagonal."""
    return _sum(diagonal(x, offset, -2, -1), axis=-1)
