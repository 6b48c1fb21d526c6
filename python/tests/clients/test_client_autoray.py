"""autoray.do on our tensors: every name that quimb and cotengra ask for, and NumPy's result."""

import subprocess
import sys

import numpy as np
import pytest

import tenferro as tf
from conftest import close

autoray = pytest.importorskip("autoray", reason="autoray is not installed")

MATRIX = np.random.default_rng(7).standard_normal((4, 4))
CUBE = np.random.default_rng(8).standard_normal((2, 3, 4))
SYMMETRIC, POSITIVE = MATRIX + MATRIX.T, MATRIX @ MATRIX.T + np.eye(4)
TALL, VECTOR, FLAGS = MATRIX[:, :2].copy(), MATRIX[0].copy(), MATRIX > 0
CALLS = [
    *(
        (name, (MATRIX,), {})
        for name in (
            "abs",
            "all",
            "any",
            "argmax",
            "argmin",
            "conj",
            "copy",
            "cos",
            "cosh",
            "cumsum",
            "diag",
            "exp",
            "flip",
            "imag",
            "isfinite",
            "max",
            "mean",
            "min",
            "ndim",
            "ones_like",
            "prod",
            "ravel",
            "real",
            "sign",
            "sin",
            "sinh",
            "size",
            "sort",
            "square",
            "std",
            "sum",
            "tan",
            "tanh",
            "trace",
            "transpose",
            "tril",
            "triu",
            "zeros_like",
            "linalg.norm",
            "linalg.det",
            "linalg.inv",
            "linalg.pinv",
            "linalg.expm",
            "scipy.linalg.expm",
            "argsort",
            "count_nonzero",
            "negative",
            "floor",
            "var",
            "shape",
            "round",
        )
    ),
    *((name, (np.abs(POSITIVE),), {}) for name in ("sqrt", "log", "log2", "log10")),
    *((name, (POSITIVE,), {}) for name in ("linalg.cholesky", "linalg.eigvalsh")),
    *(
        (name, (MATRIX, 1), {})
        for name in (
            "sum",
            "max",
            "mean",
            "expand_dims",
            "flip",
            "cumsum",
            "std",
            "argmax",
            "argsort",
            "sort",
            "diag",
            "tril",
            "trace",
            "roll",
        )
    ),
    *(
        (name, (MATRIX, POSITIVE), {})
        for name in (
            "add",
            "subtract",
            "multiply",
            "divide",
            "true_divide",
            "matmul",
            "dot",
            "kron",
            "vdot",
            "outer",
            "maximum",
            "minimum",
            "linalg.solve",
            "arctan2",
            "tensordot",
            "hypot",
        )
    ),
    ("allclose", (MATRIX, MATRIX + 1e-12), {}),
    ("power", (MATRIX, 3), {}),
    ("linalg.norm", (MATRIX, "nuc"), {}),
    ("linalg.norm", (VECTOR, 1), {}),
    *(
        ("linalg.norm", (MATRIX, ord), {"axis": axis, "keepdims": keepdims})
        for ord in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)
        for axis in (None, (0, 1), (1, 0), (-1, 0))
        for keepdims in (False, True)
    ),
    *(
        ("linalg.norm", (CUBE, ord, axis, True), {})
        for ord in (1, 2, "f")
        for axis in ((0, 2), (2, 0), (1, 2))
    ),
    *(
        ("linalg.norm", (CUBE, ord), {"axis": axis})
        for ord in (None, 0, 1, np.inf)
        for axis in (1, -1, (2,))
    ),
    ("linalg.norm", (CUBE,), {"keepdims": True}),
    ("dot", (VECTOR, VECTOR), {}),
    ("diag", (VECTOR,), {}),
    ("diag", (VECTOR, 2), {}),
    ("diag", (VECTOR, -1), {}),
    ("kron", (VECTOR, MATRIX), {}),
    ("reshape", (MATRIX, (2, 8)), {}),
    ("take", (MATRIX, [2, 0], 1), {}),
    ("transpose", (MATRIX, (1, 0)), {}),
    ("swapaxes", (MATRIX, 0, 1), {}),
    ("moveaxis", (MATRIX, 0, 1), {}),
    ("broadcast_to", (VECTOR, (2, 4)), {}),
    ("pad", (MATRIX, ((1, 0), (0, 2))), {}),
    ("pad", (MATRIX, 1), {}),
    ("where", (FLAGS, MATRIX, POSITIVE), {}),
    ("clip", (MATRIX, -1, 1), {}),
    ("einsum", ("ij,jk->ki", MATRIX, MATRIX), {}),
    ("tensordot", (MATRIX, MATRIX, ((0,), (1,))), {}),
    ("squeeze", (MATRIX[None],), {}),
    ("complex", (MATRIX, MATRIX), {}),
    ("linalg.solve", (POSITIVE, VECTOR), {}),
    ("tile", (VECTOR, 2), {}),
]


