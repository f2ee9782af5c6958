"""Rules that compute a tag from the board number, the cards or the tag before it.

A rule computes a tag from a parameter and from the known tags and cards of the board. The encoder
stores a tag as a rule only if the rule returns exactly this tag, and as text otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pavcodec.archive.tags.text_columns import RULE, encode_text, itself
from pavcodec.boards.batch import owners_of
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.tricks import (
    RESULT_TABLE,
    RESULT_TABLE_COLUMNS,
    TRICK_DIGITS,
    format_result_table,
    parse_result_table,
    parse_trick_digits,
)
from pavcodec.boards.vulnerability import Vulnerability, dealer_of_board
from pavcodec.cards import Seat, Strain
from pavcodec.errors import PavError
from pavcodec.layout import Layout
from pavcodec.numberings import numbering, numbering_names

__all__ = ["FACTS", "PLAIN", "RULES", "TagPredictor", "find_item", "identities", "is_rule"]

_NUMBER = re.compile("0|[1-9][0-9]{0,17}")
_NUMBER_ITEM = re.compile(b"0|[1-9][0-9]{0,17}")
_EMPTY_HAND = re.compile(r"(?<=[: ])-(?= |$)")


@dataclass(frozen=True, slots=True)
class TagPredictor:
    """The rule for the tags of one name.

    `propose` returns the parameters to try for a tag. `make` returns the tag of a parameter, or
    None if the parameter is invalid; its arguments are the parameter, the known part of the board,
    and the previous value in the column, at first `start`. `before` is the item before the first
    one, and `after` returns the item that a repeat after an item repeats.
    """

    propose: Callable[[Tag], Iterable[bytes]]
    make: Callable[[bytes, Board, str], Tag | None]
    before: bytes = RULE
    after: Callable[[bytes], bytes] = itself
    start: str = ""


PLAIN = TagPredictor(lambda _tag: (), lambda _parameter, _board, _previous: None, b"?")
"""The rule for all other tags: they only repeat, at first PBN's `?`."""


def find_item(
    rule: TagPredictor, tag: Tag, board: Board, previous: str, made: bytes | None = None
) -> bytes | None:
    r"""Return the item of the first parameter that yields the tag; None if there is none.

    `made` is a parameter that is known to yield it.

    >>> find_item(RULES["Board"], Tag("Board", "8"), Board(None), "7")
    b'\xfc1'
    >>> find_item(RULES["Board"], Tag("Board", "7-1"), Board(None), "7")
    """
    for parameter in rule.propose(tag):
        if parameter == made or rule.make(parameter, board, previous) == tag:
            return RULE + parameter
    return None


def is_rule(item: bytes) -> bool:
    """Return whether an item is a rule, not a text."""
    return item.startswith(RULE)


_STEPS: Mapping[bytes, int] = MappingProxyType({b"1": 1, b"0": 0})


def _count_on(parameter: bytes, _board: Board, previous: str) -> Tag | None:
    """Return the previous board number plus the step of the parameter, 0 or 1."""
    step = _STEPS.get(parameter)
    if step is None or not _NUMBER.fullmatch(previous):
        return None
    return Tag("Board", str(int(previous) + step))


def _after_number(item: bytes) -> bytes:
    """Return the item that a repeat after a board number repeats: "the next number"."""
    return RULE + b"1" if _NUMBER_ITEM.fullmatch(item) else item


_CYCLE = 16
"""The period of dealer and vulnerability in board numbers."""


def _follow_cycle(cycle: tuple[Tag, ...]) -> Callable[[bytes, Board, str], Tag | None]:
    """Return a function that selects the tag of a cycle by the board number."""

    def make(parameter: bytes, board: Board, _previous: str) -> Tag | None:
        number = board.number
        return None if parameter or number is None else cycle[(number - 1) % _CYCLE]

    return make


_DEALERS = tuple(Tag("Dealer", dealer_of_board(place + 1).letter) for place in range(_CYCLE))
_VULNERABILITIES = tuple(
    Tag("Vulnerable", Vulnerability.of_board(place + 1).value) for place in range(_CYCLE)
)


