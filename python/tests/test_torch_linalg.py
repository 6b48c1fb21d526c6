"""Linear algebra of tenferro.torch: values beside torch.linalg, derivatives by PyTorch's own checks."""

import re
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

import tenferro as tf  # noqa: E402
import tenferro.torch as tt  # noqa: E402

DTYPES = [torch.float64, torch.complex128]


def matrices(*shape, dtype=torch.float64, seed=3):
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def hermitian(f):
    """f of the Hermitian part, which derivatives take operands for."""
    return lambda a: f((a + a.mH) / 2)


def positive(f):
    return lambda a: f(a @ a.mH + torch.eye(a.shape[-1], dtype=a.dtype))


def rebuilt_eigh(module, **options):
    def f(a):
        w, v = module.eigh(a, **options)
        return v * w.exp().unsqueeze(-2).to(v.dtype) @ v.mH, w
    return hermitian(f)


def rebuilt_eig(module):
    def f(a):
        w, v = module.eig(a)
        return v * w.unsqueeze(-2) @ torch.linalg.inv(v)
    return f


def parts_of_svd(module):
    def f(a):
        u, s, vh = module.svd(a, full_matrices=False)
        return u * s.pow(2).unsqueeze(-2).to(u.dtype) @ vh, s
    return f


def parts_of_qr(module):
    def f(a):
        q, r = module.qr(a)
        return q @ q.mH, r.abs(), q @ r * 2
    return f


# name: (a function of one of the modules, shapes of the operands). Results do not depend on signs and phases.
CASES = {
    "svd": (parts_of_svd, [(2, 4, 3)]),
    "svd_wide": (parts_of_svd, [(3, 4)]),
    "svdvals": (lambda m: m.svdvals, [(3, 3)]),
    "qr": (parts_of_qr, [(2, 4, 3)]),
    "eigh": (rebuilt_eigh, [(2, 3, 3)]),
    "eigh_upper": (lambda m: rebuilt_eigh(m, UPLO="U"), [(3, 3)]),
    "eigvalsh": (lambda m: hermitian(m.eigvalsh), [(3, 3)]),
    "eig": (rebuilt_eig, [(2, 3, 3)]),
    "cholesky": (lambda m: positive(m.cholesky), [(2, 3, 3)]),
    "cholesky_upper": (lambda m: positive(lambda a: m.cholesky(a, upper=True)), [(3, 3)]),
    "lu": (lambda m: lambda a: m.lu(a)[1:], [(2, 3, 3)]),
    "inv": (lambda m: m.inv, [(2, 3, 3)]),
    "pinv": (lambda m: m.pinv, [(4, 3)]),
    "det": (lambda m: m.det, [(2, 3, 3)]),
    "slogdet": (lambda m: m.slogdet, [(2, 3, 3)]),
    "matrix_exp": (lambda m: m.matrix_exp, [(3, 3)]),
    "solve": (lambda m: m.solve, [(2, 3, 3), (2, 3, 2)]),
    "solve_broadcast": (lambda m: m.solve, [(3, 3), (2, 3, 1)]),
    "solve_vector": (lambda m: m.solve, [(3, 3), (3,)]),
}


class Reference:
    """torch.linalg under our names."""

    def __getattr__(self, name):
        return getattr(torch.linalg, name)


