#!/usr/bin/env python3
"""The same products by NumPy's broadcasting, for comparison: max over k of a[i, k] + b[k, j], all at once
where the terms fit into 64 MiB and else in blocks of rows. CPU seconds of one thread, the least of a few
calls; JSON, a line each.

    numpy_rows.py [n...]
"""
import json
import sys
import time

import numpy as np


def product(a, b):
    n = a.shape[0]
    rows = max(1, (64 << 20) // (n * n * a.itemsize))
    return np.concatenate([(a[i:i + rows, :, None] + b[None]).max(axis=1) for i in range(0, n, rows)])


for dtype in (np.float64, np.float32):
    for n in [int(word) for word in sys.argv[1:]] or [64, 256, 1024]:
        random = np.random.default_rng(7)
        a, b = (random.uniform(-1, 1, (n, n)).astype(dtype) for _ in range(2))
        best = 1e99
        for _ in range(20 if n <= 256 else 2):
            begin = time.thread_time()
            product(a, b)
            best = min(best, time.thread_time() - begin)
        print(json.dumps({"row": "numpy", "type": f"f{8 * a.itemsize}", "n": n, "us": round(1e6 * best, 1),
                          "gflops": round(2e-9 * n**3 / best, 2)}), flush=True)
