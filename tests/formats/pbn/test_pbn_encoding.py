"""Written PBN is ISO-8859-1, and UTF-8 as soon as a character needs it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from formats_support import OneWay, read_text, write_bytes
from hypothesis import given, settings
from hypothesis import strategies as st

from pavcodec import Board, ReadError, read, write
from pavcodec.boards import Context, Problem
from pavcodec.formats.pbn.writer import write_pbn


def named(*names: str) -> list[Board]:
    """Return a board for each name, in the tag West, as if read from every tenth line."""
    boards = (Board.make(None, number=n, tags={"West": s}) for n, s in enumerate(names, start=1))
    return [Board(None, board.entries, line=10 * n) for n, board in enumerate(boards, start=1)]


def names_read(data: bytes) -> list[str]:
    """Return the names in the tag West."""
    reading = read_text(data)
    assert reading.problems == []
    return [board.tags["West"] for board in reading.boards]


ISO, UTF = "iso-8859-1", "utf-8"
REFUSED = [(20, "2", "'Ł' is not in iso-8859-1; choose the encoding utf-8")]
FILES: list[tuple[type[io.BytesIO], str | None, str, str, list[tuple[int, str, str]]]] = [
    (io.BytesIO, None, "Smith", "ascii", []),
    (io.BytesIO, None, "Liège Zoë", ISO, []),
    (io.BytesIO, None, "Łukasz", UTF, []),
    (io.BytesIO, None, "Zoë Łukasz Liège “x”", UTF, []),
    (io.BytesIO, UTF, "Zoë", UTF, []),
    (io.BytesIO, ISO, "Zoë Łukasz", ISO, REFUSED),
    (OneWay, None, "Smith Łukasz Zoë", UTF, []),
    (OneWay, None, "Zoë Łukasz Liège", ISO, REFUSED),
    (OneWay, UTF, "Zoë Łukasz", UTF, []),
]


def test_letters_that_the_standard_has_not_turn_the_file_into_utf8() -> None:
    for kind, asked, words, encoding, reported in FILES:
        stream, names, problems = kind(), words.split(), list[Problem]()
        write_pbn(named(*names), stream, Context("out.pbn", problems.append, encoding=asked))
        assert [(each.line, each.board, each.reason) for each in problems] == reported
        names = [name for name in names if not reported or name != "Łukasz"]
        assert names_read(stream.getvalue()) == names, (kind, asked, words)
        assert stream.getvalue().decode(encoding).count("[West ") == len(names)
        for name in names:
            assert f'[West "{name}"]'.encode(encoding) in stream.getvalue()


def test_a_file_is_recoded_unless_it_can_only_be_written(tmp_path: Path) -> None:
    path = tmp_path / "out.pbn"
    write(named("Zoë", "Łukasz"), path)
    assert path.read_bytes() == write_bytes(named("Zoë", "Łukasz"))
    refused = pytest.raises(ReadError, match=r"'Ł' is not in .*utf-8")
    with path.open("wb") as stream, refused:
        write(named("Zoë", "Łukasz"), stream, format="pbn")
    before = "Zoë's boards:\r\n".encode()
    with path.open("wb+") as stream:  # what stood there before is left alone
        stream.write(before)
        write(named("Zoë", "Łukasz"), stream, format="pbn")
    assert path.read_bytes() == before + write_bytes(named("Zoë", "Łukasz"))


def rewritten(data: bytes, source: str = "pbn", target: str = "pbn", **options: Any) -> bytes:
    """Return what is written of the boards that are read."""
    stream = io.BytesIO()
    write(read(io.BytesIO(data), format=source), stream, format=target, **options)
    return stream.getvalue()


@pytest.mark.slow
def test_what_came_as_utf8_leaves_as_utf8() -> None:
    event = '[Event "Østlandsmesterskap"]'
    game = f'{event}\n[Board "1"]\n[Deal "N:A... K... Q... J..."]\n'
    for came, left in (("utf-8", "utf-8"), ("utf-16", "utf-8"), ("latin-1", "latin-1")):
        assert event.encode(left) in rewritten(game.encode(came))
    assert event.encode("latin-1") in rewritten(game.encode(), encoding="iso-8859-1")
    for between in ("json", "jsonl", "pav", "lin", "rbn"):
        other = rewritten(game.encode("latin-1"), target=between)
        assert event.encode() in rewritten(other, between), between


def declared(charset: str, letters: str, encoding: str) -> bytes:
    """Return a file that says how it is encoded, with a name in some encoding."""
    text = f'% PBN 2.1\n% Content-type: text/x-pbn; charset={charset}\n\n[West "{letters}"]\n'
    return text.encode(encoding)


CHARSETS = [
    ("UTF-8", "Åse", "utf-8", "UTF-8", "utf-8"),
    ("utf-8", "Smith", "utf-8", "utf-8", "utf-8"),
    ("UTF-8", "Åse", "latin-1", "UTF-8", "utf-8"),
    ("UTF-16", "Smith", "utf-16", "UTF-8", "utf-8"),
    ("ISO-8859-1", "Åse", "latin-1", "ISO-8859-1", "iso-8859-1"),
    ("windows-1252", "Åse", "latin-1", "windows-1252", "iso-8859-1"),
    ("ISO-8859-1", "Åse", "utf-8", "UTF-8", "utf-8"),
    ("ISO-8859-2", "Åse", "latin-1", "ISO-8859-1", "iso-8859-1"),
    ("windows-1252", "“Åse”", "cp1252", "UTF-8", "utf-8"),
]


def test_a_charset_line_agrees_with_the_bytes() -> None:
    for charset, letters, encoding, charset_written, encoding_written in CHARSETS:
        data = rewritten(declared(charset, letters, encoding))
        assert f"\r\n% Content-type: text/x-pbn; charset={charset_written}\r\n".encode() in data
        assert f'[West "{letters}"]'.encode(encoding_written) in data, (charset, encoding)
        assert rewritten(data) == data
    data = rewritten(declared("UTF-8", "Åse", "utf-8"), encoding="iso-8859-1")
    assert b"charset=ISO-8859-1\r\n" in data
    assert '[West "Åse"]'.encode("latin-1") in data


def test_a_charset_line_is_put_right_when_the_file_becomes_utf8_later() -> None:
    data = declared("ISO-8859-1", "Zoë", "latin-1") + '\n[West "Łukasz"]\n'.encode()
    for stream in (io.BytesIO(), OneWay()):
        write(read(io.BytesIO(data), format="pbn"), stream, format="pbn")
        assert b"charset=UTF-8\r\n" in stream.getvalue()
        assert b"ISO" not in stream.getvalue()
        assert names_read(stream.getvalue()) == ["Zoë", "Łukasz"]


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(st.lists(st.text("aZéØ\x92ÿþÃ©Ł’”♠日", max_size=3), max_size=5))
def test_names_in_any_letters_come_back(names: list[str]) -> None:
    assert names_read(write_bytes(named(*names))) == names
