"""A contestant's worker as a process: its environment is set before it starts, and it answers requests one
line each. It runs only while it is asked: threads that wait by spinning would take a processor from the
contestant whose turn comes next."""

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import time

SYSTEM = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TENFERRO_NUM_THREADS",
                    "BENCH_THREADS")


class WorkerError(Exception):
    """The worker failed at a request; the text says how."""


class Unsupported(WorkerError):
    """The worker has no such operation."""


def environment(threads, extra):
    """One number of threads for every runtime that a worker may hold."""
    result = dict(os.environ, **{variable: str(threads) for variable in THREAD_VARIABLES})
    result["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen={'true' if threads > 1 else 'false'}"
    result["JAX_PLATFORMS"] = "cpu"
    return dict(result, **extra)


def begin(cpus):
    """In the worker, before its program: a worker that is stopped does not see that nobody will ask any more,
    so it ends with who started it."""
    os.sched_setaffinity(0, cpus)
    SYSTEM.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Worker:
    def __init__(self, command, threads, extra=None):
        cpus = sorted(os.sched_getaffinity(0))[:threads]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL,
                                        env=environment(threads, extra or {}),
                                        preexec_fn=lambda: begin(cpus))
        self.pending = b""

    def ask(self, seconds, **request):
        """The answer to a request; raises WorkerError on an error, the worker's end, or no answer within
        `seconds`."""
        self.process.send_signal(signal.SIGCONT)
        try:
            return self.answer(seconds, request)
        finally:
            self.process.send_signal(signal.SIGSTOP)

    def answer(self, seconds, request):
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise WorkerError(f"{request['do']}: the worker has ended") from None
        answer = json.loads(self.read_line(request["do"], time.monotonic() + seconds, seconds))
        if "unsupported" in answer:
            raise Unsupported(answer["unsupported"])
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer["ok"]

    def read_line(self, what, deadline, seconds):
        while b"\n" not in self.pending:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            chunk = os.read(self.process.stdout.fileno(), 1 << 16) if ready else None
            if not chunk:
                self.close()
                raise WorkerError(f"{what}: no answer within {seconds:.0f} s" if chunk is None
                                  else f"{what}: the worker ended with {self.process.wait()}")
            self.pending += chunk
        line, self.pending = self.pending.split(b"\n", 1)
        return line

    @property
    def alive(self):
        return self.process.poll() is None

    def close(self):
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):  # of a request that it has not read
            self.process.stdin.close()
        self.process.stdout.close()
