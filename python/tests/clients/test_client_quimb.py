"""quimb's contractions with tensors of ours: states and operators of chains and planes, circuits."""

import warnings

import numpy as np
import pytest

import tenferro as tf

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    qu = pytest.importorskip("quimb", reason="quimb is not installed")
    import quimb.tensor as qtn


def ours(network):
    network = network.copy()
    network.apply_to_arrays(lambda x: tf.asarray(np.asarray(x)))
    return network


def is_ours(network):
    return all(isinstance(tensor.data, tf.Tensor) for tensor in network)


def agree(result, expected, tolerance=1e-9):
    np.testing.assert_allclose(np.asarray(result), np.asarray(expected), rtol=tolerance, atol=tolerance)


@pytest.fixture
def state():
    return qtn.MPS_rand_state(8, 6, dtype="complex128", seed=1)


def test_mps(state):
    mine, heisenberg = ours(state), qtn.MPO_ham_heis(8)
    assert isinstance((mine.H & mine).contract(all), tf.Tensor)
    for optimize in ("greedy", "auto-hq", tf.PathOptimizer()):
        agree((mine.H & mine).contract(all, optimize=optimize), state.norm() ** 2)
    agree(mine.H @ mine, 1.0)
    agree((mine.H & mine) ^ ..., 1.0)
    agree(mine.norm(), 1.0)
    agree(qtn.expec_TN_1D(mine.H, ours(heisenberg), mine), qtn.expec_TN_1D(state.H, heisenberg, state))
    agree(ours(heisenberg).apply(mine).norm(), heisenberg.apply(state).norm())
    agree(mine.magnetization(2), state.magnetization(2))
    agree(mine.to_dense(), state.to_dense())


def test_canonical_forms(state):
    mine = ours(state)
    for form in ("left_canonize", "right_canonize"):
        moved = mine.copy()
        getattr(moved, form)()
        assert is_ours(moved)
        agree(moved.H @ state, 1.0)
    center = mine.copy()
    center.canonicalize_(3)
    agree(center.H @ center, 1.0)
    agree(mine.entropy(4), state.entropy(4))
    agree(mine.schmidt_values(4), state.schmidt_values(4))


def test_compression(state):
    mine, theirs = ours(state), state.copy()
    mine.compress(max_bond=3)
    theirs.compress(max_bond=3)
    assert is_ours(mine) and mine.max_bond() == 3
    agree(abs(complex(mine.H @ state)), abs(theirs.H @ state))
    product = ours(qtn.MPO_ham_heis(8)).apply(ours(state), compress=True, max_bond=8)
    agree(product.norm(), qtn.MPO_ham_heis(8).apply(state, compress=True, max_bond=8).norm(), 1e-7)


@pytest.mark.parametrize("method", ["svd", "qr", "lq", "svd:eig", "polar_right", "polar_left"])
def test_splits(state, method):
    tensor = ours(state)[3]
    left = tensor.inds[1:] if method == "polar_left" else tensor.inds[:1]
    if method.startswith("polar"):
        tensor = qtn.Tensor(tf.asarray(np.arange(9.0).reshape(3, 3) + np.eye(3)), ("a", "b"))
        left = ("a",)
    parts = qtn.tensor_split(tensor, left_inds=left, method=method)
    assert is_ours(parts)
    agree((parts ^ all).transpose(*tensor.inds).data, tensor.data, 1e-7 if method == "svd:eig" else 1e-12)


def test_peps():
    plane = qtn.PEPS.rand(3, 4, bond_dim=2, seed=2)
    mine = ours(plane)
    exact = (plane.H & plane).contract(all)
    for optimize in ("greedy", tf.PathOptimizer()):
        agree((mine.H & mine).contract(all, optimize=optimize) / exact, 1.0)
    agree(mine.make_norm().contract_boundary(max_bond=16) / exact, 1.0, 1e-8)
    terms = {((0, 0), (0, 1)): qu.ham_heis(2).real}
    expected = plane.compute_local_expectation(terms, max_bond=8, normalized=True)
    found = mine.compute_local_expectation(
        {where: tf.asarray(np.asarray(gate)) for where, gate in terms.items()}, max_bond=8, normalized=True
    )
    agree(found, expected, 1e-7)


def make_circuit(to_backend=None):
    circuit, rng = qtn.Circuit(6, to_backend=to_backend), np.random.default_rng(3)
    for _ in range(3):
        for qubit in range(6):
            circuit.u3(*rng.uniform(0, 6, 3), qubit)
        for qubit in range(5):
            circuit.cz(qubit, qubit + 1)
    return circuit


def test_circuit():
    theirs, mine = make_circuit(), make_circuit(lambda x: tf.asarray(np.asarray(x)))
    for bits in ("000000", "010101", "111000"):
        agree(mine.amplitude(bits), theirs.amplitude(bits))
    agree(mine.amplitude("010101", optimize=tf.PathOptimizer()), theirs.amplitude("010101"))
    agree(np.asarray(mine.to_dense()), np.asarray(theirs.to_dense()))
    agree(
        mine.local_expectation(qu.pauli("Z") & qu.pauli("X"), (1, 2)),
        theirs.local_expectation(qu.pauli("Z") & qu.pauli("X"), (1, 2)),
    )
    agree(mine.partial_trace((2,)), theirs.partial_trace((2,)))
    assert list(mine.sample(3, seed=1)) == list(theirs.sample(3, seed=1))


def test_circuit_of_mps():
    def amplitude(**options):
        circuit = qtn.CircuitMPS(5, **options)
        for qubit in range(5):
            circuit.h(qubit)
        for qubit in range(4):
            circuit.rzz(0.3 * (qubit + 1), qubit, qubit + 1)
            circuit.rx(0.7, qubit)
        return circuit.amplitude("01010")

    agree(amplitude(to_backend=lambda x: tf.asarray(np.asarray(x))), amplitude())


def test_registered():
    network = qtn.TN2D_rand(3, 4, 2, seed=1)
    tf.paths.register("tenferro_of_quimb", minimize="flops")
    expected = network.contract(all)
    agree(network.contract(all, optimize="tenferro_of_quimb"), expected)
    agree(ours(network).contract(all, optimize="tenferro_of_quimb"), expected)
    assert network.contraction_tree(optimize=tf.PathOptimizer()).N == 12


def test_derivative_through_quimb():
    """A norm of a chain, differentiated by tf.grad through quimb's contraction."""
    real = qtn.MPS_rand_state(6, 4, seed=5)
    parameters, skeleton = qtn.pack(real)

    def norm(p):
        chain = qtn.unpack(p, skeleton)
        return (chain.H & chain).contract(all, optimize="greedy")

    keys = list(parameters)
    slopes = tf.grad(lambda leaves: norm(dict(zip(keys, leaves))))([parameters[key] for key in keys])
    inner = sum(float(np.sum(np.asarray(g) * parameters[key])) for g, key in zip(slopes, keys))
    agree(inner, 2 * len(keys) * float(real.norm() ** 2), 1e-8)
