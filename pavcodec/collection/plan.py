"""Plans of collections: values that say what each part is, without making anything.

Rule 1: a part is a function of the plan and of its index, so any machine can make any part.
Rule 2: two runs continue the same folder only if the descriptions of their plans are equal, apart
        from versions that do not change a byte.
Rule 3: nothing in a plan has the size of the collection: ranges are computed, and have a length.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Mapping
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


def difference(asked: Mapping[str, Any], stored: Mapping[str, Any]) -> str:
    """Return in words how a stored plan differs from the one asked for; nothing if it does not.

    Both are descriptions. Versions that change no byte do not count; the order of tags does.

    >>> asked = {"parts": 10, "making": {"order": {"seed": "8"}}}
    >>> difference(asked, {"parts": 5, "making": {"order": {"seed": "7"}}})
    'it has seed 7, not seed 8; 5 parts, not 10 parts'
    """
    paths = list(_differing(asked, stored))
    if any(path.startswith("making.source.") for path in paths):
        return _of_sources(_at(asked, "making.source"), _at(stored, "making.source"))
    pairs: dict[str, str] = {}
    for begin, words in _WORDS.items():
        there, here = (words(_at(plan, begin), plan) for plan in (stored, asked))
        if there == here or not any(_is_within(path, begin) for path in paths):
            continue
        pairs[there] = here
        if begin == "making.kind":  # the other differences follow from this one
            break
    if not pairs:
        pairs = {_plain(stored, path): _plain(asked, path) for path in paths}
    shown = [_shown(there, here) for there, here in pairs.items()]
    shown[_MOST_SHOWN:] = ["and more"] if len(shown) > _MOST_SHOWN else []
    return f"it has {'; '.join(shown)}" if shown else ""


_MOST_SHOWN = 4
"""The differences that a line has."""
_LONGEST, _HEAD, _BEFORE = 200, 20, 40
"""The most characters of a difference; of those the first, and those before it, if it is long."""


def _shown(there: str, here: str) -> str:
    """Return two different texts; long ones from a little before the place where they differ.

    >>> _shown("the condition '" + 500 * "a" + "1'", "the condition '" + 500 * "a" + "2'")[17:64]
    "aaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1',"
    """
    pairs = enumerate(zip(there, here, strict=False))
    same = next((column for column, (one, two) in pairs if one != two), min(len(there), len(here)))
    begin = max(_HEAD, same - _BEFORE) if max(len(there), len(here)) > _LONGEST else _HEAD
    head = "…" if begin > _HEAD else ""
    both = (f"{each[:_HEAD]}{head}{each[begin:]}" for each in (there, here))
    between = ", and you ask for " if here.startswith("no ") else ", not "
    return between.join(f"{each[:_LONGEST]}…" if len(each) > _LONGEST else each for each in both)


def _of_sources(asked: Mapping[str, Any], stored: Mapping[str, Any]) -> str:
    """Return in words how two sources differ, of folders that are made from others."""
    makings = asked.get("making"), stored.get("making")
    if all(isinstance(each, Mapping) for each in makings):
        words = difference({"making": makings[0]}, {"making": makings[1]})
        same = "it has another number of deals or parts, or parts of another version"
        return f"it is made from another folder: {words or same}"
    files = [_bare(each.get("files")) for each in (stored, asked)]
    if files[0] != files[1]:
        return f"it is made from {files[0]} files, not from {files[1]}"
    return "it is made from other files, or from files with other bytes"


def _differing(one: object, two: object, at: str = "") -> Iterator[str]:
    """Yield the paths of the values in which two descriptions differ, as `making.order.seed`."""
    if not (isinstance(one, Mapping) and isinstance(two, Mapping)):
        if one != two:
            yield at
        return
    for key in dict.fromkeys([*one, *two]):
        if at != "versions" or key in DECIDING:
            yield from _differing(one.get(key), two.get(key), f"{at}.{key}" if at else key)
    if at.endswith("tags") and [*one] != [*two]:
        yield at  # boards have their tags in this order


def _is_within(path: str, begin: str) -> bool:
    """Return whether one of two paths is the other one or below it."""
    one, two = f"{path}.", f"{begin}."
    return one.startswith(two) or two.startswith(one)


def _at(value: Any, path: str) -> Any:
    """Return the value at a path in a value of JSON; None without one."""
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _quoted(value: object) -> str:
    """Return a text of a plan in quotes."""
    return repr(str(value))


def _bare(value: object) -> str:
    """Return a number or a name of a plan; in quotes if it is neither."""
    text = f"{value:,}" if type(value) is int else str(value)
    return text if text.isprintable() and " " not in text else _quoted(value)


def _plain(plan: Mapping[str, Any], path: str) -> str:
    """Return a value of a plan with the name that it has there."""
    value = _at(plan, path)
    name = path.rpartition(".")[2].replace("_", "-")
    words = f"no {name}" if not value else name if value is True else f"{name} {_bare(value)}"
    return f"parts made by {words}" if path.startswith("versions.") else words


def _maker(kind: object, _: object) -> str:
    return f"parts of 'pavcodec {'deal' if kind == 'set' else _bare(kind).removesuffix('s')}'"


def _space(space: object, _: object) -> str:
    for kind, name in _SPACES.items():
        if _at(space, kind) is not None:
            tested, endings = _at(space, "tested"), _at(space, "endings")
            more = "" if tested is None else f" with the test {_quoted(tested)}"
            more += "" if endings is None else f" of {_quoted(endings)}"
            return f"{name} {_quoted(_at(space, kind))}{more}"
    name = space if isinstance(space, str) else _at(space, "numbering")
    return "all deals" if name == "deal" else f"the numbering {_bare(name)}"


_SPACES = {"condition": "the condition", "mix": "the mix", "weighted": "deals weighted by"}
"""The kinds of spaces in words, by their keys."""


def _tags(tags: object, _: object) -> str:
    if not isinstance(tags, Mapping):
        return "no tags of an event"
    return f"the tags {', '.join(f'{_bare(name)} {_quoted(tags[name])}' for name in tags)}"


def _count(count: object, plan: object) -> str:
    is_drawn = _at(plan, "making.space.tested") is None
    return f"{_bare(count)} {'deals' if is_drawn else 'samples to test'}"


def _format(_: object, plan: object) -> str:
    packed = split_suffix(f"part{_at(plan, 'suffix')}")[1]
    return f"the format {_bare(_at(plan, 'making.format'))}{packed}"


def _named(name: str, without: str = "") -> Callable[[object, object], str]:
    """Return the words of a value: its name and the value, or `without` if there is none."""
    return lambda value, _: without if without and value is None else f"{name} {_bare(value)}"


_WORDS: dict[str, Callable[[object, object], str]] = {
    "making.kind": _maker,
    "making.space": _space,
    "making.where": lambda where, _: (
        "all boards" if where is None else f"the condition {_quoted(where)}"
    ),
    "making.invert": lambda invert, _: (
        f"boards that {'fail' if invert else 'satisfy'} the condition"
    ),
    "making.order.name": lambda name, _: (
        "deals in the order of draws" if name == "drawn" else f"{_bare(name)} deals"
    ),
    "making.order.seed": _named("seed"),
    "ranges.count": _count,
    "ranges.start": _named("the start"),
    "parts": lambda parts, _: f"{_bare(parts)} parts",
    "suffix": _format,
    "making.format": _format,
    "making.boards.dealer": _named("dealer", "dealers by board number"),
    "making.boards.vulnerable": _named("vulnerability", "vulnerability by board number"),
    "making.boards.tags": _tags,
}
"""What differs, in words of a value and its plan, by its path; the most important first."""
