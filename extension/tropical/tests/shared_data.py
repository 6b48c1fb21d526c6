#!/usr/bin/env python3
"""Published tropical cases through the C functions: values, ties, gradients, special values, and matrix
products of another library. Without the folder of data it is skipped.

    shared_data.py LIBRARY FOLDER
"""
import ctypes
import json
import pathlib
import sys

library, folder = ctypes.CDLL(sys.argv[1]), pathlib.Path(sys.argv[2])
if not folder.is_dir():
    print(f"skipped: there is no folder {folder}")
    sys.exit(77)
SCALARS = {"f64": ctypes.c_double, "f32": ctypes.c_float}
problems, checked = [], 0


def function(name, result=ctypes.c_void_p):
    found = getattr(library, name)
    found.restype = result
    return found


def places(shape):
    """Column-major position of each row-major element."""
    found, step = [0], 1
    steps = []
    for extent in shape:
        steps.append(step)
        step *= extent
    for extent, step in zip(shape, steps):
        found = [place + i * step for place in found for i in range(extent)]
    return found


def make(kind, shape, values):
    data = (SCALARS[kind] * max(len(values), 1))()
    for place, value in zip(places(shape), values):
        data[place] = float(value)
    extents = (ctypes.c_size_t * max(len(shape), 1))(*shape)
    handle = function(f"tfe_tensor_{kind}_from_data")(data, ctypes.c_size_t(len(values)), extents,
                                                     ctypes.c_size_t(len(shape)), None)
    return ctypes.c_void_p(handle)


def take(kind, handle, shape):
    """The values, row-major; the handle is released."""
    if not handle:
        text = ctypes.create_string_buffer(4096)
        length = ctypes.c_size_t()
        function("tfe_last_error_message", ctypes.c_int32)(text, ctypes.c_size_t(4096), ctypes.byref(length))
        raise RuntimeError(text.value.decode())
    handle = ctypes.c_void_p(handle)
    data = function(f"tfe_tensor_{kind}_data", ctypes.POINTER(SCALARS[kind]))(handle)
    values = [data[place] for place in places(shape)]
    function(f"tfe_tensor_{kind}_release", None)(handle)
    return values


def einsum(kind, algebra, equation, operands, shape):
    handles = (ctypes.c_void_p * len(operands))(*operands)
    result = function(f"tfe_tropical_einsum_{algebra}_{kind}")(equation.encode(), handles,
                                                               ctypes.c_size_t(len(operands)), None)
    return take(kind, result, shape)


def rrule(kind, algebra, equation, operands, cotangent, shapes):
    handles = (ctypes.c_void_p * len(operands))(*operands)
    grads = (ctypes.c_void_p * len(operands))()
    function(f"tfe_tropical_einsum_rrule_{algebra}_{kind}", None)(
        equation.encode(), handles, ctypes.c_size_t(len(operands)), cotangent, grads, None)
    return [take(kind, grad, shape) for grad, shape in zip(grads, shapes)]


def rule(k, count, modulus=7):
    return [((n * 2654435761 + ((k + 1) * 40503 * 977 + 12345)) % 2**32 >> 13) % modulus - modulus // 2
            for n in range(count)]


def size(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def close(a, b, scale=1.0):
    return a == b or abs(a - b) <= 1e-12 * max(abs(a), abs(b), scale) or (a != a and b != b)


def compare(name, values, expected, exact=True):
    """Against the values, or their sums with and without weights."""
    global checked
    checked += 1
    fits = True
    if "data" in expected:
        wanted = [float(x) for x in expected["data"]]
        fits = len(values) == len(wanted) and all(close(x, y, 0) for x, y in zip(values, wanted))
    if fits and "sum" in expected:
        magnitude = sum(abs(x) for x in values)
        weights = rule(400, len(values))
        fits = (close(sum(values), expected["sum"], magnitude)
                and close(sum(x * w for x, w in zip(values, weights)), expected["wsum"], 3 * magnitude))
    if not fits:
        problems.append(f"{name}: {values[:8]} is not {str(expected)[:200]}")


for case in json.loads((folder / "tropical" / "tropical_cases.dev.json").read_text()):
    if "operands" in case:
        shapes = [operand["shape"] for operand in case["operands"]]
        data = [operand["data"] for operand in case["operands"]]
    else:
        shapes = case["shapes"]
        modulus = int(case["data_rule"].split("mod=")[1].split(")")[0]) if "mod=" in case["data_rule"] else 7
        data = [rule(k, size(shape), modulus) for k, shape in enumerate(shapes)]
        if "absolute" in case["data_rule"]:
            data = [[abs(x) for x in values] for values in data]
    operands = [make("f64", shape, values) for shape, values in zip(shapes, data)]
    shape = case["result"]["shape"]
    compare(case["id"], einsum("f64", case["algebra"], case["equation"], operands, shape), case["result"])
    if "vjp" in case:
        cotangent = make("f64", shape, rule(300, size(shape)))
        grads = rrule("f64", case["algebra"], case["equation"], operands, cotangent, shapes)
        for k, (grad, expected) in enumerate(zip(grads, case["vjp"])):
            compare(f"{case['id']} gradient {k}", grad, expected)

for algebra in ("maxplus", "minplus", "maxmul"):
    for kind in SCALARS:
        for path in sorted((folder / "tropical" / "tropical-gemm" / f"{algebra}_{kind}").glob("*.json")):
            case = json.loads(path.read_text())
            if case.get("batch_size"):
                pairs = list(zip(case["a"], case["b"], case["c_expected"]))
            else:
                pairs = [(case["a"], case["b"], case["c_expected"])]
            for a, b, c in pairs:
                shapes = [[len(a), len(a[0])], [len(b), len(b[0])]]
                operands = [make(kind, shape, [x for row in matrix for x in row])
                            for shape, matrix in zip(shapes, (a, b))]
                shape = [shapes[0][0], shapes[1][1]]
                values = einsum(kind, algebra, "ij,jk->ik", operands, shape)
                epsilon = 1e-15 if kind == "f64" else 1e-6
                wanted = [float(x) for row in c for x in row]
                checked += 1
                if not all(x == y or abs(x - y) <= epsilon * abs(y) for x, y in zip(values, wanted)):
                    problems.append(f"{path.name} {algebra} {kind}")

print("\n".join(problems) or f"{checked} results as published")
sys.exit(bool(problems))
