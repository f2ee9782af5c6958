"""The formats there are, in the order in which files without a telling name are tried for them."""

from __future__ import annotations

import re
from functools import partial

from pavcodec.formats.catalogue.clubs import CLUB_FORMATS
from pavcodec.formats.catalogue.codecs import (
    endplay_json,
    handviewer,
    html,
    json,
    lin,
    lines,
    numbers,
    parquet,
    pav,
    pbn,
    rbn,
    read_line_owners,
    read_number_owners,
    read_parquet_owners,
    read_pav_owners,
    read_pbn_owners,
    read_record_owners,
    survey_parquet,
    survey_pbn,
    svg,
    write_line_batches,
    write_number_batches,
    write_parquet_batches,
    write_pav_batches,
    write_pbn_batches,
    write_record_batches,
    zbs,
)
from pavcodec.formats.catalogue.format import Format
from pavcodec.formats.catalogue.programs import CODE_FORMATS, DIAGRAM_FORMAT, PROGRAM_FORMATS
from pavcodec.formats.parquet.files import MAGIC
from pavcodec.formats.plain.texts import looks_like_lines, looks_like_number
from pavcodec.formats.records.boards import RECORD_FORMATS
from pavcodec.records import record

__all__ = ["FORMATS"]


def _record_format(
    name: str, keeps: str, *, numbering: str | None = None, is_cards_only: bool = True
) -> Format:
    """Make the format of files of one kind of records."""
    found = RECORD_FORMATS[name]
    size, summary = record(name).size, record(name).summary
    has_arrays = name not in ("zrd", "zdd", "gib-library")  # which hold more than cards
    return Format(
        name,
        (f".{name}",),
        f"{summary}: {size} bytes each",
        keeps,
        lambda: (found.read, found.write),
        keeps_cards=found.needs_cards,
        loses="all other tags" if found.needs_cards else "cards, all other tags",
        is_cards_only=is_cards_only,
        is_plain=has_arrays,
        numbering=numbering,
        is_text=False,
        owners_reader=partial(read_record_owners, name=name) if has_arrays else None,
        batch_writer=partial(write_record_batches, name=name) if has_arrays else None,
    )


_OF_THE_TABLE = "cards, number, dealer, vulnerability, event, names, auction, play and result"

_JSON = re.compile(r'\s*(?:\[\s*(?:\{|\]|$)|\{\s*"[^"]*"\s*:)').match
"""Tells a list of objects, or an object with its first key."""

