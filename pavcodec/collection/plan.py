"""Plans of collections: values that say what each part is, without making anything.

Rule 1: a part is a function of the plan and of its index, so any machine can make any part.
Rule 2: two runs continue the same folder only if the descriptions of their plans are equal, apart
        from versions that do not change a byte.
Rule 3: nothing in a plan has the size of the collection: ranges are computed, and have a length.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import index as as_integer
from typing import Any, BinaryIO, Protocol, SupportsIndex

from pavcodec._version import __version__
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.files.compressed import split_suffix

KIND, VERSION = "pavcodec collection", 1
"""The kind and the version of the format of plans, rows and manifests."""
DECIDING = ("pavcodec", "pyarrow", "zlib", "zstd")
"""The packages whose versions change the bytes of parts."""

MOST_PARTS = 10_000_000
"""The most parts of a collection."""

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

    versions = {"pavcodec": __version__, "python": platform.python_version()}
    versions["numpy"] = version("numpy")
    plain, packed = split_suffix(f"part{suffix}")
    if plain.endswith(".parquet"):
        versions["pyarrow"] = version("pyarrow")
    if packed in (".gz", ".zip"):
        from zlib import ZLIB_RUNTIME_VERSION

        versions["zlib"] = ZLIB_RUNTIME_VERSION
    if packed == ".zst":
        from pavcodec.files.compressed import zstandard_version

        versions["zstd"] = zstandard_version()
    return versions


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
        position = as_integer(index)
        if not -len(self) <= position < len(self):
            raise IndexError(f"there are {len(self)} parts, and no part {shown(position)}")
        position %= len(self)
        start, count = self.ranges[position]
        return Part(position, start, count, name_of_part(position, len(self), self.making.suffix))

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
        description: dict[str, object] = json.loads(json.dumps(self.describe()))
        return description

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


# How two plans differ, in the words of who asks for them.
#
# Rule 1: plans are equal if their descriptions are, apart from versions that change no byte. Words
#         are for messages and decide nothing: plans that differ always have a difference in words.
# Rule 2: a stored plan is hostile input: any value may be anywhere, and no text reaches a message
#         with characters that do not print.

_MOST_SHOWN = 4
"""The differences that a line has."""
_LONGEST, _HEAD, _BEFORE = 200, 20, 40
"""The most characters of a text; of longer ones, the first and those before the difference."""


def difference(asked: Mapping[str, Any], stored: Mapping[str, Any]) -> str:
    """Return in words how a stored plan differs from the one asked for; nothing if it does not.

    Both are descriptions. Versions that change no byte do not count; the order of tags does.

    >>> asked = {"parts": 10, "making": {"order": {"seed": "8"}}}
    >>> difference(asked, {"parts": 5, "making": {"order": {"seed": "7"}}})
    'it has seed 7, not seed 8; 5 parts, not 10 parts'
    """
    here, there = dict(_values(asked)), dict(_values(stored))
    paths = [path for path in here | there if here.get(path) != there.get(path)]
    if all(isinstance(_at(plan, "making.source"), Mapping) for plan in (asked, stored)) and any(
        path[:2] == ("making", "source") for path in paths
    ):
        makings = [{"making": _at(plan, "making.source.making")} for plan in (asked, stored)]
        words = difference(*makings) if all(each["making"] for each in makings) else ""
        return f"it is made from another folder: {words or 'its files or their bytes are others'}"
    told = [pair for pair in zip(_told(stored), _told(asked), strict=True) if pair[0] != pair[1]]
    if told and told[0][0].startswith("parts of "):
        told = told[:1]  # the other differences follow from this one
    if not told:
        told = [(_named(path, there.get(path)), _named(path, here.get(path))) for path in paths]
    shown = [_shown(*pair) for pair in told]
    shown[_MOST_SHOWN:] = ["and more"] if len(shown) > _MOST_SHOWN else []
    return f"it has {'; '.join(shown)}" if paths else ""


def _values(plan: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the values of a description by their paths, such as ("making", "order", "seed")."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), plan)]
    while waiting:
        path, value = waiting.pop()
        if not isinstance(value, Mapping):
            yield path, value
        elif path[-1:] == ("tags",):
            yield path, list(value.items())  # boards have their tags in this order
        else:
            keys = [key for key in value if path != ("versions",) or key in DECIDING]
            waiting += [((*path, key), value[key]) for key in reversed(keys)]


def _told(plan: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a plan says in words, the most important first."""
    kind, where, order = (_at(plan, f"making.{name}") for name in ("kind", "where", "order.name"))
    yield f"parts of 'pavcodec {'deal' if kind == 'set' else _bare(kind).removesuffix('s')}'"
    space, tags = _at(plan, "making.space"), _at(plan, "making.boards.tags")
    tested, endings = _at(space, "tested"), _at(space, "endings")
    kinds = space if isinstance(space, Mapping) else ()
    named = [f"{_SPACES[key]} {_quoted(_at(space, key))}" for key in _SPACES if key in kinds]
    numbering = space if isinstance(space, str) else _at(space, "numbering")
    named += ["all deals" if numbering == "deal" else f"the numbering {_bare(numbering)}"]
    more = "" if tested is None else f" with the test {_quoted(tested)}"
    yield named[0] + more + ("" if endings is None else f" of {_quoted(endings)}")
    yield "all boards" if where is None else f"the condition {_quoted(where)}"
    yield f"boards that {'fail' if _at(plan, 'making.invert') else 'satisfy'} the condition"
    yield "deals in the order of draws" if order == "drawn" else f"{_bare(order)} deals"
    yield f"seed {_bare(_at(plan, 'making.order.seed'))}"
    counted = "deals" if tested is None else "samples to test"
    yield f"{_bare(_at(plan, 'ranges.count'))} {counted}"
    yield f"the start {_bare(_at(plan, 'ranges.start'))}"
    yield f"{_bare(_at(plan, 'parts'))} parts"
    packed = split_suffix(f"part{_at(plan, 'suffix')}")[1]
    yield f"the format {_bare(_at(plan, 'making.format'))}{packed}"
    dealer, sides = (_at(plan, f"making.boards.{name}") for name in ("dealer", "vulnerable"))
    yield "dealers by board number" if dealer is None else f"dealer {_bare(dealer)}"
    yield "vulnerability by board number" if sides is None else f"vulnerability {_bare(sides)}"
    pairs = tags.items() if isinstance(tags, Mapping) else ()
    listed = ", ".join(f"{_bare(name)} {_quoted(value)}" for name, value in pairs)
    yield f"the tags {listed}" if listed else "no tags of an event"


