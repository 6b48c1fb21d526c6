"""Operations written in Python: eager, compiled, differentiated, written down;
errors with their tracebacks."""

import gc
import subprocess
import sys
import threading
import traceback
import weakref

import numpy as np
import pytest

import tenferro as tf
from conftest import close, drawn
from tenferro.extension import Operation, operation


@operation("tests.softplus.v1", vjp=lambda ct, y, x: ct * tf.sigmoid(x))
def softplus(x):
    """log(1 + exp(x))"""
    return np.logaddexp(0, np.asarray(x))


def solve_shape(a, b):
    return b


def solve_vjp(ct, y, a, b):
    db = tf.linalg.solve(tf.matrix_transpose(a), ct)
    return -tf.outer(db, y), db


solve = Operation("tests.solve.v1", lambda a, b: np.linalg.solve(np.asarray(a), np.asarray(b)),
                  shape=solve_shape, vjp=solve_vjp)


@operation("tests.scaled-sums.v1", outputs=2,
           shape=lambda x, axis, scale: [(np.delete(x.shape, axis), x.dtype)] * 2,
           vjp=lambda ct, y, x, axis, scale: tf.broadcast_to(tf.expand_dims(ct[0] * scale, axis), x.shape)
           + 2.0 * x * tf.expand_dims(ct[1], axis))
def scaled_sums(x, axis, scale):
    x = np.asarray(x)
    return scale * x.sum(axis), (x * x).sum(axis)


@operation("tests.product.v1", vjp=lambda ct, y, a, b: (ct * tf.conj(b), ct * tf.conj(a)))
def product(a, b):
    return tf.exp(tf.log(a)) * b  # with the library itself, inside its own run


def test_values_are_what_came_in(rng):
    x = drawn(rng, (3, 4))
    close(softplus(x), np.logaddexp(0, x))
    assert isinstance(softplus(x), np.ndarray) and isinstance(softplus(tf.asarray(x)), tf.Tensor)
    sums, squares = scaled_sums(x, axis=1, scale=2.0)
    close(sums, 2 * x.sum(1), 8)
    close(squares, (x * x).sum(1), 8)
    assert softplus.__doc__ == "log(1 + exp(x))" and "tests.softplus.v1" in repr(softplus)


def test_in_programs(rng):
    f = lambda x: tf.sum(softplus(x @ x) * x)
    x = drawn(rng, (3, 3))
    close(tf.compile(f)(x), np.asarray((np.logaddexp(0, x @ x) * x).sum()), 60)
    large = drawn(rng, (200, 200)) / 15  # without the lock
    close(tf.compile(f)(large), np.asarray((np.logaddexp(0, large @ large) * large).sum()), 40000)


def numerical(f, x, h=1e-6):
    gradient = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[at] = h
        gradient[at] = (f(x + step) - f(x - step)) / (2 * h)
    return gradient


def test_gradients(rng):
    x = rng.standard_normal((3, 3))
    f = lambda x: tf.sum(softplus(x @ x) * x)
    np.testing.assert_allclose(tf.grad(f)(x), numerical(lambda x: float(f(x)), x), rtol=1e-6, atol=1e-8)
    a, b = rng.standard_normal((4, 4)) + 4 * np.eye(4), rng.standard_normal(4)
    g = lambda a, b: tf.sum(solve(a, b) ** 3.0)
    reference = lambda a, b: tf.sum(tf.linalg.solve(a, b) ** 3.0)
    for one, other in zip(tf.grad(g, (0, 1))(a, b), tf.grad(reference, (0, 1))(a, b)):
        close(one, other, 200)
    h = lambda x: (tf.sum(scaled_sums(x, axis=0, scale=3.0)[0] ** 2.0)
                   + tf.sum(scaled_sums(x, axis=0, scale=3.0)[1]))
    np.testing.assert_allclose(tf.grad(h)(x), 18 * x.sum(0) + 2 * x, rtol=1e-12)
    np.testing.assert_allclose(tf.grad(lambda x: tf.sum(scaled_sums(x, axis=0, scale=3.0)[1]))(x), 2 * x,
                               rtol=1e-14)


