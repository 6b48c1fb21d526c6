"""Runs one tiny row of every suite in the worker and checks what it answers; times nothing.

    python3 bench/tests/worker_smoke.py build/release/bench/bench_worker"""

import array
import itertools
import math
import sys
import tempfile
import unittest
from pathlib import Path

import paths  # noqa: F401

from harness import suites
from harness.process import Unsupported, Worker

PROGRAM = None
SECONDS = 60
MASK = (1 << 64) - 1
EINSUM = {"op": "einsum", "dtype": "f64",
          "column_major": {"subscripts": "ab,bc->ac", "shapes": [[2, 3], [3, 2]]},
          "path": [[0, 1]], "scales": [1.0, 2.0]}
PERMUTATION = {"op": "permutation", "dtype": "f64", "shape": [2, 3, 4], "strides": [1, 2, 6],
               "perm": [2, 0, 1], "into": False}


def drawn(number, count, scale=1.0, is_signed=True):
    """An operand by the rule of bench/worker/inputs.hpp."""
    values, counter = [], (number + 1) << 32
    for _ in range(count):
        counter = (counter + 0x9E3779B97F4A7C15) & MASK
        z = counter
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        magnitude = scale * (0.5 + (z >> 11) * 2.0**-53)
        values.append(-magnitude if is_signed and z & 1 else magnitude)
    return values


def small(row):
    """The row on few elements."""
    row = dict(row, count=8)
    if "shape" in row:
        row["shape"] = [min(extent, 8) for extent in row["shape"]]
    return row


