"""Collections in folders: the plan, the rows and the manifest as files, read as hostile input.

Rule 1: `plan.json` never changes. It is the first file of a folder.
Rule 2: `rows/` has the row of each part that is made, until `manifest.json` has all of them.
Rule 3: no file has a time, the name of a machine or a path, so the same parts have the same
        manifest, whoever writes it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, BinaryIO

from pavcodec.collection.manifest import (
    MANIFEST,
    PLAN,
    ROWS,
    Row,
    Rows,
    digest_of,
    json_bytes,
    json_line,
    parse_json,
    row_name,
    row_of,
)
from pavcodec.collection.plan import KIND, MOST_PARTS, VERSION, Part, Plan, Ranges, difference
from pavcodec.errors import PavError, ReadError
from pavcodec.files.stores import Storage, storage_of

_SUFFIX = re.compile(r"(\.[A-Za-z0-9][A-Za-z0-9-]*){1,3}")
_LIST = b'"parts": ['
"""The line of a manifest before its rows."""


@dataclass(frozen=True)
class _Described:
    """What a stored plan says about its parts; it makes none."""

    suffix: str
    description: Mapping[str, object]

    def describe(self) -> dict[str, object]:
        return dict(self.description)

    def prepare(self) -> None:
        """Do nothing."""

    def write(self, part: Part, stream: BinaryIO) -> dict[str, object]:  # noqa: ARG002 (protocol)
        raise PavError(f"{part.name}: a plan in a folder is a description and makes no part")


def _plan_of(fields: Mapping[str, Any], source: str) -> Plan:
    """Return the plan that `plan.json` has; raise `ReadError` for another content."""
    kind, version = fields.get("kind"), fields.get("version")
    if kind != KIND:
        raise ReadError(f"{source}: this is no plan of a collection: its kind is {kind!r:.60}")
    if version != VERSION:
        raise ReadError(f"{source}: expected version {VERSION} of the format, not {version!r:.60}")
    parts, suffix = fields.get("parts"), fields.get("suffix")
    if type(parts) is not int or not 1 <= parts <= MOST_PARTS:
        raise ReadError(f"{source}: parts is a number from 1 to {MOST_PARTS:,}, not {parts!r:.60}")
    if not isinstance(suffix, str) or not _SUFFIX.fullmatch(suffix):
        raise ReadError(f"{source}: suffix is that of a file, such as '.pav', not {suffix!r:.60}")
    for key in ("ranges", "making", "versions"):
        if not isinstance(fields.get(key), dict):
            raise ReadError(f"{source}: {key} is an object, not {fields.get(key)!r:.60}")
    if not all(isinstance(each, str) for each in fields["versions"].values()):
        raise ReadError(f"{source}: versions are texts")
    ranges = _ranges_of(fields["ranges"], parts, source)
    return Plan(_Described(suffix, fields["making"]), ranges, fields["versions"])


def _ranges_of(fields: dict[str, Any], parts: int, source: str) -> Ranges:
    if set(fields) != {"start", "count"}:
        raise ReadError(f"{source}: ranges have start and count, not {', '.join(fields):.60}")
    for key, value in fields.items():
        if type(value) is not int or not 0 <= value < 1 << 65:
            raise ReadError(f"{source}: {key} is a number from 0 on, not {value!r:.60}")
    return Ranges(fields["start"], fields["count"], parts)


def continues(plan: Plan, storage: Storage) -> None:
    """Store a plan in a folder, or check that the folder has this plan.

    Raises `PavError` for a folder with another collection, and with other files but no plan.
    """
    if not storage.exists(PLAN):
        names = storage.names()
        if names and PLAN not in names:  # with it, another process was first
            raise PavError(
                f"{storage}: the folder has other files, such as {names[0]}, and no {PLAN}: use "
                "a new folder"
            )
        with suppress(FileExistsError):
            storage.create(PLAN, json_bytes(plan.description))
    check_stored(plan, storage)  # also a new one: not all stores see that another came first


def check_stored(plan: Plan, storage: Storage) -> None:
    """Raise `PavError` unless the plan of a folder is this plan."""
    source = storage.shown(PLAN)
    stored = parse_json(storage.read(PLAN), source)
    _plan_of(stored, source)
    other = difference(plan.description, stored)
    if other:
        raise PavError(f"{source}: this folder has another collection: {other}; use another folder")


def _manifest_lines(rows: Rows) -> Iterator[bytes]:
    """Yield the manifest of a complete collection, some lines at a time."""
    head = {
        "plan": rows.plan.description,
        "rows": rows.rows,
        "bytes": rows.bytes,
        "sha256": digest_of(rows),
    }
    yield json_bytes(head)[: -len("\n}\n")]
    yield b',\n  "parts": [\n'
    before = b"    "
    for row in rows:
        yield before + json_line(row.to_dict())
        before = b",\n    "
    yield b"\n  ]\n}\n"


def put_manifest(rows: Rows, storage: Storage) -> None:
    """Write the manifest of a complete collection if the folder has no equal one."""
    with suppress(FileNotFoundError), storage.open(MANIFEST) as stream:
        is_equal = all(stream.read(len(some)) == some for some in _manifest_lines(rows))
        if is_equal and not stream.read(1):
            return
    with storage.put(MANIFEST) as stream:
        for line in _manifest_lines(rows):
            stream.write(line)


def stored_rows(plan: Plan, storage: Storage) -> Rows | None:
    """Return the rows of the manifest of a folder; None without one.

    Raises `ReadError` for a manifest that is damaged, or that belongs to another plan.
    """
    source = storage.shown(MANIFEST)
    rows = Rows(plan)
    try:
        with storage.open(MANIFEST) as stream:
            head = _head_of_manifest(stream, source)
            listed = 0
            for each in head["parts"] or _listed_rows(stream, source):
                rows.add(row_of(each, plan, source))
                listed += 1
    except FileNotFoundError:
        return None
    other = difference(plan.description, head["plan"])
    if other:
        raise ReadError(f"{source}: it belongs to another collection: {other}")
    if listed != len(plan) or not rows.is_complete:
        raise ReadError(f"{source}: it has {rows.made:,} of {len(plan):,} parts")
    wanted = {"rows": rows.rows, "bytes": rows.bytes, "sha256": digest_of(rows)}
    for key, value in wanted.items():
        if head.get(key) != value:
            raise ReadError(f"{source}: its {key} is not that of its parts")
    return rows


def _head_of_manifest(stream: BinaryIO, source: str) -> dict[str, Any]:
    """Return a manifest up to its list of parts, whose rows are left in the stream.

    A manifest with another arrangement of lines is read as a whole.
    """
    lines: list[bytes] = []
    while (line := stream.readline()) and line.strip() != _LIST:
        lines.append(line)
    begin = stream.tell()
    if stream.readline().strip().startswith(b'{"'):
        stream.seek(begin)
        head = parse_json(b"".join([*lines, b'"parts": []}']), source)
    else:
        stream.seek(0)
        head = parse_json(stream.read(), source)
        if not head.get("parts"):
            raise ReadError(f"{source}: a manifest has a list of parts")
    if not isinstance(head.get("plan"), dict) or not isinstance(head["parts"], list):
        raise ReadError(f"{source}: a manifest has a plan and a list of parts")
    return head


def _listed_rows(stream: BinaryIO, source: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a manifest, one in each line, so that all of them are never in memory."""
    for line in stream:
        text = line.strip()
        if text == b"]":
            if b"".join(stream.read().split()) != b"}":
                raise ReadError(f"{source}: this is no JSON: the list of parts ends the manifest")
            return
        yield parse_json(text.removesuffix(b","), source)
    raise ReadError(f"{source}: the list of parts has no end")


