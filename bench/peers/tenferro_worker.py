"""tenferro from Python: plans on arrays of NumPy's, which are in columns as those of the C++ worker, or
tenferro.jax.einsum under jit. Usage: tenferro_worker.py numpy|jax"""

import sys

import inputs
import numpy as np
from protocol import Peer, serve

import tenferro as tf


def on_cache_lines(array):
    """A copy that begins at a cache line, as the C++ worker's operands do. NumPy's begin 16 bytes behind one,
    which makes some products 7 % slower whoever calls."""
    memory = np.empty(array.nbytes + 64, np.uint8)
    at = -memory.ctypes.data % 64
    copy = memory[at:at + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


class Plans(Peer):
    name, version = "tenferro from Python", tf.__version__

    def einsum(self, row):
        operands = [on_cache_lines(a).T for a in inputs.einsum_operands(row)]
        optimize = True if row["path"] is None else row["path"]
        plan = tf.plan(row["column_major"]["subscripts"], *operands, optimize=optimize)
        return {"plan": lambda: plan(*operands)}

    def to_numpy(self, result):
        return result.ravel(order="K")


def jitted():
    import jax
    import jax_worker
    import tenferro.jax

    class Jitted(jax_worker.Jax):
        name, version = "tenferro.jax", tf.__version__

        def einsum(self, row):
            subscripts = row["row_major"]["subscripts"]
            function = lambda *operands: tenferro.jax.einsum(subscripts, *operands)
            return {"jit einsum": jax_worker.compiled(function, *inputs.einsum_operands(row))}

    return Jitted()


if __name__ == "__main__":
    serve(Plans() if sys.argv[1] == "numpy" else jitted())
