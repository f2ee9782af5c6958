"""Modules under the names that the documentation gave them before; each warns, for one release."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["MOVED", "install"]

_C = "pavcodec.constraints"
MOVED = {
    "pavcodec.archive.metadata": "pavcodec.archive.tags.metadata",
    "pavcodec.archive.tag_rows": "pavcodec.archive.tags.tag_rows",
    "pavcodec.cases": "pavcodec.studies.cases",
    f"{_C}.bridge_world": "pavcodec.layout.bridge_world",
    f"{_C}.compile": f"{_C}.counting.diagrams.compile",
    f"{_C}.count": f"{_C}.counting.models.count",
    f"{_C}.double_dummy": "pavcodec.solving.double_dummy",
    f"{_C}.evaluate": f"{_C}.evaluation.evaluate",
    f"{_C}.evaluation.double_dummy": "pavcodec.solving.double_dummy",
    f"{_C}.format": f"{_C}.nodes.format",
    f"{_C}.implied": f"{_C}.counting.implied",
    f"{_C}.model": f"{_C}.counting.models.model",
    f"{_C}.outcomes": f"{_C}.counting.models.joint_counts",
    f"{_C}.parser": f"{_C}.language.parser",
    f"{_C}.pieces": f"{_C}.counting.diagrams.pieces",
    f"{_C}.plan": f"{_C}.counting.plan",
    f"{_C}.report": f"{_C}.scripts.report",
    "pavcodec.convert": "pavcodec.formats",
    "pavcodec.dealer1999": "pavcodec.studies.dealer1999",
}
"""The old name of a module, and where it is now."""


class _OldNames:
    """Finds modules by their old names.

    It comes before the other finders, which would take an old folder without modules for a package.
    """

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 (the import system gives it)
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return a spec for an old name."""
        return ModuleSpec(name, self) if name in MOVED else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import the module by its new name."""
        new = MOVED[spec.name]
        warnings.warn(f"{spec.name} is {new} now", DeprecationWarning, stacklevel=2)
        module = import_module(new)
        self._specs[new] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is, with the spec of its new name."""
        module.__spec__ = self._specs.pop(module.__name__)


def install() -> None:
    """Let old names be imported."""
    sys.meta_path.insert(0, _OldNames())
