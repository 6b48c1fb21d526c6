"""Networks as numbers: the steps that a path means, their flops, bytes and live tensors. Everything here
is what an ideal contraction must do, whoever does it."""

import json
import math
from dataclasses import dataclass

ELEMENT_BYTES = {"f32": 4, "f64": 8, "c32": 8, "c64": 16, "i32": 4, "i64": 8}
REAL = {"c32": "f32", "c64": "f64", "i32": "f32", "i64": "f64"}  # whose peak bounds them


@dataclass(frozen=True)
class Step:
    """One pairwise contraction, with sizes in elements."""
    lhs: float
    rhs: float
    out: float
    flops: float


@dataclass(frozen=True)
class Instance:
    name: str
    dtype: str
    row_major: dict
    column_major: dict
    paths: dict

    @property
    def inputs(self):
        return self.row_major["subscripts"].split("->")[0].split(",")

    @property
    def output(self):
        return self.row_major["subscripts"].split("->")[1]

    @property
    def extents(self):
        return {label: extent for labels, shape in zip(self.inputs, self.row_major["shapes"])
                for label, extent in zip(labels, shape)}


def load(path):
    """An instance file of the einsum suite."""
    data = json.loads(path.read_text())
    row_major = {"subscripts": data["format_string"], "shapes": data["shapes"]}
    reverse = {"subscripts": data.get("format_string_colmajor"), "shapes": data.get("shapes_colmajor")}
    if reverse["subscripts"] is None:
        reverse = reversed_axes(row_major)
    paths = {name: entry["path"] for name, entry in data.get("paths", {}).items()}
    dtype = {"float32": "f32", "float64": "f64"}[data.get("dtype", "float64")]
    return Instance(data["name"], dtype, row_major, reverse, paths)


def of_pair(dtype, subscripts, *shapes):
    """Two tensors, in column-major order."""
    column_major = {"subscripts": subscripts, "shapes": shapes}
    return Instance("", dtype, reversed_axes(column_major), column_major, {})


def einsum_row(name, instance, path, tolerance):
    return {"id": name, "op": "einsum", "dtype": instance.dtype, "row_major": instance.row_major,
            "column_major": instance.column_major, "path": path, "scales": scales(instance),
            "tolerance": tolerance}


def of_row(row):
    return Instance(row["id"], row["dtype"], row["row_major"], row["column_major"], {})


def reversed_axes(network):
    """The same tensors in memory, seen with the opposite order of axes."""
    inputs, output = network["subscripts"].split("->")
    backwards = ",".join(labels[::-1] for labels in inputs.split(","))
    return {"subscripts": f"{backwards}->{output[::-1]}",
            "shapes": [shape[::-1] for shape in network["shapes"]]}


def scales(instance):
    """Of each operand's elements, so that every element of the result has a variance near 1
    (bench/worker/inputs.hpp draws magnitudes in [1/2, 3/2), whose mean square is 13/12)."""
    summed = {}
    for labels in instance.inputs:
        for label in labels:
            if label not in instance.output:
                summed[label] = summed.get(label, 0) + 1
    extents = instance.extents
    return [math.exp(0.5 * math.log(12 / 13) - sum(math.log(extents[l]) / (2 * summed[l])
                                                   for l in labels if l in summed))
            for labels in instance.inputs]


def walk(instance, path):
    """Yields (step, live elements while it runs) along a path in shrinking-list form. Live are the
    operands, which the caller keeps, and every intermediate that is still needed, the step's own result
    included."""
    extents = instance.extents
    size = lambda labels: math.prod(extents[l] for l in labels)
    # The labels, and the size if it is an intermediate.
    tensors = [(frozenset(labels), 0) for labels in instance.inputs]
    given = sum(math.prod(shape) for shape in instance.row_major["shapes"])
    for positions in complete(path, len(tensors)):
        alive = given + sum(made for _, made in tensors)
        chosen = [tensors.pop(p)[0] for p in sorted(positions, reverse=True)]
        needed = frozenset(instance.output).union(*(labels for labels, _ in tensors))
        involved = frozenset().union(*chosen)
        out = involved & needed
        multiply_add = 2 if involved - out else 1
        rhs = size(chosen[1]) if len(chosen) > 1 else 0
        tensors.append((out, size(out)))
        yield Step(size(chosen[0]), rhs, size(out), multiply_add * size(involved)), alive + size(out)


def complete(path, count):
    """The path in pairs: a step of several tensors takes them two by two, and what a path leaves is
    contracted in order."""
    for positions in path:
        first, *rest = sorted(positions)
        if not rest:
            yield [first]
        for taken, position in enumerate(rest):
            # Earlier pairs removed their members and appended the result.
            yield [first, position] if taken == 0 else [position - 1 - taken, count - 1]
            count -= 1
    while count > 1:
        yield [0, 1]
        count -= 1


def real_peak(dtype, machine):
    """Real flops of a second that numbers of the type may take; integers those of floats of their width."""
    return machine.flops(REAL.get(dtype, dtype))


def bound_seconds(instance, path, machine):
    """The roofline of the path: each step takes at least its flops at the peak and its bytes at the
    bandwidth."""
    width = ELEMENT_BYTES[instance.dtype]
    peak = real_peak(instance.dtype, machine) / (4 if instance.dtype.startswith("c") else 1)
    return sum(max(step.flops / peak,
                   machine.transfer_seconds((step.lhs + step.rhs + step.out) * width))
               for step, _ in walk(instance, path))


def live_bytes(instance, path):
    """The largest sum of live tensors, which no execution of the path can undercut."""
    return max(live for _, live in walk(instance, path)) * ELEMENT_BYTES[instance.dtype]
