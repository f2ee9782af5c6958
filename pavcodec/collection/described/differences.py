"""How two plans differ, in the words of who asks for them.

Rule 1: plans are equal if their descriptions are, apart from versions that change no byte. Words
        are for messages and decide nothing: plans that differ always have a difference in words.
Rule 2: a stored plan is hostile input: any value may be anywhere, and no text reaches a message
        with characters that do not print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pavcodec.collection.plan import DECIDING
from pavcodec.files.compressed import split_suffix

__all__ = ["difference"]


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
        there, here = words(stored), words(asked)
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
    same = next((place for place, (one, two) in pairs if one != two), min(len(there), len(here)))
    begin = max(_HEAD, same - _BEFORE) if max(len(there), len(here)) > _LONGEST else _HEAD
    head = "…" if begin > _HEAD else ""
    both = (f"{each[:_HEAD]}{head}{each[begin:]}" for each in (there, here))
    between = ", and you ask for " if here.startswith("no ") else ", not "
    return between.join(f"{each[:_LONGEST]}…" if len(each) > _LONGEST else each for each in both)


def _of_sources(asked: Mapping[str, Any], stored: Mapping[str, Any]) -> str:
    """Return in words how two sources differ, of folders that are made from others."""
    makings = asked.get("making"), stored.get("making")
    if all(isinstance(each, Mapping) for each in makings):
        found = difference({"making": makings[0]}, {"making": makings[1]})
        same = "it has another number of deals or parts, or parts of another version"
        return f"it is made from another folder: {found or same}"
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


def _at(plan: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 (any value of JSON)
    """Return the value at a path; None without one."""
    found: Any = plan
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


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
    found = f"no {name}" if not value else name if value is True else f"{name} {_bare(value)}"
    return f"parts made by {found}" if path.startswith("versions.") else found


def _maker(plan: Mapping[str, Any]) -> str:
    kind = _at(plan, "making.kind")
    return f"parts of 'pavcodec {'deal' if kind == 'set' else _bare(kind).removesuffix('s')}'"


def _condition(plan: Mapping[str, Any]) -> str:
    space = _at(plan, "making.space")
    for kind in ("condition", "mix", "weighted"):
        if _at(plan, f"making.space.{kind}") is not None:
            name = "deals weighted by" if kind == "weighted" else f"the {kind}"
            tested, endings = _at(plan, "making.space.tested"), _at(plan, "making.space.endings")
            more = "" if tested is None else f" with the test {_quoted(tested)}"
            more += "" if endings is None else f" of {_quoted(endings)}"
            return f"{name} {_quoted(space[kind])}{more}"
    name = space if isinstance(space, str) else _at(plan, "making.space.numbering")
    return "all deals" if name == "deal" else f"the numbering {_bare(name)}"


def _tags(plan: Mapping[str, Any]) -> str:
    tags = _at(plan, "making.boards.tags")
    if not isinstance(tags, Mapping):
        return "no tags of an event"
    return f"the tags {', '.join(f'{_bare(name)} {_quoted(tags[name])}' for name in tags)}"


def _where(plan: Mapping[str, Any]) -> str:
    where = _at(plan, "making.where")
    return "all boards" if where is None else f"the condition {_quoted(where)}"


def _found(plan: Mapping[str, Any]) -> str:
    verb = "fail" if _at(plan, "making.invert") else "satisfy"
    return f"boards that {verb} the condition"


def _order(plan: Mapping[str, Any]) -> str:
    name = _at(plan, "making.order.name")
    return "deals in the order of draws" if name == "drawn" else f"{_bare(name)} deals"


def _seed(plan: Mapping[str, Any]) -> str:
    return f"seed {_bare(_at(plan, 'making.order.seed'))}"


def _count(plan: Mapping[str, Any]) -> str:
    what = "deals" if _at(plan, "making.space.tested") is None else "samples to test"
    return f"{_bare(_at(plan, 'ranges.count'))} {what}"


def _parts(plan: Mapping[str, Any]) -> str:
    return f"{_bare(_at(plan, 'parts'))} parts"


def _start(plan: Mapping[str, Any]) -> str:
    return f"the start {_bare(_at(plan, 'ranges.start'))}"


def _format(plan: Mapping[str, Any]) -> str:
    packed = split_suffix(f"part{_at(plan, 'suffix')}")[1]
    return f"the format {_bare(_at(plan, 'making.format'))}{packed}"


def _dealer(plan: Mapping[str, Any]) -> str:
    dealer = _at(plan, "making.boards.dealer")
    return "dealers by board number" if dealer is None else f"dealer {_bare(dealer)}"


def _vulnerable(plan: Mapping[str, Any]) -> str:
    word = _at(plan, "making.boards.vulnerable")
    return "vulnerability by board number" if word is None else f"vulnerability {_bare(word)}"


_WORDS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "making.kind": _maker,
    "making.space": _condition,
    "making.where": _where,
    "making.invert": _found,
    "making.order.name": _order,
    "making.order.seed": _seed,
    "ranges.count": _count,
    "ranges.start": _start,
    "parts": _parts,
    "suffix": _format,
    "making.format": _format,
    "making.boards.dealer": _dealer,
    "making.boards.vulnerable": _vulnerable,
    "making.boards.tags": _tags,
}
"""What differs, in words, by the place in a plan; the most important first."""
