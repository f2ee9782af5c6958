"""Boards after the players have changed seats: all facts move with the players.

Rule 1: layout, dealer, vulnerability, names, auction, play, declarer, results, tricks and par are
        those of the same players, in their new seats. Dealer and vulnerability are explicit tags
        afterwards, since they no longer follow the number of the board.
Rule 2: comments and notes change by the rules further down; Event, Site and other texts stay.
Rule 3: if the order round the table changes, as when only North and South swap, nobody can have
        bid or played in turn: auction, play, double-dummy tricks and par are left out.
Rule 4: DealId is the number of the new deal, or is left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import SupportsIndex

from pavcodec.boards.board import Board, Ranks, Tag
from pavcodec.boards.tricks import ABILITY, REMARKS, RESULT_TABLE, TRICK_DIGITS
from pavcodec.cards import SEAT_LETTERS, UNUSED, Seat
from pavcodec.errors import PavError, check_text
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners

# Names of seats and sides in texts and tables, after the players have changed seats.
#
# Rule 1: whole English words `North East South West`, in the three forms `North NORTH north`,
# change. Longer words such as `Northern` and `Southend` stay. Rule 2: a pair is a side: `North-
# South`, `North and South`, `N-S`, `N/S`, `NS`, `n/s`. It changes only if its players sit in the
# other two seats, and it stays in the usual order. Rule 3: a single letter changes only where it is
# clearly a seat: `4S by W`, `dealer S`, and the directives `[show NS]`, `[hide E]` and `[PLAY
# W:D9]` of lessons. All others stay, since `S` is also a suit, `E` and `W` initials.


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
            return cls(tuple(Seat((seat + steps) % len(Seat)) for seat in Seat))
        check_text("new seats", seats)
        letters = seats.upper()
        if steps:
            raise PavError("a board is turned by places or to seats, not both")
        if Counter(letters) != Counter(SEAT_LETTERS):
            raise PavError(f"new seats are the four letters, such as SWNE, not {seats!r}")
        new_seats = tuple(map(Seat.parse, letters))
        if new_seats[0].partner != new_seats[2]:
            raise PavError(f"in {seats!r} partners are not opposite each other; such as SWNE")
        return cls(new_seats)

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
        return _SIDES.sub(lambda match: self.side(match[0]), text)

    def sides_and_seats(self, text: str) -> str:
        """Return contracts such as `NS 2N=; E 3N+1` with the new sides and seats."""
        return _SIDES_AND_SEATS.sub(
            lambda match: self.side(match[0]) if len(match[0]) > 1 else self.letters(match[0]), text
        )

    def text(self, text: str) -> str:
        """Return a text in English with the new names of seats and sides, by the rules above.

        >>> Turn.of(2).text("North and South play; Southend, S and the north hand stay")
        'North and South play; Southend, S and the south hand stay'
        """
        return _TEXT.sub(self._renamed, text)

    def _renamed(self, match: re.Match[str]) -> str:
        if match["words"]:
            return self._pair(match)
        if match["word"]:
            return self.word(match["word"])
        if match["side"]:
            return self.side(match["side"])
        if match["play"]:
            return _SEAT_BEFORE_COLON.sub(lambda seat: self.letters(seat[0]), match["play"])
        head = match["by"] or match["directive"]
        return head + self.letters(match["seat"] or match["seats"])

    def _pair(self, match: re.Match[str]) -> str:
        """Return the new text of two names; two partners are a side and keep the usual order."""
        one, two = match["one"], match["two"]
        if Seat.parse(one).partner != Seat.parse(two):
            return self.word(one) + match["between"] + self.word(two)
        if not self.swaps_sides:
            return match[0]
        other = Turn(tuple(map(Seat.parse, _OTHER_SIDE.values())))
        return other.word(one) + match["between"] + other.word(two)

    def lines(
        self, lines: Sequence[str], change_row: Callable[[str], str] = str
    ) -> tuple[str, ...]:
        """Return the lines after a tag, with changed comments, and rows changed by a function."""
        if not lines:
            return ()
        text, parts, end = "\n".join(lines), [], 0
        for remark in REMARKS.finditer(text):
            parts.append(_each_line(text[end : remark.start()], change_row))
            parts.append(remark[0] if remark[0].startswith("%") else self.text(remark[0]))
            end = remark.end()
        parts.append(_each_line(text[end:], change_row))
        return tuple("".join(parts).split("\n"))

    def table(self, columns: str, lines: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return the columns and the rows of a table: seats of declarers, and `_NS` in columns."""
        names = [_COLUMN_NAME.match(name) for name in columns.split(";")]
        known = [match[1] if match else "" for match in names]
        if "Declarer" in known:
            column = known.index("Declarer")
            lines = self.lines(lines, lambda row: self._row(row, column))
            back = Turn(tuple(Seat(self.seats.index(seat)) for seat in Seat))
            lines = _in_order_of(lines, back, column)
        else:
            lines = self.lines(lines)
        return _COLUMN.sub(self._column, columns), tuple(lines)

    def _column(self, match: re.Match[str]) -> str:
        """Return the new end of the name of a column."""
        name = match[2]
        return "_" + (self.word(name) if name in _WORDS else self.side(name))

    def _row(self, row: str, column: int) -> str:
        """Return a row with another seat in its column of declarers."""
        words = list(_TABLE_WORD.finditer(row))
        if len(words) <= column:
            return row
        start, end = words[column].span()
        if row[start:end] not in tuple(SEAT_LETTERS):
            return row
        return row[:start] + self.letters(row[start:end]) + row[end:]


