"""Make a set and deal it: its keys, description and notice; then its boards and their files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from shlex import quote

from pydantic import Field, field_validator

from pavcodec.errors import PavError
from pavcodec.files.compressed import zipped
from pavcodec.formats import format_of
from pavcodec.tournament import Event, Phase, Session
from pavcodec.tournament.event import (
    NO_DELAY,
    NO_VALUE,
    club_phase,
    draw_event,
    file_stem,
    key_path,
    pbn_date,
    remarks_of,
    value_warnings,
)
from pavcodec.tournament.notice import (
    announcement,
    deal_files,
    invitation,
    notice_of,
    notice_pages,
    record_pages,
    set_boards,
)
from pavcodec.web.tasks.exact import BoardView, board_view
from pavcodec.web.tasks.task import (
    PAGE_BOARDS,
    TEXT,
    Answer,
    Download,
    Question,
    Task,
    option,
    path_of,
)
from pavcodec.web.tasks.tournament.verify import (
    MOST_BOARDS,
    SessionView,
    SetQuestion,
    SortedFiles,
    TournamentFile,
    example_files,
    file_view,
    session_views,
    sorted_files,
    value_lines,
)
from pavcodec.web.tasks.writing import MEDIA_TYPES, file_of, media_type

_MOST_PHASES = 100
_MONTHS = "january february march april may june july august september october november december"
_ISO = re.compile(r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b")
_WORDS = re.compile(
    rf"\b([0-9]{{1,2}}) ({'|'.join(_MONTHS.split())}) ([0-9]{{4}})\b", re.IGNORECASE
)


class MakeQuestion(Question):
    """A new set: its boards and its name, and information that nobody knows yet."""

    title: str = Field(max_length=200, description="the name of the event")
    boards: str = Field(
        "24", max_length=200, description="the boards of a session: 24, 1-24, 1-12,13-24 or 2x12"
    )
    sessions: int = Field(1, ge=1, le=99, description="the number of sessions")
    session: str = Field("", max_length=100, description="the title of the sessions")
    date: str = Field("", max_length=20, description="the day of the play, as in 2026-11-24")
    site: str = Field("", max_length=200, description="the place")
    delayed: str = Field(
        "",
        max_length=500,
        description="what nobody knows when the notice is published; without it, the boards are "
        "made with the keys",
    )
    phases: str = Field(
        "",
        max_length=TEXT,
        description="for a larger event: one phase a line, sessions:boards:files:title",
    )

    @field_validator("title", "session", "site", "delayed")
    @classmethod
    def _check_line(cls, text: str) -> str:
        if not text.strip().isprintable():
            raise ValueError(f"expected one line of text, not {text!r}")
        return text.strip()

    @field_validator("title")
    @classmethod
    def _check_title(cls, text: str) -> str:
        if not text:
            raise ValueError("name the event, as in Tuesday pairs")
        return text

    @field_validator("date")
    @classmethod
    def _check_date(cls, text: str) -> str:
        return pbn_date(text).replace(".", "-") if text.strip() else ""

    @property
    def tags(self) -> dict[str, str]:
        """The tags of the boards, as far as they are given."""
        day = self.date.replace("-", ".")
        tags = {"Event": self.title, "Date": day, "Site": self.site, "Session": self.session}
        return {name: text for name, text in tags.items() if text}

    @property
    def lines(self) -> tuple[str, ...]:
        """The phases, one a line."""
        return tuple(line.strip() for line in self.phases.splitlines() if line.strip())


class MakeAnswer(Answer):
    """The files of a new set; the keys are among them, and nobody else has a copy."""

    title: str
    folder: str = Field(description="the name of the set, with which the names of its files begin")
    hash: str = Field(description="the SHA-256 of the keys, which the notice publishes")
    delayed: str | None = Field(description="what nobody knows yet; null if there is nothing")
    sessions: tuple[SessionView, ...]
    files: tuple[TournamentFile, ...]
    message: str = Field(description="a short text that publishes the set")
    warnings: tuple[str, ...]


def make(question: MakeQuestion) -> MakeAnswer:
    """Return a new set with fresh keys."""
    event, stem = _drawn(question)
    tags = question.tags
    remarks = () if question.lines else remarks_of(tags)
    notice = notice_of(event, tags)
    pages = {f"{stem}-notice.txt": notice.text().encode(), **notice_pages(notice, stem)}
    files = [
        file_view(event.source, event.description.format(remarks), "publish"),
        *(file_view(name, data, "publish") for name, data in pages.items()),
        file_view(event.keys.source, event.keys.data, "keep"),
    ]
    if not question.delayed:
        dealt = deal_files(event, [format_of("pbn")], tags)
        files += [file_view(name, data, "deals") for name, data in dealt.items()]
    return MakeAnswer(
        title=question.title,
        folder=stem,
        hash=event.keys.hash,
        delayed=question.delayed or None,
        sessions=session_views(event.sessions),
        files=tuple(files),
        message=announcement(event, tags),
        warnings=tuple(_warnings(question)),
        command=_command(question, stem),
        python=_python(question, event, remarks),
    )


def _drawn(question: MakeQuestion) -> tuple[Event, str]:
    """Return a new event, and the common part of the names of its files."""
    stem = file_stem(question.title, question.tags.get("Date", ""))
    if question.lines:
        phases = _phases(question)
    else:
        phases = [club_phase(stem, question.boards, question.sessions, question.session)]
    event = draw_event(
        f"{stem}.sqd",
        f"{stem}.sqk",
        name=question.title,
        delayed=question.delayed or NO_DELAY,
        phases=phases,
        value=None if question.delayed else NO_VALUE,
    )
    return event, stem


def _phases(question: MakeQuestion) -> list[Phase]:
    """Return the phases of a larger event; raise `PavError` for what it cannot have."""
    if len(question.lines) > _MOST_PHASES:
        raise PavError(f"an event has at most {_MOST_PHASES} phases here")
    if not question.delayed:
        raise PavError("an event with phases needs a value that nobody knows yet")
    if question.date or question.site or question.session:
        raise PavError(
            "date, place and the name of the sessions are for a set without phases: phases have "
            "their own titles"
        )
    phases = [Phase.parse(line) for line in question.lines]
    if sum(phase.sessions for phase in phases) > 999:
        raise PavError("an event has at most 999 sessions here")
    return phases


def _warnings(question: MakeQuestion) -> Iterator[str]:
    """Yield what an organiser could regret about the delayed information."""
    text = question.delayed
    if not text:
        yield (
            "Without a value that nobody knows yet, the set does not prove that you made only one: "
            "you could make many, and publish the one that you like."
        )
        return
    days = list(_days(text))
    if days and max(days) < date.today():
        yield (
            f"{max(days)} is past: everybody can know {text!r} already, so it proves nothing. "
            "Choose something that nobody knows yet."
        )
    elif not any(letter.isdigit() for letter in text):
        yield (
            f"{text!r} names no day. Name the source, the day and the form, so that there is only "
            "one value and one spelling."
        )


def _days(text: str) -> Iterator[date]:
    """Yield the days in a text, such as 2026-11-24 and 24 November 2026."""
    months = _MONTHS.split()
    days = [(year, month, day) for year, month, day in _ISO.findall(text)]
    days += [
        (year, months.index(name.lower()) + 1, day) for day, name, year in _WORDS.findall(text)
    ]
    for parts in days:
        try:
            yield date(*map(int, parts))
        except ValueError:
            continue


def _command(question: MakeQuestion, stem: str) -> str:
    if question.lines:
        parts = [f"pavcodec squaredeal create {stem}.sqd", option("--name", question.title)]
        parts += [option("--delayed", question.delayed)]
        return " ".join([*parts, *(option("--phase", line) for line in question.lines)])
    parts = ["pavcodec squaredeal club", option("--boards", question.boards)]
    parts += [f"--sessions {question.sessions}"] if question.sessions > 1 else []
    for name in ("title", "date", "site", "session", "delayed"):
        text = getattr(question, name)
        parts += [option(f"--{name}", text)] if text else []
    return " ".join(parts)


def _python(question: MakeQuestion, event: Event, remarks: tuple[str, ...]) -> str:
    phases = ", ".join(f"Phase.parse({str(phase)!r})" for phase in event.description.phases)
    lines = [
        f"    {event.source!r},",
        f"    name={question.title!r},",
        f"    delayed={event.description.delayed!r},",
        f"    phases=[{phases}],",
    ]
    lines += [f"    value={NO_VALUE!r},"] if not question.delayed else []
    lines += [f"    remarks={remarks!r},"] if remarks else []
    body = "\n".join(lines)
    return (
        "import pavcodec as pav\nfrom pavcodec.tournament import Phase\n\n"
        f"event = pav.create_event(\n{body}\n)"
    )


MAKE = Task(
    "tournament/make",
    "Draw the keys of a new set, and return its files: description, keys and notice.",
    make,
    MakeQuestion(title="Tuesday", delayed="DJI, close of 24 November 2026, as 12345.67"),
    starts_threads=True,
)


# Deal a set: its boards on demand, and the files for dealing machines and printers.


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
class _DealtSet:
    """A set with its value: what every file of it needs."""

    event: Event
    data: bytes
    sent: SortedFiles
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
        return sum(len(session.boards or range(self.many or 0)) for session in self.sessions)

    @property
    def machines(self) -> tuple[str, ...]:
        """The formats of dealing machines that number all boards."""
        last = max(
            self.many or 0, *(session.boards[-1] for session in self.sessions if session.boards), 0
        )
        return _MACHINES if last <= _LAST_BOARD else ()


def deal(question: DealSetQuestion) -> DealSetAnswer:
    """Return a set with its value, and its boards on demand."""
    opened = _opened(question)
    event = opened.event
    value = event.description.value or ""
    has_delay = event.description.delayed != NO_DELAY
    return DealSetAnswer(
        title=event.description.name,
        folder=opened.stem,
        delayed=event.description.delayed if has_delay else None,
        value=value if has_delay else None,
        hash=event.keys.hash,
        sessions=session_views(opened.sessions),
        shown=tuple(_shown(opened)) if question.show else (),
        files=opened.files,
        description=file_view(event.source, opened.data, "keep"),
        message=invitation(event),
        warnings=tuple(value_warnings(value)) if has_delay else (),
        command=_deal_command(question, opened),
        python=_deal_python(question, opened),
    )


def _opened(question: DealSetQuestion) -> _DealtSet:
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
    sessions = (
        tuple(event.reserve_of(session) for session in sessions) if question.reserve else sessions
    )
    boards = sum(len(session.boards or range(question.n or 0)) for session in sessions)
    if boards > MOST_BOARDS:
        raise PavError(
            f"these sessions have {boards:,} boards, more than {MOST_BOARDS:,}: name one session"
        )
    unknown = next((session.name for session in sessions if session.boards is None), None)
    if unknown is not None and question.n is None:
        raise PavError(f"the description does not say how many boards {unknown} has: say how many")
    return _DealtSet(event, data, sent, sent.tags, sessions, question.n)


def _shown(opened: _DealtSet) -> Iterator[SessionBoards]:
    """Yield sessions with their boards; raise `PavError` for more than a page draws."""
    views = session_views(opened.sessions)
    if opened.size > PAGE_BOARDS:
        raise PavError(
            f"a page shows at most {PAGE_BOARDS} boards: name one session, or save the hand records"
        )
    for session, view in zip(opened.sessions, views, strict=True):
        boards = set_boards(opened.event, session, opened.tags, opened.many)
        yield SessionBoards(**view.model_dump(), views=tuple(map(board_view, boards)))


def _deal_command(question: DealSetQuestion, opened: _DealtSet) -> str:
    """Return the command lines that deal the set, with its files in the current folder."""
    event = opened.event
    is_beside = event.keys.source == key_path(event.source)
    if is_beside and not (question.session or question.reserve or question.n):
        value = f" {option('--value', question.value)}" if question.value else ""
        formats = "".join(f" --to {name}" for name in opened.machines)
        return f"pavcodec squaredeal club --folder .{value}{formats} --records"
    lines = value_lines(event.source, question.value)
    parts = [f"pavcodec squaredeal deal {quote(path_of(event.source))}"]
    parts += [] if is_beside else [f"--keys {quote(path_of(event.keys.source))}"]
    parts += [quote(question.session)] if question.session else []
    parts += ["--reserve"] if question.reserve else []
    parts += [f"--boards {question.n}"] if question.n else []
    for name, text in opened.tags.items():
        parts += [f"--{name.lower()} {quote(text.replace('.', '-') if name == 'Date' else text)}"]
    return "\n".join([*lines, " ".join([*parts, "--to pbn --folder ."])])


def _deal_python(question: DealSetQuestion, opened: _DealtSet) -> str:
    source = opened.event.source
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
    lines += ["", f"event = pav.open_event({source!r}, {opened.event.keys.source!r})"]
    numbers = ", ".join(repr(str(session)) for session in opened.sessions)
    lines += [f"sessions = [event.session(name) for name in [{numbers}]]"]
    boards = "event.boards(session)"
    if any(session.boards is None for session in opened.sessions):
        lines.insert(0, "from itertools import islice\n")
        boards = f"islice(event.boards(session), {opened.many})"
    return "\n".join([*lines, f"boards = [board for session in sessions for board in {boards}]"])


def deal_file(question: DealSetFileQuestion) -> Download:
    """Return a file of a set; a zip file if there are several."""
    opened = _opened(question)
    files = _files(question.to, opened)
    name = f"{opened.stem}-{question.to}.zip"
    if len(files) == 1:
        ((name, data),) = files.items()
    else:
        data = zipped(files)
    return file_of(name, data)


def _files(to: str, opened: _DealtSet) -> dict[str, bytes]:
    """Return the files of a kind by their names."""
    event, stem = opened.event, opened.stem
    made: dict[str, Callable[[], dict[str, bytes]]] = {
        _DESCRIPTION: lambda: {event.source: opened.data},
        _NOTICE: lambda: _printed(notice_pages(notice_of(event, opened.tags), stem)),
        _RECORDS: lambda: _records(opened),
        _EVERYTHING: lambda: _everything(opened),
    }
    return made[to]() if to in made else _dealt(opened, [to])


def _dealt(opened: _DealtSet, names: Sequence[str]) -> dict[str, bytes]:
    """Return the deals of the sessions in formats."""
    targets = [format_of(name) for name in names]
    return deal_files(
        opened.event, targets, opened.tags, sessions=opened.sessions, many=opened.many
    )


def _records(opened: _DealtSet) -> dict[str, bytes]:
    """Return the hand records of the sessions as PDF, or as HTML without the package typst."""
    if opened.size > _MOST_RECORDS:
        raise PavError(
            f"this page makes hand records of at most {_MOST_RECORDS} boards: name one session"
        )
    made: dict[str, bytes] = {}
    for session in opened.sessions:
        boards = set_boards(opened.event, session, opened.tags, opened.many)
        made |= _printed(record_pages(opened.event, session, boards))
    return made


def _printed(pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the PDF files of some pages; all pages if there is none."""
    return {name: data for name, data in pages.items() if name.endswith(".pdf")} or dict(pages)


def _everything(opened: _DealtSet) -> dict[str, bytes]:
    """Return all files of a set: the deals for machines, and the hand records in a folder."""
    files = {opened.event.source: opened.data, opened.event.keys.source: opened.event.keys.data}
    files |= _dealt(opened, ["pbn", *opened.machines])
    return files | {f"after the play/{name}": data for name, data in _records(opened).items()}


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
