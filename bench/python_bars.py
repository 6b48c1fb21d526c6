#!/usr/bin/env python3
"""What Python costs: every bar of the package, measured and with its verdict.

    python bench/python_bars.py --wheel tenferro-….whl --worker build/bench/bench/bench_worker [--full]

Run with the Python of an environment that has tenferro and NumPy, opt_einsum for the rows of einsums, PyTorch
and JAX for theirs; what is not there is left out. Small calls are timed in turns in this process, rows by the
harness of run.py. Of all times the least counts, since a busy machine only adds to it."""

import argparse
import importlib.util
import subprocess
import sys
import timeit
from pathlib import Path

import numpy as np

import tenferro as tf
from harness import contestants, measure, suites
from run import peer_path

ROUNDS, SECONDS = 300, 0.001  # samples shorter than the turns of a busy machine
ROOT = Path(__file__).resolve().parent.parent
missed = []


def say(text, bar=None, is_met=True):
    """Prints a figure, and where it has a bar whether that is met."""
    verdict = "" if bar is None else f"   bar {bar}: {'met' if is_met else 'MISSED'}"
    print(f"{text}{verdict}", flush=True)
    if not is_met:
        missed.append(text)


def has(module):
    return importlib.util.find_spec(module) is not None


def least(calls):
    """{name: the least microseconds per call}, in rounds that visit all in turn."""
    repeats = {name: max(1, int(SECONDS / min(timeit.repeat(call, number=10, repeat=3)) * 10))
               for name, call in calls.items()}
    times = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name].append(timeit.timeit(call, number=repeats[name]) / repeats[name] * 1e6)
    return {name: min(found) for name, found in times.items()}


def numpy_calls():
    a, b = np.random.rand(2, 2), np.random.rand(2, 2)
    plan = tf.plan("ij,jk->ik", a, b)
    assert np.allclose(tf.einsum("ij,jk->ik", a, b), a @ b) and np.allclose(plan(a, b), a @ b)
    us = least({"einsum": lambda: tf.einsum("ij,jk->ik", a, b), "plan": lambda: plan(a, b),
                "numpy": lambda: np.einsum("ij,jk->ik", a, b), "matmul": lambda: a @ b})
    say(f"einsum of 2x2 arrays: {us['einsum']:.2f} us, NumPy's {us['numpy']:.2f}, a @ b {us['matmul']:.2f}",
        "1.5 us and below NumPy's", us["einsum"] <= 1.5 and us["einsum"] < us["numpy"])
    say(f"a Plan of 2x2 arrays: {us['plan']:.2f} us", "1 us", us["plan"] <= 1)


def import_time():
    code = "import time; begin = time.perf_counter(); import tenferro; print(time.perf_counter() - begin)"
    spent = min(float(subprocess.check_output([sys.executable, "-c", code], text=True))
                for _ in range(9)) * 1e3
    say(f"import tenferro: {spent:.1f} ms", "60 ms", spent <= 60)


def torch_calls(compiled_us):
    import torch

    import tenferro.torch as tt

    torch.set_num_threads(1)
    for n in (2, 16, 64):
        a, b = torch.rand(n, n, dtype=torch.float64), torch.rand(n, n, dtype=torch.float64)
        x, y = a.clone().requires_grad_(), b.clone().requires_grad_()
        plan = tf.plan("ij,jk->ik", (n, n), (n, n))
        p, q = a.numpy(), b.numpy()
        us = least({"ours": lambda: tt.einsum("ij,jk->ik", a, b),
                    "torch": lambda: torch.einsum("ij,jk->ik", a, b),
                    "plan": lambda: plan(p, q),
                    "gradient": lambda: tt.einsum("ij,jk->ik", x, y).sum().backward(),
                    "theirs": lambda: torch.einsum("ij,jk->ik", x, y).sum().backward()})
        added = us["ours"] - (us["plan"] if compiled_us is None or n > 2 else compiled_us)
        say(f"tenferro.torch.einsum of {n}x{n}: {us['ours']:.2f} us, torch.einsum {us['torch']:.2f}; "
            f"over the call in {'C++' if compiled_us and n == 2 else 'a Plan'} {added:.2f} us", "8 us",
            added <= 8)
        say(f"  forward and backward: {us['gradient']:.2f} us, PyTorch {us['theirs']:.2f}",
            "PyTorch's", us["gradient"] <= us["theirs"])


