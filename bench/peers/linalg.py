"""Rows of linear algebra, which all peers compute from these: the functions by name, the losses that are
differentiated, and results in a form without the choice of phases and of an order."""

import numpy as np


def moduli(row, outputs):
    """|y|² of each output, whose weighted sum is the loss; of eig, whose order is the library's, what does
    not depend on it."""
    squares = [(y * y.conj()).real for y in outputs]
    return [squares[0].sum(-1), squares[1].sum(-1)] if row["function"] == "eig" else squares


def differentiated(name, outputs):
    """The outputs that have derivatives: of an LU decomposition L and U."""
    return outputs[1:] if name == "lu" else outputs


def comparable(row, outputs):
    """The elements of outputs as our worker writes them: column-major, matrix by matrix, vectors turned so
    that the largest element of each is positive."""
    if row["mode"] == "vjp" and row["function"] in ("cholesky", "eigh"):
        outputs = [(x + x.conj().swapaxes(-1, -2)) / 2 for x in outputs]  # what Hermitian tangents see
    if row["mode"] == "forward":
        outputs = normal_form(row["function"], outputs)
    matrix = lambda x: row["mode"] == "vjp" or x.ndim == len(row["shape"])
    parts = [np.ascontiguousarray(x.swapaxes(-1, -2) if matrix(x) else x).reshape(-1) for x in outputs]
    return np.concatenate([x.view(x.real.dtype) for x in parts])


def normal_form(name, outputs):
    if name == "lu":
        p, lower, upper = outputs
        return p.swapaxes(-1, -2).astype(lower.dtype), lower, upper  # ours is that of P A = L U
    if name == "qr":
        return turned(*outputs)
    if name == "svd":
        u, s, vh = outputs
        u, vh = turned(u, vh)
        return u, s, vh
    if name == "eigh":
        return outputs[0], turned(outputs[1])[0]
    if name == "eig":
        values, vectors = outputs
        values, vectors = values.astype(vectors.dtype), vectors
        if not np.iscomplexobj(values):
            values, vectors = values + 0j, vectors + 0j
        slack = np.abs(values).max() * 1e-7
        order = np.lexsort((values.imag, np.round(values.real / slack)), axis=-1)
        values = np.take_along_axis(values, order, -1)
        return values, turned(np.take_along_axis(vectors, order[..., None, :], -1))[0]
    return outputs


def turned(vectors, partner=None):
    """Columns times the phases that make their largest elements positive, rows of `partner` divided by
    them."""
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(-2)[..., None, :], -2)
    phases = np.abs(largest) / largest
    return vectors * phases, None if partner is None else partner / phases.swapaxes(-1, -2)
