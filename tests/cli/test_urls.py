"""Commands read and write URLs as they do files."""

from __future__ import annotations

import itertools
import os
import sys
from typing import TYPE_CHECKING

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from s3_server import let_all_read

import pavcodec as pav
from pavcodec.files.stores import Storage, storage_of

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

_COUNT = itertools.count()
DEAL = ("deal", "hcp(south) >= 20", "-n", 60, "--seed", 7)


@pytest.fixture
def store() -> Storage:
    """A folder in memory that only one test has."""
    return storage_of(f"memory://urls-{next(_COUNT)}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["a.pbn", "a.pav", "a.parquet", "a.npy", "a.numbers", "a.deal12", "a.pbn.gz", "a.lin.zip"],
)
def test_an_object_has_the_bytes_of_a_file(
    cli: Cli, tmp_path: Path, store: Storage, name: str
) -> None:
    assert cli(*DEAL, "-o", tmp_path / name).code == 0
    assert cli(*DEAL, "-o", store.shown(name)).code == 0
    assert store.read(name) == (tmp_path / name).read_bytes()
    assert store.names() == [name]
    printed = [cli("info", place) for place in (tmp_path / name, store.shown(name))]
    assert [each.code for each in printed] == [0, 0]
    assert printed[0].out.split()[2:] == printed[1].out.split()[2:]
    ways = [
        cli("convert", place, "-o", "-", "--to", "lines")
        for place in (tmp_path / name, store.shown(name))
    ]
    assert ways[0].out == ways[1].out
    assert ways[0].out.count("\n") == 60


def test_an_object_is_replaced_only_with_force(cli: Cli, store: Storage) -> None:
    url = store.shown("a.pav")
    assert cli(*DEAL, "-o", url).code == 0
    old = store.read("a.pav")
    again = cli("deal", "-n", 3, "--seed", 1, "-o", url)
    assert again.code == 2
    assert f"{url} exists: use --force to replace it" in again.err
    assert store.read("a.pav") == old
    assert cli("deal", "-n", 3, "--seed", 1, "-o", url, "--force").code == 0
    assert store.read("a.pav") != old


