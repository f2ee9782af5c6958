"""The tasks of the page Tournament: make a set, deal it, verify what was played, and Big Deal.

Nothing is kept on the server: each question brings its files, and an answer has new ones.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from pydantic import Field, field_validator

from pavcodec.errors import PavError
from pavcodec.files.compressed import zipped
from pavcodec.formats import format_of
from pavcodec.questions.asking import Answer as Found
from pavcodec.questions.inputs import TypedInput
from pavcodec.questions.showing import hands_facts
from pavcodec.questions.tournament import (
    BigDeal,
    Club,
    ClubSet,
    Create,
    DealEvent,
    DealtEvent,
    SetFiles,
    Verify,
    board_range,
    notices_of,
    sorted_files,
)
from pavcodec.tournament import Description, Keys
from pavcodec.tournament.event import NO_DELAY, club_phase, file_stem, parse_hash, value_warnings
from pavcodec.tournament.notice import deal_files, notice_of, notice_pages, record_pages, set_boards
from pavcodec.web.tasks.asked import (
    AskedAnswer,
    AskedTask,
    file_task_of,
    model_of,
    problems_of,
    task_of,
    told,
)
from pavcodec.web.tasks.files.converting import Upload
from pavcodec.web.tasks.task import (
    FILES,
    PAGE_BOARDS,
    TEXT,
    UPLOAD,
    Download,
    Question,
    Task,
    path_of,
)
from pavcodec.web.tasks.writing import MEDIA_TYPES, file_of, media_type

MOST_BOARDS = 10_000
"""The most boards of the sessions in a question; the World Bridge Games have about 1200."""

# The files of a set that somebody sends, and those of answers.


class SetQuestion(Question):
    """The files of a tournament in any order: description, keys, deals, or zip files of them."""

    file: tuple[Upload, ...] = Field(
        (), max_length=FILES, description="the files, or a zip file with them"
    )
    value: str = Field(
        "", max_length=500, description="the delayed value, if the description does not have it"
    )

    @field_validator("file")
    @classmethod
    def _check_size(cls, files: tuple[Upload, ...]) -> tuple[Upload, ...]:
        if sum(len(each.content) for each in files) > UPLOAD:
            raise ValueError(f"all files together have at most {UPLOAD:,} bytes")
        return files

    @field_validator("value")
    @classmethod
    def _strip(cls, value: str) -> str:
        return value.strip()

    @property
    def files(self) -> tuple[TypedInput, ...]:
        """The files as inputs of a question."""
        return tuple(TypedInput.of_file(each.name, each.data()) for each in self.file)


Role = Literal["publish", "keep", "deals"]


def file_view(name: str, data: bytes, role: Role) -> dict[str, str]:
    """Return a file for an answer: publish it now, keep it secret, or deal from it."""
    kind, content = media_type(name).partition(";")[0], b64encode(data).decode()
    return {"name": name, "role": role, "media_type": kind, "content": content}


_KEYS = Keys.of({(1, 1): "anExampleWhoseKeysEverybodyKnows1234567890"})
_DEAL = b"N:4.KQJ832.T43.QT5 AJ93.A65.K87.K73 KQ875.T4.AQ92.J8 T62.97.J65.A9642\n"


def example_files() -> tuple[Upload, ...]:
    """Return a description, its keys, and a file with a deal that is not of the set.

    The keys are public, so nobody should play it.
    """
    described = Description("Example", "DJI of 3 May 2026", None, (club_phase("example", "4"),))
    published = replace(described, key_hash=_KEYS.hash).format()
    files = {"example.sqd": published, "example.sqk": _KEYS.data, "played.txt": _DEAL}
    return tuple(Upload(name=name, content=data) for name, data in files.items())


# Make a set: its keys, its description and its notice.


_MOST_PHASES = 100
_CLUB = model_of(Club.name)


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


def make(question: MakeQuestion) -> AskedAnswer:
    """Return a new set with fresh keys."""
    with problems_of():
        asked = question.create or question.club
        find = asked.drawn if isinstance(asked, Club) else None  # which looks into no folder
        made = cast("ClubSet", asked.answer(find))
    event = made.event
    if len(event.sessions) > 999:
        raise PavError("an event has at most 999 sessions here")
    made.notices = made.notices or notices_of(event, {})
    files = [
        file_view(event.source, made.data, "publish"),
        *(file_view(name, data, "publish") for name, data in made.notices.items()),
        file_view(event.keys.source, event.keys.data, "keep"),
        *(file_view(name, data, "deals") for name, data in made.deals.items()),
    ]
    return AskedAnswer(**told(made, asked), files=files)


MAKE = AskedTask(
    "tournament/make",
    "Draw the keys of a new set, and return its files: description, keys and notice.",
    make,  # type: ignore[arg-type]  # the class of its example says what it takes
    MakeQuestion(title="Tuesday", delayed="DJI, close of 24 November 2026, as 12345.67"),
    starts_threads=True,
    asked=Club.name,
)


# Deal a set: its boards on demand, and the files for dealing machines and printers.


_MACHINES = ("dup", "dlm")
"""The formats in the zip file of everything, as far as they have the numbers of the boards."""
_MOST_RECORDS = 400
"""The most boards of hand records: a page of typst takes 0.2 seconds."""
_LAST_BOARD = 99
"""The last board that these formats number."""


class DealSetQuestion(SetQuestion):
    """The files of a set, and the value that was not known when the set was made."""

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


class DealSetFileQuestion(DealSetQuestion):
    """A file of a set: its deals in a format, its hand records, or everything."""

    to: str = Field(
        "pbn",
        max_length=100,
        description="a format such as dup; or records, notice, description or everything",
    )


def deal(question: DealSetQuestion) -> AskedAnswer:
    """Return a set with its value; a page draws its boards on demand."""
    files, asked, dealt, data = _dealt(question)
    described = dealt.event.description
    if described.delayed != NO_DELAY:
        dealt.notes = (*dealt.notes, *value_warnings(described.value or ""))
    if question.show and _size(dealt) > PAGE_BOARDS:
        raise PavError(
            f"a page shows at most {PAGE_BOARDS} boards: name one session, or save the hand records"
        )
    view = {
        "shown": [
            (session.title, session.name, list(map(hands_facts, _boards(dealt, session))))
            for session in dealt.sessions
        ]
        if question.show
        else [],
        "files": [
            {"name": str(path), "content": cast("TypedInput", path).contents}
            for path in (files.description, files.keys)
        ],
        "description": file_view(str(dealt.event.source), data, "keep"),
    }
    return AskedAnswer(**told(dealt, asked), view=view)


def _dealt(question: DealSetQuestion) -> tuple[SetFiles, DealEvent, DealtEvent, bytes]:
    """Return the files of a set, how to deal it, its boards, and the description with its value."""
    files = sorted_files(question.files)
    event, data = files.event(question.value)
    described = event.description
    if described.value is None:
        raise PavError(
            f"this set waits for the value of {described.delayed!r}: type it when it is known"
        )
    asked = DealEvent(
        files.description,
        key_file=files.keys,
        names=(question.session,) if question.session else (),
        value=question.value or None,
        reserve=question.reserve,
        boards=question.boards,
    )
    with problems_of():
        dealt = cast("DealtEvent", asked.answer())
    if _size(dealt) > MOST_BOARDS:
        raise PavError(
            f"these sessions have {_size(dealt):,} boards, more than {MOST_BOARDS:,}: "
            "name one session"
        )
    named = replace(
        asked, description=path_of(files.description), key_file=path_of(files.keys), folder="."
    )
    return files, named, dealt, data


def _size(dealt: DealtEvent) -> int:
    return sum(len(session.boards or range(dealt.many or 0)) for session in dealt.sessions)


def _boards(dealt: DealtEvent, session: Any) -> list[Any]:
    """Return the boards of a session, as the files of a set have them."""
    return set_boards(dealt.event, session, dealt.tags.tags, dealt.many)


def deal_file(question: DealSetFileQuestion) -> Download:
    """Return a file of a set; a zip file if there are several."""
    _, _, dealt, data = _dealt(question)
    event, to = dealt.event, question.to
    stem = os.path.splitext(event.source)[0]
    made: dict[str, Callable[[], Mapping[str, bytes]]] = {
        "description": lambda: {event.source: data},
        "notice": lambda: _printed(notice_pages(notice_of(event, dealt.tags.tags), stem)),
        "records": lambda: _records(dealt),
        "everything": lambda: _everything(dealt, data),
    }
    files = made[to]() if to in made else _formatted(dealt, [to])
    if len(files) == 1:
        ((name, content),) = files.items()
        return file_of(name, content)
    return file_of(f"{stem}-{to}.zip", zipped(files))


def _formatted(dealt: DealtEvent, names: Sequence[str]) -> dict[str, bytes]:
    """Return the deals of the sessions in formats."""
    targets = [format_of(name) for name in names]
    return deal_files(
        dealt.event, targets, dealt.tags.tags, sessions=dealt.sessions, many=dealt.many
    )


def _records(dealt: DealtEvent) -> dict[str, bytes]:
    """Return the hand records of the sessions as PDF, or as HTML without the package typst."""
    if _size(dealt) > _MOST_RECORDS:
        raise PavError(
            f"this page makes hand records of at most {_MOST_RECORDS} boards: name one session"
        )
    made: dict[str, bytes] = {}
    for session in dealt.sessions:
        made |= _printed(record_pages(dealt.event, session, _boards(dealt, session)))
    return made


def _printed(pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the PDF files of some pages; all pages if there is none."""
    return {name: data for name, data in pages.items() if name.endswith(".pdf")} or dict(pages)


