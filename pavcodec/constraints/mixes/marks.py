"""The types that a script marks for levelling, by its names and comments.

Collections of practice scripts mark types by names, so that every program reads the scripts:
`HandType_NAME` is a type and `HandType_NAME_Share` is its share of the boards (1 by default).
`LevelType_NAME` are types of a finer list; if a script has both lists, the finer list is levelled.
Comments `# level-types: a, b` and `# level-target: even` or `3, 1` do the same for other variables.
In the text for players, `{{level-mix:NAME}}` is the share of a type, and `{{level-mix}}` is a list
of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fractions import Fraction

from pavcodec.constraints.language.build import parts_of
from pavcodec.constraints.language.script import MARKS, SHARE, Script
from pavcodec.constraints.language.source import near
from pavcodec.constraints.nodes.syntax import Node, Number
from pavcodec.errors import PavError, check_text
from pavcodec.sampling.weights import share_of

__all__ = ["Named", "filled_lines", "laddered", "marked_types", "named_types", "own_levelling"]

_OWN = ("levelTheDeal", "keepTheDeal")
_COMMENT = re.compile(
    r"^[ \t]*#+[ \t]*level-(types|target)[ \t]*:[ \t]*(.*?)[ \t\r]*$", re.MULTILINE | re.IGNORECASE
)
_RUNG = re.compile(
    r"^[ \t]*\w+[ \t]*=[ \t]*\(?[ \t]*(\w+)[ \t]+and[ \t]+keep\w*[ \t]*\)?[ \t]*$", re.MULTILINE
)
_MARKER = re.compile(r"\{\{\s*level-mix\s*(?::\s*([^{}]*?)\s*)?\}\}")


@dataclass(frozen=True)
class Named:
    """Types by name, in order of precedence, each with its condition and the requested share."""

    names: tuple[str, ...]
    conditions: tuple[Node, ...]
    weights: tuple[Fraction, ...]


def marked_types(script: Script, text: str, shares: str | None = None) -> Named:
    """Return the types that a script marks; raise `PavError` if it marks none.

    `shares` are those of `named_types`, instead of the script's.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> text = "HandType_weak = hcp(south) < 12  HandType_rest = 1  HandType_weak_Share = 3"
    >>> found = marked_types(parse_script(text), text)
    >>> found.names, found.weights
    (('weak', 'rest'), (Fraction(3, 1), Fraction(1, 1)))
    """
    comments = {match[1].lower(): match[2] for match in _COMMENT.finditer(text)}
    listed = [name.strip() for name in comments.get("types", "").split(",") if name.strip()]
    variables = listed or _marked(script, MARKS[1]) or _marked(script, MARKS[0])
    if not variables:
        example = ",".join(laddered(text, script)) or "weak,strong"
        raise PavError(
            "the script marks no types: there is no variable HandType_…; name variables, as in "
            f"--level {example}"
        )
    _refuse_stray_shares(script)
    target = comments.get("target", "even")
    if shares is None and target.lower() not in ("", "even"):
        shares = target
    return named_types(script, variables, shares)


def _marked(script: Script, prefix: str) -> list[str]:
    """Return the variables with a prefix that name types."""
    found = (name for name in script.variables if name.startswith(prefix))
    return [name for name in found if not name.endswith(SHARE) and name != prefix]


def _refuse_stray_shares(script: Script) -> None:
    """Refuse a share without a type: one of the two names has a typing error."""
    for prefix in MARKS:
        types = _marked(script, prefix)
        for name in script.variables:
            stem = name.removesuffix(SHARE)
            if name.startswith(prefix) and stem != name and stem not in types:
                raise PavError(f"{name!r} is the share of no type; {near('type', stem, types)}")


def named_types(script: Script, names: Sequence[str], shares: str | None = None) -> Named:
    """Return types by the names of variables, which may leave out HandType_ and hold a `*`.

    A name may have its share after a colon. `shares` are those of all types in order, or of some by
    name. Without such a share, the share is the variable NAME_Share, or 1.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> script = parse_script("HandType_weak = hcp(south) < 12  HandType_rest = 1")
    >>> named_types(script, ["weak", "rest"], "1, 2.5").weights
    (Fraction(1, 1), Fraction(5, 2))
    >>> named_types(script, ["Hand*"], "rest:3").weights
    (Fraction(1, 1), Fraction(3, 1))
    """
    given: dict[str, Fraction] = {}
    variables: list[str] = []
    for text in names:
        check_text("a type", text)
        name, colon, weight = (part.strip() for part in text.partition(":"))
        found = _variables(script, name)
        if colon:
            given |= dict.fromkeys(found, share_of(weight))
        variables += found
    twice = next((name for name in variables if variables.count(name) > 1), None)
    if twice is not None:
        raise PavError(f"the type {twice!r} stands twice among those to level")
    if shares is not None:
        if given:
            raise PavError(
                "give the shares with the names of the types, or after --shares, not both"
            )
        given = _shares(variables, shares)
    weights = [given[name] if name in given else _own_share(script, name) for name in variables]
    conditions = tuple(script.variables[name] for name in variables)
    return Named(tuple(map(label, variables)), conditions, tuple(weights))


def label(variable: str) -> str:
    """Return the name of a type: its variable without the mark.

    >>> label("HandType_12_14"), label("strong")
    ('12_14', 'strong')
    """
    for prefix in MARKS:
        if variable.startswith(prefix):
            return variable.removeprefix(prefix).lstrip("_-") or variable
    return variable


def _variables(script: Script, name: str) -> list[str]:
    """Return the variables that a name means."""
    known = [variable for variable in script.variables if not variable.endswith(SHARE)]
    if "*" in name:
        found = [variable for variable in known if fnmatchcase(variable, name)]
        if not found:
            raise PavError(f"no variable of the script fits {name!r}")
        return found
    for variable in (name, *(f"{prefix}_{name}" for prefix in MARKS)):
        if variable in script.variables:
            return [variable]
    if not name:
        raise PavError("a name is missing: names of variables have commas between them")
    raise PavError(near("variable", name, known))


def _shares(variables: Sequence[str], text: str) -> dict[str, Fraction]:
    """Read shares: one for each type in order, or some by name."""
    parts = text.replace(",", " ").split()
    if not any(":" in part for part in parts):
        if len(parts) != len(variables):
            raise PavError(f"there are {len(parts)} shares for {len(variables)} types")
        return dict(zip(variables, map(share_of, parts), strict=True))
    found = {}
    for part in parts:
        name, _, weight = part.partition(":")
        meant = [variable for variable in variables if name in (variable, label(variable))]
        if not meant:
            raise PavError(near("type", name, list(map(label, variables))))
        found[meant[0]] = share_of(weight)
    return found


def _own_share(script: Script, variable: str) -> Fraction:
    """Return the share that a script gives a type."""
    node = script.variables.get(f"{variable}{SHARE}", Number(1))
    if not isinstance(node, Number) or node.value < 0:
        raise PavError(
            f"'{variable}{SHARE}' is a share: a number from 0 on, the same for all deals"
        )
    return Fraction(node.value)


def laddered(text: str, script: Script) -> list[str]:
    r"""Return the variables before a `keep…` in assignments: the types of such a levelling.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> text = "low = hcp(south) < 9\nkeep25 = hascard(west, 2C)\nlevLow = low and keep25"
    >>> laddered(text, parse_script(text))
    ['low']
    """
    found = (match[1] for match in _RUNG.finditer(text))
    return [name for name in dict.fromkeys(found) if name in script.variables]


def own_levelling(script: Script) -> str | None:
    """Return the variable by which a script itself levels its deals, if its condition has one."""
    kept = () if script.condition is None else parts_of(script.condition)
    for name in _OWN:
        parts = parts_of(script.variables.get(name, Number(1)))
        if parts and all(part in kept for part in parts):
            return name
    return None


def filled_lines(text: str, shares: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a script with marks for shares, filled in.

    >>> list(filled_lines("12-14 HCP ({{level-mix:low}})", {"low": "20 %"}))
    ['12-14 HCP (20 %)']
    """
    every = ", ".join(f"{name} {share}" for name, share in shares.items())

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return every
        if name not in shares:
            raise PavError(f"{match[0]}: {near('type', name, shares)}")
        return shares[name]

    for line in text.splitlines():
        filled = _MARKER.sub(fill, line)
        if filled != line:
            yield filled
