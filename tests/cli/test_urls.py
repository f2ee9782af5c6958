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
@pytest.mark.parametrize("name", ["a.pbn", "a.pav", "a.parquet", "a.npy", "a.deal12", "a.lin.zip"])
def test_an_object_has_the_bytes_of_a_file(
    cli: Cli, tmp_path: Path, store: Storage, name: str
) -> None:
    places = (tmp_path / name, store.shown(name))
    assert [cli(*DEAL, "-o", place).code for place in places] == [0, 0]
    assert store.read(name) == (tmp_path / name).read_bytes()
    assert store.names() == [name]
    printed, url_printed = (cli("info", place).out.split()[2:] for place in places)
    assert printed == url_printed
    lines, url_lines = (cli("convert", place, "-", "--to", "lines").lines for place in places)
    assert lines == url_lines
    assert len(lines) == 60


def test_an_object_is_replaced_only_with_force(cli: Cli, store: Storage) -> None:
    url, other = store.shown("a.pav"), ("deal", "-n", 3, "--seed", 1, "-o")
    assert cli(*DEAL, "-o", url).code == 0
    old = store.read("a.pav")
    again = cli(*other, url)
    assert (again.code, store.read("a.pav")) == (2, old)
    assert f"{url} exists: use --force to replace it" in again.err
    assert cli(*other, url, "--force").code == 0
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
    assert cli("verify", url).out == f"{url}: whole, 60 boards\n"
    assert cli("repair", url, "-o", store.shown("b.pav")).code == 0
    assert store.read("b.pav") == store.read("a.pav")


@pytest.mark.slow
def test_commands_for_several_files(cli: Cli, store: Storage) -> None:
    pbn, archive, none = (store.shown(name) for name in ("a.pbn", "set.pav", "none.pbn"))
    assert cli(*DEAL, "-o", pbn).code == 0
    assert cli("pack", pbn, "-o", archive, "--set").code == 0
    assert cli("merge", archive, archive, "-o", store.shown("m.pav")).code == 0
    assert "cannot be the output" in cli("merge", archive, "-o", archive).err
    counted = cli("grep", "hcp(south) >= 22", pbn, none, "--count")
    assert counted.out == cli("grep", "hcp(south) >= 22", archive, "--count").out
    assert counted.code == 1
    assert f"{none}: cannot be read: there is no such object" in counted.err
    other, new = store.shown("b.pbn"), store.shown("b.pav")
    for words in (("convert", pbn, "-o", other, "--append"), ("append", new, pbn)):
        found = cli(*words)
        assert (found.code, "an object of a store cannot grow" in found.err) == (2, True)


@pytest.mark.slow
def test_files_of_a_web_server(cli: Cli, bucket: str) -> None:
    let_all_read(bucket)
    storage = storage_of(f"{bucket}/web")
    for name in ("a.pbn", "a.pav"):
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
    assert (found.code, "pass@" in found.err) == (1, False)
    assert reason.partition(": ")[0] in found.err
    assert reason.rpartition(": ")[2] in found.err


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
