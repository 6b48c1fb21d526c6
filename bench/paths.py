"""Contraction paths of tenferro beside cotengra's: networks of families drawn by seed and of instance files,
both judged by cotengra's count of operations. Needs an environment with tenferro, cotengra, kahypar, optuna,
cmaes and networkx.

  python bench/paths.py run OUT.json [--draws 4] [--ours 1] [--theirs 10] [--instances FOLDER] [--only FAMILY]
  python bench/paths.py page OUT.json docs/paths.md   writes its tables between the marks of the page

One search at a time on one thread: ours for --ours seconds, then cotengra for --theirs with each of its
drivers; the best of them counts. A row is written as soon as it is there, and a run goes on where an earlier
one ended."""

import argparse
import json
import random
import statistics
import time
from pathlib import Path

TIE = 1.005  # a ratio of operations within this is a tie
HEAD = "| networks | drawn | fewer operations | equal | more | theirs over ours: least, median, most |"


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
    edges = [
        (at, at + strides[axis])
        for at in range(strides[-1])
        for axis, extent in enumerate(shape)
        if at // strides[axis] % extent + 1 < extent
    ]
    return of_edges(strides[-1], edges, [rng.choice(extents) for _ in edges])


def square_lattice(rng):
    side = rng.randint(8, 14)
    return lattice(rng, (side, rng.randint(side - 2, side)), (2, 3, 4))


def cubic_lattice(rng):
    side = rng.randint(4, 6)
    return lattice(rng, (side, side, rng.randint(4, side)), (2,))


def regular_graph(rng):
    import networkx

    degree = rng.choice((3, 3, 4, 5))
    count = 2 * rng.randint(20, 60)
    edges = list(networkx.random_regular_graph(degree, count, seed=rng.randrange(2**31)).edges)
    return of_edges(count, edges, [2] * len(edges))


def scale_free_graph(rng):
    import networkx

    count = rng.randint(60, 160)
    edges = list(networkx.barabasi_albert_graph(count, 2, seed=rng.randrange(2**31)).edges)
    return of_edges(count, edges, [rng.choice((2, 3)) for _ in edges])


def hypergraph(rng):
    """Labels in two to five tensors, some of them in the output: a model of factors and variables."""
    count = rng.randint(40, 120)
    edges = [
        rng.sample(range(count), min(count, rng.choice((2, 2, 2, 3, 4, 5)))) for _ in range(int(1.1 * count))
    ]
    inputs, _, extents = of_edges(count, edges, [rng.randint(2, 4) for _ in edges])
    return inputs, tuple(rng.sample(sorted(extents), rng.randint(0, 2))), extents


def norm_of_peps(rng):
    """A square lattice of projected pairs and its conjugate over physical labels."""
    rows, columns = rng.randint(4, 7), rng.randint(4, 6)
    one = [
        (r * columns + c, r * columns + c + step)
        for r in range(rows)
        for c in range(columns)
        for step, inside in ((1, c + 1 < columns), (columns, r + 1 < rows))
        if inside
    ]
    sites = rows * columns
    edges = one + [(a + sites, b + sites) for a, b in one] + [(at, at + sites) for at in range(sites)]
    bond = rng.choice((2, 3, 4))
    return of_edges(2 * sites, edges, [bond] * (2 * len(one)) + [2] * sites)


