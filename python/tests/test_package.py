"""The package: its errors, its files, its command."""

import ctypes
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import tenferro as tf


def test_error_classes():
    kinds = {name: kind for name, kind in vars(tf.errors).items() if isinstance(kind, type)}
    assert len(kinds) >= 27
    for name, kind in kinds.items():
        assert issubclass(kind, tf.errors.Error) and kind.__module__ == "tenferro.errors"
        if name != "Error":
            assert len(kind.__bases__) == 2 and issubclass(kind.__bases__[1], Exception)
    assert issubclass(tf.errors.AxisOutOfBounds, IndexError)
    assert issubclass(tf.errors.OutOfMemory, MemoryError)


def test_a_huge_allocation():
    a = np.broadcast_to(np.float64(1), (1 << 22, 1))
    with pytest.raises(MemoryError):
        tf.einsum("ij,kj->ik", a, a)


def test_no_imports_of_others():
    code = "import sys, tenferro; print(sorted({'numpy', 'torch', 'jax', 'opt_einsum'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_files_of_the_wheel():
    run = lambda *arguments: subprocess.check_output([sys.executable, "-m", "tenferro", *arguments], text=True)
    assert os.path.exists(os.path.join(run("--cmake-dir").strip(), "tenferroConfig.cmake"))
    assert os.path.exists(os.path.join(run("--include-dir").strip(), "tenferro.h"))
    assert tf.__version__ in run("--version")


CMAKE = """cmake_minimum_required(VERSION 3.25)
project(other LANGUAGES CXX)
find_package(tenferro REQUIRED)
add_executable(program program.cpp)
add_library(wheel SHARED wheel.cpp)
foreach(target program wheel)
  target_link_libraries(${target} PRIVATE tenferro::tenferro)
endforeach()
"""
PROGRAM = """#include <tenferro/tenferro.hpp>
#include <cstdio>
int main() {
    const auto a = tenferro::Tensor::from_data<double>({1, 2, 3, 4}, {2, 2});
    std::printf("%g\\n", tenferro::einsum("ij,jk->", {a, a}).item<double>());
}
"""
WHEEL = """#include <tenferro/ops/extension_op.hpp>
extern "C" bool is_registered(const char* family) {
    return tenferro::lookup_extension_factory(family) != nullptr;
}
"""


@pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("c++")), reason="there is no cmake or no compiler")
def test_cpp_users(tmp_path):
    """A program is built on the files of the wheel, and the library of another wheel, loaded into this process,
    finds the registry of this one."""
    for name, text in (("CMakeLists.txt", CMAKE), ("program.cpp", PROGRAM), ("wheel.cpp", WHEEL)):
        (tmp_path / name).write_text(text)
    where = subprocess.check_output([sys.executable, "-m", "tenferro", "--cmake-dir"], text=True).strip()
    build = tmp_path / "build"
    for command in (["cmake", "-S", tmp_path, "-B", build, f"-Dtenferro_DIR={where}", "-DCMAKE_BUILD_TYPE=Debug"],
                    ["cmake", "--build", build]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert subprocess.check_output([build / "program"], text=True) == "54\n"
    tf.extension.Operation("tests.seen-by-others.v1", lambda x: x)
    is_registered = ctypes.CDLL(str(build / "libwheel.so")).is_registered
    is_registered.restype, is_registered.argtypes = ctypes.c_bool, [ctypes.c_char_p]
    assert is_registered(b"tests.seen-by-others.v1") and not is_registered(b"tests.seen-by-nobody.v1")
