"""tenferro.torch: the operator and its derivatives as PyTorch's own tools check them."""

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

import tenferro.torch as tt  # noqa: E402

CASES = [("ij,jk->ik", [(2, 3), (3, 4)]), ("ii,ij->j", [(3, 3), (3, 2)]), ("ij,k->i", [(2, 3), (2,)]),
         ("...ij,jk", [(2, 2, 3), (3, 2)]), ("bij,bjk->bik", [(2, 2, 3), (2, 3, 1)]), ("ij->ji", [(2, 3)]),
         ("...i,...i", [(1, 3), (2, 3)])]


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
    assert torch.autograd.gradcheck(lambda *x: tt.einsum(equation, *x), operands)
    assert torch.autograd.gradgradcheck(lambda *x: tt.einsum(equation, *x), operands)


def test_strides():
    a = torch.arange(24.0).reshape(4, 6)[::2, ::3].T
    torch.testing.assert_close(tt.einsum("ij,kj->ik", a, a), a @ a.T)
    z = torch.randn(2, 2, dtype=torch.complex128)
    torch.testing.assert_close(tt.einsum("ij,kj->ik", z, z.conj()), z @ z.mH)


def test_operator_is_sound():
    torch.library.opcheck(torch.ops.tenferro.einsum.default, ("ij,jk->ik", made([(2, 3), (3, 4)])),
                          test_utils=("test_schema", "test_autograd_registration", "test_faketensor"))


def test_vmap():
    a, b = made([(5, 2, 3), (3, 4)], grad=False)
    result = torch.func.vmap(lambda x: tt.einsum("ij,jk->ik", x, b))(a)
    torch.testing.assert_close(result, torch.einsum("bij,jk->bik", a, b))


def test_errors():
    with pytest.raises(ValueError, match="label j"):
        tt.einsum("ij,jk->ik", torch.ones(2, 3), torch.ones(2, 3))
