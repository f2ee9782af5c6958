"""Listings that are made in several goes: the same bytes as in one, whatever happened between."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from packages import needs

from pavcodec import Case, PavError
from pavcodec.studies.cases import CaseTable, case_table, files, open_cases
from pavcodec.studies.cases import table as tables
from pavcodec.studies.cases.table import open_partial

needs("fcntl")

SMALL = "spades(west) == 9 && shape(east, xx66)"
"""30 cases: seven blocks of four, and two cases."""
OTHER = "spades(west) == 8 && shape(east, xx66)"
BYTES = 4 * 16
"""The bytes of a block of four cases."""
MAGIC = b"PAVCASES"
HEAD = 32 + len(SMALL)
"""Where the entries of an index begin."""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of four cases, and steps of three cells."""
    monkeypatch.setattr(files, "CASES_IN_BLOCK", 4)
    monkeypatch.setattr(tables, "CASES_IN_BLOCK", 4)
    monkeypatch.setattr(tables, "_MOST_IN_STEP", 3)


@pytest.fixture
def small(short: None) -> CaseTable:  # noqa: ARG001 (it makes the steps short)
    """The small listing."""
    return case_table(SMALL)


def names(path: Path) -> tuple[Path, Path]:
    """Where the finished blocks of a file are, and their index."""
    return path.with_name(f"{path.name}.part"), path.with_name(f"{path.name}.part.index")


def whole(table: CaseTable, folder: Path) -> bytes:
    """What an uninterrupted run writes."""
    path = folder / "whole.cases"
    table.save(path)
    data = path.read_bytes()
    path.unlink()
    return data


class StopHereError(Exception):
    """Something happens."""


def first(chunks: Iterator[bytes], steps: int) -> Iterator[bytes]:
    """Some steps of a listing, and an interruption."""
    yield from islice(chunks, steps)
    raise StopHereError


def interrupt(table: CaseTable, path: Path, steps: int) -> int:
    """Write some steps and no more; return how many cases are kept."""
    with open_partial(table, path) as begun:
        with pytest.raises(StopHereError):
            begun.write(first(begun.chunks(), steps))
        return begun.count


def finish(table: CaseTable, path: Path) -> tuple[int, str]:
    """Write the rest; return how many cases were kept, and why what was there was not used."""
    with open_partial(table, path) as begun:
        kept, refused = begun.count, begun.refused
        assert begun.write(begun.chunks()) == len(table)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    return kept, refused


