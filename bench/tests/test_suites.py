"""The rows that the suites make of the data folder; skipped without it."""

import unittest

from paths import BENCH

from harness import bounds, drawn, network, suites
from harness.machine import Machine

DATA = BENCH.parent.parent / "shared" / "data"
MACHINE = Machine({"f32": 2e9, "f64": 1e9}, [[1 << 20, 1e9]])


@unittest.skipUnless(DATA.is_dir(), f"{DATA} is absent")
class Suites(unittest.TestCase):
    def test_rows_have_names_of_their_own_and_a_bound(self):
        for suite, rows_of in suites.SUITES.items():
            for quick in (False, True):
                rows = rows_of(DATA, quick)
                self.assertTrue(rows, suite)
                self.assertEqual(len({row["id"] for row in rows}), len(rows), suite)
                for row in rows:
                    results = {"tenferro": {"path": [[0, 1]]}}
                    self.assertGreater(bounds.of(row, results, MACHINE, suite), 0, row["id"])

    def test_a_quick_run_leaves_rows_out(self):
        self.assertLess(len(suites.einsum_rows(DATA, True)), len(suites.einsum_rows(DATA, False)))

    def test_a_path_ends_in_one_tensor(self):
        for row in [*suites.memory_rows(DATA, False), *drawn.rows(DATA, True)]:
            count = len(row["row_major"]["shapes"])
            pairs = [pair for pair in network.complete(row["path"], count) if len(pair) == 2]
            self.assertEqual(len(pairs), count - 1, row["id"])

    def test_a_bound_of_complex_numbers_counts_real_flops(self):
        rows = {row["id"]: bounds.seconds(row, {}, MACHINE) for row in suites.linalg_rows(DATA, False)}
        self.assertEqual(rows["qr 64x64 c64 vjp"], 4 * rows["qr 64x64 f64 vjp"])
        self.assertEqual(rows["qr 64x64 f64"], 2 * rows["qr 64x64 f32"])

        circuit = next(row for row in drawn.rows(DATA, True) if row["dtype"] == "c64")
        fast_memory = Machine({"f64": 1e9}, [[1 << 20, 1e18]])
        self.assertEqual(bounds.seconds(circuit, {}, fast_memory),
                         4 * bounds.seconds(dict(circuit, dtype="f64"), {}, fast_memory))

    def test_drawn_networks_are_the_same_each_time(self):
        self.assertEqual(drawn.rows(None, True), drawn.rows(None, True))

    def test_drawn_networks_have_the_work_they_should_have(self):
        for row in drawn.rows(None, True):
            flops = sum(step.flops for step, _ in network.walk(network.of_row(row), row["path"]))
            self.assertTrue(drawn.QUICK_WORK[0] <= flops <= drawn.QUICK_WORK[1], row["id"])

    def test_without_a_path_there_is_no_bound(self):
        row = next(row for row in suites.einsum_rows(DATA, True) if row["path"] is None)
        self.assertIsNone(bounds.seconds(row, {"tenferro": {"error": "it broke"}}, MACHINE))


if __name__ == "__main__":
    unittest.main()
