"""`pavcodec practice`: the list of situations, and the pages and files of a set."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable

from pavcodec.boards import Context
from pavcodec.chances.figures import chances
from pavcodec.cli.asking import QuestionCommand, add_fields, question_of
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError, suggest
from pavcodec.files.compressed import split_suffix
from pavcodec.formats import Format, format_names, format_of
from pavcodec.numberings import numbering
from pavcodec.practice import (
    LEVELS,
    PracticeSet,
    Question,
    Situation,
    practice_document,
    situation,
    situation_names,
    text_pages,
)
from pavcodec.practice.exercises import NAME
from pavcodec.printing.document import PAPERS, Paper
from pavcodec.questions.asking import QuestionError, progress
from pavcodec.questions.losses import tell_event, tell_tricks
from pavcodec.questions.outputs import (
    Out,
    format_of_output,
    refuse_same_file,
    refuse_screen,
)
from pavcodec.questions.practice import Practice, PracticeBoards
from pavcodec.questions.solving import Solving, use_solved_files
from pavcodec.questions.sources import Draw, MixedSource, draw
from pavcodec.questions.tables import fact_lines, print_table

# The list of situations, and all facts of one.


def list_situations(chosen: Situation | None, *, as_json: bool) -> None:
    """Print all situations, or everything about one."""
    every = [situation(name) for name in situation_names()]
    if as_json:
        rows = list(map(_row, every))
        print(json.dumps(rows if chosen is None else _row(chosen), indent=2))
    elif chosen is None:
        print_table(
            ("situation", "deals", "chance", "what it is"),
            [
                (one.name, f"{one.cardinality:,}", chances(one.probability), one.summary)
                for one in every
            ],
            folds=True,
        )
    else:
        print(*fact_lines(_lines(chosen), 11), sep="\n")


def _lines(situation: Situation) -> tuple[tuple[str, str], ...]:
    """Return the heads and values of a situation."""
    question = situation.question
    return (
        ("situation", situation.name),
        ("title", situation.title),
        ("what", situation.summary),
        ("dealer", situation.dealer.name.title()),
        ("deals", f"{situation.cardinality:,}"),
        ("chance", f"{situation.probability}: {chances(situation.probability)}"),
        ("condition", situation.where),
        *((level, situation.difficulty.meaning(level)) for level in LEVELS),
        *((("decision", _decision(question)),) if question else ()),
    )


def _decision(question: Question) -> str:
    """Return the key decision in words."""
    return f"{question.asker.name.title()}: what is the chance that {question.text}?"


def _row(situation: Situation) -> dict[str, object]:
    """Return a situation for JSON."""
    question = situation.question
    return {
        "name": situation.name,
        "title": situation.title,
        "summary": situation.summary,
        "dealer": situation.dealer.letter,
        "cardinality": str(situation.cardinality),
        "probability": str(situation.probability),
        "where": situation.where,
        "difficulty": {
            level: {
                "meaning": situation.difficulty.meaning(level),
                "where": situation.difficulty.where(level),
            }
            for level in LEVELS
        },
        "question": None
        if question is None
        else {
            "seat": question.asker.letter,
            "meaning": question.text,
            "event": question.event,
        },
    }


Pages = Callable[[PracticeSet, Paper], bytes]

_SUFFIXES = {".txt": "text", ".html": "html", ".htm": "html", ".pdf": "pdf"}


class PracticeCommand(QuestionCommand):
    """The command that makes a set, or lists the situations."""

    def add_more(self, parser: argparse.ArgumentParser) -> None:
        """Describe the options that say what is written."""
        group = option_group(parser, "output")
        group.add_argument(
            "--list", action="store_true", help="list the situations, or describe one"
        )
        add_fields(parser, Solving, "solved", group="output")
        group.add_argument(
            "--paper", choices=PAPERS, default="a4", help="the paper of the pages (default: a4)"
        )
        group.add_argument(
            "--to",
            metavar="FORMAT",
            help="write text, html, pdf or another format (default: by the suffix of -o, else "
            "text; 'pavcodec formats' lists all formats)",
        )

    def run(self, args: argparse.Namespace) -> int:
        """Make a practice set, or list the situations."""
        _check(args)
        if args.list:
            words = args.situations
            list_situations(situation(words[0]) if words else None, as_json=args.json)
            return 0
        target = _target(args)
        if not args.json:
            _refuse_target(target, args.output, solves=args.solve)
        made = target if isinstance(target, Format) and not args.json else None
        is_other = made is None and not args.json
        out = Out(args.output, made, force=args.force, is_other=is_other)
        question = question_of(args, Practice)
        chosen, tags = question.chosen(), question.event_tags.tags
        wanted = Draw(chosen.count, chosen.seed, chosen.start, tries=chosen.tries)
        mix = chosen.mix
        source = draw(chosen.space, wanted) if mix is None else MixedSource(mix, wanted)
        complain(f"seed {chosen.seed}")
        if args.json:
            tell_event(None, tags)
        elif isinstance(target, Format):
            tell_event(target, tags)
        if args.solve:
            use_solved_files(args.solved)
        is_plain = isinstance(target, Format) and not args.json and not target.keeps_tags
        seen = progress(None, "dealing", "deals", total=source.count, note=source.note)
        answer = chosen.answered(seen.watch(source.deals()), "none" if is_plain else chosen.odds)
        enough = source.finish()
        _write(args, target, answer, out)
        return 0 if enough else 1


def _check(args: argparse.Namespace) -> None:
    """Refuse options that exclude each other."""
    beside_list = {
        "-f": args.script,
        "-o": args.output != "-",
        "--to": args.to,
        "--solve": args.solve,
    }
    for option, is_given in beside_list.items():
        if args.list and is_given:
            raise QuestionError(f"--list and {option} do not go together")
    if args.json and args.to:
        raise QuestionError("--json and --to do not go together")
    words = args.situations
    if args.list and len(words) > 1:
        raise QuestionError("--list describes one situation: name only one")
    if args.list and words and not NAME.fullmatch(words[0]):
        raise QuestionError(f"--list takes the name of a situation, not {words[0]!r}")
    if args.script:
        refuse_same_file([args.script], args.output)


def _target(args: argparse.Namespace) -> Pages | Format:
    """Return the writer of the output: of pages, or of a format of boards."""
    plain, _ = split_suffix(args.output)
    name = args.to or _SUFFIXES.get(os.path.splitext(plain)[1].lower())
    if name in _PAGES:
        return _PAGES[name]
    if name is not None:
        if name not in format_names():
            raise suggest("format", name, [*dict.fromkeys((*_PAGES, *format_names()))])
        return format_of(name)
    return format_of_output(args.output) or _text


def _refuse_target(target: Pages | Format, output: str, *, solves: bool) -> None:
    """Refuse bytes on the screen, PDF without its package, and formats whose tricks are missing."""
    if target is _pdf:
        from pavcodec.printing.pages import check_pdf

        check_pdf()
        refuse_screen(format_of("pdf"), output)
    elif isinstance(target, Format):
        refuse_screen(target, output)
        if target.needs_tricks and not solves:
            raise QuestionError(
                f"{target.name} needs the double-dummy tricks of each deal: add --solve"
            )


def _text(practice: PracticeSet, _paper: Paper) -> bytes:
    return text_pages(practice).encode()


def _html(practice: PracticeSet, paper: Paper) -> bytes:
    from pavcodec.printing.html import html_document

    return html_document(practice_document(practice, paper)).encode()


def _pdf(practice: PracticeSet, paper: Paper) -> bytes:
    from pavcodec.printing.pages import pdf_document

    return pdf_document(practice_document(practice, paper))


_PAGES: dict[str, Pages] = {"text": _text, "html": _html, "pdf": _pdf}


def _write(
    args: argparse.Namespace, target: Pages | Format, answer: PracticeBoards, output: Out
) -> None:
    """Write the boards as pages, in a format, or as JSON."""
    if not answer.exercises:
        raise PavError("there are no boards to write")
    session = answer.session
    with output.open() as out:
        if args.json:
            out.writelines(f"{json.dumps(row)}\n".encode() for row in answer.documents())
        elif isinstance(target, Format):
            tell_tricks(target, answer.exercises[0].board)
            context = Context(
                "practice",
                numbering=numbering("deal"),
                preface=session.preface(),
                title=session.title,
                note=complain,
            )
            practice = answer.practice(brief=False)
            boards = practice.commented if target.keeps_tags else practice.boards
            target.write(boards, out, context)
        else:
            out.write(target(answer.practice(brief=target is not _text), args.paper))
