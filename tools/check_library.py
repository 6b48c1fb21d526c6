#!/usr/bin/env python3
"""Checks what a built library or program asks of the loader. Usage: check_library.py FILE...; exits 1 and
names each offence:

- a RUNPATH entry that is empty or relative: the loader would search the current directory;
- a needed library of BLAS, LAPACK or OpenMP: those are loaded at the first use of kind blas;
- for a shared library, an import that registers destructors or guards the first use of a static object:
  state of the process must serve exit handlers and forked children, see src/base/immortal.hpp and
  src/base/thread_value.hpp."""

import re
import subprocess
import sys

IMPORTS = {
    "__cxa_atexit": "a static object has a destructor",
    "__cxa_thread_atexit": "a thread-local object has a destructor",
    "__cxa_guard_acquire": "a static object of a function is guarded by a lock",
    "pthread_once": "something is made under a lock that a fork leaves taken",
}
HEAVY = re.compile(r"blas|lapack|mkl|blis|gomp|libomp|iomp", re.IGNORECASE)


def read(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def offences(path):
    dynamic = read("readelf", "-dW", path)
    for entries in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic):
        for entry in entries.split(":"):
            if not entry.startswith(("/", "$ORIGIN")):
                yield f"RUNPATH [{entries}] has the entry '{entry}'"
    for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if HEAVY.search(needed):
            yield f"needs {needed}"
    if "(SONAME)" in dynamic:
        imported = set(re.findall(r"\bU (\w+)", read("nm", "-D", "--undefined-only", path)))
        yield from (f"imports {name}: {why}" for name, why in IMPORTS.items() if name in imported)


def main():
    errors = [f"{path}: {offence}" for path in sys.argv[1:] for offence in offences(path)]
    print("\n".join(errors) if errors else f"{len(sys.argv) - 1} files ask for nothing that they should not")
    return 1 if errors or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
