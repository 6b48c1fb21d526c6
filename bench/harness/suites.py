"""The rows of every suite, as JSON that all contestants read. A row has an id, what to do (`op` and its
arguments), the flops and bytes that it needs at least, and the relative error that its results may show."""

import json
import math
from random import Random

from . import drawn, linalg, network

EPSILON = {"f32": 2.0**-23, "f64": 2.0**-52, "c32": 2.0**-23, "c64": 2.0**-52, "i32": 0, "i64": 0}
EINSUM_TOLERANCE = 1e4  # roundings
ELEMENTWISE = ["add", "mul", "exp", "log", "sin", "tanh"]
ELEMENTWISE_MORE = [  # with a fresh result only
    *((f, ("f64", "f32")) for f in ("pow", "erf", "erfc", "lgamma", "asin", "acos", "atan", "sinh", "cosh",
                                    "asinh", "acosh", "atanh", "atan2", "hypot", "expm1", "log1p")),
    *((f, ("c64", "c32")) for f in ("abs", "sqrt", "exp", "log", "div"))]
AXIS_FUNCTIONS = ("cumulative_sum", "softmax", "sort")
ELEMENTWISE_ARITY = {"add": 2, "mul": 2, "pow": 2, "atan2": 2, "hypot": 2, "div": 2}
ELEMENTWISE_SCALE = {"asin": 0.6, "acos": 0.6, "atanh": 0.6, "acosh": 2.0, "lgamma": 4.0}  # of [0.5, 1.5)
CALLS = ["add 4 elements", "matmul 2x2", "einsum 2x2", "einsum 2x2 prepared"]
SKINNY_COLUMNS = [1, 2, 3, 5, 10, 30, 100]
PRODUCTS = [  # names, column-major subscripts and shapes
    ("matmul 64", "ij,jk->ik", [64, 64], [64, 64]),
    ("matmul 256", "ij,jk->ik", [256, 256], [256, 256]),
    ("matrix times vector 1000", "ij,j->i", [1000, 1000], [1000]),
    ("256 products of 32x32", "ijb,jkb->ikb", [32, 32, 256], [32, 32, 256]),
    ("256 outer products of 64", "ib,jb->ijb", [64, 256], [64, 256]),
    ("elementwise 1000x1000", "ij,ij->ij", [1000, 1000], [1000, 1000]),
    ("5 columns, middle axis of 60x60x60", "abc,bf->acf", [60, 60, 60], [60, 5])]
SLOW = ("gm_queen", "mera", "4096", "6d", "tensornetwork")  # parts of names that a quick run leaves out


def einsum_rows(data, quick):
    """Every instance along both published paths and our own; in `own` rows we search and the peers get the
    best path they can."""
    rows = []
    for file in sorted((data / "einsum").glob("*.json")):
        instance = network.load(file)
        for strategy in [*instance.paths, "own"]:
            twice = list(instance.paths.values()).count(instance.paths.get(strategy)) > 1
            if twice and strategy != "opt_flops":
                continue  # both published paths are the same
            if strategy == "own" and len(instance.inputs) < 3:
                continue  # nothing to search
            tolerance = EINSUM_TOLERANCE * EPSILON[instance.dtype] * math.sqrt(len(instance.inputs))
            path = instance.paths.get(strategy)
            rows.append(dict(network.einsum_row(f"{instance.name} {strategy}", instance, path, tolerance),
                             file=str(file)))
    return drop_slow(rows, quick)


def skinny_rows(data, quick):
    """A tensor of four axes times a thin matrix over one of them, for every place of that axis in memory,
    number of columns, and place of the new axis; the extents are drawn by a fixed seed."""
    rows = []
    random = Random(4)
    for place, contracted in (("leading", "a"), ("middle", "b"), ("trailing", "d")):
        for order, where in (("{}f", "last"), ("f{}", "first"), ("turned", "across")):
            for columns in SKINNY_COLUMNS[::2] if quick else SKINNY_COLUMNS:
                extents = {label: random.randrange(*((24, 36) if quick else (48, 72))) for label in "abcd"}
                free = "".join(label for label in "abcd" if label != contracted)
                output = "f" + free[1:] + free[0] if order == "turned" else order.format(free)
                instance = network.of_pair("f64", f"abcd,{contracted}f->{output}", list(extents.values()),
                                           [extents[contracted], columns])
                rows.append(pair_row(f"{place}, {columns} columns, {where}", instance))
    return rows


