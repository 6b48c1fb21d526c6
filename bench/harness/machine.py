"""The machine: what it is, and what the worker measured that it can do."""

import os
import platform
from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    """Limits for one number of threads."""
    peak: dict        # dtype -> flop/s
    bandwidth: list   # [bytes of the working set, bytes/s], ascending

    def flops(self, dtype):
        return self.peak[dtype]

    def transfer_seconds(self, size):
        """Of `size` bytes read and written, at the bandwidth that a working set of that size can have."""
        for limit, rate in self.bandwidth:
            if size <= limit:
                return size / rate
        return size / self.bandwidth[-1][1]

    @staticmethod
    def from_answer(answer):
        """From the worker's measurement; what a large set can do, a smaller one can do too."""
        bandwidth, best = [], 0.0
        for limit, rate in reversed(answer["bandwidth"]):
            best = max(best, rate)
            bandwidth.insert(0, [limit, best])
        return Machine(answer["flops"], bandwidth)


def describe():
    """Processor, memory, kernel: what a reader needs to judge the numbers."""
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"processor": model, "processors": len(os.sched_getaffinity(0)), "memory_gib": round(memory / 2**30, 1),
            "system": f"{platform.system()} {platform.release()}", "load": os.getloadavg()[0]}
