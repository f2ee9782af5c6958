"""Owners are those of the boards that the slow readers give, with the same problems."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from random import Random
from typing import BinaryIO, NamedTuple, TypeAlias, cast
from unittest.mock import patch

import numpy as np
import pytest
from formats_support import (
    DEAL,
    ENDING,
    FOULED,
    NUMBER,
    OTHER,
    PBN_LINES,
    Dribble,
    census,
    corpus_pbn_files,
    owners_read,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import BoardBatch, More, Wanted
from pavcodec.boards.board import Ranks
from pavcodec.formats import format_names, format_of
from pavcodec.formats.arrays import read_rows
from pavcodec.formats.pbn import reader as pbn_games
from pavcodec.formats.pbn.batches import read_games
from pavcodec.formats.plain import batches as batch_readers
from pavcodec.formats.plain.batches import read_deals, read_decimals

DEALS = pav.numbering("deal")
QUICK = [name for name in format_names() if format_of(name).arrays is not None]
RECORDS = [name for name in QUICK if name in pav.record_names()]


class Facts(NamedTuple):
    """What a reader found."""

    owners: list[bytes]
    problems: list[Problem]
    left_out: int
    error: str


Source: TypeAlias = bytes | Callable[[], BinaryIO]


def facts(name: str, data: Source, *, quickly: bool, strict: bool, numbering: Ranks) -> Facts:
    """Read owners the quick way, or boards the slow way; strict reading stops at a problem."""
    found = Facts([], [], 0, "")
    left_out, error = 0, ""

    def report(problem: Problem) -> None:
        found.problems.append(problem)
        if strict:
            raise pav.ReadError(str(problem))

    context = Context("x", report, strict, numbering)
    try:
        if quickly:
            for part in read_rows(format_of(name), opened(data), context):
                assert part.owners.dtype == np.uint8
                assert part.owners.shape[1] == 52
                found.owners.extend(map(bytes, part.owners))
                left_out += part.without_cards
        else:
            for board in format_of(name).read(opened(data), context):
                left_out += board.layout is None
                found.owners.extend([] if board.layout is None else [board.layout.owners])
    except pav.ReadError as stopped:
        error = str(stopped)
    return found._replace(left_out=left_out, error=error)


def assert_the_same(
    name: str, data: Source, *, strict: bool = False, numbering: Ranks = DEALS
) -> Facts:
    """Check that both ways find the same, and return it."""
    slow, quick = (
        facts(name, data, quickly=quickly, strict=strict, numbering=numbering)
        for quickly in (False, True)
    )
    assert quick == slow
    seen: list[BoardBatch] = []
    known = census(name, opened(data), Wanted.BOARDS, strict=strict, numbering=numbering, seen=seen)
    counted = census(name, opened(data), Wanted.CHECKED, strict=strict, numbering=numbering)
    assert counted == known
    if not strict:
        context = Context("x", lambda _: None, numbering=numbering)
        on_demand = format_of(name).read_batches(opened(data), context, Wanted.CARDS)
        assert boards_with_cards(on_demand) == boards_with_cards(seen)
    return quick


def boards_with_cards(batches: Iterable[BoardBatch]) -> list[tuple[object, ...]]:
    """Make the boards of batches on demand, the last first."""
    found: list[pav.Board] = []
    for batch in batches:
        rows = range(len(batch))
        made = reversed([batch.board(row) for row in reversed(rows)])
        found += [board for board in made if board.layout is not None]
        names = {tag.name for board in batch for tag in board.entries}
        if batch.holds is not More.ANYTHING:
            assert names.isdisjoint({"SuitLayout", "DoubleDummyTricks", "Ability"})
            assert batch.tricks is not None or "OptimumResultTable" not in names
        if batch.holds is More.NOTHING:
            assert names <= {"Deal", "OptimumResultTable"}
    facts = [(board.layout, board.line, board.entries) for board in found]
    # a comment at the end of a file belongs to the last board
    return [*facts[:-1], *(last[:2] for last in facts[-1:])]


def opened(data: Source) -> BinaryIO:
    """Return a stream of bytes, or the one that a function makes."""
    return cast("BinaryIO", io.BytesIO(data)) if isinstance(data, bytes) else data()


def dribbled(data: bytes, portion: int) -> Callable[[], BinaryIO]:
    """Return a stream that gives some bytes at a time, as often as it is asked for."""
    return lambda: cast("BinaryIO", Dribble(data, portion))


@contextmanager
def small_blocks(rows: int) -> Iterator[None]:
    """Hand on few rows at a time, and let a file begin with a small block."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(batch_readers, "_AT_ONCE", rows))
        stack.enter_context(patch.object(pbn_games, "_SNIFFED", 1))
        yield


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


