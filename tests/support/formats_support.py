"""What the tests of the formats, of convert and of the command line share."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

import pytest
from hypothesis import strategies as st

import pavcodec
from pavcodec import Board
from pavcodec.boards import Context, Problem
from pavcodec.formats import Format, format_of, recognise
from pavcodec.formats.arrays import read_rows
from pavcodec.formats.pbn.reader import read_pbn
from pavcodec.formats.pbn.writer import write_pbn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEAL = "N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853"
NUMBER = 12345678901234567890123456789
"""The number of `DEAL` in the numbering `deal`."""
OTHER = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
ENDING = "N:AK.Q.. - .32.4. -"
FOULED = "N:AKQJT98765432.A.. .K.. - -"
"""Fourteen cards in one hand: no board, but a member of base5."""
DEMO = Path(pavcodec.__file__).parent / "data" / "demo.pbn"

PBN_LINES = [
    '[Event "x"]', '[Event "#"]', '[Event "##y"]', '[Event "#1"]', '[Event ""]', '[Site "a\\"b"]',
    '[Site "a\\\\b"]', '[Site "Rank\\3R"]', '[Site "end\\\\"]', '[Site "end\\"]',
    '[Site "é {x} ;y"]',
    '[Board "1"]', '[Board "12"]', '[Board "1-1"]', '[Dealer "N"]', '[Dealer "X"]', '[Dealer ""]',
    '[Dealer "?"]', '[Dealer "#"]', '[Vulnerable "Both"]', '[Vulnerable "E"]', '[Vulnerable ""]',
    '[Deal ""]', '[Deal "?"]', f'[Deal "{DEAL}"]', f'[Deal "{OTHER}"]', f'[Deal "{ENDING}"]',
    f'[Deal "{DEAL.lower()}"]', '[Deal "N:AX... - - -"]', '[Deal "N:A... A... - -"]', '[Deal "#"]',
    '[Deal "N:AKQJT98765432.A.. - - -"]', '[ Deal "N:- - - -" ]', '[Deal  "N:- - - -"]',
    '[Deal"N:- - - -"]', '[Auction "N"]', "1C Pass 2D =1=", "  4S AP  ", "-  -  + SA", "*", "\t*",
    '[Note "1: x"]', "[Play", '[Play "W"] SK', ' [Room "Open"]', '[Room "Open"] ',
    '[Room "a"][T "b"]',
    '[T "a"]', '[T\u00a0"b"]', '[É "x"]', '[_ "x"]', '[1 "x"]', '[Tab\t"x"]', "\u00a01C", "\x0c1C",
    "1C\x0c", "\x0b", "\x85", "1C\u2028Pass", "1C\x1d", "é", "%x", " %x", "% PBN 2.1", "{c}", "{",
    "}", "]", "; c", "1 ;c", '"', '"a" "b"', '1 "a ;b" [c', "\\", "[", "[]", "", "", "", " ", "\t",
    "Generated 5 hands", "Time needed 1 sec", "junk", "<PBN>", "\x1a", "1\x00", "#", "##",
]  # fmt: skip
"""Lines of PBN, ordinary and otherwise."""


_LOSS = re.compile(r"[a-z0-9-]+: [0-9,]+ boards? loses? ")


class Reading(NamedTuple):
    """What a reader made of a text."""

    boards: list[Board]
    problems: list[Problem]

    @property
    def layouts(self) -> list[str | None]:
        """The layouts as deal texts."""
        return [None if board.layout is None else str(board.layout) for board in self.boards]

    @property
    def board(self) -> Board:
        """The only board, of a text without problems."""
        assert self.problems == []
        (board,) = self.boards
        return board

    @property
    def problem(self) -> Problem:
        """The only problem."""
        (problem,) = self.problems
        return problem

    @property
    def facts(self) -> list[tuple[object, ...]]:
        """Everything there is to know of the boards, and the problems."""
        boards = [(b.layout, type(b.layout), b.entries, b.line) for b in self.boards]
        return [*boards, *((p.line, p.reason, p.board) for p in self.problems)]


def read_text(text: str | bytes, *, strict: bool = False) -> Reading:
    """Read a PBN text; problems are kept."""
    data = text.encode() if isinstance(text, str) else text
    problems: list[Problem] = []
    context = Context("event.pbn", problems.append, strict)
    return Reading(list(read_pbn(io.BytesIO(data), context)), problems)


def format_seen(text: str) -> str:
    """Return the name of the format that a text without a name is taken for."""
    return recognise(io.BytesIO(text.encode()))[0].name


def write_bytes(boards: Iterable[Board], encoding: str | None = None) -> bytes:
    """Write boards as PBN."""
    stream = io.BytesIO()
    write_pbn(boards, stream, Context("out.pbn", encoding=encoding))
    return stream.getvalue()


def without_header(data: bytes) -> list[str]:
    """Return the lines of written PBN after its two lines of header."""
    lines = data.decode().split("\r\n")
    assert lines[:2] == ["% PBN 2.1", "% EXPORT"]
    assert lines[-1] == ""
    return lines[2:-1]


class Dribble(io.RawIOBase):
    """A stream that hands out a few bytes at a time, as a slow pipe does."""

    def __init__(self, data: bytes, portion: int = 1) -> None:
        super().__init__()
        self._left = data
        self._portion = portion

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        room = cast("memoryview", buffer)
        size = min(self._portion, len(room), len(self._left))
        room[:size], self._left = self._left[:size], self._left[size:]
        return size


class OneWay(io.BytesIO):
    """An output that cannot go back, as a pipe cannot."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: object) -> int:
        raise io.UnsupportedOperation("seek")


