"""Measuring one row: every contestant prepares it, its result is compared with the referee's, and only
those that agree are timed, in rounds that visit all contestants in turn."""

import statistics
import tempfile
from pathlib import Path

from .process import Unsupported, Worker, WorkerError

MOST_BYTES_IN_TURN = 1 << 30  # that a row reads and writes


class Field:
    """The contestants of one suite at one number of threads, each with a live worker that is restarted
    when it dies."""

    def __init__(self, contestants, threads, limits):
        self.contestants, self.threads, self.limits = contestants, threads, limits
        self.workers = {}

    def worker(self, contestant):
        found = self.workers.get(contestant.name)
        if found is None or not found.alive:
            found = self.workers[contestant.name] = Worker(contestant.command, self.threads,
                                                           contestant.environment)
        return found

    def ask(self, contestant, **request):
        return self.worker(contestant).ask(self.limits.request_seconds, **request)

    def close(self, contestants=None):
        """Ends their workers, by default all."""
        for contestant in self.contestants if contestants is None else contestants:
            worker = self.workers.pop(contestant.name, None)
            if worker is not None and worker.alive:
                worker.close()


class Limits:
    """How long things may take. A sample repeats a call until it lasts `sample_seconds`; rounds end after
    `row_seconds`."""

    def __init__(self, quick):
        self.request_seconds = 120 if quick else 300
        self.sample_seconds = 0.02
        self.row_seconds = 2 if quick else 8
        self.rounds = 7 if quick else 15
        self.least_rounds = 2


def measure(field, row, referee):
    """{contestant: {"seconds": […], "median", "min", facts…} or {"wrong"|"error"|"unsupported": text}}.
    The referee is the contestant whose result is the truth; it can compare files."""
    results = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for group in groups(field.contestants, row, referee):
            check(field, group, row, referee, results, Path(folder) / "result")
            sample_in_turn(field, [c for c in group if "calls" in results[c.name]], results)
            if len(group) < len(field.contestants):
                field.close([c for c in group if c is not referee])
    return results


def groups(contestants, row, referee):
    """Those that are measured in turn, the referee first. What everybody keeps of a large row may be more
    than the memory: there each is measured by itself and ended."""
    everyone = sorted(contestants, key=lambda c: c is not referee)
    return [[c] for c in everyone] if row.get("bytes", 0) > MOST_BYTES_IN_TURN else [everyone]


def sample_in_turn(field, contestants, results):
    spent = 0.0
    for round_number in range(field.limits.rounds):
        if round_number >= field.limits.least_rounds and spent > field.limits.row_seconds:
            break
        for contestant in contestants:
            spent += sample(field, contestant, results[contestant.name])
    for contestant in contestants:
        seconds = results[contestant.name].get("seconds")
        if seconds:
            results[contestant.name].update(median=statistics.median(seconds), min=min(seconds))


def check(field, group, row, referee, results, file):
    """Fills `results` with what each contestant says about the row; `calls` is there when it may be timed."""
    for contestant in group:
        try:
            entry = field.ask(contestant, do="prepare", row=contestant.row(row))
            if contestant.role != "baseline":
                field.ask(contestant, do="check", file=str(file))
                worst = field.ask(referee, do="compare", file=str(file), dtype=row["dtype"])["worst"]
                entry["relative_error"] = worst
                if not worst <= row["tolerance"]:
                    entry = {"wrong": f"relative error {worst:.1e} where {row['tolerance']:.1e} is allowed"}
            if "wrong" not in entry:
                entry["calls"] = calls_per_sample(field, contestant)
        except Unsupported as problem:
            entry = {"unsupported": str(problem)}
        except WorkerError as problem:
            entry = {"error": str(problem)}
        results[contestant.name] = entry
        file.unlink(missing_ok=True)


def calls_per_sample(field, contestant):
    calls = 1
    while True:
        seconds = field.ask(contestant, do="run", samples=1, calls=calls)["seconds"][0]
        if seconds * calls >= field.limits.sample_seconds / 4:
            return max(1, round(field.limits.sample_seconds / seconds))
        calls *= 4


def sample(field, contestant, entry):
    """One sample; the first call after another contestant's turn finds cold caches, so short calls are
    warmed up."""
    try:
        if entry["calls"] > 1:
            field.ask(contestant, do="run", samples=1, calls=1)
        seconds = field.ask(contestant, do="run", samples=1, calls=entry["calls"])["seconds"][0]
    except WorkerError as problem:
        entry["error"] = str(problem)
        return 0.0
    entry.setdefault("seconds", []).append(seconds)
    return seconds * entry["calls"]


def measure_memory(contestants, row, threads, limits):
    """{contestant: {"before", "peak", "files", facts…}}, each in a process of its own."""
    results = {}
    for contestant in contestants:
        worker = Worker(contestant.command, threads, contestant.environment)
        try:
            results[contestant.name] = worker.ask(limits.request_seconds, do="memory",
                                                  row=contestant.row(row))
        except WorkerError as problem:
            results[contestant.name] = {"error": str(problem)}
        if worker.alive:
            worker.close()
    return results
