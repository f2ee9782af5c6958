"""What actions print: the layouts of the classic program, and of files that it has written."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from formats_support import DEAL, OTHER
from hypothesis import given
from hypothesis import strategies as st

from pavcodec import Deal, PavError, Seat, Vulnerability, numbering
from pavcodec.cards import Strain
from pavcodec.constraints.evaluation import Evaluation
from pavcodec.constraints.language.parser import parse_script
from pavcodec.constraints.scripts import report
from pavcodec.constraints.scripts.report import (
    quotient,
    run_actions,
)
from pavcodec.constraints.vectors import Chunk
from pavcodec.sampling import Stream

DEALS = [Deal.from_pbn(DEAL), Deal.from_pbn(OTHER)]


def printed(actions: str, deals: list[Deal] = DEALS, **options: object) -> str:
    """Run an action list."""
    out = io.StringIO()
    script = parse_script(f"action {actions}")
    count = run_actions(script.actions, map(Evaluation, deals), out, **options)  # type: ignore[arg-type]
    assert count == len(deals)
    return out.getvalue()


BOARD = (
    "   1.\n"
    "A                   9 7 2               Q J 6 4 3           K T 8 5 \n"
    "K J 9 3             A 8 7 6 4           Q T 5               2 \n"
    "Q 7 6 5             A 8 2               K 4 3               J T 9 \n"
    "T 9 6 2             A K                 7 4                 Q J 8 5 3 \n\n"
)
LINE = "n A.KJ93.Q765.T962 e 972.A8764.A82.AK s QJ643.QT5.K43.74 w KT85.2.JT9.QJ853 \n"
LINES = "n A.KJ93.Q765.T962\ne 972.A8764.A82.AK\ns QJ643.QT5.K43.74\nw KT85.2.JT9.QJ853\n"
ROW = "n 9642.95.AKQT4.K7 ,e KJ3.K3.98.T98654 ,s AQT85.Q862..AQJ2 ,w 7.AJT74.J76532.3 "
NORTH, EAST, SOUTH, WEST = ROW.split(",")
SIDE = (
    "A Q T 8 5           9 6 4 2 \n"
    "Q 8 6 2             9 5 \n"
    "-                   A K Q T 4 \n"
    "A Q J 2             K 7 \n\n"
)
OF_FIRST = {
    "printall": BOARD,
    "printcompact": LINES,
    "printcompact hcp(north) + 1": f"{LINES}11\n",
    "printoneline": LINE,
    "printoneline(hcp(north))": f"{LINE[:-1]}10\n",
}
"""What is printed of the first deal."""
OF_SECOND = {
    "printew": (
        "7                   K J 3 \nA J T 7 4           K 3 \n"
        "J 7 6 5 3 2         9 8 \n3                   T 9 8 6 5 4 \n\n"
    ),
    "printns": SIDE,
    "printside(ns)": SIDE,
    'printrpt("a, b", hcp(north) + 1, south, NS, deal)': (
        f" 'a, b',13,{SOUTH},{NORTH}{SOUTH},{NORTH}{EAST}{SOUTH}{WEST}\n"
    ),
    "csvrpt(hcp(north)), export(south)": " 12\n-S SAQT85,HQ862,CAQJ2 \n",
}
OF_BOTH = {
    r'printes "N ", hcp(north), " S ", hcp(south), \n': "N 10 S 8\nN 12 S 15\n",
    r'printes(hcp(north), \n), printes("x", \n)': "10\nx\n12\nx\n",
    'average "hcp" hcp(north), average hcp(north) / 3': "hcp: 11\n3.5\n",
    'average "a" 1, printes "x", frequency (1, 1, 1), printes "y"': (
        "xyxya: 1\nFrequency :\n    1\t       2\n"
    ),
    'frequency "hcp" (hcp(north), 11, 13)': (
        "Frequency hcp:\nLow\t       1\n   11\t       0\n   12\t       1\n   13\t       0\n"
    ),
    "frequency (hcp(north), 9, 11)": (
        "Frequency :\n    9\t       0\n   10\t       1\n   11\t       0\nHigh\t       1\n"
    ),
    'frequency "both" (hcp(north), 10, 11, spades(south), 5, 6)': (
        "Frequency both:\n"
        "        Low      5      6   High    Sum\n"
        "Low       0      0      0      0      0\n"
        "  10      0      1      0      0      1\n"
        "  11      0      0      0      0      0\n"
        "High      0      1      0      0      1\n"
        "Sum       0      2      0      0      2\n\n"
    ),
}


@pytest.mark.parametrize("action", [*OF_FIRST, *OF_SECOND, *OF_BOTH])
def test_actions(action: str) -> None:
    for table, deals in ((OF_FIRST, DEALS[:1]), (OF_SECOND, DEALS[1:]), (OF_BOTH, DEALS)):
        if action in table:
            assert printed(action, deals) == table[action]


def test_the_edges_of_actions() -> None:
    """The boards' numbers go on; a hand of one suit needs more than its column; no deals at all."""
    assert printed("printall", first_number=7).count("   8.\n") == 1
    deal = Deal(bytes(card // 13 for card in range(52)))
    assert printed("printall", [deal]).splitlines()[1] == (
        "A K Q J T 9 8 7 6 5 4 3 2 -                   -                   - "
    )
    assert printed("printside(EW)") == printed("printew")
    assert printed('average "hcp" hcp(north)', []) == "hcp: -\n"


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
    head = '[Event "Club"]\n[Site "-"]\n[Date "2026.11.20"]\n[Board "2"]\n'
    assert text.startswith(head)
    first, second, rest = text.split("\n\n")
    assert rest == ""
    assert '[Dealer "E"]\n[Vulnerable "NS"]' in first
    assert '[Dealer "S"]\n[Vulnerable "EW"]' in second
    fixed = printed("printpbn", dealer=Seat.WEST, vulnerable=Vulnerability.ALL)
    assert fixed.count('[Dealer "W"]\n[Vulnerable "All"]') == 2
    assert fixed.count(f'[Deal "{DEAL}"]') == 1


@given(st.integers(-(10**8), 10**8), st.integers(1, 10**4))
def test_a_quotient_is_printed_as_c_prints_it(total: int, count: int) -> None:
    shown = quotient(total, count)
    assert abs(Fraction(shown) * count - total) * 10**6 <= abs(total) * 5
    if Fraction(f"{total / count:.7g}") != Fraction(total, count):  # a tie falls either way in C
        assert shown == f"{total / count:g}"


def test_words_of_a_report() -> None:
    """A variable goes before a word; tricks are those of clubs first; parts may go elsewhere."""

    def solve(_: Deal, declarer: Seat, strain: Strain) -> int:
        return 10 * declarer + strain

    out, rows, exported = io.StringIO(), io.StringIO(), io.StringIO()
    script = parse_script(
        "deal = hcp(north)  action printrpt(deal, trix(west), trix(deal)), csvrpt(hcp(north)), "
        'export(EW), printes "x"'
    )
    drawn = [Evaluation(DEALS[1], tricks=solve)]
    run_actions(script.actions, drawn, out, rows=rows, exported=exported)
    seats = [",".join(str(10 * seat + strain) for strain in (4, 3, 2, 1, 0)) for seat in range(4)]
    assert out.getvalue() == f" 12,{seats[3]},{','.join(seats)}\nx"
    assert rows.getvalue() == " 12\n"
    assert exported.getvalue() == "-E SKJ3,HK3,D98,CT98654  -W S7,HAJT74,DJ76532,C3 \n"


def test_frequencies_in_buckets() -> None:
    deals = [*DEALS, *DEALS[:1]]  # North has 10, 12 and 10 points
    assert printed('bktfreq "hcp" (hcp(north), 3, 11, 4)', deals) == (
        "\nDescription: hcp\nValue\t   Count\t   Pct.\t  CumPct\n"
        "    3\t       0\t   0.00\t   0.00\n"
        "    7\t       2\t  66.67\t  66.67\n"
        "   11\t       1\t  33.33\t 100.00\n"
        "    \t--------\nTotal\t       3\t 100.00\n"
    )
    ends = printed("bktfreq (hcp(north), 11, 11, 1)", deals)
    assert ends.startswith("\nDescription: \nValue")
    assert "    2\t       2\t  66.67\t  66.67\n   11\t" in printed(
        "bktfreq (hcp(north), 2, 11, 9)", deals
    )
    assert "Low\t       2\t  66.67\t  66.67\n   11\t       0\t   0.00\t  66.67\nHigh\t" in ends
    table = printed('bktfreq "b" (hcp(north), 3, 11, 4, spades(south), 2, 3, 2)', deals)
    assert table == (
        "\nDescription: b \n"
        "           Low        2     High    Sum\n"
        " Low         0        0        0        0\n"
        "   3         0        0        0        0\n"
        "   7         0        0        2        2\n"
        "  11         0        0        1        1\n"
        "High         0        0        0        0\n"
        "Sum          0        0        3        3\n"
    )


def test_a_contract_on_average() -> None:
    script = parse_script("action evalcontract(NS, z3N, vul), evalcontract(EW, x2Sx, nv)")
    taken = iter([8, 9, 12, 13, 8, 7, 10, 12])
    out = io.StringIO()
    asked = []

    def solve(_: Deal, declarer: Seat, strain: Strain) -> int:
        asked.append((declarer, strain))
        return next(taken)

    run_actions(script.actions, (Evaluation(DEALS[0], tricks=solve) for _ in range(4)), out)
    assert asked == [(Seat.SOUTH, Strain.NOTRUMP), (Seat.WEST, Strain.SPADES)] * 4
    # three notrump made 8, 12, 8 and 10; two spades doubled made 9, 13, 7 and 12
    assert out.getvalue() == (
        "\nContract  3N  V by  NS Average Result =   280.00, Made pct=   50.00, "
        "Fail pct=   50.00\n"
        "Missed Game_pct=    0.00, Missed Slam_pct=  25.00, "
        "Missed Game Imps/board=   0.00, Missed Slam Imps/board=   3.25\n"
        "\nContract  2Sx   by  EW Average Result =   577.50, Made pct=   75.00, "
        "Fail pct=   25.00\n"
        "Missed Game_pct=   50.00, Missed Slam_pct=  50.00, "
        "Missed Game Imps/board=   3.00, Missed Slam Imps/board=   7.00\n"
    )


TALLIES = """
die = rnd(6)
action average "a" hcp(north), average -7 * losers(west) / 2, average "die" die,
 average hcp(north) > 20 || die == 0, average spades(north) ? hcp(north) / spades(north) : 0,
 average 900000000000000000 * hcp(south) * hcp(north), average tricks(south, notrump),
 average hcp(north) > 14 && tricks(west, clubs) > 6,
 frequency "f" (hcp(north) - 10, -3, 2), frequency (hcp(south), 5, 9, spades(north), 2, 3),
 frequency (tricks(south, notrump), 5, 8, hcp(south), 9, 12), bktfreq (hcp(east), -7, 11, 4),
 bktfreq "b" (hcp(east), 2, 9, 3, hcp(west) - 10, -9, 9, 6), evalcontract(EW, x2H, nv),
 average rnd(3) + die
"""


def solved(deal: Deal, declarer: Seat, strain: Strain) -> int:
    return (deal.owners[0] + deal.owners[17] * 3 + declarer + strain) % 14


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "text"),
    [
        *((count, TALLIES) for count in (0, 301)),
        (301, f"{TALLIES.rstrip()}, printes (die, rnd(4), tricks(south, spades))"),
        (301, "action average 200000000000000000 * hcp(east)"),  # a sum of more than 64 bits
    ],
)
def test_many_deals_at_once_are_tallied_as_one_by_one(
    count: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = parse_script(text)
    owners = numbering("deal").sample_many(count, seed=16)
    stream = Stream(7)

    def one_by_one() -> Iterator[Evaluation]:
        for k, row in enumerate(owners):
            yield Evaluation(Deal(row.tobytes()), stream.chance(k), solved)

    def told(drawn: Iterable[Evaluation | Chunk]) -> str:
        out = io.StringIO()
        assert run_actions(script.actions, drawn, out) == count
        return out.getvalue()

    expected = told(one_by_one())
    monkeypatch.setattr(report, "_FEW", 100)
    assert told(one_by_one()) == expected
    halves = owners[: count // 3], owners[count // 3 :]
    places = 0, count // 3

    def batch(rows: Any, start: int) -> Chunk:
        return Chunk.of_seed(rows, 7, start, solver=solved)

    assert told(map(batch, halves, places)) == expected


def test_a_division_by_0_is_told_of_many_deals() -> None:
    script = parse_script("action average hcp(north) / spades(north)")
    drawn = Chunk.of_seed(numbering("deal").sample_many(500, seed=7), 7)
    with pytest.raises(PavError, match="division by 0"):
        run_actions(script.actions, [drawn], io.StringIO())
