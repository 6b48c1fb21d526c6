"""tenferro.torch: the operator and its derivatives as PyTorch's own tools check them."""

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

import tenferro as tf  # noqa: E402
import tenferro.torch as tt  # noqa: E402

CASES = [("ij,jk->ik", [(2, 3), (3, 4)]), ("ii,ij->j", [(3, 3), (3, 2)]), ("ij,k->i", [(2, 3), (2,)]),
         ("...ij,jk", [(2, 2, 3), (3, 2)]), ("bij,bjk->bik", [(2, 2, 3), (2, 3, 1)]), ("ij->ji", [(2, 3)]),
         ("...i,...i", [(1, 3), (2, 3)]), ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]), ("iij->j", [(2, 2, 3)])]


def made(shapes, dtype=torch.float64, grad=True):
    generator = torch.Generator().manual_seed(3)
    return [torch.randn(shape, dtype=dtype, generator=generator).requires_grad_(grad) for shape in shapes]


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
@pytest.mark.parametrize("equation, shapes", CASES)
def test_values_and_gradients(equation, shapes, dtype):
    operands = made(shapes, dtype)
    torch.testing.assert_close(tt.einsum(equation, *operands), torch.einsum(equation, *operands))
    plain = [operand.detach() for operand in operands]
    torch.testing.assert_close(tt.einsum(equation, *plain), torch.einsum(equation, *plain))
    assert torch.autograd.gradcheck(lambda *x: tt.einsum(equation, *x), operands, check_forward_ad=True,
                                    check_batched_grad=True, check_batched_forward_grad=True)
    assert torch.autograd.gradgradcheck(lambda *x: tt.einsum(equation, *x), operands, check_batched_grad=True)


@pytest.mark.parametrize("equation, shapes",
                         [*CASES, ("i,i,i->", [(3,)] * 3), ("ij,jk,kl,li->", [(2, 2)] * 4)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64])
def test_gradients_of_some_operands(equation, shapes, dtype):
    """Those that are wanted, for cotangents that are repeated, in other strides, or mean a conjugate."""
    for wanted in range(len(shapes)):
        operands = [operand.requires_grad_(at >= wanted)
                    for at, operand in enumerate(made(shapes, dtype, False))]
        found, expected = tt.einsum(equation, *operands), torch.einsum(equation, *operands)
        shape = found.shape
        backwards = torch.randn(tuple(shape)[::-1], dtype=dtype).permute(tuple(range(len(shape)))[::-1])
        negative = torch.randn(shape, dtype=torch.complex64).conj().imag.to(dtype)
        for cotangent in (torch.ones((), dtype=dtype).expand(shape), backwards,
                          torch.randn(shape, dtype=dtype).conj(), negative):
            for one, other in zip(torch.autograd.grad(found, operands[wanted:], cotangent, retain_graph=True),
                                  torch.autograd.grad(expected, operands[wanted:], cotangent,
                                                      retain_graph=True)):
                torch.testing.assert_close(one, other)


def test_saved_tensors_that_hooks_change():
    a, b = made([(2, 3), (3, 4)])
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.detach().numpy(), torch.from_numpy):
        result = tt.einsum("ij,jk->ik", a, b)
    torch.testing.assert_close(torch.autograd.grad(result.sum(), a)[0], torch.ones(2, 4, dtype=a.dtype) @ b.T)
    first = torch.autograd.grad(tt.einsum("ij,jk->ik", a, b).square().sum(), a, create_graph=True)[0]
    second = torch.autograd.grad(first.sum(), b)[0]
    expected = torch.autograd.grad((a @ b).square().sum(), a, create_graph=True)[0]
    torch.testing.assert_close(second, torch.autograd.grad(expected.sum(), b)[0])


def test_strides():
    a = torch.arange(24.0).reshape(4, 6)[::2, ::3].T
    torch.testing.assert_close(tt.einsum("ij,kj->ik", a, a), a @ a.T)
    z = torch.randn(2, 2, dtype=torch.complex128)
    torch.testing.assert_close(tt.einsum("ij,kj->ik", z, z.conj()), z @ z.mH)


def test_operator_is_sound():
    torch.library.opcheck(torch.ops.tenferro.einsum.default, ("ij,jk->ik", made([(2, 3), (3, 4)])),
                          test_utils=("test_schema", "test_autograd_registration", "test_faketensor"))


def test_short_way_reads_any_strides():
    """None would mean that the memory cannot be read as it is."""
    from tenferro import _core

    base = torch.arange(4 * 6 * 5.0, dtype=torch.float64).reshape(4, 6, 5)
    for a in (base[::2, ::3, 1].T, base.permute(2, 0, 1)[0], base[0, :1].expand(3, 5), base[:0, 0]):
        result = _core._torch_einsum("ij,kj->ki", a, a)
        assert result.is_contiguous()
        torch.testing.assert_close(result, a @ a.T)
    assert _core._torch_einsum("ij->ji", torch.ones(2, 2, dtype=torch.float16)) is None


def test_dtypes():
    for dtype in (torch.float32, torch.complex64, torch.int32, torch.int64):
        a = torch.arange(6).reshape(2, 3).to(dtype)
        assert tt.einsum("ij,kj", a, a).dtype == dtype
        torch.testing.assert_close(tt.einsum("ij,kj", a, a), a @ a.T)
        mixed = torch.ones(2, 3, dtype=torch.float64)
        assert tt.einsum("ij,kj", a, mixed).dtype == torch.promote_types(dtype, torch.float64)


