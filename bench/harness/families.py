"""Families of tensor networks. Each gives the labels of the inputs, those of the output, and the extents by
label; labels are numbers."""


def of_edges(count, edges, extents):
    """A tensor for each vertex and a label for each edge."""
    inputs = [[] for _ in range(count)]
    for number, edge in enumerate(edges):
        for vertex in edge:
            inputs[vertex].append(number)
    return [tuple(labels) for labels in inputs if labels], (), dict(enumerate(extents))


def lattice(rng, shape, extents):
    """Nearest neighbours of a box with open ends."""
    strides = [1]
    for extent in shape:
        strides.append(strides[-1] * extent)
    edges = [(at, at + strides[axis]) for at in range(strides[-1]) for axis, extent in enumerate(shape)
             if at // strides[axis] % extent + 1 < extent]
    return of_edges(strides[-1], edges, [rng.choice(extents) for _ in edges])


def matchings(rng, count, degree, extents):
    """As many pairings of all vertices as the degree: a random regular graph, some edges of which are
    double."""
    edges = []
    for _ in range(degree):
        vertices = rng.sample(range(count), count)
        edges += zip(vertices[::2], vertices[1::2])
    return of_edges(count, edges, [rng.choice(extents) for _ in edges])


def hypergraph(rng, count):
    """Labels in two to five tensors, some of them in the output: a model of factors and variables."""
    edges = [rng.sample(range(count), min(count, rng.choice((2, 2, 2, 3, 4, 5))))
             for _ in range(int(1.1 * count))]
    inputs, _, extents = of_edges(count, edges, [rng.randint(2, 4) for _ in edges])
    return inputs, tuple(rng.sample(sorted(extents), rng.randint(0, 2))), extents


def norm_of_peps(rows, columns, bond):
    """A square lattice of projected pairs and its conjugate over physical labels."""
    one = [(r * columns + c, r * columns + c + step) for r in range(rows) for c in range(columns)
           for step, inside in ((1, c + 1 < columns), (columns, r + 1 < rows)) if inside]
    sites = rows * columns
    edges = one + [(a + sites, b + sites) for a, b in one] + [(at, at + sites) for at in range(sites)]
    return of_edges(2 * sites, edges, [bond] * (2 * len(one)) + [2] * sites)


def circuit(rows, columns, depth):
    """An amplitude of gates of two qubits on neighbours of a grid, in four alternating patterns, between
    products."""
    qubits = rows * columns
    inputs, line, fresh = [(at,) for at in range(qubits)], list(range(qubits)), qubits
    for layer in range(depth):
        across, offset = layer % 2, layer // 2 % 2
        for at in range(qubits):
            place, end, other = ((at % columns, columns, at + 1) if across
                                 else (at // columns, rows, at + columns))
            if place % 2 == offset and place + 1 < end:
                inputs.append((line[at], line[other], fresh, fresh + 1))
                line[at], line[other], fresh = fresh, fresh + 1, fresh + 2
    inputs += [(label,) for label in line]
    return inputs, (), dict.fromkeys(range(fresh), 2)


def diagonal_circuit(rng, qubits, depth):
    """The same of one-qubit gates and controlled phases, which share a label with the lines that they
    touch."""
    inputs, line, fresh = [(at,) for at in range(qubits)], list(range(qubits)), qubits
    for layer in range(depth):
        for at in range(qubits):
            inputs.append((line[at], fresh))
            line[at], fresh = fresh, fresh + 1
        free = list(range(qubits))
        while len(free) > 1:
            at = free.pop(0)
            near = [other for other in free if other - at in (1, 5)]
            if near and rng.random() < 0.7:
                other = rng.choice(near)
                free.remove(other)
                inputs.append((line[at], line[other]))
    inputs += [(label,) for label in line]
    return inputs, (), dict.fromkeys(range(fresh), 2)


def expectation_of_mps(sites, bond, width, physical):
    """A matrix product state, an operator of the same form, and the conjugate state."""
    inputs, extents, left = [], {}, ()

    def new(extent):
        extents[len(extents)] = extent
        return len(extents) - 1

    for site in range(sites):
        right = tuple(map(new, (bond, width, bond))) if site + 1 < sites else ()
        ket, bra = new(physical), new(physical)
        for rail, legs in enumerate(((ket,), (ket, bra), (bra,))):
            inputs.append((*left[rail:rail + 1], *legs, *right[rail:rail + 1]))
        left = right
    return inputs, (), extents


def batch_of_rings(count, neighbours, batch, extent):
    """Tensors in a ring, each with the next and with the second or third next, and all with a label of the
    output."""
    edges = [(at, (at + step) % count) for step in (1, neighbours) for at in range(count)]
    inputs, _, extents = of_edges(count, edges, [extent] * len(edges))
    label = len(extents)
    return [(*labels, label) for labels in inputs], (label,), {**extents, label: batch}


def tree(rng, count):
    edges = [(rng.randrange(at), at) for at in range(1, count)]
    return of_edges(count, edges, [rng.randint(2, 8) for _ in edges])
