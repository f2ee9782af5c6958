"""Verify a tournament: deal it again, and compare it with the boards that were played.

The files of a set are recognised by what is in them. Boards of Big Deal, from its seed and owner,
are made here too.
"""

from __future__ import annotations

import io
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from os.path import basename
from typing import Any, Literal, cast

from pydantic import Field, field_validator

from pavcodec.boards import Board, Problem
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import parts, split_suffix
from pavcodec.formats import format_of
from pavcodec.numberings import numbering
from pavcodec.questions.showing import hands_facts
from pavcodec.questions.tournament import (
    OpenedEvent,
    SeedBoards,
    SentNotice,
    Value,
    Verified,
    Verify,
    board_range,
)
from pavcodec.tournament import (
    Comparison,
    Description,
    Difference,
    Event,
    Keys,
    Session,
    verdict,
    with_value,
)
from pavcodec.tournament.event import club_phase, is_key_line, parse_hash, tags_in
from pavcodec.web.tasks.asked import (
    AskedAnswer,
    AskedTask,
    answer_within,
    model_of,
    question_of,
    task_of,
    told,
)
from pavcodec.web.tasks.files.converting import EXPANDED, FileQuestion, FileReading, Upload
from pavcodec.web.tasks.task import (
    FILES,
    PAGE_BOARDS,
    UPLOAD,
    Download,
    Fields,
    Question,
    Task,
    path_of,
)
from pavcodec.web.tasks.writing import MEDIA_TYPES, file_of, media_type

# A small set for the examples of the tasks: its keys are public, so nobody should play it.


_KEYS = Keys.of({(1, 1): "anExampleWhoseKeysEverybodyKnows1234567890"})
_DEAL = b"N:4.KQJ832.T43.QT5 AJ93.A65.K87.K73 KQ875.T4.AQ92.J8 T62.97.J65.A9642\n"


def example_files() -> tuple[Upload, ...]:
    """Return a description, its keys, and a file with a deal that is not of the set."""
    described = Description("Example", "DJI of 3 May 2026", None, (club_phase("example", "4"),))
    published = replace(described, key_hash=_KEYS.hash).format()
    files = {"example.sqd": published, "example.sqk": _KEYS.data, "played.txt": _DEAL}
    return tuple(Upload(name=name, content=data) for name, data in files.items())


# The files of a tournament that somebody sends, sorted by what is in them.
#
# A director drops all files of a set, or the zip file that holds them, in one place. So nobody has
# to know which file belongs where; a file is recognised by its first line, whatever its name is.


MOST_BOARDS = 10_000
"""The most boards of the sessions in a question; the World Bridge Games have about 1200."""

_BOTH = "choose the description (.sqd) and the keys (.sqk) together"
_LINE = 1000
_MOST_NAMES = 3
_ITEM = re.compile(rb"(TN|DI|DV|SN|KH)( |$)")
_NO_DEALS = (".htm", ".html", ".pdf")
_NOTICE, _MESSAGE = "-notice.txt", "-message.txt"


class SetQuestion(Question):
    """The files of a tournament in any order: description, keys, deals, or zip files of them."""

    file: tuple[Upload, ...] = Field(
        (), max_length=FILES, description="the files, or a zip file with them"
    )

    @field_validator("file")
    @classmethod
    def _check_size(cls, files: tuple[Upload, ...]) -> tuple[Upload, ...]:
        if sum(len(each.content) for each in files) > UPLOAD:
            raise ValueError(f"all files together have at most {UPLOAD:,} bytes")
        return files


