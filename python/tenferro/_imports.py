"""Runs something once a library that may never be imported is there, whichever of the two comes first."""

import sys


class _Finder:
    """Stands before Python's finders until the library has been imported."""

    def __init__(self, name, action):
        self.name, self.action = name, action

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        found = (other.find_spec(name, path, target) for other in sys.meta_path if other is not self)
        spec = next((one for one in found if one is not None), None)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                if self in sys.meta_path:
                    sys.meta_path.remove(self)
                    self.action()

            spec.loader.exec_module = exec_module
        return spec


def when_imported(name, action):
    """Calls action() after the first import of the top-level module `name`: at once where that has been."""
    if name in sys.modules:
        action()
    else:
        sys.meta_path.insert(0, _Finder(name, action))


def require_main_interpreter():
    """Raises ImportError in another interpreter of the process."""
    try:
        import _interpreters as interpreters
    except ImportError:
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            return
    number = lambda one: int(one[0] if isinstance(one, tuple) else one)
    if number(interpreters.get_current()) != number(interpreters.get_main()):
        raise ImportError("tenferro works in the main interpreter of a process alone")
