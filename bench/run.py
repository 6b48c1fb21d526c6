#!/usr/bin/env python3
"""Runs the benchmark suites: our worker and the peers' workers side by side, checked against each other and
then timed in turn. Prints Markdown and writes one JSON table per suite and number of threads.

    python3 bench/run.py                          every suite, 1 and 2 threads
    python3 bench/run.py --quick permutation      one suite, small sizes, few rounds"""

import argparse
import datetime
import sys
from pathlib import Path

from harness import bounds, contestants, machine, measure, network, report, suites

ROOT = Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help=f"of {', '.join(suites.SUITES)}; default: all")
    parser.add_argument("--quick", action="store_true",
                        help="small sizes, few rounds, without the slowest rows")
    parser.add_argument("--threads", default="1,2", help="numbers of threads; default: 1,2")
    parser.add_argument("--rows", default="", help="only rows whose id contains this")
    parser.add_argument("--only", default="",
                        help="only these contestants, separated by commas (tenferro and numpy always)")
    parser.add_argument("--worker", type=Path, default=ROOT / "build" / "bench" / "bench" / "bench_worker")
    parser.add_argument("--python", type=Path, default=ROOT / ".venv" / "bin" / "python",
                        help="the peers' Python (peers/setup.sh)")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data",
                        help="folder of the instances")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench" / "results",
                        help="folder of the tables")
    options = parser.parse_args()
    for suite in options.suites:
        if suite not in suites.SUITES:
            parser.error(f"there is no suite '{suite}'")
    for file, what in ((options.worker, "build it with the preset 'bench'"),
                       (options.python, "run bench/peers/setup.sh")):
        if not file.exists():
            parser.error(f"{file} does not exist: {what}")
    return options


def run_suite(suite, threads, options):
    rows = [row for row in suites.SUITES[suite](options.data, options.quick) if options.rows in row["id"]]
    everyone = [c for c in contestants.all_contestants(options.worker, options.python) if c.takes(suite)]
    if options.only:
        needed = {"tenferro", "numpy", *(row["referee"] for row in rows if "referee" in row)}
        everyone = [c for c in everyone if c.name in options.only.split(",") or c.name in needed]
    field = measure.Field(everyone, threads, measure.Limits(options.quick))
    try:
        ask_machine = lambda: field.ask(everyone[0], do="machine")
        about = [field.ask(contestant, do="about") for contestant in everyone]
        before, results = ask_machine(), [run_row(suite, row, field) for row in rows]
        limits = machine.Machine.from_answers([before, ask_machine()])
    finally:
        field.close()
    description = machine.describe()
    return {"suite": suite, "threads": threads, "quick": options.quick,
            "date": datetime.date.today().isoformat(),
            "machine": description, "noisy": description["load"] > threads + 0.5,
            "versions": {a["name"]: a["version"] for a in about},
            "limits": {"flops": limits.peak, "bandwidth": limits.bandwidth},
            "contestants": {c.name: c.role for c in everyone},
            "rows": [{"id": row["id"], "bound": bounds.of(row, result, limits, suite), "results": result}
                     for row, result in zip(rows, results)]}


def run_row(suite, row, field):
    print(f"  {row['id']}", file=sys.stderr, flush=True)
    if suite == "memory":
        return measure.measure_memory(field.contestants, row, field.threads, field.limits)
    referee = next(c for c in field.contestants if c.name == row.get("referee", "numpy"))
    if row["op"] == "einsum" and row["path"] is None:
        row = dict(row, peer_path=peer_path(row, field, referee))
    return measure.measure(field, row, referee)


def peer_path(row, field, referee):
    """What the peers follow where we search: the cheapest of opt_einsum's best search, made once, and the
    published paths."""
    instance = network.load(Path(row["file"]))
    found = field.ask(referee, do="search", row=row)["path"]
    return min([found, *instance.paths.values()],
               key=lambda path: sum(step.flops for step, _ in network.walk(instance, path)))


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    failures = []
    for suite in options.suites or suites.SUITES:
        for threads in map(int, options.threads.split(",")):
            print(f"{suite}, {threads} threads", file=sys.stderr, flush=True)
            table = run_suite(suite, threads, options)
            (options.out / f"{suite}-{threads}.json").write_text(report.to_json(table))
            print(report.markdown(table), flush=True)
            failures += report.complaints(table)
    print("\n".join(failures), file=sys.stderr)
    sys.exit(any(": wrong: " in failure for failure in failures))


if __name__ == "__main__":
    main()
