"""Measuring, with workers that behave in a known way."""

import os
import sys
import tempfile
import time
import unittest
from pathlib import Path

from paths import BENCH

from harness.contestants import Contestant
from harness.measure import Field, Limits, measure
from harness.process import Worker, WorkerError

ROW = {"id": "row", "op": "anything", "dtype": "f64", "tolerance": 0.0}


def contestant(manner, role="peer"):
    return Contestant(manner, (sys.executable, str(BENCH / "tests" / "fake_worker.py"), manner), role)


class Measure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = Path(folder.name) / "log"
        os.environ["BENCH_LOG"] = str(self.log)
        self.limits = Limits(quick=True)
        self.limits.request_seconds = 5

    def measure(self, *manners):
        field = Field([contestant(manner) for manner in manners], 1, self.limits)
        self.addCleanup(field.close)
        return measure(field, ROW, field.contestants[0])

    def test_right_results_are_timed(self):
        results = self.measure("right")
        self.assertEqual(results["right"]["median"], 0.001)
        self.assertEqual(len(results["right"]["seconds"]), self.limits.rounds)

    def test_a_wrong_result_is_reported_and_not_timed(self):
        results = self.measure("right", "wrong")
        self.assertIn("relative error 2.5e-01", results["wrong"]["wrong"])
        self.assertNotIn("median", results["wrong"])
        self.assertNotIn("wrong run", self.log.read_text())

    def test_failures_leave_the_others_alone(self):
        results = self.measure("right", "failing", "dying")
        self.assertEqual(results["failing"], {"error": "it broke"})
        self.assertEqual(results["dying"], {"error": "prepare: the worker ended with 3"})
        self.assertIn("median", results["right"])

    def samples(self, field, row, referee=0):
        measure(field, row, field.contestants[referee])
        samples = [line.split() for line in self.log.read_text().splitlines() if " run " in line]
        return [manner for manner, _, calls in samples
                if int(calls) >= 20]  # the samples; calibration makes fewer calls

    def test_contestants_take_turns(self):
        field = Field([contestant("right"), contestant("other")], 1, self.limits)
        self.addCleanup(field.close)
        self.assertEqual(self.samples(field, ROW), ["right", "other"] * self.limits.rounds)

    def test_of_a_large_row_one_after_the_other(self):
        field = Field([contestant("other"), contestant("right")], 1, self.limits)
        self.addCleanup(field.close)
        order = self.samples(field, dict(ROW, bytes=2 << 30), referee=1)
        self.assertEqual(order, ["right"] * self.limits.rounds + ["other"] * self.limits.rounds)
        self.assertEqual(list(field.workers), ["right"])  # the others' memory is free again
        self.assertEqual(self.log.read_text().count("right starts"), 1)  # the referee has kept its result

    def test_who_waits_is_stopped(self):
        worker = Worker(contestant("right").command, 1)
        self.addCleanup(worker.close)
        state = Path(f"/proc/{worker.process.pid}/stat")
        for _ in range(2):
            worker.ask(5, do="prepare", row=ROW)
            until = time.monotonic() + 5
            while state.read_text().rsplit(")", 1)[1].split()[0] != "T" and time.monotonic() < until:
                time.sleep(0.01)
            self.assertEqual(state.read_text().rsplit(")", 1)[1].split()[0], "T")

    def test_silence_ends_the_worker(self):
        worker = Worker(contestant("silent").command, 1)
        with self.assertRaisesRegex(WorkerError, "about: no answer within 0 s"):
            worker.ask(0.2, do="about")
        self.assertFalse(worker.alive)


if __name__ == "__main__":
    unittest.main()
