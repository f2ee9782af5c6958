"""The columns of a Parquet file of boards, their meanings, and the values of a board.

The cards are there twice: as four hands, which hold any layout, and as the number of the deal,
which is short and easy to compare. The other columns follow from these and from the tags. They are
for queries; the reader checks them in files of pavcodec.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from pavcodec.boards.board import SOURCE, Board, Tag
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.cards import Seat, Suit
from pavcodec.errors import ReadError, UnknownNameError, hint
from pavcodec.formats.format import TRICKS as TAGS_OF_TRICKS
from pavcodec.layout.hand import COUNTED

METADATA_KEY = b"pavcodec"
"""The key of the description, as JSON, in the metadata of a file."""

_KIND = "boards"
_VERSION = 1
_SOLVED_VERSION = 2
"""The version of files with a column of tricks."""

NUMBER_BYTES = 12

HANDS = tuple(seat.name.lower() for seat in Seat)
"""The columns of the hands."""

_SUITS = tuple(suit.name.lower() for suit in Suit)


@dataclass(frozen=True)
class Column:
    """A column: its name, its type as pyarrow writes it, and its meaning with its unit."""

    name: str
    type: str
    meaning: str


_MEANINGS = {
    "hcp": "high-card points of {}: ace 4, king 3, queen 2, jack 1",
    "controls": "controls of {}: ace 2, king 1",
    "losers": "losing tricks of {}: in each suit the missing of ace, king and queen, at most its "
    "length",
}
_OF_A_HAND = (
    *((name, "int8", _MEANINGS[name]) for name in COUNTED),
    *((suit, "int8", f"how many {suit} {{}} holds") for suit in _SUITS),
    (
        "shape",
        "string",
        "the lengths of spades, hearts, diamonds and clubs: `5422`, or `10-2-1-0`",
    ),
    ("pattern", "string", "the same, longest first"),
)

QUANTITIES = tuple(name for name, *_ in _OF_A_HAND)
"""The quantities of each hand."""


def column_of(hand: str, quantity: str) -> str:
    """Return the name of the column of a quantity of a hand.

    >>> column_of("north", "hcp")
    'north_hcp'
    """
    return f"{hand}_{quantity}"


DERIVED = tuple(column_of(hand, quantity) for hand in HANDS for quantity in QUANTITIES)
"""The columns that follow from the hands."""

COLUMNS = (
    Column(
        "number",
        f"fixed_size_binary[{NUMBER_BYTES}]",
        "the number in the numbering `deal`, big-endian, so that bytes sort as numbers do; null "
        "where the cards are no whole deal",
    ),
    Column("board", "int64", "the board number by the tag Board; null where that is no number"),
    Column(
        "dealer",
        "string",
        "`N`, `E`, `S` or `W`, by the tag Dealer, else by the board number; null if unknown",
    ),
    Column(
        "vulnerable",
        "string",
        "`None`, `NS`, `EW` or `All`, by the tag Vulnerable, else by the board number; null if "
        "unknown",
    ),
    *(
        Column(
            hand,
            "string",
            f"the cards of {hand.title()} as in PBN, S.H.D.C: `AQT85.Q862..AQJ2`, `-` for none; "
            "null for a board without cards",
        )
        for hand in HANDS
    ),
    *(
        Column(column_of(hand, name), type_, meaning.format(hand.title()))
        for hand in HANDS
        for name, type_, meaning in _OF_A_HAND
    ),
    Column(
        "tags",
        "list<struct<name: string, value: string, lines: list<string>>>",
        "every tag in order, with the lines that follow it: sections and comments",
    ),
)
"""The columns in their order."""

TRICKS = "double_dummy_tricks"
"""The column of files whose first board has double-dummy tricks, after the others."""

SOURCE_FILE = "source_file"
"""The column of files whose first board has the tag SourceFile, after the others."""

ALL_COLUMNS = (
    *COLUMNS,
    Column(
        TRICKS,
        "list<uint8>",
        "the tricks of 20 contracts, 0 to 13: strains NT S H D C, and in each the declarers N E S "
        "W; null elements are not solved; null without any. A table of tricks that is the last tag "
        "and the only one of tricks is here and not in the tags",
    ),
    Column(
        SOURCE_FILE,
        "string",
        "the file that the board came from, by the tag SourceFile; null without one",
    ),
)
"""The columns, and those that only some files have."""


def description(names: Collection[str]) -> bytes:
    """Return the metadata of a file: its kind and version, and the meanings of its columns."""
    columns = {column.name: column.meaning for column in ALL_COLUMNS if column.name in names}
    version = _SOLVED_VERSION if TRICKS in names else _VERSION
    metadata = {"format": _KIND, "version": version, "numbering": "deal", "columns": columns}
    return json.dumps(metadata, ensure_ascii=False).encode()


def check_description(data: bytes) -> None:
    """Raise `ReadError` if the metadata describe another kind or version of file."""
    try:
        metadata = json.loads(data)
        kind, version = metadata["format"], metadata["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ReadError("the description in the metadata, under 'pavcodec', is damaged") from None
    if kind != _KIND or version not in (_VERSION, _SOLVED_VERSION):
        raise ReadError(
            f"the metadata say {kind!r} of version {version!r}; this pavcodec reads {_KIND!r} "
            f"of the versions {_VERSION} and {_SOLVED_VERSION}"
        )


def shape_text(lengths: tuple[int, ...]) -> str:
    """Return lengths as people write them, separated if one has two digits.

    >>> shape_text((5, 4, 2, 2)), shape_text((10, 2, 1, 0))
    ('5422', '10-2-1-0')
    """
    return ("" if max(lengths) < 10 else "-").join(map(str, lengths))


def pattern_text(lengths: tuple[int, ...]) -> str:
    """Return lengths as people write them, longest first.

    >>> pattern_text((2, 4, 2, 5))
    '5422'
    """
    return shape_text(tuple(sorted(lengths, reverse=True)))


def has_tricks(entries: Iterable[Tag | None]) -> bool:
    """Return whether any tag is of double-dummy tricks."""
    return any(tag is not None and tag.name in TRICK_TAGS for tag in entries)


# Forms of `parquet`: files with only some of the columns, for large collections.
#
# The name of a form has words after a colon: `parquet:number,south_hcp`. A word is the name of a
# column, or of a quantity of all four hands, such as `hcp`; `hands` are the cards of all four.
#
# Rule 1: a form has the cards: the column `number`, or the four hands. With only the number it
# holds whole deals, since other layouts have no number. Rule 2: the columns of a form have the
# values and the order of those in a whole file.


ALL_NAMES = tuple(column.name for column in ALL_COLUMNS)
"""The names of all columns, in their order."""

OF_TAGS: dict[str, tuple[str, Callable[[Board], Any]]] = {
    "board": ("Board", lambda board: board.number),
    "dealer": ("Dealer", lambda board: getattr(board.dealer, "letter", None)),
    "vulnerable": ("Vulnerable", lambda board: getattr(board.vulnerable, "value", None)),
    SOURCE_FILE: (SOURCE, lambda board: board.tags.get(SOURCE)),
}
"""The columns that have the value of a tag: its name, and the value of a board."""

_GROUPS = {"hands": HANDS} | {
    quantity: tuple(column_of(hand, quantity) for hand in HANDS) for quantity in QUANTITIES
}
"""The words that name a column of each hand."""


def whole_columns(first: Board | None) -> tuple[str, ...]:
    """Return the columns of a whole file by its first board."""
    more = []
    if first is not None:
        more = [TRICKS] * (first.tricks is not None) + [SOURCE_FILE] * (SOURCE in first.tags)
    return (*ALL_NAMES[: len(COLUMNS)], *more)


def columns_of_form(name: str) -> tuple[str, ...]:
    """Return the names of the columns of a form, in their order.

    Raises `UnknownNameError` for an unknown word, and for a form without the cards.

    >>> columns_of_form("parquet:south_hcp,number")
    ('number', 'south_hcp')
    >>> columns_of_form("parquet:hands")
    ('north', 'east', 'south', 'west')
    """
    chosen: set[str] = set()
    for word in name.partition(":")[2].split(","):
        if word not in _GROUPS and word not in ALL_NAMES:
            near = hint(word, [*_GROUPS, *ALL_NAMES])
            raise UnknownNameError(
                f"no column of parquet is called {word!r}{near or ':'} name columns with commas, "
                "such as number,south_hcp, or words for all hands, such as hands,hcp"
            )
        chosen.update(_GROUPS.get(word, (word,)))
    if "number" not in chosen and not has_hands(chosen):
        raise UnknownNameError(f"{name!r} has no cards: name the column number, or hands")
    return tuple(column for column in ALL_NAMES if column in chosen)


def name_of_form(columns: tuple[str, ...]) -> str:
    """Return the shortest name of a form.

    >>> name_of_form(columns_of_form("parquet:hands,north_hcp,number,tags"))
    'parquet:number,hands,north_hcp,tags'
    """
    words = [word for word, group in _GROUPS.items() if set(group) <= set(columns)]
    grouped = {column for word in words for column in _GROUPS[word]}
    first = [column for column in columns if column in ("number", *OF_TAGS)]
    rest = [column for column in columns if column not in {*first, *grouped}]
    return f"parquet:{','.join((*first, *words, *rest))}"


def has_hands(columns: Collection[str]) -> bool:
    """Return whether the columns have the four hands, which hold any layout."""
    return set(HANDS) <= set(columns)


def kept_tags(columns: tuple[str, ...]) -> frozenset[str]:
    """Return the tags that columns keep, if they have not all tags.

    >>> sorted(kept_tags(("number", "board", "dealer")))
    ['Board', 'Dealer']
    """
    tags = frozenset(tag for column, (tag, _) in OF_TAGS.items() if column in columns)
    return tags | (TAGS_OF_TRICKS if TRICKS in columns else frozenset())


def what_is_kept(columns: tuple[str, ...]) -> str:
    """Return what a form keeps of a board, for messages.

    >>> what_is_kept(("number", "board"))
    'cards of whole deals; board'
    """
    cards = "cards" if has_hands(columns) else "cards of whole deals"
    if "tags" in columns:
        return f"{cards}; every tag, section and comment"
    others = [column for column in (*OF_TAGS, TRICKS) if column in columns]
    return "; ".join([cards, *([", ".join(others).replace("_", " ")] if others else [])])
