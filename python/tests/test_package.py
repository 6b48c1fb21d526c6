"""The package: its errors, its files, its command, interrupts."""

import os
import signal
import subprocess
import sys
import threading
import time

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


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals need the main thread")
def test_interrupt():
    """Ctrl-C ends a contraction of many steps, which would take minutes, between two of them."""
    n, dimension = 10, 8
    letters = [chr(0x4E00 + i) for i in range(2000)]
    text, shapes, label = [], [], 0
    grid = {}
    for i in range(n):
        for j in range(n):
            for other in ((i + 1, j), (i, j + 1)):
                grid[(i, j), other] = letters[label] if other[0] < n and other[1] < n else None
                label += 1
    for i in range(n):
        for j in range(n):
            labels = [grid.get(key) for key in [((i, j), (i + 1, j)), ((i, j), (i, j + 1)), ((i - 1, j), (i, j)),
                                                ((i, j - 1), (i, j))]]
            labels = [x for x in labels if x]
            text.append("".join(labels))
            shapes.append((dimension,) * len(labels))
    operands = [np.ones(shape) for shape in shapes]
    plan = tf.plan(",".join(text) + "->", *shapes, memory_limit=1 << 26, seconds=0.5)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        plan(*operands)
    assert time.monotonic() - begin < 10  # a loaded machine; it is asked every 50 ms


def test_interrupted_search():
    shapes = [(2, 2)] * 400
    text = ",".join(chr(0x4E00 + i) + chr(0x4E00 + (i * 7 + 3) % 400) for i in range(400)) + "->"
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tf.plan(text, *shapes, seconds=60.0)
    assert time.monotonic() - begin < 30
