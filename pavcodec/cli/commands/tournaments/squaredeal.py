"""`pavcodec squaredeal`: deals of a tournament that anybody can verify afterwards."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from pavcodec._version import __version__
from pavcodec.boards import Board, Context
from pavcodec.boards.rows import board_row
from pavcodec.cli.options.sessions import refuse_together
from pavcodec.cli.output.figures import many
from pavcodec.cli.output.streams import (
    Problems,
    UsageError,
    add_as,
    add_common,
    add_reading,
    add_target,
    boards_of,
    complain,
    named_format,
    open_binary_output,
    refuse_same_file,
    refuse_screen,
    target_of,
)
from pavcodec.cli.output.targets import refuse_existing
from pavcodec.cli.parsers import Parser, describe, option_group
from pavcodec.errors import PavError
from pavcodec.files.output import open_output
from pavcodec.formats import format_of
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.tournament import (
    Comparison,
    Difference,
    Event,
    Phase,
    Session,
    compare,
    create_event,
    open_event,
    with_value,
)
from pavcodec.tournament.description import MOST

__all__ = ["add_arguments", "run"]

_EXAMPLES = """\
  pavcodec squaredeal create club.sqd --name Cup --delayed DJI --phase 1:16:C1:C
  pavcodec squaredeal value club.sqd 40829.12
  pavcodec squaredeal deal club.sqd --folder .
  pavcodec squaredeal verify club.sqd club.sqk C1.pbn C2.pbn"""

_DETAILS = """\
SquareDeal makes the deals of a tournament from keys, delayed information and Big Deal. The
organiser keeps the keys, and publishes their hash before the tournament. Nobody knows the delayed
information in advance, such as the index of a stock exchange on a later day. After the tournament
the organiser publishes the keys, and anybody can make the deals again. So neither players nor
organiser can choose the deals.

'create' makes the description and the keys, 'value' adds the delayed value to the description,
'deal' deals the sessions, and 'verify' makes all deals again and compares them with the played
deals. The files are those of Big Deal's own SquareDeal. 'verify' and 'deal' print JSON with --json.
'pavcodec help squaredeal create' prints the help page of 'create'."""

_CREATE = (
    """\
  pavcodec squaredeal create club.sqd --name Cup --delayed DJI --phase 1:16:C1:C
  pavcodec squaredeal create club.sqd --name 'Club' --delayed 'DJI, close of 3 May' \\
    --phase '2:1-16,17-32:C#:Round #'
  pavcodec squaredeal create cup.sqd --name Cup --delayed 'Lottery of 3 May' \\
    --phase '12:3x10:SWISS##:Swiss #/12' --phase '1:24:FINAL:Final'""",
    """\
A phase is sessions:boards:files:title. The boards are a number, or a list that the sessions use in
turn, such as 1-16,17-32; 3x7 is short for 1-7,8-14,15-21; ? means that the number is not known yet.
# in the names of the files and in the title becomes the number of the session. 0 sessions means as
many as you need.

Publish the description; its line KH is the hash of the keys. Keep the keys secret until the last
session is over. create does not replace existing files.""",
)

_VALUE = (
    "  pavcodec squaredeal value club.sqd 40829.12",
    """\
value keeps the text as you write it; everybody who makes the deals again needs the same text. It
never replaces an existing value by another one.""",
)

_DEAL = (
    """\
  pavcodec squaredeal deal club.sqd --folder deals
  pavcodec squaredeal deal club.sqd C2 -o second.pbn
  pavcodec squaredeal deal club.sqd C2 --reserve --to pbn""",
    """\
SESSION is the name of its file (OPRR01), a range of names (OPRR01-02), or phase and number as in
the key file (1,2). The reserve set of a session is a second set, in case something goes wrong with
the first one. PBN boards have the tags Event, Stage and Session.""",
)

_VERIFY = (
    """\
  pavcodec squaredeal verify club.sqd club.sqk
  pavcodec squaredeal verify club.sqd club.sqk C1.pbn C2.pbn
  pavcodec squaredeal verify --json club.sqd club.sqk C1.pbn""",
    """\
The hash of the keys must be that of the description, and there must be a key for each session. A
board of a file belongs to the session of its tag Session; else to the session of the file's name,
such as OPRR01.pbn or OPRR01-02.pbn; else to the session of the board before it, or to the session
that has its deal. verify prints each difference as a line on the error stream; a file of many deals
that are all wrong is one difference. verify reports boards that no file has, but they are no
difference.

