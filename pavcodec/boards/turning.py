"""Boards after the players have changed seats: all facts move with the players.

Rule 1: layout, dealer, vulnerability, names, auction, play, declarer, results, tricks and par are
        those of the same players, in their new seats. Dealer and vulnerability are explicit tags
        afterwards, since they no longer follow the number of the board.
Rule 2: comments and notes change by the rules of `turning_texts`; Event, Site and other texts stay.
Rule 3: if the order round the table changes, as when only North and South swap, nobody can have
        bid or played in turn: auction, play, double-dummy tricks and par are left out.
Rule 4: DealId is the number of the new deal, or is left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from typing import SupportsIndex

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Ranks
from pavcodec.boards.tricks import ABILITY, RESULT_TABLE, TRICK_DIGITS
from pavcodec.boards.turning_texts import Turn, comments_of
from pavcodec.cards import SEAT_LETTERS, UNUSED, Seat
from pavcodec.errors import PavError
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners

__all__ = ["IN_TURN_TAGS", "Turn", "turn", "turn_board", "turn_layout"]

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
    if new.is_identity:
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
    for place, tag in enumerate(entries):
        if player := _PLAYER_TAG.fullmatch(tag.name):
            families["player", player[2]].append(place)
            names[place] = new.word(player[1]) + player[2]
        elif pair := _PAIR_TAG.fullmatch(tag.name):
            families["pair", pair[1]].append(place)
            names[place] = pair[1] + new.side(pair[2])
    moved = list(entries)
    for places in families.values():
        facts: dict[str, deque[Tag]] = defaultdict(deque)
        for place in places:
            facts[names[place]].append(entries[place])
        in_order = [entries[place].name for place in places]
        if Counter(in_order) != Counter(names[place] for place in places):
            in_order = [names[place] for place in places]
        for place, name in zip(places, in_order, strict=True):
            told = facts[name].popleft()
            moved[place] = Tag(name, told.value, told.lines)
    return moved


def _turned(tag: Tag, new: Turn, layout: Layout | None) -> Tag:
    """Return a tag with the new seats and sides in its value and its lines."""
    if tag.name.endswith("Table"):
        return Tag(tag.name, *new.table(tag.value, tag.lines))
    return Tag(tag.name, _value(tag, new, layout), new.lines(tag.lines))


def _value(tag: Tag, new: Turn, layout: Layout | None) -> str:  # noqa: PLR0911 (one for each kind)
    """Return the value of a tag with the new seats and sides."""
    name, value = tag.name, tag.value
    if name in _SEAT_TAGS:
        return new.letters(value) if _SEATS.fullmatch(value) else value
    if name in _SIDE_TAGS or _SCORE_TAG.fullmatch(name):
        return new.sides(value)
    if name == "ParContract":
        return new.sides_and_seats(value)
    if name == "Minimax":
        return _MINIMAX.sub(lambda found: _minimax(found, new), value)
    if name == TRICK_DIGITS:
        return _digits(value, new) if _DIGITS.fullmatch(value) else value
    if name == ABILITY:
        return _ability(value, new)
    if name in _TEXT_TAGS:
        return new.text(value)
    if name == "LinHeader":
        return _RESULT_SEAT.sub(lambda found: new.letters(found[0]), value)
    if name == "DdsFirst" and value in _SEAT_NUMBERS:
        return str(int(new.seats[int(value)]))
    if name == "Deal":
        return _deal_text(value, new, layout)
    return value


def _minimax(found: re.Match[str], new: Turn) -> str:
    """Return a text such as `4HS420`; its score is that of North and South."""
    bid, seat, sign, score = found.groups()
    if new.swaps_sides and int(score):
        sign = "" if sign == "-" else "-"
    return bid + new.letters(seat) + sign + score


def _digits(value: str, new: Turn) -> str:
    """Return the 20 digits of tricks, five for each seat."""
    each = len(value) // len(Seat)
    of_seat = {
        new.seats[seat]: value[each * place : each * (place + 1)]
        for place, seat in enumerate(_DIGITS_ORDER)
    }
    return "".join(of_seat[seat] for seat in _DIGITS_ORDER)


def _ability(value: str, new: Turn) -> str:
    """Return the tricks of hands such as `N:63456 E:7A986`, in the order of the text."""
    hands = {new.letters(found[1]): found[2] for found in _ABILITY_HAND.finditer(value)}
    if set(hands) != set(SEAT_LETTERS):
        return _ABILITY_HAND.sub(lambda found: f"{new.letters(found[1])}:{found[2]}", value)
    return _ABILITY_HAND.sub(lambda found: f"{found[1]}:{hands[found[1]]}", value)


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
    for place, tag in enumerate(entries):
        if tag.name in missing:
            entries[place] = Tag(tag.name, missing.pop(tag.name), tag.lines)
    number = next((place for place, tag in enumerate(entries) if tag.name == "Board"), -1)
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
    found = _DEAL_ID.fullmatch(board.tags.get("DealId", ""))
    if found and numbering is not None and layout is not None and board.layout is not None:
        try:
            ranks = numbering(found[1])
            if found[0] == f"{found[1]}:{ranks.rank(board.layout)}":
                identity = f"{found[1]}:{ranks.rank(layout)}"
        except PavError:
            identity = ""
    if identity:
        return [Tag(t.name, identity, t.lines) if t.name == "DealId" else t for t in entries]
    return [tag for tag in entries if tag.name != "DealId"]
