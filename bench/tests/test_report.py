"""Tables and what they say about failures."""

import unittest

import paths  # noqa: F401

from harness import report

TABLE = {"suite": "elementwise", "threads": 1, "date": "2026-01-01", "noisy": False, "versions": {"a": "1"},
         "machine": {"processor": "P", "processors": 2, "memory_gib": 8, "system": "S", "load": 0.0},
         "contestants": {"tenferro": "ours", "numpy": "peer", "torch": "peer", "memcpy": "baseline"},
         "rows": [{"id": "add", "bound": 0.5e-3,
                   "results": {"tenferro": {"median": 1e-3}, "numpy": {"median": 4e-3},
                               "torch": {"median": 2e-3}, "memcpy": {"median": 1e-4}}},
                  {"id": "exp", "bound": 1e-3, "results": {"tenferro": {"wrong": "relative error 1"},
                                                           "numpy": {"median": 1e-3},
                                                           "torch": {"error": "it broke"},
                                                           "memcpy": {"unsupported": "no"}}}]}


class Report(unittest.TestCase):
    def test_ratio_is_to_the_fastest_peer_and_not_to_a_baseline(self):
        self.assertEqual(report.best_peer(TABLE["rows"][0], TABLE), ("torch", 2e-3))
        self.assertEqual(report.ratio(TABLE["rows"][0], TABLE), 2.0)

    def test_rows(self):
        lines = report.markdown(TABLE).splitlines()
        self.assertIn("| add | 1 ms | 4 ms | 2 ms | 100 µs | 2.00x | 500 µs | 50 % |", lines)
        self.assertIn("| exp | WRONG | 1 ms | failed | – | – | 1 ms | – |", lines)

    def test_noise_is_said_and_the_least_sample_taken(self):
        self.assertNotIn("other work", report.markdown(TABLE))
        results = {"tenferro": {"median": 9e-3, "min": 1e-3}, "numpy": {"median": 1, "min": 3e-3}}
        row = {"id": "add", "bound": 1e-3, "results": results}
        noisy = dict(TABLE, noisy=True, rows=[row])
        self.assertIn("other work", report.markdown(noisy))
        self.assertIn("| add | 1 ms | 3 ms | – | – | 3.00x | 1 ms | 100 % |",
                      report.markdown(noisy).splitlines())

    def test_memory_is_without_pages_of_files(self):
        grown = {"before": 10 << 20, "peak": 17 << 20, "files": 4 << 20}
        row = {"id": "chain", "bound": 2 << 20, "results": {"tenferro": grown, "numpy": {"error": "no"}}}
        lines = report.markdown(dict(TABLE, suite="memory", rows=[row])).splitlines()
        self.assertIn("| chain | 2 MiB | 3 MiB | failed | – | – | 1.50 |", lines)

    def test_complaints(self):
        self.assertEqual(report.complaints(TABLE),
                         ["exp: tenferro: wrong: relative error 1", "exp: torch: error: it broke"])

    def test_durations(self):
        self.assertEqual([report.duration(s) for s in (2.5, 0.0125, 3e-6, 4.2e-8)],
                         ["2.5 s", "12.5 ms", "3 µs", "42 ns"])


if __name__ == "__main__":
    unittest.main()
