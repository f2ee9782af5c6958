"""Rows of parts, as values and as JSON; what others wrote is checked before it is used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from pavcodec.collection.plan import Part, Plan
from pavcodec.errors import PavError, ReadError

__all__ = [
    "MANIFEST",
    "PLAN",
    "ROWS",
    "Row",
    "digest_of",
    "json_bytes",
    "parse_json",
    "row_name",
    "row_of",
]

PLAN, MANIFEST, ROWS = "plan.json", "manifest.json", "rows/"
"""The names of the files beside the parts, and of the folder of their rows."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
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


def json_bytes(value: object) -> bytes:
    """Return a value as JSON for people: indented, with an end of line."""
    return f"{json.dumps(value, indent=2, ensure_ascii=False)}\n".encode()


def parse_json(data: bytes, source: str) -> dict[str, Any]:
    """Return the object of a JSON file; raise `ReadError` for anything else.

    >>> parse_json(b'[1]', "plan.json")
    Traceback (most recent call last):
    ...
    pavcodec.errors.ReadError: plan.json: expected an object of JSON, not list
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{source}: this is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ReadError(f"{source}: expected an object of JSON, not {type(found).__name__}")
    return found


def row_name(part: Part) -> str:
    """Return the name of the file with the row of a part.

    >>> row_name(Part(7, 0, 10, "part-000007.pbn.zst"))
    'rows/part-000007.json'
    """
    return f"{ROWS}{part.name.partition('.')[0]}.json"


def row_of(found: object, plan: Plan, source: str) -> Row:
    """Return a row of JSON; raise `ReadError` if it is none of the plan."""
    if not isinstance(found, dict) or not set(_KEYS) <= set(found):
        raise ReadError(f"{source}: a row has {', '.join(_KEYS)}")
    for key in ("part", "start", "count", "rows", "bytes"):
        value = found[key]
        if type(value) is not int or value < 0:
            raise ReadError(f"{source}: {key} is a number from 0 on, not {value!r:.60}")
    if not isinstance(found["sha256"], str) or not _SHA256.fullmatch(found["sha256"]):
        raise ReadError(f"{source}: sha256 has 64 hexadecimal digits, not {found['sha256']!r:.80}")
    if found["part"] >= len(plan):
        raise ReadError(f"{source}: the plan has {len(plan)} parts, and no part {found['part']}")
    part = plan[found["part"]]
    for key in ("name", "start", "count"):
        if found[key] != getattr(part, key):
            wanted = getattr(part, key)
            raise ReadError(f"{source}: {key} is {wanted!r} by the plan, not {found[key]!r:.60}")
    facts = {key: value for key, value in found.items() if key not in _KEYS}
    return Row(**{key: found[key] for key in _KEYS}, facts=facts)


def digest_of(rows: Iterable[Row]) -> str:
    """Return the SHA-256 of what `sha256sum part-*` prints for all parts, in their order."""
    digest = sha256()
    for row in rows:
        digest.update(f"{row.sha256}  {row.name}\n".encode())
    return digest.hexdigest()


def row_from(data: bytes, plan: Plan, part: Part, source: str) -> Row:
    """Return the row of a part by its file; raise `ReadError` if the file is damaged."""
    row = row_of(parse_json(data, source), plan, source)
    if row.part != part.index:
        raise PavError(f"{source}: this is the row of part {row.part}, not {part.index}")
    return row
