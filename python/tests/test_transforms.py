"""Derivatives and programs of Python functions: against differences and formulas, nested, on trees."""

import subprocess
import sys

import numpy as np
import pytest

import tenferro as tf
from conftest import close, drawn


def differences(f, x, h=1e-6):
    """Central differences of a real f at real x."""
    slope = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[at] += h
        down[at] -= h
        slope[at] = (float(f(up)) - float(f(down))) / (2 * h)
    return slope


FUNCTIONS = {
    "quadratic": lambda x: tf.sum(x * x),
    "einsum": lambda x: tf.einsum("ij,kj,ki->", x, tf.exp(x), tf.matmul(x, tf.transpose(x))),
    "index": lambda x: tf.sum(x[0, ::-1] * x[1]) + tf.sum(x[:, [1, 1]] ** 2.0),
    "shapes": lambda x: tf.sum(tf.sin(tf.reshape(x, -1)) * tf.concat([x[0], tf.flip(x[1])])),
    "softmax": lambda x: tf.logsumexp(tf.softmax(x) * 3.0),
    "where": lambda x: tf.sum(tf.where(x > 0, x**3.0, tf.tanh(x))),
    "spread": lambda x: tf.std(x) + tf.max(x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name, rng):
    f = FUNCTIONS[name]
    x = rng.standard_normal((2, 3))
    gradient = tf.grad(f)(x)
    assert isinstance(gradient, np.ndarray)
    # Of a central difference: h^2 of truncation, eps / h of rounding.
    h = 1e-6
    bound = 1e3 * (np.finfo(float).eps / h + h * h) * max(1.0, np.abs(gradient).max())
    np.testing.assert_allclose(gradient, differences(f, x, h), rtol=0, atol=bound)


def test_values_and_arguments(rng):
    x, y = rng.standard_normal(3), rng.standard_normal(3)
    f = lambda a, b, scale=1.0: tf.sum(a * b * b) * scale
    value, gradient = tf.value_and_grad(f)(x, y, scale=2.0)
    close(value, np.asarray(2 * (x * y * y).sum()), 9)
    close(gradient, 2 * y * y, 4)
    da, db = tf.grad(f, argnums=(0, 1))(x, y)
    close(da, y * y, 4)
    close(db, 2 * x * y, 4)
    assert isinstance(tf.grad(f, argnums=1)(tf.asarray(x), tf.asarray(y)), tf.Tensor)


def test_trees(rng):
    parameters = {"w": rng.standard_normal((3, 2)), "b": [rng.standard_normal(2), (rng.standard_normal(()),)],
                  "none": None}
    x = rng.standard_normal((4, 3))

    def loss(p):
        return tf.sum((x @ p["w"] + p["b"][0] * p["b"][1][0]) ** 2.0)

    gradient = tf.grad(loss)(parameters)
    rest = x @ parameters["w"] + parameters["b"][0] * parameters["b"][1][0]
    close(gradient["w"], 2 * x.T @ rest, 30)
    close(gradient["b"][0], 2 * rest.sum(0) * parameters["b"][1][0], 30)
    assert gradient["none"] is None and isinstance(gradient["b"][1], tuple)


def test_forward_and_reverse(rng):
    x, t = rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    f = lambda a: {"y": a @ a, "s": tf.sum(tf.exp(a))}
    value, tangent = tf.jvp(f, (x,), (t,))
    close(value["y"], x @ x, 9)
    close(tangent["y"], x @ t + t @ x, 18)
    close(tangent["s"], np.asarray((np.exp(x) * t).sum()), 30, scale=30)
    again, pull = tf.vjp(f, x)
    close(again["y"], x @ x, 9)
    c = {"y": rng.standard_normal((3, 3)), "s": np.asarray(0.5)}
    (pulled,) = pull(c)
    close(pulled, c["y"] @ x.T + x.T @ c["y"] + 0.5 * np.exp(x), 30, scale=20)
    with pytest.raises(ValueError, match="structure"):
        pull(c["y"])


def test_complex_gradients(rng):
    """Of |w|^2: 2 w, so that a step against the gradient descends."""
    w = drawn(rng, (3,), np.complex128)
    close(tf.grad(lambda z: tf.sum(tf.real(z * tf.conj(z))))(w), 2 * w, 8)


def test_second_order(rng):
    x, v = rng.standard_normal(4), rng.standard_normal(4)
    f = lambda a: tf.sum(a**4.0)
    close(tf.hvp(f, (x,), (v,))[0], 12 * x * x * v, 16, scale=100)
    close(tf.grad(lambda a: tf.sum(tf.grad(f)(a) * v))(x), 12 * x * x * v, 16, scale=100)
    close(tf.grad(tf.grad(tf.grad(lambda a: a**4.0)))(np.asarray(2.0)), np.asarray(48.0), 16)


def test_nested_functions_do_not_confuse_their_variables():
    """d/dx of x times (d/dy of x y at y = x) is d/dx x^2, and not of x times d/dx x^2."""
    outer = tf.grad(lambda x: x * tf.grad(lambda y: x * y)(x))
    close(outer(np.asarray(3.0)), np.asarray(6.0), 4)
    twice = tf.grad(lambda a: tf.grad(lambda b: a * b)(np.asarray(3.0)))
    close(twice(np.asarray(3.0)), np.asarray(1.0), 4)


def test_constants_met_on_the_way(rng):
    kept = tf.asarray(rng.standard_normal(3))
    x = rng.standard_normal(3)
    f = lambda a: tf.sum(a * kept)
    close(tf.grad(f)(x), np.asarray(kept), 4)
    close(tf.grad(lambda a: tf.sum(kept))(x), np.zeros(3))


def test_dicts_keep_their_kind():
    from collections import OrderedDict

    def f(tree):
        return OrderedDict(z=tree["b"] * 2.0, a=tree["a"])

    given = OrderedDict(b=np.ones(2), a=np.zeros(3))
    value, slope = tf.jvp(f, (given,), (OrderedDict(b=np.ones(2), a=np.ones(3)),))
    assert type(value) is OrderedDict and list(value) == ["z", "a"] and list(slope) == ["z", "a"]
    assert list(tf.grad(lambda tree: tf.sum(tree["b"]))(given)) == ["b", "a"]
    given = {1: np.ones(2), "one": np.ones(2)}
    mixed = tf.compile(lambda tree: {key: x + 1.0 for key, x in tree.items()})(given)
    assert set(mixed) == {1, "one"} and type(mixed) is dict


def test_compile_keeps_the_programs_used_last():
    traced = []

    @tf.compile
    def f(x):
        traced.append(x.shape)
        return x + 1.0

    for n in [*range(1, 300), 299, 1]:
        close(f(np.zeros(n)), np.ones(n))
    assert len(traced) == 300 and traced[-1] == (1,)


def test_compiled(rng):
    calls = []

    @tf.compile
    def f(a, b):
        calls.append(1)
        return [a @ b, {"s": tf.sum(a)}]

    for _ in range(3):
        a, b = drawn(rng, (2, 3)), drawn(rng, (3, 4))
        product, rest = f(a, b)
        assert isinstance(product, np.ndarray)
        close(product, a @ b, 6)
        close(rest["s"], np.asarray(a.sum()), 6)
    assert len(calls) == 1
    f(drawn(rng, (5, 3)), drawn(rng, (3, 4)))
    assert len(calls) == 2
    fast = tf.compile(tf.grad(lambda a: tf.sum(a * a)))
    x = rng.standard_normal(3)
    close(fast(x), 2 * x, 4)
    close(fast(2 * x), 4 * x, 4)


def test_graphs_as_text(rng):
    a, kept = drawn(rng, (2, 3)), tf.asarray(drawn(rng, (3,)))
    graph = tf.Graph(lambda leaves: [tf.exp(leaves[0]) * kept, tf.sum(leaves[0])], [a])
    text = graph.to_json()
    assert '"tenferro-graph"' in text
    first, second = tf.Program.from_json(text)(a)
    close(first, np.exp(a) * np.asarray(kept), 8, scale=50)
    close(second, np.asarray(a.sum()), 6)
    with pytest.raises(ValueError):
        tf.Program.from_json("{}")


def test_graphs_of_linear_algebra_in_another_process():
    text = tf.Graph(lambda leaves: [tf.linalg.svdvals(leaves[0])], [np.eye(3)]).to_json()
    program = (
        "import sys, numpy, tenferro\n"
        "print(*tenferro.Program.from_json(sys.stdin.read())(numpy.eye(3))[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1.0", "1.0", "1.0"]


def test_what_cannot_be():
    with pytest.raises(tf.errors.NonScalarLoss):
        tf.grad(lambda a: a * 2.0)(np.ones(3))
    with pytest.raises(tf.errors.NonScalarLoss, match="i64"):
        tf.grad(tf.sum)(np.ones(3, int))
    with pytest.raises(ValueError, match="traced"):
        tf.grad(lambda a: np.sum(np.asarray(a)))(np.ones(3))
    with pytest.raises(ZeroDivisionError):
        tf.grad(lambda a: 1 / 0)(np.ones(3))
    leaked = []
    tf.grad(lambda a: leaked.append(a) or tf.sum(a))(np.ones(3))
    assert repr(leaked[0]) == "Tensor(<traced>, shape=(3,), dtype=float64)"
    with pytest.raises(ValueError):
        leaked[0].tolist()


def test_checkpoint_changes_nothing(rng):
    x, w, t = rng.standard_normal((3, 3)), rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    kept = tf.asarray(rng.standard_normal((3, 3)))

    def block(x, p, *, power=2.0):
        return {"y": tf.tanh(x @ p["w"]) ** power * kept}

    def loss(block):
        return lambda x, w: tf.sum(block(block(x, {"w": w})["y"], {"w": w}, power=3.0)["y"])

    plain, saving = loss(block), loss(tf.checkpoint(block))
    close(saving(x, w), plain(x, w))
    for of in ((tf.grad, 0), (tf.grad, (0, 1))):
        for one, other in zip(of[0](saving, of[1])(x, w), of[0](plain, of[1])(x, w)):
            close(one, other, 40)
    close(tf.jvp(saving, (x, w), (t, t))[1], tf.jvp(plain, (x, w), (t, t))[1], 80)
    close(tf.hvp(lambda x: saving(x, w), (x,), (t,))[0], tf.hvp(lambda x: plain(x, w), (x,), (t,))[0], 200)
    close(tf.compile(tf.grad(saving))(x, w), tf.grad(plain)(x, w), 40)
    scale = lambda x: tf.checkpoint(lambda a: a * tf.sin(x))(x)  # a value of the function around
    close(tf.grad(lambda x: tf.sum(scale(x)))(x), np.sin(x) + x * np.cos(x), 8)


def test_checkpoint_saves_memory():
    """A chain of blocks of 16 values of 8 MB: without, all are alive at once."""
    program = (
        "import sys, numpy, tenferro as tf\n"
        "def peak(): return int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
        "def block(x):\n"
        "    for _ in range(16): x = tf.sin(x)\n"
        "    return x\n"
        "if sys.argv[1] == 'saving': block = tf.checkpoint(block)\n"
        "def loss(x):\n"
        "    for _ in range(6): x = block(x)\n"
        "    return tf.sum(x)\n"
        "x = numpy.ones(1_000_000)\n"
        "before = peak()\n"
        "g = tf.grad(loss)(x)\n"
        "print(peak() - before, repr(float(g[0])))\n"
    )
    run = lambda how: subprocess.check_output([sys.executable, "-c", program, how], text=True).split()
    plain, saving = run("plain"), run("saving")
    assert float(plain[1]) == pytest.approx(float(saving[1]), rel=1e-12)
    assert int(saving[0]) < 0.5 * int(plain[0]), (saving, plain)


def test_checkpoints_within_checkpoints(rng):
    x = rng.standard_normal(3)
    inner = tf.checkpoint(tf.sin)
    outer = tf.checkpoint(lambda b: inner(b) * b)
    plain = lambda b: tf.sin(b) * b
    close(tf.grad(lambda a: tf.sum(outer(a)))(x), tf.grad(lambda a: tf.sum(plain(a)))(x), scale=10)
    for f in (outer, lambda b: inner(inner(b)), tf.checkpoint(tf.checkpoint(inner))):
        v = rng.standard_normal(3)
        g = lambda a: tf.sum(f(a) ** 2.0)
        forward, reverse = tf.jvp(tf.grad(g), (x,), (v,))[1], tf.hvp(g, (x,), (v,))[0]
        close(forward, reverse, scale=100)


def test_what_grad_refuses(rng):
    x = rng.standard_normal(3)
    for wrong in (lambda a: {"loss": tf.sum(a), "aux": a}, lambda a: (tf.sum(a),), lambda a: None):
        for transform in (tf.grad, tf.value_and_grad):
            with pytest.raises(ValueError, match="must return one real number"):
                transform(wrong)(x)
    for twice in ((0, 0), (0, -2)):
        with pytest.raises(ValueError, match="names an argument twice"):
            tf.grad(lambda a, b: tf.sum(a * b), argnums=twice)(x, x)


@pytest.mark.parametrize("extent", [3, 300])
def test_gradients_may_be_written_to(extent):
    x = np.ones(extent)
    f = lambda a: tf.sum(a * a)
    results = [tf.grad(f)(x), tf.grad(lambda a: tf.sum(a))(x), *tf.value_and_grad(f)(x),
               *tf.jvp(lambda a: a, (x,), (x,)), tf.vjp(lambda a: a, x)[0], *tf.vjp(lambda a: a, x)[1](x),
               *tf.vjp(tf.sum, x)[1](np.float64(2.0)), *tf.hvp(f, (x,), (x,)), *tf.grad(f, argnums=(0,))(x)]
    for result in results:
        result *= 0.1
        assert (result == result.flat[0]).all()  # no element is several
    assert (x == 1).all()


def test_programs_inside_transformations():
    x = np.arange(3.0)
    inner = lambda a: tf.compile(lambda b: tf.sum(b * a * a))(np.ones(3))
    assert tf.grad(inner)(x).tolist() == [0.0, 2.0, 4.0]
    assert tf.jvp(inner, (x,), (np.ones(3),))[1] == 6.0
    assert tf.compile(inner)(x) == 5.0
    assert tf.grad(lambda a: tf.checkpoint(inner)(a))(x).tolist() == [0.0, 2.0, 4.0]
    keeping = tf.compile(lambda a: a * 2.0)
    tf.grad(lambda a: tf.sum(a * keeping(np.ones(3))))(x)  # leaves nothing of the trace behind
    assert keeping(np.ones(3)).tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("call, text", [
    (lambda x: tf.jvp(tf.exp, (x,), (np.ones(4),)),
     r"jvp: tangent 0 has shape \(4,\) but its primal has \(3,\)"),
    (lambda x: tf.vjp(tf.sum, x)[1](x), r"vjp: cotangent 0 has shape \(3,\) but its result has \(\)"),
    (lambda x: tf.hvp(tf.sum, (x,), (1.0,)), r"hvp: vector 0 has shape \(\) but its primal has \(3,\)")])
def test_shapes_that_differ_are_named(call, text):
    with pytest.raises(tf.errors.ShapeMismatch, match=text):
        call(np.ones(3))


def test_contractions_are_traced(rng):
    a, b = rng.standard_normal((3, 4)), rng.standard_normal((4, 3))
    f = lambda x: tf.contract("ij,ji->", x, b, memory_limit=10**6)
    close(tf.grad(f)(a), b.T.copy(), 4)
    close(tf.compile(f)(a), np.asarray((a * b.T).sum()), 24, scale=20)
    plan = tf.plan("ij,ji->", a, b)
    with pytest.raises(ValueError, match="plan: .* tenferro.einsum"):
        tf.grad(lambda x: plan(x, b))(a)
