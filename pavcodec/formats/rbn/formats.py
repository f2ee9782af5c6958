"""The formats of Richard's Bridge Notation: `rbn` and `rbx`."""

from __future__ import annotations

import re
from collections.abc import Callable

from pavcodec.formats.format import TABLE, Codec, Format

__all__ = ["RBN", "RBX"]


def _rbn() -> Codec:
    from pavcodec.formats.rbn.streams import read_rbn, write_rbn

    return Codec(read_rbn, write_rbn)


def _rbx() -> Codec:
    from pavcodec.formats.rbn.streams import read_rbx, write_rbx

    return Codec(read_rbx, write_rbx)


def _format(name: str, summary: str, codec: Callable[[], Codec], pattern: str) -> Format:
    return Format(
        name,
        (f".{name}",),
        f"Richard's Bridge Notation, {summary}",
        "cards, number, dealer, vulnerability, event, names, auction, play and result",
        codec,
        is_plain=True,
        kept_tags=TABLE,
        recognises=re.compile(pattern).match,
        loses="all other tags and sections",
    )


RBN = _format("rbn", "a label a line", _rbn, r"% RBN\b|H [NESW][:;]")
RBX = _format("rbx", "a board a line", _rbx, r"%\{RBX|[DTLEFSKNBHACPRMI]\{[^{}]*\}")
