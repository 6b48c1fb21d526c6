"""The least time, or the least memory, that a row can take on the measured machine. A path search changes
the work, so a row along our own path is bounded by that path."""

from . import network

GRAPH_BUDGET = {"10 cheap operations": 2e-6, "5 products and sums": 2e-6, "gradient of sum(a b)": 3e-6,
                "eager sum": 1e-6, "eager backward of sum(a b)": 10e-6,
                "eager backward of 20 operations": 21 * 3e-6}
CALL_BUDGET = {"add 4 elements": 100e-9, "matmul 2x2": 150e-9, "einsum 2x2": 300e-9,
               "einsum 2x2 prepared": 200e-9}


def of(row, results, machine, suite):
    return memory(row) if suite == "memory" else seconds(row, results, machine)


def seconds(row, results, machine):
    """The bound of a timed row; None when nobody knows the path."""
    if row["op"] == "call":
        return CALL_BUDGET[row["function"]]  # no machine limit: what we allow ourselves through C++
    if row["op"] == "graph" and row["function"] in GRAPH_BUDGET:
        return GRAPH_BUDGET[row["function"]]
    if row["op"] == "einsum":
        path = our_path(row, results)
        return network.bound_seconds(network.of_row(row), path, machine) if path is not None else None
    return max(row["flops"] / network.real_peak(row["dtype"], machine),
               machine.transfer_seconds(row["bytes"]))


def memory(row):
    """The live set of the row's path, in bytes."""
    return network.live_bytes(network.of_row(row), row["path"])


def our_path(row, results):
    return row["path"] if row["path"] is not None else results.get("tenferro", {}).get("path")
