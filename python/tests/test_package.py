"""The package: its errors, its files, its command."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tenferro as tf


def test_error_classes():
    kinds = {name: kind for name, kind in vars(tf.errors).items() if isinstance(kind, type)}
    assert len(kinds) >= 27
    for name, kind in kinds.items():
        assert issubclass(kind, tf.errors.Error) and kind.__module__ == "tenferro.errors"
        if name != "Error":
            assert len(kind.__bases__) == 2 and issubclass(kind.__bases__[1], Exception)
    assert issubclass(tf.errors.AxisOutOfBounds, IndexError)
    assert issubclass(tf.errors.OutOfMemory, MemoryError)


def test_a_huge_allocation():
    a = np.broadcast_to(np.float64(1), (1 << 22, 1))
    with pytest.raises(MemoryError):
        tf.einsum("ij,kj->ik", a, a)


def test_no_imports_of_others():
    code = "import sys, tenferro; print(sorted({'numpy', 'torch', 'jax', 'opt_einsum'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_files_of_the_wheel():
    run = lambda *arguments: subprocess.check_output([sys.executable, "-m", "tenferro", *arguments], text=True)
    assert os.path.exists(os.path.join(run("--cmake-dir").strip(), "tenferroConfig.cmake"))
    assert os.path.exists(os.path.join(run("--include-dir").strip(), "tenferro.h"))
    assert tf.__version__ in run("--version")
