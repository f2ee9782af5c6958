"""The catalogue of all numberings by name, composed of rankings.

Card orders, seat orders and the two constants of the scrambled editions are part of the numberings
and must never change. The documentation has a page with the source of each numbering.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal, overload

from pavcodec.cards import DECK_SIZE, FOUR_HANDS, HAND_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.errors import suggest
from pavcodec.layout import Deal, Layout
from pavcodec.layout.layout import check_layout
from pavcodec.numberings.rankings import (
    Affine,
    EqualHands,
    HandByHand,
    OwnerDigits,
    Reordered,
    mirrored,
)
from pavcodec.numberings.space import Numbering
from pavcodec.walk import FixedSizes, LimitedSizes, Ranking

_SUIT_MAJOR = tuple(range(DECK_SIZE))
_RANK_MAJOR = tuple(
    suit * SUIT_SIZE + rank for rank in range(SUIT_SIZE) for suit in range(len(Suit))
)
_WEST_FIRST = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)

SCRAMBLE_FACTOR = 13109994191499930367061460371
SCRAMBLE_SHIFT = 34563463456363563565356345634
"""The multiplier and the addend of the scrambled editions of the Impossible Bridge Book."""


def _deals(name: str, summary: str, ranking: Ranking) -> Numbering[Deal]:
    return Numbering(name, summary, ranking, "deals of 13 cards in each hand", "deal12", Deal)


def _deal() -> Numbering:
    ranking = FixedSizes(FOUR_HANDS)
    return _deals("deal", "all deals, dictionary order of owners, SA to C2, N E S W", ranking)


def _balanced() -> Numbering:
    return Numbering(
        "balanced",
        "endings of equal hands, 13 cards down to 1; numbers below D are the deals",
        EqualHands(DECK_SIZE, len(Seat), HAND_SIZE),
        "endings with the same number of cards, 1 to 13, in each hand",
        "balanced14",
    )


def _ending() -> Numbering:
    return Numbering(
        "ending",
        "all endings with at most 13 cards a hand, dictionary order, unused last",
        LimitedSizes(DECK_SIZE, FOUR_HANDS),
        "endings with at most 13 cards in each hand",
        "ending15",
    )


def _base5() -> Numbering:
    return Numbering(
        "base5",
        "any placing of the cards, one base-5 digit a card, SA least significant",
        OwnerDigits(DECK_SIZE, UNUSED + 1),
        "every placing of the cards",
        "base5-16",
    )


def _andrews() -> Numbering:
    ranking = mirrored(HandByHand(FOUR_HANDS), len(Seat))
    return _deals("andrews", "all deals, colex rank of each hand, N E S (W the rest)", ranking)


def _bigdeal() -> Numbering:
    ranking = HandByHand(FOUR_HANDS)
    return _deals("bigdeal", "all deals, dictionary rank of each hand, N E S (W the rest)", ranking)


def _deal_ranked() -> Numbering:
    ranking = Reordered(_deal().ranking, _RANK_MAJOR, tuple(Seat))
    return _deals("deal-ranked", "as deal, cards rank by rank: SA HA DA CA SK … C2", ranking)


def _deal_wnes() -> Numbering:
    ranking = Reordered(_deal().ranking, _SUIT_MAJOR, _WEST_FIRST)
    return _deals("deal-wnes", "as deal, seats in the order W N E S", ranking)


def _deal_scrambled() -> Numbering:
    ranking = Affine(_deal().ranking, SCRAMBLE_FACTOR, SCRAMBLE_SHIFT)
    return _deals("deal-scrambled", "as deal, numbers scrambled by an affine map", ranking)


def _andrews_scrambled() -> Numbering:
    ranking = Affine(_andrews().ranking, SCRAMBLE_FACTOR, SCRAMBLE_SHIFT)
    return _deals("andrews-scrambled", "as andrews, numbers scrambled by an affine map", ranking)


def _legal() -> Numbering:
    from pavcodec.numberings.legal import LegalEndings

    return Numbering(
        "legal",
        "endings of equal hands that legal play can reach, in the order of balanced",
        LegalEndings(len(Seat), len(Suit), SUIT_SIZE),
        "endings of 1 to 13 cards in each hand that legal play can reach",
        "legal14",
    )


_CATALOGUE: dict[str, Callable[[], Numbering]] = {
    "deal": _deal,
    "balanced": _balanced,
    "ending": _ending,
    "base5": _base5,
    "andrews": _andrews,
    "bigdeal": _bigdeal,
    "deal-ranked": _deal_ranked,
    "deal-wnes": _deal_wnes,
    "deal-scrambled": _deal_scrambled,
    "andrews-scrambled": _andrews_scrambled,
    "legal": _legal,
}


def _rpdd() -> Numbering:
    from pavcodec.numberings.rpdd import Collected

    return Numbering(
        "rpdd",
        "the 10,485,760 solved deals of Pavlicek's collection, by their index",
        Collected(_deal_wnes().ranking),
        "the deals of Pavlicek's collection",
        "",
        Deal,
    )


_COLLECTIONS: dict[str, Callable[[], Numbering]] = {"rpdd": _rpdd}
"""Numberings of some deals only; most deals have no number in them."""


def _of_classes(name: str, symmetry: str, same: str) -> Numbering:
    from pavcodec.numberings.classes import ClassWalk
    from pavcodec.symmetry import symmetry_of

    return Numbering(
        name,
        f"deals up to {same}, by their canonical deals in the order of deal-ranked",
        ClassWalk(symmetry_of(symmetry), SUIT_SIZE),
        "deals of 13 cards in each hand",
        "",
        Deal,
    )


_CLASSES: dict[str, Callable[[], Numbering]] = {
    "deal-suits": lambda: _of_classes("deal-suits", "suits", "the order of suits"),
    "deal-suits-turns": lambda: _of_classes(
        "deal-suits-turns", "suits,turns", "the order of suits and turns"
    ),
}
"""Numberings of classes of deals: all deals of a class have the number of the canonical deal."""

_ALL = _CATALOGUE | _COLLECTIONS | _CLASSES


DealNumbering = Literal[
    "deal",
    "andrews",
    "bigdeal",
    "deal-ranked",
    "deal-wnes",
    "deal-scrambled",
    "andrews-scrambled",
    "rpdd",
    "deal-suits",
    "deal-suits-turns",
]
"""The names of the numberings whose layouts are deals; a test compares it with the table."""


def numbering_names(*, partial: bool = False, classes: bool = False) -> list[str]:
    """Return the names of the numberings, in the order of the documentation.

    By default, these are the numberings in which every deal has its own number. `partial` adds
    numberings of some deals only. `classes` adds numberings of classes of deals, in which all deals
    of a class have the same number.

    >>> numbering_names()[:4]
    ['deal', 'balanced', 'ending', 'base5']
    >>> numbering_names(partial=True, classes=True)[11:]
    ['rpdd', 'deal-suits', 'deal-suits-turns']
    """
    return [*_CATALOGUE, *(_COLLECTIONS if partial else ()), *(_CLASSES if classes else ())]


@cache
def _made(name: str) -> Numbering:
    return _ALL[name]()


@overload
def numbering(name: DealNumbering, *, one_based: bool = False) -> Numbering[Deal]: ...
@overload
def numbering(name: str, *, one_based: bool = False) -> Numbering: ...
def numbering(name: str, *, one_based: bool = False) -> Numbering:
    """Return the numbering of a name; raise `UnknownNameError` for another name.

    With `one_based`, numbers start at 1 instead of 0, as in Andrews's book.

    >>> numbering("balanced").bits, numbering("balanced").cardinality
    (111, 2058009868335972036308496616883640)
    >>> numbering("andrews", one_based=True).numbers.start
    1
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a numbering is a str, not {type(name).__name__!r}")
    if name not in _ALL:
        raise suggest("numbering", name, list(_ALL))
    made = _made(name)
    return made.one_based() if one_based else made