_FIRST_SEATS: Mapping[bytes, Seat | None] = MappingProxyType(
    {b"": None} | {seat.letter.encode(): seat for seat in Seat}
)


def _propose_first_seats(tag: Tag) -> Iterable[bytes]:
    """Propose the dealer, and the first seat of a deal text, in both spellings."""
    letter = encode_text(tag.value[:1])
    return (b"", letter, letter.lower()) if letter and letter in _FIRST_SEATS else ()


def _spell_cards(parameter: bytes, board: Board, _previous: str) -> Tag | None:
    """Return the deal text from the dealer or a seat on; a small letter writes `-` as `...`."""
    letter = parameter.upper()
    if board.layout is None or letter not in _FIRST_SEATS:
        return None
    first = _FIRST_SEATS[letter]
    text = board.layout.to_pbn(first=(board.dealer or Seat.NORTH) if first is None else first)
    return Tag("Deal", _EMPTY_HAND.sub("...", text) if parameter.islower() else text)


_NUMBERINGS: Mapping[bytes, str] = MappingProxyType(
    {name.encode(): name for name in numbering_names()}
)


def _propose_numbering(tag: Tag) -> Iterable[bytes]:
    """Propose the numbering that an identity names."""
    return (encode_text(tag.value.partition(":")[0]),)


def _identify(parameter: bytes, board: Board, _previous: str) -> Tag | None:
    """Return the identity of the cards in a numbering: its name and their number."""
    name = _NUMBERINGS.get(parameter)
    if board.layout is None or name is None:
        return None
    try:
        return Tag("DealId", f"{name}:{numbering(name).rank(board.layout)}")
    except PavError:
        return None


def identities(parameter: bytes, layouts: Sequence[Layout | None]) -> list[Tag] | None:
    """Return the tags of the rule DealId for many layouts; None if that needs single steps.

    >>> [tag.value for tag in identities(b"deal", [numbering("deal")[7]])]
    ['deal:7']
    """
    name = _NUMBERINGS.get(parameter)
    if name is None or None in layouts:
        return None
    try:
        numbers = numbering(name).rank_many(owners_of(each for each in layouts if each))
    except PavError:
        return None
    return [Tag("DealId", f"{name}:{high << 64 | low}") for high, low in numbers.tolist()]


def _propose_tricks(tag: Tag) -> Iterable[bytes]:
    """Propose the tag DoubleDummyTricks of the board, and digits for the tricks of this table."""
    try:
        table = parse_result_table(tag.value, tag.lines)
    except PavError:
        return ()
    digits = "".join(f"{table[seat, strain]:x}" for seat in _DECLARERS for strain in Strain)
    return b"", digits.encode()


def _tabulate(parameter: bytes, board: Board, _previous: str) -> Tag | None:
    """Return the table of double-dummy tricks, in the form that most programs write."""
    digits = parameter.decode("ascii", "replace") or board.tags.get(TRICK_DIGITS, "")
    try:
        table = parse_trick_digits(digits)
    except PavError:
        return None
    return Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_result_table(table))


_DECLARERS = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)

RULES: Mapping[str, TagPredictor] = MappingProxyType(
    {
        "Board": TagPredictor(lambda _tag: _STEPS, _count_on, RULE + b"1", _after_number, "0"),
        "Dealer": TagPredictor(lambda _tag: (b"",), _follow_cycle(_DEALERS)),
        "Vulnerable": TagPredictor(lambda _tag: (b"",), _follow_cycle(_VULNERABILITIES)),
        "Deal": TagPredictor(_propose_first_seats, _spell_cards),
        "DealId": TagPredictor(_propose_numbering, _identify, RULE + b"deal"),
        RESULT_TABLE: TagPredictor(_propose_tricks, _tabulate),
    }
)
"""The rules by the names of their tags."""

FACTS = ("Board", "Dealer", TRICK_DIGITS)
"""The tags that rules use, in the order in which they are computed."""
