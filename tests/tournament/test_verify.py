"""Comparing an event with what was played: where boards belong, and which differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.tournament import Comparison, Event, compare, open_event, verdict

EVENT = open_event(FIXTURES / "events" / "cup.sqd")
ALIEN = pav.numbering("deal")[10**20]
"""A deal that the event has not."""
Played = Iterator[tuple[str, pav.Board]]


def deals_of(name: str, count: int = 4) -> dict[int, pav.Layout]:
    """The deals of a session by their boards."""
    return dict(islice(EVENT.deals(EVENT.session(name)), count))


def played(file: str, deals: Iterable[tuple[int | None, pav.Layout]], **tags: str) -> Played:
    """Boards as they stand in a file."""
    for line, (number, deal) in enumerate(deals, 1):
        yield (
            file,
            pav.Board(deal, pav.Board.make(deal, number=number, tags=tags).entries, line=line),
        )


def told(result: Comparison) -> list[str]:
    return [str(one) for one in result.differences]


def names(result: Comparison) -> list[str]:
    return [session.name for session in result.sessions]


@pytest.mark.parametrize("session", ["RR01", "RR02reserve", "EXTRA7", "EXTRA2reserve"])
def test_deals_as_they_were_dealt(session: str) -> None:
    is_extra = session.startswith("EXTRA")  # of such sessions there is any number
    boards = deals_of(session, 2 if is_extra else 4).items()
    files = [
        played("any.pbn", boards, Session=session),
        played(f"deals/{session.lower()}.PBN", boards),
        *([] if is_extra else [played("any.pbn", boards)]),
    ]
    for each in files:
        result = compare(EVENT, each)
        assert (told(result), result.missing, result.deals) == ([], [], len(boards))
        assert names(result) == [session]


def test_a_file_of_several_sessions_by_its_name() -> None:
    boards = deals_of("RR01") | deals_of("RR02")
    result = compare(EVENT, played("RR01-02.pbn", boards.items()))
    assert (told(result), names(result)) == ([], ["RR01", "RR02"])
    boards[6] = ALIEN
    (line,) = told(compare(EVENT, played("RR01-02.pbn", boards.items())))
    assert line.startswith("RR01-02.pbn:6: session RR02 board 6: 'N:")
    assert f"'{ALIEN}' was played, and the event has '{deals_of('RR02')[6]}'" in line


def test_sessions_one_after_another_and_tables_in_a_file_of_any_name() -> None:
    boards = [*deals_of("RR01").items(), *deals_of("RR03").items(), *deals_of("RR02").items()]
    result = compare(EVENT, played("all.pbn", boards))
    assert (told(result), names(result)) == ([], ["RR01", "RR02", "RR03"])
    tables = [one for one in deals_of("RR03").items() for _ in range(3)]
    tables[4] = (2, ALIEN)
    (line,) = told(compare(EVENT, played("results.pbn", tables)))
    assert line.startswith("results.pbn:5: session RR03 board 2: '")


@pytest.mark.parametrize("file", ["RR01.pbn", "any.pbn"])
def test_a_deal_of_another_board_or_session_is_told_as_such(file: str) -> None:
    boards = deals_of("RR01")
    boards[1], boards[2], boards[4] = boards[2], boards[1], deals_of("RR03")[4]
    assert told(compare(EVENT, played(file, boards.items()))) == [
        f"{file}:1: session RR01 board 1: this is the deal of board 2",
        f"{file}:2: session RR01 board 2: this is the deal of board 1",
        f"{file}:4: session RR01 board 4: this is the deal of board 4 of session RR03",
    ]


def test_boards_that_are_in_no_file_are_told_and_are_no_difference() -> None:
    boards = list(deals_of("RR01").items())
    result = compare(EVENT, played("RR01.pbn", boards[:1]))
    assert (told(result), [*map(str, result.missing)]) == (
        [],
        ["played: session RR01: boards 2, 3, 4 are in no file"],
    )
    result = compare(EVENT, [*played("RR01.pbn", boards[:1]), *played("RR01.lin", boards[2:])])
    assert [one.reason for one in result.missing] == ["board 2 is in no file"]
    result = compare(EVENT, [("RR01.pbn", pav.Board.make(None, number=1))])  # without cards
    assert (result.deals, told(result)) == (0, [])


def test_files_that_lack_boards_are_incomplete() -> None:
    boards = list(deals_of("RR01").items())
    files = [*played("a/RR01.pbn", boards[:3]), *played("a/RR01.dlm", boards)]
    result = compare(EVENT, files)
    assert (told(result), result.missing, result.agrees) == ([], [], False)
    assert list(map(str, result.faults)) == ["a/RR01.pbn: session RR01: board 4 is missing"]
    others = compare(EVENT, [*played("table1.pbn", boards[:3]), *played("table2.pbn", boards)])
    assert (others.faults, others.agrees) == ([], True)
    # files with the names of sessions are told if they have no deals
    inside = compare(EVENT, played("RR01.zip/any.pbn", boards), files=["RR01.zip", "RR02.pbn", "x"])
    assert list(map(str, inside.faults)) == ["RR02.pbn: no deals to compare"]
    # a whole file has all boards of its session
    assert compare(EVENT, played("RR01.pbn", boards[1:3])).agrees
    result = compare(EVENT, played("RR01.pbn", boards[1:3]), whole=True)
    assert [one.reason for one in result.faults] == ["boards 1, 4 are missing"]
    assert compare(EVENT, played("RR01.pbn", boards), whole=True).agrees


REASONS: list[tuple[dict[str, str], list[str]]] = [
    ({}, []),
    ({"Dealer": "E", "Vulnerable": "NS"}, []),
    ({"Dealer": "?", "Vulnerable": "?"}, []),
    ({"Dealer": "W"}, ["the dealer is West, not East"]),
    ({"Vulnerable": "Both"}, ["the vulnerability is All, not NS"]),
    (
        {"Dealer": "N", "Vulnerable": "None"},
        ["the dealer is North, not East, and the vulnerability is None, not NS"],
    ),
]


def test_another_dealer_or_vulnerability_is_a_difference() -> None:
    for tags, reasons in REASONS:
        result = compare(EVENT, played("RR01.pbn", [(2, deals_of("RR01")[2])], **tags))
        assert [one.reason for one in result.differences] == reasons


def test_other_dealers_of_all_boards_are_no_other_deals() -> None:
    deals = deals_of("FINAL", 9).items()
    boards = [next(played("FINAL.pbn", [one], Dealer="NESW"[one[0] % 4])) for one in deals]
    result = compare(EVENT, boards)
    assert len(result.differences) == 9
    text = " ".join(verdict(EVENT, result))
    assert "Board 9 of session FINAL differs: the dealer is East, not North." in text
    assert "Perhaps the delayed value" not in text


NUMBERED: list[tuple[str, list[tuple[int | None, pav.Layout]], list[str]]] = [
    ("final.pbn", [*deals_of("FINAL", 30).items()], []),
    (
        "final.pbn",
        [(10**17, ALIEN)],
        [f"final.pbn:1: session FINAL board {10**17}: the session has boards 1 to 9999"],
    ),
    (
        "x.pbn",
        [(1, ALIEN), (None, ALIEN)],
        [
            f"x.pbn:1: board 1: no session of the event has this deal: '{ALIEN}'",
            f"x.pbn:2: no session of the event has this deal: '{ALIEN}'",
        ],
    ),
    (
        "RR01.pbn",
        [(None, ALIEN), (5, deals_of("RR01")[1])],
        [
            f"RR01.pbn:1: session RR01: the board has no number, and its deal is '{ALIEN}'",
            "RR01.pbn:2: session RR01 board 5: the session has boards 1 to 4",
        ],
    ),
]


def test_numbers_of_boards_and_deals_that_no_session_has() -> None:
    for file, boards, lines in NUMBERED:
        result = compare(EVENT, played(file, boards))
        assert (told(result), result.deals) == (lines, len(boards))


@pytest.mark.parametrize("file", ["RR01-03.lines", "x.lines"])
def test_deals_without_numbers_are_looked_up(file: str) -> None:
    boards = [*deals_of("RR03").values(), *deals_of("RR02").values()]
    result = compare(EVENT, played(file, [(None, deal) for deal in boards]))
    assert (told(result), names(result), result.missing) == ([], ["RR02", "RR03"], [])
    boards[5] = ALIEN
    (line,) = told(compare(EVENT, played(file, [(None, deal) for deal in boards])))
    assert line.startswith(f"{file}:6: session ")
    assert "the board has no number" in line


def test_a_file_without_one_right_deal_is_one_line() -> None:
    other = pav.numbering("deal")[:10]
    result = compare(EVENT, played("RR01-03.pbn", enumerate(other, 1)))
    assert told(result) == [
        "RR01-03.pbn: session RR01 RR02: none of its 10 deals is that of the event"
    ]
    result = compare(EVENT, played("x.pbn", enumerate(other, 1)))
    assert told(result) == ["x.pbn: none of its 10 deals is that of the event"]
    assert len(told(compare(EVENT, played("x.pbn", enumerate(other[:7], 1))))) == 7


def test_another_value_makes_other_deals() -> None:
    edited = Event(replace(EVENT.description, value="40829.13"), EVENT.keys)
    boards = [*deals_of("RR01").items(), *deals_of("RR02").items()]
    assert len(told(compare(edited, played("RR01-02.pbn", boards)))) == 1
    assert len(told(compare(edited, played("RR01.pbn", boards[:4])))) == 4


@pytest.mark.slow
@given(st.permutations(range(4)), st.lists(st.booleans(), min_size=4, max_size=4), st.booleans())
def test_each_wrong_board_is_told_and_no_other(
    order: list[int],
    altered: list[bool],
    by_name: bool,
) -> None:
    right = list(deals_of("RR02").items())
    boards = [(right[k][0], ALIEN if altered[k] else right[k][1]) for k in order]
    result = compare(EVENT, played("RR02.pbn" if by_name else "x.pbn", boards))
    wrong = [number for number, deal in boards if deal == ALIEN]
    assert [one.board for one in result.differences] == wrong
    if by_name or len(wrong) < 4:
        assert {one.session for one in result.differences} <= {"RR02"}
