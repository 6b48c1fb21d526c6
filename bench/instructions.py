#!/usr/bin/env python3
"""Counts the instructions of the smallest calls and compares them with a table: unlike times, counts do not
depend on what else the machine does. A call may cost at most TOLERANCE more than the table says; --update
writes the table anew.

    python3 bench/instructions.py build/release/bench/bench_calls bench/instructions.txt [--update]

Needs valgrind, whose callgrind counts."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

TOLERANCE = 0.1  # other processors select other functions of the C library
CALLS = 200
HEADER = "# Instructions per call on one thread, counted by bench/instructions.py --update.\n"


def per_call(program, call):
    """Instructions inside the program's bench_counted, which makes the warm call CALLS times."""
    environment = {"TENFERRO_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               "--toggle-collect=bench_counted", str(program),
               call, str(CALLS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None or found.group(1) == "0":
        sys.exit(f"{call}: valgrind failed:\n{done.stderr}")
    return int(found.group(1)) / CALLS


def read_table(path):
    """{call: instructions} of lines like `1234  c: einsum 2x2`."""
    rows = (line.split(None, 1) for line in path.read_text().splitlines()
            if line and not line.startswith("#"))
    return {call.strip(): int(number) for number, call in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("table", type=Path)
    parser.add_argument("--update", action="store_true", help="write the table instead of comparing")
    parser.add_argument("--only", help="this call alone")
    options = parser.parse_args()
    calls = subprocess.run([options.program, "--list"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    calls = [call for call in calls if options.only in (None, call)]
    measured = {call: round(per_call(options.program, call)) for call in calls}
    if options.update:
        options.table.write_text(HEADER + "".join(f"{number:7}  {call}\n"
                                                  for call, number in measured.items()))
        return
    allowed = read_table(options.table)
    failures = []
    for call, number in measured.items():
        limit = allowed.get(call)
        print(f"{call}: {number} instructions, {limit} in the table")
        if limit is None:
            failures.append(f"{call}: not in the table")
        elif number > limit * (1 + TOLERANCE):
            failures.append(f"{call}: {number} instructions but the table says {limit}")
    failures += [f"{call}: in the table but not a call"
                 for call in allowed if call not in measured and not options.only]
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
