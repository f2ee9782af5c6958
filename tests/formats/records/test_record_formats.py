"""Files of records as formats: what goes in comes out; what does not fit or is damaged is told.

Every problem of a damaged file has its record and byte, and the other records are kept.
"""

from __future__ import annotations

import io

import pytest
from formats_support import (
    DEAL,
    ENDING,
    FOULED,
    OTHER,
    Reading,
    read_format,
    read_text,
    write_bytes,
    write_format,
)
from hypothesis import given
from hypothesis import strategies as st
from records_support import BOARD_SIZES, by_hand
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav
from pavcodec import Base5Number, Board, Deal, Layout, Problem, Tag, TrickTable, numbering, read
from pavcodec.boards import Context
from pavcodec.formats import format_of
from pavcodec.formats.records.boards import RECORD_FORMATS

NUMBERINGS = {
    "deal12": "deal", "balanced14": "balanced", "ending15": "ending", "legal14": "legal",
    "base5-16": "base5", "deal13": "deal", "layout20": "base5", "zbs": "base5",
}  # fmt: skip
"""The formats of cards alone, and the numberings that have the layouts which fit."""
CARDS = list(NUMBERINGS)
TABLE = TrickTable(bytes([0, 10, 5, 6, 1, 11, 6, 5, 2, 12, 7, 4, 3, 13, 8, 3, 4, 7, 9, 2]))


def raw_of(name: str, layout: Layout) -> bytes:
    """The record of a layout, by hand but for its number."""
    if name == "base5-16":
        return by_hand(name, Base5Number(numbering("base5").rank(layout)))
    if name in ("deal12", "balanced14", "ending15", "legal14"):
        return by_hand(name, numbering(NUMBERINGS[name]).rank(layout))
    return by_hand("zbs-diagram" if name == "zbs" else name, layout)


@pytest.mark.slow
@pytest.mark.parametrize("name", CARDS)
@given(data=st.data())
def test_layouts_go_through_their_records(name: str, data: st.DataObject) -> None:
    legal = st.integers(0, numbering("legal").cardinality - 1).map(numbering("legal").unrank)
    kinds = {
        "deal": deals(),
        "balanced": deals(),
        "ending": deals() | sparse_layouts(),
        "legal": deals() | legal,
    }
    kind = kinds.get(NUMBERINGS[name], layouts() | sparse_layouts() | deals())
    drawn = data.draw(st.lists(kind, max_size=4))
    raw, problems = write_format(name, map(Board, drawn))
    assert problems == []
    assert raw == b"".join(raw_of(name, layout) for layout in drawn)
    back = read_format(name, raw)
    assert back.problems == []
    assert [board.layout for board in back.boards] == drawn
    if name in ("deal12", "deal13", "layout20", "zbs"):
        assert [isinstance(b.layout, Deal) for b in back.boards] == [x.is_deal for x in drawn]
    assert write_format(name, back.boards).data == raw


REASONS = {
    "deal12": "numbering 'deal' holds deals of 13 cards in each hand; here N holds",
    "balanced14": "numbering 'balanced' holds",
    "legal14": "numbering 'legal' holds",
    "deal13": "a deal has 13 cards in each hand; here N holds",
}
FOULED_REASONS = REASONS | {"ending15": "at most 13 cards"}
THREE = [
    Board.make(Deal.from_pbn(DEAL), number=1),
    Board.make(None, number=2),
    Board.make(Layout.from_pbn(ENDING), number=3),
    Board.make(Layout.from_pbn(FOULED), number=4),
    Board.make(Deal.from_pbn(OTHER), number=5),
]


@pytest.mark.parametrize("name", CARDS)
def test_boards_that_do_not_fit_are_problems_and_the_others_are_written(name: str) -> None:
    problems: list[Problem] = []
    stream = io.BytesIO()
    written = format_of(name).write(THREE, stream, Context("in.pbn", problems.append))
    data = stream.getvalue()
    assert len(data) == written * BOARD_SIZES[name]
    found = {problem.board: problem for problem in problems}
    expected = {"3": REASONS.get(name), "4": FOULED_REASONS.get(name)}
    assert list(found) == [board for board, reason in expected.items() if reason]
    for board, problem in found.items():
        assert (expected[str(board)] or "") in problem.reason
        assert problem.reason.endswith(f": '{ENDING if board == '3' else FOULED}'")
        assert str(problem).startswith(f"in.pbn: board {board}: ")
        assert "\n" not in str(problem)
    kept = [board.layout for board in THREE if board.layout and str(board.number) not in found]
    assert data == b"".join(raw_of(name, layout) for layout in kept)


