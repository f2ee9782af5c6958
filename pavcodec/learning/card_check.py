"""Compare a set of files with its data card."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import file_digest
from typing import TYPE_CHECKING

from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.formats.arrays import read_owners
from pavcodec.learning.cards import CardFile, DataCard, array_of, read_card
from pavcodec.learning.classes import class_numbers
from pavcodec.learning.overlaps import deals_are, overlaps_of

if TYPE_CHECKING:
    from pavcodec.arrays.words.limbs import Limbs

__all__ = ["CardCheck", "check_card"]


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
    for each in card.files:
        found = list(_problems_of_bytes(each, os.path.join(folder, each.name)))
        problems += found
        try:
            if not found and format_of(each.format).is_read:
                numbers[each.name] = _numbers_of(each, os.path.join(folder, each.name), card)
        except PavError as error:
            problems.append(f"{each.name}: {error}")
    overlaps = overlaps_of(numbers, card.apart or None)
    for name, count in overlaps.counts.items():
        [deals] = [each.deals for each in card.files if each.name == name]
        if count != deals:
            problems.append(f"{name}: expected {deals:,} deals, found {count:,}")
    problems += [
        f"{one} and {other}: {deals_are(count)} in both"
        for (one, other), count in overlaps.common.items()
    ]
    return CardCheck(card, tuple(problems), tuple(numbers))


def _problems_of_bytes(each: CardFile, path: str) -> Iterator[str]:
    """Yield what is wrong with the bytes of a file."""
    try:
        with open(path, "rb") as stream:
            digest = file_digest(stream, "sha256").hexdigest()
            size = stream.tell()
    except OSError as error:
        yield f"{each.name}: cannot be read: {error.strerror}"
        return
    if size != each.bytes:
        yield f"{each.name}: expected {each.bytes:,} bytes, found {size:,}"
    elif digest != each.sha256:
        yield f"{each.name}: its SHA-256 is {digest}, not {each.sha256}"
    elif each.array != array_of(path):
        yield f"{each.name}: expected the array {each.array}, found {array_of(path)}"


def _numbers_of(each: CardFile, path: str, card: DataCard) -> list[Limbs]:
    """Return the numbers of the classes of a file's deals."""
    parts = read_owners(path, format=each.format, strict=True)
    return [class_numbers(owners, card.apart or None) for owners in parts]
