#!/usr/bin/env python3
"""Checks that tenferro_raii.hpp reaches every C function: each name of src/capi/symbols.txt is in the
preprocessed header, and each entry of its table of functions is used, or they are exceptions below. Exits 1
and names what is missing. Usage: check_raii.py [HEADER]"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXCEPTIONS = [r"tfe_\w+_(rrule|frule)_\w+"]  # other names of ..._vjp and ..._jvp


def main():
    header = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "include" / "tenferro_raii.hpp"
    # TENFERRO_H keeps the declarations of tenferro.h out.
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-E", "-P", "-DTENFERRO_H", "-I",
               str(ROOT / "include"), str(header)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    bound = set(re.findall(r"\btfe_\w+", text))
    symbols = (ROOT / "src" / "capi" / "symbols.txt").read_text().split()
    wanted = [name for name in symbols if not any(re.fullmatch(rule, name) for rule in EXCEPTIONS)]
    errors = [f"{name}: not bound" for name in wanted if name not in bound]
    table = set(re.findall(r"static constexpr auto (\w+) = &tfe_", text))
    used = set(re.findall(r"Api(?:<\w+>)?::(\w+)", text))
    errors += [f"{name}: bound, but used by no function" for name in sorted(table - used)]
    print("\n".join(errors) or f"{len(wanted)} C functions are behind {header.name}")
    return 1 if errors or not table else 0


if __name__ == "__main__":
    sys.exit(main())
