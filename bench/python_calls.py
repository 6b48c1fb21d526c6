"""Small calls from Python beside NumPy, in turns, medians of several rounds: microseconds a call and the ratio. Then the
time that `import tenferro` takes. Run with the Python of an environment that has tenferro and NumPy."""

import statistics
import subprocess
import sys
import timeit

import numpy as np

import tenferro as tf

ROUNDS, CALLS = 15, 5000


def contestants():
    a, b = np.random.rand(2, 2), np.random.rand(2, 2)
    t, u = tf.asarray(a), tf.asarray(b)
    plan = tf.plan("ij,jk->ik", a, b)
    assert np.allclose(tf.einsum("ij,jk->ik", a, b), a @ b) and np.allclose(plan(a, b), a @ b)
    return {
        "numpy.einsum of 2x2 arrays": lambda: np.einsum("ij,jk->ik", a, b),
        "numpy a @ b": lambda: a @ b,
        "tenferro.einsum of 2x2 arrays": lambda: tf.einsum("ij,jk->ik", a, b),
        "tenferro.einsum of 2x2 Tensors": lambda: tf.einsum("ij,jk->ik", t, u),
        "tenferro.Plan of 2x2 arrays": lambda: plan(a, b),
    }


def main():
    calls = contestants()
    times = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name].append(timeit.timeit(call, number=CALLS) / CALLS * 1e6)
    first = statistics.median(times["numpy.einsum of 2x2 arrays"])
    for name, list_of_times in times.items():
        median = statistics.median(list_of_times)
        print(f"{name:32} {median:7.3f} us, least {min(list_of_times):7.3f}; numpy.einsum takes {first / median:.2f} times as long")
    code = "import time; begin = time.perf_counter(); import tenferro; print(time.perf_counter() - begin)"
    spent = [float(subprocess.check_output([sys.executable, "-c", code], text=True)) * 1e3 for _ in range(9)]
    print(f"import tenferro: {statistics.median(spent):.1f} ms, least {min(spent):.1f}")


if __name__ == "__main__":
    main()