def test_forward_mode_and_second_order(rng):
    x, t = rng.standard_normal(5), rng.standard_normal(5)
    sigmoid = 1 / (1 + np.exp(-x))
    value, tangent = tf.jvp(softplus, (x,), (t,))
    close(value, np.logaddexp(0, x), 8)
    close(tangent, sigmoid * t, 8)
    close(tf.hvp(lambda x: tf.sum(softplus(x)), (x,), (t,))[0], sigmoid * (1 - sigmoid) * t, 16)
    close(tf.grad(lambda x: tf.sum(tf.grad(lambda z: tf.sum(softplus(z)))(x) * t))(x),
          sigmoid * (1 - sigmoid) * t, 16)


@operation("tests.pushed-softplus.v1", jvp=lambda dx, y, x: dx * tf.sigmoid(x))
def pushed_softplus(x):
    return np.logaddexp(0, np.asarray(x))


# What both derivatives of one function are made of: several operands, several results, parameters.
def scaled_pair(a, b, scale):
    a, b = np.asarray(a), np.asarray(b)
    return scale * a * b, np.exp(a)


pushed_pair = Operation("tests.pushed-pair.v1", scaled_pair, outputs=2,
                        jvp=lambda dx, y, a, b, scale: (scale * (dx[0] * b + a * dx[1]), y[1] * dx[0]))
pulled_pair = Operation("tests.pulled-pair.v1", scaled_pair, outputs=2, vjp=lambda ct, y, a, b, scale: (
    scale * ct[0] * tf.conj(b) + tf.conj(y[1]) * ct[1], scale * ct[0] * tf.conj(a)))


