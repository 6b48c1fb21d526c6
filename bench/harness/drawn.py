"""The suite of drawn networks: a few of each family, drawn by seed until a greedy path has the work that a
row should have, so that no choice of a network can favour anyone. Everybody follows that path."""

import heapq
import itertools
import math
from random import Random

from . import families, network

DRAWS = 3
WORK, QUICK_WORK = (5e7, 1e9), (2e6, 5e7)  # flops of a path
TOLERANCE = 1e4 * 2.0**-52
EXTENTS = (2, 3, 4, 6)


def lattice_with_outputs(rng):
    inputs, _, extents = families.lattice(rng, (rng.randint(4, 6), rng.randint(5, 6)), EXTENTS)
    output = tuple(range(len(extents), len(extents) + rng.randint(3, 5)))
    owners = rng.sample(range(len(inputs)), len(output))
    for label, owner in zip(output, owners):
        inputs[owner] = (label, *inputs[owner])
    return inputs, output, {**extents, **{label: rng.randint(3, 8) for label in output}}


FAMILIES = {  # of doubles, but for circuits
    "square lattice": lambda rng: families.lattice(rng, (rng.randint(5, 9), rng.randint(5, 9)), EXTENTS),
    "lattice with outputs": lattice_with_outputs,
    "cubic lattice": lambda rng: families.lattice(rng, (3, rng.randint(3, 4), rng.randint(3, 5)), (2, 3)),
    "matchings": lambda rng: families.matchings(
        rng, 2 * rng.randint(15, 40), rng.choice((3, 3, 4)), (2, 3, 4)),
    "hypergraph": lambda rng: families.hypergraph(rng, rng.randint(30, 50)),
    "norm of PEPS": lambda rng: families.norm_of_peps(
        rng.randint(3, 5), rng.randint(3, 5), rng.randint(2, 5)),
    "expectation of MPS": lambda rng: families.expectation_of_mps(
        rng.randint(8, 30), rng.randint(16, 100), rng.randint(3, 12), rng.randint(2, 4)),
    "batch of rings": lambda rng: families.batch_of_rings(
        rng.randint(10, 24), rng.randint(2, 3), rng.randint(20, 400), rng.randint(2, 6)),
    "circuit": lambda rng: families.circuit(rng.randint(3, 4), rng.randint(4, 6), rng.randint(8, 16)),
    "diagonal circuit": lambda rng: families.diagonal_circuit(rng, rng.randint(20, 28), rng.randint(14, 20)),
}


def rows(data, quick):
    drawn = []
    for family in FAMILIES:
        dtype = "c64" if family.endswith("circuit") else "f64"
        networks = fitting(family, dtype, QUICK_WORK if quick else WORK)
        for instance, path in itertools.islice(networks, 1 if quick else DRAWS):
            drawn.append(network.einsum_row(f"{family} of {len(instance.inputs)}, {instance.name}", instance,
                                            path, TOLERANCE * math.sqrt(len(instance.inputs))))
    return drawn


def fitting(family, dtype, work):
    """Networks of the family, each once, with paths of as many flops as `work` allows."""
    seen = []
    for seed in itertools.count():
        inputs, output, extents = FAMILIES[family](Random(f"{family} {seed}"))
        instance = with_letters(f"seed {seed}", inputs, output, extents, dtype)
        path = greedy_path(inputs, output, extents, work[1])
        if not path or instance.row_major in seen:
            continue
        if work[0] <= sum(step.flops for step, _ in network.walk(instance, path)) <= work[1]:
            seen.append(instance.row_major)
            yield instance, path


def with_letters(name, inputs, output, extents, dtype):
    word = lambda labels: "".join(chr(0x4E00 + label) for label in labels)
    row_major = {"subscripts": f"{','.join(map(word, inputs))}->{word(output)}",
                 "shapes": [[extents[label] for label in labels] for labels in inputs]}
    return network.Instance(name, dtype, row_major, network.reversed_axes(row_major), {})


def greedy_path(inputs, output, extents, most_flops):
    """A path in shrinking-list form that takes the pair whose result grows least, as it was when the later of
    the two was made; None when a step has more than `most_flops`."""
    size = lambda labels: math.prod(extents[label] for label in labels)
    tensors, heap, path, users = {}, [], [], {label: [] for label in extents}

    def merged(a, b):
        gone = lambda label: label not in output and all(user in (a, b) for user in users[label])
        return frozenset(label for label in tensors[a] | tensors[b] if not gone(label))

    def add(labels):
        new = next(numbers)
        tensors[new] = labels
        for label in labels:
            users[label].append(new)
        for old in {user for label in labels for user in users[label]} - {new}:
            growth = size(merged(old, new)) - size(tensors[old]) - size(labels)
            heapq.heappush(heap, (growth, old, new))

    numbers = itertools.count()
    for labels in inputs:
        add(frozenset(labels))
    while len(tensors) > 1:
        _, a, b = heapq.heappop(heap) if heap else (0, *list(tensors)[:2])
        if a not in tensors or b not in tensors:
            continue
        if 2 * size(tensors[a] | tensors[b]) > most_flops:
            return None
        result, places = merged(a, b), list(tensors)
        path.append([places.index(a), places.index(b)])
        for old in (a, b):
            for label in tensors.pop(old):
                users[label].remove(old)
        add(result)
    return path