def _each_line(text: str, change: Callable[[str], str]) -> str:
    return "\n".join(map(change, text.split("\n")))


def _in_order_of(lines: Sequence[str], back: Turn, column: int) -> Sequence[str]:
    """Return changed rows in the order of declarers before the change, if the rows allow it.

    They allow it if each row has other words before its last one, as in a table of tricks.
    """
    keys = [tuple(line.split()[:-1]) for line in lines]
    if any(len(key) <= column for key in keys) or len(set(keys)) < len(keys):
        return lines
    before = [(*key[:column], back.letters(key[column]), *key[column + 1 :]) for key in keys]
    if set(before) != set(keys):
        return lines
    rows = dict(zip(keys, lines, strict=True))
    return [rows[key] for key in before]


def comments_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the comments among the lines after a tag."""
    remarks = REMARKS.findall("\n".join(lines))
    return tuple(line for remark in remarks for line in remark.split("\n"))


IN_TURN_TAGS = (
    "Auction", "Play", RESULT_TABLE, TRICK_DIGITS, ABILITY, "OptimumPlayTable", "OptimumScore",
    "ParContract", "Minimax", "LinAuction", "LinPlay",
)  # fmt: skip
"""Tags that are true only while the players keep their order round the table."""
_LEFT_OUT = ("DdsPar", "DdsPar2")
"""Tags that repeat the par of a board in the words of a program."""
_TEXT_TAGS = ("Note", "LinComments")
_SEAT_TAGS = ("Dealer", "Declarer", "Auction", "Play", "Student", "Hidden", "VirtualDealer")
_SIDE_TAGS = ("Vulnerable", "VirtualVulnerable")
_SEATS = re.compile(r"(?:#{0,2}|\^)[NESW]{1,4}")
_PLAYER_TAG = re.compile(r"(North|East|South|West)((?:[A-Z].*)?)")
_PAIR_TAG = re.compile(r"([A-Z][A-Za-z]*)(NS|EW)")
_SCORE_TAG = re.compile(r"Score[A-Za-z]*|Result|OptimumScore")
_MINIMAX = re.compile(r"([1-7][CDHSN]D?)([NESW])([+-]?)([0-9]+)")
_ABILITY_HAND = re.compile(r"([NESW]):(\S+)")
_DIGITS = re.compile(r"[0-9a-dA-D]{20}")
_DIGITS_ORDER = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
_RESULT_SEAT = re.compile(r"(?<=[1-7][CDHSN])[NESW](?=x{0,2}[-=+])")
"""The declarer of a result such as `4HWx-1`, in a header of LIN."""
_SEAT_NUMBERS = ("0", "1", "2", "3")
_DEAL_ID = re.compile(r"([A-Za-z0-9-]+):[0-9]+")


def turn(
    board: Board,
    places: SupportsIndex = 0,
    *,
    seats: str | None = None,
    numbering: Callable[[str], Ranks] | None = None,
) -> Board:
    """Return a board whose players all moved `places` seats clockwise, or to other `seats`.

    `seats` are the new seats of North, East, South and West, such as `SWNE`. With `numbering`, a
    function such as `pavcodec.numbering`, the tag DealId has the number of the new deal; without
    it, the tag is left out. Raises `PavError` for seats where partners are not opposite.

    >>> from pavcodec import numbering
    >>> tags = {"South": "Zia", "Score": "NS 420"}
    >>> board = turn(Board.make(numbering("deal")[0], number=1, tags=tags), 1)
    >>> board.dealer, board.tags["West"], board.tags["Score"], board.layout["E"].shape
    (<Seat.EAST: 1>, 'Zia', 'EW 420', (13, 0, 0, 0))
    """
    if not isinstance(board, Board):
        raise TypeError(f"a Board is turned, not {type(board).__name__!r}")
    return turn_board(board, Turn.of(places, seats), numbering)


def turn_board(board: Board, new: Turn, numbering: Callable[[str], Ranks] | None = None) -> Board:
    """Return a board with its players in the new seats of a `Turn`."""
    if new.seats == tuple(Seat):
        return board
    layout = None if board.layout is None else turn_layout(board.layout, new)
    entries = list(board.entries) if new.is_rotation else _without_turns(board.entries)
    entries = _with_moved_names(entries, new)
    turned = [_turned(tag, new, layout) for tag in entries if tag.name not in _LEFT_OUT]
    turned = _with_dealer(turned, board, new)
    made = Board(layout, tuple(_with_identity(turned, board, layout, numbering)), line=board.line)
    made.is_utf8 = board.is_utf8
    return made


def turn_layout(layout: Layout, new: Turn) -> Layout:
    """Return a layout with the hands in their new seats.

    >>> from pavcodec import numbering
    >>> deal = numbering("deal")[0]
    >>> turn_layout(deal, Turn.of(1))["E"] == deal["N"]
    True
    """
    table = bytes((*new.seats, *range(UNUSED, 256)))
    return layout_from_owners(layout.owners.translate(table))


def _without_turns(entries: Sequence[Tag]) -> list[Tag]:
    """Return tags without those of `IN_TURN_TAGS` and their notes; comments stay."""
    kept: list[Tag] = []
    after_section = False
    for tag in entries:
        after_section = after_section or tag.name in ("Auction", "Play")
        if tag.name in IN_TURN_TAGS or (after_section and tag.name == "Note"):
            comments = comments_of(tag.lines)
            before = kept.pop() if kept else Tag("", "")
            if comments or before.name:
                kept.append(Tag(before.name, before.value, before.lines + comments))
        else:
            kept.append(tag)
    return kept


def _with_moved_names(entries: list[Tag], new: Turn) -> list[Tag]:
    """Return tags with the facts of each player and pair under their new names.

    The names stay in their order where a board has the same names before and after.
    """
    families: dict[tuple[str, str], list[int]] = defaultdict(list)
    names: dict[int, str] = {}
    for position, tag in enumerate(entries):
        if player := _PLAYER_TAG.fullmatch(tag.name):
            families["player", player[2]].append(position)
            names[position] = new.word(player[1]) + player[2]
        elif pair := _PAIR_TAG.fullmatch(tag.name):
            families["pair", pair[1]].append(position)
            names[position] = pair[1] + new.side(pair[2])
    moved = list(entries)
    for family in families.values():
        facts: dict[str, deque[Tag]] = defaultdict(deque)
        for position in family:
            facts[names[position]].append(entries[position])
        in_order = [entries[position].name for position in family]
        if Counter(in_order) != Counter(names[position] for position in family):
            in_order = [names[position] for position in family]
        for position, name in zip(family, in_order, strict=True):
            told = facts[name].popleft()
            moved[position] = Tag(name, told.value, told.lines)
    return moved


def _turned(tag: Tag, new: Turn, layout: Layout | None) -> Tag:
    """Return a tag with the new seats and sides in its value and its lines."""
    if tag.name.endswith("Table"):
        return Tag(tag.name, *new.table(tag.value, tag.lines))
    return Tag(tag.name, _value(tag, new, layout), new.lines(tag.lines))


def _value(tag: Tag, new: Turn, layout: Layout | None) -> str:  # noqa: PLR0911 (one for each kind)
    name, value = tag.name, tag.value
    if name in _SEAT_TAGS:
        return new.letters(value) if _SEATS.fullmatch(value) else value
    if name in _SIDE_TAGS or _SCORE_TAG.fullmatch(name):
        return new.sides(value)
    if name == "ParContract":
        return new.sides_and_seats(value)
    if name == "Minimax":
        return _MINIMAX.sub(lambda match: _minimax(match, new), value)
    if name == TRICK_DIGITS:
        return _digits(value, new) if _DIGITS.fullmatch(value) else value
    if name == ABILITY:
        return _ability(value, new)
    if name in _TEXT_TAGS:
        return new.text(value)
    if name == "LinHeader":
        return _RESULT_SEAT.sub(lambda match: new.letters(match[0]), value)
    if name == "DdsFirst" and value in _SEAT_NUMBERS:
        return str(int(new.seats[int(value)]))
    if name == "Deal":
        return _deal_text(value, new, layout)
    return value


def _minimax(match: re.Match[str], new: Turn) -> str:
    """Return a text such as `4HS420`; its score is that of North and South."""
    bid, seat, sign, score = match.groups()
    if new.swaps_sides and int(score):
        sign = "" if sign == "-" else "-"
    return bid + new.letters(seat) + sign + score


def _digits(value: str, new: Turn) -> str:
    """Return the 20 digits of tricks, five for each seat."""
    width = len(value) // len(Seat)
    of_seat = {
        new.seats[seat]: value[width * position : width * (position + 1)]
        for position, seat in enumerate(_DIGITS_ORDER)
    }
    return "".join(of_seat[seat] for seat in _DIGITS_ORDER)


def _ability(value: str, new: Turn) -> str:
    """Return the tricks of hands such as `N:63456 E:7A986`, in the order of the text."""
    hands = {new.letters(match[1]): match[2] for match in _ABILITY_HAND.finditer(value)}
    if set(hands) != set(SEAT_LETTERS):
        return _ABILITY_HAND.sub(lambda match: f"{new.letters(match[1])}:{match[2]}", value)
    return _ABILITY_HAND.sub(lambda match: f"{match[1]}:{hands[match[1]]}", value)


def _deal_text(value: str, new: Turn, layout: Layout | None) -> str:
    """Return the text of the deal; its hands are clockwise from the seat before the colon."""
    first, colon, hands = value.partition(":")
    if not colon or first.upper() not in tuple(SEAT_LETTERS):
        return value
    if new.is_rotation:
        moved = new.letters(first.upper())
        return (moved if first.isupper() else moved.lower()) + colon + hands
    return value if layout is None else layout.to_pbn(first=new.letters(first.upper()))


def _with_dealer(entries: list[Tag], board: Board, new: Turn) -> list[Tag]:
    """Return tags with dealer and vulnerability where they followed the number of the board."""
    dealer, vulnerable = board.dealer, board.vulnerable
    told = {
        "Dealer": None if dealer is None else new.seats[dealer].letter,
        "Vulnerable": None if vulnerable is None else new.sides(vulnerable.value),
    }
    missing = {
        name: text
        for name, text in told.items()
        if text is not None and not board.tags.get(name, "").strip()
    }
    for position, tag in enumerate(entries):
        if tag.name in missing:
            entries[position] = Tag(tag.name, missing.pop(tag.name), tag.lines)
    number = next((position for position, tag in enumerate(entries) if tag.name == "Board"), -1)
    entries[number + 1 : number + 1] = [Tag(name, text) for name, text in missing.items()]
    return entries


def _with_identity(
    entries: list[Tag],
    board: Board,
    layout: Layout | None,
    numbering: Callable[[str], Ranks] | None,
) -> list[Tag]:
    """Return tags with the DealId of the new deal, or without one."""
    identity = ""
    deal_id = _DEAL_ID.fullmatch(board.tags.get("DealId", ""))
    if deal_id and numbering is not None and layout is not None and board.layout is not None:
        try:
            ranks = numbering(deal_id[1])
            if deal_id[0] == f"{deal_id[1]}:{ranks.rank(board.layout)}":
                identity = f"{deal_id[1]}:{ranks.rank(layout)}"
        except PavError:
            identity = ""
    if identity:
        return [Tag(t.name, identity, t.lines) if t.name == "DealId" else t for t in entries]
    return [tag for tag in entries if tag.name != "DealId"]
