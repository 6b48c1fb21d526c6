"""The path search by itself: for opt_einsum, cotengra, numpy.einsum and everything that follows their paths."""

from decimal import Decimal as _Decimal
from math import prod as _prod

from . import _core

try:
    from opt_einsum.paths import PathOptimizer as _Base
except ImportError:
    _Base = object


class PathOptimizer(_Base):
    """Finds contraction paths: opt_einsum.contract(..., optimize=PathOptimizer()), or called as opt_einsum
    calls it, with sets of labels, the output's labels and a dict of extents.

    minimize: predicted 'time', 'flops' or 'size'. seconds: how long to search; 0 leaves it to the search,
    which then always gives the same path. After a call, cost has its flops, seconds, largest_intermediate,
    total_writes and peak_bytes. Ctrl-C ends a search."""

    def __init__(self, minimize="time", seconds=0.0, seed=0, threads=1, dtype="float64"):
        self.minimize, self.seconds, self.seed = minimize, seconds, seed
        self.threads, self.dtype = threads, dtype
        self.cost = None

    def __call__(self, inputs, output, size_dict, memory_limit=None):
        numbers = {label: number for number, label in enumerate(size_dict)}
        path, self.cost = _core._search(
            [[numbers[label] for label in labels] for labels in inputs], [numbers[label] for label in output],
            [int(extent) for extent in size_dict.values()], self.minimize, float(self.seconds), self.seed,
            self.threads, self.dtype)
        return path

    def search(self, inputs, output, size_dict):
        """The tree of cotengra for this network."""
        from cotengra import ContractionTree

        return ContractionTree.from_path(inputs, output, size_dict, path=self(inputs, output, size_dict))


def register(name="tenferro", **options):
    """Makes optimize=name known to opt_einsum, and with it to jnp.einsum, and to cotengra and quimb, whichever
    are installed. Options are those of PathOptimizer."""
    optimizer = PathOptimizer(**options)
    try:
        from opt_einsum.paths import register_path_fn
    except ImportError:
        pass
    else:
        try:
            register_path_fn(name, optimizer)
        except KeyError:
            pass  # it is known already
    try:
        from cotengra import register_preset
    except ImportError:
        return
    register_preset(name, optimizer, optimizer.search, register_opt_einsum=False)


class PathInfo:
    """What contracting along a path costs; prints as opt_einsum's. Counts are opt_einsum's too: a multiplication
    and an addition are two operations."""

    def __init__(self, plan):
        self.plan, self.eq, self.path = plan, plan.equation, [tuple(sorted(pair)) for pair in plan.path]
        left, self.output_subscript = self.eq.split("->")
        self.input_subscripts = left
        terms = left.split(",")
        self.size_dict = {}
        for term, shape in zip(terms, plan.shapes):
            for label, extent in zip(term, shape):
                self.size_dict[label] = max(extent, self.size_dict.get(label, 1))
        self.indices = frozenset(left.replace(",", ""))
        self.naive_cost = self._flops(self.indices, sum(len(set(term)) for term in terms) > len(self.indices),
                                      len(terms))
        self.scale_list, self.size_list, self.opt_cost, self.contraction_list = [], [], 0, []
        for number, positions in enumerate(self.path):
            self._contract(terms, positions, number + 1 == len(self.path))
        self.speedup = self.naive_cost / max(self.opt_cost, 1)
        self.largest_intermediate = max(self.size_list, default=1)
        self.sliced_labels, self.slices = plan.sliced_labels, int(plan.cost["slices"])

    def _flops(self, labels, has_sum, operands):
        return _prod(self.size_dict[label] for label in labels) * (max(1, operands - 1) + bool(has_sum))

    def _contract(self, terms, positions, is_last):
        taken = [terms.pop(at) for at in sorted(positions, reverse=True)]
        together = "".join(taken)
        involved = frozenset(together)
        needed = frozenset("".join(terms)) | frozenset(self.output_subscript)
        kept = involved & needed
        result = self.output_subscript if is_last else "".join(sorted(kept, key=together.find))
        self.opt_cost += self._flops(involved, involved - kept, len(taken))
        self.scale_list.append(len(involved))
        self.size_list.append(_prod(self.size_dict[label] for label in kept))
        terms.append(result)
        gemm = len(taken) == 2 and len(together) == len(set(taken[0])) + len(set(taken[1])) and bool(
            involved - kept) and not set(taken[0]) & set(taken[1]) & kept
        self.contraction_list.append((",".join(taken) + "->" + result, ",".join(terms), "GEMM" if gemm else "EINSUM"))

    def __repr__(self):
        lines = [f"  Complete contraction:  {self.eq}",
                 f"         Naive scaling:  {len(self.indices)}",
                 f"     Optimized scaling:  {max(self.scale_list, default=0)}",
                 f"      Naive FLOP count:  {_Decimal(self.naive_cost):.3e}",
                 f"  Optimized FLOP count:  {_Decimal(self.opt_cost):.3e}",
                 f"   Theoretical speedup:  {_Decimal(self.speedup):.3e}",
                 f"  Largest intermediate:  {_Decimal(self.largest_intermediate):.3e} elements"]
        if self.slices > 1:
            lines.append(f"                Slices:  {self.slices}, over {','.join(self.sliced_labels)}")
        lines += ["-" * 80, f"{'scaling':>6} {'BLAS':>11} {'current':>22} {'remaining':>37}", "-" * 80]
        for scale, (step, remaining, kind) in zip(self.scale_list, self.contraction_list):
            room = max(0, 56 - max(22, len(step)))
            shown = f"{remaining}->{self.output_subscript}"
            lines.append(f"{scale:>4} {kind:>14} {step:>22}    {shown:>{room}}")
        return "\n".join(lines)


def contract_path(subscripts, *operands, optimize=True, memory_limit=None, seconds=0.0, seed=0):
    """(path, PathInfo) of an einsum of operands, arrays or tuples of extents; the path is opt_einsum's, a list
    of tuples. With a memory limit in bytes the info tells the slices."""
    plan = _core.plan(subscripts, *operands, optimize=optimize, order="F", memory_limit=memory_limit,
                      seconds=seconds, seed=seed)
    info = PathInfo(plan)
    return info.path, info


def contract(subscripts, *operands, optimize=True, order="K", memory_limit=None, seconds=0.0, progress=None):
    """An einsum of many operands: as einsum, under a limit of bytes alive at once, in slices where it must be
    (NotImplementedError where it cannot be met). progress(done, total) is called after every step."""
    plan = _core.plan(subscripts, *operands, optimize=optimize, order=order, memory_limit=memory_limit,
                      seconds=seconds)
    return plan(*operands) if progress is None else plan.run(*operands, progress=progress)
