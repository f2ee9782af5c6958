"""Verify a tournament: deal it again, and compare it with the boards that were played."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field, field_validator

from pavcodec.boards import Board, Problem
from pavcodec.errors import PavError
from pavcodec.tournament import Comparison, Difference, Event, compare, verdict
from pavcodec.tournament.club import NO_DELAY, tags_in
from pavcodec.tournament.description import parse_hash
from pavcodec.tournament.notice import notice_faults
from pavcodec.web.tasks.files.uploads import FileQuestion, Reading
from pavcodec.web.tasks.shell import path_of
from pavcodec.web.tasks.task import Answer, Task
from pavcodec.web.tasks.tournament.example import example_files
from pavcodec.web.tasks.tournament.sent import MOST_BOARDS, Sent, SetQuestion, sorted_files
from pavcodec.web.tasks.tournament.views import SessionView, session_views, value_lines

__all__ = ["VERIFY", "VerifyAnswer", "VerifyQuestion", "verify"]

_MOST_LISTED = 100
_COMPUTED = """Each board that was compared is computed from the keys, so nobody changed a board or
composed one by hand."""
_PUBLISHED = "The keys are those whose fingerprint is in the description."
_KEPT = "The keys have the fingerprint that you kept."
_COMPARE = """that the fingerprint is the one that was published before the play: compare it with
your copy"""
_ONE_SET = """that the organiser made only one set: without a value from outside he could make many
and choose one"""
_UNSEEN = "that nobody saw the boards before the play"


_IMPORTS_OF_NOTICES = (
    "from pavcodec.tournament.club import tags_in",
    "from pavcodec.tournament.notice import notice_faults",
)


class VerifyQuestion(SetQuestion):
    """The files of a tournament with the boards that were played, and the published fingerprint."""

    value: str = Field(
        "", max_length=500, description="the delayed value, if the description does not have it"
    )
    fingerprint: str = Field(
        "", max_length=200, description="the fingerprint of the keys that you kept"
    )

    @field_validator("value")
    @classmethod
    def _strip(cls, value: str) -> str:
        return value.strip()

    @field_validator("fingerprint")
    @classmethod
    def _check_hash(cls, text: str) -> str:
        return parse_hash(text) if text.strip() else ""


class DifferenceView(BaseModel):
    """A board that differs, or all boards of a file."""

    model_config = ConfigDict(frozen=True)

    file: str
    line: int | None
    session: str | None
    board: int | None
    reason: str


class VerifyAnswer(Answer):
    """What the comparison found, and what it proves."""

    title: str
    equal: bool | None = Field(
        description="whether all boards are those of the keys, and no file has a fault; null if no "
        "boards were compared"
    )
    sentences: tuple[str, ...] = Field(description="the result in words")
    proved: tuple[str, ...]
    unproved: tuple[str, ...] = Field(description="what you must check yourself")
    fingerprint: bool | None = Field(
        description="whether the keys have the fingerprint that you kept; null without one"
    )
    hash: str
    delayed: str | None
    value: str | None
    sessions: tuple[SessionView, ...] = Field(description="the sessions that were compared")
    dealt: int = Field(description="the boards of the event, as far as the description says")
    played: int = Field(description="the deals in the files, those of each table alone")
    boards: int = Field(description="the different boards in the files")
    differences: tuple[DifferenceView, ...]
    faults: tuple[DifferenceView, ...] = Field(
        description="files that lack boards of others, and notices with other facts"
    )
    missing: tuple[str, ...] = Field(description="boards that are in no file")
    problems: tuple[str, ...] = Field(description="what could not be read")
    pages: tuple[str, ...] = Field(description="printed pages, which were not compared")


def verify(question: VerifyQuestion) -> VerifyAnswer:
    """Deal an event again, and compare it with the boards that were played."""
    sent = sorted_files(question.file)
    event, data = sent.event(question.value)
    if event.description.value is None:
        raise PavError(
            f"the description has no value of {event.description.delayed!r}: type the value"
        )
    boards = sum(len(one.boards or ()) for one in event.sessions)
    if boards > MOST_BOARDS:
        raise PavError(
            f"the event has {boards:,} boards, more than {MOST_BOARDS:,}: use the command "
            "'pavcodec squaredeal verify' on your own computer"
        )
    problems: list[str] = []
    names = [file.name for file in sent.deals]
    result = compare(event, _played(sent, problems), files=names)
    for notice in sent.notices:
        text = notice.data().decode("utf-8", "replace")
        result.faults += notice_faults(event, tags_in(data), text, notice.name)
    same = None if not question.fingerprint else question.fingerprint == event.keys.hash
    has_delay = event.description.delayed != NO_DELAY
    proved, unproved = _meaning(event, result, same=same)
    return VerifyAnswer(
        title=event.description.name,
        equal=result.agrees if result.deals or result.faults else None,
        sentences=_sentences(event, result, question.fingerprint),
        proved=proved,
        unproved=unproved,
        fingerprint=same,
        hash=event.keys.hash,
        delayed=event.description.delayed if has_delay else None,
        value=event.description.value if has_delay else None,
        sessions=session_views(result.sessions),
        dealt=boards,
        played=result.deals,
        boards=result.boards,
        differences=tuple(map(_view, result.differences[:_MOST_LISTED])),
        faults=tuple(map(_view, result.faults[:_MOST_LISTED])),
        missing=tuple(_missing(result, several=len(event.sessions) > 1)),
        problems=tuple(problems[:_MOST_LISTED]),
        pages=sent.pages,
        command=_command(question, sent),
        python=_python(question, sent),
    )


def _played(sent: Sent, problems: list[str]) -> Iterator[tuple[str, Board]]:
    """Yield the boards of the files of deals, each with the name of its file."""

    def report(problem: Problem) -> None:
        problems.append(str(problem))

    for file in sent.deals:
        reading = Reading(FileQuestion.model_construct(file=(file,)), report)
        found = 0
        try:
            for board in reading.boards():
                found += board.layout is not None
                yield reading.sources[-1].name, board
        except PavError as error:
            problems.append(str(error))
            continue
        if not found:
            problems.append(f"{file.name}: there are no deals in it")


def _meaning(
    event: Event, result: Comparison, *, same: bool | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a comparison proves, and what somebody must check without it."""
    described = event.description
    has_delay = described.delayed != NO_DELAY
    is_equal = bool(result.deals) and result.agrees and same is not False
    proved = [_COMPUTED] if is_equal else []
    proved += [_PUBLISHED, *([_KEPT] if same else [])]
    unproved = [_COMPARE] if same is None else []
    if has_delay:
        unproved += [
            f"that the value of {described.delayed!r} is {described.value!r}: look it up",
            "that the fingerprint was published before anybody knew this value",
        ]
    else:
        unproved += [_ONE_SET, _UNSEEN]
    return _lines(proved), _lines(unproved)


