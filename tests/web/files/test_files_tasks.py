"""The tasks of files: what is read, written and printed is what the commands and Python give."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packages import needs
from pydantic import ValidationError
from web_commands import run_command, run_python
from web_tasks import content_of

import pavcodec as pav
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import zipped
from pavcodec.web.tasks.files import converting as uploads
from pavcodec.web.tasks.files.converting import (
    EXPANDED,
    PASTED,
    ConvertQuestion,
    Upload,
    convert,
)
from pavcodec.web.tasks.files.reading import PrintQuestion, ReadQuestion, print_pages, printed, read
from pavcodec.web.tasks.task import FILE_BOARDS, UPLOAD

if TYPE_CHECKING:
    from pavcodec.web.tasks.files.converting import FileQuestion, Same
    from pavcodec.web.tasks.task import Download

PLAYED = (
    b'[Event "Heat \xe9t\xe9"]\n[Board "1"]\n[North "A"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
    b'[Deal "N:AKQ2.J54.KT3.982 87.AQT6.9842.KJ4 J654.K93.QJ7.AT5 T93.872.A65.Q763"]\n'
    b'[Contract "2S"]\n[Declarer "N"]\n[Result "9"]\n[Auction "N"]\n1NT Pass 2S Pass\nPass Pass\n'
    b'[Play "E"]\nC4 CT C3 C2\n*\n\n'
    b'[Event "#"]\n[Board "2"]\n[Deal "E:AKQ2.J54.KT3.982 87.AQT6.9842.KJ4 J654.K93.QJ7.AT5 '
    b'T93.872.A65.Q763"]\n'
)


def upload(name: str, content: bytes) -> Upload:
    return Upload(name=name, content=content)


def files(**named: bytes) -> tuple[Upload, ...]:
    return tuple(upload(name.replace("_", "."), content) for name, content in named.items())


def test_reads_cards_tags_auction_and_play() -> None:
    found = read(ReadQuestion(file=files(heat_pbn=PLAYED)))
    first, second = found.shown
    assert (found.files[0].format, found.boards, found.problem_count) == ("pbn", 2, 0)
    assert first["tags"] == {"Event": "Heat été", "North": "A"}
    assert first["contract"] == "2S by North, 9 tricks"
    assert [each["call"] for each in first["auction"]][:3] == ["1NT", "Pass", "2S"]
    assert first["play"] == [["C4", "CT", "C3", "C2"]]
    assert second["title"] == "Board 2"
    rows = {row.name: row for row in found.formats}
    assert rows["pbn"].lost == ()
    assert {"number", "auction", "4 more"} <= {*rows["lines"].lost}
    assert (rows["lines"].losing, found.examined) == (2, 2)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which commands and lines of Python run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(question: FileQuestion) -> None:
    """Write the files of a question, which its command and its lines read."""
    for file in question.files:
        Path(file.name).write_bytes(file.data())


def check_same(question: FileQuestion, file: Download, same: Same) -> None:
    """Assert that the command and the lines of Python write the bytes of a file."""
    data, path = content_of(file), Path(file.name)
    write(question)
    run_command(same.command)
    assert path.read_bytes() == data
    path.unlink()
    run_python(same.python)
    assert path.read_bytes() == data


def test_command_and_python_show_what_is_read() -> None:
    question = ReadQuestion(file=files(heat_pbn=PLAYED, more_txt=b"N:A.K.Q.J - - -\n"), turn="1")
    found = read(question)
    write(question)
    lines = run_command(found.command).decode().splitlines()
    titles = [board["title"] for board in found.shown[:2]]
    assert [line for line in lines if line.startswith("Board")] == titles
    boards = run_python(found.python)[1]["answer"].boards
    assert [str(board.layout) for board in boards] == [board["deal"] for board in found.shown]
    pasted = ReadQuestion(content="N:AK.Q.. - .32.4. -\r\n")
    found = read(pasted)
    assert (found.boards, found.files[0].format) == (1, "lines")
    assert PASTED in found.command
    write(pasted)
    assert b"AK" in run_command(found.command)


@pytest.mark.parametrize(
    ("name", "to", "change"),
    [
        ("heat.pbn", "lin", {}),
        ("a'b\"c.pbn", "pav", {"where": "hcp(north) > 12"}),
        ("$(x) `y`.pbn", "dlm", {"turn": "3"}),
        ("é 🂡|b.pbn", "jsonl", {"where": "-hcp(north) < -12 || 0", "turn": "NS"}),
        ("-o.pbn", "lines", {}),
        ("%0A.pbn", "bri", {}),
    ],
)
def test_command_and_python_write_the_file(name: str, to: str, change: dict[str, str]) -> None:
    question = ConvertQuestion(file=(upload(name, PLAYED),), to=to, **change)
    same = read(ReadQuestion(file=question.file, to=to, **change)).converting
    check_same(question, convert(question), same)


@pytest.mark.slow
def test_command_and_python_print_the_pages() -> None:
    needs("typst")
    needs("endplay")
    heat = files(heat_pbn=PLAYED)
    solved: dict[str, Any] = {"solve": True, "turn": "1", "where": "hcp(north) > 5"}
    for question in (
        PrintQuestion(file=heat, layout="slips", to="html", paper="letter", title="-x 'y'"),
        PrintQuestion(file=heat, to="pdf", **solved),
    ):
        check_same(question, print_pages(question), printed(question))
    found = read(ReadQuestion(file=heat, solve=True))
    assert found.shown[0]["tricks"][0][0] == "N"
    assert found.shown[0]["par"]
    assert found.unsolved == ""


@pytest.mark.slow
def test_large_files_are_converted_in_batches_and_compressed_ones_are_read() -> None:
    stream = io.BytesIO()
    boards = map(pav.Board.make, pav.numbering("deal").sample(8000, seed=7))
    pav.write(boards, stream, format="pbn")
    plain = stream.getvalue()
    assert len(plain) > 1 << 20
    question = ConvertQuestion(file=(upload("large.zip", zip_of(large_pbn=plain)),), to="pav")
    write(question)
    run_command("pavcodec convert large.zip -o expected --to pav")
    assert Path("expected").read_bytes() == content_of(convert(question))
    for name in ("heat.pbn.gz", "heat.ZIP"):
        data = gzip.compress(PLAYED) if name.endswith("gz") else zip_of(heat_pbn=PLAYED, x_txt=b"")
        found = read(ReadQuestion(file=(upload(name, data),)))
        assert (found.boards, found.files[0].format) == (2, "pbn")


def test_names_and_files_that_are_refused() -> None:
    """`refused.txt` has others."""
    for name in ("a\nb.pbn", "a\u2028b", "x" * 201):
        with pytest.raises(ValidationError):
            upload(name, PLAYED)
    assert Upload.model_validate({"name": "a", "content": "Zm\n9v"}).content == b"foo"
    halves = upload("a.pbn", bytes(UPLOAD // 2 + 1)), upload("b.pbn", bytes(UPLOAD // 2))
    with pytest.raises(ValidationError, match="all files together"):
        ReadQuestion(file=halves)
    with pytest.raises(PavError, match="trick"):
        content_of(convert(ConvertQuestion(file=files(heat_pbn=PLAYED), to="zrd")))


def zip_of(**named: bytes) -> bytes:
    return zipped({name.replace("_", "."): content for name, content in named.items()})


@pytest.mark.slow
def test_bombs_and_too_many_boards_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zlib.compress(bytes(UPLOAD + 1))
    bomb = Upload.model_construct(name="a.pbn", content=data, packed=True)
    with pytest.raises(ReadError, match="more than"):
        bomb.data()
    assert (EXPANDED, FILE_BOARDS) == (8 * UPLOAD, 100_000)
    most = 1 << 20
    monkeypatch.setattr(uploads, "EXPANDED", most)
    monkeypatch.setattr(uploads, "FILE_BOARDS", 1000)
    halves = zip_of(a_lin=b"\n" * (most // 2), b_lin=b"\n" * (most // 2 + 1))
    for name, data, reason in (
        ("a.lin.gz", gzip.compress(b"\n" * (most + 1)), "expands to more than"),
        ("a.zip", halves, "expands to more than"),
        ("zero.deal12", bytes(12 * 1001), "more than 1,000 boards"),
    ):
        with pytest.raises(ReadError, match=reason):
            read(ReadQuestion(file=(upload(name, data),)))
    with pytest.raises(ReadError, match="more than 1,000 boards"):
        convert(ConvertQuestion(file=(upload("zero.deal12", data),)))


def test_a_board_that_cannot_be_written_stops_the_file_or_is_left_out() -> None:
    twice = ConvertQuestion(file=files(one_pbn=PLAYED, two_pbn=PLAYED + PLAYED), to="bri")
    same = read(ReadQuestion(file=twice.file, to="bri"))
    assert (same.boards, same.repeated, len(content_of(convert(twice)))) == (6, 4, 2 * 128)
    check_same(twice, convert(twice), same.converting)
    wrong = PLAYED + b'\n[Board "3"]\n[Deal "N:AK... QJ... T9... 87..."]\n'
    question = ConvertQuestion(file=files(heat_pbn=wrong), to="bri")
    with pytest.raises(ReadError, match="leave out"):
        convert(question)
    left = convert(question.model_copy(update={"leave_out": True}))
    assert len(content_of(left)) == 2 * 128


def test_the_figures_are_those_of_the_deals() -> None:
    space = pav.numbering("deal").sample(50, seed=7)
    found = read(ReadQuestion(content="\n".join(map(str, space)))).figures
    assert found is not None
    assert found.deals == 50
    points = [sum(deal[seat].hcp for deal in space) for seat in "NESW"]
    assert [seat.points for seat in found.seats] == points
    even = pav.expression("shape(north, any 4333 + any 4432 + any 5332)")
    assert found.seats[0].balanced == sum(map(even.value, space))
    assert found.balanced == str(pav.probability(even))
    short = " || ".join(f"{suit}(north) < 2" for suit in ("spades", "hearts", "diamonds", "clubs"))
    assert found.short == str(pav.probability(short))
