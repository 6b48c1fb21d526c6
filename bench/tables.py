#!/usr/bin/env python3
"""The published numbers: docs/benchmarks.md and the benchmark section of README.md are written from the
recorded tables docs/benchmarks/*.json and from nothing else. Without --update it only says whether they are
what would be written.

    python3 bench/run.py --out docs/benchmarks && python3 bench/tables.py --update"""

import argparse
import json
import math
import sys
from pathlib import Path

from harness import report

BEGIN, END = "<!-- benchmarks: written by bench/tables.py -->\n", "<!-- end of benchmarks -->\n"
PAGE = """# Benchmarks

Every table here was measured in one run: {how}.
Results are compared with NumPy's, derivatives of linear algebra with PyTorch's, before anything is timed;
then the contestants take turns, so that a slow minute of the machine hits all of them; who waits is stopped,
since threads that spin would take a processor from the others. Operands are made in advance, paths are given,
JAX is compiled, threads are limited by affinity and by each library's own setting.
A peer's time is that of its fastest idiom, for NumPy in linear algebra those of SciPy too; "heap kept" is
PyTorch with an allocator set to keep its memory, "tenferro blas" linear algebra by LAPACK. "Bound" is what
the measured peak and bandwidth of the machine allow; for calls it is our own budget, for decompositions it
counts the flops that no iteration adds to. Memory is what a process grows by at most, without the pages of
programs and libraries themselves. [bounds.md](bounds.md) says why rows are behind.
"""


def how(tables):
    """The commands that measure such tables."""
    quick = " --quick" if any(table.get("quick") for table in tables) else ""
    build = "cmake --preset bench && cmake --build --preset bench"
    return f"`bash bench/peers/setup.sh`, then\n`{build} && python3 bench/run.py{quick}`"


def load_tables(root):
    return [json.loads(file.read_text()) for file in sorted((root / "docs" / "benchmarks").glob("*.json"))]


def page(tables):
    head = PAGE.format(how=how(tables))
    if not tables:
        return head + "\nNo tables are recorded yet.\n"
    return "\n".join([head, *map(report.markdown, tables)])


def section(tables):
    """One line per suite for the README."""
    timed = [table for table in tables if table["suite"] != "memory"]
    if not timed:
        return f"No numbers are published yet. To measure: {how(tables)}.\n"
    lines = [report.header(["suite", "threads", "rows", "faster than the best peer: geometric mean", "least",
                            "rows we lose"])]
    for table in timed:
        ratios = [r for r in (report.ratio(record, table) for record in table["rows"]) if r]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            lost = sum(r < 1 for r in ratios)
            lines.append(report.line([table["suite"], str(table["threads"]), str(len(ratios)), f"{mean:.2f}x",
                                      f"{min(ratios):.2f}x", str(lost)]))
    quick = any(t.get("quick") for t in timed)
    small = "\nTables marked quick have small sizes, few rounds and not the slowest rows." if quick else ""
    page = "[docs/benchmarks.md](docs/benchmarks.md)"
    return "\n".join(lines) + f"\n\nEvery row: {page}.{small}\nTo measure: {how(tables)}.\n"


def spliced(text, replacement, file):
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        sys.exit(f"{file}: the markers of the benchmark section are missing")
    return text[: begin + len(BEGIN)] + replacement + text[end:]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    tables = load_tables(options.root)
    readme, document = options.root / "README.md", options.root / "docs" / "benchmarks.md"
    wanted = {readme: spliced(readme.read_text(), section(tables), readme), document: page(tables)}
    for file, text in wanted.items():
        if options.update:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            sys.exit(f"{file} is not what bench/tables.py --update writes")


if __name__ == "__main__":
    main()
