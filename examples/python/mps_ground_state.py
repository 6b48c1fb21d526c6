"""The ground state of the transverse-field Ising chain at its critical point as a matrix product state, found
by descent along the gradient of its energy. Exact energy: free fermions (Pfeuty, Annals of Physics 57, 79,
1970)."""

import numpy as np

import chart
import tenferro as tf


def hamiltonian():
    """-sum Z Z - sum X as a matrix product operator: bond, bond, out, in."""
    x, z, one = np.array([[0.0, 1], [1, 0]]), np.diag([1.0, -1]), np.eye(2)
    w = np.zeros((3, 3, 2, 2))
    w[0, 0], w[0, 1], w[0, 2], w[1, 2], w[2, 2] = one, -z, -x, z, one
    return w


def exact_energy(sites):
    """Minus the sum of the singular values of the matrix that joins the two kinds of Majorana fermions."""
    return -np.linalg.svd(np.eye(sites) + np.eye(sites, k=1), compute_uv=False).sum()


def energy_of(sites):
    """<psi|H|psi> / <psi|psi> of a list of tensors (left bond, site, right bond)."""
    w = hamiltonian()

    def energy(state):
        above = tf.asarray(w[0][None])
        norm, total = tf.ones((1, 1)), tf.ones((1, 1, 1))
        for place, tensor in enumerate(state):
            operator = above if place == 0 else w if place + 1 < sites else w[:, 2:]
            norm = tf.einsum("ab,asc,bsd->cd", norm, tensor, tensor)
            total = tf.einsum("awb,asc,wvst,btd->cvd", total, tensor, operator, tensor)
        return tf.sum(total) / tf.sum(norm)

    return energy


def adam(value_and_grad, point, steps, rate, tell):
    """Descent with running means of gradients and of their squares (Kingma and Ba, 2015)."""
    mean, square = [np.zeros_like(x) for x in point], [np.zeros_like(x) for x in point]
    for step in range(1, steps + 1):
        value, gradient = value_and_grad(point)
        tell(step, float(value))
        rate_now = rate * min(1.0, 2.0 * (1 - step / steps) + 1e-3)
        for k, slope in enumerate(map(np.asarray, gradient)):
            mean[k] += 0.1 * (slope - mean[k])
            square[k] += 0.01 * (slope**2 - square[k])
            point[k] = point[k] - rate_now * (mean[k] / (1 - 0.9**step)) / (
                np.sqrt(square[k] / (1 - 0.99**step)) + 1e-9
            )
    return point


def main(options):
    sites, bond, steps = (8, 4, 300) if options.quick else (16, 10, 1200)
    rng = np.random.default_rng(2)
    bonds = [min(2**k, 2 ** (sites - k), bond) for k in range(sites + 1)]
    state = [rng.standard_normal((bonds[k], 2, bonds[k + 1])) for k in range(sites)]
    energies = []
    step = tf.compile(tf.value_and_grad(energy_of(sites)))
    adam(step, state, steps, 0.05, lambda number, value: energies.append(value))
    exact = exact_energy(sites)
    chart.table(
        ["step", "energy", "above exact"],
        [(k, energies[k], energies[k] - exact) for k in range(0, steps, steps // 6)],
    )
    chart.agree("energy", min(energies), exact, 2e-3 * abs(exact))
    if min(energies) < exact - 1e-10 * abs(exact):
        raise SystemExit("an energy is below that of the ground state")

    def draw(left, right):
        left.plot(energies, color="#08519c", label=f"bond dimension {bond}")
        left.axhline(exact, color="#a63603", ls="--", label="exact")
        left.set(
            xlabel="step",
            ylabel="energy",
            title=f"critical Ising chain, {sites} sites",
            ylim=(exact - 0.1, exact + 1.2),
        )
        left.legend(frameon=False)
        right.semilogy(np.array(energies) - exact, color="#08519c")
        right.set(xlabel="step", ylabel="energy above exact", title="error")

    chart.plot(options.plot, draw)


if __name__ == "__main__":
    main(chart.arguments(__doc__))
