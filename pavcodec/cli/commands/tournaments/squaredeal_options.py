"""Options and rows that the actions of `pavcodec squaredeal` share."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from itertools import islice
from shlex import quote

from pavcodec.boards import Board
from pavcodec.boards.board import board_row
from pavcodec.chances.figures import many
from pavcodec.cli.output.streams import add_as
from pavcodec.cli.parsers import option_group
from pavcodec.numberings import Numbering, numbering_names
from pavcodec.tournament import Event, Session
from pavcodec.tournament.event import value_warnings


def add_event(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the files of an event."""
    parser.add_argument("description", metavar="EVENT.sqd", help="the description of the event")
    option_group(parser, "event").add_argument(
        "--keys", metavar="FILE", help="the key file (default: EVENT.sqk beside EVENT.sqd)"
    )


def add_numbering(parser: argparse.ArgumentParser) -> None:
    """Add the option of the numbering."""
    add_as(option_group(parser, "numbering"), "the numbering of numbers", numbering_names())


def rows(
    event: Event, session: Session, ranks: Numbering, many: int | None
) -> Iterator[dict[str, object]]:
    """Yield the boards of a session as JSON objects."""
    deals = event.deals(session)
    for number, deal in deals if session.boards is not None else islice(deals, many):
        row = board_row(Board.make(deal, number=number), "board number deal", ranks)
        yield {"session": str(session), "name": session.name} | row


# Advice of `pavcodec squaredeal club`, at each point where an organiser could make a mistake.


ADVICE_OF_ONE_STEP = (
    """This set proves, if you publish the hash before the play: the deals were fixed then, nobody
    changed one later, and nobody composed one by hand.""",
    """It does not prove that you made only one set: you could make many and publish the one that
    you like. A set with --delayed proves that too.""",
    "Copy the keys to a second safe place. Publish them only after the last session.",
)

_SOON = 3600
"""The age of keys in seconds below which a value that is known already gives a warning."""


def advice_before(event: Event) -> Iterator[str]:
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


def advice_after(event: Event) -> tuple[str, ...]:
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
