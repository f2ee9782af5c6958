"""`open_records` and `write_records`: files of records by their names."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from records_support import by_hand

import pavcodec as pav
from pavcodec import Case, Deal, RecordError, UnknownNameError, open_records, record, write_records

DEALS = [Deal(pav.numbering("deal")[number].owners) for number in (0, 5, -1)]
TABLES = [pav.TrickTable(bytes([tricks] * 20)) for tricks in (0, 7, 13)]
VALUES: dict[str, list[Any]] = {
    "deal12": [0, 258, 10**28],
    "zrd": [pav.SolvedDeal(deal, table) for deal, table in zip(DEALS, TABLES, strict=True)],
    "case16": [Case(0), Case(10**21, 5, None, 0x8000), Case(1, 0, 559, 0, 0)],
}


@pytest.mark.parametrize("name", VALUES)
def test_what_is_written_is_read_by_name_and_by_suffix(name: str, tmp_path: Path) -> None:
    values, expected = VALUES[name], b"".join(by_hand(name, value) for value in VALUES[name])
    for path, known in (
        (tmp_path / "any.bin", name),
        (tmp_path / f"a.b.{name}", None),
        (str(tmp_path / f"A.{name.upper()}"), None),
    ):
        assert write_records(iter(values), path, record=known) == len(values)
        assert Path(path).read_bytes() == expected
        with open_records(path, record=known) as found:
            assert isinstance(found, pav.RecordFile)
            assert list(found) == values
            assert [found[index] for index in (-1, 0)] == [values[-1], values[0]]


def test_the_suffix_tells_the_record(tmp_path: Path) -> None:
    for name in pav.record_names():
        assert write_records([], tmp_path / f"a.{name}") == 0
        with open_records(tmp_path / f"a.{name}") as found:
            assert (found.record, list(found)) == (record(name), [])


def test_zbs_files_hold_words(tmp_path: Path) -> None:
    path = tmp_path / "diagrams.Zbs"
    pav.write([pav.Layout.from_pbn("N:A... - - -"), DEALS[0]], path)
    with open_records(path) as words:
        assert len(words) == 8
        assert [word.joined for word in words] == [True, True, True, False] * 2
        assert words[0].suit == pav.SuitLayout.from_text("N:A - - -")
    with open_records(path, record="zbs-diagram") as diagrams:
        assert list(diagrams) == [pav.Layout.from_pbn("N:A... - - -"), DEALS[0]]


def test_a_suffix_that_tells_no_record_is_refused(tmp_path: Path) -> None:
    for name in ("a.pbn", "a", "a.zbsx", "deal12", ".zrd", "a.deal12.txt"):
        path = tmp_path / name
        with pytest.raises(UnknownNameError, match="does not name its record") as caught:
            write_records([], path)
        assert str(path) in str(caught.value)
        assert ".case16" in str(caught.value)
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(UnknownNameError, match="does not name its record"):
            open_records(str(path))


def test_the_name_goes_before_the_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.zrd"
    write_records([5], path, record="deal12")
    assert path.read_bytes() == (5).to_bytes(12, "little")
    with open_records(path, record="deal12") as numbers:
        assert list(numbers) == [5]
    with open_records(path) as solved:
        assert len(solved) == 0
        with pytest.raises(RecordError, match="zrd record 0 at byte 0: the file ends after 12"):
            list(solved)


def test_a_stream_needs_the_name_of_the_record() -> None:
    stream = io.BytesIO()
    assert write_records([5, 6], stream, record="deal12") == 2
    assert stream.getvalue() == (5).to_bytes(12, "little") + (6).to_bytes(12, "little")
    assert not stream.closed
    with pytest.raises(UnknownNameError, match="the stream"):
        write_records([5], stream)


def test_a_value_that_does_not_fit_leaves_what_was_there(tmp_path: Path) -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise RuntimeError("no more")

    (tmp_path / "old.deal12").write_bytes(b"old")
    bad: list[tuple[Any, type[Exception]]] = [
        ([1, -1, 2], RecordError), ([1, "5"], TypeError), ([10**30], RecordError),
        (DEALS, TypeError), (failing, RuntimeError),
    ]  # fmt: skip
    for path in (tmp_path / "old.deal12", tmp_path / "new.deal12"):
        for values, error in bad:
            with pytest.raises(error):
                write_records(values() if callable(values) else values, path)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [
        ("old.deal12", b"old")
    ]
    with pytest.raises(RecordError) as caught:
        write_records([1, 2, -1], io.BytesIO(), record="deal12")
    assert (caught.value.index, caught.value.offset) == (2, 24)
    assert str(caught.value).startswith("deal12 record 2 at byte 24: numbers are 0 to ")


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(pav.ReadError, match=f"{tmp_path.name}.*regular file"):
        open_records(tmp_path, record="zrd")
