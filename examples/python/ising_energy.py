"""The two-dimensional Ising model on a torus: its partition function by one contraction, its energy and
specific heat as first and second derivatives of the logarithm. Exact values: Kaufman's formula (Phys. Rev.
76, 1232, 1949)."""

import numpy as np

import chart
import tenferro as tf


def network(side):
    """The einsum of a tensor at every site of a torus, whose four labels are its bonds."""

    def bond(row, column, down):
        return chr(0x4E00 + 2 * (row % side * side + column % side) + down)

    terms = [
        bond(r, c, 0) + bond(r, c, 1) + bond(r, c - 1, 0) + bond(r - 1, c, 1)
        for r in range(side)
        for c in range(side)
    ]
    return ",".join(terms) + "->"


def log_partition_function(side):
    """ln Z as a function of the inverse temperature. exp(beta s t) = sum_i a[s, i] a[t, i], so a site has the
    tensor sum_s a[s, i] a[s, j] a[s, k] a[s, l]."""
    equation = network(side)

    def log_z(beta):
        even, odd = tf.sqrt(tf.cosh(beta)), tf.sqrt(tf.sinh(beta))
        a = tf.stack([tf.stack([even, odd]), tf.stack([even, -odd])])
        site = tf.einsum("si,sj,sk,sl->ijkl", a, a, a, a)
        return tf.log(tf.einsum(equation, *[site] * side**2))

    return log_z


def kaufman(side, beta):
    """ln Z of the torus; beta may be complex."""
    orders = np.arange(1, 2 * side)
    gamma = np.arccosh(np.cosh(2 * beta) / np.tanh(2 * beta) - np.cos(np.pi * orders / side))
    gamma = np.concatenate([[2 * beta + np.log(np.tanh(beta))], gamma])
    products = [np.prod(2 * f(side * gamma[start::2] / 2)) for f in (np.cosh, np.sinh) for start in (1, 0)]
    return side**2 / 2 * np.log(2 * np.sinh(2 * beta)) + np.log(sum(products) / 2)


def main(options):
    side, count = (4, 7) if options.quick else (6, 25)
    log_z = log_partition_function(side)
    energy = tf.grad(log_z)
    everything = tf.compile(lambda beta: (log_z(beta), energy(beta), tf.grad(energy)(beta)))
    betas = np.linspace(0.2, 0.8, count)
    rows = []
    for beta in betas:
        value, slope, curvature = (float(part) for part in everything(tf.asarray(float(beta))))
        rows.append((beta, value / side**2, -slope / side**2, beta**2 * curvature / side**2))
    chart.table(["beta", "ln Z / site", "energy / site", "specific heat"], rows[:: max(1, count // 6)])
    worst = max(rows, key=lambda row: abs(row[2] + np.imag(kaufman(side, row[0] + 1e-30j)) / 1e-30 / side**2))
    chart.agree(
        f"energy per site at beta = {worst[0]:.3g}",
        worst[2],
        -np.imag(kaufman(side, worst[0] + 1e-30j)) / 1e-30 / side**2,
        1e-12,
    )
    chart.agree(f"ln Z per site at beta = {worst[0]:.3g}", worst[1], kaufman(side, worst[0]) / side**2, 1e-12)

    def draw(left, right):
        fine = np.linspace(betas[0], betas[-1], 200)
        exact = [-np.imag(kaufman(side, beta + 1e-30j)) / 1e-30 / side**2 for beta in fine]
        left.plot(fine, exact, color="#9aa5b1", label="Kaufman")
        left.plot(
            betas, [row[2] for row in rows], "o", ms=4, color="#08519c", label="gradient of a contraction"
        )
        left.set(xlabel="β", ylabel="energy per site", title=f"Ising model, {side} × {side} torus")
        left.legend(frameon=False)
        right.plot(betas, [row[3] for row in rows], "o-", ms=4, color="#a63603")
        right.axvline(np.log(1 + np.sqrt(2)) / 2, color="#9aa5b1", ls=":")
        right.set(xlabel="β", ylabel="specific heat per site", title="second derivative (dotted: βc)")

    chart.plot(options.plot, draw)


if __name__ == "__main__":
    main(chart.arguments(__doc__))
