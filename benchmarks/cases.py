"""Constraints that are measured: those of the table of constrained dealers, and larger ones."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CASES", "Case"]

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
