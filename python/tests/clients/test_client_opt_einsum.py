"""opt_einsum with our arrays, our contraction and our paths; NumPy and whoever else follows these."""

import numpy as np
import pytest

import tenferro as tf
from conftest import close, drawn

opt_einsum = pytest.importorskip("opt_einsum", reason="opt_einsum is not installed")

EQUATION, SHAPES = "abc,cd,dbe,ef,fa->", [(2, 3, 4), (4, 5), (5, 3, 6), (6, 7), (7, 2)]


@pytest.fixture
def operands(rng):
    return [drawn(rng, shape) for shape in SHAPES]


def drawn_network(rng):
    """An equation of tensors of ranks 0 to 4 over few labels, some of them open, summed alone or in
    several."""
    labels = "abcdefgh"
    extents = {label: int(rng.integers(1, 5)) for label in labels}
    terms = [
        "".join(rng.choice(list(labels), int(rng.integers(1, 5)), replace=False))
        for _ in range(rng.integers(2, 8))
    ]
    used = sorted(set("".join(terms)))
    output = "".join(rng.permutation(used)[: rng.integers(0, 3)])
    return ",".join(terms) + "->" + output, [tuple(extents[label] for label in term) for term in terms]


def test_contract(operands):
    expected = np.einsum(EQUATION, *operands, optimize=True)
    close(opt_einsum.contract(EQUATION, *operands, backend="tenferro"), expected, 5040, scale=100)
    tensors = [tf.asarray(a) for a in operands]
    result = opt_einsum.contract(EQUATION, *tensors)
    assert isinstance(result, tf.Tensor)
    close(result, expected, 5040, scale=100)
    expression = opt_einsum.contract_expression(EQUATION, *SHAPES)
    close(expression(*operands, backend="tenferro"), expected, 5040, scale=100)
    assert isinstance(expression(*tensors), tf.Tensor)
    constant = opt_einsum.contract_expression(EQUATION, tensors[0], *SHAPES[1:], constants=[0])
    close(constant(*tensors[1:]), expected, 5040, scale=100)


@pytest.mark.parametrize("turn", range(30))
def test_contract_drawn(turn, rng):
    equation, shapes = drawn_network(rng)
    operands = [drawn(rng, shape) for shape in shapes]
    expected = np.asarray(opt_einsum.contract(equation, *operands))
    count = int(np.prod([4.0] * len(set(equation) - set(",->"))))
    tensors = [tf.asarray(a) for a in operands]
    for result in (
        opt_einsum.contract(equation, *operands, backend="tenferro", optimize=tf.PathOptimizer()),
        opt_einsum.contract(equation, *tensors),
    ):
        close(result, expected, count)


@pytest.mark.parametrize("turn", range(60))
def test_information(turn, rng):
    """The text and the figures are theirs for the same path."""
    equation, shapes = drawn_network(rng)
    path, ours = tf.contract_path(equation, *shapes, seed=turn)
    _, theirs = opt_einsum.contract_path(equation, *shapes, shapes=True, optimize=path)
    assert repr(ours) == repr(theirs)
    for name in (
        "eq",
        "path",
        "naive_cost",
        "opt_cost",
        "speedup",
        "scale_list",
        "size_list",
        "largest_intermediate",
        "indices",
        "size_dict",
        "shapes",
        "input_subscripts",
        "output_subscript",
        "contraction_list",
    ):
        assert getattr(ours, name) == getattr(theirs, name), name


def test_information_of_many(rng):
    """Beyond 20 tensors what is left is not written; repeated labels and extents of 1 that broadcast."""
    chain = ",".join(chr(97 + i) + chr(98 + i) for i in range(25))
    cases = [
        (chain + "->az", [(2, 2)] * 25),
        ("aab,bc,c->", [(2, 2, 3), (3, 4), (4,)]),
        ("ab,bc,cd->ad", [(2, 1), (3, 4), (4, 5)]),
        ("ab,ab->", [(2, 3), (2, 3)]),
        ("ab,cba->c", [(2, 3), (4, 3, 2)]),
    ]
    for equation, shapes in cases:
        path, ours = tf.contract_path(equation, *shapes)
        assert repr(ours) == repr(opt_einsum.contract_path(equation, *shapes, shapes=True, optimize=path)[1])