FORMATS = {
    format_.name: format_
    for format_ in (
        Format(
            "pbn",
            (".pbn",),
            "Portable Bridge Notation 2.1: import format read, export format written",
            "cards, every tag, section and comment",
            pbn,
            keeps_tags=True,
            loses="nothing",
            is_cards_only=False,
            owners_reader=read_pbn_owners,
            survey_reader=survey_pbn,
            batch_writer=write_pbn_batches,
        ),
        Format(
            "lines",
            (".txt", ".lines"),
            "one deal text a line, as in N:AK.Q.. - .32.4. -",
            "cards",
            lines,
            recognises=looks_like_lines,
            owners_reader=read_line_owners,
            batch_writer=write_line_batches,
        ),
        *PROGRAM_FORMATS,  # before numbers, as a deal of 52 digits is a number as well
        Format(
            "numbers",
            (".numbers",),
            "one number a line, decimal or 0x hexadecimal, in a numbering",
            "cards",
            numbers,
            recognises=looks_like_number,
            owners_reader=read_number_owners,
            batch_writer=write_number_batches,
        ),
        Format(
            "lin",
            (".lin",),
            "Bridge Base Online's LIN: hands, auction and play, for its viewer",
            _OF_THE_TABLE,
            lin,
            is_cards_only=False,
            is_plain=True,
            recognises=re.compile(
                r"\s*(?:vg|qx|pn|md|st|rh|ah|mn|bn|rs|pw|mp|sv|sk|lc|nt|bt|3b|km|at|cp)\|",
                re.IGNORECASE,
            ).match,
            loses="all other tags and sections",
        ),
        Format(
            "handviewer",
            (".urls",),
            "addresses of Bridge Base's hand viewer, one a line",
            "cards, number, dealer, vulnerability, names, auction, play and result",
            handviewer,
            is_cards_only=False,
            is_plain=True,
            recognises=re.compile(
                r"\s*(?:https?://\S*\?|\S*handviewer\.html\?|\?lin=)", re.IGNORECASE
            ).match,
            loses="all other tags and sections",
        ),
        *(
            Format(
                name,
                (f".{name}",),
                summary,
                _OF_THE_TABLE,
                partial(rbn, name),
                is_cards_only=False,
                is_plain=True,
                recognises=re.compile(telling).match,
                loses="all other tags and sections",
            )
            for name, summary, telling in (
                (
                    "rbn",
                    "Richard's Bridge Notation, a label a line",
                    r"% RBN\b|H [NESW][:;]",
                ),
                (
                    "rbx",
                    "Richard's Bridge Notation, a board a line",
                    r"%\{RBX|[DTLEFSKNBHACPRMI]\{[^{}]*\}",
                ),
            )
        ),
        *(
            Format(
                name,
                suffixes,
                summary,
                "cards, every tag, section and comment",
                partial(json, name),
                keeps_tags=True,
                is_cards_only=False,
                recognises=_JSON if name == "json" else None,
                loses="nothing",
            )
            for name, suffixes, summary in (
                ("json", (".json",), "a list of JSON objects, one a board"),
                (
                    "jsonl",
                    (".jsonl", ".ndjson"),
                    "JSON Lines, an object a board",
                ),
            )
        ),
        Format(
            "endplay-json",
            (),
            "boards of the library endplay in JSON; read as json, too",
            "cards, number, dealer, vulnerability, auction, play, result and the other tags",
            endplay_json,
            is_cards_only=False,
            loses="other sections",
        ),
        _record_format("deal12", "the cards of deals", numbering="deal"),
        _record_format("balanced14", "the cards of balanced endings", numbering="balanced"),
        _record_format("ending15", "the cards, at most 13 a hand", numbering="ending"),
        _record_format("legal14", "the cards of legal endings", numbering="legal"),
        _record_format(
            "base5-16", "cards, and the tag Spare", numbering="base5", is_cards_only=False
        ),
        _record_format("deal13", "the cards of deals"),
        _record_format("layout20", "cards"),
        Format(
            "zbs",
            (".zbs",),
            "any layout, a word of 4 bytes for each suit; also suits that stand alone",
            "cards, and the tag SuitLayout",
            zbs,
            is_cards_only=False,
            is_text=False,
        ),
        _record_format("zrd", "the cards of deals, and double-dummy tricks", is_cards_only=False),
        _record_format("zdd", "double-dummy tricks", is_cards_only=False),
        _record_format(
            "gib-library", "the cards of deals, and double-dummy tricks", is_cards_only=False
        ),
        *CLUB_FORMATS,
        *CODE_FORMATS,
        Format(
            "parquet",
            (".parquet",),
            "a table with a row for each board, for DuckDB, Polars and Spark; needs pyarrow",
            "cards, every tag, section and comment",
            parquet,
            keeps_tags=True,
            loses="nothing",
            is_cards_only=False,
            numbering="deal",
            is_text=False,
            starts=(MAGIC,),
            owners_reader=read_parquet_owners,
            survey_reader=survey_parquet,
            batch_writer=write_parquet_batches,
        ),
        Format(
            "pav",
            (".pav",),
            "an archive: all boards in few bytes, with checksums and an index",
            "cards, every tag, section and comment",
            pav,
            keeps_tags=True,
            loses="nothing",
            is_cards_only=False,
            numbering="deal",
            is_text=False,
            is_durable=True,
            starts=(b"PAVARC1\n",),
            owners_reader=read_pav_owners,
            batch_writer=write_pav_batches,
        ),
        DIAGRAM_FORMAT,
        Format(
            "html",
            (".html", ".htm"),
            "a page of diagrams to look at or to print; it is not read",
            "cards, as a diagram",
            html,
            is_cards_only=False,
            is_read=False,
        ),
        Format(
            "svg",
            (".svg",),
            "a picture of diagrams; it is not read",
            "cards, as a diagram",
            svg,
            is_cards_only=False,
            is_read=False,
        ),
    )
}
