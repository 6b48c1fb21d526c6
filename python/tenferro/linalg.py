"""Linear algebra on matrices in the last two axes; the axes before them are a batch. Every function has
derivatives and may be traced. Integers are computed in float64. Raises ValueError for shapes, an
ArithmeticError of tenferro.errors for singular matrices, ones that are not positive definite and iterations
that do not converge."""

from typing import NamedTuple as _NamedTuple

from ._array_api import _give
from ._naming import naming as _naming
from ._naming import number as _number
from ._naming import one_of as _one_of
from ._core import Tensor as _Tensor
from . import errors as _errors
from ._core import _linalg, matmul, matrix_transpose, outer, tensordot, vecdot  # noqa: F401
from ._core import asarray as _asarray
from ._core import conj as _conj
from ._core import diagonal as _diagonal
from ._core import expand_dims as _expand_dims
from ._core import max as _max
from ._core import moveaxis as _moveaxis
from ._core import stack as _stack
from ._core import sum as _sum
from ._core import where as _where


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


def _adjoint(x):
    return _conj(matrix_transpose(x))


@_naming
def svd(x, /, *, full_matrices=True):
    """x = U diag(S) Vh; S does not grow along its axis."""
    return SVDResult(*_linalg.svd(x, full_matrices))


@_naming
def svdvals(x, /):
    """The singular values, which do not grow."""
    return _linalg.svdvals(x)


@_naming
def qr(x, /, *, mode="reduced"):
    """x = Q R, Q with min(M, N) columns ('reduced') or M ('complete')."""
    _one_of(mode, "qr", "mode", ("reduced", "complete"))
    return QRResult(*_linalg.qr(x, mode == "complete"))


@_naming
def eigh(x, /, *, UPLO="L"):
    """Eigenvalues, in ascending order, and vectors of Hermitian matrices, of which one triangle is read."""
    return EighResult(*_linalg.eigh(x, _one_of(UPLO, "eigh", "UPLO", ("L", "U")) == "L"))


@_naming
def eigvalsh(x, /, *, UPLO="L"):
    """The eigenvalues of Hermitian matrices, in ascending order, real; see eigh."""
    return _linalg.eigvalsh(x, _one_of(UPLO, "eigvalsh", "UPLO", ("L", "U")) == "L")


@_naming
def eig(x, /):
    """Eigenvalues and vectors of any square matrices, complex."""
    return EighResult(*_linalg.eig(x))


@_naming
def eigvals(x, /):
    """The eigenvalues of any square matrices, complex, one for each row; see eig."""
    return _linalg.eigvals(x)


@_naming
def cholesky(x, /, *, upper=False):
    """L with x = L Lᴴ, or its adjoint."""
    return _linalg.cholesky(x, upper)


@_naming
def lu(x, /):
    """(P, L, U) with P x = L U."""
    return tuple(_linalg.lu(x))


@_naming
def inv(x, /):
    """The inverses of square matrices; ArithmeticError where one is singular."""
    return _linalg.inv(x)


@_naming
def pinv(x, /, *, rtol=None):
    """The pseudo-inverse; singular values up to rtol times the largest count as zero. rtol is a number, or
    has one for each matrix."""
    if hasattr(rtol, "shape") and rtol.shape:
        u, s, vh = svd(_asarray(x), full_matrices=False)
        kept = s > _expand_dims(_asarray(rtol), -1) * _max(s, axis=-1, keepdims=True)
        inverse = _where(kept, 1.0 / _where(kept, s, 1.0), 0.0)
        return _give(matmul(_adjoint(vh) * _expand_dims(inverse, -2), _adjoint(u)), x)
    return _linalg.pinv(x, -1.0 if rtol is None else _number(rtol, "pinv", "rtol"))


@_naming
def det(x, /):
    """The determinants of square matrices, without their two axes."""
    return _linalg.det(x)


@_naming
def slogdet(x, /):
    """det x = sign exp(logabsdet)."""
    return SlogdetResult(*_linalg.slogdet(x))


@_naming
def solve(x1, x2, /):
    """The y with x1 y = x2, a vector where x2 has one axis, else matrices. Batches broadcast."""
    return _linalg.solve(x1, x2)


@_naming
def lstsq(x1, x2, /):
    """The y of least norm that makes |x1 y - x2| least."""
    return _linalg.lstsq(x1, x2)


@_naming
def expm(x, /):
    """The exponential of square matrices."""
    return _linalg.expm(x)


@_naming
def matrix_power(x, n, /):
    """Square matrices to the power of an integer, of their inverses where it is negative."""
    return _linalg.matrix_power(x, n)


@_naming
def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """A norm of matrices: 'fro', 'nuc', 1, -1, 2, -2, inf, -inf. With keepdims their axes stay,
    with extent 1."""
    name = ord if isinstance(ord, str) else f"{_number(ord, 'matrix_norm', 'ord'):g}"
    norm = _linalg.matrix_norm(x, name)
    return _expand_dims(_expand_dims(norm, -1), -1) if keepdims else norm


@_naming
def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of order `ord` over axes, all without one. With keepdims these stay, with extent 1."""
    return _linalg.vector_norm(x, _number(ord, "vector_norm", "ord"), axis, keepdims)


@_naming
def matrix_rank(x, /, *, rtol=None):
    """How many singular values are above rtol times the largest, in int64; rtol is a number or has one for
    each matrix, and without it the larger extent times the resolution of the dtype."""
    s = svdvals(x)
    if rtol is None:
        from ._array_api import finfo

        rtol = max(_asarray(x).shape[-2:]) * finfo(s.dtype).eps
    elif hasattr(rtol, "shape") and rtol.shape:
        rtol = _expand_dims(rtol, -1)
    else:
        rtol = _number(rtol, "matrix_rank", "rtol")
    return _sum(s > rtol * _max(s, axis=-1, keepdims=True), axis=-1)


@_naming
def cross(x1, x2, /, *, axis=-1):
    """The cross products of vectors of three elements along an axis; the others broadcast."""
    a, b = _moveaxis(_asarray(x1), axis, -1), _moveaxis(_asarray(x2), axis, -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise _errors.ShapeMismatch(f"cross: axis {axis} has extents {a.shape[-1]} and {b.shape[-1]} "
                                    "but must have 3")
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return _give(_stack(parts, axis=axis), x1, x2)


@_naming
def diagonal(x, /, *, offset=0):
    """A diagonal of the matrices in the last two axes, as the last axis;
    above the main one for offsets above 0."""
    return _diagonal(x, offset, -2, -1)


@_naming
def trace(x, /, *, offset=0, dtype=None):
    """The sum of a diagonal; of integers in int64, or in dtype."""
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)