def _everything(dealt: DealtEvent, data: bytes) -> dict[str, bytes]:
    """Return all files of a set: the deals for machines, and the hand records in a folder."""
    event = dealt.event
    lasts = [session.boards[-1] for session in dealt.sessions if session.boards]
    machines = _MACHINES if max(dealt.many or 0, *lasts, 0) <= _LAST_BOARD else ()
    files = {event.source: data, event.keys.source: event.keys.data}
    files |= _formatted(dealt, ["pbn", *machines])
    return files | {f"after the play/{name}": each for name, each in _records(dealt).items()}


DEAL = AskedTask(
    "tournament/deal",
    "Deal a set with its delayed value.",
    deal,  # type: ignore[arg-type]  # the class of its example says what it takes
    DealSetQuestion(file=example_files()[:2], value="40829.12"),
    asked=DealEvent.name,
)
DEAL_FILE = Task(
    "tournament/deal/file",
    "Return a file of a set: its deals for a machine, its hand records, or everything.",
    deal_file,
    DealSetFileQuestion(file=example_files()[:2], value="40829.12", to="dup"),
    media_types=(*MEDIA_TYPES, media_type("all.zip")),
)


# Verify a tournament.


_MOST_LISTED = 100


class VerifyQuestion(SetQuestion):
    """The files of a tournament with the boards that were played, and the published hash."""

    hash: str = Field("", max_length=200, description="the SHA-256 of the keys that you kept")

    @field_validator("hash")
    @classmethod
    def _check_hash(cls, text: str) -> str:
        return parse_hash(text) if text.strip() else ""


