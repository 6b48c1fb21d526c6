"""Linear algebra for JAX: one primitive, whose derivatives are calls of itself with other names, so that they
exist in any order. XLA calls a handler on its own memory; there is one for the CPU."""

from functools import partial as _partial

import jax as _jax
import jax.numpy as _jnp
import numpy as _np
from jax.extend.core import Primitive as _Primitive
from jax.interpreters import ad as _ad
from jax.interpreters import batching as _batching
from jax.interpreters import mlir as _mlir

from . import _core
from . import _matrix_functions as _functions
from ._jax_einsum import as_array as _as_array

_DTYPES = tuple(_np.dtype(name) for name in ("float32", "float64", "complex64", "complex128"))
_jax.ffi.register_ffi_target("tenferro_matrix_function", _core._xla_handlers()[1], platform="cpu")

_linalg_p = _Primitive("tenferro_linalg")
_linalg_p.multiple_results = True


def _bind(name, operands, axes):
    """Operand i is seen with the axes axes[i]; -1 is one along which it is repeated."""
    return _linalg_p.bind(*operands, name=name, axes=tuple(map(tuple, axes)))


def _call(name, *operands):
    return _bind(name, operands, [range(operand.ndim) for operand in operands])


def _seen_shapes(operands, axes):
    """Shapes of the operands as they are seen: repeated along the batch of the others."""
    batch = {}
    for operand, seen in zip(operands, axes):
        batch |= {at: operand.shape[axis] for at, axis in enumerate(seen) if axis >= 0}
    return [tuple(batch[at] if axis < 0 else operand.shape[axis] for at, axis in enumerate(seen))
            for operand, seen in zip(operands, axes)]


def _results(*operands, name, axes):
    made = _functions.results(name, _seen_shapes(operands, axes), [operand.dtype for operand in operands],
                              lambda dtype: _np.finfo(dtype).dtype,
                              lambda dtype: _np.result_type(dtype, _np.complex64), _np.dtype("int32"))
    return [_jax.core.ShapedArray(tuple(shape), dtype) for shape, dtype in made]


def _lowered(ctx, *operands, name, axes):
    flat = [number for seen in axes for number in (len(seen), *seen)]
    return _jax.ffi.ffi_lowering("tenferro_matrix_function")(
        ctx, *operands, name=name, axes=_np.array(flat, dtype=_np.int64))


def _is_there(tangent):
    return type(tangent) is not _ad.Zero


def _tangents(primals, tangents, name, axes):
    """What the derivatives of a function need of a factorisation is computed with its results."""
    factored = _functions.with_factors(name)
    made = _bind(factored, primals, axes)
    kept = made if _functions.keeps_results(name) else []
    moved = [(tangent, seen) for tangent, seen in zip(tangents, axes) if _is_there(tangent)]
    pushed = _bind(_functions.pushed(factored, map(_is_there, tangents)),
                   [*primals, *kept, *(tangent for tangent, _ in moved)],
                   [*axes, *(range(one.ndim) for one in kept), *(seen for _, seen in moved)])
    if name == "lu":
        pushed[0] = _ad.Zero(made[0].aval.to_tangent_aval())
    if name != factored:
        made = made[:len(pushed)]
    return made, pushed + [_ad.Zero(one.aval.to_tangent_aval()) for one in made[len(pushed):]]


def _unseen(array, aval, seen):
    """The cotangent of an operand that is seen with these axes."""
    array = array.sum([at for at, axis in enumerate(seen) if axis < 0]) if -1 in seen else array
    own = [axis for axis in seen if axis >= 0]
    return array if own == sorted(own) else _jnp.transpose(array, _np.argsort(own))


def _conj(array):
    """Cotangents of JAX are conjugates of ours."""
    return array.conj() if _jnp.iscomplexobj(array) else array


def _transposed(cotangents, *operands, name, axes):
    """Of a derivative, in the directions that it is linear in: the last operands."""
    derivative, _, inner = name.partition(" ")
    mode, *bits = derivative.split(":")
    count = bits[0].count("1")
    given, given_axes = operands[:-count], axes[:-count]
    asked = iter([_ad.is_undefined_primal(operand) for operand in operands[-count:]])
    wanted = [bit == "1" and next(asked) for bit in bits[0]]
    directions = [_conj(ct) for ct in cotangents if _is_there(ct)]
    present = iter([_is_there(ct) for ct in cotangents])
    if not directions:
        made = iter(())
    elif mode == "jvp":
        pulled = _functions.pulled(inner, present, wanted)
        made = iter(_bind(pulled, [*given, *directions], [*given_axes, *(range(d.ndim) for d in directions)]))
    else:
        tangent = _functions.pushed(inner, [bit == "1" and next(present) for bit in bits[1]])
        results = _bind(tangent, [*given, *directions], [*given_axes, *(range(d.ndim) for d in directions)])
        made = (result for result, want in zip(results, wanted) if want)
    answers = [None] * len(given)
    for operand, seen in zip(operands[-count:], axes[-count:]):
        if not _ad.is_undefined_primal(operand):
            answers.append(None)
        elif not directions:
            answers.append(_ad.Zero(operand.aval))
        else:
            answers.append(_unseen(_conj(next(made)), operand.aval, seen))
    return answers