@dataclass(frozen=True)
class SortedFiles:
    """The files of a question: description, keys, deals, notices as text, and printed pages."""

    description: Upload | None = None
    keys: Upload | None = None
    deals: tuple[Upload, ...] = ()
    notices: tuple[Upload, ...] = ()
    pages: tuple[str, ...] = field(default=())
    """The names of printed pages, whose boards nothing can read."""

    def event(self, value: str = "") -> tuple[Event, bytes]:
        """Return the event, and the bytes of its description with the delayed value, if given.

        Raise `PavError` for a missing or wrong file, and for another value than that of the file.
        """
        if self.description is None:
            raise ReadError(self._without_description())
        data, source = self.description.data(), self.description.name
        if value:
            data = with_value(data, value, source)
        described = Description.parse(data, source)
        if self.keys is None:
            raise ReadError(f"the keys are missing: {_BOTH}")
        return Event(described, Keys.parse(self.keys.data(), self.keys.name), source), data

    def _without_description(self) -> str:
        """Return what to do without a description: it depends on what else was sent."""
        others = [*(each.name for each in (*self.deals, *self.notices)), *self.pages]
        if self.keys is None and others:
            more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
            listed = ", ".join(others[:_MOST_NAMES]) + more
            return f"{listed}: here is neither a description nor keys: {_BOTH}, or their zip file"
        if self.keys is None:
            return "choose the files of the set, or their zip file"
        return f"the description is missing: {_BOTH}"

    @property
    def names(self) -> list[str]:
        """The names of the description, the keys and the deals of a set."""
        assert self.description is not None
        assert self.keys is not None
        return [file.name for file in (self.description, self.keys, *self.deals)]

    @property
    def tags(self) -> dict[str, str]:
        """The date and the site of the set, as far as the description has them."""
        return {} if self.description is None else tags_in(self.description.data())


def sorted_files(files: Sequence[Upload]) -> SortedFiles:
    """Return files by what is in them; the files of a zip file count as files.

    Raise `ReadError` for two descriptions or two files of keys that differ, and for keys that have
    the name of a description, since somebody would publish them.
    """
    sent = SortedFiles()
    for file in _unzipped(files):
        sent = _added(sent, file)
    return sent


def _unzipped(files: Sequence[Upload]) -> Iterator[Upload]:
    """Yield all files, and those of zip files; raise `ReadError` if they expand to too much."""
    left = EXPANDED
    for file in files:
        if split_suffix(file.name)[1] != ".zip":
            yield file
            continue
        for name, member in parts(io.BytesIO(file.data()), file.name):
            data = member.read(left + 1)
            left -= len(data)
            if left < 0:
                raise ReadError(f"{file.name}: it expands to more than {EXPANDED:,} bytes")
            yield Upload.model_construct(name=basename(name), content=data, packed=False)


def _added(sent: SortedFiles, file: Upload) -> SortedFiles:
    """Return the files with one more."""
    name = file.name.lower()
    start = _first_line(file.data())
    if is_key_line(start):
        if name.endswith(".sqd"):
            raise ReadError(
                f"{file.name}: these are the secret keys, under the name of a description: publish "
                "this file only after the last session, and let its name end with .sqk"
            )
        return replace(sent, keys=_only(sent.keys, file, "files of keys"))
    if _ITEM.match(start):
        if name.endswith(".sqk"):
            raise ReadError(
                f"{file.name}: this is a description, under the name of the keys: choose the keys"
            )
        return replace(sent, description=_only(sent.description, file, "descriptions"))
    if name.endswith((".sqd", ".sqk")):
        what = "a description" if name.endswith(".sqd") else "a file of keys"
        shown = repr(start[:30].decode("utf-8", "replace")) if start else "no text"
        raise ReadError(f"{file.name}: this is not {what}: it begins with {shown}")
    if name.endswith(_NOTICE):
        return replace(sent, notices=(*sent.notices, file))
    if name.endswith((*_NO_DEALS, _MESSAGE)):
        return replace(sent, pages=(*sent.pages, file.name))
    return replace(sent, deals=(*sent.deals, file))


def _only(before: Upload | None, file: Upload, what: str) -> Upload:
    """Return the only file of its kind; the same file twice is one."""
    if before is not None and before.data() != file.data():
        raise ReadError(
            f"{before.name} and {file.name} are two {what}: choose the files of one set"
        )
    return before or file


def _first_line(data: bytes) -> bytes:
    """Return the first line that is neither blank nor a comment."""
    for line in io.BytesIO(data[:100_000].removeprefix(b"\xef\xbb\xbf")):
        if line.strip() and not line.startswith(b"#"):
            return line[:_LINE].strip()
    return b""


