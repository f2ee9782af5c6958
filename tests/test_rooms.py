"""The house: no circles, and names that tools can follow."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import pavcodec

HOME = Path(pavcodec.__file__).parent
BY_NAME = {"_lazy.py"}
"""Where modules are imported whose names are values."""


@cache
def sources() -> dict[str, tuple[Path, str]]:
    """Return the path and the text of each module, by its name."""
    found = {}
    for path in sorted(HOME.rglob("*.py")):
        parts = ["pavcodec", *path.relative_to(HOME).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = (path, path.read_text(encoding="utf-8"))
    return found


def imports(name: str) -> Iterator[str]:
    """Yield the modules that a module imports anywhere, also in functions and for types alone."""
    for node in ast.walk(ast.parse(sources()[name][1])):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in sources())
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name} has a relative import"
            for each in node.names:
                whole = f"{node.module}.{each.name}"
                yield from [found for found in (whole, node.module) if found in sources()][:1]


@cache
def graph() -> dict[str, set[str]]:
    return {name: set(imports(name)) - {name} for name in sources()}


@pytest.mark.slow
def test_no_module_imports_itself_by_way_of_others() -> None:
    assert list(TopologicalSorter(graph()).static_order())  # or it names a circle


@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_no_rooms_beside_each_other_import_each_other(depth: int) -> None:
    rooms: dict[str, set[str]] = {}
    for name, others in graph().items():
        for other in (name, *others):
            rooms.setdefault(".".join(other.split(".")[:depth]), set())
        mine = ".".join(name.split(".")[:depth])
        for other in others:
            its = ".".join(other.split(".")[:depth])
            if mine.rpartition(".")[0] == its.rpartition(".")[0] and mine != its:
                rooms[mine].add(its)
    assert list(TopologicalSorter(rooms).static_order())  # or it names a circle


def test_modules_are_imported_by_name_and_not_by_strings() -> None:
    for name, (path, text) in sources().items():
        if path.name not in BY_NAME:
            assert "import_module" not in text, name
            assert "__import__" not in text, name


def test_a_face_has_the_names_that_it_lists() -> None:
    """Many stand in stubs, and their modules are loaded with them."""
    for name, (path, text) in sources().items():
        if path.name == "__init__.py" and ("__all__ = [" in text or "face(__name__)" in text):
            room = importlib.import_module(name)
            assert [each for each in room.__all__ if getattr(room, each, None) is None] == []


def test_no_public_name_is_that_of_a_module_beside_it() -> None:
    """The module would take the place of the name as soon as somebody imports it."""
    names = [
        line.split()[1:4:2]
        for face in HOME.rglob("*.pyi")
        for line in face.read_text(encoding="utf-8").splitlines()
        if line.startswith("from pavcodec")
    ]
    assert len(names) > 100
    assert [home for home, name in names if f"{home}.{name}" in sources()] == []
