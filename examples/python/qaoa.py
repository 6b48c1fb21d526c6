"""The quantum approximate optimization algorithm for the largest cut of the Petersen graph: expectations as
contractions of light cones, angles by their gradients. Exact values: the formula for one layer on graphs
without triangles (Wang, Hadfield, Jiang and Rieffel, Phys. Rev. A 97, 022304, 2018) and, for more, the state
vector."""

import numpy as np

import chart
import tenferro as tf

EDGES = (
    [(i, (i + 1) % 5) for i in range(5)]
    + [(i, i + 5) for i in range(5)]
    + [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
)
QUBITS = 10


def light_cone(edge, layers):
    """The einsum of <Z Z> on an edge: what the gates outside of its light cone do cancels. Per layer: its
    edges and its qubits; ket and bra are told apart by the case of their operands. Returns the string and the
    kind of each operand."""
    fresh = iter(map(chr, range(0x4E00, 0x9000)))
    touched, gates = set(edge), []
    for layer in reversed(range(layers)):
        mixed = sorted(touched)
        joined = [pair for pair in EDGES if touched & set(pair)]
        touched = touched.union(*joined)
        gates.append((layer, joined, mixed))
    start = {qubit: next(fresh) for qubit in sorted(touched)}
    ket, bra = dict(start), {qubit: next(fresh) for qubit in start}
    terms, kinds = [], []

    def add(term, kind):
        terms.append(term)
        kinds.append(kind)

    for line in (ket, bra):
        for qubit in line:
            add(line[qubit], "plus")
    for layer, joined, mixed in reversed(gates):
        for line, side in ((ket, ""), (bra, " conj")):
            for a, b in joined:
                add(line[a] + line[b], f"phase {layer}{side}")
            for qubit in mixed:
                new = next(fresh)
                add(new + line[qubit], f"mixer {layer}{side}")
                line[qubit] = new
    for qubit in ket:
        if qubit in edge:
            add(ket[qubit] + bra[qubit], "z")
        else:
            add(ket[qubit] + bra[qubit], "one")
    return ",".join(terms) + "->", kinds


def expected_cut(layers):
    """Of angles (gamma of each layer, beta of each layer): the expected number of edges that are cut."""
    cones = [light_cone(edge, layers) for edge in EDGES]
    signs, flips = np.array([[1.0, -1], [-1, 1]]), np.array([[0.0, 1], [1, 0]])
    fixed = {"plus": np.full(2, np.sqrt(0.5) + 0j), "z": np.diag([1, -1 + 0j]), "one": np.eye(2) + 0j}

    def cut(gammas, betas):
        operands = dict(fixed)
        for layer in range(layers):
            gamma, beta = gammas[layer] / 2, betas[layer]
            phase = tf.cos(gamma) + 1j * tf.sin(gamma) * signs
            mixer = tf.cos(beta) * np.eye(2) - 1j * tf.sin(beta) * flips
            operands |= {
                f"phase {layer}": phase,
                f"phase {layer} conj": tf.conj(phase),
                f"mixer {layer}": mixer,
                f"mixer {layer} conj": tf.conj(mixer),
            }
        total = 0.0
        for equation, kinds in cones:
            total = total + (1.0 - tf.real(tf.einsum(equation, *(operands[kind] for kind in kinds)))) / 2.0
        return total

    return cut


def by_state_vector(gammas, betas):
    """The same of all 2^10 amplitudes."""
    bits = (np.arange(2**QUBITS)[:, None] >> np.arange(QUBITS)) & 1
    cuts = sum(bits[:, a] != bits[:, b] for a, b in EDGES)
    state = np.full(2**QUBITS, 2.0 ** (-QUBITS / 2), dtype=complex)
    for gamma, beta in zip(gammas, betas):
        state = state * np.exp(-1j * gamma * cuts)
        for qubit in range(QUBITS):
            state = np.cos(beta) * state - 1j * np.sin(beta) * state[np.arange(2**QUBITS) ^ (1 << qubit)]
    return float(np.sum(np.abs(state) ** 2 * cuts))


def climb(function, angles, steps, rate):
    """Ascent along gradients; the points on the way."""
    climbing = tf.compile(tf.value_and_grad(function, argnums=(0, 1)))
    trail = []
    for _ in range(steps):
        value, slopes = climbing(*angles)
        trail.append((*(a.copy() for a in angles), float(value)))
        angles = [a + rate * np.asarray(slope) for a, slope in zip(angles, slopes)]
    return trail


def main(options):
    layers, steps = (1, 40) if options.quick else (2, 60)
    one = climb(expected_cut(1), [np.array([0.2]), np.array([0.1])], steps, 0.02)
    chart.table(
        ["step", "gamma", "beta", "expected cut"],
        [(k, one[k][0][0], one[k][1][0], one[k][2]) for k in range(0, steps, steps // 5)],
    )
    gammas, betas, value = one[steps // 2]
    formula = 15 * (0.5 + 0.5 * np.sin(4 * betas[0]) * np.sin(gammas[0]) * np.cos(gammas[0]) ** 2)
    chart.agree("one layer, on the way", value, formula, 1e-12)
    chart.agree("one layer, the best", one[-1][2], 15 * (0.5 + 1 / 27**0.5), 1e-4)
    best = [one[-1]]
    if layers > 1:
        start = [np.append(one[-1][0], 0.3), np.append(one[-1][1], 0.2)]
        best.append(climb(expected_cut(layers), start, steps, 0.01)[-1])
    for number, (gammas, betas, value) in enumerate(best, 1):
        chart.agree(f"layers: {number}, state vector", value, by_state_vector(gammas, betas), 1e-12)

    def draw(left, right):
        gamma, beta = np.meshgrid(np.linspace(0, 1.6, 60), np.linspace(0, 0.8, 60))
        height = 15 * (0.5 + 0.5 * np.sin(4 * beta) * np.sin(gamma) * np.cos(gamma) ** 2)
        shown = left.contourf(gamma, beta, height, 14, cmap="Blues")
        left.figure.colorbar(shown, ax=left, label="expected cut")
        left.plot([p[0][0] for p in one], [p[1][0] for p in one], "o-", ms=3, color="#a63603")
        left.set(xlabel="γ", ylabel="β", title="ascent, one layer")
        values = [7.5, *(p[2] for p in best)]
        right.bar(range(len(values)), values, color=["#c6dbef", "#6baed6", "#08519c"][: len(values)])
        right.axhline(12, color="#a63603", ls="--")
        right.text(-0.4, 12.15, "largest cut", color="#a63603")
        right.set(
            xlabel="layers",
            ylabel="expected cut",
            title="Petersen graph, 15 edges",
            ylim=(0, 13),
            xticks=range(len(values)),
        )

    chart.plot(options.plot, draw)


if __name__ == "__main__":
    main(chart.arguments(__doc__))
