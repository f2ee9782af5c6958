"""`pavcodec squaredeal create` and `value`: the two files of an event, and the delayed value."""

from __future__ import annotations

import argparse

from pavcodec.chances.figures import many
from pavcodec.cli.commands.tournaments.squaredeal_options import add_event
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.files.opening import open_output
from pavcodec.tournament import Phase, create_event, with_value

CREATE_TEXTS = (
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

VALUE_TEXTS = (
    "  pavcodec squaredeal value club.sqd 40829.12",
    """\
value keeps the text as you write it; everybody who makes the deals again needs the same text. It
never replaces an existing value by another one.""",
)


def add_create_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `create`."""
    add_event(parser)
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


def run_create(args: argparse.Namespace) -> int:
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


def add_value_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `value`."""
    parser.add_argument("description", metavar="EVENT.sqd", help="the description of the event")
    parser.add_argument("value", metavar="VALUE", help="the delayed value, exactly as published")


def run_value(args: argparse.Namespace) -> int:
    """Write the delayed value to the description."""
    with open(args.description, "rb") as stream:
        data = stream.read()
    changed = with_value(data, args.value, args.description)
    with open_output(args.description) as out:
        out.write(changed)
    return 0