# What answers about tournaments share: files with their purpose, and sessions.


Role = Literal["publish", "keep", "deals"]


class TournamentFile(Fields):
    """A file: its name, its bytes, and what to do with it."""

    name: str
    role: Role = Field(
        description="publish it now, keep it secret until the play is over, or deal from it"
    )
    media_type: str
    content: str = Field(description="the bytes in base64")


class SessionView(Fields):
    """A session: its name, its title and its boards."""

    name: str = Field(description="the name of its files")
    title: str
    boards: str | None = Field(description="its boards, such as 1-24; null if they are open")


def file_view(name: str, data: bytes, role: Role) -> TournamentFile:
    """Return a file for an answer."""
    kind, content = media_type(name).partition(";")[0], b64encode(data).decode()
    return TournamentFile(name=name, role=role, media_type=kind, content=content)


def valued(sent: SortedFiles, value: str) -> tuple[Value, ...]:
    """Return the question that writes a delayed value into the description; none without one."""
    assert sent.description is not None
    return (Value(path_of(sent.description.name), value),) if value else ()


def session_views(sessions: Iterable[Session]) -> tuple[SessionView, ...]:
    """Return sessions for an answer."""
    return tuple(
        SessionView(name=session.name, title=session.title, boards=_boards(session))
        for session in sessions
    )


def _boards(session: Session) -> str | None:
    boards = session.boards
    return None if boards is None else f"{boards[0]}-{boards[-1]}"


_MOST_LISTED = 100


class VerifyQuestion(SetQuestion):
    """The files of a tournament with the boards that were played, and the published hash."""

    value: str = Field(
        "", max_length=500, description="the delayed value, if the description does not have it"
    )
    hash: str = Field("", max_length=200, description="the SHA-256 of the keys that you kept")

    @field_validator("value")
    @classmethod
    def _strip(cls, value: str) -> str:
        return value.strip()

    @field_validator("hash")
    @classmethod
    def _check_hash(cls, text: str) -> str:
        return parse_hash(text) if text.strip() else ""


@dataclass(frozen=True)
class VerifyView:
    """What the page shows of a comparison.

    `equal` is whether all boards are those of the keys, and no file has a fault; None if no boards
    were compared. `results` are the deals in the files, if several tables played a board.
    """

    equal: bool | None
    is_other: bool
    sentences: Sequence[str]
    proved: Sequence[str]
    unproved: Sequence[str]
    several: bool
    differences: Sequence[Difference]
    missing: Sequence[str]
    value: str | None
    dealt: int
    boards: int
    results: int | None
    pages: Sequence[str]


def verify(question: VerifyQuestion) -> AskedAnswer:
    """Deal an event again, and compare it with the boards that were played."""
    sent = sorted_files(question.file)
    event, data = sent.event(question.value)
    if event.description.value is None:
        raise PavError(
            f"the description has no value of {event.description.delayed!r}: type the value"
        )
    boards = sum(len(session.boards or ()) for session in event.sessions)
    if boards > MOST_BOARDS:
        raise PavError(
            f"the event has {boards:,} boards, more than {MOST_BOARDS:,}: use the command "
            "'pavcodec squaredeal verify' on your own computer"
        )
    notices = [SentNotice(each.name, each.data(), tags_in(data)) for each in sent.notices]
    names = [file.name for file in sent.deals]
    opened = OpenedEvent(event, names, question.hash, numbering("deal"), notices)
    problems: list[str] = []
    answer = opened.compared(_played(sent, problems))
    answer.notes = tuple(problems[:_MOST_LISTED])
    first, second, *others = map(path_of, sent.names)
    asked = Verify(first, second, tuple(others), hash=question.hash or None)
    facts = told(answer, asked, *valued(sent, question.value))
    return AskedAnswer(**facts, view=_view(answer, boards, sent.pages))


