"""The parts of a board that survive in each format, measured: written, read again and compared."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context, Problem
from pavcodec.formats.format import NAMES, Format
from pavcodec.formats.parts import parts_of
from pavcodec.formats.recognition import format_of
from pavcodec.numberings import numbering

__all__ = ["GROUPS", "Survival", "sample_boards", "survival_of"]

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
    found = next(target.read(stream, context), None)
    if found is None or problems:
        return []
    again = parts_of(found)
    return [part for part, value in parts.items() if again.get(part) == value]
