"""`pavcodec verify`: check archives for damage."""

from __future__ import annotations

import argparse
import json

from pavcodec.cli.output.figures import many
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import Problems, add_common
from pavcodec.cli.parsers import describe

__all__ = ["add_arguments", "run"]

_EXAMPLES = """\
  pavcodec verify event.pav
  pavcodec verify --json *.pav"""

_DETAILS = """\
verify reads every byte, checks the checksum and the content of every block, and compares the blocks
with the index. The exit code is 1 if it finds damage; 'pavcodec repair' saves the undamaged
blocks."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("files", nargs="+", metavar="ARCHIVE", help="archives to check")
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Check each archive."""
    from pavcodec.archive import open_archive, verify_archive

    problems = Problems()
    rows = []
    for path in args.files:
        try:
            with waiting(path):
                damages = verify_archive(path)
        except OSError as error:
            problems.report(path, None, f"cannot be read: {error.strerror}")
            continue
        for damage in damages:
            problems.report(path, None, f"at byte {damage.offset}: {damage.reason}")
        row: dict[str, object] = {"file": path, "is_whole": not damages}
        if damages:
            row["damages"] = [{"byte": each.offset, "reason": each.reason} for each in damages]
        else:
            with open_archive(path) as archive:
                row |= {"boards": len(archive), "bytes": archive.size}
                line = f"{path}: whole, {many(len(archive), 'board')}"
            if not args.json:
                print(line)
        rows.append(row)
    if args.json:
        print(json.dumps(rows, indent=2))
    return problems.exit_code
