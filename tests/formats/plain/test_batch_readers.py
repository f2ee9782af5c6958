"""Owners are those of the boards that the slow readers give, with the same problems.

So are those of damaged files, as the tests of all formats find out.
"""

from __future__ import annotations

import io
from typing import cast

import numpy as np
import pytest
from batches_support import DEALS, assert_the_same, small_blocks
from formats_support import (
    DEAL,
    ENDING,
    FOULED,
    NUMBER,
    OTHER,
    PBN_LINES,
    corpus_pbn_files,
    owners_read,
)

import pavcodec as pav
from pavcodec.boards import Context
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.board import Ranks
from pavcodec.formats import format_names, format_of
from pavcodec.formats.pbn.batches import read_games
from pavcodec.formats.plain.batches import read_deals, read_decimals

QUICK = [name for name in format_names() if format_of(name).arrays is not None]


GAME = f'[Event "x"]\n[Board "1"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1C Pass\n'
OTHER_GAME = f'[Event "y"]\n[Deal "{OTHER}"]\n'
BAD = '[Board "7"]\n[Deal "N:AX... - - -"]\n'
STATES = [
    '[Site "##Club"]\n', '[Site "#"]\n', "; a comment by itself\n", "{a comment\n\nthat ends}\n",
    "{a comment that does not end\n", BAD, '[Deal "?"]\n', '[Deal ""]\n[Board "3"]\n', "junk\n",
    '[Site "y"]\n[Event "#"]\n', f"{GAME}[Event \"x\"]\n{OTHER_GAME}", '[Site "a { b"]\n', "%x\n",
    '[Site "a } b"]\n[Room "{;}%"]\n', f"{GAME}%{{\n", f"{GAME} %x\n%y\n", f"{GAME}%x\n",
    f'[Deal "{DEAL.lower()}"]\n', f'[Deal "{ENDING}"]\n', f'[Deal "{FOULED}"]\n', "\n \t\n", "1C\n",
    f'{GAME}[Deal "{OTHER}"]\n', '[Deal "?"]\n[Deal "?"]\n', '[Event "##"]\n', " [Event \"x\"]\n",
    "% PBN (c) 2021 rpbridge.net\n",
]  # fmt: skip


@pytest.mark.slow
def test_whatever_stands_between_plain_games() -> None:
    for place, state in enumerate(STATES):
        end = ("\n", "\r\n", "\r")[place % 3]
        for after in ("", state, STATES[place - 1], STATES[place - 8]):
            parts = ["% PBN 2.1\n", GAME, OTHER_GAME, state, GAME, after, OTHER_GAME, GAME]
            text = "\n".join(parts).replace("\n", end).encode()
            assert_the_same("pbn", text, strict=after == state)


@pytest.mark.slow
def test_any_line_in_a_plain_game() -> None:
    for place, line in enumerate(PBN_LINES):
        texts = [
            f'\n[Event "x"]\n{line}\n[Deal "{DEAL}"]\n[Auction "N"]\n1C\n\n{GAME}',
            f'{GAME}\n{line}\n[Deal "{DEAL}"]\n{line}\n\n{line}\n[Deal "{DEAL}"]\n{line}\n\n{GAME}',
        ]
        end = ("\n", "\r\n", "\r\r\n")[place % 3]
        for text in texts:
            assert_the_same("pbn", text.replace("\n", end).encode())
        assert_the_same("pbn", texts[0].encode("latin-1", "replace"))


@pytest.mark.slow
def test_every_file_of_the_corpus() -> None:
    for path in corpus_pbn_files():
        with small_blocks(5):
            assert_the_same("pbn", path.read_bytes(), portion=1000)


@pytest.mark.slow
def test_lines_of_long_games_that_come_again() -> None:
    for count in (30, 31, 32, 33, 64, 100):
        tags = "".join(f'[T{number} "{number}"]\n' for number in range(count))
        long = f'{tags}1C Pass\n[Deal "{DEAL}"]\n2C Pass\n'
        faulty = f'1C Pass\n[Deal "{DEAL}"]\n'
        for last in (faulty, long, f"2C Pass\n{GAME}", f"{tags}{GAME}", tags[:-4] + "\n"):
            text = "\n".join([GAME, long, long, last, GAME, GAME]).encode()
            assert_the_same("pbn", text)
    longest = GAME + "1C Pass Pass Pass\n" * 2000
    text = "\n".join([GAME, GAME, longest, GAME, GAME]).encode()
    with small_blocks(2):
        assert len(assert_the_same("pbn", text, portion=700).owners) == 5


