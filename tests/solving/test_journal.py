"""The journal: each record is complete or absent, and serves only its own chunk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pavcodec import PavError
from pavcodec.solving.journal import Journal, digest_of

CHUNKS = [
    (digest_of(bytes([number])), bytes([number % 14]) * 20 * (number + 1)) for number in range(6)
]


def written(path: Path, chunks: int) -> bytes:
    """Write some chunks, and return the bytes of the file."""
    journal = Journal(str(path))
    for digest, tricks in CHUNKS[:chunks]:
        assert journal.take(digest, len(tricks) // 20) is None
        journal.add(digest, tricks)
    journal.close()
    return path.read_bytes()


def taken(path: Path) -> int:
    """Return how many chunks a journal has; solve the others, and return to the start."""
    journal, found = Journal(str(path)), 0
    for digest, tricks in CHUNKS:
        known = journal.take(digest, len(tricks) // 20)
        if known is None:
            journal.add(digest, tricks)
        else:
            assert known == tricks
            found += 1
    journal.close()
    return found


def test_chunks_come_back_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "x.solving"
    whole = written(path, 6)
    assert taken(path) == 6
    assert path.read_bytes() == whole


@pytest.mark.slow
def test_a_file_that_is_cut_anywhere_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "x.solving"
    whole = written(path, 6)
    ends = [len(written(path.with_name(f"{count}"), count)) for count in range(1, 7)]
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert taken(path) == sum(end <= length for end in ends)
        assert path.read_bytes() == whole


def test_a_damaged_tail_is_solved_again(tmp_path: Path) -> None:
    path = tmp_path / "x.solving"
    whole = written(path, 6)
    start = len(written(path.with_name("4"), 4))
    for place in range(start, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 64
        path.write_bytes(damaged)
        assert 4 <= taken(path) < 6
        assert path.read_bytes() == whole
    path.write_bytes(whole + b"\xff" * 1000)
    assert taken(path) == 6


def test_there_is_no_file_without_tricks(tmp_path: Path) -> None:
    path = tmp_path / "x.solving"
    journal = Journal(str(path))
    assert journal.take(*CHUNKS[0][:1], 1) is None
    journal.remove()
    assert not path.exists()
    written(path, 2)
    journal = Journal(str(path))
    journal.remove()
    assert not path.exists()


def test_the_tricks_of_another_run_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "x.solving"
    whole = written(path, 3)
    journal = Journal(str(path))
    with pytest.raises(PavError, match="has the tricks of another run, with other boards or opt"):
        journal.take(CHUNKS[1][0], 1)
    journal.close()
    assert path.read_bytes() == whole
    journal = Journal(str(path), force=True)
    assert journal.take(CHUNKS[0][0], 1) == CHUNKS[0][1]
    assert journal.take(CHUNKS[5][0], 6) is None
    journal.add(*CHUNKS[5])
    assert journal.take(CHUNKS[2][0], 3) is None
    journal.close()


def test_other_files_are_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "x.solving"
    path.write_bytes(b"my notes")
    with pytest.raises(PavError, match="is no journal of solved boards: remove it"):
        Journal(str(path))
    assert path.read_bytes() == b"my notes"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no locks")
def test_two_runs_do_not_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "x.solving"
    written(path, 2)
    journal = Journal(str(path))
    code = f"from pavcodec.solving.journal import Journal; Journal({str(path)!r})"
    command = [sys.executable, "-c", code]
    other = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "another run writes this file now" in other.stderr
    journal.close()
    subprocess.run(command, check=True)
