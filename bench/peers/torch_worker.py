"""PyTorch: direct operations where there is one, else einsum step by step along the row's path."""

import os

import opt_einsum
import torch

import inputs
import linalg
from protocol import Peer, Unsupported, as_tuple, serve
from torch.autograd import forward_ad

torch.set_num_threads(int(os.environ.get("BENCH_THREADS", "1")))
torch.set_num_interop_threads(1)
torch.inference_mode(True).__enter__()

UNARY = {name: getattr(torch, name)
         for name in ("exp", "log", "sin", "tanh", "erf", "erfc", "lgamma", "asin", "acos", "atan", "sinh",
                      "cosh", "asinh", "acosh", "atanh", "expm1", "log1p", "abs", "sqrt")}
BINARY = {name: getattr(torch, name) for name in ("add", "sub", "mul", "pow", "atan2", "hypot", "div")}
LINALG = {"cholesky": lambda a, b: torch.linalg.cholesky(a), "lu": lambda a, b: tuple(torch.linalg.lu(a)),
          "solve": torch.linalg.solve, "qr": lambda a, b: tuple(torch.linalg.qr(a)),
          "eigh": lambda a, b: tuple(torch.linalg.eigh(a)), "eig": lambda a, b: tuple(torch.linalg.eig(a)),
          "svd": lambda a, b: tuple(torch.linalg.svd(a, full_matrices=False)),
          "svdvals": lambda a, b: torch.linalg.svdvals(a)}


def stepwise(contractions, operands):
    """torch.einsum for every pair, with labels that it accepts; the strings are made here, once."""
    steps = []
    for positions, _, subscripts, *_ in contractions:
        labels = {c: opt_einsum.get_symbol(i)
                  for i, c in enumerate(dict.fromkeys(c for c in subscripts if c not in ",->"))}
        steps.append((sorted(positions, reverse=True), "".join(labels.get(c, c) for c in subscripts)))
    if any(not c.isascii() for _, text in steps for c in text):
        raise Unsupported("a step has more than 52 labels")

    def compute():
        tensors = list(operands)
        for positions, subscripts in steps:
            tensors.append(torch.einsum(subscripts, *[tensors.pop(p) for p in positions]))
        return tensors[0].contiguous()

    return compute


