"""`pavcodec append`: add boards at the end of an archive."""

from __future__ import annotations

import argparse

from pavcodec.cli.asking import add_common
from pavcodec.cli.commands.archives.opening import (
    PackedFiles,
    add_collected,
    open_input_archive,
    summarise,
)
from pavcodec.cli.parsers import describe
from pavcodec.files.paths import local_path, shown_path
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.inputs import Problems
from pavcodec.questions.outputs import refuse_same_file

_EXAMPLES = """\
  pavcodec append season.pav round7.pbn
  pavcodec append season.pav round8.pbn round9.pbn
  pavcodec deal -n 1000 --to numbers | pavcodec append library.pav"""

_DETAILS = """\
append does not change the boards in the archive: the new boards follow them. If anything fails, the
archive ends where it ended before. append keeps all tags if the archive keeps them. It cannot add
to a set, which is sorted: 'pack' the new boards as a set, and 'merge' both sets."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("output", metavar="ARCHIVE", help="the archive to extend")
    parser.add_argument("files", nargs="*", metavar="IN", help="files to add; - or none is stdin")
    add_collected(parser)
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Add boards to an archive."""
    from pavcodec.archive import append_archive
    from pavcodec.archive.spaces import ArchiveSpace, space_of

    if args.output == "-":
        raise QuestionError("append extends a file, so ARCHIVE cannot be '-'")
    if local_path(args.output) is None:
        reason = "an object of a store cannot grow: 'merge' it with the new boards to another"
        raise QuestionError(f"{shown_path(args.output)}: {reason}")
    refuse_same_file(args.files, args.output)
    problems = Problems(strict=args.strict)
    with open_input_archive(args.output) as archive:
        space = archive.space
    whole_space = space if isinstance(space, ArchiveSpace) else space_of(space)
    packed = PackedFiles(args, problems, whole_space)
    boards = append_archive(packed.items(args.files), args.output)
    summarise(args, boards, problems, packed.without_cards)
    return problems.exit_code
