"""Parts that worker processes make in memory, and counts of the models that they build."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pavcodec.collection.collection import Collection
from pavcodec.constraints.counting import condition

__all__ = ["Built", "MadeInMemory", "Watched"]

built: list[str] = []
"""The models that this process built."""


@dataclass(frozen=True)
class Built:
    """What a worker process made."""

    process: int
    sha256: str
    models: tuple[str, ...]
    """All models that the process has built so far."""


@dataclass(frozen=True)
class MadeInMemory:
    """Makes a part in memory."""

    plan: Collection

    def __call__(self, index: int) -> Built:
        """Return the SHA-256 of a part."""
        stream = io.BytesIO()
        self.plan.making.write(self.plan[index], stream)
        return Built(os.getpid(), sha256(stream.getvalue()).hexdigest(), tuple(built))


@dataclass(frozen=True)
class Watched:
    """A preparation after which this process counts its models; it counts those of it as well."""

    prepare: Callable[[], object]

    def __call__(self) -> None:
        """Prepare this process."""
        watch_models()
        self.prepare()


def watch_models() -> None:
    """Note each model that this process builds from now on."""
    watch(condition, "build_model")


def watch(module: Any, name: str) -> None:
    """Note the calls of a function by its name in a module."""
    real = getattr(module, name)

    def noted(*arguments: Any, **keywords: Any) -> Any:
        built.append(name)
        return real(*arguments, **keywords)

    setattr(module, name, noted)