class WorkerSmoke(unittest.TestCase):
    def setUp(self):
        self.worker = Worker([PROGRAM], threads=1)
        self.addCleanup(self.worker.close)

    def ask(self, **request):
        return self.worker.ask(SECONDS, **request)

    def result_of(self, row):
        """The row's elements, after it has run as in a measurement."""
        facts = self.ask(do="prepare", row=row)
        self.assertIsInstance(facts, dict)
        seconds = self.ask(do="run", samples=3, calls=2)["seconds"]
        self.assertEqual(len(seconds), 3)
        self.assertTrue(all(time > 0 for time in seconds), seconds)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "result"
            size = self.ask(do="check", file=str(file))["bytes"]
            data = file.read_bytes()
        self.assertEqual(len(data), size)
        elements = array.array({"f32": "f", "c32": "f"}.get(row["dtype"], "d"), data)
        self.assertTrue(len(elements) > 0 and all(math.isfinite(x) for x in elements), row)
        return list(elements)

    def test_einsum(self):
        a, b = drawn(0, 6), drawn(1, 6, 2.0)
        expected = [sum(a[i + 2 * k] * b[k + 3 * j] for k in range(3)) for j in range(2) for i in range(2)]
        for path in (EINSUM["path"], None):
            for actual, element in zip(self.result_of(dict(EINSUM, path=path)), expected, strict=True):
                self.assertAlmostEqual(actual, element, delta=16 * suites.EPSILON["f64"])
        self.assertEqual(self.ask(do="prepare", row=dict(EINSUM, path=None))["path"], [[0, 1]])

    def test_permutation_and_its_baselines(self):
        source = drawn(0, 24)
        expected = [source[i + 2 * j + 6 * k] for j in range(3) for i in range(2) for k in range(4)]
        for into in (False, True):
            row = dict(PERMUTATION, into=into)
            self.assertEqual(self.result_of(row), expected)
            for baseline in ("memcpy", "non-temporal copy"):
                self.assertEqual(self.result_of(dict(row, baseline=baseline)), source)

    def test_elementwise(self):
        for row in map(small, suites.elementwise_rows(None, True)):
            actual = self.result_of(row)
            parts = 2 if row["dtype"] in ("c32", "c64") and row["function"] != "abs" else 1
            self.assertEqual(len(actual), 8 * parts)
            if row["function"] == "add" and row["dtype"] == "f64":
                self.assertEqual(actual, [x + y
                                          for x, y in zip(drawn(0, 8, is_signed=False),
                                                          drawn(1, 8, is_signed=False))])

    def test_pairs(self):
        """Every row on few elements against plain loops."""
        for row in suites.pairs_rows(None, True):
            parts = 2 if row["dtype"].startswith("c") else 1
            subscripts = row["column_major"]["subscripts"]
            operands, result = subscripts.split("->")
            shapes = [[min(extent, 5) for extent in shape] for shape in row["column_major"]["shapes"]]
            pairs = list(zip(operands.split(","), shapes))
            extents = {label: extent for own, shape in pairs for label, extent in zip(own, shape)}
            drawn_numbers = [drawn(k, parts * math.prod(shape), is_signed=False)
                             for k, shape in enumerate(shapes)]
            expected = []
            for place in itertools.product(*(range(extents[label]) for label in reversed(result))):
                index = dict(zip(reversed(result), place))
                a, b = (complex(*numbers[parts * at:parts * (at + 1)])
                        for (own, _), numbers in zip(pairs, drawn_numbers)
                        for at in [sum(index[own[i]] * math.prod(extents[x] for x in own[:i])
                                       for i in range(len(own)))])
                value = {"add": a + b, "sub": a - b, "mul": a * b, "div": a / b}[row["function"]]
                expected += [value.real, value.imag][:parts]
            actual = self.result_of(dict(row, column_major={"subscripts": subscripts, "shapes": shapes}))
            self.assertEqual(len(actual), len(expected), row["id"])
            self.assertLess(max(map(abs, map(float.__sub__, actual, expected))),
                            16 * suites.EPSILON[row["dtype"]], row["id"])

    def test_reduction(self):
        operand = drawn(0, 64, is_signed=False)
        for row in map(small, suites.reduction_rows(None, True)):
            actual = self.result_of(row)
            parts = 2 if row["dtype"] == "c64" else 1
            kept = (extent for axis, extent in enumerate(row["shape"]) if axis not in row["axes"])
            self.assertEqual(len(actual), parts * math.prod(kept))
            if row["id"] == "max inner f64":
                self.assertEqual(actual, [max(operand[8 * j:8 * j + 8]) for j in range(8)])

    def test_axes(self):
        """Every row on few elements against plain loops."""
        for row in map(small, suites.axis_rows(None, True)):
            shape, axis = row["shape"], row["axis"]
            step, length = math.prod(shape[:axis]), shape[axis]
            operand = drawn(0, math.prod(shape))
            expected = [0.0] * len(operand)
            for first in range(len(operand)):
                if first // step % length:
                    continue
                line = operand[first:first + step * length:step]
                powers = [math.exp(x - max(line)) for x in line]
                expected[first:first + step * length:step] = {
                    "cumulative_sum": list(itertools.accumulate(line)), "sort": sorted(line),
                    "softmax": [power / sum(powers) for power in powers]}[row["function"]]
            actual = self.result_of(row)
            self.assertEqual(len(actual), len(expected), row["id"])
            self.assertLess(max(map(abs, map(float.__sub__, actual, expected))),
                            32 * suites.EPSILON[row["dtype"]], row["id"])

    def test_calls(self):
        rows = suites.call_rows(None, True)
        for row in [*rows, dict(rows[0], interface="c", function="einsum 2x2")]:
            self.assertEqual(len(self.result_of(row)), 4)

    def test_graph(self):
        for row in map(small, suites.graph_rows(None, True)):
            self.assertEqual(len(self.result_of(row)), math.prod(row["shape"]), row["id"])

    def test_linalg(self):
        """Every function and kind of row on small matrices, of every dtype."""
        factors = {"cholesky": 1, "lu": 3, "solve": 1 / 3, "qr": 2, "eigh": 4 / 3, "eig": 8 / 3,
                   "svdvals": 1 / 3, "svd": 7 / 3}
        for row in suites.linalg_rows(None, True):
            for dtype in ("f64", "f32", "c64"):
                shape = [3, 3, 4] if len(row["shape"]) == 3 else [3, 3]
                elements = len(self.result_of(dict(row, shape=shape, dtype=dtype)))
                self.assertGreater(elements, 0)
                if row["mode"] == "forward" and dtype == "f64":
                    self.assertEqual(elements, round(factors[row["function"]] * math.prod(shape)), row["id"])

    def test_solve(self):
        """Against Cramer's rule."""
        row = next(r for r in suites.linalg_rows(None, True) if r["function"] == "solve")
        (p, q, r, s), (x, y) = drawn(0, 4), drawn(1, 2)
        expected = [(s * x - r * y) / (p * s - q * r), (p * y - q * x) / (p * s - q * r)]
        for kind in ("builtin", "blas"):
            try:
                found = self.result_of(dict(row, shape=[2, 2], kind=kind))
            except Unsupported:  # no library on this machine
                continue
            for actual, element in zip(found, expected, strict=True):
                self.assertAlmostEqual(actual, element, delta=1e-13 * abs(element))

    def test_memory(self):
        answer = self.ask(do="memory", row=EINSUM)
        self.assertGreaterEqual(answer["peak"], answer["before"])
        self.assertGreater(answer["before"], 0)
        self.assertGreater(answer["files"], 0)  # the code of a first contraction
        self.assertLess(answer["files"], answer["peak"])

    def test_no_product_is_far_above_the_measured_peak(self):
        """Three times are left to noise; a peak loop that spills its registers is ten times too low."""
        n = 256
        row = dict(EINSUM, column_major={"subscripts": "ab,bc->ac", "shapes": [[n, n], [n, n]]})
        peak = self.ask(do="machine")["flops"]["f64"]
        self.ask(do="prepare", row=row)
        seconds = min(self.ask(do="run", samples=20, calls=1)["seconds"])
        self.assertLess(2 * n**3 / seconds, 3 * peak)

    def test_what_it_has_not_is_said(self):
        self.assertEqual(self.ask(do="about")["name"], "tenferro")
        with self.assertRaisesRegex(Unsupported, "there is no such operation: sorting"):
            self.ask(do="prepare", row={"op": "sorting"})


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