def _view(answer: Verified, dealt: int, pages: Sequence[str]) -> VerifyView:
    """Return a comparison for the page."""
    event, result = answer.event, answer.result
    sentences = list(verdict(event, result, answer.kept))
    if result.agrees:  # what boards without a difference prove is in other lists
        sentences = sentences[: 3 if answer.is_other else 1]
    several = len(event.sessions) > 1
    return VerifyView(
        equal=result.agrees if result.deals or result.faults else None,
        is_other=answer.is_other,
        sentences=sentences,
        proved=list(answer.proved),
        unproved=list(answer.unproved),
        several=len(result.sessions) > 1,
        differences=[
            replace(each, reason=each.reason.replace("and the event has", "and the keys make"))
            for each in result.differences[:_MOST_LISTED]
        ],
        missing=list(_missing(result, several=several)),
        value=event.description.value if answer.has_delay else None,
        dealt=dealt,
        boards=result.boards,
        results=result.deals if result.deals > result.boards else None,
        pages=pages,
    )


def _missing(result: Comparison, *, several: bool) -> Iterator[str]:
    """Yield a sentence for each session of which boards are in no file."""
    for missing in result.missing:
        where = f"Session {missing.session}: " if several else ""
        text = f"{where}{missing.reason}."
        yield f"{text[0].upper()}{text[1:]}"


def _played(sent: SortedFiles, problems: list[str]) -> Iterator[tuple[str, Board]]:
    """Yield the boards of the files of deals, each with the name of its file."""

    def report(problem: Problem) -> None:
        problems.append(str(problem))

    for file in sent.deals:
        reading = FileReading(FileQuestion.model_construct(file=(file,)), report)
        deals = 0
        try:
            for board in reading.boards():
                deals += board.layout is not None
                yield reading.sources[-1].name, board
        except PavError as error:
            problems.append(str(error))
            continue
        if not deals:
            problems.append(f"{file.name}: there are no deals in it")


VERIFY = AskedTask(
    "tournament/verify",
    "Deal a tournament again, and compare it with the boards that were played.",
    verify,  # type: ignore[arg-type]  # the class of its example says what it takes
    VerifyQuestion(file=example_files(), value="40829.12"),
    asked=Verify.name,
)


# Boards of Big Deal: those that its program makes from the same seed and owner.


_SEED = model_of("bigdeal")


class BigDealQuestion(_SEED):  # type: ignore[misc,valid-type]  # made of declarations
    """A seed of Big Deal, and not too many boards for a server."""

    @field_validator("boards")
    @classmethod
    def _check_boards(cls, text: str) -> str:
        if board_range(text)[-1] > MOST_BOARDS:
            raise ValueError(f"expected boards up to {MOST_BOARDS:,}, not {text!r}")
        return text


class BigDealFileQuestion(BigDealQuestion):
    """The boards of a seed as a file."""

    to: str = Field("pbn", max_length=100, description="the format, such as pbn or dup")


def _views(answer: SeedBoards) -> tuple[dict[str, Any], ...]:
    """Return the boards for a page; none if they are too many for it."""
    return tuple(map(hands_facts, answer.boards())) if len(answer.numbers) <= PAGE_BOARDS else ()


def big_deal_file(question: BigDealFileQuestion) -> Download:
    """Return the boards of a seed of Big Deal in a format."""
    target, stream = format_of(question.to), BytesIO()
    answer = cast("SeedBoards", answer_within(question_of("bigdeal", question)))
    target.write(answer.boards(), stream, answer.context)
    name = f"bigdeal{target.suffixes[0] if target.suffixes else '.txt'}"
    return file_of(name, stream.getvalue())


_EXAMPLE = {
    "owner": "Golden Test Owner",
    "seed": "000102030405060708090a0b0c0d0e0f10111213",
    "boards": "4",
}
BIG_DEAL = task_of("bigdeal", BigDealQuestion(**_EXAMPLE), _views, "tournament/bigdeal")
BIG_DEAL_FILE = Task(
    "tournament/bigdeal/file",
    "Return the boards of a seed of Big Deal in a format.",
    big_deal_file,
    BigDealFileQuestion(**_EXAMPLE, to="goe"),
    media_types=MEDIA_TYPES,
)
