"""Contraction paths of tenferro beside cotengra's: networks of families drawn by seed and of instance files,
both judged by cotengra's count of operations. Needs an environment with tenferro, cotengra, kahypar, optuna,
cmaes and networkx.

  python bench/paths.py run OUT.json [--draws 4] [--first 0] [--ours 1] [--theirs 10] [--instances FOLDER]
                                     [--only FAMILY] [--slices 20]
  python bench/paths.py page OUT.json docs/paths.md [--mark "2^20"]   writes its tables between such marks

One search at a time on one thread: ours for --ours seconds, then cotengra for --theirs with each of its
drivers; the best of them counts. A row is written as soon as it is there, and a run goes on where an earlier
one ended. --slices N takes the networks whose path has a tensor of more than 2^N elements, and slices them:
ours so that all that is alive at once stays within 2^N elements, theirs so that each tensor does."""

import argparse
import json
import math
import random
import statistics
import time
from pathlib import Path

from harness import families

TIE = 1.005  # a ratio of operations within this is a tie
HEAD = "| networks | drawn | fewer operations | equal | more | theirs over ours: least, median, most |"


def square_lattice(rng):
    side = rng.randint(8, 14)
    return families.lattice(rng, (side, rng.randint(side - 2, side)), (2, 3, 4))


def cubic_lattice(rng):
    side = rng.randint(4, 6)
    return families.lattice(rng, (side, side, rng.randint(4, side)), (2,))


def regular_graph(rng):
    import networkx

    degree = rng.choice((3, 3, 4, 5))
    count = 2 * rng.randint(20, 60)
    edges = list(networkx.random_regular_graph(degree, count, seed=rng.randrange(2**31)).edges)
    return families.of_edges(count, edges, [2] * len(edges))


def scale_free_graph(rng):
    import networkx

    count = rng.randint(60, 160)
    edges = list(networkx.barabasi_albert_graph(count, 2, seed=rng.randrange(2**31)).edges)
    return families.of_edges(count, edges, [rng.choice((2, 3)) for _ in edges])


def norm_of_peps(rng):
    rows, columns = rng.randint(4, 7), rng.randint(4, 6)
    return families.norm_of_peps(rows, columns, rng.choice((2, 3, 4)))


