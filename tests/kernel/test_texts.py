"""Readers and writers of texts in the kernel and by their definitions; some texts are damaged."""

from __future__ import annotations

from io import BytesIO
from itertools import product
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from oracles import limbs

import pavcodec as pav
from pavcodec import kernel
from pavcodec.kernel import reference

BOTH = kernel, reference
GAME = (
    '[Event "x"]\n[Board "{0}"]\n[Dealer "N"]\r\n[Vulnerable "{1}"]\n[Deal "{2}"]\n[Auction "N"]\n'
    "1C Pass\n{3}\n"
)
PIECES = [*'\n\r"[]{};%# \t.-?\\A2:0', '"]\n', "\n\n", "\r\n", "N:", '[Deal "', "[Dealer", "\x7f"]
PIECES += ["", '[Deal "?"]\n', '[Deal ""]\n', '[Vulnerable "Nonee"]\n', '[T_9 ""]\n']
PIECES += ['[Result "##"]\n']
PIECES_OF_LIN = ["pg|", "vg|", "md|", "sv|x|", "mb|p|", "AK", "\x7f", "é", "", *"|,\nS5"]
NUMBERS = [10**k + step for k in range(39) for step in (-1, 0, 1)] + [2**128 - 1, 2**64, 0]


def owners_of(random: Random, cards: int) -> np.ndarray:
    """Give some cards to seats, 13 at most to each."""
    owners = np.full(52, 4, np.uint8)
    seats = [seat for seat in range(4) for _ in range(13)]
    random.shuffle(seats)
    owners[random.sample(range(52), cards)] = seats[:cards]
    return owners


def some_deals(count: int) -> list[str]:
    random, texts = Random(7), []
    for _ in range(count):
        owners = owners_of(random, random.choice([52, 52, 51, 8, 0])).tobytes()
        text = pav.Layout(owners).to_pbn(random.randrange(4))
        texts.append(text.replace(" -", " ...", random.randrange(3)))
    return texts


def damaged(text: str, random: Random, pieces: list[str] = PIECES) -> bytes:
    """Change a text at some places."""
    for _ in range(random.randrange(4)):
        begin = random.randrange(len(text) + 1)
        text = text[:begin] + random.choice(pieces) + text[begin + random.randrange(3) :]
    return text.encode("latin-1")


def read(which: ModuleType, name: str, text: bytes, begin: int, rows: int, *first: Any) -> Any:
    """Return the rows of a reader, and all positions."""
    size, kind = (2, np.uint64) if name == "read_numbers" else (52, np.uint8)
    found = np.zeros((rows, size), kind)
    at = np.full(4, begin, np.int64)
    given = text if which is kernel else np.frombuffer(text, np.uint8)
    count = getattr(which, name)(given, len(text), *first, rows, found, at)
    return found[:count].tolist(), at[: {"read_games": 4, "read_lin": 2}.get(name, 1)].tolist()


def assert_the_same(name: str, text: bytes, rows: int, *first: Any) -> int:
    """Check that both read the same, from one stop to the next; return how many rows."""
    begin = total = 0
    while True:
        found, at = read(kernel, name, text, begin, rows, *first)
        assert (found, at) == read(reference, name, text, begin, rows, *first)
        total += len(found)
        begin = at[0] if len(found) == rows > 0 else text.find(b"\n", at[0]) + 1
        if not begin:
            return total


@pytest.mark.slow
def test_deal_texts() -> None:
    random, lines = Random(1), some_deals(100)
    for end in ("\n", "\r\n"):
        assert assert_the_same("read_deals", end.join([*lines, ""]).encode(), 70) == 100
    for _ in range(100):
        few = "\n".join([*random.sample(lines, 3), ""])
        assert_the_same("read_deals", damaged(few, random), random.randrange(4))
    text = f"{lines[0]}\n".encode()
    for place in range(len(text) + 1):
        assert_the_same("read_deals", text[:place], 1)
        for byte in b"\x00\n\r -.:;2AKNWan\xff":
            assert_the_same("read_deals", text[:place] + bytes([byte]) + text[place + 1 :], 1)


@pytest.mark.slow
def test_numbers() -> None:
    random = Random(1)
    lines = [f"{'0' * (number % 3)}{number}" for number in NUMBERS]
    for least, most in [(0, 2**128 - 1), (1, 2**64), (2**64 - 1, 10**38), (10**19, 10**19)]:
        given = limbs([least])[0], limbs([most])[0]
        assert assert_the_same("read_numbers", "\n".join([*lines, ""]).encode(), 50, *given) > 0
        for _ in range(50):
            few = "\n".join([*random.sample(lines, 3), ""])
            text = damaged(few, random)
            assert_the_same("read_numbers", text, random.randrange(4), *given)


PLAIN = "pn|Bing,,Ping,Dov|st||md|{},|rh||ah|Board 9|sv|b|pg||\n"


@pytest.mark.slow
def test_plain_boards_of_lin() -> None:
    """`tests/formats/plain/test_batch_readers.py` has boards of all kinds."""
    random, stream = Random(3), BytesIO()
    pav.write(map(pav.Board.make, pav.numbering("deal").sample(60, seed=3)), stream, format="lin")
    *boards, _ = stream.getvalue().decode().split("pg||\n")
    boards = [f"{board}pg||\n" for board in boards]
    boards += [PLAIN.format(board.partition("md|")[2].partition("|")[0]) for board in boards[:9]]
    assert assert_the_same("read_lin", "".join(boards).encode(), 30) > 50
    for _ in range(250):
        text = damaged("".join(random.sample(boards, 3)), random, PIECES_OF_LIN)
        assert_the_same("read_lin", text, random.randrange(4))
    for size in range(len(boards[-1]) + 1):
        assert_the_same("read_lin", boards[-1][:size].encode(), 1)


