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
    def from_answers(answers):
        """The best of several measurements by the worker; what a large set can do, a smaller one can too."""
        bandwidth, best = [], 0.0
        for entries in reversed(list(zip(*(answer["bandwidth"] for answer in answers)))):
            best = max(best, *(rate for _, rate in entries))
            bandwidth.insert(0, [entries[0][0], best])
        peak = {dtype: max(answer["flops"][dtype] for answer in answers) for dtype in answers[0]["flops"]}
        return Machine(peak, bandwidth)


def processor():
    """The model, and where it is known the family and the instruction set: one name is sold for many."""
    fields = {}
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            fields.setdefault(name.strip(), value.strip())
    parts = [fields.get("model name", platform.machine())]
    if "cpu family" in fields:
        parts.append("family " + fields["cpu family"])
    flags = fields.get("flags", "").split()
    parts += [name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags][:1]
    return ", ".join(parts)


def describe():
    """Processor, memory, kernel: what a reader needs to judge the numbers."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"processor": processor(), "processors": len(os.sched_getaffinity(0)),
            "memory_gib": round(memory / 2**30, 1),
            "system": f"{platform.system()} {platform.release()}", "load": os.getloadavg()[0]}
