"""The page of tables shows what closed forms and published counts say."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import comb, prod
from pathlib import Path

import odds_page
import pytest

import pavcodec as pav
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import And, Comparison, HasCard, InShapes, Not, Or
from pavcodec.shapes import SHAPES

HANDS = comb(52, 13)
POINTS = """
2310789600 5006710800 8611542576 15636342960 24419055136 32933031040 41619399184 50979441968
56466608128 59413313872 59723754816 56799933520 50971682080 43906944752 36153374224 28090962724
21024781756 14997082848 10192504020 6579838440 4086538404 2399507844 1333800036 710603628
354993864 167819892 74095248 31157940 11790760 4236588 1396068 388196 109156 22360 4484 624 60 4
"""
"""Hands by high-card points, as published."""


PAGE = Path(odds_page.__file__).parent.parent / "docs" / "odds" / "tables.md"

pytestmark = pytest.mark.slow


@cache
def lines_of(name: str) -> list[str]:
    """The lines of a table of the page, and the command below it."""
    return list(odds_page.TABLES[name].lines())


def rows_of(name: str) -> list[list[str]]:
    """The cells of a table, without its heads."""
    lines = [line for line in lines_of(name) if line.startswith("|")]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines[2:]]


def tells(shown: str, share: Fraction) -> bool:
    """Tell whether a percentage is right in each of its digits, and has four unless it is exact."""
    if shown in ("–", "100"):
        return share == (shown == "100")
    value = Fraction(shown)
    digits, _, exponent = shown.partition("e")
    unit = Fraction(10) ** (int(exponent or 0) - len(digits.partition(".")[2]))
    enough = len(digits.replace(".", "").lstrip("0")) >= 4
    return value == 100 * share or (enough and abs(value - 100 * share) <= unit / 2)


def assert_shares(name: str, shares: dict[str, Fraction], column: int = 1) -> None:
    """Compare the percentages of a table, and its fractions where it has them."""
    rows = rows_of(name)
    assert {row[0] for row in rows} == set(shares)
    for row in rows:
        assert tells(row[column], shares[row[0]]), row
        assert "/" not in row[-1] or Fraction(row[-1]) == shares[row[0]], row


def assert_sums(name: str) -> None:
    """Compare `at most` and `at least` with a table of points, whose shares are known."""
    rows = rows_of(name)
    for place, row in enumerate(rows):
        below = sum(Fraction(each[1]) for each in rows[: place + 1])
        above = sum(Fraction(each[1]) for each in rows[place:])
        assert abs(Fraction(row[2]) - below) < Fraction(1, 20)
        assert abs(Fraction(row[3]) - above) < Fraction(1, 20)


def test_breaks() -> None:
    seen = []
    for missing, split, shown, exact in rows_of("breaks"):
        longer, shorter = map(int, split.split("–"))
        cards = longer + shorter
        assert cards == int(missing)
        share = Fraction(comb(cards, longer) * comb(26 - cards, 13 - longer), comb(26, 13))
        share *= 1 if longer == shorter else 2
        assert tells(shown, share)
        assert Fraction(exact) == share
        seen.append((cards, shorter))
    assert sorted(seen) == [(cards, few) for cards in range(2, 9) for few in range(cards // 2 + 1)]


def test_points() -> None:
    hands = [int(text) for text in POINTS.split()]
    assert sum(hands) == HANDS
    shares = {str(points): Fraction(count, HANDS) for points, count in enumerate(hands)}
    assert_shares("points", shares)
    for points, row in enumerate(rows_of("points")):
        assert tells(row[2], Fraction(sum(hands[: points + 1]), HANDS))
        assert tells(row[3], Fraction(sum(hands[points:]), HANDS))


def test_patterns_and_lengths() -> None:
    patterns, longest, shortest, suit = (Counter[str]() for _ in range(4))
    names = ("void", "singleton", "doubleton", "three cards")
    for shape in SHAPES:
        hands = prod(comb(13, length) for length in shape)
        patterns["-".join(map(str, sorted(shape, reverse=True)))] += hands
        longest[str(max(shape))] += hands
        shortest[names[min(shape)]] += hands
        suit[str(shape[0])] += hands
    aces = {str(n): comb(4, n) * comb(48, 13 - n) for n in range(5)}
    assert len(patterns) == 39
    assert patterns["4-4-3-2"] == 136852887600
    tables = {"patterns": patterns, "longest": longest, "shortest": shortest, "suit": suit}
    tables["aces"] = Counter(aces)
    for name, counts in tables.items():
        assert_shares(name, {label: Fraction(n, HANDS) for label, n in counts.items()})
    assert [row[0] for row in rows_of("patterns")[:3]] == ["4-4-3-2", "5-3-3-2", "5-4-3-1"]
    for name in ("longest", "suit", "aces"):
        assert_sums(name)


PARTNERS = {"partner-points": (40, 6), "partner-aces": (4, -1), "partner-cards": (13, -1)}
"""What there is of it in the pack, and in which column the average stands."""


def test_what_partner_has() -> None:
    """What is not in my hand is evenly shared; a row sums to 100."""
    for name, (whole, place) in PARTNERS.items():
        for mine, *shown in rows_of(name):
            average = Fraction(whole - int(mine), 3)
            assert abs(Fraction(shown[place]) - average) <= Fraction(1, 200)
            assert abs(total(shown[:place]) - 100) < Fraction(1, 20)


def total(shown: Iterable[str]) -> Fraction:
    return sum((Fraction(0) if text == "–" else Fraction(text) for text in shown), Fraction(0))


def test_shares_sum_to_100() -> None:
    sums = {name: total(row[1] for row in rows_of(name)) for name in ("together", "fit")}
    sums |= {row[0]: total(row[1:-1]) for row in rows_of("opening-points")}
    sums |= {f"fits {row[0]}": total(row[1:-1]) for row in rows_of("fits")}
    openers = {row[0] for row in rows_of("opener-points")}
    for name in openers:
        sums[f"of {name}"] = total(row[2] for row in rows_of("opener-points") if row[0] == name)
    assert all(abs(share - 100) < Fraction(1, 20) for share in sums.values())


FIRST = {"breaks": 2, "balanced": 2, "two-honours": 2, "rare": 2, "notrump": 2, "weak-two": 2}
"""In which column the first figure stands, if not the second."""


def test_every_table_is_on_the_page_once() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert sorted(odds_page.MARK.findall(text)) == sorted(odds_page.TABLES)


@pytest.mark.parametrize("name", [name for name in odds_page.TABLES if name != "four"])
def test_the_command_below_a_table(name: str) -> None:
    """It asks a number, or it asks an event, whose probability is the table's first figure."""
    program, command, *words = shlex.split(lines_of(name)[-1].strip("`"))
    assert (program, command) == ("pavcodec", "odds")
    question, *given = words
    assert not given or given[0] == "--given"
    node = parse_expression(question)
    if isinstance(node, And | Comparison | HasCard | InShapes | Not | Or):
        share = pav.probability(question, given=given[1] if given else 1)
        assert tells(rows_of(name)[0][FIRST.get(name, 1)], share)
    else:
        assert not given or parse_expression(given[1])