def product_rows(data, quick):
    """Pairs of tensors of the types that the instances do not have: complex numbers and integers."""
    rows = []
    for dtype in ("c64", "c32", "i64", "i32"):
        for name, subscripts, *shapes in PRODUCTS:
            row = pair_row(f"{name} {dtype}", network.of_pair(dtype, subscripts, *shapes))
            rows.append(dict(row, scales=[8.0, 8.0]) if dtype.startswith("i") else row)
    return rows


def matrix_rows(data, quick):
    """Products of two matrices, each in either order: extents from 2 to 2048, evenly by their logarithms,
    drawn by a fixed seed, so that no shape is there because it suits anyone."""
    random, rows = Random(5), []
    while len(rows) < (12 if quick else 60):
        m, k, n = (round(2 ** random.uniform(1, 11)) for _ in range(3))
        a, b = random.choice(("ij", "ji")), random.choice(("jk", "kj"))
        if m * k * n > (1e7 if quick else 1e8):
            continue
        dtype = ("f64", "f32", "c64", "c32")[len(rows) % 4]
        shapes = [m, k] if a == "ij" else [k, m], [k, n] if b == "jk" else [n, k]
        rows.append(pair_row(f"{a},{b}->ik of {m} x {k} x {n} {dtype}",
                             network.of_pair(dtype, f"{a},{b}->ik", *shapes)))
    return rows


