"""Arguments that are not what a function takes: the class of the exception, and a text that names the
function, the argument and its value."""

import numpy as np
import pytest

import tenferro as tf

X = np.ones((2, 3))
WRONG = [
    (lambda: tf.reshape(X, 1.5), TypeError, "reshape: an extent is 1.5 but must be an integer"),
    (lambda: tf.reshape(X, (2, "3")), TypeError, "reshape: an extent is '3' but must be an integer"),
    (lambda: tf.reshape(X, (4, 2)), ValueError,
     r"reshape: the operand of shape \[2, 3\] has 6 elements but shape"),
    (lambda: tf.reshape(X, (4, -1)), ValueError, "6 elements, which do not fill axes of 4"),
    (lambda: tf.zeros((2, 2**70)), ValueError,
     "zeros: an extent is 1180591620717411303424 but must fit into 64 bits"),
    (lambda: tf.zeros("23"), TypeError, "zeros: an extent is '23'"),
    (lambda: tf.full((2,), X), ValueError, "full: the value has rank 2 but must be a number"),
    (lambda: tf.full((2,), 1j, dtype=tf.float64), TypeError,
     "full: the value is complex but the dtype is float64"),
    (lambda: tf.full_like(X, 1j), TypeError, "full_like: the value is complex but the dtype is float64"),
    (lambda: tf.linspace(0, 1j, 3, dtype=tf.float32), TypeError, "linspace: the value is complex"),
    (lambda: tf.linalg.vector_norm(X, ord=float("nan")), ValueError, "vector_norm: p is NaN"),
    (lambda: tf.linspace(0, 1, -3), ValueError, "linspace: num is -3"),
    (lambda: tf.arange(2**64), ValueError, "arange: start is 18446744073709551616"),
    (lambda: tf.sum(X, axis=2), IndexError, "sum"),
    (lambda: tf.sum(X, axis=0.0), TypeError, "sum: axis is 0.0"),
    (lambda: tf.sum(X, axis=(0, 0)), ValueError, "sum"),
    (lambda: tf.argmax(X, axis=(0, 1)), TypeError, r"argmax: axis is \(0, 1\)"),
    (lambda: tf.squeeze(X, axis=1), ValueError, "squeeze: axis 1 has extent 3 but must have 1"),
    (lambda: tf.broadcast_to(X, (3,)), ValueError,
     r"broadcast_to: the operand has rank 2 but shape \[3\] has 1 axes"),
    (lambda: tf.broadcast_to(X, (4, 3)), ValueError, r"does not broadcast to \[4, 3\]: axis 0"),
    (lambda: tf.concat([]), ValueError, "concat: got no arrays"),
    (lambda: tf.stack(3), TypeError, "stack: arrays is 3 but must be a sequence of arrays"),
    (lambda: tf.triu(np.ones(3)), ValueError, "triu: rank is 1"),
    (lambda: tf.tensordot(X, X, axes=[0]), ValueError,
     r"tensordot: axes is \[0\] but must be a number or two lists"),
    (lambda: tf.tensordot(X, X, axes=2**70), ValueError, "tensordot: axes is 1180591620717411303424"),
    (lambda: tf.linspace(0, 1, 2**40), MemoryError, "linspace: num is 1099511627776"),
    (lambda: tf.linspace(0, 1, 2**62), MemoryError, "linspace: num is 4611686018427387904"),
    (lambda: tf.linspace(0, "1", 3), TypeError, "linspace: stop is '1' but must be a number"),
    (lambda: tf.zeros((2,), device="gpu"), ValueError, "zeros: device is 'gpu'"),
    (lambda: tf.astype(X, "float8"), TypeError, "astype: dtype: dtype is 'float8' but only float32"),
    (lambda: tf.sum(X, axis=X), TypeError, r"sum: axis is array\(\[1"),
    (lambda: tf.sum("12"), TypeError, "sum: asarray: str is not an array"),
    (lambda: tf.where(X > 0, X, X.T), ValueError, "where: select: on_true axis 0 has extent 2"),
    (lambda: tf.tile(X, 2), TypeError, "tile: a repetition is 2 but must be a sequence of integers"),
    (lambda: tf.tile(X, (-1,)), ValueError, r"tile: repetitions is \[-1\]"),
    (lambda: tf.roll(X, 1.5), TypeError, "roll: a shift is 1.5 but must be an integer"),
    (lambda: tf.diff(X, n="1"), TypeError, "diff: n is '1' but must be an integer"),
    (lambda: tf.unstack(X, axis="0"), TypeError, "unstack: axis is '0' but must be an integer"),
    (lambda: tf.broadcast_shapes((2, -1)), ValueError, r"broadcast_shapes: shape \(2, -1\)"),
    (lambda: tf.meshgrid(X[0], indexing="ji"), ValueError, "meshgrid: indexing is 'ji' but must be 'xy' or"),
    (lambda: tf.linalg.qr(X, mode="full"), ValueError, "qr: mode is 'full'"),
    (lambda: tf.linalg.eigh(X[:, :2], UPLO="X"), ValueError, "eigh: UPLO is 'X' but must be 'L' or 'U'"),
    (lambda: tf.linalg.matrix_norm(X, ord=[1]), TypeError, r"matrix_norm: ord is \[1\]"),
    (lambda: tf.linalg.svdvals(X[0]), ValueError, "svdvals: .* rank 1"),
    (lambda: tf.grad(3), TypeError, "grad: f is 3 but must be a function"),
    (lambda: tf.grad(tf.sum, argnums="0"), TypeError, "grad: argnums is '0'"),
    (lambda: tf.grad(tf.sum, argnums=1)(X), ValueError, r"grad: argnums is \[1\] but f got 1 arguments"),
    (lambda: tf.jvp(tf.sum, X, X), TypeError, r"jvp: primals is array\("),
    (lambda: tf.hvp(tf.sum, (X,), (X, X)), ValueError, "hvp: vectors and primals differ in structure"),
    (lambda: tf.contract(X, [0, 1]), TypeError, r"contract: subscripts is array\("),
    (lambda: tf.matmul(np.float64(2), X), ValueError, "matmul: the operands have ranks 0 and 2"),
    (lambda: tf.asarray([[1, 2], [3]]), ValueError,
     "lists at depth 1 differ: one of length 1 beside one of length 2"),
    (lambda: tf.asarray([[1, 2], 3]), ValueError, "lists at depth 1 differ: a number beside one of length 2"),
    (lambda: tf.asarray(2**63), ValueError, "asarray: an integer is 9223372036854775808"),
    (lambda: tf.einsum("ij->ij", X, order="CF"), ValueError, "einsum: order is 'CF'"),
    (lambda: tf.einsum("ij->ij", X, optimize=3), TypeError, "einsum: optimize is 3"),
    (lambda: tf.einsum("ij,jk->ik", X, X.T, optimize=[(0, 1.0)]), TypeError, "a step of the path is 1.0"),
    (lambda: tf.einsum(X, [0, 1.5]), TypeError, "einsum: a label is 1.5"),
    (lambda: tf.einsum(X, 3), TypeError, "a list of labels is 3"),
    (lambda: tf.plan("ij->", (2, 3), memory_limit=0), ValueError, "memory_limit is 0 bytes"),
    (lambda: tf.plan("ij->", (2, 3), seconds=-1.0), ValueError, "seconds is -1"),
    (lambda: tf.plan("ij->", (2, 3.0)), TypeError, "plan: an extent is 3.0"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_message(number):
    call, kind, words = WRONG[number]
    with pytest.raises(kind, match=words) as caught:
        call()
    assert isinstance(caught.value, tf.errors.Error)


def test_what_a_function_raises_is_its_own():
    def fails(x):
        raise TypeError("on purpose")

    for call in (lambda: tf.grad(fails)(X), lambda: tf.vjp(fails, X),
                 lambda: tf.contract("ij,jk,kl->il", X, X.T, X, optimize=fails)):
        with pytest.raises(TypeError) as caught:
            call()
        assert "on purpose" in str(caught.value) or "fails" in str(caught.value)
        assert type(caught.value) is TypeError


def test_long_values_are_cut():
    with pytest.raises(TypeError) as caught:
        tf.reshape(X, ("x" * 500,))
    assert "..." in str(caught.value) and len(str(caught.value)) < 200


def test_a_list_that_holds_itself():
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested more than 64 deep"):
        tf.asarray(endless)


def test_objects_that_were_never_made():
    with pytest.raises(ValueError, match="never made"):
        tf.sum(tf.Tensor.__new__(tf.Tensor))
    with pytest.raises(ValueError, match="never made"):
        tf.Plan.__new__(tf.Plan)(X)


def test_tangents_that_do_not_fit():
    plan = tf.plan("ij,jk->ik", X, X.T)
    with pytest.raises(ValueError, match="got 1 tangents for 2 operands"):
        plan.jvp((X, X.T), (X,))
    with pytest.raises(ValueError):
        plan.jvp((X, X.T), (X.T, None))
    with pytest.raises(ValueError):
        plan.vjp(X, X.T, cotangent=X)


def test_a_watcher_that_raises():
    plan = tf.plan("ij,jk,kl->il", X, X.T, X)
    seen = []

    def watch(done, total):
        seen.append((done, total))
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        plan.run(X, X.T, X, progress=watch)
    assert len(seen) == 1
    np.testing.assert_allclose(plan(X, X.T, X), X @ X.T @ X)
