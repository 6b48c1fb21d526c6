"""Derivatives of Python functions of arrays, as in JAX: the function is traced, differentiated as a graph,
compiled and run. Arguments and results may be trees of dicts, lists and tuples. Inside one another they give
derivatives of any order. Derivatives are those under the real inner product Re(conj(a) b)."""

from collections import OrderedDict
from functools import wraps

from . import _core, errors
from ._naming import function, integers, name_in, sequence
from ._trees import flatten, is_leaf, unflatten


class _Call:
    """A call of f as a graph of the leaves of the arguments at `argnums`."""

    def __init__(self, name, f, args, kwargs, argnums):
        if any(not -len(args) <= at < len(args) for at in argnums):
            raise errors.InvalidArgument(
                f"{name}: argnums is {list(argnums)} but f got {len(args)} arguments")
        if len({at % len(args) for at in argnums}) < len(argnums):
            raise errors.InvalidArgument(f"{name}: argnums is {list(argnums)}, which names an argument twice")
        chosen = [args[at] for at in argnums]
        self.leaves, self.structure = flatten(chosen)
        self.result = None
        is_called = False

        def flat(values):
            nonlocal is_called
            is_called = True
            changed = list(args)
            for at, value in zip(argnums, unflatten(self.structure, values)):
                changed[at] = value
            outputs, self.result = flatten(f(*changed, **kwargs))
            return outputs

        try:
            self.graph = _core.Graph(flat, self.leaves)
        except errors.Error as error:
            if not is_called:  # what f raises is its own
                name_in(error, name)
            raise

    def results_like(self):
        """For each result an array of the library that it becomes."""
        first = next((leaf for leaf in self.leaves if hasattr(leaf, "shape")), None)
        return [first] * len(self.graph.outputs)

    def results(self, values):
        return unflatten(self.result, values)


def _check_shapes(name, what, values, of, like):
    """Refuses values of other shapes than those that they belong to."""
    for at, (value, one) in enumerate(zip(values, like)):
        shape, wanted = _core.asarray(value).shape, _core.asarray(one).shape
        if shape != wanted:
            raise errors.ShapeMismatch(f"{name}: {what} {at} has shape {shape} but its {of} has {wanted}")


def _with_value(f, argnums, name):
    """value_and_grad(f, argnums) in the name of a function."""
    places = integers((argnums,) if isinstance(argnums, int) else argnums, name, "argnums")

    @wraps(function(f, name))
    def wrapped(*args, **kwargs):
        call = _Call(name, f, args, kwargs, places)
        if not is_leaf(call.result):
            raise errors.NonScalarLoss(f"{name}: f must return one real number, not a tree of values")
        outputs = call.graph.value_and_grad()(call.leaves, [*call.leaves, *call.results_like()])
        count = len(call.leaves)
        gradients = unflatten(call.structure, outputs[:count])
        value = call.results(outputs[count:])
        return value, gradients[0] if isinstance(argnums, int) else tuple(gradients)

    return wrapped


def value_and_grad(f, argnums=0):
    """A function that returns f's value, a real number, and its gradient with respect to an argument, or to
    several as a tuple. The gradient has the shape and dtype of the argument, a tree if it is one. Raises
    ValueError where the value is no real number of rank 0."""
    return _with_value(f, argnums, "value_and_grad")


def grad(f, argnums=0):
    """A function that returns the gradient of f alone, see value_and_grad."""
    with_value = _with_value(f, argnums, "grad")

    @wraps(f)
    def wrapped(*args, **kwargs):
        return with_value(*args, **kwargs)[1]

    return wrapped


def jvp(f, primals, tangents):
    """(f(*primals), the derivative of f there along tangents). Tangents are like the primals."""
    primals, tangents = sequence(primals, "jvp", "primals"), sequence(tangents, "jvp", "tangents")
    call = _Call("jvp", function(f, "jvp"), primals, {}, range(len(primals)))
    moved, structure = flatten(list(tangents))
    if structure != call.structure:
        raise errors.InvalidArgument("jvp: tangents and primals differ in structure")
    _check_shapes("jvp", "tangent", moved, "primal", call.leaves)
    outputs = call.graph.jvp()([*call.leaves, *moved], 2 * call.results_like())
    half = len(outputs) // 2
    return call.results(outputs[half:]), call.results(outputs[:half])


def vjp(f, *primals):
    """(f(*primals), a function that takes a cotangent of the result to a tuple of those of the primals)."""
    call = _Call("vjp", function(f, "vjp"), primals, {}, range(len(primals)))
    backward = call.graph.vjp()

    def pull(cotangent):
        given, structure = flatten(cotangent)
        if structure != call.result:
            raise errors.InvalidArgument("vjp: the cotangent differs from the result in structure")
        _check_shapes("vjp", "cotangent", given, "result", call.graph.outputs)
        outputs = backward([*call.leaves, *given], call.leaves)[: len(call.leaves)]
        return tuple(unflatten(call.structure, outputs))

    return call.results(call.graph(call.leaves, call.results_like())), pull


def hvp(f, primals, vectors):
    """The Hessian of f, a real number, at primals times vectors: a tuple like the primals."""
    primals, vectors = sequence(primals, "hvp", "primals"), sequence(vectors, "hvp", "vectors")
    call = _Call("hvp", function(f, "hvp"), primals, {}, range(len(primals)))
    moved, structure = flatten(list(vectors))
    if structure != call.structure:
        raise errors.InvalidArgument("hvp: vectors and primals differ in structure")
    _check_shapes("hvp", "vector", moved, "primal", call.leaves)
    outputs = call.graph.hvp()([*call.leaves, *moved], call.leaves)[: len(call.leaves)]
    return tuple(unflatten(call.structure, outputs))


_MOST_PROGRAMS = 256


def compile(f):
    """f as a program: traced once for every structure, shape and dtype of its arguments, and then run without
    Python. The 256 programs used last are kept. Numbers among the arguments are arrays of rank 0. Inside
    another transformation it is f."""
    programs = OrderedDict()

    @wraps(function(f, "compile"))
    def wrapped(*args):
        leaves, structure = flatten(args)
        values = [_core.asarray(leaf) for leaf in leaves]
        if _core._is_tracing() or any(value.is_traced for value in values):
            return f(*args)
        key = (structure, tuple((value.shape, value.dtype) for value in values))
        known = programs.pop(key, None)
        if known is None:
            call = _Call("compile", f, args, {}, range(len(args)))
            known = call.graph.compile(), call.result
        programs[key] = known  # the last one is the one used last
        if len(programs) > _MOST_PROGRAMS:
            programs.popitem(last=False)
        program, result = known
        return unflatten(result, program(*leaves))

    return wrapped


def checkpoint(f):
    """f, of which reverse mode keeps the arguments alone: what f computes on its way is computed again for
    its derivative, so a chain of such functions needs the memory of one. Values and derivatives are the
    same."""

    @wraps(function(f, "checkpoint"))
    def wrapped(*args, **kwargs):
        leaves, structure = flatten((args, kwargs))
        arrays = [at for at, leaf in enumerate(leaves) if hasattr(leaf, "shape")]
        if not any(getattr(leaves[at], "is_traced", False) for at in arrays):
            return f(*args, **kwargs)
        result = None

        def flat(values):
            nonlocal result
            changed = list(leaves)
            for at, value in zip(arrays, values):
                changed[at] = value
            positional, named = unflatten(structure, changed)
            outputs, result = flatten(f(*positional, **named))
            return outputs

        outputs = _core._checkpoint(flat, [leaves[at] for at in arrays])
        return unflatten(result, outputs)

    return wrapped
