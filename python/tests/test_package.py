"""The package: its errors, its files, its command."""

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import tenferro as tf
from conftest import unsanitized


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


def command(*arguments):
    return subprocess.check_output([sys.executable, "-m", "tenferro", *arguments], text=True)


def folder(which):
    return command(which).strip()


def test_files_of_the_wheel():
    assert os.path.exists(os.path.join(folder("--cmake-dir"), "tenferroConfig.cmake"))
    assert tf.__version__ in command("--version")


PRODUCT = """
import tenferro as tf
a = tf.reshape(tf.arange(600.0 * 600), (600, 600))
assert tf.einsum("ij,jk->ik", a, a)[1, 2].item() == sum((600.0 + k) * (600 * k + 2) for k in range(600))
print(any("blas" in line for line in open("/proc/self/maps")))
"""


@pytest.mark.parametrize("kind, library, said", [
    ("", "", "^False$"), ("builtin", "", "^False$"), ("blas", "", "^True$"),
    ("gpu", "", "TENFERRO_CPU_KIND is 'gpu' but must be 'builtin' or 'blas'"),
    ("blas", "/no/libblas.so", "Unsupported: .*/no/libblas.so")])
def test_providers(kind, library, said):
    environ = os.environ | {"TENFERRO_CPU_KIND": kind, "TENFERRO_BLAS_LIBRARY": library}
    ran = subprocess.run([sys.executable, "-c", PRODUCT], text=True, capture_output=True, env=environ)
    if kind == "blas" and library == "" and "Unsupported" in ran.stderr:
        pytest.skip("there is no BLAS")
    assert re.search(said, ran.stdout + ran.stderr), (ran.stdout, ran.stderr)


def test_autoray_by_our_module_first():
    pytest.importorskip("autoray", reason="autoray is not installed")
    subprocess.check_call([sys.executable, "-c", "import tenferro.autoray; tenferro.autoray.register"])


CMAKE = """cmake_minimum_required(VERSION 3.25)
project(other LANGUAGES CXX)
find_package(tenferro REQUIRED)
add_executable(program program.cpp)
add_library(other SHARED other.cpp)
foreach(target program other)
  target_link_libraries(${target} PRIVATE tenferro::tenferro)
endforeach()
install(TARGETS other LIBRARY DESTINATION other)
"""
PROGRAM = """#include <tenferro/tenferro.hpp>
#include <cstdio>
int main() {
    const auto a = tenferro::Tensor::from_data<double>({1, 2, 3, 4}, {2, 2});
    std::printf("%g\\n", tenferro::einsum("ij,jk->", {a, a}).item<double>());
}
"""
OTHER = """#include <tenferro.h>
#include <tenferro/ops/extension_base.hpp>
namespace {
struct Same final : tenferro::ExtensionBase<Same> {
    static constexpr std::string_view kFamilyId = "other.same.v1";
    static constexpr std::tuple<> kFields{};
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    std::vector<tenferro::TensorMeta> infer(std::span<const tenferro::TensorMeta> inputs) const {
        return {inputs[0]};
    }
    std::vector<tenferro::Tensor> run(tenferro::BackendSession&,
                                      std::span<const tenferro::TensorRead> inputs) const {
        std::vector<tenferro::Tensor> results;
        results.push_back(tenferro::Tensor::copy_of(inputs[0]));
        return results;
    }
};
}
extern "C" {
bool is_registered(const char* family) { return tenferro::lookup_extension_factory(family) != nullptr; }
void register_same() { tenferro::register_extension<Same>(); }
void* make() {
    const double elements[] = {1, 2, 3};
    const size_t shape[] = {3};
    tfe_status_t status;
    return tfe_tensor_f64_from_data(elements, 3, shape, 1, &status);
}
}
"""
PYPROJECT = """[build-system]
requires = ["scikit-build-core"]
build-backend = "scikit_build_core.build"
[project]
name = "other"
version = "1"
"""
USE = """import ctypes, pathlib
import numpy as np, tenferro as tf
import other
from tenferro import tropical

library = ctypes.CDLL(str(pathlib.Path(other.__path__[0]) / "libother.so"))
library.make.restype, library.is_registered.restype = ctypes.c_void_p, ctypes.c_bool
# The registry: what Python registers is there, and what the other wheel does is known to Python.
tf.extension.Operation("tests.seen-by-others.v1", lambda x: x)
assert library.is_registered(b"tests.seen-by-others.v1") and not library.is_registered(b"other.same.v1")
library.register_same()
try:
    tf.extension.Operation("other.same.v1", lambda x: x)
except ValueError as error:
    assert "other.same.v1" in str(error)
else:
    raise SystemExit("registered twice")
# The handle table: a tensor made there is one for the package's libraries, until it is released.
core = ctypes.CDLL(str(pathlib.Path(tf.__file__).parent / "lib" / "libtenferro.so.0"))
core.tfe_tensor_f64_ndim.restype = ctypes.c_size_t
handle = ctypes.c_void_p(library.make())
assert core.tfe_tensor_f64_ndim(handle) == 1
kept = tropical._Handle("f64", library.make())
run = tropical._function("tfe_tropical_einsum_maxplus_f64", ctypes.c_void_p)
pointers = (ctypes.c_void_p * 2)(kept.pointer, kept.pointer)
found = tropical._Handle("f64", tropical._call(run, b"i,i->", pointers, ctypes.c_size_t(2)))
assert found.array() == 6
core.tfe_tensor_f64_release(handle)
assert core.tfe_tensor_f64_ndim(handle) == 0
print("shared")
"""