def verify(question: VerifyQuestion) -> AskedAnswer:
    """Deal an event again, and compare it with the boards that were played."""
    files = question.files
    asked = Verify(files, value=question.value or None, hash=question.hash or None)
    event, _ = asked.sorted_files().event(question.value)
    boards = sum(len(session.boards or ()) for session in event.sessions)
    if boards > MOST_BOARDS:
        raise PavError(
            f"the event has {boards:,} boards, more than {MOST_BOARDS:,}: use the command "
            "'pavcodec squaredeal verify' on your own computer"
        )
    with problems_of():
        answer: Found = asked.answer()
    answer.notes = answer.notes[:_MOST_LISTED]
    return AskedAnswer(**told(answer, replace(asked, files=tuple(map(path_of, files)))))


VERIFY = AskedTask(
    "tournament/verify",
    "Deal a tournament again, and compare it with the boards that were played.",
    verify,  # type: ignore[arg-type]  # the class of its example says what it takes
    VerifyQuestion(file=example_files(), value="40829.12"),
    asked=Verify.name,
)


# Boards of Big Deal: those that its program makes from the same seed and owner.


def within_limits(question: BigDeal) -> BigDeal:
    """Return a question of not too many boards for a server."""
    if board_range(question.boards)[-1] > MOST_BOARDS:
        raise PavError(f"expected boards up to {MOST_BOARDS:,}, not {question.boards!r}")
    return question


_EXAMPLE: dict[str, Any] = {
    "owner": "Golden Test Owner",
    "seed": "000102030405060708090a0b0c0d0e0f10111213",
    "boards": "4",
}


def drawn(answer: Any) -> list[dict[str, Any]]:
    """Return the boards for a page; none if they are too many for it."""
    few: Iterator[Any] = answer.boards() if len(answer.numbers) <= PAGE_BOARDS else iter(())
    return list(map(hands_facts, few))


BIG_DEAL = task_of("bigdeal", _EXAMPLE, drawn, "tournament/bigdeal", prepared=within_limits)
BIG_DEAL_FILE = file_task_of("bigdeal", _EXAMPLE, "goe", "tournament/bigdeal", within_limits)
