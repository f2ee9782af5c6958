"""Every format reads damaged files, and bytes of any kind, with nothing but problems.

And what reads them quickly finds what the slow way finds.

The files are those that the format itself writes, and those of its suffixes in fixtures/formats.
"""

from __future__ import annotations

import io
from functools import cache
from importlib.util import find_spec
from random import Random

import oracles
import pytest
from batches_support import assert_the_same, small_blocks
from formats_support import DEAL, DEMO, ENDING, NUMBER, OTHER, PBN_LINES, Dribble, read_text
from hypothesis import given, settings
from hypothesis import strategies as st

from pavcodec import Board, Layout, PavError, Seat, TrickTable, Vulnerability, numbering
from pavcodec.boards import Context, Problem
from pavcodec.files.text import first_control
from pavcodec.formats import format_names, format_of
from pavcodec.formats.pbn.writer import not_pbn

FIXTURES = oracles.FIXTURES / "formats"
EXAMPLES = {"parquet": 8, "pbn": 80, "lines": 40, "numbers": 40, "lin": 40}
"""The examples of formats that are slow to open, and of those that people type."""
TYPED = ("pbn", "lines", "numbers")
"""Formats whose boards and problems have a line."""

PLAYED = f"""[Event "Club night"]
[Board "7"]
[Dealer "S"]
[Deal "{DEAL}"]
[Declarer "S"]
[Contract "3NT"]
[Auction "S"]
1NT =1= Pass 3NT AP
[Note "1:15 to 17"]
[Play "W"]
SK SA S2 S3
"""
PLAIN = f'[Event "x"]\n[Board "1"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1C Pass\n'
LIN = (
    "qx|o1,BOARD 1|pn|a,b,c,d|st||md|3SQJ643HQT5DK43C74,SKT85H2DJT9CQJ853,SAHKJ93DQ765CT962,"
    "S972HA8764DA82CAK|rh||ah|Board 1|sv|o|pg||"
)
LIN_BOARDS = [
    *[LIN] * 3, LIN.replace(",S972HA8764DA82CAK", ""), LIN.replace("S972HA8764DA82CAK", ""),
    "md|SAKQJT98765432HDC,SHAKQJT98765432DC,SHDAKQJT98765432C|pg||", LIN.replace("sv|o|", ""),
    LIN.replace("pn|a,b,c,d|", ""), LIN.replace("c,d|", "c,dpg|"), LIN.replace("sv|o", "sv|B"),
    LIN.replace("pg||", "mb|p|mb|p|mb|p|mb|p|pg||"), LIN.replace("C74", "C7"), "nt|x|pg||",
    LIN.replace("sv|o|", "sv|z|"), LIN.replace("AK|", "AK,|"), f"vg|A,B,IMP|rs|x|pg||{LIN}",
    "pn|n,e,w,s|pg||", "junk", "qx|o2|pn|,,,|st||", LIN.lower(), "mb|p|", "st||rh||", "pc|SA|",
]  # fmt: skip
MORE = {
    "pbn": [
        f'{{a\n\nb}}[Event "##é"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1C =1=\n[Note "1:x"]\n'.encode()
        * 2,
        f'[Event "x"]\n[Deal "{DEAL}"]\n'.encode("utf-16"),
        DEMO.read_bytes()[:700],
        "\n".join([PLAIN, *PBN_LINES[:45], PLAIN, PLAIN, *PBN_LINES[45:], "", PLAIN]).encode(),
    ],
    "lin": ["".join(LIN_BOARDS).encode(), "\n".join(LIN_BOARDS[::-1]).encode()],
    "numbers": [f"{NUMBER}\n0x{NUMBER:x}\n-1\n{NUMBER:,}\n".encode()],
}
"""Files to damage that no writer writes."""
MARKS = [
    b"\n", b"\r\n", b"\n\n", b"\0", b"|", b",", b".", b":", b"-", b'"', b"\\", b"{", b"}", b"[",
    b"]", b"%", b"#", b"##", b";", b"\x0b", b"A", b"?", b"N:", b"pg|", b"md|", b"\x1a",
    b"\xff", b"\xc3", b"\xe2\x99\xa0", b"10", b"-1", b"9" * 20,
]  # fmt: skip
"""Bytes that mean something in one format or another."""


SOME_TAGS = [
    {"DoubleDummyTricks": "0123456789" * 2}, {"DoubleDummyTricks": "zz"}, {"SuitLayout": "alone"},
    {"Ability": "N:5A5CC E:02800 S:5A5CC W:02800"}, {"SuitLayout": "S"}, {"Event": "Ability"},
    {"Dealer": "", "Vulnerable": ""}, {"Board": "7-1"},
]  # fmt: skip
"""Tags of which surveys must count the tricks and the suits."""


@cache
def samples() -> tuple[Board, ...]:
    """Boards of several kinds, so that every format can hold some of them."""
    tricks = TrickTable(bytes([7] * 20))
    return (
        *read_text(PLAYED).boards,
        Board.make(Layout.from_pbn(OTHER), number=1, tricks=tricks),
        Board.make(numbering("deal")[3**60], number=2, tags={"Event": "é", "Remark": "a|b\\"}),
        Board(Layout.from_pbn(ENDING)),
        Board(Layout.from_pbn("N:AK.Q.. 2.3.4. .42.5. J3..2.")),
        *(Board.make(Layout.from_pbn(DEAL), tags={"Board": "7"} | tags) for tags in SOME_TAGS),
    )


