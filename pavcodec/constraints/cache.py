"""Large models on disk, so that the next program need not build them again.

A model is kept under the hash of its condition's canonical text, of the version of this format and
of the version of pavcodec: what another version counted is not trusted, in case it counted wrong.
Models that are built in no time are not kept, and neither are those that are too large for what
they save: to read a node takes a third of the time of building it, whatever the model. What is read
is checked before anything walks through it: by the checksums of the file, and as `fault_of` does.
The folder is `$PAVCODEC_CACHE`, else `pavcodec` in
the user's cache folder; an empty `$PAVCODEC_CACHE` turns the cache off. Its files take at most
`$PAVCODEC_CACHE_SIZE`, else 4 GiB; those that were not used for longest go first. What cannot be
read is built anew, and what cannot be written is not kept: a cache is never a reason to fail.
"""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile

from pavcodec._version import __version__
from pavcodec.constraints.faults import fault_of
from pavcodec.constraints.memory import parse_size
from pavcodec.constraints.model import Layer, Model
from pavcodec.constraints.recent import recent_model, remember_model
from pavcodec.errors import NumberError

__all__ = ["cache_folder", "cache_size", "load_model", "read_model", "store_model", "write_model"]

VERSION = "1"
"""The version of this format; another one is another name."""

_HEAD = f"pavcodec model {VERSION}"

KEPT_FROM = 2_000_000
"""The nodes from which on a model is worth keeping."""

KEPT_TO = 8_000_000
"""The nodes up to which a model is small enough: a quarter of a GiB, which saves about a second."""

_SIZE = "PAVCODEC_CACHE_SIZE"
_MOST_KEPT = 4 << 30

FRAME = 1 << 16
"""What a file holds besides the nodes, about."""

_PREFIX = "pavcodec-"
_OURS = re.compile(rf"[0-9a-f]{{32}}\.model|{_PREFIX}.*\.part")
"""The names of the files that the cache may remove: somebody may keep others in the folder."""


def cache_folder() -> Path | None:
    """Return where models are kept; None if they are not."""
    folder = os.environ.get("PAVCODEC_CACHE")
    if folder is not None:
        return Path(folder) if folder else None
    with suppress(RuntimeError):
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(base) / "pavcodec"
    return None


def cache_size() -> int:
    """Return the bytes that the files of the folder may take; raise `NumberError` for no size."""
    text = os.environ.get(_SIZE)
    if text is None:
        return _MOST_KEPT
    try:
        return parse_size(text)
    except NumberError as error:
        raise NumberError(f"{_SIZE}: {error}") from None


def load_model(text: str, memory: int) -> Model | None:
    """Return the model of a condition if it was kept and takes no more memory than it may.

    A larger one is passed over, and whoever builds it is told why it is too large.
    """
    recent = recent_model(text)
    if recent is not None and recent.memory <= memory:
        return recent
    folder = cache_folder()
    if folder is None:
        return None
    cache_size()  # what is wrong with it is better told before hours of counting
    path = folder / _name(text)
    try:
        if path.stat().st_size > memory + FRAME:
            return None
        found, model = read_model(path)
    except (OSError, ValueError):
        return None
    if found != text or model.memory > memory:
        return None
    with suppress(OSError):
        os.utime(path)  # it was used just now
    return model


def store_model(text: str, model: Model) -> None:
    """Keep a model if that is worth while, in the place of those not used for longest."""
    if model.nodes < KEPT_FROM:
        remember_model(text, model)
    folder = cache_folder()
    if folder is None or not KEPT_FROM <= model.nodes <= KEPT_TO:
        return
    room = cache_size() - model.memory - FRAME
    if room < 0:
        return
    with suppress(OSError):
        make_folder(folder)
        _clear(folder, room)
        write_model(folder / _name(text), text, model)


def make_folder(folder: Path) -> None:
    """Make the folder for its owner alone: conditions are private."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextmanager
def complete_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to write that is complete at the end of the block, or absent."""
    with NamedTemporaryFile(dir=path.parent, prefix=_PREFIX, suffix=".part", delete=False) as file:
        try:
            yield file
            file.flush()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink()
            raise


def _clear(folder: Path, room: int) -> None:
    """Remove the files that were not used for longest, until the others take no more than `room`.

    Half a file of a program that was killed gets old and goes, too; one that is being written is
    young.
    """
    kept = [(path.stat(), path) for path in folder.iterdir() if _OURS.fullmatch(path.name)]
    total = 0
    for status, path in sorted(kept, key=lambda file: file[0].st_mtime_ns, reverse=True):
        total += status.st_size
        if total > room:
            with suppress(OSError):
                path.unlink()


def _name(text: str) -> str:
    key = f"{VERSION}\n{__version__}\n{text}"
    return sha256(key.encode()).hexdigest()[:32] + ".model"


def write_model(path: Path, text: str, model: Model) -> None:
    """Write a model to a file, which is complete or absent."""
    arrays: dict[str, Any] = {
        f"children{card}": layer.children for card, layer in enumerate(model.layers)
    }
    arrays |= {f"ways{card}": layer.ways for card, layer in enumerate(model.layers)}
    head = np.frombuffer(f"{_HEAD}\n{text}".encode(), np.uint8)
    arrays |= {"head": head, "layers": len(model.layers)}
    with complete_file(path) as file:
        np.savez(file, sizes=model.sizes, seats=model.seats, **arrays)


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
        model = Model(sizes, seats, tuple(layers))
        fault = fault_of(model)
        if fault:
            raise ValueError(fault)
        return text, model


def _arrays(stream: BinaryIO) -> NpzFile:
    """Return the named arrays of a file; raise `ValueError` where it holds none."""
    loaded = np.load(stream, allow_pickle=False)
    if not isinstance(loaded, NpzFile):
        raise ValueError("it holds no named arrays")  # noqa: TRY004 (the file is wrong, not the call)
    return loaded
