"""The public files of the corpus: two ways of telling the tricks of a board agree.

Set PAVCODEC_CORPUS to the folder to run this; the files themselves are not in the repository.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from formats_support import corpus_pbn_files, read_text

from pavcodec import Board, PavError, TrickTable
from pavcodec.boards.tricks import (
    RESULT_TABLE,
    TRICK_DIGITS,
    find_tricks,
    parse_result_table,
    parse_trick_digits,
)

NAMES = (RESULT_TABLE.encode(), TRICK_DIGITS.encode())


@cache
def solved_boards() -> list[tuple[str, Board]]:
    """The boards of the corpus that tell their tricks, with the names of their files."""
    return list(_solved_boards())


def _solved_boards() -> Iterator[tuple[str, Board]]:
    for path in corpus_pbn_files():
        data = path.read_bytes()
        if any(name in data for name in NAMES):
            for board in read_text(data).boards:
                if board.sections.get(RESULT_TABLE) or board.tags.get(TRICK_DIGITS):
                    yield path.name, board


def table_of(board: Board) -> TrickTable | None:
    """The tricks of the table alone; None where it is not complete."""
    try:
        return parse_result_table(board.tags[RESULT_TABLE], board.sections[RESULT_TABLE])
    except PavError:
        return None


@pytest.mark.slow
def test_both_tags_agree_on_every_board_that_has_both() -> None:
    both = [
        (name, board)
        for name, board in solved_boards()
        if board.sections.get(RESULT_TABLE) and board.tags.get(TRICK_DIGITS)
    ]
    tables = [(name, table_of(board), board) for name, board in both]
    assert len(both) == 409
    incomplete = [(name, board.number) for name, table, board in tables if table is None]
    assert len(incomplete) == 2
    assert sorted(number for _, number in incomplete if number) == [11, 17]
    assert all(name.endswith("endplay__examples__pbn_files__sample.pbn") for name, _ in incomplete)
    for name, table, board in tables:
        if table is not None:
            assert table == parse_trick_digits(board.tags[TRICK_DIGITS]), (name, board.number)
            assert table == board.tricks


def test_every_other_board_is_complete() -> None:
    boards = solved_boards()
    assert len(boards) == 426
    assert sum(board.tricks is None for _, board in boards) == 2
    for _, board in boards:
        if board.tricks is not None:
            assert find_tricks(board.tags, board.sections) == board.tricks


def by_loose_reading(lines: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """The numbers of a table by the plainest reading there is."""
    rows = [line.split() for line in lines if line.strip()]
    return {(row[0], row[1]): int(row[2]) for row in rows}


def test_the_tables_say_what_a_plain_reading_says() -> None:
    compared = 0
    for _, board in solved_boards():
        table = board.tricks
        if table is None or not board.sections.get(RESULT_TABLE):
            continue
        rows = by_loose_reading(board.sections[RESULT_TABLE])
        assert len(rows) == 20
        assert all(table[contract] == taken for contract, taken in rows.items())
        compared += 1
    assert compared == 424
