"""Builds and runs the tests of the presets `release` and `dev`, or with names those of `release` that belong
to these folders of tests/ and tests/unit/ (or to bench, examples, fuzz); says at the end how long each phase
took and which files and tests took longest in it."""

import os
import resource
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTED = 8


def slowest(seconds):
    """Lines `12.3 s name` of the entries that took longest."""
    rows = sorted(seconds.items(), key=lambda row: -row[1])[:LISTED]
    return "".join(f"    {time:6.1f} s  {name}\n" for name, time in rows)


def compiled(build, since):
    """{object or program: seconds} of what ninja made since then."""
    seconds = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        path = build / output
        if path.exists() and path.stat().st_mtime >= since:
            seconds[output.replace("CMakeFiles/", "").replace(".dir", "")] = (int(end) - int(begin)) / 1000
    return seconds


def tested(report):
    """{test: seconds} of ctest's report."""
    cases = xml.etree.ElementTree.parse(report).iter("testcase")
    return {case.get("name"): float(case.get("time")) for case in cases}


class Phases:
    """Runs commands, the first that fails ending the program, and keeps what to say about them."""

    def __init__(self):
        self.lines = []

    def run(self, name, command, details):
        wall, used = time.time(), self.processor_time()
        failed = subprocess.call(command, cwd=ROOT)
        spent = self.processor_time() - used
        took = f"{name}: {time.time() - wall:.0f} s, {spent:.0f} s of processor time\n"
        self.lines.append(took + slowest(details(wall)))
        if failed:
            sys.exit(failed)

    @staticmethod
    def processor_time():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def main(names):
    phases = Phases()
    targets = ["--target", *(f"tests_{name}" for name in names)] if names else []
    chosen = ["--label-regex", f"^({'|'.join(names)})$"] if names else []
    try:
        for preset in ["release"] if names else ["release", "dev"]:
            build = ROOT / "build" / preset
            report = build / "tests.xml"
            subprocess.check_call(["cmake", "--preset", preset], cwd=ROOT, stdout=subprocess.DEVNULL)
            phases.run(f"{preset}, build", ["cmake", "--build", "--preset", preset, *targets],
                       lambda since: compiled(build, since))
            phases.run(f"{preset}, tests", ["ctest", "--preset", preset, "-j", str(os.cpu_count()), *chosen,
                                            "--no-tests=error", "--output-junit", str(report)],
                       lambda since: tested(report))
    finally:
        print("\n" + "".join(phases.lines), end="", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
