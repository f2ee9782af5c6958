"""Names of seats and sides in texts and tables, after the players have changed seats.

Rule 1: whole English words `North East South West`, in the three forms `North NORTH north`, change.
        Longer words such as `Northern` and `Southend` stay.
Rule 2: a pair is a side: `North-South`, `North and South`, `N-S`, `N/S`, `NS`, `n/s`. It changes
        only if its players sit in the other two seats, and it stays in the usual order.
Rule 3: a single letter changes only where it is clearly a seat: `4S by W`, `dealer S`, and the
        directives `[show NS]`, `[hide E]` and `[PLAY W:D9]` of lessons. All others stay, since `S`
        is also a suit, `E` and `W` initials.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import SupportsIndex

from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.errors import PavError, check_text

__all__ = ["Turn"]

_SEATS = len(Seat)
_WORDS = tuple(seat.name.title() for seat in Seat)
_WORD = r"(?:North|East|South|West|NORTH|EAST|SOUTH|WEST|north|east|south|west)"
_OTHER_SIDE = dict(zip("NESW", "ENWS", strict=True))
"""The seat of the other side in the same place of a pair: N-S and E-W, S-N and W-E."""
_TEXT = re.compile(
    rf"""(?<![\w\\])(?:
      (?P<words> (?P<one>{_WORD}) (?P<between>[-/–]|\ and\ |\ &\ |\ AND\ ) (?P<two>{_WORD}) )
    | (?P<word> {_WORD} )
    | (?P<side> N[-/–]?S | E[-/–]?W | n[-/–]s | e[-/–]w )
    | (?P<by> [1-7](?:NT|N|\\?[CDHS])X{{0,2}}\ by\ | (?i:dealer|dlr)(?:\ |:\ ?) ) (?P<seat>[NESW])
    )(?!\w)
    | (?P<directive>\[(?i:show|hide)\ +)(?P<seats>[NESW]{{1,4}})(?=\s*\])
    | (?P<play>\[(?i:play)\ [^\]\n]*\])
    """,
    re.VERBOSE,
)
_SIDES = re.compile(r"\b(?:N-?S|E-?W)\b")
_SIDES_AND_SEATS = re.compile(r"\b(?:N-?S|E-?W|[NESW])(?=[\s:])")
_SEAT_BEFORE_COLON = re.compile(r"\b[NESW](?=:)")
_REMARK = re.compile(r"^%[^\n]*|\{[^}]*\}|;[^\n]*", re.MULTILINE)
_TABLE_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_COLUMN = re.compile(r"(_)(NS|EW|North|East|South|West)(?=[\\;]|$)")
_COLUMN_NAME = re.compile(r"[+-]?(\w+)")


@dataclass(frozen=True, slots=True)
class Turn:
    """New seats for the four players; `seats` are the new seats of North, East, South and West.

    >>> turn = Turn.of(1)
    >>> turn.text("South leads, so N/S make 4S by S"), turn.is_rotation
    ('West leads, so E/W make 4S by W', True)
    """

    seats: tuple[Seat, ...]

    @classmethod
    def of(cls, places: SupportsIndex = 0, seats: str | None = None) -> Turn:
        """Return the turn by a number of places clockwise, or the turn to given seats.

        `seats` are the new seats of North, East, South and West, such as `SWNE`. Raises `PavError`
        unless they are the four seats and partners stay partners, or if both are given.
        """
        steps = index(places)
        if seats is None:
            return cls(tuple(Seat((seat + steps) % _SEATS) for seat in Seat))
        check_text("new seats", seats)
        letters = seats.upper()
        if steps:
            raise PavError("a board is turned by places or to seats, not both")
        if Counter(letters) != Counter(SEAT_LETTERS):
            raise PavError(f"new seats are the four letters, such as SWNE, not {seats!r}")
        found = tuple(map(Seat.parse, letters))
        if found[0].partner != found[2]:
            raise PavError(f"in {seats!r} partners are not opposite each other; such as SWNE")
        return cls(found)

    @property
    def is_identity(self) -> bool:
        """Whether all players stay."""
        return self.seats == tuple(Seat)

    @property
    def is_rotation(self) -> bool:
        """Whether the players keep their order round the table."""
        return self.seats[1] == self.seats[0].next

    @property
    def swaps_sides(self) -> bool:
        """Whether North and South become East and West."""
        return self.seats[Seat.NORTH] in (Seat.EAST, Seat.WEST)

    def letters(self, text: str) -> str:
        """Return a text with each letter of a seat changed."""
        return text.translate({ord(seat.letter): self.seats[seat].letter for seat in Seat})

    def word(self, text: str) -> str:
        """Return the new name of a seat, in the case of the old name."""
        name = _WORDS[self.seats[Seat.parse(text)]]
        return name.upper() if text.isupper() else name.lower() if text.islower() else name

    def side(self, text: str) -> str:
        """Return a text such as `NS` or `N-S` with the letters of the new side."""
        if not self.swaps_sides:
            return text
        return "".join(
            _OTHER_SIDE.get(sign, _OTHER_SIDE.get(sign.upper(), sign).lower()) for sign in text
        )

    def sides(self, text: str) -> str:
        """Return a score such as `NS 9 EW 4` with the new sides."""
        return _SIDES.sub(lambda found: self.side(found[0]), text)

    def sides_and_seats(self, text: str) -> str:
        """Return contracts such as `NS 2N=; E 3N+1` with the new sides and seats."""
        return _SIDES_AND_SEATS.sub(
            lambda found: self.side(found[0]) if len(found[0]) > 1 else self.letters(found[0]), text
        )

    def text(self, text: str) -> str:
        """Return a text in English with the new names of seats and sides, by the rules above.

        >>> Turn.of(2).text("North and South play; Southend, S and the north hand stay")
        'North and South play; Southend, S and the south hand stay'
        """
        return _TEXT.sub(self._found, text)

    def _found(self, found: re.Match[str]) -> str:
        """Return the new text of a name in a text."""
        if found["words"]:
            return self._pair(found)
        if found["word"]:
            return self.word(found["word"])
        if found["side"]:
            return self.side(found["side"])
        if found["play"]:
            moved = _SEAT_BEFORE_COLON.sub(lambda seat: self.letters(seat[0]), found["play"])
            return str(moved)
        head = found["by"] or found["directive"]
        return head + self.letters(found["seat"] or found["seats"])

    def _pair(self, found: re.Match[str]) -> str:
        """Return the new text of two names; two partners are a side and keep the usual order."""
        one, two = found["one"], found["two"]
        if Seat.parse(one).partner != Seat.parse(two):
            return self.word(one) + found["between"] + self.word(two)
        if not self.swaps_sides:
            return found[0]
        other = Turn(tuple(map(Seat.parse, _OTHER_SIDE.values())))
        return other.word(one) + found["between"] + other.word(two)

    def lines(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Return the lines after a tag, with changed comments; other lines stay."""
        return self._changed(lines, lambda row: row)

    def table(self, columns: str, lines: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return the columns and the rows of a table: seats of declarers, and `_NS` in columns."""
        names = [_COLUMN_NAME.match(name) for name in columns.split(";")]
        known = [found[1] if found else "" for found in names]
        if "Declarer" in known:
            place = known.index("Declarer")
            lines = self._changed(lines, lambda row: self._row(row, place))
            lines = _in_order_of(lines, self._inverse(), place)
        else:
            lines = self.lines(lines)
        return _COLUMN.sub(self._column, columns), tuple(lines)

    def _column(self, found: re.Match[str]) -> str:
        """Return the new end of the name of a column."""
        name = found[2]
        return "_" + (self.word(name) if name in _WORDS else self.side(name))

    def _row(self, row: str, place: int) -> str:
        """Return a row with another seat in its column of declarers."""
        words = list(_TABLE_WORD.finditer(row))
        if len(words) <= place:
            return row
        start, end = words[place].span()
        if row[start:end] not in tuple(SEAT_LETTERS):
            return row
        return row[:start] + self.letters(row[start:end]) + row[end:]

    def _inverse(self) -> Turn:
        """Return the turn back."""
        return Turn(tuple(Seat(self.seats.index(seat)) for seat in Seat))

    def _changed(self, lines: Sequence[str], change_row: Callable[[str], str]) -> tuple[str, ...]:
        """Return lines with changed comments, and with rows changed by a function."""
        if not lines:
            return ()
        text, parts, end = "\n".join(lines), [], 0
        for remark in _REMARK.finditer(text):
            parts.append(_each_line(text[end : remark.start()], change_row))
            parts.append(remark[0] if remark[0].startswith("%") else self.text(remark[0]))
            end = remark.end()
        parts.append(_each_line(text[end:], change_row))
        return tuple("".join(parts).split("\n"))


def _each_line(text: str, change: Callable[[str], str]) -> str:
    return "\n".join(map(change, text.split("\n")))


def _in_order_of(lines: Sequence[str], back: Turn, place: int) -> Sequence[str]:
    """Return changed rows in the order of declarers before the change, if the rows allow it.

    They allow it if each row has other words before its last one, as in a table of tricks.
    """
    keys = [tuple(line.split()[:-1]) for line in lines]
    if any(len(key) <= place for key in keys) or len(set(keys)) < len(keys):
        return lines
    before = [(*key[:place], back.letters(key[place]), *key[place + 1 :]) for key in keys]
    if set(before) != set(keys):
        return lines
    rows = dict(zip(keys, lines, strict=True))
    return [rows[key] for key in before]


def comments_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the comments among the lines after a tag."""
    found = _REMARK.findall("\n".join(lines))
    return tuple(line for remark in found for line in remark.split("\n"))
