"""Deal a set: its boards on demand, and the files for dealing machines and printers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote

from pydantic import Field, field_validator

from pavcodec.errors import PavError
from pavcodec.files.zipped import zipped
from pavcodec.formats import format_of
from pavcodec.tournament import Event, Session
from pavcodec.tournament.club import NO_DELAY, value_warnings
from pavcodec.tournament.dealing import deal_files, set_boards
from pavcodec.tournament.files import key_path
from pavcodec.tournament.notice import invitation, notice_of
from pavcodec.tournament.pages import notice_pages, record_pages
from pavcodec.web.tasks.boards import BoardView, board_view
from pavcodec.web.tasks.limits import PAGE_BOARDS
from pavcodec.web.tasks.media import MEDIA_TYPES, file_of, media_type
from pavcodec.web.tasks.shell import option, path_of
from pavcodec.web.tasks.task import Answer, Download, Task
from pavcodec.web.tasks.tournament.example import example_files
from pavcodec.web.tasks.tournament.sent import MOST_BOARDS, Sent, SetQuestion, sorted_files
from pavcodec.web.tasks.tournament.views import (
    SessionView,
    TournamentFile,
    file_view,
    session_views,
    value_lines,
)

__all__ = [
    "DEAL",
    "DEAL_FILE",
    "DealSetAnswer",
    "DealSetFileQuestion",
    "DealSetQuestion",
    "deal",
    "deal_file",
]

_MACHINES = ("dup", "dlm")
"""The formats in the zip file of everything, as far as they have the numbers of the boards."""
_MOST_RECORDS = 400
"""The most boards of hand records: a page of typst takes 0.2 seconds."""
_LAST_BOARD = 99
"""The last board that these formats number."""
_RECORDS, _EVERYTHING, _NOTICE, _DESCRIPTION = "records", "everything", "notice", "description"


class DealSetQuestion(SetQuestion):
    """The files of a set, and the value that was not known when the set was made."""

    value: str = Field("", max_length=500, description="the value, exactly as it was published")
    session: str = Field(
        "", max_length=100, description="deal only the session with this name, such as C2"
    )
    reserve: bool = Field(
        default=False,
        description="deal the second set, in case somebody saw the boards of the first one",
    )
    n: int | None = Field(
        None, ge=1, le=9999, description="the boards of a session whose number is open"
    )
    show: bool = Field(default=False, description="show the boards: not if you play them")

    @field_validator("value")
    @classmethod
    def _strip(cls, value: str) -> str:
        return value.strip()


class DealSetFileQuestion(DealSetQuestion):
    """A file of a set: its deals in a format, its hand records, or everything."""

    to: str = Field(
        "pbn",
        max_length=100,
        description="a format such as dup; or records, notice, description or everything",
    )


class SessionBoards(SessionView):
    """A session with its boards."""

    views: tuple[BoardView, ...]


class DealSetAnswer(Answer):
    """A set that can be dealt; it has the boards only on demand."""

    title: str
    folder: str = Field(description="the name of the set")
    delayed: str | None
    value: str | None
    hash: str
    sessions: tuple[SessionView, ...]
    shown: tuple[SessionBoards, ...] = Field(description="the boards, only with `show`")
    files: tuple[TournamentFile, ...] = Field(description="the description and the keys, as sent")
    description: TournamentFile = Field(description="the description with the value")
    message: str = Field(description="a short text for after the play")
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class _Set:
    """A set with its value: what every file of it needs."""

    event: Event
    data: bytes
    sent: Sent
    tags: Mapping[str, str]
    sessions: tuple[Session, ...]
    many: int | None

    @property
    def stem(self) -> str:
        """The name of the set."""
        return os.path.splitext(self.event.source)[0]

    @property
    def files(self) -> tuple[TournamentFile, ...]:
        """The description and the keys, as they were sent."""
        sent = self.sent
        assert sent.description is not None
        assert sent.keys is not None
        return (
            file_view(sent.description.name, sent.description.data(), "publish"),
            file_view(sent.keys.name, sent.keys.data(), "keep"),
        )

    @property
    def size(self) -> int:
        """The number of boards."""
        return sum(len(one.boards or range(self.many or 0)) for one in self.sessions)

    @property
    def machines(self) -> tuple[str, ...]:
        """The formats of dealing machines that number all boards."""
        last = max(self.many or 0, *(one.boards[-1] for one in self.sessions if one.boards), 0)
        return _MACHINES if last <= _LAST_BOARD else ()


def deal(question: DealSetQuestion) -> DealSetAnswer:
    """Return a set with its value, and its boards on demand."""
    found = _opened(question)
    event = found.event
    value = event.description.value or ""
    has_delay = event.description.delayed != NO_DELAY
    return DealSetAnswer(
        title=event.description.name,
        folder=found.stem,
        delayed=event.description.delayed if has_delay else None,
        value=value if has_delay else None,
        hash=event.keys.hash,
        sessions=session_views(found.sessions),
        shown=tuple(_shown(found)) if question.show else (),
        files=found.files,
        description=file_view(event.source, found.data, "keep"),
        message=invitation(event),
        warnings=tuple(value_warnings(value)) if has_delay else (),
        command=_command(question, found),
        python=_python(question, found),
    )


def _opened(question: DealSetQuestion) -> _Set:
    """Return the set of the files; raise `PavError` for wrong files or a missing value."""
    sent = sorted_files(question.file)
    event, data = sent.event(question.value)
    described = event.description
    if described.value is None:
        raise PavError(
            f"this set waits for the value of {described.delayed!r}: type it when it is known"
        )
    sessions = event.sessions
    if question.session:
        sessions = event.named(question.session) or (event.session(question.session),)
    if not sessions:
        names = ", ".join(phase.prefix for phase in described.phases)
        raise PavError(
            f"this event has sessions as needed ({names}): name the one to deal, such as "
            f"{described.phases[0].name_of(1)!r}"
        )
    sessions = tuple(event.reserve_of(one) for one in sessions) if question.reserve else sessions
    boards = sum(len(one.boards or range(question.n or 0)) for one in sessions)
    if boards > MOST_BOARDS:
        raise PavError(
            f"these sessions have {boards:,} boards, more than {MOST_BOARDS:,}: name one session"
        )
    unknown = next((one.name for one in sessions if one.boards is None), None)
    if unknown is not None and question.n is None:
        raise PavError(f"the description does not say how many boards {unknown} has: say how many")
    return _Set(event, data, sent, sent.tags, sessions, question.n)


def _shown(found: _Set) -> Iterator[SessionBoards]:
    """Yield sessions with their boards; raise `PavError` for more than a page draws."""
    views = session_views(found.sessions)
    if found.size > PAGE_BOARDS:
        raise PavError(
            f"a page shows at most {PAGE_BOARDS} boards: name one session, or save the hand records"
        )
    for session, view in zip(found.sessions, views, strict=True):
        boards = set_boards(found.event, session, found.tags, found.many)
        yield SessionBoards(**view.model_dump(), views=tuple(map(board_view, boards)))


def _is_whole(question: DealSetQuestion, found: _Set) -> bool:
    """Return whether `club` deals the same: all sessions, and the keys have the usual name."""
    event = found.event
    is_beside = event.keys.source == key_path(event.source)
    return is_beside and not (question.session or question.reserve or question.n)


def _command(question: DealSetQuestion, found: _Set) -> str:
    """Return the command lines that deal the set, with its files in the current folder."""
    value = f" {option('--value', question.value)}" if question.value else ""
    if _is_whole(question, found):
        formats = "".join(f" --to {name}" for name in found.machines)
        return f"pavcodec squaredeal club --folder .{value}{formats} --records"
    event = found.event
    lines = value_lines(event.source, question.value)
    parts = [f"pavcodec squaredeal deal {quote(path_of(event.source))}"]
    is_beside = event.keys.source == key_path(event.source)
    parts += [] if is_beside else [f"--keys {quote(path_of(event.keys.source))}"]
    parts += [quote(question.session)] if question.session else []
    parts += ["--reserve"] if question.reserve else []
    parts += [f"--boards {question.n}"] if question.n else []
    for name, text in found.tags.items():
        parts += [f"--{name.lower()} {quote(text.replace('.', '-') if name == 'Date' else text)}"]
    return "\n".join([*lines, " ".join([*parts, "--to pbn --folder ."])])


def _python(question: DealSetQuestion, found: _Set) -> str:
    source = found.event.source
    lines = ["import pavcodec as pav"]
    if question.value:
        lines += [
            "from pathlib import Path",
            "",
            "from pavcodec.tournament import with_value",
            "",
            f"path = Path({source!r})",
            f"path.write_bytes(with_value(path.read_bytes(), {question.value!r}))",
        ]
    lines += ["", f"event = pav.open_event({source!r}, {found.event.keys.source!r})"]
    numbers = ", ".join(repr(str(session)) for session in found.sessions)
    lines += [f"sessions = [event.session(name) for name in [{numbers}]]"]
    boards = "event.boards(session)"
    if any(session.boards is None for session in found.sessions):
        lines.insert(0, "from itertools import islice\n")
        boards = f"islice(event.boards(session), {found.many})"
    return "\n".join([*lines, f"boards = [board for session in sessions for board in {boards}]"])


def deal_file(question: DealSetFileQuestion) -> Download:
    """Return a file of a set; a zip file if there are several."""
    found = _opened(question)
    files = _files(question.to, found)
    name = f"{found.stem}-{question.to}.zip"
    if len(files) == 1:
        ((name, data),) = files.items()
    else:
        data = zipped(files)
    return file_of(name, data)


def _files(to: str, found: _Set) -> dict[str, bytes]:
    """Return the files of a kind by their names."""
    event, stem = found.event, found.stem
    made: dict[str, Callable[[], dict[str, bytes]]] = {
        _DESCRIPTION: lambda: {event.source: found.data},
        _NOTICE: lambda: _printed(notice_pages(notice_of(event, found.tags), stem)),
        _RECORDS: lambda: _records(found),
        _EVERYTHING: lambda: _everything(found),
    }
    return made[to]() if to in made else _dealt(found, [to])


def _dealt(found: _Set, names: Sequence[str]) -> dict[str, bytes]:
    """Return the deals of the sessions in formats."""
    targets = [format_of(name) for name in names]
    return deal_files(found.event, targets, found.tags, sessions=found.sessions, many=found.many)


def _records(found: _Set) -> dict[str, bytes]:
    """Return the hand records of the sessions as PDF, or as HTML without the package typst."""
    if found.size > _MOST_RECORDS:
        raise PavError(
            f"this page makes hand records of at most {_MOST_RECORDS} boards: name one session"
        )
    made: dict[str, bytes] = {}
    for session in found.sessions:
        boards = set_boards(found.event, session, found.tags, found.many)
        made |= _printed(record_pages(found.event, session, boards))
    return made


def _printed(pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the PDF files of some pages; all pages if there is none."""
    return {name: data for name, data in pages.items() if name.endswith(".pdf")} or dict(pages)


def _everything(found: _Set) -> dict[str, bytes]:
    """Return all files of a set: the deals for machines, and the hand records in a folder."""
    files = {found.event.source: found.data, found.event.keys.source: found.event.keys.data}
    files |= _dealt(found, ["pbn", *found.machines])
    return files | {f"after the play/{name}": data for name, data in _records(found).items()}


DEAL = Task(
    "tournament/deal",
    "Deal a set with its delayed value; boards only on demand.",
    deal,
    DealSetQuestion(file=example_files()[:2], value="40829.12"),
)
DEAL_FILE = Task(
    "tournament/deal/file",
    "Return a file of a set: its deals for a machine, its hand records, or everything.",
    deal_file,
    DealSetFileQuestion(file=example_files()[:2], value="40829.12", to="dup"),
    media_types=(*MEDIA_TYPES, media_type("all.zip")),
)
