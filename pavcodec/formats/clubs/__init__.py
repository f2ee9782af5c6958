"""The formats of clubs and of dealing machines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from pavcodec.boards.board import Board
from pavcodec.formats.format import ALL_BUT_NUMBERS, NUMBER, TABLE, ArrayCodec, Codec, Format

# The formats of clubs and of dealing machines: deals, in some formats with board numbers.


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


def _record_codec(name: str) -> Codec:
    from pavcodec.formats.clubs import dup as records

    return {
        "bri": Codec(records.read_bri, records.write_bri),
        "dge": Codec(records.read_dge, records.write_dge),
        "ber": Codec(records.read_ber, records.write_ber),
        "rzd": Codec(records.read_rzd, records.write_rzd),
        "cds": Codec(records.read_cds, records.write_cds),
        "hrf": Codec(records.read_hrf, records.write_hrf),
    }[name]


def _dlm() -> Codec:
    from pavcodec.formats.clubs.dlm import read_dlm, write_dlm

    return Codec(read_dlm, write_dlm)


def _dup() -> Codec:
    from pavcodec.formats.clubs.dup import read_dup, write_dup

    return Codec(read_dup, write_dup)


def _bhg() -> Codec:
    from pavcodec.formats.clubs.texts import read_bhg, write_bhg

    return Codec(read_bhg, write_bhg)


def _csv() -> Codec:
    from pavcodec.formats.clubs.texts import read_csv, write_csv

    return Codec(read_csv, write_csv)


def _csv_arrays() -> ArrayCodec:
    from pavcodec.formats.clubs.csv_batches import read_csv_batches

    return ArrayCodec(read_csv_batches)


def _goe() -> Codec:
    from pavcodec.formats.clubs.texts import write_goe
    from pavcodec.formats.plain.texts import read_numbers

    return Codec(read_numbers, write_goe)


def _lose_generator(_: Board, parts: Mapping[str, object]) -> Iterator[str]:
    """Yield the generator if there is an event, since DLM has one line for both."""
    if "Event" in parts and "Generator" in parts:
        yield "Generator"


def _records(name: str, size: int, summary: str, *, numbered: bool = False) -> Format:
    """Make the format of records of deals."""
    return Format(
        name,
        (f".{name}",),
        f"{summary}: {size} bytes each",
        "the cards of deals, and board numbers" if numbered else "the cards of deals",
        partial(_record_codec, name),
        is_text=False,
        kept_tags=NUMBER if numbered else frozenset(),
        loses=ALL_BUT_NUMBERS if numbered else "all other tags",
    )


_FORMATS = (
    Format(
        "dlm",
        (".dlm",),
        "Duplimate's dealing machines: an INI file of 99 boards, with checks",
        "the cards of deals, board numbers, and the tag Event or Generator",
        _dlm,
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
        _dup,
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
        _bhg,
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
        _csv,
        arrays=_csv_arrays,
        kept_tags=TABLE,
        recognises=re.compile(r'\s*"[AKQJT2-9]*"(,"[AKQJT2-9]*"){15},').match,
    ),
    Format(
        "goe",
        (".goe",),
        "Big Deal's own numbers, the numbering bigdeal: one a line, with commas",
        "the cards of deals",
        _goe,
        numbering="bigdeal",
    ),
)

CLUB_FORMATS = tuple(
    replace(
        each,
        is_of_boards=True,
        is_plain=True,
        begins=re.compile(_BEGINS[each.name]) if each.name in _BEGINS else None,
    )
    for each in _FORMATS
)
"""In the order in which unnamed input is tried."""
