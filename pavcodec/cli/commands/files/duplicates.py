"""`pavcodec stats --duplicates`: the repeated boards of collections."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.boards import Context
from pavcodec.chances.figures import many
from pavcodec.cli.options.folders import (
    add_up,
    is_spread,
    reading_of,
)
from pavcodec.cli.output.streams import named_format, open_text_output
from pavcodec.cli.output.targets import UsageError, refuse_same_file
from pavcodec.cli.parsers import option_group
from pavcodec.errors import UnknownNameError
from pavcodec.formats import Format
from pavcodec.numberings import numbering
from pavcodec.questions.asking import Progress
from pavcodec.questions.inputs import Problems, read_inputs

if TYPE_CHECKING:
    from pavcodec.statistics import Duplicates
    from pavcodec.statistics.survey import SurveyedPart


_SHOWN = 20
"""The layouts that the text lists; JSON and CSV have all."""


def add_duplicates(parser: argparse.ArgumentParser) -> None:
    """Add the options of `--duplicates`."""
    group = option_group(parser, "duplicates")
    group.add_argument(
        "--duplicates",
        action="store_true",
        help="list the repeated boards, and compute no statistics",
    )
    group.add_argument(
        "--up-to",
        metavar="SYMMETRY",
        help="with --duplicates: boards are the same up to 'suits' (their order), 'turns' of the "
        "table, 'half-turn', 'seats' (their order), or 'suits' and one of these, as in "
        "'suits,turns'",
    )


def print_duplicates(args: argparse.Namespace) -> int:
    """Print the repeated boards."""
    from pavcodec.statistics.repeats import Finder

    refuse_same_file(args.files, args.output)
    try:
        finder = Finder(args.up_to or "")
    except UnknownNameError as error:
        raise UsageError(f"--up-to: {error}") from None
    problems = Problems(strict=args.strict)
    if is_spread(args, args.files):
        from pavcodec.collection.derived import Repeats

        finder = add_up(args, Repeats(reading_of(args), args.up_to or ""), finder, problems)
    else:
        for source, part in parts_of_files(args, problems):
            finder.add(part.owners, source)
            finder.without_cards += part.without_cards
    duplicates = finder.found()
    with open_text_output(args.output) as out:
        if args.json:
            out.write(f"{_json_text(duplicates)}\n")
        else:
            out.writelines(_csv_lines(duplicates) if args.csv else _text_lines(duplicates))
    return problems.exit_code


def parts_of_files(
    args: argparse.Namespace, problems: Problems
) -> Iterator[tuple[str, SurveyedPart]]:
    """Yield the boards of all files in parts, each with the name of its file."""
    from pavcodec.statistics.survey import read_parts

    def read(
        source: Format, stream: BinaryIO, context: Context, progress: Progress
    ) -> Iterator[tuple[str, SurveyedPart]]:
        parts = read_parts(source, stream, context, tricks=args.tricks)
        for part in progress.watch(parts, size=lambda part: len(part.owners)):
            yield context.source, part

    return read_inputs(
        args.files,
        problems,
        read,
        format_name=named_format(args),
        ranks=numbering("deal"),
    )


def _text_lines(duplicates: Duplicates) -> Iterator[str]:
    up_to = f" up to {duplicates.up_to.replace(',', ' and ')}" if duplicates.up_to else ""
    yield (
        f"{many(duplicates.layouts, 'board')} with cards: "
        f"{duplicates.different:,} different{up_to}, {duplicates.again:,} again\n"
    )
    if duplicates.without_cards:
        yield f"{many(duplicates.without_cards, 'board')} without cards skipped\n"
    for repeat in duplicates.repeats[:_SHOWN]:
        places = ", ".join(f"{source}:{number}" for source, number in repeat.places)
        yield f"\n{len(repeat.places):,} times: {places}\n    {repeat.layout}\n"
    left = len(duplicates.repeats) - _SHOWN
    if left > 0:
        yield f"\n... and {many(left, 'layout')} more; --json and --csv have all\n"


def _json_text(duplicates: Duplicates) -> str:
    repeats = [
        {
            "layout": str(repeat.layout),
            "places": [{"file": source, "board": number} for source, number in repeat.places],
        }
        for repeat in duplicates.repeats
    ]
    value = {
        "up_to": duplicates.up_to,
        "boards": duplicates.layouts,
        "without_cards": duplicates.without_cards,
        "different": duplicates.different,
        "again": duplicates.again,
        "repeats": repeats,
    }
    return json.dumps(value, indent=2)


def _csv_lines(duplicates: Duplicates) -> Iterator[str]:
    line = io.StringIO()
    rows = csv.writer(line, lineterminator="\n")
    rows.writerow(("repeat", "file", "board", "layout"))
    for which, repeat in enumerate(duplicates.repeats, 1):
        rows.writerows((which, *where, str(repeat.layout)) for where in repeat.places)
    yield line.getvalue()
