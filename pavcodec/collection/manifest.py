"""The facts of parts: rows as values, many rows in little memory, and rows as JSON.

What others wrote is checked before it is used: a row names its own part, as the plan has it.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from struct import Struct
from typing import Any, BinaryIO, SupportsIndex, cast

from pavcodec.collection.plan import Part, Plan
from pavcodec.errors import ReadError
from pavcodec.files.stores import storage_of
from pavcodec.limits import threads_limited

PLAN, MANIFEST, ROWS = "plan.json", "manifest.json", "rows/"
"""The names of the files beside the parts, and of the folder of their rows."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_NO_CHARACTER = re.compile("[\ud800-\udfff]")
_SMALL, _MOST = ("rows", "bytes"), 1 << 64
"""The numbers of a row that are below a limit, and the limit."""
_PACKED = Struct("<?QQ32s")
"""Whether a part is made, its boards and bytes, and its SHA-256."""
_KEYS = ("part", "name", "start", "count", "rows", "bytes", "sha256")


@dataclass(frozen=True, slots=True)
class Row:
    """The facts of a part that is made: its range, the boards in it, and the bytes of its file."""

    part: int
    name: str
    start: int
    count: int
    rows: int
    bytes: int
    sha256: str
    facts: Mapping[str, object] = field(default_factory=dict)
    """More facts for JSON, such as `least` and `greatest`, the deal numbers of a sorted part."""

    def to_dict(self) -> dict[str, object]:
        """Return the row for JSON."""
        return {**{key: getattr(self, key) for key in _KEYS}, **self.facts}


