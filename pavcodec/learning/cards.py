"""Data cards: what a set of files holds, how it was made, and whether it is still so."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pavcodec._version import __version__
from pavcodec.errors import PavError, ReadError
from pavcodec.files.opening import open_file, open_output
from pavcodec.files.text import sha256_of

SUFFIX = ".card.json"
_KIND = "pavcodec data card"
_VERSION = 1


@dataclass(frozen=True)
class CardFile:
    """One file of a set, by its name beside the card."""

    name: str
    split: str
    deals: int
    bytes: int
    sha256: str
    format: str
    """The name of the format, with the form of an array of numpy."""
    array: str = ""
    """The dtype and the shape, if the file is an array of numpy."""
    first: int | None = None
    """The first sample of the stream, if the file has a range of them."""


@dataclass(frozen=True)
class DataCard:
    """The facts of a set of files; `write_card` writes them as JSON and as Markdown.

    `cardinality` is the exact number of deals of the condition and `probability` its share of all
    deals, as texts; both are empty if deals are tested, weighted or mixed, or if the condition is
    not stated. `apart` is the symmetry
    up to which no deal is in two files, or empty if only equal deals were compared; `common` is the
    number of deals that two files share.
    """

    title: str
    seed: str
    condition: str
    cardinality: str
    probability: str
    command: str
    files: tuple[CardFile, ...]
    start: int = 0
    method: str = ""
    shares: Mapping[str, str] = field(default_factory=dict)
    apart: str = ""
    is_distinct: bool = False
    common: int = 0
    licence: str = ""
    made_by: str = f"pavcodec {__version__}"
    versions: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the card as JSON."""
        return json.dumps({"card": _KIND, "version": _VERSION, **asdict(self)}, indent=2) + "\n"

    def to_markdown(self) -> str:
        """Return the card as a page of Markdown."""
        stream = f"`pav-1`, from sample {self.start}" if self.seed else ""
        unnamed = "all deals" if self.cardinality else "not stated"
        up_to = f"up to {self.apart}" if self.apart else "the same cards"
        facts = {
            "seed": f"`{self.seed}`" if self.seed else "not stated",
            "stream": stream,
            "condition": f"`{self.condition}`" if self.condition else unnamed,
            "deals of the condition": f"{int(self.cardinality):,}"
            if self.cardinality
            else "not counted",
            "share of all deals": self.probability,
            "method": self.method,
            "repeated deals": "left out" if self.is_distinct else "possible, as samples have them",
            "deals in two files": f"{self.common} ({up_to})",
            "licence": self.licence or "not stated",
            "made by": self.made_by,
            "versions": ", ".join(map(" ".join, self.versions.items())),
        }
        lines = [f"# {self.title}", "", "| | |", "|---|---|"]
        lines += [f"| {name} | {_cell(text)} |" for name, text in facts.items() if text]
        lines += ["", "| file | split | deals | first sample | bytes | format | array |"]
        lines += ["|---|---|---:|---:|---:|---|---|"]
        for file in self.files:
            first = "" if file.first is None else f"{file.first:,}"
            cells = (file.name, file.split, f"{file.deals:,}", first, f"{file.bytes:,}")
            lines.append(f"| {' | '.join((*cells, file.format, file.array))} |")
        lines += ["", "SHA-256:", "", *(f"    {file.sha256}  {file.name}" for file in self.files)]
        lines += ["", "The same files again, and a check of these:", ""]
        commands = [self.command, f"pavcodec verify {self.title}{SUFFIX}"]
        lines += [*(f"    {command}" for command in commands if command), ""]
        return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def versions() -> dict[str, str]:
    """Return the versions of Python and of numpy, which made the arrays."""
    from importlib.metadata import version

    return {"python": platform.python_version(), "numpy": version("numpy")}


def file_of(
    path: str, split: str, deals: int, format: str, *, first: int | None = None
) -> CardFile:
    """Return the facts of a finished file."""
    with open(path, "rb") as stream:
        digest = sha256_of(stream)
    return CardFile(
        os.path.basename(path),
        split,
        deals,
        os.path.getsize(path),
        digest,
        format,
        array_of(path),
        first,
    )


def array_of(path: str) -> str:
    """Return dtype and shape of an array of numpy, and an empty text for another file."""
    from pavcodec.formats.npy.files import read_header

    if not path.endswith(".npy"):
        return ""
    with open(path, "rb") as stream:
        return str(read_header(stream))


def card_paths(stem: str) -> tuple[str, str]:
    """Return the paths of a card: JSON and Markdown.

    >>> card_paths("sets/train")
    ('sets/train.card.json', 'sets/train.card.md')
    """
    return f"{stem}{SUFFIX}", f"{stem}.card.md"


def write_card(card: DataCard, stem: str) -> None:
    """Write a card beside its files, as JSON and as Markdown."""
    for path, text in zip(card_paths(stem), (card.to_json(), card.to_markdown()), strict=True):
        with open_output(path) as stream:
            stream.write(text.encode())


def read_card(path: str | os.PathLike[str]) -> DataCard:
    """Read a card; raise `ReadError` for a file that is none."""
    name = os.fspath(path)
    with open_file(name) as stream:
        data = stream.read()
    try:
        fields: Any = json.loads(data)
        kind, version = fields.pop("card"), fields.pop("version")
        if (kind, version) != (_KIND, _VERSION):
            raise ReadError(f"{name}: expected a {_KIND} of version {_VERSION}, not {version!r}")
        files = tuple(CardFile(**file) for file in fields.pop("files"))
        card = DataCard(**fields, files=files)
        _check_types(card)
    except PavError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ReadError(f"{name}: this is no data card: {error}") from None
    return card


def _check_types(card: DataCard) -> None:
    """Raise `TypeError` for values that cannot be those of a card."""
    for file in card.files:
        texts = (file.name, file.split, file.sha256, file.format, file.array)
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("a file has texts for its name, split, sha256, format and array")
        if not all(isinstance(number, int) for number in (file.deals, file.bytes)):
            raise TypeError("a file has numbers for its deals and bytes")
        if os.path.basename(file.name) != file.name or not file.name or "\0" in file.name:
            raise ValueError(f"a file stands beside its card, and has no folder: {file.name!r}")
    names = [file.name for file in card.files]
    if len(set(names)) < len(names):
        raise ValueError("it names a file twice")
    if not isinstance(card.apart, str):
        raise TypeError("apart is a text")