PIECES = [
    b"{", b"}", b'"', b"\\", b"[", b"]", b";", b"%", b"\n", b"\r", b"\n\n", b"\r\n", b"\x1a", b"#",
    b"##", b" ", b"\t", b".", b"-", b"A", b"AK", b"?", b"\xe9", b"\xc3\xa9", b"\x85", b"\x0b",
    b'[Deal "', b"N:", b'"]\n', b"\x00", b"<PBN>\n", b"\xff\xfe", b"",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, whole: bytes) -> bytes:
    """Draw a file with some places changed, dropped, doubled or put in."""
    data = bytearray(whole)
    del data[draw(st.just(len(data)) | st.integers(0, len(data))) :]
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(data)))
        stop = start + draw(st.integers(0, 6))
        piece = draw(st.sampled_from([*PIECES, bytes(data[start:stop]) * 2]))
        data[start:stop] = piece
    return bytes(data)


WHOLE = "\n".join([GAME, OTHER_GAME, GAME, BAD, OTHER_GAME, GAME]).encode()
ALL = "\n".join(["% PBN 2.1\n", GAME, *STATES, "\n\n", BAD, GAME, OTHER_GAME]).encode()
PBN = st.sampled_from([WHOLE, WHOLE.replace(b"\n", b"\r\n"), ALL, ALL.replace(b"\n", b"\r\n")])


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(PBN.flatmap(mutated), st.booleans(), st.integers(9, 300), st.integers(1, 4))
def test_mutated_files(data: bytes, strict: bool, portion: int, rows: int) -> None:
    with small_blocks(rows):
        assert_the_same("pbn", dribbled(data, portion), strict=strict)


@pytest.mark.slow
def test_every_file_of_the_corpus() -> None:
    for path in corpus_pbn_files():
        with small_blocks(5):
            assert_the_same("pbn", dribbled(path.read_bytes(), 1000))


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
        assert len(assert_the_same("pbn", dribbled(text, 700)).owners) == 5


_LIN = (
    "qx|o1,BOARD 1|pn|a,b,c,d|st||md|3SQJ643HQT5DK43C74,SKT85H2DJT9CQJ853,SAHKJ93DQ765CT962,"
    "S972HA8764DA82CAK|rh||ah|Board 1|sv|o|pg||"
)
LIN_BOARDS = [
    _LIN, _LIN.replace(",S972HA8764DA82CAK", ""), _LIN.replace("S972HA8764DA82CAK", ""),
    "md|SAKQJT98765432HDC,SHAKQJT98765432DC,SHDAKQJT98765432C|pg||", _LIN.replace("sv|o|", ""),
    _LIN.replace("pn|a,b,c,d|", ""), _LIN.replace("c,d|", "c,dpg|"), _LIN.replace("sv|o", "sv|B"),
    _LIN.replace("pg||", "mb|p|mb|p|mb|p|mb|p|pg||"), _LIN.replace("C74", "C7"), "nt|x|pg||",
    _LIN.replace("sv|o|", "sv|z|"), _LIN.replace("AK|", "AK,|"), f"vg|A,B,IMP|rs|x|pg||{_LIN}",
    "pn|n,e,w,s|pg||", "junk", "qx|o2|pn|,,,|st||", _LIN.lower(), "mb|p|", "st||rh||", "pc|SA|",
]  # fmt: skip
LIN_PIECES = [
    b"|", b"pg|", b"vg|", b"md|", b"mb|1C|", b"\n", b"\r\n", b",", b"A", b"\xe9", b"", b" ",
]  # fmt: skip


