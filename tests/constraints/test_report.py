"""What actions print: the layouts of the classic program, and of files that it has written."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from pathlib import Path

import pytest
from formats_support import DEAL, OTHER, corpus_folder
from hypothesis import given
from hypothesis import strategies as st

from pavcodec import Deal, Seat, Vulnerability
from pavcodec.constraints.evaluate import Evaluation
from pavcodec.constraints.parser import parse_script
from pavcodec.constraints.report import _quotient, run_actions

DEALS = [Deal.from_pbn(DEAL), Deal.from_pbn(OTHER)]


def printed(actions: str, deals: list[Deal] = DEALS, **options: object) -> str:
    """Run an action list."""
    out = io.StringIO()
    script = parse_script(f"action {actions}")
    count = run_actions(script.actions, map(Evaluation, deals), out, **options)  # type: ignore[arg-type]
    assert count == len(deals)
    return out.getvalue()


def test_printall() -> None:
    assert printed("printall", first_number=7).splitlines() == [
        "   7.",
        "A                   9 7 2               Q J 6 4 3           K T 8 5 ",
        "K J 9 3             A 8 7 6 4           Q T 5               2 ",
        "Q 7 6 5             A 8 2               K 4 3               J T 9 ",
        "T 9 6 2             A K                 7 4                 Q J 8 5 3 ",
        "",
        "   8.",
        "9 6 4 2             K J 3               A Q T 8 5           7 ",
        "9 5                 K 3                 Q 8 6 2             A J T 7 4 ",
        "A K Q T 4           9 8                 -                   J 7 6 5 3 2 ",
        "K 7                 T 9 8 6 5 4         A Q J 2             3 ",
        "",
    ]


def test_printew() -> None:
    assert printed("printew").splitlines()[5:] == [
        "7                   K J 3 ",
        "A J T 7 4           K 3 ",
        "J 7 6 5 3 2         9 8 ",
        "3                   T 9 8 6 5 4 ",
        "",
    ]


def test_a_hand_of_one_suit_needs_more_than_its_column() -> None:
    deal = Deal(bytes(card // 13 for card in range(52)))
    assert printed("printall", [deal]).splitlines()[1] == (
        "A K Q J T 9 8 7 6 5 4 3 2 -                   -                   - "
    )


def test_compact_and_oneline() -> None:
    assert printed("printcompact", DEALS[:1]) == (
        "n A.KJ93.Q765.T962\ne 972.A8764.A82.AK\ns QJ643.QT5.K43.74\nw KT85.2.JT9.QJ853\n"
    )
    line = "n A.KJ93.Q765.T962 e 972.A8764.A82.AK s QJ643.QT5.K43.74 w KT85.2.JT9.QJ853 \n"
    assert printed("printoneline", DEALS[:1]) == line
    assert printed("printoneline(hcp(north))", DEALS[:1]) == f"{line[:-1]}10\n"
    assert printed("printcompact hcp(north) + 1", DEALS[:1]).endswith("QJ853\n11\n")


def test_printes() -> None:
    actions = r'printes "North ", hcp(north), " South ", hcp(south), \n'
    assert printed(actions) == "North 10 South 8\nNorth 12 South 15\n"
    assert printed(r'printes(hcp(north), \n), printes("x", \n)') == "10\nx\n12\nx\n"


def test_print() -> None:
    text = printed("print(south, north)", [*DEALS, *DEALS, DEALS[0]], first_number=3)
    north, south, rest = text.split("\f")
    assert rest == ""
    lines = north.split("\n")
    assert lines[:6] == ["", "", "North hands:", "", "", ""]
    assert lines[6] == "".join(f"{number:4d}.{'':15}" for number in (3, 4, 5, 6))
    assert lines[7] == "A                   9 6 4 2             A                   9 6 4 2 "
    assert lines[11:] == ["", f"   7.{'':15}", "A ", "K J 9 3 ", "Q 7 6 5 ", "T 9 6 2 ", "", ""]
    assert south.splitlines()[7].startswith("Q J 6 4 3           A Q T 8 5 ")


def test_pbn_has_the_dealer_and_the_vulnerability_of_the_board_or_of_the_script() -> None:
    text = printed("printpbn", first_number=2, event="Club", date="2026.11.20")
    first, second, rest = text.split("\n\n")
    assert rest == ""
    assert first.splitlines()[:4] == [
        '[Event "Club"]',
        '[Site "-"]',
        '[Date "2026.11.20"]',
        '[Board "2"]',
    ]
    assert '[Dealer "E"]\n[Vulnerable "NS"]' in first
    assert '[Dealer "S"]\n[Vulnerable "EW"]' in second
    fixed = printed("printpbn", dealer=Seat.WEST, vulnerable=Vulnerability.ALL)
    assert fixed.count('[Dealer "W"]\n[Vulnerable "All"]') == 2
    assert fixed.count(f'[Deal "{DEAL}"]') == 1


def test_averages() -> None:
    assert printed('average "hcp" hcp(north), average hcp(north) / 3') == "hcp: 11\n3.5\n"
    assert printed('average "hcp" hcp(north)', []) == "hcp: -\n"


@given(st.integers(-(10**8), 10**8), st.integers(1, 10**4))
def test_a_quotient_is_printed_as_c_prints_it(total: int, count: int) -> None:
    shown = _quotient(total, count)
    assert abs(Fraction(shown) * count - total) * 10**6 <= abs(total) * 5
    if Fraction(f"{total / count:.7g}") != Fraction(total, count):  # a tie falls either way in C
        assert shown == f"{total / count:g}"


def test_a_frequency() -> None:
    assert printed('frequency "hcp" (hcp(north), 11, 13)') == (
        "Frequency hcp:\nLow\t       1\n   11\t       0\n   12\t       1\n   13\t       0\n"
    )
    assert printed("frequency (hcp(north), 9, 11)") == (
        "Frequency :\n    9\t       0\n   10\t       1\n   11\t       0\nHigh\t       1\n"
    )


def test_a_table_of_frequencies() -> None:
    assert printed('frequency "both" (hcp(north), 10, 11, spades(south), 5, 6)') == (
        "Frequency both:\n"
        "        Low      5      6   High    Sum\n"
        "Low       0      0      0      0      0\n"
        "  10      0      1      0      0      1\n"
        "  11      0      0      0      0      0\n"
        "High      0      1      0      0      1\n"
        "Sum       0      2      0      0      2\n"
        "\n"
    )


def test_actions_keep_their_order() -> None:
    text = printed('average "a" 1, printes "x", frequency (1, 1, 1), printes "y"')
    assert text == "xyxya: 1\nFrequency :\n    1\t       2\n"


def generated(name: str) -> str:
    """A file of the corpus that the classic program wrote, without its last lines."""
    path: Path = corpus_folder() / "generated" / name
    return path.read_text().partition("Generated ")[0]


def deals_of_lines(text: str) -> list[Deal]:
    """The deals of printoneline or printcompact."""
    hands = re.findall(
        r"^([nesw]) (\S*) ?$",
        text.replace(" \n", "\n")
        .replace(" e ", "\ne ")
        .replace(" s ", "\ns ")
        .replace(" w ", "\nw "),
        re.MULTILINE,
    )
    return [
        Deal.from_pbn("N:" + " ".join(hand for _, hand in hands[at : at + 4]))
        for at in range(0, len(hands), 4)
    ]


@pytest.mark.parametrize(
    ("action", "name", "count"),
    [
        ("printoneline", "dealer_printoneline_500.txt", 500),
        ("printcompact", "dealer_printcompact_100.txt", 100),
    ],
)
def test_lines_that_the_classic_program_wrote(action: str, name: str, count: int) -> None:
    text = generated(name)
    deals = deals_of_lines(text)
    assert len(deals) == count
    assert printed(action, deals) == text


def test_diagrams_that_the_classic_program_wrote() -> None:
    text = generated("dealer_printall_50.txt")
    deals = []
    for diagram in re.split(r" *\d+\.\n", text)[1:]:
        rows = [
            [row[at : at + 20].replace(" ", "").replace("-", "") for at in (0, 20, 40, 60)]
            for row in diagram.splitlines()[:4]
        ]
        hands = (".".join(row[seat] for row in rows) for seat in range(4))
        deals.append(Deal.from_pbn("N:" + " ".join(hands)))
    assert len(deals) == 50
    assert printed("printall", deals) == text


def test_pbn_that_the_classic_program_wrote() -> None:
    text = generated("dealer_printpbn_500.pbn")
    deals = [Deal.from_pbn(deal) for deal in re.findall(r'\[Deal "(.*)"\]', text)]
    event, date = re.findall(r'\[Event "(.*)"\]', text)[0], re.findall(r'\[Date "(.*)"\]', text)[0]
    assert len(deals) == 500
    assert printed("printpbn", deals, event=event, date=date) == text
