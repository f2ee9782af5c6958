"""`pavcodec squaredeal`: deals of a tournament that anybody can verify afterwards."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from pavcodec.cli.commands.tournaments import (
    squaredeal_club,
    squaredeal_create,
    squaredeal_deal,
    squaredeal_verify,
)
from pavcodec.cli.parsers import Parser, describe

_EXAMPLES = """\
  pavcodec squaredeal club --boards 24 --title Tuesday --delayed 'DJI of 23 Nov'
  pavcodec squaredeal club --title Tuesday --value 40829.12 --to dlm
  pavcodec squaredeal verify tuesday

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

'club' makes a set of boards for a club, with a notice for the players: one command before the hash
is published, and one command when the delayed value is known. For a tournament of several phases,
'create' makes the description and the keys, 'value' adds the delayed value to the description, and
'deal' deals the sessions. 'verify' makes all deals again and compares them with the played deals.
The files are those of Big Deal's own SquareDeal. 'club', 'deal' and 'verify' print JSON with
--json. 'pavcodec help squaredeal create' prints the help page of 'create'."""


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


_Action = tuple[
    str,
    tuple[str, str],
    Callable[[argparse.ArgumentParser], None],
    Callable[[argparse.Namespace], int],
]
_ACTIONS: dict[str, _Action] = {
    "club": (
        "make a set of boards for a club, and a notice that proves it",
        squaredeal_club.TEXTS,
        squaredeal_club.add_options,
        squaredeal_club.run,
    ),
    "create": (
        "make the description and the keys",
        squaredeal_create.CREATE_TEXTS,
        squaredeal_create.add_create_options,
        squaredeal_create.run_create,
    ),
    "value": (
        "add the delayed value to the description",
        squaredeal_create.VALUE_TEXTS,
        squaredeal_create.add_value_options,
        squaredeal_create.run_value,
    ),
    "deal": (
        "deal the sessions of an event",
        squaredeal_deal.TEXTS,
        squaredeal_deal.add_options,
        squaredeal_deal.run,
    ),
    "verify": (
        "deal an event again, and compare it with the played deals",
        squaredeal_verify.TEXTS,
        squaredeal_verify.add_options,
        squaredeal_verify.run,
    ),
}
