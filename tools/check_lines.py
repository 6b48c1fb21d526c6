#!/usr/bin/env python3
"""Checks that no line is longer than 110 characters in what clang-format does not lay out: Python, CMake,
shell and Fortran files, and pages outside of tables and code but for those that programs write. Names each
that is.
Usage: check_lines.py [FILE...]"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 110
WRITTEN = ("docs/benchmarks.md", "docs/command.md", "docs/operations.md")
LAID_OUT = re.compile(r"\.(py|pyi|sh|cmake|cmake\.in|f90|md)$|^CMakeLists\.txt$|^layers\.txt$")


def files():
    for path in sorted(ROOT.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        hidden = any(part == "build" or part.startswith(".") and part != ".ci" for part in Path(name).parts)
        if LAID_OUT.search(path.name) and name not in WRITTEN and not hidden and path.is_file():
            yield path


def long_lines(path):
    in_code = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if path.suffix == ".md":
            in_code ^= line.startswith("```")
            if in_code or line.startswith("|"):
                continue
        if len(line) > LONGEST:
            yield f"{path}:{number}: {len(line)} characters, more than {LONGEST}"


paths = [Path(name) for name in sys.argv[1:]] or list(files())
problems = [problem for path in paths for problem in long_lines(path)]
print("\n".join(problems) or f"{len(paths)} files have lines of at most {LONGEST} characters")
sys.exit(1 if problems else 0)
