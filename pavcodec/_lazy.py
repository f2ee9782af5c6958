"""Public names that load at their first use, so that `import pavcodec` is fast.

The stub beside the face of a room lists its names once, for type checkers and for Python.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module

_NAME = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


def face(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package with the names of its `__init__.pyi`."""

    @cache
    def homes() -> dict[str, str]:
        spec = sys.modules[package].__spec__
        assert spec is not None
        assert spec.origin is not None
        stub = spec.loader.get_data(f"{spec.origin}i")  # type: ignore[union-attr]
        return {name: home for home, name in _NAME.findall(stub.decode())}

    def load(name: str) -> object:
        if name == "__all__":
            return sorted(homes())
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes()[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted({*homes(), *vars(sys.modules[package])})
