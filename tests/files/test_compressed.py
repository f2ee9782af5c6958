"""Compressed files are read as the files that they hold."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from formats_support import DEAL, DEMO, OTHER
from packages import needs

import pavcodec
from pavcodec import Board, Problem, ReadError, read
from pavcodec.cli import main
from pavcodec.files.compressed import compressed, compressing

GAME = b'[Board "3"]\n[Deal "N:AKQJT98765432... - - -"]\n'


def zipped(data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("demo.pbn", data)
    return stream.getvalue()


def unzipped(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["demo.pbn"]
        assert archive.infolist()[0].date_time == (1980, 1, 1, 0, 0, 0)
        return archive.read("demo.pbn")


def zstandard(data: bytes) -> bytes:
    codec = pytest.importorskip("pyarrow").Codec("zstd")
    return bytes(codec.compress(data, asbytes=True))


def of_zstandard(data: bytes) -> bytes:
    stream = pytest.importorskip("pyarrow").CompressedInputStream(io.BytesIO(data), "zstd")
    return bytes(stream.read())


WAYS: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    ".gz": (gzip.compress, gzip.decompress),
    ".bz2": (bz2.compress, bz2.decompress),
    ".xz": (lzma.compress, lzma.decompress),
    ".zip": (zipped, unzipped),
    ".zst": (zstandard, of_zstandard),
}


def zip_of(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("suffix", WAYS)
def test_every_way_is_read_and_written_by_suffix(tmp_path: Path, suffix: str) -> None:
    compress, decompress = WAYS[suffix]
    path, plain = tmp_path / f"demo.pbn{suffix}", tmp_path / "plain.pbn"
    for each in (path, plain):
        pavcodec.write(read(DEMO), each)
    data = path.read_bytes()
    assert decompress(data) == plain.read_bytes()
    assert suffix != ".gz" or data[:8] == b"\x1f\x8b\x08\x00" + bytes(4)  # no name and no time
    pavcodec.write(read(DEMO), path)
    assert path.read_bytes() == data
    path.write_bytes(compress(DEMO.read_bytes()))
    assert list(read(path)) == list(read(DEMO))
    for bad in (data[: len(data) // 2], b"no compressed file at all"):
        path.write_bytes(bad)
        with pytest.raises(ReadError, match="is damaged or incomplete"):
            list(read(path))
    if suffix != ".zip":
        unnamed = tmp_path / f"deals{suffix.upper()}"
        unnamed.write_bytes(compress(f"{DEAL}\n{OTHER}\n".encode()))
        assert [str(board.layout) for board in read(unnamed)] == [DEAL, OTHER]
        (owners,) = pavcodec.read_owners(unnamed)
        assert [str(pavcodec.Layout(row.tobytes())) for row in owners] == [DEAL, OTHER]


GREEDY = b"\x5d" + b"\xff" * 12 + bytes(17)


def test_a_small_file_that_asks_for_gigabytes_is_refused(tmp_path: Path) -> None:
    for name, data in (
        ("d.pbn.xz", GREEDY),
        ("d.pbn.xz", lzma.compress(GAME) + GREEDY),
        ("d.pbn.zst", b"\x28\xb5\x2f\xfd\0\xa8\1\0\0"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ReadError, match=r"[Mm]emory"):
            list(read(tmp_path / name))


def test_an_xz_file_may_have_several_parts(tmp_path: Path) -> None:
    parts = [lzma.compress(DEAL.encode()), bytes(4), lzma.compress(b"\n"), lzma.compress(b"")]
    path = tmp_path / "deals.lines.xz"
    for filling in (b"", bytes(2_000_000)):
        path.write_bytes(b"".join([*parts, filling, lzma.compress(OTHER.encode()), bytes(8)]))
        assert [str(board.layout) for board in read(path)] == [DEAL, OTHER]


@pytest.mark.parametrize("name", ["deal12", "lin", "pav", "parquet"])
def test_formats_of_all_kinds_may_be_compressed(tmp_path: Path, name: str) -> None:
    if name == "parquet":
        needs("pyarrow")
    boards = [board for board in read(DEMO) if board.layout and board.layout.is_deal]
    plain, packed = tmp_path / f"a.{name}", tmp_path / f"a.{name}.gz"
    assert pavcodec.write(boards, plain) == pavcodec.write(boards, packed) == len(boards)
    assert list(read(packed)) == list(read(plain))


@pytest.mark.parametrize("suffix", [".gz", ".zip"])
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.pbn{suffix}"
    path.write_bytes(b"old")

    def boards() -> Iterator[Board]:
        yield from read(DEMO)
        raise KeyError("stop")

    with pytest.raises(KeyError):
        pavcodec.write(boards(), path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]


def test_all_files_of_a_zip_are_read_with_their_own_formats(tmp_path: Path) -> None:
    path = zip_of(
        tmp_path / "event.zip",
        {
            "round1.pbn": GAME + b'[Deal "N:broken"]\n',
            "later/round2.txt": f"{DEAL}\n{OTHER}\n".encode(),
            "later/": b"",
            "__MACOSX/._round1.pbn": b"\x00\x05",
        },
    )
    problems: list[Problem] = []
    found = list(read(path, report=problems.append))
    assert [str(board.layout) for board in found if board.layout][-2:] == [DEAL, OTHER]
    (problem,) = problems
    assert str(problem).startswith(f"{path}/round1.pbn:3: ")


def changed(path: Path, files: dict[str, bytes], changes: dict[tuple[bytes, int], bytes]) -> Path:
    """A zip file with other bytes so far behind the last place of some."""
    data = bytearray(zip_of(path, files).read_bytes())
    for (start, offset), new in changes.items():
        at = data.rindex(start) + offset
        data[at : at + len(new)] = new
    path.write_bytes(bytes(data))
    return path


LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"


def encrypted(path: Path) -> Path:
    return changed(path, {"a.pbn": GAME}, {(LOCAL, 6): b"\1", (CENTRAL, 8): b"\1"})


def overlapping(path: Path) -> Path:
    return changed(path, {"a.pbn": GAME, "b.pbn": GAME}, {(CENTRAL, 42): bytes(4)})


def bomb(path: Path) -> Path:
    """A zip file that claims to hold three gigabytes."""
    return changed(path, {"a.pbn": GAME}, {(CENTRAL, 24): (3 << 30).to_bytes(4, "little")})


def window_of_gigabytes(path: Path) -> Path:
    """A zip file with a member of LZMA that asks for a window of four gigabytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.pbn", GAME)
    data = path.read_bytes()
    header = data.index(b"\5\0\x5d")
    path.write_bytes(data[: header + 3] + b"\xff" * 4 + data[header + 7 :])
    return path