def as_ours(value):
    return tf.asarray(value) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize(
    "name, arguments, options", CALLS, ids=[f"{name}-{k}" for k, (name, _, _) in enumerate(CALLS)]
)
def test_call(name, arguments, options):
    if "expm" in name:
        pytest.importorskip(
            "scipy", reason="NumPy has no exponential of matrices, and SciPy is not installed"
        )
    expected = autoray.do(name, *arguments, like="numpy", **options)
    result = autoray.do(name, *map(as_ours, arguments), like="tenferro", **options)
    np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-10, atol=1e-12)
    assert np.shape(result) == np.shape(expected)
    if isinstance(expected, np.ndarray):
        assert isinstance(result, tf.Tensor)


def test_factors():
    for name, matrix in [
        ("linalg.svd", TALL),
        ("linalg.svd", TALL.T.copy()),
        ("linalg.qr", TALL),
        ("linalg.eigh", SYMMETRIC),
    ]:
        ours = autoray.do(name, tf.asarray(matrix))
        for factor, theirs in zip(ours, autoray.do(name, matrix)):
            assert tuple(factor.shape) == theirs.shape
        first, *rest = map(np.asarray, ours)
        whole = {
            "linalg.svd": lambda: first * rest[0] @ rest[1],
            "linalg.qr": lambda: first @ rest[0],
            "linalg.eigh": lambda: rest[0] * first @ rest[0].T,
        }[name]()
        close(whole, matrix, 100)


def test_made_arrays():
    like = tf.asarray(MATRIX)
    for name, arguments in [
        ("zeros", ((2, 3),)),
        ("ones", ((2, 3),)),
        ("eye", (3,)),
        ("array", ([1.0, 2.0],)),
        ("arange", (4,)),
        ("random.normal", (0.0, 1.0, (2, 3))),
        ("random.uniform", (0.0, 1.0, (2, 3))),
    ]:
        made = autoray.do(name, *arguments, like=like)
        assert isinstance(made, tf.Tensor), name
        if not name.startswith("random"):
            close(np.asarray(made, dtype=float), np.asarray(getattr(np, name)(*arguments), dtype=float))
    first, again = (autoray.do("random.default_rng", 3, like=like).normal(size=5) for _ in range(2))
    close(first, np.asarray(again))
    assert autoray.do("random.default_rng", 3, like=like).integers(1, 2).item() == 1


def test_lists_of_arrays():
    a, b = tf.asarray(MATRIX), tf.asarray(POSITIVE)
    for name in ("stack", "concatenate"):
        for axis in (0, 1):
            close(autoray.do(name, (a, b), axis), getattr(np, name)((MATRIX, POSITIVE), axis))
    for parts, axis in ((2, 0), ([1, 3], 1), ([2], -1)):
        ours, theirs = autoray.do("split", a, parts, axis), np.split(MATRIX, parts, axis)
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            close(one, other)
    with pytest.raises(ValueError, match="axis 0 of extent 4 does not divide into 3 parts"):
        autoray.do("split", a, 3)


def test_kinds():
    a = tf.asarray(MATRIX)
    assert autoray.infer_backend(a) == "tenferro" and autoray.get_dtype_name(a) == "float64"
    assert autoray.do("astype", a, "complex64", like="tenferro").dtype == tf.complex64
    assert autoray.do("finfo", a.dtype, like=a).eps == np.finfo(float).eps
    assert isinstance(autoray.do("to_numpy", a), np.ndarray)
    close(autoray.do("indices", (2, 3), like=a), np.indices((2, 3)))


def test_derivatives_pass_through():
    """What takes the place of NumPy's functions is made of ours, so it is differentiable."""

    def f(x):
        y = autoray.do("kron", autoray.do("diag", x), autoray.do("pad", x, ((1, 0),)))
        return autoray.do(
            "sum",
            autoray.do("split", autoray.do("dot", y, y[0]), 2)[1]
            * autoray.do("trace", autoray.do("diag", x)),
        )

    x, step = VECTOR, 1e-6
    slopes = [
        (float(f(tf.asarray(x + step * e))) - float(f(tf.asarray(x - step * e)))) / (2 * step)
        for e in np.eye(4)
    ]
    np.testing.assert_allclose(np.asarray(tf.grad(f)(x)), slopes, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    "before",
    [
        "import tenferro, autoray",
        "import autoray, tenferro",
        "import tenferro.linalg, autoray",
        "import tenferro, importlib.util; importlib.util.find_spec('autoray')",
        "import tenferro, sys; import autoray; assert not [f for f in sys.meta_path if 'tenferro' in str(f)]",
    ],
)
def test_order_of_imports(before):
    code = (
        f"{before}\nimport tenferro, autoray\nprint(autoray.do('linalg.svd', tenferro.ones((4, 2)))[0].shape)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "(4, 2)\n"
