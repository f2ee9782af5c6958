"""The faults of a script, and the parts that other programs refuse or read differently.

`finders` finds the constructs of a script; the table in `dialects` has the reading of each program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pavcodec.constraints.language.script import Statements
from pavcodec.constraints.language.source import SourceText
from pavcodec.constraints.scripts.constructs import PROGRAMS, Construct
from pavcodec.constraints.scripts.dialects import CONSTRUCTS
from pavcodec.constraints.scripts.finders import FINDERS, in_text
from pavcodec.errors import TextError

__all__ = ["Finding", "check_script"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A finding of `check` about a script.

    `line` and `column` count from 1. `kind` is `error` if pavcodec itself refuses the script,
    `warning` for a construct whose meaning may surprise its author, `refused` for a construct that
    a program refuses, and `differs` for a construct that a program reads differently. `programs`
    are these programs.
    """

    line: int
    column: int
    message: str
    kind: str
    construct: str | None = None
    programs: tuple[str, ...] = ()


def check_script(text: str, programs: Sequence[str] = tuple(PROGRAMS)) -> list[Finding]:
    """Return the findings about a script, in the order of its text.

    `programs` are those whose reading matters, by the names in `PROGRAMS`.

    >>> for finding in check_script("5 <= hcp(north) <= 7  predeal spades(west) == 9"):
    ...     print(finding.column, finding.message)
    1 a chain of comparisons: BBO, the classic dealer and DealerV2 read (a <= b) <= c
    31 predeal of a length: BBO, the classic dealer and DealerV2 read it and deal as if it were \
not there; Dealer3 refuses it
    """
    try:
        source = SourceText(text)
    except TextError as error:
        return [_finding(text, error.span[0], error.message, "error")]
    found: list[Finding] = []
    places = list(in_text(source))
    try:
        tree = source.tree("script")
        places += [place for find in FINDERS for place in find(source, tree)]
        statements = Statements(source, tree)
        statements.script()
        remarks = statements.remarks
    except TextError as error:
        found.append(_finding(text, error.span[0], error.message, "error"))
        remarks = []
    known = {place for place, name in places if name in _WARNED_OF}
    found += [
        _finding(text, place, reason, "warning") for place, reason in remarks if place not in known
    ]
    for place, name in sorted(set(places)):
        found += _of_construct(text, place, CONSTRUCTS[name], programs)
    return sorted(found)


_WARNED_OF = {"altcount", "a chain of comparisons", "a chain of different comparisons"}
"""The constructs that also have a warning; the finding has more detail."""


def _finding(text: str, place: int, message: str, kind: str) -> Finding:
    line = text.count("\n", 0, place) + 1
    return Finding(line, place - text.rfind("\n", 0, place), message, kind)


def _of_construct(
    text: str, place: int, construct: Construct, programs: Sequence[str]
) -> Iterator[Finding]:
    """Yield a finding where one of the programs refuses a construct or reads it differently."""
    refusing = [program for program in programs if construct.refused_by(program)]
    readings: dict[str, list[str]] = {}
    for program in programs:
        if construct.differs_in(program):
            readings.setdefault(construct.differs_in(program), []).append(program)
    said = [_said(reading, of) for reading, of in readings.items()]
    said += [_said("refuses it", refusing)] if refusing else []
    if said:
        kind = "refused" if refusing else "differs"
        concerned = tuple(p for p in programs if p in refusing or construct.differs_in(p))
        message = f"{construct.name}: {'; '.join(said)}"
        finding = _finding(text, place, message, kind)
        yield replace(finding, construct=construct.name, programs=concerned)


def _said(reading: str, programs: Sequence[str]) -> str:
    """Return a phrase about some programs, in the plural if there are several.

    >>> _said("reads a chain, and takes no more", ["bbo", "dealer3"])
    'BBO and Dealer3 read a chain, and take no more'
    """
    names = [PROGRAMS[program] for program in programs]
    if len(names) == 1:
        return f"{names[0]} {reading}"
    return f"{', '.join(names[:-1])} and {names[-1]} {_VERB.sub(_plural, reading)}"


_VERB = re.compile(r"(^|and )(read|deal|take|draw|count|give|print|refuse|doe)s\b")


def _plural(match: re.Match[str]) -> str:
    return match[1] + match[2].removesuffix("e" if match[2] == "doe" else "")
