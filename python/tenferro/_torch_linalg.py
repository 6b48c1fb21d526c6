"""Linear algebra for PyTorch: one operator, tenferro::linalg(name, operands), whose derivatives are calls of
itself with other names, so that they exist in any order, in both modes and under vmap. What these need of a
factorisation is a result of the function, so nothing is factorised again."""

import torch as _torch

from . import _core, errors
from . import _matrix_functions as _functions
from ._torch_operators import check_operand, define, forward, nested_jvp, plain

_DTYPES = (_torch.float32, _torch.float64, _torch.complex64, _torch.complex128)


def _on_cpu(name, operands):
    return _core._matrix_function(name, [plain(operand) for operand in operands])


def _fake(name, operands):
    made = []
    shapes, dtypes = [x.shape for x in operands], [x.dtype for x in operands]
    batch = len(shapes[0]) - 2
    for shape, dtype in _functions.results(name, shapes, dtypes, lambda d: d.to_real(),
                                           lambda d: d.to_complex(), _torch.int64):
        strides, step = [0] * len(shape), 1
        # Matrices in columns, batches in rows.
        for axis in [*range(batch, len(shape)), *reversed(range(batch))]:
            strides[axis] = step
            step = step * shape[axis]
        made.append(operands[0].new_empty_strided(tuple(shape), strides, dtype=dtype))
    return made


class _Recorded(_torch.autograd.Function):
    @staticmethod
    def forward(name, *operands):
        return tuple(forward(_call, name, list(operands)))

    @staticmethod
    def setup_context(ctx, inputs, output):
        name, *operands = inputs
        ctx.name = name
        kept = (*operands, *output) if _functions.keeps_results(name) else tuple(operands)
        ctx.save_for_backward(*kept)
        ctx.save_for_forward(*kept)
        ctx.set_materialize_grads(False)
        if name == "lu":
            ctx.mark_non_differentiable(output[0])
        elif (count := _functions.derived(name)) is not None:
            ctx.mark_non_differentiable(*output[count:])

    @staticmethod
    def backward(ctx, *cotangents):
        wanted = ctx.needs_input_grad[1:]
        cotangents = cotangents[:_functions.derived(ctx.name)]
        present = [ct for ct in cotangents if ct is not None]
        if not present:
            return (None,) * (1 + len(wanted))
        name = _functions.pulled(ctx.name, [ct is not None for ct in cotangents], wanted)
        made = iter(_call(name, [*ctx.saved_tensors, *present]))
        return (None, *(next(made) if one else None for one in wanted))

    @nested_jvp
    def jvp(ctx, saved, *tangents):
        name = _functions.pushed(ctx.name, [one is not None for one in tangents])
        made = _call(name, [*saved, *(one for one in tangents if one is not None)])
        if ctx.name == "lu":
            return (None, *made[1:])
        return tuple(made) if _functions.derived(ctx.name) is None else (*made, None, None, None)


def _vmap(info, in_dims, name, operands):
    """The batch goes to the front of all operands, by strides alone."""
    moved = [x.expand(info.batch_size, *x.shape) if dim is None else x.movedim(dim, 0)
             for x, dim in zip(operands, in_dims[1])]
    made = _call(name, moved)
    return made, [0] * len(made)


_call = define("linalg(str name, Tensor[] operands) -> Tensor[]", cpu=_on_cpu, fake=_fake, function=_Recorded,
               vmap=_vmap)


def _apply(name, function, *operands):
    """The results of `function`, which the user calls `name`."""
    for at, operand in enumerate(operands):
        check_operand(name, at, operand, _DTYPES)
    _functions.check(function, name, [operand.shape for operand in operands])
    return _call(function, list(operands))


def svd(A, full_matrices=True):
    """(U, S, Vh) with A = U diag(S) Vh for matrices in the last two axes; S does not grow. As
    torch.linalg.svd."""
    return tuple(_apply("svd", "svd_full" if full_matrices else "svd", A))