def made(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("c++")),
                    reason="there is no cmake or no compiler")
def test_cpp_users(tmp_path):
    """A program is built on the files of the wheel."""
    made(tmp_path, {"CMakeLists.txt": CMAKE, "program.cpp": PROGRAM, "other.cpp": OTHER})
    build = tmp_path / "build"
    for step in (["cmake", "-S", tmp_path, "-B", build, f"-Dtenferro_DIR={folder('--cmake-dir')}"],
                 ["cmake", "--build", build, "--target", "program"]):
        done = subprocess.run(step, capture_output=True, text=True, env=unsanitized())
        assert done.returncode == 0, done.stdout + done.stderr
    assert subprocess.check_output([build / "program"], text=True) == "54\n"


@pytest.mark.skipif(not shutil.which("c++"), reason="there is no compiler")
def test_another_wheel_shares_handles_and_registry(tmp_path):
    """An extension in a wheel of its own, built on the installed package."""
    pytest.importorskip("scikit_build_core", reason="scikit-build-core is not installed")
    made(tmp_path, {"CMakeLists.txt": CMAKE, "program.cpp": PROGRAM, "other.cpp": OTHER,
                    "pyproject.toml": PYPROJECT, "other/__init__.py": ""})
    site = tmp_path / "site"
    done = subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps",
                           "--no-index", f"--target={site}",
                           f"-Ccmake.define.tenferro_DIR={folder('--cmake-dir')}", "-Cbuild.targets=other",
                           tmp_path], capture_output=True, text=True, env=unsanitized())
    assert done.returncode == 0, done.stdout + done.stderr
    found = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-c", USE], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": found})
    assert (done.returncode, done.stdout) == (0, "shared\n"), done.stderr


def test_the_wheel_holds_every_library_once():
    names = sorted(name for name in os.listdir(folder("--lib-dir")) if ".so" in name)
    assert names == ["libtenferro.so.0", "libtenferro_ext_tropical.so.0"]
    assert not any(os.path.islink(os.path.join(folder("--lib-dir"), name)) for name in names)
    for header in ("tenferro.h", "tenferro_ext_tropical.h", "tenferro_ext_tropical/einsum.hpp"):
        assert os.path.exists(os.path.join(folder("--include-dir"), header))


def test_the_command_runs_programs_of_extensions():
    done = subprocess.run([sys.executable, "-m", "tenferro", "spinglass", "4x4", "--seed", "3", "--json"],
                          capture_output=True, text=True)
    assert done.returncode == 0 and '"energy"' in done.stdout, done.stderr
