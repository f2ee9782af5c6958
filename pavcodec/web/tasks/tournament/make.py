"""Make a set: draw its keys, and write the description and the notice for the players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from pydantic import Field, field_validator

from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.tournament import Event, Phase
from pavcodec.tournament.club import (
    NO_DELAY,
    NO_VALUE,
    checked_phase,
    file_stem,
    pbn_date,
    remarks_of,
)
from pavcodec.tournament.dealing import deal_files
from pavcodec.tournament.files import draw_event
from pavcodec.tournament.notice import announcement, notice_of
from pavcodec.tournament.pages import notice_pages
from pavcodec.web.tasks.limits import TEXT
from pavcodec.web.tasks.shell import option
from pavcodec.web.tasks.task import Answer, Question, Task
from pavcodec.web.tasks.tournament.views import (
    SessionView,
    TournamentFile,
    file_view,
    session_views,
)

__all__ = ["MAKE", "MakeAnswer", "MakeQuestion", "make"]

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
        phases = [checked_phase(stem, question.boards, question.sessions, question.session)]
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
    found = [(year, month, day) for year, month, day in _ISO.findall(text)]
    found += [
        (year, months.index(name.lower()) + 1, day) for day, name, year in _WORDS.findall(text)
    ]
    for parts in found:
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
    phases = ", ".join(f"Phase.parse({str(one)!r})" for one in event.description.phases)
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
