"""Memory between libraries: what DLPack promises (behaviours D17 to D31 of its public suites), and NumPy's
arrays in and out."""

import copy as copying
import ctypes
import gc
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import tenferro as tf
from conftest import ALL_DTYPES, drawn

capsule_name = ctypes.pythonapi.PyCapsule_GetName
capsule_name.restype, capsule_name.argtypes = ctypes.c_char_p, [ctypes.py_object]


def same_memory(a, b):
    return np.shares_memory(np.from_dlpack(a) if isinstance(a, tf.Tensor) else a,
                            np.from_dlpack(b) if isinstance(b, tf.Tensor) else b)


def test_device_of_tensors_and_views():  # D17
    t = tf.asarray(np.zeros((3, 4)))
    assert t.__dlpack_device__() == (1, 0)
    assert t[1:, ::2].__dlpack_device__() == (1, 0)
    assert t.device == "cpu"


@pytest.mark.parametrize("max_version, name", [
    (None, b"dltensor"), ((0, 8), b"dltensor"),
    ((1, 0), b"dltensor_versioned"), ((2, 0), b"dltensor_versioned"), ((100, 3), b"dltensor_versioned")])
def test_form_of_the_capsule(max_version, name):  # D18
    assert capsule_name(tf.asarray(np.zeros(3)).__dlpack__(max_version=max_version)) == name


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_capsules_are_freed_once(version):  # D19
    array = np.zeros(5)
    before = sys.getrefcount(array)
    capsule = tf.asarray(array).__dlpack__(max_version=version)
    assert sys.getrefcount(array) == before + 1
    del capsule
    assert sys.getrefcount(array) == before
    capsule = tf.asarray(array).__dlpack__(max_version=version)

    class Source:
        def __dlpack__(self, **_):
            return capsule

    taken = tf.from_dlpack(Source())
    assert capsule_name(capsule) == (b"used_dltensor_versioned" if version else b"used_dltensor")
    del capsule
    assert taken.tolist() == [0.0] * 5
    del taken
    gc.collect()
    assert sys.getrefcount(array) == before


def test_tensors_keep_their_owner():  # D20
    class Array(np.ndarray):
        pass

    array = np.zeros(4).view(Array)
    alive = weakref.ref(array)
    t = tf.asarray(array)
    view = t[1:]
    del array, t
    gc.collect()
    assert alive() is not None
    del view
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("stream", [1, 0, -1, "x"])
def test_no_streams(stream):  # D21
    with pytest.raises((ValueError, TypeError)):
        tf.asarray(np.zeros(2)).__dlpack__(stream=stream)


def test_copies(rng):  # D22
    a = drawn(rng, (3, 4))
    t = tf.asarray(a)
    assert same_memory(t, a)
    assert not same_memory(tf.from_dlpack(a, copy=True), a)
    assert same_memory(tf.from_dlpack(a, copy=False), a)
    assert same_memory(tf.from_dlpack(a), a)
    assert not np.shares_memory(np.from_dlpack(t, copy=True), a)
    assert np.shares_memory(np.from_dlpack(t, copy=False), a)
    np.testing.assert_array_equal(np.from_dlpack(t, copy=True), a)


def test_devices():  # D23
    t = tf.asarray(np.zeros(2))
    t.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError):
        t.__dlpack__(dl_device=(10, 0))


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_dtypes_pass(dtype, rng):  # D24
    a = drawn(rng, (2, 3), dtype)
    t = tf.from_dlpack(a)
    assert t.dtype == dtype
    back = np.from_dlpack(t)
    assert back.dtype == dtype
    np.testing.assert_array_equal(back, a)
    close_twin = pickle.loads(pickle.dumps(t))
    assert close_twin.dtype == t.dtype
    np.testing.assert_array_equal(np.asarray(close_twin), a)