@pytest.mark.slow
def test_archives_are_read_by_position(cli: Cli, store: Storage) -> None:
    url = store.shown("a.pav")
    assert cli(*DEAL, "-o", url).code == 0
    whole = cli("convert", url, "-o", "-", "--to", "lines").out.splitlines()
    assert cli("get", url, 40, "--to", "lines").out.split("\n")[0] == whole[40]
    with pav.open_archive(url) as archive:
        assert len(archive) == 60
        assert archive[-1].layout == pav.Deal.from_pbn(whole[-1])
    with pytest.raises(ValueError, match="closed"):
        archive[0]
    assert cli("verify", url).code == 0
    damaged = bytearray(store.read("a.pav"))
    damaged[len(damaged) // 2] ^= 1
    with store.put("a.pav") as stream:
        stream.write(damaged)
    found = cli("verify", url)
    assert found.code == 1
    assert "checksum" in found.err
    assert cli("repair", url, "-o", store.shown("b.pav")).code == 1
    assert store.names() == ["a.pav", "b.pav"]


@pytest.mark.slow
def test_commands_for_several_files(cli: Cli, store: Storage) -> None:
    assert cli(*DEAL, "-o", store.shown("a.pbn")).code == 0
    assert cli("pack", store.shown("a.pbn"), "-o", store.shown("set.pav"), "--set").code == 0
    assert cli("merge", store.shown("set.pav"), store.shown("set.pav"), "-o", store.shown("m.pav"))
    counted = cli(
        "grep", "hcp(south) >= 22", store.shown("a.pbn"), store.shown("none.pbn"), "--count"
    )
    assert (
        counted.out.strip()
        == cli("grep", "hcp(south) >= 22", store.shown("set.pav"), "--count").out.strip()
    )
    assert counted.code == 1
    assert f"{store.shown('none.pbn')}: cannot be read: there is no such object" in counted.err


@pytest.mark.slow
def test_files_of_a_web_server(cli: Cli, bucket: str) -> None:
    let_all_read(bucket)
    storage = storage_of(f"{bucket}/web")
    for name in ("a.pbn", "a.pav", "a.parquet"):
        assert cli(*DEAL, "-o", storage.shown(name)).code == 0
        server = os.environ["AWS_ENDPOINT_URL"]
        found = cli("convert", f"{server}/bucket/web/{name}", "-o", "-", "--to", "lines")
        assert found.code == 0
        assert found.out.count("\n") == 60
    assert cli("get", f"{server}/bucket/web/a.pav", 59, "--to", "lines").code == 0
    signed = cli("convert", f"{server}/bucket/web/a.pav?token=SECRET", "-o", "-", "--to", "lines")
    assert signed.out == found.out
    missing = cli("stats", f"{server}/bucket/web/none.pav?token=SECRET")
    assert missing.code == 1
    assert "/bucket/web/none.pav?…: cannot be read: there is no such object" in missing.err
    assert "SECRET" not in missing.err


def test_an_object_cannot_grow(cli: Cli, store: Storage) -> None:
    assert cli(*DEAL, "-o", store.shown("a.pbn")).code == 0
    for words in (
        ("convert", store.shown("a.pbn"), "-o", store.shown("b.pbn"), "--append"),
        ("append", store.shown("a.pav"), store.shown("a.pbn")),
    ):
        found = cli(*words)
        assert found.code == 2
        assert "an object of a store cannot grow" in found.err
    assert store.names() == ["a.pbn"]


def test_an_object_is_not_input_and_output(cli: Cli, store: Storage) -> None:
    assert cli(*DEAL, "-o", store.shown("a.pav")).code == 0
    found = cli("merge", store.shown("a.pav"), "-o", store.shown("a.pav"))
    assert found.code == 2
    assert "is an input, so it cannot be the output" in found.err


def test_a_late_letter_changes_the_encoding_of_the_whole(tmp_path: Path) -> None:
    """A writer of PBN goes back to the start of its file, and so to that of an object."""
    path, url = tmp_path / "a.pbn", f"memory://late-{next(_COUNT)}/a.pbn"
    deal = pav.numbering("deal")[10**28]
    names = ["Zoë", "Łukasz"]
    boards = [pav.Board.make(deal, tags={"West": name}) for name in names]
    assert pav.write(boards, path) == pav.write(boards, url) == 2
    assert storage_of(url.rpartition("/")[0]).read("a.pbn") == path.read_bytes()
    assert [board.tags["West"] for board in pav.read(url)] == names


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nix://bucket/a.pav", "nix://bucket/a.pav: fsspec has no protocol 'nix'"),
        ("memory://none/a.pav", "memory://none/a.pav: cannot be read: there is no such object"),
        ("sftp://anna:pass@host/a.pav", "sftp://host/a.pav: cannot be read: sftp:// needs the"),
    ],
)
def test_faults_are_one_line_without_secrets(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, url: str, reason: str
) -> None:
    monkeypatch.setitem(sys.modules, "paramiko", None)
    found = cli("stats", url)
    assert found.code == 1
    assert reason.partition(": ")[0] in found.err
    assert reason.rpartition(": ")[2] in found.err
    assert "pass@" not in found.err
    assert "Traceback" not in found.err


def test_a_failing_command_leaves_no_object(
    cli: Cli, store: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(MemoryFileSystem, "pipe_file", full)
    found = cli(*DEAL, "-o", store.shown("a.pav"))
    assert found.code == 1
    assert found.err.endswith(f"pavcodec deal: {store.shown('a.pav')}: No space left on device\n")
    assert store.names() == []


def test_records_are_read_by_position(store: Storage) -> None:
    url = store.shown("three.deal12")
    assert pav.write_records([5, 6, 7], url) == 3
    with pav.open_records(url) as numbers:
        assert (len(numbers), numbers[-1], list(numbers[::2])) == (3, 7, [5, 7])
    with pytest.raises(ValueError, match="closed"):
        numbers[0]
