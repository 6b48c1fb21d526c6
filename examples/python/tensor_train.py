"""Functions and an image as tensor trains over their binary digits, by repeated truncated singular value
decompositions (Oseledets, SIAM J. Sci. Comput. 33, 2295, 2011). Exact values: the ranks of functions that are
known, and the error, which is the norm of the singular values left out."""

import numpy as np

import chart
import tenferro as tf


def compress(values, tolerance):
    """The cores (left rank, digit, right rank) of a vector of 2^n or 4^n elements, most significant digit
    first, and the norm of what was left out, at most tolerance times that of the vector."""
    digits, base = (int(np.log2(values.size)), 2) if values.ndim == 1 else (int(np.log2(values.shape[0])), 4)
    rest, cores, rank, left_out = tf.reshape(tf.asarray(values), (1, -1)), [], 1, 0.0
    allowed = tolerance * float(tf.linalg.vector_norm(tf.reshape(rest, (-1,)), axis=0)) / np.sqrt(digits - 1)
    for _ in range(digits - 1):
        u, s, vh = tf.linalg.svd(tf.reshape(rest, (rank * base, -1)), full_matrices=False)
        tails = np.sqrt(np.cumsum(np.asarray(s)[::-1] ** 2)[::-1])
        kept = max(1, int(np.sum(tails > allowed)))
        left_out += float(np.sum(np.asarray(s)[kept:] ** 2))
        cores.append(tf.reshape(u[:, :kept], (rank, base, kept)))
        rest, rank = tf.reshape(s[:kept], (-1, 1)) * vh[:kept], kept
    return [*cores, tf.reshape(rest, (rank, base, 1))], np.sqrt(left_out)


def expand(cores):
    """The vector of a train."""
    whole = cores[0]
    for core in cores[1:]:
        whole = tf.einsum("...a,axb->...xb", whole, core)
    return np.asarray(whole).reshape(-1)


def interleaved(image):
    """Rows of an image in the order of the digit pairs of its two coordinates, and back."""
    digits = int(np.log2(image.shape[0]))
    order = sum(((k, digits + k) for k in range(digits)), ())
    return np.ascontiguousarray(image.reshape((2,) * (2 * digits)).transpose(order)).reshape(image.shape)


def restored(vector, side):
    digits = int(np.log2(side))
    order = tuple(range(0, 2 * digits, 2)) + tuple(range(1, 2 * digits, 2))
    return vector.reshape((2,) * (2 * digits)).transpose(order).reshape(side, side)


def picture(side):
    """A drawn image: discs on a gradient, and a wave."""
    y, x = np.mgrid[0:side, 0:side] / side
    image = 0.3 + 0.4 * x + 0.1 * np.sin(24 * x * y)
    for cx, cy, radius, shade in ((0.3, 0.35, 0.2, 0.95), (0.68, 0.6, 0.25, 0.05), (0.42, 0.78, 0.1, 0.7)):
        image = np.where((x - cx) ** 2 + (y - cy) ** 2 < radius**2, shade, image)
    return image


def main(options):
    digits, side = (10, 32) if options.quick else (16, 128)
    x = np.arange(2**digits) / 2**digits
    known = [
        ("exp(x)", np.exp(x), 1),
        ("sin(9x)", np.sin(9 * x), 2),
        ("x^2", x**2, 3),
        ("sum of the three", np.exp(x) + np.sin(9 * x) + x**2, 6),
    ]
    for name, values, rank in known:
        cores, _ = compress(values, 1e-12)
        found = max(core.shape[2] for core in cores)
        numbers = sum(int(np.prod(core.shape)) for core in cores)
        print(f"{name}: {values.size} elements in {numbers} numbers, rank {found}, exact {rank}")
        if found != rank or np.linalg.norm(expand(cores) - values) > 1e-11 * np.linalg.norm(values):
            raise SystemExit(f"{name} has another rank, or another value")
    image = picture(side)
    flat, rows, images = interleaved(image), [], []
    for tolerance in (0.2, 0.1, 0.05, 0.02, 0.01):
        cores, left_out = compress(flat, tolerance)
        error = float(np.linalg.norm(expand(cores) - flat.reshape(-1)))
        rows.append(
            (
                tolerance,
                max(core.shape[2] for core in cores),
                sum(int(np.prod(core.shape)) for core in cores) / image.size,
                error / np.linalg.norm(image),
            )
        )
        images.append(restored(expand(cores), side))
        if error > tolerance * np.linalg.norm(image):
            raise SystemExit(f"the error {error} is above the tolerance {tolerance}")
    chart.table(["tolerance", "rank", "numbers / pixels", "relative error"], rows)
    chart.agree("error of the image", error, left_out, 1e-12 * np.linalg.norm(image))

    def draw(*axes):
        shown = [(image, "original")] + [
            (images[k], f"{100 * rows[k][2]:.0f} % of the numbers") for k in (1, 3)
        ]
        for one, (pixels, title) in zip(axes, shown):
            one.imshow(pixels, cmap="gray", vmin=0, vmax=1)
            one.set(title=title, xticks=[], yticks=[])
        axes[3].semilogy([100 * row[2] for row in rows], [row[3] for row in rows], "o-", color="#08519c")
        axes[3].set(xlabel="% of the numbers", ylabel="relative error", title="tensor train")

    chart.plot(options.plot, draw, (12.0, 3.2), 4)


if __name__ == "__main__":
    main(chart.arguments(__doc__))
