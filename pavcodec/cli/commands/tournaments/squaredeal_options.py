"""Options and rows that the actions of `pavcodec squaredeal` share."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice

from pavcodec.boards import Board
from pavcodec.boards.rows import board_row
from pavcodec.cli.output.streams import add_as
from pavcodec.cli.parsers import option_group
from pavcodec.numberings import Numbering, numbering_names
from pavcodec.tournament import Event, Session

__all__ = ["add_event", "add_numbering", "rows"]


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
