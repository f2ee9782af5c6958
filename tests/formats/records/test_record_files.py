"""`open_records` and `write_records`: files of records by their names."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from records_support import SIZES, by_hand

from pavcodec import (
    Base5Number,
    Case,
    Deal,
    Layout,
    ReadError,
    RecordError,
    RecordFile,
    SolvedDeal,
    SuitLayout,
    SuitWord,
    TrickTable,
    UnknownNameError,
    numbering,
    open_records,
    record,
    write,
    write_records,
)

DEALS = [Deal(numbering("deal")[number].owners) for number in (0, 5, -1)]
TABLES = [TrickTable(bytes([tricks] * 20)) for tricks in (0, 7, 13)]
WORDS = [SuitWord(SuitLayout.from_zbs(number), joined=number > 5) for number in (0, 5, 5**13 - 1)]
VALUES: dict[str, list[Any]] = {
    "deal12": [0, 258, 10**28],
    "balanced14": [0, 258, 10**32],
    "ending15": [0, 258, 10**35],
    "legal14": [0, 258, 10**32],
    "base5-16": [Base5Number(0), Base5Number(258, 127), Base5Number(5**52 - 1, 1)],
    "deal13": DEALS,
    "layout20": [*DEALS, Layout.from_pbn("N:A... - - -")],
    "zbs-word": WORDS,
    "zbs-diagram": [*DEALS, Layout.from_pbn("N:A... - - -")],
    "zrd": [SolvedDeal(deal, table) for deal, table in zip(DEALS, TABLES, strict=True)],
    "zdd": TABLES,
    "gib-library": [SolvedDeal(deal, table) for deal, table in zip(DEALS, TABLES, strict=True)],
    "case16": [Case(0), Case(10**21, 5, None, 0x8000), Case(1, 0, 559, 0, 0)],
}
every_record = pytest.mark.parametrize("name", list(SIZES))


@every_record
def test_what_is_written_is_read_by_the_name_of_the_record(name: str, tmp_path: Path) -> None:
    path = tmp_path / "any.bin"
    values = VALUES[name]
    assert write_records(iter(values), path, record=name) == len(values)
    raw = b"".join(by_hand(name, value) for value in values)
    assert path.read_bytes() == raw
    with open_records(path, record=name) as found:
        assert isinstance(found, RecordFile)
        assert found.record is record(name)
        assert list(found) == values == list(record(name).parse_many(raw))
        assert [found[index] for index in (-1, 0)] == [values[-1], values[0]]


@every_record
@pytest.mark.parametrize("upper", [False, True])
def test_the_suffix_tells_the_record(name: str, tmp_path: Path, *, upper: bool) -> None:
    values = VALUES[name]
    path = tmp_path / f"a.b.{name.upper() if upper else name}"
    for target in (path, str(path)):
        assert write_records(values, target) == len(values)
        with open_records(target) as found:
            assert list(found) == values


def test_zbs_files_hold_words(tmp_path: Path) -> None:
    path = tmp_path / "diagrams.Zbs"
    write([Layout.from_pbn("N:A... - - -"), DEALS[0]], path)
    with open_records(path) as words:
        assert len(words) == 8
        assert [word.joined for word in words] == [True, True, True, False] * 2
        assert words[0].suit == SuitLayout.from_text("N:A - - -")
    with open_records(path, record="zbs-diagram") as diagrams:
        assert list(diagrams) == [Layout.from_pbn("N:A... - - -"), DEALS[0]]


def test_a_listing_of_cases_goes_through_a_file(tmp_path: Path) -> None:
    path = tmp_path / "listing.case16"
    cases = [Case(total, total % 560, None, 1 << total % 16) for total in range(1000)]
    assert write_records(cases, path) == 1000
    assert path.stat().st_size == 16_000
    with open_records(path) as listing:
        assert list(listing[::100]) == cases[::100]
        assert list(listing) == cases


def test_a_file_that_was_written_as_boards_is_read_as_records(tmp_path: Path) -> None:
    path = tmp_path / "deals.deal12"
    write(DEALS, path)
    with open_records(path) as numbers:
        assert list(numbers) == [numbering("deal").rank(deal) for deal in DEALS]


@pytest.mark.parametrize("name", ["a.pbn", "a", "a.zbsx", "deal12", ".zrd", "a.deal12.txt"])
def test_a_suffix_that_tells_no_record_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with pytest.raises(UnknownNameError, match="does not name its record") as caught:
        write_records([], path)
    assert str(path) in str(caught.value)
    assert ".case16" in str(caught.value)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"")
    with pytest.raises(UnknownNameError, match="does not name its record"):
        open_records(str(path))


def test_an_unknown_record_is_refused_with_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "a.zrd"
    with pytest.raises(UnknownNameError, match="did you mean 'zdd'"):
        open_records(path, record="zddd")
    with pytest.raises(UnknownNameError, match="no record is called ''"):
        write_records([], path, record="")
    assert list(tmp_path.iterdir()) == []


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


@pytest.mark.parametrize("old", [None, b"old"])
def test_a_value_that_does_not_fit_leaves_what_was_there(tmp_path: Path, old: bytes | None) -> None:
    path = tmp_path / "a.deal12"
    if old is not None:
        path.write_bytes(old)
    for bad, error in ((-1, RecordError), ("5", TypeError), (10**30, RecordError)):
        with pytest.raises(error):
            write_records([1, bad, 2], path)
        assert (path.read_bytes() if path.exists() else None) == old
    assert len(list(tmp_path.iterdir())) == (old is not None)


def test_a_value_that_does_not_fit_is_told_with_its_place(tmp_path: Path) -> None:
    for target in (tmp_path / "a.deal12", io.BytesIO()):
        with pytest.raises(RecordError) as caught:
            write_records([1, 2, -1], target, record="deal12")
        assert (caught.value.index, caught.value.offset) == (2, 24)
        assert str(caught.value).startswith("deal12 record 2 at byte 24: numbers are 0 to ")


def failing() -> Iterator[int]:
    """Numbers that end with an error."""
    yield 1
    raise RuntimeError("no more")


def test_values_that_fail_on_the_way_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no more"):
        write_records(failing(), tmp_path / "a.deal12")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("suffix", "values"),
    [
        ("zbs", DEALS),
        ("zbs", [SuitLayout.from_zbs(5)]),
        ("zrd", DEALS),
        ("zrd", TABLES),
        ("base5-16", DEALS),
        ("deal12", DEALS),
        ("deal13", [5]),
        ("case16", [5]),
        ("case16", DEALS),
    ],
)
def test_values_of_another_kind_are_type_errors(
    tmp_path: Path, suffix: str, values: list[Any]
) -> None:
    with pytest.raises(TypeError):
        write_records(values, tmp_path / f"a.{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_a_file_without_records(tmp_path: Path) -> None:
    path = tmp_path / "a.zrd"
    assert write_records([], path) == 0
    assert path.read_bytes() == b""
    with open_records(path) as found:
        assert list(found) == []


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        open_records(tmp_path / "a.zrd")
    assert Path(caught.value.filename) == tmp_path / "a.zrd"


def test_what_is_no_regular_file_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="regular file") as caught:
        open_records(tmp_path, record="zrd")
    assert str(tmp_path) in str(caught.value)


def test_records_of_a_file_can_be_sent_to_other_processes(tmp_path: Path) -> None:
    path = tmp_path / "a.zrd"
    write_records(VALUES["zrd"], path)
    with open_records(path) as found:
        kept = pickle.loads(pickle.dumps(list(found)))
        assert kept == VALUES["zrd"]
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(found)
