"""Tensor contractions, an operation graph and its derivatives, on the arrays that you have.

Functions take a Tensor, arrays of NumPy, PyTorch or JAX, or anything with ``__dlpack__``, without copying
them, and return arrays of the library that they were given.
"""

from ._core import (
    DType,
    Plan,
    Tensor,
    __version__,
    asarray,
    bool,
    complex64,
    complex128,
    dtype,
    einsum,
    errors,
    float32,
    float64,
    from_dlpack,
    int32,
    int64,
    num_threads,
    plan,
    set_num_threads,
)

__array_api_version__ = "2024.12"