def circuit(rng):
    """An amplitude of gates of two qubits on neighbours of a grid, in four alternating patterns, between
    products."""
    rows, columns, depth = rng.randint(3, 6), rng.randint(4, 6), rng.randint(6, 12)
    qubits = rows * columns
    inputs, line, fresh = [(at,) for at in range(qubits)], list(range(qubits)), qubits
    for layer in range(depth):
        across, offset = layer % 2, layer // 2 % 2
        for at in range(qubits):
            place, end, other = (
                (at % columns, columns, at + 1) if across else (at // columns, rows, at + columns)
            )
            if place % 2 == offset and place + 1 < end:
                inputs.append((line[at], line[other], fresh, fresh + 1))
                line[at], line[other], fresh = fresh, fresh + 1, fresh + 2
    inputs += [(label,) for label in line]
    return inputs, (), dict.fromkeys(range(fresh), 2)


def diagonal_circuit(rng):
    """The same of one-qubit gates and controlled phases, which share a label with the lines that they
    touch."""
    qubits, depth = rng.randint(16, 30), rng.randint(8, 14)
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


def tree(rng):
    count = rng.randint(50, 200)
    edges = [(rng.randrange(at), at) for at in range(1, count)]
    return of_edges(count, edges, [rng.randint(2, 8) for _ in edges])


FAMILIES = {
    family.__name__: family
    for family in (
        square_lattice,
        cubic_lattice,
        regular_graph,
        scale_free_graph,
        hypergraph,
        norm_of_peps,
        circuit,
        diagonal_circuit,
        tree,
    )
}


def of_file(path):
    """Instances of JSON files that have a format string and shapes; those of two tensors have one path."""
    data = json.loads(path.read_text())
    terms, output = data["format_string"].split("->")
    inputs = [tuple(term) for term in terms.split(",")]
    extents = {
        label: extent for term, shape in zip(inputs, data["shapes"]) for label, extent in zip(term, shape)
    }
    return inputs, tuple(output), extents


def networks(arguments):
    for name, family in FAMILIES.items():
        for seed in range(arguments.draws):
            inputs, output, extents = family(random.Random(f"{name} {seed}"))
            yield (
                name,
                f"{name} {seed}",
                (  # labels are letters, as cotengra has them
                    [tuple(chr(0x4E00 + label) for label in labels) for labels in inputs],
                    tuple(chr(0x4E00 + label) for label in output),
                    {chr(0x4E00 + label): extent for label, extent in extents.items()},
                ),
            )
    for path in sorted(Path(arguments.instances).glob("*.json")) if arguments.instances else []:
        network = of_file(path)
        if len(network[0]) > 3:
            yield "instance files", path.stem, network


def timed(search):
    wall, cpu = time.perf_counter(), time.process_time()
    tree = search()
    return {
        "flops": int(tree.total_flops()),
        "log2_largest": round(float(tree.contraction_width()), 3),
        "seconds": round(time.perf_counter() - wall, 2),
        "cpu_seconds": round(time.process_time() - cpu, 2),
    }


def hyper(optlib):
    """Its search of partitioning and greedy methods, whose parameters a library draws, with reconfigured
    subtrees."""

    def search(network, seconds):
        from cotengra import HyperOptimizer

        return HyperOptimizer(
            methods=["greedy", "kahypar"],
            minimize="flops",
            max_repeats=10**6,
            max_time=seconds,
            parallel=False,
            reconf_opts={},
            progbar=False,
            optlib=optlib,
        ).search(*network)

    return search


def random_greedy(network, seconds):
    """Its many perturbed greedy paths, in rounds until the time is over."""
    from cotengra import RandomGreedyOptimizer

    end, seed, trees = time.perf_counter() + seconds, 0, []
    while not trees or time.perf_counter() < end:
        trees.append(RandomGreedyOptimizer(max_repeats=128, seed=seed, parallel=False).search(*network))
        trees, seed = [min(trees, key=lambda tree: tree.total_flops())], seed + 1
    return trees[0]


DRIVERS = {"optuna": hyper("optuna"), "cmaes": hyper("cmaes"), "random greedy": random_greedy}


def compare(network, ours, theirs):
    import tenferro

    optimizer = tenferro.PathOptimizer(minimize="flops", seconds=ours)
    return {
        "tensors": len(network[0]),
        "tenferro": timed(lambda: optimizer.search(*network)),
        **{name: timed(lambda: search(network, theirs)) for name, search in DRIVERS.items()},
    }


def run(arguments):
    rows = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    for number, (family, name, network) in enumerate(networks(arguments)):
        if name in rows or arguments.only not in (None, family):
            continue
        if not rows and number == 0:
            compare(network, 0.1, 0.5)  # what is compiled when first used
        rows[name] = {"family": family, **compare(network, arguments.ours, arguments.theirs)}
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n")
        print(name, f"{ratio(rows[name]):.3f}", flush=True)


def ratio(row):
    return min(row[name]["flops"] for name in DRIVERS) / row["tenferro"]["flops"]


def page(arguments):
    rows = json.loads(arguments.out.read_text())
    lines = [HEAD, "|---|---|---|---|---|---|"]
    for family in [*dict.fromkeys(row["family"] for row in rows.values()), None]:
        ratios = [ratio(row) for row in rows.values() if family in (None, row["family"])]
        wins, losses = sum(r > TIE for r in ratios), sum(r < 1 / TIE for r in ratios)
        lines.append(
            f"| {(family or '**all**').replace('_', ' ')} | {len(ratios)} | {wins} | "
            f"{len(ratios) - wins - losses} | {losses} | {min(ratios):.3f}, {statistics.median(ratios):.3f}, "
            f"{max(ratios):.3g} |"
        )
    lines += ["", "Networks on which cotengra's path has fewer operations:", ""]
    lost = [
        f"- {name} ({row['tensors']} tensors): {ratio(row):.3f}"
        for name, row in rows.items()
        if ratio(row) < 1 / TIE
    ]
    lines += lost or ["none."]
    used = {
        name: statistics.median(row[name]["cpu_seconds"] for row in rows.values())
        for name in ("tenferro", *DRIVERS)
    }
    lines += [
        "",
        "Seconds of the processor that a search got, medians: "
        + ", ".join(f"{name} {seconds:.1f}" for name, seconds in used.items())
        + ".",
    ]
    text = arguments.page.read_text()
    before, rest = text.split("<!-- paths -->\n", 1)
    arguments.page.write_text(
        before
        + "<!-- paths -->\n"
        + "\n".join(lines)
        + "\n<!-- /paths -->"
        + rest.split("<!-- /paths -->", 1)[1]
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("out", type=Path)
    runs.add_argument("--draws", type=int, default=4)
    runs.add_argument("--ours", type=float, default=1.0)
    runs.add_argument("--theirs", type=float, default=10.0)
    runs.add_argument("--instances")
    runs.add_argument("--only", choices=[*FAMILIES, "instance files"])
    pages = commands.add_parser("page")
    pages.add_argument("out", type=Path)
    pages.add_argument("page", type=Path)
    arguments = parser.parse_args()
    {"run": run, "page": page}[arguments.command](arguments)


if __name__ == "__main__":
    main()