def test_functions_pass():
    """By their names, as Python's do."""
    functions = [value for value in vars(tf).values() if callable(value)] + [tf.repeat, tf.linalg.svd]
    assert tf.tanh in functions and tf.grad in functions
    for function in functions:
        assert pickle.loads(pickle.dumps(function)) is function
    assert copying.deepcopy({"activation": tf.tanh})["activation"] is tf.tanh


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint64, np.float16])
def test_dtypes_that_are_not_ours(dtype):  # D24
    with pytest.raises(BufferError):
        tf.from_dlpack(np.zeros(3, dtype))
    with pytest.raises(tf.errors.DTypeMismatch, match=np.dtype(dtype).name):
        tf.asarray(np.zeros(3, dtype))


def test_strange_memory_is_refused_or_copied():  # D25
    with pytest.raises((BufferError, ValueError)):
        tf.from_dlpack(np.zeros(3, np.dtype(np.float64).newbyteorder()))
    with pytest.raises(ValueError, match="byte order"):
        tf.asarray(np.zeros(3, np.dtype(np.float64).newbyteorder()))
    pairs = np.zeros(4, np.dtype([("a", np.float64), ("b", np.int32)]))["a"]  # strides of 12 bytes
    with pytest.raises(ValueError, match="strides"):
        tf.asarray(pairs)
    unaligned = np.frombuffer(bytearray(25), np.uint8)[1:].view(np.float64)
    assert tf.asarray(unaligned).tolist() == [0.0] * 3


def test_memory_is_shared_both_ways(rng):  # D26
    a = drawn(rng, (3, 5))
    t = tf.from_dlpack(a)
    a[1, 2] = 7.0
    assert t[1, 2].item() == 7.0
    back = np.from_dlpack(t)
    assert np.shares_memory(back, a)
    assert not back.flags.writeable  # tensors are immutable


def test_memory_is_shared_with_torch(rng):  # D26
    torch = pytest.importorskip("torch", reason="torch is not installed")
    a = torch.arange(12.0, dtype=torch.float64).reshape(3, 4).T
    t = tf.from_dlpack(a)
    a[2, 1] = 99.0
    assert t[2, 1].item() == 99.0
    back = torch.utils.dlpack.from_dlpack(t)
    assert back.data_ptr() == a.data_ptr()
    result = tf.einsum("ij,jk->ik", a, a.T)
    assert isinstance(result, torch.Tensor)
    torch.testing.assert_close(result, a @ a.T)


def test_strides_of_one_element():  # D27
    a = np.arange(9.0)[::3][:1]
    t = tf.from_dlpack(a)
    assert t.shape == (1,)
    assert np.from_dlpack(t).shape == (1,)


def test_two_exports_are_independent():  # D28
    t = tf.asarray(np.arange(3.0))
    first, second = t.__dlpack__(max_version=(1, 0)), t.__dlpack__(max_version=(1, 0))

    class Source:
        def __init__(self, capsule):
            self.capsule = capsule

        def __dlpack__(self, **_):
            return self.capsule

        def __dlpack_device__(self):
            return (1, 0)

    x, y = np.from_dlpack(Source(first)), np.from_dlpack(Source(second))
    del x, first
    np.testing.assert_array_equal(y, [0.0, 1.0, 2.0])


def test_an_exception_beside_a_live_capsule():  # D29
    code = ("import numpy, tenferro\n"
            "def f():\n"
            "    kept = tenferro.asarray(numpy.zeros(3)).__dlpack__()\n"
            "    raise RuntimeError('on purpose')\n"
            "f()\n")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr.rstrip().endswith("RuntimeError: on purpose")


@pytest.mark.parametrize("copy", [None, False, True])
@pytest.mark.parametrize("max_version", [None, (1, 0), (1, 3), (2, 0)])
@pytest.mark.parametrize("dl_device", [None, (1, 0)])
def test_every_request(copy, max_version, dl_device, rng):  # D30
    a = drawn(rng, (2, 3, 2))
    capsule = tf.asarray(a).__dlpack__(copy=copy, max_version=max_version, dl_device=dl_device, stream=None)

    class Source:
        def __dlpack__(self, **_):
            return capsule

    np.testing.assert_array_equal(np.asarray(tf.from_dlpack(Source())), a)


