"""The page of names: the two sides of every row agree, for the libraries that are there."""

import importlib.util
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import tenferro as tf

PAGE = Path(__file__).resolve().parent.parent.parent.parent / "docs" / "coming-from.md"


def rows():
    for section in PAGE.read_text().split("\n## ")[1:]:
        name = section.split("\n")[0]
        for line in section.split("\n"):
            cells = [re.match(r"`([^`]*)`", cell.strip()) for cell in line.strip("|").split(" | ")]
            if line.startswith("| `") and all(cells):
                yield name, [cell[1] for cell in cells]


ROWS = list(rows())


def in_numpy():
    rng = np.random.default_rng(5)
    a, b, c = rng.standard_normal((3, 3)), rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    return {
        "a": a,
        "b": b,
        "s": a @ a.T + np.eye(3),
        "c": b + 1j * c,
        "v": rng.standard_normal(3),
        "t": rng.standard_normal((2, 3, 4)),
        "np": np,
        "tf": tf,
    }


def in_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    names = in_numpy()
    import tenferro.torch as tft

    return {
        **{k: torch.from_numpy(v) if isinstance(v, np.ndarray) else v for k, v in names.items()},
        "torch": torch,
        "tft": tft,
    }


def in_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import jax.scipy

    import tenferro.jax as tfj

    return {
        **{k: jnp.asarray(v) if isinstance(v, np.ndarray) else v for k, v in in_numpy().items()},
        "jax": jax,
        "jnp": jnp,
        "tfj": tfj,
    }


def in_quimb():
    if importlib.util.find_spec("quimb") is None:
        pytest.skip("quimb is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import quimb.tensor as qtn
    names = in_numpy()

    def on_tensors(network):
        network = network.copy()
        network.apply_to_arrays(tf.asarray)
        return network

    network = qtn.TensorNetwork([qtn.Tensor(names[x], inds) for x, inds in zip("abs", ["ij", "jk", "kl"])])
    return {
        **names,
        "qtn": qtn,
        "tn": network,
        "mps": qtn.MPS_rand_state(6, 4, seed=1),
        "on_tensors": on_tensors,
    }


NAMES = {"NumPy": in_numpy, "PyTorch": in_torch, "JAX": in_jax, "quimb": in_quimb}


@pytest.mark.parametrize(
    "section, cells", ROWS, ids=[f"{section}-{cells[0][:40]}" for section, cells in ROWS]
)
def test_row(section, cells):
    names = NAMES.get(section, in_numpy)()
    theirs, ours = (cells[2], cells[1]) if section == "ITensor" else cells
    expected, result = (np.asarray(eval(code, dict(names))) for code in (theirs, ours))
    assert expected.shape == result.shape
    tolerance = 1e-5 if expected.dtype == np.float32 else 1e-10
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


def test_all_rows_are_run():
    """Every row of a table begins with code, and each section has some."""
    lines = [
        line for line in PAGE.read_text().split("\n") if line.startswith("| `") and " | here" not in line
    ]
    assert len(ROWS) == len(lines) > 60
    assert {section for section, _ in ROWS} == {"NumPy", "PyTorch", "JAX", "ITensor", "quimb"}
