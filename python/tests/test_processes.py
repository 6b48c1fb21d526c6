"""What becomes of tensors where a process ends, forks, or has several interpreters and memory allocators."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tenferro as tf
from conftest import is_sanitized


def run(code, **environ):
    """Runs it in a process of its own; what it printed."""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True,
                          env={**os.environ, **environ}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


LIVE = """
import builtins, gc, sys, threading
import numpy as np, tenferro as tf
t = tf.asarray(np.zeros((40, 40)))
view = t[2:]
kept = [t, view, t @ t, np.from_dlpack(t), np.asarray(t @ t), t.__dlpack__(),
        t.__dlpack__(max_version=(1, 0)), tf.plan("ij,jk->ik", (2, 2), (2, 2)),
        tf.compile(lambda a: a * kept_of_trace), tf.einsum("ij->ji", t)]
kept_of_trace = tf.ones(3)
program = kept[8]
program(np.ones(3))
op = tf.extension.Operation("tests.alive.v1", lambda x: x, vjp=lambda ct, y, x: ct)
kept += [op(t), tf.grad(lambda x: tf.sum(op(x)))(np.ones(3)), tf.Graph(lambda x: [op(x[0])], [np.ones(3)])]
circle = [t]; circle.append(circle)
"""


@pytest.mark.parametrize("holder", [
    "builtins.kept = kept", "sys.kept = kept", "threading.current_thread().kept = kept",
    "gc.disable(); kept.append(kept)",
    "import atexit; atexit.register(lambda: print(kept[2].sum if 0 else 'left'))"])
def test_the_interpreter_ends_with_live_tensors(holder):
    run(LIVE + holder)


def test_a_thread_that_computes_when_the_interpreter_ends():
    run("import threading, time, numpy as np, tenferro as tf\n"
        "x = np.ones((300, 300))\n"
        "def work():\n"
        "    while True: tf.einsum('ij,jk->ik', x, x)\n"
        "for _ in range(3): threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.3)\n")


CALLED_BACK = {
    "grad": "tf.grad(slow)(a)",
    "compile": "tf.compile(slow)(a)",
    "checkpoint": "tf.grad(lambda x: tf.checkpoint(slow)(x))(a)",
    "operation": "operation(a)",
    "progress": "tf.contract('ij,jk,kl', b, b, b, progress=lambda *_: time.sleep(0.01))",
    "path": "tf.plan('ij,jk,kl', (9, 9), (9, 9), (9, 9), optimize=path)",
    "list": "tf.asarray(List([1.0, 2.0]))",
    "array": "tf.asarray(Lent())",
}


@pytest.mark.parametrize("call", CALLED_BACK)
def test_a_thread_that_is_called_back_when_the_interpreter_ends(call):
    run("import threading, time, numpy as np, tenferro as tf\n"
        "a, b = np.ones(3), np.ones((6, 6))\n"
        "def slow(x):\n"
        "    time.sleep(0.01)\n"
        "    return tf.sum(x * x)\n"
        "def path(*_):\n"
        "    time.sleep(0.01)\n"
        "    return [(0, 1), (0, 1)]\n"
        "class List(list):\n"
        "    def __iter__(self):\n"
        "        time.sleep(0.01)\n"
        "        return super().__iter__()\n"
        "class Lent:\n"
        "    def __dlpack__(self, **_):\n"
        "        time.sleep(0.01)\n"
        "        return a.__dlpack__()\n"
        "@tf.extension.operation('tests.slow.v1')\n"
        "def operation(x):\n"
        "    time.sleep(0.01)\n"
        "    return np.asarray(x)\n"
        "def work():\n"
        f"    while True: {CALLED_BACK[call]}\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.2)\n")


def test_threads_that_first_run_a_checkpoint():
    """Its program is made by calling Python, which changes threads there."""
    out = run("import faulthandler, threading, time, numpy as np, tenferro as tf\n"
              "faulthandler.dump_traceback_later(60, exit=True)\n"
              "def shape(s):\n"
              "    time.sleep(0.05)\n"
              "    return s\n"
              "slow = tf.extension.operation('tests.slow.v1', shape=shape)(lambda x: np.asarray(x))\n"
              "f = tf.checkpoint(lambda x: slow(x) * 2)\n"
              "program = tf._core.Graph(lambda v: [f(v[0]) + 1], [np.ones(4)]).compile()\n"
              "threads = [threading.Thread(target=program, args=([np.ones(4)],)) for _ in range(4)]\n"
              "for thread in threads: thread.start()\n"
              "for thread in threads: thread.join()\n"
              "print('done')\n")
    assert out == "done\n"


def test_forked_children():
    """A child computes, with threads of its own, and its end changes nothing for the parent."""
    out = run("import os, sys, numpy as np, tenferro as tf\n"
              "x = np.ones((400, 400))\n"
              "t = tf.asarray(x)\n"
              "before = tf.einsum('ij,jk->ik', x, x)\n"
              "for turn in range(4):\n"
              "    child = os.fork()\n"
              "    if child == 0:\n"
              "        ok = (tf.einsum('ij,jk->ik', x, x) == before).all() "
              "and float(tf.sum(t @ x)) == 400.0**3\n"
              "        try: tf.einsum('ij,jk->ik', x, x[1:])\n"
              "        except ValueError: os._exit(0 if ok else 1)\n"
              "        os._exit(2)\n"
              "    assert os.waitpid(child, 0)[1] == 0\n"
              "assert (tf.einsum('ij,jk->ik', x, x) == before).all()\n"
              "print('right')\n")
    assert out == "right\n"


def test_pools_of_processes():
    out = run("import multiprocessing as m, numpy as np, tenferro as tf\n"
              "def f(t): return t @ t\n"
              "if __name__ == '__main__':\n"
              "    t = tf.asarray(np.ones((50, 50)))\n"
              "    f(t)\n"
              "    with m.get_context('fork').Pool(2) as pool:\n"
              "        print(sum(float(tf.sum(r)) for r in pool.map(f, [t] * 6)))\n")
    assert out == "750000.0\n"


def test_a_second_interpreter_is_refused():
    name = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    pytest.importorskip(name, reason="this Python has no module of interpreters")
    code = ("try:\n"
            "    import tenferro\n"
            "    print('imported')\n"
            "except ImportError as error:\n"
            "    print('refused' if 'interpreter' in str(error) else error)\n")
    out = run(f"import {name} as interpreters, sys\n"
              "import tenferro as tf\n"
              "one = interpreters.create()\n"
              f"interpreters.run_string(one, {code!r})\n"
              "interpreters.destroy(one)\n"
              "print(float(tf.sum(tf.ones(4))))\n", PYTHONUNBUFFERED="1")
    assert out.split() == ["refused", "4.0"]


WORK = """
import gc, sys
import numpy as np, tenferro as tf
def work(n):
    x, y = np.ones((n, n)), np.ones((n, n), np.float32)
    t = tf.asarray(x)
    tf.einsum("ij,jk->ik", x, x); tf.einsum("ij,jk->ik", t, x); tf.plan("ij,jk->ik", x, x)(x, t)
    tf.grad(lambda a: tf.sum(tf.tanh(a) @ a))(x); tf.compile(lambda a: a * t)(x)
    t[1:, ::-1], t[t > 0], tf.sum(y), tf.linalg.svd(x), np.from_dlpack(t), t.tolist(), repr(t)
    for wrong in (lambda: tf.einsum("ij,jk->ik", x, x[1:]), lambda: tf.asarray(object()), lambda: t[n + 1],
                  lambda: tf.zeros(1 << 62), lambda: tf.from_dlpack(3), lambda: tf.grad(lambda a: a)(x)):
        try: wrong()
        except Exception: pass
        else: raise SystemExit(1)
