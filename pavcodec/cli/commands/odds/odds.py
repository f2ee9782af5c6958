"""`pavcodec odds`: how likely an event is, or how a number is distributed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pavcodec.cli.commands.odds.odds_output import Answer, EventAnswer, NumberAnswer
from pavcodec.cli.options.conditions import (
    Request,
    add_cards,
    add_legal,
    add_memory,
    add_predeal,
    add_script,
    condition_of_text,
    read_request,
    whole,
)
from pavcodec.cli.options.known import add_known
from pavcodec.cli.options.sessions import add_seed, given_seed
from pavcodec.cli.options.shares.weights import add_weights_of_deals, counted_space
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import (
    UsageError,
    add_common,
    complain,
    open_binary_output,
    open_text_output,
)
from pavcodec.cli.parsers import describe, option_group

if TYPE_CHECKING:
    from pavcodec.constraints import WeightedDeals
    from pavcodec.constraints.language.actions import Action, Counted
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.odds.questions import Space

__all__ = ["add_arguments", "question_of_action", "run"]

_SIMULATED = 10_000
_PLOTS = ("png", "svg", "pdf")

_EXAMPLES = """\
  pavcodec odds 'spades(east) == 2' --given 'spades(north) + spades(south) == 9'
  pavcodec odds 'hcp(north)' --given 'hcp(south) >= 20'
  pavcodec odds 'spades(east)' --hand 'S AKQ2.K85.AJ4.T63' --played 'E S93'
  pavcodec odds 'hcp(north)' --weights 'N: hcp {11: 1, 12-15: 3}'
  pavcodec odds 'losers(south)' --plot losers.svg"""

_DETAILS = """\
For an event, such as 'hcp(south) >= 20', odds prints the probability; for a number, such as
'hcp(south)', the probability of each value; for two numbers, that of each pair of values. The
answers are exact, because odds counts deals and does not simulate. It rounds percentages, but not
fractions; with --json all shares are fractions.

With --weights, deals count by their weights, as 'deal --weight-of' draws them: the chance of a deal
is proportional to the product of its weights. See 'pavcodec deal --help' for the form of a weight.

With -f, the script's condition is the given condition. Without a question, odds answers the
script's actions 'average' and 'frequency', also exactly.

