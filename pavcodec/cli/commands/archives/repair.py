"""`pavcodec repair`: a new archive with the undamaged blocks of a damaged archive."""

from __future__ import annotations

import argparse
import json

from pavcodec.chances.figures import many
from pavcodec.cli.asking import add_common, add_fields
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.parsers import describe, option_group
from pavcodec.formats import format_of
from pavcodec.questions.inputs import Problems
from pavcodec.questions.outputs import Output, refuse_same_file, refuse_suffix

_EXAMPLES = """\
  pavcodec repair damaged.pav -o saved.pav"""

_DETAILS = """\
repair saves every undamaged block, also after damage, and prints a line for each damaged one. The
exit code is 1 if there is damage. repair does not change the damaged archive."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("input", metavar="ARCHIVE", help="the damaged archive")
    option_group(parser, "output").add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the archive to write"
    )
    add_fields(parser, Output, "force")
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Save the undamaged blocks."""
    from pavcodec.archive import repair_archive

    refuse_same_file([args.input], args.output)
    refuse_suffix(args.output, format_of("pav"))
    problems = Problems()
    with waiting(args.input):
        repair = repair_archive(args.input, args.output)
    for damage in repair.damages:
        problems.report(args.input, None, f"at byte {damage.offset}: {damage.reason}")
    if args.json:
        damages = [{"byte": each.offset, "reason": each.reason} for each in repair.damages]
        print(json.dumps({"boards": repair.boards, "damages": damages}))
    else:
        print(f"{args.output}: {many(repair.boards, 'board')} saved")
    return problems.exit_code
