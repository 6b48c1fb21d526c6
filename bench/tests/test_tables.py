"""The published numbers follow from the recorded tables."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from paths import BENCH
from test_report import TABLE


class Tables(unittest.TestCase):
    def tables(self, root, *arguments):
        command = [sys.executable, str(BENCH / "tables.py"), "--root", str(root), *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def test_update_writes_and_the_check_finds_drift(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs" / "benchmarks").mkdir(parents=True)
            (root / "docs" / "benchmarks" / "elementwise-1.json").write_text(json.dumps(TABLE))
            readme = root / "README.md"
            readme.write_text(
                "before\n<!-- benchmarks: written by bench/tables.py -->\n<!-- end of benchmarks -->\nafter\n"
            )
            self.assertNotEqual(self.tables(root).returncode, 0)
            self.assertEqual(self.tables(root, "--update").returncode, 0)
            self.assertEqual(self.tables(root).returncode, 0)
            self.assertIn("| elementwise | 1 | 1 | 2.00x | 2.00x | 0 |", readme.read_text())
            self.assertTrue(readme.read_text().startswith("before\n")
                            and readme.read_text().endswith("after\n"))
            self.assertIn("| add | 1 ms |", (root / "docs" / "benchmarks.md").read_text())
            readme.write_text(readme.read_text().replace("2.00x", "9.00x"))
            self.assertIn("is not what bench/tables.py --update writes", self.tables(root).stderr)


if __name__ == "__main__":
    unittest.main()
