"""Who takes part: the command of each worker, its environment, and how a row is changed for it."""

from dataclasses import dataclass, field
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent / "peers"

# glibc gives big blocks back to the system at once, so every result costs page faults. This keeps them, on
# huge pages: what a user who knows does for a program that allocates large results.
KEEP_HEAP = {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=4294967296:"
                               "glibc.malloc.trim_threshold=17179869184:"
                               "glibc.malloc.top_pad=268435456:glibc.malloc.hugetlb=1"}


@dataclass(frozen=True)
class Contestant:
    name: str
    command: tuple
    role: str = "peer"                 # "ours", "peer" or "baseline"; only peers count for the ratio
    suites: tuple = ()                 # empty: all
    environment: dict = field(default_factory=dict)
    patch: dict = field(default_factory=dict)

    def takes(self, suite):
        return not self.suites or suite in self.suites

    def row(self, row):
        return dict(row, **self.patch)


def all_contestants(worker, python):
    ours, peer = (str(worker),), lambda name: (str(python), str(PEERS / f"{name}_worker.py"))
    return [
        Contestant("tenferro", ours, "ours"),
        Contestant("tenferro C", ours, "ours", ("calls",), patch={"interface": "c"}),
        Contestant("tenferro blas", ours, "ours", ("linalg",), patch={"kind": "blas"}),
        Contestant("numpy", peer("numpy")),
        Contestant("torch", peer("torch")),
        Contestant("torch, heap kept", peer("torch"),
                   suites=("einsum", "networks", "products", "matrices", "broadcast", "pairs", "permutation",
                           "elementwise", "graph"),
                   environment=KEEP_HEAP),
        Contestant("jax", peer("jax"),
                   suites=("einsum", "networks", "products", "matrices", "broadcast", "pairs", "permutation",
                           "elementwise", "reduction", "axes", "calls", "graph", "linalg")),
        Contestant("memcpy", ours, "baseline", ("permutation",), patch={"baseline": "memcpy"}),
        Contestant("non-temporal copy", ours, "baseline", ("permutation",),
                   patch={"baseline": "non-temporal copy"}),
    ]
