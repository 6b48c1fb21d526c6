#!/usr/bin/env python3
"""Max-plus matrix products beside NumPy, PyTorch and compiled loops, in one process on one thread: results
are compared first, then all take turns with the measurement of the processor's bound. CPU time, of which the
least counts, and the better of two ways to broadcast all three axes; a sum of a column and a row for each k
is less work for NumPy and PyTorch, and stands beside. Prints a table of ratios to ours.

    compare.py BUILD [n...]      BUILD is where extension/tropical was built with its benchmark
"""
import ctypes
import sys
import time
from pathlib import Path

import numpy as np

try:
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None

build = Path(sys.argv[1])
library = ctypes.CDLL(str(build / "libtenferro_ext_tropical.so"))
yardsticks = ctypes.CDLL(str(build / "bench" / "libtropical_yardsticks.so"))
SIZES = [int(word) for word in sys.argv[2:]] or [64, 128, 256, 512, 1024]
TERMS = 1 << 22  # of a broadcast sum at once: in the caches


def function(name, result=None, source=library):
    found = getattr(source, name)
    found.restype = result
    return found


def timed(f, calls):
    begin = time.thread_time()
    for _ in range(calls):
        f()
    return (time.thread_time() - begin) / calls


class Ours:
    """Handles of two matrices, and calls on them."""

    def __init__(self, suffix, a, b):
        self.suffix, self.status = suffix, ctypes.c_int32()
        self.operands = (ctypes.c_void_p * 2)(*(self.handle(x) for x in (a, b)))
        self.release = function(f"tfe_tensor_{suffix}_release")
        # What Python makes of a call is not measured.
        self.arguments = (b"ij,jk->ik", self.operands, ctypes.c_size_t(2))
        self.einsum = function(f"tfe_tropical_einsum_maxplus_{suffix}", ctypes.c_void_p)
        self.rrule = function(f"tfe_tropical_einsum_rrule_maxplus_{suffix}")
        self.told, self.cotangent = ctypes.byref(self.status), ctypes.c_void_p(self.operands[0])

    def handle(self, x):
        shape = (ctypes.c_size_t * 2)(*x.shape)
        make = function(f"tfe_tensor_{self.suffix}_from_row_major_data", ctypes.c_void_p)
        return make(ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(x.size), shape, ctypes.c_size_t(2),
                    ctypes.byref(self.status))

    def product(self):
        return ctypes.c_void_p(self.einsum(*self.arguments, self.told))

    def forward(self):
        self.release(self.product())

    def backward(self):
        gradients = (ctypes.c_void_p * 2)()
        self.rrule(*self.arguments, self.cotangent, gradients, self.told)
        for gradient in gradients:
            self.release(ctypes.c_void_p(gradient))

    def result(self, like):
        made = self.product()
        data = function(f"tfe_tensor_{self.suffix}_data", ctypes.c_void_p)(made)
        found = np.empty_like(like, order="F")
        ctypes.memmove(found.ctypes.data, data, found.nbytes)
        self.release(made)
        return found


def broadcast_rows(a, b, joined, most):
    """All terms of some rows at once."""
    rows = max(1, TERMS // a.shape[0] ** 2)
    return joined([most(a[i:i + rows, :, None] + b[None], 1) for i in range(0, a.shape[0], rows)])


def broadcast_last(a, b, joined, most):
    """The same with the contracted axis last."""
    rows, bt = max(1, TERMS // a.shape[0] ** 2), b.T
    return joined([most(a[i:i + rows, None, :] + bt[None], 2) for i in range(0, a.shape[0], rows)])


def outer_sums(a, b, maximum):
    """A sum of a column and a row for each term."""
    c = a[:, :1] + b[:1]
    for k in range(1, a.shape[1]):
        c = maximum(c, a[:, k:k + 1] + b[k:k + 1])
    return c


def peers(a, b, suffix):
    """Functions that give the product, by peer; a peer may have several."""
    n = a.shape[0]
    at, bt, c = np.asfortranarray(a), np.asfortranarray(b), np.empty_like(a, order="F")

    def loop(name):
        call = function(f"tropical_{name}_{suffix}", None, yardsticks)
        call(*(ctypes.c_void_p(x.ctypes.data) for x in (at, bt, c)), ctypes.c_long(n))
        return c
    found = {"NumPy": [lambda: broadcast_rows(a, b, np.concatenate, np.max),
                       lambda: broadcast_last(a, b, np.concatenate, np.max)],
             "by k": [lambda: outer_sums(a, b, np.maximum)], "loop": [lambda: loop("loop")],
             "columns": [lambda: loop("columns_loop")]}
    if torch is not None:
        ta, tb = torch.from_numpy(a), torch.from_numpy(b)
        found["PyTorch"] = [lambda: broadcast_rows(ta, tb, torch.cat, torch.amax),
                            lambda: broadcast_last(ta, tb, torch.cat, torch.amax)]
        found["its by k"] = [lambda: outer_sums(ta, tb, torch.maximum)]
    return found


function("tfe_set_num_threads")(ctypes.c_int32(1), ctypes.byref(ctypes.c_int32()))
print(f"{'':>9} {'of bound':>9} {'gradient':>9}" + "".join(f"{name:>10}" for name in peers(
    np.zeros((1, 1)), np.zeros((1, 1)), "f64")))
for suffix, dtype in (("f64", np.float64), ("f32", np.float32)):
    bound = function(f"tropical_bound_{suffix}", ctypes.c_double, yardsticks)
    for n in SIZES:
        random = np.random.default_rng(7)
        a, b = (random.uniform(-1, 1, (n, n)).astype(dtype) for _ in range(2))
        ours, others = Ours(suffix, a, b), peers(a, b, suffix)
        expected = ours.result(a)
        for name, ways in others.items():
            for way in ways:
                assert np.array_equal(np.asarray(way()), expected), f"{name} differs at {n}"
        calls = max(1, (1 << 22) // n ** 3)
        best = {name: min(ways, key=lambda way: timed(way, 1)) for name, ways in others.items()}
        best_bound, forward, backward = 0, np.inf, np.inf
        least = dict.fromkeys(best, np.inf)
        for turn in range(40 if n <= 256 else 12):
            best_bound = max(best_bound, bound())
            forward = min(forward, timed(ours.forward, calls))
            backward = min(backward, timed(ours.backward, calls))
            if turn % 6 == 0:
                least = {name: min(least[name], timed(way, max(1, calls // 20)))
                         for name, way in best.items()}
        print(f"{suffix} {n:>5} {2e-9 * n ** 3 / forward / best_bound:>9.3f} {backward / forward:>9.2f}"
              + "".join(f"{seconds / forward:>10.1f}" for seconds in least.values()), flush=True)
