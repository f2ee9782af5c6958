"""Constraints that are measured: those of the table of constrained dealers, and larger ones."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CASES", "LARGE_CASES", "Case"]

BALANCED = "any 4333 + any 4432 + any 5332"


@dataclass(frozen=True)
class Case:
    """A condition, what is expected of it, and how many deals to draw."""

    where: str
    cardinality: int
    draws: int = 500_000
    is_slow: bool = False


CASES = {
    "A none": Case("1", 53644737765488792839237440000),
    "B South balanced 15-17": Case(
        f"shape(south, {BALANCED}) && hcp(south) >= 15 && hcp(south) <= 17",
        2610137721058114653884217600,
    ),
    "C West 9 spades": Case("spades(west) == 9", 4968111751882804000476000),
    "D C and East 6-6 minors": Case(
        "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6", 5793043221084319200000
    ),
    "E North balanced 28-30, South 5+ major": Case(
        f"shape(north, {BALANCED}) && hcp(north) >= 28 && hcp(north) <= 30"
        " && (spades(south) >= 5 || hearts(south) >= 5)",
        338295781978660393372800,
    ),
    "F East 5-3-3-2 with 34 HCP": Case(
        "shape(east, any 5332) && hcp(east) == 34", 63865442143086998400
    ),
    "G North 2 HCP, South 0-1": Case(
        "hcp(north) == 2 && hcp(south) <= 1", 1278148448607631735680000
    ),
    "62 million cases": Case(
        "shape(north, any 4333) && hcp(north) >= 10 && hcp(north) <= 12"
        " && shape(south, any 4441 + any 5440) && hcp(south) >= 11 && hcp(south) <= 15",
        1_975_438_668_829_181_472 * 10_400_600,
    ),
    "H all four hands": Case(
        "shape(north, any 4441) && hcp(north) >= 11 && hcp(north) <= 15"
        f" && shape(south, {BALANCED}) && hcp(south) >= 10 && hcp(south) <= 12"
        " && hearts(east) >= 6 && hcp(east) >= 5 && hcp(east) <= 10 && hcp(west) <= 7",
        604399695908326950971304,
        is_slow=True,
    ),
    "all four hands, looser": Case(
        f"shape(north, {BALANCED}) && hcp(north) >= 15 && hcp(north) <= 17 && hcp(east) <= 11"
        " && (spades(south) >= 4 || hearts(south) >= 4) && hcp(south) >= 8 && hcp(south) <= 12"
        " && hcp(west) <= 13",
        727836683384089951309954512,
        is_slow=True,
    ),
}
"""The cases of the table of constrained dealers, the article's, and a looser one of four hands."""


def _quiet(seat: str, most: int) -> str:
    """Return a hand that will pass: no suit to bid, few points, or balanced and some more."""
    suits = " && ".join(
        f"top3({seat}, {suit}) <= 1" for suit in ("spades", "hearts", "diamonds", "clubs")
    )
    return (
        f"(shape({seat}, xxxx - any 6xxx - any 7xxx - any 8xxx - any 55xx) && {suits}"
        f" && hcp({seat}) <= 7 || shape({seat}, any 4333 + any 4432) && hcp({seat}) <= {most})"
    )


_NO_NOTRUMP = f"!(shape(north, {BALANCED}) && hcp(north) >= 15 && hcp(north) <= 17)"
_FIT = (
    "(spades(north) >= 5 && spades(south) >= 4 && spades(west) == 0"
    " || hearts(north) >= 5 && hearts(south) >= 4 && hearts(west) == 0)"
)
_LONG = " || ".join(
    f"{suit}(west) >= 7 && top5(west, {suit}) >= 4 && {suit}(west) + {suit}(east) >= 9"
    for suit in ("clubs", "diamonds", "hearts", "spades")
)
_POINTS = "(hcp(south) + (spades(south) >= 5) + (hearts(south) >= 5) - (clubs(south) == 2))"
_WEAK = " || ".join(
    f"shape(south, {shape} - any 4xxx) && (top3(south, {suit}) >= 2 || top5(south, {suit}) >= 3)"
    for shape, suit in (("6xxx", "spades"), ("x6xx", "hearts"))
)

LARGE_CASES = {
    "H all four hands": CASES["H all four hands"],
    "all four hands, looser": CASES["all four hands, looser"],
    "slam bidding that a void disturbs": Case(
        f"{_FIT} && {_NO_NOTRUMP} && hcp(north) >= 12 && hcp(south) >= 13"
        f" && hcp(north) + hcp(south) >= 28 && ({_LONG}) && hcp(west) <= 11",
        68285272785323730871176,
    ),
    "1NT and a two-suiter, levelled by cards": Case(
        f"shape(south, {BALANCED} + 2452 + 2245) && {_POINTS} >= 15 && {_POINTS} <= 17"
        " && shape(north, 5xxx + x5xx) && (clubs(north) >= 6 || diamonds(north) >= 6)"
        f" && ({_POINTS} == 15 && !(hascard(west, 3C) || hascard(east, 3D))"
        f" || {_POINTS} == 16 && !hascard(west, 2C)"
        f" || {_POINTS} == 17 && !(hascard(west, 2C) && hascard(east, 2D)))",
        7462448233610177580747408,
    ),
    "a weak two, a strong hand, quiet opponents": Case(
        f"({_WEAK}) && hcp(south) >= 5 && hcp(south) <= 9 && hcp(north) >= 15 && hcp(north) <= 19"
        f" && spades(north) + hearts(north) <= 7 && {_quiet('east', 10)} && {_quiet('west', 10)}",
        6273479425110208604075104,
    ),
    "a passed hand with a fit, quiet opponents": Case(
        "(spades(north) >= 5 && hearts(north) <= 4 && spades(south) >= 3"
        " || hearts(north) >= 5 && spades(north) <= 4 && hearts(south) >= 3)"
        f" && {_NO_NOTRUMP} && hcp(north) >= 12 && hcp(north) <= 19"
        " && shape(north, any 6xxx + any 5xxx - any 65xx - any 55xx)"
        " && shape(south, xxxx - 5xxx - x5xx - any 6xxx - any 7xxx - any 8xxx - any 55xx)"
        " && hcp(south) >= 10 && hcp(south) <= 11 && controls(south) <= 4"
        f" && {_quiet('east', 11)} && {_quiet('west', 11)}",
        35411672467356344785038672,
    ),
}
"""Conditions of all four hands: those of a study, and some as practice sets have them."""
