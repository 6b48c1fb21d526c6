"""A function of several variables fitted by a tensor train over cosines and sines: the model is a contraction
of tenferro inside a program of JAX, which compiles it, maps it over the data and differentiates it. Exact
values: the target is such a train, of rank 2, and the least squares over all coefficients fits it without an
error."""

import numpy as np

import chart

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    raise SystemExit("this example needs JAX: pip install jax") from None

import tenferro.jax as tfj

jax.config.update("jax_enable_x64", True)


def target(x):
    """cos of the sum of the variables, which is a train of rank 2."""
    return np.cos(x.sum(axis=1))


def model(cores, x):
    """The train with (cos, sin) of each variable in its places: one einsum."""
    letters = [chr(ord("a") + k) for k in range(len(cores) + 1)]
    terms = [
        f"{letters[k]}{chr(ord('A') + k)}{letters[k + 1]},{chr(ord('A') + k)}" for k in range(len(cores))
    ]
    features = [jnp.stack([jnp.cos(x[k]), jnp.sin(x[k])]) for k in range(len(cores))]
    operands = [part for pair in zip(cores, features) for part in pair]
    return tfj.einsum(f"{','.join(terms)}->{letters[0]}{letters[-1]}", *operands)[0, 0]


def loss(cores, x, y):
    return jnp.mean((jax.vmap(model, in_axes=(None, 0))(cores, x) - y) ** 2)


def main(options):
    variables, samples, steps = (3, 40, 150) if options.quick else (6, 300, 400)
    rng = np.random.default_rng(4)
    x, fresh = rng.uniform(-1, 1, (samples, variables)), rng.uniform(-1, 1, (200, variables))
    bonds = [1, *[2] * (variables - 1), 1]
    cores = [jnp.asarray(rng.standard_normal((bonds[k], 2, bonds[k + 1])) * 0.7) for k in range(variables)]
    y, step = jnp.asarray(target(x)), jax.jit(jax.value_and_grad(loss))
    mean, square, losses = [jnp.zeros_like(c) for c in cores], [jnp.zeros_like(c) for c in cores], []
    for number in range(1, steps + 1):
        value, slopes = step(cores, jnp.asarray(x), y)
        losses.append(float(value))
        rate = 0.05 * min(1.0, 2 * (1 - number / steps) + 1e-3)
        mean = [0.9 * m + 0.1 * s for m, s in zip(mean, slopes)]
        square = [0.999 * q + 0.001 * s**2 for q, s in zip(square, slopes)]
        cores = [
            c - rate * (m / (1 - 0.9**number)) / (jnp.sqrt(q / (1 - 0.999**number)) + 1e-9)
            for c, m, q in zip(cores, mean, square)
        ]
    chart.table(["step", "mean square error"], [(k, losses[k]) for k in range(0, steps, steps // 6)])
    predictions = np.asarray(jax.vmap(model, in_axes=(None, 0))(cores, jnp.asarray(fresh)))
    chart.agree(
        "mean square error at new points", float(np.mean((predictions - target(fresh)) ** 2)), 0.0, 1e-4
    )
    features = np.ones((samples, 1))
    for k in range(variables):
        pair = np.stack([np.cos(x[:, k]), np.sin(x[:, k])], axis=1)
        features = (features[:, :, None] * pair[:, None, :]).reshape(samples, -1)
    coefficients = np.linalg.lstsq(features, target(x), rcond=None)[0]
    chart.agree(
        "least squares over all coefficients",
        float(np.mean((features @ coefficients - target(x)) ** 2)),
        0.0,
        1e-20,
    )

    def draw(left, right):
        left.semilogy(losses, color="#08519c")
        left.set(xlabel="step", ylabel="mean square error", title=f"train of rank 2, {variables} variables")
        right.plot(target(fresh), predictions, "o", ms=3, color="#08519c")
        right.plot([-1, 1], [-1, 1], color="#a63603", lw=1)
        right.set(xlabel="target", ylabel="model", title="points that were not fitted")

    chart.plot(options.plot, draw)


if __name__ == "__main__":
    main(chart.arguments(__doc__))