def batch_rows(data, quick):
    """Batches of 4 to 2000 products of matrices with extents from 2 to 128, in either order; the label of the
    batch has one place in all three tensors, or in every second row one in each. Drawn by a fixed seed."""
    random, rows = Random(51), []
    while len(rows) < (8 if quick else 60):
        m, k, n = (round(2 ** random.uniform(1, 7)) for _ in range(3))
        batch = round(2 ** random.uniform(2, 11))
        same, places = len(rows) % 2 == 0, [random.randint(0, 2) for _ in range(3)]
        if not 1e4 < batch * m * k * n < (2e6 if quick else 5e7):
            continue
        a, b, c = (labels[:place] + "z" + labels[place:] for labels, place in zip(
            (random.choice(("ij", "ji")), random.choice(("jk", "kj")), "ik"),
            places[:1] * 3 if same else places))
        dtype = ("f64", "f32", "c64", "c32")[len(rows) // 2 % 4]
        extents = {"z": batch, "i": m, "j": k, "k": n}
        instance = network.of_pair(dtype, f"{a},{b}->{c}", *([extents[x] for x in own] for own in (a, b)))
        rows.append(pair_row(f"{a},{b}->{c} of {batch} times {m} x {k} x {n} {dtype}", instance))
    return rows


def drawn_operands(random, most_axes, quick):
    """Labels of a result, their extents, of up to 5000, and the labels that two operands have; without end,
    drawn by a fixed seed as the rows of matrix_rows are."""
    while True:
        labels = "abcde"[:random.randint(2, most_axes)]
        extents = {label: round(2 ** random.uniform(1, 12.3)) for label in labels}
        if not 1e3 < math.prod(extents.values()) < (1e6 if quick else 8e6):
            continue
        a = labels if random.random() < 0.5 else "".join(x for x in labels if random.random() < 0.6)
        b = "".join(x for x in labels if x not in a or random.random() < 0.4)
        yield labels, extents, a, b


def pair_of(dtype, labels, extents, a, b):
    return network.of_pair(dtype, f"{a},{b}->{labels}", *([extents[x] for x in own] for own in (a, b)))


def size_text(extents):
    return " x ".join(map(str, extents.values()))


def broadcast_rows(data, quick):
    """Products without a sum of operands that lack axes of the result."""
    random, rows = Random(7), []
    for labels, extents, a, b in drawn_operands(random, 5, quick):
        if not a or not b:
            continue
        dtype = ("f64", "f32", "c64", "c32")[len(rows) % 4]
        rows.append(pair_row(f"{a},{b}->{labels} of {size_text(extents)} {dtype}",
                             pair_of(dtype, labels, extents, a, b)))
        if len(rows) == (12 if quick else 60):
            return rows


def pairs_rows(data, quick):
    """Operations element by element on operands that lack axes of the result, or have them in another order,
    drawn as those of broadcast_rows are."""
    random, rows = Random(13), []
    for labels, extents, a, b in drawn_operands(random, 4, quick):
        if random.random() < 0.3:
            b = "".join(random.sample(b, len(b)))
        if not a or not b or a == b == labels:
            continue
        dtype = ("f64", "f32", "c64", "c32")[len(rows) % 4]
        function = ("add", "sub", "mul", "div")[len(rows) // 4 % 4]
        instance = pair_of(dtype, labels, extents, a, b)
        elements = sum(math.prod(extents[x] for x in operand) for operand in (a, b, labels))
        rows.append({"id": f"{function} {a},{b}->{labels} of {size_text(extents)} {dtype}", "op": "pairs",
                     "function": function, "dtype": dtype, "row_major": instance.row_major,
                     "column_major": instance.column_major, "flops": 0,
                     "bytes": elements * network.ELEMENT_BYTES[dtype], "tolerance": 16 * EPSILON[dtype]})
        if len(rows) == (12 if quick else 60):
            return rows


def gate_rows(data, quick):
    """A small matrix times one axis of a state: a gate on one site, or on two neighbours."""
    rows = []
    sites = 20 if quick else 22
    for dtype in ("c64", "f64") if quick else ("c64", "c32", "f64", "f32"):
        for count, name in ((1, "one"), (2, "two")):
            for site in (0, 1, 2, 4, 8, sites - count):
                extent, before, after = 2**count, 2**site, 2 ** (sites - site - count)
                gate, state = [extent, extent], [before, extent, after]
                instance = (network.of_pair(dtype, "ab,lbr->lar", gate, state) if site else
                            network.of_pair(dtype, "ab,br->ar", gate, state[1:]))
                rows.append(pair_row(f"{name} of {sites}, from {site}, {dtype}", instance))
    return rows


def pair_row(name, instance):
    """An einsum of two tensors."""
    return network.einsum_row(name, instance, [[0, 1]], EINSUM_TOLERANCE * EPSILON[instance.dtype])


def permutation_row(name, dtype, shape, strides, perm, into):
    return {"id": name + (" into" if into else ""), "op": "permutation", "dtype": dtype, "shape": shape,
            "strides": strides, "perm": perm, "into": into,
            "bytes": 2 * math.prod(shape) * network.ELEMENT_BYTES[dtype], "flops": 0, "tolerance": 0}


def drawn_permutations(quick):
    """Two to five axes of up to 2000, of 1e4 to 2e7 elements, evenly by their logarithms, in any order; axes
    of extent 2 of which one to five are moved, as networks of qubits have them. Drawn by a fixed seed."""
    random, rows = Random(17), []
    while len(rows) < (4 if quick else 30):
        shape = [round(2 ** random.uniform(1, 11)) for _ in range(random.randint(2, 5))]
        perm = random.sample(range(len(shape)), len(shape))
        dtype, into = ("f64", "f32", "c64")[len(rows) % 3], len(rows) % 2 == 1
        if perm != sorted(perm) and 1e4 < math.prod(shape) < (1e5 if quick else 2e7):
            name = f"{','.join(map(str, perm))} of {' x '.join(map(str, shape))} {dtype}"
            rows.append(permutation_row(name, dtype, shape, column_major_strides(shape), perm, into))
    for moved in range(1, 6):
        shape = [2] * (12 if quick else random.randint(18, 24))
        perm = list(range(len(shape)))
        for _ in range(moved):
            perm.insert(random.randrange(len(perm)), perm.pop(random.randrange(len(perm))))
        rows.append(permutation_row(f"{moved} of {len(shape)} axes of 2 moved", "f64", shape,
                                    column_major_strides(shape), perm, moved % 2 == 0))
    return rows


def permutation_rows(data, quick):
    """The patterns, with a fresh result and into one that exists, and drawn ones."""
    patterns = json.loads((data / "permutation" / "patterns.json").read_text())["patterns"]
    rows = [permutation_row(pattern["id"], pattern["dtype"], pattern["shape"],
                            pattern["src_layout"].get("strides") or column_major_strides(pattern["shape"]),
                            pattern["perm"], into)
            for pattern in patterns for into in (False, True)]
    return drop_slow(rows, quick) + drawn_permutations(quick)


def elementwise_rows(data, quick):
    rows = []
    count = 1 << (20 if quick else 22)
    for function, dtypes, forms in [*((f, ("f64", "f32"), (False, True)) for f in ELEMENTWISE),
                                    *((f, dtypes, (False,)) for f, dtypes in ELEMENTWISE_MORE)]:
        for dtype in dtypes:
            for into in forms:
                arity, width = ELEMENTWISE_ARITY.get(function, 1), network.ELEMENT_BYTES[dtype]
                result = width // 2 if function == "abs" and dtype in ("c32", "c64") else width
                rows.append({"id": f"{function} {dtype}" + (" into" if into else ""), "op": "elementwise",
                             "function": function, "scale": ELEMENTWISE_SCALE.get(function, 1.0),
                             "dtype": dtype, "count": count, "into": into, "flops": 0,
                             "bytes": (arity * width + result) * count,
                             "tolerance": 16 * EPSILON[dtype]})
    return rows


def reduction_rows(data, quick):
    """Axis 0 is the fastest. All but the squares have axes of up to 3000, drawn by a fixed seed as those of
    matrix_rows are, at least one of them reduced."""
    rows = []
    shape = [1024, 1024] if quick else [2048, 2048]
    for function in ("sum", "max"):
        for name, axes in (("all", [0, 1]), ("inner", [0]), ("outer", [1])):
            for dtype in ("f64", "f32"):
                rows.append(reduction_row(f"{function} {name} {dtype}", function, dtype, shape, axes))
    random, fixed = Random(11), len(rows)
    while len(rows) < fixed + (12 if quick else 60):
        shape = [round(2 ** random.uniform(1, 11.6)) for _ in range(random.randint(1, 4))]
        axes = [axis for axis in range(len(shape)) if random.random() < 0.5]
        if not axes or not 1e3 < math.prod(shape) < (1e6 if quick else 8e6):
            continue
        function, dtype = (("sum", "f64"), ("sum", "f32"), ("sum", "c64"), ("max", "f64"))[len(rows) % 4]
        size, over = " x ".join(map(str, shape)), ", ".join(map(str, axes))
        rows.append(reduction_row(f"{function} of {size} over {over} {dtype}", function, dtype, shape, axes))
    return rows


def reduction_row(name, function, dtype, shape, axes):
    """NumPy adds rows plainly, one after the other: so errors may grow with the number of terms."""
    terms, count = math.prod(shape[axis] for axis in axes), math.prod(shape)
    return {"id": name, "op": "reduction", "function": function, "dtype": dtype, "shape": shape,
            "axes": axes, "flops": 0, "bytes": count * network.ELEMENT_BYTES[dtype],
            "tolerance": 0 if function == "max" else max(256, terms) * EPSILON[dtype]}


def axis_rows(data, quick):
    """Operations along one axis of shapes that are drawn as those of reduction_rows are."""
    random, rows = Random(17), []
    while len(rows) < (12 if quick else 48):
        shape = [round(2 ** random.uniform(1, 11.6)) for _ in range(random.randint(1, 4))]
        axis = random.randrange(len(shape))
        if not 1e3 < math.prod(shape) < (1e6 if quick else 4e6):
            continue
        function, dtype = AXIS_FUNCTIONS[len(rows) % 3], ("f64", "f32")[len(rows) // 3 % 2]
        size = " x ".join(map(str, shape))
        tolerance = {"sort": 0, "softmax": 32, "cumulative_sum": max(256, shape[axis])}[function]
        rows.append({"id": f"{function} of {size} along {axis} {dtype}", "op": "axis", "function": function,
                     "dtype": dtype, "shape": shape, "axis": axis, "flops": 0,
                     "bytes": 2 * math.prod(shape) * network.ELEMENT_BYTES[dtype],
                     "tolerance": tolerance * EPSILON[dtype]})
    return rows


def call_rows(data, quick):
    return [{"id": name, "op": "call", "function": name, "dtype": "f64", "interface": "c++", "tolerance": 0}
            for name in CALLS]


def graph_rows(data, quick):
    """Compiled programs and eager tensors: small ones, where the calls are what counts, and large ones."""
    large = [1 << (20 if quick else 22)]
    rows = [("10 cheap operations", [4]), ("5 products and sums", [2, 2]), ("gradient of sum(a b)", [2, 2]),
            ("gradient of sum(tanh(a b)^2)", [64, 64]), ("eager sum", [4]),
            ("eager backward of sum(a b)", [2, 2]), ("eager backward of 20 operations", [2, 2]),
            ("log1p exp mul", large), ("2 cheap operations", large), ("8 cheap operations", large)]
    return [graph_row(function, shape, dtype) for function, shape in rows
            for dtype in (("f64", "f32") if shape is large else ("f64",))]


def graph_row(function, shape, dtype):
    count = math.prod(shape)
    return {"id": f"{function}, {'x'.join(map(str, shape))} {dtype}", "op": "graph", "function": function,
            "shape": shape, "dtype": dtype,
            "flops": 4 * count * shape[0] if function.startswith("gradient of sum(tanh") else 0,
            "bytes": 3 * count * network.ELEMENT_BYTES[dtype], "tolerance": 256 * EPSILON[dtype]}


def linalg_rows(data, quick):
    """Decompositions alone, and their tangents and gradients, which NumPy has not: PyTorch is the referee."""
    rows = []
    for function, mode, shape, dtype in linalg.cases(quick):
        size = "x".join(map(str, shape))
        rows.append({"id": f"{function} {size} {dtype}" + (f" {mode}" if mode != "forward" else ""),
                     "op": "linalg", "function": function, "mode": mode, "shape": shape, "dtype": dtype,
                     "flops": linalg.flops(function, mode, shape, dtype),
                     "bytes": 2 * math.prod(shape) * network.ELEMENT_BYTES[dtype],
                     "referee": "numpy" if mode == "forward" else "torch",
                     "tolerance": linalg.TOLERANCE[mode] * EPSILON[dtype]})
    return rows


def memory_rows(data, quick):
    """Peak memory along the published paths."""
    return [row for row in einsum_rows(data, quick)
            if row["path"] is not None and len(row["row_major"]["shapes"]) > 2]


def drop_slow(rows, quick):
    return [row for row in rows if not (quick and any(part in row["id"] for part in SLOW))]


def column_major_strides(shape):
    return [math.prod(shape[:axis]) for axis in range(len(shape))]


SUITES = {"einsum": einsum_rows, "networks": drawn.rows, "skinny": skinny_rows, "products": product_rows,
          "matrices": matrix_rows, "batches": batch_rows, "gates": gate_rows, "broadcast": broadcast_rows,
          "pairs": pairs_rows, "permutation": permutation_rows, "elementwise": elementwise_rows,
          "reduction": reduction_rows, "axes": axis_rows,
          "calls": call_rows, "graph": graph_rows, "linalg": linalg_rows, "memory": memory_rows}
