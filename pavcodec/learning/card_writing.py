"""Make the data card of files that exist, and check files by it: counts, SHA-256, shared deals."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.errors import PavError
from pavcodec.files.text import sha256_of
from pavcodec.formats import format_of, output_format
from pavcodec.formats.arrays import read_owners
from pavcodec.learning.cards import (
    CardFile,
    DataCard,
    array_of,
    file_of,
    read_card,
    versions,
    write_card,
)
from pavcodec.learning.classes import class_numbers, deals_are, overlaps_of
from pavcodec.numberings import numbering
from pavcodec.sampling import Seed, seed_of

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs


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
    return [class_numbers(part, apart) for part in read_owners(path, format=format, strict=True)]
