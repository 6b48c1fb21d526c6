"""NumPy with opt_einsum and, for linear algebra, SciPy; also the referee whose results are the truth."""

import numpy as np
import opt_einsum

import inputs
import scipy.linalg as scipy_linalg
from scipy import special
from protocol import Peer, as_tuple, serve

UNARY = {"erf": special.erf, "erfc": special.erfc, "lgamma": special.gammaln,
         **{name: getattr(np, name)
            for name in ("exp", "log", "sin", "tanh", "asin", "acos", "atan", "sinh", "cosh", "asinh",
                         "acosh", "atanh", "expm1", "log1p", "abs", "sqrt")}}
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "pow": np.pow, "atan2": np.atan2,
          "hypot": np.hypot, "div": np.divide}


class NumPy(Peer):
    name, version = "NumPy", np.__version__

    def search(self, request):
        """A path for rows without one, by opt_einsum's best search for networks of that size."""
        network = request["row"]["row_major"]
        path, _ = opt_einsum.contract_path(network["subscripts"], *map(tuple, network["shapes"]), shapes=True,
                                           optimize="auto-hq")
        return {"path": path}

    def einsum(self, row):
        operands = inputs.einsum_operands(row)
        shapes = [a.shape for a in operands]
        expression = opt_einsum.contract_expression(row["row_major"]["subscripts"], *shapes,
                                                    optimize=inputs.path_of(row))
        a, b = operands[0], operands[-1]
        shortcuts = {"matmul": lambda: a @ b, "multiply": lambda: a * b, "outer": lambda: a[:, None] * b,
                     "batched outer": lambda: a[:, None, :, :] * b[:, :, None, None],
                     "matmul of states": lambda: b @ a if b.ndim == 2 else a.T @ b}
        idioms = {"opt_einsum": lambda: np.ascontiguousarray(expression(*operands, backend="numpy"))}
        shortcut = inputs.binary_shortcut(row)
        return {**idioms, shortcut: shortcuts[shortcut]} if shortcut else idioms

    def permutation(self, row):
        source, perm = inputs.permutation_operand(row)
        view = source.transpose(perm)
        if not row["into"]:
            return {"copy": lambda: view.copy(order="C")}
        out = np.zeros(view.shape, view.dtype)

        def into():
            np.copyto(out, view)
            return out

        return {"copyto": into}

    def elementwise(self, row):
        a, b = inputs.elementwise_operands(row)
        out = {"out": np.zeros_like(a)} if row["into"] else {}
        name = row["function"]
        if name in UNARY:
            return {name: lambda: UNARY[name](a, **out)}
        return {name: lambda: BINARY[name](a, b, **out)}

    def pairs(self, row):
        a, b = inputs.pair_views(row, inputs.pair_operands(row))
        function = BINARY[row["function"]]
        return {"ufunc": lambda: function(a, b, order="C")}

    def graph(self, row):
        """Derivatives are written by hand."""
        a, b = inputs.graph_operands(row)
        name = row["function"]
        if name in inputs.ARITHMETIC_PAIRS:
            return {"operators": lambda: inputs.arithmetic(a, b, inputs.ARITHMETIC_PAIRS[name])}

        def chain():
            result = np.log1p(a)
            return np.multiply(result, np.exp(b), out=result)

        def products():
            z = a
            for _ in range(5):
                z = b @ z + a
            return z

        def gradient_of_squares():
            t = np.tanh(b @ a)
            return b.T @ (2 * t * (1 - t * t))

        def gradient_of_chain():
            z = np.ones_like(a)
            for _ in range(10):
                z = z * b + 1
            return z

        gradient = lambda: np.repeat(b.sum(axis=0)[:, None], a.shape[1], axis=1)
        return {"by hand": {"log1p exp mul": chain, "5 products and sums": products,
                            "gradient of sum(a b)": gradient,
                            "gradient of sum(tanh(a b)^2)": gradient_of_squares, "eager sum": lambda: a + b,
                            "eager backward of sum(a b)": gradient,
                            "eager backward of 20 operations": gradient_of_chain}[name]}

    def reduction(self, row):
        array, axes = inputs.reduction_operand(row)
        method = getattr(array, row["function"])
        axis = None if len(axes) == array.ndim else axes
        return {row["function"]: lambda: method(axis=axis)}

    def axis(self, row):
        array, axis = inputs.axis_operand(row)

        def softmax():
            part = np.exp(array - array.max(axis=axis, keepdims=True))
            part /= part.sum(axis=axis, keepdims=True)
            return part

        return {"cumulative_sum": {"cumsum": lambda: np.cumsum(array, axis=axis)},
                "softmax": {"by hand": softmax},
                "sort": {"sort": lambda: np.sort(array, axis=axis)}}[row["function"]]

    def linalg(self, row):
        if row["mode"] != "forward":
            raise NotImplementedError("NumPy has no derivatives")
        a, b = inputs.linalg_operand(row, 0), inputs.linalg_operand(row, 1)
        svd = lambda x: tuple(np.linalg.svd(x, full_matrices=False))
        numpy = {"cholesky": np.linalg.cholesky, "solve": lambda x: np.linalg.solve(x, b),
                 "qr": lambda x: tuple(np.linalg.qr(x)), "eigh": lambda x: tuple(np.linalg.eigh(x)),
                 "eig": lambda x: tuple(np.linalg.eig(x)), "svd": svd,
                 "svdvals": lambda x: np.linalg.svd(x, compute_uv=False)}.get(row["function"])
        plain = {"check_finite": False}
        scipy = {"cholesky": lambda x: scipy_linalg.cholesky(x, lower=True, **plain),
                 "lu": lambda x: scipy_linalg.lu(x, **plain),
                 "solve": lambda x: scipy_linalg.solve(x, b, **plain),
                 "qr": lambda x: scipy_linalg.qr(x, mode="economic", **plain),
                 "eigh": lambda x: scipy_linalg.eigh(x, driver="evd", **plain),
                 "eig": lambda x: scipy_linalg.eig(x, **plain),
                 "svd": lambda x: scipy_linalg.svd(x, full_matrices=False, **plain),
                 "svdvals": lambda x: scipy_linalg.svdvals(x, **plain)}[row["function"]]
        return {name: lambda function=function: as_tuple(function(a))
                for name, function in (("numpy", numpy), ("scipy", scipy)) if function}

    def call(self, row):
        # The matrices are transposed, so that the row-major result is the column-major one of [1 2; 3 4] and
        # [5 6; 7 8].
        a, b = np.array([[1.0, 3.0], [2.0, 4.0]]), np.array([[5.0, 7.0], [6.0, 8.0]])
        if row["function"] == "add 4 elements":
            return {"+": lambda: a + b}
        if row["function"] == "matmul 2x2":
            return {"@": lambda: b @ a}
        if row["function"] == "einsum 2x2":
            return {"einsum": lambda: np.einsum("ij,jk->ik", b, a)}
        expression = opt_einsum.contract_expression("ij,jk->ik", (2, 2), (2, 2))
        return {"opt_einsum": lambda: expression(b, a, backend="numpy")}

    def to_numpy(self, result):
        return np.ascontiguousarray(result).reshape(-1)


if __name__ == "__main__":
    serve(NumPy())
