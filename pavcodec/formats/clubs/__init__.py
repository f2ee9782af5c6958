"""The formats of clubs and of dealing machines: deals, in some formats with board numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from pavcodec.boards.board import Board
from pavcodec.formats.format import ALL_BUT_NUMBERS, NUMBER, TABLE, Codec, Format, Label
from pavcodec.formats.plain import lines_arrays, lines_codec

_DEPENDING = "its boards depend on each other"
"""Why a file of some formats cannot grow."""
_CARDS = rb"(?:0[1-9]|[1-4][0-9]|5[0-2]){39}"
"""The cards of three hands by their numbers 01 to 52."""
_RANKS = rb"[AKQJT2-9]{0,13}"
_SIGNED = rb"\x06%b\x03%b\x04%b\x05%b" % (_RANKS, _RANKS, _RANKS, _RANKS)
_LETTERED = rb"S%bH%bD%bC%b" % (_RANKS, _RANKS, _RANKS, _RANKS)
_CONTROL = rb"[\0-\x08\x0e-\x1f]"
_BEGINS = {
    "dup": rb"%b(?:%b|[ \0]{68})[YN][YN]" % (_CARDS, rb"(?=[^\0]{68})" + _SIGNED * 4),
    "bri": rb"%b {32}\0{18}" % _CARDS,
    "dge": rb"(?:%b){4}\0" % _SIGNED,
    "ber": rb"[1-4]{104}",  # two boards, since one may also be a line of deal-digits
    "rzd": rb"(?:%b[\0-\xff]|[\0-\xff]%b) {11}" % (_CONTROL, _CONTROL),
    "hrf": rb"[ \0]*[0-9]{1,3}[ \0]*(?:%b){4}(?![0-9A-Z])" % _LETTERED,
}
"""The first bytes of binary formats that no text and no other format has."""


def _codec(name: str) -> Codec:
    from pavcodec.formats.clubs import dlm, dup, texts

    if name in dup.RECORDS:
        return Codec(partial(dup.read_records, name=name), partial(dup.write_records, name=name))
    return {
        "dlm": Codec(dlm.read_dlm, dlm.write_dlm),
        "dup": Codec(dup.read_dup, dup.write_dup),
        "bhg": Codec(texts.read_bhg, texts.write_bhg),
        "rzd": Codec(dup.read_rzd, dup.write_rzd),
    }[name]


def _lose_generator(_: Board, parts: Mapping[str, object]) -> Iterator[str]:
    """Yield the generator if there is an event, since DLM has one line for both."""
    if "Event" in parts and "Generator" in parts:
        yield "Generator"


def _records(name: str, size: int, summary: str, *, numbered: bool = False) -> Format:
    return Format(
        name,
        (f".{name}",),
        f"{summary}: {size} bytes each",
        "the cards of deals, and board numbers" if numbered else "the cards of deals",
        partial(_codec, name),
        is_text=False,
        cannot_grow=_DEPENDING if name == "rzd" else "",
        kept_tags=NUMBER if numbered else frozenset(),
        loses=ALL_BUT_NUMBERS if numbered else "all other tags",
    )


_FORMATS = (
    Format(
        "dlm",
        (".dlm",),
        "Duplimate's dealing machines: an INI file of 99 boards, with checks",
        "the cards of deals, board numbers, and the tag Event or Generator",
        partial(_codec, "dlm"),
        cannot_grow=_DEPENDING,
        loses=ALL_BUT_NUMBERS,
        kept_tags=NUMBER | {"Event", "Generator"},
        more_losses=_lose_generator,
        recognises=re.compile(r"\s*\[document\]\s*", re.IGNORECASE).fullmatch,
    ),
    Format(
        "dup",
        (".dup",),
        "Duplimate's older dealing machines, BRI and DGE in one: 156 bytes each",
        "the cards of deals, and board numbers",
        partial(_codec, "dup"),
        cannot_grow=_DEPENDING,
        is_text=False,
        loses=ALL_BUT_NUMBERS,
        kept_tags=NUMBER,
    ),
    _records("bri", 128, "the cards of N, E and S by their numbers 01 to 52"),
    _records("dge", 128, "the hands with the signs of the suits"),
    _records("ber", 52, "Bernasconi, a digit a card"),
    Format(
        "bhg",
        (".bhg",),
        "Borel, a line of 52 letters a board, the dealer's hand first",
        "the cards of deals, and board numbers",
        partial(_codec, "bhg"),
        cannot_grow=_DEPENDING,
        loses=ALL_BUT_NUMBERS,
        kept_tags=NUMBER,
        recognises=re.compile(r"\s*[A-Za-z]{52}\s*").fullmatch,
    ),
    _records("rzd", 13, "KOPS, a byte a rank after a header"),
    _records("cds", 14, "the board number, and a byte a rank", numbered=True),
    _records("hrf", 128, "Duplimate's hand records, the board number and the hands", numbered=True),
    Format(
        "csv",
        (".csv",),
        "Big Deal's rows of sixteen suits, board number, dealer and vulnerability",
        "the cards of deals, board numbers, dealer and vulnerability",
        partial(lines_codec, "csv"),
        arrays=partial(lines_arrays, "csv"),
        kept_tags=TABLE,
        recognises=re.compile(r'\s*"[AKQJT2-9]*"(,"[AKQJT2-9]*"){15},').match,
        media="text/csv",
        label=Label("Tables and numbers", "CSV", "Big Deal", 22),
    ),
    Format(
        "goe",
        (".goe",),
        "Big Deal's own numbers, the numbering bigdeal: one a line, with commas",
        "the cards of deals",
        partial(lines_codec, "goe"),
        numbering="bigdeal",
    ),
)

_NOTES = {"dup": "Duplimate, older", "dlm": "Duplimate", "ber": "Bernasconi", "bhg": "Borel",
          "rzd": "KOPS"}  # fmt: skip


def _label(name: str) -> Label | None:
    """Return the label of a dealing machine."""
    if name == "goe":
        return None
    return Label("For dealing machines", name.upper(), _NOTES.get(name, ""), 10)


CLUB_FORMATS = tuple(
    replace(
        format_,
        is_of_boards=True,
        label=format_.label or _label(format_.name),
        begins=re.compile(_BEGINS[format_.name]) if format_.name in _BEGINS else None,
    )
    for format_ in _FORMATS
)
"""In the order in which unnamed input is tried."""