LAYOUTS = [DEAL, OTHER, ENDING, FOULED, "N:- - - -", "W:AKQJT98765432... - - -"]
LINES = [
    *LAYOUTS, DEAL.lower(), f" {DEAL}", f"{DEAL} ", f"{DEAL}\r", "", " ", "# remark", "#", "N:",
    "# \x01", "N", "E:KA... - - -", "N:A... A... - -", "N:AA... - - -", "N:... ... ... ...",
    "N:-. - - -", "N:A.. - -", "N:A... - - - -", "N:A....  - - -", "X:- - - -",
    "N:10... - - -", "é", "\xa0",
    "\ufeffN:- - - -", DEAL.replace("A", "\x01"), DEAL[:-1], f"{DEAL}2", DEAL.replace(" ", "  "),
    DEAL.replace(".", "-"), DEAL.replace("KJ93.", "KJ9.3"), DEAL.replace(" ", "."), "S:" + DEAL[2:],
    "N:AKQJT98765432.A. .KQJT98765432... ..AKQJT98765432. ...AKQJT98765432",
    DEAL.replace("2", "3"), DEAL.replace("A.K", "-.K"), DEAL.replace("972.A8764", "9.72A8764"),
]  # fmt: skip
NUMBERS = [
    "0", "7", "007", str(NUMBER), f"{NUMBER:,}", hex(NUMBER), "0XfF", "-1", "+5", "1,000", "1,00",
    str(DEALS.last), str(DEALS.last + 1), str(2**64), str(2**64 - 1), str(10**19), str(10**19 - 1),
    str(10**38 - 1), str(10**38), str(2**128), str(10**19 * 2**64 + 7), "0" * 37 + "5",
    "0" * 60 + "5", " 5 ", "5 6", "5.0", "٣", "", "# 5", "# \x01", "5\r",
    "\x015", "9" * 300, "1e5", "5\t",
]  # fmt: skip


OF_LINES = {"lines": LINES, "numbers": NUMBERS}


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_LINES)
def test_each_line_between_good_ones(name: str) -> None:
    lines = OF_LINES[name]
    for place, line in enumerate(lines):
        for other in (line, lines[place - 1], lines[place - 7]):
            text = "\n".join([*lines[:2], line, lines[0], other, lines[1]])
            assert_the_same(name, text.encode(), strict=other == line)
        assert_the_same(name, "\n".join([*lines[:2], line, lines[0], line, ""]).encode())


@pytest.mark.slow
def test_numbers_of_every_numbering() -> None:
    for place, name in enumerate(pav.numbering_names()):
        ranks = pav.numbering(name, one_based=place % 2 == 0)
        last = ranks.last
        numbers = [0, 1, ranks.first, last, last + 1, last // 3, 2**64, 2**128 - 1]
        text = "\n".join(map(str, [*numbers, "x", *numbers[::-1]])).encode()
        assert len(assert_the_same("numbers", text, numbering=ranks).owners) > 8


def test_numbers_of_a_numbering_without_arrays() -> None:
    class Scalar:
        rank, unrank, index = DEALS.rank, DEALS.unrank, DEALS.index
        __getitem__ = DEALS.__getitem__

    found = assert_the_same("numbers", b"5\nx\n7\n", numbering=cast("Ranks", Scalar()))
    assert len(found.owners) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_what_is_written_is_read_again(name: str) -> None:
    owners = DEALS.sample_many(20_000 if name in ("lines", "deal12") else 200, seed=7)
    out = io.BytesIO()
    context = Context("x", numbering=DEALS)
    batch = BoardBatch(owners, 1, tricks=np.full((len(owners), 20), 7, np.uint8))
    format_of(name).write_batches([batch], out, context)
    out.seek(0)
    chunks = list(owners_read(format_of(name), out, context))
    assert max(map(len, chunks)) <= 1 << 14
    assert np.array_equal(np.concatenate(chunks), owners)


def test_the_loops_stop_where_there_is_no_room() -> None:
    owners, numbers = np.empty((2, 52), np.uint8), np.empty((2, 2), np.uint64)
    text = f"{DEAL}\n".encode() * 3
    assert read_deals(text, 0, owners) == (2, 2 * len(text) // 3)
    assert read_decimals(b"1\n2\n3\n", 0, numbers, least=0, most=9) == (2, 4)
    games = f"{GAME}\n".encode() * 4
    assert read_games(games, 0, owners)[:2] == (2, len(games) // 2)
    for stop in (read_deals(text, 0, owners[:0]), read_games(games, 0, owners[:0])):
        assert stop[:2] == (0, 0)


def csv_text(count: int) -> str:
    out = io.BytesIO()
    batch = BoardBatch(DEALS.sample_many(count, seed=3), 1)
    format_of("csv").write_batches([batch], out, Context("x"))
    return out.getvalue().decode()


@pytest.mark.slow
def test_rows_of_csv() -> None:
    for end in ("\n", "\r\n", "\r"):
        found = assert_the_same("csv", csv_text(40).replace("\n", end).encode())
        assert (len(found.owners), found.problems) == (40, [])
    lines = csv_text(12).splitlines(keepends=True)
    for old, new in (
        ('"5"', '"0"'), ('"5"', '"x"'), ('"5"', '"0000000000000000000005"'), ('"', ""),
        ('","', '" , "'), ("N/-", "N/NS"), ("E/NS", "E/ns"), ("A", "a"), ("A", "K"), ("T", "10"),
        ("2", ""), ("\n", "\n\n"), ("\n", " \n"), ("/", ""),
    ):  # fmt: skip
        for place in (0, 4, 11):
            line = lines[place].replace(old, new)
            assert_the_same("csv", "".join([*lines[:place], line, *lines[place + 1 :]]).encode())
        assert_the_same("csv", "".join(lines).replace(old, new).encode())


def test_a_hand_of_fourteen_cards_in_csv() -> None:
    first, row, last = csv_text(3).splitlines()
    fields = row[1:].split('","')
    place = max(range(4), key=lambda suit: len(fields[suit]))
    fields[place], fields[place + 4] = fields[place][1:], fields[place + 4] + fields[place][0]
    assert_the_same("csv", "\n".join([first, '"' + '","'.join(fields), last]).encode())
