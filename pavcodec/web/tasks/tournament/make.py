"""Make a set and deal it: its keys, description and notice; then its boards and their files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import Field, field_validator

from pavcodec.boards import Board
from pavcodec.errors import PavError
from pavcodec.files.compressed import zipped
from pavcodec.formats import format_of
from pavcodec.numberings import numbering
from pavcodec.questions.asking import call_of, command_of
from pavcodec.questions.events import EventTags
from pavcodec.questions.showing import hands_facts
from pavcodec.questions.tournament import (
    Club,
    ClubSet,
    Create,
    DealEvent,
    DealtEvent,
    Value,
    chosen_sessions,
    notices_of,
)
from pavcodec.tournament import Session
from pavcodec.tournament.event import NO_DELAY, file_stem, key_path, value_warnings
from pavcodec.tournament.notice import (
    announcement,
    deal_files,
    invitation,
    notice_of,
    notice_pages,
    record_pages,
    set_boards,
)
from pavcodec.web.tasks.asked import answer_model, model_of, problems_of, told
from pavcodec.web.tasks.task import PAGE_BOARDS, TEXT, Answer, Download, Task, path_of
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
    valued,
)
from pavcodec.web.tasks.writing import MEDIA_TYPES, file_of, media_type

_MOST_PHASES = 100
_MONTHS = "january february march april may june july august september october november december"
_ISO = re.compile(r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b")
_WORDS = re.compile(
    rf"\b([0-9]{{1,2}}) ({'|'.join(_MONTHS.split())}) ([0-9]{{4}})\b", re.IGNORECASE
)
_CLUB, _CLUB_ANSWER = model_of(Club.name), answer_model(Club.name)


class MakeQuestion(_CLUB):  # type: ignore[misc,valid-type]  # made of declarations
    """A new set: its boards and its name, and information that nobody knows yet."""

    title: str = Field(max_length=200, description="the name of the event")
    boards: str = Field(
        "24", max_length=200, description="the boards of a session: 24, 1-24, 1-12,13-24 or 2x12"
    )
    phases: str = Field(
        "",
        max_length=TEXT,
        description="for a larger event: one phase a line, sessions:boards:files:title",
    )

    @property
    def club(self) -> Club:
        """The question for the set; blank texts are none."""
        fields = {name: getattr(self, name) for name in _CLUB.model_fields}
        blank = {name: None for name, text in fields.items() if not str(text).strip()}
        return Club(**fields | blank)

    @property
    def create(self) -> Create | None:
        """The question for an event with phases; None without phases."""
        lines = tuple(line.strip() for line in self.phases.splitlines() if line.strip())
        if not lines:
            return None
        if len(lines) > _MOST_PHASES:
            raise PavError(f"an event has at most {_MOST_PHASES} phases here")
        club = self.club
        if not club.delayed:
            raise PavError("an event with phases needs a value that nobody knows yet")
        if club.date or club.site or club.session:
            raise PavError(
                "date, place and the name of the sessions are for a set without phases: phases "
                "have their own titles"
            )
        path = f"{file_stem(self.title)}.sqd"
        return Create(path, title=self.title.strip(), delayed=club.delayed, phases=lines)


class MakeAnswer(_CLUB_ANSWER):  # type: ignore[misc,valid-type]  # made of declarations
    """The files of a new set; the keys are among them, and nobody else has a copy."""

    sessions: tuple[SessionView, ...]
    files: tuple[TournamentFile, ...]
    message: str = Field(description="a short text that publishes the set")


def make(question: MakeQuestion) -> MakeAnswer:
    """Return a new set with fresh keys."""
    with problems_of():
        return _made(question)


def _made(question: MakeQuestion) -> MakeAnswer:
    create, tags = question.create, dict[str, str]()
    made: ClubSet
    if create is not None:
        asked: Club | Create = create
        made = create.find()
        if sum(phase.sessions for phase in made.event.description.phases) > 999:
            raise PavError("an event has at most 999 sessions here")
        made.notices = notices_of(made.event, tags)
    else:
        asked, tags = question.club, question.club.event_tags.tags
        made = asked.drawn()
    event = made.event
    made.notes = tuple(_warnings(event.description.delayed))
    files = [
        file_view(event.source, made.data, "publish"),
        *(file_view(name, data, "publish") for name, data in made.notices.items()),
        file_view(event.keys.source, event.keys.data, "keep"),
        *(file_view(name, data, "deals") for name, data in made.deals.items()),
    ]
    return MakeAnswer(
        **told(made, asked),
        sessions=session_views(event.sessions),
        files=tuple(files),
        message=announcement(event, tags),
    )


def _warnings(text: str) -> Iterator[str]:
    """Yield what an organiser could regret about the delayed information."""
    if text == NO_DELAY:
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
    boards: int | None = Field(
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

    views: tuple[dict[str, Any], ...]


class DealSetAnswer(Answer):
    """A set that can be dealt; it has the boards only on demand."""

    event: str = Field(description="the name of the event")
    delayed: str
    value: str
    hash: str
    sessions: tuple[SessionView, ...]
    shown: tuple[SessionBoards, ...] = Field(description="the boards, only with `show`")
    files: tuple[TournamentFile, ...] = Field(description="the description and the keys, as sent")
    description: TournamentFile = Field(description="the description with the value")
    message: str = Field(description="a short text for after the play")
    notes: tuple[str, ...] = Field(description="warnings about the value")


@dataclass(frozen=True)
class _DealtSet:
    """A set with its value: what every file of it needs."""

    dealt: DealtEvent
    data: bytes
    sent: SortedFiles

    @property
    def stem(self) -> str:
        """The name of the set."""
        return os.path.splitext(self.dealt.event.source)[0]

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
        return _size(self.dealt.sessions, self.dealt.many)

    @property
    def machines(self) -> tuple[str, ...]:
        """The formats of dealing machines that number all boards."""
        sessions = self.dealt.sessions
        lasts = [session.boards[-1] for session in sessions if session.boards]
        return _MACHINES if max(self.dealt.many or 0, *lasts, 0) <= _LAST_BOARD else ()

    def boards_of(self, session: Session) -> list[Board]:
        """Return the boards of a session, as the files of a set have them."""
        dealt = self.dealt
        return set_boards(dealt.event, session, dealt.tags.tags, dealt.many)


def _size(sessions: Sequence[Session], many: int | None) -> int:
    return sum(len(session.boards or range(many or 0)) for session in sessions)


def deal(question: DealSetQuestion) -> DealSetAnswer:
    """Return a set with its value, and its boards on demand."""
    opened = _opened(question)
    event = opened.dealt.event
    described = event.description
    value = described.value or ""
    before, asked = _asked(question, opened)
    return DealSetAnswer(
        event=described.name,
        delayed=described.delayed,
        value=value,
        hash=event.keys.hash,
        sessions=session_views(opened.dealt.sessions),
        shown=tuple(_shown(opened)) if question.show else (),
        files=opened.files,
        description=file_view(event.source, opened.data, "keep"),
        message=invitation(event),
        notes=tuple(value_warnings(value)) if described.delayed != NO_DELAY else (),
        command="\n".join(map(command_of, (*before, asked))),
        python=call_of(asked, *before),
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
    names = [question.session] if question.session else []
    many = question.boards
    with problems_of():
        sessions = chosen_sessions(event, names, reserve=question.reserve, boards=many)
    if _size(sessions, many) > MOST_BOARDS:
        raise PavError(
            f"these sessions have {_size(sessions, many):,} boards, more than {MOST_BOARDS:,}: "
            "name one session"
        )
    dealt = DealtEvent(event, sessions, EventTags(sent.tags), numbering("deal"), many)
    return _DealtSet(dealt, data, sent)


def _shown(opened: _DealtSet) -> Iterator[SessionBoards]:
    """Yield sessions with their boards; raise `PavError` for more than a page draws."""
    sessions = opened.dealt.sessions
    if opened.size > PAGE_BOARDS:
        raise PavError(
            f"a page shows at most {PAGE_BOARDS} boards: name one session, or save the hand records"
        )
    for session, view in zip(sessions, session_views(sessions), strict=True):
        boards = opened.boards_of(session)
        yield SessionBoards(**view.model_dump(), views=tuple(map(hands_facts, boards)))


def _asked(
    question: DealSetQuestion, opened: _DealtSet
) -> tuple[tuple[Value, ...], Club | DealEvent]:
    """Return the questions that deal the set, with its files in the current folder."""
    event, tags = opened.dealt.event, opened.sent.tags
    is_beside = event.keys.source == key_path(event.source)
    if is_beside and not (question.session or question.reserve or question.boards):
        value = question.value or None
        return (), Club(folder=".", value=value, to=opened.machines, records=True)
    return valued(opened.sent, question.value), DealEvent(
        description=path_of(event.source),
        names=(question.session,) if question.session else (),
        key_file=None if is_beside else path_of(event.keys.source),
        reserve=question.reserve,
        boards=question.boards,
        date=tags["Date"].replace(".", "-") if "Date" in tags else None,
        site=tags.get("Site"),
        folder=".",
    )


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
    dealt, stem = opened.dealt, opened.stem
    event = dealt.event
    made: dict[str, Callable[[], dict[str, bytes]]] = {
        _DESCRIPTION: lambda: {event.source: opened.data},
        _NOTICE: lambda: _printed(notice_pages(notice_of(event, dealt.tags.tags), stem)),
        _RECORDS: lambda: _records(opened),
        _EVERYTHING: lambda: _everything(opened),
    }
    return made[to]() if to in made else _dealt(opened, [to])


def _dealt(opened: _DealtSet, names: Sequence[str]) -> dict[str, bytes]:
    """Return the deals of the sessions in formats."""
    dealt, targets = opened.dealt, [format_of(name) for name in names]
    return deal_files(
        dealt.event, targets, dealt.tags.tags, sessions=dealt.sessions, many=dealt.many
    )


def _records(opened: _DealtSet) -> dict[str, bytes]:
    """Return the hand records of the sessions as PDF, or as HTML without the package typst."""
    if opened.size > _MOST_RECORDS:
        raise PavError(
            f"this page makes hand records of at most {_MOST_RECORDS} boards: name one session"
        )
    made: dict[str, bytes] = {}
    for session in opened.dealt.sessions:
        boards = opened.boards_of(session)
        made |= _printed(record_pages(opened.dealt.event, session, boards))
    return made


def _printed(pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the PDF files of some pages; all pages if there is none."""
    return {name: data for name, data in pages.items() if name.endswith(".pdf")} or dict(pages)


def _everything(opened: _DealtSet) -> dict[str, bytes]:
    """Return all files of a set: the deals for machines, and the hand records in a folder."""
    event = opened.dealt.event
    files = {event.source: opened.data, event.keys.source: event.keys.data}
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