def test_rank_0():  # D31
    t = tf.from_dlpack(np.array(2.5))
    assert t.shape == () and t.item() == 2.5
    assert np.from_dlpack(t).shape == ()


def test_memory_that_is_read_only_is_never_written():
    a = np.arange(4.0)
    a.flags.writeable = False
    t = tf.asarray(a)
    with pytest.raises(BufferError):
        t.__dlpack__()
    assert not np.from_dlpack(t).flags.writeable
    tf.einsum("i->i", a)
    assert a.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_results_are_the_callers():
    a = np.ones((40, 40))
    result = tf.einsum("ij,jk->ik", a, a)
    assert isinstance(result, np.ndarray) and result.flags.writeable
    result += 1
    assert tf.einsum("ij,jk->ik", a, a)[0, 0] == 40.0
    assert isinstance(tf.einsum("ij,jk->ik", tf.asarray(a), a), tf.Tensor)


@pytest.mark.parametrize("extent", [3, 300])
def test_what_shares_memory_does_not_depend_on_size(extent):
    a = np.zeros(extent)
    assert np.shares_memory(np.asarray(tf.asarray(a)), a)


def test_a_class_of_arrays_that_is_seen_first():
    code = ("import numpy, tenferro\n"
            "class Mine(numpy.ndarray): pass\n"
            "print(type(tenferro.exp(numpy.zeros(2).view(Mine))).__name__)\n")
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "ndarray\n"


def test_truth_values_are_0_or_1():
    odd = np.array([0, 2, 255], np.uint8).view(bool)
    assert np.asarray(tf.asarray(odd)).view(np.uint8).tolist() == [0, 1, 1]


@pytest.mark.parametrize("source, dtype, shape", [
    (True, "bool", ()), (3, "int64", ()), (2.5, "float64", ()), (1j, "complex128", ()),
    ([1, 2, 3], "int64", (3,)), ([[1, 2.5], [3, 4]], "float64", (2, 2)), ([[True], [False]], "bool", (2, 1)),
    ([[[1j]]], "complex128", (1, 1, 1)), ([], "float64", (0,)),
    ([np.int64(1), 2], "int64", (2,)), ([np.int32(1), np.True_], "int64", (2,)),
    ((np.float32(0.5), 1), "float64", (2,)), ([np.complex64(1j)], "complex128", (1,)),
    ([np.array(3), 2], "int64", (2,)), ([[tf.asarray(2.5)], [1]], "float64", (2, 1)),
    (["1"], None, None), ([np.datetime64(0, "s")], None, None)])
def test_numbers_and_lists(source, dtype, shape):
    if dtype is None:
        with pytest.raises(TypeError):
            tf.asarray(source)
        return
    t = tf.asarray(source)
    assert (t.dtype, t.shape) == (dtype, shape)
    np.testing.assert_array_equal(np.asarray(t), np.asarray(source))


def test_lists_of_arrays_are_refused():
    with pytest.raises(tf.errors.ShapeMismatch, match=r"rank 1 .* tenferro.stack"):
        tf.asarray([np.ones(2), np.ones(2)])


@pytest.mark.parametrize("source", [[[1, 2], [3]], [1, [2]], [[1], 2]])
def test_ragged_lists_are_refused(source):
    with pytest.raises(tf.errors.ShapeMismatch, match="asarray"):
        tf.asarray(source)


def test_tensors_outlive_the_interpreter():
    code = "import numpy, tenferro, builtins; builtins.kept = tenferro.asarray(numpy.zeros(9))[2:]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_copies_of_the_copy_module(rng):
    t = tf.asarray(drawn(rng, (2, 3)))
    for twin in (copying.copy(t), copying.deepcopy(t)):
        np.testing.assert_array_equal(np.asarray(twin), np.asarray(t))