def test_paths(operands):
    expected = np.einsum(EQUATION, *operands, optimize=True)
    optimizer = tf.PathOptimizer(minimize="flops")
    close(opt_einsum.contract(EQUATION, *operands, optimize=optimizer), expected, 5040, scale=100)
    assert optimizer.cost["flops"] == int(
        opt_einsum.contract_path(EQUATION, *operands, optimize=optimizer)[1].opt_cost
    )
    name = "tenferro_of_opt_einsum"
    tf.paths.register(name)
    close(opt_einsum.contract(EQUATION, *operands, optimize=name), expected, 5040, scale=100)
    tf.paths.register(name, minimize="beauty")  # its options are new
    with pytest.raises(ValueError, match="beauty"):
        opt_einsum.contract_path(EQUATION, *operands, optimize=name)
    with pytest.raises(KeyError):
        tf.paths.register("greedy")


def test_as_good_as_optimal(rng):
    """On networks where every label joins two tensors, whose operations both libraries count alike."""
    for _ in range(20):
        count, label, terms = int(rng.integers(3, 8)), iter("abcdefghijklmnopqrstuvwxyz"), {}
        for pair in [(i, i + 1) for i in range(count - 1)] + rng.integers(0, count, (count, 2)).tolist():
            if pair[0] != pair[1]:
                letter = next(label)
                for at in pair:
                    terms[at] = terms.get(at, "") + letter
        extents = {letter: int(rng.integers(2, 6)) for letter in "".join(terms.values())}
        network = [frozenset(term) for term in terms.values()], frozenset(), extents
        shapes = [tuple(extents[letter] for letter in term) for term in terms.values()]
        equation = ",".join(terms.values()) + "->"
        costs = [
            opt_einsum.contract_path(equation, *shapes, shapes=True, optimize=path)[1].opt_cost
            for path in (tf.PathOptimizer(minimize="flops")(*network), opt_einsum.paths.optimal(*network))
        ]
        assert costs[0] <= costs[1]


def test_memory_limit_in_elements(operands):
    free = opt_einsum.contract_path(EQUATION, *operands, optimize=tf.PathOptimizer())[1]
    limit = int(free.largest_intermediate) - 1
    path, info = opt_einsum.contract_path(
        EQUATION, *operands, optimize=tf.PathOptimizer(), memory_limit=limit
    )
    assert info.largest_intermediate <= limit and len(path[-1]) > 2
    assert opt_einsum.contract_path(EQUATION, *operands, optimize=tf.PathOptimizer(), memory_limit=limit + 1)[
        0
    ] == [tuple(step) for step in free.path]


def test_numpy(operands):
    path, _ = tf.contract_path(EQUATION, *operands)
    close(
        np.einsum(EQUATION, *operands, optimize=["einsum_path", *path]),
        np.einsum(EQUATION, *operands, optimize=True),
        5040,
        scale=100,
    )


def test_jax(operands):
    pytest.importorskip("jax", reason="jax is not installed")
    import jax.numpy as jnp

    arrays = [jnp.asarray(a, dtype=jnp.float32) for a in operands]
    expected = np.einsum(EQUATION, *(np.asarray(a) for a in arrays), optimize=True)
    path, _ = tf.contract_path(EQUATION, *SHAPES)
    tf.paths.register("tenferro_of_jax")
    for optimize in (path, tf.PathOptimizer(), "tenferro_of_jax"):
        close(jnp.einsum(EQUATION, *arrays, optimize=optimize), expected, 5040, scale=100)


def test_torch(operands):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    asked = []

    class Watched(tf.PathOptimizer):
        def __call__(self, *arguments):
            asked.append(super().__call__(*arguments))
            return asked[-1]

    tensors = [torch.from_numpy(np.ascontiguousarray(a)) for a in operands]
    strategy = torch.backends.opt_einsum.strategy
    with tf.paths.in_torch(Watched()):
        result = torch.einsum(EQUATION, *tensors)
    assert len(asked) == 1 and torch.backends.opt_einsum.strategy == strategy
    close(result.numpy(), np.asarray(np.einsum(EQUATION, *operands, optimize=True)), 5040, scale=100)
    with pytest.raises(KeyError), tf.paths.in_torch():
        raise KeyError
    assert torch.backends.opt_einsum.strategy == strategy


def test_errors():
    with pytest.raises(ValueError, match="label 'z' has no extent"):
        tf.PathOptimizer()([{"a", "z"}, {"z"}], set(), {"a": 2})
    with pytest.raises(ValueError, match="minimize is 'beauty'"):
        tf.PathOptimizer(minimize="beauty")([{"a"}, {"a"}], set(), {"a": 2})
