"""Data cards: what a set of files holds, how it was made, and whether it is still so.

A command without data cards needs only their suffix, so what reads deals is imported late.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pavcodec._version import __version__
from pavcodec.errors import PavError, ReadError
from pavcodec.files.opening import open_file, open_output
from pavcodec.files.text import sha256_of
from pavcodec.sampling import Seed, seed_of

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs

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


# Make the card of files that exist, and check files by it: counts, SHA-256, shared deals.


def write_data_card(  # noqa: PLR0913 (keywords)
    files: Mapping[str, str | os.PathLike[str]],
    stem: str | os.PathLike[str],
    *,
    space: object = None,
    seed: Seed | None = None,
    start: int = 0,
    format: str | None = None,
    apart: str | None = None,
    licence: str = "",
    command: str = "",
) -> DataCard:
    """Write the data card of files beside them, `stem.card.json` and `stem.card.md`; return it.

    `files` has the path of each split, all in the folder of `stem`. The card has the condition and
    the number of deals of `space`, the seed and the first sample if they are given, and `command`,
    with which anyone can make the files again. `apart` is the symmetry up to which deals are
    compared, and `format` that of the files if their suffix does not show it. Raises `PavError` if
    two files share a deal, or if a file stands in another folder, and `TypeError` for files without
    names of splits and for a condition as text instead of its space.

    >>> import pathlib, tempfile
    >>> import pavcodec as pav
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> space = pav.deals("hcp(south) >= 20")
    >>> parts = pav.splits(100, "0.9/0.1")
    >>> for name, part in parts.items():
    ...     rows = space.sample_many(len(part), seed=7, start=part.start)
    ...     _ = pav.write_owners(rows, folder / f"{name}.npy")
    >>> card = pav.write_data_card(
    ...     {name: folder / f"{name}.npy" for name in parts}, folder / "set", space=space, seed=7
    ... )
    >>> [each.deals for each in card.files], pav.check_card(folder / "set.card.json").is_right
    ([90, 10], True)
    """
    from pavcodec.formats import output_format
    from pavcodec.learning.splitting import deals_are, overlaps_of
    from pavcodec.numberings import numbering

    given: object = files
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"files are given by split, as in {{'train': 'train.npy'}}, not {kind!r}")
    if isinstance(space, str):
        raise TypeError(f"space is the result of a call such as deals({space!r}), not a text")
    name = os.fspath(stem)
    card_files: list[CardFile] = []
    numbers: dict[str, list[Limbs]] = {}
    for split, source in files.items():
        path = os.fspath(source)
        if os.path.dirname(os.path.abspath(path)) != os.path.dirname(os.path.abspath(name)):
            raise PavError(f"{path}: the files of a set stand beside their card, {name}")
        kind = output_format(path, format).name
        numbers[split] = _numbers_of(path, format, apart)
        card_files.append(file_of(path, split, sum(map(len, numbers[split])), kind))
    overlaps = overlaps_of(numbers, apart)
    for (one, other), count in overlaps.common.items():
        raise PavError(f"{deals_are(count)} in {one} and in {other}, as {overlaps.example}")
    total = getattr(space, "cardinality", None)
    share = Fraction(total, numbering("deal").cardinality) if isinstance(total, int) else None
    card = DataCard(
        os.path.basename(name),
        "" if seed is None else str(seed_of(seed)),
        str(getattr(space, "name", "") or getattr(space, "where", "")),
        "" if share is None else str(total),
        "" if share is None else str(share),
        command,
        tuple(card_files),
        start=start,
        apart=apart or "",
        licence=licence,
        versions=versions(),
    )
    write_card(card, name)
    return card


@dataclass(frozen=True)
class CardCheck:
    """A card, and what its files have otherwise; without `problems` all is as the card says."""

    card: DataCard
    problems: tuple[str, ...]
    compared: tuple[str, ...]
    """The files whose deals were compared with each other."""

    @property
    def is_right(self) -> bool:
        """Whether there are no problems."""
        return not self.problems


def check_card(path: str | os.PathLike[str]) -> CardCheck:
    """Check the files beside a card: sizes, SHA-256, numbers of deals, and deals in two files.

    Deals are compared up to the symmetry `apart` of the card. A file of a view that gives no owners
    is only compared with its checksum. Raises `ReadError` if the card itself cannot be read.
    """
    from pavcodec.formats import format_of
    from pavcodec.learning.splitting import deals_are, overlaps_of

    card, folder = read_card(path), os.path.dirname(os.fspath(path))
    problems: list[str] = []
    numbers: dict[str, list[Limbs]] = {}
    for file in card.files:
        file_path = os.path.join(folder, file.name)
        faults = list(_problems_of_bytes(file, file_path))
        problems += faults
        try:
            if not faults and format_of(file.format).is_read:
                numbers[file.name] = _numbers_of(file_path, file.format, card.apart or None)
        except PavError as error:
            problems.append(f"{file.name}: {error}")
    overlaps = overlaps_of(numbers, card.apart or None)
    for name, count in overlaps.counts.items():
        [deals] = [file.deals for file in card.files if file.name == name]
        if count != deals:
            problems.append(f"{name}: expected {deals:,} deals, found {count:,}")
    problems += [
        f"{one} and {other}: {deals_are(count)} in both"
        for (one, other), count in overlaps.common.items()
    ]
    return CardCheck(card, tuple(problems), tuple(numbers))


def _problems_of_bytes(file: CardFile, path: str) -> Iterator[str]:
    """Yield what is wrong with the bytes of a file."""
    try:
        with open(path, "rb") as stream:
            digest = sha256_of(stream)
            size = stream.tell()
    except OSError as error:
        yield f"{file.name}: cannot be read: {error.strerror}"
        return
    if size != file.bytes:
        yield f"{file.name}: expected {file.bytes:,} bytes, found {size:,}"
    elif digest != file.sha256:
        yield f"{file.name}: its SHA-256 is {digest}, not {file.sha256}"
    elif file.array != array_of(path):
        yield f"{file.name}: expected the array {file.array}, found {array_of(path)}"


def _numbers_of(path: str, format: str | None, apart: str | None) -> list[Limbs]:
    """Return the numbers of the classes of a file's deals."""
    from pavcodec.formats.arrays import read_owners
    from pavcodec.learning.splitting import class_numbers

    return [class_numbers(part, apart) for part in read_owners(path, format=format, strict=True)]
