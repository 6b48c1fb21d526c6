"""JAX: every row compiled by jit for its shapes, in double precision where the row is."""

import jax
import jax.numpy as jnp
import numpy as np

import inputs
from protocol import Peer, serve

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_cpu_enable_async_dispatch", False)

FUNCTIONS = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "exp": lambda a, b: jnp.exp(a),
             "log": lambda a, b: jnp.log(a),
             "sin": lambda a, b: jnp.sin(a), "tanh": lambda a, b: jnp.tanh(a)}


def compiled(function, *operands):
    """A call without arguments of the compiled function."""
    jitted = jax.jit(function)
    arrays = [jax.device_put(operand) for operand in operands]
    return lambda: jitted(*arrays)


class Jax(Peer):
    name, version = "JAX", jax.__version__

    def finish(self, result):
        result.block_until_ready()

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
        return {"jit": compiled(FUNCTIONS[row["function"]], *inputs.elementwise_operands(row))}

    def graph(self, row):
        a, b = inputs.graph_operands(row)
        name = row["function"]
        if name.startswith("eager"):
            x, y = jax.device_put(a), jax.device_put(b)
            loss = jax.grad(lambda v: jnp.sum(y @ v))
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
