"""The formats of Bridge Base Online: `lin` and `handviewer`."""

from __future__ import annotations

import re

from pavcodec.formats.format import TABLE, Codec, Format

__all__ = ["HANDVIEWER", "LIN"]


def _lin() -> Codec:
    from pavcodec.formats.bbo.lin import read_lin
    from pavcodec.formats.bbo.lin_writer import write_lin

    return Codec(read_lin, write_lin)


def _handviewer() -> Codec:
    from pavcodec.formats.bbo.handviewer import read_handviewer, write_handviewer

    return Codec(read_handviewer, write_handviewer)


LIN = Format(
    "lin",
    (".lin",),
    "Bridge Base Online's LIN: hands, auction and play, for its viewer",
    "cards, number, dealer, vulnerability, event, names, auction, play and result",
    _lin,
    is_plain=True,
    kept_tags=TABLE,
    recognises=re.compile(
        r"\s*(?:vg|qx|pn|md|st|rh|ah|mn|bn|rs|pw|mp|sv|sk|lc|nt|bt|3b|km|at|cp)\|",
        re.IGNORECASE,
    ).match,
    loses="all other tags and sections",
)

HANDVIEWER = Format(
    "handviewer",
    (".urls",),
    "addresses of Bridge Base's hand viewer, one a line",
    "cards, number, dealer, vulnerability, names, auction, play and result",
    _handviewer,
    is_plain=True,
    kept_tags=TABLE,
    recognises=re.compile(
        r"\s*(?:https?://\S*\?|\S*handviewer\.html\?|\?lin=)", re.IGNORECASE
    ).match,
    loses="all other tags and sections",
)
