"""Tournaments: the boards of a seed of Big Deal, and sets of boards that anybody can check."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice
from os.path import basename
from secrets import token_bytes
from shlex import quote
from textwrap import wrap
from typing import Any, ClassVar

from pavcodec.boards import Board, Context
from pavcodec.boards.board import board_row
from pavcodec.chances.figures import many
from pavcodec.errors import NumberError, PavError, ReadError
from pavcodec.files.compressed import ZIP, parts, split_suffix
from pavcodec.files.opening import open_output
from pavcodec.formats import Format, format_of
from pavcodec.formats.registry import format_by_suffix
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.questions.asking import Answer, Question, QuestionError, as_in, ask, note, working
from pavcodec.questions.events import EventTags, OfEvent
from pavcodec.questions.inputs import (
    Inputs,
    Problems,
    TypedInput,
    boards_of,
    name_of,
    named_format,
    open_input,
)
from pavcodec.questions.tables import WIDTH, fact_lines
from pavcodec.tournament import (
    BigDealSeed,
    Comparison,
    Description,
    Difference,
    Event,
    Keys,
    Phase,
    Session,
    compare,
    open_event,
    verdict,
    with_value,
)
from pavcodec.tournament.bigdeal import RANDOM_SIZE
from pavcodec.tournament.event import (
    MOST,
    NO_DELAY,
    NO_VALUE,
    club_phase,
    description_in,
    draw_event,
    file_stem,
    is_key_line,
    key_path,
    parse_hash,
    remarks_of,
    tags_in,
    value_warnings,
    write_event,
)
from pavcodec.tournament.notice import (
    announcement,
    deal_files,
    invitation,
    notice_faults,
    notice_of,
    notice_pages,
    seed_boards,
    session_boards,
)

# Boards of Big Deal: those that its program makes from the same seed and owner.


_MOST_BOARDS = 1_000_000
_BOARDS = re.compile(r"([0-9]{1,7})(?:-([0-9]{1,7}))?")


def board_range(text: str) -> range:
    """Return the board numbers of a text.

    >>> board_range("16"), board_range("17-32")
    (range(1, 17), range(17, 33))
    """
    match = _BOARDS.fullmatch(text.strip())
    if match is None:
        raise PavError(f"expected boards such as 16 or 17-32, not {text!r}")
    low, high = (1, int(match[1])) if match[2] is None else (int(match[1]), int(match[2]))
    if not 1 <= low <= high <= _MOST_BOARDS:
        raise PavError(f"expected boards from 1 to {_MOST_BOARDS}, not {text!r}")
    return range(low, high + 1)


def _range_text(text: str) -> str:
    board_range(text)
    return text


@dataclass(frozen=True)
class BigDeal(Question):
    """Deal the boards of a seed of the program Big Deal."""

    name: ClassVar[str] = "bigdeal"
    gives_boards: ClassVar[bool] = True
    examples: ClassVar[str] = """\
  pavcodec bigdeal --owner me --seed 000102030405060708090a0b0c0d0e0f10111213
  pavcodec bigdeal --owner 'Bridge Club' -n 17-32 --to pbn -o second.pbn
  pavcodec bigdeal --wizard leftkey --entropy rightkey --entropy original -n 6"""
    details: ClassVar[str] = """\
A seed of Big Deal 2 is 20 random bytes and the name of the owner; the same seed gives the same
deals here and in Big Deal. --seed gives the bytes, as -h in Big Deal; --entropy gives texts, and
their hash is the bytes, as -e in Big Deal's wizard mode -W. Without either, bigdeal takes random
bytes from the system and prints them on the error stream.