--json prints an object with "boards", each with "session" (phase and number), "name", "board",
"number" and "deal", and with "differences".""",
)


def add_arguments(parser: Parser) -> None:
    """Add the actions of the command and their arguments."""
    describe(parser, _EXAMPLES, _DETAILS)
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, title="actions", prog=parser.prog
    )
    for name, (summary, texts, add_options, _) in _ACTIONS.items():
        sentence = f"{summary[0].upper()}{summary[1:]}."
        action = actions.add_parser(name, help=summary, description=sentence)
        describe(action, *texts)
        add_options(action)
        action.add_help_option()


def run(args: argparse.Namespace) -> int:
    """Run the chosen action."""
    return _ACTIONS[args.action][3](args)


def _add_event(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the files of an event."""
    parser.add_argument("description", metavar="EVENT.sqd", help="the description of the event")
    option_group(parser, "event").add_argument(
        "--keys", metavar="FILE", help="the key file (default: EVENT.sqk beside EVENT.sqd)"
    )


def _add_numbering(parser: argparse.ArgumentParser) -> None:
    add_as(option_group(parser, "numbering"), "the numbering of numbers", numbering_names())


def _options_of_create(parser: argparse.ArgumentParser) -> None:
    _add_event(parser)
    group = option_group(parser, "event")
    group.add_argument(
        "--name", required=True, metavar="TEXT", help="the name of the tournament (required)"
    )
    group.add_argument(
        "--delayed",
        required=True,
        metavar="TEXT",
        help="the delayed information, in unambiguous words (required)",
    )
    group.add_argument(
        "--phase",
        dest="phases",
        required=True,
        action="append",
        metavar="PHASE",
        help="sessions:boards:files:title; once for each phase (required)",
    )


def _create(args: argparse.Namespace) -> int:
    """Make the two files of an event."""
    try:
        phases = [Phase.parse(text) for text in args.phases]
    except PavError as error:
        raise UsageError(f"--phase: {error}") from None
    event = create_event(
        args.description, args.keys, name=args.name, delayed=args.delayed, phases=phases
    )
    print(f"publish  {event.source}: the description, with KH {event.keys.hash}")
    print(f"keep     {event.keys.source}: {many(len(event.keys.table), 'key')}")
    return 0


