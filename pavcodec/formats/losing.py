"""The parts that many boards lose in a format.

To find the parts of a board, its auction and its play must be read. That is not needed where the
names of its tags show that it loses a part, and no part that earlier boards have not lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from pavcodec.boards.board import Board
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.formats.format import Format
from pavcodec.formats.parts import COMMENTS_TAGS, KEPT_AS, OF_PARTS, is_unknown

__all__ = ["LostParts"]

_STORED = 1024
_PARTS_BY_VALUE = frozenset({"Contract", "Declarer", "Result"})
"""Tags that give no part if their value is unknown."""
_EACH_VALUE = OF_PARTS - _PARTS_BY_VALUE
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
    """The number of boards that lose a part in a format, and the names of these parts."""

    def __init__(self, target: Format) -> None:
        self.boards = 0
        """How many boards lose a part."""
        self.names: dict[str, None] = {}
        """The names of the lost parts, in the order in which boards lose them first."""
        self._target = target
        self._risks = lru_cache(_STORED)(self._risks_of)

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
    """Return the kinds of signs in the lines of a section."""
    found = set(_SIGNS.findall("\n".join(lines)))
    return "".join(sorted({sign.translate(_KINDS) for sign in found})) if found else ""


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
