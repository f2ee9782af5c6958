"""Verify whether archives, sets of files and collections are whole; repair archives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import MISSING, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pavcodec.chances.figures import many
from pavcodec.errors import ReadError
from pavcodec.files.paths import is_url, shown_path
from pavcodec.formats import format_of
from pavcodec.learning.cards import SUFFIX
from pavcodec.questions.asking import (
    Answer,
    Question,
    as_in,
    ask,
    function_of,
    progress,
    working,
)
from pavcodec.questions.inputs import Problems
from pavcodec.questions.outputs import Out, Output, refuse_suffix
from pavcodec.questions.workers import Workers, engine_from

if TYPE_CHECKING:
    from pavcodec.archive import Repair as Saved
    from pavcodec.collection.run import Check

_ARCHIVES = ".pav"
_MOST_SHOWN = 10
"""The ranges of missing parts that a line has."""

Checked = tuple[dict[str, Any], str]
"""What JSON has of a file, and what the text says of it if it is whole."""


@dataclass(frozen=True)
class VerifyFiles(Question):
    """Check archives for damage."""

    name: ClassVar[str] = "verify"
    indent: ClassVar[int | None] = 2
    examples: ClassVar[str] = """\
  pavcodec verify event.pav
  pavcodec verify --json *.pav
  pavcodec verify set.card.json
  pavcodec verify sets/
  pavcodec verify strong/ s3://bucket/strong"""
    details: ClassVar[str] = """\
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

    files: tuple[str, ...] = ask(
        "archives, data cards and folders", flag="", metavar="FILE", local=True
    )
    workers: int | None = as_in(Workers, "workers")
    scheduler: str | None = as_in(Workers, "scheduler")

    keys: ClassVar[dict[str, str]] = {
        "file": "the name of the file or the folder",
        "is_whole": "whether nothing is wrong with it",
        "problems": "what is wrong with it",
        "damages": "the damages of an archive, each with its byte and the reason",
        "boards": "the number of boards of an archive",
        "bytes": "its size",
        "deals": "the number of deals of a data card; further keys are those of the card",
        "parts": "the number of parts of a collection; further keys describe them",
    }

    def find(self) -> Verified:
        """Check each file, and tell what is wrong with it."""
        problems = Problems()
        checked = [self._checked(path, problems) for path in _paths(self.files, problems)]
        return Verified(checked, is_fault=problems.count > 0)

    def _checked(self, path: str, problems: Problems) -> Checked:
        """Check a file or a folder; what cannot be read is a problem of it."""
        shown = shown_path(path)
        try:
            if _is_in_parts(path):
                return self._check_parts(path, shown, problems)
            return (_check_card if path.endswith(SUFFIX) else _check_archive)(path, problems)
        except ReadError as error:
            reason = str(error).removeprefix(f"{shown.rstrip('/')}").lstrip("/: ")
        except OSError as error:
            if error.errno is None:  # of the workers, and not of the file
                raise
            reason = f"cannot be read: {error.strerror}"
        problems.report(shown, None, reason)
        return {"file": shown, "is_whole": False, "problems": [reason]}, ""

    def _check_parts(self, path: str, shown: str, problems: Problems) -> Checked:
        """Check all parts of a collection."""
        from pavcodec.collection.run import check
        from pavcodec.collection.stored import open_collection

        opened = open_collection(path)
        total = len(opened)
        watching = progress(None, shown, "parts", total=total)
        with watching.shown():
            found = check(path, engine_from(self), on_row=lambda _: watching.add())
        for name, reason in _faults_of_parts(found, shown):
            problems.report(opened.storage.shown(name) if name else shown, None, reason)
        rows = found.rows
        what = f"{many(total, 'part')}, {many(rows.rows, 'board')}, {many(rows.bytes, 'byte')}"
        return {"file": shown, **found.to_dict()}, f"complete, {what}"


def _paths(names: tuple[str, ...], problems: Problems) -> Iterator[str]:
    """Yield the files; for a folder, those in it that can be checked."""
    for name in names:
        if not os.path.isdir(name) or _is_in_parts(name):
            yield name
            continue
        inside = [each for each in sorted(os.listdir(name)) if each.endswith((_ARCHIVES, SUFFIX))]
        if not inside:
            what = f"no archives ({_ARCHIVES}) and no data cards ({SUFFIX})"
            reason = f"this folder has {what}, and no plan.json of a collection"
            problems.report(name, None, reason)
        yield from (os.path.join(name, each) for each in inside)


def _is_in_parts(path: str) -> bool:
    """Return whether a path or a URL is a folder with the plan of a collection."""
    if not (is_url(path) or os.path.isdir(path)):
        return False
    from pavcodec.collection.stored import is_collection

    return is_collection(path)


def _faults_of_parts(found: Check, shown: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a collection, each with the name of its part, or "" for all."""
    from pavcodec.collection.manifest import MANIFEST
    from pavcodec.collection.run import shown_ranges

    yield from found.damaged
    yield from ((name, "is no part of the plan") for name in found.foreign)
    if found.manifest:
        yield "", found.manifest.removeprefix(f"{shown.rstrip('/')}/")
    total = many(len(found.rows.plan), "part")
    for indexes, what in ((found.missing, "missing"), (found.unrecorded, "there without a row")):
        if indexes:
            which = shown_ranges(indexes.ranges[:_MOST_SHOWN])
            more = ", and more" if len(indexes.ranges) > _MOST_SHOWN else ""
            are = "is" if len(indexes) == 1 else "are"
            yield "", f"{len(indexes):,} of {total} {are} {what}: {which}{more}"
    if found.rows.is_complete and not found.has_manifest:
        yield "", f"all parts are there, and no {MANIFEST}: make the collection again to write it"


