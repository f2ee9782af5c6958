"""Legality of endings of the real deck: verdicts, reasons, lines, leaders, cards on the table."""

from __future__ import annotations

import pickle
import random
import re
from pathlib import Path

import pytest
from legal_support import referee

import pavcodec as pav


def random_ending(rng: random.Random, each: int) -> pav.Layout:
    owners = bytearray(b"\4" * 52)
    for place, card in enumerate(rng.sample(range(52), 4 * each)):
        owners[card] = place % 4
    return pav.Layout(bytes(owners))


def random_play(rng: random.Random, cards: int) -> tuple[pav.Layout, pav.Strain, int, list[int]]:
    """What is left when so many cards were played by the Laws; strain, leader and open trick."""
    owners = list(rng.sample([0, 1, 2, 3] * 13, 52))
    strain, turn = rng.choice(list(pav.Strain)), rng.randrange(4)
    trick: list[int] = []
    leader = turn
    for _ in range(cards):
        hand = [card for card, owner in enumerate(owners) if owner == turn]
        led = [card for card in hand if trick and card // 13 == trick[0] // 13]
        card = rng.choice(led or hand)
        owners[card] = 4
        trick.append(card)
        turn = (turn + 1) % 4
        if len(trick) == 4:
            trumps = [card for card in trick if strain and card // 13 == strain - 1]
            best = min(trumps or [card for card in trick if card // 13 == trick[0] // 13])
            leader = turn = (leader + trick.index(best)) % 4
            trick = []
    return pav.Layout(bytes(owners)), strain, leader, trick


def check_line(found: pav.Legality) -> None:
    """Let the referee play the line, and see that it is what was asked for."""
    line = found.line
    assert line is not None
    assert found.reason == ""
    trump = line.denomination - 1 if line.denomination else None
    tricks = [(int(trick.leader), [int(card) for card in trick.cards]) for trick in line.tricks]
    left, on_lead = referee(list(line.deal.owners), trump, tricks)
    assert bytes(left) == found.layout.owners
    assert found.denomination in (None, line.denomination)
    assert found.on_lead is None or on_lead in (None, found.on_lead)
    if line.tricks:
        assert found.first_leader in (None, line.tricks[0].leader)
    if found.table:
        assert line.tricks[-1].cards == found.table
        assert line.tricks[-1].winner is None


def test_random_endings_have_a_line_or_a_reason() -> None:
    rng = random.Random(20)
    verdicts = []
    for _ in range(200):
        ending = random_ending(rng, rng.randrange(1, 13))
        found = pav.legality(ending)
        verdicts.append(bool(found))
        if found:
            check_line(found)
        else:
            assert "can have been led: " in found.reason
            assert found.line is None
    assert 20 < sum(verdicts) < 180


@pytest.mark.slow
def test_what_was_played_is_legal_as_it_was_played() -> None:
    rng = random.Random(22)
    for _ in range(60):
        layout, strain, leader, trick = random_play(rng, rng.randrange(53))
        table = [pav.Card(card) for card in trick] or None
        check_line(pav.legality(layout))
        check_line(pav.legality(layout, denomination=strain, on_lead=leader, table=table))
        check_line(pav.legality(layout, denomination=strain))


def test_leaders_and_reasons_of_the_search() -> None:
    ending = pav.Layout.from_pbn(
        "N:AKQJT9876543... .AKQJT9876543.. ..AKQJT9876543. ...AKQJT9876543"
    )
    for denomination, on_lead in (("NT", "N"), ("S", "N"), ("H", "ESW"), ("C", "ESW")):
        for other in "NESW":
            found = pav.legality(ending, denomination=denomination, first_leader="N", on_lead=other)
            assert bool(found) == (other in on_lead)
            if found:
                check_line(found)
    deal = pav.numbering("deal")[5]
    check_line(pav.legality(deal, first_leader="S", on_lead=2))
    found = pav.legality(deal, first_leader="S", on_lead="W", denomination="C")
    assert found.reason == (
        "no line of play with clubs as trumps in which S led to the first trick and W is on lead "
        "now leads here; all were tried"
    )
    line = pav.legality(pav.Layout.from_pbn("N:A... K... Q... J..."), denomination="nt").line
    assert line is not None
    assert len(line.cards) == 48
    assert list(line.tricks[0].by_seat.values()) == list(line.tricks[0].cards)


def test_the_middle_of_a_trick() -> None:
    # South has led to the last trick but one
    layout = pav.Layout.from_pbn("N:A..2. K.3.. Q... J..4.")
    for table in (["C2"], [pav.Card.parse("C2")], None):
        found = pav.legality(layout, table=table)
        assert found.on_lead is pav.Seat.SOUTH
        check_line(found)
    # East has led, and South has played to it
    layout = pav.Layout.from_pbn("N:A..2. K... Q... J..4.")
    check_line(pav.legality(layout, table=["H3", "H2"]))
    check_line(pav.legality(layout))
    found = pav.legality(layout, table=["S3", "H2"])
    assert not found
    assert found.reason == "S played H2 to a spade and still holds spades: a revoke"


PAGE = Path(__file__).parents[2] / "docs" / "studies" / "legal.md"
ROWS = re.findall(
    r"^\| (?P<what>[^|`]+) \| (?P<cards>\d+) \| `(?P<ending>N:[^`]+)` \| (?P<verdict>[^|]+) \|$",
    PAGE.read_text(),
    re.MULTILINE,
)


def test_published_endings() -> None:
    assert {"legal", "not legal"} == {verdict.partition(":")[0] for *_, verdict in ROWS}
    for what, cards, ending, verdict in ROWS:
        found = pav.legality(pav.Layout.from_pbn(ending))
        assert set(found.layout.sizes) == {int(cards)}, what
        told = re.sub(
            r" tricks are over, but (at most \d+) can .*", r" tricks, \1 led", found.reason
        )
        assert (f"not legal: {told}" if told else "legal") == verdict, what
        assert pickle.loads(pickle.dumps(found)) == found
