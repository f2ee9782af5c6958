"""The collections in parts that `pavcodec verify` checks."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from pavcodec.cli.options.workers import engine_from
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.streams import Problems
from pavcodec.files.storage import is_url
from pavcodec.files.stores.urls import shown_path
from pavcodec.odds.figures import many

if TYPE_CHECKING:
    from pavcodec.collection.check import Check
    from pavcodec.files.storage import Storage

__all__ = ["collection_row", "is_folder_in_parts"]

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
    from pavcodec.collection.check import check
    from pavcodec.collection.stored import open_collection
    from pavcodec.errors import ReadError

    shown = shown_path(path)
    try:
        opened = open_collection(path)
        total, storage = len(opened), opened.storage
        progress = Progress(None, shown, "parts", output="", total=total)
        with progress.shown():
            found = check(path, engine_from(args), on_row=lambda _: progress.add())
    except ReadError as error:
        problems.report(shown, None, str(error).removeprefix(f"{shown.rstrip('/')}/"))
        return {"file": shown, "is_whole": False, "problems": [str(error)]}
    except OSError as error:
        if error.errno is None:  # of the workers, and not of the folder
            raise
        reason = f"cannot be read: {error.strerror or error}"
        problems.report(shown, None, reason)
        return {"file": shown, "is_whole": False, "problems": [reason]}
    _report(found, storage, problems, shown)
    rows = found.rows
    if found.is_complete and not args.json:
        deals = many(rows.rows, "board")
        size = many(rows.bytes, "byte")
        print(f"{shown}: complete, {many(total, 'part')}, {deals}, {size}")
    return {"file": shown, **found.to_dict()}


def _report(found: Check, storage: Storage, problems: Problems, shown: str) -> None:
    """Report what is wrong with a collection."""
    from pavcodec.collection.check import shown_ranges
    from pavcodec.collection.manifest import MANIFEST

    for name, reason in found.damaged:
        problems.report(storage.shown(name), None, reason)
    for name in found.foreign:
        problems.report(storage.shown(name), None, "is no part of the plan")
    if found.manifest:
        problems.report(shown, None, found.manifest.removeprefix(f"{shown.rstrip('/')}/"))
    total = len(found.rows.plan)
    for indexes, what in ((found.missing, "missing"), (found.unrecorded, "there without a row")):
        if indexes:
            which = shown_ranges(indexes.ranges[:_MOST_SHOWN])
            more = ", and more" if len(indexes.ranges) > _MOST_SHOWN else ""
            are = "is" if len(indexes) == 1 else "are"
            reason = f"{len(indexes):,} of {many(total, 'part')} {are} {what}: {which}{more}"
            problems.report(shown, None, reason)
    if found.rows.is_complete and not found.has_manifest:
        reason = f"all parts are there, and no {MANIFEST}: make the collection again to write it"
        problems.report(shown, None, reason)