@cache
def good_files(name: str) -> tuple[bytes, ...]:
    """Return files of a format without fault: of all boards that it holds, and of each alone."""
    if name == "parquet" and find_spec("pyarrow") is None:
        pytest.skip("Parquet is read by pyarrow, which is not installed")
    chosen = format_of(name)
    boards = samples()
    written = [write(name, each) for each in (boards, *([board] for board in boards))]
    suffixes = chosen.suffixes if name != "lines" else (".lines",)
    own = [path.read_bytes() for path in sorted(FIXTURES.glob("*")) if path.suffix in suffixes]
    return tuple(dict.fromkeys(data for data in (*written, *own) if data))


def context_of(problems: list[Problem], *, strict: bool = False) -> Context:
    def report(problem: Problem) -> None:
        problems.append(problem)
        if strict:
            raise PavError(str(problem))

    return Context("in", report, strict, numbering("deal"))


def write(name: str, boards: object) -> bytes:
    """Write what the format can hold of boards; what it cannot is a problem or a PavError."""
    stream = io.BytesIO()
    try:
        format_of(name).write(iter(boards), stream, context_of([]))  # type: ignore[call-overload]
    except PavError:
        return b""
    return stream.getvalue()


def read(
    name: str, data: bytes, *, strict: bool = False, portion: int = 0
) -> tuple[list[Board], list[Problem]]:
    """Read boards and look at all they have; a PavError ends the file."""
    stream = Dribble(data, portion) if portion else io.BytesIO(data)
    problems: list[Problem] = []
    boards = []
    context = context_of(problems, strict=strict)
    try:
        for board in format_of(name).read(stream, context):  # type: ignore[arg-type]
            boards.append(board)
            look_at(board)
    except PavError as error:
        problems.append(Problem("in", None, str(error).replace("\n", " ") or "\n"))
    for problem in problems:
        assert "\n" not in str(problem)
    if name in TYPED and not strict:
        lines = range(1, data.count(b"\n") + data.count(b"\r") + 2)
        assert all(board.line is not None for board in boards)
        assert all(problem.line in lines for problem in problems)
    return boards, problems


def look_at(board: Board) -> None:
    """Look at everything that a board has, much of which is made when it is first asked for."""
    assert board.number is None or board.number > 0
    assert board.dealer is None or board.dealer in Seat
    assert board.vulnerable is None or board.vulnerable in Vulnerability
    assert max(len(board.tags), len(board.sections)) <= len(board.entries)
    assert board.tricks is None or board.tricks.tricks
    if board.layout is not None:
        assert Layout(board.layout.owners) == board.layout


def mutate(random: Random, files: tuple[bytes, ...]) -> bytes:
    """Return a file with some bits turned, some bytes cut, put in, doubled, or of other files."""
    data = bytearray(random.choice(files))
    for _ in range(random.randint(1, 5)):
        at = random.randint(0, len(data))
        end = min(len(data), at + random.choice((1, 1, 2, 4, 8, 30)))
        kind = random.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = random.choice(MARKS) * random.choice((1, 1, 2, 20))
        elif kind == 3:
            data[at:end] = bytes(random.randrange(256) for _ in range(end - at))
        elif kind == 4:
            other = random.choice(files)
            begin = random.randint(0, len(other))
            data[at:end] = other[begin : begin + random.choice((1, 5, 20, 100))]
        else:
            del data[at:]
    return bytes(data)


def check(name: str, data: bytes, portion: int) -> None:
    """Read a file at once, slowly and strictly, and write and read again what was read."""
    boards, problems = read(name, data)
    looks_into_blocks = name == "lin" and (problems or first_control(data) is not None)
    if not looks_into_blocks:
        slowly = read(name, data, portion=portion)
        assert slowly == (boards, problems)
        assert [board.line for board in slowly[0]] == [board.line for board in boards]
    read(name, data, strict=True)
    again, _ = read(name, write(name, boards))
    held = [board.layout for board in boards if board.layout is not None]
    kept = [board.layout for board in again if board.layout is not None]
    if name == "pbn":
        assert kept == [b.layout for b in boards if b.layout is not None and not not_pbn(b)]
    places = iter(held)
    assert all(any(layout == other for other in places) for layout in kept), (
        "what was written is not what was read"
    )


READ = [name for name in format_names() if format_of(name).is_read]
every_format = pytest.mark.parametrize("name", READ)


@every_format
def test_a_file_of_the_format_is_read_without_problems(name: str) -> None:
    files = good_files(name)
    assert files, "the format holds none of the boards"
    for data in files:
        boards, problems = read(name, data)
        assert boards
        assert problems == []
        assert_the_same(name, data)


@pytest.mark.slow
@every_format
def test_damaged_files_and_any_bytes_give_problems_and_nothing_else(name: str) -> None:
    files = (*good_files(name), *MORE.get(name, ()))

    @settings(max_examples=EXAMPLES.get(name, 15), database=None)
    @given(seed=st.integers(0, 2**64))  # a random source of Hypothesis's own is much slower
    def read_some(seed: int) -> None:
        random = Random(seed)
        for data in (
            mutate(random, files),
            b"".join(random.choices(MARKS, k=seed % 40)),
            random.randbytes(seed % 300),
        ):
            check(name, data, 1 + seed % 20)
            if name != "parquet":  # which tells of the first damaged column that is read
                with small_blocks(1 + seed % 4):
                    assert_the_same(name, data, portion=9 + seed % 300, strict=seed % 3 == 0)

    read_some()