@pytest.mark.slow
def test_plain_boards_of_lin_among_others() -> None:
    random = Random(7)
    for _ in range(80):
        ends = random.choice(["\n", "\r\n", "", "\n\n"])
        plain = random.choices(LIN_BOARDS[:5], k=random.randrange(4))
        boards = [*plain, *random.choices(LIN_BOARDS, k=random.randrange(6)), *plain]
        data = bytearray("".join(board + ends for board in boards).encode())
        for _ in range(random.choice([0, 0, 1, 3])):
            start = random.randrange(len(data) + 1)
            data[start : start + random.randrange(4)] = random.choice(LIN_PIECES)
        with small_blocks(random.choice([1, 3, 100])):
            strict, portion = random.random() < 0.3, random.choice([7, 100, 5000])
            assert_the_same("lin", dribbled(bytes(data), portion), strict=strict)


LAYOUTS = [DEAL, OTHER, ENDING, FOULED, "N:- - - -", "W:AKQJT98765432... - - -"]
LINES = [
    *LAYOUTS, DEAL.lower(), f" {DEAL}", f"{DEAL} ", f"{DEAL}\r", "", " ", "# remark", "#", "N:",
    "N", "E:KA... - - -", "N:A... A... - -", "N:AA... - - -", "N:... ... ... ...", "N:-. - - -",
    "N:A.. - -", "N:A... - - - -", "N:A....  - - -", "X:- - - -", "N:10... - - -", "é", "\xa0",
    "\ufeffN:- - - -", DEAL.replace("A", "\x01"), DEAL[:-1], f"{DEAL}2", DEAL.replace(" ", "  "),
    DEAL.replace(".", "-"), DEAL.replace("KJ93.", "KJ9.3"), DEAL.replace(" ", "."), "S:" + DEAL[2:],
    "N:AKQJT98765432.A. .KQJT98765432... ..AKQJT98765432. ...AKQJT98765432",
    DEAL.replace("2", "3"), DEAL.replace("A.K", "-.K"), DEAL.replace("972.A8764", "9.72A8764"),
]  # fmt: skip
NUMBERS = [
    "0", "7", "007", str(NUMBER), f"{NUMBER:,}", hex(NUMBER), "0XfF", "-1", "+5", "1,000", "1,00",
    str(DEALS.last), str(DEALS.last + 1), str(2**64), str(2**64 - 1), str(10**19), str(10**19 - 1),
    str(10**38 - 1), str(10**38), str(2**128), str(10**19 * 2**64 + 7), "0" * 37 + "5",
    "0" * 60 + "5", " 5 ", "5 6", "5.0", "٣", "", "# 5", "5\r", "\x015", "9" * 300, "1e5", "5\t",
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
@pytest.mark.parametrize("name", OF_LINES)
def test_blocks_of_lines(name: str) -> None:
    text = "\n".join(line for line in OF_LINES[name] * 2 if "\x01" not in line).encode()
    for data in (text, text.replace(b"\n", b"\r\n") + b"\n"):
        for rows, portion in ((1, 1), (3, 2), (1, 7), (3, 64), (1000, 1000)):
            with small_blocks(rows):
                assert len(assert_the_same(name, dribbled(data, portion)).owners) > 10


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
@pytest.mark.parametrize("name", RECORDS)
def test_records_and_bytes_that_are_none(name: str) -> None:
    size = pav.record(name).size
    out, tricks = io.BytesIO(), pav.TrickTable(bytes(range(13)) + bytes(7))
    boards = [pav.Board.make(deal, tricks=tricks) for deal in DEALS.sample(5, seed=7)]
    format_of(name).write(boards, out, Context("x"))
    good = out.getvalue()
    zero, ones, high = bytes(size), b"\xff" * size, bytes(size - 1) + b"\x80"
    for data in (
        good[:-1], zero + good, good + ones, ones + good + ones + good, good + high + good,
        ones * 3 + b"\x01", good + b"\x01" * (size - 1), Random(7).randbytes(100),
    ):  # fmt: skip
        found = assert_the_same(name, dribbled(data, 7))
        assert found.owners or found.problems
    assert_the_same(name, ones + good, strict=True)


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


@pytest.mark.slow
def test_every_text_of_a_toy_deck_of_cards() -> None:
    """All texts of four short hands, right or wrong, against the definition."""
    hands = ["-", "A...", ".A..", "K.K..", "...", "AK...", "A..A.2", "A", "..A", "A....", "--", ""]
    for place, (two, three) in enumerate(product(hands, hands)):
        text = f"{'NESWn'[place % 5]}:{two} {three} ...2 -\n".encode()
        assert_the_same("lines", text)
        assert_the_same("pbn", b'\n[Deal "' + text[:-1] + b'"]\n\n' + GAME.encode())


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
