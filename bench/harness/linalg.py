"""The cases of linear algebra and the flops that they need at least."""

FUNCTIONS = ["cholesky", "lu", "solve", "qr", "eigh", "eig", "svdvals", "svd"]
SIZES, QUICK_SIZES = [2, 4, 8, 64, 256, 512], [2, 8, 64]
BATCHES, QUICK_BATCHES = [(2, 16), (2, 64), (4, 16), (4, 64), (16, 1024)], [(4, 64)]

# Relative to the largest element, in units of rounding. Vectors feel the gaps between values, and their
# derivatives the gaps twice.
TOLERANCE = {"forward": 1e5, "jvp": 1e5, "vjp": 1e5}

# Real flops over n^3 of an n x n matrix (Golub and Van Loan, Matrix Computations, 4th edition: 4.2.5, 3.2.9,
# 5.2.2 with Q formed, 8.3.1 and 8.6.3 with the vectors turned back, 7.5.6): what a blocked algorithm without
# iterations of its own would need. Values alone are reduced, and no more. The right-hand side of `solve` is
# one column.
FORWARD = {"cholesky": 1 / 3, "lu": 2 / 3, "solve": 2 / 3, "qr": 8 / 3, "eigh": 4 / 3 + 2, "eig": 25,
           "svdvals": 8 / 3, "svd": 8 / 3 + 4}
# What derivatives add with the factors at hand: triangular solves and products of matrices, of which those
# of values alone need one, and solve none.
DERIVATIVE = {"cholesky": 3, "lu": 4, "solve": 0, "qr": 5, "eigh": 6, "eig": 8, "svdvals": 2, "svd": 12}


def cases(quick):
    """(function, mode, shape, dtype)."""
    sizes, batches = (QUICK_SIZES, QUICK_BATCHES) if quick else (SIZES, BATCHES)
    shapes = [[n, n] for n in sizes] + [[n, n, count] for n, count in batches]
    for mode in ("forward", "jvp", "vjp"):
        for function in FUNCTIONS:
            for shape in shapes:
                yield function, mode, shape, "f64"
            for dtype in () if quick else ("f32", "c64"):
                for shape in ([4, 4], [64, 64], [4, 4, 64]):
                    yield function, mode, shape, dtype


def flops(function, mode, shape, dtype):
    """Of all matrices of the batch; a complex multiplication and addition are four real ones."""
    n, count = shape[0], shape[2] if len(shape) == 3 else 1
    cubes = FORWARD[function]
    if mode != "forward":
        cubes += DERIVATIVE[function]
        if function == "svdvals":
            cubes = FORWARD["svd"] + DERIVATIVE[function]  # along the vectors
    return cubes * n**3 * count * (4 if dtype.startswith("c") else 1)