Questions and conditions that use rnd or tricks cannot be counted: odds estimates them from 10,000
random deals, as --simulate does for any question. It marks estimates as such and prints a 95 %
confidence interval."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "questions", nargs="*", metavar="QUESTION", help="an event, a number, or two numbers"
    )
    option_group(parser, "condition").add_argument(
        "--given",
        dest="expression",
        metavar="EXPR",
        help="the condition that the deals satisfy (default: none)",
    )
    add_script(parser)
    add_predeal(parser, "known cards")
    add_known(parser)
    add_cards(parser)
    add_legal(parser)
    add_memory(parser)
    add_weights_of_deals(parser, "--weights")
    group = option_group(parser, "simulation")
    group.add_argument(
        "--simulate",
        type=whole,
        metavar="N",
        help="estimate from N random deals instead of counting",
    )
    add_seed(group, "the seed of the simulation (default: a fixed seed)")
    option_group(parser, "output").add_argument(
        "--plot", metavar="FILE", help="plot the distribution to a file: .png, .svg or .pdf"
    )
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Answer."""
    from pavcodec.constraints import WeightedDeals

    if len(args.questions) > 2:
        raise UsageError("give one event or number, or two numbers")
    if args.simulate == 0:
        raise UsageError("--simulate is at least 1")
    request = read_request(args)
    questions = list(_questions(args, request))
    kind = args.plot.rpartition(".")[2].lower() if args.plot else ""
    if kind and kind not in _PLOTS:
        raise UsageError(f"--plot draws .png, .svg or .pdf, not {args.plot!r}")
    if kind and (len(questions) != 1 or not isinstance(questions[0], NumberAnswer)):
        raise UsageError("--plot draws the distribution of one number, or of two together")
    space = counted_space(args, request, "exact" if args.simulate is None else "plan")
    answer = _Answering(args, space)
    answers = [answer(question) for question in questions]
    with open_text_output(args.output) as out:
        if args.json:
            rows: list[dict[str, object]] = [each.row() for each in answers]
            if isinstance(space, WeightedDeals):
                rows = [row | {"weights": [each.text for each in space.weights]} for row in rows]
            out.write(f"{json.dumps(rows[0] if args.questions else rows)}\n")
        else:
            out.writelines(f"{line}\n" for each in answers for line in each.lines())
    if args.plot:
        given = "" if request.node is None else str(space.where)
        _plot(answers[0], args.plot, kind, given)
    return 0


def _questions(args: argparse.Namespace, request: Request) -> Iterator[Answer]:
    """Yield the questions of the command line, else of the actions of the script."""
    nodes = [condition_of_text(text) for text in args.questions]
    if nodes:
        yield _question(nodes)
        return
    from pavcodec.constraints.language.actions import Average, Frequency

    asked = 0
    for action in request.script.actions if request.script is not None else ():
        if isinstance(action, Average | Frequency):
            asked += 1
            yield question_of_action(action)
    if not asked:
        wanted = "an event or a number, as in 'hcp(south) >= 20' or 'hcp(south)'"
        raise UsageError(f"give {wanted}, or a script with average or frequency")


def _question(nodes: list[Node]) -> Answer:
    from pavcodec.constraints.nodes.format import format_node
    from pavcodec.odds.questions import is_event

    titles = [format_node(node) for node in nodes]
    if len(nodes) == 1 and is_event(nodes[0]):
        return EventAnswer(titles[0], nodes)
    return NumberAnswer(titles, nodes)


def question_of_action(action: Action) -> Answer:
    """Return the question of an average or a frequency."""
    from pavcodec.constraints.language.actions import Average, Frequency
    from pavcodec.constraints.nodes.format import format_node

    if isinstance(action, Average):
        title = action.label or f"average {format_node(action.expression)}"
        return NumberAnswer([title], [action.expression], only_average=True)
    assert isinstance(action, Frequency)
    counted: list[Counted] = [each for each in (action.rows, action.columns) if each is not None]
    titles = [format_node(each.expression) for each in counted]
    ranges = [range(each.low, each.low + each.buckets * each.size, each.size) for each in counted]
    nodes = [each.expression for each in counted]
    return NumberAnswer(titles, nodes, ranges=ranges, label=action.label)


class _Answering:
    """Computes answers: exact ones if counting can, else from random deals."""

    def __init__(self, args: argparse.Namespace, space: Space | WeightedDeals) -> None:
        self.space = space
        self.simulated: int | None = args.simulate
        self.memory = {} if args.memory is None else {"memory": args.memory}
        self.seed = given_seed(args)

    def __call__(self, question: Answer) -> Answer:
        from pavcodec.constraints.counting.diagrams.compile import NotCountableError

        simulated = self.simulated
        if simulated is None:
            try:
                with waiting("counting"):
                    return question.ask(self.space, dict(self.memory))
            except NotCountableError as error:
                simulated = _SIMULATED
                reason = str(error).partition(": ask for")[0]
                complain(f"{question.title}: {reason}, so this is an estimate")
        with waiting("dealing"):
            options = {"simulate": simulated, "seed": self.seed}
            return question.ask(self.space, options | self.memory)


def _plot(answer: Answer, path: str, kind: str, given: str) -> None:
    """Draw a distribution into a file, which is complete or absent."""
    from pavcodec.odds.plots import draw_distribution

    assert isinstance(answer, NumberAnswer)
    with open_binary_output(path) as out:
        draw_distribution(answer.distribution, out, kind, answer.titles, given=given)