def test_a_jvp_gives_all_modes_and_orders(rng):
    x, t = rng.standard_normal(5), rng.standard_normal(5)
    f, g = (lambda x, op=op: tf.sum(op(x) * x) for op in (pushed_softplus, softplus))
    close(tf.jvp(pushed_softplus, (x,), (t,))[1], tf.jvp(softplus, (x,), (t,))[1], 8)
    close(tf.grad(f)(x), tf.grad(g)(x), 8)
    close(tf.hvp(f, (x,), (t,))[0], tf.hvp(g, (x,), (t,))[0], 32)
    close(tf.compile(tf.grad(f))(x), tf.grad(g)(x), 8)
    np.testing.assert_allclose(tf.grad(f)(x), numerical(lambda x: float(f(x)), x), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_a_jvp_of_several_operands_and_results(rng, dtype):
    a, b, da, db = (drawn(rng, (3, 2), dtype) for _ in range(4))
    loss = lambda op: lambda a, b: (lambda y: tf.sum(tf.abs(y[0] * y[1]) ** 2.0))(op(a, b, scale=1.5))
    for argument in (0, 1, (0, 1)):
        for one, other in zip(*(np.atleast_2d(tf.grad(loss(op), argument)(a, b))
                                for op in (pushed_pair, pulled_pair))):
            close(one, other, 400, scale=1e3)
    found = tf.jvp(lambda a, b: pushed_pair(a, b, scale=1.5), (a, b), (da, db))[1]
    close(found[0], 1.5 * (da * b + a * db), 16)
    close(found[1], np.exp(a) * da, 64)
    # One operand moves: the other's direction is nothing.
    close(tf.jvp(lambda b: pushed_pair(a, b, scale=1.5)[0], (b,), (db,))[1], 1.5 * a * db, 16)
    assert not np.any(tf.jvp(lambda b: pushed_pair(a, b, scale=1.5)[1], (b,), (db,))[1])


def test_a_jvp_beside_integers(rng):
    def jvp(dx, y, x, rows):
        assert dx[1] is None
        return tf.take(dx[0], rows, axis=0)

    taken = Operation("tests.rows.v1", lambda x, rows: np.asarray(x)[np.asarray(rows)],
                      shape=lambda x, rows: ((*rows.shape, *x.shape[1:]), x.dtype), jvp=jvp)
    x, rows = rng.standard_normal((4, 3)), np.array([1, 1, 3])
    gradient = tf.grad(lambda x: tf.sum(taken(x, rows) ** 2.0))(x)
    expected = 2 * x * np.array([0, 2, 0, 1])[:, None]
    close(gradient, expected, 8)


def test_complex_operands(rng):
    a, b = drawn(rng, (3,), np.complex128), drawn(rng, (3,), np.complex128)
    f = lambda f: lambda a, b: tf.sum(tf.abs(f(a, b)) ** 2.0)
    for one, other in zip(tf.grad(f(product), (0, 1))(a, b), tf.grad(f(tf.multiply), (0, 1))(a, b)):
        close(one, other, 40)
    t = drawn(rng, (3,), np.complex128)
    close(tf.jvp(product, (a, b), (t, b))[1], t * b + a * b, 20)


def test_constants_met_by_a_gradient(rng):
    weights = tf.asarray(rng.standard_normal(4))
    weigh = Operation("tests.weigh.v1", lambda x: x * weights, vjp=lambda ct, y, x: ct * weights)
    x = rng.standard_normal(4)
    close(tf.grad(lambda x: tf.sum(weigh(x)))(x), np.asarray(weights))
    close(tf.compile(tf.grad(lambda x: tf.sum(weigh(x))))(x), np.asarray(weights))


def test_graphs_as_text(rng):
    x = drawn(rng, (2, 3))
    text = tf.Graph(lambda leaves: list(scaled_sums(softplus(leaves[0]), axis=0, scale=2.0)), [x]).to_json()
    for one, other in zip(tf.Program.from_json(text)(x), scaled_sums(softplus(x), axis=0, scale=2.0)):
        close(one, other, 4)
    ran = subprocess.run([sys.executable, "-c",
                          "import sys, tenferro; tenferro.Program.from_json(sys.stdin.read())"],
                         input=text, capture_output=True, text=True)
    assert ran.returncode == 1 and "tests.softplus.v1" in ran.stderr and "not registered" in ran.stderr


def test_errors_are_those_of_python():
    def fails(x):
        return 1 / 0

    broken = Operation("tests.broken.v1", fails, vjp=lambda ct, y, x: [][3])
    x = np.ones(3)
    for run in (lambda: broken(x), lambda: tf.compile(lambda x: tf.exp(broken(x)))(x),
                lambda: tf.compile(lambda x: tf.exp(broken(x)))(np.ones(100_000))):
        with pytest.raises(ZeroDivisionError) as caught:
            run()
        assert "fails" in "".join(traceback.format_tb(caught.value.__traceback__))
    with pytest.raises(IndexError):
        tf.grad(lambda x: tf.sum(broken(x)))(x)
    close(softplus(x), np.logaddexp(0, x))  # and nothing is left of them


class Held(Exception):
    pass


def test_nothing_is_leaked():
    def fails(x):
        kept.append(weakref.ref(x))
        raise Held

    kept = []
    broken = Operation("tests.leaky.v1", fails)
    for _ in range(5):
        with pytest.raises(Held):
            broken(np.ones(1000))
    gc.collect()
    assert [one() for one in kept] == [None] * 5


WRONG = [
    (lambda: Operation("nonsense", lambda x: x), ValueError, "nonsense"),
    (lambda: Operation("tests.softplus.v1", lambda x: x), ValueError, "tests.softplus.v1"),
    (lambda: Operation("tests.none.v1", lambda x: x, outputs=0), ValueError, "outputs is 0"),
    (lambda: softplus(), ValueError, "no operands"),
    (lambda: softplus(object()), TypeError, "not an array"),
    (lambda: scaled_sums(np.ones((2, 2)), axis=object(), scale=1), ValueError, "parameters are"),
    (lambda: Operation("tests.shapeless.v1", lambda x: np.asarray(x)[:1])(np.ones(3)), ValueError,
     "was inferred"),
    (lambda: Operation("tests.dtype.v1", lambda x: np.zeros(3, np.int64))(np.ones(3)), ValueError,
     "was inferred"),
    (lambda: Operation("tests.two.v1", lambda x: x, outputs=2)(np.ones(3)), ValueError, "2 results"),
    (lambda: Operation("tests.nothing.v1", lambda x: None)(np.ones(3)), TypeError, "NoneType"),
    (lambda: tf.grad(lambda x: tf.sum(Operation("tests.flat.v1", lambda x: x)(x)))(np.ones(3)),
     NotImplementedError, "tests.flat.v1"),
    (lambda: tf.grad(lambda x: tf.sum(Operation("tests.fat.v1", lambda x: x,
                                                vjp=lambda ct, y, x: tf.sum(ct))(x)))(np.ones(3)),
     ValueError, r"gradient of operand 0 is f64 \[\] but the operand is f64 \[3\]"),
    (lambda: tf.grad(lambda x: tf.sum(Operation("tests.few.v1", lambda x, y: x,
                                                vjp=lambda ct, y, a, b: ct)(x, x)))(np.ones(3)),
     ValueError, "2 gradients"),
    (lambda: Operation("tests.both.v1", lambda x: x, vjp=lambda ct, y, x: ct, jvp=lambda dx, y, x: dx),
     ValueError, "tests.both.v1 has both vjp and jvp"),
    (lambda: tf.grad(lambda x: tf.sum(Operation("tests.wide.v1", lambda x: x,
                                                jvp=lambda dx, y, x: tf.sum(dx))(x)))(np.ones(3)),
     ValueError, r"tangent of result 0 is f64 \[\] but the result is f64 \[3\]"),
    (lambda: tf.grad(lambda x: tf.sum(Operation("tests.one-of-two.v1", lambda x: (x, x), outputs=2,
                                                jvp=lambda dx, y, x: dx)(x)[0]))(np.ones(3)), ValueError,
     "jvp must return 2 results"),
    (lambda: tf.grad(lambda x: tf.sum(Operation("tests.square.v1", lambda k, x: x, shape=lambda k, x: x,
                                                jvp=lambda dx, y, k, x: dx[1] * dx[1])(1, x)))(np.ones(3)),
     ValueError, "its jvp is not linear in the tangent of operand 1"),
    (lambda: tf.grad(lambda x: tf.sum(Operation("tests.squared.v1", lambda x: (x, x), outputs=2,
                                                vjp=lambda ct, y, x: ct[0] + ct[1] * ct[1])(x)[1]))(
         np.ones(3)), ValueError, "its vjp is not linear in the cotangent of result 1"),
    *((lambda vjp=vjp, at=at: tf.grad(lambda x: tf.sum(Operation(
        f"tests.affine{at}.v1", np.asarray, vjp=vjp)(x)))(np.ones(3)), ValueError,
       "its vjp is not linear in the cotangent: a part")
      for at, vjp in enumerate([
          lambda ct, y, x: np.ones(3), lambda ct, y, x: x, lambda ct, y, x: ct + 1.0,
          lambda ct, y, x: 2.0 * (y - ct), lambda ct, y, x: tf.where(x > 0, ct, x),
          lambda ct, y, x: tf.concat([ct[:2], x[2:]])])),
    (lambda: tf.jvp(Operation("tests.affine.v1", np.asarray, jvp=lambda dx, y, x: dx + x), (np.ones(3),),
                    (np.ones(3),)), ValueError, "its jvp is not linear in the tangent: a part"),
    (lambda: tf.jvp(Operation("tests.raises.v1", lambda x: x, jvp=lambda dx, y, x: {}["gone"]), (np.ones(3),),
                    (np.ones(3),)), KeyError, "gone"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_message(number):
    call, kind, words = WRONG[number]
    with pytest.raises(kind, match=words):
        call()


def test_many_threads(rng):
    run = tf.compile(lambda x: tf.sum(softplus(x) * x))
    x = drawn(rng, (50, 50))
    expected, failures = run(x), []

    def work():
        try:
            for _ in range(50):
                assert run(x) == expected
        except BaseException as failure:  # noqa: B902
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("at, vjp", list(enumerate([
    lambda ct, y, x: np.zeros(3), lambda ct, y, x: tf.zeros(3), lambda ct, y, x: x * 0.0,
    lambda ct, y, x: tf.where(x > 9, ct, 0.0), lambda ct, y, x: tf.where(x > 9, ct, np.zeros(3)),
    lambda ct, y, x: tf.where(x > 9, ct, tf.zeros_like(x)),
    lambda ct, y, x: tf.concat([0.0 * ct[:1], tf.zeros(2)]) + 0.0])))
def test_derivatives_that_are_zero(at, vjp):
    op = Operation(f"tests.nothing{at}.v1", np.asarray, vjp=vjp)
    assert tf.grad(lambda x: tf.sum(op(x)))(np.ones(3)).tolist() == [0.0] * 3
    twice = tf.grad(lambda x: tf.sum(tf.grad(lambda z: tf.sum(op(z) * z))(x)))
    assert twice(np.ones(3)).tolist() == [0.0] * 3