def ranks_of(space: object) -> Numbering:
    """Return the numbering of the layouts of a space on boards: `deal`, for endings `balanced`.

    >>> ranks_of(numbering("deal-suits")).name, ranks_of(numbering("ending")).name
    ('deal', 'balanced')
    """
    is_of_deals = issubclass(getattr(space, "layout_type", Deal), Deal)
    return numbering("deal" if is_of_deals else "balanced")


def identity(layout: Layout, symmetry: str = "turns") -> str:
    """Return a text that two layouts share if and only if they are equal up to a symmetry.

    It is the number of the canonical layout in hexadecimal: the number in `deal`, with 24 digits,
    for a deal, and the number in `base5`, with 31 digits, for other layouts. So `unrank` of this
    number returns the canonical layout. Raises `UnknownNameError` for an unknown symmetry.

    >>> from pavcodec import Deal
    >>> deal = Deal.from_pbn(
    ...     "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3"
    ... )
    >>> turned = Deal.from_pbn(deal.to_pbn().replace("N:", "E:"))
    >>> identity(deal), identity(turned) == identity(deal)
    ('2b4ae42faacb2e38c2918958', True)
    """
    check_layout(layout)
    canonical, _ = layout.canonical(symmetry)
    if canonical.is_deal:
        return f"{numbering('deal').rank(canonical):024x}"
    return f"{numbering('base5').rank(canonical):031x}"
