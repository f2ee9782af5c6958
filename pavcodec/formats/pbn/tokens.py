"""The tokens of a game of PBN: tags, sections and comments, and every fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pavcodec.formats.plain.texts import shorten

__all__ = ["DECLARATION", "ESCAPED", "FLAGS", "TRAILER", "Entry", "Fault", "tokenise"]


DECLARATION = re.compile(r"%\s*(PBN\s*[\d.]+|EXPORT|IMPORT)\s*", re.IGNORECASE)


TRAILER = re.compile(r"(Generated|Produced|Initial random seed|Time needed)\b")


ESCAPED = re.compile(r'\\(["\\])')


_COMMENT = r"(?P<comment>  \{[^}]*\}  ) |"


_LEXEMES = r"""
      (?P<escape>   ^%[^\n]*                                                        )
    | (?P<tag>      \[\s* (?P<name>\w+) \s* "(?P<value>(?:[^"\\\n]|\\.)*)" \s*\]    )
    | (?P<rest>     ;[^\n]*                                                         )
    | (?P<string>   "(?:[^"\\\n]|\\.)*"                                             )
    | (?P<bracket>  \[                                                              )
    | (?P<data>     (?:[^\s\[{;"\\]|\\.) (?:[^\n\[{;"\\]|\\.)* | \S                 )
    """


FLAGS = re.MULTILINE | re.VERBOSE | re.ASCII


_TOKEN = re.compile(_COMMENT + _LEXEMES, FLAGS)


_TOKEN_OUTSIDE_COMMENTS = re.compile(_LEXEMES, FLAGS)


@dataclass(frozen=True, slots=True)
class Entry:
    """A tag found in the text of a game: where it starts, and what follows it."""

    name: str
    value: str
    start: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A place in the text of a game that is neither tag nor data of a tag."""

    start: int
    reason: str


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the tokens of a game; a brace after the last closing one opens no comment."""
    position = 0
    last_brace = text.rfind("}")
    for pattern, last in ((_TOKEN, last_brace), (_TOKEN_OUTSIDE_COMMENTS, len(text))):
        for token in pattern.finditer(text, position):
            if token.start() > last:
                break
            yield token
            position = token.end()


def tokenise(text: str) -> Iterator[Entry | Fault]:
    """Split the text of a game into its tags, each with the lines that follow it, and its faults.

    The text before the first tag becomes a tag without a name. What follows a fault, up to the next
    tag, belongs to it and is left out.
    """
    name, value, start, end = "", "", 0, 0
    seen_tag = at_fault = False
    for token in _tokens(text):
        kind = token.lastgroup
        if kind == "tag":
            if not at_fault:
                yield from _entry(name, value, start, text[end : token.start()])
            seen_tag, at_fault = True, False
            name, value = token["name"], token["value"]
            if "\\" in value:
                value = ESCAPED.sub(r"\1", value)
            start, end = token.span()
        elif _is_broken(token, text, end) or (
            kind in ("data", "string") and not seen_tag and not at_fault
        ):
            if not at_fault:
                yield from _entry(name, value, start, text[end : token.start()])
            at_fault = True
            line = text[token.start() : text.find("\n", token.start())].strip()
            if not TRAILER.match(line):
                reason = f'expected a tag pair such as [Event "..."], not {shorten(line)}'
                yield Fault(token.start(), reason)
    if not at_fault:
        yield from _entry(name, value, start, text[end:])


def _is_broken(token: re.Match[str], text: str, end: int) -> bool:
    """Return whether a bracket at the start of a line, or after a tag, begins no tag."""
    if token.lastgroup != "bracket":
        return False
    before = token.start() - 1
    while before >= 0 and text[before] in " \t":
        before -= 1
    return before < end or text[before] == "\n"


def _entry(name: str, value: str, start: int, body: str) -> Iterator[Entry]:
    """Yield a tag with the lines of its body, unless both are empty."""
    if not body or body.isspace():
        if name:
            yield Entry(name, value, start, ())
        return
    lines = [line.rstrip(" \t") for line in body.split("\n")]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    if not name:
        lines = [line for line in lines if not DECLARATION.fullmatch(line)]
    if name or lines:
        yield Entry(name, value, start, tuple(lines))