_SPACES = {"condition": "the condition", "mix": "the mix", "weighted": "deals weighted by"}
"""The kinds of spaces in words, by their keys."""


def _at(value: Any, path: str) -> Any:
    """Return the value at a path in a value of JSON, such as `making.order`; None without one."""
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _named(path: tuple[str, ...], value: object) -> str:
    """Return a value of a plan with the name that it has there."""
    name = path[-1].replace("_", "-")
    words = f"no {name}" if not value else name if value is True else f"{name} {_bare(value)}"
    return f"parts made by {words}" if path[0] == "versions" else words


def _bare(value: object) -> str:
    """Return a number or a name of a plan; in quotes if it is neither."""
    text = f"{value:,}" if type(value) is int else str(value)
    return text if text.isprintable() and " " not in text else _quoted(value)


def _quoted(value: object) -> str:
    """Return a text of a plan in quotes."""
    return repr(str(value))


def _shown(there: str, here: str) -> str:
    """Return two different texts; long ones from a little before the place where they differ."""
    if max(len(there), len(here)) > _LONGEST:
        pairs = enumerate(zip(there, here, strict=False))
        same = next((at for at, (one, two) in pairs if one != two), min(len(there), len(here)))
        if same - _BEFORE > _HEAD:
            there, here = (f"{each[:_HEAD]}…{each[same - _BEFORE :]}" for each in (there, here))
    between = ", and you ask for " if here.startswith("no ") else ", not "
    return between.join(
        f"{each[:_LONGEST]}…" if len(each) > _LONGEST else each for each in (there, here)
    )