# going on after a case


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "at_once"),
    [
        (SMALL, 5),
        ("hcp(north) == 3", 5),
        ("hcp(north) == 36 && hcp(south) <= 1", 5),
        ("shape(east, any 5332) && hcp(east) == 34", 100),
    ],
)
def test_what_follows_each_case(where: str, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST_IN_STEP", at_once)
    table = case_table(where)
    every = b"".join(table.chunks())
    for place, case in [*enumerate(table, start=1)][:: 1 + len(table) // 100]:
        chunks = list(table.chunks(case))
        assert b"".join(chunks) == every[16 * place :]
        assert len(chunks) == table.steps_after(case)
    assert table.steps_after(None) == table.steps == len(list(table.chunks()))
    assert len(every) == 16 * len(table) > 16
    second = [table[3]._replace(second_pattern=0)] if where == SMALL else []
    for wrong in (Case(0), Case(0, 559, 85), *second):
        with pytest.raises(PavError, match="is no case of this listing"):
            list(table.chunks(wrong))
    for cells in table.cells:
        for place in np.linspace(0, len(cells.maps) - 1, 5).astype(int).tolist():
            assert cells.index_of((cells.shapes[place], cells.maps[place])) == place
        assert cells.index_of((561, 0)) is None


# interruptions


@pytest.mark.slow
@pytest.mark.usefixtures("short")
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(goes=st.lists(st.integers(0, 15), max_size=4))
@example(goes=[15])
def test_interruptions_one_after_another(
    goes: list[int], small: CaseTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table, folder = small, tmp_path_factory.mktemp("goes")
    path, kept = folder / "a.cases", 0
    expected = whole(table, folder)
    for steps in goes:
        before, kept = kept, interrupt(table, path, steps)
        # a step has two cases, and the first after a finished block is an empty one
        assert kept == max(before, min(30, before + 2 * (steps - (before > 0))) // 4 * 4)
        assert not path.exists()
        assert [each.exists() for each in names(path)] == [kept > 0] * 2
    assert finish(table, path) == (kept, "")
    assert path.read_bytes() == expected


# a file that is longer or shorter, or not as it was written


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_a_file_goes_on_from_the_last_whole_block_that_nobody_changed(tmp_path: Path) -> None:
    table, path = case_table(SMALL), tmp_path / "a.cases"
    expected = whole(table, tmp_path)
    interrupt(table, path, 7)
    cases, index = names(path)
    data, entries = cases.read_bytes(), index.read_bytes()
    assert (len(data), len(entries)) == (3 * BYTES, HEAD + 3 * 16)
    found = [(data[:length], entries, length // BYTES * 4) for length in range(0, len(data), 7)]
    found += [
        (data, entries[:length], max(length - HEAD, 0) // 16 * 4)
        for length in range(len(MAGIC), len(entries) + 1, 5)
    ]
    found += [(data + expected, entries, 12), (data + b"\0" * BYTES, entries + b"\0" * 15, 12)]
    for some, its_index, kept in found:
        cases.write_bytes(some)
        index.write_bytes(its_index)
        assert finish(table, path) == (kept, "")
        assert path.read_bytes() == expected
    places = [(cases, place) for place in range(0, len(data), 17)]
    places += [(index, place) for place in range(len(MAGIC), len(entries), 9)]
    for changed, place in places:
        cases.write_bytes(data)
        index.write_bytes(entries)
        raw = bytearray(changed.read_bytes())
        raw[place] ^= 0x10
        changed.write_bytes(raw)
        block = place // BYTES if changed == cases else (place - HEAD) // 16
        reason = f"cases {block * 4 + 1} to {block * 4 + 4} or their checksum were changed"
        if changed == index and place < HEAD:
            reason = "it belongs to another condition or version"
        refused = f"{cases} is not used, and the listing starts again: {reason}"
        assert finish(table, path) == (0, refused)
        assert path.read_bytes() == expected


# files of others, and others at work


@pytest.mark.usefixtures("short")
def test_a_file_that_somebody_else_made_is_left_alone(tmp_path: Path) -> None:
    table, path = case_table(SMALL), tmp_path / "a.cases"
    cases, index = names(path)
    cases.write_bytes(b"a film")
    with pytest.raises(PavError, match=r"a\.cases\.part exists without its index"):
        table.save(path, resume=True)
    assert [each.name for each in tmp_path.iterdir()] == [cases.name]
    index.write_bytes(b"a list")
    with pytest.raises(PavError, match="is no index of pavcodec: move it away"):
        table.save(path, resume=True)
    assert (cases.read_bytes(), index.read_bytes()) == (b"a film", b"a list")


@pytest.mark.usefixtures("short")
def test_only_one_writes_at_a_time_and_only_a_regular_file(tmp_path: Path) -> None:
    table, path = case_table(SMALL), tmp_path / "a.cases"
    expected = whole(table, tmp_path)
    interrupt(table, path, 4)
    with open_partial(table, path) as begun:
        before = [each.read_bytes() for each in names(path)]
        with pytest.raises(PavError, match="another process writes this listing"):
            case_table(OTHER).save(path, resume=True)
        assert [each.read_bytes() for each in names(path)] == before
        assert begun.write(begun.chunks()) == 30
    assert path.read_bytes() == expected
    for other in (tmp_path, "/dev/null"):
        with pytest.raises(PavError, match=f"{other}: only a regular file"):
            table.save(other, resume=True)


@pytest.mark.usefixtures("short")
def test_a_link_stays_one(tmp_path: Path) -> None:
    table, real, link = case_table(SMALL), tmp_path / "real.cases", tmp_path / "link.cases"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    interrupt(table, link, 4)
    assert names(real)[0].exists()
    assert real.read_bytes() == b"old"
    assert table.save(link, resume=True) == 30
    assert (link.is_symlink(), real.stat().st_mode & 0o777) == (True, 0o640)
    with open_cases(link) as found:
        assert list(found) == list(table)


@pytest.mark.usefixtures("short")
def test_save_goes_on_and_warns_where_it_does_not(tmp_path: Path) -> None:
    table, path = case_table(SMALL), tmp_path / "a.cases"
    expected = whole(table, tmp_path)
    for other in (SMALL, OTHER):
        interrupt(case_table(other), path, 9)
        with warnings.catch_warnings(record=True, action="always") as caught:
            assert table.save(path, resume=True) == 30
        assert [each.filename for each in caught] == ([] if other == SMALL else [__file__])
        assert path.read_bytes() == expected
        path.unlink()
    assert str(caught[0].message).endswith("again: it belongs to another condition or version")
    interrupt(table, path, 4)
    table.cells[0].shapes[14] = 0  # other cells by the same name
    assert finish(table, path)[1].endswith("condition or version")