Boards may start at any number; the first board has the first deal of the seed."""

    owner: str = ask(
        "the owner of the program (required)",
        default="", flag="--owner --wizard -W", group="seed", metavar="TEXT",
        label="Owner", most=200,
    )  # fmt: skip
    seed: str | None = ask(
        "the random bytes, 40 hexadecimal digits",
        default=None, group="seed", metavar="HEX", label="Seed", most=100,
    )  # fmt: skip
    entropy: tuple[str, ...] = ask(
        "a text; the hash of all texts gives the random bytes; may be repeated",
        default=(), flag="-e --entropy", group="seed", metavar="TEXT", label="Or a text", most=500,
    )  # fmt: skip
    boards: str = ask(
        "the number of boards, or their range, as in 17-32 (default: 16)",
        default="16", flag="-n", group="boards", metavar="N", read=_range_text,
        label="Boards", most=20,
    )  # fmt: skip
    numbering: str = ask(
        "the numbering of --to numbers and --json (default: bigdeal, Big Deal's own; one of "
        f"{', '.join(numbering_names())})",
        default="bigdeal", flag="--as", group="numbering", metavar="NUMBERING", most=100,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "owner": "the owner of the program",
        "seed": "the random bytes in hexadecimal digits",
        "boards": "the boards, each with its number in the numbering and its deal",
    }

    def find(self) -> SeedBoards:
        """Return the boards; without a seed, those of random bytes of the system."""
        if self.seed is not None and self.entropy:
            raise QuestionError("{seed} and {entropy} do not go together", "seed")
        if not self.owner:
            reason = "{owner} is required: a seed of Big Deal includes its owner"
            raise QuestionError(reason, "owner")
        try:
            numbers = board_range(self.boards)
        except PavError as error:
            raise QuestionError("{boards}: {said}", "boards", said=error) from None
        answer = SeedBoards(self._seed(), numbers, numbering(self.numbering))
        if self.seed is None and not self.entropy:
            digits = answer.seed.random.hex()
            note(f"seed {digits}")
            answer.again = replace(self, seed=digits)
        return answer

    def _seed(self) -> BigDealSeed:
        owner = _bytes(self.owner)
        if self.entropy:
            return BigDealSeed.from_entropy(owner, b"".join(map(_bytes, self.entropy)))
        if self.seed is None:
            return BigDealSeed(token_bytes(RANDOM_SIZE), owner)
        try:
            return BigDealSeed.from_hex(owner, self.seed.strip())
        except NumberError as error:
            raise QuestionError("{seed}: {said}", "seed", said=error) from None


def _bytes(text: str) -> bytes:
    """Return the original bytes of a command-line argument, in any encoding."""
    return text.encode("utf-8", "surrogateescape")


def bigdeal(owner: str, **fields: Any) -> Answer:
    """Return the boards of a seed of the program Big Deal, as the command `bigdeal` deals them.

    The fields are those of `BigDeal`. The answer has `boards()`.

    >>> print(bigdeal("me", seed="000102030405060708090a0b0c0d0e0f10111213", boards="1"))
    N:Q87632..K8732.J3 J95.984.T4.KQ765 K.AQJ632.AQ5.T92 AT4.KT75.J96.A84
    """
    return BigDeal(owner=owner, **fields).answer()


@dataclass
class SeedBoards(Answer):
    """The boards of a seed of Big Deal."""

    seed: BigDealSeed
    numbers: range
    ranks: Numbering

    @property
    def context(self) -> Context:
        """The context in which a format writes the boards."""
        return Context("bigdeal", numbering=self.ranks)

    def boards(self) -> Iterator[Board]:
        """Yield the boards."""
        return seed_boards(self.seed, self.numbers)

    def lines(self) -> Iterator[str]:
        """Yield the deals as text."""
        return (str(board.layout) for board in self.boards())

    def documents(self) -> Iterator[dict[str, Any]]:
        """Yield the boards for JSON."""
        return (board_row(board, "board number deal", self.ranks) for board in self.boards())

    def to_dict(self) -> dict[str, Any]:
        """Return the boards for JSON, with their seed."""
        owner = self.seed.owner.decode("utf-8", "replace")
        return {"owner": owner, "seed": self.seed.random.hex(), "boards": list(self.documents())}


# Sets of SquareDeal: a club's set in one or two steps, or the steps of a larger event.


_MOST_SESSIONS = 99


def _sessions_text(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_SESSIONS:
        raise PavError(f"expected a number of sessions, 1 to 99, not {text!r}")
    return int(text)


def _boards_text(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text) or not int(text):
        raise PavError(f"expected a number of boards, 1 to {MOST}, not {text!r}")
    return int(text)


@dataclass(frozen=True)
class _ClubFiles(Question):
    """The files of a club's set."""

    folder: str | None = ask(
        "the folder of the set (default: named by title and date)",
        default=None, group="output", metavar="FOLDER", local=True,
    )  # fmt: skip
    to: tuple[str, ...] = ask(
        "write the deals also in this format; once for each format",
        default=(), group="output", metavar="FORMAT", local=True,
    )  # fmt: skip
    records: bool = ask(
        "write hand records, as HTML and PDF", default=False, group="output", local=True
    )  # fmt: skip
    solve: bool = ask(
        "compute the double-dummy tricks, for the hand records of --records",
        default=False, group="output", local=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Club(OfEvent, _ClubFiles):
    """Make a set of boards for a club, and a notice that proves it."""

    name: ClassVar[str] = "squaredeal club"
    makes_files: ClassVar[bool] = True
    indent: ClassVar[int | None] = 2
    examples: ClassVar[str] = """\
  pavcodec squaredeal club --boards 24 --title Tuesday \\
    --delayed 'DJI, close of 23 November 2026, as 12345.67'
  pavcodec squaredeal club --title Tuesday --value 40829.12 --to dlm
  pavcodec squaredeal club --boards 1-12,13-24 --sessions 2 --title Pairs --date 2026-11-24"""
    details: ClassVar[str] = """\
club works in two steps. The first step draws the keys, and writes the description, the keys and a
notice for the players into a new folder. Publish the notice. When the delayed value is known, the
second step, with --value, adds it to the description and deals. So nobody could choose the deals.
The second step finds the set by --folder, or by the same --title and --date.

Without --delayed there is one step, and the deals are made with the keys. Publish the notice before
the play. This proves that the deals were fixed then, and that nobody changed one later or composed
one by hand. It does not prove that there was only one set: the organiser could make many sets and
publish the one he likes.

The boards are a number, or a list that the sessions use in turn, such as 1-12,13-24; 2x12 is short
for 1-12,13-24. --to adds files for dealing machines and other programs to the PBN files; the
command may be repeated with other formats, and makes the same deals. The hand records have the hash
in their footer; 'pavcodec print' makes other layouts and solutions. club never replaces keys,
descriptions and notices; --force replaces only files of deals."""

    boards: str | None = ask(
        "the boards of a session, such as 24 or 1-24",
        default=None, group="set", metavar="N", label="Boards", most=200,
    )  # fmt: skip
    sessions: int = ask(
        "the number of sessions (default: 1)",
        default=1, group="set", metavar="N", read=_sessions_text, most=_MOST_SESSIONS,
        label="Sessions",
    )  # fmt: skip
    delayed: str | None = ask(
        "information that nobody knows when you publish, in unambiguous words",
        default=None, group="set", metavar="TEXT", label="A value that nobody knows yet", most=500,
    )  # fmt: skip
    value: str | None = ask(
        "the delayed value, exactly as published: deal the set",
        default=None, group="set", metavar="VALUE", local=True,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "event": "the name of the event",
        "description": "the name of the description, to publish",
        "keys": "the name of the file of keys, to keep secret until the play is over",
        "hash": "the SHA-256 of the keys, which the notice publishes",
        "delayed": "what nobody knows yet, in words",
        "value": "the delayed value; null as long as nobody knows it",
        "notices": "the names of the notices, to publish",
        "deals": "the names of the files with deals",
        "sessions": "the sessions, each with its name, its title and its boards",
        "message": "a short text that publishes the set",
        "files": "of a server: the files, each with its name, its role and its bytes in base64",
    }

    def find(self) -> ClubSet:
        """Return a new set, or the set of the folder with its deals; nothing is written yet."""
        if self.solve and not self.records:
            raise QuestionError("{solve} is for the hand records of {records}", "solve")
        tags, formats = self.event_tags, self._formats()
        folder = self.folder or self._stem(
            tags, "name the set with {title}, or its folder with {folder}"
        )
        if _has_set(folder):
            return self._second_step(folder, tags, formats)
        if self.value is not None and self.boards is None:
            reason = "{place} has no set of boards: name its folder with {folder}"
            raise QuestionError(reason, "folder", place=folder)
        return self.drawn(folder, tags, formats)

    def _formats(self) -> list[Format]:
        """Return the formats of the deals, which have different suffixes."""
        by_name = {format_.name: format_ for format_ in map(format_of, ("pbn", *self.to))}
        by_suffix: dict[str, str] = {}
        for format_ in by_name.values():
            suffix = format_.suffixes[0] if format_.suffixes else ".txt"
            if suffix in by_suffix:
                raise QuestionError(
                    "{one} and {other} have the same suffix {suffix}",
                    "to", one=by_suffix[suffix], other=format_.name, suffix=suffix,
                )  # fmt: skip
            by_suffix[suffix] = format_.name
        return list(by_name.values())

    def _stem(self, tags: EventTags, reason: str) -> str:
        """Return the common part of the names of the files; raise an error without a title."""
        name = tags.title or tags.tags.get("Event", "")
        if not name:
            raise QuestionError(reason, "title")
        return file_stem(name, tags.tags.get("Date", ""))

    def drawn(
        self, folder: str = "", tags: EventTags | None = None, formats: Sequence[Format] = ()
    ) -> ClubSet:
        """Return a new set; with its deals if there is no delayed information."""
        tags, formats = tags or self.event_tags, formats or self._formats()
        if self.value is not None and self.boards:
            raise QuestionError("{value} and {boards} do not go together", "value")
        if self.boards is None:
            raise QuestionError("a new set needs {boards}, as in {boards} 24", "boards")
        if self.delayed is not None and (self.to or self.records):
            raise QuestionError("{to} and {records} belong to the second step, with {value}", "to")
        if not 1 <= self.sessions <= _MOST_SESSIONS:
            raise QuestionError("{sessions} is a number from 1 to 99", "sessions")
        stem = self._stem(tags, "a new set needs {title}, as in {title} Tuesday")
        try:
            phase = club_phase(stem, self.boards, self.sessions, tags.tags.get("Session", ""))
        except PavError as error:
            raise QuestionError("{boards}: {said}", "boards", said=error) from None
        event = draw_event(
            os.path.join(folder, f"{stem}.sqd"),
            os.path.join(folder, f"{stem}.sqk"),
            name=tags.tags["Event"],
            delayed=NO_DELAY if self.delayed is None else self.delayed,
            phases=[phase],
            value=NO_VALUE if self.delayed is None else None,
        )
        for text in _warnings(self.delayed or ""):
            note(text)
        remarks = remarks_of(tags.tags)
        deals = {} if self.delayed is not None else self._deals(event, folder, tags.tags, formats)
        return ClubSet(
            event,
            event.description.format(remarks),
            notices_of(event, tags.tags),
            deals,
            advice=_ADVICE_OF_ONE_STEP if self.delayed is None else tuple(_advice_before(event)),
            remarks=remarks,
            is_fresh=True,
        )

    def _second_step(self, folder: str, tags: EventTags, formats: Sequence[Format]) -> ClubSet:
        """Return the set of a folder, with its deals by the delayed value."""
        path = description_in(folder)
        with open(path, "rb") as stream:
            data = stream.read()
        described = Description.parse(data, path)
        if self.boards is not None or self.delayed is not None:
            raise QuestionError(
                "{place} has the set of {called} already, and keys are never drawn again: use "
                "{date} or another {folder} for a new set",
                "folder", place=folder, called=repr(described.name),
            )  # fmt: skip
        if self.value is None and described.value is None:
            reason = "the set waits for {what}: deal it with {value} when this is known"
            raise QuestionError(reason, "value", what=repr(described.delayed))
        if self.value is not None:
            data = with_value(data, self.value, path)
        event = open_event(path)
        is_new = described.value is None
        event = Event(Description.parse(data, path), event.keys, path)
        shown = tags_in(data) | {key: one for key, one in tags.tags.items() if key != "Event"}
        if self.event:
            shown["Event"] = self.event
        return ClubSet(
            event,
            data,
            notices_of(event, tags_in(data)),
            self._deals(event, folder, shown, formats),
            advice=_advice_after(event) if is_new else (),
            has_new_value=is_new,
        )

    def _deals(
        self, event: Event, folder: str, tags: Mapping[str, str], formats: Sequence[Format]
    ) -> dict[str, bytes]:
        """Return the files of the deals by their paths."""
        with working("solving" if self.solve else "dealing"):
            files = deal_files(
                event, formats, tags, records=self.records, solve=self.solve, note=note
            )
        return {os.path.join(folder, name): data for name, data in files.items()}


def squaredeal_club(**fields: Any) -> Answer:
    """Make or deal a set of boards for a club, as `squaredeal club`; `write()` writes its files.

    The fields are those of `Club`.
    """
    return Club(**fields).answer()


def _has_set(folder: str) -> bool:
    """Return whether a folder has a description or keys."""
    if not os.path.isdir(folder):
        return False
    return any(name.lower().endswith((".sqd", ".sqk")) for name in os.listdir(folder))


def notices_of(event: Event, tags: Mapping[str, str]) -> dict[str, bytes]:
    """Return the notice beside the description, by the paths of its files."""
    stem = os.path.splitext(event.source)[0]
    notice = notice_of(event, tags)
    return {f"{stem}-notice.txt": notice.text().encode()} | notice_pages(notice, stem)


@dataclass
class ClubSet(Answer):
    """The files of a club's set, by their paths; `write` writes those that are new.

    `data` is the description. `advice` is what the organiser should know next, at each point where
    he could make a mistake.
    """

    event: Event
    data: bytes
    notices: Mapping[str, bytes]
    deals: Mapping[str, bytes]
    advice: Sequence[str] = ()
    remarks: tuple[str, ...] = ()
    is_fresh: bool = False
    has_new_value: bool = False

    def replaced(self) -> list[str]:
        """Return the files of deals that exist with other bytes."""
        return [path for path in self._new_deals() if os.path.lexists(path)]

    def _new_deals(self) -> dict[str, bytes]:
        return {path: data for path, data in self.deals.items() if not _holds(path, data)}

    def write(self, *, force: bool = False) -> None:
        """Write the files. Keys, descriptions and notices are never replaced; deals with `force`.

        A notice may be published already, and a file of deals that is the same is left as it was.
        """
        if not force and (there := self.replaced()):
            raise PavError(f"{there[0]}: it exists already and is not changed")
        if self.is_fresh:
            os.makedirs(os.path.dirname(self.event.source) or os.curdir, exist_ok=True)
            write_event(self.event, self.remarks)
        elif self.has_new_value:
            with open_output(self.event.source, durable=True) as out:
                out.write(self.data)
        for path, data in self.notices.items():
            with suppress(FileExistsError), open_output(path, fresh=True) as out:
                out.write(data)
        for path, data in self._new_deals().items():
            with open_output(path) as out:
                out.write(data)

    def lines(self) -> Iterator[str]:
        """Yield what to publish and what to keep, or the value, and the files of deals."""
        if self.is_fresh:
            yield f"publish  {self.event.source}"
            yield from (f"publish  {path}" for path in self.notices)
            yield f"hash     {self.event.keys.hash}"
            yield f"keep     {self.event.keys.source}"
        else:
            yield f"value    {self.event.description.value}"
        yield from (f"deals    {path}" for path in self.deals)

    def to_dict(self) -> dict[str, Any]:
        """Return the set for JSON."""
        described = self.event.description
        return {
            "event": described.name,
            "description": self.event.source,
            "keys": self.event.keys.source,
            "hash": self.event.keys.hash,
            "delayed": described.delayed,
            "value": described.value,
            "notices": list(self.notices),
            "deals": list(self.deals),
            "sessions": list(map(_session_row, self.event.sessions)),
            "message": announcement(self.event, tags_in(self.data)),
        }


def _session_row(session: Session) -> dict[str, object]:
    """Return a session for JSON."""
    boards = session.boards
    told = None if boards is None else f"{boards[0]}-{boards[-1]}"
    return {"name": session.name, "title": session.title, "boards": told}


def _holds(path: str, data: bytes) -> bool:
    """Return whether a file has these bytes."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as stream:
        return stream.read() == data


# Advice of `pavcodec squaredeal club`, at each point where an organiser could make a mistake.


_ADVICE_OF_ONE_STEP = (
    """This set proves, if you publish the hash before the play: the deals were fixed then, nobody
    changed one later, and nobody composed one by hand.""",
    """It does not prove that you made only one set: you could make many and publish the one that
    you like. A set with --delayed proves that too.""",
    "Copy the keys to a second safe place. Publish them only after the last session.",
)

_MONTHS = "january february march april may june july august september october november december"
_ISO = re.compile(r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b")
_WORDS = re.compile(
    rf"\b([0-9]{{1,2}}) ({'|'.join(_MONTHS.split())}) ([0-9]{{4}})\b", re.IGNORECASE
)


def _warnings(delayed: str) -> Iterator[str]:
    """Yield what an organiser could regret about the delayed information."""
    days = list(_days(delayed))
    if days and max(days) < date.today():
        yield (
            f"{max(days)} is past: everybody can know {delayed!r} already, so it proves nothing. "
            "Choose something that nobody knows yet."
        )
    elif delayed and not any(letter.isdigit() for letter in delayed):
        yield (
            f"{delayed!r} names no day. Name the source, the day and the form, so that there is "
            "only one value and one spelling."
        )


def _days(text: str) -> Iterator[date]:
    """Yield the days in a text, such as 2026-11-24 and 24 November 2026."""
    months = _MONTHS.split()
    days = [(year, month, day) for year, month, day in _ISO.findall(text)]
    days += [
        (year, months.index(name.lower()) + 1, day) for day, name, year in _WORDS.findall(text)
    ]
    for each in days:
        with suppress(ValueError):
            yield date(*map(int, each))


_SOON = 3600
"""The age of keys in seconds below which a value that is known already gives a warning."""


def _advice_before(event: Event) -> Iterator[str]:
    """Yield what the organiser does next, before the value is known."""
    folder = os.path.dirname(event.source)
    yield "Next:"
    yield f"1. Copy {event.keys.source} to a second safe place. Without the keys nobody can deal."
    yield (
        "2. Publish the notice and the description now, before anybody can know "
        f"{event.description.delayed!r}."
    )
    yield "3. When the value is known:"
    yield f"pavcodec squaredeal club --folder {quote(folder)} --value VALUE"
    yield "4. Publish the keys only after the last session: with them, anybody can make the deals."


def _advice_after(event: Event) -> tuple[str, ...]:
    """Return advice and warnings about a new delayed value."""
    value = event.description.value or ""
    texts = [
        (
            f"Compare the value with the published one, character by character: {value!r}. Another "
            "spelling, such as a comma instead of a point, gives other deals."
        )
    ]
    texts += [f"warning: {text}" for text in value_warnings(value)]
    age = time.time() - os.stat(event.keys.source).st_mtime
    if age < _SOON:
        texts += [
            (
                f"warning: the keys are {many(int(age // 60), 'minute')} old: the proof has no "
                "value unless you published the hash before anybody knew the value"
            )
        ]
    return tuple(texts)


@dataclass(frozen=True)
class Create(Question):
    """Make the description and the keys."""

    name: ClassVar[str] = "squaredeal create"
    makes_files: ClassVar[bool] = True
    examples: ClassVar[str] = """\
  pavcodec squaredeal create club.sqd --name Cup --delayed DJI --phase 1:16:C1:C
  pavcodec squaredeal create club.sqd --name 'Club' --delayed 'DJI, close of 3 May' \\
    --phase '2:1-16,17-32:C#:Round #'
  pavcodec squaredeal create cup.sqd --name Cup --delayed 'Lottery of 3 May' \\
    --phase '12:3x10:SWISS##:Swiss #/12' --phase '1:24:FINAL:Final'"""
    details: ClassVar[str] = """\
A phase is sessions:boards:files:title. The boards are a number, or a list that the sessions use in
turn, such as 1-16,17-32; 3x7 is short for 1-7,8-14,15-21; ? means that the number is not known yet.
# in the names of the files and in the title becomes the number of the session. 0 sessions means as
many as you need.

Publish the description; its line KH is the hash of the keys. Keep the keys secret until the last
session is over. create does not replace existing files."""

    description: str = ask("the description of the event", flag="", metavar="EVENT.sqd")
    key_file: str | None = ask(
        "the key file (default: EVENT.sqk beside EVENT.sqd)",
        default=None, flag="--keys", group="event", metavar="FILE",
    )  # fmt: skip
    title: str = ask(
        "the name of the tournament (required)", flag="--name", group="event", metavar="TEXT"
    )  # fmt: skip
    delayed: str = ask(
        "the delayed information, in unambiguous words (required)", group="event", metavar="TEXT"
    )  # fmt: skip
    phases: tuple[str, ...] = ask(
        "sessions:boards:files:title; once for each phase (required)",
        flag="--phase", group="event", metavar="PHASE",
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = Club.keys

    def find(self) -> Created:
        """Return a new event; nothing is written yet."""
        try:
            phases = [Phase.parse(text) for text in self.phases]
        except PavError as error:
            raise QuestionError("{phases}: {said}", "phases", said=error) from None
        event = draw_event(
            self.description,
            self.key_file or key_path(self.description),
            name=self.title,
            delayed=self.delayed,
            phases=phases,
        )
        return Created(event, event.description.format(), {}, {}, is_fresh=True)


class Created(ClubSet):
    """The files of a larger event; its notices are not written."""

    def write(self, *, force: bool = False) -> None:  # noqa: ARG002 (there are no deals)
        """Write the description and the keys; existing files are never replaced."""
        write_event(self.event)

    def lines(self) -> Iterator[str]:
        """Yield what to publish and what to keep."""
        event = self.event
        yield f"publish  {event.source}: the description, with KH {event.keys.hash}"
        yield f"keep     {event.keys.source}: {many(len(event.keys.table), 'key')}"


def squaredeal_create(description: str, **fields: Any) -> Answer:
    """Make the description and the keys of an event; `write()` writes them.

    The fields are those of `Create`.
    """
    return Create(description, **fields).answer()


@dataclass(frozen=True)
class Value(Question):
    """Add the delayed value to the description."""

    name: ClassVar[str] = "squaredeal value"
    makes_files: ClassVar[bool] = True
    examples: ClassVar[str] = "  pavcodec squaredeal value club.sqd 40829.12"
    details: ClassVar[str] = """\
value keeps the text as you write it; everybody who makes the deals again needs the same text. It
never replaces an existing value by another one."""

    description: str = ask("the description of the event", flag="", metavar="EVENT.sqd")
    value: str = ask("the delayed value, exactly as published", flag="", metavar="VALUE")

    keys: ClassVar[dict[str, str]] = {"description": "the name of the description"}

    def find(self) -> Valued:
        """Return the description with the value; nothing is written yet."""
        with open(self.description, "rb") as stream:
            data = stream.read()
        return Valued(self.description, with_value(data, self.value, self.description))


@dataclass
class Valued(Answer):
    """A description with its delayed value."""

    description: str
    data: bytes

    def write(self) -> None:
        """Write the description."""
        with open_output(self.description) as out:
            out.write(self.data)

    def lines(self) -> Iterator[str]:
        """Yield nothing: the value is known."""
        return iter(())

    def to_dict(self) -> dict[str, Any]:
        """Return the name of the description for JSON."""
        return {"description": self.description}


def squaredeal_value(description: str, value: str) -> Answer:
    """Add the delayed value to a description; `write()` writes it."""
    return Value(description, value).answer()


# The boards of an event.


_NUMBERING = f"the numbering of numbers (default: deal; one of {', '.join(numbering_names())})"


@dataclass(frozen=True)
class DealEvent(OfEvent):
    """Deal the sessions of an event."""

    name: ClassVar[str] = "squaredeal deal"
    gives_boards: ClassVar[bool] = True
    indent: ClassVar[int | None] = 2
    examples: ClassVar[str] = """\
  pavcodec squaredeal deal club.sqd --folder deals
  pavcodec squaredeal deal club.sqd C2 -o second.pbn
  pavcodec squaredeal deal club.sqd C2 --reserve --to pbn"""
    details: ClassVar[str] = """\
SESSION is the name of its file (OPRR01), a range of names (OPRR01-02), or phase and number as in
the key file (1,2). The reserve set of a session is a second set, in case something goes wrong with
the first one. PBN boards have the tags Event, Stage and Session. --event, --date, --site and
--session replace these tags or add others; verify finds the session of a board with another tag
Session by the name of its file or by its deal."""

    description: str = ask("the description of the event", flag="", metavar="EVENT.sqd")
    key_file: str | None = ask(
        "the key file (default: EVENT.sqk beside EVENT.sqd)",
        default=None, flag="--keys", group="event", metavar="FILE",
    )  # fmt: skip
    names: tuple[str, ...] = ask(
        "the sessions (default: all)", default=(), flag="", metavar="SESSION"
    )  # fmt: skip
    value: str | None = ask(
        "the delayed value, if the description does not have it",
        default=None, group="event", metavar="VALUE", most=500,
    )  # fmt: skip
    reserve: bool = ask("deal the reserve sets", default=False, group="event")
    boards: int | None = ask(
        "the number of boards, if the description says ?",
        default=None, group="event", metavar="N", read=_boards_text,
    )  # fmt: skip
    numbering: str = ask(
        _NUMBERING, default="deal", flag="--as", group="numbering", metavar="NUMBERING"
    )  # fmt: skip
    folder: str | None = ask(
        "write a file for each session here (pbn without --to)",
        default=None, group="output", metavar="FOLDER",
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "event": "the name of the event",
        "delayed": "what nobody knew, in words",
        "value": "the delayed value",
        "hash": "the SHA-256 of the keys",
        "sessions": "the sessions, each with its name, its title and its boards",
        "message": "a short text for after the play",
        "boards": "the boards, each with its session and its deal",
    }

    def find(self) -> DealtEvent:
        """Return the boards of the sessions."""
        ranks, tags = numbering(self.numbering), self.event_tags
        event, data = event_of(self.description, self.key_file, self.value)
        tags = EventTags(tags_in(data) | tags.tags, tags.title)
        sessions = chosen_sessions(event, self.names, reserve=self.reserve, boards=self.boards)
        return DealtEvent(event, sessions, tags, ranks, self.boards)


def squaredeal_deal(description: str, *names: str, **fields: Any) -> Answer:
    """Deal the sessions of an event, as `squaredeal deal`; the answer has `boards()`.

    The fields are those of `DealEvent`.
    """
    return DealEvent(description, names=fields.pop("names", names), **fields).answer()


def chosen_sessions(
    event: Event, names: Iterable[str], *, reserve: bool, boards: int | None
) -> list[Session]:
    """Return the named sessions of an event, or all; with `reserve`, their reserve sets.

    Raises an error unless each can be dealt: the value must be known, and the number of boards.
    """
    named = [session for text in names for session in event.named(text) or [event.session(text)]]
    sessions = named or list(event.sessions)
    if not sessions:
        raise QuestionError(
            "no phase has a fixed number of sessions: name the sessions to deal, such as {first}",
            "names", first=repr(event.description.phases[0].name_of(1)),
        )  # fmt: skip
    sessions = [event.reserve_of(session) for session in sessions] if reserve else sessions
    unknown = next((session.name for session in sessions if session.boards is None), None)
    if unknown is not None and boards is None:
        reason = "the description does not say how many boards {name} has: {boards} N"
        raise QuestionError(reason, "boards", name=unknown)
    for session in sessions:
        event.seed(session)  # raises an error for a missing value, before any file is written
    return sessions


@dataclass
class DealtEvent(Answer):
    """The boards of sessions."""

    event: Event
    sessions: Sequence[Session]
    tags: EventTags
    ranks: Numbering
    many: int | None

    @property
    def context(self) -> Context:
        """The context in which a format writes the boards."""
        return Context("squaredeal", numbering=self.ranks, note=note, title=self.tags.title)

    def boards_of(self, session: Session) -> Iterator[Board]:
        """Yield the boards of a session, with the tags of the question."""
        return self.tags.of_boards(session_boards(self.event, session, self.many))

    def boards(self) -> Iterator[Board]:
        """Yield the boards of all sessions."""
        return chain.from_iterable(map(self.boards_of, self.sessions))

    def lines(self) -> Iterator[str]:
        """Yield the deals as text."""
        return (str(board.layout) for board in self.boards())

    def to_dict(self) -> dict[str, Any]:
        """Return the set and the boards for JSON."""
        event, ranks = self.event, self.ranks
        rows = (_rows(event, session, ranks, self.many) for session in self.sessions)
        return {
            "event": event.description.name,
            "delayed": event.description.delayed,
            "value": event.description.value,
            "hash": event.keys.hash,
            "sessions": list(map(_session_row, self.sessions)),
            "message": invitation(event),
            "boards": list(chain.from_iterable(rows)),
        }


def _rows(
    event: Event, session: Session, ranks: Numbering, many: int | None = None
) -> Iterator[dict[str, object]]:
    """Yield the boards of a session for JSON."""
    deals = event.deals(session)
    for number, deal in deals if session.boards is not None else islice(deals, many):
        row = board_row(Board.make(deal, number=number), "board number deal", ranks)
        yield {"session": str(session), "name": session.name} | row


@dataclass(frozen=True)
class Verify(Question):
    """Deal an event again, and compare it with the played deals."""

    name: ClassVar[str] = "squaredeal verify"
    indent: ClassVar[int | None] = 2
    examples: ClassVar[str] = """\
  pavcodec squaredeal verify tuesday
  pavcodec squaredeal verify club.sqd club.sqk C1.pbn C2.pbn
  pavcodec squaredeal verify tuesday.zip --hash HEX
  pavcodec squaredeal verify --json club.sqd club.sqk C1.pbn"""
    details: ClassVar[str] = """\
The files come in any order, or in one zip file; verify knows each by its first lines. EVENT.sqd is
the description, or a folder stands for it. Without EVENT.sqk, the keys are the file beside the
description; without other files, verify compares those beside the description that have the names
of sessions. The first lines say in words what verify found and what it proves.

The hash of the keys must be that of the description, and there must be a key for each session. A
board of a file belongs to the session of its tag Session; else to the session of the file's name,
such as OPRR01.pbn or OPRR01-02.pbn; else to the session of the board before it, or to the session
that has its deal. A deal, a dealer or a vulnerability may differ. verify prints each difference as
a line on the error stream; a file of many deals that are all wrong is one difference.

A file with the name of a session is incomplete if it lacks a board that another file has; without
DEALS, if it lacks any board of the session. verify names such files, files without deals, and a
notice beside the description, EVENT-notice.txt, with another title, number of boards, fingerprint
or delayed information. The exit code is 1 for these and for differences. verify also reports boards
that no file has; without such a fault they are no difference, since a match may end early.

--json prints an object with "boards", each with "session" (phase and number), "name", "board",
"number" and "deal", and with "differences" and "faults"."""

    files: tuple[str, ...] = ask(
        "the description EVENT.sqd or its folder, the keys EVENT.sqk, and the deals played, "
        "in any order",
        flag="", metavar="FILE",
    )  # fmt: skip
    value: str | None = ask(
        "the delayed value, if the description does not have it",
        default=None, group="event", metavar="VALUE", label="The value", most=500,
    )  # fmt: skip
    hash: str | None = ask(
        "the SHA-256 of the keys that you kept from the notice, to compare with the keys",
        default=None, group="event", metavar="HEX", label="Fingerprint that you kept", most=200,
    )  # fmt: skip
    numbering: str = ask(
        _NUMBERING, default="deal", flag="--as", group="numbering", metavar="NUMBERING"
    )  # fmt: skip

    from_format: str | None = as_in(Inputs, "from_format")
    strict: bool = as_in(Inputs, "strict")

    keys: ClassVar[dict[str, str]] = {
        "event": "the name of the event",
        "delayed": "the information that nobody knew",
        "value": "the delayed value",
        "hash": "the SHA-256 of the keys",
        "boards": "the boards that the keys make, each with its session and its deal",
        "compared": "the number of deals in the files",
        "differences": "boards that differ, or all boards of a file",
        "faults": "files that lack boards, and notices with other facts",
        "missing": "boards that are in no file",
        "dealt": "the number of boards of the event",
        "played": "the number of different boards in the files",
        "agrees": "whether all is as the keys make it; null if nothing was compared",
        "kept": "whether the keys have the hash that you kept; null without one",
        "verdict": "the result in words",
        "proved": "what this proves",
        "unproved": "what you must check yourself",
        "pages": "printed pages, whose boards nothing can read",
    }

    def find(self) -> Verified:
        """Return the comparison of the event with the files."""
        ranks, kept = numbering(self.numbering), self._kept()
        files = self.sorted_files()
        event, data = files.event(self.value)
        for session in event.sessions[:1]:
            event.seed(session)  # raises an error for a missing value
        problems, counts = Problems(strict=self.strict), dict.fromkeys(map(name_of, files.deals), 0)
        played = boards_of(
            files.deals, problems, format_name=named_format(self), ranks=ranks
        ) if files.deals else iter(())  # fmt: skip

        def counted() -> Iterator[tuple[str, Board]]:
            for name, board in played:
                if board.layout is not None:
                    counts[name] = counts.get(name, 0) + 1
                yield name, board

        result = compare(event, counted(), files=counts, whole=files.is_whole)
        for path in files.notices:
            text = _bytes_of(path).decode("utf-8", "replace")
            result.faults += notice_faults(event, tags_in(data), text, name_of(path))
        faulty = {each.source for each in result.faults}
        for path in files.deals:
            name = name_of(path)
            if not counts[name] and name not in (*faulty, *problems.sources):
                note(f"{name}: no deals to compare")
        return Verified(event, result, files, kept, ranks, problems.count)

    def sorted_files(self) -> SetFiles:
        """Return the files by what is in them."""
        return sorted_files(self.files)

    def _kept(self) -> str:
        """Return the hash that somebody kept; "" without one."""
        try:
            return parse_hash(self.hash) if self.hash else ""
        except PavError as error:
            raise QuestionError("{hash}: {said}", "hash", said=error) from None


def squaredeal_verify(*files: str, **fields: Any) -> Answer:
    """Deal an event again, and compare it with files of played deals, as `squaredeal verify`.

    The fields are those of `Verify`.
    """
    return Verify(fields.pop("files", files), **fields).answer()


# The files of a set, sorted by what is in them.
#
# A director gives all files of a set in any order, or the zip file that holds them. So nobody has
# to know which file belongs where; a file is recognised by its first line, whatever its name is.


_EXPANDED = 80 << 20
"""The most bytes of the files in zip files."""
_BOTH = "choose the description (.sqd) and the keys (.sqk) together"
_LINE = 1000
_MOST_NAMES = 3
_ITEM = re.compile(rb"(TN|DI|DV|SN|KH)( |$)")
_NO_DEALS = (".htm", ".html", ".pdf")
_NOTICE, _MESSAGE = "-notice.txt", "-message.txt"


@dataclass(frozen=True)
class SetFiles:
    """The files of a set: description, keys, deals, notices as text, and printed pages.

    Each is a path, or a file in memory. `is_whole` is whether a file with the name of a session
    must have all of its boards.
    """

    description: str = ""
    keys: str = ""
    deals: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    is_whole: bool = False

    def event(self, value: str | None = None) -> tuple[Event, bytes]:
        """Return the event, and the bytes of its description with the delayed value, if given.

        Raise `PavError` for a missing or wrong file, and for another value than that of the file.
        """
        if not self.description:
            raise PavError(self._without_description())
        if not self.keys:
            raise PavError(f"the keys are missing: {_BOTH}")
        return event_of(self.description, self.keys, value)

    def _without_description(self) -> str:
        """Return what to do without a description: it depends on what else there is."""
        others = list(map(basename, (*self.deals, *self.notices, *self.pages)))
        if self.keys:
            return f"the description is missing: {_BOTH}"
        if not others:
            return "choose the files of the set, or their zip file"
        more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
        listed = ", ".join(others[:_MOST_NAMES]) + more
        return f"{listed}: here is neither a description nor keys: {_BOTH}, or their zip file"

    def with_file(self, path: str) -> SetFiles:
        """Return the files with one more."""
        name, start = path.lower(), _first_line(path)
        is_known = bool(start) or isinstance(path, TypedInput) or os.path.isfile(path)
        if is_key_line(start) or (name.endswith(".sqk") and not is_known):
            if name.endswith(".sqd"):
                raise ReadError(
                    f"{path}: these are the secret keys, under the name of a description: publish "
                    "this file only after the last session, and let its name end with .sqk"
                )
            return replace(self, keys=_only(self.keys, path, "files of keys"))
        if _ITEM.match(start) or (name.endswith(".sqd") and not is_known):
            if name.endswith(".sqk"):
                raise ReadError(
                    f"{path}: this is a description, under the name of the keys: choose the keys"
                )
            return replace(self, description=_only(self.description, path, "descriptions"))
        if name.endswith((".sqd", ".sqk")):
            what = "a description" if name.endswith(".sqd") else "a file of keys"
            shown = repr(start[:30].decode("utf-8", "replace")) if start else "no text"
            raise ReadError(f"{path}: this is not {what}: it begins with {shown}")
        if name.endswith(_NOTICE):
            return replace(self, notices=(*self.notices, path))
        if name.endswith((*_NO_DEALS, _MESSAGE)):
            return replace(self, pages=(*self.pages, path))
        return replace(self, deals=(*self.deals, path))

    def with_neighbours(self) -> SetFiles:
        """Return the files with those beside the description, unless keys or deals are given."""
        path = self.description
        if not path or self.keys or isinstance(path, TypedInput):
            return self
        with_keys = replace(self, keys=key_path(path))
        if self.deals or self.notices:
            return with_keys
        event, _ = with_keys.event()
        notice = f"{os.path.splitext(path)[0]}{_NOTICE}"
        notices = (notice,) if os.path.isfile(notice) else ()
        deals = tuple(_deals_beside(event, path))
        return replace(with_keys, deals=deals, notices=notices, is_whole=True)


def sorted_files(paths: Iterable[str]) -> SetFiles:
    """Return files by what is in them; the files of a zip file count as files.

    Raise `ReadError` for two descriptions or two files of keys that differ, and for keys that have
    the name of a description, since somebody would publish them.
    """
    files = SetFiles()
    for path in _unzipped(paths):
        files = files.with_file(path)
    return files.with_neighbours()


def _unzipped(paths: Iterable[str]) -> Iterator[str]:
    """Yield all files, and those of zip files; raise `ReadError` if they expand to too much."""
    left = _EXPANDED
    for path in paths:
        if not isinstance(path, TypedInput) and os.path.isdir(path):
            yield description_in(path)
        elif split_suffix(path)[1] != ZIP:
            yield path
        else:
            with open_input(path) as stream:
                for name, member in parts(stream, path):
                    data = member.read(left + 1)
                    left -= len(data)
                    if left < 0:
                        raise ReadError(f"{path}: it expands to more than {_EXPANDED:,} bytes")
                    yield TypedInput.of_file(basename(name), data)


def _only(before: str, path: str, what: str) -> str:
    """Return the only file of its kind; the same file twice is one."""
    if before and _bytes_of(before) != _bytes_of(path):
        raise ReadError(f"{before} and {path} are two {what}: choose the files of one set")
    return before or path


def _bytes_of(path: str) -> bytes:
    with open_input(path) as stream:
        return stream.read()


def _first_line(path: str) -> bytes:
    """Return the first line that is neither blank nor a comment; b"" of what is no plain file."""
    if not isinstance(path, TypedInput) and not os.path.isfile(path):
        return b""
    with open_input(path) as stream:
        data = stream.read(100_000)
    for line in data.removeprefix(b"\xef\xbb\xbf").splitlines():
        if line.strip() and not line.startswith(b"#"):
            return line[:_LINE].strip()
    return b""


def event_of(
    description: str, keys: str | None = None, value: str | None = None
) -> tuple[Event, bytes]:
    """Return the event of a description, and its bytes with the delayed value, if given.

    By default, the keys are beside the description.
    """
    data = _bytes_of(description)
    if value:
        data = with_value(data, value.strip(), description)
    held = keys or key_path(description)
    return Event(
        Description.parse(data, description), Keys.parse(_bytes_of(held), held), description
    ), data


def _deals_beside(event: Event, description: str) -> Iterator[str]:
    """Yield the files beside a description that have names of sessions and can be read."""
    folder = os.path.dirname(description)
    for name in sorted(os.listdir(folder or os.curdir)):
        stem, suffix = os.path.splitext(name)
        suited = format_by_suffix(name) if suffix and event.named(stem) else None
        if suited is not None and suited.is_read:
            yield os.path.join(folder, name)


_COMPUTED = """Each board that was compared is computed from the keys, so nobody changed a board or
composed one by hand."""
_PUBLISHED = "The keys are those whose fingerprint is in the description."
_KEPT = "The keys have the fingerprint that you kept."
_COMPARE = """that the fingerprint is the one that was published before the play: compare it with
your copy"""
_ONE_SET = """that the organiser made only one set: without a value from outside he could make many
and choose one"""
_UNSEEN = "that nobody saw the boards before the play"


@dataclass
class Verified(Answer):
    """What a comparison found, and what it proves."""

    event: Event
    result: Comparison
    files: SetFiles
    kept: str
    ranks: Numbering
    unread: int = 0
    """The number of problems of files that are compared."""

    @property
    def told(self) -> Sequence[Difference]:
        """All differences, for the error stream."""
        result = self.result
        return (*result.differences, *result.faults, *result.missing)

    @property
    def is_empty(self) -> bool:
        """Whether there are files without any deal."""
        return bool(self.files.deals) and self.result.agrees and not self.result.deals

    @property
    def is_other(self) -> bool:
        """Whether the keys have another hash than the one that somebody kept."""
        return bool(self.kept) and self.kept != self.event.keys.hash

    @property
    def is_fault(self) -> bool:  # type: ignore[override]
        """Whether the keys, a board or a file are not as they were made."""
        return self.is_other or self.is_empty or not self.result.agrees or self.unread > 0

    @property
    def has_delay(self) -> bool:
        """Whether the event has a delayed value."""
        return self.event.description.delayed != NO_DELAY

    @property
    def proved(self) -> Iterator[str]:
        """What the comparison proves."""
        if self.result.deals and self.result.agrees and not self.is_other:
            yield " ".join(_COMPUTED.split())
        yield _PUBLISHED
        if self.kept and not self.is_other:
            yield _KEPT

    @property
    def unproved(self) -> Iterator[str]:
        """What somebody must check without the comparison."""
        described = self.event.description
        if not self.kept:
            yield " ".join(_COMPARE.split())
        if self.has_delay:
            yield f"that the value of {described.delayed!r} is {described.value!r}: look it up"
            yield "that the fingerprint was published before anybody knew this value"
        else:
            yield from (" ".join(_ONE_SET.split()), _UNSEEN)

    def lines(self) -> Iterator[str]:
        """Yield the result in words, and a summary."""
        for text in verdict(self.event, self.result, self.kept):
            yield from wrap(text, WIDTH) or [""]
        yield ""
        yield from fact_lines(self._summary(), 10)

    def _summary(self) -> Iterator[tuple[str, str]]:
        """Yield the lines of the summary as (head, text)."""
        described = self.event.description
        known = [session for session in self.event.sessions if session.boards is not None]
        deals = sum(len(session.boards or ()) for session in known)
        yield "event", described.name
        value = "" if described.delayed == NO_DELAY else f": {described.value}"
        yield "delayed", f"{described.delayed}{value}"
        yield "keys", f"as published, SHA-256 {self.event.keys.hash}"
        yield "dealt", f"{many(deals, 'deal')} of {many(len(known), 'session')}"
        if self.files.deals:
            yield "played", _played(self.result)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison for JSON."""
        event, result = self.event, self.result
        extra = [session for session in result.sessions if session not in event.sessions]
        sessions = [session for session in (*event.sessions, *extra) if session.boards is not None]
        return {
            "event": event.description.name,
            "delayed": event.description.delayed,
            "value": event.description.value,
            "hash": event.keys.hash,
            "boards": [row for session in sessions for row in _rows(event, session, self.ranks)],
            "compared": result.deals,
            "differences": list(map(_difference, result.differences)),
            "faults": list(map(_difference, result.faults)),
            "missing": list(map(_difference, result.missing)),
            "dealt": sum(len(session.boards or ()) for session in event.sessions),
            "played": result.boards,
            "agrees": result.agrees if result.deals or result.faults else None,
            "kept": not self.is_other if self.kept else None,
            "verdict": list(verdict(event, result, self.kept)),
            "proved": list(self.proved),
            "unproved": list(self.unproved),
            "pages": list(map(basename, self.files.pages)),
        }


def _played(result: Comparison) -> str:
    """Return the number of deals that were compared, and whether they differ."""
    deals = many(result.deals, "deal")
    if not result.deals:
        return "no deals"
    if len(result.wrong) == result.boards > 1:
        return f"{deals}, none as dealt"
    wrong = len(result.differences)
    told = many(wrong, "difference") if wrong else "all as dealt"
    return f"{deals} of {many(len(result.sessions), 'session')}: {told}"


def _difference(difference: Difference) -> dict[str, object]:
    return {
        "file": difference.source,
        "line": difference.line,
        "session": difference.session,
        "board": difference.board,
        "reason": difference.reason,
    }
