"""The path search by itself: for opt_einsum, cotengra, numpy.einsum and everything that follows their
paths."""

from contextlib import contextmanager as _contextmanager
from decimal import Decimal as _Decimal
from math import inf as _inf
from math import prod as _prod
from operator import index as _index

from . import _core
from . import errors as _errors
from ._naming import name_in as _name_in
from ._naming import shown as _shown

try:
    from opt_einsum.paths import PathOptimizer as _Base
except ImportError:
    _Base = object


class PathOptimizer(_Base):
    """Finds contraction paths: opt_einsum.contract(..., optimize=PathOptimizer()), the same in cotengra,
    quimb and jnp.einsum, or called as opt_einsum calls it, with sets of labels, the output's labels and a
    dict of extents.

    minimize: predicted 'time', 'flops' or 'size'. seconds: how long to search; 0 leaves it to the search,
    which then always gives the same path. memory_limit: bytes alive at once; the trees of cotengra are
    sliced to meet it (NotImplementedError where it cannot be met), and chosen by time for 'size' too.
    After a call, cost has the path's flops, seconds, largest_intermediate, total_writes and peak_bytes.
    Ctrl-C ends a search. Raises ValueError for an unknown `minimize`, a label without extent, and seconds,
    threads, a seed and a memory_limit that cannot be."""

    def __init__(self, minimize="time", seconds=0.0, seed=0, threads=1, dtype="float64", memory_limit=None):
        if not 0 <= seconds < _inf:
            raise _errors.InvalidArgument(
                f"PathOptimizer: seconds is {seconds!r} but must be finite and not negative"
            )
        if not _index(threads) >= 1:
            raise _errors.InvalidArgument(f"PathOptimizer: threads is {threads} but must be at least 1")
        if not 0 <= _index(seed) < 2**64:
            raise _errors.InvalidArgument(f"PathOptimizer: seed is {seed} but must be in [0, 2**64)")
        if memory_limit is not None and not _index(memory_limit) > 0:
            raise _errors.InvalidArgument(
                f"PathOptimizer: memory_limit is {memory_limit} bytes but must be positive"
            )
        self.minimize, self.seconds, self.seed = minimize, seconds, seed
        self.threads, self.dtype, self.memory_limit = threads, dtype, memory_limit
        self.cost = None

    def __call__(self, inputs, output, size_dict, memory_limit=None):
        """The path. memory_limit is opt_einsum's, in elements: where a result would be larger, all that is
        left is contracted in one step."""
        path, _ = self._find(inputs, output, size_dict, None)
        return path if memory_limit is None else _within(path, inputs, output, size_dict, memory_limit)

    def search(self, inputs, output, size_dict):
        """The tree of cotengra for this network, in slices where the memory limit asks for them."""
        from cotengra import ContractionTree

        path, sliced = self._find(inputs, output, size_dict, self.memory_limit)
        tree = ContractionTree.from_path(inputs, output, size_dict, path=path)
        for label in sliced:
            tree.remove_ind_(label)
        return tree

    def _find(self, inputs, output, size_dict, memory_limit):
        """The path, and the labels that are sliced to keep to a limit in bytes."""
        labels = list(size_dict)
        numbers = {label: number for number, label in enumerate(labels)}
        path, self.cost, sliced = _core._search(
            [[_number(numbers, label) for label in operand] for operand in inputs],
            [_number(numbers, label) for label in output],
            [_index(extent) for extent in size_dict.values()],
            self.minimize,
            float(self.seconds),
            self.seed,
            self.threads,
            self.dtype,
            memory_limit,
        )
        return path, [labels[number] for number in sliced]


def _number(numbers, label):
    if label not in numbers:
        raise _errors.InvalidArgument(f"path search: label {label!r} has no extent")
    return numbers[label]


def _within(path, inputs, output, size_dict, memory_limit):
    """The path as far as its results have at most that many elements."""
    terms, followed = [frozenset(labels) for labels in inputs], []
    for positions in path:
        taken = [terms.pop(at) for at in sorted(positions, reverse=True)]
        kept = frozenset.union(*taken) & frozenset(output).union(*terms)
        if terms and _prod(size_dict[label] for label in kept) > memory_limit:
            return [*followed, tuple(range(len(terms) + len(taken)))]
        followed.append(positions)
        terms.append(kept)
    return followed


_registered = {}


