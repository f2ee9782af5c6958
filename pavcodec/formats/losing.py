"""The parts that many boards lose in a format.

To find the parts of a board, its auction and its play must be read. That is not needed where the
names of its tags show that it loses a part, and no part that earlier boards have not lost.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from pavcodec.boards.batch import BoardBatch, Gathered
from pavcodec.boards.board import Board, Context, Problem
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.formats.format import (
    COMMENTS_TAGS,
    KEPT_AS,
    NAMES,
    OF_PARTS,
    Format,
    is_unknown,
    parts_of,
)
from pavcodec.formats.registry import format_of
from pavcodec.numberings import numbering

_STORED = 1024
_EXAMINED = 1024
"""The boards that are examined of batches once one of them lost a part."""
_EACH_VALUE = OF_PARTS - {"Contract", "Declarer", "Result"}
"""Tags that give a part even if their value is unknown."""
_TAG_PARTS = {
    "Board": ("number", "dealer", "vulnerability"),
    "Dealer": ("dealer",),
    "Vulnerable": ("vulnerability",),
    "Contract": ("contract",),
    "Result": ("result",),
} | dict.fromkeys(COMMENTS_TAGS, ("comments",))
_NO_PARTS = frozenset({"Deal", "Declarer", "Auction", "Play", "Note"})
_COMMENT, _NOTE, _MARK, _STAR = "{", "=", "$", "*"
_KINDS = str.maketrans(";%!?", _COMMENT * 2 + _MARK * 2)
"""All signs of a kind become one."""
_SIGNS = re.compile(r"[=$!?*{;%]")


class _Risks(NamedTuple):
    """The parts that boards with the same names of tags may lose; whether each loses one."""

    parts: frozenset[str]
    is_certain: bool


class LostParts:
    """The number of boards that lose a part in a format, and the names of these parts.

    Of batches that make their boards on demand, only the first boards are examined, up to the first
    that loses something and some more.
    """

    def __init__(self, target: Format) -> None:
        self.boards = 0
        """How many boards lose a part."""
        self.examined = 0
        self.is_cut = False
        """Whether some boards were not examined."""
        self.names: dict[str, None] = {}
        """The names of the lost parts, in the order in which boards lose them first."""
        self._target = target
        self._risks = lru_cache(_STORED)(self._risks_of)

    def examine(self, batch: BoardBatch) -> None:
        """Count the boards of a batch that lose a part; boards without cards may be left out."""
        target = self._target
        one_by_one = isinstance(batch, Gathered)
        if target.keeps_tags or not (one_by_one or batch.needs_origin or batch.has_tricks):
            return
        for board in batch:
            if not one_by_one and self.boards and self.examined >= _EXAMINED:
                self.is_cut = True
                return
            self.examined += 1
            if board.layout is not None or not target.keeps_cards:
                self.count(board)

    def count(self, board: Board) -> None:
        """Count the board and its parts if it loses any."""
        if self._target.more_losses is None or self._target.may_lose:
            tags = board.tags.items()
            known = [name for name, text in tags if name in _EACH_VALUE or not is_unknown(text)]
            lined = [(tag.name, _signs_in(tag.lines)) for tag in board.entries if tag.lines]
            if lined and any(tag.name == "Note" and "Alert" in tag.value for tag in board.entries):
                lined.append(("Note", _STAR))
            has_tricks = not board.tags.keys().isdisjoint(TRICK_TAGS) and board.tricks is not None
            risks = self._risks(tuple(known), tuple(lined), has_tricks=has_tricks)
            if risks.is_certain and risks.parts <= self.names.keys():
                self.boards += 1
                return
        lost = self._target.lost_parts(board)
        self.boards += bool(lost)
        self.names |= dict.fromkeys(lost)

    def _risks_of(
        self, known: tuple[str, ...], lined: tuple[tuple[str, str], ...], *, has_tricks: bool
    ) -> _Risks:
        """Return the risks of boards with known values of tags, and with sections."""
        sections = {name for name, _ in lined}
        plain = {name for name in known if name not in OF_PARTS and name not in sections}
        lost = frozenset(name for name in plain if not self._target.keeps_tag(name))
        others = {"cards", *_parts_of_sections(lined, has_notes="Note" in known)}
        for name in OF_PARTS.intersection(known) - _NO_PARTS:
            others |= {*_TAG_PARTS.get(name, ("tricks" if has_tricks else name,))}
        risky = frozenset(name for name in others if not self._keeps(name))
        may_lose = self._target.may_lose & (others | plain)
        return _Risks(lost | risky | may_lose, is_certain=bool(lost))

    def _keeps(self, part: str) -> bool:
        """Return whether the format keeps a part, of which no plain tag is the value."""
        if part == "cards":
            return self._target.keeps_cards
        return KEPT_AS.get(part) in self._target.kept_tags or part in self._target.kept_parts


def _signs_in(lines: Iterable[str]) -> str:
    signs = set(_SIGNS.findall("\n".join(lines)))
    return "".join(sorted({sign.translate(_KINDS) for sign in signs}))


def _parts_of_sections(lined: Iterable[tuple[str, str]], *, has_notes: bool) -> Iterator[str]:
    """Yield the parts that sections may have; each section has a name and signs."""
    for name, signs in lined:
        if _COMMENT in signs:
            yield "comments"
        if name == "Auction":
            yield "auction"
            if _NOTE in signs or has_notes:
                yield "auction notes"
            if _STAR in signs:
                yield "alerts"
            if _MARK in signs:
                yield "auction marks"
        elif name == "Note":
            yield from ("alerts",) if _STAR in signs else ()
        elif name == "Play":
            yield "play"
            if _NOTE in signs or _MARK in signs:
                yield "play notes"
        elif name not in OF_PARTS:
            yield name


# The parts of a board that survive in each format, measured: written, read again and compared.


GROUPS: Mapping[str, tuple[str, ...]] = {
    "number": ("number",),
    "dealer": ("dealer",),
    "vulnerability": ("vulnerability",),
    "names": tuple(sorted(NAMES)),
    "event": ("Event", "Site", "Date", "Session"),
    "auction": ("auction",),
    "notes": ("alerts", "auction notes"),
    "play": ("play",),
    "score": ("contract", "result", "Score"),
    "tricks": ("tricks",),
    "par": ("OptimumScore", "ParContract"),
    "comments": ("comments",),
}
"""The names of the groups of parts, and the parts of each as `parts_of` names them."""

_SAMPLE = rb"""[Event "Heat"]
[Site "Bled"]
[Date "2026.11.24"]
[Board "7"]
[West "Wendy"]
[North "Nora"]
[East "Ed"]
[South "Sam"]
[Dealer "%b"]
[Vulnerable "%b"]
[Deal "N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853"]
{Find the lead.}
[Scoring "MP"]
[Declarer "E"]
[Contract "2H"]
[Result "8"]
[Score "EW 110"]
[Session "1"]
[Annotator "Anna"]
[OptimumScore "EW 110"]
[ParContract "EW 2H"]
[Auction "%b"]
%b1H =1= 1S X =2= Pass 2H Pass Pass Pass
[Note "1:five cards"]
[Note "2:Alert: takeout"]
[Play "S"]
SQ SK SA S2
D3 D9 D5 DA
*
[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]
%b
"""
_TRICKS = "\n".join(
    f"{seat} {strain:>2} {tricks:>2}"
    for seat, tricks in (("N", 5), ("S", 6), ("E", 7), ("W", 8))
    for strain in ("NT", "S", "H", "D", "C")
)


@dataclass(frozen=True)
class Survival:
    """The result of writing and reading the sample in a format."""

    format: str
    kept: tuple[str, ...]
    """The parts that are the same in the board that was read."""
    lost: tuple[str, ...]
    implied: tuple[str, ...]
    """The parts among the lost that survive if they follow from the board number."""

    def of(self, group: str) -> str:
        """Return `yes`, `part`, `rule` or `no` for a group; `rule` if the number implies it."""
        parts = GROUPS[group]
        kept = sum(part in self.kept for part in parts)
        if kept:
            return "yes" if kept == len(parts) else "part"
        return "rule" if any(part in self.implied for part in parts) else "no"


def sample_boards() -> tuple[Board, Board]:
    """Return a board with all parts, and one whose dealer and vulnerability follow its number.

    >>> [board.dealer.letter for board in sample_boards()]
    ['E', 'S']
    """
    return _sample(b"E", b"EW", b""), _sample(b"S", b"All", b"Pass Pass Pass\n")


def _sample(dealer: bytes, vulnerable: bytes, passes: bytes) -> Board:
    text = _SAMPLE % (dealer, vulnerable, dealer, passes, _TRICKS.encode())
    (board,) = format_of("pbn").read(io.BytesIO(text), Context("sample"))
    return board


def survival_of(target: Format) -> Survival:
    """Return the parts of the sample that survive in a format that is read.

    Raises `PavError` if a package that the format needs is not installed.

    >>> survival_of(format_of("csv")).kept
    ('cards', 'number', 'dealer', 'vulnerability')
    """
    odd, regular = sample_boards()
    parts = parts_of(odd)
    kept = _kept(target, odd, parts)
    implied = _kept(target, regular, parts_of(regular))
    if not kept:  # the format refuses a dealer that does not follow from the number
        rules = ("dealer", "vulnerability")
        kept = [part for part in implied if part not in rules]
    lost = [part for part in parts if part not in kept]
    return Survival(
        target.name, tuple(kept), tuple(lost), tuple(part for part in implied if part in lost)
    )


def _kept(target: Format, board: Board, parts: Mapping[str, object]) -> list[str]:
    """Return the parts of a board that are the same after writing and reading."""
    problems: list[Problem] = []
    context = replace(Context("sample", problems.append), numbering=numbering("deal"))
    stream = io.BytesIO()
    target.write([board], stream, context)
    stream.seek(0)
    copy = next(target.read(stream, context), None)
    if copy is None or problems:
        return []
    again = parts_of(copy)
    return [part for part, value in parts.items() if again.get(part) == value]
