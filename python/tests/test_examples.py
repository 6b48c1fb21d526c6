"""The gallery: every example runs at its small sizes, compares with an exact value, and plots where
matplotlib is."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent.parent / "examples" / "python"
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "chart")


def run(*arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, tmp_path):
    if "jax" in name:
        pytest.importorskip("jax", reason="JAX is not installed")
    plot = tmp_path / "plot.svg"
    ran = run(FOLDER / f"{name}.py", "--quick", "--plot", plot)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ", exact " in ran.stdout
    if importlib.util.find_spec("matplotlib"):
        assert "<svg" in plot.read_text()
    else:
        assert "no plot: matplotlib is not installed" in ran.stdout


def test_a_wrong_value_fails(tmp_path):
    program = (
        f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import chart; chart.agree('x', 1.0, 1.1, 0.01)"
    )
    ran = run("-c", program)
    assert ran.returncode == 1 and "x differs by more than 0.01" in ran.stderr
    assert run("-c", program.replace("1.1", "1.0")).returncode == 0
    assert run("-c", program.replace("1.1", "float('nan')")).returncode == 1
