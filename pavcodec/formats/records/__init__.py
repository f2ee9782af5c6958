"""Files of records, as boards and by path: records of one kind, or words of ZBS."""

from __future__ import annotations

from functools import partial

from pavcodec.formats.format import SUIT_TAG, TRICKS, ArrayCodec, Codec, Format
from pavcodec.formats.records.boards import RECORD_FORMATS, WORD_BYTES, read_zbs, write_zbs
from pavcodec.records import record


def _codec(name: str) -> Codec:
    records = RECORD_FORMATS[name]
    return Codec(records.read, records.write)


def _arrays(name: str) -> ArrayCodec:
    from pavcodec.formats.records.arrays import read_record_batches, write_record_batches

    return ArrayCodec(
        partial(read_record_batches, name=name), partial(write_record_batches, name=name)
    )


def _format(
    name: str, keeps: str, *, numbering: str | None = None, kept_tags: frozenset[str] = frozenset()
) -> Format:
    needs_cards = RECORD_FORMATS[name].needs_cards
    return Format(
        name,
        (f".{name}",),
        f"{record(name).summary}: {record(name).size} bytes each",
        keeps,
        partial(_codec, name),
        partial(_arrays, name) if needs_cards else None,
        keeps_cards=needs_cards,
        loses="all other tags" if needs_cards else "cards, all other tags",
        kept_tags=kept_tags,
        needs_tricks=kept_tags == TRICKS,
        numbering=numbering,
        is_text=False,
        unit=record(name).size,
    )


RECORDS = (
    _format("deal12", "the cards of deals", numbering="deal"),
    _format("balanced14", "the cards of balanced endings", numbering="balanced"),
    _format("ending15", "the cards, at most 13 a hand", numbering="ending"),
    _format("legal14", "the cards of legal endings", numbering="legal"),
    _format(
        "base5-16", "cards, and the tag Spare", numbering="base5", kept_tags=frozenset({"Spare"})
    ),
    _format("deal13", "the cards of deals"),
    _format("layout20", "cards"),
    Format(
        "zbs",
        (".zbs",),
        "any layout, a word of 4 bytes for each suit; also suits that stand alone",
        "cards, and the tag SuitLayout",
        partial(Codec, read_zbs, write_zbs),
        kept_tags=frozenset({SUIT_TAG}),
        is_text=False,
        unit=WORD_BYTES,
    ),
    _format("zrd", "the cards of deals, and double-dummy tricks", kept_tags=TRICKS),
    _format("zdd", "double-dummy tricks", kept_tags=TRICKS),
    _format("gib-library", "the cards of deals, and double-dummy tricks", kept_tags=TRICKS),
)
