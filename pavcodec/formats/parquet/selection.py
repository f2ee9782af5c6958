"""Forms of `parquet`: files with only some of the columns, for large collections.

The name of a form has words after a colon: `parquet:number,south_hcp`. A word is the name of a
column, or of a quantity of all four hands, such as `hcp`; `hands` are the cards of all four.

Rule 1: a form has the cards: the column `number`, or the four hands. With only the number it holds
        whole deals, since other layouts have no number.
Rule 2: the columns of a form have the values and the order of those in a whole file.
"""

from __future__ import annotations

from collections.abc import Collection

from pavcodec.errors import UnknownNameError, hint
from pavcodec.formats.format import TRICKS as TRICK_TAGS
from pavcodec.formats.parquet.columns import (
    COLUMNS,
    HANDS,
    QUANTITIES,
    SOLVED_COLUMNS,
    TRICKS,
    column_of,
)

__all__ = [
    "ALL_NAMES",
    "TAG_OF_COLUMN",
    "columns_of_form",
    "has_hands",
    "kept_tags",
    "name_of_form",
    "what_is_kept",
    "whole_columns",
]

ALL_NAMES = tuple(column.name for column in SOLVED_COLUMNS)
"""The names of all columns, in their order."""

TAG_OF_COLUMN = {"board": "Board", "dealer": "Dealer", "vulnerable": "Vulnerable"}
"""The columns that have the value of a tag, and its name."""

_WHOLE = tuple(column.name for column in COLUMNS)

_GROUPS = {"hands": HANDS} | {
    quantity: tuple(column_of(hand, quantity) for hand in HANDS) for quantity in QUANTITIES
}
"""The words that name a column of each hand."""


def whole_columns(*, solved: bool) -> tuple[str, ...]:
    """Return the columns of a whole file, with or without that of tricks."""
    return ALL_NAMES if solved else _WHOLE


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
    first = [column for column in columns if column in ("number", *TAG_OF_COLUMN)]
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
    tags = frozenset(tag for column, tag in TAG_OF_COLUMN.items() if column in columns)
    return tags | (TRICK_TAGS if TRICKS in columns else frozenset())


def what_is_kept(columns: tuple[str, ...]) -> str:
    """Return what a form keeps of a board, for messages.

    >>> what_is_kept(("number", "board"))
    'cards of whole deals; board'
    """
    cards = "cards" if has_hands(columns) else "cards of whole deals"
    if "tags" in columns:
        return f"{cards}; every tag, section and comment"
    others = [column for column in (*TAG_OF_COLUMN, TRICKS) if column in columns]
    return "; ".join([cards, *([", ".join(others).replace("_", " ")] if others else [])])
