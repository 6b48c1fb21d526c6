"""JAX: every row compiled by jit for its shapes, in double precision where the row is."""

import jax
import jax.numpy as jnp
import numpy as np

import inputs
import linalg
from protocol import Peer, as_tuple, serve

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_cpu_enable_async_dispatch", False)

UNARY = {"erf": jax.scipy.special.erf, "erfc": jax.scipy.special.erfc, "lgamma": jax.scipy.special.gammaln,
         **{name: getattr(jnp, name)
            for name in ("exp", "log", "sin", "tanh", "asin", "acos", "atan", "sinh", "cosh", "asinh",
                         "acosh", "atanh", "expm1", "log1p", "abs", "sqrt")}}
BINARY = {"add": jnp.add, "sub": jnp.subtract, "mul": jnp.multiply, "pow": jnp.pow, "atan2": jnp.atan2,
          "hypot": jnp.hypot, "div": jnp.divide}

LINALG = {"cholesky": lambda a, b: jnp.linalg.cholesky(a),
          "lu": lambda a, b: tuple(jnp.vectorize(jax.scipy.linalg.lu,
                                                 signature="(n,n)->(n,n),(n,n),(n,n)")(a)),
          "solve": jnp.linalg.solve, "qr": lambda a, b: tuple(jnp.linalg.qr(a)),
          "eigh": lambda a, b: tuple(jnp.linalg.eigh(a)),
          "eig": lambda a, b: tuple(jax.lax.linalg.eig(a, compute_left_eigenvectors=False,
                                                       enable_eigvec_derivs=True)),
          "svd": lambda a, b: tuple(jnp.linalg.svd(a, full_matrices=False)),
          "svdvals": lambda a, b: jnp.linalg.svd(a, compute_uv=False)}


def compiled(function, *operands):
    """A call without arguments of the compiled function."""
    jitted = jax.jit(function)
    arrays = [jax.device_put(operand) for operand in operands]
    return lambda: jitted(*arrays)


class Jax(Peer):
    name, version = "JAX", jax.__version__

    def finish(self, result):
        jax.block_until_ready(result)

    def einsum(self, row):
        subscripts, path = row["row_major"]["subscripts"], inputs.path_of(row)
        function = lambda *operands: jnp.einsum(subscripts, *operands, optimize=path)
        return {"jit einsum": compiled(function, *inputs.einsum_operands(row))}

    def permutation(self, row):
        if row["into"]:
            raise NotImplementedError("JAX arrays cannot be overwritten")
        source, perm = inputs.permutation_operand(row)
        return {"jit transpose": compiled(lambda x: jnp.copy(jnp.transpose(x, perm)), source)}

    def elementwise(self, row):
        if row["into"]:
            raise NotImplementedError("JAX arrays cannot be overwritten")
        a, b = inputs.elementwise_operands(row)
        name = row["function"]
        return {"jit": compiled(UNARY[name], a) if name in UNARY else compiled(BINARY[name], a, b)}

    def pairs(self, row):
        function = BINARY[row["function"]]
        return {"jit": compiled(lambda *operands: function(*inputs.pair_views(row, operands)),
                                *inputs.pair_operands(row))}

    def graph(self, row):
        a, b = inputs.graph_operands(row)
        name = row["function"]
        if name.startswith("eager"):
            x, y = jax.device_put(a), jax.device_put(b)
            chain = name == "eager backward of 20 operations"
            loss = jax.grad(lambda v: jnp.sum(inputs.arithmetic(v, y, 10) if chain else y @ v))
            return {"no jit": (lambda: x + y) if name == "eager sum" else (lambda: loss(x))}

        def products(x, y):
            z = x
            for _ in range(5):
                z = y @ z + x
            return z

        functions = {
            **{name: lambda x, y, pairs=pairs: inputs.arithmetic(x, y, pairs)
               for name, pairs in inputs.ARITHMETIC_PAIRS.items()},
            "log1p exp mul": lambda x, y: jnp.log1p(x) * jnp.exp(y), "5 products and sums": products,
            "gradient of sum(a b)": jax.grad(lambda x, y: jnp.sum(y @ x)),
            "gradient of sum(tanh(a b)^2)": jax.grad(lambda x, y: jnp.sum(jnp.tanh(y @ x) ** 2))}
        return {"jit": compiled(functions[name], a, b)}

    def reduction(self, row):
        array, axes = inputs.reduction_operand(row)
        function = {"sum": jnp.sum, "max": jnp.max}[row["function"]]
        return {"jit": compiled(lambda x: function(x, axis=axes), array)}

    def axis(self, row):
        array, axis = inputs.axis_operand(row)
        functions = {"cumulative_sum": jnp.cumsum, "softmax": jax.nn.softmax, "sort": jnp.sort}
        function = functions[row["function"]]
        return {"jit": compiled(lambda x: function(x, axis=axis), array)}

    def linalg(self, row):
        function = LINALG[row["function"]]
        a, b = inputs.linalg_operand(row, 0), inputs.linalg_operand(row, 1)
        if row["mode"] == "forward":
            return {"jit": compiled(lambda x, y: as_tuple(function(x, y)), a, b)}
        count = 2 if row["function"] == "solve" else 1
        outputs = lambda *x: linalg.moduli(row, linalg.differentiated(
            row["function"], as_tuple(function(x[0], x[-1]))))
        x, dx = (tuple(inputs.linalg_operand(row, first + i) for i in range(count)) for first in (0, 2))
        if row["mode"] == "jvp":
            return {"jit jvp": compiled(lambda x, dx: tuple(jax.jvp(outputs, x, dx)[1]), x, dx)}
        weights = inputs.linalg_weights(row, [y.shape for y in jax.eval_shape(outputs, *x)])
        loss = lambda w, *x: sum((u * y).sum() for u, y in zip(w, outputs(*x)))
        gradient = jax.grad(loss, argnums=tuple(range(1, count + 1)))
        # JAX gives the conjugate of the gradient of others.
        return {"jit grad": compiled(lambda w, *x: tuple(map(jnp.conj, gradient(w, *x))), weights, *x)}

    def call(self, row):
        # Transposed as in torch_worker.py.
        a, b = np.array([[1.0, 3.0], [2.0, 4.0]]), np.array([[5.0, 7.0], [6.0, 8.0]])
        if row["function"] == "add 4 elements":
            return {"jit": compiled(lambda x, y: x + y, a, b)}
        if row["function"] == "matmul 2x2":
            return {"jit": compiled(jnp.matmul, b, a)}
        return {"jit": compiled(lambda x, y: jnp.einsum("ij,jk->ik", x, y), b, a)}


if __name__ == "__main__":
    serve(Jax())
