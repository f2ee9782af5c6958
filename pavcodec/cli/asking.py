"""A question as a command: its fields as arguments, its answer on the screen or in a file."""

from __future__ import annotations

import argparse
import json
from dataclasses import Field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pavcodec.cli.output.streams import (
    add_common,
    open_binary_output,
    open_text_output,
)
from pavcodec.cli.output.targets import UsageError, plot_kind
from pavcodec.cli.parsers import describe, option_group
from pavcodec.questions.asking import Question, asks, flag_of

if TYPE_CHECKING:
    from pavcodec.questions.asking import Ask

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
            _add(parser, each, flag_of(each), shown)


def _add(parser: argparse.ArgumentParser, each: Field[Any], flag: str, one: Ask) -> None:
    """Give a parser the argument of a field."""
    name, kind, default = each.name, str(each.type), each.default
    told: dict[str, Any] = {"help": one.help}
    if not flag:
        parser.add_argument(name, nargs="?", metavar=one.metavar, **told)
        return
    group = option_group(parser, one.group)
    flags = one.flag.split() if one.flag else [flag]
    told["dest"] = name
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
        self._question = question

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the arguments of the command."""
        question = self._question
        describe(parser, question.examples.rstrip("\n"), question.details)
        add_fields(parser, question)
        if question.plots:
            option_group(parser, "output").add_argument(
                "--plot",
                metavar="FILE",
                help=f"draw {question.plots} to a file: .png, .svg or .pdf",
            )
        add_common(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Ask, and print the answer."""
        kind = plot_kind(args) if self._question.plots else ""
        question = question_of(args, self._question)
        answer: Any = question.answer()  # some can be drawn
        if kind and not answer.is_drawn:
            raise UsageError(f"--plot draws {question.plots}")
        with open_text_output(args.output) as out:
            if args.json:
                out.write(f"{json.dumps(answer.to_dict())}\n")
            else:
                out.writelines(f"{line}\n" for line in answer.lines())
        if kind:
            with open_binary_output(args.plot) as plot:
                answer.draw(plot, kind)
        return 0
