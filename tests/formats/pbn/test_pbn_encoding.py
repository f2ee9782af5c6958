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


def test_other_letters_than_those_of_the_standard_turn_the_whole_file_into_utf8() -> None:
    data = write_bytes(named("Liège", "Zoë"))
    assert 'West "Liège"'.encode("iso-8859-1") in data
    assert names_read(data) == ["Liège", "Zoë"]
    for names in (["Łukasz"], ["Smith", "Łukasz"], ["Zoë", "Łukasz", "Liège", "“x”"]):
        data = write_bytes(named(*names))
        assert data.decode("utf-8").count("[West ") == len(names)
        for name in names:
            assert f'[West "{name}"]'.encode() in data
        assert names_read(data) == names
        assert data == write_bytes(named(*names), "utf-8")


def test_a_file_is_recoded_too(tmp_path: Path) -> None:
    path, names = tmp_path / "out.pbn", [*["Zoë"] * 50, "Łukasz"]
    write(named(*names), path)
    assert path.read_bytes() == write_bytes(named(*names))


def written_one_way(names: list[str], encoding: str | None = None) -> tuple[bytes, list[Problem]]:
    """Write to a stream that cannot go back; return what came out, and the problems."""
    stream = OneWay()
    problems: list[Problem] = []
    write_pbn(named(*names), stream, Context("out.pbn", problems.append, encoding=encoding))
    return stream.getvalue(), problems


def test_a_one_way_stream_becomes_utf8_as_long_as_only_ascii_was_written() -> None:
    data, problems = written_one_way(["Smith", "Łukasz", "Zoë"])
    assert problems == []
    assert names_read(data) == ["Smith", "Łukasz", "Zoë"]
    assert "Łukasz".encode() in data


def test_a_one_way_stream_refuses_what_its_encoding_cannot_hold() -> None:
    data, problems = written_one_way(["Zoë", "Łukasz", "Liège"])
    assert names_read(data) == ["Zoë", "Liège"]
    (problem,) = problems
    assert (problem.line, problem.board) == (20, "2")
    assert "'Ł'" in problem.reason
    assert "utf-8" in problem.reason


def test_an_encoding_that_is_asked_for_is_kept() -> None:
    data, problems = written_one_way(["Zoë", "Łukasz"], "utf-8")
    assert (data, problems) == (write_bytes(named("Zoë", "Łukasz")), [])
    assert "Zoë".encode() in write_bytes(named("Zoë"), "utf-8")
    with pytest.raises(ReadError, match=r"'Ł' is not in .*utf-8"):
        write_bytes(named("Zoë", "Łukasz"), "iso-8859-1")


def test_a_file_that_can_only_be_written_is_a_one_way_stream(tmp_path: Path) -> None:
    refused = pytest.raises(ReadError, match=r"'Ł' is not in .*utf-8")
    with (tmp_path / "out.pbn").open("wb") as stream, refused:
        write(named("Zoë", "Łukasz"), stream, format="pbn")


def rewritten(data: bytes, source: str = "pbn", target: str = "pbn", **options: Any) -> bytes:
    """Return what is written of the boards that are read."""
    stream = io.BytesIO()
    write(read(io.BytesIO(data), format=source), stream, format=target, **options)
    return stream.getvalue()


def test_what_came_as_utf8_leaves_as_utf8() -> None:
    game = '[Event "Østlandsmesterskap"]\n[Board "1"]\n'
    assert game.split("\n", maxsplit=1)[0].encode() in rewritten(game.encode())
    assert game.split("\n", maxsplit=1)[0].encode() in rewritten(game.encode("utf-16"))
    assert game.split("\n", maxsplit=1)[0].encode("latin-1") in rewritten(game.encode("latin-1"))
    assert "Østlandsmesterskap".encode("latin-1") in rewritten(game.encode(), encoding="iso-8859-1")


@pytest.mark.parametrize("between", ["json", "jsonl", "pav", "lin", "rbn"])
def test_utf8_of_other_formats_is_utf8_in_pbn(between: str) -> None:
    game = '[Event "Østlandsmesterskap"]\n[Board "1"]\n[Deal "N:A... K... Q... J..."]\n'
    other = rewritten(game.encode("latin-1"), target=between)
    assert '[Event "Østlandsmesterskap"]'.encode() in rewritten(other, between)


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
    first = declared("ISO-8859-1", "Zoë", "latin-1")
    data = rewritten(first + b"\n" + '[West "“Łukasz”"]\n'.encode())
    assert b"charset=UTF-8\r\n" in data
    assert b"ISO" not in data
    assert names_read(data) == ["Zoë", "“Łukasz”"]


def test_a_charset_line_in_a_one_way_stream_makes_it_utf8() -> None:
    stream = OneWay()
    data = declared("ISO-8859-1", "Zoë", "latin-1") + '\n[West "Łukasz"]\n'.encode()
    write(read(io.BytesIO(data), format="pbn"), stream, format="pbn")
    assert b"charset=UTF-8\r\n" in stream.getvalue()
    assert names_read(stream.getvalue()) == ["Zoë", "Łukasz"]


def test_what_stood_in_the_stream_before_is_left_alone() -> None:
    before = "Zoë's boards:\r\n".encode()
    stream = io.BytesIO()
    stream.write(before)
    write_pbn(named("Zoë", "Łukasz"), stream, Context("out.pbn"))
    assert stream.getvalue() == before + write_bytes(named("Zoë", "Łukasz"))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text("aZéØ\x92ÿþÃ©Ł’”♠日", max_size=3), max_size=5))
def test_names_in_any_letters_come_back(names: list[str]) -> None:
    assert names_read(write_bytes(named(*names))) == names
