"""Hands as LIN and the hand viewer write them: suit letters with ranks, as in SAK4HQDJT5C2.

Ranks come in any order and in either case, a ten is `T` or `10`, and a suit may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pavcodec.cards import HAND_SIZE, RANK_LETTERS, SUIT_LETTERS, UNUSED, Seat
from pavcodec.errors import PavError, TextError
from pavcodec.layout import Layout
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.layout.notation import parse_owners

__all__ = ["format_hands", "layout_of_hands", "parse_suits"]

_RANKS = f"[{RANK_LETTERS}]*+"
_HAND = re.compile("".join(rf"(?:{suit}({_RANKS}))?+" for suit in SUIT_LETTERS))
_LETTERS = re.compile(rf"[{SUIT_LETTERS}]{_RANKS}")
_FULL = tuple(HAND_SIZE if place < 3 else 0 for place in range(4))


class _Descending(dict[str, str]):
    """Ranks of a suit in any order -> the same ranks from the ace down; filled on demand."""

    def __missing__(self, ranks: str) -> str:
        ordered = "".join(sorted(ranks, key=RANK_LETTERS.index))
        if len(ranks) <= len(RANK_LETTERS):
            self[ranks] = ordered
        return ordered


_DESCENDING = _Descending()


def parse_suits(text: str) -> str:
    """Return a hand in PBN's notation; raise `PavError` for a wrong hand.

    >>> parse_suits("s47qh10d2"), parse_suits("")
    ('Q74.T.2.', '...')
    """
    hand = "".join(text.split()).upper().replace("10", "T")
    if found := _HAND.fullmatch(hand):
        spades, hearts, diamonds, clubs = map(_DESCENDING.__getitem__, found.groups(""))
        return f"{spades}.{hearts}.{diamonds}.{clubs}"
    suits = dict.fromkeys(SUIT_LETTERS, "")
    rest = hand
    while found := _LETTERS.match(rest):
        suits[found[0][0]] += found[0][1:]
        rest = rest[found.end() :]
    if rest:
        expected = "a suit S H D C" if rest == hand else f"a suit, or one of {RANK_LETTERS}"
        raise PavError(f"expected {expected} at {rest[:8]!r} in the hand {text[:40]!r}")
    return ".".join(_DESCENDING[ranks] for ranks in suits.values())


def layout_of_hands(hands: Mapping[Seat, str]) -> Layout:
    """Return the layout of hands in PBN's notation; seats without a hand hold no cards.

    If three hands are full and the fourth has no card, it holds the remaining cards. Raises
    `PavError` for wrong hands.
    """
    texts = (hands.get(Seat(seat), "-") for seat in range(4))
    text = f"N:{' '.join(hand if hand != '...' else '-' for hand in texts)}"
    try:
        owners = parse_owners(text)
    except TextError as error:
        raise PavError(error.message) from None
    layout = layout_from_owners(owners)
    if layout.is_deal:
        return layout
    sizes = layout.sizes
    if max(sizes) > HAND_SIZE:
        raise PavError(f"a hand has at most {HAND_SIZE} cards; {describe_sizes(layout)}")
    if sorted(sizes, reverse=True) == list(_FULL):
        return layout_from_owners(owners.replace(bytes([UNUSED]), bytes([sizes.index(0)])))
    return layout


def format_hands(layout: Layout) -> str:
    """Return the hands of S, W, N and E, each with the letters of all suits.

    A hand without cards is empty. Common readers read wrong cards if a letter is missing.

    >>> format_hands(Layout.from_pbn("N:AK.Q.. - .32.4. -"))
    'SH32D4C,,SAKHQDC,'
    """
    hands = layout.to_pbn(first=Seat.SOUTH)[2:].split(" ")
    return ",".join("" if hand == "-" else _with_letters(hand.split(".")) for hand in hands)


def _with_letters(suits: list[str]) -> str:
    return "".join(letter + ranks for letter, ranks in zip(SUIT_LETTERS, suits, strict=True))