SOLVED = [
    Board.make(Deal.from_pbn(DEAL), number=1, tricks=TABLE, tags={"Event": "Club"}),
    Board.make(Deal.from_pbn(OTHER), number=2, tricks=TrickTable(bytes([7] * 20))),
]
PLAIN = Board.make(Deal.from_pbn(DEAL), number=3)
DIGITS = Board.make(
    Deal.from_pbn(DEAL), number=4, tags={"DoubleDummyTricks": "0123456789abcd765432"}
)
SOLVED_ENDING = Board.make(Layout.from_pbn(ENDING), number=5, tricks=TABLE)


def test_boards_without_tricks_are_problems_of_zrd_and_zdd() -> None:
    for name, value in (("zrd", pav.SolvedDeal(Deal.from_pbn(DEAL), TABLE)), ("zdd", TABLE)):
        raw, _ = write_format(name, read_text(write_bytes([DIGITS])).boards)
        assert raw == by_hand(name, value)
        assert read_format(name, raw).board.tricks == DIGITS.tricks == TABLE
    boards = [SOLVED[0], PLAIN, SOLVED_ENDING, SOLVED[1]]
    raw, problems = write_format("zrd", boards)
    assert [problem.board for problem in problems] == ["3", "5"]
    assert "there are no double-dummy tricks" in problems[0].reason
    assert "a deal has 13 cards in each hand; here N holds 3" in problems[1].reason
    assert raw == write_format("zrd", SOLVED).data
    raw, problems = write_format("zdd", boards)
    assert [problem.board for problem in problems] == ["3"]
    assert len(raw) == 30
    assert write_format("zrd", [Board.make(None, tricks=TABLE)]) == (b"", [])
    _, (problem,) = write_format("zdd", [Board.make(None, number=9)])
    assert str(problem).startswith("in.pbn: board 9: there are no double-dummy tricks")


BROKEN = {
    "19 of 20 contracts": ("N NT 7",) * 1 + tuple(f"N {s} 7" for s in "SHDC") + tuple(
        f"{seat} {strain} 7" for seat in "ESW" for strain in ("NT", "S", "H", "D", "C"))[1:],
    "0 to 13 tricks": ("N NT 14",),
    "no seat is called 'X'": ("X NT 7",),
}  # fmt: skip


@pytest.mark.parametrize(("reason", "rows"), BROKEN.items())
def test_tricks_that_cannot_be_read_are_a_problem_with_the_board(
    reason: str, rows: tuple[str, ...]
) -> None:
    tag = Tag("OptimumResultTable", r"Declarer;Denomination\2R;Result\2R", rows)
    broken = Board(Deal.from_pbn(DEAL), (Tag("Board", "7"), tag), line=12)
    for name in ("zrd", "zdd"):
        raw, (problem,) = write_format(name, [SOLVED[0], broken, SOLVED[1]])
        assert raw == write_format(name, SOLVED).data
        assert str(problem).startswith("in.pbn:12: board 7: ")
        assert reason in problem.reason
        assert problem.reason.endswith(f": '{DEAL}'")


def test_the_spare_bits_of_base5_are_a_tag() -> None:
    number = numbering("base5").rank(Layout.from_pbn(ENDING))
    for spare in (0, 1, 64, 127):
        raw = by_hand("base5-16", Base5Number(number, spare))
        board = read_format("base5-16", raw).board
        assert board.layout == Layout.from_pbn(ENDING)
        assert dict(board.tags) == ({"Spare": str(spare)} if spare else {})
        through = read_text(write_bytes([board])).boards
        assert write_format("base5-16", through) == (raw, [])
    good = Board.make(Layout.from_pbn(ENDING), number=9, tags={"Spare": "007"})
    for text in ("128", "-1", "1000", "x", "", "1.0", "٣", " 5"):
        bad = Board.make(Layout.from_pbn(ENDING), number=8, tags={"Spare": text})
        raw, (problem,) = write_format("base5-16", [bad, good])
        assert problem.board == "8"
        assert "127" in problem.reason
        assert text in problem.reason
        assert raw[15] >> 1 == 7