def corpus_folder() -> Path:
    """Return the folder of public files; skip the test where there is none."""
    name = os.environ.get("PAVCODEC_CORPUS", "")
    if not name or not Path(name).is_dir():
        pytest.skip("set PAVCODEC_CORPUS to a folder of public bridge files to run this")
    return Path(name)


def corpus_pbn_files() -> list[Path]:
    """Return the PBN files of the corpus."""
    folder = corpus_folder()
    generated = [*(folder / "generated").glob("*.pbn"), folder / "generated" / "deal_pbn.txt"]
    return sorted([*(folder / "pbn").iterdir(), *generated])


def writes_arrays(name: str) -> bool:
    """Whether a format has a writer of batches, and its package is installed."""
    if name == "parquet" and find_spec("pyarrow") is None:
        return False
    arrays = format_of(name).arrays
    return arrays is not None and arrays().write is not None


def loss(name: str, boards: int, parts: str) -> str:
    """The line of `convert` about the parts that boards lose in a format."""
    lose = "1 board loses" if boards == 1 else f"{boards} boards lose"
    return f"{name}: {lose} {parts}\n"


class Outcome(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of the output."""
        return self.out.splitlines()

    @property
    def data(self) -> bytes:
        """The output as bytes."""
        return self.out.encode(errors="surrogateescape")

    @property
    def complaint(self) -> str:
        """The only line on the error stream but the one of `loss` and that of new numbers."""
        assert "Traceback" not in self.err
        lines = [line for line in self.err.splitlines() if not _LOSS.match(line)]
        (line,) = [line for line in lines if not line.endswith(" numbered in turn")]
        return line


Cli = Callable[..., Outcome]
"""Runs the command line: words, and `stdin` as text or bytes."""


class Writing(NamedTuple):
    """What a writer made of boards."""

    data: bytes
    problems: list[Problem]


def write_format(name: str, boards: Iterable[Board], notes: list[str] | None = None) -> Writing:
    """Write boards in a format by its name; problems are kept, and notes where a list is given."""
    stream = io.BytesIO()
    problems: list[Problem] = []
    told = [] if notes is None else notes
    context = Context("in.pbn", problems.append, note=told.append)
    format_of(name).write(boards, stream, context)
    return Writing(stream.getvalue(), problems)


def read_format(name: str, data: bytes | io.RawIOBase) -> Reading:
    """Read bytes, or a stream of them, in a format by its name; problems are kept."""
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    problems: list[Problem] = []
    context = Context(f"in.{name}", problems.append)
    return Reading(list(format_of(name).read(cast("BinaryIO", stream), context)), problems)


def owners_read(format_: Format, stream: BinaryIO, context: Context) -> Iterator[NDArray[np.uint8]]:
    """Yield the owners of the boards with cards, some thousands at a time."""
    return (part.owners for part in read_rows(format_, stream, context))


def pbn_texts() -> st.SearchStrategy[str]:
    """Games of likely and unlikely lines."""
    line = st.sampled_from(PBN_LINES) | st.text('[]{}"\\;%# \tDealN:-.AK10x', max_size=12)
    return st.lists(line, max_size=14).map("\n".join)
