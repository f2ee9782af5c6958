"""The formats of programs that deal, solve and play: their output, JSON, and codes one a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from pavcodec.boards.board import Board
from pavcodec.formats.format import (
    ALL_BUT_NUMBERS,
    NUMBER,
    PLAYED,
    TABLE,
    TRICKS,
    ArrayCodec,
    Codec,
    Format,
    Label,
    comments_of,
    contract_and_result,
    contract_without_auction,
    first_line,
    lossless_format,
    play_of_other_hands,
)
from pavcodec.formats.plain import lines_codec

_OF_DDS = frozenset(
    f"Dds{word}" for word in ("Trump", "First", "Fut", "Par", "Par2", "Play", "Trace")
)
_HAND = r"[AKQJT2-9]*(\.[AKQJT2-9]*){3}"
_DEALS = "the cards of deals"


def _several_lines(name: str) -> Codec:
    from pavcodec.formats.programs import lines

    return {
        "dealer-compact": Codec(lines.read_compact, lines.write_compact),
        "dealer-all": Codec(lines.read_printall, lines.write_printall),
        "dds": Codec(lines.read_dds, lines.write_dds),
    }[name]


def _objects(name: str) -> Codec:
    from pavcodec.formats.programs import json_boards

    return {
        "ben": Codec(json_boards.read_ben, json_boards.write_ben),
        "json": Codec(json_boards.read_json, json_boards.write_json),
        "jsonl": Codec(json_boards.read_json, json_boards.write_json_lines),
        "endplay-json": Codec(json_boards.read_json, json_boards.write_endplay_json),
    }[name]


def _json_lines() -> ArrayCodec:
    from pavcodec.formats.plain.batches import write_by_form
    from pavcodec.formats.programs.json_boards import line_of, write_json_lines

    return ArrayCodec(write=partial(write_by_form, text_of=line_of, write=write_json_lines))


def _lost_by_endplay(board: Board, parts: Mapping[str, object]) -> Iterator[str]:
    """Yield contract, result and play where they do not fit, and comments that are no tags."""
    yield from contract_and_result(board, parts)
    yield from play_of_other_hands(board, parts)
    if any(comments_of(Board(None, (tag,))) for tag in board.entries if tag.lines):
        yield "comments"


def _lines(
    name: str,
    summary: str,
    pattern: str,
    keeps: str = _DEALS,
    *,
    suffixes: tuple[str, ...] = (),
) -> Format:
    return Format(
        name,
        suffixes,
        summary,
        keeps,
        partial(lines_codec, name),
        kept_tags=frozenset() if keeps == _DEALS else TRICKS,
        needs_tricks=name == "deal-ddline",
        recognises=first_line(pattern),
    )


DEAL_FORMATS = (
    _lines(
        "dealer",
        "dealer's printoneline, n S.H.D.C e … s … w …, a deal a line",
        f"n {_HAND} +e {_HAND} +s {_HAND} +w {_HAND}",
    ),
    Format(
        "dealer-compact",
        (),
        "dealer's printcompact: a hand a line",
        _DEALS,
        partial(_several_lines, "dealer-compact"),
        recognises=first_line(f"(?i:[nesw] +{_HAND})"),
    ),
    Format(
        "dealer-all",
        (),
        "dealer's printall: the number, and four lines of holdings in columns",
        "the cards of deals, and board numbers",
        partial(_several_lines, "dealer-all"),
        kept_tags=NUMBER,
        label=Label("For programs", "dealer", "as printall", 6),
        recognises=first_line(r"[0-9]{1,9}\.( *North +East +South +West)?"),
        loses=ALL_BUT_NUMBERS,
    ),
    _lines(
        "deal-lines",
        "Andrews' deal -l, suits with blanks and hands with | between",
        r"[AKQJT2-9 ]+(\|[AKQJT2-9 ]+){3}",
    ),
    _lines(
        "deal-digits",
        "Andrews' deal, format numeric: 52 digits 0 to 3, SA to C2",
        "[0-3]{52}|[1-4]{52}",
    ),
    _lines(
        "deal-ddline",
        "Andrews' deal, format ddline: hands and double-dummy tricks",
        rf"{_HAND}(\|{_HAND}){{3}}(\|[0-9 ]+){{4}}",
        "the cards of deals, and double-dummy tricks",
    ),
    _lines(
        "gib",
        "GIB's texts: hands W N E S and 20 digits, the tricks of N and S",
        rf"{_HAND}( {_HAND}){{3}}:[0-9A-Fa-f-]{{20}}",
        "cards, and double-dummy tricks",
        suffixes=(".gib",),
    ),
    Format(
        "dds",
        (".dds",),
        "lists of deals for the tests of the solver DDS",
        "cards, dealer, vulnerability, double-dummy tricks, and the tags Dds…",
        partial(_several_lines, "dds"),
        kept_tags=TRICKS | {"Dealer", "Vulnerable"} | _OF_DDS,
        recognises=first_line(r"NUMBER +[0-9]{1,9}|PBN( +[0-4]){4} +\".*"),
    ),
    Format(
        "ben",
        (".ben",),
        "boards of the robot BEN and of Bridge Bidding Analyser, two lines each",
        "the cards of deals, dealer, vulnerability, and calls with alerts",
        partial(_objects, "ben"),
        kept_tags=frozenset({"Dealer", "Vulnerable", "Auction", "Contract", "Declarer"}),
        kept_parts=frozenset({"alerts"}),
        more_losses=contract_without_auction,
        recognises=first_line(
            rf"[NESW] +(None|N-S|E-W|Both) .*|['\"]{_HAND}( +{_HAND}){{3}}['\"].*"
        ),
    ),
)
"""In the order in which unnamed input is tried; their patterns exclude each other."""

JSON_FORMATS = (
    lossless_format(
        "json",
        (".json",),
        "a list of JSON objects, one a board",
        codec=partial(_objects, "json"),
        cannot_grow="its boards are one list; use jsonl",
        media="application/json",
        label=Label("Tables and numbers", "JSON", "", 20),
        # a list of objects, or an object with its first key
        recognises=re.compile(r'\s*(?:\[\s*(?:\{|\]|$)|\{\s*"[^"]*"\s*:)').match,
    ),
    lossless_format(
        "jsonl",
        (".jsonl", ".ndjson"),
        "JSON Lines, an object a board",
        codec=partial(_objects, "jsonl"),
        arrays=_json_lines,
        media="application/x-ndjson",
        label=Label("Tables and numbers", "JSON Lines", "", 21),
    ),
    Format(
        "endplay-json",
        (),
        "boards of the library endplay in JSON; read as json, too",
        "cards, number, dealer, vulnerability, auction, play, result and the other tags",
        partial(_objects, "endplay-json"),
        cannot_grow="a file of it is one whole",
        kept_tags=TABLE | TRICKS | PLAYED,
        keeps_plain_tags=True,
        kept_parts=frozenset({"alerts", "auction notes", "comments"}),
        more_losses=_lost_by_endplay,
        loses="other sections",
    ),
)


def _codes(
    name: str,
    summary: str,
    *,
    numbered: bool = False,
    pattern: str = "",
    cycle: int | None = None,
) -> Format:
    """Make the format of codes one a line; only they match `pattern`."""
    return Format(
        name,
        (),
        summary,
        "the cards of deals, and board numbers" if numbered else _DEALS,
        partial(lines_codec, name),
        kept_tags=NUMBER if numbered else frozenset(),
        recognises=first_line(pattern) if pattern else None,
        cycle=cycle,
        loses=ALL_BUT_NUMBERS if numbered else "all other tags",
    )


CODE_FORMATS = (
    _codes(
        "bba",
        "codes of Bridge Bidding Analyser, 28 hexadecimal digits a line",
        numbered=True,
        pattern="(?=.*[A-Fa-f])[0-9A-Fa-f]{28}",  # without a letter it is a number
        cycle=256,
    ),
    _codes(
        "kops",
        "26 hexadecimal digits a line, a byte a rank",
    ),
    _codes(
        "saycbridge",
        "codes of saycbridge, 26 hexadecimal digits a line, behind the number of the board",
        numbered=True,
        pattern="[0-9]{1,6}-[0-9A-Fa-f]{26}(:.*)?",
    ),
    _codes("saycbridge-old", "codes of older versions of saycbridge, a decimal number a line"),
    _codes("ww-deal", "24 hexadecimal digits a line, the number of deal"),
    _codes("bridge-deal", "the number of deal in hexadecimal, one a line"),
    _codes("njhammond-16", "the number of deal from 1 on in hexadecimal, one a line"),
    _codes("njhammond-64", "the number of deal from 1 on in base 64, one a line"),
)
"""The codes that no other format contains."""
