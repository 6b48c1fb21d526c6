import builtins
from typing import Any
from collections.abc import Iterator, Sequence

_errors: Any


def _give_like(arg0: object, arg1: object, /) -> Any: ...

class DType:
    """An element type: float32, …, bool."""

    @property
    def name(self) -> str: ...

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple: ...

    def __eq__(self, arg: object, /) -> builtins.bool: ...

float32: DType = ...

float64: DType = ...

complex64: DType = ...

complex128: DType = ...

int32: DType = ...

int64: DType = ...

bool: DType = ...

def _promoted(arg0: object, arg1: object, /) -> Any: ...

def dtype(of: object) -> Any:
    """The dtype of that name, or that one of NumPy, torch or Python is."""

class Tensor:
    """
    An immutable tensor in main memory, or, inside a function that is being traced, one that is going
    to be computed. Made by asarray(), from_dlpack() and every function.
    """

    @property
    def dtype(self) -> Any: ...

    @property
    def shape(self) -> tuple:
        """Extents; None for one that a traced tensor does not know."""

    @property
    def ndim(self) -> int: ...

    @property
    def size(self) -> int: ...

    @property
    def itemsize(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    @property
    def strides(self) -> tuple:
        """In elements."""

    @property
    def device(self) -> str: ...

    @property
    def is_traced(self) -> builtins.bool: ...

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

    def item(self) -> Any:
        """The only element as a number of Python."""

    def tolist(self) -> Any: ...

    def __dlpack__(self, *, stream: object | None = None, max_version: object | None = None,
                   dl_device: object | None = None, copy: builtins.bool | None = None) -> Any:
        """
        A DLPack capsule that shares the memory, read-only where its form can say so.
        """

    def __dlpack_device__(self) -> tuple: ...

    def __array__(self, dtype: object | None = None, copy: builtins.bool | None = None) -> Any: ...

    def __array_namespace__(self, *, api_version: object | None = None) -> Any: ...

    @property
    def T(self) -> Tensor:
        """The transpose of a matrix. ValueError for other ranks."""

    @property
    def mT(self) -> Tensor:
        """The matrices in the last two axes transposed. ValueError below rank 2."""

    def __reduce__(self) -> tuple: ...

    def to_device(self, device: str, *, stream: object | None = None) -> Tensor: ...

    def __add__(self, arg: object, /) -> Any: ...

    def __radd__(self, arg: object, /) -> Any: ...

    def __sub__(self, arg: object, /) -> Any: ...

    def __rsub__(self, arg: object, /) -> Any: ...

    def __mul__(self, arg: object, /) -> Any: ...

    def __rmul__(self, arg: object, /) -> Any: ...

    def __truediv__(self, arg: object, /) -> Any: ...

    def __rtruediv__(self, arg: object, /) -> Any: ...

    def __floordiv__(self, arg: object, /) -> Any: ...

    def __rfloordiv__(self, arg: object, /) -> Any: ...

    def __mod__(self, arg: object, /) -> Any: ...

    def __rmod__(self, arg: object, /) -> Any: ...

    def __pow__(self, arg: object, /) -> Any: ...

    def __rpow__(self, arg: object, /) -> Any: ...

    def __and__(self, arg: object, /) -> Any: ...

    def __rand__(self, arg: object, /) -> Any: ...

    def __or__(self, arg: object, /) -> Any: ...

    def __ror__(self, arg: object, /) -> Any: ...

    def __xor__(self, arg: object, /) -> Any: ...

    def __rxor__(self, arg: object, /) -> Any: ...

    def __lshift__(self, arg: object, /) -> Any: ...

    def __rlshift__(self, arg: object, /) -> Any: ...

    def __rshift__(self, arg: object, /) -> Any: ...

    def __rrshift__(self, arg: object, /) -> Any: ...

    def __eq__(self, arg: object, /) -> Any: ...

    def __ne__(self, arg: object, /) -> Any: ...

    def __lt__(self, arg: object, /) -> Any: ...

    def __le__(self, arg: object, /) -> Any: ...

    def __gt__(self, arg: object, /) -> Any: ...

    def __ge__(self, arg: object, /) -> Any: ...

    __hash__: None = None

    __array_ufunc__: None = None

    def __matmul__(self, arg: object, /) -> Any: ...

    def __rmatmul__(self, arg: object, /) -> Any: ...

    def __neg__(self) -> Tensor: ...

    def __pos__(self) -> Tensor: ...

    def __abs__(self) -> Tensor: ...

    def __invert__(self) -> Tensor: ...

    def __bool__(self) -> builtins.bool: ...

    def __float__(self) -> float: ...

    def __int__(self) -> int: ...

    def __index__(self) -> int: ...

    def __complex__(self) -> Any: ...

    def __getitem__(self, index: object | None) -> Tensor:
        """
        Integers, slices, ..., None: a view. With masks or arrays of integers a copy, as NumPy's.
        """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator: ...

    @property
    def at(self) -> Updates:
        """x.at[index].set(values) and .add(values): see at()."""

class Selected:
    """What an index selects of a tensor: x.at[index]."""

    def get(self) -> Any:
        """x[index]."""

    def set(self, values: object) -> Any:
        """
        x with these values there, which broadcast to x[index]. Of those for one element the last stays.
        """

    def add(self, values: object) -> Any:
        """x with these values added there, each of those for one element."""

class Updates:
    """x.at: x.at[index].set(values) is x but for what index selects."""

    def __getitem__(self, index: object | None) -> Selected: ...

def at(x: object) -> Updates:
    """
    at(x)[index].set(values), .add(values): x with what index selects changed, an array of the library
    of x, which itself stays as it is. Values are of the kind of x or a lower one: bool, integers, real,
    complex. Differentiable in both.
    """

def asarray(obj: object, *, dtype: object | None = None, device: object | None = None,
            copy: builtins.bool | None = None) -> Tensor:
    """
    A Tensor on the memory of an array of any library, or a copy of numbers and nested lists.
    """

def from_dlpack(x: object, *, device: object | None = None, copy: builtins.bool | None = None) -> Tensor:
    """
    A Tensor on the memory of an object with __dlpack__; BufferError for dtypes and devices that
    are not ours.
    """

def _tensor_of_bytes(arg0: object, arg1: object, arg2: bytes, /) -> Tensor: ...

def _explicit(arg0: str, arg1: Sequence[int], /) -> str: ...

def einsum(subscripts: object, /, *operands: object, optimize: object = True, order: str = 'K',
           dtype: object = None) -> Any:
    """
    The einsum of arrays, in NumPy's grammar: implicit output, '...', extents of 1 that broadcast, and
    the interleaved form einsum(a, [0, 1], b, [1, 2], [0, 2]).

    The result is an array of the operands' library, a Tensor if one operand is. With order 'K' it is
    C-contiguous if all operands are, else column-major; 'C' and 'F' say which. optimize: True or a name
    searches a path, False contracts from left to right, a list of pairs is followed, a callable is asked
    as opt_einsum asks it. Operands of several dtypes are promoted; dtype converts them, and so drops the
    imaginary part for a real one.

    Raises ValueError for a malformed string, a wrong number of operands or extents that differ,
    TypeError for dtypes that are not supported.
    """

class Plan:
    """
    An einsum compiled for shapes; plan(*operands) runs it. Made by tenferro.plan().
    """

    def __call__(self, /, *args, **kwargs):
        """Call self as a function."""

    def vjp(self, *operands, cotangent: object) -> Any:
        """
        The gradients of every operand for a cotangent of the result's shape, as a tuple of arrays of
        the operands' shapes and common dtype. ValueError for a cotangent of another shape.
        """

    def jvp(self, primals: object, tangents: object) -> Any:
        """
        The tangent of the result; a tangent has the shape of its operand, one that is None is zero.
        ValueError for other shapes and numbers of tangents.
        """

    @property
    def subscripts(self) -> str:
        """The string."""

    @property
    def shapes(self) -> tuple:
        """The shapes of the operands."""

    def run(self, *operands, progress: object) -> Any:
        """
        plan(*operands), calling progress(done, total) before the first step and after each; what it
        raises ends the run.
        """

    @property
    def equation(self) -> str:
        """The string with implicit output and '...' written out."""

    @property
    def path(self) -> list:
        """The contraction path as a list of pairs, as opt_einsum has it."""

    @property
    def cost(self) -> dict:
        """
        flops, bytes, predicted seconds of one thread, largest_intermediate in elements,
        total_writes, peak_bytes and slices.
        """

    @property
    def sliced_labels(self) -> tuple:
        """Labels that are fixed to meet the memory limit."""

    def __repr__(self) -> str: ...

def plan(subscripts: str, *operands, optimize: object = True, order: object = 'K',
         dtype: object | None = None, memory_limit: int | None = None, seconds: float = 0.0,
         seed: int = 0) -> Plan:
    """
    An einsum compiled for operands, given as arrays or as tuples of extents.

    optimize: as for einsum. order: of the results, 'C', 'F', or 'K' for that of the arrays given ('C'
    where shapes are). dtype: the one that costs are predicted for, else that of the first array.
    memory_limit: the most bytes alive at once; the plan is sliced to meet it (NotImplementedError where
    it cannot). seconds: how long to search a path; 0 leaves it to the search, which then always finds
    the same. Raises ValueError as einsum does, and for limits that are not positive.
    """

def abs(x: object) -> Any:
    """
    Elementwise: the absolute value; real for complex a. An array of the shape of x. Raises TypeError for
    dtypes that have none.
    """

def sign(x: object) -> Any:
    """
    Elementwise: -1, 0 or 1; a / abs(a) for complex a. An array of the shape of x. Raises TypeError for dtypes
    that have none.
    """

def conj(x: object) -> Any:
    """
    Elementwise: the complex conjugate. An array of the shape of x. Raises TypeError for dtypes that have
    none.
    """

def stop_gradient(x: object) -> Any:
    """
    Elementwise: a itself, which derivatives take for a constant. An array of the shape of x. Raises TypeError
    for dtypes that have none.
    """

def expm1(x: object) -> Any:
    """
    Elementwise: exp(a) - 1, accurate near 0. An array of the shape of x. Raises TypeError for dtypes that
    have none.
    """

def log1p(x: object) -> Any:
    """
    Elementwise: log(1 + a), accurate near 0. An array of the shape of x. Raises TypeError for dtypes that
    have none.
    """

def rsqrt(x: object) -> Any:
    """
    Elementwise: 1 / sqrt(a). An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def sigmoid(x: object) -> Any:
    """
    Elementwise: 1 / (1 + exp(-a)). An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def lgamma(x: object) -> Any:
    """
    Elementwise: the logarithm of the absolute value of the gamma function. An array of the shape of x. Raises
    TypeError for dtypes that have none.
    """

def exp(x: object) -> Any:
    """
    Elementwise: e to the power a. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def log(x: object) -> Any:
    """
    Elementwise: the natural logarithm. An array of the shape of x. Raises TypeError for dtypes that have
    none.
    """

def sqrt(x: object) -> Any:
    """
    Elementwise: the square root. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def sin(x: object) -> Any:
    """
    Elementwise: the sine. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def cos(x: object) -> Any:
    """
    Elementwise: the cosine. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def tan(x: object) -> Any:
    """
    Elementwise: the tangent. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def asin(x: object) -> Any:
    """
    Elementwise: the inverse sine. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def acos(x: object) -> Any:
    """
    Elementwise: the inverse cosine. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def atan(x: object) -> Any:
    """
    Elementwise: the inverse tangent. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def sinh(x: object) -> Any:
    """
    Elementwise: the hyperbolic sine. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def cosh(x: object) -> Any:
    """
    Elementwise: the hyperbolic cosine. An array of the shape of x. Raises TypeError for dtypes that have
    none.
    """

def tanh(x: object) -> Any:
    """
    Elementwise: the hyperbolic tangent. An array of the shape of x. Raises TypeError for dtypes that have
    none.
    """

def asinh(x: object) -> Any:
    """
    Elementwise: the inverse hyperbolic sine. An array of the shape of x. Raises TypeError for dtypes that
    have none.
    """

def acosh(x: object) -> Any:
    """
    Elementwise: the inverse hyperbolic cosine. An array of the shape of x. Raises TypeError for dtypes that
    have none.
    """

def atanh(x: object) -> Any:
    """
    Elementwise: the inverse hyperbolic tangent. An array of the shape of x. Raises TypeError for dtypes that
    have none.
    """

def erf(x: object) -> Any:
    """
    Elementwise: the error function. An array of the shape of x. Raises TypeError for dtypes that have none.
    """

def erfc(x: object) -> Any:
    """
    Elementwise: 1 - erf(a), accurate for large a. An array of the shape of x. Raises TypeError for dtypes
    that have none.
    """

def negative(x: object) -> Any:
    """Elementwise: -x."""

def positive(x: object) -> Any:
    """x itself."""

def real(x: object) -> Any:
    """Elementwise: the real part."""

def imag(x: object) -> Any:
    """Elementwise: the imaginary part, 0 for real x."""

def square(x: object) -> Any:
    """Elementwise: x * x."""

def reciprocal(x: object) -> Any:
    """Elementwise: 1 / x."""

def floor(x: object) -> Any:
    """Elementwise: the largest whole number not above x."""

def ceil(x: object) -> Any:
    """Elementwise: the smallest whole number not below x."""

def trunc(x: object) -> Any:
    """Elementwise: x without its fraction."""

def isnan(x: object) -> Any:
    """Elementwise: whether x is NaN."""

def isfinite(x: object) -> Any:
    """Elementwise: whether x is neither infinite nor NaN."""

def isinf(x: object) -> Any:
    """Elementwise: whether x is infinite."""

def logical_not(x: object) -> Any:
    """Elementwise: whether x is 0."""

def bitwise_invert(x: object) -> Any:
    """Elementwise: the bits of integers exchanged; not, for bool."""

def signbit(x: object) -> Any:
    """Elementwise: whether the sign is negative, of -0 too."""

def round(x: object) -> Any:
    """Elementwise: the nearest whole number, of two the even one."""

def log2(x: object) -> Any:
    """Elementwise: the logarithm to base 2."""

def log10(x: object) -> Any:
    """Elementwise: the logarithm to base 10."""

def angle(x: object) -> Any:
    """Elementwise: the argument of complex x, in radians."""

def add(a: object, b: object) -> Any:
    """a + b"""

def subtract(a: object, b: object) -> Any:
    """a - b"""

def multiply(a: object, b: object) -> Any:
    """a * b"""

def divide(a: object, b: object) -> Any:
    """a / b, of integers in float64"""

def floor_divide(a: object, b: object) -> Any:
    """a / b, rounded down"""

def remainder(a: object, b: object) -> Any:
    """the rest of a / b, with the sign of b"""

def pow(a: object, b: object) -> Any:
    """a to the power b"""

def atan2(a: object, b: object) -> Any:
    """the angle of the point (b, a), in radians"""

def hypot(a: object, b: object) -> Any:
    """sqrt(a a + b b) without overflow between"""

def logaddexp(a: object, b: object) -> Any:
    """log(exp(a) + exp(b)) without overflow"""

def maximum(a: object, b: object) -> Any:
    """the larger; NaN if either is"""

def minimum(a: object, b: object) -> Any:
    """the smaller; NaN if either is"""

def equal(a: object, b: object) -> Any:
    """whether a == b"""

def not_equal(a: object, b: object) -> Any:
    """whether a != b"""

def less(a: object, b: object) -> Any:
    """whether a < b"""

def less_equal(a: object, b: object) -> Any:
    """whether a <= b"""

def greater(a: object, b: object) -> Any:
    """whether a > b"""

def greater_equal(a: object, b: object) -> Any:
    """whether a >= b"""

def copysign(a: object, b: object) -> Any:
    """the size of a with the sign of b"""

def nextafter(a: object, b: object) -> Any:
    """the next number after a towards b; it has no derivative"""

def bitwise_and(a: object, b: object) -> Any:
    """the bits that both integers have; and, for bool"""

def bitwise_or(a: object, b: object) -> Any:
    """the bits that one of the integers has; or, for bool"""

def bitwise_xor(a: object, b: object) -> Any:
    """the bits in which the integers differ; exclusive or, for bool"""

def bitwise_left_shift(a: object, b: object) -> Any:
    """the integer a with its bits moved up by b"""

def bitwise_right_shift(a: object, b: object) -> Any:
    """the integer a with its bits moved down by b, rounded down"""

def logical_and(a: object, b: object) -> Any:
    """whether both are not 0"""

def logical_or(a: object, b: object) -> Any:
    """whether one is not 0"""

def logical_xor(a: object, b: object) -> Any:
    """whether exactly one is not 0"""

def _beside(arg0: object, arg1: object, /) -> Any: ...

def where(condition: object, x: object, y: object) -> Any:
    """x where the condition holds, else y; all three broadcast."""

def clip(x: object, min: object | None = None, max: object | None = None) -> Any:
    """x limited to [min, max]."""

def astype(x: object, dtype: object, *, copy: builtins.bool = True, device: object | None = None) -> Any:
    """
    x in another dtype: floats to integers truncate, complex to real keeps the real part, anything to
    bool is whether it is not 0. With copy=False x itself where it has the dtype. TypeError for dtypes that
    are not ours.
    """

def sum(x: object, *, axis: object | None = None, dtype: object | None = None,
        keepdims: builtins.bool = False) -> Any:
    """
    The sum over axes, all without one, pairwise; integers in int64, or all in dtype.
    """

def prod(x: object, *, axis: object | None = None, dtype: object | None = None,
         keepdims: builtins.bool = False) -> Any:
    """
    The product over axes, all without one; integers in int64, or all in dtype.
    """

def max(x: object, *, axis: object | None = None, keepdims: builtins.bool = False) -> Any:
    """The largest over axes, all without one; NaN if any is."""

def min(x: object, *, axis: object | None = None, keepdims: builtins.bool = False) -> Any:
    """The smallest over axes, all without one; NaN if any is."""

def mean(x: object, *, axis: object | None = None, keepdims: builtins.bool = False) -> Any:
    """The average over axes, all without one."""

def any(x: object, *, axis: object | None = None, keepdims: builtins.bool = False) -> Any:
    """Whether any element over axes is not 0."""

def all(x: object, *, axis: object | None = None, keepdims: builtins.bool = False) -> Any:
    """Whether all elements over axes are not 0."""

def logsumexp(x: object, *, axis: object | None = None, keepdims: builtins.bool = False) -> Any:
    """log of the sum of exp(x) over axes, without overflow."""

def var(x: object, *, axis: object | None = None, correction: float = 0.0,
        keepdims: builtins.bool = False) -> Any:
    """The variance over axes, divided by their number less the correction."""

def std(x: object, *, axis: object | None = None, correction: float = 0.0,
        keepdims: builtins.bool = False) -> Any:
    """The standard deviation, see var."""

def argmax(x: object, *, axis: object | None = None, keepdims: builtins.bool = False) -> Any:
    """The int64 index of the largest along an axis, the first of equals."""

def argmin(x: object, *, axis: object | None = None, keepdims: builtins.bool = False) -> Any:
    """The int64 index of the smallest along an axis, the first of equals."""

def cumulative_sum(x: object, *, axis: object | None = None, dtype: object | None = None,
                   include_initial: builtins.bool = False) -> Any:
    """
    Sums of the elements up to each along an axis, which may be left out for rank 1; integers in int64, or
    all in dtype. include_initial puts a 0 before them.
    """

def sort(x: object, *, axis: int = -1, descending: builtins.bool = False,
         stable: builtins.bool = True) -> Any:
    """
    Sorted along an axis, NaN last, or first where descending; equal elements keep their order.
    """

def argsort(x: object, *, axis: int = -1, descending: builtins.bool = False,
            stable: builtins.bool = True) -> Any:
    """The int64 indices that sort along an axis, see sort."""

def searchsorted(x1: object, x2: object, *, side: str = 'left', sorter: object | None = None) -> Any:
    """
    How many elements of the ascending vector x1 are less than each of x2, with side 'right' not greater;
    sorter is what argsort(x1) gives where x1 is not sorted.
    """

def softmax(x: object, *, axis: int = -1) -> Any:
    """exp(x) divided by its sum along an axis."""

def reshape(x: object, shape: object, *, copy: builtins.bool | None = None) -> Any:
    """
    The elements in row-major order in another shape; one extent may be -1. A Tensor whose elements lie
    so shares them with the result, unless copy is True; others are copied, ValueError if copy is False.
    """

def permute_dims(x: object, axes: object | None = None) -> Any:
    """Axis i of the result is axis axes[i] of x; reversed without axes."""

transpose = permute_dims

def swapaxes(x: object, axis1: int, axis2: int) -> Any:
    """Two axes exchanged."""

def matrix_transpose(x: object) -> Any:
    """The last two axes exchanged."""

def moveaxis(x: object, source: object, destination: object) -> Any:
    """Axes moved to other places."""

def expand_dims(x: object, axis: int = 0) -> Any:
    """A new axis of extent 1."""

def squeeze(x: object, axis: object | None = None) -> Any:
    """Axes of extent 1 removed."""

def broadcast_to(x: object, shape: object) -> Any:
    """x repeated to a shape, aligned at the last axis."""

def flip(x: object, *, axis: object | None = None) -> Any:
    """Axes in reverse order, all without one."""

def _roll(arg0: object, arg1: int, arg2: int, /) -> Any: ...

def concat(arrays: object, *, axis: object | None = 0) -> Any:
    """
    Arrays one after the other along an axis; in one line where axis is None.
    """

concatenate = concat

def stack(arrays: object, *, axis: int = 0) -> Any:
    """Arrays of one shape along a new axis."""

def take(x: object, indices: object, *, axis: object | None = None) -> Any:
    """
    The slices of x along an axis at indices; negative ones count from the end. IndexError, but in a
    program, where the nearest there is is taken.
    """

def tril(x: object, *, k: int = 0) -> Any:
    """The matrices in the last two axes, zero above diagonal k."""

def triu(x: object, *, k: int = 0) -> Any:
    """The matrices in the last two axes, zero below diagonal k."""

def diagonal(x: object, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonal of two axes, as the last axis."""

def tensordot(x: object, y: object, axes: object = 2) -> Any:
    """
    The sum of products over axes: the last of x with the first of y, or two lists.
    """

def matmul(x: object, y: object) -> Any:
    """
    x [..., m, k] times y [..., k, n]; batches broadcast, vectors as in NumPy.
    """

def outer(x: object, y: object) -> Any:
    """Every element of x times every one of y."""

def vecdot(x: object, y: object, *, axis: int = -1) -> Any:
    """The sum of conj(x) y over an axis."""

def zeros(shape: object, *, dtype: object | None = None, device: object | None = None) -> Tensor:
    """A Tensor of zeros."""

def empty(shape: object, *, dtype: object | None = None, device: object | None = None) -> Tensor:
    """A Tensor of any numbers: zeros."""

def ones(shape: object, *, dtype: object | None = None, device: object | None = None) -> Tensor:
    """A Tensor of ones."""

def full(shape: object, fill_value: object, *, dtype: object | None = None,
         device: object | None = None) -> Tensor:
    """A Tensor of one number."""

def eye(n_rows: int, n_cols: int | None = None, *, k: int = 0, dtype: object | None = None,
        device: object | None = None) -> Tensor:
    """
    A matrix of ones on diagonal k, above the main one where it is positive, and zeros.
    """

def arange(start: object, stop: object | None = None, step: object = 1, *, dtype: object | None = None,
           device: object | None = None) -> Tensor:
    """start, start + step, … before stop; from 0 with one number."""

def linspace(start: object, stop: object, num: int, *, dtype: object | None = None,
             device: object | None = None, endpoint: builtins.bool = True) -> Tensor:
    """Numbers at equal distances."""

def zeros_like(x: object, *, dtype: object | None = None, device: object | None = None) -> Tensor:
    """Zeros in the shape and dtype of x."""

def empty_like(x: object, *, dtype: object | None = None, device: object | None = None) -> Tensor:
    """Any numbers in the shape and dtype of x: zeros."""

def ones_like(x: object, *, dtype: object | None = None, device: object | None = None) -> Tensor:
    """Ones in the shape and dtype of x."""

def full_like(x: object, fill_value: object, *, dtype: object | None = None,
              device: object | None = None) -> Tensor:
    """One number in the shape and dtype of x."""

def nonzero(x: object) -> tuple:
    """
    The int64 indices of the elements that are not 0, in row-major order: a tuple of one vector for
    each axis. ValueError for rank 0 and for traced tensors.
    """

def _unique(x: object) -> tuple: ...

def _unique_values(x: object) -> Any: ...

class Program:
    """A compiled graph; program(*arrays) returns a list of arrays."""

    def __call__(self, *arrays) -> list: ...

    @staticmethod
    def from_json(text: str) -> Program:
        """From what Graph.to_json wrote. ValueError for text that is no graph."""

    def __str__(self) -> str: ...

class Graph:
    """
    A function of tensors as a graph: Graph(f, arrays), where f takes and returns lists.
    """

    def __init__(self, f: object, arrays: object) -> None: ...

    def __call__(self, arrays: object, like: object = ()) -> list:
        """
        The outputs for these inputs, as arrays of the libraries of like; others are Tensors.
        """

    def value_and_grad(self) -> Graph:
        """The gradients of the first output, then the outputs."""

    def jvp(self) -> Graph:
        """Of inputs and tangents: the outputs' tangents, then the outputs."""

    def vjp(self) -> Graph:
        """Of inputs and cotangents: the inputs' cotangents, then the outputs."""

    def hvp(self) -> Graph:
        """Of inputs and vectors: the Hessian times them, then the outputs."""

    def compile(self) -> Program:
        """The program that computes it."""

    def to_json(self) -> str:
        """As text, for other processes and languages."""

    @property
    def outputs(self) -> list:
        """Traced tensors like the outputs."""

def _is_tracing() -> builtins.bool: ...

def _matrix_function(arg0: str, arg1: object, /) -> list: ...

def _checked_einsum(arg0: str, arg1: Sequence[Sequence[int]], /) -> None: ...

def _torch_einsum(subscripts, /, *tensors): ...

def _torch_gradients(subscripts, cotangent, /, *operands): ...

def _xla_handlers() -> tuple: ...

def _checkpoint(arg0: object, arg1: object, /) -> list: ...

def _register_operation(arg0: object, arg1: str, arg2: int, arg3: builtins.bool, arg4: builtins.bool,
                        /) -> None: ...

def _apply_operation(arg0: str, arg1: object, arg2: str, /) -> list: ...

def _search(inputs: Sequence[Sequence[int]], output: Sequence[int], extents: Sequence[int], minimize: str,
            seconds: float, seed: int, threads: int, dtype: object, memory_limit: int | None) -> tuple: ...

def num_threads() -> int:
    """Threads that operations use."""

def set_num_threads(threads: int) -> None:
    """Sets them, for operations that start from now on."""
