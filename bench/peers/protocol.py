"""The worker protocol (bench/worker/main.cpp lists the requests) for a peer written in Python. A peer
gives, for every row, its idioms: several ways a user who knows the library would write it. Each is checked
against the first and timed, and the fastest one competes."""

import itertools
import json
import os
import sys
import time
import traceback

import numpy as np

import linalg

DTYPES = {"f32": np.float32, "f64": np.float64, "c32": np.complex64, "c64": np.complex128,
          "i32": np.int32, "i64": np.int64}
PARTS = {"f32": np.float32, "f64": np.float64, "c32": np.float32, "c64": np.float64,
         "i32": np.int32, "i64": np.int64}  # what files hold
COMPARED = 1 << 24  # elements at once


class Unsupported(Exception):
    """The library cannot do the row."""


class Peer:
    """Base of the peers. `rows` maps an op to a method that takes the row and returns {idiom: callable};
    the callables return a new result. A result in row-major order of the reversed axes is the column-major
    result of the others."""

    name, version = "", ""

    def __init__(self):
        self.row = self.compute = self.expected = None

    def finish(self, result):
        """Waits until `result` is there."""

    def to_numpy(self, result):
        """Its elements as a flat array in memory order."""
        return np.asarray(result).reshape(-1)

    def array(self, result):
        """One of several results, with its shape."""
        return np.asarray(result)

    def elements(self, result):
        """The same, of several results what can be compared."""
        if isinstance(result, tuple):
            return linalg.comparable(self.row, [self.array(part) for part in result])
        return self.to_numpy(result)

    # Requests.

    def about(self, request):
        return {"name": self.name, "version": self.version}

    def prepare(self, request):
        row = request["row"]
        self.row, self.compute, self.expected = row, None, None
        method = getattr(self, row["op"], None)
        if method is None:
            raise Unsupported(f"no rows of kind {row['op']}")
        idioms = method(row)
        name = self.fastest(idioms) if len(idioms) > 1 else next(iter(idioms))
        self.compute = idioms[name]
        return {"idiom": name}

    def check(self, request):
        self.expected = np.array(self.elements(self.compute()))  # the result's own memory is for the next one
        self.expected.tofile(request["file"])
        return {"bytes": self.expected.nbytes}

    def compare(self, request):
        """The largest difference of a file's elements from our result, relative to the largest of these."""
        mine, dtype = self.expected, np.dtype(PARTS[request["dtype"]])
        if mine is None:
            raise ValueError("the referee has no result of its own")
        mine = mine.view(dtype)
        if os.path.getsize(request["file"]) != mine.nbytes:
            return {"worst": float("inf")}
        difference = largest = 0.0
        for begin in range(0, mine.size, COMPARED):
            part = mine[begin : begin + COMPARED]
            other = np.fromfile(request["file"], dtype, len(part), offset=begin * dtype.itemsize)
            difference = np.maximum(difference, np.max(np.abs(other - part)))  # of which not a number remains
            largest = np.maximum(largest, np.max(np.abs(part)))
        worst = float(difference) / (float(largest) or 1.0)
        return {"worst": worst if worst == worst else float("inf")}

    def run(self, request):
        compute, finish, calls = self.compute, self.finish, request["calls"]
        seconds = []
        for _ in range(request["samples"]):
            start = time.perf_counter()
            for _ in itertools.repeat(None, calls):
                finish(compute())
            seconds.append((time.perf_counter() - start) / calls)
        return {"seconds": seconds}

    def memory(self, request):
        before, files = status_bytes("VmRSS:"), status_bytes("RssFile:")
        facts = self.prepare(request)
        self.finish(self.compute())
        return dict(facts, before=before, peak=status_bytes("VmHWM:"), files=status_bytes("RssFile:") - files)

    def fastest(self, idioms):
        """The idiom of the least of three times; one that fails or gives another result is out."""
        times, truth = {}, None
        for name, compute in idioms.items():
            try:
                result = self.elements(compute())
                if truth is not None and not np.allclose(result, truth, rtol=1e-4,
                                                         atol=1e-4 * float(np.max(np.abs(truth)))):
                    continue
                truth = result if truth is None else truth
                times[name] = min(self.time_once(compute) for _ in range(3))
            except Exception as problem:  # whatever a library raises, the other idioms may work
                reason = problem
        if not times:
            raise reason
        return min(times, key=times.get)

    def time_once(self, compute):
        start = time.perf_counter()
        self.finish(compute())
        return time.perf_counter() - start


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def status_bytes(key):
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(key))


def serve(peer):
    """Answers requests until the input ends. What the libraries print goes to standard error."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"ok": getattr(peer, request["do"])(request)}
        except (Unsupported, NotImplementedError) as problem:
            answer = {"unsupported": str(problem)}
        except Exception as problem:
            traceback.print_exc()
            answer = {"error": f"{type(problem).__name__}: {problem}".splitlines()[0][:300]}
        out.write(json.dumps(answer) + "\n")
        out.flush()