FAMILIES = {
    "square_lattice": square_lattice,
    "cubic_lattice": cubic_lattice,
    "regular_graph": regular_graph,
    "scale_free_graph": scale_free_graph,
    "hypergraph": lambda rng: families.hypergraph(rng, rng.randint(40, 120)),
    "norm_of_peps": norm_of_peps,
    "circuit": lambda rng: families.circuit(rng.randint(3, 6), rng.randint(4, 6), rng.randint(6, 12)),
    "diagonal_circuit": lambda rng: families.diagonal_circuit(rng, rng.randint(16, 30), rng.randint(8, 14)),
    "tree": lambda rng: families.tree(rng, rng.randint(50, 200)),
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
        for seed in range(arguments.first, arguments.first + arguments.draws):
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


def operations(tree):
    """Multiplications of all slices together, where what no sliced label changes is computed once."""
    changes, total = {leaf: i in tree.sliced_inputs for i, leaf in enumerate(tree.gen_leaves())}, 0
    for node, left, right in tree.traverse():
        changes[node] = changes[left] or changes[right]
        total += tree.get_flops(node) * (tree.nslices if changes[node] else 1)
    return int(total)


def timed(search):
    wall, cpu = time.perf_counter(), time.process_time()
    tree = search()
    return {
        "flops": int(tree.total_flops()),
        "operations": operations(tree),
        "log2_largest": round(float(tree.contraction_width()), 3),
        "slices": int(tree.nslices),
        "seconds": round(time.perf_counter() - wall, 2),
        "cpu_seconds": round(time.process_time() - cpu, 2),
    }


def hyper(optlib, **options):
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
            **options,
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


def slices_last(elements):
    """Its search, and then slices of the best tree, whose subtrees are reconfigured after each label."""

    def search(network, seconds):
        return hyper("optuna")(network, seconds).slice_and_reconfigure(elements)

    return search


def drivers(slices):
    if not slices:
        return {"optuna": hyper("optuna"), "cmaes": hyper("cmaes"), "random greedy": random_greedy}
    each = {"target_size": 2**slices}
    return {
        "optuna": hyper("optuna", slicing_reconf_opts=each),
        "cmaes": hyper("cmaes", slicing_reconf_opts=each),
        "slices last": slices_last(2**slices),
    }


def wants_slices(network, seconds, slices):
    """Whether our tree has a tensor of more than 2^slices elements. Not where the result fills the bound."""
    import tenferro

    _, output, extents = network
    if math.prod(extents[label] for label in output) >= 2**slices:
        return False
    tree = tenferro.PathOptimizer(minimize="flops", seconds=seconds).search(*network)
    return tree.max_size() > 2**slices


def compare(network, ours, theirs, slices=None):
    import tenferro

    limit = {"memory_limit": 8 * 2**slices} if slices else {}  # bytes, of doubles
    optimizer = tenferro.PathOptimizer(minimize="flops", seconds=ours, **limit)
    return {
        "tensors": len(network[0]),
        "tenferro": timed(lambda: optimizer.search(*network)),
        **{name: timed(lambda: search(network, theirs)) for name, search in drivers(slices).items()},
    }


def run(arguments):
    rows = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    warm = False
    for family, name, network in networks(arguments):
        if name in rows or arguments.only not in (None, family):
            continue
        if arguments.slices and not wants_slices(network, arguments.ours, arguments.slices):
            continue
        if not warm:
            compare(network, arguments.ours, 0.5, arguments.slices)  # what is compiled when first used
            warm = True
        found = compare(network, arguments.ours, arguments.theirs, arguments.slices)
        rows[name] = {"family": family, **found}
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n")
        print(name, f"{ratio(rows[name]):.3f}", flush=True)


def searches(row):
    return [name for name, found in row.items() if isinstance(found, dict)]


def ratio(row, count="operations"):
    theirs = (row[name][count] for name in searches(row) if name != "tenferro")
    return min(theirs) / row["tenferro"][count]


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
    if any(row["tenferro"]["slices"] > 1 for row in rows.values()):
        again = [ratio(row, "flops") for row in rows.values()]
        lines += [
            "",
            "Were everything computed again in each slice, as `total_flops` counts:",
            f"fewer operations on {sum(r > TIE for r in again)}, more on "
            f"{sum(r < 1 / TIE for r in again)}; {min(again):.3f}, {statistics.median(again):.3f}, "
            f"{max(again):.3g}.",
        ]
    used = {
        name: statistics.median(row[name]["cpu_seconds"] for row in rows.values())
        for name in searches(next(iter(rows.values())))
    }
    lines += [
        "",
        "Processor seconds that a search got, medians: "
        + ", ".join(f"{name} {seconds:.1f}" for name, seconds in used.items())
        + ".",
    ]
    text = arguments.page.read_text()
    begin, end = f"<!-- {arguments.mark} -->", f"<!-- /{arguments.mark} -->"
    before, rest = text.split(begin + "\n", 1)
    arguments.page.write_text(
        before + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1]
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("out", type=Path)
    runs.add_argument("--draws", type=int, default=4)
    runs.add_argument("--first", type=int, default=0, help="the first seed")
    runs.add_argument("--ours", type=float, default=1.0)
    runs.add_argument("--theirs", type=float, default=10.0)
    runs.add_argument("--slices", type=int)
    runs.add_argument("--instances")
    runs.add_argument("--only", choices=[*FAMILIES, "instance files"])
    pages = commands.add_parser("page")
    pages.add_argument("out", type=Path)
    pages.add_argument("page", type=Path)
    pages.add_argument("--mark", default="paths")
    arguments = parser.parse_args()
    {"run": run, "page": page}[arguments.command](arguments)


if __name__ == "__main__":
    main()