def test_records_of_numbers_need_a_numbering() -> None:
    for name in ("deal12", "base5-16"):
        format_ = RECORD_FORMATS[name]
        with pytest.raises(pav.PavError, match="need a numbering"):
            list(format_.read(io.BytesIO(bytes(BOARD_SIZES[name])), Context("x")))


def test_the_numbering_of_a_format_is_its_own() -> None:
    for name in ("deal12", "balanced14", "ending15", "legal14", "base5-16"):
        raw = write_format(name, [Board(Deal.from_pbn(DEAL))]).data
        (board,) = read(io.BytesIO(raw), format=name, numbering="andrews")
        assert board.layout == Deal.from_pbn(DEAL)
        stream = io.BytesIO()
        pav.write([Deal.from_pbn(DEAL)], stream, format=name, numbering="andrews")
        assert stream.getvalue() == raw


every_format = pytest.mark.parametrize("name", RECORD_FORMATS)


def good(name: str) -> bytes:
    """The records of three boards."""
    data, problems = write_format(name, [*SOLVED, SOLVED[0]])
    assert problems == []
    return data


def facts(reading: Reading) -> list[tuple[Layout | None, TrickTable | None]]:
    """What boards hold."""
    return [(board.layout, board.tricks) for board in reading.boards]


@every_format
def test_a_file_that_is_cut_off_gives_the_whole_records(name: str) -> None:
    size, data = BOARD_SIZES[name], good(name)
    whole = facts(read_format(name, data))
    for length in (1, size - 1, size + 1, 3 * size - 1):
        reading = read_format(name, data[:length])
        count, rest = divmod(length, size)
        assert facts(reading) == whole[:count]
        assert reading.problem.line is None
        assert str(reading.problem) == (
            f"in.{name}: {name} record {count} at byte {count * size}: "
            f"the file ends after {rest} of {size} bytes"
        )


WHY = {
    "deal12": (b"\xff" * 12, "numbers are 0 to 53644737765488792839237439999, not 7922816"),
    "balanced14": (bytes(13) + b"\x80", "bit 111 must be 0"),
    "ending15": (b"\xff" * 15, "numbers are 0 to 1068380067768858063542620835042803324, not 1329"),
    "legal14": (bytes(13) + b"\x08", "bits 107 to 111 must be 0"),
    "base5-16": (b"\xff" * 16, "numbers are 0 to 2220446049250313080847263336181640624, not 2658"),
    "deal13": (b"\xff" * 13, "a deal has 13 cards in each hand; here N holds 0, E 0, S 0, W 52"),
    "layout20": (b"\x05" + bytes(19), "card SA has owner 5, expected 0 to 4"),
    "zrd": (bytes(23), "a deal has 13 cards in each hand; here N holds 0, E 0, S 0, W 52"),
    "zdd": (b"\x0e" + bytes(9), "W in NT takes 14 tricks, expected 0 to 13"),
    "gib-library": (b"\x04" + bytes(25), "bits 2 to 7, 34 to 39, 66 to 71, 98 to 103 must be 0"),
}


@every_format
def test_a_record_that_is_none_is_one_problem_and_those_around_it_are_kept(name: str) -> None:
    (bad, reason), size, data = WHY[name], BOARD_SIZES[name], good(name)
    whole = facts(read_format(name, data))
    for place in range(3):
        damaged = data[: place * size] + bad + data[(place + 1) * size :]
        reading = read_format(name, damaged)
        assert facts(reading) == whole[:place] + whole[place + 1 :]
        where = f"in.{name}: {name} record {place} at byte {place * size}: "
        assert str(reading.problem).startswith(where + reason)