"""


@pytest.mark.skipif(is_sanitized(), reason="the sanitizer sees this itself")
def test_under_the_debug_allocator():
    """Python's allocator that fills freed memory and checks its borders;
    and its checks of development mode."""
    run(WORK + "for n in (3, 4, 40): work(n)\n", PYTHONMALLOC="debug", PYTHONDEVMODE="1")


@pytest.mark.skipif(is_sanitized(), reason="freed memory is kept for a while")
def test_nothing_is_leaked_over_time():
    """Neither objects of Python nor memory grow with the number of calls."""
    out = run(WORK + "def held(): "
              "return int(open('/proc/self/status').read().split('VmRSS:')[1].split()[0])\n"
              "for _ in range(30): work(40)\n"
              "gc.collect()\n"
              "before, blocks = held(), sys.getallocatedblocks()\n"
              "for _ in range(150): work(40)\n"
              "gc.collect()\n"
              "print(held() - before, sys.getallocatedblocks() - blocks)\n",
              TENFERRO_NUM_THREADS="1")
    kilobytes, blocks = map(int, out.split())
    assert kilobytes < 4000 and blocks < 150, out


def test_a_read_only_target_and_a_released_buffer():
    a = np.ones((30, 30))
    a.flags.writeable = False
    result = tf.einsum("ij->ji", a)
    result[0, 0] = 5.0
    assert a[0, 0] == 1.0
    memory = memoryview(bytearray(80))
    t = tf.asarray(np.frombuffer(memory, np.float64))
    with pytest.raises(BufferError):
        memory.obj.clear()  # it is still lent
    assert float(tf.sum(t)) == 0.0


class Foreign:
    """Lends memory as it says."""

    def __init__(self, device=(1, 0), raises=None, result=None):
        self.device, self.raises, self.result = device, raises, result

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_):
        if self.raises is not None:
            raise self.raises
        return self.result


@pytest.mark.parametrize("lender, kind", [
    (Foreign(raises=RuntimeError("on purpose")), RuntimeError),
    (Foreign(raises=KeyboardInterrupt()), KeyboardInterrupt),
    (Foreign(result=None), Exception), (Foreign(result="capsule"), Exception),
    (Foreign(device=(2, 0), raises=BufferError("elsewhere")), BufferError)])
def test_lenders_that_fail(lender, kind):
    with pytest.raises(kind):
        tf.from_dlpack(lender)
    with pytest.raises(kind):
        tf.einsum("i->i", lender)


@pytest.mark.skipif(is_sanitized(), reason="the sanitizer ends the process")
@pytest.mark.parametrize("make", [lambda: tf.zeros((1 << 40, 1 << 20)), lambda: tf.ones(1 << 50),
                                  lambda: tf.einsum("i,j->ij", np.broadcast_to(1.0, 1 << 25),
                                                    np.broadcast_to(1.0, 1 << 25)),
                                  lambda: tf.broadcast_to(tf.asarray(1.0), (1 << 48,))])
def test_huge_allocations(make):
    with pytest.raises((MemoryError, ValueError)) as caught:
        make()
    assert isinstance(caught.value, tf.errors.Error)
    assert float(tf.sum(tf.ones(3))) == 3.0