def _sentences(event: Event, result: Comparison, kept: str) -> tuple[str, ...]:
    """Return the result in words; what boards without a difference prove is in other lists."""
    found = list(verdict(event, result, kept))
    is_wrong = bool(kept) and kept != event.keys.hash
    return tuple(found[: 3 if is_wrong else 1] if result.agrees else found)


def _lines(texts: list[str]) -> tuple[str, ...]:
    """Return texts, each as one line."""
    return tuple(" ".join(text.split()) for text in texts)


def _missing(result: Comparison, *, several: bool) -> Iterator[str]:
    """Yield a sentence for each session of which boards are in no file."""
    for one in result.missing:
        where = f"Session {one.session}: " if several else ""
        text = f"{where}{one.reason}."
        yield f"{text[0].upper()}{text[1:]}"


def _view(one: Difference) -> DifferenceView:
    reason = one.reason.replace("and the event has", "and the keys make")
    return DifferenceView(
        file=one.source, line=one.line, session=one.session, board=one.board, reason=reason
    )


def _command(question: VerifyQuestion, sent: Sent) -> str:
    """Return the command lines, with all files in the current folder."""
    assert sent.description is not None
    assert sent.keys is not None
    lines = value_lines(sent.description.name, question.value)
    files = shlex.join(path_of(one.name) for one in (sent.description, sent.keys, *sent.deals))
    kept = f" --hash {question.fingerprint}" if question.fingerprint else ""
    return "\n".join([*lines, f"pavcodec squaredeal verify {files}{kept}"])


def _python(question: VerifyQuestion, sent: Sent) -> str:
    assert sent.description is not None
    assert sent.keys is not None
    lines = [
        "import pavcodec as pav",
        "from pathlib import Path",
        "",
        "from pavcodec.tournament import compare, verdict, with_value",
        *(_IMPORTS_OF_NOTICES if sent.notices else ()),
        "",
        f"path = Path({sent.description.name!r})",
    ]
    if question.value:
        lines += [f"path.write_bytes(with_value(path.read_bytes(), {question.value!r}))"]
    names = [file.name for file in sent.deals]
    kept = f", {question.fingerprint!r}" if question.fingerprint else ""
    return "\n".join(
        [
            *lines,
            f"event = pav.open_event(path, {sent.keys.name!r})",
            f"names = {names!r}",
            "played = ((name, board) for name in names for board in pav.read(name))",
            "result = compare(event, played, files=names)",
            *_lines_of_notices(sent),
            f'print("\\n".join(verdict(event, result{kept})))',
        ]
    )


def _lines_of_notices(sent: Sent) -> list[str]:
    """Return the lines of Python that compare notices with the description."""
    if not sent.notices:
        return []
    names = [notice.name for notice in sent.notices]
    return [
        f"for name in {names!r}:",
        "    text = Path(name).read_text(encoding='utf-8', errors='replace')",
        "    result.faults += notice_faults(event, tags_in(path.read_bytes()), text, name)",
    ]


VERIFY = Task(
    "tournament/verify",
    "Deal a tournament again, and compare it with the boards that were played.",
    verify,
    VerifyQuestion(file=example_files(), value="40829.12"),
)
