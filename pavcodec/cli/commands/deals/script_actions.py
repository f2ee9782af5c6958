"""The actions of a script on the command line: run on deals, or answered exactly by counting."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, TextIO

from pavcodec.chances.figures import many
from pavcodec.chances.plans import is_tested, kind_of
from pavcodec.cli.commands.deals.deal_session import watched
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.deals import Request
from pavcodec.questions.outputs import open_text_output, refuse_same_file
from pavcodec.questions.shares import counted_space
from pavcodec.questions.sources import DealSource

if TYPE_CHECKING:
    from pavcodec.boards import Vulnerability
    from pavcodec.cards import Seat
    from pavcodec.chances.questions import Space
    from pavcodec.constraints import WeightedDeals
    from pavcodec.constraints.evaluation import Drawn, Evaluation
    from pavcodec.constraints.language.actions import Action
    from pavcodec.constraints.language.script import Script
    from pavcodec.questions.odds import Asked, EventAnswer, NumberAnswer


def add_actions(parser: argparse.ArgumentParser) -> None:
    """Add the options about what the actions of a script do."""
    group = option_group(parser, "actions of a script")
    group.add_argument(
        "--exact",
        action="store_true",
        help="compute the script's averages and tables exactly, without dealing",
    )
    group.add_argument("--csv", metavar="FILE", help="the file for csvrpt (default: the output)")
    group.add_argument("--export", metavar="FILE", help="the file for export (default: the output)")


def check_actions(args: argparse.Namespace) -> None:
    """Refuse options that need a script, and files with the same name."""
    if args.exact and args.script is None:
        raise QuestionError("--exact answers the actions of a script: give one with -f")
    for option in ("csv", "export"):
        path = getattr(args, option)
        if path is not None and args.script is None:
            raise QuestionError(f"--{option} is for a script: give one with -f")
        if path is not None and path == args.output:
            raise QuestionError(f"--{option} and -o name the same file")
        if path is not None:
            refuse_same_file([args.script], path)


def run_script(  # noqa: PLR0913 (keywords)
    args: argparse.Namespace,
    script: Script,
    source: DealSource,
    *,
    dealer: Seat | None,
    vulnerable: Vulnerability | None,
    event: str,
    date: str,
) -> None:
    """Run the actions of a script."""
    from pavcodec.constraints.scripts.report import run_actions

    with ExitStack() as stack:

        def opened(path: str | None) -> TextIO | None:
            return None if path is None else stack.enter_context(open_text_output(path))

        out = stack.enter_context(open_text_output(args.output, or_boards=True))
        run_actions(
            script.actions,
            watched(source, source.drawn(), args.output, _deals_in),
            out,
            rows=opened(args.csv),
            exported=opened(args.export),
            dealer=dealer,
            vulnerable=vulnerable,
            first_number=args.start + 1,
            event=event,
            date=date,
        )


def _deals_in(drawn: Evaluation | Drawn) -> int:
    """Return the number of deals that are drawn together."""
    from pavcodec.constraints.evaluation import Drawn

    return len(drawn) if isinstance(drawn, Drawn) else 1


def answer_exactly(args: argparse.Namespace, request: Request) -> int:
    """Print the exact averages and tables of a script; nothing is dealt."""
    assert request.script is not None
    actions = request.script.actions
    if not actions:
        raise PavError("--exact answers average and frequency, and the script has no action")
    questions = list(map(_question, actions))
    space = counted_space(args, request)
    if is_tested(space):
        from pavcodec.constraints.nodes.format import show

        raise PavError(
            f"--exact counts, and {show(space.tested.node)} cannot be counted: {space.reasons[0]}"
        )
    answers = [_counted(each, space, args.memory) for each in questions]
    with open_text_output(args.output) as out:
        if args.json:
            out.write(f"{json.dumps([each.to_dict() for each in answers])}\n")
        else:
            complain(f"exact: all {many(space.cardinality, kind_of(space))} were counted")
            out.writelines(f"{line}\n" for each in answers for line in each.lines())
    return 0


def _question(action: Action) -> Asked:
    from pavcodec.constraints.language.actions import Average, Frequency, word_of
    from pavcodec.questions.odds import asked_by_action

    if not isinstance(action, Average | Frequency):
        reason = f"{word_of(action)} needs deals"
        raise PavError(f"--exact answers average, frequency and bktfreq; {reason}: leave it out")
    return asked_by_action(action)


def _counted(
    asked: Asked, space: Space | WeightedDeals, memory: int | None
) -> EventAnswer | NumberAnswer:
    from pavcodec.constraints.counting.diagrams.compile import NotCountableError

    try:
        with waiting("counting"):
            return asked.of(space, **({} if memory is None else {"memory": memory}))
    except NotCountableError as error:
        reason = str(error).partition(": ask for")[0]
        raise PavError(f"--exact counts, and {asked.title} cannot be counted: {reason}") from None