def _batched(operands, batches, name, axes):
    """One more axis in front of those of the batch, wherever it is in the array."""
    moved = [(-1, *seen) if batch is None else
             (batch, *(axis + 1 if axis >= batch else axis for axis in seen))
             for seen, batch in zip(axes, batches)]
    made = _bind(name, operands, moved)
    return made, [0] * len(made)


_linalg_p.def_impl(_partial(_jax.jit, static_argnames=("name", "axes"))(
    lambda *operands, name, axes: _bind(name, operands, axes)))
_linalg_p.def_abstract_eval(_results)
_mlir.register_lowering(_linalg_p, _lowered, platform="cpu")
_ad.primitive_jvps[_linalg_p] = _tangents
_ad.primitive_transposes[_linalg_p] = _transposed
_batching.primitive_batchers[_linalg_p] = _batched


def _apply(name, function, operand):
    """The results of `function`, which the user calls `name`."""
    operand = _as_array(name, 0, operand, _DTYPES)
    _functions.check(function, name, [operand.shape])
    return _call(function, operand)


def svd(a, full_matrices=True):
    """(U, S, Vh) with a = U diag(S) Vh for matrices in the last two axes; S does not grow.
    As jnp.linalg.svd."""
    return tuple(_apply("svd", "svd_full" if full_matrices else "svd", a))


def svdvals(a):
    """The singular values (..., min(M, N)) of matrices (..., M, N), which do not grow."""
    return _apply("svdvals", "svd", a)[1]


def qr(a, mode="reduced"):
    """(Q, R) with a = Q R, Q with min(M, N) columns ('reduced') or M ('complete')."""
    return tuple(_apply("qr", _functions.qr_function(mode), a))


def eigh(a, UPLO="L"):
    """(values, vectors) of Hermitian matrices, of which one triangle is read; values ascend. Derivatives take
    a for Hermitian."""
    return tuple(_apply("eigh", _functions.eigh_function("eigh", UPLO), a))


def eigvalsh(a, UPLO="L"):
    """The eigenvalues (..., N) of Hermitian matrices (..., N, N), ascending."""
    return _apply("eigvalsh", _functions.eigh_function("eigvalsh", UPLO), a)[0]


def eig(a):
    """Eigenvalues (..., N) and vectors (..., N, N) of matrices (..., N, N), complex."""
    return tuple(_apply("eig", "eig", a))


def eigvals(a):
    """The eigenvalues (..., N) of matrices (..., N, N), complex."""
    return _apply("eigvals", "eig", a)[0]


def cholesky(a, upper=False):
    """L with a = L Lᴴ, of which the lower triangle is read, or with `upper` Lᴴ, of which the upper one is."""
    if upper:
        return _jnp.conj(cholesky(_jnp.conj(_jnp.asarray(a).mT))).mT
    return _apply("cholesky", "cholesky", a)[0]


def lu(a):
    """(P, L, U) with a = P L U, as jax.scipy.linalg.lu."""
    p, lower, upper = _apply("lu", "lu", a)
    return p.mT, lower, upper


def inv(a):
    """The inverse (..., N, N) of matrices (..., N, N)."""
    return _apply("inv", "inv", a)[0]


def pinv(a):
    """The pseudoinverse (..., N, M) of matrices (..., M, N); singular values up to max(M, N) times the
    precision of the largest count as 0."""
    return _apply("pinv", "pinv", a)[0]


def det(a):
    """The determinant (...) of matrices (..., N, N)."""
    return _apply("det", "det", a)[0]


def slogdet(a):
    """(sign, logabsdet), of shape (...), with det a = sign exp(logabsdet)."""
    return tuple(_apply("slogdet", "slogdet", a))


def expm(a):
    """The exponential (..., N, N) of matrices (..., N, N)."""
    return _apply("expm", "matrix_exp", a)[0]


def _solved(name, a, b):
    a, b = (_as_array(name, at, operand, _DTYPES) for at, operand in enumerate((a, b)))
    dtype = _jnp.result_type(a, b)
    a, b = a.astype(dtype), b.astype(dtype)
    is_vector = b.ndim == 1
    b = b[:, None] if is_vector else b
    _functions.check(name, name, [a.shape, b.shape])
    batch = _functions.common_batch(name, a.shape, b.shape)
    x = _call(name, *(_jnp.broadcast_to(one, (*batch, *one.shape[-2:])) for one in (a, b)))[0]
    return x[..., 0] if is_vector else x


def solve(a, b):
    """x with a x = b, a vector where b has one axis, else matrices. Batches broadcast."""
    return _solved("solve", a, b)


def lstsq(a, b):
    """The x of least norm that makes |a x - b| least."""
    return _solved("lstsq", a, b)