def _options_of_value(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("description", metavar="EVENT.sqd", help="the description of the event")
    parser.add_argument("value", metavar="VALUE", help="the delayed value, exactly as published")


def _value(args: argparse.Namespace) -> int:
    """Write the delayed value to the description."""
    with open(args.description, "rb") as stream:
        data = stream.read()
    changed = with_value(data, args.value, args.description)
    with open_output(args.description) as out:
        out.write(changed)
    return 0


def _options_of_deal(parser: argparse.ArgumentParser) -> None:
    _add_event(parser)
    parser.add_argument("names", nargs="*", metavar="SESSION", help="the sessions (default: all)")
    group = option_group(parser, "event")
    group.add_argument("--reserve", action="store_true", help="deal the reserve sets")
    group.add_argument(
        "--boards", type=_count, metavar="N", help="the number of boards, if the description says ?"
    )
    _add_numbering(parser)
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


def _deal(args: argparse.Namespace) -> int:
    """Deal the sessions."""
    refuse_together(
        (
            ("--folder", args.folder, "-o", args.output != "-"),
            ("--folder", args.folder, "--json", args.json),
            ("--json", args.json, "--to", args.to_format),
        )
    )
    ranks = numbering(args.numbering)
    event = open_event(args.description, args.keys)
    sessions = _chosen(event, args)
    if not sessions:
        raise UsageError("no phase has a fixed number of sessions: name the sessions to deal")
    refuse_same_file([args.description, event.keys.source], args.output)
    for session in sessions:
        event.seed(session)  # raises an error for a missing value, before any file is written
    context = Context("squaredeal", numbering=ranks, note=complain)
    if args.folder:
        target = format_of(args.to_format or "pbn")
        suffix = target.suffixes[0] if target.suffixes else ".txt"
        paths = [os.path.join(args.folder, f"{session.name}{suffix}") for session in sessions]
        refuse_existing(paths, force=args.force)
        for session, path in zip(sessions, paths, strict=True):
            with open_output(path) as out:
                target.write(_boards(event, session, args.boards), out, context)
        return 0
    if not args.json:
        target = target_of(args.to_format, args.output)
        refuse_screen(target, args.output)
    with open_binary_output(args.output) as out:
        if args.json:
            rows = [row for one in sessions for row in _rows(event, one, ranks, args.boards)]
            out.write(f"{json.dumps({'boards': rows}, indent=2)}\n".encode())
        else:
            boards = (_boards(event, session, args.boards) for session in sessions)
            target.write(chain.from_iterable(boards), out, context)
    return 0


def _chosen(event: Event, args: argparse.Namespace) -> list[Session]:
    """Return the named sessions, or all; with --reserve, their reserve sets."""
    named = [one for text in args.names for one in event.named(text) or [event.session(text)]]
    found = named or list(event.sessions)
    if args.reserve:
        found = [event.reserve_of(session) for session in found]
    unknown = next((one.name for one in found if one.boards is None), None)
    if unknown is not None and args.boards is None:
        raise UsageError(f"the description does not say how many boards {unknown} has: --boards N")
    return found


def _boards(event: Event, session: Session, many: int | None) -> Iterator[Board]:
    """Yield the boards of a session; the first `many` if the description has no number."""
    generator = f"pavcodec {__version__} squaredeal"
    boards = event.boards(session, [("Generator", generator)])
    return boards if session.boards is not None else islice(boards, many)


def _options_of_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("description", metavar="EVENT.sqd", help="the description of the event")
    parser.add_argument("keys", metavar="EVENT.sqk", help="the keys of the event")
    parser.add_argument("files", nargs="*", metavar="DEALS", help="files with the deals played")
    _add_numbering(parser)
    add_reading(parser)
    add_common(parser)


def _verify(args: argparse.Namespace) -> int:
    """Make all deals again, and compare them with the played deals."""
    ranks = numbering(args.numbering)
    problems = Problems(strict=args.strict)
    event = open_event(args.description, args.keys)
    played: Iterable[tuple[str, Board]] = ()
    if args.files:
        played = boards_of(
            args.files,
            problems,
            format_name=named_format(args),
            ranks=ranks,
            output=args.output,
        )
    refuse_same_file([args.description, args.keys, *args.files], args.output)
    result = compare(event, played)
    for one in (*result.differences, *result.missing):
        complain(str(one))
    with open_binary_output(args.output) as out:
        if args.json:
            out.write(f"{json.dumps(_object(event, result, ranks), indent=2)}\n".encode())
        else:
            lines = "".join(f"{head:<10}{text}\n" for head, text in _summary(event, result, args))
            out.write(lines.encode("utf-8", "replace"))
    return 1 if result.differences else problems.exit_code


def _summary(
    event: Event, result: Comparison, args: argparse.Namespace
) -> Iterator[tuple[str, str]]:
    """Yield the lines of the summary as (head, text)."""
    described = event.description
    known = [session for session in event.sessions if session.boards is not None]
    deals = sum(len(session.boards or ()) for session in known)
    yield "event", described.name
    yield "delayed", f"{described.delayed}: {described.value}"
    yield "keys", f"as published, SHA-256 {event.keys.hash}"
    yield "dealt", f"{many(deals, 'deal')} of {many(len(known), 'session')}"
    if args.files:
        wrong = len(result.differences)
        verdict = f"{many(wrong, 'difference')}" if wrong else "all as dealt"
        sessions = many(len(result.sessions), "session")
        yield "played", f"{many(result.deals, 'deal')} of {sessions}: {verdict}"


def _object(event: Event, result: Comparison, ranks: Numbering) -> dict[str, object]:
    """Return the result as a JSON object."""
    extra = [session for session in result.sessions if session not in event.sessions]
    sessions = [one for one in (*event.sessions, *extra) if one.boards is not None]
    return {
        "event": event.description.name,
        "delayed": event.description.delayed,
        "value": event.description.value,
        "hash": event.keys.hash,
        "boards": [row for session in sessions for row in _rows(event, session, ranks, None)],
        "compared": result.deals,
        "differences": [_difference(one) for one in result.differences],
        "missing": [_difference(one) for one in result.missing],
    }


def _difference(one: Difference) -> dict[str, object]:
    return {
        "file": one.source,
        "line": one.line,
        "session": one.session,
        "board": one.board,
        "reason": one.reason,
    }


def _rows(
    event: Event, session: Session, ranks: Numbering, many: int | None
) -> Iterator[dict[str, object]]:
    """Yield the boards of a session as JSON objects."""
    deals = event.deals(session)
    for number, deal in deals if session.boards is not None else islice(deals, many):
        row = board_row(Board.make(deal, number=number), "board number deal", ranks)
        yield {"session": str(session), "name": session.name} | row


_Action = tuple[
    str,
    tuple[str, str],
    Callable[[argparse.ArgumentParser], None],
    Callable[[argparse.Namespace], int],
]
_ACTIONS: dict[str, _Action] = {
    "create": ("make the description and the keys", _CREATE, _options_of_create, _create),
    "value": ("add the delayed value to the description", _VALUE, _options_of_value, _value),
    "deal": ("deal the sessions of an event", _DEAL, _options_of_deal, _deal),
    "verify": (
        "deal an event again, and compare it with the played deals",
        _VERIFY,
        _options_of_verify,
        _verify,
    ),
}
