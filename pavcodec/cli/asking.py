"""A question as a command: its fields as arguments, its answer on the screen or in a file."""

from __future__ import annotations

import argparse
import csv
import json
from dataclasses import MISSING, Field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pavcodec.cli.output.streams import (
    add_common,
    add_target,
    open_binary_output,
    open_text_output,
    refuse_screen,
)
from pavcodec.cli.output.targets import UsageError, plot_kind, refuse_same_file, target_of
from pavcodec.cli.parsers import Parser, describe, flags_of, option_group
from pavcodec.questions.asking import Question, asks, flag_of

if TYPE_CHECKING:
    from pavcodec.questions.asking import Answer, Ask

Q = TypeVar("Q", bound=Question)


def add_fields(
    parser: argparse.ArgumentParser,
    question: type[Question],
    *only: str,
    group: str = "",
) -> None:
    """Give a parser the arguments of all fields, or only of some, in their groups or in one."""
    for each, one in asks(question):
        if not only or each.name in only:
            shown = replace(one, group=group or one.group)
            _add(parser, each, shown)


def _add(parser: argparse.ArgumentParser, each: Field[Any], one: Ask) -> None:
    """Give a parser the argument of a field."""
    name, kind, default = each.name, str(each.type), each.default
    is_needed = default is MISSING
    told: dict[str, Any] = {"help": one.help}
    if one.flag == "":
        if kind.startswith("tuple"):
            told |= {"nargs": "+" if is_needed else "*"}
        elif not is_needed:
            told |= {"nargs": "?"}
        parser.add_argument(name, metavar=one.metavar, **told)
        return
    group = option_group(parser, one.group)
    flags = one.flag.split() if one.flag else [flag_of(each)]
    told |= {"dest": name, "required": True} if is_needed else {"dest": name}
    if kind == "bool":
        group.add_argument(*flags, action="store_true", **told)
    elif kind == "bool | None":
        group.add_argument(*flags, action=argparse.BooleanOptionalAction, default=None, **told)
    else:
        if kind.startswith("tuple"):
            told |= {"action": "append", "default": []}
        if one.may_be_empty:
            told |= {"nargs": "?", "const": ""}
        told |= {"choices": [*one.choices]} if one.choices else {"metavar": one.metavar}
        if isinstance(default, int) or one.choices:
            told["default"] = default
        group.add_argument(*flags, type=one.read, **told)


def question_of(args: argparse.Namespace, question: type[Q], *only: str) -> Q:
    """Return the question of parsed arguments, of all its fields or of some.

    Fields without an argument have their defaults.
    """
    names = only or [each.name for each, _ in asks(question)]
    given = {name: getattr(args, name, None) for name in names}
    given = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return question(**{name: value for name, value in given.items() if value is not None})


class QuestionCommand:
    """The command that asks a question."""

    def __init__(self, question: type[Question]) -> None:
        self.question = question

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the arguments of the command."""
        question = self.question
        describe(parser, question.examples.rstrip("\n"), question.details)
        add_fields(parser, question)
        self.add_more(parser)
        add_common(parser)

    def add_more(self, parser: argparse.ArgumentParser) -> None:
        """Describe the options that are no fields of the question."""
        if self.question.plots:
            option_group(parser, "output").add_argument(
                "--plot",
                metavar="FILE",
                help=f"draw {self.question.plots} to a file: .png, .svg or .pdf",
            )
        if self.question.rows_are:
            option_group(parser, "output").add_argument(
                "--csv",
                action="store_true",
                help=f"print CSV, a row for each {self.question.rows_are}",
            )

    def run(self, args: argparse.Namespace) -> int:
        """Ask, and print the answer."""
        if args.json and getattr(args, "csv", False):
            raise UsageError("--json and --csv do not go together")
        kind = plot_kind(args) if self.question.plots else ""
        question = question_of(args, self.question)
        for output in (args.output, getattr(args, "plot", None) or "-"):
            refuse_same_file(getattr(args, "files", []), output)
        answer: Any = question.answer()  # some can be drawn
        if kind and not answer.is_drawn:
            raise UsageError(f"--plot draws {question.plots}")
        self.show(args, answer)
        if kind:
            with open_binary_output(args.plot) as plot:
                answer.draw(plot, kind)
        return 1 if answer.is_fault else 0

    def show(self, args: argparse.Namespace, answer: Answer) -> None:
        """Print an answer as text, as JSON or as CSV."""
        with open_text_output(args.output) as out:
            if args.json:
                for row in answer.documents():
                    out.write(f"{json.dumps(row, indent=self.question.indent)}\n")
            elif getattr(args, "csv", False):
                csv.writer(out, lineterminator="\n").writerows(answer.rows())
            else:
                out.writelines(f"{line}\n" for line in answer.lines())


class BoardsCommand(QuestionCommand):
    """The command that asks a question whose answer is boards, which go into any format."""

    def add_more(self, parser: argparse.ArgumentParser) -> None:
        """Describe the option of the format."""
        add_target(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Ask, and write the boards."""
        if args.json and args.to_format:
            raise UsageError("--json and --to do not go together")
        question: Any = question_of(args, self.question)
        if args.json:
            self.show(args, question.answer())
            return 0
        target = target_of(args.to_format, args.output)
        refuse_screen(target, args.output)
        answer = question.answer()
        self.check(args, answer)
        with open_binary_output(args.output) as out:
            target.write(answer.boards(), out, answer.context)
        return 0

    def check(self, args: argparse.Namespace, answer: Answer) -> None:
        """Refuse an output that is a file of the question."""


class Actions:
    """The command whose actions are questions: `pavcodec NAME ACTION`."""

    def __init__(self, examples: str, details: str, **actions: QuestionCommand) -> None:
        self._texts, self._actions = (examples, details), actions

    def add_arguments(self, parser: Parser) -> None:
        """Add the actions of the command and their arguments."""
        describe(parser, *self._texts)
        actions = parser.add_subparsers(
            dest="action", metavar="ACTION", required=True, title="actions", prog=parser.prog
        )
        for name, command in self._actions.items():
            sentence = str(command.question.__doc__).partition("\n")[0]
            summary = f"{sentence[0].lower()}{sentence[1:-1]}"
            action = actions.add_parser(name, help=summary, description=sentence)
            command.add_arguments(action)
            action.set_defaults(flags=flags_of(action))
            action.add_help_option()

    def run(self, args: argparse.Namespace) -> int:
        """Run the chosen action."""
        return self._actions[args.action].run(args)
