"""`pavcodec squaredeal`: deals of a tournament that anybody can verify afterwards."""

from __future__ import annotations

import argparse
import json
import os
import sys
from textwrap import wrap
from typing import Any

from pavcodec.cli.asking import (
    Actions,
    BoardsCommand,
    QuestionCommand,
    add_fields,
    question_of,
)
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import describe, option_group
from pavcodec.files.opening import open_output
from pavcodec.formats import format_of
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.outputs import Out, Output, refuse_existing, refuse_same_file
from pavcodec.questions.tables import WIDTH
from pavcodec.questions.tournament import Club, Create, DealEvent, Value, Verify
from pavcodec.tournament.notice import session_file

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


class _Writing(QuestionCommand):
    """An action whose answer is files; it prints what to do with them, and then advice."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the arguments of the action."""
        describe(parser, self.question.examples.rstrip("\n"), self.question.details)
        add_fields(parser, self.question)

    def run(self, args: argparse.Namespace) -> int:
        """Ask, write the files and print their names."""
        answer: Any = question_of(args, self.question).answer()
        self.write(args, answer)
        if getattr(args, "json", False):
            print(json.dumps(answer.to_dict(), indent=self.question.indent))
            return 0
        for line in answer.lines():
            print(line)
        sys.stdout.flush()
        for text in getattr(answer, "advice", ()):
            for line in wrap(
                " ".join(text.split()), WIDTH, break_on_hyphens=False, break_long_words=False
            ):
                complain(line)
        return 0

    def write(self, args: argparse.Namespace, answer: Any) -> None:  # noqa: ARG002 (of a club)
        """Write the files."""
        answer.write()


class _Club(_Writing):
    """The action `club`, which may replace files of deals."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the arguments of the action."""
        super().add_arguments(parser)
        add_fields(parser, Output, "force")
        option_group(parser, "output").add_argument(
            "--json", action="store_true", help="print JSON for other programs"
        )

    def write(self, args: argparse.Namespace, answer: Any) -> None:
        """Write the files, and replace those that the user allows."""
        refuse_existing(answer.replaced(), force=args.force)
        answer.write(force=True)


class _Deal(BoardsCommand):
    """The action `deal`, which may write a file for each session."""

    def run(self, args: argparse.Namespace) -> int:
        """Ask, and write the boards."""
        if args.folder and args.output != "-":
            raise QuestionError("--folder and -o do not go together")
        if args.folder and args.json:
            raise QuestionError("--folder and --json do not go together")
        if not args.folder:
            return super().run(args)
        answer: Any = question_of(args, self.question).answer()
        target = format_of(args.to or "pbn")
        paths = {
            session: os.path.join(args.folder, session_file(session, target))
            for session in answer.sessions
        }
        refuse_existing(paths.values(), force=args.force)
        for session, path in paths.items():
            with open_output(path) as out:
                target.write(answer.boards_of(session), out, answer.context)
        return 0

    def check(self, args: argparse.Namespace, answer: Any) -> None:
        """Refuse to write to the files of the event."""
        refuse_same_file([answer.event.source, answer.event.keys.source], args.output)


class _Verify(QuestionCommand):
    """The action `verify`, which prints each difference on the error stream."""

    def run(self, args: argparse.Namespace) -> int:
        """Make all deals again, and compare them with the played deals."""
        refuse_same_file([path for path in args.files if path != "-"], args.output)
        return super().run(args)

    def show(self, args: argparse.Namespace, answer: Any, output: Out) -> None:
        """Print what differs, and the result."""
        for difference in answer.told:
            complain(str(difference))
        super().show(args, answer, output)


COMMAND = Actions(
    _EXAMPLES,
    _DETAILS,
    club=_Club(Club),
    create=_Writing(Create),
    value=_Writing(Value),
    deal=_Deal(DealEvent),
    verify=_Verify(Verify),
)
