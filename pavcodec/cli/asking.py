"""A question as a command: its fields as arguments, its answer on the screen or in a file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import MISSING, Field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pavcodec.cli.output.streams import complain, plot_kind, print_coloured
from pavcodec.cli.parsers import Parser, describe, flags_of, option_group
from pavcodec.formats.registry import format_by_suffix
from pavcodec.questions.asking import (
    Asker,
    Progress,
    Question,
    QuestionError,
    asks,
    flag_of,
    screen_width,
)
from pavcodec.questions.inputs import OfEach, Problems
from pavcodec.questions.outputs import BoardsOutput, Out, Output, refuse_nothing, target_of

if TYPE_CHECKING:
    from typing import BinaryIO

    from pavcodec.formats import Format
    from pavcodec.questions.asking import Answer, Ask

T = TypeVar("T")

# Fields as arguments.


def add_fields(
    parser: argparse.ArgumentParser,
    question: type,
    *only: str,
    group: str = "",
) -> None:
    """Give a parser the arguments of all fields, or only of some, in their groups or in one."""
    last = {"output": 1, "workers": 2}
    for each, one in sorted(asks(question), key=lambda row: last.get(row[1].group, 0)):
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
        if one.if_bare is not None:
            told |= {"nargs": "?", "const": one.if_bare}
        told |= {"choices": [*one.choices]} if one.choices else {"metavar": one.metavar}
        if isinstance(default, int) or one.choices or default == "-":  # others are None if absent
            told["default"] = default
        group.add_argument(*flags, type=one.read, **told)


def question_of(args: argparse.Namespace, question: type[T], *only: str) -> T:
    """Return the question of parsed arguments, of all its fields or of some.

    Fields without an argument have their defaults.
    """
    names = only or [each.name for each, _ in asks(question)]
    given = {name: getattr(args, name, None) for name in names}
    given = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return question(**{name: value for name, value in given.items() if value is not None})


# Arguments of commands that are no fields of their own question.


def add_common(parser: argparse.ArgumentParser, *, output: bool = True) -> None:
    """Add the options that all commands have."""
    if output:
        add_fields(parser, Output)
    option_group(parser, "output").add_argument(
        "--json", action="store_true", help="print JSON for other programs"
    )


def add_target(
    parser: argparse.ArgumentParser, default: str = "lines", which: str = "this"
) -> None:
    """Add the option `--to`, which names the format of the output; see `target_of`."""
    option_group(parser, "output").add_argument(
        "--to",
        metavar="FORMAT",
        help=f"write {which} format (default: by the suffix of -o, else {default}; "
        "'pavcodec formats' lists them)",
    )


# Commands.


def out_of(
    args: argparse.Namespace,
    target: Format | None = None,
    *,
    path: str = "",
    is_other: bool = False,
) -> Out:
    """Return the output of a command, or another `path` that it writes, after all checks."""
    inputs = [*getattr(args, "files", []), *filter(None, [getattr(args, "script", None)])]
    append = getattr(args, "append", False) and not path
    return Out(
        path or args.output,
        target,
        inputs=inputs,
        force=args.force,
        append=append,
        is_other=is_other,
    )


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
        add_common(parser, output=not question.writes)

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
            raise QuestionError("--json and --csv do not go together")
        kind = plot_kind(args) if self.question.plots else ""
        question = question_of(args, self.question)
        if question.writes:
            args.output = getattr(question, "output", "")  # `convert` takes it from its files
        if question.writes and args.json and args.output == "-":
            raise QuestionError("--json prints a summary, so -o must name a file")
        out = Out("-") if question.writes else out_of(args)
        plot = out_of(args, path=args.plot, is_other=True) if kind else None
        answer: Any = question.answer()  # some can be drawn
        if plot is not None and not answer.is_drawn:
            raise QuestionError(f"--plot draws {question.plots}")
        self.show(args, answer, out)
        if plot is not None:
            with plot.open() as stream:
                answer.draw(stream, kind)
        return 1 if answer.is_fault else 0

    def show(self, args: argparse.Namespace, answer: Answer, output: Out) -> None:
        """Print an answer as text, as JSON or as CSV."""
        with output.open_text() as out:
            if args.json:
                for row in answer.documents():
                    out.write(f"{json.dumps(row, indent=self.question.indent)}\n")
            elif getattr(args, "csv", False):
                import csv  # few ask for it

                csv.writer(out, lineterminator="\n").writerows(answer.rows())
            else:
                out.writelines(f"{line}\n" for line in answer.lines())


class BoardsCommand(QuestionCommand):
    """The command that asks a question whose answer is boards, which go into any format."""

    def add_more(self, parser: argparse.ArgumentParser) -> None:
        """Describe the options of the file of boards."""
        if not self.question.pages:
            add_fields(parser, BoardsOutput, "to", "append")
            return
        add_target(parser, self.question.pages[0], f"{', '.join(self.question.pages)} or another")
        add_fields(parser, BoardsOutput, "append")

    def run(self, args: argparse.Namespace) -> int:
        """Ask, and write the boards."""
        question: Any = question_of(args, self.question)
        if args.json or question.gives_text:
            if args.to:
                text = "--json" if args.json else "an answer without boards"
                raise QuestionError(f"{text} and --to do not go together")
            out = out_of(args)
            answer = question.answer()
            self.show(args, answer, out)
            return 1 if answer.is_fault else 0
        target = self.target(args)
        out = out_of(args, target)
        answer = question.answer()
        self.check(args, answer)
        write_boards(question, answer, target, out)
        return 1 if answer.is_fault else 0

    def target(self, args: argparse.Namespace) -> Format:
        """Return the format of the boards."""
        return target_of(args.to, args.output)

    def check(self, args: argparse.Namespace, answer: Answer) -> None:
        """Refuse an output that is a file of the question."""


def print_answer(args: argparse.Namespace, answer: Answer) -> int:
    """Print what a command says of the file that it wrote, and return the exit code."""
    for line in [json.dumps(answer.to_dict())] if args.json else answer.lines():
        print(line)
    return 1 if answer.is_fault else 0


class EachCommand(QuestionCommand):
    """The command that asks a question of each of its arguments, also of those in files."""

    question: type[OfEach]

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the arguments of the command: many in place of the one of the question."""
        question = self.question
        describe(parser, question.examples.rstrip("\n"), question.details)
        metavar, told = question.takes
        parser.add_argument("files", nargs="*", metavar=metavar, help=told)
        options = [each.name for each, one in asks(question) if one.flag != ""]
        add_fields(parser, question, *options)
        if question.gives_boards:
            self.add_target(parser)
        add_common(parser, output="output" not in options)

    def add_target(self, parser: argparse.ArgumentParser) -> None:
        """Describe the option of the format."""
        add_target(parser, self.question.usual_format)

    def run(self, args: argparse.Namespace) -> int:
        """Ask of each, and print the answers or write the boards."""
        question, problems = question_of(args, self.question), Problems(strict=args.strict)
        target = self.target(args)
        answers: Iterator[Answer] = iter(())
        if target is None:
            answers = question.answers(args.files, problems)
        else:
            boards, context = question.to_write(args.files, problems)
        done, is_fault = 0, False
        with out_of(args, target).open() as out:
            if target is not None:
                done = target.write(boards, out, context)
            for answer in answers:
                done += 1
                is_fault |= answer.is_fault
                self.print(args, question, answer, out)
            refuse_nothing(args.output, done, problems, question.nothing)
        return problems.exit_code or int(is_fault)

    def print(
        self, args: argparse.Namespace, question: OfEach, answer: Answer, out: BinaryIO
    ) -> None:
        """Print an answer at once."""
        documents = (
            json.dumps(row, indent=question.indent, ensure_ascii=not question.draws)
            for row in answer.documents()
        )
        lines = documents if args.json else answer.lines()
        if question.draws and not args.json and screen_width() is not None:
            print_coloured(lines)
            return
        out.write("".join(f"{line}\n" for line in lines).encode())
        if question.draws or screen_width() is not None:
            out.flush()

    def target(self, args: argparse.Namespace) -> Format | None:
        """Return the format of boards to write; None for the lines or the JSON of the answers."""
        if args.json and getattr(args, "to", None):
            raise QuestionError("--json and --to do not go together")
        if args.json or not self.question.gives_boards or args.to == "text":
            return None
        if args.to or self.question.usual_format != "text":
            return target_of(args.to, args.output, self.question.usual_format)
        target = format_by_suffix(args.output)
        return None if target is None or target.name == "lines" else target  # .txt: of any text


