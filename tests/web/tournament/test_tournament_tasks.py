"""The tasks of the page Tournament give the bytes and the words of the commands."""

from __future__ import annotations

import io
import json
import os
import shlex
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from web_commands import run_command, run_python
from web_tasks import content_of

from pavcodec.cli import main
from pavcodec.errors import PavError
from pavcodec.tournament import Description, Keys
from pavcodec.web.tasks.files.converting import Upload
from pavcodec.web.tasks.tournament import (
    DEAL,
    MAKE,
    VERIFY,
    DealSetFileQuestion,
    DealSetQuestion,
    VerifyQuestion,
    deal_file,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

VALUE = "40829.12"
LATER = "DJI, close of 24 November 2126, as 12345.67"
TEXTS = (".sqd", ".sqk", ".txt")
PHASES = "2:1-3,4-6:SW#:Swiss #/2\n1:4:F:Final"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def same_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same keys each time."""

    def drawn(description: Description) -> Keys:
        return Keys.of(
            {place: f"left{place}right".replace(" ", "") * 3 for place in description.sessions}
        )

    monkeypatch.setattr(Keys, "fresh", drawn)


def run(command: str) -> list[int]:
    """Run command lines in the current folder, and return their exit codes."""
    lines = [shlex.split(line) for line in command.splitlines()]
    assert {name for name, *_ in lines} == {"pavcodec"}
    return [main(words) for _, *words in lines]


def contents(folder: str = ".") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}


make: Any = MAKE.work
deal: Any = DEAL.work
verify: Any = VERIFY.work
MakeQuestion: Any = MAKE.question


def uploads(files: Mapping[str, bytes]) -> tuple[Upload, ...]:
    return tuple(Upload(name=name, content=data) for name, data in files.items())


def made(**fields: Any) -> dict[str, bytes]:
    """Return the description and the keys of a new set."""
    fields = {"title": "Tuesday", "boards": "8", "delayed": LATER} | fields
    answer = make(MakeQuestion(**fields))
    files = {one["name"]: b64decode(one["content"]) for one in answer.files}
    return {name: data for name, data in files.items() if name.endswith((".sqd", ".sqk"))}


def write(files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        Path(name).write_bytes(data)


def file_of(files: Mapping[str, bytes], to: str, **fields: Any) -> tuple[str, bytes]:
    fields = {"value": VALUE} | fields
    found = deal_file(DealSetFileQuestion(file=uploads(files), to=to, **fields))
    return found.name, content_of(found)


def members(data: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


SETS: list[dict[str, Any]] = [
    {"title": 'Café d\'été "α" `x`; rm', "date": "2126-11-24", "site": "Łódź, 'Club'"},
    {"title": "-n", "boards": "1-3,4-6", "sessions": 2, "session": "-x", "delayed": "$(x) 2126"},
    {"title": "Cup", "delayed": LATER, "phases": PHASES},
]


@pytest.mark.slow
@pytest.mark.parametrize("fields", SETS, ids=lambda fields: str(fields["title"]))
@pytest.mark.usefixtures("same_keys")
def test_a_set_has_the_files_of_the_command_and_of_python(fields: dict[str, Any]) -> None:
    answer = make(MakeQuestion(**({"boards": "4"} | fields)))
    files = {one["name"]: b64decode(one["content"]) for one in answer.files}
    assert run(answer.command) == [0]
    if "phases" in fields:
        wanted = {name: data for name, data in files.items() if name.endswith((".sqd", ".sqk"))}
        folder = "."
    else:
        wanted, folder = files, os.path.splitext(answer.description)[0]
    assert contents(folder) == wanted
    os.makedirs("python")
    os.chdir("python")
    run_python(answer.python)
    assert contents(folder) == wanted


@pytest.mark.slow
def test_keys_are_fresh_and_only_in_their_file() -> None:
    answers = [make(MakeQuestion(title="x", delayed=LATER)) for _ in range(2)]
    assert answers[0].hash != answers[1].hash
    assert answers[0].notes == ()
    files = {one["name"]: one for one in answers[0].files}
    assert [one["name"] for one in answers[0].files if one["role"] == "keep"] == ["x.sqk"]
    (key,) = Keys.parse(b64decode(files["x.sqk"]["content"])).table.values()
    for one in answers[0].files:
        assert (key.encode() in b64decode(one["content"])) == (one["name"] == "x.sqk")
    assert key not in answers[0].message + answers[0].command + answers[0].python
    assert answers[0].hash in answers[0].message
    warned = {
        "DJI, close of 2020-01-31": "is past",
        "DJI, close of 31 January 2020": "is past",
        "the weather": "names no day",
    }
    for delayed, words in warned.items():
        (warning,) = make(MakeQuestion(title="x", delayed=delayed)).notes
        assert words in warning


@pytest.mark.slow
@pytest.mark.parametrize("value", [VALUE, "-40829.12", ""])
def test_deals_are_those_of_the_command_and_of_python(value: str) -> None:
    """Browsers and people rename files, and the commands name them as they are."""
    description, keys = made(
        boards="1-3,4-6", sessions=2, **{} if value else {"delayed": ""}
    ).values()
    files = {"-tuesday (1).sqd": description, "keys of tuesday.txt": keys}
    answer = deal(DealSetQuestion(file=uploads(files), value=value))
    assert answer.view["shown"] == []
    name, data = file_of(files, "everything", value=value)
    assert name == "-tuesday (1)-everything.zip"
    inner = members(data)
    records = {os.path.splitext(name)[0] for name in inner if "-records" in name}
    assert records == {f"after the play/tuesday-{number}-records" for number in (1, 2)}
    write(files)
    assert run(answer.command) == [0]
    pbn = {name: data for name, data in contents().items() if name.endswith(".pbn")}
    assert pbn == {name: inner[name] for name in pbn}
    assert len(pbn) == 2
    write(files)
    deals = [str(board.layout) for board in run_python(answer.python)[1]["answer"].boards()]
    assert deals == [row["deal"] for row in answer.boards]
    checked = verify(VerifyQuestion(file=uploads(files | pbn), value=value))
    assert checked.agrees is True
    assert checked.value == (value or "none")
    assert any("only one set" in text for text in checked.unproved) == (not value)
    write(files)
    assert run(checked.command) == [0]


def refusal(work: Any, question: Any) -> str:
    """Return the words with which a task refuses a question."""
    with pytest.raises(PavError) as caught:
        work(question)
    return str(caught.value)


@pytest.mark.slow
def test_sets_that_are_open_or_too_large() -> None:
    files = made(title="Cup", phases="1:?:F:Final")
    question: dict[str, Any] = {"file": uploads(files), "value": VALUE}
    assert "how many boards F has" in refusal(deal, DealSetQuestion(**question))
    second = {"session": "1,2", "reserve": True}
    for some, fields, boards in (
        (files, {"boards": 5}, [1, 2, 3, 4, 5]),
        (made(title="Cup", phases=PHASES), second, [4, 5, 6]),
    ):
        answer = deal(DealSetQuestion(file=uploads(some), value=VALUE, show=True, **fields))
        [(_, name_of_set, views)] = answer.view["shown"]
        assert [view["board"] for view in views] == boards
        name, data = file_of(some, "pbn", **fields)
        write(some)
        assert run(answer.command) == [0]
        assert (name, contents()[name]) == (f"{name_of_set}.pbn", data)
        write(some)
        dealt = run_python(answer.python)[1]["answer"].boards()
        assert [str(board.layout) for board in dealt] == [view["deal"] for view in views]
    question["file"] = uploads(made(title="Cup", phases="0:4:KO##:KO #"))
    assert "such as 'KO01'" in refusal(deal, DealSetQuestion(**question))
    answer = deal(DealSetQuestion(**question, session="KO07"))
    assert [one["boards"] for one in answer.sessions] == ["1-4"]
    question["file"] = uploads(made(title="Cup", phases="101:1-100:A#:A"))
    too_large = "10,100 boards, more than 10,000"
    assert too_large in refusal(deal, DealSetQuestion(**question))
    assert too_large in refusal(verify, VerifyQuestion(**question))
    answer = deal(DealSetQuestion(**question, session="A7"))
    assert [session["name"] for session in answer.sessions] == ["A7"]
    question["file"] = uploads(made(boards="37"))
    assert deal(DealSetQuestion(**question)).view["shown"] == []
    assert "at most 36 boards" in refusal(deal, DealSetQuestion(**question, show=True))
    with pytest.raises(PavError, match="hand records of at most 400 boards"):
        file_of(made(boards="401"), "records")


def test_a_set_keeps_its_value_and_its_keys() -> None:
    files, other_files = made(), made()
    mixed = {name: (files if name.endswith("sqd") else other_files)[name] for name in files}
    refused = refusal(deal, DealSetQuestion(file=uploads(mixed), value=VALUE))
    assert "these are not the keys that were published" in refused
    answer = deal(DealSetQuestion(file=uploads(files), value=f" {VALUE} "))
    (name,) = [name for name in files if name.endswith(".sqd")]
    dealt = files | {name: b64decode(answer.view["description"]["content"])}
    assert deal(DealSetQuestion(file=uploads(dealt))).value == VALUE
    other = DealSetQuestion(file=uploads(dealt), value="40,829.12")
    assert "'40829.12' already; it cannot change" in refusal(deal, other)


def played(files: Mapping[str, bytes], to: str = "pbn") -> dict[str, bytes]:
    """Return the files of a set after the play: with the value, the keys and the deals."""
    name, data = file_of(files, to)
    published = dict(files) | dict([file_of(files, "description")])
    return published | (members(data) if name.endswith(".zip") else {name: data})


@pytest.mark.slow
def test_boards_as_dealt(capsys: pytest.CaptureFixture[str]) -> None:
    files = played(made())
    answer = verify(VerifyQuestion(file=uploads(files)))
    assert answer.agrees is True
    assert answer.verdict[:1] == ["All 8 boards are those that the published keys make."]
    assert (answer.dealt, answer.compared, answer.played) == (8, 8, 8)
    assert (answer.notes, answer.missing, answer.differences) == ((), [], [])
    assert any("DJI" in text for text in answer.unproved)
    row = answer.model_dump(exclude={"notes", "command", "python"})
    write(files)
    assert run(answer.command) == [0]
    assert answer.verdict[0] in capsys.readouterr().out
    assert run_python(answer.python)[1]["answer"].to_dict() == row
    assert json.loads(run_command(answer.command, "--json")) == row
    others = {"records.pdf": b"%PDF", "x.pbn": b"", "notes.txt": b"bring cake\n"}
    answer = verify(VerifyQuestion(file=uploads(files | others)))
    assert (answer.agrees, answer.pages) == (True, ["records.pdf"])
    assert [name for name in others if name in " ".join(answer.notes)] == ["x.pbn", "notes.txt"]
    none = {name: data for name, data in files.items() if not name.endswith(".pbn")}
    empty = verify(VerifyQuestion(file=uploads(none)))
    assert (empty.agrees, "No boards were compared." in empty.verdict[0]) == (None, True)


def assert_the_same_words(answer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The command and the lines of Python print the sentences of the page."""
    capsys.readouterr()
    assert run(answer.command) == [1]
    out = " ".join(capsys.readouterr().out.split())
    exec(answer.python, {})  # noqa: S102 (the lines that the page shows)
    for printed in (out, capsys.readouterr().out.replace("\n", " ")):
        assert " ".join(answer.verdict) in printed


def test_a_value_that_only_the_question_has() -> None:
    files = made()
    deals = uploads(files | dict([file_of(files, "pbn")]))
    assert "the delayed value is not known" in refusal(verify, VerifyQuestion(file=deals))
    wrong = verify(VerifyQuestion(file=deals, value="40829,12"))
    assert wrong.agrees is False
    assert "Perhaps the delayed value is not the right one" in " ".join(wrong.verdict)


@pytest.mark.slow
def test_the_fingerprint_that_a_player_kept(capsys: pytest.CaptureFixture[str]) -> None:
    files = played(made())
    found = verify(VerifyQuestion(file=uploads(files))).hash
    spaced = f"  {found[:32].upper()}\n {found[32:]} "
    kept = verify(VerifyQuestion(file=uploads(files), hash=spaced))
    assert kept.kept is True
    assert "The keys have the fingerprint that you kept." in kept.proved
    write(files)
    assert run(kept.command) == [0]
    assert "The keys have the fingerprint (hash) that you kept" in " ".join(
        capsys.readouterr().out.split()
    )
    other = verify(VerifyQuestion(file=uploads(files), hash="0" * 64))
    assert other.kept is False
    assert not any("nobody changed a board" in text for text in other.proved)
    assert other.verdict[0].startswith(
        "These keys do not have the fingerprint (hash) that you kept"
    )
    assert_the_same_words(other, capsys)
    with pytest.raises(ValueError, match="64 digits and letters"):
        VerifyQuestion(file=uploads(files), hash="abc")


@pytest.mark.slow
def test_incomplete_files_and_other_words_than_those_of_the_notice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = make(MakeQuestion(title="Tuesday", boards="8", delayed=LATER)).files
    files = {one["name"]: b64decode(one["content"]) for one in answers if one["name"][-4:] in TEXTS}
    files = played(files) | dict([file_of(files, "dlm")])
    assert verify(VerifyQuestion(file=uploads(files))).agrees is True
    files["tuesday.sqd"] = files["tuesday.sqd"].replace(LATER.encode(), b"DJI of any day")
    files["tuesday.pbn"] = files["tuesday.pbn"][: files["tuesday.pbn"].rindex(b"[Event ")]
    files["tuesday.dup"] = b""
    answer = verify(VerifyQuestion(file=uploads(files)))
    assert (answer.agrees, answer.differences, answer.pages) == (False, [], [])
    assert [one["reason"].partition(" in the notice")[0] for one in answer.faults] == [
        "board 8 is missing",
        "no deals to compare",
        f"delayed information: {LATER!r}",
    ]
    assert answer.verdict[0].startswith("All 8 boards in the files are those")
    assert "tuesday.pbn: board 8 is missing." in answer.verdict
    assert not any("composed" in text for text in answer.proved)
    write(files)
    assert_the_same_words(answer, capsys)
