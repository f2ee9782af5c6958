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


CROSSING = "N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7."
REASONS = {
    ("N:.T.KQT5432.A8 A9653.85.A.Q7 QJ8742.A.J.93 T.K.9876.K652", None): (
        "3 tricks are over, but at most 2 can have been led: spades, 1 gone and still "
        "with E, S and W, were never led; hearts, 8 gone and still with everybody, were "
        "led 2 times at most; clubs, 3 gone and still with everybody, were never led"
    ),
    (CROSSING, "NT"): (
        "in notrump nobody could go over from hearts to clubs: all 2 tricks were led in "
        "these two suits, and all cards of them that are gone were played to these "
        "tricks, hearts by N and W and clubs by E and S"
    ),
    (CROSSING, "H"): (
        "with hearts as trumps, nobody could go over from hearts to clubs: all 2 tricks "
        "were led in these two suits, and all cards of them that are gone were played to "
        "these tricks, hearts by N and W and clubs by E and S; only a ruff could help"
    ),
    ("N:.KJ8732..97654 K7..AQT976432. 2.T6.KJ8.KJT82 A943.A94.5.AQ3", "H"): (
        "with hearts as trumps, all 2 tricks were led in spades, and a seat that ruffs "
        "cannot lead them again: so the 2 trumps that are gone were all ruffs on the last "
        "trick, and there only 1 seat could ruff"
    ),
    ("N:KQ76.9876542.. T85..AKQ86.KQ5 A42.A.972.T987 J93.KQ3.T5.AJ3", "H"): (
        "with hearts as trumps, 2 trumps at least were ruffs, and all 2 tricks were led "
        "in diamonds and clubs: a seat that has ruffed is on lead, and the seats that "
        "could ruff had too few ways to give the lead back"
    ),
}


@pytest.mark.parametrize(("text", "denomination"), REASONS)
def test_reasons(text: str, denomination: str | None) -> None:
    found = pav.legality(pav.Layout.from_pbn(text), denomination=denomination)
    assert not found
    assert found.reason == REASONS[text, denomination]
    if denomination:
        check_line(pav.legality(found.layout))


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


@pytest.mark.parametrize(
    ("text", "asked", "message"),
    [
        (
            "N:AQ... K... J... -",
            {},
            "one less in the hands that have played to a trick; here N holds 2",
        ),
        ("N:A... K... Q... J...", {"table": ["S2"]}, "no card is on the table if all hands"),
        ("N:A... K... Q... J..2.", {"table": ["S2"]}, "3 different cards are on the table"),
        (
            "N:A... K... Q... J..2.",
            {"table": ["S2", "SA", "S3"]},
            "SA is not on the table: N holds it",
        ),
        ("N:A... K... Q... J..2.", {"on_lead": "W"}, "N has led to this trick, not W"),
    ],
)
def test_what_is_no_ending(text: str, asked: dict[str, object], message: str) -> None:
    with pytest.raises(pav.LayoutError, match=message):
        pav.legality(pav.Layout.from_pbn(text), **asked)  # type: ignore[arg-type]


PAGE = Path(__file__).parents[2] / "docs" / "studies" / "legal.md"
ROWS = re.findall(
    r"^\| (?P<what>[^|`]+) \| (?P<cards>\d+) \| `(?P<ending>N:[^`]+)` \| (?P<verdict>[^|]+) \|$",
    PAGE.read_text(),
    re.MULTILINE,
)


def test_the_page_has_endings() -> None:
    assert len(ROWS) >= 8
    assert {"legal", "not legal"} == {verdict.partition(":")[0] for *_, verdict in ROWS}


@pytest.mark.parametrize(("what", "cards", "ending", "verdict"), ROWS)
def test_a_published_ending(what: str, cards: str, ending: str, verdict: str) -> None:
    found = pav.legality(pav.Layout.from_pbn(ending))
    assert set(found.layout.sizes) == {int(cards)}, what
    if verdict == "legal":
        assert found, what
        assert found.line is not None
        return
    most = re.fullmatch(r"not legal: (\d+) tricks, at most (\d+) led", verdict)
    assert most, what
    assert found.reason.startswith(f"{most[1]} tricks are over, but at most {most[2]} can")


def test_values() -> None:
    ending = pav.Layout.from_pbn("N:A... K... Q... J...")
    found = pav.legality(ending, denomination="nt")
    assert found == pav.legality(ending, denomination=0)
    assert pickle.loads(pickle.dumps(found)) == found
    line = found.line
    assert line is not None
    assert len(line.cards) == 48
    assert list(line.tricks[0].by_seat.values()) == list(line.tricks[0].cards)
