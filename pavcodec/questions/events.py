"""The event that boards belong to: its name, site, date, session and title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pavcodec.boards import Board
from pavcodec.errors import PavError
from pavcodec.questions.asking import Question, QuestionError, ask


@dataclass(frozen=True)
class EventTags:
    """The tags of an event, and the title of written pages; "" without a title.

    >>> EventTags({"Event": "Club night"}).of_boards([Board(None)]).__next__().tags["Event"]
    'Club night'
    """

    tags: dict[str, str] = field(default_factory=dict)
    title: str = ""

    def of_boards(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards with these tags, which replace their own."""
        return iter(boards) if not self.tags else (board.with_tags(self.tags) for board in boards)


def line(text: str) -> str:
    """Return one line of text; raise `PavError` for another text."""
    if not (text.strip() and text.isprintable()):
        raise PavError(f"expected a line of text, not {text!r}")
    return text.strip()


def day(text: str) -> str:
    """Return a date, as in 2026-11-24; raise `PavError` if there is no such day."""
    from pavcodec.tournament.event import pbn_date

    return pbn_date(text).replace(".", "-")


@dataclass(frozen=True)
class OfEvent(Question):
    """A question about boards of an event."""

    event: str | None = ask(
        "the name of the event",
        default=None, group="event", metavar="TEXT", read=line, most=200, local=True,
    )  # fmt: skip
    site: str | None = ask(
        "the place of the event",
        default=None, group="event", metavar="TEXT", read=line, label="Club or place", most=200,
    )  # fmt: skip
    date: str | None = ask(
        "the date of the event, as in 2026-11-24",
        default=None, group="event", metavar="DATE", read=day, label="Day of the play", most=20,
    )  # fmt: skip
    session: str | None = ask(
        "the session of the event",
        default=None, group="event", metavar="TEXT", read=line, label="Name of a session", most=100,
    )  # fmt: skip
    title: str | None = ask(
        "the title of written pages; also the event, if --event is not given",
        default=None, group="event", metavar="TEXT", read=line, label="Name of the event", most=200,
    )  # fmt: skip

    @property
    def event_tags(self) -> EventTags:
        """The tags and the title; raises `QuestionError` for what is no line or no date."""
        texts = {name: self._text(name) for name in ("event", "site", "date", "session", "title")}
        values = {
            "Event": texts["event"] or texts["title"],
            "Site": texts["site"],
            "Date": texts["date"].replace("-", "."),
            "Session": texts["session"],
        }
        tags = {name: value for name, value in values.items() if value}
        return EventTags(tags, texts["title"])

    def _text(self, name: str) -> str:
        """Return the text of a field; "" if it is not given."""
        text = getattr(self, name)
        if not text:
            return ""
        try:
            return day(text) if name == "date" else line(text)
        except PavError as error:
            raise QuestionError(f"{{{name}}}: {{said}}", name, said=error) from None
