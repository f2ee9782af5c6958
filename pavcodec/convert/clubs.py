"""The formats of clubs and of dealing machines; they hold deals and, some of them, numbers."""

from __future__ import annotations

import re
from dataclasses import replace

from pavcodec.convert.format import ALL_BUT_NUMBERS, Format, quick
from pavcodec.formats.plain import read_numbers

__all__ = ["CLUB_FORMATS"]


def _records(name: str, size: int, summary: str, *, numbered: bool = False) -> Format:
    """Make the format of records of deals."""
    return Format(
        name,
        (f".{name}",),
        f"{summary}: {size} bytes each",
        "the cards of deals, and board numbers" if numbered else "the cards of deals",
        quick("club_records", f"read_{name}"),
        quick("club_records", f"write_{name}"),
        of_cards=not numbered,
        is_text=False,
        loses=ALL_BUT_NUMBERS if numbered else "all other tags",
    )


_FORMATS = (
    Format(
        "dlm",
        (".dlm",),
        "Duplimate's dealing machines: an INI file of 99 boards, with checks",
        "the cards of deals, board numbers, and the tag Event or Generator",
        quick("dlm", "read_dlm"),
        quick("dlm", "write_dlm"),
        of_cards=False,
        loses=ALL_BUT_NUMBERS,
        recognises=re.compile(r"\s*\[document\]\s*", re.IGNORECASE).fullmatch,
    ),
    Format(
        "dup",
        (".dup",),
        "Duplimate's older dealing machines, BRI and DGE in one: 156 bytes each",
        "the cards of deals, and board numbers",
        quick("dup", "read_dup"),
        quick("dup", "write_dup"),
        of_cards=False,
        is_text=False,
        loses=ALL_BUT_NUMBERS,
    ),
    _records("bri", 128, "the cards of N, E and S by their numbers 01 to 52"),
    _records("dge", 128, "the hands with the signs of the suits"),
    _records("ber", 52, "Bernasconi, a digit a card"),
    Format(
        "bhg",
        (".bhg",),
        "Borel, a line of 52 letters a board, the dealer's hand first",
        "the cards of deals, and board numbers",
        quick("club_texts", "read_bhg"),
        quick("club_texts", "write_bhg"),
        of_cards=False,
        loses=ALL_BUT_NUMBERS,
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
        quick("club_texts", "read_csv"),
        quick("club_texts", "write_csv"),
        of_cards=False,
        recognises=re.compile(r'\s*"[AKQJT2-9]*"(,"[AKQJT2-9]*"){15},').match,
    ),
    Format(
        "goe",
        (".goe",),
        "Big Deal's own numbers, the numbering bigdeal: one a line, with commas",
        "the cards of deals",
        read_numbers,
        quick("club_texts", "write_goe"),
        numbering="bigdeal",
        owners_reader=quick("batch_readers", "read_number_owners"),
    ),
)

CLUB_FORMATS = tuple(replace(each, is_of_boards=True, is_plain=True) for each in _FORMATS)
"""In the order in which unnamed input is tried."""
