"""Plans of collections: values that say what each part is, without making anything.

Rule 1: a part is a function of the plan and of its index, so any machine can make any part.
Rule 2: two runs continue the same folder only if the descriptions of their plans are equal, apart
        from versions that do not change a byte.
Rule 3: nothing in a plan has the size of the collection: ranges are computed, and have a length.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import index as as_integer
from typing import BinaryIO, Protocol, SupportsIndex

from pavcodec._version import __version__
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.files.compressed import split_suffix

__all__ = [
    "DECIDING",
    "KIND",
    "MOST_PARTS",
    "VERSION",
    "Making",
    "Part",
    "Plan",
    "Ranges",
    "check_parts",
    "name_of_part",
    "versions_of",
]

KIND, VERSION = "pavcodec collection", 1
"""The kind and the version of the format of plans, rows and manifests."""
DECIDING = ("pavcodec", "pyarrow", "zlib", "zstd")
"""The packages whose versions change the bytes of parts."""

MOST_PARTS = 10_000_000
"""The most parts of a collection."""

_PACKAGES = ("numpy", "numba")
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a collection: the samples `start` to `start + count - 1`, and one file."""

    index: int
    start: int
    count: int
    name: str

    @property
    def end(self) -> int:
        """The sample after the last one."""
        return self.start + self.count


@dataclass(frozen=True, slots=True)
class Ranges:
    """`count` samples from `start` on, divided evenly among parts in order.

    >>> list(Ranges(100, 10, 3)), len(Ranges(0, 10**12, 10**6))
    ([(100, 3), (103, 3), (106, 4)], 1000000)
    """

    start: int
    count: int
    parts: int

    def __len__(self) -> int:
        return self.parts

    def __getitem__(self, index: int, /) -> tuple[int, int]:
        if not 0 <= index < self.parts:
            raise IndexError(f"there are {self.parts} parts, and no part {index}")
        first = self.count * index // self.parts
        end = self.count * (index + 1) // self.parts
        return self.start + first, end - first

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return (self[index] for index in range(self.parts))

    def describe(self) -> dict[str, object]:
        """Return the ranges for JSON."""
        return {"start": self.start, "count": self.count}


class Making(Protocol):
    """What the files of parts hold; a frozen value that can be pickled."""

    @property
    def suffix(self) -> str:
        """The suffix of the files, such as `.parquet` or `.pbn.zst`."""

    def describe(self) -> dict[str, object]:
        """Return what the parts hold, for JSON; equal descriptions have equal parts."""

    def write(self, part: Part, stream: BinaryIO) -> dict[str, object]:
        """Write the whole file of a part; return `{"rows": n}` and more facts for JSON."""

    def prepare(self) -> None:
        """Load or build models, once in a process; a repeated call is cheap."""


def name_of_part(index: int, parts: int, suffix: str) -> str:
    """Return the name of the file of a part; all names of a collection have the same length.

    >>> name_of_part(7, 1000, ".pbn.zst"), name_of_part(7, 10**7, ".pav")
    ('part-000007.pbn.zst', 'part-0000007.pav')
    """
    digits = max(_DIGITS, len(str(parts - 1)))
    return f"part-{index:0{digits}}{suffix}"


def versions_of(suffix: str) -> dict[str, str]:
    """Return the versions of Python and of the packages that make files with this suffix."""
    from importlib.metadata import version

    found = {"pavcodec": __version__, "python": platform.python_version()}
    found |= {name: version(name) for name in _PACKAGES}
    plain, packed = split_suffix(f"part{suffix}")
    if plain.endswith(".parquet"):
        found["pyarrow"] = version("pyarrow")
    if packed in (".gz", ".zip"):
        from zlib import ZLIB_RUNTIME_VERSION

        found["zlib"] = ZLIB_RUNTIME_VERSION
    if packed == ".zst":
        from pavcodec.files.compressed import zstandard_version

        found["zstd"] = zstandard_version()
    return found


@dataclass(frozen=True)
class Plan:
    """What a collection holds and how it is divided; `plan[k]` is part k, `len(plan)` their number.

    A plan is a value: it can be compared and pickled, and sent to other machines.
    """

    making: Making
    ranges: Ranges
    versions: dict[str, str] = field(default_factory=dict, compare=False)
    """The versions that make the parts; by default those of this process."""

    def __post_init__(self) -> None:
        if not self.versions:
            object.__setattr__(self, "versions", versions_of(self.making.suffix))

    def __len__(self) -> int:
        return len(self.ranges)

    def __getitem__(self, index: SupportsIndex) -> Part:
        place = as_integer(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"there are {len(self)} parts, and no part {shown(place)}")
        place %= len(self)
        start, count = self.ranges[place]
        return Part(place, start, count, name_of_part(place, len(self), self.making.suffix))

    def describe(self) -> dict[str, object]:
        """Return the plan as `plan.json` has it."""
        return {
            "kind": KIND,
            "version": VERSION,
            "parts": len(self),
            "suffix": self.making.suffix,
            "ranges": self.ranges.describe(),
            "making": self.making.describe(),
            "versions": dict(self.versions),
        }

    @cached_property
    def description(self) -> dict[str, object]:
        """The result of `describe` as JSON has it, computed once."""
        found: dict[str, object] = json.loads(json.dumps(self.describe()))
        return found

    def check_versions(self) -> None:
        """Raise `PavError` if this process would make parts with other bytes."""
        mine = versions_of(self.making.suffix)
        for name in DECIDING:
            if name in self.versions and mine.get(name) != self.versions[name]:
                raise PavError(
                    f"the plan is for {name} {self.versions[name]}, and this process has "
                    f"{mine.get(name, 'none')}: its parts would have other bytes; use "
                    "the same version, or another folder"
                )


def check_parts(parts: SupportsIndex, count: int) -> int:
    """Return a number of parts; raise `NumberError` if it is not 1 to the number of samples."""
    many, most = as_integer(parts), min(count, MOST_PARTS)
    if not 1 <= many <= most:
        raise NumberError(
            f"{shown(count)} samples are divided into 1 to {shown(most)} parts, not {shown(many)}"
        )
    return many