def svdvals(A):
    """The singular values (..., min(M, N)) of matrices (..., M, N), which do not grow."""
    return _apply("svdvals", "svd", A)[1]


def qr(A, mode="reduced"):
    """(Q, R) with A = Q R, Q with min(M, N) columns ('reduced') or M ('complete')."""
    return tuple(_apply("qr", _functions.qr_function(mode), A))


def eigh(A, UPLO="L"):
    """(values, vectors) of Hermitian matrices, of which one triangle is read; values ascend. Derivatives take
    A for Hermitian."""
    return tuple(_apply("eigh", _functions.eigh_function("eigh", UPLO), A))


def eigvalsh(A, UPLO="L"):
    """The eigenvalues (..., N) of Hermitian matrices (..., N, N), ascending."""
    return _apply("eigvalsh", _functions.eigh_function("eigvalsh", UPLO), A)[0]


def eig(A):
    """Eigenvalues (..., N) and vectors (..., N, N) of matrices (..., N, N), complex."""
    return tuple(_apply("eig", "eig", A))


def eigvals(A):
    """The eigenvalues (..., N) of matrices (..., N, N), complex."""
    return _apply("eigvals", "eig", A)[0]


def cholesky(A, upper=False):
    """L with A = L Lᴴ, of which the lower triangle is read, or with `upper` Lᴴ, of which the upper one is."""
    if upper:
        return cholesky(A.mH).mH
    return _apply("cholesky", "cholesky", A)[0]


def lu(A):
    """(P, L, U) with A = P L U, as torch.linalg.lu."""
    p, lower, upper = _apply("lu", "lu", A)
    return p.mT, lower, upper


def inv(A):
    """The inverse (..., N, N) of matrices (..., N, N)."""
    return _apply("inv", "inv", A)[0]


def pinv(A):
    """The pseudoinverse (..., N, M) of matrices (..., M, N); singular values up to max(M, N) times the
    precision of the largest count as 0."""
    return _apply("pinv", "pinv", A)[0]


def _in_columns(A):
    """A or its transpose, which has the same determinant: the matrices whose columns lie in memory as they
    are factorised. Small ones are turned sooner than PyTorch makes a view."""
    if (not isinstance(A, _torch.Tensor) or A.dim() < 2 or A.shape[-1] != A.shape[-2] or A.shape[-1] < 64
            or A.stride(-2) <= A.stride(-1)):
        return A
    return A.mT


def det(A):
    """The determinant (...) of matrices (..., N, N)."""
    return _apply("det", "det_lu", _in_columns(A))[0]


def slogdet(A):
    """(sign, logabsdet), of shape (...), with det A = sign exp(logabsdet)."""
    return tuple(_apply("slogdet", "slogdet_lu", _in_columns(A))[:2])


def matrix_exp(A):
    """The exponential (..., N, N) of matrices (..., N, N)."""
    return _apply("matrix_exp", "matrix_exp", A)[0]


def _solved(name, function, A, B):
    is_vector = isinstance(B, _torch.Tensor) and B.dim() == 1
    if is_vector:
        B = B.unsqueeze(-1)
    for at, operand in enumerate((A, B)):
        check_operand(name, at, operand, _DTYPES)
    if A.dtype != B.dtype:
        raise errors.DTypeMismatch(f"{name}: operand 1 has dtype {B.dtype} but operand 0 has {A.dtype}")
    _functions.check(function, name, [A.shape, B.shape])
    batch = _functions.common_batch(name, A.shape, B.shape)
    x = _call(function, [A.expand(*batch, *A.shape[-2:]), B.expand(*batch, *B.shape[-2:])])[0]
    return x.squeeze(-1) if is_vector else x


def solve(A, B):
    """X with A X = B, a vector where B has one axis, else matrices. Batches broadcast."""
    return _solved("solve", "solve_lu", A, B)


def lstsq(A, B):
    """The X of least norm that makes |A X - B| least."""
    return _solved("lstsq", "lstsq", A, B)