class Torch(Peer):
    name, version = "PyTorch", torch.__version__

    def einsum(self, row):
        arrays = inputs.einsum_operands(row)
        operands = [torch.from_numpy(array) for array in arrays]
        shapes = [array.shape for array in arrays]
        expression = opt_einsum.contract_expression(row["row_major"]["subscripts"], *shapes,
                                                    optimize=inputs.path_of(row))
        idioms = {"opt_einsum": lambda: expression(*operands, backend="torch").contiguous()}
        try:
            idioms["torch.einsum by steps"] = stepwise(expression.contraction_list, operands)
        except Unsupported:
            pass
        a, b = operands[0], operands[-1]
        shortcuts = {"matmul": lambda: torch.matmul(a, b), "multiply": lambda: torch.mul(a, b),
                     "outer": lambda: torch.outer(a, b),
                     "batched outer": lambda: a[:, None, :, :] * b[:, :, None, None],
                     "matmul of states": lambda: b @ a if b.ndim == 2 else a.T @ b}
        shortcut = inputs.binary_shortcut(row)
        return {**idioms, shortcut: shortcuts[shortcut]} if shortcut else idioms

    def permutation(self, row):
        source, perm = inputs.permutation_operand(row)
        view = torch.from_numpy(source).permute(perm)
        if row["into"]:
            out = torch.zeros(view.shape, dtype=view.dtype)
            return {"copy_": lambda: out.copy_(view)}
        return {"copy": lambda: view.clone(memory_format=torch.contiguous_format),
                "copy_": lambda: torch.empty(view.shape, dtype=view.dtype).copy_(view)}

    def elementwise(self, row):
        a, b = (torch.from_numpy(array) for array in inputs.elementwise_operands(row))
        out = {"out": torch.zeros_like(a)} if row["into"] else {}
        name = row["function"]
        if name in UNARY:
            return {name: lambda: UNARY[name](a, **out)}
        return {name: lambda: BINARY[name](a, b, **out)}

    def pairs(self, row):
        a, b = inputs.pair_views(row, map(torch.from_numpy, inputs.pair_operands(row)))
        function, shape = BINARY[row["function"]], torch.broadcast_shapes(a.shape, b.shape)
        return {"contiguous": lambda: function(a, b).contiguous(),
                "into": lambda: function(a, b, out=torch.empty(shape, dtype=a.dtype))}

    def graph(self, row):
        a, b = (torch.from_numpy(array) for array in inputs.graph_operands(row))
        name = row["function"]
        functions = {
            **{name: lambda x, y, pairs=pairs: inputs.arithmetic(x, y, pairs)
               for name, pairs in inputs.ARITHMETIC_PAIRS.items()},
            "log1p exp mul": lambda x, y: torch.log1p(x) * torch.exp(y), "5 products and sums": self.products,
            "eager sum": torch.add}
        if name in functions:
            function = functions[name]
            if name == "eager sum":
                return {"add": lambda: function(a, b)}
            compiled = torch.compile(function)
            return {"eager": lambda: function(a, b), "compiled": lambda: compiled(a, b)}

        with torch.inference_mode(False):  # tensors made in that mode cannot be differentiated
            x, fixed = (torch.from_numpy(array) for array in inputs.graph_operands(row))
            x.requires_grad_(True)

        def backward():
            with torch.inference_mode(False):
                x.grad = None
                if name == "eager backward of 20 operations":
                    inputs.arithmetic(x, fixed, 10).sum().backward()
                    return x.grad
                product = fixed @ x
                (torch.tanh(product).square() if "tanh" in name else product).sum().backward()
                return x.grad

        return {"backward": backward}

    @staticmethod
    def products(a, b):
        z = a
        for _ in range(5):
            z = b @ z + a
        return z

    def reduction(self, row):
        array, axes = inputs.reduction_operand(row)
        tensor = torch.from_numpy(array)
        whole = len(axes) == tensor.ndim
        if row["function"] == "sum":
            return {"sum": (lambda: tensor.sum()) if whole else (lambda: tensor.sum(axes))}
        return {"amax": (lambda: tensor.max()) if whole else (lambda: tensor.amax(axes))}

    def axis(self, row):
        array, axis = inputs.axis_operand(row)
        tensor = torch.from_numpy(array)
        return {"cumulative_sum": {"cumsum": lambda: torch.cumsum(tensor, axis)},
                "softmax": {"softmax": lambda: torch.softmax(tensor, axis)},
                "sort": {"sort": lambda: torch.sort(tensor, axis)[0]}}[row["function"]]

    def linalg(self, row):
        function = LINALG[row["function"]]
        a, b = (torch.from_numpy(inputs.linalg_operand(row, i)) for i in range(2))
        if row["mode"] == "forward":
            return {"linalg": lambda: as_tuple(function(a, b))}
        count = 2 if row["function"] == "solve" else 1
        outputs = lambda *x: tuple(linalg.moduli(row, linalg.differentiated(
            row["function"], as_tuple(function(x[0], x[-1])))))
        with torch.inference_mode(False):  # tensors made in that mode cannot be differentiated
            x = tuple(torch.from_numpy(inputs.linalg_operand(row, i)) for i in range(count))
            shapes = [tuple(y.shape) for y in outputs(*x)]
            weights = [torch.from_numpy(w) for w in inputs.linalg_weights(row, shapes)]
            dx = tuple(torch.from_numpy(inputs.linalg_operand(row, 2 + i)) for i in range(count))
            loss = lambda *x: sum((w * y).sum() for w, y in zip(weights, outputs(*x)))
            leaves = tuple(y.clone().requires_grad_(True) for y in x) if row["mode"] == "vjp" else ()

        def gradient():
            with torch.inference_mode(False):
                return torch.autograd.grad(loss(*leaves), leaves)

        def tangents():
            with torch.inference_mode(False):
                return tuple(torch.func.jvp(outputs, x, dx)[1])

        def dual_tangents():
            with torch.inference_mode(False), torch.no_grad(), forward_ad.dual_level():
                y = outputs(*map(forward_ad.make_dual, x, dx))
                return tuple(forward_ad.unpack_dual(part).tangent for part in y)

        return ({"autograd": gradient} if row["mode"] == "vjp"
                else {"func.jvp": tangents, "dual numbers": dual_tangents})

    def call(self, row):
        # The matrices are transposed, so that the row-major result is the column-major one of [1 2; 3 4] and
        # [5 6; 7 8].
        a = torch.tensor([[1.0, 3.0], [2.0, 4.0]], dtype=torch.float64)
        b = torch.tensor([[5.0, 7.0], [6.0, 8.0]], dtype=torch.float64)
        if row["function"] == "add 4 elements":
            return {"add": lambda: torch.add(a, b)}
        if row["function"] == "matmul 2x2":
            return {"mm": lambda: torch.mm(b, a)}
        if row["function"] == "einsum 2x2":
            return {"einsum": lambda: torch.einsum("ij,jk->ik", b, a)}
        expression = opt_einsum.contract_expression("ij,jk->ik", (2, 2), (2, 2))
        return {"opt_einsum": lambda: expression(b, a, backend="torch")}

    def array(self, result):
        return result.detach().resolve_conj().numpy()

    def to_numpy(self, result):
        return result.contiguous().numpy().reshape(-1)


if __name__ == "__main__":
    serve(Torch())