REFUSED: dict[str, tuple[Callable[[Path], Path], str]] = {
    "encrypted": (encrypted, "'a.pbn' is encrypted"),
    "nested": (lambda path: zip_of(path, {"b.zip": GAME}), "'b.zip' is itself compressed"),
    "packed": (lambda path: zip_of(path, {"b.pbn.gz": GAME}), "is itself compressed"),
    "above": (lambda path: zip_of(path, {"../b.pbn": GAME}), "has an unsafe name"),
    "root": (lambda path: zip_of(path, {"/etc/b.pbn": GAME}), "has an unsafe name"),
    "drive": (lambda path: zip_of(path, {"C:/b.pbn": GAME}), "has an unsafe name"),
    "control": (lambda path: zip_of(path, {"a\x1b[2J.pbn": GAME}), "has an unsafe name"),
    "empty": (lambda path: zip_of(path, {}), "holds no files"),
    "overlap": (overlapping, "overlap"),
    "bomb": (bomb, "expand to 3,221,225,472"),
    "window": (window_of_gigabytes, "'a.pbn' needs too much memory"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_zip_file_that_may_do_harm_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    make, reason = REFUSED[kind]
    path = make(tmp_path / "event.zip")
    out = tmp_path / "out.pbn"
    assert main(["convert", str(path), str(out)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert str(path) in line
    assert reason in line
    assert not out.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_zip_file_is_read_from_a_pipe(tmp_path: Path) -> None:
    data = zip_of(tmp_path / "a.zip", {"a.pbn": GAME}).read_bytes()
    pipe = tmp_path / "pipe.zip"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    found = list(read(pipe))
    writer.join()
    assert [board.number for board in found] == [3]


def test_a_letter_outside_of_iso_8859_1_is_written_as_in_a_plain_file(tmp_path: Path) -> None:
    layout = next(read(DEMO)).layout
    names = ("Zoë", "Łukasz", "Zoë")
    boards = [Board.make(layout, number=1, tags={"West": name}) for name in names]
    plain, packed = tmp_path / "a.pbn", tmp_path / "a.pbn.gz"
    pavcodec.write(boards, plain)
    pavcodec.write(boards, packed)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [*WAYS, ""])
def test_bytes_compressed_while_written_are_the_same(suffix: str) -> None:
    some = bytes(Random(7).choices(b"AKQJT98765432.SHDC\n", k=50_000))
    data = b"".join(some[k:] + some[:k] for k in range(25))  # more than one block
    whole, written = io.BytesIO(), io.BytesIO()
    with compressed(whole, f"demo.pbn{suffix}") as stream:
        stream.write(data)
    with compressing(written, f"demo.pbn{suffix}") as stream:
        for begin in range(0, len(data), 300_001):
            stream.write(memoryview(data)[begin : begin + 300_001])
    assert written.getvalue() == whole.getvalue()
    _, expanded = WAYS.get(suffix, (bytes, bytes))
    assert expanded(written.getvalue()) == data