class _Search:
    """What cotengra's HyperOptimizer calls by a registered name. It takes the name along into the processes
    of a pool, which have not registered it."""

    def __init__(self, name):
        self.name = name

    def _options(self):
        return {key: value for key, value in vars(_registered[self.name]).items() if key != "cost"}

    def __call__(self, inputs, output, size_dict, seed):
        return PathOptimizer(**{**self._options(), "seed": seed}).search(inputs, output, size_dict)

    def __reduce__(self):
        return _registered_search, (self.name, self._options())


def _registered_search(name, options):
    register(name, **options)
    return _Search(name)


def register(name="tenferro", **options):
    """Makes optimize=name known to opt_einsum, and with it to jnp.einsum, and to cotengra and quimb,
    whichever are installed; to cotengra also as a method of its HyperOptimizer. Options are those of
    PathOptimizer; a name that was registered here gets them anew. Raises KeyError for a name that opt_einsum
    has for something else."""
    optimizer = PathOptimizer(**options)
    if name not in _registered:
        _introduce(name)
    _registered[name] = optimizer


def _introduce(name):
    def find(inputs, output, size_dict, memory_limit=None):
        return _registered[name](inputs, output, size_dict, memory_limit)

    def find_tree(inputs, output, size_dict):
        return _registered[name].search(inputs, output, size_dict)

    def draw_tree(inputs, output, size_dict, seed, search):
        return search(inputs, output, size_dict, seed)

    try:
        from opt_einsum.paths import register_path_fn
    except ImportError:
        pass
    else:
        register_path_fn(name, find)
    try:
        from cotengra import register_preset
        from cotengra.hyperoptimizers.hyper import register_hyper_function
    except ImportError:
        return
    register_preset(name, find, find_tree, register_opt_einsum=False)
    seeds = {"seed": {"type": "INT", "min": 0, "max": 2**31 - 1}}
    register_hyper_function(name, draw_tree, seeds, {"search": _Search(name)})


@_contextmanager
def in_torch(optimizer=None):
    """A context in which torch.einsum of three operands or more follows the paths of an optimizer, by default
    PathOptimizer(); needs opt_einsum."""
    from torch.backends import opt_einsum as hook

    if not hook.is_available():
        raise _errors.Unsupported("in_torch: torch.einsum follows paths only where opt_einsum is installed")
    module = (
        hook.m
    )  # the one that torch.einsum reads; its setter knows strategies of opt_einsum by name alone
    before = module.strategy
    module.strategy = PathOptimizer() if optimizer is None else optimizer
    try:
        yield
    finally:
        module.strategy = before


