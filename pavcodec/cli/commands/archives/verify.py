"""`pavcodec verify`: check archives, sets of files with a data card, and collections in parts."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pavcodec.chances.figures import many
from pavcodec.cli.asking import add_fields
from pavcodec.cli.output.progress import ProgressBar, waiting
from pavcodec.cli.output.streams import add_common
from pavcodec.cli.parsers import describe
from pavcodec.errors import ReadError
from pavcodec.files.paths import is_url, shown_path
from pavcodec.learning.cards import SUFFIX
from pavcodec.questions.inputs import Problems
from pavcodec.questions.workers import Workers, engine_from

if TYPE_CHECKING:
    from pavcodec.collection.run import Check
    from pavcodec.files.stores import Storage


# The collections in parts that `pavcodec verify` checks.


_MOST_SHOWN = 10
"""The ranges of missing parts that a line has."""


def is_folder_in_parts(path: str) -> bool:
    """Return whether a path or a URL is a folder with the plan of a collection."""
    if path == "-" or not (is_url(path) or os.path.isdir(path)):
        return False
    from pavcodec.collection.stored import is_collection

    return is_collection(path)


def collection_row(args: argparse.Namespace, path: str, problems: Problems) -> dict[str, object]:
    """Check a collection, and return the row of JSON."""
    from pavcodec.collection.run import check
    from pavcodec.collection.stored import open_collection

    shown = shown_path(path)
    try:
        opened = open_collection(path)
        total, storage = len(opened), opened.storage
        progress = ProgressBar(None, shown, "parts", output="", total=total)
        with progress.shown():
            result = check(path, engine_from(args), on_row=lambda _: progress.add())
    except ReadError as error:
        problems.report(shown, None, str(error).removeprefix(f"{shown.rstrip('/')}/"))
        return {"file": shown, "is_whole": False, "problems": [str(error)]}
    except OSError as error:
        if error.errno is None:  # of the workers, and not of the folder
            raise
        reason = f"cannot be read: {error.strerror or error}"
        problems.report(shown, None, reason)
        return {"file": shown, "is_whole": False, "problems": [reason]}
    _report(result, storage, problems, shown)
    rows = result.rows
    if result.is_complete and not args.json:
        deals = many(rows.rows, "board")
        size = many(rows.bytes, "byte")
        print(f"{shown}: complete, {many(total, 'part')}, {deals}, {size}")
    return {"file": shown, **result.to_dict()}


def _report(result: Check, storage: Storage, problems: Problems, shown: str) -> None:
    """Report what is wrong with a collection."""
    from pavcodec.collection.manifest import MANIFEST
    from pavcodec.collection.run import shown_ranges

    for name, reason in result.damaged:
        problems.report(storage.shown(name), None, reason)
    for name in result.foreign:
        problems.report(storage.shown(name), None, "is no part of the plan")
    if result.manifest:
        problems.report(shown, None, result.manifest.removeprefix(f"{shown.rstrip('/')}/"))
    total = len(result.rows.plan)
    for indexes, what in ((result.missing, "missing"), (result.unrecorded, "there without a row")):
        if indexes:
            which = shown_ranges(indexes.ranges[:_MOST_SHOWN])
            more = ", and more" if len(indexes.ranges) > _MOST_SHOWN else ""
            are = "is" if len(indexes) == 1 else "are"
            reason = f"{len(indexes):,} of {many(total, 'part')} {are} {what}: {which}{more}"
            problems.report(shown, None, reason)
    if result.rows.is_complete and not result.has_manifest:
        reason = f"all parts are there, and no {MANIFEST}: make the collection again to write it"
        problems.report(shown, None, reason)


_ARCHIVES = ".pav"
_EXAMPLES = """\
  pavcodec verify event.pav
  pavcodec verify --json *.pav
  pavcodec verify set.card.json
  pavcodec verify sets/
  pavcodec verify strong/ s3://bucket/strong"""

_DETAILS = """\
verify reads every byte, checks the checksum and the content of every block, and compares the blocks
with the index. The exit code is 1 if it finds damage; 'pavcodec repair' saves the undamaged
blocks.

For a data card, which 'pavcodec deal --split' writes, verify compares the size, the SHA-256 and the
number of deals of each file beside it, and checks that no deal is in two files.

For the folder or the URL of a collection in parts, which 'pavcodec deal --parts' writes, verify
reads all parts and compares their sizes and SHA-256 with the manifest, or with the rows of a
collection that is not complete; it lists the parts that are missing.

For another folder, verify checks the archives and the data cards in it, but not in folders
below."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("files", nargs="+", metavar="FILE", help="archives, data cards and folders")
    add_fields(parser, Workers, "workers", "scheduler")
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Check each archive and each data card."""
    from pavcodec.archive import open_archive, verify_archive

    problems = Problems()
    rows: list[dict[str, object]] = []
    for path in _paths(args.files, problems):
        if is_folder_in_parts(path):
            rows.append(collection_row(args, path, problems))
            continue
        if path.endswith(SUFFIX):
            rows.append(_card_row(path, problems, is_json=args.json))
            continue
        try:
            with waiting(path):
                damages = verify_archive(path)
        except OSError as error:
            problems.report(path, None, f"cannot be read: {error.strerror}")
            continue
        for damage in damages:
            reason = f"at byte {damage.offset}: {damage.reason}"
            if damage.reason.startswith("this is no archive") and not path.endswith(_ARCHIVES):
                reason = f"verify checks archives ({_ARCHIVES}) and data cards ({SUFFIX}); {reason}"
                if os.path.basename(path) in ("plan.json", "manifest.json"):
                    reason = "name the folder of a collection, and not a file in it"
            problems.report(path, None, reason)
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


def _paths(names: list[str], problems: Problems) -> Iterator[str]:
    """Yield the files; for a folder, those in it that can be checked."""
    for name in names:
        if not os.path.isdir(name) or is_folder_in_parts(name):
            yield name
            continue
        inside = [each for each in sorted(os.listdir(name)) if each.endswith((_ARCHIVES, SUFFIX))]
        if not inside:
            what = f"no archives ({_ARCHIVES}) and no data cards ({SUFFIX})"
            reason = f"this folder has {what}, and no plan.json of a collection"
            problems.report(name, None, reason)
        yield from (os.path.join(name, each) for each in inside)


def _card_row(path: str, problems: Problems, *, is_json: bool) -> dict[str, object]:
    """Check the files of a data card, and return the row of JSON."""
    from pavcodec.learning.card_writing import check_card

    try:
        with waiting(path):
            result = check_card(path)
    except OSError as error:
        problems.report(path, None, f"cannot be read: {error.strerror}")
        return {"file": path, "is_whole": False}
    except ReadError as error:
        reason = str(error).removeprefix(f"{path}: ")
        problems.report(path, None, reason)
        return {"file": path, "is_whole": False, "problems": [reason]}
    for reason in result.problems:
        problems.report(path, None, reason)
    deals = sum(each.deals for each in result.card.files)
    if result.is_right and not is_json:
        files = many(len(result.card.files), "file")
        compared = f"none in two files{f' up to {result.card.apart}' if result.card.apart else ''}"
        if len(result.compared) < len(result.card.files):
            compared = "not compared, because the files do not determine them"
        print(f"{path}: as the card says, {files}, {many(deals, 'deal')}, {compared}")
    row: dict[str, object] = {"file": path, "is_whole": result.is_right}
    if result.problems:
        row["problems"] = list(result.problems)
    return row | {"deals": deals, "apart": result.card.apart}
