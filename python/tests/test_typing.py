"""The types: the package passes mypy, a program that uses it does too,
and the stub is what the module says."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import tenferro

HERE = Path(__file__).parent
PROGRAM = """
import tenferro as tf

t: tf.Tensor = tf.zeros((2, 3), dtype=tf.float32)
shape: tuple = t.shape
plan: tf.Plan = tf.plan("ij,jk->ik", (2, 3), (3, 4), memory_limit=None)
path, info = tf.contract_path("ij,jk->ik", (2, 3), (3, 4))
number: float = plan.cost["flops"]
u, s, vh = tf.linalg.svd(t)
value = tf.einsum("ij->", t) + 1
longest = tf.tropical.matmul(t, tf.ones((3, 2)), algebra="maxplus")
gradients: list = tf.tropical.vjp("ij->", [t], 1.0)
try:
    pass
except tf.errors.ShapeMismatch:
    pass
"""


def test_mypy(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    ran = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir",
                          tmp_path / "cache", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    program.write_text(PROGRAM + "t.no_such_thing\ntf.tropical.einsum(2)\n")
    ran = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir",
                          tmp_path / "cache", program], capture_output=True, text=True)
    assert "no_such_thing" in ran.stdout and 'to "einsum" has incompatible type "int"' in ran.stdout


STRICT = """
from typing import Any

import tenferro as tf


def loss(x: tf.Tensor) -> Any:
    return tf.sum(x, keepdims=True)


traced: bool = tf.zeros(2).is_traced
version: str = tf.__version__
tf.grad(loss)(tf.zeros(2))
"""


def test_strict(tmp_path):
    """Every name is exported, and bool means Python's. Functions written in Python have no types."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    names = {name for name in dir(tenferro) if not name.startswith("_")} - {"torch", "jax", "autoray"}
    names |= {"__version__", "__array_namespace_info__"}
    program = tmp_path / "strict.py"
    program.write_text(STRICT + "".join(f"tf.{name}\n" for name in sorted(names)))
    ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--allow-untyped-calls", "--cache-dir",
                          tmp_path / "cache", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_stub():
    if importlib.util.find_spec("nanobind") is None:
        pytest.skip("nanobind is not installed")
    subprocess.run([sys.executable, HERE.parent / "stubs.py", "--check"], check=True)


def test_marker():
    assert (Path(tenferro.__file__).parent / "py.typed").exists()
