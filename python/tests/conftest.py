"""What the tests share: seeds that are printed, drawn arrays, tolerances from the number of operations."""

import os

import numpy as np
import pytest

SEED = int(os.environ.get("TENFERRO_SEED", np.random.SeedSequence().entropy % 2**32))
DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
ALL_DTYPES = [*DTYPES, np.int32, np.int64, np.bool_]


def pytest_report_header(config):
    return f"TENFERRO_SEED={SEED}"


@pytest.fixture
def rng(request):
    return np.random.default_rng([SEED, *request.node.nodeid.encode()])


def is_sanitized():
    """Whether the library has sanitizers, and takes many times as long."""
    return "libasan" in os.environ.get("LD_PRELOAD", "")


def unsanitized():
    """The environment for compilers and other programs, into which no runtime of a sanitizer is loaded."""
    return {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "PYTHONMALLOC")}


def drawn(rng, shape, dtype=np.float64):
    """An array of these extents, of any strides: permuted, reversed, every second element,
    in either order."""
    steps = [int(rng.integers(1, 3)) for _ in shape]
    order = rng.permutation(len(shape))
    base_shape = [shape[axis] * steps[axis] for axis in order]
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        base = rng.integers(0, 2, base_shape).astype(bool)
    elif dtype.kind == "i":
        base = rng.integers(-9, 10, base_shape).astype(dtype)
    else:
        base = rng.standard_normal(base_shape)
        if dtype.kind == "c":
            base = base + 1j * rng.standard_normal(base_shape)
        base = base.astype(dtype)
    view = base.transpose(np.argsort(order)) if shape else base
    view = view[tuple(slice(None, None, step * int(rng.choice([-1, 1]))) for step in steps)]
    assert view.shape == tuple(shape)
    return view


def close(actual, expected, count=1, scale=None):
    """Whether two arrays agree to a few roundings for each of `count` operations."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, (actual.shape, expected.shape)
    assert actual.dtype == expected.dtype, (actual.dtype, expected.dtype)
    if actual.dtype.kind in "ib":
        np.testing.assert_array_equal(actual, expected)
        return
    if scale is None:
        scale = max(1.0, np.abs(expected[np.isfinite(expected)]).max(initial=0.0))
    bound = 8 * np.finfo(actual.dtype).eps * max(count, 1) * scale
    np.testing.assert_allclose(actual, expected, rtol=0, atol=bound)