@dataclass(frozen=True)
class OpenedCollection:
    """A collection in a folder; `open_collection` returns it.

    `plan` is the plan of the folder as a description: it has the number and the names of the parts,
    and `plan.description` is the content of `plan.json`.
    """

    folder: str
    plan: Plan
    storage: Storage = field(repr=False)

    def __len__(self) -> int:
        return len(self.plan)

    @cached_property
    def rows(self) -> Rows:
        """The rows of the parts that are made, by the manifest, or else by the files of rows."""
        rows = stored_rows(self.plan, self.storage)
        if rows is not None:
            return rows
        try:
            return self._rows_of_files()
        except FileNotFoundError:  # a run has completed the folder since
            rows = stored_rows(self.plan, self.storage)
            if rows is None:
                raise
            return rows

    def _rows_of_files(self) -> Rows:
        """Return the rows that have files."""
        rows = Rows(self.plan)
        names = set(self.storage.names(ROWS))
        for index in range(len(self.plan)) if names else ():
            if row_name(self.plan[index]) in names:
                rows.add(read_row(self.plan, self.storage, index))
        return rows

    @property
    def is_complete(self) -> bool:
        """Whether the folder has a manifest with all parts; the parts are not read."""
        return self.storage.exists(MANIFEST) and self.rows.is_complete

    @property
    def description(self) -> dict[str, object]:
        """The plan as `plan.json` has it."""
        return self.plan.description

    @property
    def sha256(self) -> str:
        """The SHA-256 of what `sha256sum part-*` prints; raise `PavError` if parts are missing."""
        if not self.rows.is_complete:
            missing = len(self.plan) - self.rows.made
            raise PavError(f"{self.storage}: {missing:,} of {len(self.plan):,} parts are missing")
        return digest_of(self.rows)


def read_row(plan: Plan, storage: Storage, index: int) -> Row:
    """Return the row of a part; raise `FileNotFoundError` without one, `ReadError` if damaged."""
    name = row_name(plan[index])
    source = storage.shown(name)
    row = row_of(parse_json(storage.read(name), source), plan, source)
    if row.part != index:
        raise ReadError(f"{source}: this is the row of part {row.part}, not {index}")
    return row


def is_collection(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder or a URL has the plan of a collection.

    >>> is_collection("no-such-folder")
    False
    """
    return storage_of(folder).exists(PLAN)


def open_collection(folder: str | os.PathLike[str]) -> OpenedCollection:
    """Open a collection in a folder or at a URL; raise `ReadError` if the folder has no plan.

    >>> import pavcodec as pav, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pav.parts("hcp(south) == 20", 10, parts=2, seed=7).make(folder, workers=1)
    ...     found = open_collection(folder)
    ...     print(len(found), found.is_complete, [row.rows for row in found.rows])
    2 True [5, 5]
    """
    storage = storage_of(folder)
    try:
        data = storage.read(PLAN)
    except FileNotFoundError:
        raise ReadError(f"{storage}: this folder has no {PLAN}, so it is no collection") from None
    source = storage.shown(PLAN)
    return OpenedCollection(os.fspath(folder), _plan_of(parse_json(data, source), source), storage)
