"""Output files are complete or absent, whatever happens in between."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from formats_support import DEAL, NUMBER

from pavcodec import Board, Deal, write
from pavcodec.files.opening import open_output

BOARDS = [Board.make(Deal.from_pbn(DEAL), number=1)]


def test_a_file_may_be_written_over_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"{DEAL}\n")
    with path.open("rb") as source, open_output(path) as stream:
        stream.write(source.read() * 2)
    assert path.read_text() == f"{DEAL}\n" * 2


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_permissions_are_those_of_any_new_file_or_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mask of the process never changes: files of other threads get wrong permissions."""
    path, umask = tmp_path / "out.txt", os.umask
    before = umask(0o027)
    monkeypatch.delattr(os, "umask")
    try:
        write(BOARDS, path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write(BOARDS, path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        umask(before)


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "real.numbers"
    link = tmp_path / "link.numbers"
    link.symlink_to(target)
    for _ in range(2):  # the first time it dangles
        write(BOARDS, link)
        assert link.is_symlink()
        assert target.read_text() == f"{NUMBER}\n"
        assert not target.is_symlink()
    names = sorted(path.name for path in tmp_path.rglob("*"))
    assert names == ["link.numbers", "real.numbers", "there"]


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no /dev/null")
def test_a_device_is_written_directly() -> None:
    write(BOARDS * 3, "/dev/null", format="lines")
    boards = [Board.make(None, tags={"West": name}) for name in ("x", "Łukasz")]
    write(boards, "/dev/null", format="pbn")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_named_pipe_is_written_directly(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(BOARDS, path, format="numbers")
        assert os.read(reader, 1000) == f"{NUMBER}\n".encode()
        assert stat.S_ISFIFO(path.stat().st_mode)
    finally:
        os.close(reader)


@pytest.mark.parametrize("where", ["missing/out.txt", "file/out.txt", "."])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("x")
    path = f"{tmp_path}/{where}"
    with pytest.raises(OSError, match="directory") as caught:
        write(BOARDS, path, format="lines")
    assert caught.value.filename is not None
    assert os.path.normpath(caught.value.filename) == os.path.normpath(path)
    assert ".part" not in str(caught.value)


def test_a_long_name_is_as_good_as_a_short_one(tmp_path: Path) -> None:
    path = tmp_path / f"{'n' * 246}.numbers"  # 254 characters; file systems take 255
    path.write_bytes(b"")
    write(BOARDS, path)
    assert path.read_text() == f"{NUMBER}\n"


@pytest.mark.parametrize("system", ["with links", "without links"])
def test_a_fresh_file_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    if system == "without links":
        monkeypatch.setattr(os, "link", lambda *_, **__: os.stat(tmp_path / "none"))
    path, link = tmp_path / "out.txt", tmp_path / "link.txt"
    link.symlink_to(tmp_path / "elsewhere")
    with open_output(path, fresh=True) as stream:
        stream.write(b"one")
    for place in (path, link):
        with pytest.raises(FileExistsError), open_output(place, fresh=True) as stream:
            stream.write(b"two")
    assert path.read_bytes() == b"one"
    assert {each.name for each in tmp_path.iterdir()} == {"out.txt", "link.txt"}


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_its_owner_may_read_a_private_file(tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_bytes(b"seen by all")
    old.chmod(0o666)
    for path in (old, new):
        with open_output(path, private=True, fresh=path == new) as stream:
            stream.write(b"one")
            (unfinished,) = set(tmp_path.iterdir()) - {old, new}
            assert stat.S_IMODE(unfinished.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
