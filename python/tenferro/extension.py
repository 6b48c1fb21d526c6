"""Operations written in Python, which take part in graphs, programs, derivatives and graphs as text.

    @tenferro.extension.operation("mylib.softplus.v1", vjp=lambda ct, y, x: ct * tenferro.sigmoid(x))
    def softplus(x):
        return np.logaddexp(0, np.asarray(x))

An operation is known by its family, "<crate>.<operation>.v<major>", for as long as the process lives. What
its functions raise reaches the caller of the program as it was raised, with its traceback."""

from ast import literal_eval as _literal_eval
from functools import update_wrapper as _update_wrapper
from typing import Any, Callable, NamedTuple, Optional

from . import _core, errors


class Spec(NamedTuple):
    """What a shape rule gets of an operand and says of a result."""

    shape: tuple
    dtype: _core.DType


class Operation:
    """A function of tensors as an operation.

    forward(*tensors, **parameters) returns an array of any library, or a tuple of as many as there are
    outputs.
    shape(*specs, **parameters) likewise returns Specs, or pairs of a shape and a dtype; without it the
    results are like the first operand. Parameters are numbers, strings, None and tuples, lists and dicts of
    them.

    One derivative gives all modes and orders. Either is written in functions of tenferro:
    vjp(ct, y, *x, **parameters) returns the gradient of every operand, None where it is zero, and is linear
    in ct;
    jvp(dx, y, *x, **parameters) returns the tangent of every result, None where it is zero, and is linear in
    dx, which has None for operands of integers and bools. ct, dx and y are tuples where they are several.

    Raises ValueError for a family that is malformed or known already, and for two derivatives."""

    def __init__(self, family: str, forward: Callable, *, shape: Optional[Callable] = None,
                 vjp: Optional[Callable] = None, jvp: Optional[Callable] = None, outputs: int = 1):
        if outputs < 1:
            raise errors.InvalidArgument(f"extension: outputs is {outputs} but must be at least 1")
        if vjp is not None and jvp is not None:
            raise errors.InvalidArgument(f"extension: {family} has both vjp and jvp "
                                         "but one is made of the other")
        self.family, self.outputs = family, outputs
        self._forward, self._shape, self._vjp, self._jvp = forward, shape, vjp, jvp
        _core._register_operation(self, family, outputs, vjp is not None, jvp is not None)
        _update_wrapper(self, forward)

    def __call__(self, *operands, **parameters) -> Any:
        payload = repr(dict(sorted(parameters.items())))
        try:
            known = _literal_eval(payload) == parameters
        except (ValueError, SyntaxError):
            known = False
        if not known:
            raise errors.InvalidArgument(f"{self.family}: parameters are {payload} but must be numbers, "
                                         "strings, None and tuples, lists and dicts of them")
        results = _core._apply_operation(self.family, operands, payload)
        return tuple(results) if self.outputs > 1 else results[0]

    def __repr__(self):
        return f"tenferro.extension.Operation({self.family!r})"

    def _all(self, results, what):
        results = results if self.outputs > 1 else (results,)
        if not isinstance(results, (tuple, list)) or len(results) != self.outputs:
            raise errors.InvalidConfig(f"{self.family}: {what} must return {self.outputs} results as a tuple")
        return results

    # What the engine calls.
    def _infer(self, operands, payload):
        specs = [Spec(*operand) for operand in operands]
        if self._shape is None:
            return [specs[0]] * self.outputs
        return self._all(self._shape(*specs, **_literal_eval(payload)), "shape")

    def _compute(self, operands, payload):
        return self._all(self._forward(*operands, **_literal_eval(payload)), "forward")

    def _pull(self, cotangents, outputs, operands, payload):
        one = self.outputs == 1
        gradients = self._vjp(cotangents[0] if one else cotangents, outputs[0] if one else outputs, *operands,
                              **_literal_eval(payload))
        if len(operands) == 1 and not isinstance(gradients, (tuple, list)):
            gradients = (gradients,)
        if not isinstance(gradients, (tuple, list)) or len(gradients) != len(operands):
            raise errors.InvalidConfig(f"{self.family}: vjp must return {len(operands)} gradients as a tuple")
        return gradients

    def _push(self, tangents, outputs, operands, payload):
        return self._all(self._jvp(tangents[0] if len(operands) == 1 else tangents,
                                   outputs[0] if self.outputs == 1 else outputs, *operands,
                                   **_literal_eval(payload)), "jvp")


def operation(family: str, *, shape: Optional[Callable] = None, vjp: Optional[Callable] = None,
              jvp: Optional[Callable] = None, outputs: int = 1) -> Callable:
    """Makes an Operation of the function below it."""
    return lambda forward: Operation(family, forward, shape=shape, vjp=vjp, jvp=jvp, outputs=outputs)
