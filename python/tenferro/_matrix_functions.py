"""What tenferro.torch and tenferro.jax share: the functions of linear algebra that the engine has as programs
with names (python/src/matrix_programs.hpp), the shapes and dtypes of their results, and the names of
derivatives. Shapes have the batch first; one batch is common to all operands."""

from . import errors

_SQUARE = {"eigh", "eigh_upper", "eig", "cholesky", "inv", "det", "slogdet", "matrix_exp", "solve"}
_FACTORED = {"solve_lu": 1, "det_lu": 1, "slogdet_lu": 2}  # results before the packed factors


_QR_MODES = {"reduced": "qr", "complete": "qr_full"}
_EIGH_TRIANGLES = {"L": "eigh", "U": "eigh_upper"}


def _chosen(name, option, value, functions):
    if value not in functions:
        raise errors.InvalidArgument(f"{name}: {option} is {value!r} "
                                     f"but must be {' or '.join(map(repr, functions))}")
    return functions[value]


def qr_function(mode):
    """The function that gives as many columns as `mode` says."""
    return _chosen("qr", "mode", mode, _QR_MODES)


def eigh_function(name, uplo):
    """The function that reads the triangle `uplo`, for the one that the user calls `name`."""
    return _chosen(name, "UPLO", uplo, _EIGH_TRIANGLES)


def check(function, name, shapes):
    """Raises for operands that `function`, known to the user as `name`, does not take."""
    for at, shape in enumerate(shapes):
        if len(shape) < 2:
            raise errors.RankMismatch(f"{name}: operand {at} has {len(shape)} axes but must have at least 2")
    *_, rows, columns = shapes[0]
    if function.removesuffix("_lu") in _SQUARE and rows != columns:
        raise errors.ShapeMismatch(f"{name}: operand 0 has matrices {rows} by {columns}, "
                                   "which are not square")
    if len(shapes) == 2 and shapes[1][-2] != rows:
        raise errors.ShapeMismatch(f"{name}: operand 1 has {shapes[1][-2]} rows but operand 0 has {rows}")


def check_operand(name, at, dtype, allowed):
    """Raises for a dtype that is none of `allowed`."""
    if dtype not in allowed:
        raise errors.DTypeMismatch(
            f"{name}: operand {at} has dtype {dtype} but must be one of {', '.join(map(str, allowed))}")


def common_batch(name, *shapes):
    """The shape to which the batches of operands broadcast."""
    batch = ()
    for at, shape in enumerate(shapes):
        own, rank = tuple(shape[:-2]), max(len(batch), len(shape) - 2)
        padded = (1,) * (rank - len(own)) + own
        before = (1,) * (rank - len(batch)) + batch
        for axis, (a, b) in enumerate(zip(before, padded)):
            if a != b and 1 not in (a, b):
                raise errors.ShapeMismatch(
                    f"{name}: operand {at} has extent {b} along axis {axis} "
                    f"of the batch but there is {a} before it")
        batch = tuple(b if a == 1 else a for a, b in zip(before, padded))
    return batch


def _function_results(name, shapes):
    """(the function's own shape, dtype) of each result; the dtype is 'same', 'real', 'complex' or 'index'."""
    *batch, m, n = shapes[0]
    if name in _FACTORED:
        count, made = _function_results(name.removesuffix("_lu"), shapes)
        factors = [((m, n), "same"), ((m,), "index"), ((), "index")]
        return count, [*made, *(((*batch, *shape), kind) for shape, kind in factors)]
    k = m if m < n else n
    right = shapes[-1][-1]
    own = {"svd": [((m, k), "same"), ((k,), "real"), ((k, n), "same")],
           "svd_full": [((m, m), "same"), ((k,), "real"), ((n, n), "same")],
           "qr": [((m, k), "same"), ((k, n), "same")],
           "qr_full": [((m, m), "same"), ((m, n), "same")],
           "eigh": [((n,), "real"), ((n, n), "same")],
           "eigh_upper": [((n,), "real"), ((n, n), "same")],
           "eig": [((n,), "complex"), ((n, n), "complex")],
           "lu": [((m, m), "same"), ((m, k), "same"), ((k, n), "same")],
           "slogdet": [((), "same"), ((), "real")],
           "det": [((), "same")],
           "pinv": [((n, m), "same")],
           "solve": [((n, right), "same")],
           "lstsq": [((n, right), "same")]}.get(name, [((m, n), "same")])
    return len(batch), [((*batch, *shape), kind) for shape, kind in own]


def with_factors(name):
    """The function that gives the packed LU factors too, where `name` is one that computes them."""
    return f"{name}_lu" if f"{name}_lu" in _FACTORED else name


def derived(name):
    """How many of the results of `name` have derivatives where factors, which have none, follow;
    else None."""
    return _FACTORED.get(name)


def results(name, shapes, dtypes, real, as_complex, index=None):
    """(shape, dtype) of each result; real(dtype) and as_complex(dtype) give the dtypes of parts and pairs,
    `index` is that of the rows of factors."""
    derivative, _, inner = name.partition(" ")
    if not inner:
        given = {"same": dtypes[0], "real": real(dtypes[0]), "complex": as_complex(dtypes[0]), "index": index}
        return [(shape, given[kind]) for shape, kind in _function_results(name, shapes)[1]]
    mode, *bits = derivative.split(":")
    if mode == "vjp":
        return [(shapes[at], dtypes[at]) for at, bit in enumerate(bits[1]) if bit == "1"]
    count = len(bits[0])
    return results(inner, shapes[:count], dtypes[:count], real, as_complex, index)[:derived(inner)]


def keeps_results(name):
    """Whether the derivatives of `name` take its results as operands too: those of functions do."""
    return " " not in name


def bits(present):
    return "".join("1" if one else "0" for one in present)


def pushed(name, tangents):
    """The program of tangents of all results; `tangents` says which operands have one."""
    return f"jvp:{bits(tangents)} {name}"


def pulled(name, cotangents, wanted):
    """The program of the cotangents of the operands that are wanted."""
    return f"vjp:{bits(cotangents)}:{bits(wanted)} {name}"