def jax_calls():
    import jax
    import jax.numpy as jnp

    import tenferro.jax as tj

    jax.config.update("jax_enable_x64", True)
    for n in (2, 16, 64):
        a, b = jnp.asarray(np.random.rand(n, n)), jnp.asarray(np.random.rand(n, n))
        ours, theirs = (jax.jit(lambda a, b, m=m: m.einsum("ij,jk->ik", a, b)) for m in (tj, jnp))
        us = least({"ours": lambda: ours(a, b).block_until_ready(),
                    "jax": lambda: theirs(a, b).block_until_ready()})
        say(f"jitted tenferro.jax.einsum of {n}x{n}: {us['ours']:.2f} us, jnp.einsum {us['jax']:.2f}",
            "jnp.einsum's", us["ours"] <= 1.03 * us["jax"])  # the least ones are XLA's own


def compiled_call(worker):
    """Microseconds of the einsum of 2x2 tensors in C++."""
    field = measure.Field([contestants.Contestant("tenferro", (str(worker),), "ours")], 1,
                          measure.Limits(True))
    try:
        row = {"id": "", "op": "call", "function": "einsum 2x2", "dtype": "f64", "interface": "c++",
               "tolerance": 0}
        field.ask(field.contestants[0], do="prepare", row=row)
        return min(field.ask(field.contestants[0], do="run", samples=9, calls=20000)["seconds"]) * 1e6
    finally:
        field.close()


def einsum_rows(worker, data, is_full):
    """The suite from C++ and from Python, and under JAX's jit where we choose the path."""
    ours = (sys.executable, str(contestants.PEERS / "tenferro_worker.py"))
    peer = lambda name: (sys.executable, str(contestants.PEERS / f"{name}_worker.py"))
    one = contestants.Contestant
    everyone = [one("numpy", peer("numpy")), one("c++", (str(worker),), "ours"),
                one("python", (*ours, "numpy"), "ours")]
    with_jax = [one("ours in jax", (*ours, "jax"), "ours"), one("jax", peer("jax"))] if has("jax") else []
    for row in suites.SUITES["einsum"](data, not is_full):
        is_free = row["path"] is None or len(row["row_major"]["shapes"]) < 3
        field = measure.Field(everyone + with_jax * is_free, 1, measure.Limits(not is_full))
        try:
            if row["path"] is None:
                row = dict(row, peer_path=peer_path(row, field, everyone[0]))
            found = measure.measure(field, row, everyone[0])
        finally:
            field.close()
        seconds = {name: entry["min"] for name, entry in found.items() if "min" in entry}
        for name, entry in found.items():
            if "min" not in entry and name != "jax":
                say(f"{row['id']}: {name}: {entry}", "a result", False)
        if "c++" not in seconds:
            continue
        if "python" in seconds:
            slower = (seconds["python"] / seconds["c++"] - 1) * 100
            is_long = seconds["c++"] > 1e-3
            say(f"{row['id']}: C++ {seconds['c++'] * 1e3:.3f} ms, from Python {slower:+.1f} %",
                "3 %" if is_long else None, not is_long or slower <= 3)
        if "jax" in seconds and "ours in jax" in seconds:
            is_ahead = seconds["c++"] < seconds["jax"]
            say(f"  under jit {seconds['ours in jax'] * 1e3:.3f} ms, "
                f"jnp.einsum {seconds['jax'] * 1e3:.3f} ms", "jnp.einsum's" if is_ahead else None,
                not is_ahead or seconds["ours in jax"] <= seconds["jax"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, help="whose size is a bar")
    parser.add_argument("--worker", type=Path, help="bench_worker, for all that is compared with C++")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data",
                        help="folder of the instances")
    parser.add_argument("--full", action="store_true", help="large rows too, and more rounds")
    options = parser.parse_args()
    numpy_calls()
    import_time()
    if options.wheel:
        size = options.wheel.stat().st_size / 1e6
        say(f"{options.wheel.name}: {size:.1f} MB", "15 MB", size <= 15)
    compiled_us = compiled_call(options.worker) if options.worker else None
    if has("torch"):
        torch_calls(compiled_us)
    if has("jax"):
        jax_calls()
    if options.worker and has("opt_einsum"):
        einsum_rows(options.worker, options.data, options.full)
    print(f"{len(missed)} bars missed")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