class Rows:
    """The rows of the parts of a plan that are made, with 49 bytes for each part."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.made = self.rows = self.bytes = 0
        """The number of parts that are made, and of the boards and the bytes in all of them."""
        self._packed = bytearray()
        self._facts: dict[int, dict[str, object]] = {}

    def add(self, row: Row) -> None:
        """Add a row, or replace that of the same part."""
        before = self.get(row.part)
        self.made += before is None
        self.rows += row.rows - (before.rows if before else 0)
        self.bytes += row.bytes - (before.bytes if before else 0)
        begin = _PACKED.size * row.part
        self._packed.extend(bytes(max(0, begin + _PACKED.size - len(self._packed))))
        digest = bytes.fromhex(row.sha256)
        _PACKED.pack_into(self._packed, begin, True, row.rows, row.bytes, digest)
        self._facts.pop(row.part, None)
        if row.facts:
            self._facts[row.part] = dict(row.facts)

    def get(self, index: int) -> Row | None:
        """Return the row of a part; None if it is not made."""
        begin = _PACKED.size * index
        if not (0 <= begin < len(self._packed) and self._packed[begin]):
            return None
        _, rows, size, digest = _PACKED.unpack_from(self._packed, begin)
        part, facts = self.plan[index], self._facts.get(index, {})
        return Row(index, part.name, part.start, part.count, rows, size, digest.hex(), facts)

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows of the parts that are made, in order."""
        for begin in range(0, len(self._packed), _PACKED.size):
            row = self.get(begin // _PACKED.size)
            if row is not None:
                yield row

    def __len__(self) -> int:
        return self.made

    def __getitem__(self, index: SupportsIndex) -> Row:
        row = self.get(self.plan[index].index)
        if row is None:
            raise IndexError(f"part {index!r} is not made")
        return row

    @property
    def is_complete(self) -> bool:
        """Whether all parts of the plan are made."""
        return self.made == len(self.plan)

    def missing(self) -> Iterator[range]:
        """Yield the parts that are not made, as ranges."""
        made = bytes(self._packed[:: _PACKED.size]).ljust(len(self.plan), b"\0")
        return (range(*some.span()) for some in re.finditer(rb"\0+", made))


def json_bytes(value: object) -> bytes:
    """Return a value as JSON for people: indented, with an end of line."""
    return json_line(value, indent=2) + b"\n"


def json_line(value: object, *, indent: int | None = None) -> bytes:
    r"""Return a value as JSON in UTF-8; what UTF-8 does not have stays an escape.

    Names of files and options that are not UTF-8 have such characters.

    >>> json_line({"title": "é", "script": "\udcff"})
    b'{"title": "\xc3\xa9", "script": "\\udcff"}'
    """
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return _NO_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()


def parse_json(data: bytes, source: str) -> dict[str, Any]:
    """Return the object of a JSON file; raise `ReadError` for anything else.

    >>> parse_json(b'[1]', "plan.json")
    Traceback (most recent call last):
    ...
    pavcodec.errors.ReadError: plan.json: expected an object of JSON, not list
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{source}: this is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise ReadError(f"{source}: expected an object of JSON, not {type(value).__name__}")
    return value


def row_name(part: Part) -> str:
    """Return the name of the file with the row of a part.

    >>> row_name(Part(7, 0, 10, "part-000007.pbn.zst"))
    'rows/part-000007.json'
    """
    return f"{ROWS}{part.name.partition('.')[0]}.json"


def row_of(fields: object, plan: Plan, source: str) -> Row:
    """Return a row of JSON; raise `ReadError` if it is none of the plan."""
    if not isinstance(fields, dict) or not set(_KEYS) <= set(fields):
        raise ReadError(f"{source}: a row has {', '.join(_KEYS)}")
    for key in ("part", "start", "count", "rows", "bytes"):
        value = fields[key]
        if type(value) is not int or value < 0 or (key in _SMALL and value >= _MOST):
            raise ReadError(f"{source}: {key} is a number from 0 on, not {value!r:.60}")
    if not isinstance(fields["sha256"], str) or not _SHA256.fullmatch(fields["sha256"]):
        raise ReadError(f"{source}: sha256 has 64 hexadecimal digits, not {fields['sha256']!r:.80}")
    if fields["part"] >= len(plan):
        raise ReadError(f"{source}: the plan has {len(plan)} parts, and no part {fields['part']}")
    part = plan[fields["part"]]
    for key in ("name", "start", "count"):
        if fields[key] != getattr(part, key):
            wanted = getattr(part, key)
            raise ReadError(f"{source}: {key} is {wanted!r} by the plan, not {fields[key]!r:.60}")
    facts = {key: value for key, value in fields.items() if key not in _KEYS}
    return Row(**{key: fields[key] for key in _KEYS}, facts=facts)


def digest_of(rows: Iterable[Row]) -> str:
    """Return the SHA-256 of what `sha256sum part-*` prints for all parts, in their order."""
    digest = sha256()
    for row in rows:
        digest.update(f"{row.sha256}  {row.name}\n".encode())
    return digest.hexdigest()


# Make one part: a function of the plan and an index that runs on any machine.


class Measured(io.RawIOBase):
    """A stream for writing that counts and hashes its bytes; writers cannot go back in it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = sha256()
        self.size = 0

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes so far."""
        return self._digest.hexdigest()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Write bytes."""
        self._stream.write(data)
        self._digest.update(data)
        size = memoryview(data).nbytes
        self.size += size
        return size


def make_part(plan: Plan, index: int, folder: str | os.PathLike[str]) -> Row:
    """Write the file of a part to a folder, then its row; return the row.

    One thread makes the part. Both files are complete or absent. Nothing else is read or written,
    so parts can be made in any order, on any machine, more than once. Raises `PavError` for
    versions other than those of the plan.
    """
    plan.check_versions()
    storage, part = storage_of(folder), plan[index]
    with storage.put(part.name) as stream:
        measured = Measured(stream)
        with threads_limited(1):
            facts = plan.making.write(part, cast("BinaryIO", measured))
    rows = cast("int", facts.pop("rows"))
    row = Row(
        part.index, part.name, part.start, part.count, rows, measured.size, measured.sha256, facts
    )
    with storage.put(row_name(part)) as stream:
        stream.write(json_bytes(row.to_dict()))
    return row