def operands_of(shapes, dtype):
    return [matrices(*shape, dtype=dtype, seed=at + 3) for at, shape in enumerate(shapes)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_values(name, dtype):
    make, shapes = CASES[name]
    operands = operands_of(shapes, dtype)
    torch.testing.assert_close(make(tt)(*operands), make(Reference())(*operands))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_derivatives(name, dtype):
    make, shapes = CASES[name]
    operands = [x.requires_grad_() for x in operands_of(shapes, dtype)]
    assert torch.autograd.gradcheck(make(tt), operands, check_forward_ad=True, check_batched_grad=True)
    assert torch.autograd.gradgradcheck(make(tt), operands)


@pytest.mark.parametrize("name", ["svd", "eigh", "inv", "det", "solve", "qr", "cholesky"])
def test_transformations(name):
    make, shapes = CASES[name]
    operands = operands_of(shapes, torch.float64)
    loss = lambda m: lambda *x: sum(y.square().sum() for y in _flat(make(m)(*x)))
    for transformed in (lambda f: torch.func.grad(f)(*operands),
                        lambda f: torch.func.jvp(f, tuple(operands), tuple(operands))[1],
                        lambda f: torch.func.hessian(f)(*operands),
                        lambda f: torch.func.vmap(f)(*operands) if operands[0].dim() > 2 else f(*operands),
                        lambda f: torch.func.vmap(torch.func.grad(f), in_dims=-1)(
                            *(torch.stack([x, 2 * x], -1) for x in operands))):
        torch.testing.assert_close(transformed(loss(tt)), transformed(loss(Reference())))


def _flat(y):
    return y if isinstance(y, tuple) else (y,)


def test_compiled_without_breaks():
    def f(a, b):
        u, s, vh = tt.svd(a, full_matrices=False)
        q, r = tt.qr(a)
        x = tt.solve(a, b)
        return s.sum() + (u @ vh).sum() + tt.det(a).sum() + (q @ r).sum() + tt.einsum("bij,bjk->", x, x.mT)

    a, b = matrices(2, 3, 3).requires_grad_(), matrices(2, 3, 2).requires_grad_()
    expected = torch.autograd.grad(f(a, b), (a, b))
    value = torch.compile(f, fullgraph=True)(a, b)
    torch.testing.assert_close(value, f(a, b))
    torch.testing.assert_close(torch.autograd.grad(value, (a, b)), expected)


@pytest.mark.parametrize("name", ["svd", "svd_full", "qr_full", "eig", "vjp:011:1 svd", "jvp:1 eigh"])
def test_operator_is_sound(name):
    a = matrices(2, 4, 4)
    operands = [a]
    if name.startswith("vjp"):
        u, s, vh = tt.svd(a, full_matrices=False)
        operands += [u, s, vh, s, vh]
    if name.startswith("jvp"):
        operands += [*tt.eigh(a), a]
    torch.library.opcheck(torch.ops.tenferro.linalg.default, (name, [x.detach() for x in operands]))
    if ":" not in name:
        torch.library.opcheck(torch.ops.tenferro.linalg.default, (name, [a.requires_grad_()]))


@pytest.mark.parametrize("name", ["solve", "det", "slogdet"])
def test_derivatives_take_the_factors_that_are_there(name):
    a = matrices(2, 4, 4)
    operands = [a, matrices(2, 4, 3)] if name == "solve" else [a]
    call = torch.ops.tenferro.linalg.default
    results = call(f"{name}_lu", operands)
    count = len(results) - 3
    derivative = f"vjp:{'1' * count}:1{'0' * (len(operands) - 1)} {name}_lu"
    expected = call(derivative, [*operands, *results, *results[:count]])
    unknown = [torch.full_like(a, torch.nan), *operands[1:]]  # what would have to be factorised
    torch.testing.assert_close(call(derivative, [*unknown, *results, *results[:count]]), expected)


def test_any_strides():
    base = matrices(6, 8, 10)
    a = base[::2, 1::2, ::3].transpose(0, 2)  # [4, 4, 3], nothing is contiguous
    torch.testing.assert_close(tt.svd(a, full_matrices=False)[1], torch.linalg.svdvals(a))
    z = matrices(3, 3, dtype=torch.complex128)
    torch.testing.assert_close(tt.inv(z.mH), torch.linalg.inv(z.mH))
    torch.testing.assert_close(tt.inv(z.mH.imag), torch.linalg.inv(z.mH.imag))
    repeated = matrices(3, 3).expand(5, 3, 3)
    torch.testing.assert_close(tt.det(repeated), torch.linalg.det(repeated))
    torch.testing.assert_close(tt.inv(torch.ones(0, 3, 3)), torch.ones(0, 3, 3))


def test_full_factors():
    a = matrices(2, 4, 3)
    u, s, vh = tt.svd(a)
    assert u.shape == (2, 4, 4) and vh.shape == (2, 3, 3)
    torch.testing.assert_close(u[..., :3] * s.unsqueeze(-2) @ vh, a)
    q, r = tt.qr(a, mode="complete")
    torch.testing.assert_close(q @ r, a)
    p, lower, upper = tt.lu(a)
    torch.testing.assert_close(p @ lower @ upper, a)
    b = matrices(2, 4, 2, seed=5)
    torch.testing.assert_close(tt.lstsq(a, b), torch.linalg.lstsq(a, b).solution)


def test_factors_are_not_computed_again():
    """A gradient of svd gets the factors: with others in their place it is another gradient."""
    a = matrices(3, 3)
    u, s, vh = tt.svd(a)
    pulled = lambda u: torch.ops.tenferro.linalg("vjp:010:1 svd", [a, u, s, vh, torch.ones_like(s)])[0]
    torch.testing.assert_close(pulled(u), u @ vh)
    torch.testing.assert_close(pulled(2 * u), 2 * u @ vh)


@pytest.mark.parametrize("call, error, words", [
    (lambda: tt.svd(torch.ones(2, 2, dtype=torch.int64)), TypeError, "svd: operand 0 has dtype torch.int64"),
    (lambda: tt.svd(torch.ones(2, 2, dtype=torch.float16)), TypeError, "torch.float16 but must be one of"),
    (lambda: tt.svd([[1.0]]), TypeError, "operand 0 is a list"),
    (lambda: tt.svd(torch.ones(3)), ValueError, "svd: operand 0 has 1 axes but must have at least 2"),
    (lambda: tt.inv(torch.ones(2, 3)), ValueError, "inv: operand 0 has matrices 2 by 3"),
    (lambda: tt.solve(torch.eye(3), torch.ones(2, 1)), ValueError,
     "operand 1 has 2 rows but operand 0 has 3"),
    (lambda: tt.solve(torch.eye(3).expand(2, 3, 3), torch.ones(4, 3, 1)), ValueError,
     "extent 4 along axis 0"),
    (lambda: tt.solve(torch.eye(3), torch.ones(3, 1).double()), TypeError,
     "operand 1 has dtype torch.float64"),
    (lambda: tt.svd(torch.eye(3).to_sparse()), NotImplementedError, "layout torch.sparse_coo"),
    (lambda: tt.qr(torch.eye(3), mode="r"), ValueError, "mode is 'r'"),
    (lambda: tt.inv(torch.zeros(2, 2)), ArithmeticError, "inv: pivot 0 is 0"),
    (lambda: tt.cholesky(-torch.eye(2)), ArithmeticError, "cholesky"),
    (lambda: tt.svd(torch.full((2, 2), float("nan"))), ValueError, "svd"),
    (lambda: torch.ops.tenferro.linalg("svdd", [torch.eye(2)]), ValueError, "no function 'svdd'"),
    (lambda: torch.ops.tenferro.linalg("vjp:1 det", [torch.eye(2)]), ValueError, "is no derivative"),
])
def test_errors(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value), caught.value


def test_other_devices_are_refused():
    class Elsewhere(torch.Tensor):
        device = torch.device("cuda:0")

    with pytest.raises(tf.errors.UnsupportedDevice, match="operand 0 is on cuda:0 but must be on the CPU"):
        tt.inv(torch.ones(2, 2).as_subclass(Elsewhere))


def test_page():
    """What the page says of this library runs."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()
    pieces = re.findall(r"^```py\n(import torch\n.*?)^```", page, re.M | re.S)
    assert pieces
    for piece in pieces:
        exec(compile(piece, "python.md", "exec"), {})
