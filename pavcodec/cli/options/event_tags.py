"""The options of the event that boards belong to: its name, site, date, session and title."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pavcodec.boards import Board
from pavcodec.cli.parsers import option_group


@dataclass(frozen=True)
class EventTags:
    """The tags of the options, and the title of written pages; "" without a title.

    >>> EventTags({"Event": "Club night"}).of_boards([Board(None)]).__next__().tags["Event"]
    'Club night'
    """

    tags: dict[str, str] = field(default_factory=dict)
    title: str = ""

    def of_boards(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards with the tags of the options; these replace tags of the boards."""
        return iter(boards) if not self.tags else (board.with_tags(self.tags) for board in boards)


def add_event_tags(parser: argparse.ArgumentParser) -> None:
    """Add the options of the event."""
    group = option_group(parser, "event")
    group.add_argument("--event", type=_line, metavar="TEXT", help="the name of the event")
    group.add_argument("--site", type=_line, metavar="TEXT", help="the place of the event")
    group.add_argument(
        "--date", type=_date, metavar="DATE", help="the date of the event, as in 2026-11-24"
    )
    group.add_argument("--session", type=_line, metavar="TEXT", help="the session of the event")
    group.add_argument(
        "--title",
        type=_line,
        metavar="TEXT",
        help="the title of written pages; also the event, if --event is not given",
    )


def event_tags(args: argparse.Namespace) -> EventTags:
    """Return the tags and the title of the options."""
    values = {
        "Event": args.event or args.title,
        "Site": args.site,
        "Date": args.date,
        "Session": args.session,
    }
    tags = {name: value for name, value in values.items() if value is not None}
    return EventTags(tags, args.title or "")


def _line(text: str) -> str:
    """Return a line of text, for argparse."""
    if not (text.strip() and text.isprintable()):
        raise argparse.ArgumentTypeError(f"expected a line of text, not {text!r}")
    return text.strip()


def _date(text: str) -> str:
    """Return a date in the form of PBN, as in 2026.11.24."""
    from pavcodec.tournament.event import pbn_date

    return pbn_date(text)
