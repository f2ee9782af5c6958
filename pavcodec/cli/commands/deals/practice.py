"""`pavcodec practice`: practice boards as pages or in a format, or with `--list` the situations."""

from __future__ import annotations

import argparse
import os
from typing import Any

from pavcodec.cli.asking import BoardsCommand, QuestionCommand, out_of, question_of
from pavcodec.cli.parsers import option_group
from pavcodec.errors import suggest
from pavcodec.files.compressed import split_suffix
from pavcodec.formats import Format, format_names, format_of
from pavcodec.questions.asking import QuestionError, given
from pavcodec.questions.losses import tell_event, tell_tricks
from pavcodec.questions.outputs import format_of_output, refuse_screen
from pavcodec.questions.practice import Practice, Situations

_PAGES = {".txt": "text", ".html": "html", ".htm": "html", ".pdf": "pdf"}
"""The pages that belong to a suffix."""


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
        question = question_of(args, Practice)
        kind = "" if args.json else _page(args)
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

    def check(self, args: argparse.Namespace, answer: Any) -> None:  # noqa: ANN401 (has boards)
        """Tell if the format has no place for the tricks."""
        if args.solve:
            tell_tricks(self.target(args), answer.exercises[0].board)

    def _list(self, args: argparse.Namespace) -> int:
        for each, one, _ in given(question_of(args, Practice)):
            if one.flag != "":
                reason = f"--list and {{{each.name}}} do not go together"
                raise QuestionError(reason, each.name)
        if args.to:
            raise QuestionError("--list and --to do not go together")
        answer = Situations(tuple(args.situations)).answer()
        QuestionCommand(Situations).show(args, answer, out_of(args))
        return 0


def _page(args: argparse.Namespace) -> str:
    """Return the name of the pages of the output; "" for a format of boards."""
    suffix = os.path.splitext(split_suffix(args.output)[0])[1].lower()
    name = args.to or _PAGES.get(suffix)
    if name is None:
        return "" if format_of_output(args.output) else Practice.pages[0]
    if name not in Practice.pages:
        if name not in format_names():
            raise suggest("format", name, [*dict.fromkeys((*Practice.pages, *format_names()))])
        return ""
    if name == "pdf":
        from pavcodec.printing.pages import check_pdf

        check_pdf()
        refuse_screen(format_of(name), args.output)
    return str(name)
