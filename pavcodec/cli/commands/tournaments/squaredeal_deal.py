"""`pavcodec squaredeal deal`: the deals of the sessions of an event."""

from __future__ import annotations

import argparse
import json
import os
import re
from itertools import chain

from pavcodec.boards import Context
from pavcodec.cli.commands.tournaments.squaredeal_options import add_event, add_numbering, rows
from pavcodec.cli.options.event_tags import add_event_tags, event_tags
from pavcodec.cli.options.sessions import refuse_together
from pavcodec.cli.output.streams import (
    add_common,
    add_target,
    complain,
    open_binary_output,
    refuse_screen,
)
from pavcodec.cli.output.targets import UsageError, refuse_existing, refuse_same_file, target_of
from pavcodec.cli.parsers import option_group
from pavcodec.files.opening import open_output
from pavcodec.formats import format_of
from pavcodec.numberings import numbering
from pavcodec.tournament import Event, Session, open_event
from pavcodec.tournament.event import MOST
from pavcodec.tournament.notice import session_boards, session_file

TEXTS = (
    """\
  pavcodec squaredeal deal club.sqd --folder deals
  pavcodec squaredeal deal club.sqd C2 -o second.pbn
  pavcodec squaredeal deal club.sqd C2 --reserve --to pbn""",
    """\
SESSION is the name of its file (OPRR01), a range of names (OPRR01-02), or phase and number as in
the key file (1,2). The reserve set of a session is a second set, in case something goes wrong with
the first one. PBN boards have the tags Event, Stage and Session. --event, --date, --site and
--session replace these tags or add others; verify finds the session of a board with another tag
Session by the name of its file or by its deal.""",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `deal`."""
    add_event(parser)
    parser.add_argument("names", nargs="*", metavar="SESSION", help="the sessions (default: all)")
    group = option_group(parser, "event")
    group.add_argument("--reserve", action="store_true", help="deal the reserve sets")
    group.add_argument(
        "--boards", type=_count, metavar="N", help="the number of boards, if the description says ?"
    )
    add_event_tags(parser)
    add_numbering(parser)
    option_group(parser, "output").add_argument(
        "--folder", metavar="FOLDER", help="write a file for each session here (pbn without --to)"
    )
    add_target(parser)
    add_common(parser)


def _count(text: str) -> int:
    """Return the number of boards of an argument, for argparse."""
    if not re.fullmatch("[0-9]{1,4}", text) or not int(text):
        raise argparse.ArgumentTypeError(f"expected a number of boards, 1 to {MOST}, not {text!r}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Deal the sessions."""
    refuse_together(
        (
            ("--folder", args.folder, "-o", args.output != "-"),
            ("--folder", args.folder, "--json", args.json),
            ("--json", args.json, "--to", args.to_format),
        )
    )
    ranks = numbering(args.numbering)
    tags = event_tags(args)
    event = open_event(args.description, args.keys)
    sessions = _chosen(event, args)
    if not sessions:
        raise UsageError("no phase has a fixed number of sessions: name the sessions to deal")
    refuse_same_file([args.description, event.keys.source], args.output)
    for session in sessions:
        event.seed(session)  # raises an error for a missing value, before any file is written
    context = Context("squaredeal", numbering=ranks, note=complain, title=tags.title)
    made = {
        session: tags.of_boards(session_boards(event, session, args.boards)) for session in sessions
    }
    if args.folder:
        target = format_of(args.to_format or "pbn")
        paths = {
            session: os.path.join(args.folder, session_file(session, target))
            for session in sessions
        }
        refuse_existing(paths.values(), force=args.force)
        for session, boards in made.items():
            with open_output(paths[session]) as out:
                target.write(boards, out, context)
        return 0
    if args.json:
        board_rows = [
            row for session in sessions for row in rows(event, session, ranks, args.boards)
        ]
        with open_binary_output(args.output) as out:
            out.write(f"{json.dumps({'boards': board_rows}, indent=2)}\n".encode())
        return 0
    target = target_of(args.to_format, args.output)
    refuse_screen(target, args.output)
    with open_binary_output(args.output) as out:
        target.write(chain.from_iterable(made.values()), out, context)
    return 0


def _chosen(event: Event, args: argparse.Namespace) -> list[Session]:
    """Return the named sessions, or all; with --reserve, their reserve sets."""
    named = [
        session for text in args.names for session in event.named(text) or [event.session(text)]
    ]
    sessions = named or list(event.sessions)
    if args.reserve:
        sessions = [event.reserve_of(session) for session in sessions]
    unknown = next((session.name for session in sessions if session.boards is None), None)
    if unknown is not None and args.boards is None:
        raise UsageError(f"the description does not say how many boards {unknown} has: --boards N")
    return sessions