def command_of_question(question: type[Question]) -> QuestionCommand:
    """Return the command of a question."""
    if issubclass(question, OfEach):
        return EachCommand(question)
    return (BoardsCommand if question.gives_boards else QuestionCommand)(question)


def write_boards(question: Question, answer: Any, target: Format, out: Out) -> None:
    """Write the boards of an answer, and tell what the format has no place for."""
    from pavcodec.questions.events import OfEvent
    from pavcodec.questions.losses import Differences, tell_event

    if isinstance(question, OfEvent):
        tell_event(target, question.event_tags.tags)
    differences = Differences()
    context = replace(answer.context, note=complain, differ=differences.note)
    with out.open() as stream:
        done = target.write(answer.boards(), stream, context)
        if answer.problems is not None:
            refuse_nothing(out.path, done, answer.problems, answer.nothing)
    differences.tell(target)


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


# Who asks on the command line.


class Terminal(Asker):
    """Hears notes on the error stream, and sees a status line while a question takes long."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args

    @property
    def _output(self) -> str:
        return getattr(self._args, "output", None) or "-"

    @property
    def width(self) -> int | None:
        """The columns of the screen, if the output goes there."""
        if self._output != "-" or sys.stdout is None or not sys.stdout.isatty():
            return None
        from shutil import get_terminal_size

        return get_terminal_size().columns

    def agrees(self, question: str) -> bool:
        """Ask whoever sits at a terminal; without one, nobody agrees."""
        streams = (sys.stdin, sys.stderr)
        if not all(stream is not None and stream.isatty() for stream in streams):
            return False
        sys.stderr.write(f"{question} [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def note(self, text: str) -> None:
        """Print a note."""
        complain(text)

    def meanwhile(self, text: str) -> None:
        """Print what is known so far."""
        complain(text)

    def progress(
        self,
        stream: BinaryIO | None,
        name: str,
        unit: str,
        *,
        total: int | None = None,
        note: Callable[[], str] | None = None,
    ) -> Progress:
        """Return a progress bar."""
        from pavcodec.cli.output.progress import ProgressBar

        return ProgressBar(stream, name, unit, output=self._output, total=total, note=note)

    def working(self, what: str) -> AbstractContextManager[None]:
        """Show a status line on a terminal."""
        from pavcodec.cli.output.progress import waiting

        return waiting(what)