def test_transformations():
    a, b = made([(2, 3), (3, 4)], grad=False)
    for module_loss in (lambda m: lambda a, b: m.einsum("ij,jk->ik", a, b).sin().sum(),
                        lambda m: lambda a, b: m.einsum("ij,jk,ij->k", a, b, a).square().sum()):
        ours, theirs = module_loss(tt), module_loss(torch)
        for transformed in (lambda f: torch.func.grad(f, (0, 1))(a, b),
                            lambda f: torch.func.jvp(f, (a, b), (a, b))[1],
                            lambda f: torch.func.hessian(f)(a, b),
                            lambda f: torch.func.vmap(torch.func.grad(f), (-1, None))(
                                torch.stack([a, -a], -1), b)):
            torch.testing.assert_close(transformed(ours), transformed(theirs))


@pytest.mark.parametrize("dynamic", [False, True])
def test_compiled_without_breaks(dynamic):
    f = torch.compile(lambda a, b: tt.einsum("...ij,jk", a, b).sin(), fullgraph=True, dynamic=dynamic)
    for rows in (2, 5):
        a, b = made([(2, rows, 3), (3, 4)])
        torch.testing.assert_close(f(a, b), (a @ b).sin())
        torch.testing.assert_close(torch.autograd.grad(f(a, b).sum(), (a, b)),
                                   torch.autograd.grad((a @ b).sin().sum(), (a, b)))


def test_vmap():
    a, b = made([(5, 2, 3), (3, 4)], grad=False)
    result = torch.func.vmap(lambda x: tt.einsum("ij,jk->ik", x, b))(a)
    torch.testing.assert_close(result, torch.einsum("bij,jk->bik", a, b))


FUNCTIONAL = torch.autograd.functional
BATCHED = {
    "gradients": lambda f, a, b: torch.autograd.grad(
        f(a, b), (a, b), torch.linspace(-1, 1, 56, dtype=a.dtype).reshape(7, 2, 4), is_grads_batched=True),
    "one gradient": lambda f, a, b: torch.autograd.grad(
        f(a, b), (a, b), torch.ones(1, 2, 4, dtype=a.dtype), is_grads_batched=True),
    "jacobian": lambda f, a, b: FUNCTIONAL.jacobian(f, (a, b), vectorize=True),
    "forward jacobian": lambda f, a, b: FUNCTIONAL.jacobian(f, (a, b), vectorize=True,
                                                            strategy="forward-mode"),
    "hessian": lambda f, a, b: FUNCTIONAL.hessian(lambda a, b: (f(a, b) ** 3).sum(), (a, b), vectorize=True),
    "nested": lambda f, a, b: torch._vmap_internals._vmap(lambda x: torch._vmap_internals._vmap(
        lambda y: f(x[None], y[:, None]) + f(x[None], b.detach())[:, :1])(b.detach().T))(a.detach()),
}


@pytest.mark.parametrize("name", BATCHED)
def test_batched_by_autograd(name):
    """PyTorch's older vmap, by which torch.autograd computes many gradients at once."""
    a, b = made([(2, 3), (3, 4)])
    torch.testing.assert_close(BATCHED[name](lambda a, b: tt.einsum("ij,jk->ik", a, b), a, b),
                               BATCHED[name](torch.matmul, a, b))


@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("call, error, words", [
    (lambda x: tt.einsum("ij->i"), ValueError, "at least one operand"),
    (lambda x: tt.einsum("ij,jk->ik", x, x), ValueError, "label j"),
    (lambda x: tt.einsum("ij->i", x[0]), ValueError, "operand 0"),
    (lambda x: tt.einsum("ij->k", x), ValueError, "k"),
    (lambda x: tt.einsum("ij,jk->ik", x), ValueError, "operand"),
    (lambda x: tt.einsum("ij->i", x.bool()), TypeError, "operand 0 has dtype torch.bool"),
    (lambda x: tt.einsum("ij->i", x.half()), TypeError, "operand 0 has dtype torch.float16"),
    (lambda x: tt.einsum("ij,ij->i", x, [1.0]), TypeError, "operand 1 is a list"),
    (lambda x: tt.einsum("ij->i", x.to_sparse()), NotImplementedError, "layout torch.sparse_coo"),
])
def test_errors(call, error, words, grad):
    with pytest.raises(error) as caught:
        call(torch.ones(2, 3, requires_grad=grad))
    assert words in str(caught.value), caught.value


def test_nested_forward_mode():
    """PyTorch hides outer transformations from the forward rule of a function."""
    from torch.func import jacfwd, jacrev

    x = torch.tensor([1.0, 2.0], dtype=torch.float64)
    cube = lambda a: tt.einsum("i,i,i->", a, a, a)
    assert torch.equal(jacfwd(jacfwd(cube))(x), torch.diag(6 * x))
    a = torch.eye(3, dtype=torch.float64) + torch.arange(9.0, dtype=torch.float64).reshape(3, 3) / 9
    for f in (tt.inv, tt.det, lambda a: tt.cholesky(a @ a.T), lambda a: tt.solve(a, a[:1].T)):
        g = lambda a: (f(a) ** 2).sum()
        torch.testing.assert_close(jacfwd(jacfwd(g))(a), jacrev(jacrev(g))(a))
        torch.testing.assert_close(jacfwd(jacrev(jacfwd(g)))(a), jacrev(jacrev(jacrev(g)))(a))


def test_negative_bit():
    """A tensor that stands for its negative is read as that."""
    z = (1j * torch.ones(3, dtype=torch.complex64)).conj().imag
    assert z.is_neg()
    assert float(tf.sum(z)) == -3 and tf.asarray(z).tolist() == [-1, -1, -1]
    assert tf.einsum("i,i->i", z, torch.ones(3)).tolist() == [-1, -1, -1]
    assert tt.einsum("i->", z).item() == -3
