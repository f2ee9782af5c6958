"""Commands on deals that do more than ask: deal, practice and cases."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from pavcodec.cli.asking import BoardsCommand, QuestionCommand, add_fields, out_of, question_of
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import suggest
from pavcodec.files.compressed import split_suffix
from pavcodec.formats import Format, format_names, format_of
from pavcodec.questions.asking import Answer, QuestionError, given
from pavcodec.questions.losses import tell_event, tell_tricks
from pavcodec.questions.outputs import Out, format_of_output, refuse_screen

if TYPE_CHECKING:
    from pavcodec.questions.cases import FoundCases

_PAGES = {".txt": "text", ".html": "html", ".htm": "html", ".pdf": "pdf"}
"""The pages of practice that belong to a suffix."""


class DealCommand(QuestionCommand):
    """The command of a question whose answer writes itself."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the arguments of the command."""
        describe(parser, self.question.examples.rstrip("\n"), self.question.details)
        add_fields(parser, self.question)

    def run(self, args: argparse.Namespace) -> int:
        """Ask, and write the answer; JSON of a collection is a summary."""
        from pavcodec.questions.sets import Collected

        answer: Any = question_of(args, self.question).answer()
        answer.write()
        if args.json and isinstance(answer, Collected):
            print(json.dumps(answer.to_dict(), indent=2))
        return 1 if answer.is_fault else 0


class PracticeCommand(BoardsCommand):
    """The command that makes a set, or lists the situations."""

    def add_more(self, parser: argparse.ArgumentParser) -> None:
        """Describe the options that say what is written."""
        super().add_more(parser)
        option_group(parser, "output").add_argument(
            "--list", action="store_true", help="list the situations, or describe one"
        )

    def run(self, args: argparse.Namespace) -> int:
        """Make a practice set, or list the situations."""
        if args.list:
            return self._list(args)
        question: Any = question_of(args, self.question)
        kind = "" if args.json else _page(args, self.question.pages)
        if not kind:
            if args.json and not args.to:
                tell_event(None, question.event_tags.tags)
            return super().run(args)
        out = out_of(args, is_other=True)
        answer: Any = question.answer()
        with out.open() as stream:
            answer.write_pages(kind, stream)
        return 1 if answer.is_fault else 0

    def target(self, args: argparse.Namespace) -> Format:
        """Return the format of the boards."""
        target = super().target(args)
        if target.needs_tricks and not args.solve:
            raise QuestionError(
                f"{target.name} needs the double-dummy tricks of each deal: add --solve"
            )
        return target

    def check(self, args: argparse.Namespace, answer: Any) -> None:
        """Tell if the format has no place for the tricks."""
        if args.solve:
            tell_tricks(self.target(args), answer.exercises[0].board)

    def _list(self, args: argparse.Namespace) -> int:
        """List the situations; refuse options of a set."""
        from pavcodec.questions.practice import Situations

        for each, one, _ in given(question_of(args, self.question)):
            if one.flag != "":
                reason = f"--list and {{{each.name}}} do not go together"
                raise QuestionError(reason, each.name)
        if args.to:
            raise QuestionError("--list and --to do not go together")
        answer = Situations(tuple(args.situations)).answer()
        QuestionCommand(Situations).show(args, answer, out_of(args))
        return 0


def _page(args: argparse.Namespace, pages: Sequence[str]) -> str:
    """Return the name of the pages of the output; "" for a format of boards."""
    suffix = os.path.splitext(split_suffix(args.output)[0])[1].lower()
    name = args.to or _PAGES.get(suffix)
    if name is None:
        return "" if format_of_output(args.output) else pages[0]
    if name not in pages:
        if name not in format_names():
            raise suggest("format", name, [*dict.fromkeys((*pages, *format_names()))])
        return ""
    if name == "pdf":
        from pavcodec.printing.pages import check_pdf

        check_pdf()
        refuse_screen(format_of(name), args.output)
    return str(name)


class CasesCommand(QuestionCommand):
    """The command that lists cases: a file gets a listing, unless a text is asked for."""

    def run(self, args: argparse.Namespace) -> int:
        """Print the cases, or write the listing."""
        if args.tsv and args.json:
            raise QuestionError("{tsv} and --json do not go together")
        if args.output == "-" or args.tsv or args.json:
            out = Out(args.output, inputs=filter(None, [args.listing]), force=args.force)
            args.output = "-"
            self.show(args, question_of(args, self.question).answer(), out)
        else:
            question_of(args, self.question).answer()
        return 0

    def show(self, args: argparse.Namespace, answer: Answer, output: Out) -> None:
        """Print the cases one by one."""
        found = cast("FoundCases", answer)
        with output.open_text() as out:
            lines = found.json_lines() if args.json else found.lines()
            out.writelines(f"{line}\n" for line in lines)


COMMANDS: dict[str, type[QuestionCommand]] = {
    "cases": CasesCommand,
    "deal": DealCommand,
    "practice": PracticeCommand,
}