def _check_card(path: str, problems: Problems) -> Checked:
    """Check the files of a data card."""
    from pavcodec.learning.card_writing import check_card

    with working(path):
        found = check_card(path)
    for reason in found.problems:
        problems.report(path, None, reason)
    card = found.card
    deals = sum(each.deals for each in card.files)
    compared = f"none in two files{f' up to {card.apart}' if card.apart else ''}"
    if len(found.compared) < len(card.files):
        compared = "not compared, because the files do not determine them"
    row: dict[str, Any] = {"file": path, "is_whole": found.is_right}
    row |= {"problems": list(found.problems)} if found.problems else {}
    what = f"{many(len(card.files), 'file')}, {many(deals, 'deal')}, {compared}"
    return row | {"deals": deals, "apart": card.apart}, f"as the card says, {what}"


def _check_archive(path: str, problems: Problems) -> Checked:
    """Check the blocks of an archive."""
    from pavcodec.archive import open_archive, verify_archive

    with working(path):
        damages = verify_archive(path)
    for damage in damages:
        reason = f"at byte {damage.offset}: {damage.reason}"
        if damage.reason.startswith("this is no archive") and not path.endswith(_ARCHIVES):
            reason = f"verify checks archives ({_ARCHIVES}) and data cards ({SUFFIX}); {reason}"
            if os.path.basename(path) in ("plan.json", "manifest.json"):
                reason = "name the folder of a collection, and not a file in it"
        problems.report(path, None, reason)
    if damages:
        places = [{"byte": each.offset, "reason": each.reason} for each in damages]
        return {"file": path, "is_whole": False, "damages": places}, ""
    with open_archive(path) as archive:
        boards, size = len(archive), archive.size
    row = {"file": path, "is_whole": True, "boards": boards, "bytes": size}
    return row, f"whole, {many(boards, 'board')}"


verify = function_of(VerifyFiles)


@dataclass
class Verified(Answer):
    """The result for each file or folder."""

    files: list[Checked]
    is_fault: bool = False

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the results for JSON."""
        return [row for row, _ in self.files]

    def lines(self) -> Iterator[str]:
        """Yield a line for each whole file."""
        for row, what in self.files:
            if row["is_whole"]:
                yield f"{row['file']}: {what}"


@dataclass(frozen=True)
class Repair(Output):
    """Save the undamaged part of an archive."""

    name: ClassVar[str] = "repair"
    examples: ClassVar[str] = "  pavcodec repair damaged.pav -o saved.pav"
    details: ClassVar[str] = """\
repair saves every undamaged block, also after damage, and prints a line for each damaged one. The
exit code is 1 if there is damage. repair does not change the damaged archive."""

    archive: str = ask("the damaged archive", flag="", metavar="ARCHIVE", local=True)
    output: str = as_in(Output, "output", help="the archive to write", default=MISSING)

    keys: ClassVar[dict[str, str]] = {
        "boards": "the number of saved boards",
        "damages": "the damages, each with its byte and the reason",
    }

    def find(self) -> Repaired:
        """Save the undamaged blocks."""
        from pavcodec.archive import repair_archive

        target = format_of("pav")
        refuse_suffix(self.output, target)
        Out(self.output, target, inputs=[self.archive], force=self.force)
        problems = Problems()
        with working(self.archive):
            found = repair_archive(self.archive, self.output)
        for damage in found.damages:
            problems.report(self.archive, None, f"at byte {damage.offset}: {damage.reason}")
        return Repaired(self.output, found, is_fault=bool(found.damages))


repair = function_of(Repair)


@dataclass
class Repaired(Answer):
    """A new archive of the undamaged blocks of another."""

    path: str
    found: Saved
    is_fault: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the boards and the damages for JSON."""
        damages = [{"byte": each.offset, "reason": each.reason} for each in self.found.damages]
        return {"boards": self.found.boards, "damages": damages}

    def lines(self) -> Iterator[str]:
        """Yield the number of saved boards."""
        yield f"{self.path}: {many(self.found.boards, 'board')} saved"
