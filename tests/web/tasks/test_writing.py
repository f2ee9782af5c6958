"""Files that go out while they are written have the bytes of files that are written first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO

import pytest

pytest.importorskip("fastapi")

from pavcodec.errors import PavError
from pavcodec.web.tasks import writing
from pavcodec.web.tasks.deal.files import DealFileQuestion, deal_file, writable
from pavcodec.web.tasks.writing import written


def after_the_first(
    monkeypatch: pytest.MonkeyPatch, then: Callable[[BinaryIO], object]
) -> Iterator[bytes]:
    """Return the chunks of a file after the first, which is taken before the rest is written."""
    monkeypatch.setattr(writing, "_SOON", 0.0)
    is_taken = threading.Event()

    def write(stream: BinaryIO) -> None:
        stream.write(b"first")
        assert is_taken.wait(10)
        then(stream)

    chunks = written(write)
    assert next(chunks) == b"first"
    is_taken.set()
    return chunks


def test_bytes_go_out_before_the_last_one_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    chunks = after_the_first(monkeypatch, lambda stream: stream.write(b"second"))
    assert b"".join(chunks) == b"second"


def test_an_early_error_comes_before_any_byte() -> None:
    def write(stream: BinaryIO) -> None:
        stream.write(b"first")
        raise PavError("no board")

    with pytest.raises(PavError, match="no board"):
        written(write)


def test_a_late_error_ends_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: BinaryIO) -> None:
        raise PavError("no board")

    chunks = after_the_first(monkeypatch, fail)
    with pytest.raises(PavError, match="no board"):
        next(chunks)


def test_a_reader_that_leaves_ends_the_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_SOON", 0.0)
    ended = threading.Event()

    def write(stream: BinaryIO) -> None:
        try:
            while True:
                stream.write(b"x" * 100)
        finally:
            ended.set()

    chunks = written(write)
    assert next(chunks)
    chunks.close()  # type: ignore[attr-defined]
    assert ended.wait(10)


def test_the_start_changes_until_the_first_byte_goes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(stream: BinaryIO) -> None:
        stream.write(b"abcdef")
        assert stream.seekable()
        assert (stream.seek(2), stream.read(), stream.tell()) == (2, b"cdef", 6)
        assert (stream.seek(0), stream.write(b"xyz"), stream.truncate()) == (0, 3, 3)
        stream.write(b"!")

    assert b"".join(written(write, goes_back=True)) == b"xyz!"
    with pytest.raises(AssertionError):
        written(write)
    is_taken, late = threading.Event(), threading.Event()
    monkeypatch.setattr(writing, "_SOON", 0.0)

    def write_late(stream: BinaryIO) -> None:
        stream.write(b"abc")
        assert is_taken.wait(10)
        assert not stream.seekable()
        try:
            stream.seek(0)
        except OSError:
            late.set()

    chunks = written(write_late, goes_back=True)
    assert next(chunks) == b"abc"
    is_taken.set()
    assert list(chunks) == []
    assert late.is_set()


@pytest.mark.slow
@pytest.mark.parametrize("n", [9, 4500])
def test_both_ways_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    for target in writable():
        if target.name in {"pdf", "svg", "html", "diagram"}:
            continue
        question = DealFileQuestion(condition="hcp(south) >= 20", n=n, seed="7", to=target.name)
        found = []
        for soon in (100.0, 0.0):
            monkeypatch.setattr(writing, "_SOON", soon)
            try:
                found.append(b"".join(deal_file(question).chunks))
            except PavError as error:
                found.append(str(error).encode())
        assert found[0] == found[1], target.name
