"""Linear algebra on matrices that are hard, against values of 25 to 35 digits, where the shared data is
beside the project: singular values and eigenvalues within LAPACK's testing thresholds, factors by their
residuals."""

import json
from pathlib import Path

import numpy as np
import pytest

import tenferro as tf

DATA = Path(__file__).resolve().parents[2].parent / "shared/data/linalg"
EPS = np.finfo(np.float64).eps
# LAPACK's thresholds of ratios, in n ulp of the norm: singular values, symmetric, not symmetric, solving.
SVD, EIGH, EIG, SOLVE = 50, 60, 20, 30

linalg = tf.linalg
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not beside the project")


def hard():
    if not DATA.is_dir():
        return []
    arrays = np.load(DATA / "linalg_hard_dev.npz")
    cases = json.loads((DATA / "linalg_hard_dev.json").read_text())
    return [pytest.param(case, arrays[case["name"]], id=case["name"]) for case in cases]


def lapack():
    cases = json.loads((DATA / "lapack_eig_reference_dev.json").read_text()) if DATA.is_dir() else []
    return [pytest.param(case, id=case["name"]) for case in cases]


def numbers(values):
    return np.array([complex(*map(float, v)) if isinstance(v, list) else float(v) for v in values])


def within(error, a, threshold, norm=None):
    norm = np.linalg.norm(a, 2) if norm is None else norm
    bound = threshold * max(a.shape) * EPS * norm
    assert np.max(error, initial=0) <= bound, f"{np.max(error)} above {bound}"


def check_eigenvalues(a, values):
    """Each is one of a matrix within rounding of `a`: a - value has a singular value of that size."""
    scale = np.max(np.abs(a), initial=0) or 1.0
    for value in values / scale:
        least = np.linalg.svd(a / scale - value * np.eye(len(a)), compute_uv=False)[-1]
        within(least, a, EIG, np.linalg.norm(a / scale, 2))


@pytest.mark.parametrize("case, a", hard())
def test_hard_matrices(case, a):
    checked = 0
    identity = np.eye(len(a))
    if "svd" in case["ops"]:
        u, s, vh = linalg.svd(a, full_matrices=False)
        within(np.abs(s - numbers(case["singular_values"])), a, SVD)
        within(np.linalg.norm((u * s) @ vh - a, 2), a, SVD)
        within(np.linalg.norm(u.conj().T @ u - np.eye(len(s)), 2), a, SVD, 1)
        within(np.linalg.norm(vh @ vh.conj().T - np.eye(len(s)), 2), a, SVD, 1)
        checked += 1
    if "qr" in case["ops"]:
        q, r = linalg.qr(a)
        within(np.linalg.norm(q @ r - a, 2), a, SOLVE)
        within(np.linalg.norm(q.conj().T @ q - np.eye(q.shape[1]), 2), a, SOLVE, 1)
        checked += 1
    if "lu" in case["ops"]:
        p, l, u = linalg.lu(a)
        within(np.linalg.norm(p @ a - l @ u, 2), a, SOLVE)
        checked += 1
    if "cholesky" in case["ops"]:
        c = linalg.cholesky(a)
        within(np.linalg.norm(c @ c.conj().T - a, 2), a, SOLVE)
        checked += 1
    if "eigh" in case["ops"]:
        w, v = linalg.eigh(a)
        within(np.abs(w - np.sort(numbers(case["eigenvalues"]))), a, EIGH)
        within(np.linalg.norm(a @ v - v * w, 2), a, EIGH)
        within(np.linalg.norm(v.conj().T @ v - identity, 2), a, EIGH, 1)
        checked += 1
    if "eig" in case["ops"]:
        w, v = linalg.eig(a)
        check_eigenvalues(a, w)
        within(np.linalg.norm(a @ v - v * w, 2), a, EIG)
        within(np.abs(np.linalg.norm(v, axis=0) - 1), a, EIG, 1)
        checked += 1
    if "solve" in case["ops"]:
        x = linalg.solve(a, identity)
        within(np.linalg.norm(a @ x - identity, 2), a, SOLVE, np.linalg.norm(a, 2) * np.linalg.norm(x, 2))
        checked += 1
    if "solve_triangular" in case["ops"]:
        x = linalg.solve(a, identity)
        within(np.linalg.norm(a @ x - identity, 2), a, SOLVE, np.linalg.norm(a, 2) * np.linalg.norm(x, 2))
        checked += 1
    assert checked == len(case["ops"])


@pytest.mark.parametrize("case", lapack())
def test_eigenvalues_of_lapack_s_tests(case):
    a = np.array([[complex(*x) if isinstance(x, list) else x for x in row] for row in case["A"]])
    w = linalg.eigvals(a)
    check_eigenvalues(a, w)
    # An eigenvalue of condition 1 / rconde moves by that times the rounding. Conditions of defective ones
    # were published as rounding left them, so those are checked above alone.
    exact = numbers(case["eigenvalues_hp"])
    for re, im, rconde, _ in case["published"]["rows"]:
        if rconde > 1e-3:
            value = exact[np.argmin(np.abs(exact - complex(re, im)))]
            within(np.min(np.abs(w - value)), a, EIG / rconde)