class PathInfo:
    """What contracting along a path costs; has the attributes of opt_einsum's and prints as it does, with a
    line for the slices where there are any. A multiplication and an addition are two operations."""

    def __init__(self, plan):
        self.plan, self.path = plan, [tuple(sorted(pair)) for pair in plan.path]
        self.eq = _core._explicit(plan.subscripts, [len(shape) for shape in plan.shapes])
        self.input_subscripts, self.output_subscript = self.eq.split("->")
        self.shapes, self.size_dict = list(plan.shapes), {}
        terms, shapes = self.input_subscripts.split(","), list(plan.shapes)
        for term, shape in zip(terms, shapes):
            for label, extent in zip(term, shape):
                self.size_dict[label] = max(extent, self.size_dict.get(label, 1))
        self.indices = frozenset(self.input_subscripts.replace(",", ""))
        has_sum = sum(len(set(term)) for term in terms) > len(self.indices)
        self.naive_cost = _Decimal(self._flops(self.indices, has_sum, len(terms)))
        self.scale_list, self.size_list, self.contraction_list, cost = [], [], [], 0
        for number, positions in enumerate(self.path):
            cost += self._contract(terms, shapes, positions, number + 1 == len(self.path))
        self.opt_cost = _Decimal(cost)
        self.speedup = self.naive_cost / max(self.opt_cost, 1)
        self.largest_intermediate = _Decimal(max(self.size_list, default=1))
        self.sliced_labels, self.slices = plan.sliced_labels, int(plan.cost["slices"])

    def _flops(self, labels, has_sum, operands):
        return _prod(self.size_dict[label] for label in labels) * (max(1, operands - 1) + bool(has_sum))

    def _contract(self, terms, shapes, positions, is_last):
        """Notes one step and returns its operations."""
        taken = [(terms.pop(at), shapes.pop(at)) for at in sorted(positions, reverse=True)]
        labels = [term for term, _ in taken]
        together = "".join(labels)
        involved = frozenset(together)
        kept = involved & frozenset("".join(terms) + self.output_subscript)
        result = self.output_subscript if is_last else "".join(sorted(kept, key=together.find))
        extents = [dict(zip(term, shape)) for term, shape in taken]
        self.scale_list.append(len(involved))
        self.size_list.append(_prod(self.size_dict[label] for label in kept))
        terms.append(result)
        shapes.append(tuple(max(known.get(label, 1) for known in extents) for label in result))
        self.contraction_list.append(
            (
                tuple(sorted(positions, reverse=True)),
                involved - kept,
                ",".join(labels) + "->" + result,
                tuple(terms) if len(terms) <= 20 else None,
                _kind(labels, extents, kept, involved - kept),
            )
        )
        return self._flops(involved, involved - kept, len(taken))

    def __repr__(self):
        lines = [
            f"  Complete contraction:  {self.eq}",
            f"         Naive scaling:  {len(self.indices)}",
            f"     Optimized scaling:  {max(self.scale_list, default=0)}",
            f"      Naive FLOP count:  {self.naive_cost:.3e}",
            f"  Optimized FLOP count:  {self.opt_cost:.3e}",
            f"   Theoretical speedup:  {self.speedup:.3e}",
            f"  Largest intermediate:  {self.largest_intermediate:.3e} elements",
        ]
        if self.slices > 1:
            lines.append(f"                Slices:  {self.slices}, over {','.join(self.sliced_labels)}")
        lines += ["-" * 80, f"{'scaling':>6} {'BLAS':>11} {'current':>22} {'remaining':>37}", "-" * 80]
        for scale, (_, _, step, remaining, kind) in zip(self.scale_list, self.contraction_list):
            shown = "..." if remaining is None else f"{','.join(remaining)}->{self.output_subscript}"
            lines.append(f"{scale:>4} {kind:>14} {step:>22}    {shown:>{max(0, 56 - max(22, len(step)))}}")
        return "\n".join(lines)


def _kind(terms, extents, kept, removed):
    """What opt_einsum calls a step, False where no routine of BLAS would do it."""
    if len(terms) != 2 or len("".join(terms)) != sum(len(known) for known in extents):
        return False
    left, right = terms
    shared = frozenset(left) & frozenset(right)
    if shared != removed or any(extents[0][label] != extents[1][label] for label in removed):
        return False
    if not removed:
        return "OUTER/EINSUM"
    if not kept:
        return "DOT" if left == right else "DOT/EINSUM"
    count = len(removed)
    if {left[-count:], left[:count]} & {right[-count:], right[:count]}:
        return "GEMM"
    return "GEMV/EINSUM" if frozenset(left) == removed or frozenset(right) == removed else "TDOT"


def _planned(name, subscripts, *operands, **options):
    """A plan made in the name of a function; what a callable of the user raises is its own."""
    if not isinstance(subscripts, str):
        raise _errors.DTypeMismatch(f"{name}: subscripts is {_shown(subscripts)} but must be a string")
    try:
        return _core.plan(subscripts, *operands, **options)
    except _errors.Error as error:
        _name_in(error, name)
        raise


def contract_path(subscripts, *operands, optimize=True, memory_limit=None, seconds=0.0, seed=0):
    """(path, PathInfo) of an einsum of operands, arrays or tuples of extents; the path is opt_einsum's, a
    list of tuples. With a memory limit in bytes the info tells the slices."""
    plan = _planned(
        "contract_path",
        subscripts,
        *operands,
        optimize=optimize,
        order="F",
        memory_limit=memory_limit,
        seconds=seconds,
        seed=seed,
    )
    info = PathInfo(plan)
    return info.path, info


def contract(subscripts, *operands, optimize=True, order="K", memory_limit=None, seconds=0.0, progress=None):
    """An einsum of many operands: as einsum, under a limit of bytes alive at once, in slices where it must be
    (NotImplementedError where it cannot be met). progress(done, total) is called before the first step and
    after each. On traced tensors it is einsum, without limit and progress."""
    if any(getattr(one, "is_traced", False) for one in operands):
        return _core.einsum(subscripts, *operands, optimize=optimize, order=order)
    plan = _planned("contract", subscripts, *operands, optimize=optimize, order=order,
                    memory_limit=memory_limit, seconds=seconds)
    return plan(*operands) if progress is None else plan.run(*operands, progress=progress)
