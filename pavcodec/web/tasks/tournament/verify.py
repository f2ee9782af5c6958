"""Verify a tournament: deal it again, and compare it with the boards that were played.

The files of a set are recognised by what is in them. Boards of Big Deal, from its seed and owner,
are made here too.
"""

from __future__ import annotations

import io
import re
import shlex
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from os.path import basename
from shlex import quote
from typing import Literal, cast

from pydantic import Field, field_validator

from pavcodec.boards import Board, Problem
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import parts, split_suffix
from pavcodec.formats import format_of
from pavcodec.questions.tournament import SeedBoards, board_range
from pavcodec.tournament import (
    Comparison,
    Description,
    Difference,
    Event,
    Keys,
    Session,
    compare,
    verdict,
    with_value,
)
from pavcodec.tournament.event import NO_DELAY, club_phase, is_key_line, parse_hash, tags_in
from pavcodec.tournament.notice import notice_faults
from pavcodec.web.tasks.asked import answer_within, model_of, question_of, task_of
from pavcodec.web.tasks.exact import BoardView, board_view
from pavcodec.web.tasks.files.converting import EXPANDED, FileQuestion, FileReading, Upload
from pavcodec.web.tasks.task import (
    FILES,
    PAGE_BOARDS,
    UPLOAD,
    Answer,
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


def value_lines(source: str, value: str) -> list[str]:
    """Return the command line that writes a delayed value into a description; none without one.

    >>> value_lines("tuesday.sqd", "-1.5")
    ['pavcodec squaredeal value -- tuesday.sqd -1.5']
    """
    before = "-- " if value.startswith("-") else ""
    line = f"pavcodec squaredeal value {before}{quote(path_of(source))} {quote(value)}"
    return [line] if value else []


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
    "from pavcodec.tournament.event import tags_in",
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


class DifferenceView(Fields):
    """A board that differs, or all boards of a file."""

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
    boards = sum(len(session.boards or ()) for session in event.sessions)
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
    sentences = list(verdict(event, result, kept))
    is_wrong = bool(kept) and kept != event.keys.hash
    return tuple(sentences[: 3 if is_wrong else 1] if result.agrees else sentences)


def _lines(texts: list[str]) -> tuple[str, ...]:
    """Return texts, each as one line."""
    return tuple(" ".join(text.split()) for text in texts)


def _missing(result: Comparison, *, several: bool) -> Iterator[str]:
    """Yield a sentence for each session of which boards are in no file."""
    for missing in result.missing:
        where = f"Session {missing.session}: " if several else ""
        text = f"{where}{missing.reason}."
        yield f"{text[0].upper()}{text[1:]}"


def _view(difference: Difference) -> DifferenceView:
    reason = difference.reason.replace("and the event has", "and the keys make")
    return DifferenceView(
        file=difference.source,
        line=difference.line,
        session=difference.session,
        board=difference.board,
        reason=reason,
    )


def _command(question: VerifyQuestion, sent: SortedFiles) -> str:
    """Return the command lines, with all files in the current folder."""
    assert sent.description is not None
    assert sent.keys is not None
    lines = value_lines(sent.description.name, question.value)
    files = shlex.join(path_of(file.name) for file in (sent.description, sent.keys, *sent.deals))
    kept = f" --hash {question.fingerprint}" if question.fingerprint else ""
    return "\n".join([*lines, f"pavcodec squaredeal verify {files}{kept}"])


def _python(question: VerifyQuestion, sent: SortedFiles) -> str:
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


def _lines_of_notices(sent: SortedFiles) -> list[str]:
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


def _views(answer: SeedBoards) -> tuple[BoardView, ...]:
    """Return the boards for a page; none if they are too many for it."""
    return tuple(map(board_view, answer.boards())) if len(answer.numbers) <= PAGE_BOARDS else ()


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
