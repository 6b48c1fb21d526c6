"""The least time, or the least memory, that a row can take on the measured machine. A path search changes the work, so a row
along our own path is bounded by that path."""

from pathlib import Path

from . import network

CALL_BUDGET = {"add 4 elements": 100e-9, "matmul 2x2": 150e-9, "einsum 2x2": 300e-9, "einsum 2x2 prepared": 200e-9}


def seconds(row, results, machine):
    """The bound of a timed row."""
    if row["op"] == "call":
        return CALL_BUDGET[row["function"]]  # no machine limit: what we allow ourselves through C++
    if row["op"] == "einsum":
        return network.bound_seconds(network.load(Path(row["file"])), our_path(row, results), machine)
    return max(row["flops"] / machine.flops(row["dtype"]), machine.transfer_seconds(row["bytes"]))


def memory(row, results):
    """The live set of the path that we follow, in bytes."""
    return network.live_bytes(network.load(Path(row["file"])), our_path(row, results))


def our_path(row, results):
    return row["path"] if row["path"] is not None else results.get("tenferro", {}).get("path", [])
