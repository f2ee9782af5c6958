"""Text files in blocks: marks, line ends, encodings, control characters."""

from __future__ import annotations

import codecs
import io
from unittest.mock import patch

from formats_support import Dribble
from hypothesis import given, settings
from hypothesis import strategies as st

from pavcodec.files import text


def test_every_line_end_becomes_a_newline() -> None:
    data = b"a\r\nb\rc\nd\n\re\r\r\n\nf\r"
    assert b"".join(text.blocks(io.BytesIO(data))) == b"a\nb\nc\nd\n\ne\n\n\nf\n"


@settings(deadline=None, max_examples=50)
@given(
    st.text("ab\r\n\u0142", max_size=20), st.integers(1, 9), st.sampled_from(["utf-8", "utf-16"])
)
def test_blocks_of_any_size_hold_the_same(content: str, size: int, encoding: str) -> None:
    wanted = content.replace("\r\n", "\n").replace("\r", "\n").encode()
    with patch.object(text, "BLOCK", size):
        assert b"".join(text.blocks(io.BytesIO(content.encode(encoding)))) == wanted
    assert b"".join(text.blocks(Dribble(content.encode(encoding), size))) == wanted  # type: ignore[arg-type]


def test_a_file_that_is_only_a_mark_is_empty() -> None:
    for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b""):
        assert b"".join(text.blocks(io.BytesIO(mark))) == b""


def test_utf16_cut_short_does_not_raise() -> None:
    data = "ab".encode("utf-16") + b"\x00"
    assert b"".join(text.blocks(io.BytesIO(data))).decode().startswith("ab")
    lone = codecs.BOM_UTF16_LE + b"\x00\xd8\x41\x00"
    assert b"".join(text.blocks(io.BytesIO(lone))).decode().endswith("A")


def test_decoding_prefers_utf8_then_windows_then_latin() -> None:
    assert text.decode("Łódź".encode()) == "Łódź"
    assert text.decode(b"\x93x\x94 \xe9") == "“x” é"
    assert text.decode(b"\x81\x93") == "\x81\x93"
    assert all(text.decode(bytes([byte, 0xFF]))[1] == "ÿ" for byte in range(256))


def test_lines_are_numbered_and_the_last_needs_no_end() -> None:
    assert list(text.lines(io.BytesIO(b"a\r\n\r\nb"))) == [(1, "a"), (2, ""), (3, "b")]
    assert list(text.lines(io.BytesIO(b"a\n"))) == [(1, "a")]
    assert list(text.lines(io.BytesIO(b""))) == []
    with patch.object(text, "BLOCK", 1):
        assert list(text.lines(io.BytesIO(b"aa\r\n\r\nbb"))) == [(1, "aa"), (2, ""), (3, "bb")]


def test_control_characters_tell_that_a_file_is_no_text() -> None:
    places = {b"a\tb\r\n\x0b\x0c\x1a\x1b": None, b"ab\x00": 2, b"\x08": 0, b"": None}
    assert {data: text.first_control(data) for data in places} == places


def test_a_rejoined_stream_returns_as_much_as_is_wanted() -> None:
    rest = io.BytesIO(b"defg")
    stream = text.Rejoined(b"abc", rest.read)
    assert [stream.read(2), stream.read(2), stream.read(2)] == [b"ab", b"c", b"de"]
    assert text.Rejoined(b"abc", rest.read).read(-1) == b"abc"
