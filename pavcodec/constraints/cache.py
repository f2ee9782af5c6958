"""Large models on disk, so that the next program need not build them again.

A model is kept under the hash of its condition's canonical text and of the version of this format.
Models that are built in no time are not kept. The folder is `$PAVCODEC_CACHE`, else `pavcodec` in
the user's cache folder; an empty `$PAVCODEC_CACHE` turns the cache off. What cannot be read is
built anew, and what cannot be written is not kept: a cache is never a reason to fail.
"""

from __future__ import annotations

import os
import struct
import zlib
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile

from pavcodec.constraints.model import Layer, Model

__all__ = ["cache_folder", "load_model", "read_model", "store_model", "write_model"]

VERSION = "1"
"""The version of this format; another one is another name."""

_HEAD = f"pavcodec model {VERSION}"

KEPT_FROM = 2_000_000
"""The nodes from which on a model is worth keeping."""


def cache_folder() -> Path | None:
    """Return where models are kept; None if they are not."""
    folder = os.environ.get("PAVCODEC_CACHE")
    if folder is not None:
        return Path(folder) if folder else None
    with suppress(RuntimeError):
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(base) / "pavcodec"
    return None


def load_model(text: str) -> Model | None:
    """Return the model of a condition if it was kept."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        found, model = read_model(folder / _name(text))
    except (OSError, ValueError):
        return None
    return model if found == text else None


def store_model(text: str, model: Model) -> None:
    """Keep a model if it was long in the making."""
    folder = cache_folder()
    if folder is None or model.nodes < KEPT_FROM:
        return
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        write_model(folder / _name(text), text, model)


def _name(text: str) -> str:
    return sha256(f"{VERSION}\n{text}".encode()).hexdigest()[:32] + ".model"


def write_model(path: Path, text: str, model: Model) -> None:
    """Write a model to a file, which is complete or absent."""
    arrays: dict[str, Any] = {
        f"children{card}": layer.children for card, layer in enumerate(model.layers)
    }
    arrays |= {f"ways{card}": layer.ways for card, layer in enumerate(model.layers)}
    head = np.frombuffer(f"{_HEAD}\n{text}".encode(), np.uint8)
    with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
        try:
            arrays |= {"head": head, "layers": len(model.layers)}
            np.savez(file, sizes=model.sizes, seats=model.seats, **arrays)
            file.flush()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink()
            raise


def read_model(path: Path) -> tuple[str, Model]:
    """Return (canonical text of the condition, model); raise `ValueError` for another file."""
    try:
        return _read(path)
    except (
        KeyError,
        EOFError,
        BadZipFile,
        RuntimeError,
        MemoryError,
        struct.error,
        zlib.error,
    ) as e:
        raise ValueError(f"it is damaged: {e}") from None


def _read(path: Path) -> tuple[str, Model]:
    with path.open("rb") as stream, closing(_arrays(stream)) as file:
        head, _, text = bytes(file["head"]).decode().partition("\n")
        if head != _HEAD:
            raise ValueError(f"it begins with {head!r}, expected {_HEAD!r}")
        count = int(file["layers"])
        if len(file.files) != 4 + 2 * count:
            raise ValueError("it does not hold all layers")
        layers = [Layer(file[f"children{card}"], file[f"ways{card}"]) for card in range(count)]
        sizes, seats = tuple(file["sizes"].tolist()), tuple(file["seats"].tolist())
        return text, Model(sizes, seats, tuple(layers))


def _arrays(stream: BinaryIO) -> NpzFile:
    """Return the named arrays of a file; raise `ValueError` where it holds none."""
    loaded = np.load(stream, allow_pickle=False)
    if not isinstance(loaded, NpzFile):
        raise ValueError("it holds no named arrays")  # noqa: TRY004 (the file is wrong, not the call)
    return loaded