def some_games(random: Random, count: int) -> str:
    lines, words = some_deals(count), ("None", "Love", "-", "NS", "EW", "All", "Both", "?", "")
    blanks = ("", "\n", " \t\n\r\n")
    return "".join(
        GAME.format(place % 3, random.choice(words), deal, random.choice(blanks))
        for place, deal in enumerate(lines)
    )


@pytest.mark.slow
def test_plain_games() -> None:
    random = Random(3)
    text = some_games(random, 100)
    assert assert_the_same("read_games", text.encode(), 30) == 100
    text = f"{text.rstrip()}\n"
    assert assert_the_same("read_games", text.encode(), 30) == 99, "the end of a text ends no game"
    for _ in range(150):
        text = damaged(some_games(random, 3), random).decode("latin-1")
        assert_the_same("read_games", text.encode("latin-1"), random.randrange(4))


@pytest.mark.parametrize("lines", [31, 32, 33, 1023, 1024, 1025])
def test_long_games_and_those_that_come_again(lines: int) -> None:
    many = "".join(f'[Tag{number:04} "x"]\n' for number in range(lines))
    for last in ("1C\n", "", "{\n", '[Deal "?"]\n[Deal "?"]\n'):
        text = f'{many}1C\n\n{many}{last}\n[Deal "N:- - - -"]\n\n{many}\n{many}'
        for begin in (0, text.index("\n\n") + 2, len(many)):
            found = [read(which, "read_games", text.encode(), begin, 9) for which in BOTH]
            assert found[0] == found[1]


@pytest.mark.slow
def test_hands() -> None:
    hands = ["-", "A...", ".A..", "AK...", "...", "A..A.2", "A", "..A", "A....", "--", "", "KA..."]
    for some in product([*hands, "AA..."], repeat=2):
        data = "".join(some).encode()
        ends = np.cumsum([0, *map(len, some)], dtype=np.int32)
        wrong = [ends + step for step in (-1, 1, 2**31 - 1)] + [ends[::-1].copy()]
        for offsets, used in product([ends, *wrong], (4, 3)):
            found = []
            for which in BOTH:
                owners = np.full((2, 52), 4, np.uint8)
                owners[:, 13] = used
                text = np.frombuffer(data, np.uint8)
                bad = which.read_hands(text, len(data), offsets, 1, 2, owners)
                found.append((bad, owners[: 2 if bad < 0 else bad].tolist()))
            assert found[0] == found[1]


def written(which: ModuleType, name: str, *given: Any, size: int, ends: Any = None) -> Any:
    """Return the rows of a writer, their text and their ends; nothing after `size` changes."""
    text = np.full(size + 100, 255, np.uint8)
    end = np.zeros(1, np.int64) if ends is None else ends.copy()
    rows = getattr(which, name)(*given, size, text, end)
    assert (text[size:] == 255).all()
    last = int(end[0 if ends is None else rows])
    return rows, text[:last].tobytes(), [] if ends is None else end[: rows + 1].tolist()


def assert_written_the_same(name: str, *given: Any, size: int, ends: Any = None) -> Any:
    found = written(kernel, name, *given, size=size, ends=ends)
    assert found == written(reference, name, *given, size=size, ends=ends)
    return found


@pytest.mark.parametrize("most", [0, 13, 52])
@pytest.mark.parametrize("classes", [1, 3])
def test_boards(most: int, classes: int) -> None:
    random = Random(5)
    owners = np.stack([owners_of(random, random.choice([52, 20, 3, 0])) for _ in range(40)])
    owners[30] = 2
    owners[35, 4] = 5
    numbers = limbs(10**k % 2**128 for k in range(40))
    literals = np.frombuffer(bytes(range(33, 33 + 4 * classes * 3)), np.uint8)
    cuts = np.array([[12 * k + cut for cut in (0, 1, 1, 7, 12)] for k in range(classes)])
    some = ([[20, 19, 21], [3, 16, 4], [15, 20, 18]], [[8, 7, 20], [13, 1, 2], [17, 21, 20]])
    for first, fields, least, size in product((1, 95, 10**18), some, (0, 1), (0, 300, 9000)):
        for skipped in (0, 31, 36):
            given = owners[skipped:], numbers[skipped:], first, least, most
            names = np.array(fields[:classes], np.uint8)
            kinds = classes, classes - 1, 3, names, literals, cuts
            rows, *_ = assert_written_the_same(
                "write_boards", len(owners) - skipped, *given, *kinds, size=size
            )
            first_bad = 30 if most < 52 and not skipped else 35
            assert rows <= (first_bad - skipped if skipped < 36 else 4)


@pytest.mark.slow
def test_every_holding() -> None:
    holdings = np.stack([np.roll(np.arange(1 << 13, dtype=np.uint16), 99 * k) for k in range(4)])
    ends = np.zeros((1 << 13) + 1, np.int32)
    for size in (0, 63, 64, 5000, 1 << 18):
        rows, *_ = assert_written_the_same("write_hands", 1 << 13, holdings, size=size, ends=ends)
    assert rows == 1 << 13
    nothing = np.zeros((4, 3), np.uint16)
    assert assert_written_the_same("write_hands", 3, nothing, size=99, ends=ends)[1] == b"---"


def test_decimals() -> None:
    numbers = [*NUMBERS, *(Random(7).getrandbits(bits) for bits in range(129))]
    for size in (0, 47, 48, 1000, 20_000):
        found = assert_written_the_same("write_numbers", len(numbers), limbs(numbers), size=size)
    assert found[1] == b"".join(b"%d\n" % number for number in numbers)
